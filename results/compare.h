/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RESULTS_COMPARE_H
#define RESULTS_COMPARE_H
/*
 * Results side by side, as MMTests lays them out: a column a design (or run),
 * the first is the baseline; a row a value of an axis (nr_threads, ...).
 *
 * The percentage is the difference to the baseline, signed so that positive is
 * better whatever the metric. '*' stands for the parentheses where the 95%
 * intervals do not overlap: |difference| > sum of both half-widths. The ratio
 * in the last line is the geometric mean over the rows that both columns have;
 * above 1 is better. For a metric that is neither good nor bad the sign says
 * only more (+) or less, and the ratio is value to baseline.
 */
#include <stdio.h>

#include "results/result.h"
#include "results/table.h"

struct compare_item {
	const char *column;		/* heading: design, key, label */
	const struct result *result;
};

struct compare {
	enum metric metric;
	const char *axis;		/* not owned */
	char **column;			/* in order of first appearance */
	size_t nr_columns;
	char **row;			/* numbers rising, else by first */
	size_t nr_rows;
	struct metric_value *value;	/* [row * nr_columns + column]; NAN:
					 * no such result */
};

/*
 * Takes the metric's figures from finished results. axis: "nr_threads" or the
 * name of a parameter; results without it are in row "-". When two results
 * fall into one cell the later wins. 0, or -ENOMEM, -ENOENT (no item with a
 * figure). c is freed with compare_free after success. Strings are copied.
 */
int compare_init(struct compare *c, const struct compare_item *item, size_t nr,
		 const char *axis, enum metric metric);
void compare_free(struct compare *c);

/* Signed percentage against the baseline; NAN when either is missing. */
double compare_better_pct(const struct compare *c, size_t row, size_t column);
bool compare_is_significant(const struct compare *c, size_t row,
			    size_t column);
/* Geometric mean; NAN without a common row or with a value <= 0. */
double compare_ratio(const struct compare *c, size_t column);

/*
 * table: as above, wrapped by columns at 78 characters. json: one object.
 * csv, tsv, md: a record a cell. 0, -ENOMEM, -EIO.
 */
int compare_write(const struct compare *c, FILE *out,
		  enum table_format format);

#endif
