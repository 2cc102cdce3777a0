/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STUDY_RUN_H
#define STUDY_RUN_H
/*
 * Replications of one scenario, and what is made of them. study_run() of
 * study/scenario.h looks the workload up; here it is an argument, so that
 * tests can bring their own.
 */
#include "study/scenario.h"
#include "workloads/workload.h"

#define NR_REPLICATIONS_MAX	100	/* with a target `ci` */

/*
 * A metric's mean is over the replications in which it applies (is not NAN).
 * Counters are sums, their minima and maxima those over all replications, the
 * profile is in percent of the time of all symbols. The parameters `ci` and
 * `replications` of s decide when to stop; `ci` may be missing.
 * 0, -EINTR (r->state "interrupted"), or -errno (r->state "failed", r->error).
 * r is to be freed in all three cases.
 */
int study_run_workload(const struct workload *w, const struct scenario *s,
		       struct result *r, const volatile int *stop);

/* A result with the scenario's names and parameters, but no figure: what is
 * stored for a point whose worker died. 0 or -ENOMEM. */
int result_describe(struct result *r, const struct scenario *s);
/* state "failed" and a copy of why. Returns -ENOMEM or rc. */
int result_fail(struct result *r, int rc, const char *why);

#endif
