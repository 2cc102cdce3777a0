/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The database: what is refused, what is kept, what comes back. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "results/migrate.h"
#include "results/store.h"
#include "tests/cmocka_all.h"
#include "tests/sample_result.h"

static char err[STORE_ERROR_SIZE];

/* A path in the scratch folder where no file is. */
static const char *fresh(char *buf, size_t size, const char *name)
{
	unlink(scratch(buf, size, name));
	return buf;
}

static struct store *open_or_fail(const char *path, enum store_mode mode)
{
	struct store *s;

	if (store_open(&s, path, mode, err, sizeof(err)))
		fail_msg("%s", err);
	return s;
}

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

static s64 number_of(sqlite3 *db, const char *sql)
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

static s64 number(struct store *s, const char *sql)
{
	return number_of(store_db(s), sql);
}

static s64 put(struct store *s, u32 nr, const char *state)
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

static struct hist *some_hist(u64 seed)
{
	struct hist *h = malloc(sizeof(*h));
	u64 i;

	hist_init(h);
	for (i = 0; i < 100; i++)
		hist_add(h, seed * i * i * i);
	return h;
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

static void test_round_trip(void **state)
{
	char path[400];
	struct store *s = open_or_fail(fresh(path, sizeof(path), "rt.db"),
				       STORE_WRITE);
	struct result r, back;
	s64 id;

	(void)state;
	sample_result(&r, 7, "global", 32);
	r.pair = some_hist(1);
	r.alloc = some_hist(1ull << 40);
	r.free = malloc(sizeof(*r.free));
	hist_init(r.free);
	assert_int_equal(store_put(s, &r, 0, STORE_HISTOGRAMS, &id), 0);
	store_close(s);

	s = open_or_fail(path, STORE_READ);
	assert_int_equal(store_load(s, id, &back), 0);
	assert_same_result(&r, &back);
	result_free(&back);
	assert_int_equal(number(s, "SELECT wait_ns_total = 1234.567 FROM"
				" lock_stat WHERE seq = 0"), 1);
	assert_int_equal(number(s, "SELECT pair_ns = mean AND pair_ns_ci95 ="
				" ci95 FROM run JOIN metric ON run_id = id"
				" WHERE name = 'pair_ns'"), 1);
	assert_int_equal(number(s, "SELECT count(*) FROM metric"), 5);
	assert_int_equal(store_load(s, id + 1, &back), -ENOENT);
	store_close(s);
	result_free(&r);
}

static void test_failed_round_trip(void **state)
{
	char path[400];
	struct store *s = open_or_fail(fresh(path, sizeof(path), "f.db"),
				       STORE_WRITE);
	struct result r = {
		.workload = strdup("lockloop"), .machine = strdup("m"),
		.state = "failed", .error = strdup("no room"),
		.version = strdup("1"), .elapsed_s = NAN,
	}, back;
	s64 id;

	(void)state;
	snprintf(r.key, sizeof(r.key), "%032d", 1);
	assert_int_equal(store_put(s, &r, 0, STORE_HISTOGRAMS, &id), 0);
	assert_int_equal(store_load(s, id, &back), 0);
	assert_string_equal(back.design, "-");
	assert_string_equal(back.state, "failed");
	assert_string_equal(back.error, "no room");
	assert_null(back.repeat);
	assert_null(back.pair);
	assert_true(isnan(back.elapsed_s));
	result_free(&back);
	result_free(&r);
	store_close(s);
}

static void test_finished_keys_stay(void **state)
{
	char path[400], key[33];
	struct store *s = open_or_fail(fresh(path, sizeof(path), "k.db"),
				       STORE_WRITE);
	struct result r;
	s64 first, id;

	(void)state;
	snprintf(key, sizeof(key), "%032x", 5);
	assert_int_equal(store_is_done(s, key), 0);
	put(s, 5, "interrupted");
	assert_int_equal(store_is_done(s, key), 0);
	first = put(s, 5, "done");
	assert_int_equal(store_is_done(s, key), 1);
	assert_int_equal(number(s, "SELECT count(*) FROM run"), 1);

	sample_result(&r, 5, "other", 9);
	assert_int_equal(store_put(s, &r, 0, 0, &id), 1);
	assert_int_equal(id, first);
	assert_int_equal(number(s, "SELECT design = 'global' FROM run"), 1);
	/* Nothing of a replaced run is left. */
	assert_int_equal(number(s, "SELECT count(*) FROM param"), 4);
	result_free(&r);
	store_close(s);
}

static void test_find(void **state)
{
	char path[400];
	struct store *s = open_or_fail(fresh(path, sizeof(path), "find.db"),
				       STORE_WRITE);
	struct result r;
	s64 id;
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		sample_result(&r, (u32)i, "global", 1);
		memcpy(r.key, i ? "abcd" : "1234", 4);
		assert_int_equal(store_put(s, &r, 0, 0, NULL), 0);
		result_free(&r);
	}
	assert_int_equal(store_find(s, "3", &id), 0);
	assert_int_equal(id, 3);
	assert_int_equal(store_find(s, "1234", &id), 0);
	assert_int_equal(id, 1);
	assert_int_equal(store_find(s, "abcd", &id), -ENOTUNIQ);
	assert_int_equal(store_find(s, "abcd0000000000000000000000000002",
				    &id), 0);
	assert_int_equal(id, 3);
	assert_int_equal(store_find(s, "abc", &id), -ENOENT);
	assert_int_equal(store_find(s, "ABCD", &id), -ENOENT);
	assert_int_equal(store_find(s, "9", &id), -ENOENT);
	assert_int_equal(store_find(s, "", &id), -ENOENT);
	store_close(s);
}

static void test_list(void **state)
{
	char path[400];
	struct store *s = open_or_fail(fresh(path, sizeof(path), "list.db"),
				       STORE_WRITE);
	const struct store_filter both[] = {
		{ "nr_threads", "3" }, { "cost.slab_alloc", "12ns" },
	};
	const struct store_filter quoted = { "placement", "it's \"spread\"" };
	const struct store_filter wrong = { "no\"such'key", "1" };
	s64 *ids;

	(void)state;
	put(s, 2, "done");
	put(s, 3, "done");
	put(s, 4, "failed");
	assert_int_equal(store_list(s, NULL, 0, &ids), 3);
	assert_true(ids[0] == 1 && ids[1] == 2 && ids[2] == 3);
	free(ids);
	assert_int_equal(store_list(s, both, 2, &ids), 1);
	assert_int_equal(ids[0], 2);
	free(ids);
	assert_int_equal(store_list(s, &quoted, 1, &ids), 3);
	free(ids);
	assert_int_equal(store_list(s, &wrong, 1, &ids), 0);
	free(ids);
	store_close(s);
}

static void test_merge(void **state)
{
	char path[400], other[400];
	struct store *s = open_or_fail(fresh(path, sizeof(path), "m1.db"),
				       STORE_WRITE);
	struct store *o = open_or_fail(fresh(other, sizeof(other), "m2's.db"),
				       STORE_WRITE);
	struct store_merged m = { 0 };
	struct result r, back;
	s64 id, campaign;

	(void)state;
	put(s, 1, "done");
	put(s, 2, "failed");
	put(o, 1, "failed");
	put(o, 2, "done");
	campaign = store_campaign(o, "vmapsim sweep", "1", 3);
	assert_true(campaign > 0);
	sample_result(&r, 3, "zone", 3);
	r.pair = some_hist(9);
	assert_int_equal(store_put(o, &r, campaign, STORE_HISTOGRAMS, NULL),
			 0);
	store_close(o);

	if (store_merge(s, other, &m))
		fail_msg("%s", store_error(s));
	assert_true(m.added == 1 && m.replaced == 1 && m.kept == 1);
	assert_int_equal(number(s, "SELECT count(*) FROM run WHERE"
				" state = 'done'"), 3);
	assert_int_equal(store_find(s, r.key, &id), 0);
	assert_int_equal(store_load(s, id, &back), 0);
	assert_same_result(&r, &back);
	assert_int_equal(number(s, "SELECT count(*) FROM v_run WHERE"
				" campaign = 'vmapsim sweep'"), 1);

	m = (struct store_merged){ 0 };
	assert_int_equal(store_merge(s, other, &m), 0);
	assert_true(!m.added && !m.replaced && m.kept == 3);
	assert_int_equal(number(s, "SELECT count(*) FROM run"), 3);
	assert_int_equal(number(s, "SELECT count(*) FROM campaign"), 1);
	assert_int_equal(number(s, "SELECT count(*) FROM lock_stat"), 6);

	assert_int_equal(store_merge(s, path, &m), -EINVAL);
	assert_int_equal(store_merge(s, "/proc/none.db", &m), -ENOENT);
	result_free(&back);
	result_free(&r);
	store_close(s);
}

/* A worker that holds its shard open until it is killed. */
static pid_t start_worker(const char *path, u32 nr)
{
	int ready[2];
	char c;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		struct store *s;

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (!store_open(&s, path, STORE_SHARD, err, sizeof(err))) {
			put(s, nr, "done");
			store_begin(s);
			put(s, nr + 1, "done");	/* never committed */
		}
		if (write(ready[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &c, 1), 1);
	close(ready[0]);
	return pid;
}

static void test_shards(void **state)
{
	char path[400], shard[440];
	struct store *s = open_or_fail(fresh(path, sizeof(path), "s.db"),
				       STORE_WRITE), *w;
	struct store_merged m = { 0 };
	struct stat st;
	pid_t pid;

	(void)state;
	assert_int_equal(store_shard_path(shard, sizeof(shard), path, "../x"),
			 -EINVAL);
	assert_int_equal(store_shard_path(shard, sizeof(shard), path, ""),
			 -EINVAL);
	assert_int_equal(store_shard_path(shard, 5, path, "x"),
			 -ENAMETOOLONG);
	assert_int_equal(store_collect(s, &m), 0);

	assert_int_equal(store_shard_path(shard, sizeof(shard), path, "w-1"),
			 0);
	w = open_or_fail(shard, STORE_SHARD);
	put(w, 1, "done");
	store_close(w);
	store_shard_path(shard, sizeof(shard), path, "w-2");
	pid = start_worker(shard, 2);
	assert_int_equal(store_collect(s, &m), 1);
	assert_int_equal(m.added, 1);
	assert_int_equal(stat(shard, &st), 0);

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	assert_int_equal(store_collect(s, &m), 1);
	assert_int_equal(m.added, 2);
	assert_int_equal(stat(shard, &st), -1);
	assert_int_equal(number(s, "SELECT count(*) FROM run"), 2);
	shard[strlen(shard) - strlen("/w-2.db")] = '\0';
	assert_int_equal(stat(shard, &st), -1);
	store_close(s);
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
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_failed_round_trip),
		cmocka_unit_test(test_finished_keys_stay),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_shards),
		cmocka_unit_test(test_disk_full),
		cmocka_unit_test(test_batch),
		cmocka_unit_test(test_read_only),
		cmocka_unit_test(test_migrate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
