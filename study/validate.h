/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STUDY_VALIDATE_H
#define STUDY_VALIDATE_H
/*
 * Published figures beside simulated ones, judged by a case's tolerances.
 * Errors are in percent of the published figure, positive when the simulation
 * is larger; NAN where there is none.
 */
#include "results/table.h"
#include "study/case.h"
#include "study/sweep.h"

struct validation_row {
	double simulated, ci95;	/* in the metric's unit */
	double wait_ns;
	double error_pct;
	double tolerance_pct;	/* NAN: the row is not judged by itself */
	u32 replications;
	double nr_pairs;	/* operations measured in each; NAN: unknown */
	enum regime regime;
	char *failed;		/* why it could not be simulated, or NULL */
	bool pass;
};

struct validation_group {
	size_t nr_validate, nr_calibrate, nr_outside95, nr_outside9999;
	double mape_pct, worst_pct;	/* of the rows that validate */
	double fit_mape_pct;		/* of those that calibrate */
	double half_width_pct;		/* the widest */
	/*
	 * Mean error, on the rows that validate, of curves through those of
	 * this group that calibrate.
	 */
	double usl_pct, log_pct, line_pct, mva_pct;
	bool pass;
};

struct validation {
	const struct vcase *c;
	struct case_rows rows;
	struct validation_row *row;	/* [rows.nr] */
	struct validation_group *group;	/* [c->nr_groups] */
	double mape_pct, worst_pct;	/* of all simulated rows */
	double holdout_mape_pct;	/* of those that validate */
	bool pass;
};

struct validate_options {
	enum effort effort;
	const char *data;	/* instead of the shipped file, or NULL */
	/* Put behind each row's own, so these win; the plan's caller owns. */
	const struct assignment *more;
	size_t nr_more;
	struct sweep_options sweep;	/* store, workers, stop, progress */
};

/*
 * Runs a case. 0 (see v->pass), -EINTR, -EINVAL, or another error with one
 * line in err. validation_free() after 0 only.
 */
int validate_run(const struct vcase *c, const struct validate_options *o,
		 struct validation *v, char *err, size_t err_size);
void validation_free(struct validation *v);

/*
 * The judgement alone: v->c, v->rows and what is simulated in v->row are
 * given, all the rest is worked out. 0 or -ENOMEM.
 */
int validate_judge(struct validation *v);

/*
 * The whole document of several cases. Table: rows and, below, what was asked
 * of each group; JSON as scripts rely on; csv, tsv, md: one line a row, all
 * cases in one table. Figures in the unit of the published table, but for the
 * times of TABLE_TEXT, which have theirs with them. 0, -ENOMEM or -EIO.
 */
int validate_print(const struct validation *v, size_t nr,
		   enum table_format format, FILE *out);
/* TABLE_JSON of it. */
int validate_print_json(const struct validation *v, size_t nr, FILE *out);

#endif
