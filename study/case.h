/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STUDY_CASE_H
#define STUDY_CASE_H
/*
 * A case of `vmapsim validate`: a published table, the scenario that each of
 * its rows stands for, and how near a simulation has to come. Each case is one
 * file study/case_NAME.c and one line in study/cases.def; the fit of
 * `vmapsim calibrate` takes its rows from a case too, so that no row can
 * calibrate and validate.
 */
#include "results/published.h"
#include "sim/outcome.h"
#include "study/scenario.h"

enum role {
	ROLE_CALIBRATE,		/* costs were fitted to it */
	ROLE_VALIDATE,		/* no figure of it went into the model */
	ROLE_NOT_MODELLED,	/* shown, not simulated */
};
extern const char *const role_names[];

enum criterion {
	/* mean and worst error of the group's rows that validate */
	CRITERION_ERROR,
	/*
	 * The exact value lies inside the simulation's own intervals as often
	 * as these promise: inside95 of the rows inside the 95% interval, all
	 * inside the 99.99% one, no half-width above half_width_pct.
	 */
	CRITERION_INTERVAL,
	CRITERION_EXACT,	/* every row within worst_pct */
};

/* Rows that are judged together, as a rule those of one design or model. */
struct case_group {
	const char *name, *help;
	enum criterion criterion;
	double mean_pct, worst_pct;	/* CRITERION_ERROR, worst: EXACT */
	double half_width_pct, inside95;	/* CRITERION_INTERVAL */
	/* Points of the two-point curves, in n; 0: no curves for the group. */
	double log_n[2], line_n[2];
};

struct case_row {
	char name[72];		/* "global/16" */
	size_t group;		/* index into case_group */
	enum role role;
	enum metric metric;
	double n;		/* jobs */
	double published;	/* in the metric's unit */
	double wait_ns;		/* published too; NAN: not */
	struct assignment *a;	/* its scenario; [nr], owned */
	size_t nr_a;
};

struct case_rows {
	struct case_row *row;	/* owned */
	size_t nr;
};

enum effort { EFFORT_QUICK, EFFORT_FULL };

#define CASE_NR_COLUMNS_MAX	12

struct case_table {		/* the published figures */
	struct published p;
	const char *path;
	size_t col[CASE_NR_COLUMNS_MAX];	/* of vcase.column[k] */
};

struct vcase {
	const char *name, *help;
	const char *data;	/* file in results/published/ */
	const char *column[CASE_NR_COLUMNS_MAX + 1];	/* that it needs */
	const char *source;	/* of the data */
	const char *unit;	/* of published figures as they are shown */
	double scale;		/* from the metric's unit to that one */
	const struct case_group *group;
	size_t nr_groups;
	/* Rows of the table, in its order. 0, or -errno with err. */
	int (*rows)(const struct case_table *t, enum effort effort,
		    struct case_rows *rows, char *err, size_t err_size);
	const char *left_out;	/* what the model does not have in it */
	const char *changed;	/* after looking at rows that validate */
};

extern const struct vcase *const vcases[];	/* NULL ends it */
const struct vcase *vcase_find(const char *name);

/*
 * Rows of a case, read from path, or from the shipped file when path is NULL.
 * 0, or -errno with one line in err. case_rows_free() after success.
 */
int vcase_rows(const struct vcase *c, const char *path, enum effort effort,
	       struct case_rows *rows, char *err, size_t err_size);
void case_rows_free(struct case_rows *rows);

/* For the .rows functions: field of the k-th of the columns needed. */
static inline const char *case_text(const struct case_table *t, size_t row,
				    size_t k)
{
	return published_text(&t->p, row, t->col[k]);
}

static inline double case_number(const struct case_table *t, size_t row,
				 size_t k)
{
	return published_value(&t->p, row, t->col[k]);
}

/* -EINVAL, "file:line:1: a field in column k, expected ..." in err. */
int case_refuse(const struct case_table *t, size_t row, size_t k,
		const char *expected, char *err, size_t err_size);
/* A new row, zeroed but for its name; NULL: no memory. */
struct case_row *case_row_add(struct case_rows *rows, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* One assignment more. 0 or -ENOMEM. */
int case_row_set(struct case_row *row, const char *key, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
