/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads, warm-up and window of a closed loop; see driver.h. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/machine.h"
#include "sim/stats.h"
#include "workloads/driver.h"
#include "workloads/figures.h"

#define BATCH_NR_MAX	65536u
#define BATCH_FIRST_LOOK 128u
#define BATCH_OPS_A_THREAD 4u

static void config(const struct param_set *p, struct sim_config *cfg)
{
	cfg->cost = (struct sim_costs){
		.rmw = (ps_t)param_num(p, "cost.rmw"),
		.probe_ppm = (u32)param_num(p, "latency.probe_share"),
		.share_gap = (ps_t)param_num(p, "latency.share_gap"),
		.poll = (ps_t)param_num(p, "cost.poll"),
		.dram = (ps_t)param_num(p, "cost.dram"),
		.slice = (ps_t)param_num(p, "kernel.slice"),
		.context_switch = (ps_t)param_num(p, "cost.context_switch"),
		.wakeup = (ps_t)param_num(p, "cost.wakeup"),
		.ipi = (ps_t)param_num(p, "cost.ipi"),
		.irq_handler = (ps_t)param_num(p, "cost.irq_handler"),
	};
	cfg->coherent = param_num(p, "coherence");
	cfg->arbitration = param_num(p, "latency.arbitration") ?
		ARBITRATE_ARRIVAL : ARBITRATE_NEAREST;
	cfg->bypass_max = (u32)param_num(p, "latency.bypass_max");
	cfg->seed = (u64)param_num(p, "seed");
}

/*
 * Order in which threads begin: at random; or those of one last-level cache
 * next to each other; or never two of one cache in a row. They are staggered
 * by START_GAP, so that low CPU numbers win nothing.
 */
#define START_GAP	(50 * PS_PER_NS)

struct start_rank {
	u64 key;
	u32 thread;
};

static int rank_cmp(const void *a, const void *b)
{
	const struct start_rank *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->thread < y->thread ? -1 : 1;
}

static void start_times(struct driver *d, const u32 *cpu, ps_t *start)
{
	const u32 n = d->nr_threads;
	const s64 how = param_num(d->params, "start");
	struct start_rank *rank = calloc(n, sizeof(*rank));
	u32 *seen = calloc(d->topo.nr_llcs, sizeof(*seen));
	struct rng r;

	if (!rank || !seen)
		abort();
	rng_init(&r, d->sim->cfg.seed, d->sim->cfg.replication, 0, RNG_START);
	for (u32 i = 0; i < n; i++) {
		const u32 llc = d->topo.llc[cpu[i]];
		const u64 draw = rng_below(&r, 1u << 20);

		rank[i].thread = i;
		rank[i].key = draw;
		if (how == 1)		/* clustered */
			rank[i].key |= (u64)llc << 32;
		else if (how == 2)	/* scattered: round by round */
			rank[i].key = (u64)seen[llc]++ << 32 | llc;
	}
	qsort(rank, n, sizeof(*rank), rank_cmp);
	for (u32 i = 0; i < n; i++)
		start[rank[i].thread] = i * START_GAP +
			rng_below(&r, START_GAP);
	free(rank);
	free(seen);
}

static void thread_fn(struct task *t, void *arg)
{
	struct thread *th = arg;

	th->task = t;
	while (!t->cpu->sim->stop) {
		cond_resched(t);
		th->d->op(th);
	}
}

static int make_threads(struct driver *d, char *err, size_t err_size)
{
	const u32 n = d->nr_threads;
	u32 *cpu = calloc(n, sizeof(*cpu));
	ps_t *start = calloc(n, sizeof(*start));
	const struct sim_config *cfg = &d->sim->cfg;
	int ret;

	if (!cpu || !start)
		abort();
	ret = topo_place(&d->topo,
			 (enum placement)param_num(d->params, "placement"), n,
			 cfg->seed + cfg->replication, cpu);
	if (ret) {
		snprintf(err, err_size, "no place for %u threads", n);
		goto out;
	}
	start_times(d, cpu, start);
	for (u32 i = 0; i < n; i++) {
		struct thread *th = &d->thread[i];

		th->d = d;
		th->id = i;
		rng_init(&th->think, cfg->seed, cfg->replication, i,
			 RNG_THINK);
		rng_init(&th->hold, cfg->seed, cfg->replication, i, RNG_HOLD);
		rng_init(&th->choice, cfg->seed, cfg->replication, i,
			 RNG_CHOICE);
		th->task = task_create(d->sim, cpu[i], "worker", thread_fn,
				       th, start[i]);
	}
out:
	free(cpu);
	free(start);
	return ret;
}

static void init_window(struct driver *d)
{
	const struct param_set *p = d->params;

	d->duration = (ps_t)param_num(p, "duration");
	d->loops = d->duration ? 0 :
		(u64)param_num(p, "loops") * d->nr_threads;
	d->warmup = PS_NEVER;
	if (param_find(p, "warmup")->given)
		d->warmup = (ps_t)param_num(p, "warmup");
	d->batch_ops = BATCH_OPS_A_THREAD * d->nr_threads;
	d->batch = calloc(BATCH_NR_MAX, sizeof(*d->batch));
	d->next_look = BATCH_FIRST_LOOK;
	if (!d->batch)
		abort();
}

int driver_init(struct driver *d, const struct param_set *p, u32 replication,
		struct outcome *out, char *err, size_t err_size)
{
	struct sim_config cfg = { .replication = replication };
	int ret;

	memset(d, 0, sizeof(*d));
	outcome_init(out);
	d->params = p;
	d->out = out;
	d->nr_threads = (u32)param_num(p, "nr_threads");
	ret = machine_topo(p, &d->topo, err, err_size);
	if (ret)
		return ret;
	config(p, &cfg);
	cfg.topo = &d->topo;
	cfg.nr_tasks_max = d->nr_threads + d->topo.nr_cpus;
	d->sim = calloc(1, sizeof(*d->sim));
	if (!d->sim)
		return -ENOMEM;
	ret = sim_init(d->sim, &cfg);
	if (ret) {
		snprintf(err, err_size, "no memory for %u CPUs",
			 d->topo.nr_cpus);
		return ret;
	}
	d->thread = sim_alloc(d->sim, d->nr_threads * sizeof(*d->thread));
	init_window(d);
	return make_threads(d, err, err_size);
}

void driver_free(struct driver *d)
{
	if (d->sim)
		sim_free(d->sim);
	free(d->sim);
	free(d->batch);
	topo_free(&d->topo);
}

static void open_window(struct driver *d, ps_t now)
{
	d->open = true;
	d->opened = now;
	d->opened_at = d->done;
	d->out->warmup = now;
	d->out->warmup_found = d->warmup == PS_NEVER;
	sim_open_window(d->sim, now);
	if (d->on_open)
		d->on_open(d);
}

/* One more operation has ended in the warm-up. */
static void warm_up(struct driver *d, ps_t now)
{
	ssize_t cut;

	if (d->warmup != PS_NEVER) {
		if (now >= d->warmup)
			open_window(d, now);
		return;
	}
	if (d->done % d->batch_ops)
		return;
	d->batch[d->nr_batches++] = now - d->batch_begin;
	d->batch_begin = now;
	if (d->nr_batches < d->next_look)
		return;
	cut = stats_warmup(d->batch, d->nr_batches);
	d->next_look *= 2;
	if (cut >= 0 || d->next_look > BATCH_NR_MAX)
		open_window(d, now);
}

static void count(struct driver *d, ps_t begin, ps_t middle, ps_t end)
{
	hist_add(&d->out->pair, end - begin);
	hist_add(&d->out->alloc, middle - begin);
	hist_add(&d->out->free, end - middle);
}

void driver_ended(struct thread *th, ps_t begin, ps_t middle, ps_t end)
{
	struct driver *d = th->d;

	cpu_park(th->task->cpu);
	if (d->closed)
		return;
	d->done++;
	if (!d->open) {
		warm_up(d, end);
		return;
	}
	count(d, begin, middle, end);
	d->last = end;
	if (d->loops ? d->done - d->opened_at < d->loops :
	    end - d->opened < d->duration)
		return;
	d->closed = true;
	d->out->pairs = d->done - d->opened_at;
	d->out->window = end - d->opened;
	sim_collect(d->sim, d->out);
	d->sim->stop = true;
}

void driver_run(struct driver *d, void (*op)(struct thread *th))
{
	d->op = op;
	sim_run(d->sim);
	check_always(d->sim, d->closed);
	figures_fill(d->out, d->sim, d->nr_threads);
}
