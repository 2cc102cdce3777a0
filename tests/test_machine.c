/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "models/machine.h"

#define HEAD "# A small machine\n#  for tests\n"
#define BODY								\
	"topology = package:1 l3:2 core:2 pu:2\t# made up\n"		\
	"latency.smt = 6.5ns\t# measured on paper\n"			\
	"latency.llc = 23.5ns\t# the same, page 2\n"			\
	"latency.far = 95ns\t# the same # twice\n"

static char path[4096];

static const char *write_file(const char *text)
{
	const char *dir = getenv("TEST_TMPDIR");
	FILE *f;

	snprintf(path, sizeof(path), "%s/small.machine", dir ? dir : ".");
	f = fopen(path, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
	return path;
}

static void read_text(struct machine_file *f, const char *text)
{
	struct machine_error err;

	if (machine_read(write_file(text), f, &err))
		fail_msg("%zu:%zu: %s", err.line, err.col, err.text);
}

static char *written(const struct machine_file *f)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	assert_int_equal(machine_write(f, out), 0);
	fclose(out);
	return text;
}

static void test_round_trip(void **state)
{
	struct machine_file f;
	char *text;

	(void)state;
	read_text(&f, HEAD BODY);
	assert_string_equal(f.name, "small");
	assert_int_equal(f.nr, 4);
	assert_string_equal(machine_find(&f, "latency.far")->source,
			    "the same # twice");
	text = written(&f);
	assert_string_equal(text, HEAD BODY);
	free(text);
	machine_free(&f);
}

/* Order, blanks, and comments between keys are the writer's, not the file's. */
static void test_normal_form(void **state)
{
	struct machine_file f;
	char *text;

	(void)state;
	read_text(&f, HEAD "\n  latency.smt=6.5ns#measured on paper  \n"
		  "# between\n\n"
		  "topology =package:1 l3:2 core:2 pu:2 # made up\r\n");
	text = written(&f);
	assert_string_equal(text, HEAD
			    "topology = package:1 l3:2 core:2 pu:2\t# made up\n"
			    "latency.smt = 6.5ns\t# measured on paper\n");
	free(text);
	machine_free(&f);
}

static void test_set(void **state)
{
	struct machine_file f;
	char *text;

	(void)state;
	read_text(&f, BODY);
	assert_int_equal(machine_set(&f, "latency.far", "91ns", "fitted"), 0);
	assert_int_equal(machine_set(&f, "latency.bypass_max", "4", "a guess"),
			 0);
	assert_int_equal(machine_set(&f, "latency.fra", "9ns", "x"), -ENOENT);
	assert_int_equal(machine_set(&f, "latency.far", "9", "x"), -EINVAL);
	assert_int_equal(machine_set(&f, "latency.far", "0ns", "x"), -ERANGE);
	assert_int_equal(machine_set(&f, "latency.far", "9ns", ""), -EINVAL);
	assert_int_equal(machine_set(&f, "latency.far", "9ns", "a\nb"),
			 -EINVAL);
	text = written(&f);
	assert_non_null(strstr(text, "\nlatency.far = 91ns\t# fitted\n"));
	assert_non_null(strstr(text, "\nlatency.bypass_max = 4\t# a guess\n"));
	free(text);
	machine_free(&f);
}

static void test_refusals(void **state)
{
	static const struct {
		const char *text;
		size_t line, col;
		const char *message;
	} bad[] = {
		{ "latency.smt = 6ns\n", 1, 18, "found no source of this "
		  "value, expected # and where it comes from" },
		{ "latency.smt = 6ns #  \n", 1, 18, NULL },
		{ HEAD "latency.smt = 6 # x\n", 3, 16, "found \"6\" without a "
		  "unit, expected a time with its unit: ps, ns, us, ms or s" },
		{ "\nlatency.smtt = 6ns # x\n", 2, 1, "found \"latency.smtt\", "
		  "expected a key of a machine; nearest: latency.smt" },
		{ "latency.smt = 6ns # x\n\n\tlatency.smt = 7ns # x\n", 3, 2,
		  "found \"latency.smt\" again, expected it once; it stands on "
		  "line 1 already" },
		{ "[latency]\n", 1, 1, "found \"[latency]\", expected "
		  "key = value # source" },
		{ "latency.smt # = 6ns\n", 1, 1, NULL },
		{ "= 6ns # x\n", 1, 1, NULL },
		{ "latency.smt = # x\n", 1, 15, NULL },
		{ "latency.smt = 0ns # x\n", 1, 15, NULL },
	};
	struct machine_error err;
	struct machine_file f;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_int_equal(machine_read(write_file(bad[i].text), &f,
					      &err), -EINVAL);
		if (err.line != bad[i].line || err.col != bad[i].col)
			fail_msg("%s: %zu:%zu: %s", bad[i].text, err.line,
				 err.col, err.text);
		if (bad[i].message)
			assert_string_equal(err.text, bad[i].message);
		assert_null(f.line);
	}
	assert_int_equal(machine_read("no/such.machine", &f, &err), -ENOENT);
	assert_int_equal(err.line, 0);
	assert_true(strlen(err.text) > 5);
}

static const struct param_desc *const tables[] = { machine_params };

/* text, then a line for each cost that has no default: not what is tested. */
static void apply_text(struct param_set *s, const char *text)
{
	const struct param_desc *d;
	struct machine_error err;
	struct machine_file f;
	char whole[4096];
	int len;

	len = snprintf(whole, sizeof(whole), "%s", text);
	for (d = machine_params; d->key; d++)
		if (!d->def && !strncmp(d->key, "cost.", 5))
			len += snprintf(whole + len, sizeof(whole) - len,
					"%s = 1ns # made up\n", d->key);
	read_text(&f, whole);
	if (machine_apply(&f, s, &err))
		fail_msg("%s", err.text);
	machine_free(&f);
}

static void test_apply(void **state)
{
	struct param_error what;
	struct param_set s;
	struct topo t;
	char err[200];

	(void)state;
	assert_int_equal(param_set_init(&s, tables, 1), 0);
	assert_int_equal(param_set_text(&s, "latency.far", "80ns", &what), 0);
	apply_text(&s, HEAD BODY);
	assert_int_equal(param_num(&s, "latency.far"), 80000);
	assert_int_equal(param_num(&s, "latency.llc"), 23500);
	assert_int_equal(machine_topo(&s, &t, err, sizeof(err)), 0);
	assert_int_equal(topo_transfer(&t, 0, 4), 6500);
	assert_int_equal(topo_transfer(&t, 0, 1), 23500);
	assert_int_equal(topo_transfer(&t, 0, 2), 80000);
	topo_free(&t);
	param_set_free(&s);
}

static void test_incomplete(void **state)
{
	struct machine_error err;
	struct machine_file f;
	struct param_set s;
	struct topo t;
	char text[200];

	(void)state;
	assert_int_equal(param_set_init(&s, tables, 1), 0);
	read_text(&f, "latency.smt = 6ns # x\n");
	assert_int_equal(machine_apply(&f, &s, &err), -EINVAL);
	assert_non_null(strstr(err.text, "topology"));
	machine_free(&f);
	apply_text(&s, "latency.smt = 6ns # x\ntopology = pu:2 # x\n");
	assert_int_equal(machine_topo(&s, &t, text, sizeof(text)), -EINVAL);
	assert_non_null(strstr(text, "latency.llc"));
	/* one cache: nothing is far */
	apply_text(&s, "latency.smt = 6ns # x\ntopology = pu:2 # x\n"
		   "latency.llc = 20ns # x\n");
	assert_int_equal(machine_topo(&s, &t, text, sizeof(text)), 0);
	topo_free(&t);
	param_set_free(&s);
}

/* A topology's file is looked for beside the machine's. */
static void test_xml_beside(void **state)
{
	struct param_set s;
	char *expected;

	(void)state;
	assert_int_equal(param_set_init(&s, tables, 1), 0);
	apply_text(&s, "topology = box.xml # lstopo\nlatency.smt = 6ns # x\n");
	expected = strdup(path);
	assert_non_null(expected);
	strcpy(strrchr(expected, '/') + 1, "");
	assert_memory_equal(param_text(&s, "topology"), expected,
			    strlen(expected));
	assert_string_equal(param_text(&s, "topology") + strlen(expected),
			    "box.xml");
	free(expected);
	param_set_free(&s);
}

static int topo_of_matrix(const char *matrix, struct topo *t, char *err,
			  size_t size)
{
	struct param_error what;
	struct param_set s;
	int ret;

	assert_int_equal(param_set_init(&s, tables, 1), 0);
	apply_text(&s, BODY);
	assert_int_equal(param_set_text(&s, "latency.llc_matrix", matrix,
					&what), 0);
	ret = machine_topo(&s, t, err, size);
	param_set_free(&s);
	return ret;
}

static void test_matrix(void **state)
{
	static const char *const bad[] = {
		"23.1", "23.1,91.0", "23.1,91.0;91.0", "23.1,91.0;91.0,23.4;",
		"23.1,91.0;91.2,23.4", "23.1,0;0,23.4", "23.1,-1;-1,23.4",
		"a,b;c,d", "23.1,91.0,1;91.0,23.4,1;1,1,1", "1,2;2,1 x",
		"1,99999999999;99999999999,1", "23.10005,1;1,1",
	};
	struct topo t;
	char err[240];

	(void)state;
	assert_int_equal(topo_of_matrix("23.1, 91.0; 91.1, 23.4", &t, err,
					sizeof(err)), 0);
	assert_int_equal(topo_transfer(&t, 0, 1), 23100);
	assert_int_equal(topo_transfer(&t, 2, 3), 23400);
	assert_int_equal(topo_transfer(&t, 0, 2), 91050);
	assert_int_equal(topo_transfer(&t, 2, 0), 91050);
	topo_free(&t);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		if (topo_of_matrix(bad[i], &t, err, sizeof(err)) != -EINVAL)
			fail_msg("%s was accepted", bad[i]);
		assert_non_null(strstr(err, "latency.llc_matrix"));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_normal_form),
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_apply),
		cmocka_unit_test(test_incomplete),
		cmocka_unit_test(test_xml_beside),
		cmocka_unit_test(test_matrix),
	};

	return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
