/* SPDX-License-Identifier: GPL-3.0-or-later */
/* On which CPU each thread runs. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/rng.h"
#include "sim/topo.h"

#define SCHEDULER_GOOD_OF_8	7	/* an assumption, see topo.h */

/* A CPU and where it stands in an order: by key[0], key[1], ... cpu. */
struct rank {
	u32 key[4], cpu;
};

static int compare_ranks(const void *a, const void *b)
{
	const struct rank *ra = a, *rb = b;

	for (size_t i = 0; i < ARRAY_SIZE(ra->key); i++)
		if (ra->key[i] != rb->key[i])
			return ra->key[i] < rb->key[i] ? -1 : 1;
	return ra->cpu < rb->cpu ? -1 : ra->cpu > rb->cpu;
}

/*
 * thread[cpu]: which of its core's threads, from 0; slot[cpu]: which of its
 * last-level cache's cores. CPUs are numbered first threads first.
 */
static int count_inside(const struct topo *t, u32 *thread, u32 *slot)
{
	u32 *core_cpus = calloc(t->nr_cores, sizeof(*core_cpus));
	u32 *core_slot = calloc(t->nr_cores, sizeof(*core_slot));
	u32 *llc_cores = calloc(t->nr_llcs, sizeof(*llc_cores));
	bool ok = core_cpus && core_slot && llc_cores;

	for (u32 cpu = 0; ok && cpu < t->nr_cpus; cpu++) {
		u32 core = t->core[cpu];

		thread[cpu] = core_cpus[core]++;
		if (!thread[cpu])
			core_slot[core] = llc_cores[t->llc[cpu]]++;
		slot[cpu] = core_slot[core];
	}
	free(core_cpus);
	free(core_slot);
	free(llc_cores);
	return ok ? 0 : -ENOMEM;
}

static void set_rank(const struct topo *t, enum placement how, u32 cpu,
		     u32 thread, u32 slot, struct rank *r)
{
	u32 key[3][4] = {
		[PLACE_SPREAD] = { thread, slot, t->llc[cpu], 0 },
		[PLACE_PACKED] = { t->package[cpu], thread, t->llc[cpu], slot },
		[PLACE_SMT] = { t->package[cpu], t->llc[cpu], slot, thread },
	};

	memcpy(r->key, key[how], sizeof(r->key));
	r->cpu = cpu;
}

struct load {			/* of one last-level cache */
	u32 busy, nr_cpus;
	u32 idle_cores;
};

struct sched {
	const struct topo *t;
	struct load *llc;
	u32 *core_busy;		/* threads on each core */
	bool *cpu_busy;
	struct rng rng;
};

/* Least loaded; the lower number where equal. */
static u32 least_loaded(const struct sched *s)
{
	u32 best = 0;

	for (u32 i = 1; i < s->t->nr_llcs; i++) {
		const struct load *a = &s->llc[i], *b = &s->llc[best];

		if ((u64)a->busy * b->nr_cpus < (u64)b->busy * a->nr_cpus)
			best = i;
	}
	return best;
}

static u32 choose_llc(struct sched *s)
{
	u32 with_idle = 0, nth;

	for (u32 i = 0; i < s->t->nr_llcs; i++)
		with_idle += s->llc[i].idle_cores > 0;
	if (rng_below(&s->rng, 8) < SCHEDULER_GOOD_OF_8 || !with_idle)
		return least_loaded(s);
	nth = (u32)rng_below(&s->rng, with_idle);
	for (u32 i = 0; ; i++)
		if (s->llc[i].idle_cores && !nth--)
			return i;
}

static u32 choose_cpu(const struct sched *s, u32 llc)
{
	u32 sibling = s->t->nr_cpus;

	for (u32 cpu = 0; cpu < s->t->nr_cpus; cpu++) {
		if (s->t->llc[cpu] != llc || s->cpu_busy[cpu])
			continue;
		if (!s->core_busy[s->t->core[cpu]])
			return cpu;
		if (sibling == s->t->nr_cpus)
			sibling = cpu;
	}
	return sibling;
}

static void schedule(struct sched *s, u32 n, u32 *cpu)
{
	const struct topo *t = s->t;

	for (u32 c = 0; c < t->nr_cpus; c++) {
		s->llc[t->llc[c]].nr_cpus++;
		if (!s->core_busy[t->core[c]]++)	/* first of its core */
			s->llc[t->llc[c]].idle_cores++;
	}
	memset(s->core_busy, 0, t->nr_cores * sizeof(*s->core_busy));
	for (u32 i = 0; i < n; i++) {
		u32 llc = choose_llc(s), c = choose_cpu(s, llc);

		s->llc[llc].busy++;
		s->llc[llc].idle_cores -= !s->core_busy[t->core[c]]++;
		s->cpu_busy[c] = true;
		cpu[i] = c;
	}
}

static int place_scheduler(const struct topo *t, u32 n, u64 seed, u32 *cpu)
{
	struct sched s = {
		.t = t,
		.llc = calloc(t->nr_llcs, sizeof(*s.llc)),
		.core_busy = calloc(t->nr_cores, sizeof(*s.core_busy)),
		.cpu_busy = calloc(t->nr_cpus, sizeof(*s.cpu_busy)),
	};
	bool ok = s.llc && s.core_busy && s.cpu_busy;

	rng_init(&s.rng, seed, 0, 0, RNG_PLACEMENT);
	if (ok)
		schedule(&s, n, cpu);
	free(s.llc);
	free(s.core_busy);
	free(s.cpu_busy);
	return ok ? 0 : -ENOMEM;
}

static int place_ordered(const struct topo *t, enum placement how, u32 n,
			 u32 *cpu)
{
	struct rank *r = calloc(t->nr_cpus, sizeof(*r));
	u32 *thread = calloc(t->nr_cpus, sizeof(*thread));
	u32 *slot = calloc(t->nr_cpus, sizeof(*slot));
	bool ok = r && thread && slot && !count_inside(t, thread, slot);

	if (ok) {
		for (u32 i = 0; i < t->nr_cpus; i++)
			set_rank(t, how, i, thread[i], slot[i], &r[i]);
		qsort(r, t->nr_cpus, sizeof(*r), compare_ranks);
		for (u32 i = 0; i < n; i++)
			cpu[i] = r[i].cpu;
	}
	free(r);
	free(thread);
	free(slot);
	return ok ? 0 : -ENOMEM;
}

int topo_place(const struct topo *t, enum placement how, u32 n, u64 seed,
	       u32 *cpu)
{
	u32 once = n < t->nr_cpus ? n : t->nr_cpus;
	int ret;

	if (how == PLACE_SCHEDULER)
		ret = place_scheduler(t, once, seed, cpu);
	else
		ret = place_ordered(t, how, once, cpu);
	for (u32 i = once; !ret && i < n; i++)
		cpu[i] = cpu[i - once];
	return ret;
}
