/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ideal FIFO lock: what queueing theory means by a single server. It touches
 * no line and costs nothing; the waiters form a list, a release hands over to
 * its head at the same instant. For exact tests (coherence=off).
 *
 * State: word 0 free, 1 held. Fair: strictly in order of arrival.
 */
#include "sim/spinlock.h"

static u32 fifo_lock(struct cpu *c, struct spinlock *l)
{
	cpu_park(c);
	if (!l->word) {
		l->word = 1;
		return LOCK_FAST;
	}
	c->watch_next = NULL;
	if (l->tail)
		l->tail->watch_next = c;
	else
		l->head = c;
	l->tail = c;
	cpu_wait(c);
	return LOCK_CONTENDED;
}

static bool fifo_trylock(struct cpu *c, struct spinlock *l)
{
	cpu_park(c);
	if (l->word)
		return false;
	l->word = 1;
	return true;
}

static void fifo_unlock(struct cpu *c, struct spinlock *l)
{
	struct cpu *w;

	cpu_park(c);
	w = l->head;
	if (!w) {
		l->word = 0;
		return;
	}
	l->head = w->watch_next;
	if (!l->head)
		l->tail = NULL;
	w->watch_next = NULL;
	cpu_grant(w, c->now, c->sim->seq++);
}

const struct lock_ops lock_fifo = {
	.name = "fifo",
	.help = "ideal FIFO lock, free hand-over (queueing theory's server)",
	.lock = fifo_lock,
	.trylock = fifo_trylock,
	.unlock = fifo_unlock,
	.fifo = true,
	.excludes = true,
};
