/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results for tests of results/. */
#include "tests/sample_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/cmocka_all.h"

static void add_params(struct result *r, u32 nr_threads)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", nr_threads);
	r->nr_params = 4;
	r->param = calloc(r->nr_params, sizeof(*r->param));
	r->param[0] = (struct result_param){ strdup("coherence"),
					     strdup("on") };
	r->param[1] = (struct result_param){ strdup("cost.slab_alloc"),
					     strdup("12ns") };
	r->param[2] = (struct result_param){ strdup("nr_threads"),
					     strdup(text) };
	r->param[3] = (struct result_param){ strdup("placement"),
					     strdup("it's \"spread\"") };
}

static void add_counts(struct result *r)
{
	r->nr_locks = 2;
	r->lock = calloc(r->nr_locks, sizeof(*r->lock));
	r->lock[0] = (struct lock_counts){
		.name = "free_vmap_area_lock", .type = "spinlock",
		.acquisitions = 1ull << 60, .contentions = 90,
		.acq_bounces = 80, .con_bounces = 70, .pending = 5, .far = 60,
		.handovers = 99, .wait_total = 1234567, .wait_min = 1,
		.wait_max = 999999, .hold_total = (1ull << 55) + 1,
		.hold_min = 3, .hold_max = 77777, .nr_locks = 1,
	};
	r->lock[1] = (struct lock_counts){	/* nobody ever waited */
		.name = "another_lock", .type = "mutex", .acquisitions = 4,
		.wait_min = ~0ull, .hold_total = 44, .hold_min = 11,
		.hold_max = 11, .nr_locks = 64,
	};
	r->nr_lines = 1;
	r->line = calloc(r->nr_lines, sizeof(*r->line));
	r->line[0] = (struct line_counts){
		.name = "vmap_lazy_nr+nr_vmalloc_pages", .transfers_near = 12,
		.transfers_far = 34, .accesses = 56, .wait_total = 7800,
		.transfer_total = 9000, .nr_lines = 1,
	};
	r->nr_profile = 2;
	r->profile = calloc(r->nr_profile, sizeof(*r->profile));
	r->profile[0] = (struct profile_row){ "vmalloc", 1.0 / 3, 100 };
	r->profile[1] = (struct profile_row){ "alloc_vmap_area", 0.1, 0.2 };
}

void sample_result(struct result *r, u32 nr, const char *design,
		   u32 nr_threads)
{
	size_t i;

	memset(r, 0, sizeof(*r));
	snprintf(r->key, sizeof(r->key), "%032x", nr);
	r->design = strdup(design);
	r->workload = strdup("pair");
	r->machine = strdup("threadripper-3970x");
	r->seed = ~0ull - nr;
	r->nr_threads = nr_threads;
	r->replications = 5;
	r->state = "done";
	r->regime = REGIME_CLUSTERED;
	for (i = 0; i < NR_METRICS; i++)
		r->metric[i] = (struct metric_value){ NAN, NAN };
	r->metric[METRIC_pair_ns] = (struct metric_value){
		1000.0 / 3 * nr_threads + nr, 0.1 };
	r->metric[METRIC_throughput_per_s] = (struct metric_value){
		1e6 * nr_threads, 1e3 };
	r->metric[METRIC_latency_ns_max] = (struct metric_value){
		5e6 + nr, 1 };
	r->metric[METRIC_va_failed] = (struct metric_value){ 0, NAN };
	r->metric[METRIC_lazy_pages_max] = (struct metric_value){ 0x1p-1000,
								  2 };
	add_params(r, nr_threads);
	add_counts(r);
	r->elapsed_s = 0.25;
	r->version = strdup("0.1.0");
	r->repeat = strdup("vmapsim run --set 'a b'");
}

static void assert_same_text(const char *a, const char *b)
{
	if (a && b)
		assert_string_equal(a, b);
	else
		assert_true(!a && !b);
}

static void assert_same_real(double a, double b)
{
	if (isnan(a) || isnan(b))
		assert_true(isnan(a) && isnan(b));
	else
		assert_memory_equal(&a, &b, sizeof(a));
}

static void assert_same_hist(const struct hist *a, const struct hist *b)
{
	if (!a || !b) {
		assert_true(!a && !b);
		return;
	}
	assert_true(a->count == b->count && a->min == b->min &&
		    a->max == b->max && a->sum == b->sum);
	assert_memory_equal(a->bucket, b->bucket, sizeof(a->bucket));
}

static void assert_same_counts(const struct result *a, const struct result *b)
{
	size_t i;

	assert_int_equal(a->nr_locks, b->nr_locks);
	for (i = 0; i < a->nr_locks; i++)
		assert_memory_equal(&a->lock[i], &b->lock[i],
				    sizeof(a->lock[i]));
	assert_int_equal(a->nr_lines, b->nr_lines);
	for (i = 0; i < a->nr_lines; i++)
		assert_memory_equal(&a->line[i], &b->line[i],
				    sizeof(a->line[i]));
	assert_int_equal(a->nr_profile, b->nr_profile);
	for (i = 0; i < a->nr_profile; i++)
		assert_memory_equal(&a->profile[i], &b->profile[i],
				    sizeof(a->profile[i]));
	assert_same_hist(a->pair, b->pair);
	assert_same_hist(a->alloc, b->alloc);
	assert_same_hist(a->free, b->free);
}

void assert_same_result(const struct result *a, const struct result *b)
{
	size_t i;

	assert_string_equal(a->key, b->key);
	assert_same_text(a->design, b->design);
	assert_same_text(a->workload, b->workload);
	assert_same_text(a->machine, b->machine);
	assert_int_equal(a->nr_params, b->nr_params);
	for (i = 0; i < a->nr_params; i++) {
		assert_string_equal(a->param[i].name, b->param[i].name);
		assert_string_equal(a->param[i].value, b->param[i].value);
	}
	assert_int_equal(a->seed, b->seed);
	assert_int_equal(a->nr_threads, b->nr_threads);
	assert_int_equal(a->replications, b->replications);
	assert_string_equal(a->state, b->state);
	assert_same_text(a->error, b->error);
	assert_int_equal(a->regime, b->regime);
	for (i = 0; i < NR_METRICS; i++) {
		assert_same_real(a->metric[i].mean, b->metric[i].mean);
		assert_same_real(a->metric[i].ci95, b->metric[i].ci95);
	}
	assert_same_counts(a, b);
	assert_same_real(a->elapsed_s, b->elapsed_s);
	assert_same_text(a->version, b->version);
	assert_same_text(a->repeat, b->repeat);
}

const char *scratch(char *buf, size_t size, const char *name)
{
	const char *dir = getenv("TEST_TMPDIR");

	snprintf(buf, size, "%s/%s", dir ? dir : "/tmp", name);
	return buf;
}
