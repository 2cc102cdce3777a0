/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RESULTS_TABLE_H
#define RESULTS_TABLE_H
/*
 * Writes records of a fixed set of columns as an aligned ASCII table or for
 * machines. Cells are given one after the other; each nr columns make a row.
 *
 * table	aligned, numbers to the right, units by cell (ns us ms s); wider
 *		than 78 columns it goes on in further blocks that repeat the
 *		first column. For people: not stable. Kept in memory until
 *		table_end.
 * csv		RFC 4180, LF; NULL is empty, empty text is "".
 * tsv		\t \n \r \\ written as such two characters; NULL is empty.
 * md		a Markdown table, units as in csv.
 * json		array of objects, NULL and NAN are null, plain ASCII.
 * Numbers for machines have 17 significant digits and the column's base unit.
 */
#include <stdio.h>

#include "sim/types.h"

#define TABLE_WIDTH_MAX	78

enum table_format { TABLE_TEXT, TABLE_JSON, TABLE_CSV, TABLE_TSV, TABLE_MD };

/* By name (table, json, csv, tsv, md): enum table_format, or -ENOENT. */
int table_format_find(const char *name);
extern const char *const table_format_names[];	/* NULL ends it */

enum table_unit {
	TABLE_PLAIN,	/* as it is; reals with 6 significant digits */
	TABLE_NS,	/* a time in ns: "1.31 us" in a table */
	TABLE_PCT,	/* two decimals in a table */
};

struct table_column {
	const char *name;	/* must outlive the table */
	enum table_unit unit;
};

struct table;

/* Owned by the caller; ends with table_end. NULL without memory. */
struct table *table_begin(FILE *out, enum table_format format,
			  const struct table_column *column, size_t nr);
/* The next cell. Text is copied. NULL text is a NULL cell. */
void table_text(struct table *t, const char *text);
void table_int(struct table *t, s64 value);
void table_real(struct table *t, double value);
/*
 * Writes what is left and frees t. 0, -ENOMEM (something is missing then) or
 * -EIO when the stream has an error.
 */
int table_end(struct table *t);

/* "94.0 ns", "1.31 us", "1.20 ms", "2.00 s"; "-" for NAN. As snprintf. */
int format_ns(char *buf, size_t size, double ns);

#endif
