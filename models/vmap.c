/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registry of designs, common keys, set-up and the final check. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/vmap.h"
#include "models/vmap_int.h"

#define DESIGN(name) extern const struct vmap_design design_##name;
#include "models/models.def"
#undef DESIGN

const struct vmap_design *const vmap_designs[] = {
#define DESIGN(name) &design_##name,
#include "models/models.def"
#undef DESIGN
	NULL
};

const struct vmap_design *vmap_design_find(const char *name)
{
	for (size_t i = 0; vmap_designs[i]; i++)
		if (!strcmp(vmap_designs[i]->name, name))
			return vmap_designs[i];
	return NULL;
}

const struct param_desc vmap_params[] = {
	{ .key = "vmap.lazy_max", .type = PARAM_PAGES, .def = "32M",
	  .min = 1, .max = 1ll << 40,
	  .help = "lazily freed pages per fls(online CPUs) before a drain",
	  .source = "lazy_max_pages(), every kernel from 4.8 on" },
	{ .key = "vmap.jitter", .type = PARAM_PPM, .def = "3%",
	  .min = 0, .max = 500000,
	  .help = "private work varies uniformly by this much either way",
	  .source = "scatter of adjacent rows of seed-v1-jobs.csv" },
	{ .key = "layout.counters", .type = PARAM_ENUM, .def = "shared",
	  .choices = { "shared", "apart" },
	  .help = "vmap_lazy_nr and nr_vmalloc_pages on one line, or two",
	  .source = "symbol addresses in the April 2025 patch that parted them"
		    " (20250417161216.88318-4-urezki@gmail.com)" },
	{ .key = "layout.statics", .type = PARAM_ENUM, .def = "counters",
	  .choices = { "counters", "together", "apart" },
	  .help = "static locks and tree roots on the counters' line,"
		  " on one of their own, or on one line each",
	  .source = "zero-initialised statics of one file: 52 bytes in .bss"
		    " beside vmap_lazy_nr; inferred" },
	{ .key = "kernel.possible", .type = PARAM_INT, .def = "0",
	  .min = 0, .max = 4096,
	  .help = "possible CPUs; 0: the machine's" },
	{ .key = "kernel.online", .type = PARAM_INT, .def = "0",
	  .min = 0, .max = 4096,
	  .help = "online CPUs; 0: the machine's" },
	{ .key = NULL }
};

static ps_t cost(const struct param_set *p, const char *key)
{
	return (ps_t)param_num(p, key);
}

static u32 fls(u64 x)
{
	return x ? 64 - (u32)__builtin_clzll(x) : 0;
}

struct line *vmap_line(struct vmap *v, const char *name)
{
	struct line *l = sim_alloc(v->sim, sizeof(*l));

	line_init(v->sim, l, name);
	return l;
}

void vmap_lock_init(struct vmap *v, struct spinlock *l, const char *name,
		    struct line *line)
{
	char key[64];
	const struct param_value *own;
	const char *alg = param_choice(v->params, "lock");

	if (!param_find(v->params, "lock")->given &&
	    param_num(v->params, "kernel.hypervisor"))
		alg = "virt";
	snprintf(key, sizeof(key), "lock.%s", name);
	own = param_find(v->params, key);
	if (own && own->given)
		alg = param_choice(v->params, key);
	spin_lock_init(v->sim, l, name, line, lock_find(alg));
}

/* layout.statics */
enum { STATICS_COUNTERS, STATICS_TOGETHER, STATICS_APART };

static void init_layout(struct vmap *v)
{
	const s64 statics = param_num(v->params, "layout.statics");

	if (!param_num(v->params, "layout.counters")) {
		v->lazy_line = vmap_line(v, "vmap_lazy_nr+nr_vmalloc_pages");
		v->pages_line = v->lazy_line;
	} else {
		v->lazy_line = vmap_line(v, "vmap_lazy_nr");
		v->pages_line = vmap_line(v, "nr_vmalloc_pages");
	}
	if (statics == STATICS_COUNTERS)
		v->statics_line = v->lazy_line;
	else if (statics == STATICS_TOGETHER)
		v->statics_line = vmap_line(v, "vmap locks+roots");
}

struct line *vmap_static_line(struct vmap *v, const char *name)
{
	return v->statics_line ? v->statics_line : vmap_line(v, name);
}

static void init_cpus(struct vmap *v)
{
	const u32 n = v->sim->nr_cpus;
	const s64 online = param_num(v->params, "kernel.online");
	const s64 possible = param_num(v->params, "kernel.possible");

	v->nr_online = online && online < n ? (u32)online : n;
	v->nr_possible = possible > n ? (u32)possible : n;
	v->online = sim_alloc(v->sim, n * sizeof(*v->online));
	v->jitter = sim_alloc(v->sim, n * sizeof(*v->jitter));
	for (u32 i = 0; i < n; i++) {
		v->online[i] = i;
		rng_init(&v->jitter[i], v->sim->cfg.seed,
			 v->sim->cfg.replication, i, RNG_JITTER);
	}
}

int vmap_init(struct vmap *v, struct sim *s, const struct vmap_design *d,
	      const struct param_set *p)
{
	memset(v, 0, sizeof(*v));
	v->sim = s;
	v->design = d;
	v->params = p;
	v->internals = sim_alloc(s, sizeof(*v->internals));
	mutex_init(s, &v->internals->vmap_purge_lock, "vmap_purge_lock");
	v->cost = (struct vmap_costs){
		.slab = cost(p, "cost.slab"),
		.alloc_work = cost(p, "cost.alloc_work"),
		.free_work = cost(p, "cost.free_work"),
		.preload = cost(p, "cost.preload"),
		.tree_node = cost(p, "cost.tree_node"),
		.tlb_flush = cost(p, "cost.tlb_flush"),
		.jitter_ppm = (u32)param_num(p, "vmap.jitter"),
	};
	va_cache_init(&v->va_cache, s);
	init_layout(v);
	init_cpus(v);
	v->lazy_max_pages = fls(v->nr_online) *
			    (u64)param_num(p, "vmap.lazy_max");
	v->vmalloc_start = 0xffffc90000000000ull;	/* x86-64, 4 levels */
	v->vmalloc_end = 0xffffe90000000000ull;
	vmalloc_init_work(v);
	d->init(v, p);
	return 0;
}

/* ---- the final check ---- */

struct span {
	u64 start, end;
	enum va_set set;
};

struct span_list {
	struct span *s;
	size_t nr, max;
};

static void add_span(void *arg, const struct vmap_area *va, enum va_set set)
{
	struct span_list *l = arg;

	if (l->nr == l->max) {
		l->max = l->max ? 2 * l->max : 64;
		l->s = realloc(l->s, l->max * sizeof(*l->s));
		if (!l->s)
			abort();
	}
	l->s[l->nr++] = (struct span){ va->va_start, va->va_end, set };
}

static int span_cmp(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static u32 check_spans(const struct vmap *v, const struct span_list *l,
		       u64 *lazy_pages, char *buf, size_t size)
{
	u64 at = v->vmalloc_start;
	u32 faults = 0;

	for (size_t i = 0; i < l->nr; i++) {
		if (l->s[i].start != at && !faults++)
			snprintf(buf, size, "%s at 0x%llx, expected 0x%llx",
				 l->s[i].start < at ? "overlap" : "hole",
				 (unsigned long long)l->s[i].start,
				 (unsigned long long)at);
		at = l->s[i].end;
		if (l->s[i].set == VA_LAZY)
			*lazy_pages += (l->s[i].end - l->s[i].start) >>
				       PAGE_SHIFT;
	}
	if (at != v->vmalloc_end && !faults++)
		snprintf(buf, size, "range ends at 0x%llx, not 0x%llx",
			 (unsigned long long)at,
			 (unsigned long long)v->vmalloc_end);
	return faults;
}

u32 vmap_check(struct vmap *v, char *buf, size_t size)
{
	struct span_list l = { 0 };
	u64 lazy_pages = 0;
	u32 faults;

	buf[0] = '\0';
	v->design->for_each_va(v, add_span, &l);
	if (l.nr)
		qsort(l.s, l.nr, sizeof(*l.s), span_cmp);
	faults = check_spans(v, &l, &lazy_pages, buf, size);
	if (lazy_pages != v->vmap_lazy_nr && !faults++)
		snprintf(buf, size, "vmap_lazy_nr is %llu, lazy areas have"
			 " %llu pages", (unsigned long long)v->vmap_lazy_nr,
			 (unsigned long long)lazy_pages);
	free(l.s);
	return faults;
}
