/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Queued spinlock, the kernel's default: x86 since 4.2, arm64 since 4.19.
 *
 * Paper:    Mellor-Crummey and Scott 1991 (MCS), compacted into 32 bits with a
 *           pending bit; kernel/locking/qspinlock.c (0200fbdd; the same in
 *           6.19), from a description, not its text.
 * Word:     (tail, pending, locked). locked: bits 0-7; pending: bits 8-15;
 *           tail: bits 16-31, CPU + 1 (nesting levels are not modelled:
 *           none of the models' locks is taken in an interrupt).
 * Lock:     0,0,0 -> 0,0,1 by cmpxchg. Else, with neither tail nor pending
 *           set, take the pending bit and spin on the word's locked byte.
 *           Else queue: xchg the tail, link behind the predecessor and spin on
 *           the own node; the queue's head spins on the word until locked and
 *           pending are clear.
 * Unlock:   store 0 to the locked byte.
 * Fairness: FIFO by order of the tail's xchg; the pending waiter goes first.
 * Not modelled: the bounded poll of a hand-over in flight (0,1,0) counts as
 *           one poll of the line; prefetchw of the successor's node.
 */
#include "sim/spinlock.h"

#define Q_LOCKED_MASK	0xffu
#define Q_LOCKED	1u
#define Q_PENDING_MASK	0xff00u
#define Q_PENDING	0x100u
#define Q_TAIL_SHIFT	16
#define Q_TAIL_MASK	0xffff0000u

struct mcs_node *mcs_nodes(struct sim *s)
{
	if (s->mcs)
		return s->mcs;
	s->mcs = sim_alloc(s, s->nr_cpus * sizeof(*s->mcs));
	for (u32 i = 0; i < s->nr_cpus; i++) {
		struct mcs_node *n = &s->mcs[i];

		line_init(s, &n->line, "mcs_spinlock");
		n->line.owner = (u16)i;
		n->cpu = &s->cpu[i];
	}
	return s->mcs;
}

/* Read l's word until (word & mask) is clear. */
static void spin_until_clear(struct cpu *c, struct spinlock *l, u32 mask)
{
	for (;;) {
		line_read(c, l->line);
		if (!(l->word & mask))
			return;
		line_watch(c, l->line);
	}
}

/* Read the own node until a field of it is set by another CPU. */
static u32 spin_on_node(struct cpu *c, struct mcs_node *node, const u32 *field)
{
	for (;;) {
		line_read(c, &node->line);
		if (*field)
			return *field;
		line_watch(c, &node->line);
	}
}

/*
 * n,0,0 -> n,0,1 at the head of the queue. With nobody behind the tail is
 * cleared too and the queue ends; else the successor becomes head.
 */
static void claim_as_head(struct cpu *c, struct spinlock *l,
			  struct mcs_node *nodes, u32 tail)
{
	struct mcs_node *node = &nodes[c->id], *next;

	if ((l->word & Q_TAIL_MASK) == tail) {
		line_rmw(c, l->line);
		/* *,0,0 -> 0,0,1: fails if a newcomer swapped the tail */
		if ((l->word & (Q_TAIL_MASK | Q_PENDING_MASK)) == tail) {
			l->word = Q_LOCKED;
			return;
		}
	}
	/* n,0,0 -> n,0,1 */
	line_store(c, l->line, &l->word, Q_LOCKED_MASK, Q_LOCKED);
	next = &nodes[spin_on_node(c, node, &node->next) - 1];
	line_store(c, &next->line, &next->locked, ~0u, 1);
}

static void queue(struct cpu *c, struct spinlock *l)
{
	struct mcs_node *nodes = l->node, *node = &nodes[c->id];
	const u32 tail = (c->id + 1) << Q_TAIL_SHIFT;
	u32 old;

	line_write(c, &node->line);
	node->locked = 0;
	node->next = 0;

	/* one more try: read first, cmpxchg only if it looks free */
	line_read(c, l->line);
	if (!l->word) {
		line_rmw(c, l->line);
		if (!l->word) {
			l->word = Q_LOCKED;	/* 0,0,0 -> 0,0,1 */
			return;
		}
	}
	/* p,*,* -> n,*,* */
	line_rmw(c, l->line);
	old = l->word & Q_TAIL_MASK;
	l->word = (l->word & ~Q_TAIL_MASK) | tail;
	if (old) {
		struct mcs_node *prev = &nodes[(old >> Q_TAIL_SHIFT) - 1];

		line_store(c, &prev->line, &prev->next, ~0u, c->id + 1);
		spin_on_node(c, node, &node->locked);
	}
	/* n,*,* -> n,0,0: the holder leaves, then the pending waiter */
	spin_until_clear(c, l, Q_LOCKED_MASK | Q_PENDING_MASK);
	claim_as_head(c, l, nodes, tail);
	/* the node is given back: its line comes home for the next time */
	line_store(c, &node->line, &node->count, ~0u, 0);
}

static u32 qspinlock_slowpath(struct cpu *c, struct spinlock *l, u32 val)
{
	/* 0,1,0: a hand-over is in flight; look once more */
	if (val == Q_PENDING) {
		line_read(c, l->line);
		val = l->word;
		if (val == Q_PENDING) {
			line_watch(c, l->line);
			line_read(c, l->line);
			val = l->word;
		}
	}
	if (!(val & ~Q_LOCKED_MASK)) {
		line_rmw(c, l->line);
		val = l->word;
		l->word |= Q_PENDING;		/* 0,0,* -> 0,1,* */
		if (!(val & ~Q_LOCKED_MASK)) {
			/* 0,1,1 -> 0,1,0 -> 0,0,1 */
			spin_until_clear(c, l, Q_LOCKED_MASK);
			line_store(c, l->line, &l->word,
				   Q_PENDING_MASK | Q_LOCKED_MASK, Q_LOCKED);
			return LOCK_PENDING;
		}
		if (!(val & Q_PENDING_MASK))	/* undo our own: n,1,* -> n,0,* */
			l->word &= ~Q_PENDING_MASK;
	}
	queue(c, l);
	return LOCK_CONTENDED;
}

static u32 qspinlock_lock(struct cpu *c, struct spinlock *l)
{
	line_rmw(c, l->line);
	if (!l->word) {
		l->word = Q_LOCKED;		/* 0,0,0 -> 0,0,1 */
		return LOCK_FAST;
	}
	/* the failed compare has taken the line all the same */
	return qspinlock_slowpath(c, l, l->word);
}

static bool qspinlock_trylock(struct cpu *c, struct spinlock *l)
{
	line_read(c, l->line);
	if (l->word)
		return false;
	line_rmw(c, l->line);
	if (l->word)
		return false;
	l->word = Q_LOCKED;
	return true;
}

static void qspinlock_unlock(struct cpu *c, struct spinlock *l)
{
	line_store(c, l->line, &l->word, Q_LOCKED_MASK, 0);
}

const struct lock_ops lock_qspinlock = {
	.name = "qspinlock",
	.help = "queued spinlock: pending bit, then MCS queue (the default)",
	.lock = qspinlock_lock,
	.trylock = qspinlock_trylock,
	.unlock = qspinlock_unlock,
	.fifo = true,
	.excludes = true,
};
