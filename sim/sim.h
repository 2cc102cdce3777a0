/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_SIM_H
#define SIM_SIM_H
/*
 * The engine: CPUs with clocks of their own, tasks that run on them as
 * coroutines, and the order in which they may touch what is shared.
 *
 * A CPU runs ahead of the others as long as it touches only what is private to
 * its task, or data under a lock that the task holds. Before anything else it
 * parks (cpu_park): it goes on when it is the earliest of all, and until its
 * next park nobody else can run. A slot's time is the earlier of the CPU's own
 * next operation and its first hardware action (an interrupt, a store leaving
 * its store buffer), so an interrupt lengthens a stretch of work that has done
 * nothing visible yet.
 *
 * Everything hangs off struct sim; several may live in one process.
 */
#include "sim/check.h"
#include "sim/coro.h"
#include "sim/outcome.h"
#include "sim/rng.h"
#include "sim/topo.h"
#include "sim/tourney.h"
#include "sim/types.h"

struct line;
struct task;
struct irq;
struct mcs_node;

/* What the machine costs; all in ps unless said. Filled in by models/. */
struct sim_costs {
	ps_t rmw;		/* locked read-modify-write on an owned line */
	u32 probe_ppm;		/* share of a transfer until the owner loses it */
	ps_t share_gap;		/* between copies of a line sent out */
	ps_t poll;		/* from a line's change to the poller's read */
	ps_t dram;		/* line that no cache holds */
	ps_t context_switch;
	ps_t slice;		/* of tasks that share a CPU; 0: no end */
	ps_t wakeup;		/* of a task on an idle CPU */
	ps_t ipi;		/* one way */
	ps_t irq_handler;
};

enum arbitration {
	ARBITRATE_NEAREST,	/* nearest waiting request, bounded */
	ARBITRATE_ARRIVAL,	/* in order of requests */
};

struct sim_config {
	const struct topo *topo;	/* borrowed for the sim's life */
	struct sim_costs cost;
	bool coherent;		/* false: lines cost nothing */
	enum arbitration arbitration;
	u32 bypass_max;		/* times a request may be passed by */
	u32 nr_tasks_max;	/* coroutines */
	u64 seed;
	u32 replication;
};

/* A request for a line, by a load, an atomic or a buffered store. */
struct request {
	struct cpu *cpu;
	struct line *line;
	struct request *next;
	u64 seq;
	ps_t asked;
	u32 passed;		/* times a nearer one went first */
	bool excl, is_store;
	bool waits;		/* in the line's queue */
	bool in_flight;		/* its transfer has begun */
};

/*
 * A store that has retired but is not visible yet: *word = (*word & ~clear)
 * | set once its line has come. Lines are fetched in parallel, the stores
 * themselves become visible in order (x86 TSO).
 */
struct store {
	struct request req;
	u128 key;		/* arrival of its line, or IDLE */
	ps_t not_before;	/* plain stores ahead of it leave first */
	u32 *word;
	u32 clear, set;
};

#define NR_STORES 4

struct cpu {
	ps_t now;		/* local clock */
	struct sim *sim;
	struct task *curr;	/* NULL: idle */
	u32 id, llc;
	u128 own_key;		/* next own operation; IDLE while the CPU runs
				 * (so that the tree's winner is the earliest
				 * of all others) and while it waits */
	u128 hw_key;		/* earliest of irq and store below */
	u128 irq_key, store_key;
	ps_t woken_at;		/* time of the event that resumed it */
	ps_t irq_until;		/* end of the last interrupt handler */
	ps_t stores_until;	/* plain stores to own data have left */
	struct irq *irq;	/* pending, by time */
	u32 irqs_off;
	bool need_resched;
	ps_t slice_begin;	/* of the running task's turn */
	bool draining;		/* waits for its store buffer to empty */
	struct request req;	/* outstanding load or atomic */
	struct store store[NR_STORES];
	u32 store_head, store_nr;
	struct line *watching;
	struct cpu *watch_next;
	struct task *rq_head, *rq_tail;	/* runnable, not running */
	struct task *kworker;
	ps_t idle_since;
};

enum task_state { TASK_RUNNING, TASK_RUNNABLE, TASK_SLEEPING, TASK_DEAD };

struct task {
	struct cpu *cpu;	/* it is pinned */
	struct coro coro;
	const char *name;
	u32 id;
	enum task_state state;
	struct task *next;	/* in a run queue or a wait list */
	u32 preempt_count;
	ps_t preempt_off_since;
	void (*fn)(struct task *t, void *arg);
	void *arg;
};

struct lock_class {
	struct lock_counts n;
	struct lock_class *next;
};

struct line_class {
	struct line_counts n;
	struct line_class *next;
};

struct sim {
	struct tourney tree;
	u64 seq;		/* of requests and parks */
	struct cpu *cpu;	/* [nr_cpus] */
	u32 nr_cpus;
	struct sim_config cfg;
	u32 *dist;		/* [nr_cpus^2] ps, NULL on large machines */
	u32 *llc_first;		/* [nr_llcs] its lowest CPU */
	struct coro main;
	struct coro_arena stacks;
	struct task **task;
	u32 nr_tasks;
	bool stop;		/* workers end after their operation */
	struct lock_class *lock_classes;
	struct line_class *line_classes;
	ps_t preemptoff_max;
	ps_t window_opened;
	u64 accesses_late;	/* causality failures, debug builds */
	struct mcs_node *mcs;	/* [nr_cpus], made by the first queued lock */
	struct irq *irq_pool;	/* free ones */
	struct arena_chunk *chunks;	/* sim_alloc's */
};

/* 0, -ENOMEM, or -E2BIG for more CPUs than slots. *s is then to be freed. */
int sim_init(struct sim *s, const struct sim_config *cfg);
void sim_free(struct sim *s);
/* Zeroed memory that lives as long as the sim; aborts when there is none. */
void *sim_alloc(struct sim *s, size_t size);

/* A task on a CPU, runnable from time start. fn returns at the end. */
struct task *task_create(struct sim *s, u32 cpu, const char *name,
			 void (*fn)(struct task *, void *), void *arg,
			 ps_t start);
/* Runs until no CPU has anything left to do. */
void sim_run(struct sim *s);

/*
 * Counters of locks, lines and preemption: start from zero at now, copy out.
 * Of a lock that is held at now only the rest of its hold counts.
 */
void sim_open_window(struct sim *s, ps_t now);
void sim_collect(struct sim *s, struct outcome *out);
struct lock_class *lock_class_get(struct sim *s, const char *name,
				  const char *type);
struct line_class *line_class_get(struct sim *s, const char *name);

static inline ps_t sim_distance(const struct sim *s, u32 a, u32 b)
{
	if (s->dist)
		return s->dist[(size_t)a * s->nr_cpus + b];
	return topo_transfer(s->cfg.topo, a, b);
}

/* Between two cores of one last-level cache, cpu's. */
static inline ps_t sim_distance_in_llc(const struct sim *s, u32 cpu)
{
	const u32 llc = s->cpu[cpu].llc;

	return s->cfg.topo->llc_ps[(size_t)llc * s->cfg.topo->nr_llcs + llc];
}

/* ---- what a running task may do ---- */

/* Private work: nobody can see it before the next park. */
static inline void task_work(struct task *t, ps_t ps)
{
	t->cpu->now += ps;
}

void sim_dispatch(struct sim *s, struct coro *from);

static inline void cpu_set_slot(struct cpu *c)
{
	tourney_set(&c->sim->tree, c->id,
		    c->own_key < c->hw_key ? c->own_key : c->hw_key);
}

/*
 * Give up the CPU's turn until own_key, or the grant that others set in it,
 * comes first. An own_key that is set before has to be in the slot.
 */
void cpu_wait(struct cpu *c);
/* The CPU's turn has come, whichever of its tasks goes on. */
void cpu_resumed(struct cpu *c);

/*
 * Until this CPU is the earliest: what follows happens at c->now, after all
 * that is earlier and before all that is later.
 */
static inline void cpu_park(struct cpu *c)
{
	const u128 key = tourney_key(c->now, EV_OWN, c->sim->seq++, c->id);

	if (key < tourney_winner(&c->sim->tree))
		return;
	c->own_key = key;
	cpu_set_slot(c);
	cpu_wait(c);
}

/* Let a waiting CPU go on at a time not before now. */
static inline void cpu_grant(struct cpu *c, ps_t at, u64 seq)
{
	c->own_key = tourney_key(at, EV_GRANT, seq, c->id);
	cpu_set_slot(c);
}

/* Hardware actions that the dispatcher runs without a task. */
void cpu_hardware(struct cpu *c, ps_t now);
static inline void cpu_set_hw(struct cpu *c)
{
	const u128 irq = c->irqs_off ? TOURNEY_IDLE : c->irq_key;

	c->hw_key = irq < c->store_key ? irq : c->store_key;
	cpu_set_slot(c);
}

/*
 * Interrupt CPU c at time at (not before the sender's now): its handler runs
 * fn(c, arg, end) at its end and delays what the CPU was doing by cost.
 */
void cpu_interrupt(struct cpu *c, ps_t at, ps_t cost,
		   void (*fn)(struct cpu *c, void *arg, ps_t end), void *arg);

#endif
