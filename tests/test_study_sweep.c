/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Workers, resuming, and what is left of a sweep that does not end well. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "study/sweep.h"
#include "study/wire.h"
#include "tests/fake_workload.h"

#define NR 12

static char err[STORE_ERROR_SIZE];

static struct store *new_store(const char *name)
{
	const char *dir = getenv("TEST_TMPDIR");
	struct store *db;
	char path[400];

	snprintf(path, sizeof(path), "%s/%s", dir ? dir : "/tmp", name);
	unlink(path);
	if (store_open(&db, path, STORE_WRITE, err, sizeof(err)))
		fail_msg("%s", err);
	return db;
}

static size_t nr_stored(struct store *db, const char *state)
{
	struct store_filter f = { "state", state };
	s64 *ids;
	ssize_t nr = store_list(db, &f, 1, &ids);

	assert_true(nr >= 0);
	free(ids);
	return (size_t)nr;
}

static void collect_noisy(unsigned int nr_workers, struct result *r)
{
	struct sweep_options o = { .nr_workers = nr_workers, .run = fake_run };
	struct sweep_counts c;
	struct plan p;

	fake_plan(&p, NR);
	fake_plan_set(&p, "fake.noise", "20%");
	assert_int_equal(sweep_collect(&p, &o, r, &c, err, sizeof(err)), 0);
	assert_int_equal(c.nr_done, NR);
	assert_int_equal(c.nr_left, 0);
	fake_plan_free(&p);
}

static void test_same_for_any_number_of_workers(void **state)
{
	static const unsigned int nr_workers[] = { 2, 3, 40 };
	struct result one[NR], many[NR];

	(void)state;
	collect_noisy(1, one);
	for (size_t w = 0; w < ARRAY_SIZE(nr_workers); w++) {
		collect_noisy(nr_workers[w], many);
		for (size_t i = 0; i < NR; i++) {
			char *a, *b;
			size_t na, nb;

			assert_int_equal(many[i].nr_threads, i + 1);
			many[i].elapsed_s = one[i].elapsed_s;
			assert_int_equal(wire_pack(&one[i], &a, &na), 0);
			assert_int_equal(wire_pack(&many[i], &b, &nb), 0);
			assert_int_equal(na, nb);
			assert_memory_equal(a, b, na);
			free(a);
			free(b);
			result_free(&many[i]);
		}
	}
	for (size_t i = 0; i < NR; i++)
		result_free(&one[i]);
}

static void test_crash_costs_one_point(void **state)
{
	struct store *db = new_store("crash.db");
	struct sweep_options o = {
		.nr_workers = 2, .run = fake_run, .store = db,
	};
	struct result r[NR];
	struct sweep_counts c;
	struct plan p;

	(void)state;
	fake_plan(&p, NR);
	fake_plan_set(&p, "fake.crash", "5");
	fake_plan_set(&p, "fake.fail", "7");
	assert_int_equal(sweep_collect(&p, &o, r, &c, err, sizeof(err)), 0);
	assert_int_equal(c.nr_failed, 2);
	assert_int_equal(c.nr_done, NR - 2);
	assert_string_equal(r[4].state, "failed");
	assert_non_null(strstr(r[4].error, "worker killed by signal 9"));
	assert_string_equal(r[6].error, "no room for 7 threads");
	assert_string_equal(r[7].state, "done");
	assert_int_equal(nr_stored(db, "failed"), 2);
	for (size_t i = 0; i < NR; i++)
		result_free(&r[i]);

	/* the failed ones are tried again, the others are not */
	assert_int_equal(sweep_run(&p, &o, &c, err, sizeof(err)), 0);
	assert_int_equal(c.nr_skipped, NR - 2);
	assert_int_equal(c.nr_failed, 2);
	fake_plan_free(&p);
	store_close(db);
}

static void test_resume(void **state)
{
	struct store *db = new_store("resume.db");
	struct sweep_options o = {
		.nr_workers = 2, .run = fake_run, .store = db,
	};
	struct result r[NR];
	struct sweep_counts c;
	struct plan p;

	(void)state;
	fake_plan(&p, NR);
	p.nr = 5;
	assert_int_equal(sweep_run(&p, &o, &c, err, sizeof(err)), 0);
	assert_int_equal(c.nr_done, 5);
	p.nr = NR;
	assert_int_equal(sweep_collect(&p, &o, r, &c, err, sizeof(err)), 0);
	assert_int_equal(c.nr_skipped, 5);
	assert_int_equal(c.nr_done, NR - 5);
	/* told of both alike */
	for (size_t i = 0; i < NR; i++) {
		assert_true(r[i].metric[METRIC_pair_ns].mean ==
			    500.0 + 300.0 * (double)i);
		result_free(&r[i]);
	}
	assert_int_equal(nr_stored(db, "done"), NR);
	fake_plan_free(&p);
	store_close(db);
}

static void test_equal_points_run_once(void **state)
{
	struct sweep_options o = { .nr_workers = 2, .run = fake_run };
	struct result r[NR];
	struct sweep_counts c;
	struct plan p;

	(void)state;
	fake_plan(&p, NR);
	for (size_t i = 0; i < NR; i++)
		fake_set(&p.point[i], "nr_threads", i % 2 ? "4" : "3");
	assert_int_equal(sweep_collect(&p, &o, r, &c, err, sizeof(err)), 0);
	assert_int_equal(c.nr_done, 2);
	assert_int_equal(c.nr_same, NR - 2);
	for (size_t i = 0; i < NR; i++) {
		assert_int_equal(r[i].nr_threads, i % 2 ? 4 : 3);
		result_free(&r[i]);
	}
	fake_plan_free(&p);
}

struct stopper {
	volatile int stop;
	size_t seen;
};

static int stop_after_three(void *ctx, size_t point, const struct result *r)
{
	struct stopper *s = ctx;

	(void)point;
	(void)r;
	if (++s->seen == 3)
		s->stop = 1;
	return 0;
}

static void test_stop_keeps_what_is_finished(void **state)
{
	struct store *db = new_store("stop.db");
	struct stopper s = { 0 };
	struct sweep_options o = {
		.nr_workers = 2, .run = fake_run, .store = db,
		.stop = &s.stop, .done = stop_after_three, .ctx = &s,
	};
	struct sweep_counts c;
	struct plan p;

	(void)state;
	fake_plan(&p, NR);
	assert_int_equal(sweep_run(&p, &o, &c, err, sizeof(err)), -EINTR);
	assert_in_range(c.nr_done, 3, 4);
	assert_int_equal(c.nr_done + c.nr_left, NR);
	assert_int_equal(nr_stored(db, "done"), c.nr_done);
	/* nothing of the points that were dropped */
	assert_int_equal(nr_stored(db, "failed"), 0);
	assert_int_equal(nr_stored(db, "interrupted"), 0);
	fake_plan_free(&p);
	store_close(db);
}

/* A worker in the middle of a point ends when it is told to. */
static int run_for_ever(const struct scenario *s, struct result *r,
			const volatile int *stop)
{
	if (param_num(&s->params, "nr_threads") < NR)
		return fake_run(s, r, stop);
	for (;;)
		pause();
}

static void test_stop_ends_busy_workers(void **state)
{
	struct stopper s = { 0 };
	struct sweep_options o = {
		.nr_workers = 2, .run = run_for_ever,
		.stop = &s.stop, .done = stop_after_three, .ctx = &s,
	};
	struct sweep_counts c;
	struct plan p;

	(void)state;
	fake_plan(&p, NR);
	assert_int_equal(sweep_run(&p, &o, &c, err, sizeof(err)), -EINTR);
	assert_int_equal(c.nr_failed, 0);
	fake_plan_free(&p);
}

static void test_disk_full(void **state)
{
	struct store *db = new_store("full.db");
	struct sweep_options o = {
		.nr_workers = 2, .run = fake_run, .store = db,
	};
	struct sweep_counts c;
	struct plan p;
	char sql[80];
	sqlite3_stmt *q;

	(void)state;
	fake_plan(&p, 200);
	/* as full as a disk of this many pages more */
	assert_int_equal(sqlite3_prepare_v2(store_db(db), "PRAGMA page_count",
					    -1, &q, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(q), SQLITE_ROW);
	snprintf(sql, sizeof(sql), "PRAGMA max_page_count = %d",
		 sqlite3_column_int(q, 0) + 8);
	sqlite3_finalize(q);
	assert_int_equal(sqlite3_exec(store_db(db), sql, NULL, NULL, NULL),
			 SQLITE_OK);
	assert_int_equal(sweep_run(&p, &o, &c, err, sizeof(err)), -ENOSPC);
	assert_true(strlen(err) > 0);
	assert_true(c.nr_done > 0 && c.nr_left > 0);
	assert_int_equal(nr_stored(db, "done"), c.nr_done);
	fake_plan_free(&p);
	store_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_for_any_number_of_workers),
		cmocka_unit_test(test_crash_costs_one_point),
		cmocka_unit_test(test_resume),
		cmocka_unit_test(test_equal_points_run_once),
		cmocka_unit_test(test_stop_keeps_what_is_finished),
		cmocka_unit_test(test_stop_ends_busy_workers),
		cmocka_unit_test(test_disk_full),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
