/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The database as a file: what is refused, what a failure leaves. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/migrate.h"
#include "results/store.h"
#include "tests/cmocka_all.h"
#include "tests/sample_result.h"
#include "tests/sample_store.h"

static char err[STORE_ERROR_SIZE];

static void refused(const char *path, enum store_mode mode, int code,
		    const char *why)
{
	struct store *s = (struct store *)err;
	int rc = store_open(&s, path, mode, err, sizeof(err));

	if (rc != code || s || !strstr(err, why))
		fail_msg("%d instead of %d (%s): %s", rc, code, why, err);
	assert_memory_equal(err, path, strlen(path));
	assert_null(strchr(err, '\n'));
}

static void raw(const char *path, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void test_made_on_demand(void **state)
{
	char path[400];
	struct store *s;

	(void)state;
	scratch(path, sizeof(path), "a/b/c.db");
	s = open_or_fail(path, STORE_WRITE);
	assert_int_equal(number(s, "PRAGMA application_id"),
			 STORE_APPLICATION_ID);
	assert_int_equal(number(s, "PRAGMA user_version"), STORE_USER_VERSION);
	assert_int_equal(number(s, "SELECT count(*) FROM v_run"), 0);
	assert_int_equal(number(s, "SELECT count(*) FROM v_compare"), 0);
	store_close(s);
	store_close(open_or_fail(path, STORE_WRITE));
	store_close(open_or_fail(path, STORE_READ));
	unlink(path);
}

static void test_foreign(void **state)
{
	char path[400];
	FILE *f;

	(void)state;
	fresh(path, sizeof(path), "foreign.db");
	raw(path, "CREATE TABLE t (a)");
	refused(path, STORE_WRITE, -EMEDIUMTYPE, "another program");
	refused(path, STORE_READ, -EMEDIUMTYPE, "another program");
	fresh(path, sizeof(path), "foreign.db");
	raw(path, "PRAGMA application_id = 1");
	refused(path, STORE_WRITE, -EMEDIUMTYPE, "another program");

	f = fopen(fresh(path, sizeof(path), "text.db"), "w");
	fputs("This is no database, whatever its name says.\n", f);
	fclose(f);
	refused(path, STORE_WRITE, -EMEDIUMTYPE, "not a database");
	refused(path, STORE_READ, -EMEDIUMTYPE, "not a database");
}

static void test_newer(void **state)
{
	char path[400];

	(void)state;
	fresh(path, sizeof(path), "newer.db");
	store_close(open_or_fail(path, STORE_WRITE));
	raw(path, "PRAGMA user_version = 99");
	refused(path, STORE_WRITE, -EPROTONOSUPPORT, "version 99");
	refused(path, STORE_READ, -EPROTONOSUPPORT, "version 99");
}

static void test_not_there_or_not_writable(void **state)
{
	char path[400], below[440];
	struct stat st;

	(void)state;
	refused(fresh(path, sizeof(path), "none.db"), STORE_READ, -ENOENT,
		"No such file");
	assert_int_equal(stat(path, &st), -1);
	refused("/proc/none/x.db", STORE_WRITE, -ENOENT, "cannot make folder");
	raw(path, "VACUUM");
	snprintf(below, sizeof(below), "%s/x.db", path);
	refused(below, STORE_WRITE, -ENOTDIR, "Not a directory");
	refused(scratch(path, sizeof(path), ""), STORE_WRITE, -EISDIR,
		"folder");
	refused(path, STORE_READ, -EISDIR, "folder");
}

static void test_empty_file(void **state)
{
	char path[400];

	(void)state;
	fclose(fopen(fresh(path, sizeof(path), "empty.db"), "w"));
	refused(path, STORE_READ, -EMEDIUMTYPE, "empty");
	store_close(open_or_fail(path, STORE_WRITE));
}

static void test_damaged(void **state)
{
	char path[400];
	FILE *f;
	int i;

	(void)state;
	store_close(open_or_fail(fresh(path, sizeof(path), "bad.db"),
				 STORE_WRITE));
	f = fopen(path, "r+");
	fseek(f, 100, SEEK_SET);
	for (i = 0; i < 3996; i++)
		putc(0xa5, f);
	fclose(f);
	refused(path, STORE_WRITE, -EUCLEAN, "damaged");
	refused(path, STORE_READ, -EUCLEAN, "damaged");
}

static void test_odd_names_are_files(void **state)
{
	static const char *const names[] = { ":memory:", "file:x.db?mode=ro" };
	char dir[400], back[400];
	struct stat st;
	size_t i;

	(void)state;
	assert_non_null(getcwd(back, sizeof(back)));
	assert_int_equal(chdir(scratch(dir, sizeof(dir), "")), 0);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		store_close(open_or_fail(names[i], STORE_WRITE));
		assert_int_equal(stat(names[i], &st), 0);
		unlink(names[i]);
	}
	assert_int_equal(chdir(back), 0);
}

static void test_disk_full(void **state)
{
	char path[400], sql[64];
	struct store *s = open_or_fail(fresh(path, sizeof(path), "full.db"),
				       STORE_WRITE);
	struct result r;
	u32 nr;
	s64 kept;
	int rc = 0;

	(void)state;
	put(s, 1, "done");
	snprintf(sql, sizeof(sql), "PRAGMA max_page_count = %lld",
		 (long long)number(s, "PRAGMA page_count") + 2);
	number(s, sql);
	for (nr = 2; !rc && nr < 1000; nr++) {
		sample_result(&r, nr, "global", nr);
		rc = store_put(s, &r, 0, 0, NULL);
		result_free(&r);
	}
	assert_int_equal(rc, -ENOSPC);
	assert_non_null(strstr(store_error(s), "disk full"));
	kept = number(s, "SELECT count(*) FROM run");
	assert_int_equal(kept, nr - 2);
	assert_int_equal(number(s, "SELECT count(*) FROM param"), 4 * kept);
	store_close(s);

	s = open_or_fail(path, STORE_WRITE);
	assert_int_equal(number(s, "SELECT count(*) FROM run"), kept);
	put(s, 2000, "done");
	store_close(s);
}

static void test_batch(void **state)
{
	char path[400];
	struct store *s = open_or_fail(fresh(path, sizeof(path), "batch.db"),
				       STORE_WRITE);
	struct result r;

	(void)state;
	assert_int_equal(store_begin(s), 0);
	put(s, 1, "done");
	put(s, 2, "done");
	assert_int_equal(store_commit(s), 0);
	assert_int_equal(number(s, "SELECT count(*) FROM run"), 2);

	assert_int_equal(store_begin(s), 0);
	put(s, 3, "done");
	sample_result(&r, 4, "global", 1);
	r.state = "neither";		/* the schema refuses it */
	assert_int_equal(store_put(s, &r, 0, 0, NULL), -EINVAL);
	assert_int_equal(store_commit(s), -EINVAL);
	assert_int_equal(number(s, "SELECT count(*) FROM run"), 2);
	result_free(&r);
	store_close(s);
}

static void test_read_only(void **state)
{
	char path[400];
	struct store *s = open_or_fail(fresh(path, sizeof(path), "ro.db"),
				       STORE_WRITE);
	struct result r;

	(void)state;
	store_close(s);
	s = open_or_fail(path, STORE_READ);
	sample_result(&r, 1, "global", 1);
	assert_int_equal(store_put(s, &r, 0, 0, NULL), -EROFS);
	result_free(&r);
	store_close(s);
}

static const struct migration steps[] = {
	{ 5, "ALTER TABLE t ADD b INTEGER" },
	{ 6, "UPDATE t SET b = 2 * a" },
	{ 8, "SELECT 1" },
	{ 0, NULL },
};

static void test_migrate(void **state)
{
	sqlite3 *db;

	(void)state;
	assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
	sqlite3_exec(db, "CREATE TABLE t (a); INSERT INTO t VALUES (21);"
		     "PRAGMA user_version = 5", NULL, NULL, NULL);
	/* The step from 7 is missing: nothing happens. */
	assert_int_equal(migrate(db, steps, 9), SQLITE_MISMATCH);
	assert_int_not_equal(sqlite3_exec(db, "SELECT b FROM t", NULL, NULL,
					  NULL), SQLITE_OK);
	assert_int_equal(migrate(db, steps, 7), SQLITE_OK);
	assert_int_equal(migrate(db, steps, 7), SQLITE_OK);
	assert_int_equal(number_of(db, "SELECT b FROM t"), 42);
	assert_int_equal(number_of(db, "PRAGMA user_version"), 7);
	sqlite3_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_made_on_demand),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_newer),
		cmocka_unit_test(test_not_there_or_not_writable),
		cmocka_unit_test(test_empty_file),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_odd_names_are_files),
		cmocka_unit_test(test_disk_full),
		cmocka_unit_test(test_batch),
		cmocka_unit_test(test_read_only),
		cmocka_unit_test(test_migrate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
