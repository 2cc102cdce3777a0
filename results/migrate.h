/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef RESULTS_MIGRATE_H
#define RESULTS_MIGRATE_H
/*
 * Steps that bring an older database to the schema of today. Whoever changes
 * schema.sql raises its user_version and STORE_USER_VERSION and adds the step
 * from the version before to migrations[].
 */
#include <sqlite3.h>

struct migration {
	int from;		/* user_version that the step starts from;
				 * it ends at from + 1. 0 ends the table */
	const char *sql;	/* without BEGIN, COMMIT and user_version */
};
extern const struct migration migrations[];

/*
 * Applies the steps of table up to user_version `to`, all or none. An SQLite
 * code; SQLITE_MISMATCH when a step is missing.
 */
int migrate(sqlite3 *db, const struct migration *table, int to);

#endif
