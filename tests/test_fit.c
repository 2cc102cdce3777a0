/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison curves against exact values. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sim/types.h"
#include "study/baseline.h"

static void near(double found, double expected, double tolerance)
{
	if (!(fabs(found - expected) <= tolerance))
		fail_msg("found %.12g, expected %.12g", found, expected);
}

/* Test data of R's package usl, rounded to four decimals there. */
static void test_usl_vector(void **state)
{
	static const double n[] = { 1, 2, 4, 6, 8, 10 };
	static const double x[] = { 1, 1.8868, 3.0769, 3.5294, 3.5398, 3.3557 };
	struct usl u;

	(void)state;
	assert_int_equal(usl_fit(n, x, ARRAY_SIZE(n), &u), 0);
	near(u.gamma, 1, 2e-5);
	near(u.sigma, 0.02, 2e-5);
	near(u.kappa, 0.02, 2e-5);
	near(usl_peak(&u), 7, 1e-3);
	near(usl_throughput(&u, 4), 3.0769, 1e-4);
}

/* Units must not matter, nor a coefficient at its limit. */
static void test_usl_scale_and_limit(void **state)
{
	double n[8], x[8];
	struct usl u, amdahl = { 1.7e6, 0.05, 0 };

	(void)state;
	for (int i = 0; i < 8; i++) {
		n[i] = 1 << i;
		x[i] = usl_throughput(&amdahl, n[i]);
	}
	assert_int_equal(usl_fit(n, x, 8, &u), 0);
	near(u.gamma, 1.7e6, 10);
	near(u.sigma, 0.05, 1e-5);
	near(u.kappa, 0, 1e-6);
	assert_true(isinf(usl_peak(&amdahl)));
	assert_int_equal(usl_fit(n, x, 3, &u), -EINVAL);
	x[2] = 0;
	assert_int_equal(usl_fit(n, x, 8, &u), -EINVAL);
}

static void test_two_points(void **state)
{
	struct two_point p;

	(void)state;
	assert_int_equal(log_through(4, 6.04306, 8, 10.4609, &p), 0);
	near(two_point_at(&p, 4), 6.04306, 1e-12);
	near(two_point_at(&p, 8), 10.4609, 1e-12);
	/* doubling adds the same each time */
	near(two_point_at(&p, 16), 2 * 10.4609 - 6.04306, 1e-12);
	assert_int_equal(line_through(6, 9.38844, 8, 10.4609, &p), 0);
	near(two_point_at(&p, 10), 2 * 10.4609 - 9.38844, 1e-12);
	assert_int_equal(line_through(6, 1, 6, 2, &p), -EINVAL);
	assert_int_equal(log_through(0, 1, 6, 2, &p), -EINVAL);
}

/* Exact rationals of published/golden-queueing.csv. */
static void test_mva_exact(void **state)
{
	static const double d85[] = { 8, 5 }, d1052[] = { 10, 5, 2 };
	static const double one[] = { 1, 1 };
	double x, r;

	(void)state;
	assert_int_equal(mva_closed(20, d85, 2, 1, &x, &r), 0);
	near(x, 0.030303030303, 1e-12);
	near(r, 13, 1e-12);
	assert_int_equal(mva_closed(20, d85, 2, 4, &x, &r), 0);
	near(x, 0.0926134, 5e-8);
	near(r, 23.19030, 5e-6);
	assert_int_equal(mva_closed(0, one, 2, 64, &x, NULL), 0);
	near(x, 64.0 / 65, 1e-12);
	assert_int_equal(mva_closed(100, d1052, 3, 16, &x, NULL), 0);
	near(x, 0.0955557, 5e-8);
	assert_int_equal(mva_closed(100, d1052, 3, 0, &x, NULL), -EINVAL);
}

static void test_mva_fit(void **state)
{
	struct mva made = { 400, 150 }, m;
	double n[8], t[8];

	(void)state;
	for (int i = 0; i < 8; i++) {
		n[i] = i + 1;
		t[i] = mva_time(&made, (unsigned int)n[i]);
	}
	near(t[0], 550, 1e-9);
	assert_int_equal(mva_fit(n, t, 8, &m), 0);
	near(m.think, 400, 1e-3);
	near(m.service, 150, 1e-3);
	assert_int_equal(mva_fit(n, t, 2, &m), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_usl_vector),
		cmocka_unit_test(test_usl_scale_and_limit),
		cmocka_unit_test(test_two_points),
		cmocka_unit_test(test_mva_exact),
		cmocka_unit_test(test_mva_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
