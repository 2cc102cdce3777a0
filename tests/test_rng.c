/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seeds are fixed, so a statistical test passes always or never. */
#include "tests/cmocka_all.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/rng.h"
#include "tests/zig_tables.h"

#define NR_DRAWS 1000000
#define NR_BINS 200
#define MEAN 1000000000ull	/* so that rounding down to ps is nothing */

/* Printed once; see test_golden. */
#define GOLDEN_U64 0x4d875ffce36784efull
#define GOLDEN_EXP 999526631418ull
#define GOLDEN_ALL 1001285196241ull

/* A p-value that is too good is as wrong as one that is too bad. */
static void assert_plausible(const u64 *count, const double *expected)
{
	double chi2 = 0, p;

	for (int i = 0; i < NR_BINS; i++)
		chi2 += (count[i] - expected[i]) * (count[i] - expected[i]) /
			expected[i];
	p = gsl_cdf_chisq_Q(chi2, NR_BINS - 1);
	if (p < 1e-4 || p > 1 - 1e-4)
		fail_msg("chi-square %g, p = %g", chi2, p);
}

/* Chi-square of draws put through their distribution function. */
static void check_cdf(ps_t (*draw)(struct rng *), double (*cdf)(double),
		      u64 seed)
{
	double expected[NR_BINS];
	u64 count[NR_BINS] = { 0 };
	struct rng r;

	rng_init(&r, seed, 0, 0, RNG_HOLD);
	for (int i = 0; i < NR_DRAWS; i++) {
		double p = cdf((double)draw(&r) / (double)MEAN);

		count[(int)(p * NR_BINS) % NR_BINS]++;
	}
	for (int i = 0; i < NR_BINS; i++)
		expected[i] = (double)NR_DRAWS / NR_BINS;
	assert_plausible(count, expected);
}

static ps_t draw_exp(struct rng *r)
{
	return rng_exp(r, MEAN);
}

static double cdf_exp(double x)
{
	return gsl_cdf_exponential_P(x, 1.0);
}

static ps_t draw_erlang2(struct rng *r)
{
	return rng_erlang2(r, MEAN);
}

static double cdf_erlang2(double x)
{
	return gsl_cdf_gamma_P(x, 2.0, 0.5);
}

static ps_t draw_hyper2(struct rng *r)
{
	return rng_hyper2(r, 100000, MEAN * 11 / 2, MEAN / 2);
}

static double cdf_hyper2(double x)
{
	return 0.1 * gsl_cdf_exponential_P(x, 5.5) +
	       0.9 * gsl_cdf_exponential_P(x, 0.5);
}

static void test_distributions(void **state)
{
	(void)state;
	for (u64 seed = 1; seed <= 3; seed++) {
		check_cdf(draw_exp, cdf_exp, seed);
		check_cdf(draw_erlang2, cdf_erlang2, seed);
		check_cdf(draw_hyper2, cdf_hyper2, seed);
	}
}

static void check_moments(ps_t (*draw)(struct rng *), double variance,
			  double kurtosis)
{
	double sum = 0, squares = 0, mean, var;
	struct rng r;

	rng_init(&r, 4, 0, 0, RNG_HOLD);
	for (int i = 0; i < NR_DRAWS; i++) {
		double x = (double)draw(&r) / (double)MEAN;

		sum += x;
		squares += x * x;
	}
	mean = sum / NR_DRAWS;
	var = squares / NR_DRAWS - mean * mean;
	assert_true(fabs(mean - 1) < 4 * sqrt(variance / NR_DRAWS));
	assert_true(fabs(var - variance) <
		    4 * variance * sqrt((kurtosis - 1) / NR_DRAWS));
}

static void test_moments(void **state)
{
	(void)state;
	check_moments(draw_exp, 1, 9);
	check_moments(draw_erlang2, 0.5, 6);
	/* second moment 2(0.1 5.5^2 + 0.9 0.5^2) = 6.5; fourth 2197.5 */
	check_moments(draw_hyper2, 5.5, (2197.5 - 4 * 99.9 + 6 * 6.5 - 3) /
		      (5.5 * 5.5));
}

/* Beyond the base strip, where the sampler starts again, and beyond that. */
static void test_tail(void **state)
{
	static const double from[] = { 7.69711747013104972, 9, 12 };
	u64 count[ARRAY_SIZE(from)] = { 0 };
	const int nr = 10 * NR_DRAWS;
	struct rng r;

	(void)state;
	rng_init(&r, 5, 0, 0, RNG_HOLD);
	for (int i = 0; i < nr; i++) {
		double x = (double)rng_exp(&r, MEAN) / (double)MEAN;

		for (size_t k = 0; k < ARRAY_SIZE(from); k++)
			count[k] += x >= from[k];
	}
	for (size_t k = 0; k < ARRAY_SIZE(from); k++) {
		double expected = nr * exp(-from[k]);

		assert_true(fabs(count[k] - expected) < 4 * sqrt(expected));
	}
}

/* Bits that no compiler, level or host may change. */
static void test_golden(void **state)
{
	/* published first outputs of xoshiro256+ from state 1, 2, 3, 4 */
	static const u64 reference[] = {
		5ull, 211106232532999ull, 211106635186183ull,
		9223759065350669058ull, 9250833439874351877ull,
	};
	struct rng r = { { 1, 2, 3, 4 } };
	u64 sum = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(reference); i++)
		assert_int_equal(rng_u64(&r), reference[i]);
	rng_init(&r, 1, 2, 3, RNG_THINK);
	assert_int_equal(rng_u64(&r), GOLDEN_U64);
	for (int i = 0; i < 1000000; i++)
		sum += rng_exp(&r, PS_PER_US);
	assert_int_equal(sum, GOLDEN_EXP);
	for (int i = 0; i < 1000; i++) {
		sum += rng_erlang2(&r, PS_PER_US);
		sum += rng_hyper2(&r, 250000, PS_PER_NS, PS_PER_US);
	}
	assert_int_equal(sum, GOLDEN_ALL);
}

static void assert_ulps(double found, double expected)
{
	assert_true(fabs(found - expected) <= 2 * 0x1p-52 * expected);
}

/* The committed tables are those that their definition gives. */
static void test_tables(void **state)
{
	double x[RNG_ZIG_NR + 1], f[RNG_ZIG_NR + 1];

	(void)state;
	zig_tables(x, f);
	for (int i = 0; i <= RNG_ZIG_NR; i++) {
		assert_ulps(rng_zig_x[i], x[i]);
		assert_ulps(rng_zig_f[i], f[i]);
	}
	assert_ulps(rng_zig_x[1], 7.69711747013104972);	/* as published */
	for (int i = 1; i < RNG_ZIG_NR; i++) {	/* layers of one area */
		double area = rng_zig_x[i] * (rng_zig_f[i + 1] - rng_zig_f[i]);

		assert_true(fabs(area / 0.0039496598225815571993 - 1) < 1e-12);
	}
}

static void test_keys(void **state)
{
	struct rng a, b;
	u64 first[3][3][3][3];

	(void)state;
	rng_init(&a, 7, 1, 2, RNG_START);
	rng_init(&b, 7, 1, 2, RNG_START);
	for (int i = 0; i < 100; i++)
		assert_int_equal(rng_u64(&a), rng_u64(&b));
	for (u32 i = 0; i < 81; i++) {
		rng_init(&a, i / 27, i / 9 % 3, i / 3 % 3,
			 (enum rng_purpose)(i % 3));
		(&first[0][0][0][0])[i] = rng_u64(&a);
		for (u32 k = 0; k < i; k++)
			assert_int_not_equal((&first[0][0][0][0])[k],
					     (&first[0][0][0][0])[i]);
	}
}

/* Streams of neighbouring keys must not move together. */
static void test_streams_uncorrelated(void **state)
{
	const int nr = 100000;
	struct rng a, b;

	(void)state;
	for (u32 part = 0; part < 4; part++) {
		double product = 0;

		rng_init(&a, 1, 1, 1, RNG_JITTER);
		rng_init(&b, 1 + (part == 0), 1 + (part == 1), 1 + (part == 2),
			 part == 3 ? RNG_THINK : RNG_JITTER);
		for (int i = 0; i < nr; i++)
			product += ((double)rng_u64(&a) * 0x1p-64 - 0.5) *
				   ((double)rng_u64(&b) * 0x1p-64 - 0.5);
		/* each product has variance 1/144 */
		assert_true(fabs(product) < 4 * sqrt(nr / 144.0));
	}
}

static void test_below(void **state)
{
	double expected[NR_BINS];
	u64 count[NR_BINS] = { 0 };
	struct rng r;

	(void)state;
	rng_init(&r, 9, 0, 0, RNG_CHOICE);
	for (int i = 0; i < NR_DRAWS; i++) {
		u64 x = rng_below(&r, NR_BINS);

		assert_true(x < NR_BINS);
		count[x]++;
	}
	for (int i = 0; i < NR_BINS; i++)
		expected[i] = (double)NR_DRAWS / NR_BINS;
	assert_plausible(count, expected);
	assert_int_equal(rng_below(&r, 1), 0);
}

static void test_limits(void **state)
{
	bool hit = false;
	struct rng r;

	(void)state;
	rng_init(&r, 10, 0, 0, RNG_HOLD);
	assert_int_equal(rng_exp(&r, 0), 0);
	for (int i = 0; i < 100; i++) {
		ps_t ps = rng_exp(&r, PS_NEVER);

		assert_true(ps <= PS_NEVER);
		hit |= ps == PS_NEVER;
	}
	assert_true(hit);
	for (int i = 0; i < 100; i++) {
		assert_int_equal(rng_hyper2(&r, 0, PS_PER_S, 0), 0);
		assert_int_equal(rng_hyper2(&r, 1000000, 0, PS_PER_S), 0);
	}
}

static void test_gsl(void **state)
{
	gsl_rng *a = gsl_rng_alloc(rng_gsl_type());
	gsl_rng *b = gsl_rng_alloc(rng_gsl_type());
	double sum = 0;

	(void)state;
	assert_non_null(a);
	assert_non_null(b);
	gsl_rng_set(a, 42);
	gsl_rng_set(b, 42);
	for (int i = 0; i < 100000; i++) {
		double u = gsl_rng_uniform(a);

		assert_true(u >= 0 && u < 1);
		assert_true(u == gsl_rng_uniform(b));
		sum += u;
	}
	assert_true(fabs(sum / 100000 - 0.5) < 4 / sqrt(12 * 100000.0));
	gsl_rng_set(b, 43);
	assert_int_not_equal(gsl_rng_get(a), gsl_rng_get(b));
	for (int i = 0; i < 1000; i++)
		assert_true(gsl_rng_uniform_int(a, 10) < 10);
	gsl_rng_free(a);
	gsl_rng_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_golden),
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_streams_uncorrelated),
		cmocka_unit_test(test_below),
		cmocka_unit_test(test_distributions),
		cmocka_unit_test(test_moments),
		cmocka_unit_test(test_tail),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_gsl),
	};

	return cmocka_run_group_tests_name("rng", tests, NULL, NULL);
}
