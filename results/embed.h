/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RESULTS_EMBED_H
#define RESULTS_EMBED_H
/*
 * Text files of results/ that are built into the program: embedded.c is made
 * from them by results/embed.awk, so that the shipped .sql files are the only
 * place where the schema and the named queries are written.
 */

extern const char schema_sql[];		/* results/schema.sql */

struct embedded_query {
	const char *name;		/* file name without .sql */
	const char *text;
};
extern const struct embedded_query embedded_queries[];	/* NULL name ends it */

#endif
