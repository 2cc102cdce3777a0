/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seeds are fixed, so a statistical test passes always or never. */
#include "tests/cmocka_all.h"

#include <errno.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

#include "sim/rng.h"
#include "sim/stats.h"

static gsl_rng *new_rng(unsigned long seed)
{
	gsl_rng *r = gsl_rng_alloc(rng_gsl_type());

	assert_non_null(r);
	gsl_rng_set(r, seed);
	return r;
}

static void assert_near(double found, double expected, double relative)
{
	if (!(fabs(found - expected) <= relative * fabs(expected)))
		fail_msg("found %.12g, expected %.12g", found, expected);
}

/* Against printed tables of Student's t. */
static void test_t(void **state)
{
	(void)state;
	assert_near(stats_t(0.95, 1), 12.7062047, 1e-8);
	assert_near(stats_t(0.95, 4), 2.77644511, 1e-8);
	assert_near(stats_t(0.95, 9), 2.26215716, 1e-8);
	assert_near(stats_t(0.99, 9), 3.24983554, 1e-8);
	assert_near(stats_t(0.9999, 1), 6366.19768, 1e-7);
	assert_near(stats_t(0.9999, 1e9), 3.89059189, 1e-6);
}

static void test_interval(void **state)
{
	static const double x[] = { 1, 2, 3, 4, 10 };
	static const double with_nan[] = { 1, NAN, 3 };
	struct stats_interval s;

	(void)state;
	stats_interval(x, 5, &s);
	assert_int_equal(s.n, 5);
	assert_true(s.mean == 4.0);
	assert_near(s.sd, sqrt(12.5), 1e-12);
	assert_near(s.half95, 2.77644511 * sqrt(12.5 / 5), 1e-8);
	assert_true(s.half9999 > 4 * s.half95);
	stats_interval(x, 1, &s);
	assert_true(s.mean == 1.0 && isnan(s.half95) && isnan(s.sd));
	stats_interval(x, 0, &s);
	assert_true(isnan(s.mean) && isnan(s.half9999));
	stats_interval(with_nan, 3, &s);
	assert_true(isnan(s.mean) && isnan(s.half95));
}

/* Large values must not lose the digits of their differences. */
static void test_interval_shifted(void **state)
{
	static const double x[] = { 1e9 + 1, 1e9 + 2, 1e9 + 3 };
	struct stats_interval s;

	(void)state;
	stats_interval(x, 3, &s);
	assert_near(s.sd, 1.0, 1e-9);
}

/* Intervals hold the truth as often as they promise. */
static void test_coverage(void **state)
{
	const int nr = 20000;
	int hits95 = 0, hits9999 = 0;
	gsl_rng *r = new_rng(1);

	(void)state;
	for (int i = 0; i < nr; i++) {
		struct stats_interval s;
		double x[5];

		for (size_t k = 0; k < ARRAY_SIZE(x); k++)
			x[k] = 100 + gsl_ran_gaussian(r, 7);
		stats_interval(x, ARRAY_SIZE(x), &s);
		hits95 += fabs(s.mean - 100) <= s.half95;
		hits9999 += fabs(s.mean - 100) <= s.half9999;
	}
	gsl_rng_free(r);
	assert_true(fabs(hits95 - 0.95 * nr) < 4 * sqrt(nr * 0.95 * 0.05));
	assert_true(fabs(hits9999 - 0.9999 * nr) < 4 * sqrt(nr * 0.0001));
}

static void test_enough(void **state)
{
	static const double x[] = { 100, 101, 99, 100, 101, 99, 100 };
	static const double zero[] = { 0, 0, 0 };
	static const double flat[] = { 5, 5 };
	static const double with_nan[] = { 5, NAN };

	(void)state;
	assert_false(stats_enough(x, 0, 1.0));
	assert_false(stats_enough(x, 1, 1.0));
	assert_false(stats_enough(x, 3, 0.01));	/* half-width is 2.48 */
	assert_true(stats_enough(x, 3, 0.025));
	assert_true(stats_enough(x, 7, 0.01));
	assert_true(stats_enough(zero, 3, 0.0));
	assert_true(stats_enough(flat, 2, 0.0));
	assert_false(stats_enough(with_nan, 2, 1.0));
}

#define NR_OBS 50000

static void test_batch_means(void **state)
{
	static u64 x[NR_OBS + 3];
	struct stats_interval s;
	double lag1;
	struct rng r;

	(void)state;
	rng_init(&r, 3, 0, 0, RNG_HOLD);
	x[0] = x[1] = x[2] = ~0ull;	/* the left-out remainder */
	for (size_t i = 3; i < ARRAY_SIZE(x); i++)
		x[i] = rng_exp(&r, PS_PER_US);
	assert_int_equal(stats_batch_means(x, NR_OBS + 3, 50, &s, &lag1), 0);
	assert_int_equal(s.n, 50);
	assert_true(fabs(s.mean - 1e6) < s.half9999);
	assert_near(s.half95, 2.0096 * 1e6 / sqrt(NR_OBS), 0.4);
	assert_true(fabs(lag1) < 0.4);
	assert_int_equal(stats_batch_means(x, 10, 1, &s, NULL), -EINVAL);
	assert_int_equal(stats_batch_means(x, 10, 11, &s, NULL), -EINVAL);
	assert_int_equal(stats_batch_means(x + 3, 10, 10, &s, NULL), 0);
}

/* Dependent data: lag1 tells short batches from long ones. */
static void test_batch_correlation(void **state)
{
	static u64 x[NR_OBS];
	struct stats_interval s;
	gsl_rng *r = new_rng(4);
	double short_lag, long_lag, v = 0;

	(void)state;
	for (size_t i = 0; i < NR_OBS; i++) {
		v = 0.98 * v + gsl_ran_gaussian(r, 1000);
		x[i] = (u64)(1e6 + v);
	}
	gsl_rng_free(r);
	assert_int_equal(stats_batch_means(x, NR_OBS, NR_OBS / 10, &s,
					   &short_lag), 0);
	assert_int_equal(stats_batch_means(x, NR_OBS, 25, &s, &long_lag), 0);
	assert_true(short_lag > 0.7);
	assert_true(fabs(long_lag) < 0.5);
}

#define NR_RUN 4000

/* Exponential noise over level * (1 + rise * exp(-i / length)). */
static void make_run(u64 *x, u64 level, double rise, double length, u64 seed)
{
	struct rng r;

	rng_init(&r, seed, 0, 0, RNG_HOLD);
	for (size_t i = 0; i < NR_RUN; i++)
		x[i] = level + (u64)((double)level * rise *
				     exp(-(double)i / length)) +
		       rng_exp(&r, level / 4);
}

static void test_warmup(void **state)
{
	static u64 x[NR_RUN];
	ssize_t cut;

	(void)state;
	for (u64 seed = 1; seed <= 10; seed++) {
		make_run(x, PS_PER_US, 5.0, 100, seed);
		cut = stats_warmup(x, NR_RUN);
		assert_true(cut >= 200 && cut <= 1500 && cut % 5 == 0);
		make_run(x, PS_PER_US, 0.0, 100, seed);
		cut = stats_warmup(x, NR_RUN);
		assert_true(cut >= 0 && cut < NR_RUN / 2);
	}
}

/* The unit doesn't matter, up to the bits lost above 2^36. */
static void test_warmup_scale(void **state)
{
	static u64 x[NR_RUN];
	ssize_t cut;

	(void)state;
	make_run(x, PS_PER_US, 5.0, 100, 1);
	cut = stats_warmup(x, NR_RUN);
	for (size_t i = 0; i < NR_RUN; i++)
		x[i] <<= 30;
	assert_int_equal(stats_warmup(x, NR_RUN), cut);
	for (size_t i = 0; i < NR_RUN; i++)
		x[i] = (x[i] >> 30) + PS_PER_S;
	assert_int_equal(stats_warmup(x, NR_RUN), cut);
}

static void test_warmup_limits(void **state)
{
	static u64 x[NR_RUN];

	(void)state;
	for (size_t i = 0; i < NR_RUN; i++)
		x[i] = 1000;
	assert_int_equal(stats_warmup(x, NR_RUN), 0);
	assert_int_equal(stats_warmup(x, STATS_WARMUP_N_MIN), 0);
	assert_int_equal(stats_warmup(x, STATS_WARMUP_N_MIN - 1), -ENODATA);
	for (size_t i = 0; i < NR_RUN; i++)
		x[i] = 1000 + i;	/* never settles */
	assert_int_equal(stats_warmup(x, NR_RUN), -ENODATA);
	for (size_t i = 0; i < NR_RUN; i++)
		x[i] = ~0ull;
	assert_int_equal(stats_warmup(x, NR_RUN), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_t),
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_interval_shifted),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_enough),
		cmocka_unit_test(test_batch_means),
		cmocka_unit_test(test_batch_correlation),
		cmocka_unit_test(test_warmup),
		cmocka_unit_test(test_warmup_scale),
		cmocka_unit_test(test_warmup_limits),
	};

	return cmocka_run_group_tests_name("stats", tests, NULL, NULL);
}
