/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs in the database: what is kept, found, merged, and what comes back. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "results/store.h"
#include "tests/cmocka_all.h"
#include "tests/sample_result.h"
#include "tests/sample_store.h"

static struct hist *some_hist(u64 seed)
{
	struct hist *h = malloc(sizeof(*h));
	u64 i;

	hist_init(h);
	for (i = 0; i < 100; i++)
		hist_add(h, seed * i * i * i);
	return h;
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
		if (!store_open(&s, path, STORE_SHARD, NULL, 0)) {
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_failed_round_trip),
		cmocka_unit_test(test_finished_keys_stay),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_merge),
		cmocka_unit_test(test_shards),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
