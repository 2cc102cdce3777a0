/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A validation as a table for people and tables for machines. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "study/validate.h"

/* Words of a paragraph, broken before column 78; later lines are indented. */
__attribute__((format(printf, 2, 3)))
static void put_wrapped(FILE *out, const char *fmt, ...)
{
	char text[1600], *save = NULL;
	int column = 0;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	for (char *w = strtok_r(text, " ", &save); w;
	     w = strtok_r(NULL, " ", &save)) {
		int len = (int)strlen(w);

		if (column && column + 1 + len > TABLE_WIDTH_MAX) {
			fputs("\n ", out);
			column = 1;
		}
		column += fprintf(out, "%s%s", column ? " " : "", w);
	}
	putc('\n', out);
}

static bool has_wait(const struct validation *v)
{
	for (size_t i = 0; i < v->rows.nr; i++)
		if (!isnan(v->rows.row[i].wait_ns))
			return true;
	return false;
}

static const char *remark(const struct validation *v, size_t i)
{
	const struct validation_row *r = &v->row[i];
	enum role role = v->rows.row[i].role;

	if (role == ROLE_NOT_MODELLED)
		return role_names[role];
	if (r->failed)
		return "failed";
	if (!r->pass)
		return "OUT";
	return "";
}

static int put_error_rows(const struct validation *v, FILE *out)
{
	static const struct table_column column[] = {
		{ "row", TABLE_PLAIN }, { "published", TABLE_NS },
		{ "simulated", TABLE_NS }, { "+-95%", TABLE_NS },
		{ "error %", TABLE_PCT }, { "at most %", TABLE_PCT },
		{ "role", TABLE_PLAIN }, { "", TABLE_PLAIN },
	};
	struct table *t = table_begin(out, TABLE_TEXT, column,
				      ARRAY_SIZE(column));

	if (!t)
		return -ENOMEM;
	for (size_t i = 0; i < v->rows.nr; i++) {
		const struct case_row *row = &v->rows.row[i];
		const struct validation_row *r = &v->row[i];

		table_text(t, row->name);
		table_real(t, row->published);
		table_real(t, r->simulated);
		table_real(t, r->ci95);
		table_real(t, r->error_pct);
		table_real(t, r->tolerance_pct);
		table_text(t, role_names[row->role]);
		table_text(t, remark(v, i));
	}
	return table_end(t);
}

/* At most eight characters. */
static void put_rate(FILE *out, double value)
{
	char text[32];

	if (snprintf(text, sizeof(text), "%.5g", value) > 8)
		snprintf(text, sizeof(text), "%.3g", value);
	fprintf(out, " %8s", text);
}

/* Rates and waits need more columns than a table of this width has. */
static void put_rate_rows(const struct validation *v, FILE *out)
{
	fprintf(out, "%-27s%8s %8s %5s %6s %8s %6s\n", "row", v->c->unit,
		"simul.", "+-%", "error%", "wait us", "error%");
	for (size_t i = 0; i < v->rows.nr; i++) {
		const struct case_row *row = &v->rows.row[i];
		const struct validation_row *r = &v->row[i];

		fprintf(out, "%-26s", row->name);
		put_rate(out, row->published * v->c->scale);
		if (row->role != ROLE_NOT_MODELLED && !r->failed) {
			put_rate(out, r->simulated * v->c->scale);
			if (isnan(r->ci95))
				fputs("     -", out);
			else
				fprintf(out, " %5.2f",
					100 * r->ci95 / row->published);
			fprintf(out, " %6.2f", r->error_pct);
			put_rate(out, r->wait_ns / 1000);
			fprintf(out, " %6.2f", row->wait_ns > 0 ? 100 *
				(r->wait_ns / row->wait_ns - 1) : 0);
		}
		fprintf(out, "%s%s\n", *remark(v, i) ? " " : "",
			remark(v, i));
	}
}

static void put_error_group(const struct validation_group *r,
			    const struct case_group *g, FILE *out)
{
	put_wrapped(out, "%s (%s): mean error %.1f%%, at most %.0f%%; worst "
		    "%.1f%%, at most %.0f%%; %zu rows that did not calibrate: "
		    "%s. Rows that did (%zu): %.1f%%.", g->name, g->help,
		    r->mape_pct, g->mean_pct, r->worst_pct, g->worst_pct,
		    r->nr_validate, r->pass ? "pass" : "FAIL",
		    r->nr_calibrate, r->fit_mape_pct);
	if (g->log_n[0] > 0)
		put_wrapped(out, "Curves through the rows that calibrated, "
			    "on the same others: logarithm through %.0f and "
			    "%.0f %.1f%%, line through %.0f and %.0f %.1f%%, "
			    "USL %.1f%%, MVA of one lock %.1f%%. They know "
			    "this curve, and nothing about another design.",
			    g->log_n[0], g->log_n[1], r->log_pct,
			    g->line_n[0], g->line_n[1], r->line_pct,
			    r->usl_pct, r->mva_pct);
}

static void put_group(const struct validation *v, size_t group, FILE *out)
{
	const struct case_group *g = &v->c->group[group];
	const struct validation_group *r = &v->group[group];

	if (!r->nr_validate && !r->nr_calibrate)
		return;
	switch (g->criterion) {
	case CRITERION_ERROR:
		put_error_group(r, g, out);
		break;
	case CRITERION_INTERVAL:
		put_wrapped(out, "%s (%s): %.1f%% of %zu rows inside their 95%% "
			    "interval, at least %.0f%%; %zu outside the 99.99%% "
			    "one, none may; widest half-width %.2f%%, at most "
			    "%.2f%%: %s.", g->name, g->help,
			    100 - 100.0 * (double)r->nr_outside95 /
			    (double)r->nr_validate, r->nr_validate,
			    100 * g->inside95, r->nr_outside9999,
			    r->half_width_pct, g->half_width_pct,
			    r->pass ? "pass" : "FAIL");
		break;
	case CRITERION_EXACT:
		put_wrapped(out, "%s (%s): worst of %zu rows off by a share of "
			    "%.1e, at most %.1e: %s.", g->name, g->help,
			    r->nr_validate, r->worst_pct / 100,
			    g->worst_pct / 100, r->pass ? "pass" : "FAIL");
		break;
	}
}

static int put_text(const struct validation *v, FILE *out)
{
	int rc = 0;

	put_wrapped(out, "%s: %s", v->c->name, v->c->help);
	put_wrapped(out, "published: %s", v->c->source);
	putc('\n', out);
	if (has_wait(v))
		put_rate_rows(v, out);
	else
		rc = put_error_rows(v, out);
	putc('\n', out);
	for (size_t i = 0; i < v->rows.nr; i++)
		if (v->row[i].failed)
			put_wrapped(out, "%s failed: %s", v->rows.row[i].name,
				    v->row[i].failed);
	for (size_t g = 0; g < v->c->nr_groups; g++)
		put_group(v, g, out);
	if (v->c->left_out)
		put_wrapped(out, "Not in the model: %s.", v->c->left_out);
	if (v->c->changed)
		put_wrapped(out, "Changed after looking at rows that validate: "
			    "%s.", v->c->changed);
	fprintf(out, "%s: %s\n", v->c->name, v->pass ? "pass" : "FAIL");
	return rc;
}

static int put_rows(const struct validation *v, size_t nr,
		    enum table_format format, FILE *out)
{
	static const struct table_column column[] = {
		{ "case", TABLE_PLAIN }, { "row", TABLE_PLAIN },
		{ "unit", TABLE_PLAIN }, { "published", TABLE_PLAIN },
		{ "simulated", TABLE_PLAIN }, { "ci95", TABLE_PLAIN },
		{ "error_pct", TABLE_PLAIN }, { "tolerance_pct", TABLE_PLAIN },
		{ "role", TABLE_PLAIN }, { "regime", TABLE_PLAIN },
		{ "pass", TABLE_PLAIN },
	};
	struct table *t = table_begin(out, format, column, ARRAY_SIZE(column));

	if (!t)
		return -ENOMEM;
	for (; nr--; v++) {
		for (size_t i = 0; i < v->rows.nr; i++) {
			const struct case_row *row = &v->rows.row[i];
			const struct validation_row *r = &v->row[i];

			table_text(t, v->c->name);
			table_text(t, row->name);
			table_text(t, v->c->unit);
			table_real(t, row->published * v->c->scale);
			table_real(t, r->simulated * v->c->scale);
			table_real(t, r->ci95 * v->c->scale);
			table_real(t, r->error_pct);
			table_real(t, r->tolerance_pct);
			table_text(t, role_names[row->role]);
			table_text(t, regime_names[r->regime]);
			table_int(t, r->pass);
		}
	}
	return table_end(t);
}

int validate_print(const struct validation *v, size_t nr,
		   enum table_format format, FILE *out)
{
	int rc = 0;

	if (format == TABLE_JSON)
		rc = validate_print_json(v, nr, out);
	else if (format != TABLE_TEXT)
		rc = put_rows(v, nr, format, out);
	else
		for (size_t i = 0; i < nr && !rc; i++) {
			if (i)
				putc('\n', out);
			rc = put_text(&v[i], out);
		}
	return rc ? rc : ferror(out) ? -EIO : 0;
}
