/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A lock that excludes nobody, so that the checkers can be seen to fail.
 * Do not use in real life.
 */
#include "sim/spinlock.h"

static u32 busted_lock(struct cpu *c, struct spinlock *l)
{
	(void)l;
	cpu_park(c);
	return LOCK_FAST;
}

static bool busted_trylock(struct cpu *c, struct spinlock *l)
{
	busted_lock(c, l);
	return true;
}

static void busted_unlock(struct cpu *c, struct spinlock *l)
{
	(void)l;
	cpu_park(c);
}

const struct lock_ops lock_busted = {
	.name = "busted",
	.help = "excludes nobody: shows that the checkers can fail",
	.lock = busted_lock,
	.trylock = busted_trylock,
	.unlock = busted_unlock,
};
