/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STUDY_AGGREGATE_H
#define STUDY_AGGREGATE_H
/*
 * Adds up outcomes of replications, in their order, into a result. Everything
 * but the metrics is integer and exact.
 */
#include "results/result.h"

struct aggregate {
	double (*metric)[NR_METRICS];	/* one row a replication */
	u32 nr, nr_max;
	struct hist *pair, *alloc, *free;
	struct lock_counts *lock;
	size_t nr_locks;
	struct line_counts *line;
	size_t nr_lines;
	struct symbol_counts *symbol;
	size_t nr_symbols;
	enum regime regime;
};

/* 0 or -ENOMEM; aggregate_free() in both cases. */
int aggregate_init(struct aggregate *a, u32 nr_max);
void aggregate_free(struct aggregate *a);
/* 0, -ENOMEM, or -ENOSPC after nr_max outcomes. */
int aggregate_add(struct aggregate *a, const struct outcome *o);
/* Mean and half-width of the 95% interval of one metric so far. */
struct metric_value aggregate_metric(const struct aggregate *a,
				     enum metric metric);
/* Hands everything over to r; a is empty afterwards. 0 or -ENOMEM. */
int aggregate_finish(struct aggregate *a, struct result *r);

#endif
