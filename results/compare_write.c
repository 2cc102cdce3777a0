/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparisons on paper and for machines. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/compare.h"
#include "results/json.h"

#define PCT_WIDTH	11	/* " (   0.00%)" */

/* One unit for the whole table, so that a column can be read downwards. */
struct scale {
	double per;
	const char *unit;
	int decimals;
};

static double smallest(const struct compare *c)
{
	double least = INFINITY;
	size_t i;

	for (i = 0; i < c->nr_rows * c->nr_columns; i++)
		if (c->value[i].mean > 0 && c->value[i].mean < least)
			least = c->value[i].mean;
	return least;
}

static double largest(const struct compare *c)
{
	double most = 0;
	size_t i;

	for (i = 0; i < c->nr_rows * c->nr_columns; i++)
		if (fabs(c->value[i].mean) > most)
			most = fabs(c->value[i].mean);
	return most;
}

/* The largest value has a digit or more before the point, in steps of 1000. */
static struct scale choose_scale(const struct compare *c)
{
	static const char *const times[] = { "ns", "us", "ms", "s" };
	static const char *const rates[] = { "1/s", "k/s", "M/s", "G/s" };
	const char *unit = metric_descs[c->metric].unit;
	const char *const *names = !strcmp(unit, "ns") ? times :
		!strcmp(unit, "1/s") ? rates : NULL;
	struct scale s = { 1, unit, 4 };
	int i = 0;

	while (names && i < 3 && largest(c) / s.per >= 1000) {
		s.per *= 1000;
		i++;
	}
	if (names)
		s.unit = names[i];
	if (smallest(c) / s.per >= 100)
		s.decimals = 2;
	return s;
}

static void format_value(char *buf, size_t size, const struct scale *s,
			 double value)
{
	if (isnan(value))
		snprintf(buf, size, "-");
	else
		snprintf(buf, size, "%.*f", s->decimals, value / s->per);
}

static void format_pct(char *buf, size_t size, const struct compare *c,
		       size_t row, size_t col)
{
	bool star = compare_is_significant(c, row, col);
	double pct = compare_better_pct(c, row, col);

	if (isnan(pct))
		snprintf(buf, size, "%*s", PCT_WIDTH, "");
	else
		snprintf(buf, size, " %c%7.2f%%%c", star ? '*' : '(', pct,
			 star ? '*' : ')');
}

static size_t max(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* Of a column's values; with the percentage it also holds the heading. */
static size_t value_width(const struct compare *c, const struct scale *s,
			  size_t col)
{
	size_t row, width = 7, len = strlen(c->column[col]);
	char buf[64];

	for (row = 0; row < c->nr_rows; row++) {
		format_value(buf, sizeof(buf), s,
			     c->value[row * c->nr_columns + col].mean);
		width = max(width, strlen(buf));
	}
	return len > width + PCT_WIDTH ? len - PCT_WIDTH : width;
}

struct layout {
	struct scale scale;
	size_t *width;		/* of each column's values */
	size_t label;		/* width of "Amean  32" */
	size_t key;		/* of the "32" in it */
};

static size_t block_end(const struct compare *c, const struct layout *l,
			size_t first)
{
	size_t col, sum = l->label;

	for (col = first; col < c->nr_columns; col++) {
		sum += 2 + l->width[col] + PCT_WIDTH;
		if (col > first && sum > TABLE_WIDTH_MAX)
			break;
	}
	return col;
}

static void put_row(const struct compare *c, const struct layout *l,
		    FILE *out, size_t row, size_t first, size_t end)
{
	char value[64], pct[64];
	size_t col;

	fprintf(out, "Amean %*s", (int)l->key, c->row[row]);
	for (col = first; col < end; col++) {
		format_value(value, sizeof(value), &l->scale,
			     c->value[row * c->nr_columns + col].mean);
		format_pct(pct, sizeof(pct), c, row, col);
		/* No blanks at the end of a line without a percentage. */
		fprintf(out, "  %*s%s", (int)l->width[col], value,
			col + 1 == end && pct[PCT_WIDTH - 1] == ' ' ? "" : pct);
	}
	putc('\n', out);
}

static void put_block(const struct compare *c, const struct layout *l,
		      FILE *out, size_t first, size_t end)
{
	size_t row, col;

	fprintf(out, "%*s", (int)l->label, "");
	for (col = first; col < end; col++)
		fprintf(out, "  %*s", (int)l->width[col] + PCT_WIDTH,
			c->column[col]);
	putc('\n', out);
	for (row = 0; row < c->nr_rows; row++)
		put_row(c, l, out, row, first, end);
	fprintf(out, "%-*s", (int)l->label, "Ratio");
	for (col = first; col < end; col++) {
		double ratio = compare_ratio(c, col);

		if (isnan(ratio))
			fprintf(out, "  %*s", (int)l->width[col], "-");
		else
			fprintf(out, "  %*.2f", (int)l->width[col], ratio);
		fprintf(out, "%*s", col + 1 < end ? PCT_WIDTH : 0, "");
	}
	putc('\n', out);
}

static void put_legend(const struct compare *c, FILE *out)
{
	bool neither = metric_descs[c->metric].better == NEITHER;

	fprintf(out, "\n%% to the first column, %s; * = 95%% intervals do "
		"not overlap\nRatio: geometric mean over the rows, %s\n",
		neither ? "+ is more" : "positive is better",
		neither ? "value to baseline" : "above 1 is better");
}

static int write_table(const struct compare *c, FILE *out)
{
	struct layout l = { .scale = choose_scale(c) };
	size_t i, end;

	l.width = calloc(c->nr_columns, sizeof(*l.width));
	if (!l.width)
		return -ENOMEM;
	for (i = 0; i < c->nr_rows; i++)
		l.key = max(l.key, strlen(c->row[i]));
	l.label = strlen("Amean ") + l.key;
	for (i = 0; i < c->nr_columns; i++)
		l.width[i] = value_width(c, &l.scale, i);
	fprintf(out, "%s in %s, by %s\n", metric_descs[c->metric].name,
		l.scale.unit, c->axis);
	for (i = 0; i < c->nr_columns; i = end) {
		end = block_end(c, &l, i);
		if (i)
			putc('\n', out);
		put_block(c, &l, out, i, end);
	}
	put_legend(c, out);
	free(l.width);
	return 0;
}

static json_t *json_row(const struct compare *c, size_t row)
{
	json_t *values = json_array();
	size_t col;

	for (col = 0; col < c->nr_columns; col++) {
		const struct metric_value *v =
			&c->value[row * c->nr_columns + col];

		json_array_append_new(values, json_pack(
			"{s:o, s:o, s:o, s:b}",
			"mean", json_real_or_null(v->mean),
			"ci95", json_real_or_null(v->ci95),
			"better_pct", json_real_or_null(
				compare_better_pct(c, row, col)),
			"significant", compare_is_significant(c, row, col)));
	}
	return json_pack("{s:o, s:o}", "row", json_text(c->row[row]),
			 "values", values);
}

static int write_json(const struct compare *c, FILE *out)
{
	static const char *const better[] = { "lower", "higher", "neither" };
	const struct metric_desc *m = &metric_descs[c->metric];
	json_t *columns = json_array(), *rows = json_array();
	json_t *ratios = json_array(), *all;
	size_t i;
	int rc = 0;

	for (i = 0; i < c->nr_columns; i++) {
		json_array_append_new(columns, json_text(c->column[i]));
		json_array_append_new(ratios, json_real_or_null(
				      compare_ratio(c, i)));
	}
	for (i = 0; i < c->nr_rows; i++)
		json_array_append_new(rows, json_row(c, i));
	all = json_pack("{s:i, s:s, s:s, s:s, s:s, s:o, s:o, s:o}",
			"schema", RUNS_JSON_SCHEMA, "metric", m->name,
			"unit", m->unit, "better", better[m->better],
			"axis", c->axis, "columns", columns, "rows", rows,
			"ratio", ratios);
	if (!all)
		return -ENOMEM;
	if (json_dumpf(all, out, JSON_ENSURE_ASCII | JSON_INDENT(1)))
		rc = -EIO;
	json_decref(all);
	putc('\n', out);
	return rc;
}

static int write_records(const struct compare *c, FILE *out,
			 enum table_format format)
{
	const struct table_column columns[] = {
		{ "column", TABLE_PLAIN }, { c->axis, TABLE_PLAIN },
		{ metric_descs[c->metric].name, TABLE_PLAIN },
		{ "ci95", TABLE_PLAIN }, { "better_pct", TABLE_PLAIN },
		{ "significant", TABLE_PLAIN },
	};
	struct table *t = table_begin(out, format, columns,
				      ARRAY_SIZE(columns));
	size_t row, col;

	if (!t)
		return -ENOMEM;
	for (col = 0; col < c->nr_columns; col++) {
		for (row = 0; row < c->nr_rows; row++) {
			const struct metric_value *v =
				&c->value[row * c->nr_columns + col];

			table_text(t, c->column[col]);
			table_text(t, c->row[row]);
			table_real(t, v->mean);
			table_real(t, v->ci95);
			table_real(t, compare_better_pct(c, row, col));
			table_int(t, compare_is_significant(c, row, col));
		}
	}
	return table_end(t);
}

int compare_write(const struct compare *c, FILE *out, enum table_format format)
{
	int rc;

	if (format == TABLE_TEXT)
		rc = write_table(c, out);
	else if (format == TABLE_JSON)
		rc = write_json(c, out);
	else
		rc = write_records(c, out, format);
	if (!rc && (fflush(out) || ferror(out)))
		rc = -EIO;
	return rc;
}
