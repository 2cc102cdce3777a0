/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Older databases to the schema of today. */
#include "results/migrate.h"

#include <stddef.h>
#include <stdio.h>

/* Version 1 is the first: there is nothing older. */
const struct migration migrations[] = {
	{ 0, NULL },
};

static int user_version(sqlite3 *db, int *version)
{
	sqlite3_stmt *st;
	int rc = sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &st, NULL);

	if (rc != SQLITE_OK)
		return rc;
	if (sqlite3_step(st) == SQLITE_ROW)
		*version = sqlite3_column_int(st, 0);
	return sqlite3_finalize(st);
}

static int step(sqlite3 *db, const struct migration *table, int from)
{
	char pragma[48];
	int rc;

	while (table->from && table->from != from)
		table++;
	if (!table->from)
		return SQLITE_MISMATCH;
	rc = sqlite3_exec(db, table->sql, NULL, NULL, NULL);
	if (rc != SQLITE_OK)
		return rc;
	snprintf(pragma, sizeof(pragma), "PRAGMA user_version = %d", from + 1);
	return sqlite3_exec(db, pragma, NULL, NULL, NULL);
}

int migrate(sqlite3 *db, const struct migration *table, int to)
{
	int rc = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
	int from = to;

	/* Under the lock: another process may just have done it. */
	if (rc == SQLITE_OK)
		rc = user_version(db, &from);
	for (; rc == SQLITE_OK && from < to; from++)
		rc = step(db, table, from);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	if (rc != SQLITE_OK && !sqlite3_get_autocommit(db))
		sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	return rc;
}
