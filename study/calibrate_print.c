/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a calibration found, beside its bounds, and how near it came. */
#include <errno.h>
#include <math.h>

#include "results/json.h"
#include "study/calibrate.h"

static int put_params(const struct calibration *c, enum table_format format,
		      FILE *out)
{
	static const struct table_column column[] = {
		{ "key", TABLE_PLAIN }, { "value", TABLE_PLAIN },
		{ "from", TABLE_PLAIN }, { "to", TABLE_PLAIN },
		{ "", TABLE_PLAIN },
	};
	struct table *t = table_begin(out, format, column, ARRAY_SIZE(column));

	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < c->nr_params; i++) {
		table_text(t, c->fit->param[i].key);
		table_text(t, c->param[i].value);
		table_text(t, c->fit->param[i].min);
		table_text(t, c->fit->param[i].max);
		table_text(t, c->param[i].at_bound ? "at its bound" : "");
	}
	return table_end(t);
}

static int put_rows(const struct calibration *c, enum table_format format,
		    FILE *out)
{
	static const struct table_column column[] = {
		{ "row", TABLE_PLAIN }, { "published_ns", TABLE_NS },
		{ "simulated_ns", TABLE_NS }, { "error_pct", TABLE_PCT },
	};
	struct table *t = table_begin(out, format, column, ARRAY_SIZE(column));

	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < c->rows.nr; i++) {
		const struct calibration_row *r = &c->row[i];

		if (isnan(r->published))
			continue;
		table_text(t, c->rows.row[i].name);
		table_real(t, r->published);
		table_real(t, r->simulated);
		table_real(t, 100 * (r->simulated / r->published - 1));
	}
	return table_end(t);
}

static json_t *json_params(const struct calibration *c)
{
	json_t *a = json_array();

	for (size_t i = 0; i < c->nr_params; i++)
		json_array_append_new(a, json_pack("{s:s, s:s, s:s, s:s, s:b}",
			"key", c->fit->param[i].key,
			"value", c->param[i].value,
			"min", c->fit->param[i].min,
			"max", c->fit->param[i].max,
			"at_bound", (int)c->param[i].at_bound));
	return a;
}

static json_t *json_rows(const struct calibration *c)
{
	json_t *a = json_array();

	for (size_t i = 0; i < c->rows.nr; i++) {
		const struct calibration_row *r = &c->row[i];

		if (isnan(r->published))
			continue;
		json_array_append_new(a, json_pack("{s:s, s:f, s:f, s:f}",
			"row", c->rows.row[i].name,
			"published_ns", r->published,
			"simulated_ns", r->simulated,
			"error_pct", 100 * (r->simulated / r->published - 1)));
	}
	return a;
}

static int put_json(const struct calibration *c, FILE *out)
{
	json_t *root = json_pack("{s:i, s:s, s:s, s:s, s:f, s:f, s:I, s:o?, "
				 "s:o?}",
		"schema", RUNS_JSON_SCHEMA, "machine", c->fit->machine,
		"case", c->fit->vcase, "source", c->fit->source,
		"mape_pct", c->mape_pct, "worst_pct", c->worst_pct,
		"points", (json_int_t)c->report.nr_points,
		"params", json_params(c), "rows", json_rows(c));
	int rc = root ? 0 : -ENOMEM;

	if (root && json_dumpf(root, out, JSON_INDENT(2) | JSON_ENSURE_ASCII))
		rc = -EIO;
	json_decref(root);
	putc('\n', out);
	return rc;
}

int calibrate_print(const struct calibration *c, enum table_format format,
		    FILE *out)
{
	int rc;

	if (format == TABLE_JSON)
		return put_json(c, out);
	if (format != TABLE_TEXT)
		return put_params(c, format, out);
	rc = put_rows(c, format, out);
	putc('\n', out);
	if (!rc)
		rc = put_params(c, format, out);
	fprintf(out, "\n%s: mean error %.2f%%, worst %.2f%% on the rows that "
		"calibrate;\n%zu sets of costs in %u rounds\n", c->fit->machine,
		c->mape_pct, c->worst_pct,
		c->report.nr_points, c->report.nr_rounds);
	return rc ? rc : ferror(out) ? -EIO : 0;
}
