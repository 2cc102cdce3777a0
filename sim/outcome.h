/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_OUTCOME_H
#define SIM_OUTCOME_H
/*
 * What one replication reports: plain numbers, no pointer into a simulation.
 * Workloads fill it, study/ aggregates replications, results/ stores them.
 * All counters are over the measured window (after warm-up) and exact integers;
 * metric[] holds IEEE doubles made by one division each, NAN where a metric
 * does not apply. Times in counters are ps here, ns when printed.
 */
#include "sim/hist.h"
#include "sim/types.h"

enum metric {
#define METRIC(name, unit, better, help) METRIC_##name,
#include "sim/metrics.def"
#undef METRIC
	NR_METRICS
};

enum better { LOWER, HIGHER, NEITHER };

struct metric_desc {
	const char *name, *unit, *help;
	enum better better;
};
extern const struct metric_desc metric_descs[NR_METRICS];
/* enum metric, or -ENOENT */
int metric_find(const char *name);

struct lock_counts {
	char name[48];		/* lock class, as the kernel names it */
	char type[16];		/* spinlock, mutex, ... */
	u64 acquisitions, contentions;
	u64 acq_bounces, con_bounces;
	u64 pending;		/* contended, through the pending bit */
	u64 far;		/* hand-overs to another last-level cache */
	u64 handovers;		/* acquisitions after another CPU's */
	ps_t wait_total, wait_min, wait_max;	/* contended ones only */
	ps_t hold_total, hold_min, hold_max;
	u32 nr_locks;		/* locks of this class */
};

struct line_counts {
	char name[48];		/* the objects that lie in it, '+' between */
	u64 transfers_near, transfers_far;	/* far: other last-level cache */
	u64 accesses;
	ps_t wait_total;	/* behind other transfers of the line */
	ps_t transfer_total;	/* in transfers themselves */
	u32 nr_lines;		/* lines of this name */
};

struct symbol_counts {
	char symbol[48];
	ps_t self, children;	/* children includes self */
};

enum regime { REGIME_NONE, REGIME_CLUSTERED, REGIME_SCATTERED, REGIME_MIXED };
extern const char *const regime_names[];

#define OUTCOME_NR_LOCKS_MAX	24
#define OUTCOME_NR_LINES_MAX	40
#define OUTCOME_NR_SYMBOLS_MAX	64

struct outcome {
	double metric[NR_METRICS];
	enum regime regime;
	u64 pairs;		/* in the window */
	ps_t window;		/* length of the measured window */
	ps_t warmup;		/* time before it */
	bool warmup_found;	/* from the data, not given */
	struct hist pair, alloc, free;	/* ps; embedded, fixed geometry */
	struct lock_counts lock[OUTCOME_NR_LOCKS_MAX];
	u32 nr_locks;
	struct line_counts line[OUTCOME_NR_LINES_MAX];
	u32 nr_lines;
	struct symbol_counts symbol[OUTCOME_NR_SYMBOLS_MAX];
	u32 nr_symbols;
	u64 accesses_late;	/* debug: causality failures; must be 0 */
};

/* All zero, all metrics NAN. */
void outcome_init(struct outcome *o);

#endif
