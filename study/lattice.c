/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>

#include "study/lattice.h"

/* Damping, relative to the diagonal: from nearly Gauss-Newton to gradient. */
static const double damping[] = { 1e-3, 0.03, 0.3, 3 };

#define NR_CANDIDATES_MAX \
	(2 * LATTICE_NR_PARAMS_MAX + ARRAY_SIZE(damping) + 1)

struct known {			/* a point that was evaluated */
	s64 x[LATTICE_NR_PARAMS_MAX];
	double *residual;
	double cost;
};

struct search {
	const struct lattice_fit *f;
	struct known *known;
	size_t nr, room;
	s64 reach[LATTICE_NR_PARAMS_MAX];
};

struct batch {			/* points asked for together */
	s64 x[NR_CANDIDATES_MAX][LATTICE_NR_PARAMS_MAX];
	size_t nr;
};

static s64 snap(const struct lattice_axis *a, double value)
{
	double k = round((value - (double)a->min) / (double)a->step);
	s64 k_max = (a->max - a->min) / a->step;

	if (!(k > 0))
		return a->min;
	if (k > (double)k_max)
		k = (double)k_max;
	return a->min + (s64)k * a->step;
}

static const struct known *find(const struct search *s, const s64 *x)
{
	for (size_t i = 0; i < s->nr; i++)
		if (!memcmp(s->known[i].x, x, s->f->nr_params * sizeof(*x)))
			return &s->known[i];
	return NULL;
}

/* Each point once, and only those not yet known. */
static void ask(const struct search *s, struct batch *b, const s64 *x)
{
	size_t size = s->f->nr_params * sizeof(*x);

	if (find(s, x))
		return;
	for (size_t i = 0; i < b->nr; i++)
		if (!memcmp(b->x[i], x, size))
			return;
	memcpy(b->x[b->nr++], x, size);
}

static int remember(struct search *s, const s64 *x, const double *residual)
{
	size_t m = s->f->nr_residuals;
	struct known *k;

	if (s->nr == s->room) {
		size_t room = s->room ? 2 * s->room : 64;

		k = reallocarray(s->known, room, sizeof(*k));
		if (!k)
			return -ENOMEM;
		s->known = k;
		s->room = room;
	}
	k = &s->known[s->nr];
	*k = (struct known) { .residual = malloc(m * sizeof(double)) };
	if (!k->residual)
		return -ENOMEM;
	memcpy(k->x, x, s->f->nr_params * sizeof(*x));
	memcpy(k->residual, residual, m * sizeof(double));
	for (size_t j = 0; j < m; j++)
		k->cost += residual[j] * residual[j];
	s->nr++;
	return 0;
}

static int evaluate(struct search *s, const struct batch *b)
{
	size_t n = s->f->nr_params, m = s->f->nr_residuals;
	double *residual;
	s64 *x;
	int rc;

	if (!b->nr)
		return 0;
	residual = calloc(b->nr * m, sizeof(*residual));
	x = calloc(b->nr * n, sizeof(*x));
	rc = residual && x ? 0 : -ENOMEM;
	for (size_t p = 0; p < b->nr && !rc; p++)
		memcpy(x + p * n, b->x[p], n * sizeof(*x));
	if (!rc)
		rc = s->f->evaluate(s->f->ctx, x, b->nr, residual);
	for (size_t p = 0; p < b->nr && !rc; p++)
		rc = remember(s, b->x[p], residual + p * m);
	free(residual);
	free(x);
	return rc;
}

/* The two points beside x on axis i, as far as the bounds let them be. */
static void beside(const struct search *s, const s64 *x, size_t i, s64 *low,
		   s64 *high)
{
	const struct lattice_axis *a = &s->f->axis[i];

	*low = snap(a, (double)(x[i] - s->reach[i]));
	*high = snap(a, (double)(x[i] + s->reach[i]));
}

static void ask_beside(const struct search *s, struct batch *b, const s64 *x)
{
	s64 y[LATTICE_NR_PARAMS_MAX], low, high;

	memcpy(y, x, sizeof(y));
	for (size_t i = 0; i < s->f->nr_params; i++) {
		beside(s, x, i, &low, &high);
		y[i] = low;
		ask(s, b, y);
		y[i] = high;
		ask(s, b, y);
		y[i] = x[i];
	}
}

/*
 * Normal equations from differences, each axis in units of its reach: the
 * residuals' change over it. An axis without room has a zero column.
 */
static void linearize(const struct search *s, const struct known *at,
		      double *jtj, double *jtr)
{
	size_t n = s->f->nr_params, m = s->f->nr_residuals;
	const struct known *low[LATTICE_NR_PARAMS_MAX];
	const struct known *high[LATTICE_NR_PARAMS_MAX];
	double per[LATTICE_NR_PARAMS_MAX], column[LATTICE_NR_PARAMS_MAX];

	for (size_t i = 0; i < n; i++) {
		s64 y[LATTICE_NR_PARAMS_MAX], l, h;

		memcpy(y, at->x, sizeof(y));
		beside(s, at->x, i, &l, &h);
		y[i] = l;
		low[i] = find(s, y);
		y[i] = h;
		high[i] = find(s, y);
		per[i] = h > l ? (double)s->reach[i] / (double)(h - l) : 0;
	}
	memset(jtj, 0, n * n * sizeof(*jtj));
	memset(jtr, 0, n * sizeof(*jtr));
	for (size_t j = 0; j < m; j++) {
		for (size_t i = 0; i < n; i++)
			column[i] = per[i] * (high[i]->residual[j] -
					      low[i]->residual[j]);
		for (size_t i = 0; i < n; i++) {
			jtr[i] += column[i] * at->residual[j];
			for (size_t k = 0; k < n; k++)
				jtj[i * n + k] += column[i] * column[k];
		}
	}
}

/* (JtJ + mu diag) step = -Jtr; 0 when it cannot be solved. */
static int solve(const double *jtj, const double *jtr, size_t n, double mu,
		 double *step)
{
	double a[LATTICE_NR_PARAMS_MAX * LATTICE_NR_PARAMS_MAX];
	gsl_matrix_view matrix = gsl_matrix_view_array(a, n, n);
	gsl_vector_view x = gsl_vector_view_array(step, n);

	memcpy(a, jtj, n * n * sizeof(*a));
	for (size_t i = 0; i < n; i++) {
		a[i * n + i] *= 1 + mu;
		/* an axis that nothing depends on stays where it is */
		if (!(a[i * n + i] > 0))
			a[i * n + i] = 1;
		step[i] = -jtr[i];
	}
	return !gsl_linalg_cholesky_decomp1(&matrix.matrix) &&
	       !gsl_linalg_cholesky_svx(&matrix.matrix, &x.vector);
}

static void ask_steps(const struct search *s, struct batch *b,
		      const struct known *at)
{
	double jtj[LATTICE_NR_PARAMS_MAX * LATTICE_NR_PARAMS_MAX];
	double jtr[LATTICE_NR_PARAMS_MAX], step[LATTICE_NR_PARAMS_MAX];
	gsl_error_handler_t *old = gsl_set_error_handler_off();
	size_t n = s->f->nr_params;

	linearize(s, at, jtj, jtr);
	for (size_t d = 0; d < ARRAY_SIZE(damping); d++) {
		s64 y[LATTICE_NR_PARAMS_MAX] = { 0 };

		if (!solve(jtj, jtr, n, damping[d], step))
			continue;
		for (size_t i = 0; i < n; i++)
			y[i] = snap(&s->f->axis[i], (double)at->x[i] +
				    step[i] * (double)s->reach[i]);
		ask(s, b, y);
	}
	gsl_set_error_handler(old);
}

/* Of equals the one evaluated first. */
static size_t best(const struct search *s)
{
	size_t at = 0;

	for (size_t i = 1; i < s->nr; i++)
		if (s->known[i].cost < s->known[at].cost)
			at = i;
	return at;
}

/* Halves the differences; 0 when all are down to a step of the lattice. */
static int halve(struct search *s)
{
	int changed = 0;

	for (size_t i = 0; i < s->f->nr_params; i++) {
		s64 step = s->f->axis[i].step;
		s64 half = s->reach[i] / step / 2 * step;

		if (s->reach[i] <= step)
			continue;
		s->reach[i] = half < step ? step : half;
		changed = 1;
	}
	return changed;
}

static int search(struct search *s, const s64 *x, struct lattice_report *r)
{
	struct batch b = { 0 };
	size_t at = 0;
	int rc;

	ask(s, &b, x);
	ask_beside(s, &b, x);
	rc = evaluate(s, &b);
	if (rc)
		return rc;
	r->start_cost = s->known[0].cost;
	for (r->nr_rounds = 0; r->nr_rounds < LATTICE_NR_ROUNDS_MAX;
	     r->nr_rounds++) {
		size_t now;

		b.nr = 0;
		ask_beside(s, &b, s->known[at].x);
		rc = evaluate(s, &b);
		if (rc)
			return rc;
		b.nr = 0;
		ask_steps(s, &b, &s->known[at]);
		rc = evaluate(s, &b);
		if (rc)
			return rc;
		now = best(s);
		if (now == at && !halve(s))
			break;
		at = now;
	}
	return 0;
}

static int check(const struct lattice_fit *f)
{
	if (!f->nr_params || f->nr_params > LATTICE_NR_PARAMS_MAX ||
	    f->nr_residuals < f->nr_params)
		return -EINVAL;
	for (size_t i = 0; i < f->nr_params; i++)
		if (f->axis[i].step <= 0 || f->axis[i].max < f->axis[i].min)
			return -EINVAL;
	return 0;
}

int lattice_fit(const struct lattice_fit *f, s64 *x,
		struct lattice_report *report)
{
	struct search s = { .f = f };
	s64 start[LATTICE_NR_PARAMS_MAX] = { 0 };
	int rc = check(f);

	*report = (struct lattice_report) { 0 };
	if (rc)
		return rc;
	for (size_t i = 0; i < f->nr_params; i++) {
		const struct lattice_axis *a = &f->axis[i];
		s64 reach = a->reach ? a->reach : (a->max - a->min) / 8;

		start[i] = snap(a, (double)x[i]);
		s.reach[i] = reach / a->step * a->step;
		if (s.reach[i] < a->step)
			s.reach[i] = a->step;
	}
	rc = search(&s, start, report);
	if (!rc) {
		const struct known *k = &s.known[best(&s)];

		memcpy(x, k->x, f->nr_params * sizeof(*x));
		report->cost = k->cost;
		report->nr_points = s.nr;
	}
	for (size_t i = 0; i < s.nr; i++)
		free(s.known[i].residual);
	free(s.known);
	return rc;
}
