/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TESTS_RIG_H
#define TESTS_RIG_H
/*
 * A small machine for tests of the engine: two last-level caches of four cores
 * unless said otherwise, round costs, and a log of what its tasks did.
 *
 * Nothing in a coroutine may fail an assertion (its stack is small and not
 * cmocka's): tasks note and check, the test looks at the rig afterwards.
 */
#include "sim/line.h"
#include "sim/sched.h"
#include "study/scenario.h"
#include "tests/cmocka_all.h"

#define RIG_TOPOLOGY	"package:1 l3:2 core:4 pu:1"	/* CPUs 0-3 and 4-7 */
#define NS		PS_PER_NS

/* Costs of the rig, ns. */
#define NEAR		20
#define FAR		100
#define RMW		5
#define POLL		8
#define GAP		15
#define DRAM		90
#define SWITCH		1500
#define WAKEUP		2500
#define IPI		1200
#define SLICE		100000

#define RIG_LOG_SIZE	4096

struct rig {
	struct topo topo;
	struct sim_config cfg;
	struct sim sim;
	char log[RIG_LOG_SIZE];
	size_t log_len;
	const char *fault;	/* text of the first check that failed */
	int fault_line;
	void *priv;		/* the test's */
};

/* Topology and costs; the test may change cfg before rig_start(). */
void rig_init(struct rig *r, const char *topology);
void rig_start(struct rig *r);
/* rig_init() and rig_start() with RIG_TOPOLOGY. */
void rig_setup(struct rig *r);
/* Runs to the end; fails the test if a task's check failed. */
void rig_run(struct rig *r);
void rig_free(struct rig *r);
/* A task that runs fn from start (ns) on. */
struct task *rig_task(struct rig *r, u32 cpu, u64 start_ns,
		      void (*fn)(struct task *, void *), void *arg);

static inline struct rig *rig_of(const struct task *t)
{
	return (struct rig *)((char *)t->cpu->sim - offsetof(struct rig, sim));
}

/* Log "what:CPU@ns " of an instant that others may see: parks first. */
void rig_note(struct task *t, const char *what);
/* The same for a CPU that has no task, or of a time that is given. */
void rig_note_at(struct rig *r, const char *what, u32 cpu, ps_t at);
void rig_fault(struct rig *r, const char *text, int line);

/* In a task: remember that it failed, and go on. */
#define rig_check(r, cond) do {						\
	if (!(cond))							\
		rig_fault(r, #cond, __LINE__);				\
} while (0)

/* Until this time of the CPU's clock, which must not have passed. */
static inline void rig_until(struct task *t, u64 ns)
{
	rig_check(rig_of(t), t->cpu->now <= ns * NS);
	task_work(t, ns * NS - t->cpu->now);
}

/* Counters of a class; fails when there is none of that name. */
const struct line_counts *rig_line(struct rig *r, const char *name);
const struct lock_counts *rig_lock(struct rig *r, const char *name);

/*
 * Parameters as the program makes them: "key=value" texts, NULL at the end, on
 * top of the default machine; s is to be freed with scenario_free().
 */
void rig_scenario(struct scenario *s, const char *const *set);

/* Whether fn(arg) ends its process other than with exit status 0: a child
 * runs it, and its messages are not shown. */
bool rig_dies(void (*fn)(void *arg), void *arg);

#endif
