/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_SPINLOCK_H
#define SIM_SPINLOCK_H
/*
 * Spinlocks: an algorithm (lock_ops, one file each, registered in locks.def)
 * over one cache line, and the counters that lock_stat keeps for its class.
 *
 * The word's line may hold other things too (layout is the model's): then
 * `line` is shared with them. Holding or waiting disables preemption.
 */
#include "sim/line.h"
#include "sim/sched.h"

struct spinlock;

struct lock_ops {
	const char *name, *help;
	/* How it was had: contended, and through the pending bit. */
	u32 (*lock)(struct cpu *c, struct spinlock *l);
	bool (*trylock)(struct cpu *c, struct spinlock *l);
	void (*unlock)(struct cpu *c, struct spinlock *l);
	bool fifo;		/* serves in order of arrival */
	bool excludes;		/* false: busted, for the checkers */
};

#define LOCK_FAST	0u
#define LOCK_CONTENDED	1u	/* had to wait */
#define LOCK_PENDING	2u	/* waited on the pending bit */

extern const struct lock_ops *const lock_algorithms[];	/* NULL ends it */
const struct lock_ops *lock_find(const char *name);

#define SPIN_NOBODY	0xffffffffu

struct spinlock {
	const struct lock_ops *ops;
	struct line *line;
	u32 word;		/* the algorithm's state */
	u32 holder;		/* CPU, or SPIN_NOBODY: for the checkers */
	u32 last;		/* previous holder */
	struct cpu *head, *tail;	/* ideal fifo's queue */
	struct lock_class *class;
	ps_t since;		/* begin of the present hold */
	ps_t until;		/* end of the one before: for the checkers */
	void *node;		/* algorithm's per-CPU nodes, or NULL */
};

/* line is borrowed; name is the class, as lock_stat would print it. */
void spin_lock_init(struct sim *s, struct spinlock *l, const char *name,
		    struct line *line, const struct lock_ops *ops);
void spin_lock(struct task *t, struct spinlock *l);
bool spin_trylock(struct task *t, struct spinlock *l);
void spin_unlock(struct task *t, struct spinlock *l);
/*
 * cond_resched_lock(): gives the lock up and takes it again when the task is
 * due to be rescheduled. Contention alone drops it on preemptible kernels
 * only, which are not modelled here yet.
 */
void cond_resched_lock(struct task *t, struct spinlock *l);
/* MCS nodes of the queued lock, one line per CPU, shared by all its locks. */
struct mcs_node {
	struct line line;
	struct cpu *cpu;
	u32 locked;
	u32 next;		/* CPU + 1 of the successor */
	u32 count;		/* nesting; always one level here */
};
struct mcs_node *mcs_nodes(struct sim *s);

#endif
