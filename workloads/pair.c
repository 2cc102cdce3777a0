/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pair: each thread calls vmalloc() and vfree() in a loop, as the jobs of the
 * per-CPU-zone series' table do (May 2023; test_vmalloc's fix_size test).
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "models/vmap.h"
#include "workloads/driver.h"
#include "workloads/workload.h"

static const struct param_desc pair_params[] = {
	{ .key = "pair.pages", .type = PARAM_INT, .def = "1",
	  .min = 1, .max = 1 << 20,
	  .help = "pages of each allocation" },
	{ .key = NULL }
};

struct pair {
	struct vmap vmap;
	u32 pages;
	u64 purges_at_open;
};

static void pair_op(struct thread *th)
{
	struct pair *w = th->d->priv;
	struct task *t = th->task;
	const ps_t begin = t->cpu->now;
	const u64 addr = vmalloc(t, &w->vmap, w->pages);
	const ps_t middle = t->cpu->now;

	if (addr)
		vfree(t, &w->vmap, addr);
	driver_ended(th, begin, middle, t->cpu->now);
}

static void pair_open(struct driver *d)
{
	struct pair *w = d->priv;

	w->purges_at_open = w->vmap.purges;
	w->vmap.va_failed = 0;
	w->vmap.lazy_pages_max = 0;
}

static int pair_run(const struct param_set *p, u32 replication,
		    struct outcome *out, char *err, size_t err_size)
{
	const char *design = param_text(p, "design");
	struct driver d;
	struct pair *w;
	int ret = driver_init(&d, p, replication, out, err, err_size);

	if (ret)
		goto out;
	w = sim_alloc(d.sim, sizeof(*w));
	d.priv = w;
	d.on_open = pair_open;
	w->pages = (u32)param_num(p, "pair.pages");
	ret = vmap_init(&w->vmap, d.sim, vmap_design_find(design), p);
	if (ret)
		goto out;
	driver_run(&d, pair_op);
	out->metric[METRIC_purges] = (double)(w->vmap.purges -
					      w->purges_at_open);
	out->metric[METRIC_va_failed] = (double)w->vmap.va_failed;
	out->metric[METRIC_lazy_pages_max] = (double)w->vmap.lazy_pages_max;
	if (vmap_check(&w->vmap, err, err_size))
		ret = -EIO;
out:
	driver_free(&d);
	return ret;
}

const struct workload workload_pair = {
	.name = "pair",
	.help = "each thread: vmalloc, vfree",
	.params = pair_params,
	.needs_design = true,
	.run = pair_run,
};
