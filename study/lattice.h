/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STUDY_LATTICE_H
#define STUDY_LATTICE_H
/*
 * Least squares over a lattice of values, for functions that a simulation
 * evaluates: rough at a small scale, smooth at a larger one, and costly.
 *
 * Levenberg-Marquardt steps from wide central differences, together with the
 * points of these differences themselves (a compass search): in each round
 * all candidates are evaluated at once, so that they can run in parallel, and
 * the best one is taken; without one the differences are halved, until they
 * reach the lattice. All points are lattice points, so rounding in the linear
 * algebra cannot change them but at a tie, and the way is the same on any
 * host. Sources: Marquardt, SIAM J. Appl. Math. 11, 1963; Kolda, Lewis and
 * Torczon, "Optimization by direct search", SIAM Review 45, 2003.
 */
#include "sim/types.h"

#define LATTICE_NR_PARAMS_MAX	5
#define LATTICE_NR_ROUNDS_MAX	40

struct lattice_axis {
	s64 min, max;		/* inclusive */
	s64 step;		/* > 0; values are min + k step */
	s64 reach;		/* first difference; 0: an eighth of the range */
};

struct lattice_fit {
	size_t nr_params, nr_residuals;
	struct lattice_axis axis[LATTICE_NR_PARAMS_MAX];
	/*
	 * residual[p * nr_residuals + j] for nr points x[p * nr_params + i].
	 * 0 or -errno, which ends the fit.
	 */
	int (*evaluate)(void *ctx, const s64 *x, size_t nr, double *residual);
	void *ctx;
};

struct lattice_report {
	double start_cost, cost;	/* sums of squares */
	unsigned int nr_rounds;
	size_t nr_points;		/* evaluated */
};

/*
 * x: start in (moved onto the lattice), best point out. 0, -EINVAL (bounds,
 * numbers), -ENOMEM, or what evaluate() returned.
 */
int lattice_fit(const struct lattice_fit *f, s64 *x,
		struct lattice_report *report);

#endif
