/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_RNG_ZIG_H
#define SIM_RNG_ZIG_H
/*
 * Tables of the exponential's ziggurat (Marsaglia and Tsang 2000, "The
 * ziggurat method for generating random variables", J. Stat. Softw. 5(8)):
 * RNG_ZIG_NR layers of equal area under exp(-x). Layer i > 0 is
 * [0, x[i]) by [f[i], f[i + 1]), f[i] = exp(-x[i]); layer 0 is the base
 * strip up to x[1] and the tail beyond it, x[0] its area over f[1].
 * rng_zig.c is printed by tests/gen_zig.c and committed, so that the bits do
 * not depend on a host's libm.
 */
#define RNG_ZIG_NR	256

extern const double rng_zig_x[RNG_ZIG_NR + 1];
extern const double rng_zig_f[RNG_ZIG_NR + 1];

#endif
