/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Are the program's files found in the order that sim/datadir.h promises? */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/datadir.h"

/* In the folder that the harness gives each test. */
static void in_tmpdir(char *buf, size_t size, const char *name)
{
	const char *dir = getenv("TEST_TMPDIR");

	assert_non_null(dir);
	assert_true(snprintf(buf, size, "%s/%s", dir, name) < (int)size);
}

static void source_tree(void **state)
{
	static const char *const kinds[][2] = {
		{ "machines", "models/machines" },
		{ "workloads", "workloads" },
		{ "plots", "plots" },
		{ "published", "results/published" },
		{ "queries", "results/queries" },
		{ "schema", "results" },
	};
	char buf[PATH_MAX], expected[PATH_MAX];
	size_t i;

	(void)state;
	unsetenv("VMAPSIM_DATADIR");
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		assert_int_equal(datadir_path(kinds[i][0], "", buf,
					      sizeof(buf)), 0);
		snprintf(expected, sizeof(expected), "%s/%s",
			 getenv("top_srcdir"), kinds[i][1]);
		assert_string_equal(buf, expected);
	}
}

static void environment_first(void **state)
{
	char dir[PATH_MAX], file[PATH_MAX], buf[PATH_MAX];

	(void)state;
	in_tmpdir(dir, sizeof(dir), "machines");
	assert_int_equal(mkdir(dir, 0700), 0);
	in_tmpdir(file, sizeof(file), "machines/mine.machine");
	fclose(fopen(file, "w"));

	setenv("VMAPSIM_DATADIR", getenv("TEST_TMPDIR"), 1);
	assert_int_equal(datadir_path("machines", "mine.machine", buf,
				      sizeof(buf)), 0);
	assert_string_equal(buf, file);
	/* What is not there is still looked for in the other places. */
	assert_int_equal(datadir_path("workloads", "", buf, sizeof(buf)), 0);
	unsetenv("VMAPSIM_DATADIR");
	assert_int_equal(datadir_path("machines", "mine.machine", buf,
				      sizeof(buf)), -ENOENT);
}

static void refused(void **state)
{
	char buf[PATH_MAX];

	(void)state;
	assert_int_equal(datadir_path("machine", "", buf, sizeof(buf)),
			 -EINVAL);
	assert_int_equal(datadir_path("machines", "../x", buf, sizeof(buf)),
			 -EINVAL);
	assert_int_equal(datadir_path("machines", "..", buf, sizeof(buf)),
			 -EINVAL);
	assert_int_equal(datadir_path("machines", "", buf, 3), -ENAMETOOLONG);
	assert_int_equal(datadir_path("machines", "none", buf, sizeof(buf)),
			 -ENOENT);
}

/* A copy of this program outside the build tree looks in pkgdatadir only. */
static void installed(void **state)
{
	char copy[PATH_MAX], command[3 * PATH_MAX], line[PATH_MAX];
	FILE *out;

	(void)state;
	in_tmpdir(copy, sizeof(copy), "copy");
	snprintf(command, sizeof(command),
		 "cp /proc/%d/exe %s && %s schema no-such.sql",
		 (int)getpid(), copy, copy);
	out = popen(command, "r");
	assert_non_null(out);
	assert_non_null(fgets(line, sizeof(line), out));
	pclose(out);
	assert_string_equal(line, VMAPSIM_PKGDATADIR "/./no-such.sql");
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(source_tree),
		cmocka_unit_test(environment_first),
		cmocka_unit_test(refused),
		cmocka_unit_test(installed),
	};
	char buf[PATH_MAX];

	if (argc == 3) {
		datadir_path(argv[1], argv[2], buf, sizeof(buf));
		return fputs(buf, stdout) < 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
