/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmapsim query: read-only SQL. */
#include <string.h>

#include "cli/cli.h"
#include "results/query.h"

#define NR_QUERIES_MAX 64

/* SQL has a blank somewhere; a single word is meant to be a query's name. */
static int find_text(const struct cli *c, const char *word, const char **sql)
{
	const char *names[NR_QUERIES_MAX];
	char near[80];
	size_t nr = 0;

	*sql = query_text(word);
	if (*sql)
		return EXIT_DONE;
	*sql = word;
	if (strpbrk(word, " \t\n;") || !*word)
		return EXIT_DONE;
	for (; nr < NR_QUERIES_MAX && query_name(nr); nr++)
		names[nr] = query_name(nr);
	return cli_fail(c, EXIT_USAGE, "found query \"%s\", expected SQL or "
			"one of vmapsim list queries%s", word,
			cli_nearest(word, names, nr, near, sizeof(near)));
}

int cmd_query(struct cli *c)
{
	char err[STORE_ERROR_SIZE];
	struct store *store;
	struct output o;
	const char *sql;
	int status, rc;

	if (c->args.nr != 1)
		return cli_fail(c, EXIT_USAGE, "found %zu arguments, expected "
				"one: SQL in quotes, or a query's name",
				c->args.nr);
	status = find_text(c, c->args.word[0], &sql);
	if (!status)
		status = input_store(c, &store, STORE_READ);
	if (status)
		return status;
	status = output_open(c, &o);
	if (!status) {
		rc = query_run(store, query_text(c->args.word[0]) ?
			       c->args.word[0] : "query", sql, o.file,
			       c->format, err, sizeof(err));
		if (rc && !ferror(o.file))
			status = output_cancel(&o,
				cli_fail(c, cli_status(c, rc), "%s", err));
		else
			status = output_close(c, &o, EXIT_DONE);
	}
	store_close(store);
	return status;
}
