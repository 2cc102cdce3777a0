/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/scenario.h"

#define NR_MAX 12

/* "key=value" texts to assignments, as if each stood in a line of its own. */
static size_t assign(const char *const *text, struct assignment *a)
{
	size_t nr = 0;

	for (; text[nr]; nr++) {
		const char *eq = strchr(text[nr], '=');

		assert_non_null(eq);
		assert_true(nr < NR_MAX);
		a[nr] = (struct assignment) {
			.key = strndup(text[nr], (size_t)(eq - text[nr])),
			.value = strdup(eq + 1),
			.line = nr + 1,
			.key_col = 1,
			.value_col = (size_t)(eq - text[nr]) + 2,
		};
	}
	return nr;
}

static void forget(struct assignment *a, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		free(a[i].key);
		free(a[i].value);
	}
}

#define SET(...) ((const char *const []) { __VA_ARGS__, NULL })
#define NOTHING ((const char *const []) { NULL })

static void make(struct scenario *s, const char *const *text)
{
	struct assignment a[NR_MAX];
	struct scenario_error err;
	size_t nr = assign(text, a);
	int rc = scenario_init(s, a, nr, &err);

	if (rc)
		fail_msg("%d: %s", rc, err.text);
	forget(a, nr);
}

static void plan(struct plan *p, const char *const *text)
{
	struct assignment a[NR_MAX];
	struct scenario_error err;
	size_t nr = assign(text, a);
	int rc = plan_init(p, a, nr, &err);

	if (rc)
		fail_msg("%d: %s", rc, err.text);
	forget(a, nr);
}

/* Both as a single scenario and as a plan, if a list is not the fault. */
static void refused(const char *const *text, bool plan_too, size_t line,
		    size_t col, const char *message)
{
	struct assignment a[NR_MAX];
	struct scenario_error err;
	size_t nr = assign(text, a);
	struct scenario s;
	struct plan p;

	assert_true(scenario_init(&s, a, nr, &err) < 0);
	for (int i = 0; i < 1 + plan_too; i++) {
		if (i)
			assert_true(plan_init(&p, a, nr, &err) < 0);
		if (!strstr(err.text, message))
			fail_msg("\"%s\" lacks \"%s\"", err.text, message);
		assert_int_equal(err.line, line);
		assert_int_equal(err.col, col);
		assert_null(strchr(err.text, '\n'));
	}
	forget(a, nr);
}

static void test_key(void **state)
{
	struct scenario a, b;

	(void)state;
	make(&a, NOTHING);
	assert_int_equal(strlen(a.key), 32);
	assert_int_equal(strspn(a.key, "0123456789abcdef"), 32);
	/* what is given as it is by default, and how it is spelt, is nothing */
	make(&b, SET("design=global", "nr_threads= 1e0 ", "seed=01"));
	assert_string_equal(a.key, b.key);
	scenario_free(&b);
	make(&b, SET("seed=2"));
	assert_string_not_equal(a.key, b.key);
	scenario_free(&b);
	make(&b, SET("replications=6"));
	assert_string_not_equal(a.key, b.key);
	scenario_free(&b);
	make(&b, SET("lock.vmap_area_lock=fifo"));
	assert_string_not_equal(a.key, b.key);
	assert_string_equal(param_choice(&b.params, "lock.vmap_area_lock"),
			    "fifo");
	assert_string_equal(param_choice(&b.params, "lock"), "qspinlock");
	scenario_free(&b);
	scenario_free(&a);
}

static void test_precedence(void **state)
{
	struct scenario s;
	s64 smt;

	(void)state;
	make(&s, NOTHING);
	smt = param_num(&s.params, "latency.smt");	/* the machine's */
	assert_true(smt > 0);
	assert_false(param_find(&s.params, "latency.smt")->given);
	scenario_free(&s);
	make(&s, SET("latency.smt=77ns", "nr_threads=1..32", "nr_threads=7"));
	assert_int_equal(param_num(&s.params, "latency.smt"), 77000);
	assert_int_equal(param_num(&s.params, "nr_threads"), 7);
	scenario_free(&s);
}

static void test_no_design(void **state)
{
	struct scenario s;

	(void)state;
	make(&s, SET("workload=lockloop"));
	assert_string_equal(param_text(&s.params, "design"),
			    SCENARIO_NO_DESIGN);
	assert_null(param_find(&s.params, "lock.vmap_area_lock"));
	scenario_free(&s);
	refused(SET("workload=lockloop", "design=global"), false, 2, 8,
		"expected none: workload lockloop has no kernel model");
	refused(SET("workload=lockloop", "vmap.lazy_max=1M"), true, 2, 1,
		"workload lockloop has no kernel model");
}

static void test_refused(void **state)
{
	(void)state;
	refused(SET("seed=1", "nr_thread=8"), true, 2, 1,
		"unknown key \"nr_thread\", expected one of vmapsim list "
		"params; nearest: nr_threads");
	refused(SET("nr_threads=0"), true, 1, 12, "from 1 to 65536");
	refused(SET("nr_threads=1e9"), true, 1, 12, "from 1 to 65536");
	refused(SET("nr_threads=1..4"), false, 1, 12, "vmapsim sweep");
	refused(SET("design=global,zone"), false, 1, 8, "vmapsim sweep");
	refused(SET("design=glbal"), true, 1, 8, "nearest: global");
	refused(SET("workload=pear"), true, 1, 10, "nearest: pair");
	refused(SET("machine=threadriper-3970x"), true, 1, 9,
		"nearest: threadripper-3970x");
	refused(SET("machine=./no.machine"), true, 1, 9, "\"./no.machine\"");
	refused(SET("latency.smt=95"), true, 1, 15, "without a unit");
	refused(SET("lock=qspinlok"), true, 1, 6, "nearest: qspinlock");
	refused(SET("lock.vmap_area_lok=fifo"), true, 1, 1,
		"nearest: lock.vmap_area_lock");
	refused(SET("loops=5", "duration=1ms"), true, 2, 1,
		"duration beside loops");
	refused(SET("lockloop.think=1us"), true, 1, 1,
		"of workload lockloop, expected one in use: the workload is "
		"pair");
}

static void test_plan(void **state)
{
	struct plan p;

	(void)state;
	plan(&p, SET("design=global,zone", "nr_threads=1..3"));
	assert_int_equal(p.nr, 6);
	for (size_t i = 0; i < p.nr; i++) {
		const struct param_set *s = &p.point[i].params;

		assert_string_equal(param_text(s, "design"),
				    i < 3 ? "global" : "zone");
		assert_int_equal(param_num(s, "nr_threads"), i % 3 + 1);
	}
	plan_free(&p);

	/* a later value replaces the axis, and keeps its place */
	plan(&p, SET("nr_threads=1,2", "seed=1..3", "nr_threads=4,8"));
	assert_int_equal(p.nr, 6);
	assert_int_equal(param_num(&p.point[0].params, "nr_threads"), 4);
	assert_int_equal(param_num(&p.point[1].params, "seed"), 2);
	plan_free(&p);
}

/* A point of a plan is the scenario that one gets by itself. */
static void test_plan_key(void **state)
{
	struct scenario s;
	struct plan p, more;

	(void)state;
	make(&s, SET("design=zone", "nr_threads=8"));
	plan(&p, SET("design=global,zone", "nr_threads=4,8"));
	assert_string_equal(p.point[3].key, s.key);
	plan(&more, SET("nr_threads=2"));
	assert_int_equal(plan_append(&p, &more), 0);
	plan_free(&more);
	assert_int_equal(p.nr, 5);
	assert_int_equal(param_num(&p.point[4].params, "nr_threads"), 2);
	plan_free(&p);
	scenario_free(&s);
}

/* Keys of a design that only some points have are left out at the others. */
static void test_plan_mixed(void **state)
{
	struct plan p;

	(void)state;
	plan(&p, SET("workload=pair,lockloop", "lockloop.think=3us",
		     "design=global,zone"));
	assert_int_equal(p.nr, 4);
	assert_null(param_find(&p.point[0].params, "lockloop.think"));
	assert_int_equal(param_num(&p.point[2].params, "lockloop.think"),
			 3000000);
	assert_string_equal(p.point[2].key, p.point[3].key);
	plan_free(&p);
}

static void test_plan_limits(void **state)
{
	struct assignment a[NR_MAX];
	struct scenario_error err;
	struct plan p;
	size_t nr;

	(void)state;
	nr = assign(SET("nr_threads=1..1000", "seed=1..1001"), a);
	assert_int_equal(plan_init(&p, a, nr, &err), -EINVAL);
	assert_non_null(strstr(err.text, "more than 1000000"));
	assert_int_equal(err.line, 2);
	forget(a, nr);
	nr = assign(SET("nr_threads=4,2,0"), a);
	assert_int_equal(plan_init(&p, a, nr, &err), -ERANGE);
	assert_int_equal(err.col, 16);	/* the item, not the list */
	forget(a, nr);
}

/* The fully defaulted text means the same scenario. */
static void test_print(void **state)
{
	struct assignment a[200];
	struct scenario_error err;
	char *text = NULL, *line, *next;
	struct scenario s, t;
	size_t size, nr = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	make(&s, SET("design=zone", "nr_threads=8", "loops=100",
		     "lock.free_vmap_area_lock=fifo"));
	assert_int_equal(scenario_print(&s, out), 0);
	fclose(out);
	for (line = text; *line; line = next) {
		char *sep = strstr(line, " = ");

		next = strchr(line, '\n') + 1;
		next[-1] = '\0';
		assert_non_null(sep);
		*sep = '\0';
		assert_true(nr < ARRAY_SIZE(a));
		a[nr++] = (struct assignment) { .key = line,
						.value = sep + 3 };
	}
	if (scenario_init(&t, a, nr, &err))
		fail_msg("%s", err.text);
	assert_string_equal(s.key, t.key);
	scenario_free(&t);
	scenario_free(&s);
	free(text);
}

/* Keys are found by name alone: none may stand in two tables of one room. */
static void test_tables(void **state)
{
	size_t nr;
	struct param_table *t = scenario_tables(&nr);

	(void)state;
	assert_non_null(t);
	for (size_t i = 0; i < nr; i++) {
		for (const struct param_desc *d = t[i].desc; d->key; d++) {
			assert_non_null(d->help);
			assert_ptr_equal(scenario_desc(d->key), d);
		}
	}
	free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_key),
		cmocka_unit_test(test_precedence),
		cmocka_unit_test(test_no_design),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_plan),
		cmocka_unit_test(test_plan_key),
		cmocka_unit_test(test_plan_mixed),
		cmocka_unit_test(test_plan_limits),
		cmocka_unit_test(test_print),
		cmocka_unit_test(test_tables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
