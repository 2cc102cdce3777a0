/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cmocka_all.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/hist.h"
#include "sim/outcome.h"
#include "sim/rng.h"

static struct hist h, other, both;	/* large */

static void test_empty(void **state)
{
	(void)state;
	hist_init(&h);
	assert_int_equal(hist_percentile(&h, 500000), 0);
	assert_true(isnan(hist_mean(&h)));
	assert_int_equal(h.min, ~0ull);
}

/* Buckets cover all of u64 without gap, and none is too wide. */
static void test_buckets(void **state)
{
	(void)state;
	for (u32 b = 0; b < HIST_NR; b++) {
		u64 low = hist_bucket_low(b);
		u64 width = hist_bucket_low(b + 1) - low;

		assert_int_equal(hist_bucket(low), b);
		assert_int_equal(hist_bucket(low + width - 1), b);
		assert_true(width == 1 || width <= low >> HIST_BITS);
	}
	assert_int_equal(hist_bucket(~0ull), HIST_NR - 1);
	assert_int_equal(hist_bucket_low(HIST_NR), 0);	/* 2^64 */
}

static void test_exact_below_limit(void **state)
{
	(void)state;
	hist_init(&h);
	for (u64 v = 1; v <= 100; v++)
		hist_add(&h, v);
	assert_int_equal(hist_percentile(&h, 500000), 50);
	assert_int_equal(hist_percentile(&h, 990000), 99);
	assert_int_equal(hist_percentile(&h, 990001), 100);
	assert_int_equal(hist_percentile(&h, 0), 1);
	assert_int_equal(hist_percentile(&h, 1000000), 100);
	assert_int_equal(hist_percentile(&h, 4000000000u), 100);
	assert_true(hist_mean(&h) == 50.5);
}

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static void test_percentiles_of_draws(void **state)
{
	static u64 x[100000];
	static const u32 millionths[] = { 1000, 500000, 900000, 990000,
					  999000, 999999 };
	struct rng r;

	(void)state;
	hist_init(&h);
	rng_init(&r, 1, 0, 0, RNG_HOLD);
	for (size_t i = 0; i < ARRAY_SIZE(x); i++) {
		x[i] = rng_exp(&r, PS_PER_US);
		hist_add(&h, x[i]);
	}
	qsort(x, ARRAY_SIZE(x), sizeof(*x), compare);
	for (size_t i = 0; i < ARRAY_SIZE(millionths); i++) {
		size_t rank = (ARRAY_SIZE(x) * (u64)millionths[i] + 999999) /
			      1000000;
		double exact = (double)x[rank - 1];
		double found = (double)hist_percentile(&h, millionths[i]);

		assert_true(fabs(found / exact - 1) <= 0.0079);
	}
	assert_int_equal(h.min, x[0]);
	assert_int_equal(h.max, x[ARRAY_SIZE(x) - 1]);
}

static void test_one_value_is_exact(void **state)
{
	(void)state;
	hist_init(&h);
	hist_add(&h, 123456789);
	assert_int_equal(hist_percentile(&h, 500000), 123456789);
	assert_true(hist_mean(&h) == 123456789.0);
}

static void test_largest(void **state)
{
	(void)state;
	hist_init(&h);
	for (int i = 0; i < 4; i++)
		hist_add(&h, ~0ull);
	assert_true(h.sum == (u128)~0ull * 4);
	assert_int_equal(hist_percentile(&h, 990000), ~0ull);
	assert_true(hist_mean(&h) == 0x1p64);
}

static void test_merge(void **state)
{
	struct rng r;

	(void)state;
	hist_init(&h);
	hist_init(&other);
	hist_init(&both);
	rng_init(&r, 2, 0, 0, RNG_HOLD);
	for (int i = 0; i < 10000; i++) {
		u64 v = rng_exp(&r, PS_PER_MS);

		hist_add(i % 3 ? &h : &other, v);
		hist_add(&both, v);
	}
	hist_merge(&h, &other);
	assert_memory_equal(&h, &both, sizeof(h));
	hist_init(&other);
	hist_merge(&h, &other);	/* empty: nothing moves, min least of all */
	assert_memory_equal(&h, &both, sizeof(h));
}

static void test_outcome(void **state)
{
	struct outcome *o = malloc(sizeof(*o));

	(void)state;
	assert_non_null(o);
	outcome_init(o);
	for (int i = 0; i < NR_METRICS; i++) {
		assert_true(isnan(o->metric[i]));
		assert_int_equal(metric_find(metric_descs[i].name), i);
		assert_true(strlen(metric_descs[i].help) > 5);
	}
	assert_int_equal(metric_find("pair_ns"), METRIC_pair_ns);
	assert_true(metric_find("pair") < 0);
	assert_int_equal(o->pair.min, ~0ull);
	assert_int_equal(o->free.count, 0);
	assert_string_equal(regime_names[REGIME_MIXED], "mixed");
	free(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_buckets),
		cmocka_unit_test(test_exact_below_limit),
		cmocka_unit_test(test_percentiles_of_draws),
		cmocka_unit_test(test_one_value_is_exact),
		cmocka_unit_test(test_largest),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_outcome),
	};

	return cmocka_run_group_tests_name("hist", tests, NULL, NULL);
}
