/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RESULTS_PUBLISHED_H
#define RESULTS_PUBLISHED_H
/*
 * Published measurements and exact values: CSV files of results/published/
 * (its README.md says where each comes from). First line: names of columns,
 * with units in them; then one line a row, as many fields as names. Fields
 * may be in double quotes (RFC 4180, without line breaks inside). Empty lines
 * and lines that begin with '#' are skipped.
 */
#include "sim/types.h"

#define PUBLISHED_SIZE_MAX	(16u << 20)	/* bytes of a file */

struct published {
	char **column;		/* [nr_columns] */
	size_t nr_columns;
	char **field;		/* [nr_rows * nr_columns] */
	double *value;		/* the same as numbers; NAN: empty or text */
	size_t *line;		/* [nr_rows], 1-based, for messages */
	size_t nr_rows;
	char *text;		/* what the strings above point into */
};

/*
 * 0, or -ENOENT and other errors of opening, -EFBIG, -ENOMEM, or -EINVAL with
 * "path:line:col: what was found, what was expected" in err.
 */
int published_read(struct published *p, const char *path, char *err,
		   size_t err_size);
void published_free(struct published *p);
/* Index of a column, or -ENOENT. */
ssize_t published_column(const struct published *p, const char *name);

static inline const char *published_text(const struct published *p, size_t row,
					 size_t col)
{
	return p->field[row * p->nr_columns + col];
}

static inline double published_value(const struct published *p, size_t row,
				     size_t col)
{
	return p->value[row * p->nr_columns + col];
}

#endif
