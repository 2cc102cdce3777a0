/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pairs of vmalloc and vfree of one page by 1 to 32 jobs on a Threadripper
 * 3970X, v6.3 and the series with per-CPU zones: the table of the mail
 * "mm: vmalloc: Mitigate a vmap lock contention" of May 2023.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "study/case.h"

enum { GLOBAL, ZONE };

static const struct case_group groups[] = {
	[GLOBAL] = {
		.name = "global", .help = "v6.3, jobs 9..32 from jobs 1..8",
		.criterion = CRITERION_ERROR, .mean_pct = 10, .worst_pct = 20,
		.log_n = { 4, 8 }, .line_n = { 6, 8 },
	},
	[ZONE] = {
		.name = "zone",
		.help = "v1 series, jobs 2..32 from v6.3 and job 1",
		.criterion = CRITERION_ERROR, .mean_pct = 12, .worst_pct = 25,
	},
};

/* The rows that `vmapsim calibrate` may see: chosen before any fit. */
static enum role role_of(int group, double jobs)
{
	if (jobs <= (group == GLOBAL ? 8 : 1))
		return ROLE_CALIBRATE;
	return ROLE_VALIDATE;
}

static int add_row(struct case_rows *rows, int group, double jobs,
		   double usec, enum effort effort)
{
	const char *name = groups[group].name;
	struct case_row *row = case_row_add(rows, "%s/%.0f", name, jobs);
	int rc;

	if (!row)
		return -ENOMEM;
	row->group = (size_t)group;
	row->role = role_of(group, jobs);
	row->metric = METRIC_pair_ns;
	row->n = jobs;
	row->published = 1000 * usec;
	rc = case_row_set(row, "machine", "threadripper-3970x");
	if (!rc)
		rc = case_row_set(row, "workload", "pair");
	if (!rc)
		rc = case_row_set(row, "design", "%s", name);
	if (!rc)
		rc = case_row_set(row, "nr_threads", "%.0f", jobs);
	if (!rc && effort == EFFORT_QUICK)
		rc = case_row_set(row, "loops", "4000");
	if (!rc && effort == EFFORT_QUICK)
		rc = case_row_set(row, "replications", "3");
	/* As workloads/seed002-pairs.job has it: its runs are found again. */
	if (!rc && effort == EFFORT_FULL)
		rc = case_row_set(row, "duration", "20ms");
	return rc;
}

enum { JOBS, GLOBAL_USEC, ZONE_USEC };

static int make_rows(const struct case_table *t, enum effort effort,
		     struct case_rows *rows, char *err, size_t err_size)
{
	static const size_t column[] = {
		[GLOBAL] = GLOBAL_USEC, [ZONE] = ZONE_USEC,
	};

	for (int group = GLOBAL; group <= ZONE; group++) {
		for (size_t i = 0; i < t->p.nr_rows; i++) {
			double jobs = case_number(t, i, JOBS);
			double usec = case_number(t, i, column[group]);
			int rc;

			if (!(jobs >= 1))
				return case_refuse(t, i, JOBS, "a number of "
						   "jobs", err, err_size);
			if (!(usec > 0))
				return case_refuse(t, i, column[group],
						   "a time in usec", err,
						   err_size);
			rc = add_row(rows, group, jobs, usec, effort);
			if (rc)
				return rc;
		}
	}
	return 0;
}

const struct vcase case_seed002_pairs = {
	.name = "seed002-pairs",
	.help = "1-page vmalloc/vfree pairs, 1..32 jobs, v6.3 and v1 series",
	.data = "seed-v1-jobs.csv",
	.column = {
		[JOBS] = "jobs",
		[GLOBAL_USEC] = "default_1page_usec_per_pair",
		[ZONE_USEC] = "patched_v1_1page_usec_per_pair",
	},
	.source = "Uladzislau Rezki, [PATCH 0/9] Mitigate a vmap lock "
		  "contention, May 2023; AMD Threadripper 3970X",
	.unit = "usec", .scale = 1e-3,
	.group = groups, .nr_groups = ARRAY_SIZE(groups),
	.rows = make_rows,
	.left_out = "frequency of the cores, interrupts of the machine, "
		    "other tasks",
	.changed = "the bound on by-passing, from 16 to 64 (rows of zone from 24 "
		"jobs on); store buffers, probes, overlapping copies and the "
		"MCS node's return were put into the line model, and the "
		"static locks and roots onto the counters' line, while "
		"looking at global's rows to 32, which they did not mend "
		"(doc/v63-curve.md)",
};
