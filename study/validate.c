/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a case to a plan, and from its results to a judgement. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "study/validate.h"

/* The row's own assignments with the user's behind them; free() the array. */
static struct assignment *row_assignments(const struct case_row *row,
					  const struct validate_options *o,
					  size_t *nr)
{
	struct assignment *a;

	*nr = row->nr_a + o->nr_more;
	a = calloc(*nr + 1, sizeof(*a));
	if (!a)
		return NULL;
	memcpy(a, row->a, row->nr_a * sizeof(*a));
	if (o->nr_more)
		memcpy(a + row->nr_a, o->more, o->nr_more * sizeof(*a));
	return a;
}

/* Where a scenario's assignment is wrong, and in which row. */
static int refuse(const struct case_row *row, const struct scenario_error *e,
		  int rc, char *err, size_t err_size)
{
	if (e->file)
		snprintf(err, err_size, "%s:%zu:%zu: %s", e->file, e->line,
			 e->col, e->text);
	else
		snprintf(err, err_size, "row %s: %s", row->name, e->text);
	return rc;
}

/* Points of the rows that are simulated; row_of[point] is the row. */
static int make_plan(const struct validation *v,
		     const struct validate_options *o, struct plan *plan,
		     size_t *row_of, char *err, size_t err_size)
{
	int rc = 0;

	plan->point = calloc(v->rows.nr + 1, sizeof(*plan->point));
	if (!plan->point)
		return -ENOMEM;
	for (size_t i = 0; i < v->rows.nr && !rc; i++) {
		const struct case_row *row = &v->rows.row[i];
		struct scenario_error e = { 0 };
		struct assignment *a;
		size_t nr;

		if (row->role == ROLE_NOT_MODELLED)
			continue;
		a = row_assignments(row, o, &nr);
		if (!a)
			return -ENOMEM;
		rc = scenario_init(&plan->point[plan->nr], a, nr, &e);
		if (rc)
			rc = refuse(row, &e, rc, err, err_size);
		else
			row_of[plan->nr++] = i;
		free(a);
	}
	return rc;
}

struct keeper {
	struct validation *v;
	const size_t *row_of;
};

static int keep(void *ctx, size_t point, const struct result *r)
{
	struct keeper *k = ctx;
	size_t i = k->row_of[point];
	struct validation_row *row = &k->v->row[i];
	enum metric metric = k->v->rows.row[i].metric;

	if (strcmp(r->state, "done")) {
		row->failed = strdup(r->error ? r->error : r->state);
		return row->failed ? 0 : -ENOMEM;
	}
	row->simulated = r->metric[metric].mean;
	row->ci95 = r->metric[metric].ci95;
	row->wait_ns = r->metric[METRIC_wait_ns_mean].mean;
	row->replications = r->replications;
	row->nr_pairs = r->metric[METRIC_pairs].mean;
	row->regime = r->regime;
	return 0;
}

static int simulate(struct validation *v, const struct validate_options *o,
		    char *err, size_t err_size)
{
	struct keeper k = { .v = v };
	struct sweep_options sweep = o->sweep;
	struct plan plan = { 0 };
	struct sweep_counts counts;
	size_t *row_of = calloc(v->rows.nr + 1, sizeof(*row_of));
	int rc = -ENOMEM;

	if (!row_of)
		return rc;
	k.row_of = row_of;
	sweep.done = keep;
	sweep.ctx = &k;
	rc = make_plan(v, o, &plan, row_of, err, err_size);
	if (!rc)
		rc = sweep_run(&plan, &sweep, &counts, err, err_size);
	plan_free(&plan);
	free(row_of);
	return rc;
}

int validate_run(const struct vcase *c, const struct validate_options *o,
		 struct validation *v, char *err, size_t err_size)
{
	int rc;

	snprintf(err, err_size, "%s", "");
	*v = (struct validation) { .c = c };
	rc = vcase_rows(c, o->data, o->effort, &v->rows, err, err_size);
	if (rc)
		return rc;
	v->row = calloc(v->rows.nr + 1, sizeof(*v->row));
	if (!v->row)
		rc = -ENOMEM;
	for (size_t i = 0; i < v->rows.nr && !rc; i++)
		v->row[i] = (struct validation_row) {
			.simulated = NAN, .ci95 = NAN, .wait_ns = NAN,
		};
	if (!rc)
		rc = simulate(v, o, err, err_size);
	if (!rc)
		rc = validate_judge(v);
	if (rc) {
		if (!*err)
			snprintf(err, err_size, "%s", strerror(-rc));
		validation_free(v);
	}
	return rc;
}

void validation_free(struct validation *v)
{
	for (size_t i = 0; v->row && i < v->rows.nr; i++)
		free(v->row[i].failed);
	free(v->row);
	free(v->group);
	case_rows_free(&v->rows);
	*v = (struct validation) { 0 };
}
