/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/param.h"

static const struct param_desc table[] = {
	{ .key = "loops", .type = PARAM_INT, .def = "20000", .min = 1,
	  .max = 1000000000 },
	{ .key = "offset", .type = PARAM_INT, .def = "0", .min = -10,
	  .max = 10 },
	{ .key = "any", .type = PARAM_INT, .def = "7" },
	{ .key = "coherence", .type = PARAM_BOOL, .def = "on" },
	{ .key = "placement", .type = PARAM_ENUM, .def = "spread",
	  .choices = { "spread", "packed", "smt", "scheduler" } },
	{ .key = "hold", .type = PARAM_TIME, .def = "1us", .min = 1,
	  .max = 1000 * PS_PER_S },
	{ .key = "drift", .type = PARAM_TIME, .def = "0ns",
	  .min = -(s64)PS_PER_US, .max = PS_PER_US },
	{ .key = "size", .type = PARAM_BYTES, .def = "4K" },
	{ .key = "lazy_max", .type = PARAM_PAGES, .def = "32M", .min = 0,
	  .max = 1 << 24 },
	{ .key = "ci", .type = PARAM_PPM, .def = "1%", .min = 0,
	  .max = 1000000 },
	{ .key = "layout", .type = PARAM_STRING },
	{ .key = "stations", .type = PARAM_TIMELIST, .def = "", .min = 0,
	  .max = PS_PER_S },
	{ .key = NULL }
};
static const struct param_desc *const tables[] = { NULL, table };

static const struct param_desc *desc(const char *key)
{
	for (const struct param_desc *d = table; d->key; d++)
		if (!strcmp(d->key, key))
			return d;
	fail_msg("no descriptor %s", key);
	return NULL;
}

struct good {
	const char *key, *text;
	s64 num;
	const char *canonical;
};

static void test_values(void **state)
{
	static const struct good good[] = {
		{ "loops", "8", 8, "8" },
		{ "loops", "1e6", 1000000, "1000000" },
		{ "loops", "+12E3", 12000, "12000" },
		{ "loops", " 8 ", 8, "8" },
		{ "offset", "-10", -10, "-10" },
		{ "any", "9223372036854775807", INT64_MAX,
		  "9223372036854775807" },
		{ "coherence", "off", 0, "off" },
		{ "coherence", "yes", 1, "on" },
		{ "coherence", "0", 0, "off" },
		{ "placement", "smt", 2, "smt" },
		{ "hold", "1.5us", 1500000, "1.5us" },
		{ "hold", "1ps", 1, "1ps" },
		{ "hold", "0.001 ns", 1, "1ps" },
		{ "hold", "1500ns", 1500000, "1.5us" },
		{ "hold", "120ns", 120000, "120ns" },
		{ "hold", "100ns", 100000, "100ns" },
		{ "hold", "60000ms", 60 * PS_PER_S, "60s" },
		{ "hold", "1.234567891234s", 1234567891234, "1234567891234ps" },
		{ "drift", "-12ns", -12000, "-12ns" },
		{ "drift", "0ms", 0, "0s" },
		{ "size", "12", 12, "12" },
		{ "size", "64K", 65536, "64K" },
		{ "size", "1.5KiB", 1536, "1536" },
		{ "size", "2T", 1ll << 41, "2T" },
		{ "lazy_max", "57344 pages", 57344, "224M" },
		{ "lazy_max", "224M", 57344, "224M" },
		{ "lazy_max", "1page", 1, "4K" },
		{ "lazy_max", "4096B", 1, "4K" },
		{ "ci", "1%", 10000, "1%" },
		{ "ci", "0.5%", 5000, "0.5%" },
		{ "ci", "0.01", 10000, "1%" },
		{ "ci", "1", 1000000, "100%" },
		{ "ci", "0.0001%", 1, "0.0001%" },
	};
	struct param_error err;
	struct param_value v;
	char buf[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		const struct good *g = &good[i];

		assert_int_equal(param_parse(desc(g->key), g->text, &v, &err),
				 0);
		assert_int_equal(v.num, g->num);
		assert_true(v.set && !v.given);
		assert_int_equal(param_format(&v, buf, sizeof(buf)),
				 strlen(g->canonical));
		assert_string_equal(buf, g->canonical);
		assert_int_equal(param_parse(desc(g->key), buf, &v, &err), 0);
		assert_int_equal(v.num, g->num);
	}
}

struct bad {
	const char *key, *text;
	int error;
	size_t col;
	const char *message;
};

static const struct bad bad[] = {
	{ "hold", "12", -EINVAL, 2, "found \"12\" without a unit, "
	  "expected a time with its unit: ps, ns, us, ms or s" },
	{ "hold", "0", -EINVAL, 1, NULL },
	{ "hold", "12nx", -EINVAL, 2, "found \"nx\", expected a time "
	  "with its unit: ps, ns, us, ms or s; nearest: ns" },
	{ "hold", "", -EINVAL, 0, NULL },
	{ "hold", "ns", -EINVAL, 0, NULL },
	{ "hold", "1.us", -EINVAL, 1, NULL },
	{ "hold", ".5us", -EINVAL, 0, NULL },
	{ "hold", "1.2345ns", -EINVAL, 0, "found \"1.2345ns\", "
	  "expected a whole number of ps" },
	{ "hold", "0ns", -ERANGE, 0, "found \"0ns\", expected from "
	  "1ps to 1000s" },
	{ "hold", "-1ns", -ERANGE, 0, NULL },
	{ "hold", "1001s", -ERANGE, 0, NULL },
	{ "hold", "99999999999s", -ERANGE, 0, "found "
	  "\"99999999999s\", expected from 1ps to 1000s" },
	{ "hold", "123456789012345678901s", -EINVAL, 0, NULL },
	{ "loops", "0", -ERANGE, 0, "found \"0\", expected from 1 to "
	  "1000000000" },
	{ "loops", "1e10", -ERANGE, 0, NULL },
	{ "loops", "1e99999999999", -ERANGE, 0, NULL },
	{ "loops", "1.5", -EINVAL, 1, NULL },
	{ "loops", "64K", -EINVAL, 2, "found \"K\", expected an "
	  "integer such as 8 or 1e6" },
	{ "loops", "1,2", -EINVAL, 1, NULL },
	{ "loops", "many", -EINVAL, 0, NULL },
	{ "loops", "1e", -EINVAL, 1, NULL },
	{ "offset", "-11", -ERANGE, 0, "found \"-11\", expected from "
	  "-10 to 10" },
	{ "any", "-1", -ERANGE, 0, "found \"-1\", expected at least "
	  "0" },
	{ "any", "9223372036854775808", -ERANGE, 0, "found "
	  "\"9223372036854775808\", expected less than 2^63" },
	{ "coherence", "onn", -EINVAL, 0, "found \"onn\", expected on "
	  "or off, or yes or no; nearest: on" },
	{ "placement", "sprad", -EINVAL, 0, "found \"sprad\", expected "
	  "one of spread, packed, smt, scheduler; nearest: spread" },
	{ "placement", "", -EINVAL, 0, NULL },
	{ "size", "4X", -EINVAL, 1, NULL },
	{ "size", "0.5", -EINVAL, 0, NULL },
	{ "lazy_max", "32", -EINVAL, 2, "found \"32\" without a unit, "
	  "expected a size with its unit: pages, K, M, G or T" },
	{ "lazy_max", "5000B", -EINVAL, 0, NULL },
	{ "lazy_max", "8 pgaes", -EINVAL, 2, "found \"pgaes\", "
	  "expected a size with its unit: pages, K, M, G or T; "
	  "nearest: pages" },
	{ "ci", "101%", -ERANGE, 0, "found \"101%\", expected from 0% "
	  "to 100%" },
	{ "ci", "0.00001%", -EINVAL, 0, NULL },
	{ "layout", "a\nb", -EINVAL, 1, NULL },
	{ "stations", "8us,5", -EINVAL, 5, NULL },
	{ "stations", "8us,", -EINVAL, 4, NULL },
	{ "stations", "8us,2s", -ERANGE, 4, "found \"2s\", expected "
	  "from 0s to 1s" },
};

static void test_refusals(void **state)
{
	struct param_error err;
	struct param_value v;
	char buf[300];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		const struct bad *b = &bad[i];
		int ret = param_parse(desc(b->key), b->text, &v, &err);

		param_error_format(&err, buf, sizeof(buf));
		if (ret != b->error || err.col != b->col)
			fail_msg("%s=%s: %d, column %zu, %s", b->key, b->text,
				 ret, err.col, buf);
		assert_false(v.set);
		assert_null(strchr(buf, '\n'));
		assert_true(strlen(err.expected) > 0 && strlen(err.found) > 0);
		if (b->message)
			assert_string_equal(buf, b->message);
	}
}

static void test_texts(void **state)
{
	struct param_error err;
	struct param_value v;
	u64 ps[4] = { 0 };

	(void)state;
	assert_int_equal(param_parse(desc("layout"), " a b ", &v, &err), 0);
	assert_string_equal(v.text, "a b");
	free(v.text);
	assert_int_equal(param_parse(desc("stations"), "8000ns, 5us", &v,
				     &err), 0);
	assert_string_equal(v.text, "8us,5us");
	assert_int_equal(param_times(v.text, ps, 4), 2);
	assert_int_equal(ps[0], 8000000);
	assert_int_equal(ps[1], 5000000);
	assert_int_equal(param_times(v.text, ps, 1), 2);
	assert_int_equal(param_times("", ps, 4), 0);
	assert_int_equal(param_times("8us,x", ps, 4), -EINVAL);
	free(v.text);
	assert_int_equal(param_parse(desc("stations"), "", &v, &err), 0);
	assert_string_equal(v.text, "");
	free(v.text);
}

/* Long and unprintable text must neither overflow nor reach a terminal. */
static void test_hostile_text(void **state)
{
	struct param_error err;
	struct param_value v;
	char text[5000];

	(void)state;
	for (const struct param_desc *d = table; d->key; d++) {
		if (d->type == PARAM_STRING)
			continue;
		memset(text, '\033', sizeof(text) - 1);
		text[sizeof(text) - 1] = '\0';
		assert_int_equal(param_parse(d, text, &v, &err), -EINVAL);
		assert_null(strchr(err.found, '\033'));
		memset(text, '9', sizeof(text) - 1);
		assert_true(param_parse(d, text, &v, &err) < 0);
		assert_true(strlen(err.found) < sizeof(err.found) - 1);
	}
}

static void test_set(void **state)
{
	struct param_set s, copy;
	struct param_error err;

	(void)state;
	assert_int_equal(param_set_init(&s, tables, 2), 0);
	assert_int_equal(s.nr, ARRAY_SIZE(table) - 1);
	assert_int_equal(param_num(&s, "loops"), 20000);
	assert_string_equal(param_text(&s, "layout"), "");
	assert_false(param_find(&s, "layout")->set);
	assert_string_equal(param_choice(&s, "placement"), "spread");
	assert_null(param_find(&s, "nothing"));

	assert_int_equal(param_set_default(&s, "loops", "5", &err), 0);
	assert_int_equal(param_num(&s, "loops"), 5);
	assert_false(param_find(&s, "loops")->given);
	assert_int_equal(param_set_text(&s, "loops", "6", &err), 0);
	assert_int_equal(param_set_default(&s, "loops", "7", &err), 0);
	assert_int_equal(param_num(&s, "loops"), 6);
	assert_true(param_find(&s, "loops")->given);
	assert_int_equal(param_set_text(&s, "loops", "none", &err), -EINVAL);
	assert_int_equal(param_num(&s, "loops"), 6);

	assert_int_equal(param_set_text(&s, "layout", "file", &err), 0);
	assert_int_equal(param_set_copy(&copy, &s), 0);
	assert_int_equal(param_set_text(&s, "layout", "other", &err), 0);
	assert_string_equal(param_text(&copy, "layout"), "file");
	assert_string_equal(param_text(&s, "layout"), "other");
	param_set_free(&copy);
	param_set_free(&s);
}

static void test_unknown_key(void **state)
{
	struct param_set s;
	struct param_error err;

	(void)state;
	assert_int_equal(param_set_init(&s, tables, 2), 0);
	assert_int_equal(param_set_text(&s, "lops", "6", &err), -ENOENT);
	assert_string_equal(err.nearest, "loops");
	assert_int_equal(param_set_text(&s, "xyzzyxyzzy", "6", &err), -ENOENT);
	assert_string_equal(err.nearest, "");
	param_set_free(&s);
}

static void test_bad_tables(void **state)
{
	static const struct param_desc bad[] = {
		{ .key = "t", .type = PARAM_TIME, .def = "1" }, { .key = NULL }
	};
	const struct param_desc *const twice[] = { table, table };
	const struct param_desc *const wrong[] = { table, bad };
	struct param_set s;

	(void)state;
	assert_int_equal(param_set_init(&s, twice, 2), -EEXIST);
	assert_null(s.v);
	assert_int_equal(param_set_init(&s, wrong, 2), -EINVAL);
	assert_null(s.v);
}

/* Two spellings of one value are one run: the same canonical text. */
static void test_canonical(void **state)
{
	struct param_set s;
	struct param_error err;
	char *text;
	size_t size;
	FILE *f;

	(void)state;
	assert_int_equal(param_set_init(&s, tables, 2), 0);
	assert_int_equal(param_set_text(&s, "hold", "1500ns", &err), 0);
	assert_int_equal(param_set_text(&s, "stations", "8us, 5us", &err), 0);
	f = open_memstream(&text, &size);
	assert_non_null(f);
	assert_int_equal(param_set_canonical(&s, f), 0);
	fclose(f);
	assert_string_equal(text, "any=7\nci=1%\ncoherence=on\ndrift=0s\n"
			    "hold=1.5us\nlayout=\nlazy_max=32M\nloops=20000\n"
			    "offset=0\nplacement=spread\nsize=4K\n"
			    "stations=8us,5us\n");
	free(text);
	param_set_free(&s);
}

static void assert_nearest(const char *text, const char *expected)
{
	static const char *const names[] = {
		"nr_threads", "pair.pages", "loops", "vmap.lazy_max",
		"kernel.preempt", "kernel.present", "ci", "seed",
	};
	const char *found = nearest_name(text, names, ARRAY_SIZE(names));

	if (expected)
		assert_string_equal(found, expected);
	else
		assert_null(found);
}

static void test_nearest(void **state)
{
	(void)state;
	assert_nearest("nr_thread", "nr_threads");
	assert_nearest("threads", "nr_threads");
	assert_nearest("pair", "pair.pages");
	assert_nearest("NR_Threads", "nr_threads");
	assert_nearest("lopos", "loops");		/* one change of place */
	assert_nearest("vmap.lasymax", "vmap.lazy_max");
	assert_nearest("kernel.pre", "kernel.preempt");
	assert_nearest("kernel.presnt", "kernel.present");
	assert_nearest("x", NULL);
	assert_nearest("", NULL);
	assert_nearest("c", "ci");
	assert_nearest("zz", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_hostile_text),
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_unknown_key),
		cmocka_unit_test(test_bad_tables),
		cmocka_unit_test(test_canonical),
		cmocka_unit_test(test_nearest),
	};

	return cmocka_run_group_tests_name("param", tests, NULL, NULL);
}
