/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reader of published figures, and the files that come with it. */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "results/published.h"
#include "tests/cmocka_all.h"
#include "tests/sample_result.h"

#define FOLDER	VMAPSIM_SRCDIR "/results/published"

static char err[300];

static int read_bytes(struct published *p, const char *text, size_t size)
{
	char path[400];
	FILE *f = fopen(scratch(path, sizeof(path), "p.csv"), "w");

	fwrite(text, 1, size, f);
	fclose(f);
	return published_read(p, path, err, sizeof(err));
}

static void test_fields(void **state)
{
	static const char text[] =
		"# a comment\n\nname,x_ns,y\r\n"
		"\"a,\"\"b\"\"\",1.5e3,\n"
		"# another\n"
		"c,nan,7 apples";
	struct published p;

	(void)state;
	if (read_bytes(&p, text, strlen(text)))
		fail_msg("%s", err);
	assert_int_equal(p.nr_columns, 3);
	assert_int_equal(p.nr_rows, 2);
	assert_int_equal(published_column(&p, "x_ns"), 1);
	assert_int_equal(published_column(&p, "x"), -ENOENT);
	assert_string_equal(published_text(&p, 0, 0), "a,\"b\"");
	assert_true(published_value(&p, 0, 1) == 1500);
	assert_true(isnan(published_value(&p, 0, 2)));
	assert_true(isnan(published_value(&p, 1, 1)));
	assert_true(isnan(published_value(&p, 1, 2)));
	assert_string_equal(published_text(&p, 1, 2), "7 apples");
	assert_int_equal(p.line[0], 4);
	assert_int_equal(p.line[1], 6);
	published_free(&p);
}

static void test_refused(void **state)
{
	static const struct {
		const char *text, *where, *why;
	} cases[] = {
		{ "", "p.csv:1:1: ", "end of file" },
		{ "# only this\n", "p.csv:2:1: ", "end of file" },
		{ "a,b\n1\n", "p.csv:2:2: ", "1 fields, expected 2" },
		{ "a,b\n1,2\n1,2,3\n", "p.csv:3:4: ", "more than 2 fields" },
		{ "a,\n", "p.csv:1:3: ", "empty name" },
		{ "a,a\n", "p.csv:1:3: ", "twice" },
		{ "a\n\"x\n", "p.csv:2:3: ", "quoted field" },
		{ "a\n\"x\"y\n", "p.csv:2:4: ", "'y' after" },
		{ "a\nx\"y\n", "p.csv:2:2: ", "quote inside" },
		{ "a\nx\ry\n", "p.csv:2:2: ", "carriage return" },
	};
	struct published p;
	size_t i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		int rc = read_bytes(&p, cases[i].text, strlen(cases[i].text));

		if (rc != -EINVAL || !strstr(err, cases[i].where) ||
		    !strstr(err, cases[i].why))
			fail_msg("case %zu: %d: %s", i, rc, err);
		assert_null(p.text);
	}
	assert_int_equal(read_bytes(&p, "a\n\0\n", 4), -EINVAL);
	assert_int_equal(published_read(&p, "/proc/none.csv", err,
					sizeof(err)), -ENOENT);
	assert_string_equal(err, "/proc/none.csv: No such file or directory");
	assert_int_equal(published_read(&p, "/proc", err, sizeof(err)),
			 -EISDIR);
}

/* Every file of the folder can be read and is named in its README. */
static void test_shipped_files(void **state)
{
	static char readme[65536];
	char path[sizeof(FOLDER) + 260];
	struct dirent *entry;
	DIR *dir = opendir(FOLDER);
	FILE *f = fopen(FOLDER "/README.md", "r");
	int nr = 0;

	(void)state;
	assert_true(dir && f);
	assert_true(fread(readme, 1, sizeof(readme) - 1, f) > 0);
	fclose(f);
	while ((entry = readdir(dir))) {
		struct published p;

		if (!strstr(entry->d_name, ".csv"))
			continue;
		snprintf(path, sizeof(path), FOLDER "/%s", entry->d_name);
		if (published_read(&p, path, err, sizeof(err)))
			fail_msg("%s", err);
		assert_true(p.nr_rows > 0 && p.nr_columns > 1);
		published_free(&p);
		if (!strstr(readme, entry->d_name))
			fail_msg("%s is not in README.md", entry->d_name);
		nr++;
	}
	closedir(dir);
	assert_true(nr >= 3);
}

static void test_main_curve(void **state)
{
	struct published p;
	ssize_t jobs, before, after;
	size_t i;

	(void)state;
	assert_int_equal(published_read(&p, FOLDER "/seed-v1-jobs.csv", err,
					sizeof(err)), 0);
	jobs = published_column(&p, "jobs");
	before = published_column(&p, "default_1page_usec_per_pair");
	after = published_column(&p, "patched_v1_1page_usec_per_pair");
	assert_true(jobs >= 0 && before >= 0 && after >= 0);
	assert_int_equal(p.nr_rows, 32);
	for (i = 0; i < p.nr_rows; i++)
		assert_true(published_value(&p, i, (size_t)jobs) ==
			    (double)i + 1);
	assert_true(published_value(&p, 0, (size_t)before) == 0.576131);
	assert_true(published_value(&p, 31, (size_t)before) == 21.0865);
	assert_true(published_value(&p, 31, (size_t)after) == 3.82904);
	published_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_shipped_files),
		cmocka_unit_test(test_main_curve),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
