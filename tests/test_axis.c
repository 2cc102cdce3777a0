/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "study/scenario.h"

/* Items joined by '|', or the error as "column: found, expected". */
static char *expand(const char *text, char *buf, size_t size)
{
	struct param_error err;
	char **item;
	ssize_t nr = axis_expand(text, &item, &err);
	size_t used = 0;

	if (nr < 0) {
		assert_int_equal(nr, -EINVAL);
		assert_null(item);
		used = (size_t)snprintf(buf, size, "%zu: ", err.col);
		param_error_format(&err, buf + used, size - used);
		return buf;
	}
	buf[0] = '\0';
	for (ssize_t i = 0; i < nr; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s",
					 i ? "|" : "", item[i]);
	free(item);
	return buf;
}

struct pair {
	const char *text, *expected;
};

static void check(const struct pair *p, size_t nr)
{
	char buf[400];

	for (size_t i = 0; i < nr; i++)
		assert_string_equal(expand(p[i].text, buf, sizeof(buf)),
				    p[i].expected);
}

static void test_lists(void **state)
{
	static const struct pair pairs[] = {
		{ "8", "8" },
		{ "1,2,4", "1|2|4" },
		{ " 1 , 2 ", "1|2" },
		{ "global,zone", "global|zone" },
		{ "500ns,1us", "500ns|1us" },
		{ "1,2,4us", "1us|2us|4us" },
		{ "1,2 pages", "1 pages|2 pages" },
		{ "on,off", "on|off" },
		{ "a..b,..4", "a..b|..4" },
	};

	(void)state;
	check(pairs, ARRAY_SIZE(pairs));
}

static void test_ranges(void **state)
{
	static const struct pair pairs[] = {
		{ "1..4", "1|2|3|4" },
		{ "1 .. 3", "1|2|3" },
		{ "5..5", "5" },
		{ "1..1024*4", "1|4|16|64|256|1024" },
		{ "1..1000*10", "1|10|100|1000" },
		{ "1..999*10", "1|10|100" },
		{ "0..64+16", "0|16|32|48|64" },
		{ "0..7+4", "0|4" },
		{ "1us..3us", "1us|2us|3us" },
		{ "1..3us", "1us|2us|3us" },
		{ "0..0.3us+0.1us", "0us|0.1us|0.2us|0.3us" },
		{ "0..0.3us+0.1", "0us|0.1us|0.2us|0.3us" },
		{ "0%..30%+15%", "0%|15%|30%" },
		{ "1e3..1e5*10", "1000|10000|100000" },
		{ "1..3,8,16..64*2", "1|2|3|8|16|32|64" },
		{ "1..2,4us", "1us|2us|4us" },
	};

	(void)state;
	check(pairs, ARRAY_SIZE(pairs));
}

static void test_bad(void **state)
{
#define NUMBER "expected a number below 10^12 with or without a unit"
	static const struct pair pairs[] = {
		{ "", "0: found nothing, expected a value between two commas" },
		{ "1,,2", "2: found nothing, expected a value between two "
			  "commas" },
		{ "1..", "3: found nothing, " NUMBER },
		{ "1...4", "3: found \".4\", " NUMBER },
		{ "1..2..3", "3: found \"2..3\", " NUMBER },
		{ "0x10..0x20", "0: found \"0x10\", " NUMBER },
		{ "1..99999999999999999999",
		  "3: found \"99999999999999999999\", " NUMBER },
		{ "2,8..1", "2: found \"8..1\", expected the low end of a "
			    "range first" },
		{ "1ns..1us", "0: found \"1ns..1us\", expected both ends of a "
			      "range in the same unit" },
		{ "0..8*2", "0: found \"0..8*2\", expected a low end above 0 "
			    "where a factor follows" },
		{ "1..8*1", "4: found \"*1\", expected a factor, a whole "
			    "number from 2 on" },
		{ "1..8*1.5", "4: found \"*1.5\", expected a factor, a whole "
			      "number from 2 on" },
		{ "1..8+0", "4: found \"+0\", expected a step above 0 in the "
			    "unit of the range's high end" },
		{ "1us..8us+1ns", "8: found \"+1ns\", expected a step above 0 "
				  "in the unit of the range's high end" },
		{ "1..1e9", "0: found \"1..1e9\", expected at most 1000000 "
			    "values" },
	};

	(void)state;
	check(pairs, ARRAY_SIZE(pairs));
}

static void test_is_list(void **state)
{
	const struct param_desc number = { .key = "n", .type = PARAM_INT };
	const struct param_desc text = { .key = "x", .type = PARAM_STRING };
	const struct param_desc times = { .key = "t", .type = PARAM_TIMELIST };
	const struct param_desc design = { .key = "design",
					   .type = PARAM_STRING };

	(void)state;
	assert_true(axis_is_list(&number, "1,2"));
	assert_true(axis_is_list(&number, " 1..2"));
	assert_false(axis_is_list(&number, "12"));
	assert_false(axis_is_list(&number, ".."));
	assert_false(axis_is_list(&text, "hyper2:0.1,5.5,0.5"));
	assert_false(axis_is_list(&text, "0xffff..0xffff0"));
	assert_false(axis_is_list(&times, "8us,5us"));
	assert_true(axis_is_list(&design, "global,zone"));
	assert_false(axis_is_list(&design, "../mine"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_is_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
