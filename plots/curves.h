/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_CURVES_H
#define PLOTS_CURVES_H
/*
 * Curves from the runs of a database that belong together: those whose
 * parameters differ in nothing but the design, its own keys, the axis, the key
 * that tells the curves apart, and how long was simulated. Of several such
 * sets the one with the most places on the axis is taken, then the one with
 * the most points, then the newest; of several runs of a point the newest.
 */
#include "plots/plot.h"

struct curve_point {
	char *curve;		/* "global", or with a key "global:clustered" */
	double x;		/* the axis as a number: 30 of "30%" */
	double pair_ns, ci95;	/* ci95 NAN: unknown */
	char *regime;
};

#define CURVES_NR_MAX	64

struct curves {
	char *workload, *machine;
	char *params;		/* that all have: "key=value\n" sorted */
	struct curve_point *p;	/* by curve, then x */
	size_t nr;
	const char *name[CURVES_NR_MAX];	/* each curve's once */
	size_t nr_names;
	double *x;		/* each place on the axis once, rising */
	size_t nr_x;
};

/* How many of the newest runs are looked at. */
#define CURVES_NR_RUNS_MAX	5000

/*
 * axis: a parameter; key: another, or NULL. 0, -ENODATA with err, -ENOMEM,
 * -EIO. curves_free() after 0.
 */
int curves_read(struct store *s, const struct plot_options *o,
		const char *axis, const char *key, struct curves *c, char *err,
		size_t err_size);
void curves_free(struct curves *c);
/* The newest point there, or NULL. */
const struct curve_point *curves_find(const struct curves *c,
				      const char *curve, double x);
/* Value of a parameter that all runs have; "" if none. buf of any size. */
const char *curves_value(const struct curves *c, const char *key, char *buf,
			 size_t size);

/* A field of a table: tab, and the number or '-'. */
void curves_put_number(FILE *out, double value);
/* "NAME = \"...\"" of words with blanks between, for a script's head. */
void curves_put_words(FILE *out, const char *name, const char *const *word,
		      size_t nr);

#endif
