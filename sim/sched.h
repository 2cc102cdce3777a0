/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_SCHED_H
#define SIM_SCHED_H
/*
 * Tasks on a CPU: run queue, sleeping and waking, voluntary preemption points,
 * bound kworkers, and interrupts with their effect on what the CPU was doing.
 *
 * A task that a CPU wakes on itself asks for the CPU at once (a kworker that
 * slept is behind in virtual run time): it gets it at the running task's next
 * cond_resched(), or when that sleeps or ends. Tasks that share a CPU take
 * turns, each for a time slice and until its next cond_resched().
 */
#include "sim/sim.h"

struct work {
	void (*fn)(struct task *t, struct work *w);
	bool pending;		/* queued, not begun: absorbs requests */
	struct task *running;	/* on this kworker now */
	bool again;		/* queued while it runs: not re-entrant */
	struct work *next;
};

/* Give up the CPU if somebody else on it is due; never in a spinlock. */
static inline void cond_resched(struct task *t);
void task_yield(struct task *t);
/* Until task_wake(). */
void task_sleep(struct task *t);
/* From a task (its CPU's now) or an interrupt: t may run from time at on. */
void task_wake(struct task *t, ps_t at);

/* Queue w on the kworker bound to t's CPU, unless it is pending already. */
void schedule_work(struct task *t, struct work *w);

static inline void preempt_disable(struct task *t)
{
	if (t->preempt_count++ == 0)
		t->preempt_off_since = t->cpu->now;
}

static inline void preempt_enable(struct task *t)
{
	check_debug(t->cpu->sim, t->preempt_count > 0);
	if (--t->preempt_count == 0) {
		const ps_t off = t->cpu->now - t->preempt_off_since;

		if (off > t->cpu->sim->preemptoff_max)
			t->cpu->sim->preemptoff_max = off;
	}
}

static inline void cond_resched(struct task *t)
{
	struct cpu *c = t->cpu;

	check_debug(c->sim, !t->preempt_count);
	if (c->need_resched ||
	    (c->rq_head && c->sim->cfg.cost.slice &&
	     c->now >= c->slice_begin + c->sim->cfg.cost.slice))
		task_yield(t);
}

/*
 * Interrupt every other CPU in cpus[nr] and wait until all have answered, as
 * flush_tlb_kernel_range() does on x86.
 */
void ipi_all_and_wait(struct task *t, const u32 *cpus, u32 nr, ps_t handler);

#endif
