/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results side by side: which cell each falls into, and the arithmetic. */
#include "results/compare.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *row_of(const struct result *r, const char *axis, char *buf,
			  size_t size)
{
	size_t i;

	if (!strcmp(axis, "nr_threads")) {
		snprintf(buf, size, "%u", r->nr_threads);
		return buf;
	}
	for (i = 0; i < r->nr_params; i++)
		if (!strcmp(r->param[i].name, axis))
			return r->param[i].value;
	return "-";
}

static ssize_t find(char **list, size_t nr, const char *text)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (!strcmp(list[i], text))
			return (ssize_t)i;
	return -ENOENT;
}

/* list has room for one more. */
static int add_once(char **list, size_t *nr, const char *text)
{
	if (find(list, *nr, text) >= 0)
		return 0;
	list[*nr] = strdup(text);
	if (!list[*nr])
		return -ENOMEM;
	(*nr)++;
	return 0;
}

static bool leading_number(const char *text, double *value)
{
	char *end;

	*value = strtod(text, &end);
	return end != text && isfinite(*value);
}

/* Only when all are numbers of one unit ("2ms" and "3us" stay as they came). */
static void sort_rows(char **row, size_t nr)
{
	size_t i, j, unit = nr ? strspn(row[0], "+-.0123456789") : 0;
	double a, b;

	for (i = 0; i < nr; i++)
		if (!leading_number(row[i], &a) ||
		    strcmp(row[i] + strspn(row[i], "+-.0123456789"),
			   row[0] + unit))
			return;
	for (i = 1; i < nr; i++) {
		char *moved = row[i];

		leading_number(moved, &b);
		for (j = i; j > 0; j--) {
			leading_number(row[j - 1], &a);
			if (a <= b)
				break;
			row[j] = row[j - 1];
		}
		row[j] = moved;
	}
}

static bool has_figure(const struct compare_item *item, enum metric metric)
{
	return item->result->state && !strcmp(item->result->state, "done") &&
		!isnan(item->result->metric[metric].mean);
}

static int add_headings(struct compare *c, const struct compare_item *item,
			size_t nr)
{
	char buf[16];
	size_t i;
	int rc = 0;

	for (i = 0; !rc && i < nr; i++) {
		if (!has_figure(&item[i], c->metric))
			continue;
		rc = add_once(c->column, &c->nr_columns, item[i].column);
		if (!rc)
			rc = add_once(c->row, &c->nr_rows,
				      row_of(item[i].result, c->axis, buf,
					     sizeof(buf)));
	}
	if (!rc && !c->nr_columns)
		rc = -ENOENT;
	if (!rc)
		sort_rows(c->row, c->nr_rows);
	return rc;
}

static int fill(struct compare *c, const struct compare_item *item, size_t nr)
{
	char buf[16];
	size_t i;

	c->value = calloc(c->nr_rows * c->nr_columns, sizeof(*c->value));
	if (!c->value)
		return -ENOMEM;
	for (i = 0; i < c->nr_rows * c->nr_columns; i++)
		c->value[i] = (struct metric_value){ NAN, NAN };
	for (i = 0; i < nr; i++) {
		const char *row = row_of(item[i].result, c->axis, buf,
					 sizeof(buf));
		ssize_t at = find(c->row, c->nr_rows, row);
		ssize_t col = find(c->column, c->nr_columns, item[i].column);

		if (at >= 0 && col >= 0 && has_figure(&item[i], c->metric))
			c->value[(size_t)at * c->nr_columns + (size_t)col] =
				item[i].result->metric[c->metric];
	}
	return 0;
}

int compare_init(struct compare *c, const struct compare_item *item, size_t nr,
		 const char *axis, enum metric metric)
{
	int rc = -ENOMEM;

	*c = (struct compare){ .metric = metric, .axis = axis };
	c->column = calloc(nr + 1, sizeof(*c->column));
	c->row = calloc(nr + 1, sizeof(*c->row));
	if (c->column && c->row)
		rc = add_headings(c, item, nr);
	if (!rc)
		rc = fill(c, item, nr);
	if (rc)
		compare_free(c);
	return rc;
}

void compare_free(struct compare *c)
{
	size_t i;

	for (i = 0; i < c->nr_columns; i++)
		free(c->column[i]);
	for (i = 0; i < c->nr_rows; i++)
		free(c->row[i]);
	free(c->column);
	free(c->row);
	free(c->value);
	memset(c, 0, sizeof(*c));
}

double compare_better_pct(const struct compare *c, size_t row, size_t column)
{
	const struct metric_value *v = &c->value[row * c->nr_columns];
	double change = (v[column].mean - v[0].mean) / fabs(v[0].mean) * 100;

	if (v[column].mean == v[0].mean)
		return 0;	/* also where both are 0 */
	return metric_descs[c->metric].better == LOWER ? -change : change;
}

bool compare_is_significant(const struct compare *c, size_t row, size_t column)
{
	const struct metric_value *v = &c->value[row * c->nr_columns];

	/* False with a NAN in it. */
	return fabs(v[column].mean - v[0].mean) > v[column].ci95 + v[0].ci95;
}

double compare_ratio(const struct compare *c, size_t column)
{
	double sum = 0;
	size_t row, nr = 0;

	for (row = 0; row < c->nr_rows; row++) {
		const struct metric_value *v = &c->value[row * c->nr_columns];

		if (isnan(v[0].mean) || isnan(v[column].mean))
			continue;
		if (v[0].mean <= 0 || v[column].mean <= 0)
			return NAN;
		sum += log(v[column].mean / v[0].mean);
		nr++;
	}
	if (!nr)
		return NAN;
	sum /= (double)nr;
	return exp(metric_descs[c->metric].better == LOWER ? -sum : sum);
}
