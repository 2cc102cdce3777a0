/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replications, stopping, what becomes of counters; results through a pipe. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/stats.h"
#include "study/wire.h"
#include "tests/fake_workload.h"

static void run_n(struct result *r, const char *n, const char *noise,
		  const char *ci)
{
	struct scenario s;

	fake_scenario(&s);
	fake_set(&s, "nr_threads", n);
	fake_set(&s, "fake.noise", noise);
	if (ci)
		fake_set(&s, "ci", ci);
	assert_int_equal(fake_run(&s, r, NULL), 0);
	param_set_free(&s.params);
}

static void test_counters_add_up(void **state)
{
	const struct lock_counts *l;
	struct result r;

	(void)state;
	run_n(&r, "3", "0", NULL);
	assert_string_equal(r.state, "done");
	assert_int_equal(r.replications, 5);
	assert_true(r.metric[METRIC_pair_ns].mean == 1100);
	assert_true(r.metric[METRIC_pair_ns].ci95 == 0);
	assert_true(r.metric[METRIC_far_share].mean == 0.25);
	assert_true(isnan(r.metric[METRIC_purges].mean));
	assert_int_equal(r.regime, REGIME_MIXED);
	assert_int_equal(r.nr_locks, 1);
	l = &r.lock[0];
	assert_int_equal(l->acquisitions, 50);
	assert_int_equal(l->contentions, 0 + 1 + 2 + 3 + 4);
	assert_int_equal(l->wait_total, 1000);
	/* replication 0 had no contention: its minimum of 40 is none */
	assert_int_equal(l->wait_min, 36);
	assert_int_equal(l->wait_max, 54);
	assert_int_equal(l->hold_min, 5);
	assert_int_equal(l->nr_locks, 1);
	assert_int_equal(r.line[0].transfers_far, 35);
	assert_int_equal(r.pair->count, 5);
	assert_string_equal(r.profile[0].symbol, "_raw_spin_lock");
	assert_true(r.profile[0].self_pct == 75);
	assert_true(r.profile[1].children_pct == 100);
	result_free(&r);
}

static void test_regime_of_equal_ones(void **state)
{
	struct result r;

	(void)state;
	run_n(&r, "2", "0", NULL);
	assert_int_equal(r.regime, REGIME_CLUSTERED);
	assert_int_equal(r.nr_threads, 2);
	assert_string_equal(r.design, "none");
	assert_string_equal(r.repeat, "vmapsim run --set fake.noise=0% "
				      "--set nr_threads=2");
	result_free(&r);
}

/* A wider target needs fewer. */
static void test_stops_when_enough(void **state)
{
	static const char *const target[] = { "2%", "3%", "4%" };
	u32 last = NR_REPLICATIONS_MAX + 1;

	(void)state;
	for (size_t t = 0; t < ARRAY_SIZE(target); t++) {
		struct result r;

		run_n(&r, "8", "20%", target[t]);
		assert_in_range(r.replications, 5, last);
		assert_true(r.metric[METRIC_pair_ns].ci95 <=
			    0.01 * (double)(2 + t) * r.metric[METRIC_pair_ns].mean);
		last = r.replications;
		result_free(&r);
	}
	assert_true(last < NR_REPLICATIONS_MAX);
}

/* Where it stops, found from outside from the same values. */
static void test_prefix(void **state)
{
	double pair[NR_REPLICATIONS_MAX];
	struct result r;
	u32 n = 5;

	(void)state;
	run_n(&r, "8", "20%", "2%");
	for (u32 i = 0; i < NR_REPLICATIONS_MAX; i++) {
		struct outcome *o = malloc(sizeof(*o));
		struct scenario s;
		char why[80];

		assert_non_null(o);
		fake_scenario(&s);
		fake_set(&s, "nr_threads", "8");
		fake_set(&s, "fake.noise", "20%");
		outcome_init(o);
		assert_int_equal(fake_workload.run(&s.params, i, o, why,
						   sizeof(why)), 0);
		pair[i] = o->metric[METRIC_pair_ns];
		param_set_free(&s.params);
		free(o);
	}
	while (n < NR_REPLICATIONS_MAX && !stats_enough(pair, n, 0.02))
		n++;
	assert_true(n > 5);
	assert_int_equal(r.replications, n);
	result_free(&r);
}

static void test_gives_up_at_most(void **state)
{
	struct result r;

	(void)state;
	run_n(&r, "8", "100%", "0.01%");
	assert_int_equal(r.replications, NR_REPLICATIONS_MAX);
	assert_string_equal(r.state, "done");
	result_free(&r);
}

static void test_failure(void **state)
{
	struct scenario s;
	struct result r;

	(void)state;
	fake_scenario(&s);
	fake_set(&s, "fake.fail", "1");
	assert_int_equal(fake_run(&s, &r, NULL), -ENOMEM);
	assert_string_equal(r.state, "failed");
	assert_string_equal(r.error, "no room for 1 threads");
	result_free(&r);
	param_set_free(&s.params);
}

static void test_stop(void **state)
{
	volatile int stop = 1;
	struct scenario s;
	struct result r;

	(void)state;
	fake_scenario(&s);
	assert_int_equal(fake_run(&s, &r, &stop), -EINTR);
	assert_string_equal(r.state, "interrupted");
	result_free(&r);
	param_set_free(&s.params);
}

static void test_wire(void **state)
{
	struct result r, q;
	char *bytes, *again;
	size_t size, size_again;

	(void)state;
	run_n(&r, "3", "5%", NULL);
	assert_int_equal(wire_pack(&r, &bytes, &size), 0);
	assert_int_equal(wire_unpack(bytes, size, &q), 0);
	assert_string_equal(q.repeat, r.repeat);
	assert_int_equal(q.nr_params, r.nr_params);
	assert_int_equal(q.lock[0].wait_max, 54);
	assert_null(q.error);
	assert_int_equal(wire_pack(&q, &again, &size_again), 0);
	assert_int_equal(size, size_again);
	assert_memory_equal(bytes, again, size);
	result_free(&q);
	/* every way of being cut short is refused */
	for (size_t cut = 0; cut < size; cut += cut < 2000 ? 1 : 997)
		assert_int_equal(wire_unpack(bytes, cut, &q), -EBADMSG);
	free(bytes);
	free(again);
	result_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counters_add_up),
		cmocka_unit_test(test_regime_of_equal_ones),
		cmocka_unit_test(test_stops_when_enough),
		cmocka_unit_test(test_prefix),
		cmocka_unit_test(test_gives_up_at_most),
		cmocka_unit_test(test_failure),
		cmocka_unit_test(test_stop),
		cmocka_unit_test(test_wire),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
