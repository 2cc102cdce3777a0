/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Costs of a machine from rows that a case sets aside for it. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "results/table.h"
#include "study/calibrate.h"
#include "study/machines.h"

#define FIT(name) extern const struct fit fit_##name;
#include "study/fits.def"
#undef FIT

const struct fit *const fits[] = {
#define FIT(name) &fit_##name,
#include "study/fits.def"
#undef FIT
	NULL,
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool same_machine(const char *path, const char *name)
{
	const char *base = base_name(path);
	size_t len = strlen(name);

	return !strncmp(base, name, len) &&
	       (!base[len] || !strcmp(base + len, ".machine"));
}

const struct fit *fit_find(const char *machine, const char *data)
{
	for (const struct fit *const *f = fits; *f; f++) {
		const struct vcase *c = vcase_find((*f)->vcase);

		if (c && same_machine(machine, (*f)->machine) &&
		    !strcmp(base_name(data), c->data))
			return *f;
	}
	return NULL;
}

struct work {
	const struct fit *fit;
	const struct calibrate_options *o;
	const char *machine;		/* path of its file */
	struct calibration *c;
	const struct param_desc *desc[LATTICE_NR_PARAMS_MAX];
	size_t nr_params;
	size_t *used;			/* rows that calibrate; [nr_used] */
	size_t nr_used;
	char *err;
	size_t err_size;
};

__attribute__((format(printf, 3, 4)))
static int refuse(struct work *w, int rc, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(w->err, w->err_size, fmt, args);
	va_end(args);
	return rc;
}

static const struct param_desc *machine_desc(const char *key)
{
	for (const struct param_desc *d = machine_params; d->key; d++)
		if (!strcmp(d->key, key))
			return d;
	return NULL;
}

/* A value of the fit's table; these are ours, so a bad one is a bug. */
static int parse(struct work *w, size_t i, const char *text, s64 *num)
{
	struct param_value v;
	struct param_error e;
	char why[300];

	if (param_parse(w->desc[i], text, &v, &e)) {
		param_error_format(&e, why, sizeof(why));
		return refuse(w, -EINVAL, "fit %s: %s: %s", w->fit->name,
			      w->desc[i]->key, why);
	}
	*num = v.num;
	return 0;
}

static void spell(const struct work *w, size_t i, s64 num, char *buf,
		  size_t size)
{
	struct param_value v = { .desc = w->desc[i], .num = num, .set = true };

	param_format(&v, buf, size);
}

static int make_axes(struct work *w, struct lattice_fit *f, s64 *x)
{
	for (; w->fit->param[w->nr_params].key; w->nr_params++) {
		size_t i = w->nr_params;
		const struct fit_param *p = &w->fit->param[i];
		int rc;

		w->desc[i] = machine_desc(p->key);
		if (!w->desc[i])
			return refuse(w, -EINVAL, "fit %s: no key %s in "
				      "machine files", w->fit->name, p->key);
		rc = parse(w, i, p->start, &x[i]);
		if (!rc)
			rc = parse(w, i, p->min, &f->axis[i].min);
		if (!rc)
			rc = parse(w, i, p->max, &f->axis[i].max);
		if (!rc)
			rc = parse(w, i, p->step, &f->axis[i].step);
		if (rc)
			return rc;
	}
	f->nr_params = w->nr_params;
	return 0;
}

/* One scenario: the row, the fit's effort, a machine with these costs. */
static int make_point(struct work *w, struct scenario *s,
		      const struct case_row *row, const s64 *x)
{
	struct assignment a[row->nr_a + ARRAY_SIZE(w->fit->effort) +
			    LATTICE_NR_PARAMS_MAX + 1];
	char value[LATTICE_NR_PARAMS_MAX][32];
	struct scenario_error e = { 0 };
	size_t nr = row->nr_a;
	int rc;

	memset(a, 0, sizeof(a));
	memcpy(a, row->a, nr * sizeof(*a));
	for (const struct fit_effort *f = w->fit->effort; f->key; f++, nr++) {
		a[nr].key = (char *)f->key;
		a[nr].value = (char *)f->value;
	}
	a[nr].key = (char *)"machine";
	a[nr++].value = (char *)w->machine;
	for (size_t i = 0; i < w->nr_params; i++, nr++) {
		spell(w, i, x[i], value[i], sizeof(value[i]));
		a[nr].key = (char *)w->desc[i]->key;
		a[nr].value = value[i];
	}
	rc = scenario_init(s, a, nr, &e);
	return rc ? refuse(w, rc, "row %s: %s", row->name, e.text) : 0;
}

/* Results of nr points by rows, r[nr * nr_used]. */
static int simulate(struct work *w, const s64 *x, size_t nr, struct result *r)
{
	struct plan plan = { 0 };
	struct sweep_counts counts;
	int rc = 0;

	plan.point = calloc(nr * w->nr_used + 1, sizeof(*plan.point));
	if (!plan.point)
		return -ENOMEM;
	for (size_t p = 0; p < nr && !rc; p++)
		for (size_t j = 0; j < w->nr_used && !rc; j++) {
			rc = make_point(w, &plan.point[plan.nr],
					&w->c->rows.row[w->used[j]],
					x + p * w->nr_params);
			plan.nr += !rc;
		}
	if (!rc)
		rc = sweep_collect(&plan, &w->o->sweep, r, &counts, w->err,
				   w->err_size);
	plan_free(&plan);
	return rc;
}

static int evaluate(void *ctx, const s64 *x, size_t nr, double *residual)
{
	struct work *w = ctx;
	size_t n = nr * w->nr_used;
	struct result *r = calloc(n, sizeof(*r));
	int rc = r ? simulate(w, x, nr, r) : -ENOMEM;

	for (size_t i = 0; i < n && !rc; i++) {
		const struct case_row *row =
			&w->c->rows.row[w->used[i % w->nr_used]];

		if (strcmp(r[i].state, "done"))
			rc = refuse(w, -EIO, "row %s: %s", row->name,
				    r[i].error ? r[i].error : r[i].state);
		else
			residual[i] = log(r[i].metric[row->metric].mean /
					  row->published);
	}
	for (size_t i = 0; i < n && r; i++)
		result_free(&r[i]);
	free(r);
	return rc;
}

static int finish(struct work *w, const struct lattice_fit *f, const s64 *x)
{
	struct calibration *c = w->c;
	double *residual = calloc(w->nr_used, sizeof(*residual));
	int rc = residual ? evaluate(w, x, 1, residual) : -ENOMEM;

	for (size_t j = 0; j < w->nr_used && !rc; j++) {
		const struct case_row *row = &c->rows.row[w->used[j]];
		double ratio = exp(residual[j]);
		double error_pct = 100 * fabs(ratio - 1);

		c->row[w->used[j]] = (struct calibration_row) {
			row->published, row->published * ratio,
		};
		c->mape_pct += error_pct / (double)w->nr_used;
		if (error_pct > c->worst_pct)
			c->worst_pct = error_pct;
	}
	free(residual);
	c->nr_params = w->nr_params;
	for (size_t i = 0; i < w->nr_params && !rc; i++) {
		char *value = c->param[i].value;

		spell(w, i, x[i], value, sizeof(c->param[i].value));
		c->param[i].at_bound = x[i] - f->axis[i].min <
				       f->axis[i].step ||
				       f->axis[i].max - x[i] < f->axis[i].step;
		rc = machine_set(&c->file, w->desc[i]->key, value,
				 w->fit->source);
	}
	return rc;
}

static int choose_rows(struct work *w)
{
	struct calibration *c = w->c;

	w->used = calloc(c->rows.nr + 1, sizeof(*w->used));
	c->row = calloc(c->rows.nr + 1, sizeof(*c->row));
	if (!w->used || !c->row)
		return -ENOMEM;
	for (size_t i = 0; i < c->rows.nr; i++) {
		c->row[i] = (struct calibration_row) { NAN, NAN };
		if (c->rows.row[i].role == ROLE_CALIBRATE)
			w->used[w->nr_used++] = i;
	}
	if (w->nr_used < w->nr_params)
		return refuse(w, -EINVAL, "fit %s: %zu rows for %zu costs",
			      w->fit->name, w->nr_used, w->nr_params);
	return 0;
}

static int read_machine(struct work *w, const char *name, char *path,
			size_t size)
{
	struct machine_error e = { 0 };
	char near[120];
	int rc = machine_path(name, path, size, near, sizeof(near));

	if (rc)
		return refuse(w, rc, "no machine \"%s\"%s%s", name,
			      *near ? "; nearest: " : "", near);
	w->machine = path;
	rc = machine_read(path, &w->c->file, &e);
	if (rc)
		return refuse(w, rc, "%s:%zu:%zu: %s", path, e.line, e.col,
			      e.text);
	return 0;
}

int calibrate_run(const struct fit *fit, const struct calibrate_options *o,
		  struct calibration *c, char *err, size_t err_size)
{
	struct work w = {
		.fit = fit, .o = o, .c = c, .err = err, .err_size = err_size,
	};
	struct lattice_fit f = { .evaluate = evaluate, .ctx = &w };
	const struct vcase *vcase = vcase_find(fit->vcase);
	s64 x[LATTICE_NR_PARAMS_MAX];
	char path[PATH_MAX];
	int rc;

	snprintf(err, err_size, "%s", "");
	*c = (struct calibration) { .fit = fit };
	rc = read_machine(&w, o->machine ? o->machine : fit->machine, path,
			  sizeof(path));
	if (!rc)
		rc = vcase ? vcase_rows(vcase, o->data, EFFORT_FULL, &c->rows,
					err, err_size) :
			     refuse(&w, -EINVAL, "no case %s", fit->vcase);
	if (!rc)
		rc = make_axes(&w, &f, x);
	if (!rc)
		rc = choose_rows(&w);
	f.nr_residuals = w.nr_used;
	if (!rc)
		rc = lattice_fit(&f, x, &c->report);
	if (!rc)
		rc = finish(&w, &f, x);
	free(w.used);
	if (rc) {
		if (!*err)
			snprintf(err, err_size, "%s", strerror(-rc));
		calibration_free(c);
	}
	return rc;
}

void calibration_free(struct calibration *c)
{
	machine_free(&c->file);
	case_rows_free(&c->rows);
	free(c->row);
	*c = (struct calibration) { 0 };
}
