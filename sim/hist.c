/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/hist.h"

#include <math.h>
#include <string.h>

void hist_init(struct hist *h)
{
	memset(h, 0, sizeof(*h));
	h->min = ~0ull;
}

void hist_merge(struct hist *into, const struct hist *from)
{
	for (u32 i = 0; i < HIST_NR; i++)
		into->bucket[i] += from->bucket[i];
	into->count += from->count;
	into->sum += from->sum;
	if (from->min < into->min)
		into->min = from->min;
	if (from->max > into->max)
		into->max = from->max;
}

u64 hist_bucket_low(u32 bucket)
{
	u32 shift;

	if (bucket < 2 * HIST_SUB)
		return bucket;
	/* bucket HIST_NR, the end of the last one, is 2^64: 0 by wrapping */
	shift = bucket / HIST_SUB - 1;
	return (u64)(bucket % HIST_SUB + HIST_SUB) << shift;
}

static u64 hist_bucket_middle(u32 bucket)
{
	u64 low = hist_bucket_low(bucket);

	return low + (hist_bucket_low(bucket + 1) - low) / 2;
}

u64 hist_percentile(const struct hist *h, u32 millionths)
{
	u64 rank, seen = 0, middle;
	u32 i;

	if (!h->count)
		return 0;
	if (millionths > 1000000)
		millionths = 1000000;
	rank = (u64)(((u128)h->count * millionths + 999999) / 1000000);
	if (!rank)
		rank = 1;
	for (i = 0; i < HIST_NR - 1; i++) {
		seen += h->bucket[i];
		if (seen >= rank)
			break;
	}
	middle = hist_bucket_middle(i);
	if (middle < h->min)
		return h->min;
	if (middle > h->max)
		return h->max;
	return middle;
}

double hist_mean(const struct hist *h)
{
	if (!h->count)
		return NAN;
	return (double)h->sum / (double)h->count;
}
