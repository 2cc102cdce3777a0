/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metrics of a replication; see figures.h. */
#include <string.h>

#include "workloads/figures.h"

static double ratio(u128 a, u128 b)
{
	return b ? (double)a / (double)b : 0.0;
}

static double ns(u128 ps)
{
	return (double)ps / 1e3;
}

static void latencies(struct outcome *o)
{
	double *m = o->metric;

	m[METRIC_latency_ns_p50] = ns(hist_percentile(&o->pair, 500000));
	m[METRIC_latency_ns_p90] = ns(hist_percentile(&o->pair, 900000));
	m[METRIC_latency_ns_p99] = ns(hist_percentile(&o->pair, 990000));
	m[METRIC_latency_ns_p999] = ns(hist_percentile(&o->pair, 999000));
	m[METRIC_latency_ns_max] = ns(o->pair.max);
	m[METRIC_alloc_ns] = hist_mean(&o->alloc) / 1e3;
	m[METRIC_free_ns] = hist_mean(&o->free) / 1e3;
}

/* The spinlock class that was waited for longest, or NULL. */
static const struct lock_counts *hottest(const struct outcome *o)
{
	const struct lock_counts *best = NULL;

	for (u32 i = 0; i < o->nr_locks; i++) {
		const struct lock_counts *k = &o->lock[i];

		if (strcmp(k->type, "spinlock"))
			continue;
		if (!best || k->wait_total > best->wait_total)
			best = k;
	}
	return best;
}

static void locks(struct outcome *o)
{
	double *m = o->metric;
	u64 acq = 0, cont = 0, pending = 0;
	u128 wait = 0, hold = 0, symmetric = 0;

	for (u32 i = 0; i < o->nr_locks; i++) {
		const struct lock_counts *k = &o->lock[i];

		if (strcmp(k->type, "spinlock"))
			continue;
		acq += k->acquisitions;
		cont += k->contentions;
		pending += k->pending;
		wait += k->wait_total;
		hold += k->hold_total;
		symmetric += k->nr_locks;
	}
	m[METRIC_wait_ns_mean] = ratio(wait, acq) / 1e3;
	m[METRIC_hold_util] = ratio(hold, symmetric * o->window);
	m[METRIC_pending_share] = ratio(pending, cont);
}

static void lines(struct outcome *o)
{
	u64 transfers = 0;

	for (u32 i = 0; i < o->nr_lines; i++)
		transfers += o->line[i].transfers_near +
			     o->line[i].transfers_far;
	o->metric[METRIC_transfers_per_op] = ratio(transfers, o->pairs);
}

/*
 * Where hand-overs of the hottest lock stand between two orders of the queue:
 * waiters of a cache next to each other leave it (caches in use)/(threads) of
 * the time; at random they do with the chance that the next is elsewhere.
 */
static void find_regime(struct outcome *o, const struct sim *s, u32 n)
{
	const struct topo *t = s->cfg.topo;
	const struct lock_counts *k = hottest(o);
	u64 same = 0, used = 0, in_llc[TOPO_NR_CPUS_MAX] = { 0 };
	double floor, random, far, x;

	for (u32 i = 0; i < n && i < s->nr_tasks; i++)
		used += !in_llc[t->llc[s->task[i]->cpu->id]]++;
	for (u32 i = 0; i < t->nr_llcs; i++)
		same += in_llc[i] * (in_llc[i] ? in_llc[i] - 1 : 0);
	o->regime = REGIME_NONE;
	if (!k || n < 3)
		return;
	far = ratio(k->far, k->handovers);
	o->metric[METRIC_far_share] = far;
	floor = ratio(used, n);
	random = 1.0 - ratio(same, (u128)n * (n - 1));
	/* no order to speak of without a queue, or with one thread a cache */
	if (2 * k->contentions < k->acquisitions || random - floor < 0.02)
		return;
	x = (far - floor) / (random - floor);
	o->regime = x < 0.35 ? REGIME_CLUSTERED :
		x > 0.65 ? REGIME_SCATTERED : REGIME_MIXED;
}

void figures_fill(struct outcome *o, const struct sim *s, u32 nr_threads)
{
	double *m = o->metric;

	m[METRIC_pairs] = (double)o->pairs;
	m[METRIC_warmup_ns] = ns(o->warmup);
	m[METRIC_pair_ns] = ratio((u128)o->window * nr_threads, o->pairs) / 1e3;
	m[METRIC_serial_ns] = ratio(o->window, o->pairs) / 1e3;
	m[METRIC_throughput_per_s] = ratio((u128)o->pairs * PS_PER_S,
					   o->window);
	m[METRIC_preemptoff_ns_max] = ns(s->preemptoff_max);
	latencies(o);
	locks(o);
	lines(o);
	find_regime(o, s, nr_threads);
}
