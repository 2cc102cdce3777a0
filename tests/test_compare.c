/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results side by side: signs, stars, order, layout. */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/compare.h"
#include "tests/cmocka_all.h"
#include "tests/sample_result.h"

#define NR	8

struct bench {
	struct result r[NR];
	struct compare_item item[NR];
	size_t nr;
};

/* One finished result; metric is both pair_ns and throughput_per_s. */
static void add(struct bench *b, const char *column, u32 nr_threads,
		double mean, double ci95)
{
	struct result *r = &b->r[b->nr];

	sample_result(r, (u32)b->nr, column, nr_threads);
	r->metric[METRIC_pair_ns] = (struct metric_value){ mean, ci95 };
	r->metric[METRIC_throughput_per_s] = r->metric[METRIC_pair_ns];
	b->item[b->nr] = (struct compare_item){ column, r };
	b->nr++;
}

static void published_rows(struct bench *b)
{
	b->nr = 0;
	add(b, "global", 32, 21086.5, 100);
	add(b, "global", 1, 576.131, 10);
	add(b, "global", 8, 10460.9, 100);
	add(b, "zone", 8, 2159.64, 20);
	add(b, "zone", 1, 555.889, 10.3);
	add(b, "zone", 32, 3829.04, 30);
}

static void release(struct bench *b, struct compare *c)
{
	compare_free(c);
	while (b->nr)
		result_free(&b->r[--b->nr]);
}

static char *print(const struct compare *c, enum table_format format)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(compare_write(c, out, format), 0);
	fclose(out);
	return text;
}

static void test_layout(void **state)
{
	struct bench b;
	struct compare c;
	char *text;

	(void)state;
	published_rows(&b);
	assert_int_equal(compare_init(&c, b.item, b.nr, "nr_threads",
				      METRIC_pair_ns), 0);
	text = print(&c, TABLE_TEXT);
	assert_string_equal(text,
		"pair_ns in us, by nr_threads\n"
		"                      global                zone\n"
		"Amean  1   0.5761 (   0.00%)   0.5559 (   3.51%)\n"
		"Amean  8  10.4609 (   0.00%)   2.1596 *  79.36%*\n"
		"Amean 32  21.0865 (   0.00%)   3.8290 *  81.84%*\n"
		"Ratio        1.00                3.02\n"
		"\n"
		"% to the first column, positive is better; "
		"* = 95% intervals do not overlap\n"
		"Ratio: geometric mean over the rows, above 1 is better\n");
	free(text);
	release(&b, &c);
}

static void test_positive_is_better(void **state)
{
	struct bench b = { .nr = 0 };
	struct compare c;

	(void)state;
	add(&b, "a", 1, 100, 0);
	add(&b, "b", 1, 150, 0);
	assert_int_equal(compare_init(&c, b.item, b.nr, "nr_threads",
				      METRIC_pair_ns), 0);
	assert_true(compare_better_pct(&c, 0, 0) == 0);
	assert_true(compare_better_pct(&c, 0, 1) == -50);
	assert_true(fabs(compare_ratio(&c, 1) - 2.0 / 3) < 1e-12);
	compare_free(&c);
	assert_int_equal(compare_init(&c, b.item, b.nr, "nr_threads",
				      METRIC_throughput_per_s), 0);
	assert_true(compare_better_pct(&c, 0, 1) == 50);
	assert_true(fabs(compare_ratio(&c, 1) - 1.5) < 1e-12);
	release(&b, &c);
}

/* The intervals 90..110 and 110..130 touch, 90..110 and 110.1..129.9 do not. */
static void test_star(void **state)
{
	struct bench b = { .nr = 0 };
	struct compare c;

	(void)state;
	add(&b, "a", 1, 100, 10);
	add(&b, "b", 1, 120, 10);
	add(&b, "c", 1, 120, 9.9);
	add(&b, "d", 1, 900, NAN);
	assert_int_equal(compare_init(&c, b.item, b.nr, "nr_threads",
				      METRIC_pair_ns), 0);
	assert_false(compare_is_significant(&c, 0, 0));
	assert_false(compare_is_significant(&c, 0, 1));
	assert_true(compare_is_significant(&c, 0, 2));
	assert_false(compare_is_significant(&c, 0, 3));
	release(&b, &c);
}

static void test_holes(void **state)
{
	struct bench b = { .nr = 0 };
	struct compare c;
	char *text;

	(void)state;
	add(&b, "a", 1, 100, 1);
	add(&b, "a", 2, 100, 1);
	add(&b, "b", 2, 50, 1);
	add(&b, "b", 4, 50, 1);
	add(&b, "b", 8, 50, 1);
	b.r[4].state = "failed";
	assert_int_equal(compare_init(&c, b.item, b.nr, "nr_threads",
				      METRIC_pair_ns), 0);
	assert_int_equal(c.nr_rows, 3);
	assert_true(isnan(compare_better_pct(&c, 0, 1)));
	assert_true(isnan(compare_better_pct(&c, 2, 1)));
	assert_true(fabs(compare_ratio(&c, 1) - 2) < 1e-12);
	text = print(&c, TABLE_TEXT);
	assert_null(strstr(text, "nan"));
	assert_null(strstr(text, " \n"));
	free(text);
	release(&b, &c);
}

static void test_nothing_to_compare(void **state)
{
	struct bench b = { .nr = 0 };
	struct compare c;

	(void)state;
	assert_int_equal(compare_init(&c, b.item, 0, "nr_threads",
				      METRIC_pair_ns), -ENOENT);
	add(&b, "a", 1, 100, 1);
	assert_int_equal(compare_init(&c, b.item, 1, "nr_threads",
				      METRIC_alloc_ns), -ENOENT);
	release(&b, &c);
}

static void test_another_axis(void **state)
{
	struct bench b = { .nr = 0 };
	struct compare c;
	static const char *const values[] = { "100ns", "12ns", "2us" };
	size_t i;

	(void)state;
	for (i = 0; i < 3; i++) {
		add(&b, "a", 1, 100, 1);
		free(b.r[i].param[1].value);
		b.r[i].param[1].value = strdup(values[i]);
	}
	assert_int_equal(compare_init(&c, b.item, 2, "cost.slab_alloc",
				      METRIC_pair_ns), 0);
	assert_string_equal(c.row[0], "12ns");
	assert_string_equal(c.row[1], "100ns");
	compare_free(&c);
	/* Of different units: as they came. */
	assert_int_equal(compare_init(&c, b.item, 3, "cost.slab_alloc",
				      METRIC_pair_ns), 0);
	assert_string_equal(c.row[0], "100ns");
	compare_free(&c);
	assert_int_equal(compare_init(&c, b.item, 3, "no.such",
				      METRIC_pair_ns), 0);
	assert_string_equal(c.row[0], "-");
	release(&b, &c);
}

/* Wide comparisons go on below, with the labels of rows again. */
static void test_wraps_at_78(void **state)
{
	static const char *const names[] = {
		"legacy", "mutex", "augmented", "split", "purge-tree",
		"global", "zone", "a-design-with-a-rather-long-name",
	};
	struct bench b = { .nr = 0 };
	struct compare c;
	char *text, *line, *rest;
	size_t i, rows = 0;

	(void)state;
	for (i = 0; i < NR; i++)
		add(&b, names[i], 1024, 1e6 + (double)i, 0.1);
	assert_int_equal(compare_init(&c, b.item, b.nr, "nr_threads",
				      METRIC_pair_ns), 0);
	text = print(&c, TABLE_TEXT);
	for (i = 0; i < NR; i++)
		assert_non_null(strstr(text, names[i]));
	for (rest = text; (line = strsep(&rest, "\n"));) {
		assert_true(strlen(line) <= TABLE_WIDTH_MAX);
		rows += !strncmp(line, "Amean 1024  ", 12);
	}
	assert_int_equal(rows, 3);
	free(text);
	release(&b, &c);
}

static void test_machine_formats(void **state)
{
	struct bench b;
	struct compare c;
	json_t *all, *cell;
	char *text;

	(void)state;
	published_rows(&b);
	assert_int_equal(compare_init(&c, b.item, b.nr, "nr_threads",
				      METRIC_pair_ns), 0);
	text = print(&c, TABLE_JSON);
	all = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_string_equal(json_string_value(json_array_get(json_object_get(
		all, "columns"), 1)), "zone");
	cell = json_array_get(json_object_get(json_array_get(json_object_get(
		all, "rows"), 2), "values"), 1);
	assert_true(json_real_value(json_object_get(cell, "mean")) == 3829.04);
	assert_true(json_is_true(json_object_get(cell, "significant")));
	json_decref(all);
	free(text);

	text = print(&c, TABLE_CSV);
	assert_non_null(strstr(text, "column,nr_threads,pair_ns,ci95,"
			       "better_pct,significant\n"
			       "global,1,576.13099999999997,10,0,0\n"));
	free(text);
	release(&b, &c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layout),
		cmocka_unit_test(test_positive_is_better),
		cmocka_unit_test(test_star),
		cmocka_unit_test(test_holes),
		cmocka_unit_test(test_nothing_to_compare),
		cmocka_unit_test(test_another_axis),
		cmocka_unit_test(test_wraps_at_78),
		cmocka_unit_test(test_machine_formats),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
