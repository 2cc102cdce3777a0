/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_CURVES_H
#define PLOTS_CURVES_H
/*
 * Curves by number of threads from the runs of a database that belong
 * together: those whose parameters differ in nothing but the design, its own
 * keys, the number of threads, and how long was simulated. Of several such
 * sets the one with the most points is taken, then the newest; of several runs
 * of a point the newest.
 */
#include "plots/plot.h"

struct curve_point {
	char *design;
	u32 nr_threads;
	double pair_ns, ci95;	/* ci95 NAN: unknown */
	char *regime;
};

struct curves {
	char *workload, *machine;
	char *params;		/* that all have: "key=value\n" sorted */
	struct curve_point *p;	/* by design, then threads */
	size_t nr;
	u64 nr_other;		/* runs that passed the filters, left out */
};

/* How many of the newest runs are looked at. */
#define CURVES_NR_RUNS_MAX	5000

/* 0, -ENODATA with err, -ENOMEM, -EIO. curves_free() after 0. */
int curves_read(struct store *s, const struct plot_options *o,
		struct curves *c, char *err, size_t err_size);
void curves_free(struct curves *c);
/* Whether all runs have this value of a parameter. */
bool curves_have(const struct curves *c, const char *key, const char *value);

#endif
