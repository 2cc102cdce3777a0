/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RESULTS_RESULT_H
#define RESULTS_RESULT_H
/*
 * The result of a run: one scenario, all its replications, as it is stored,
 * printed and compared. Plain numbers and owned strings; result_free frees.
 * Means are over replications in their order; ci95 is the half-width of the
 * 95% t-interval over replications (NAN with fewer than two).
 */
#include "sim/outcome.h"

struct metric_value {
	double mean, ci95;	/* NAN: does not apply */
};

struct result_param {
	char *name, *value;	/* canonical spelling, see sim/param.h */
};

struct profile_row {
	char symbol[48];
	double self_pct, children_pct;
};

struct result {
	char key[33];		/* 128-bit hash, lower-case hex */
	char *design, *workload, *machine;
	struct result_param *param;
	size_t nr_params;
	u64 seed;
	u32 nr_threads;
	u32 replications;
	const char *state;	/* "done", "failed", "interrupted" */
	char *error;		/* of a failed run, or NULL */
	enum regime regime;
	struct metric_value metric[NR_METRICS];
	struct lock_counts *lock;	/* sums over replications */
	size_t nr_locks;
	struct line_counts *line;
	size_t nr_lines;
	struct profile_row *profile;
	size_t nr_profile;
	struct hist *pair, *alloc, *free;	/* merged over replications */
	double elapsed_s;	/* host time; not part of any number above */
	char *version;		/* of the program and model */
	char *repeat;		/* command line that repeats it exactly */
};

void result_free(struct result *r);

#endif
