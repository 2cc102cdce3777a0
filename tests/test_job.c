/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job.h"

static int parse(const char *text, struct job *j, struct scenario_error *err)
{
	return job_parse(text, strlen(text), "x.job", j, err);
}

static void test_sections(void **state)
{
	static const char text[] =
		"# a comment = with an equals sign\n"
		"\t# another, \xc3\xa4 allowed\n"
		"\n"
		"[defaults]\n"
		"nr_threads = 1..32\n"
		"  loops=5 \t\n"
		"[ one ]\r\n"
		"pair.pages\t=\t4 K\r\n"
		"[two]\n"
		"lock.vmap_area_lock = fifo";
	struct scenario_error err;
	struct job j;

	(void)state;
	assert_int_equal(parse(text, &j, &err), 0);
	assert_int_equal(j.nr, 3);
	assert_int_equal(job_nr_variants(&j), 2);
	assert_string_equal(job_variant_name(&j, 0), "one");
	assert_string_equal(job_variant_name(&j, 1), "two");
	assert_int_equal(j.section[0].nr, 2);
	assert_string_equal(j.section[0].a[0].key, "nr_threads");
	assert_string_equal(j.section[0].a[0].value, "1..32");
	assert_int_equal(j.section[0].a[0].line, 5);
	assert_int_equal(j.section[0].a[0].key_col, 1);
	assert_int_equal(j.section[0].a[0].value_col, 14);
	assert_string_equal(j.section[0].a[0].file, "x.job");
	assert_string_equal(j.section[0].a[1].value, "5");
	assert_int_equal(j.section[0].a[1].key_col, 3);
	assert_string_equal(j.section[1].a[0].value, "4 K");
	assert_int_equal(j.section[1].a[0].value_col, 14);
	assert_string_equal(j.section[2].a[0].value, "fifo");
	job_free(&j);
}

static void test_variant(void **state)
{
	struct assignment set = { .key = "seed", .value = "2" }, *a;
	struct scenario_error err;
	struct job j;
	size_t nr;

	(void)state;
	assert_int_equal(parse("[defaults]\na=1\n[x]\na=2\n", &j, &err), 0);
	a = job_variant(&j, 0, &set, 1, &nr);
	assert_non_null(a);
	assert_int_equal(nr, 3);
	assert_string_equal(a[0].value, "1");
	assert_string_equal(a[1].value, "2");
	assert_string_equal(a[2].key, "seed");
	free(a);
	job_free(&j);

	assert_int_equal(parse("[defaults]\na=1\n", &j, &err), 0);
	assert_int_equal(job_nr_variants(&j), 1);
	assert_string_equal(job_variant_name(&j, 0), "defaults");
	a = job_variant(&j, 0, &set, 1, &nr);
	assert_non_null(a);
	assert_int_equal(nr, 2);
	free(a);
	job_free(&j);

	assert_int_equal(parse("", &j, &err), 0);
	assert_int_equal(job_nr_variants(&j), 1);
	job_free(&j);
}

struct bad {
	const char *text;
	size_t line, col;
	const char *message;
};

static void test_bad(void **state)
{
	static const struct bad bad[] = {
		{ "a = 1\n[x]\n", 1, 1, "outside a section" },
		{ "[x]\na = 1\nb = 2\na = 3\n", 4, 1,
		  "\"a\" again in [x], expected it once; the first is in line "
		  "2" },
		{ "[x]\n[y]\n[x]\n", 3, 1, "the first is in line 1" },
		{ "[defaults]\n[defaults]\n", 2, 1, "[defaults] again" },
		{ "[x\n", 1, 3, "without an end" },
		{ "[x] y\n", 1, 5, "found \"y\" after a section's name" },
		{ "[]\n", 1, 1, "expected a section's name" },
		{ "[ ]\n", 1, 1, "expected a section's name" },
		{ "[x]\n  nr_threads 8\n", 2, 3,
		  "found \"nr_threads 8\", expected key = value" },
		{ "[x]\n= 8\n", 2, 1, "without a key" },
		{ "[x]\na b = 8\n", 2, 2, "found \" \" in a key" },
		{ "[x]\na =\n", 2, 4, "found no value for a" },
		{ "[x]\na = 8 # eight\n", 2, 7, "a comment behind a value" },
		{ "[x]\na = \xc3\xa4\n", 2, 5, "found byte 0xc3" },
		{ "[x]\na = 1\r2\n", 2, 6, "found byte 0x0d" },
		{ "\xef\xbb\xbf[x]\n", 1, 1, "byte order mark" },
		{ "[x]\n; a = 1\n", 2, 1, "found \";\" in a key" },
	};
	struct scenario_error err;
	struct job j;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		assert_int_equal(parse(bad[i].text, &j, &err), -EINVAL);
		assert_string_equal(err.file, "x.job");
		assert_int_equal(err.line, bad[i].line);
		assert_int_equal(err.col, bad[i].col);
		assert_non_null(strstr(err.text, bad[i].message));
		assert_null(strchr(err.text, '\n'));
	}
}

static void test_bytes(void **state)
{
	static const char nul[] = "[x]\na = 1\0\n";
	char *line = malloc(2 * JOB_LINE_MAX);
	struct scenario_error err;
	struct job j;

	(void)state;
	assert_int_equal(job_parse(nul, sizeof(nul) - 1, "x.job", &j, &err),
			 -EINVAL);
	assert_non_null(strstr(err.text, "NUL"));
	assert_int_equal(err.line, 2);
	assert_int_equal(err.col, 6);

	assert_non_null(line);
	memset(line, 'v', 2 * JOB_LINE_MAX);
	memcpy(line, "[x]\na=", 6);
	line[4 + JOB_LINE_MAX] = '\n';
	assert_int_equal(job_parse(line, JOB_LINE_MAX + 5, "x", &j, &err), 0);
	assert_int_equal(strlen(j.section[1].a[0].value), JOB_LINE_MAX - 2);
	job_free(&j);
	line[4 + JOB_LINE_MAX] = 'v';
	line[5 + JOB_LINE_MAX] = '\n';
	assert_int_equal(job_parse(line, JOB_LINE_MAX + 6, "x", &j, &err),
			 -EINVAL);
	assert_int_equal(err.line, 2);
	assert_non_null(strstr(err.text, "4097 bytes, expected at most 4096"));
	free(line);
}

/* Every prefix and every one-byte change either parses or is explained. */
static void test_damage(void **state)
{
	static const char text[] =
		"# c\n[defaults]\nseed = 1\n[x]\nnr_threads = 1,2\n";
	static const char bytes[] = "\0\r\n[]=# \t\x7f\xff;.";
	struct scenario_error err;
	struct job j;

	(void)state;
	for (size_t i = 0; i < sizeof(text); i++) {
		for (size_t k = 0; k < sizeof(bytes); k++) {
			char copy[sizeof(text)];

			memcpy(copy, text, sizeof(text));
			copy[i] = bytes[k];
			if (!job_parse(copy, sizeof(text) - 1, "x", &j, &err))
				job_free(&j);
			else
				assert_true(err.line && err.col && *err.text);
		}
		if (!job_parse(text, i, "x", &j, &err))
			job_free(&j);
		else
			assert_true(err.line && err.col && *err.text);
	}
}

static void test_files(void **state)
{
	struct scenario_error err;
	struct job j;

	(void)state;
	assert_int_equal(job_read("/nowhere/x.job", &j, &err), -ENOENT);
	assert_string_equal(err.file, "/nowhere/x.job");
	assert_int_equal(err.line, 0);
	assert_int_equal(job_read("/", &j, &err), -EISDIR);
	assert_int_equal(job_read("/dev/zero", &j, &err), -EINVAL);
	assert_non_null(strstr(err.text, "more than 1 MiB"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sections),
		cmocka_unit_test(test_variant),
		cmocka_unit_test(test_bad),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
