/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparison curves: USL, two-point curves, mean value analysis. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_multifit_nlinear.h>

#include "study/baseline.h"

#define NR_ITERATIONS_MAX	2000

struct points {
	const double *n, *y;
	size_t nr;
	double scale;		/* of y, to make tolerances relative */
};

/*
 * Fits p parameters, start in x, result in x. GSL's error handler is off
 * meanwhile, since its default aborts the program.
 */
static int least_squares(int (*f)(const gsl_vector *, void *, gsl_vector *),
			 struct points *pts, size_t p, double *x)
{
	gsl_multifit_nlinear_parameters how =
		gsl_multifit_nlinear_default_parameters();
	gsl_multifit_nlinear_fdf fdf = {
		.f = f, .n = pts->nr, .p = p, .params = pts,
	};
	gsl_error_handler_t *old = gsl_set_error_handler_off();
	gsl_vector_view start = gsl_vector_view_array(x, p);
	gsl_multifit_nlinear_workspace *w;
	int info, rc = -ENOMEM;

	w = gsl_multifit_nlinear_alloc(gsl_multifit_nlinear_trust, &how,
				       pts->nr, p);
	if (!w)
		goto out;
	rc = -EDOM;
	if (gsl_multifit_nlinear_init(&start.vector, &fdf, w))
		goto out_free;
	/* ENOPROG at a parameter's limit is an answer too */
	rc = gsl_multifit_nlinear_driver(NR_ITERATIONS_MAX, 1e-12, 1e-12, 0,
					 NULL, NULL, &info, w);
	rc = rc == GSL_SUCCESS || rc == GSL_ENOPROG ? 0 : -EDOM;
	gsl_vector_memcpy(&start.vector, gsl_multifit_nlinear_position(w));
out_free:
	gsl_multifit_nlinear_free(w);
out:
	gsl_set_error_handler(old);
	return rc;
}

static int all_positive(const double *a, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!(a[i] > 0) || !isfinite(a[i]))
			return 0;
	return 1;
}

/* sigma and kappa as squares, gamma as exponential: the signs are then free */
static void usl_from(const gsl_vector *x, double scale, struct usl *u)
{
	u->gamma = scale * exp(gsl_vector_get(x, 0));
	u->sigma = gsl_pow_2(gsl_vector_get(x, 1));
	u->kappa = gsl_pow_2(gsl_vector_get(x, 2));
}

static int usl_residuals(const gsl_vector *x, void *arg, gsl_vector *out)
{
	const struct points *pts = arg;
	struct usl u;

	usl_from(x, pts->scale, &u);
	for (size_t i = 0; i < pts->nr; i++)
		gsl_vector_set(out, i, (usl_throughput(&u, pts->n[i]) -
					pts->y[i]) / pts->scale);
	return GSL_SUCCESS;
}

int usl_fit(const double *n, const double *throughput, size_t nr,
	    struct usl *u)
{
	struct points pts = { n, throughput, nr, 0 };
	double x[3] = { 0, sqrt(0.1), sqrt(0.01) };
	gsl_vector_view v = gsl_vector_view_array(x, 3);
	int rc;

	if (nr < 4 || !all_positive(n, nr) || !all_positive(throughput, nr))
		return -EINVAL;
	pts.scale = throughput[0] / n[0];
	rc = least_squares(usl_residuals, &pts, 3, x);
	usl_from(&v.vector, pts.scale, u);
	return rc;
}

double usl_throughput(const struct usl *u, double n)
{
	return u->gamma * n /
	       (1 + u->sigma * (n - 1) + u->kappa * n * (n - 1));
}

double usl_peak(const struct usl *u)
{
	if (u->kappa <= 0)
		return HUGE_VAL;
	return u->sigma >= 1 ? 0 : sqrt((1 - u->sigma) / u->kappa);
}

static int through(double f0, double y0, double f1, double y1,
		   struct two_point *p)
{
	if (f0 == f1)
		return -EINVAL;
	p->b = (y1 - y0) / (f1 - f0);
	p->a = y0 - p->b * f0;
	return 0;
}

int log_through(double n0, double y0, double n1, double y1,
		struct two_point *p)
{
	if (!(n0 > 0) || !(n1 > 0))
		return -EINVAL;
	p->logarithmic = 1;
	return through(log(n0), y0, log(n1), y1, p);
}

int line_through(double n0, double y0, double n1, double y1,
		 struct two_point *p)
{
	p->logarithmic = 0;
	return through(n0, y0, n1, y1, p);
}

double two_point_at(const struct two_point *p, double n)
{
	return p->a + p->b * (p->logarithmic ? log(n) : n);
}

int mva_closed(double think, const double *demand, size_t nr, unsigned int n,
	       double *throughput, double *residence)
{
	double *queue, x = 0, total = 0;

	if (!n || !nr || !(think >= 0))
		return -EINVAL;
	queue = calloc(nr, sizeof(*queue));
	if (!queue)
		return -ENOMEM;
	for (unsigned int k = 1; k <= n; k++) {
		total = 0;
		for (size_t i = 0; i < nr; i++)
			total += demand[i] * (1 + queue[i]);
		x = k / (think + total);
		for (size_t i = 0; i < nr; i++)
			queue[i] = x * demand[i] * (1 + queue[i]);
	}
	free(queue);
	if (throughput)
		*throughput = x;
	if (residence)
		*residence = total;
	return 0;
}

double mva_time(const struct mva *m, unsigned int n)
{
	double residence;

	if (mva_closed(m->think, &m->service, 1, n, NULL, &residence))
		return NAN;
	return m->think + residence;
}

static void mva_from(const gsl_vector *x, double scale, struct mva *m)
{
	m->think = scale * gsl_pow_2(gsl_vector_get(x, 0));
	m->service = scale * gsl_pow_2(gsl_vector_get(x, 1));
}

static int mva_residuals(const gsl_vector *x, void *arg, gsl_vector *out)
{
	const struct points *pts = arg;
	struct mva m;

	mva_from(x, pts->scale, &m);
	for (size_t i = 0; i < pts->nr; i++) {
		double time = mva_time(&m, (unsigned int)pts->n[i]);

		/* a floor keeps the logarithm finite at 0, 0 */
		gsl_vector_set(out, i, log(fmax(time, 1e-12 * pts->scale) /
					   pts->y[i]));
	}
	return GSL_SUCCESS;
}

int mva_fit(const double *n, const double *time, size_t nr, struct mva *m)
{
	struct points pts = { n, time, nr, 0 };
	double x[2] = { sqrt(0.5), sqrt(0.5) };
	gsl_vector_view v = gsl_vector_view_array(x, 2);
	int rc;

	if (nr < 3 || !all_positive(n, nr) || !all_positive(time, nr))
		return -EINVAL;
	pts.scale = time[0];
	rc = least_squares(mva_residuals, &pts, 2, x);
	mva_from(&v.vector, pts.scale, m);
	return rc;
}
