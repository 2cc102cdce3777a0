/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WORKLOADS_DRIVER_H
#define WORKLOADS_DRIVER_H
/*
 * What all closed-loop workloads share: threads on their CPUs, start times,
 * warm-up, the measured window, latencies, and the figures made of them.
 *
 * The window opens at the end of an operation (after the warm-up) and closes
 * at the end of one: after `loops` operations a thread on average, or after
 * `duration`. All threads are at work in all of it. pair_ns is then
 * threads * window / operations, exact over whole cycles.
 *
 * Warm-up, unless given: the times of batches of operations are looked at
 * whenever their number has doubled; the window opens once MSER-5 would cut
 * off less than half of them.
 */
#include "sim/outcome.h"
#include "sim/param.h"
#include "sim/sched.h"
#include "sim/spinlock.h"

struct driver;

struct thread {			/* one of the workload's */
	struct driver *d;
	struct task *task;
	u32 id;
	struct rng think, hold, choice;
	void *priv;
};

struct driver {
	struct sim *sim;
	struct topo topo;
	const struct param_set *params;
	struct outcome *out;
	u32 nr_threads;
	struct thread *thread;
	void (*op)(struct thread *th);	/* one operation */
	void *priv;
	/* the window */
	bool open, closed;
	u64 loops;		/* operations to measure; 0: by duration */
	ps_t duration;
	ps_t warmup;		/* given; PS_NEVER: to be found */
	u64 done;		/* operations ended, all threads */
	u64 opened_at;		/* value of done */
	ps_t opened, last;
	/* batches during warm-up */
	u64 batch_ops;
	u64 *batch;		/* ps each, [BATCH_NR_MAX] */
	u32 nr_batches, next_look;
	ps_t batch_begin;
	void (*on_open)(struct driver *d);	/* may be NULL */
};

/*
 * Builds topology, sim and threads from p. d->sim is owned; d->out is the
 * caller's. 0, or -errno with a line in err.
 */
int driver_init(struct driver *d, const struct param_set *p, u32 replication,
		struct outcome *out, char *err, size_t err_size);
/* Runs to the end and fills in d->out from window and counters. */
void driver_run(struct driver *d, void (*op)(struct thread *th));
void driver_free(struct driver *d);
/* Called by op at the end of its two halves; parks. */
void driver_ended(struct thread *th, ps_t begin, ps_t middle, ps_t end);

#endif
