/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A validation as the JSON document that scripts rely on. */
#include <errno.h>
#include <math.h>

#include "results/json.h"
#include "study/validate.h"

/* Reals of JSON; set_new() takes what it is given, NULL included. */
static int set_real(json_t *o, const char *key, double value)
{
	return json_object_set_new(o, key, json_real_or_null(value));
}

static json_t *json_row(const struct validation *v, size_t i)
{
	const struct case_row *row = &v->rows.row[i];
	const struct validation_row *r = &v->row[i];
	json_t *o = json_object();
	int rc = 0;

	rc |= json_object_set_new(o, "row", json_text(row->name));
	rc |= set_real(o, "published", row->published * v->c->scale);
	rc |= set_real(o, "simulated", r->simulated * v->c->scale);
	rc |= set_real(o, "ci95", r->ci95 * v->c->scale);
	rc |= set_real(o, "error_pct", r->error_pct);
	rc |= set_real(o, "tolerance_pct", r->tolerance_pct);
	rc |= json_object_set_new(o, "role", json_text(role_names[row->role]));
	rc |= json_object_set_new(o, "regime",
				  json_text(regime_names[r->regime]));
	rc |= json_object_set_new(o, "pass", json_boolean(r->pass));
	if (!isnan(row->wait_ns)) {
		rc |= set_real(o, "published_wait_ns", row->wait_ns);
		rc |= set_real(o, "simulated_wait_ns", r->wait_ns);
	}
	if (r->failed)
		rc |= json_object_set_new(o, "error", json_text(r->failed));
	if (rc) {
		json_decref(o);
		return NULL;
	}
	return o;
}

static json_t *json_group(const struct case_group *g,
			  const struct validation_group *r)
{
	json_t *o = json_object();
	int rc = 0;

	rc |= json_object_set_new(o, "group", json_text(g->name));
	rc |= json_object_set_new(o, "rows",
				  json_integer((json_int_t)r->nr_validate));
	rc |= set_real(o, "mape_pct", r->mape_pct);
	rc |= set_real(o, "worst_pct", r->worst_pct);
	rc |= set_real(o, "calibrated_mape_pct", r->fit_mape_pct);
	if (g->criterion == CRITERION_INTERVAL) {
		rc |= json_object_set_new(o, "outside95", json_integer(
					  (json_int_t)r->nr_outside95));
		rc |= json_object_set_new(o, "outside9999", json_integer(
					  (json_int_t)r->nr_outside9999));
		rc |= set_real(o, "half_width_pct", r->half_width_pct);
	}
	rc |= json_object_set_new(o, "pass", json_boolean(r->pass));
	if (rc) {
		json_decref(o);
		return NULL;
	}
	return o;
}

/* Of the group whose beginning calibrated; all null where there is none. */
static json_t *json_baselines(const struct validation *v)
{
	const struct validation_group none = { .usl_pct = NAN, .log_pct = NAN,
					       .line_pct = NAN,
					       .mva_pct = NAN };
	const struct validation_group *r = &none;
	json_t *o = json_object();
	int rc = 0;

	for (size_t g = v->c->nr_groups; g--; )
		if (v->c->group[g].log_n[0] > 0)
			r = &v->group[g];
	rc |= set_real(o, "usl", r->usl_pct);
	rc |= set_real(o, "log", r->log_pct);
	rc |= set_real(o, "line", r->line_pct);
	rc |= set_real(o, "mva", r->mva_pct);
	if (rc) {
		json_decref(o);
		return NULL;
	}
	return o;
}

static json_t *json_case(const struct validation *v)
{
	json_t *o = json_object(), *rows = json_array();
	json_t *groups = json_array();
	int rc = 0;

	rc |= json_object_set_new(o, "case", json_text(v->c->name));
	rc |= json_object_set_new(o, "source", json_text(v->c->source));
	rc |= json_object_set_new(o, "unit", json_text(v->c->unit));
	rc |= set_real(o, "mape_pct", v->mape_pct);
	rc |= set_real(o, "worst_pct", v->worst_pct);
	rc |= set_real(o, "holdout_mape_pct", v->holdout_mape_pct);
	rc |= json_object_set_new(o, "baselines", json_baselines(v));
	rc |= json_object_set_new(o, "pass", json_boolean(v->pass));
	rc |= json_object_set_new(o, "left_out", json_text(v->c->left_out));
	rc |= json_object_set_new(o, "changed", json_text(v->c->changed));
	for (size_t g = 0; g < v->c->nr_groups; g++)
		rc |= json_array_append_new(groups, json_group(
			&v->c->group[g], &v->group[g]));
	for (size_t i = 0; i < v->rows.nr; i++)
		rc |= json_array_append_new(rows, json_row(v, i));
	rc |= json_object_set_new(o, "groups", groups);
	rc |= json_object_set_new(o, "rows", rows);
	if (rc) {
		json_decref(o);
		return NULL;
	}
	return o;
}

int validate_print_json(const struct validation *v, size_t nr, FILE *out)
{
	json_t *root = json_object(), *cases = json_array();
	int rc = 0;

	for (size_t i = 0; i < nr; i++)
		rc |= json_array_append_new(cases, json_case(&v[i]));
	rc |= json_object_set_new(root, "schema",
				  json_integer(RUNS_JSON_SCHEMA));
	rc |= json_object_set_new(root, "cases", cases);
	if (!rc && json_dumpf(root, out, JSON_INDENT(2) | JSON_ENSURE_ASCII))
		rc = -EIO;
	else if (rc)
		rc = -ENOMEM;
	json_decref(root);
	putc('\n', out);
	return rc;
}
