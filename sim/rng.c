/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/rng.h"

#include <limits.h>

#include "sim/rng_zig.h"

#define GOLDEN_GAMMA 0x9e3779b97f4a7c15ull	/* splitmix64's increment */

/* splitmix64's output function (Steele, Lea, Flood 2014): a bijection. */
static u64 mix(u64 z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

void rng_init(struct rng *r, u64 seed, u32 replication, u32 entity,
	      enum rng_purpose purpose)
{
	const u64 part[] = { replication, entity, (u64)purpose };
	u64 z = mix(seed + GOLDEN_GAMMA);

	/*
	 * One bijection a part: keys that differ in one part never collide,
	 * others with a chance of 2^-64.
	 */
	for (size_t i = 0; i < ARRAY_SIZE(part); i++)
		z = mix((z ^ part[i]) + GOLDEN_GAMMA);
	/* consecutive outputs are distinct, so the state is never all zero */
	for (size_t i = 0; i < ARRAY_SIZE(r->s); i++) {
		z += GOLDEN_GAMMA;
		r->s[i] = mix(z);
	}
}

/*
 * exp(-d) for 0 <= d < 0.76, the widest step between two layers: Taylor to
 * degree 16, truncated below 1e-16; one rounding an operation.
 */
static double exp_minus(double d)
{
	double sum = 1.0;

	for (int i = 16; i > 0; i--)
		sum = 1.0 - sum * d / i;
	return sum;
}

/* [0, 1) in steps of 2^-53; the lowest bits of xoshiro256+ are weak. */
static double uniform(struct rng *r)
{
	return (double)(rng_u64(r) >> 11) * 0x1p-53;
}

/* Exponential of mean 1. */
static double exp_unit(struct rng *r)
{
	double base = 0.0;

	for (;;) {
		u64 bits = rng_u64(r);
		u32 i = (u32)(bits >> 56);
		double u = (double)((bits >> 3) & ((1ull << 53) - 1)) * 0x1p-53;
		double x = u * rng_zig_x[i];
		double y, rise;

		if (x < rng_zig_x[i + 1])
			return base + x;
		if (i == 0) {	/* memoryless: the tail is the whole, moved */
			base += rng_zig_x[1];
			continue;
		}
		rise = rng_zig_f[i + 1] - rng_zig_f[i];
		y = rng_zig_f[i] + uniform(r) * rise;
		if (y < rng_zig_f[i + 1] * exp_minus(x - rng_zig_x[i + 1]))
			return base + x;
	}
}

static ps_t scale(ps_t mean, double factor)
{
	double ps = (double)mean * factor;

	return ps < (double)PS_NEVER ? (ps_t)ps : PS_NEVER;
}

ps_t rng_exp(struct rng *r, ps_t mean)
{
	return scale(mean, exp_unit(r));
}

ps_t rng_erlang2(struct rng *r, ps_t mean)
{
	double first = exp_unit(r);

	return scale(mean, (first + exp_unit(r)) * 0.5);
}

ps_t rng_hyper2(struct rng *r, u32 p_ppm, ps_t m1, ps_t m2)
{
	bool first = rng_below(r, 1000000) < p_ppm;

	return rng_exp(r, first ? m1 : m2);
}

static void gsl_set(void *state, unsigned long seed)
{
	rng_init(state, seed, 0, 0, RNG_START);
}

static unsigned long gsl_get(void *state)
{
	return (unsigned long)(rng_u64(state) >>
			       (64 - CHAR_BIT * sizeof(unsigned long)));
}

static double gsl_get_double(void *state)
{
	return uniform(state);
}

const gsl_rng_type *rng_gsl_type(void)
{
	static const gsl_rng_type type = {
		.name = "vmapsim-xoshiro256+",
		.max = ULONG_MAX,
		.min = 0,
		.size = sizeof(struct rng),
		.set = gsl_set,
		.get = gsl_get,
		.get_double = gsl_get_double,
	};

	return &type;
}
