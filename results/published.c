/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reader of published figures: small CSV files with a header line. */
#include "results/published.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct published *p;
	const char *path;
	char *at;		/* next character */
	char *line_start;
	size_t line;		/* 1-based */
	size_t room;		/* of p->field */
	char *err;
	size_t err_size;
};

static int fail(struct reader *r, const char *where, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int fail(struct reader *r, const char *where, const char *format, ...)
{
	va_list ap;
	int n = snprintf(r->err, r->err_size, "%s:%zu:%zu: ", r->path, r->line,
			 (size_t)(where - r->line_start) + 1);

	if (n < 0 || (size_t)n >= r->err_size)
		return -EINVAL;
	va_start(ap, format);
	vsnprintf(r->err + n, r->err_size - (size_t)n, format, ap);
	va_end(ap);
	return -EINVAL;
}

/* Whole file as a string in p->text. */
static int slurp(struct published *p, const char *path)
{
	FILE *f = fopen(path, "r");
	size_t n;
	int rc = 0;

	if (!f)
		return -errno;
	p->text = malloc(PUBLISHED_SIZE_MAX + 1);
	if (!p->text) {
		fclose(f);
		return -ENOMEM;
	}
	errno = 0;
	n = fread(p->text, 1, PUBLISHED_SIZE_MAX + 1, f);
	if (ferror(f))
		rc = errno ? -errno : -EIO;
	else if (n > PUBLISHED_SIZE_MAX)
		rc = -EFBIG;
	fclose(f);
	if (!rc) {
		char *less = realloc(p->text, n + 1);

		if (less)
			p->text = less;
		p->text[n] = '\0';
		if (strlen(p->text) != n)
			rc = -EINVAL;	/* a NUL byte: no text */
	}
	return rc;
}

static bool ends_field(char c)
{
	return c == ',' || c == '\n' || c == '\r' || !c;
}

/*
 * Takes a field, unquoted in place; *field is ended once the character after
 * it has been looked at, so that character is returned in *end.
 */
static int take_field(struct reader *r, char **field, char *end)
{
	char *from = r->at, *to = r->at;

	*field = from;
	if (*from != '"') {
		while (!ends_field(*from) && *from != '"')
			from++;
		if (*from == '"')
			return fail(r, from, "a quote inside a field, expected "
				    "it at its start");
		to = from;
	} else {
		for (from++; *from != '"' || from[1] == '"'; from++) {
			if (*from == '\n' || !*from)
				return fail(r, from, "end of line in a quoted "
					    "field, expected a quote");
			if (*from == '"')
				from++;
			*to++ = *from;
		}
		from++;
		if (!ends_field(*from))
			return fail(r, from, "'%c' after a quoted field, "
				    "expected a comma", *from);
	}
	*end = *from;
	if (*from == '\r' && from[1] == '\n')
		*end = *++from;
	else if (*from == '\r')
		return fail(r, from, "a lone carriage return, expected the end "
			    "of the line");
	r->at = *from ? from + 1 : from;
	*to = '\0';
	return 0;
}

static int append(struct reader *r, char ***array, size_t nr, char *field)
{
	if (nr == r->room) {
		size_t room = r->room ? 2 * r->room : 64;
		char **more = realloc(*array, room * sizeof(*more));

		if (!more)
			return -ENOMEM;
		*array = more;
		r->room = room;
	}
	(*array)[nr] = field;
	return 0;
}

static void next_line(struct reader *r)
{
	r->line++;
	r->line_start = r->at;
}

/* Lines that say nothing; false at the end of the text. */
static bool skip_lines(struct reader *r)
{
	while (*r->at == '#' || *r->at == '\n' ||
	       (*r->at == '\r' && r->at[1] == '\n')) {
		r->at += strcspn(r->at, "\n");
		r->at += *r->at == '\n';
		next_line(r);
	}
	return *r->at;
}

static int take_header(struct reader *r)
{
	struct published *p = r->p;
	char *field, end;
	int rc;

	if (!skip_lines(r))
		return fail(r, r->at, "end of file, expected names of columns");
	do {
		rc = take_field(r, &field, &end);
		if (!rc && !*field)
			rc = fail(r, field, "an empty name of a column, "
				  "expected one");
		if (!rc && published_column(p, field) >= 0)
			rc = fail(r, field, "column '%.60s' twice, expected "
				  "different names", field);
		if (!rc)
			rc = append(r, &p->column, p->nr_columns, field);
		if (rc)
			return rc;
		p->nr_columns++;
	} while (end == ',');
	next_line(r);
	return 0;
}

static int add_row(struct reader *r)
{
	struct published *p = r->p;
	size_t *more = p->line;

	if (!(p->nr_rows & (p->nr_rows - 1)))	/* full at powers of two */
		more = realloc(p->line, (p->nr_rows ? 2 * p->nr_rows : 1) *
			       sizeof(*more));
	if (!more)
		return -ENOMEM;
	p->line = more;
	more[p->nr_rows++] = r->line;
	next_line(r);
	return 0;
}

static int take_row(struct reader *r)
{
	struct published *p = r->p;
	char *field, end = ',';
	size_t i;
	int rc;

	for (i = 0; i < p->nr_columns; i++) {
		if (end != ',')
			return fail(r, r->at > r->line_start ? r->at - 1
				    : r->at, "%zu fields, expected %zu", i,
				    p->nr_columns);
		rc = take_field(r, &field, &end);
		if (!rc)
			rc = append(r, &p->field, p->nr_rows * p->nr_columns +
				    i, field);
		if (rc)
			return rc;
	}
	if (end == ',')
		return fail(r, r->at - 1, "more than %zu fields, expected as "
			    "many as names of columns", p->nr_columns);
	return add_row(r);
}

/* NAN unless the whole field is a number. */
static double number(const char *field)
{
	char *end;
	double value;

	if (!*field || strspn(field, "0123456789+-.eE") != strlen(field))
		return NAN;
	value = strtod(field, &end);
	return *end ? NAN : value;
}

static int take_all(struct reader *r)
{
	struct published *p = r->p;
	size_t i;
	int rc = take_header(r);

	r->room = 0;
	while (!rc && skip_lines(r))
		rc = take_row(r);
	if (rc)
		return rc;
	p->value = calloc(p->nr_rows * p->nr_columns + 1, sizeof(*p->value));
	if (!p->value)
		return -ENOMEM;
	for (i = 0; i < p->nr_rows * p->nr_columns; i++)
		p->value[i] = number(p->field[i]);
	return 0;
}

int published_read(struct published *p, const char *path, char *err,
		   size_t err_size)
{
	struct reader r = {
		.p = p, .path = path, .line = 1, .err = err,
		.err_size = err_size,
	};
	int rc;

	memset(p, 0, sizeof(*p));
	err[0] = '\0';
	rc = slurp(p, path);
	if (!rc) {
		r.at = r.line_start = p->text;
		rc = take_all(&r);
	}
	if (rc && !err[0])
		snprintf(err, err_size, "%s: %s", path, rc == -EINVAL ?
			 "not a text file, expected CSV" : strerror(-rc));
	if (rc)
		published_free(p);
	return rc;
}

void published_free(struct published *p)
{
	free(p->column);
	free(p->field);
	free(p->value);
	free(p->line);
	free(p->text);
	memset(p, 0, sizeof(*p));
}

ssize_t published_column(const struct published *p, const char *name)
{
	size_t i;

	for (i = 0; i < p->nr_columns; i++)
		if (!strcmp(p->column[i], name))
			return (ssize_t)i;
	return -ENOENT;
}
