/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STUDY_SWEEP_H
#define STUDY_SWEEP_H
/*
 * All points of a plan on worker processes. Points whose key the store has as
 * done are not run again. What is finished is stored at once by the calling
 * process, the only one that writes; the content of a row depends on its
 * scenario alone, never on the number of workers or who finished first.
 */
#include "results/store.h"
#include "study/scenario.h"

struct sweep_options {
	unsigned int nr_workers;	/* 0: a CPU each, all of them */
	struct store *store;		/* NULL: nothing is kept */
	s64 campaign;			/* row of the store, or 0 */
	unsigned int store_flags;	/* STORE_HISTOGRAMS */
	FILE *progress;			/* NULL: silent */
	const volatile int *stop;	/* see pool.h; may be NULL */
	/* Runs a point; NULL: study_run(). */
	int (*run)(const struct scenario *s, struct result *r,
		   const volatile int *stop);
	/*
	 * Told of each point's result, in no certain order, those found in the
	 * store and those that failed (r->state) included. r is the sweep's. An
	 * error stops the sweep. NULL: nobody is told.
	 */
	int (*done)(void *ctx, size_t point, const struct result *r);
	void *ctx;
};

struct sweep_counts {
	size_t nr_done;		/* run now */
	size_t nr_skipped;	/* were in the store */
	size_t nr_same;		/* same scenario as another point */
	size_t nr_failed;
	size_t nr_left;		/* not run: interrupted, or disk full */
};

/*
 * 0, though points may have failed: see c->nr_failed. -EINTR: stopped; any
 * other error: what in err, one line. Finished points are stored in any case.
 */
int sweep_run(const struct plan *plan, const struct sweep_options *o,
	      struct sweep_counts *c, char *err, size_t err_size);

/*
 * The same, and the results by point: r[plan->nr], to be freed one by one.
 * Points not run have a NULL state. o->done is not used.
 */
int sweep_collect(const struct plan *plan, const struct sweep_options *o,
		  struct result *r, struct sweep_counts *c, char *err,
		  size_t err_size);

#endif
