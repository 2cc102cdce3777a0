/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What all spinlocks share: preemption, exclusion checks, counters. */
#include <stdio.h>
#include <string.h>

#include "sim/spinlock.h"

#define LOCK(name) extern const struct lock_ops lock_##name;
#include "sim/locks.def"
#undef LOCK

const struct lock_ops *const lock_algorithms[] = {
#define LOCK(name) &lock_##name,
#include "sim/locks.def"
#undef LOCK
	NULL
};

const struct lock_ops *lock_find(const char *name)
{
	for (size_t i = 0; lock_algorithms[i]; i++)
		if (!strcmp(lock_algorithms[i]->name, name))
			return lock_algorithms[i];
	return NULL;
}

void spin_lock_init(struct sim *s, struct spinlock *l, const char *name,
		    struct line *line, const struct lock_ops *ops)
{
	memset(l, 0, sizeof(*l));
	l->ops = s->cfg.coherent || !ops->excludes ? ops : lock_find("fifo");
	l->line = line;
	l->holder = SPIN_NOBODY;
	l->last = SPIN_NOBODY;
	l->class = lock_class_get(s, name, "spinlock");
	l->class->n.wait_min = l->class->n.hold_min = PS_NEVER;
	if (s->cfg.coherent)
		l->node = mcs_nodes(s);
}

static void count_acquired(struct cpu *c, struct spinlock *l, ps_t asked,
			   u32 how)
{
	struct lock_counts *n = &l->class->n;
	const bool bounced = l->last != SPIN_NOBODY && l->last != c->id;

	n->acquisitions++;
	n->acq_bounces += bounced;
	n->handovers += bounced;
	if (bounced && c->sim->cpu[l->last].llc != c->llc)
		n->far++;
	if (how) {
		const ps_t wait = c->now - asked;

		n->contentions++;
		n->con_bounces += bounced;
		n->pending += how == LOCK_PENDING;
		n->wait_total += wait;
		if (wait < n->wait_min)
			n->wait_min = wait;
		if (wait > n->wait_max)
			n->wait_max = wait;
	}
}

static void take(struct cpu *c, struct spinlock *l, ps_t asked, u32 how)
{
	check_debug(c->sim, !l->ops->excludes || l->holder == SPIN_NOBODY);
	check_debug(c->sim, !l->ops->excludes || c->now >= l->until);
	count_acquired(c, l, asked, how);
	l->holder = c->id;
	l->last = c->id;
	l->since = c->now;
}

void spin_lock(struct task *t, struct spinlock *l)
{
	struct cpu *c = t->cpu;
	ps_t asked;
	u32 how;

	preempt_disable(t);
	asked = c->now;
	how = l->ops->lock(c, l);
	take(c, l, asked, how);
}

bool spin_trylock(struct task *t, struct spinlock *l)
{
	struct cpu *c = t->cpu;
	const ps_t asked = c->now;

	preempt_disable(t);
	if (!l->ops->trylock(c, l)) {
		preempt_enable(t);
		return false;
	}
	take(c, l, asked, LOCK_FAST);
	return true;
}

/* After the release, so in order with the window's beginning and end. */
static void count_released(const struct sim *s, struct spinlock *l, ps_t since,
			   ps_t until)
{
	struct lock_counts *n = &l->class->n;
	const ps_t opened = s->window_opened;
	const ps_t hold = until - since;

	if (since >= opened)
		n->hold_total += hold;
	else if (until > opened)
		n->hold_total += until - opened;
	if (hold < n->hold_min)
		n->hold_min = hold;
	if (hold > n->hold_max)
		n->hold_max = hold;
}

void spin_unlock(struct task *t, struct spinlock *l)
{
	struct cpu *c = t->cpu;
	const ps_t since = l->since, until = c->now;

	check_debug(c->sim, !l->ops->excludes || l->holder == c->id);
	l->holder = SPIN_NOBODY;
	l->until = until;
	l->ops->unlock(c, l);
	count_released(c->sim, l, since, until);
	preempt_enable(t);
}

void cond_resched_lock(struct task *t, struct spinlock *l)
{
	if (!t->cpu->need_resched)
		return;
	spin_unlock(t, l);
	cond_resched(t);
	spin_lock(t, l);
}
