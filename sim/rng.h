/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_RNG_H
#define SIM_RNG_H
/*
 * Random streams keyed by (seed, replication, entity, purpose).
 *
 * Two streams with different keys are independent; the same key gives the same
 * draws whatever else runs, so that variants compared with each other see the
 * same random numbers. Generator: xoshiro256+ (Blackman and Vigna, public
 * domain algorithm), seeded through splitmix64. No libm: the exponential is a
 * ziggurat over constant tables, all arithmetic is on integers or on IEEE
 * doubles with one rounding an operation (-ffp-contract=off), so that draws
 * are the same bits for any compiler, -O level and host.
 */
#include <gsl/gsl_rng.h>

#include "sim/types.h"

struct rng {
	u64 s[4];
};

enum rng_purpose {
	RNG_START,		/* staggered start times */
	RNG_JITTER,		/* of private work */
	RNG_THINK, RNG_HOLD,	/* lockloop's draws */
	RNG_CHOICE,		/* which of several */
	RNG_PLACEMENT,
	RNG_SIZE,
};

void rng_init(struct rng *r, u64 seed, u32 replication, u32 entity,
	      enum rng_purpose purpose);

static inline u64 rng_u64(struct rng *r)
{
	const u64 result = r->s[0] + r->s[3];
	const u64 t = r->s[1] << 17;

	r->s[2] ^= r->s[0];
	r->s[3] ^= r->s[1];
	r->s[1] ^= r->s[2];
	r->s[0] ^= r->s[3];
	r->s[2] ^= t;
	r->s[3] = (r->s[3] << 45) | (r->s[3] >> 19);
	return result;
}

/* Uniform in [0, n), n > 0; multiply-shift on the upper 64 bits. */
static inline u64 rng_below(struct rng *r, u64 n)
{
	return (u64)(((u128)rng_u64(r) * n) >> 64);
}

/* Exponential with the given mean, in ps, rounded down. */
ps_t rng_exp(struct rng *r, ps_t mean);
/* Erlang-2 with the given mean: sum of two exponentials of half of it. */
ps_t rng_erlang2(struct rng *r, ps_t mean);
/* With chance p/1e6 exponential of mean m1, else of mean m2. */
ps_t rng_hyper2(struct rng *r, u32 p_ppm, ps_t m1, ps_t m2);

/* The same generator behind GSL's interface: gsl_rng_alloc(rng_gsl_type()). */
const gsl_rng_type *rng_gsl_type(void);

#endif
