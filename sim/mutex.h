/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_MUTEX_H
#define SIM_MUTEX_H
/*
 * Sleeping mutex over one line: an atomic when free, else a FIFO of sleeping
 * tasks and direct hand-off at unlock. Optimistic spinning is not modelled.
 */
#include "sim/line.h"
#include "sim/sched.h"

struct mutex {
	struct line line;
	struct task *owner;
	struct task *first, **last;	/* sleepers */
	struct lock_class *class;
	ps_t since;
};

void mutex_init(struct sim *s, struct mutex *m, const char *name);
void mutex_lock(struct task *t, struct mutex *m);
void mutex_unlock(struct task *t, struct mutex *m);

#endif
