/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shipped cases, and when a case passes. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "study/validate.h"

static char err[400];

static void near(double found, double expected, double tolerance)
{
	if (!(fabs(found - expected) <= tolerance))
		fail_msg("found %.9g, expected %.9g", found, expected);
}

/* A case as if every row had been simulated with this error. */
static void pretend(struct validation *v, const char *name, double error,
		    double half_width)
{
	*v = (struct validation) { .c = vcase_find(name) };
	assert_non_null(v->c);
	if (vcase_rows(v->c, NULL, EFFORT_FULL, &v->rows, err, sizeof(err)))
		fail_msg("%s", err);
	v->row = calloc(v->rows.nr, sizeof(*v->row));
	assert_non_null(v->row);
	for (size_t i = 0; i < v->rows.nr; i++) {
		v->row[i].replications = 20;
		v->row[i].nr_pairs = 1e4;
		v->row[i].simulated = v->rows.row[i].published * (1 + error);
		v->row[i].ci95 = v->rows.row[i].published * half_width;
	}
}

static const struct case_row *find_row(const struct validation *v,
				       const char *name)
{
	for (size_t i = 0; i < v->rows.nr; i++)
		if (!strcmp(v->rows.row[i].name, name))
			return &v->rows.row[i];
	fail_msg("no row %s", name);
	return NULL;
}

static void test_pairs_rows(void **state)
{
	size_t nr[3] = { 0 };
	struct validation v;

	(void)state;
	pretend(&v, "seed002-pairs", 0, 0);
	assert_int_equal(v.rows.nr, 64);
	for (size_t i = 0; i < 64; i++)
		nr[v.rows.row[i].role]++;
	assert_int_equal(nr[ROLE_CALIBRATE], 9);
	assert_int_equal(nr[ROLE_VALIDATE], 55);
	near(find_row(&v, "global/16")->published, 14368.7, 1e-6);
	near(find_row(&v, "zone/32")->published, 3829.04, 1e-6);
	assert_int_equal(find_row(&v, "global/8")->role, ROLE_CALIBRATE);
	assert_int_equal(find_row(&v, "global/9")->role, ROLE_VALIDATE);
	assert_int_equal(find_row(&v, "zone/1")->role, ROLE_CALIBRATE);
	assert_int_equal(find_row(&v, "zone/2")->role, ROLE_VALIDATE);
	validation_free(&v);
}

/* The curves' errors are known: worked out by hand from the table. */
static void test_pairs_judged(void **state)
{
	struct validation v;

	(void)state;
	pretend(&v, "seed002-pairs", 0.05, 0.01);
	assert_int_equal(validate_judge(&v), 0);
	assert_true(v.pass);
	near(v.holdout_mape_pct, 5, 1e-9);
	near(v.worst_pct, 5, 1e-9);
	near(v.group[0].log_pct, 4.6, 0.05);
	assert_true(isnan(v.group[1].log_pct));
	validation_free(&v);

	/* inside each row's tolerance, but the mean is not */
	pretend(&v, "seed002-pairs", -0.15, 0.01);
	assert_int_equal(validate_judge(&v), 0);
	assert_false(v.pass);
	assert_true(v.row[20].pass);
	validation_free(&v);
}

static void one_bad_row(const char *name, double error, bool pass)
{
	struct validation v;
	size_t at;

	pretend(&v, "seed002-pairs", 0, 0.01);
	at = (size_t)(find_row(&v, name) - v.rows.row);
	v.row[at].simulated *= 1 + error;
	assert_int_equal(validate_judge(&v), 0);
	assert_int_equal(v.pass, pass);
	validation_free(&v);
}

static void test_one_row_out(void **state)
{
	(void)state;
	one_bad_row("global/20", 0.199, true);
	one_bad_row("global/20", -0.201, false);
	one_bad_row("zone/20", 0.249, true);
	one_bad_row("zone/20", 0.251, false);
	one_bad_row("zone/20", NAN, false);
	/* what calibrated is shown and does not decide */
	one_bad_row("global/5", 0.5, true);
}

/* Rows off by more than their 95% interval, less than the 99.99% one. */
static bool queueing_passes(double share_outside, double half_width,
			    double error_in_halves)
{
	struct validation v;
	size_t nr = 0;
	bool pass;

	pretend(&v, "queueing", 0, half_width);
	for (size_t i = 0; i < v.rows.nr; i++) {
		const struct case_row *row = &v.rows.row[i];

		if (row->role != ROLE_VALIDATE || row->group != 0)
			continue;
		if ((double)nr++ / 100 < share_outside)
			v.row[i].simulated += error_in_halves * v.row[i].ci95;
		if (nr == 100)
			nr = 0;
	}
	assert_int_equal(validate_judge(&v), 0);
	pass = v.pass;
	validation_free(&v);
	return pass;
}

static void test_queueing(void **state)
{
	(void)state;
	assert_true(queueing_passes(0, 0.004, 0));
	assert_true(queueing_passes(0.05, 0.004, 1.5));
	assert_false(queueing_passes(0.20, 0.004, 1.5));
	assert_false(queueing_passes(0.01, 0.004, 3));
	assert_false(queueing_passes(0, 0.006, 0));
}

static void test_queueing_rows(void **state)
{
	const struct case_row *row;
	struct validation v;
	size_t nr = 0;

	(void)state;
	pretend(&v, "queueing", 0, 0);
	for (size_t i = 0; i < v.rows.nr; i++)
		nr += v.rows.row[i].role == ROLE_VALIDATE;
	assert_int_equal(nr, 3 * (24 + 18 + 3 + 4 + 28) + 16);
	row = find_row(&v, "shard_m4_Z1000_S200_N16/2");
	near(row->published, 0.0113489e6, 0.1);
	for (size_t i = 0; i < row->nr_a; i++)
		if (!strcmp(row->a[i].key, "lockloop.locks"))
			assert_string_equal(row->a[i].value, "4");
	assert_int_equal(find_row(&v, "mva_2st_D8_D5_Z20_N1")->role,
			 ROLE_NOT_MODELLED);
	validation_free(&v);
}

static void test_bad_table(void **state)
{
	const char *dir = getenv("TEST_TMPDIR");
	struct case_rows rows;
	char path[400];
	FILE *f;

	(void)state;
	snprintf(path, sizeof(path), "%s/bad.csv", dir ? dir : "/tmp");
	f = fopen(path, "w");
	assert_non_null(f);
	fputs("jobs,default_1page_usec_per_pair,patched_v1_1page_usec_per_pair"
	      "\n1,0.5,none\n", f);
	fclose(f);
	assert_int_equal(vcase_rows(vcase_find("seed002-pairs"), path,
				    EFFORT_FULL, &rows, err, sizeof(err)),
			 -EINVAL);
	assert_non_null(strstr(err, "bad.csv:2:1: \"none\""));
	assert_int_equal(vcase_rows(vcase_find("queueing"), path, EFFORT_FULL,
				    &rows, err, sizeof(err)), -EINVAL);
	assert_non_null(strstr(err, "no column case_id"));
}

static void test_json(void **state)
{
	struct validation v;
	json_t *document, *root, *row;
	char *text;
	size_t size;
	FILE *f;

	(void)state;
	pretend(&v, "seed002-pairs", 0.05, 0.01);
	assert_int_equal(validate_judge(&v), 0);
	f = open_memstream(&text, &size);
	assert_non_null(f);
	assert_int_equal(validate_print(&v, 1, TABLE_JSON, f), 0);
	fclose(f);
	document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(document);
	root = json_array_get(json_object_get(document, "cases"), 0);
	assert_true(json_is_true(json_object_get(root, "pass")));
	near(json_real_value(json_object_get(json_object_get(root, "baselines"),
					     "log")), 4.6, 0.05);
	row = json_array_get(json_object_get(root, "rows"), 15);
	assert_string_equal(json_string_value(json_object_get(row, "row")),
			    "global/16");
	near(json_real_value(json_object_get(row, "published")), 14.3687, 1e-9);
	near(json_real_value(json_object_get(row, "error_pct")), 5, 1e-9);
	json_decref(document);
	free(text);
	validation_free(&v);
}

static void test_text_fits(void **state)
{
	static const char *const name[] = { "seed002-pairs", "queueing" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(name); i++) {
		struct validation v;
		char *text, *line, *save = NULL;
		size_t size;
		FILE *f = open_memstream(&text, &size);

		assert_non_null(f);
		pretend(&v, name[i], 0.001, 0.004);
		assert_int_equal(validate_judge(&v), 0);
		assert_int_equal(validate_print(&v, 1, TABLE_TEXT, f), 0);
		fclose(f);
		for (line = strtok_r(text, "\n", &save); line;
		     line = strtok_r(NULL, "\n", &save))
			assert_in_range(strlen(line), 1, 78);
		free(text);
		validation_free(&v);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs_rows),
		cmocka_unit_test(test_pairs_judged),
		cmocka_unit_test(test_one_row_out),
		cmocka_unit_test(test_queueing),
		cmocka_unit_test(test_queueing_rows),
		cmocka_unit_test(test_bad_table),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_text_fits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
