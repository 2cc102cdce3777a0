/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef PLOTS_PLOT_H
#define PLOTS_PLOT_H
/*
 * Figures from the database: the data as a table, a gnuplot script that draws
 * it, and pictures. A figure is one script plots/NAME.gp, usable by hand
 * (its first lines say how), and one entry in plots/figures.c that writes its
 * data.
 */
#include <stdio.h>

#include "results/store.h"

struct plot_options {
	/*
	 * Where files go: PREFIX.tsv, PREFIX.gp, PREFIX.svg, PREFIX.png, in a
	 * folder that exists. NULL: no files, only text.
	 */
	const char *prefix;
	FILE *text;		/* gets the picture in ASCII; NULL: none */
	unsigned int columns, rows;	/* of the text; 0: 78 and 24 */
	/* Only runs whose parameter has this value, all of them. */
	const struct store_filter *filter;
	size_t nr_filters;
};

struct figure {
	const char *name, *help;
	/*
	 * Writes the table, and lines for the script's head that say what is
	 * in it. 0, -ENODATA (err: what is missing), or an error of the store.
	 */
	int (*data)(struct store *s, const struct plot_options *o,
		    FILE *table, FILE *head, char *err, size_t err_size);
};

extern const struct figure *const figures[];	/* NULL ends it */
const struct figure *figure_find(const char *name);

#define PLOT_ERROR_SIZE	512

/*
 * 0, or with one line in err: -ENODATA: the database has no run for it;
 * -ENOENT: no gnuplot, or no script of that name (table and script are written
 * all the same when they could be); -EPROTO: gnuplot failed, and said why on
 * standard error; -EACCES, -ENOSPC, ...: a file cannot be written.
 */
int plot_figure(const struct figure *f, struct store *s,
		const struct plot_options *o, char *err, size_t err_size);

#endif
