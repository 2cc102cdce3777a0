/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison curves against exact values; the fit of costs on a lattice. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sim/types.h"
#include "study/baseline.h"
#include "study/calibrate.h"
#include "study/lattice.h"

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

/* Times of n jobs: a + b n / (1 + c n), and something like noise on them. */
struct model {
	s64 a, b, c;		/* c in thousandths */
	double noise;
	size_t nr_calls, nr_points;
	bool fail;
};

#define NR_ROWS 8

static double model_time(double a, double b, double c, int n)
{
	return a + b * n / (1 + c * n);
}

static int model_evaluate(void *ctx, const s64 *x, size_t nr, double *residual)
{
	struct model *m = ctx;

	if (m->fail)
		return -EIO;
	m->nr_calls++;
	m->nr_points += nr;
	for (size_t p = 0; p < nr; p++, x += 3) {
		u64 hash = (u64)(x[0] * 31 + x[1] * 17 + x[2]);

		for (int n = 1; n <= NR_ROWS; n++) {
			double t = model_time((double)x[0], (double)x[1],
					      (double)x[2] / 1000, n);
			double y = model_time((double)m->a, (double)m->b,
					      (double)m->c / 1000, n);

			hash = hash * 6364136223846793005u + 1442695040888963407u;
			*residual++ = log(t / y) + m->noise *
				((double)(hash >> 40) / 0x1000000 - 0.5);
		}
	}
	return 0;
}

static const struct lattice_fit model_fit = {
	.nr_params = 3, .nr_residuals = NR_ROWS,
	.axis = {
		{ 100, 1000, 1, 0 }, { 50, 900, 5, 0 }, { 0, 500, 10, 0 },
	},
	.evaluate = model_evaluate,
};

static void test_lattice_exact(void **state)
{
	struct model m = { .a = 431, .b = 285, .c = 70 };
	struct lattice_fit f = model_fit;
	s64 x[3] = { 900, 100, 300 };
	struct lattice_report r;

	(void)state;
	f.ctx = &m;
	assert_int_equal(lattice_fit(&f, x, &r), 0);
	assert_int_equal(x[0], 431);
	assert_int_equal(x[1], 285);
	assert_int_equal(x[2], 70);
	assert_true(r.cost == 0 && r.start_cost > 0.1);
	assert_int_equal(r.nr_points, m.nr_points);
	/* few rounds: that is what makes a simulated fit affordable */
	assert_in_range(m.nr_calls, 2, 60);
}

static void test_lattice_noise(void **state)
{
	struct model m = { .a = 431, .b = 285, .c = 70, .noise = 0.01 };
	struct lattice_fit f = model_fit;
	s64 x[3] = { 900, 100, 300 }, again[3] = { 900, 100, 300 };
	struct lattice_report r;

	(void)state;
	f.ctx = &m;
	assert_int_equal(lattice_fit(&f, x, &r), 0);
	for (int n = 1; n <= NR_ROWS; n++)
		near(model_time((double)x[0], (double)x[1],
				(double)x[2] / 1000, n) /
		     model_time(431, 285, 0.07, n), 1, 0.02);
	assert_int_equal(lattice_fit(&f, again, &r), 0);
	assert_memory_equal(x, again, sizeof(x));
}

/* The optimum lies outside; what nothing depends on stays. */
static void test_lattice_bounds(void **state)
{
	struct model m = { .a = 80, .b = 285, .c = 0 };
	struct lattice_fit f = model_fit;
	s64 x[3] = { 5000, 100, 0 };
	struct lattice_report r;

	(void)state;
	f.ctx = &m;
	f.axis[2].max = 0;
	assert_int_equal(lattice_fit(&f, x, &r), 0);
	assert_int_equal(x[0], 100);
	assert_in_range(x[1], 270, 285);
	assert_int_equal((x[1] - 50) % 5, 0);
	assert_int_equal(x[2], 0);
}

static void test_lattice_refuses(void **state)
{
	struct model m = { .fail = true };
	struct lattice_fit f = model_fit;
	struct lattice_report r;
	s64 x[3] = { 500, 100, 0 };

	(void)state;
	f.ctx = &m;
	assert_int_equal(lattice_fit(&f, x, &r), -EIO);
	f.axis[1].step = 0;
	assert_int_equal(lattice_fit(&f, x, &r), -EINVAL);
	f = model_fit;
	f.nr_residuals = 2;
	assert_int_equal(lattice_fit(&f, x, &r), -EINVAL);
}

/* Every fit is of a case that exists, and says what it was made from. */
static void test_fits_table(void **state)
{
	(void)state;
	assert_non_null(fit_find("threadripper-3970x", "a/seed-v1-jobs.csv"));
	assert_non_null(fit_find("x/threadripper-3970x.machine",
				 "seed-v1-jobs.csv"));
	assert_null(fit_find("threadripper", "seed-v1-jobs.csv"));
	assert_null(fit_find("threadripper-3970x", "golden-queueing.csv"));
	for (const struct fit *const *f = fits; *f; f++) {
		assert_non_null(vcase_find((*f)->vcase));
		assert_non_null((*f)->source);
		assert_non_null((*f)->param[0].key);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_usl_vector),
		cmocka_unit_test(test_usl_scale_and_limit),
		cmocka_unit_test(test_two_points),
		cmocka_unit_test(test_mva_exact),
		cmocka_unit_test(test_mva_fit),
		cmocka_unit_test(test_lattice_exact),
		cmocka_unit_test(test_lattice_noise),
		cmocka_unit_test(test_lattice_bounds),
		cmocka_unit_test(test_lattice_refuses),
		cmocka_unit_test(test_fits_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
