/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runs that pass a set of filters. */
#include <errno.h>
#include <stdlib.h>

#include "results/store_int.h"

static int is_column(struct store *s, const char *name)
{
	sqlite3_stmt *st;
	int rc;

	if (sqlite3_prepare_v2(s->db, "SELECT 1 FROM pragma_table_info('run')"
			       " WHERE name = ?", -1, &st, NULL) != SQLITE_OK)
		return store_fail(s);
	sqlite3_bind_text(st, 1, name, -1, SQLITE_STATIC);
	rc = sqlite3_step(st) == SQLITE_ROW;
	if (sqlite3_finalize(st) != SQLITE_OK)
		return store_fail(s);
	return rc;
}

/* The statement's text, owned by the caller (sqlite3_free). */
static int build(struct store *s, const struct store_filter *f, size_t nr,
		 char **sql)
{
	sqlite3_str *text = sqlite3_str_new(s->db);
	size_t i;
	int rc = 0;

	sqlite3_str_appendall(text, "SELECT id FROM run WHERE 1");
	for (i = 0; rc >= 0 && i < nr; i++) {
		rc = is_column(s, f[i].name);
		if (rc == 1)
			sqlite3_str_appendf(text, " AND \"%w\" = ?", f[i].name);
		else
			sqlite3_str_appendf(text, " AND EXISTS (SELECT 1 FROM"
				" param WHERE run_id = run.id AND name = %Q"
				" AND value = ?)", f[i].name);
	}
	sqlite3_str_appendall(text, " ORDER BY id");
	*sql = sqlite3_str_finish(text);
	if (rc >= 0 && !*sql)
		rc = store_failf(s, -ENOMEM, "out of memory");
	return rc < 0 ? rc : 0;
}

static int append(struct store *s, s64 **ids, size_t *nr, s64 id)
{
	s64 *more = *ids;

	if (!(*nr & (*nr - 1)))		/* full at each power of two */
		more = realloc(*ids, (*nr ? 2 * *nr : 1) * sizeof(*more));
	if (!more)
		return store_failf(s, -ENOMEM, "out of memory");
	*ids = more;
	more[(*nr)++] = id;
	return 0;
}

ssize_t store_list(struct store *s, const struct store_filter *f, size_t nr,
		   s64 **ids)
{
	sqlite3_stmt *st = NULL;
	size_t i, found = 0;
	char *sql = NULL;
	int rc = build(s, f, nr, &sql);

	*ids = NULL;
	if (!rc && sqlite3_prepare_v2(s->db, sql, -1, &st, NULL) != SQLITE_OK)
		rc = store_fail(s);
	sqlite3_free(sql);
	for (i = 0; !rc && i < nr; i++)
		sqlite3_bind_text(st, (int)i + 1, f[i].value, -1,
				  SQLITE_STATIC);
	while (!rc && sqlite3_step(st) == SQLITE_ROW)
		rc = append(s, ids, &found, sqlite3_column_int64(st, 0));
	if (sqlite3_finalize(st) != SQLITE_OK && !rc)
		rc = store_fail(s);
	if (rc) {
		free(*ids);
		*ids = NULL;
		return rc;
	}
	return (ssize_t)found;
}
