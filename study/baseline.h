/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STUDY_BASELINE_H
#define STUDY_BASELINE_H
/*
 * Curves that know nothing of the machine, fitted to the same rows as the
 * model and printed beside it: what a simulation has to be worth more than.
 *
 * n is a number of jobs; time is the time of a pair in one job, in any unit;
 * throughput is pairs a unit of time over all jobs, n / time.
 */
#include <stddef.h>

/*
 * Universal Scalability Law (N. Gunther, Guerrilla Capacity Planning, 2007):
 * throughput(n) = gamma n / (1 + sigma (n - 1) + kappa n (n - 1)).
 */
struct usl {
	double gamma;		/* throughput of one job */
	double sigma;		/* contention, >= 0 */
	double kappa;		/* coherence, >= 0 */
};

/*
 * Least squares on throughput, as R's package usl fits it. At least four
 * points, n and throughput positive. 0, -EINVAL or -EDOM (no convergence).
 */
int usl_fit(const double *n, const double *throughput, size_t nr,
	    struct usl *u);
double usl_throughput(const struct usl *u, double n);
/* n at which throughput peaks; HUGE_VAL when kappa is 0. */
double usl_peak(const struct usl *u);

/* y = a + b f(n) through two points, f = ln or n. */
struct two_point {
	double a, b;
	int logarithmic;
};

/* 0, or -EINVAL when n0 == n1 or, for the logarithm, one is not positive. */
int log_through(double n0, double y0, double n1, double y1,
		struct two_point *p);
int line_through(double n0, double y0, double n1, double y1,
		 struct two_point *p);
double two_point_at(const struct two_point *p, double n);

/*
 * Exact mean value analysis (Reiser and Lavenberg, JACM 27, 1980) of a closed
 * network: n customers, a delay (think) and nr queueing stations with the
 * given demands. *throughput and *residence (sum over stations) may be NULL.
 * 0, -EINVAL or -ENOMEM.
 */
int mva_closed(double think, const double *demand, size_t nr, unsigned int n,
	       double *throughput, double *residence);

/* One lock as one station: the time of a pair is think + residence. */
struct mva {
	double think, service;
};

/*
 * Least squares on the logarithm of time, both parameters >= 0. At least
 * three points. 0, -EINVAL or -EDOM.
 */
int mva_fit(const double *n, const double *time, size_t nr, struct mva *m);
double mva_time(const struct mva *m, unsigned int n);

#endif
