/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the kernel's spinlock is in a guest without paravirtual locks: test and
 * set. native_queued_spin_lock_slowpath() begins with virt_spin_lock() there,
 * since a queue of vCPUs that may not be running is worse (x86 since v4.2).
 *
 * Word:     0 free, 1 locked.
 * Lock:     0 -> 1 by cmpxchg; else poll until 0 and try again.
 * Unlock:   store 0.
 * Fairness: none. Whoever gets the line first has it, and that is the nearest;
 *           a CPU that has just released it takes it again at no cost.
 * Not modelled: preemption of the vCPU.
 */
#include "sim/spinlock.h"

static u32 virt_lock(struct cpu *c, struct spinlock *l)
{
	u32 how = LOCK_FAST;

	for (;;) {
		line_rmw(c, l->line);
		if (!l->word)
			break;
		how = LOCK_CONTENDED;
		for (;;) {
			line_read(c, l->line);
			if (!l->word)
				break;
			line_watch(c, l->line);
		}
	}
	l->word = 1;
	return how;
}

static bool virt_trylock(struct cpu *c, struct spinlock *l)
{
	line_read(c, l->line);
	if (l->word)
		return false;
	line_rmw(c, l->line);
	if (l->word)
		return false;
	l->word = 1;
	return true;
}

static void virt_unlock(struct cpu *c, struct spinlock *l)
{
	line_store(c, l->line, &l->word, ~0u, 0);
}

const struct lock_ops lock_virt = {
	.name = "virt",
	.help = "test-and-set: the kernel's spinlock in a guest without PV locks",
	.lock = virt_lock,
	.trylock = virt_trylock,
	.unlock = virt_unlock,
	.excludes = true,
};
