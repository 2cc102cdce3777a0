/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole runs of lockloop and pair: laws that hold in any of them, figures that
 * are known exactly, what the queued spinlock does with one, two and many
 * threads, and that a run depends on its parameters and on nothing else.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/rig.h"
#include "workloads/workload.h"

static void assert_near(double found, double expected, double eps)
{
	if (!(fabs(found - expected) <= eps))
		fail_msg("%.12g is not within %g of %.12g", found, eps,
			 expected);
}

static int try_run(const char *const *set, u32 replication,
		   struct outcome *o, char *err, size_t err_size)
{
	struct scenario s;
	int ret;

	rig_scenario(&s, set);
	err[0] = '\0';
	ret = workload_find(param_text(&s.params, "workload"))->run(
		&s.params, replication, o, err, err_size);
	scenario_free(&s);
	return ret;
}

static void run(const char *const *set, struct outcome *o)
{
	char err[200];

	if (try_run(set, 0, o, err, sizeof(err)))
		fail_msg("%s", err);
	assert_int_equal(o->accesses_late, 0);
}

#define RUN(o, ...) do {						\
	const char *const set[] = { __VA_ARGS__, NULL };		\
	run(set, o);							\
} while (0)

/* The counters of a lock class or a line of a finished run. */
static const struct lock_counts *lock_of(const struct outcome *o,
					 const char *name)
{
	for (u32 i = 0; i < o->nr_locks; i++)
		if (!strcmp(o->lock[i].name, name))
			return &o->lock[i];
	fail_msg("no lock %s", name);
	return NULL;
}

static u64 transfers(const struct outcome *o)
{
	u64 nr = 0;

	for (u32 i = 0; i < o->nr_lines; i++)
		nr += o->line[i].transfers_near + o->line[i].transfers_far;
	return nr;
}

/* ---- laws ---- */

/*
 * Within a few operations at the window's ends: the threads' time is all in
 * operations, nobody holds a lock longer than there was time.
 */
static void check_laws(const struct outcome *o, u32 n)
{
	const u128 all = (u128)n * o->window, slack = (u128)n * o->pair.max;

	assert_true(o->pairs > 0 && o->window > 0);
	assert_int_equal(o->pair.count, o->pairs);
	assert_int_equal(o->alloc.count, o->pairs);
	assert_int_equal(o->free.count, o->pairs);
	assert_true(o->alloc.sum + o->free.sum == o->pair.sum);
	assert_true(o->pair.sum <= all + slack);
	assert_true(all <= o->pair.sum + slack);
	assert_true(slack < all);	/* or it would say nothing */
	assert_true(o->metric[METRIC_hold_util] >= 0);
	assert_true(o->metric[METRIC_hold_util] <= 1);
	assert_true(o->metric[METRIC_pairs] == (double)o->pairs);
	for (u32 i = 0; i < o->nr_locks; i++) {
		const struct lock_counts *k = &o->lock[i];

		assert_true(k->hold_total <=
			    (u128)k->nr_locks * (o->window + k->hold_max));
		assert_true(k->contentions <= k->acquisitions);
		assert_true(k->pending <= k->contentions);
		assert_true(k->con_bounces <= k->acq_bounces);
		assert_true(k->far <= k->handovers);
		/* not more waiters than threads, and kworkers beside them */
		assert_true(k->wait_total <= (u128)(n + 2) *
			    (o->window + k->wait_max));
	}
}

/* A division of integers, each done here once more. */
static void check_figures(const struct outcome *o, u32 n)
{
	const double pairs = (double)o->pairs, window = (double)o->window;

	assert_near(o->metric[METRIC_pair_ns],
			    window * n / pairs / 1e3, 1e-6);
	assert_near(o->metric[METRIC_serial_ns],
			    window / pairs / 1e3, 1e-6);
	assert_near(o->metric[METRIC_throughput_per_s] / 1e12,
			    pairs / window, 1e-9);
	assert_near(o->metric[METRIC_latency_ns_max],
			    (double)o->pair.max / 1e3, 1e-6);
	assert_true(o->metric[METRIC_latency_ns_p50] <=
		    o->metric[METRIC_latency_ns_p99]);
	assert_near(o->metric[METRIC_transfers_per_op],
			    (double)transfers(o) / pairs, 1e-9);
}

static const char *const threads_keys[] = {
	"nr_threads=1", "nr_threads=2", "nr_threads=5", "nr_threads=32",
	"nr_threads=64",
};
static const u32 threads[] = { 1, 2, 5, 32, 64 };

static void test_laws(void **state)
{
	static const char *const workload[][2] = {
		{ "workload=lockloop", "lockloop.think=500ns" },
		{ "workload=pair", "design=global" },
		{ "workload=pair", "design=zone" },
	};
	struct outcome *o = malloc(sizeof(*o));

	(void)state;
	assert_non_null(o);
	for (size_t w = 0; w < ARRAY_SIZE(workload); w++) {
		for (size_t i = 0; i < ARRAY_SIZE(threads); i++) {
			for (int off = 0; off < 2; off++) {
				RUN(o, workload[w][0], workload[w][1],
				    threads_keys[i], "loops=400",
				    off ? "coherence=off" : "coherence=on");
				check_laws(o, threads[i]);
				check_figures(o, threads[i]);
			}
		}
	}
	free(o);
}

/* Rate times mean hold is utilisation; rate times mean wait the queue. */
static void test_rates(void **state)
{
	struct outcome *o = malloc(sizeof(*o));
	const struct lock_counts *k;
	double rate;

	(void)state;
	assert_non_null(o);
	RUN(o, "workload=lockloop", "lockloop.hold=200ns",
	    "lockloop.hold_dist=det", "lockloop.think=2us", "nr_threads=8",
	    "loops=2000", "coherence=off");
	k = lock_of(o, "lock");
	rate = (double)o->pairs / (double)o->window;
	assert_true(k->hold_min == 200 * NS && k->hold_max == 200 * NS);
	assert_near(o->metric[METRIC_hold_util], rate * 200e3, 1e-4);
	assert_near(o->metric[METRIC_wait_ns_mean],
			    (double)k->wait_total /
			    (double)k->acquisitions / 1e3, 1e-6);
	/* N = think + wait + hold, all of it rates times times */
	assert_near(rate * (2000e3 + 200e3 + 1e3 *
				    o->metric[METRIC_wait_ns_mean]), 8, 0.1);
	free(o);
}

/* ---- known exactly ---- */

/* Deterministic think and hold: max(think + hold, N hold) a cycle. */
static void test_deterministic(void **state)
{
	static const char *const n_key[] = {
		"nr_threads=1", "nr_threads=4", "nr_threads=6",
		"nr_threads=7", "nr_threads=20",
	};
	static const double expected[] = { 1200, 1200, 1200, 1400, 4000 };
	struct outcome *o = malloc(sizeof(*o));

	(void)state;
	assert_non_null(o);
	for (size_t i = 0; i < ARRAY_SIZE(n_key); i++) {
		RUN(o, "workload=lockloop", "lockloop.think=1us",
		    "lockloop.hold=200ns", "lockloop.think_dist=det",
		    "lockloop.hold_dist=det", "coherence=off", n_key[i],
		    "loops=500", "warmup=1ms");
		assert_near(o->metric[METRIC_pair_ns] / expected[i],
				    1, 1e-9);
	}
	free(o);
}

/* ---- the queued spinlock over lines ---- */

/* Alone: after the warm-up nothing moves. */
static void test_one_thread(void **state)
{
	struct outcome *o = malloc(sizeof(*o));

	(void)state;
	assert_non_null(o);
	RUN(o, "workload=lockloop", "nr_threads=1", "loops=5000");
	assert_int_equal(transfers(o), 0);
	assert_int_equal(lock_of(o, "lock")->contentions, 0);
	assert_true(lock_of(o, "lock")->acquisitions >= 5000);
	free(o);
}

/* Two: the pending bit, not the queue; no line of a queue's node moves. */
static void test_two_threads(void **state)
{
	static const char *const placement[] = {
		"placement=spread", "placement=packed", "placement=smt",
	};
	struct outcome *o = malloc(sizeof(*o));

	(void)state;
	assert_non_null(o);
	for (size_t i = 0; i < ARRAY_SIZE(placement); i++) {
		const struct lock_counts *k;

		RUN(o, "workload=lockloop", "nr_threads=2", "loops=10000",
		    "lockloop.think=300ns", placement[i]);
		k = lock_of(o, "lock");
		assert_true(k->contentions > 3000);
		assert_true(k->pending * 1000 >= k->contentions * 999);
		assert_true(o->metric[METRIC_pending_share] >= 0.999);
		for (u32 n = 0; n < o->nr_lines; n++)
			if (!strcmp(o->line[n].name, "mcs_spinlock"))
				assert_int_equal(o->line[n].transfers_near +
						 o->line[n].transfers_far, 0);
	}
	free(o);
}

/* Saturated: everybody queues. */
static void test_saturated(void **state)
{
	static const char *const n_key[] = {
		"nr_threads=4", "nr_threads=8", "nr_threads=32",
	};
	struct outcome *o = malloc(sizeof(*o));

	(void)state;
	assert_non_null(o);
	for (size_t i = 0; i < ARRAY_SIZE(n_key); i++) {
		const struct lock_counts *k;

		RUN(o, "workload=lockloop", n_key[i], "loops=1000",
		    "lockloop.think=0ns");
		k = lock_of(o, "lock");
		assert_true(k->contentions * 100 > k->acquisitions * 99);
		assert_true(o->metric[METRIC_pending_share] < 0.01);
		/* held nearly always, but for the hand-overs */
		assert_true(o->metric[METRIC_hold_util] > 0.3);
		assert_true(transfers(o) > 2 * o->pairs);
	}
	free(o);
}

static void run_busted(void *arg)
{
	const char *const set[] = {
		"workload=pair", "lock=busted", "nr_threads=8", "loops=2000",
		arg, NULL
	};
	struct outcome *o = malloc(sizeof(*o));
	struct scenario s;
	char err[200];

	rig_scenario(&s, set);
	if (workload_find("pair")->run(&s.params, 0, o, err, sizeof(err)) ||
	    o->accesses_late)
		exit(1);
}

/* Without locks a run cannot end well. */
static void test_busted_is_caught(void **state)
{
	(void)state;
	assert_true(rig_dies(run_busted, (void *)"design=global"));
	assert_true(rig_dies(run_busted, (void *)"design=zone"));
}

/* ---- what a run depends on ---- */

static void test_repeatable(void **state)
{
	static const char *const set[] = {
		"workload=pair", "nr_threads=8", "loops=300", NULL
	};
	static const char *const other_seed[] = {
		"workload=pair", "nr_threads=8", "loops=300", "seed=2", NULL
	};
	struct outcome *a = calloc(2, sizeof(*a));
	char err[200];

	(void)state;
	assert_non_null(a);
	run(set, &a[0]);
	run(set, &a[1]);
	assert_memory_equal(&a[0], &a[1], sizeof(*a));
	run(other_seed, &a[1]);
	assert_true(a[0].window != a[1].window);
	assert_int_equal(try_run(set, 1, &a[1], err, sizeof(err)), 0);
	assert_true(a[0].window != a[1].window);
	free(a);
}

/* The window: as many operations, or as long, as was asked for. */
static void test_window(void **state)
{
	struct outcome *o = malloc(sizeof(*o));

	(void)state;
	assert_non_null(o);
	RUN(o, "workload=pair", "nr_threads=4", "loops=1234");
	assert_int_equal(o->pairs, 4 * 1234);
	assert_true(o->warmup_found && o->warmup > 0);
	RUN(o, "workload=pair", "nr_threads=4", "duration=3ms",
	    "warmup=200us");
	assert_true(o->window >= 3 * PS_PER_MS);
	assert_true(o->window < 3 * PS_PER_MS + o->pair.max);
	assert_false(o->warmup_found);
	assert_true(o->warmup >= 200 * PS_PER_US);
	assert_true(o->warmup < 200 * PS_PER_US + o->pair.max);
	free(o);
}

/* The drain shows in the figures; more threads than CPUs do run. */
static void test_pair_figures(void **state)
{
	struct outcome *o = malloc(sizeof(*o));

	(void)state;
	assert_non_null(o);
	RUN(o, "workload=pair", "nr_threads=2", "loops=5000",
	    "vmap.lazy_max=100 pages");
	assert_true(o->metric[METRIC_purges] >= 10000 * 2 / 1000);
	assert_true(o->metric[METRIC_lazy_pages_max] > 700);
	assert_true(o->metric[METRIC_va_failed] == 0);
	RUN(o, "workload=pair", "nr_threads=8", "loops=300",
	    "topology=package:1 l3:2 core:2 pu:1", "latency.llc_matrix=",
	    "latency.llc=20ns", "latency.far=100ns");
	assert_int_equal(o->pairs, 2400);
	assert_true(isnan(o->metric[METRIC_far_share]) ||
		    o->metric[METRIC_far_share] <= 1);
	free(o);
}

static void test_bad_distribution(void **state)
{
	static const char *const bad[] = {
		"lockloop.hold_dist=gamma", "lockloop.think_dist=hyper2:0.1,5",
		"lockloop.hold_dist=hyper2:1.5,1,1",
		"lockloop.hold_dist=hyper2:0.5,1,1x",
	};
	struct outcome *o = malloc(sizeof(*o));
	char err[200];

	(void)state;
	assert_non_null(o);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		const char *const set[] = {
			"workload=lockloop", bad[i], NULL
		};

		assert_int_equal(try_run(set, 0, o, err, sizeof(err)),
				 -EINVAL);
		assert_non_null(strstr(err, "hyper2:P,M1,M2"));
	}
	free(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_laws),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_deterministic),
		cmocka_unit_test(test_one_thread),
		cmocka_unit_test(test_two_threads),
		cmocka_unit_test(test_saturated),
		cmocka_unit_test(test_busted_is_caught),
		cmocka_unit_test(test_repeatable),
		cmocka_unit_test(test_window),
		cmocka_unit_test(test_pair_figures),
		cmocka_unit_test(test_bad_distribution),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
