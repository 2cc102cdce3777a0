/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_HIST_H
#define SIM_HIST_H
/*
 * Log-linear histogram of integer counts. Values are u64 (ps here). A value is
 * put into a group by its most significant bit and into one of 2^HIST_BITS
 * equal buckets inside it, so that a bucket's relative half-width, and with it
 * the error of any percentile, is at most 2^-(HIST_BITS + 1) = 0.8%. Values
 * below 2^(HIST_BITS + 1) are exact. Merging adds counts: exact, in any order.
 */
#include "sim/types.h"

#define HIST_BITS	6
#define HIST_SUB	(1u << HIST_BITS)
#define HIST_NR		(HIST_SUB * (64 - HIST_BITS + 1))

struct hist {
	u64 count, min, max;	/* min is ~0 while empty */
	u128 sum;		/* exact */
	u64 bucket[HIST_NR];
};

static inline u32 hist_bucket(u64 value)
{
	u32 msb, shift;

	if (value < 2 * HIST_SUB)
		return (u32)value;
	msb = 63 - (u32)__builtin_clzll(value);
	shift = msb - HIST_BITS;
	return shift * HIST_SUB + (u32)(value >> shift);
}

static inline void hist_add(struct hist *h, u64 value)
{
	h->bucket[hist_bucket(value)]++;
	h->count++;
	h->sum += value;
	if (value < h->min)
		h->min = value;
	if (value > h->max)
		h->max = value;
}

void hist_init(struct hist *h);
void hist_merge(struct hist *into, const struct hist *from);
/* Lowest value of a bucket, and that of the next one. */
u64 hist_bucket_low(u32 bucket);
/*
 * Value below which millionths/1e6 of the counts lie: middle of its bucket,
 * clamped to [min, max]. 0 when empty. Integer arithmetic only.
 */
u64 hist_percentile(const struct hist *h, u32 millionths);
/* Mean, one division of exact integers; NAN when empty. */
double hist_mean(const struct hist *h);

#endif
