/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks, kworkers, interprocessor interrupts, mutex. Times in ns (rig.h). */
#include <string.h>

#include "sim/mutex.h"
#include "tests/rig.h"

/* ---- tasks of one CPU ---- */

static void two_halves(struct task *t, void *arg)
{
	rig_note(t, arg);
	task_work(t, 1000 * NS);
	cond_resched(t);
	rig_note(t, arg);
	task_yield(t);
	rig_note(t, arg);
}

/* Nobody is due at cond_resched(); a yield goes round, a switch costs 1500. */
static void test_yield(void **state)
{
	struct rig r;

	(void)state;
	rig_setup(&r);
	rig_task(&r, 1, 100, two_halves, (void *)"a");
	rig_task(&r, 1, 100, two_halves, (void *)"b");
	rig_run(&r);
	assert_string_equal(r.log, "a1@100 a1@1100 b1@2600 b1@3600 a1@5100"
			    " b1@6600");
	rig_free(&r);
}

static void long_work(struct task *t, void *arg)
{
	for (u32 i = 0; i < 4; i++) {
		task_work(t, 40000 * NS);
		cond_resched(t);
	}
	rig_note(t, arg);
}

/* Sharing a CPU: a slice of 100000, until the cond_resched() after it. */
static void test_slices(void **state)
{
	struct rig r;

	(void)state;
	rig_setup(&r);
	rig_task(&r, 1, 0, long_work, (void *)"a");
	rig_task(&r, 1, 0, long_work, (void *)"b");
	rig_task(&r, 2, 0, long_work, (void *)"alone");
	rig_run(&r);
	/* a works 120000, b 120000, a 40000, b 40000 */
	assert_string_equal(r.log, "alone2@160000 a1@283000 b1@324500");
	rig_free(&r);
}

struct sleepers {
	struct task *sleeper;
	bool alone;		/* nobody else on the sleeper's CPU */
};

static void sleeper(struct task *t, void *arg)
{
	(void)arg;
	rig_note(t, "sleep");
	task_sleep(t);
	rig_note(t, "woken");
}

static void waker(struct task *t, void *arg)
{
	struct sleepers *s = arg;

	cpu_park(t->cpu);
	task_wake(s->sleeper, t->cpu->now);
	rig_note(t, "wake");
}

/* On an idle CPU: the wake-up's cost later. */
static void test_wake_idle(void **state)
{
	struct sleepers s;
	struct rig r;

	(void)state;
	rig_setup(&r);
	s.sleeper = rig_task(&r, 3, 100, sleeper, NULL);
	rig_task(&r, 0, 5000, waker, &s);
	rig_run(&r);
	assert_string_equal(r.log, "sleep3@100 wake0@5000 woken3@7500");
	rig_free(&r);
}

static void busy(struct task *t, void *arg)
{
	(void)arg;
	rig_until(t, 8000);
	rig_note(t, "busy");
	cond_resched(t);
	rig_note(t, "after");
}

/* On a busy one: at the running task's next cond_resched(). */
static void test_wake_busy(void **state)
{
	struct sleepers s;
	struct rig r;

	(void)state;
	rig_setup(&r);
	s.sleeper = rig_task(&r, 3, 100, sleeper, NULL);
	rig_task(&r, 3, 100, busy, NULL);
	rig_task(&r, 0, 5000, waker, &s);
	rig_run(&r);
	assert_string_equal(r.log, "sleep3@100 wake0@5000 busy3@8000"
			    " woken3@9500 after3@11000");
	rig_free(&r);
}

/* ---- kworkers ---- */

struct job {
	struct work work;
	u32 runs, wrong_cpu;
	u32 cpu;		/* that queued it */
	ps_t took;
};

static void job_fn(struct task *t, struct work *w)
{
	struct job *j = (struct job *)w;

	rig_note(t, "work");
	j->runs++;
	j->wrong_cpu += t->cpu->id != j->cpu;
	task_work(t, j->took);
	rig_note(t, "done");
}

static void queue_twice(struct task *t, void *arg)
{
	struct job *j = arg;

	schedule_work(t, &j->work);
	task_work(t, 500 * NS);
	rig_note(t, "queued");
	schedule_work(t, &j->work);	/* absorbed */
	rig_until(t, 3000);
	rig_note(t, "before");
	cond_resched(t);
	rig_note(t, "after");
}

static void test_kworker(void **state)
{
	struct job j = { .work.fn = job_fn, .cpu = 2, .took = 700 * NS };
	struct rig r;

	(void)state;
	rig_setup(&r);
	rig_task(&r, 2, 1000, queue_twice, &j);
	rig_run(&r);
	assert_string_equal(r.log, "queued2@1500 before2@3000 work2@4500"
			    " done2@5200 after2@6700");
	assert_int_equal(j.runs, 1);
	assert_int_equal(j.wrong_cpu, 0);
	assert_false(j.work.pending);
	rig_free(&r);
}

static void queue_from_afar(struct task *t, void *arg)
{
	struct job *j = arg;

	schedule_work(t, &j->work);
	rig_note(t, "also");
}

/*
 * Pending: requests of others are absorbed. Running: one more run, on the CPU
 * that runs it, however many ask for it.
 */
static void test_work_is_not_reentrant(void **state)
{
	struct job j = { .work.fn = job_fn, .cpu = 2, .took = 700 * NS };
	struct rig r;

	(void)state;
	rig_setup(&r);
	rig_task(&r, 2, 1000, queue_twice, &j);
	rig_task(&r, 5, 2000, queue_from_afar, &j);	/* pending */
	rig_task(&r, 6, 4700, queue_from_afar, &j);	/* running */
	rig_task(&r, 7, 4800, queue_from_afar, &j);	/* has been asked */
	rig_run(&r);
	assert_string_equal(r.log, "queued2@1500 also5@2000 before2@3000"
			    " work2@4500 also6@4700 also7@4800 done2@5200"
			    " work2@5200 done2@5900 after2@7400");
	assert_int_equal(j.runs, 2);
	assert_int_equal(j.wrong_cpu, 0);
	rig_free(&r);
}

/* Work of several CPUs is done by the kworker of each. */
static void test_kworker_of_each(void **state)
{
	struct job j[4];
	struct rig r;

	(void)state;
	rig_setup(&r);
	for (u32 i = 0; i < 4; i++) {
		j[i] = (struct job){ .work.fn = job_fn, .cpu = 2 * i };
		rig_task(&r, 2 * i, 1000 + i, queue_twice, &j[i]);
	}
	rig_run(&r);
	for (u32 i = 0; i < 4; i++) {
		assert_int_equal(j[i].runs, 1);
		assert_int_equal(j[i].wrong_cpu, 0);
	}
	rig_free(&r);
}

/* ---- interprocessor interrupts ---- */

static void flush_all(struct task *t, void *arg)
{
	static const u32 all[] = { 0, 1, 2, 3 };

	(void)arg;
	ipi_all_and_wait(t, all, 4, 500 * NS);
	rig_note(t, "flushed");
}

static void stretch(struct task *t, void *arg)
{
	(void)arg;
	cpu_park(t->cpu);
	rig_until(t, 10000);
	rig_note(t, "end");
}

/*
 * One way 1200, handler 500: what CPU 1 does takes 500 longer, CPU 4 is not
 * interrupted, the sender goes on when all have answered.
 */
static void test_ipi(void **state)
{
	struct rig r;

	(void)state;
	rig_setup(&r);
	rig_task(&r, 0, 1000, flush_all, NULL);
	rig_task(&r, 1, 0, stretch, NULL);
	rig_task(&r, 4, 0, stretch, NULL);
	rig_run(&r);
	assert_string_equal(r.log, "flushed0@2700 end4@10000 end1@10500");
	rig_free(&r);
}

static void slow_handler(struct task *t, void *arg)
{
	(void)arg;
	cpu_park(t->cpu);
	cpu_interrupt(&t->cpu->sim->cpu[2], 2000 * NS, 5000 * NS, NULL, NULL);
}

/* CPU 2 is in another handler until 7000: the sender waits for it. */
static void test_ipi_waits_for_slowest(void **state)
{
	struct rig r;

	(void)state;
	rig_setup(&r);
	rig_task(&r, 5, 1500, slow_handler, NULL);
	rig_task(&r, 0, 1000, flush_all, NULL);
	rig_task(&r, 2, 0, stretch, NULL);
	rig_run(&r);
	assert_string_equal(r.log, "flushed0@7500 end2@15500");
	rig_free(&r);
}

/* Two flushes cross: each sender answers the other while it waits. */
static void test_ipis_cross(void **state)
{
	struct rig r;

	(void)state;
	rig_setup(&r);
	rig_task(&r, 0, 1000, flush_all, NULL);
	rig_task(&r, 1, 1100, flush_all, NULL);
	rig_task(&r, 3, 0, stretch, NULL);
	rig_run(&r);
	/* CPU 3: handlers 2200..2700..3200; CPU 0 answers CPU 1 at 2300 */
	assert_string_equal(r.log, "flushed0@2800 flushed1@3200 end3@11000");
	rig_free(&r);
}

static void flush_alone(struct task *t, void *arg)
{
	const u32 self = t->cpu->id;

	(void)arg;
	ipi_all_and_wait(t, &self, 1, 500 * NS);
	rig_note(t, "flushed");
}

static void test_ipi_to_nobody(void **state)
{
	struct rig r;

	(void)state;
	rig_setup(&r);
	rig_task(&r, 0, 1000, flush_alone, NULL);
	rig_run(&r);
	assert_string_equal(r.log, "flushed0@1000");
	rig_free(&r);
}

/* ---- preemption ---- */

static void hold_off(struct task *t, void *arg)
{
	(void)arg;
	preempt_disable(t);
	task_work(t, 300 * NS);
	preempt_disable(t);
	task_work(t, 400 * NS);
	preempt_enable(t);
	task_work(t, 50 * NS);
	preempt_enable(t);
	preempt_disable(t);
	task_work(t, 600 * NS);
	preempt_enable(t);
}

static void test_preemptoff(void **state)
{
	struct rig r;

	(void)state;
	rig_setup(&r);
	rig_task(&r, 0, 0, hold_off, NULL);
	rig_run(&r);
	assert_int_equal(r.sim.preemptoff_max, 750 * NS);
	rig_free(&r);
}

/* ---- mutex ---- */

struct club {
	struct mutex m;
	u32 inside, overlaps, nr;
	u32 order[64];
	struct rng rng[8];
};

static void visit(struct task *t, void *arg)
{
	struct club *k = arg;

	mutex_lock(t, &k->m);
	k->order[k->nr++] = t->id;
	cpu_park(t->cpu);
	k->overlaps += k->inside++;
	task_work(t, 5000 * NS);
	cpu_park(t->cpu);
	k->inside--;
	mutex_unlock(t, &k->m);
	rig_note(t, "out");
}

/* In order of arrival, from sleep: the wake-up costs 2500 each time. */
static void test_mutex_fifo(void **state)
{
	struct club k = { .nr = 0 };
	struct rig r;

	(void)state;
	rig_init(&r, RIG_TOPOLOGY);
	r.cfg.coherent = false;
	rig_start(&r);
	mutex_init(&r.sim, &k.m, "mutex");
	rig_task(&r, 3, 1000, visit, &k);	/* tasks 0 to 3 */
	rig_task(&r, 1, 1400, visit, &k);
	rig_task(&r, 2, 1200, visit, &k);
	rig_task(&r, 0, 1300, visit, &k);
	rig_run(&r);
	assert_string_equal(r.log, "out3@6000 out2@13500 out0@21000"
			    " out1@28500");
	assert_int_equal(k.order[0], 0);
	assert_int_equal(k.order[1], 2);
	assert_int_equal(k.order[2], 3);
	assert_int_equal(k.order[3], 1);
	assert_int_equal(k.overlaps, 0);
	assert_int_equal(rig_lock(&r, "mutex")->acquisitions, 4);
	assert_int_equal(rig_lock(&r, "mutex")->contentions, 3);
	assert_int_equal(rig_lock(&r, "mutex")->hold_max, 5000 * NS);
	assert_true(!strcmp(rig_lock(&r, "mutex")->type, "mutex"));
	assert_int_equal(rig_lock(&r, "mutex")->wait_total,
			 (7300 + 14700 + 22100) * NS);
	assert_null(k.m.owner);
	rig_free(&r);
}

static void come_and_go(struct task *t, void *arg)
{
	struct club *k = arg;
	struct rng *rng = &k->rng[t->cpu->id];

	for (u32 i = 0; i < 100; i++) {
		task_work(t, rng_exp(rng, 20000 * NS));
		cond_resched(t);
		mutex_lock(t, &k->m);
		rig_check(rig_of(t), k->m.owner == t);
		cpu_park(t->cpu);
		k->overlaps += k->inside++;
		task_work(t, rng_exp(rng, 1500 * NS));
		cpu_park(t->cpu);
		k->inside--;
		mutex_unlock(t, &k->m);
		k->nr++;
	}
}

/* More tasks than CPUs; everybody gets through, nobody at once. */
static void test_mutex_exclusion(void **state)
{
	struct club k = { .nr = 0 };
	struct rig r;

	(void)state;
	rig_setup(&r);
	mutex_init(&r.sim, &k.m, "mutex");
	for (u32 i = 0; i < 8; i++)
		rng_init(&k.rng[i], 5, 0, i, RNG_HOLD);
	for (u32 i = 0; i < 20; i++)
		rig_task(&r, i % 8, i, come_and_go, &k);
	rig_run(&r);
	assert_int_equal(k.nr, 20 * 100);
	assert_int_equal(k.overlaps, 0);
	assert_true(rig_lock(&r, "mutex")->contentions > 100);
	for (u32 i = 0; i < r.sim.nr_tasks; i++)
		assert_int_equal(r.sim.task[i]->state, TASK_DEAD);
	rig_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_yield),
		cmocka_unit_test(test_slices),
		cmocka_unit_test(test_wake_idle),
		cmocka_unit_test(test_wake_busy),
		cmocka_unit_test(test_kworker),
		cmocka_unit_test(test_work_is_not_reentrant),
		cmocka_unit_test(test_kworker_of_each),
		cmocka_unit_test(test_ipi),
		cmocka_unit_test(test_ipi_waits_for_slowest),
		cmocka_unit_test(test_ipis_cross),
		cmocka_unit_test(test_ipi_to_nobody),
		cmocka_unit_test(test_preemptoff),
		cmocka_unit_test(test_mutex_fifo),
		cmocka_unit_test(test_mutex_exclusion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
