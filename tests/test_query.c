/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read-only SQL: what is refused, where an error is, the named queries. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "results/query.h"
#include "tests/cmocka_all.h"
#include "tests/sample_result.h"
#include "tests/sample_store.h"

static char err[STORE_ERROR_SIZE];

static int setup(void **state)
{
	char path[400];
	struct store *s = open_or_fail(fresh(path, sizeof(path), "q.db"),
				       STORE_WRITE);
	struct result r;
	u32 i;

	for (i = 1; i <= 8; i++) {
		sample_result(&r, i, i % 2 ? "global" : "zone", (i + 1) / 2);
		r.seed = 1;
		assert_int_equal(store_put(s, &r, 0, 0, NULL), 0);
		result_free(&r);
	}
	put(s, 9, "failed");
	*state = s;
	return 0;
}

static int teardown(void **state)
{
	store_close(*state);
	return 0;
}

/* What the query prints, to be freed; NULL after an error. */
static char *run(struct store *s, const char *sql, enum table_format format,
		 int code)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int rc = query_run(s, "query", sql, out, format, err, sizeof(err));

	fclose(out);
	if (rc != code)
		fail_msg("%s: %d instead of %d: %s", sql, rc, code,
			 rc ? err : text);
	if (rc) {
		assert_int_equal(size, 0);
		free(text);
		return NULL;
	}
	return text;
}

static void expect(struct store *s, const char *sql, enum table_format format,
		   const char *what)
{
	char *text = run(s, sql, format, 0);

	assert_string_equal(text, what);
	free(text);
}

static void test_reads(void **state)
{
	struct store *s = *state;

	expect(s, "SELECT 1 AS a, 2.5 AS b, NULL AS c, 'x,\"y' AS d;  -- end",
	       TABLE_CSV, "a,b,c,d\n1,2.5,,\"x,\"\"y\"\n");
	expect(s, "SELECT id, pair_ns FROM run WHERE id = 8", TABLE_JSON,
	       "[\n{\"id\": 8, \"pair_ns\": 1341.3333333333333}\n]\n");
	expect(s, "SELECT id, pair_ns FROM run WHERE id = 8", TABLE_TEXT,
	       "id   pair_ns\n 8  1.341 us\n");
	expect(s, "SELECT id FROM run WHERE id = 99", TABLE_JSON, "[]\n");
	expect(s, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1"
	       " FROM n WHERE i < 4) SELECT sum(i) AS s FROM n", TABLE_TSV,
	       "s\n10\n");
	expect(s, "PRAGMA user_version", TABLE_CSV, "user_version\n1\n");
	free(run(s, "PRAGMA table_info(run)", TABLE_CSV, 0));
	free(run(s, "EXPLAIN QUERY PLAN SELECT * FROM v_compare", TABLE_CSV,
		 0));
}

static void test_writes_are_refused(void **state)
{
	static const char *const writes[][2] = {
		{ "INSERT INTO run (key) VALUES ('x')", "INSERT" },
		{ "WITH a AS (SELECT 1) DELETE FROM run", "DELETE" },
		{ "UPDATE run SET seed = 1", "UPDATE" },
		{ "DROP TABLE run", "refused" },
		{ "CREATE TABLE t (a)", "refused" },
		{ "CREATE TEMP TABLE t AS SELECT 1", "refused" },
		{ "ALTER TABLE run ADD x INTEGER", "refused" },
		{ "ATTACH 'other.db' AS o", "ATTACH" },
		{ "DETACH main", "DETACH" },
		{ "VACUUM", "refused" },
		{ "VACUUM INTO 'copy.db'", "refused" },
		{ "BEGIN", "a transaction" },
		{ "SAVEPOINT a", "a savepoint" },
		{ "REINDEX", "refused" },
		{ "ANALYZE", "refused" },
		{ "PRAGMA user_version = 7", "PRAGMA user_version" },
		{ "PRAGMA query_only = OFF", "PRAGMA query_only" },
		{ "PRAGMA journal_mode = WAL", "PRAGMA journal_mode" },
		{ "SELECT load_extension('x')", "load_extension" },
		{ "EXPLAIN DELETE FROM run", "DELETE" },
	};
	struct store *s = *state;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(writes); i++) {
		run(s, writes[i][0], TABLE_TEXT, -EPERM);
		if (!strstr(err, writes[i][1]) || !strstr(err, "refused") ||
		    strncmp(err, "query:1:", 8))
			fail_msg("%s: %s", writes[i][0], err);
	}
	assert_int_equal(access("copy.db", F_OK), -1);
	assert_int_equal(number(s, "SELECT count(*) FROM run"), 9);
	put(s, 10, "done");	/* the guard ends with the query */
}

static void test_bad_sql(void **state)
{
	struct store *s = *state;

	run(s, "SELECT *\nFORM run", TABLE_TEXT, -EINVAL);
	assert_int_equal(strncmp(err, "query:2:1: ", 11), 0);
	run(s, "SELECT speed FROM run", TABLE_TEXT, -EINVAL);
	assert_non_null(strstr(err, "query:1:8: no such column: speed"));
	run(s, "SELECT 1; SELECT 2", TABLE_TEXT, -EINVAL);
	assert_non_null(strstr(err, "second statement"));
	run(s, "SELECT 1; DELETE FROM run", TABLE_TEXT, -EINVAL);
	run(s, " -- nothing\n", TABLE_TEXT, -EINVAL);
	assert_non_null(strstr(err, "nothing to run"));
	run(s, "SELECT 'open", TABLE_TEXT, -EINVAL);
}

static void test_named_queries_run(void **state)
{
	struct store *s = *state;
	char sentence[200], *text;
	size_t i;

	for (i = 0; query_name(i); i++) {
		query_sentence(i, sentence, sizeof(sentence));
		assert_true(strlen(sentence) > 20 && strlen(sentence) < 78);
		assert_int_equal(sentence[strlen(sentence) - 1], '.');
		if (i)
			assert_true(strcmp(query_name(i - 1),
					   query_name(i)) < 0);
		text = run(s, query_text(query_name(i)), TABLE_CSV, 0);
		/* Each has something to say about these runs. */
		if (!strchr(text, '\n') || !strchr(text, '\n')[1])
			fail_msg("%s: %s", query_name(i), text);
		free(text);
	}
	assert_true(i >= 5);
	assert_null(query_text("none"));
}

static void test_what_named_queries_say(void **state)
{
	struct store *s = *state;
	char *text;

	expect(s, query_text("failures"), TABLE_CSV,
	       "id,design,workload,machine,nr_threads,state,va_failed,error,"
	       "repeat\n9,global,pair,threadripper-3970x,9,failed,0,,"
	       "vmapsim run --set 'a b'\n");
	text = run(s, query_text("fastest"), TABLE_CSV, 0);
	assert_non_null(strstr(text, "3970x,pair,1,global,334.33"));
	assert_non_null(strstr(text, "3970x,pair,4,global,1340.33"));
	free(text);
	text = run(s, query_text("knee"), TABLE_TSV, 0);
	assert_non_null(strstr(text, "zone\t4\t4\t4000000\t4\t4000000\n"));
	free(text);
	text = run(s, query_text("limits"), TABLE_CSV, 0);
	assert_non_null(strstr(text, ",free_vmap_area_lock,100,"));
	free(text);
}

static void test_views(void **state)
{
	struct store *s = *state;

	expect(s, "SELECT design, nr_threads, significant,"
	       " round(ratio, 6) AS ratio FROM v_compare"
	       " WHERE baseline = 'zone' ORDER BY nr_threads LIMIT 1",
	       TABLE_CSV,
	       "design,nr_threads,significant,ratio\nglobal,1,1,1.002991\n");
	/* Another cost: no longer comparable. */
	sqlite3_exec(store_db(s), "UPDATE param SET value = '13ns' WHERE"
		     " run_id = 1 AND name LIKE 'cost%'", NULL, NULL, NULL);
	assert_int_equal(number(s, "SELECT count(*) FROM v_compare WHERE"
				" nr_threads = 1"), 0);
	assert_int_equal(number(s, "SELECT count(*) FROM v_compare"), 6);
}

/* A million runs in a second: by an index, not by reading them all. */
static void test_indexes_are_used(void **state)
{
	static const char *const queries[] = {
		"SELECT id FROM run WHERE key = 'x'",
		"SELECT * FROM run WHERE design = 'a' AND workload = 'b'"
			" AND machine = 'c' AND nr_threads = 4",
		"SELECT id FROM run ORDER BY latency_ns_max DESC LIMIT 20",
		"SELECT id FROM run ORDER BY pair_ns LIMIT 5",
		"SELECT * FROM run WHERE campaign_id = 3",
		"SELECT id FROM run WHERE state <> 'done'",
		"SELECT id FROM run WHERE va_failed > 0",
		"SELECT machine, workload, nr_threads, design, min(pair_ns)"
			" FROM run WHERE state = 'done'"
			" GROUP BY machine, workload, nr_threads",
	};
	struct store *s = *state;
	char sql[400], *text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(queries); i++) {
		snprintf(sql, sizeof(sql), "EXPLAIN QUERY PLAN %s",
			 queries[i]);
		text = run(s, sql, TABLE_CSV, 0);
		if (!strstr(text, "INDEX") || strstr(text, "B-TREE"))
			fail_msg("%s:\n%s", queries[i], text);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_reads, setup, teardown),
		cmocka_unit_test_setup_teardown(test_writes_are_refused,
						setup, teardown),
		cmocka_unit_test_setup_teardown(test_bad_sql, setup, teardown),
		cmocka_unit_test_setup_teardown(test_named_queries_run, setup,
						teardown),
		cmocka_unit_test_setup_teardown(test_what_named_queries_say,
						setup, teardown),
		cmocka_unit_test_setup_teardown(test_views, setup, teardown),
		cmocka_unit_test_setup_teardown(test_indexes_are_used, setup,
						teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
