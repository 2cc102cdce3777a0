/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON document of results: valid, with the fields that are promised. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/json.h"
#include "tests/cmocka_all.h"
#include "tests/sample_result.h"

static char *document(const struct result *const *r, size_t nr)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(runs_json_write(out, "0.1.0", r, nr), 0);
	fclose(out);
	return text;
}

static json_t *parse(const char *text)
{
	json_error_t error;
	json_t *all = json_loads(text, JSON_REJECT_DUPLICATES, &error);

	if (!all)
		fail_msg("%d:%d: %s", error.line, error.column, error.text);
	return all;
}

/* The value at a path such as "runs.0.metrics". */
static json_t *at(json_t *value, const char *path)
{
	char copy[120], *rest = copy, *step;

	snprintf(copy, sizeof(copy), "%s", path);
	while ((step = strsep(&rest, "."))) {
		value = json_is_array(value)
			? json_array_get(value, strtoul(step, NULL, 10))
			: json_object_get(value, step);
		if (!value)
			fail_msg("no %s in the document", path);
	}
	return value;
}

static void test_no_runs(void **state)
{
	char *text = document(NULL, 0);
	json_t *all = parse(text);

	(void)state;
	assert_int_equal(json_integer_value(at(all, "schema")), 1);
	assert_string_equal(json_string_value(at(all, "version")), "0.1.0");
	assert_int_equal(json_array_size(at(all, "runs")), 0);
	json_decref(all);
	free(text);
}

static void test_fields(void **state)
{
	static const struct {
		const char *path;
		double value;
	} numbers[] = {
		{ "runs.0.params.nr_threads", 32 },
		{ "runs.0.replications", 5 },
		{ "runs.0.metrics.pair_ns.mean", 1000.0 / 3 * 32 + 7 },
		{ "runs.0.metrics.pair_ns.ci95", 0.1 },
		{ "runs.0.metrics.va_failed.mean", 0 },
		{ "runs.0.metrics.lazy_pages_max.mean", 0x1p-1000 },
		{ "runs.0.locks.0.acquisitions", 1ll << 60 },
		{ "runs.0.locks.0.contentions", 90 },
		{ "runs.0.locks.0.wait_ns_total", 1234.567 },
		{ "runs.0.locks.0.wait_ns_max", 999.999 },
		{ "runs.0.locks.0.hold_ns_max", 77.777 },
		{ "runs.0.locks.0.acq_bounces", 80 },
		{ "runs.0.locks.0.con_bounces", 70 },
		{ "runs.0.lines.0.transfers_near", 12 },
		{ "runs.0.lines.0.transfers_far", 34 },
		{ "runs.0.lines.0.wait_ns_total", 7.8 },
		{ "runs.0.profile.0.self_pct", 1.0 / 3 },
		{ "runs.0.profile.0.children_pct", 100 },
	};
	struct result r[2];
	const struct result *const both[] = { &r[0], &r[1] };
	char *text;
	json_t *all;
	size_t i;

	(void)state;
	sample_result(&r[0], 7, "global", 32);
	sample_result(&r[1], 8, "zone", 1);
	text = document(both, 2);
	all = parse(text);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		if (json_number_value(at(all, numbers[i].path)) !=
		    numbers[i].value)
			fail_msg("%s", numbers[i].path);
	assert_string_equal(json_string_value(at(all, "runs.0.design")),
			    "global");
	assert_string_equal(json_string_value(at(all, "runs.1.key")),
			    r[1].key);
	assert_string_equal(json_string_value(at(all, "runs.0.regime")),
			    "clustered");
	assert_string_equal(json_string_value(at(all, "runs.0.state")),
			    "done");
	assert_string_equal(json_string_value(at(all,
		"runs.0.params.placement")), "it's \"spread\"");
	assert_true(json_is_integer(at(all, "runs.0.params.nr_threads")));
	json_decref(all);
	free(text);
	result_free(&r[0]);
	result_free(&r[1]);
}

static void test_nan_is_null(void **state)
{
	struct result r;
	const struct result *const one[] = { &r };
	char *text;
	json_t *all;
	size_t i;

	(void)state;
	sample_result(&r, 1, "global", 1);
	r.metric[METRIC_purges] = (struct metric_value){ INFINITY, -INFINITY };
	text = document(one, 1);
	all = parse(text);
	assert_int_equal(json_object_size(at(all, "runs.0.metrics")),
			 NR_METRICS);
	assert_true(json_is_null(at(all, "runs.0.metrics.alloc_ns.mean")));
	assert_true(json_is_null(at(all, "runs.0.metrics.va_failed.ci95")));
	assert_true(json_is_null(at(all, "runs.0.metrics.purges.mean")));
	for (i = 0; text[i]; i++)
		assert_true(text[i] == '\n' ||
			    (text[i] >= ' ' && text[i] < 0x7f));
	json_decref(all);
	free(text);
	result_free(&r);
}

static void test_values_of_params(void **state)
{
	static const struct {
		const char *text;
		json_type type;
		double value;
	} cases[] = {
		{ "8", JSON_INTEGER, 8 }, { "-8", JSON_INTEGER, -8 },
		{ "1e6", JSON_INTEGER, 1e6 }, { "0.5", JSON_REAL, 0.5 },
		{ "12ns", JSON_STRING, 0 }, { "on", JSON_STRING, 0 },
		{ "0x10", JSON_STRING, 0 }, { "inf", JSON_STRING, 0 },
		{ "nan", JSON_STRING, 0 }, { "", JSON_STRING, 0 },
		{ "08", JSON_STRING, 0 }, { "1.", JSON_STRING, 0 },
		{ "1e", JSON_STRING, 0 }, { "8us,5us", JSON_STRING, 0 },
		{ "1234567890123456789", JSON_STRING, 0 },
		{ "\xff\xfe", JSON_STRING, 0 },
	};
	struct result r;
	const struct result *const one[] = { &r };
	size_t i;

	(void)state;
	sample_result(&r, 1, "global", 1);
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		char *text;
		json_t *all, *value;

		free(r.param[0].value);
		r.param[0].value = strdup(cases[i].text);
		text = document(one, 1);
		all = parse(text);
		value = at(all, "runs.0.params.coherence");
		if (json_typeof(value) != cases[i].type ||
		    json_number_value(value) != cases[i].value)
			fail_msg("'%s'", cases[i].text);
		json_decref(all);
		free(text);
	}
	result_free(&r);
}

static void test_full_stream(void **state)
{
	FILE *out = fopen("/dev/full", "w");

	(void)state;
	assert_int_equal(runs_json_write(out, "0.1.0", NULL, 0), -EIO);
	fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_runs),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_nan_is_null),
		cmocka_unit_test(test_values_of_params),
		cmocka_unit_test(test_full_stream),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
