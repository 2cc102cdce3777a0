/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records as an aligned table and for machines. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/table.h"
#include "tests/cmocka_all.h"

static const struct table_column three[] = {
	{ "name", TABLE_PLAIN }, { "wait_ns", TABLE_NS }, { "n", TABLE_PLAIN },
};

/* Two rows with everything that needs care; to be freed. */
static char *write_three(enum table_format format)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct table *t = table_begin(out, format, three, ARRAY_SIZE(three));

	table_text(t, "a|b,\"c\"\td\n\\");
	table_real(t, 1308.4);
	table_int(t, -3);
	table_text(t, "");
	table_real(t, NAN);
	table_real(t, 0.1);
	assert_int_equal(table_end(t), 0);
	fclose(out);
	return text;
}

static void expect(enum table_format format, const char *what)
{
	char *text = write_three(format);

	assert_string_equal(text, what);
	free(text);
}

static void test_text(void **state)
{
	(void)state;
	expect(TABLE_TEXT, "name          wait_ns    n\n"
			   "a|b,\"c\" d \\  1.308 us   -3\n"
			   "                    -  0.1\n");
}

static void test_csv(void **state)
{
	(void)state;
	expect(TABLE_CSV, "name,wait_ns,n\n"
	       "\"a|b,\"\"c\"\"\td\n\\\",1308.4000000000001,-3\n"
	       "\"\",,0.10000000000000001\n");
}

static void test_tsv(void **state)
{
	(void)state;
	expect(TABLE_TSV, "name\twait_ns\tn\n"
	       "a|b,\"c\"\\td\\n\\\\\t1308.4000000000001\t-3\n"
	       "\t\t0.10000000000000001\n");
}

static void test_md(void **state)
{
	(void)state;
	expect(TABLE_MD, "| name | wait_ns | n |\n| --- | --- | --- |\n"
	       "| a\\|b,\"c\"\td<br>\\\\ | 1308.4000000000001 | -3 |\n"
	       "|  |  | 0.10000000000000001 |\n");
}

static void test_json(void **state)
{
	char *text = write_three(TABLE_JSON);
	json_t *all = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	json_t *second;

	(void)state;
	assert_int_equal(json_array_size(all), 2);
	assert_string_equal(json_string_value(json_object_get(
		json_array_get(all, 0), "name")), "a|b,\"c\"\td\n\\");
	second = json_array_get(all, 1);
	assert_true(json_is_null(json_object_get(second, "wait_ns")));
	assert_true(json_real_value(json_object_get(second, "n")) == 0.1);
	json_decref(all);
	free(text);
}

/* No line over 78; the first column in every block; nothing lost. */
static void test_wraps_by_columns(void **state)
{
	static const struct table_column columns[] = {
		{ "first", TABLE_PLAIN }, { "second_of_them", TABLE_PLAIN },
		{ "third_of_them_all", TABLE_PLAIN },
		{ "fourth_of_them_all", TABLE_PLAIN },
		{ "fifth_of_them_all", TABLE_PLAIN },
		{ "sixth", TABLE_PLAIN },
	};
	char *text = NULL, *line, *rest;
	size_t size, nr = 0, i;
	FILE *out = open_memstream(&text, &size);
	struct table *t = table_begin(out, TABLE_TEXT, columns, 6);

	(void)state;
	for (i = 0; i < 6; i++)
		table_int(t, (s64)i * 1000001);
	assert_int_equal(table_end(t), 0);
	fclose(out);
	assert_non_null(strstr(text, "\n\nfirst  "));
	assert_non_null(strstr(text, "5000005"));
	for (rest = text; (line = strsep(&rest, "\n"));) {
		assert_true(strlen(line) <= TABLE_WIDTH_MAX);
		nr += !strncmp(line, "first", 5);
	}
	assert_int_equal(nr, 2);
	free(text);
}

/* Empty cells at a line's end leave nothing; large counts have digits. */
static void test_no_trailing_blanks(void **state)
{
	static const struct table_column two[] = {
		{ "rate", TABLE_PLAIN }, { "remark", TABLE_PLAIN },
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct table *t = table_begin(out, TABLE_TEXT, two, 2);

	(void)state;
	table_real(t, 3661414.3);
	table_text(t, "");
	table_real(t, 2.5);
	table_text(t, "OUT");
	assert_int_equal(table_end(t), 0);
	fclose(out);
	assert_string_equal(text, "   rate  remark\n3661414\n    2.5  OUT\n");
	free(text);
}

/* A text from outside can neither move the cursor nor change colours. */
static void test_no_control_characters(void **state)
{
	static const struct table_column one = { "t", TABLE_PLAIN };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	struct table *t = table_begin(out, TABLE_TEXT, &one, 1);

	(void)state;
	table_text(t, "a\033[31mb\rc");
	assert_int_equal(table_end(t), 0);
	fclose(out);
	assert_string_equal(text, "t\na?[31mb?c\n");
	free(text);
}

static void test_full_stream(void **state)
{
	FILE *out = fopen("/dev/full", "w");
	struct table *t = table_begin(out, TABLE_CSV, three, 3);

	(void)state;
	assert_int_equal(table_end(t), -EIO);
	fclose(out);
}

static void test_format_ns(void **state)
{
	static const struct {
		double ns;
		const char *text;
	} cases[] = {
		{ 0, "0.000 ns" }, { 0.25, "0.250 ns" }, { 94, "94.00 ns" },
		{ 999.94, "999.9 ns" }, { 999.96, "1.000 us" },
		{ 1308.4, "1.308 us" }, { 21086.5, "21.09 us" },
		{ 26543000, "26.54 ms" }, { 2e9, "2.000 s" },
		{ -1500, "-1.500 us" }, { NAN, "-" },
	};
	char buf[32];
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		format_ns(buf, sizeof(buf), cases[i].ns);
		assert_string_equal(buf, cases[i].text);
	}
}

static void test_formats_by_name(void **state)
{
	(void)state;
	assert_int_equal(table_format_find("table"), TABLE_TEXT);
	assert_int_equal(table_format_find("md"), TABLE_MD);
	assert_int_equal(table_format_find("xml"), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_csv),
		cmocka_unit_test(test_tsv),
		cmocka_unit_test(test_md),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_wraps_by_columns),
		cmocka_unit_test(test_no_trailing_blanks),
		cmocka_unit_test(test_no_control_characters),
		cmocka_unit_test(test_full_stream),
		cmocka_unit_test(test_format_ns),
		cmocka_unit_test(test_formats_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
