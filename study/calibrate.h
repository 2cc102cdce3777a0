/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STUDY_CALIBRATE_H
#define STUDY_CALIBRATE_H
/*
 * Fits a few costs of a machine to the rows of a case that calibrate, least
 * squares on the logarithm of simulated over published. Which costs, within
 * which bounds, and how much is simulated for it, is data: a struct fit, one
 * file study/fit_NAME.c and one line in study/fits.def. It starts from the
 * values of that table and never from the machine file's, so that calibrating
 * a file that was calibrated gives the same bytes.
 */
#include "models/machine.h"
#include "results/table.h"
#include "study/case.h"
#include "study/lattice.h"
#include "study/sweep.h"

struct fit_param {
	const char *key;	/* of the machine file; NULL ends the list */
	const char *start, *min, *max;
	const char *step;	/* of the lattice: how exact a value is given */
};

struct fit_effort {		/* simulated for the fit, not for good */
	const char *key, *value;	/* NULL key ends the list */
};

struct fit {
	const char *name;
	const char *machine;	/* whose file is fitted */
	const char *vcase;	/* its rows with ROLE_CALIBRATE are used */
	const char *source;	/* what the file says of the fitted values */
	struct fit_param param[LATTICE_NR_PARAMS_MAX + 1];
	struct fit_effort effort[8];
};

extern const struct fit *const fits[];	/* NULL ends it */
/*
 * The fit of a machine (a name, or a path of NAME.machine) to a data file,
 * known by its name without folder. NULL: there is none.
 */
const struct fit *fit_find(const char *machine, const char *data);

struct calibrate_options {
	const char *machine;	/* name or path; NULL: the fit's */
	const char *data;	/* path; NULL: the shipped file */
	struct sweep_options sweep;	/* .done and .ctx are not used */
};

struct calibration_row {
	double published, simulated;	/* in the metric's unit */
};

struct calibration {
	const struct fit *fit;
	struct machine_file file;	/* with the fitted values */
	size_t nr_params;
	struct {
		char value[32];		/* as the file has it */
		bool at_bound;		/* the data want it further out */
	} param[LATTICE_NR_PARAMS_MAX];
	struct case_rows rows;		/* all of the case */
	struct calibration_row *row;	/* [rows.nr]; NAN: not used */
	double mape_pct, worst_pct;	/* of the rows used */
	struct lattice_report report;
};

/*
 * 0, -EINTR, or another error with one line in err. calibration_free() after
 * 0 only.
 */
int calibrate_run(const struct fit *fit, const struct calibrate_options *o,
		  struct calibration *c, char *err, size_t err_size);
void calibration_free(struct calibration *c);

/* What was fitted and how near it came; the machine file is c->file. */
int calibrate_print(const struct calibration *c, enum table_format format,
		    FILE *out);

#endif
