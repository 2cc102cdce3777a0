/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the outcomes of replications to one result. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/stats.h"
#include "study/aggregate.h"

int aggregate_init(struct aggregate *a, u32 nr_max)
{
	*a = (struct aggregate) { .nr_max = nr_max };
	a->metric = calloc(nr_max, sizeof(*a->metric));
	a->pair = malloc(sizeof(*a->pair));
	a->alloc = malloc(sizeof(*a->alloc));
	a->free = malloc(sizeof(*a->free));
	if (!a->metric || !a->pair || !a->alloc || !a->free)
		return -ENOMEM;
	hist_init(a->pair);
	hist_init(a->alloc);
	hist_init(a->free);
	return 0;
}

void aggregate_free(struct aggregate *a)
{
	free(a->metric);
	free(a->pair);
	free(a->alloc);
	free(a->free);
	free(a->lock);
	free(a->line);
	free(a->symbol);
	*a = (struct aggregate) { 0 };
}

/*
 * Entry of the given name in an array of entries that begin with their name,
 * added zeroed when it is new. NULL: no memory.
 */
static void *entry(void *array, size_t *nr, size_t size, const char *name)
{
	char **base = array, *p = *base;

	for (size_t i = 0; i < *nr; i++)
		if (!strcmp(p + i * size, name))
			return p + i * size;
	p = reallocarray(p, *nr + 1, size);
	if (!p)
		return NULL;
	*base = p;
	p += (*nr)++ * size;
	memset(p, 0, size);
	strcpy(p, name);
	return p;
}

static ps_t later(ps_t a, ps_t b)
{
	return a > b ? a : b;
}

static int add_lock(struct aggregate *a, const struct lock_counts *from)
{
	struct lock_counts *to = entry(&a->lock, &a->nr_locks, sizeof(*to),
				       from->name);

	if (!to)
		return -ENOMEM;
	/* a minimum counts only where something was measured */
	if (from->contentions &&
	    (!to->contentions || from->wait_min < to->wait_min))
		to->wait_min = from->wait_min;
	if (from->acquisitions &&
	    (!to->acquisitions || from->hold_min < to->hold_min))
		to->hold_min = from->hold_min;
	memcpy(to->type, from->type, sizeof(to->type));
	to->acquisitions += from->acquisitions;
	to->contentions += from->contentions;
	to->acq_bounces += from->acq_bounces;
	to->con_bounces += from->con_bounces;
	to->pending += from->pending;
	to->far += from->far;
	to->handovers += from->handovers;
	to->wait_total += from->wait_total;
	to->hold_total += from->hold_total;
	to->wait_max = later(to->wait_max, from->wait_max);
	to->hold_max = later(to->hold_max, from->hold_max);
	if (from->nr_locks > to->nr_locks)
		to->nr_locks = from->nr_locks;
	return 0;
}

static int add_line(struct aggregate *a, const struct line_counts *from)
{
	struct line_counts *to = entry(&a->line, &a->nr_lines, sizeof(*to),
				       from->name);

	if (!to)
		return -ENOMEM;
	to->transfers_near += from->transfers_near;
	to->transfers_far += from->transfers_far;
	to->accesses += from->accesses;
	to->wait_total += from->wait_total;
	to->transfer_total += from->transfer_total;
	if (from->nr_lines > to->nr_lines)
		to->nr_lines = from->nr_lines;
	return 0;
}

static int add_symbol(struct aggregate *a, const struct symbol_counts *from)
{
	struct symbol_counts *to = entry(&a->symbol, &a->nr_symbols,
					 sizeof(*to), from->symbol);

	if (!to)
		return -ENOMEM;
	to->self += from->self;
	to->children += from->children;
	return 0;
}

int aggregate_add(struct aggregate *a, const struct outcome *o)
{
	int rc = 0;

	if (a->nr == a->nr_max)
		return -ENOSPC;
	for (u32 i = 0; i < o->nr_locks && !rc; i++)
		rc = add_lock(a, &o->lock[i]);
	for (u32 i = 0; i < o->nr_lines && !rc; i++)
		rc = add_line(a, &o->line[i]);
	for (u32 i = 0; i < o->nr_symbols && !rc; i++)
		rc = add_symbol(a, &o->symbol[i]);
	if (rc)
		return rc;
	hist_merge(a->pair, &o->pair);
	hist_merge(a->alloc, &o->alloc);
	hist_merge(a->free, &o->free);
	if (!a->nr)
		a->regime = o->regime;
	else if (a->regime != o->regime)
		a->regime = REGIME_MIXED;
	memcpy(a->metric[a->nr++], o->metric, sizeof(o->metric));
	return 0;
}

struct metric_value aggregate_metric(const struct aggregate *a,
				     enum metric metric)
{
	double value[a->nr + 1];
	struct stats_interval v;
	size_t nr = 0;

	for (u32 i = 0; i < a->nr; i++)
		if (!isnan(a->metric[i][metric]))
			value[nr++] = a->metric[i][metric];
	stats_interval(value, nr, &v);
	return (struct metric_value) { .mean = v.mean, .ci95 = v.half95 };
}

/* Most self time first; equal ones by name, so that the order is one. */
static int by_self(const void *va, const void *vb)
{
	const struct profile_row *a = va, *b = vb;

	if (a->self_pct != b->self_pct)
		return a->self_pct < b->self_pct ? 1 : -1;
	return strcmp(a->symbol, b->symbol);
}

static int make_profile(const struct aggregate *a, struct result *r)
{
	ps_t total = 0;

	if (!a->nr_symbols)
		return 0;
	r->profile = calloc(a->nr_symbols, sizeof(*r->profile));
	if (!r->profile)
		return -ENOMEM;
	r->nr_profile = a->nr_symbols;
	for (size_t i = 0; i < a->nr_symbols; i++)
		total += a->symbol[i].self;
	for (size_t i = 0; i < a->nr_symbols && total; i++) {
		const struct symbol_counts *s = &a->symbol[i];
		struct profile_row *row = &r->profile[i];

		memcpy(row->symbol, s->symbol, sizeof(row->symbol));
		row->self_pct = 100.0 * (double)s->self / (double)total;
		row->children_pct = 100.0 * (double)s->children /
				    (double)total;
	}
	qsort(r->profile, r->nr_profile, sizeof(*r->profile), by_self);
	return 0;
}

int aggregate_finish(struct aggregate *a, struct result *r)
{
	int rc = make_profile(a, r);

	if (rc)
		return rc;
	r->replications = a->nr;
	r->regime = a->nr ? a->regime : REGIME_NONE;
	for (int m = 0; m < NR_METRICS; m++)
		r->metric[m] = aggregate_metric(a, m);
	r->lock = a->lock;
	r->nr_locks = a->nr_locks;
	r->line = a->line;
	r->nr_lines = a->nr_lines;
	r->pair = a->pair;
	r->alloc = a->alloc;
	r->free = a->free;
	a->lock = NULL;
	a->line = NULL;
	a->pair = a->alloc = a->free = NULL;
	aggregate_free(a);
	return 0;
}
