/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_STATS_H
#define SIM_STATS_H
/*
 * Statistics of finished data: intervals over replications or over batches of
 * one run, and where a run's warm-up ends. Sums go in the data's order, so the
 * same data give the same bits. Only what stats_warmup returns takes part in
 * a run's numbers, and it is made of integers and IEEE divisions; the others
 * use GSL's distributions.
 *
 * Sources: Student's t-interval and sequential stopping by relative precision
 * as in Law, "Simulation Modeling and Analysis", 5th ed., 4.5 and 9.4.1;
 * MSER-5 as in White, Cobb and Spratt, "A comparison of five steady-state
 * truncation heuristics for simulation", WSC 2000.
 */
#include "sim/types.h"

struct stats_interval {
	size_t n;		/* values it is made of */
	double mean;		/* NAN when n is 0 */
	double sd;		/* of the sample; NAN when n < 2, as the rest */
	double half95;		/* half-width of the 95% interval of the mean */
	double half9999;	/* of the 99.99% interval */
};

/* Mean and t-intervals of n independent values; a NAN makes all NAN. */
void stats_interval(const double *x, size_t n, struct stats_interval *out);

/* Two-sided quantile of Student's t: 0.95 and 4 give 2.776. df > 0. */
double stats_t(double confidence, double df);

/*
 * Whether the 95% half-width of x[0..n) is at most target of the mean's size
 * (0.01: 1%). False below 2 values and for NAN, so the answer is a function of
 * the values given and of nothing else: ask after each replication, in order.
 */
bool stats_enough(const double *x, size_t n, double target_rel_halfwidth);

/*
 * Interval of the mean of one run's observations, which may depend on their
 * neighbours: nr_batches equal batches (the first n % nr_batches observations
 * are left out), whose means are treated as independent. *lag1, if not NULL,
 * is the correlation of neighbouring batch means; above about 0.2 the batches
 * are too short to believe the interval. 0; -EINVAL for fewer than 2 batches
 * or fewer observations than batches; -ENOMEM.
 */
int stats_batch_means(const u64 *x, size_t n, size_t nr_batches,
		      struct stats_interval *out, double *lag1);

/*
 * MSER-5: how many of n observations, a multiple of 5, to leave out as
 * warm-up, such that the standard error of the rest is least. At most half of
 * them: -ENODATA when the best cut lies at that end (never settles, or too
 * short), or for fewer than 100 observations. -ENOMEM. It finds a start that
 * differs from the rest; it is no proof that the rest is stationary.
 */
#define STATS_WARMUP_N_MIN 100
ssize_t stats_warmup(const u64 *x, size_t n);

#endif
