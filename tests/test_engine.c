/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Order of events, interrupts, causality, several simulations at once. */
#include <stdlib.h>
#include <string.h>

#include "sim/spinlock.h"
#include "tests/rig.h"

/* ---- the pending set ---- */

static void test_keys_in_order(void **state)
{
	const u128 key[] = {
		tourney_key(5, EV_HARDWARE, 9, 3),
		tourney_key(5, EV_GRANT, 8, 2),
		tourney_key(5, EV_OWN, 1, 7),
		tourney_key(5, EV_OWN, 1, 8),
		tourney_key(5, EV_OWN, 2, 0),
		tourney_key(6, EV_HARDWARE, 0, 0),
		tourney_key(PS_NEVER, EV_OWN, 1ull << 40, TOURNEY_CPU_MASK),
		TOURNEY_IDLE,
	};

	(void)state;
	for (size_t i = 1; i < ARRAY_SIZE(key); i++)
		assert_true(key[i - 1] < key[i]);
	assert_true(tourney_time(key[6]) == PS_NEVER);
	assert_int_equal(tourney_kind(key[1]), EV_GRANT);
	assert_int_equal(tourney_cpu(key[6]), TOURNEY_CPU_MASK);
}

static void test_tree_against_scan(void **state)
{
	u128 key[2 * 64], plain[64];
	struct tourney tree = { key, 64 };
	struct rng r;

	(void)state;
	rng_init(&r, 1, 0, 0, RNG_CHOICE);
	for (u32 i = 0; i < 2 * 64; i++)
		key[i] = TOURNEY_IDLE;
	for (u32 i = 0; i < 64; i++)
		plain[i] = TOURNEY_IDLE;
	for (u32 n = 0; n < 20000; n++) {
		const u32 cpu = (u32)rng_below(&r, 64);
		u128 best = TOURNEY_IDLE;

		plain[cpu] = rng_below(&r, 4) == 0 ? TOURNEY_IDLE :
			tourney_key(rng_below(&r, 50), EV_OWN, n, cpu);
		tourney_set(&tree, cpu, plain[cpu]);
		for (u32 i = 0; i < 64; i++)
			best = plain[i] < best ? plain[i] : best;
		assert_true(tourney_winner(&tree) == best);
	}
}

/* ---- scripted scenarios ---- */

static void note_own(struct task *t, void *arg)
{
	(void)arg;
	rig_note(t, "own");
	task_work(t, 30 * NS);
	rig_note(t, "own");
}

/* At one time: in the order of requests, whatever the CPU. */
static void test_order_of_requests(void **state)
{
	struct rig r;

	(void)state;
	rig_setup(&r);
	rig_task(&r, 5, 10, note_own, NULL);
	rig_task(&r, 0, 10, note_own, NULL);
	rig_task(&r, 3, 9, note_own, NULL);
	rig_run(&r);
	assert_string_equal(r.log, "own3@9 own5@10 own0@10 own3@39 own5@40"
			    " own0@40");
	rig_free(&r);
}

static void note_irq(struct cpu *c, void *arg, ps_t end)
{
	rig_note_at(arg, "irq", c->id, end);
}

static void wait_for_grant(struct task *t, void *arg)
{
	(void)arg;
	cpu_park(t->cpu);
	cpu_wait(t->cpu);
	rig_note_at(rig_of(t), "grant", t->cpu->id, t->cpu->now);
}

static void send_both(struct task *t, void *arg)
{
	struct sim *s = t->cpu->sim;

	(void)arg;
	cpu_park(t->cpu);
	cpu_grant(&s->cpu[2], 100 * NS, s->seq++);
	cpu_interrupt(&s->cpu[1], 100 * NS, 0, note_irq, rig_of(t));
}

static void note_at_100(struct task *t, void *arg)
{
	(void)arg;
	rig_until(t, 100);
	rig_note(t, "own");
}

/* At one time: interrupt, grant, own operation, though asked for last. */
static void test_order_of_kinds(void **state)
{
	struct rig r;

	(void)state;
	rig_setup(&r);
	rig_task(&r, 2, 0, wait_for_grant, NULL);
	rig_task(&r, 3, 0, note_at_100, NULL);
	rig_task(&r, 0, 50, send_both, NULL);
	rig_run(&r);
	assert_string_equal(r.log, "irq1@100 grant2@100 own3@100");
	rig_free(&r);
}

struct irq_plan {
	u32 cpu;
	u64 at, cost;		/* ns */
};

static void send_plan(struct task *t, void *arg)
{
	struct sim *s = t->cpu->sim;

	cpu_park(t->cpu);
	for (const struct irq_plan *p = arg; p->cost; p++)
		cpu_interrupt(&s->cpu[p->cpu], p->at * NS, p->cost * NS,
			      note_irq, rig_of(t));
}

/* A stretch that is under way ends later by what its interrupts cost. */
static void test_interrupt_lengthens(void **state)
{
	struct irq_plan plan[] = {
		{ 3, 99, 7 }, { 3, 20, 5 }, { 3, 300, 9 }, { 4, 60, 50 }, { 0 }
	};
	struct rig r;

	(void)state;
	rig_setup(&r);
	rig_task(&r, 3, 0, note_at_100, NULL);
	rig_task(&r, 0, 10, send_plan, plan);
	rig_run(&r);
	assert_string_equal(r.log, "irq3@25 irq4@110 irq3@106 own3@112"
			    " irq3@309");
	rig_free(&r);
}

/* Handlers that meet run one after the other; a waiter outlasts them. */
static void test_interrupt_and_waiter(void **state)
{
	struct irq_plan plan[] = { { 2, 95, 10 }, { 2, 100, 20 }, { 0 } };
	struct rig r;

	(void)state;
	rig_setup(&r);
	rig_task(&r, 2, 0, wait_for_grant, NULL);
	rig_task(&r, 4, 10, send_plan, plan);
	rig_task(&r, 0, 50, send_both, NULL);
	rig_run(&r);
	assert_string_equal(r.log, "irq2@105 irq2@125 irq1@100 grant2@125");
	rig_free(&r);
}

/* ---- nobody runs into another's past ---- */

struct steps {
	struct rng rng;
	ps_t *last;
	u64 *nr;
};

static void random_steps(struct task *t, void *arg)
{
	struct steps *s = arg;

	for (u32 i = 0; i < 300; i++) {
		task_work(t, rng_below(&s->rng, 20) * NS);
		cpu_park(t->cpu);
		rig_check(rig_of(t), t->cpu->now >= *s->last);
		*s->last = t->cpu->now;
		++*s->nr;
	}
}

static void test_time_goes_on(void **state)
{
	struct steps s[64];
	struct rig r;
	ps_t last = 0;
	u64 nr = 0;

	(void)state;
	rig_init(&r, "package:1 l3:8 core:4 pu:2");
	rig_start(&r);
	for (u32 i = 0; i < 64; i++) {
		s[i] = (struct steps){ .last = &last, .nr = &nr };
		rng_init(&s[i].rng, 7, 0, i, RNG_THINK);
		rig_task(&r, i, i % 3, random_steps, &s[i]);
	}
	rig_run(&r);
	assert_int_equal(nr, 64 * 300);
	rig_free(&r);
}

struct datum {
	struct cline line;
	bool park;
};

static void write_ahead(struct task *t, void *arg)
{
	struct datum *d = arg;

	task_work(t, 100 * NS);
	if (d->park)
		cpu_park(t->cpu);
	cline_write(t->cpu, &d->line, NULL);
}

static void write_early(struct task *t, void *arg)
{
	struct datum *d = arg;

	task_work(t, 10 * NS);
	if (d->park)
		cpu_park(t->cpu);
	cline_write(t->cpu, &d->line, NULL);
}

static void run_causality(void *arg)
{
	struct rig r;

	rig_setup(&r);
	rig_task(&r, 0, 0, write_ahead, arg);
	rig_task(&r, 1, 0, write_early, arg);
	rig_run(&r);
	rig_free(&r);
}

/* Data written in passing by one CPU, at an earlier time by another. */
static void test_causality_check(void **state)
{
	struct datum d = { .park = true };

	(void)state;
	cline_init(&d.line);
	d.line.last = 0;
	assert_false(rig_dies(run_causality, &d));
	d.park = false;
	assert_true(rig_dies(run_causality, &d));
}

/* ---- two simulations in one process ---- */

struct world {
	struct rig rig;
	struct spinlock lock;
	struct line line;
	struct rng rng[8];
	u64 trace;		/* hash of everything that happened */
	bool pauses;
};

/* Back to the caller of sim_run(), which then has to call it again. */
static void pause_sim(struct task *t)
{
	struct cpu *c = t->cpu;

	c->own_key = tourney_key(c->now, EV_OWN, c->sim->seq++, c->id);
	cpu_set_slot(c);
	coro_switch(&t->coro, &c->sim->main);
	cpu_resumed(c);
}

static void world_fn(struct task *t, void *arg)
{
	struct world *w = arg;
	struct rng *rng = &w->rng[t->cpu->id];

	for (u32 i = 0; i < 50; i++) {
		task_work(t, rng_exp(rng, 300 * NS));
		spin_lock(t, &w->lock);
		w->trace = w->trace * 6364136223846793005ull +
			   t->cpu->now * 8 + t->cpu->id;
		task_work(t, rng_exp(rng, 100 * NS));
		spin_unlock(t, &w->lock);
		if (rng_below(rng, 4))
			continue;
		if (w->pauses)
			pause_sim(t);
		else		/* as many parks, so that requests count alike */
			cpu_park(t->cpu);
	}
}

static void world_init(struct world *w, u32 seed, bool pauses)
{
	memset(w, 0, sizeof(*w));
	w->pauses = pauses;
	rig_setup(&w->rig);
	line_init(&w->rig.sim, &w->line, "lock");
	spin_lock_init(&w->rig.sim, &w->lock, "lock", &w->line,
		       lock_find("qspinlock"));
	for (u32 i = 0; i < 8; i++) {
		rng_init(&w->rng[i], seed, 0, i, RNG_THINK);
		rig_task(&w->rig, i, i, world_fn, w);
	}
}

static bool world_over(const struct world *w)
{
	for (u32 i = 0; i < w->rig.sim.nr_tasks; i++)
		if (w->rig.sim.task[i]->state != TASK_DEAD)
			return false;
	return true;
}

static u64 world_alone(u32 seed)
{
	struct world *w = malloc(sizeof(*w));
	u64 trace;

	assert_non_null(w);
	world_init(w, seed, false);
	rig_run(&w->rig);
	assert_true(world_over(w));
	trace = w->trace;
	rig_free(&w->rig);
	free(w);
	return trace;
}

static void test_two_interleaved(void **state)
{
	struct world *w = calloc(2, sizeof(*w));
	u32 turns = 0;

	(void)state;
	assert_non_null(w);
	for (u32 i = 0; i < 2; i++)
		world_init(&w[i], i + 1, true);
	while (!world_over(&w[0]) || !world_over(&w[1])) {
		for (u32 i = 0; i < 2; i++)
			if (!world_over(&w[i]))
				rig_run(&w[i].rig);
		turns++;
	}
	assert_true(turns > 50);
	assert_int_not_equal(w[0].trace, w[1].trace);
	for (u32 i = 0; i < 2; i++) {
		assert_int_equal(w[i].trace, world_alone(i + 1));
		rig_free(&w[i].rig);
	}
	free(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys_in_order),
		cmocka_unit_test(test_tree_against_scan),
		cmocka_unit_test(test_order_of_requests),
		cmocka_unit_test(test_order_of_kinds),
		cmocka_unit_test(test_interrupt_lengthens),
		cmocka_unit_test(test_interrupt_and_waiter),
		cmocka_unit_test(test_time_goes_on),
		cmocka_unit_test(test_causality_check),
		cmocka_unit_test(test_two_interleaved),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
