/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The registry of cases, and what their row functions share. */
#define _GNU_SOURCE		/* vasprintf */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/datadir.h"
#include "study/case.h"

#define CASE(name) extern const struct vcase case_##name;
#include "study/cases.def"
#undef CASE

const struct vcase *const vcases[] = {
#define CASE(name) &case_##name,
#include "study/cases.def"
#undef CASE
	NULL,
};

const char *const role_names[] = {
	[ROLE_CALIBRATE] = "calibrate",
	[ROLE_VALIDATE] = "validate",
	[ROLE_NOT_MODELLED] = "not-modelled",
};

const struct vcase *vcase_find(const char *name)
{
	for (const struct vcase *const *c = vcases; *c; c++)
		if (!strcmp((*c)->name, name))
			return *c;
	return NULL;
}

static int find_columns(const struct vcase *c, struct case_table *t, char *err,
			size_t err_size)
{
	for (size_t k = 0; c->column[k]; k++) {
		ssize_t col = published_column(&t->p, c->column[k]);

		if (col < 0) {
			snprintf(err, err_size, "%s:1:1: no column %s, which "
				 "case %s needs", t->path, c->column[k],
				 c->name);
			return -EINVAL;
		}
		t->col[k] = (size_t)col;
	}
	return 0;
}

int case_refuse(const struct case_table *t, size_t row, size_t k,
		const char *expected, char *err, size_t err_size)
{
	snprintf(err, err_size, "%s:%zu:1: \"%s\" in column %s, expected %s",
		 t->path, t->p.line[row], case_text(t, row, k),
		 t->p.column[t->col[k]], expected);
	return -EINVAL;
}

int vcase_rows(const struct vcase *c, const char *path, enum effort effort,
	       struct case_rows *rows, char *err, size_t err_size)
{
	struct case_table t = { .path = path };
	char shipped[PATH_MAX];
	int rc;

	*rows = (struct case_rows) { 0 };
	if (!path) {
		rc = datadir_path("published", c->data, shipped,
				  sizeof(shipped));
		if (rc) {
			snprintf(err, err_size, "%s: %s, expected the data of "
				 "case %s", shipped, strerror(-rc), c->name);
			return rc;
		}
		t.path = shipped;
	}
	rc = published_read(&t.p, t.path, err, err_size);
	if (rc)
		return rc;
	rc = find_columns(c, &t, err, err_size);
	if (!rc)
		rc = c->rows(&t, effort, rows, err, err_size);
	published_free(&t.p);
	if (rc)
		case_rows_free(rows);
	if (rc == -ENOMEM)
		snprintf(err, err_size, "%s", strerror(ENOMEM));
	return rc;
}

void case_rows_free(struct case_rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++) {
		struct case_row *row = &rows->row[i];

		for (size_t j = 0; j < row->nr_a; j++) {
			free(row->a[j].key);
			free(row->a[j].value);
		}
		free(row->a);
	}
	free(rows->row);
	*rows = (struct case_rows) { 0 };
}

struct case_row *case_row_add(struct case_rows *rows, const char *fmt, ...)
{
	struct case_row *row;
	va_list args;

	row = reallocarray(rows->row, rows->nr + 1, sizeof(*row));
	if (!row)
		return NULL;
	rows->row = row;
	row += rows->nr++;
	*row = (struct case_row) { .wait_ns = NAN };
	va_start(args, fmt);
	vsnprintf(row->name, sizeof(row->name), fmt, args);
	va_end(args);
	return row;
}

int case_row_set(struct case_row *row, const char *key, const char *fmt, ...)
{
	struct assignment *a, new = { .key = strdup(key) };
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&new.value, fmt, args) < 0)
		new.value = NULL;
	va_end(args);
	a = reallocarray(row->a, row->nr_a + 1, sizeof(*a));
	if (a)
		row->a = a;
	if (!a || !new.key || !new.value) {
		free(new.key);
		free(new.value);
		return -ENOMEM;
	}
	row->a[row->nr_a++] = new;
	return 0;
}
