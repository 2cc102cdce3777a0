/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_FAKE_WORKLOAD_H
#define TESTS_FAKE_WORKLOAD_H
/*
 * A workload that simulates nothing: the time of a pair is a formula of its
 * parameters with seeded noise, so that what study/ makes of replications can
 * be computed by hand.
 *
 *	pair_ns = (cost.a + cost.b (n - 1)) (1 + fake.noise (u - 1/2)),
 *
 * u uniform, from (seed, replication). fake.crash: the worker kills itself
 * when n is that; fake.fail: the run returns an error when n is that.
 */
#include "study/run.h"

extern const struct workload fake_workload;

/* All defaults; key is made of the canonical parameters. free it. */
void fake_scenario(struct scenario *s);
void fake_set(struct scenario *s, const char *key, const char *value);
/* nr points, nr_threads 1..nr. */
void fake_plan(struct plan *p, size_t nr);
void fake_plan_set(struct plan *p, const char *key, const char *value);
void fake_plan_free(struct plan *p);
/* As study_run(), with the fake. */
int fake_run(const struct scenario *s, struct result *r,
	     const volatile int *stop);

#endif
