/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_ZIG_TABLES_H
#define TESTS_ZIG_TABLES_H
/*
 * Computes the tables of sim/rng_zig.h from their definition, in long double:
 * for gen_zig.c, which prints them, and test_rng.c, which compares them.
 */
#include <math.h>

#include "sim/rng_zig.h"

/* Height of the top layer's upper edge if the base strip ends at r. */
static inline long double zig_top(long double r, long double *x)
{
	long double area = r * expl(-r) + expl(-r);	/* strip and tail */
	long double f = expl(-r);

	x[0] = area / f;
	x[1] = r;
	for (int i = 1; i < RNG_ZIG_NR; i++) {
		f += area / x[i];
		x[i + 1] = f < 1 ? -logl(f) : 0;
		if (f >= 1 && i < RNG_ZIG_NR - 1)
			return 2;	/* too few layers fit: r too small */
	}
	return f;
}

static inline void zig_tables(double *x, double *f)
{
	long double xl[RNG_ZIG_NR + 1], low = 7, high = 8, mid;

	for (int i = 0; i < 80; i++) {	/* bisection: the top is at 1 */
		mid = (low + high) / 2;
		if (zig_top(mid, xl) > 1)
			low = mid;
		else
			high = mid;
	}
	zig_top(high, xl);
	xl[RNG_ZIG_NR] = 0;
	for (int i = 0; i <= RNG_ZIG_NR; i++) {
		x[i] = (double)xl[i];
		f[i] = (double)expl(-xl[i]);
	}
}

#endif
