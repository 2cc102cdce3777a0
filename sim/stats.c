/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/stats.h"

#include <errno.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define MSER_BATCH 5

double stats_t(double confidence, double df)
{
	/* the upper tail keeps its digits when confidence is near 1 */
	return gsl_cdf_tdist_Qinv((1.0 - confidence) / 2.0, df);
}

void stats_interval(const double *x, size_t n, struct stats_interval *out)
{
	double sum = 0.0, squares = 0.0, error;

	*out = (struct stats_interval){ n, NAN, NAN, NAN, NAN };
	if (!n)
		return;
	for (size_t i = 0; i < n; i++)
		sum += x[i];
	out->mean = sum / (double)n;
	if (n < 2)
		return;
	/* around the mean: no digits are lost to its size */
	for (size_t i = 0; i < n; i++)
		squares += (x[i] - out->mean) * (x[i] - out->mean);
	out->sd = sqrt(squares / (double)(n - 1));
	error = out->sd / sqrt((double)n);
	out->half95 = stats_t(0.95, (double)(n - 1)) * error;
	out->half9999 = stats_t(0.9999, (double)(n - 1)) * error;
}

bool stats_enough(const double *x, size_t n, double target_rel_halfwidth)
{
	struct stats_interval s;

	stats_interval(x, n, &s);
	return s.half95 <= target_rel_halfwidth * fabs(s.mean);
}

static double lag1_correlation(const double *x, size_t n, double mean)
{
	double products = 0.0, squares = 0.0;

	for (size_t i = 0; i < n; i++) {
		squares += (x[i] - mean) * (x[i] - mean);
		if (i)
			products += (x[i] - mean) * (x[i - 1] - mean);
	}
	return squares > 0.0 ? products / squares : 0.0;
}

int stats_batch_means(const u64 *x, size_t n, size_t nr_batches,
		      struct stats_interval *out, double *lag1)
{
	size_t length;
	double *mean;

	if (nr_batches < 2 || n < nr_batches)
		return -EINVAL;
	mean = calloc(nr_batches, sizeof(*mean));
	if (!mean)
		return -ENOMEM;
	length = n / nr_batches;
	x += n % nr_batches;
	for (size_t b = 0; b < nr_batches; b++) {
		u128 sum = 0;

		for (size_t i = 0; i < length; i++)
			sum += *x++;
		mean[b] = (double)sum / (double)length;
	}
	stats_interval(mean, nr_batches, out);
	if (lag1)
		*lag1 = lag1_correlation(mean, nr_batches, out->mean);
	free(mean);
	return 0;
}

/*
 * Sums of batches of five, less the smallest (which moves no variance) and
 * shifted to below 2^36: then m * (sum of m squares) stays below 2^124 for
 * any m below 2^26.
 */
static u64 *batch_sums(const u64 *x, size_t nr)
{
	u64 *batch = calloc(nr, sizeof(*batch)), max = 0, min = ~0ull;
	u32 shift = 0;

	if (!batch)
		return NULL;
	for (size_t b = 0; b < nr; b++) {
		u128 sum = 0;

		for (size_t i = 0; i < MSER_BATCH; i++)
			sum += x[b * MSER_BATCH + i];
		batch[b] = sum > ~0ull ? ~0ull : (u64)sum;
		max = batch[b] > max ? batch[b] : max;
		min = batch[b] < min ? batch[b] : min;
	}
	while ((max - min) >> shift >= 1ull << 36)
		shift++;
	for (size_t b = 0; b < nr; b++)
		batch[b] = (batch[b] - min) >> shift;
	return batch;
}

ssize_t stats_warmup(const u64 *x, size_t n)
{
	size_t nr = n / MSER_BATCH, best = 0;
	u128 sum = 0, squares = 0;
	double least = INFINITY;
	u64 *batch;

	if (n < STATS_WARMUP_N_MIN || nr >= 1ull << 26)
		return -ENODATA;
	batch = batch_sums(x, nr);
	if (!batch)
		return -ENOMEM;
	/* from the end, where the sums of the rest grow by one batch a step */
	for (size_t d = nr; d-- > 0; ) {
		double m = (double)(nr - d), error;

		sum += batch[d];
		squares += (u128)batch[d] * batch[d];
		if (d > nr / 2)
			continue;
		error = (double)((nr - d) * squares - sum * sum) / (m * m * m);
		if (error <= least) {	/* <=: of equals, keep more data */
			least = error;
			best = d;
		}
	}
	free(batch);
	return best < nr / 2 ? (ssize_t)(best * MSER_BATCH) : -ENODATA;
}
