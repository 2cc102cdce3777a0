/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Databases for tests of results/. */
#include "tests/sample_store.h"

#include <unistd.h>

#include "tests/cmocka_all.h"
#include "tests/sample_result.h"

/* A path in the scratch folder where no file is. */
const char *fresh(char *buf, size_t size, const char *name)
{
	unlink(scratch(buf, size, name));
	return buf;
}

struct store *open_or_fail(const char *path, enum store_mode mode)
{
	char err[STORE_ERROR_SIZE];
	struct store *s;

	if (store_open(&s, path, mode, err, sizeof(err)))
		fail_msg("%s", err);
	return s;
}

s64 number_of(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *st;
	s64 value;

	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &st, NULL),
			 SQLITE_OK);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	value = sqlite3_column_int64(st, 0);
	sqlite3_finalize(st);
	return value;
}

s64 number(struct store *s, const char *sql)
{
	return number_of(store_db(s), sql);
}

s64 put(struct store *s, u32 nr, const char *state)
{
	struct result r;
	s64 id;

	sample_result(&r, nr, "global", nr);
	r.state = state;
	if (store_put(s, &r, 0, 0, &id) < 0)
		fail_msg("%s", store_error(s));
	result_free(&r);
	return id;
}
