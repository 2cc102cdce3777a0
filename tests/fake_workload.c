/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/rng.h"
#include "tests/fake_workload.h"

static const struct param_desc fake_params[] = {
	{ .key = "design", .type = PARAM_STRING, .def = "none" },
	{ .key = "workload", .type = PARAM_STRING, .def = "fake" },
	{ .key = "machine", .type = PARAM_STRING, .def = "none" },
	{ .key = "nr_threads", .type = PARAM_INT, .def = "1" },
	{ .key = "seed", .type = PARAM_INT, .def = "1" },
	{ .key = "replications", .type = PARAM_INT, .def = "5" },
	{ .key = "ci", .type = PARAM_PPM },
	{ .key = "cost.a", .type = PARAM_TIME, .def = "500ns" },
	{ .key = "cost.b", .type = PARAM_TIME, .def = "300ns" },
	{ .key = "fake.noise", .type = PARAM_PPM, .def = "0" },
	{ .key = "fake.crash", .type = PARAM_INT, .def = "0" },
	{ .key = "fake.fail", .type = PARAM_INT, .def = "0" },
	{ .key = NULL },
};

static void fill(struct outcome *o, s64 n, double pair_ns, u32 replication)
{
	o->metric[METRIC_pair_ns] = pair_ns;
	o->metric[METRIC_throughput_per_s] = 1e9 * (double)n / pair_ns;
	if (replication % 2)		/* applies in every other one */
		o->metric[METRIC_far_share] = 0.25;
	o->regime = replication == 1 && n == 3 ? REGIME_SCATTERED :
						 REGIME_CLUSTERED;
	o->pairs = 100;
	hist_add(&o->pair, (u64)(pair_ns * 1000));
	o->nr_locks = 1;
	o->lock[0] = (struct lock_counts) {
		.name = "free_vmap_area_lock", .type = "spinlock",
		.acquisitions = 10, .contentions = replication,
		.wait_total = 100 * replication, .wait_min = 40 - replication,
		.wait_max = 50 + replication, .hold_min = 5, .hold_max = 9,
		.nr_locks = 1,
	};
	o->nr_lines = 1;
	o->line[0] = (struct line_counts) {
		.name = "vmap_lazy_nr", .transfers_far = 7, .nr_lines = 1,
	};
	o->nr_symbols = 2;
	o->symbol[0] = (struct symbol_counts) { "vmalloc", 10, 40 };
	o->symbol[1] = (struct symbol_counts) { "_raw_spin_lock", 30, 30 };
}

static int fake(const struct param_set *p, u32 replication,
		struct outcome *out, char *err, size_t err_size)
{
	s64 n = param_num(p, "nr_threads");
	double base = (double)(param_num(p, "cost.a") +
			       (n - 1) * param_num(p, "cost.b")) / 1000;
	double noise = (double)param_num(p, "fake.noise") / 1e6;
	struct rng r;

	if (n == param_num(p, "fake.crash"))
		raise(SIGKILL);
	if (n == param_num(p, "fake.fail")) {
		snprintf(err, err_size, "no room for %d threads", (int)n);
		return -ENOMEM;
	}
	rng_init(&r, (u64)param_num(p, "seed"), replication, 0, RNG_JITTER);
	fill(out, n, base * (1 + noise * ((double)(rng_u64(&r) >> 11) /
					  (double)(1ull << 53) - 0.5)),
	     replication);
	return 0;
}

const struct workload fake_workload = {
	.name = "fake", .help = "a formula", .params = fake_params,
	.run = fake,
};

/* FNV-1a: any hash will do here. */
static void make_key(struct scenario *s)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	u64 h = 14695981039346656037ull;

	if (!f || param_set_canonical(&s->params, f) || fclose(f))
		abort();
	for (size_t i = 0; i < size; i++)
		h = (h ^ (unsigned char)text[i]) * 1099511628211ull;
	snprintf(s->key, sizeof(s->key), "%016llx%016llx",
		 (unsigned long long)h, (unsigned long long)~h);
	free(text);
}

void fake_scenario(struct scenario *s)
{
	const struct param_desc *tables[] = { fake_params };

	if (param_set_init(&s->params, tables, 1))
		abort();
	make_key(s);
}

void fake_set(struct scenario *s, const char *key, const char *value)
{
	struct param_error err;

	if (param_set_text(&s->params, key, value, &err))
		abort();
	make_key(s);
}

void fake_plan(struct plan *p, size_t nr)
{
	p->nr = nr;
	p->point = calloc(nr, sizeof(*p->point));
	if (!p->point)
		abort();
	for (size_t i = 0; i < nr; i++) {
		char n[24];

		snprintf(n, sizeof(n), "%zu", i + 1);
		fake_scenario(&p->point[i]);
		fake_set(&p->point[i], "nr_threads", n);
	}
}

void fake_plan_set(struct plan *p, const char *key, const char *value)
{
	for (size_t i = 0; i < p->nr; i++)
		fake_set(&p->point[i], key, value);
}

void fake_plan_free(struct plan *p)
{
	for (size_t i = 0; i < p->nr; i++)
		param_set_free(&p->point[i].params);
	free(p->point);
}

int fake_run(const struct scenario *s, struct result *r,
	     const volatile int *stop)
{
	return study_run_workload(&fake_workload, s, r, stop);
}
