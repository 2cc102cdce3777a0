/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact values of closed queueing models against the engine with coherence
 * costs off: N customers that think and then hold one of m FIFO locks. Tables
 * and formulas: machine repair (M/M/1//N), Takacs' finite-source M/G/1, mean
 * value analysis for the sharded locks.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/case.h"

enum { RANDOM, DETERMINISTIC, OTHER };

static const struct case_group groups[] = {
	[RANDOM] = {
		.name = "random", .help = "M/M, M/D, M/E2, M/H2, sharded",
		.criterion = CRITERION_INTERVAL,
		.half_width_pct = 0.5, .inside95 = 0.90,
	},
	[DETERMINISTIC] = {
		.name = "deterministic", .help = "D/D, whole cycles",
		.criterion = CRITERION_EXACT, .worst_pct = 1e-7,
	},
	[OTHER] = { .name = "other", .help = "models without a workload yet" },
};

struct model {
	const char *name;	/* column model */
	int group;
	const char *think, *hold;	/* distributions */
	/* Cycles that bring the half-width well below what is asked for. */
	unsigned int cycles;
};

#define NR_REPLICATIONS	20

static const struct model models[] = {
	{ "M/M/1//N", RANDOM, "exp", "exp", 600000 },
	{ "M/D/1//N", RANDOM, "exp", "det", 600000 },
	{ "M/E2/1//N", RANDOM, "exp", "erlang2", 600000 },
	{ "M/H2/1//N", RANDOM, "exp", "hyper2:0.1,5.5,0.5", 2400000 },
	{ "sharded m locks uniform", RANDOM, "exp", "exp", 900000 },
	{ "D/D/1//N", DETERMINISTIC, "det", "det", 20000 },
};

/* Fixed before the first comparison. */
static const unsigned int seeds[] = { 1, 2, 3 };

enum { ID, MODEL, CUSTOMERS, LOCKS, THINK, HOLD, THROUGHPUT, WAIT };

static const struct model *find_model(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(models); i++)
		if (!strcmp(models[i].name, name))
			return &models[i];
	return NULL;
}

/* The tables have no unit of time; here it is a microsecond. */
static int set_scenario(struct case_row *row, const struct case_table *t,
			size_t i, const struct model *m, unsigned int seed)
{
	unsigned int loops = m->cycles / NR_REPLICATIONS / (unsigned int)row->n;
	const struct {
		const char *key, *value, *unit;
	} text[] = {
		{ "workload", "lockloop", "" },
		{ "coherence", "off", "" },
		{ "nr_threads", case_text(t, i, CUSTOMERS), "" },
		{ "lockloop.think", case_text(t, i, THINK), "us" },
		{ "lockloop.hold", case_text(t, i, HOLD), "us" },
		{ "lockloop.think_dist", m->think, "" },
		{ "lockloop.hold_dist", m->hold, "" },
		{ "lockloop.locks", case_text(t, i, LOCKS), "" },
	};
	int rc = 0;

	for (size_t k = 0; k < ARRAY_SIZE(text) && !rc; k++)
		rc = case_row_set(row, text[k].key, "%s%s", text[k].value,
				  text[k].unit);
	if (!rc)
		rc = case_row_set(row, "loops", "%u", loops);
	if (!rc)
		rc = case_row_set(row, "replications", "%u",
				  m->group == RANDOM ? NR_REPLICATIONS : 1);
	if (!rc)
		rc = case_row_set(row, "seed", "%u", seed);
	return rc;
}

static int add_row(struct case_rows *rows, const struct case_table *t,
		   size_t i, const struct model *m, unsigned int seed)
{
	const char *id = case_text(t, i, ID);
	struct case_row *row = m ? case_row_add(rows, "%s/%u", id, seed) :
				   case_row_add(rows, "%s", id);

	if (!row)
		return -ENOMEM;
	row->group = m ? (size_t)m->group : OTHER;
	row->role = m ? ROLE_VALIDATE : ROLE_NOT_MODELLED;
	row->metric = METRIC_throughput_per_s;
	row->n = case_number(t, i, CUSTOMERS);
	row->published = 1e6 * case_number(t, i, THROUGHPUT);
	row->wait_ns = 1e3 * case_number(t, i, WAIT);
	return m ? set_scenario(row, t, i, m, seed) : 0;
}

/* How many seeds a row is run with. */
static size_t nr_seeds(const struct model *m, enum effort effort)
{
	if (!m || m->group == DETERMINISTIC || effort == EFFORT_QUICK)
		return 1;
	return ARRAY_SIZE(seeds);
}

static int make_rows(const struct case_table *t, enum effort effort,
		     struct case_rows *rows, char *err, size_t err_size)
{
	for (size_t i = 0; i < t->p.nr_rows; i++) {
		const struct model *m = find_model(case_text(t, i, MODEL));

		if (!(case_number(t, i, CUSTOMERS) >= 1))
			return case_refuse(t, i, CUSTOMERS, "a number", err,
					   err_size);
		if (!(case_number(t, i, THROUGHPUT) > 0))
			return case_refuse(t, i, THROUGHPUT, "a rate", err,
					   err_size);
		for (size_t s = 0; s < nr_seeds(m, effort); s++) {
			int rc = add_row(rows, t, i, m, seeds[s]);

			if (rc)
				return rc;
		}
	}
	return 0;
}

const struct vcase case_queueing = {
	.name = "queueing",
	.help = "exact values of queueing theory, coherence costs off",
	.data = "golden-queueing.csv",
	.column = {
		[ID] = "case_id", [MODEL] = "model", [CUSTOMERS] = "N",
		[LOCKS] = "m", [THINK] = "Z", [HOLD] = "S",
		[THROUGHPUT] = "X", [WAIT] = "Wq",
	},
	.source = "closed forms and exact recurrences, worked out with "
		  "rationals or 80 digits",
	.unit = "1/us", .scale = 1e-6,
	.group = groups, .nr_groups = ARRAY_SIZE(groups),
	.rows = make_rows,
};
