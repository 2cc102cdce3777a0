/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RESULTS_QUERY_H
#define RESULTS_QUERY_H
/*
 * Read-only SQL on a database of results: SELECT, VALUES, WITH, EXPLAIN, and
 * the pragmas that only tell something (table_info, user_version, ...).
 * Anything that could write, attach or load is refused, whoever may write the
 * file. Named queries are results/queries/NAME.sql; the first line of each
 * says in a sentence what it shows.
 */
#include <stdio.h>

#include "results/store.h"
#include "results/table.h"

/*
 * Runs one statement and writes its rows. Columns whose name has "_ns" are
 * times, "_pct" per cents, for the table format. name is what messages call
 * the text ("query", a query's name). Nothing is written after -EINVAL or
 * -EPERM. 0, or
 *	-EINVAL	 bad SQL, no statement or more than one: err is
 *		 "name:line:col: what is wrong"
 *	-EPERM	 it would write; err says which part is refused
 *	-EIO, -ENOMEM, or as store.h has it
 */
int query_run(struct store *s, const char *name, const char *sql, FILE *out,
	      enum table_format format, char *err, size_t err_size);

/* Text of a named query, or NULL. */
const char *query_text(const char *name);
/* Name of the i-th, in alphabetical order, NULL beyond the last. */
const char *query_name(size_t i);
/* Its sentence, without the comment's dashes; as snprintf. */
int query_sentence(size_t i, char *buf, size_t size);

#endif
