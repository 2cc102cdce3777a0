/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records as an aligned table, or for machines. */
#include "results/table.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/json.h"

const char *const table_format_names[] = {
	[TABLE_TEXT] = "table", [TABLE_JSON] = "json", [TABLE_CSV] = "csv",
	[TABLE_TSV] = "tsv", [TABLE_MD] = "md", NULL
};

struct table {
	FILE *out;
	enum table_format format;
	const struct table_column *column;
	size_t nr;		/* columns */
	size_t at;		/* column of the next cell */
	size_t nr_rows;
	char **cell;		/* TABLE_TEXT: nr_rows * nr, owned */
	bool *number;		/* TABLE_TEXT: [nr], only numbers so far */
	size_t nr_cells, room;
	bool no_memory;
};

int table_format_find(const char *name)
{
	int i;

	for (i = 0; table_format_names[i]; i++)
		if (!strcmp(table_format_names[i], name))
			return i;
	return -ENOENT;
}

int format_ns(char *buf, size_t size, double ns)
{
	static const struct {
		double least, per;
		const char *unit;
	} scale[] = {
		{ 1e9, 1e9, "s" }, { 1e6, 1e6, "ms" }, { 1e3, 1e3, "us" },
		{ 0, 1, "ns" },
	};
	size_t i = 0;
	double value;

	if (isnan(ns))
		return snprintf(buf, size, "-");
	/* 999.96 ns would print as 1000 ns: the next unit takes it. */
	while (i < ARRAY_SIZE(scale) - 1 && fabs(ns) < 0.99995 * scale[i].least)
		i++;
	value = ns / scale[i].per;
	return snprintf(buf, size, "%.*f %s", fabs(value) >= 99.995 ? 1 :
			fabs(value) >= 9.9995 ? 2 : 3, value, scale[i].unit);
}

static void put_csv(FILE *out, const char *text)
{
	if (*text && !strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

static void put_tsv(FILE *out, const char *text)
{
	static const char from[] = "\t\n\r\\", to[] = "tnr\\";

	for (; *text; text++) {
		const char *special = strchr(from, *text);

		if (special)
			fprintf(out, "\\%c", to[special - from]);
		else
			putc(*text, out);
	}
}

static void put_md(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '|' || *text == '\\')
			putc('\\', out);
		if (*text == '\n')
			fputs("<br>", out);
		else if (*text != '\r')
			putc(*text, out);
	}
}

static void put_json(FILE *out, json_t *value)
{
	json_dumpf(value, out, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
	json_decref(value);
}

static void put_json_text(FILE *out, const char *text)
{
	put_json(out, json_text(text));
}

static void row_begin(struct table *t)
{
	if (t->format == TABLE_JSON)
		fputs(t->nr_rows ? ",\n{" : "\n{", t->out);
	else if (t->format == TABLE_MD)
		fputs("| ", t->out);
}

/* What stands before a cell's value. */
static void cell_begin(struct table *t)
{
	static const char *const between[] = {
		[TABLE_JSON] = ", ", [TABLE_CSV] = ",", [TABLE_TSV] = "\t",
		[TABLE_MD] = " | ",
	};

	if (!t->at)
		row_begin(t);
	else
		fputs(between[t->format], t->out);
	if (t->format == TABLE_JSON) {
		put_json_text(t->out, t->column[t->at].name);
		fputs(": ", t->out);
	}
}

static void cell_end(struct table *t)
{
	if (++t->at < t->nr)
		return;
	t->at = 0;
	t->nr_rows++;
	if (t->format == TABLE_JSON)
		putc('}', t->out);
	else if (t->format == TABLE_MD)
		fputs(" |\n", t->out);
	else if (t->format != TABLE_TEXT)
		putc('\n', t->out);
}

/* Keeps a copy for the aligned table; nothing may move the cursor there. */
static void keep(struct table *t, const char *text)
{
	char *copy = strdup(text), *p;

	if (t->nr_cells == t->room) {
		size_t room = t->room ? 2 * t->room : 64;
		char **more = realloc(t->cell, room * sizeof(*more));

		if (!more) {
			free(copy);
			copy = NULL;
		} else {
			t->cell = more;
			t->room = room;
		}
	}
	if (!copy) {
		t->no_memory = true;
		return;
	}
	for (p = copy; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = *p == '\t' || *p == '\n' ? ' ' : '?';
	t->cell[t->nr_cells++] = copy;
	cell_end(t);
}

static void put_text(struct table *t, const char *text)
{
	cell_begin(t);
	switch (t->format) {
	case TABLE_JSON:
		put_json_text(t->out, text);
		break;
	case TABLE_CSV:
		put_csv(t->out, text);
		break;
	case TABLE_TSV:
		put_tsv(t->out, text);
		break;
	default:
		put_md(t->out, text);
	}
	cell_end(t);
}

static void put_null(struct table *t)
{
	if (t->format == TABLE_TEXT) {
		keep(t, "-");
		return;
	}
	cell_begin(t);
	if (t->format == TABLE_JSON)
		fputs("null", t->out);
	cell_end(t);
}

void table_text(struct table *t, const char *text)
{
	if (!text) {
		put_null(t);
	} else if (t->format == TABLE_TEXT) {
		t->number[t->at] = false;
		keep(t, text);
	} else {
		put_text(t, text);
	}
}

void table_int(struct table *t, s64 value)
{
	char buf[32];

	if (t->format == TABLE_TEXT && t->column[t->at].unit == TABLE_NS) {
		table_real(t, (double)value);
		return;
	}
	snprintf(buf, sizeof(buf), "%lld", (long long)value);
	if (t->format == TABLE_TEXT) {
		keep(t, buf);
		return;
	}
	cell_begin(t);
	fputs(buf, t->out);
	cell_end(t);
}

void table_real(struct table *t, double value)
{
	char buf[64];

	if (isnan(value) || (isinf(value) && t->format == TABLE_JSON)) {
		put_null(t);
		return;
	}
	if (t->format == TABLE_TEXT) {
		if (t->column[t->at].unit == TABLE_NS)
			format_ns(buf, sizeof(buf), value);
		else
			snprintf(buf, sizeof(buf), t->column[t->at].unit ==
				 TABLE_PCT ? "%.2f" : fabs(value) >= 1e6 &&
				 fabs(value) < 1e15 ? "%.0f" : "%.6g", value);
		keep(t, buf);
		return;
	}
	cell_begin(t);
	if (t->format == TABLE_JSON)
		put_json(t->out, json_real(value));
	else
		fprintf(t->out, "%.17g", value);
	cell_end(t);
}

static void head_begin(struct table *t)
{
	size_t i;

	if (t->format == TABLE_JSON)
		putc('[', t->out);
	if (t->format == TABLE_JSON || t->format == TABLE_TEXT)
		return;
	for (i = 0; i < t->nr; i++)
		put_text(t, t->column[i].name);
	t->nr_rows = 0;
	if (t->format != TABLE_MD)
		return;
	for (i = 0; i < t->nr; i++)
		fputs(i ? " --- |" : "| --- |", t->out);
	putc('\n', t->out);
}

struct table *table_begin(FILE *out, enum table_format format,
			  const struct table_column *column, size_t nr)
{
	struct table *t = calloc(1, sizeof(*t));
	size_t i;

	if (!t)
		return NULL;
	t->number = malloc((nr ? nr : 1) * sizeof(*t->number));
	if (!t->number) {
		free(t);
		return NULL;
	}
	for (i = 0; i < nr; i++)
		t->number[i] = true;
	t->out = out;
	t->format = format;
	t->column = column;
	t->nr = nr;
	head_begin(t);
	return t;
}

/* Characters, not bytes: continuation bytes of UTF-8 take no column. */
static size_t width_of(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* *gap: blanks due before the next text; none are left at a line's end. */
static void put_cell(struct table *t, size_t col, const char *text,
		     size_t width, size_t *gap)
{
	size_t blank = width - width_of(text);

	if (!*text) {
		*gap += width;
		return;
	}
	if (t->number[col]) {
		*gap += blank;
		blank = 0;
	}
	fprintf(t->out, "%*s%s", (int)*gap, "", text);
	*gap = blank;
}

/* One block: column 0, then those from first up to (not with) end. */
static void put_block(struct table *t, const size_t *width, size_t first,
		      size_t end)
{
	size_t row, col, gap;

	for (row = 0; row <= t->nr_rows; row++) {
		gap = 0;
		for (col = 0; col < end; col = col || first <= 1 ? col + 1 :
		     first) {
			const char *text = row ? t->cell[(row - 1) * t->nr +
							 col]
					       : t->column[col].name;

			gap += col ? 2 : 0;
			put_cell(t, col, text, width[col], &gap);
		}
		putc('\n', t->out);
	}
}

static void put_blocks(struct table *t, const size_t *width)
{
	size_t first = 1, end, sum;

	do {
		sum = width[0];
		for (end = first; end < t->nr; end++) {
			if (end > first &&
			    sum + 2 + width[end] > TABLE_WIDTH_MAX)
				break;
			sum += 2 + width[end];
		}
		if (first > 1)
			putc('\n', t->out);
		put_block(t, width, first, end);
		first = end;
	} while (first < t->nr);
}

static int put_aligned(struct table *t)
{
	size_t *width = calloc(t->nr, sizeof(*width));
	size_t i;

	if (!width)
		return -ENOMEM;
	for (i = 0; i < t->nr; i++)
		width[i] = width_of(t->column[i].name);
	for (i = 0; i < t->nr_cells; i++) {
		size_t w = width_of(t->cell[i]);

		if (width[i % t->nr] < w)
			width[i % t->nr] = w;
	}
	put_blocks(t, width);
	free(width);
	return 0;
}

int table_end(struct table *t)
{
	int rc = t->no_memory ? -ENOMEM : 0;
	size_t i;

	if (t->format == TABLE_JSON)
		fputs(t->nr_rows ? "\n]\n" : "]\n", t->out);
	else if (!rc && t->nr && t->format == TABLE_TEXT)
		rc = put_aligned(t);
	if (!rc && (fflush(t->out) || ferror(t->out)))
		rc = -EIO;
	for (i = 0; i < t->nr_cells; i++)
		free(t->cell[i]);
	free(t->cell);
	free(t->number);
	free(t);
	return rc;
}
