/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STUDY_PROGRESS_H
#define STUDY_PROGRESS_H
/*
 * How far a sweep is: on a terminal one line that is drawn again, elsewhere a
 * plain line every half minute. Work is weighed, since one point can cost a
 * thousand times another.
 */
#include <stdio.h>

#include "sim/types.h"

struct progress {
	FILE *out;		/* NULL: silent */
	bool tty;
	size_t done, total, failed;
	double work_done, work_total;
	double start_s, shown_s;	/* monotonic clock */
};

void progress_init(struct progress *p, FILE *out, size_t total, double work);
void progress_add(struct progress *p, double work, bool failed);
/* Draws when it is time to. */
void progress_tick(struct progress *p);
/* Wipes the line of a terminal. */
void progress_end(struct progress *p);

#endif
