/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How near is near enough: the tolerances of a case, and curves beside it. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim/stats.h"
#include "study/baseline.h"
#include "study/validate.h"

/* The larger; NAN, of a run that failed, is worse than anything. */
static double worse(double a, double b)
{
	return isnan(a) || b <= a ? a : b;
}

struct mean {
	double sum, worst;
	size_t nr;
};

static void mean_add(struct mean *m, double error_pct)
{
	double size = fabs(error_pct);

	m->sum += size;
	m->nr++;
	m->worst = worse(m->worst, size);
}

static double mean_of(const struct mean *m)
{
	return m->nr ? m->sum / (double)m->nr : NAN;
}

static void judge_error(const struct case_group *g,
			const struct case_row *row, struct validation_row *r)
{
	if (row->role != ROLE_VALIDATE)
		return;
	r->tolerance_pct = g->worst_pct;
	r->pass = fabs(r->error_pct) <= g->worst_pct;
}

/*
 * A rate that rests on n operations is known to one of them at best: what is
 * rarer was not seen in any replication and leaves no spread between them.
 */
static double resolution(const struct case_row *row,
			 const struct validation_row *r)
{
	return row->published / (r->nr_pairs * r->replications);
}

/* Half-width of the 99.99% interval from that of the 95% one. */
static double half9999(const struct validation_row *r)
{
	double df = (double)r->replications - 1;

	if (r->replications < 2)
		return NAN;
	return r->ci95 * stats_t(0.9999, df) / stats_t(0.95, df);
}

static void judge_interval(const struct case_group *g,
			   const struct case_row *row,
			   struct validation_row *r,
			   struct validation_group *to)
{
	double error = fabs(r->simulated - row->published);
	double half_pct = 100 * r->ci95 / row->published;
	double least = resolution(row, r);
	double narrow = fmax(r->ci95, least), wide = fmax(half9999(r), least);

	r->tolerance_pct = 100 * wide / row->published;
	to->nr_outside95 += !(error <= narrow);
	to->nr_outside9999 += !(error <= wide);
	to->half_width_pct = worse(to->half_width_pct, half_pct);
	r->pass = error <= wide && half_pct <= g->half_width_pct;
}

static void judge_row(const struct validation *v, size_t i,
		      struct validation_group *to)
{
	const struct case_row *row = &v->rows.row[i];
	const struct case_group *g = &v->c->group[row->group];
	struct validation_row *r = &v->row[i];

	r->tolerance_pct = NAN;
	r->error_pct = NAN;
	r->pass = true;
	if (row->role == ROLE_NOT_MODELLED)
		return;
	r->error_pct = 100 * (r->simulated - row->published) / row->published;
	if (g->criterion == CRITERION_INTERVAL)
		judge_interval(g, row, r, to);
	else
		judge_error(g, row, r);
	r->pass = r->pass && !r->failed;
}

static void judge_group(const struct validation *v, size_t group)
{
	const struct case_group *g = &v->c->group[group];
	struct validation_group *to = &v->group[group];
	struct mean fitted = { 0 }, held_out = { 0 };

	to->pass = true;
	for (size_t i = 0; i < v->rows.nr; i++) {
		if (v->rows.row[i].group != group)
			continue;
		judge_row(v, i, to);
		to->pass = to->pass && v->row[i].pass;
		if (v->rows.row[i].role == ROLE_VALIDATE)
			mean_add(&held_out, v->row[i].error_pct);
		else if (v->rows.row[i].role == ROLE_CALIBRATE)
			mean_add(&fitted, v->row[i].error_pct);
	}
	to->nr_validate = held_out.nr;
	to->nr_calibrate = fitted.nr;
	to->mape_pct = mean_of(&held_out);
	to->worst_pct = held_out.nr ? held_out.worst : NAN;
	to->fit_mape_pct = mean_of(&fitted);
	if (!held_out.nr)
		return;
	if (g->criterion == CRITERION_ERROR)
		to->pass = to->pass && to->mape_pct <= g->mean_pct;
	if (g->criterion == CRITERION_INTERVAL)
		to->pass = to->pass && (double)to->nr_outside95 <=
			   (1 - g->inside95) * (double)held_out.nr;
}

/* Rows of a group and role as n and time; how many. */
static size_t points_of(const struct validation *v, size_t group,
			enum role role, double *n, double *time)
{
	size_t nr = 0;

	for (size_t i = 0; i < v->rows.nr; i++) {
		const struct case_row *row = &v->rows.row[i];

		if (row->group != group || row->role != role)
			continue;
		n[nr] = row->n;
		time[nr++] = row->published;
	}
	return nr;
}

/* Published time at n among the rows that calibrate; NAN: none. */
static double time_at(const double *n, const double *time, size_t nr,
		      double at)
{
	for (size_t i = 0; i < nr; i++)
		if (n[i] == at)
			return time[i];
	return NAN;
}

struct curves {
	struct usl usl;
	struct two_point log, line;
	struct mva mva;
	bool has_usl, has_log, has_line, has_mva;
};

static void fit_curves(const struct case_group *g, const double *n,
		       const double *time, const double *throughput,
		       size_t nr, struct curves *c)
{
	double l0 = time_at(n, time, nr, g->log_n[0]);
	double l1 = time_at(n, time, nr, g->log_n[1]);
	double s0 = time_at(n, time, nr, g->line_n[0]);
	double s1 = time_at(n, time, nr, g->line_n[1]);

	c->has_usl = !usl_fit(n, throughput, nr, &c->usl);
	c->has_mva = !mva_fit(n, time, nr, &c->mva);
	c->has_log = !isnan(l0 + l1) &&
		!log_through(g->log_n[0], l0, g->log_n[1], l1, &c->log);
	c->has_line = !isnan(s0 + s1) &&
		!line_through(g->line_n[0], s0, g->line_n[1], s1, &c->line);
}

static void judge_curves(struct validation_group *to, const struct curves *c,
			 const double *n, const double *time, size_t nr)
{
	struct mean usl = { 0 }, log = { 0 }, line = { 0 }, mva = { 0 };

	for (size_t i = 0; i < nr; i++) {
		double t = time[i] / 100;

		if (c->has_usl)
			mean_add(&usl, (n[i] / usl_throughput(&c->usl, n[i]) -
					time[i]) / t);
		if (c->has_log)
			mean_add(&log, (two_point_at(&c->log, n[i]) -
					time[i]) / t);
		if (c->has_line)
			mean_add(&line, (two_point_at(&c->line, n[i]) -
					 time[i]) / t);
		if (c->has_mva)
			mean_add(&mva, (mva_time(&c->mva, (unsigned int)n[i]) -
					time[i]) / t);
	}
	to->usl_pct = mean_of(&usl);
	to->log_pct = mean_of(&log);
	to->line_pct = mean_of(&line);
	to->mva_pct = mean_of(&mva);
}

static int compare_curves(struct validation *v, size_t group)
{
	const struct case_group *g = &v->c->group[group];
	struct validation_group *to = &v->group[group];
	double *n = calloc(3 * v->rows.nr + 1, sizeof(*n));
	double *time = n + v->rows.nr, *throughput = time + v->rows.nr;
	struct curves c;
	size_t nr;

	if (!n)
		return -ENOMEM;
	to->usl_pct = to->log_pct = to->line_pct = to->mva_pct = NAN;
	if (g->log_n[0] > 0) {
		nr = points_of(v, group, ROLE_CALIBRATE, n, time);
		for (size_t i = 0; i < nr; i++)
			throughput[i] = n[i] / time[i];
		fit_curves(g, n, time, throughput, nr, &c);
		nr = points_of(v, group, ROLE_VALIDATE, n, time);
		judge_curves(to, &c, n, time, nr);
	}
	free(n);
	return 0;
}

int validate_judge(struct validation *v)
{
	struct mean all = { 0 }, held_out = { 0 };

	v->group = calloc(v->c->nr_groups, sizeof(*v->group));
	if (!v->group)
		return -ENOMEM;
	v->pass = true;
	for (size_t g = 0; g < v->c->nr_groups; g++) {
		int rc;

		judge_group(v, g);
		v->pass = v->pass && v->group[g].pass;
		rc = compare_curves(v, g);
		if (rc)
			return rc;
	}
	for (size_t i = 0; i < v->rows.nr; i++) {
		enum role role = v->rows.row[i].role;

		if (role != ROLE_NOT_MODELLED)
			mean_add(&all, v->row[i].error_pct);
		if (role == ROLE_VALIDATE)
			mean_add(&held_out, v->row[i].error_pct);
	}
	v->mape_pct = mean_of(&all);
	v->worst_pct = all.nr ? all.worst : NAN;
	v->holdout_mape_pct = mean_of(&held_out);
	return 0;
}
