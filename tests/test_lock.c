/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every spinlock: exclusion, progress, counters that agree with what happened;
 * the busted one has to be caught. The queued one's own rules are in
 * test_qspinlock.c.
 */
#include <string.h>

#include "sim/spinlock.h"
#include "tests/rig.h"

#define NR_CPUS		32
#define TOPOLOGY	"package:1 l3:8 core:4 pu:1"

/* What many threads do with one lock, and what an onlooker can tell of it. */
struct bout {
	struct rig rig;
	struct line line;
	struct spinlock lock;
	struct rng rng[NR_CPUS];
	ps_t think, hold;	/* means; exponential */
	u32 nr_ops;		/* a thread */
	bool tries;		/* every third is a trylock */
	struct cline data;	/* under the lock */
	u32 inside, overlaps;
	u64 acquired, refused;
	/* time integrals of how many wait and how many hold */
	ps_t waiting_since, holding_since;
	u32 waiting;
	u128 area_waiting, area_holding;
};

static void count_waiting(struct bout *b, ps_t now, s64 change)
{
	b->area_waiting += (u128)b->waiting * (now - b->waiting_since);
	b->waiting_since = now;
	b->waiting = (u32)(b->waiting + change);
}

static void count_holding(struct bout *b, ps_t now, s64 change)
{
	b->area_holding += (u128)b->inside * (now - b->holding_since);
	b->holding_since = now;
	b->inside = (u32)(b->inside + change);
}

static bool bout_enter(struct task *t, struct bout *b, bool try)
{
	if (try) {
		if (spin_trylock(t, &b->lock))
			return true;
		b->refused++;
		return false;
	}
	cpu_park(t->cpu);
	count_waiting(b, t->cpu->now, 1);
	spin_lock(t, &b->lock);
	return true;
}

static void bout_fn(struct task *t, void *arg)
{
	struct bout *b = arg;
	struct rng *rng = &b->rng[t->cpu->id];

	for (u32 i = 0; i < b->nr_ops; i++) {
		const bool try = b->tries && i % 3 == 2;

		task_work(t, rng_exp(rng, b->think));
		if (!bout_enter(t, b, try))
			continue;
		cpu_park(t->cpu);
		if (!try)
			count_waiting(b, t->cpu->now, -1);
		b->overlaps += b->inside > 0;
		count_holding(b, t->cpu->now, 1);
		b->acquired++;
		rig_check(&b->rig, t->preempt_count == 1);
		cline_write(t->cpu, &b->data, NULL);
		task_work(t, rng_exp(rng, b->hold));
		cpu_park(t->cpu);
		count_holding(b, t->cpu->now, -1);
		spin_unlock(t, &b->lock);
		rig_check(&b->rig, t->preempt_count == 0);
	}
}

static void bout_init(struct bout *b, const struct lock_ops *ops, u32 n,
		      bool coherent)
{
	memset(b, 0, sizeof(*b));
	b->think = 400 * NS;
	b->hold = 120 * NS;
	b->nr_ops = 150;
	rig_init(&b->rig, TOPOLOGY);
	b->rig.cfg.coherent = coherent;
	rig_start(&b->rig);
	line_init(&b->rig.sim, &b->line, "lock");
	spin_lock_init(&b->rig.sim, &b->lock, "lock", &b->line, ops);
	cline_init(&b->data);
	for (u32 i = 0; i < n; i++) {
		const u32 cpu = i * 5 % NR_CPUS;

		rng_init(&b->rng[cpu], 3, 0, cpu, RNG_HOLD);
		rig_task(&b->rig, cpu, i, bout_fn, b);
	}
}

static void check_bout(const struct bout *b, u32 n)
{
	const u64 all = (u64)n * b->nr_ops;

	assert_int_equal(b->overlaps, 0);
	assert_int_equal(b->inside, 0);
	assert_int_equal(b->rig.sim.accesses_late, 0);
	assert_int_equal(b->acquired + b->refused, all);
	assert_int_equal(b->lock.class->n.acquisitions, b->acquired);
	assert_int_equal(b->lock.holder, SPIN_NOBODY);
	for (u32 i = 0; i < b->rig.sim.nr_tasks; i++)
		assert_int_equal(b->rig.sim.task[i]->state, TASK_DEAD);
}

static const u32 nr_threads[] = { 1, 2, 3, 8, 32 };

/* Exclusion and progress of every algorithm that claims them. */
static void test_exclusion(void **state)
{
	u32 nr = 0;

	(void)state;
	for (size_t k = 0; lock_algorithms[k]; k++) {
		if (!lock_algorithms[k]->excludes)
			continue;
		nr++;
		for (size_t i = 0; i < ARRAY_SIZE(nr_threads); i++) {
			for (int how = 0; how < 4; how++) {
				struct bout b;

				bout_init(&b, lock_algorithms[k],
					  nr_threads[i], how & 1);
				b.tries = how & 2;
				rig_run(&b.rig);
				check_bout(&b, nr_threads[i]);
				assert_true(nr_threads[i] < 3 || !b.tries ||
					    b.refused);
				rig_free(&b.rig);
			}
		}
	}
	assert_true(nr >= 3);
}

/*
 * Little's law and utilisation, exactly: the integral of the number waiting is
 * the sum of the waits, that of the number holding the sum of the holds.
 */
static void test_laws_of_counters(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(nr_threads); i++) {
		const struct lock_counts *n;
		struct bout b;

		bout_init(&b, lock_find("qspinlock"), nr_threads[i], false);
		rig_run(&b.rig);
		n = rig_lock(&b.rig, "lock");
		assert_true(b.area_waiting == n->wait_total);
		assert_true(b.area_holding == n->hold_total);
		if (nr_threads[i] > 1) {
			assert_true(n->contentions > 0);
			assert_true(n->wait_max >= n->wait_total /
				    n->contentions);
			assert_true(n->wait_min <= n->wait_total /
				    n->contentions);
		} else {
			assert_int_equal(n->contentions, 0);
		}
		assert_true(n->hold_max >= n->hold_total / n->acquisitions);
		assert_true(n->hold_min <= n->hold_total / n->acquisitions);
		rig_free(&b.rig);
	}
}

/* Where lines cost something the lock itself takes time, never less. */
static void test_laws_over_lines(void **state)
{
	(void)state;
	for (size_t k = 0; lock_algorithms[k]; k++) {
		const struct lock_counts *n;
		struct bout b;

		if (!lock_algorithms[k]->excludes)
			continue;
		bout_init(&b, lock_algorithms[k], 32, true);
		rig_run(&b.rig);
		n = rig_lock(&b.rig, "lock");
		assert_true(b.area_waiting >= n->wait_total);
		assert_true(b.area_holding <= n->hold_total);
		assert_true(n->wait_total > 0);
		rig_free(&b.rig);
	}
}

/* Who comes well after another is served after it, if the lock says so. */
struct queue {
	struct spinlock lock;
	struct line line;
	u32 order[NR_CPUS], nr;
};

static void arrive(struct task *t, void *arg)
{
	struct queue *q = arg;

	spin_lock(t, &q->lock);
	q->order[q->nr++] = t->cpu->id;
	task_work(t, (t->cpu->id == 0 ? 50000 : 100) * NS);
	spin_unlock(t, &q->lock);
}

static void test_fifo(void **state)
{
	(void)state;
	for (size_t k = 0; lock_algorithms[k]; k++) {
		if (!lock_algorithms[k]->fifo)
			continue;
		for (int coherent = 0; coherent < 2; coherent++) {
			struct queue q = { .nr = 0 };
			struct rig r;

			rig_init(&r, TOPOLOGY);
			r.cfg.coherent = coherent;
			rig_start(&r);
			line_init(&r.sim, &q.line, "lock");
			spin_lock_init(&r.sim, &q.lock, "lock", &q.line,
				       lock_algorithms[k]);
			for (u32 i = 0; i < NR_CPUS; i++)
				rig_task(&r, i * 13 % NR_CPUS, 1000 * i,
					 arrive, &q);
			rig_run(&r);
			for (u32 i = 0; i < NR_CPUS; i++)
				assert_int_equal(q.order[i], i * 13 % NR_CPUS);
			rig_free(&r);
		}
	}
}

/* ---- the checkers can fail ---- */

/* Status 0 only if nobody has noticed anything. */
static void run_bout(void *arg)
{
	struct bout b;
	u32 n = 4;

	bout_init(&b, lock_find(arg), n, true);
	sim_run(&b.rig.sim);
	if (b.rig.fault || b.overlaps || b.rig.sim.accesses_late)
		check_failed(&b.rig.sim, "exclusion", __FILE__, __LINE__);
	rig_free(&b.rig);
}

static void run_bout_off(void *arg)
{
	struct bout b;

	bout_init(&b, lock_find(arg), 4, false);
	sim_run(&b.rig.sim);
	if (b.rig.fault || b.overlaps || b.rig.sim.accesses_late)
		check_failed(&b.rig.sim, "exclusion", __FILE__, __LINE__);
	rig_free(&b.rig);
}

static void test_busted_is_caught(void **state)
{
	(void)state;
	assert_false(lock_find("busted")->excludes);
	assert_true(rig_dies(run_bout, (void *)"busted"));
	assert_true(rig_dies(run_bout_off, (void *)"busted"));
	assert_false(rig_dies(run_bout, (void *)"qspinlock"));
	assert_false(rig_dies(run_bout_off, (void *)"qspinlock"));
}

static void unlock_twice(struct task *t, void *arg)
{
	struct queue *q = arg;

	spin_lock(t, &q->lock);
	spin_unlock(t, &q->lock);
	t->preempt_count++;
	spin_unlock(t, &q->lock);
}

static void sleep_in_lock(struct task *t, void *arg)
{
	struct queue *q = arg;

	spin_lock(t, &q->lock);
	cond_resched(t);
	spin_unlock(t, &q->lock);
}

static void run_misuse(void *arg)
{
	void (*const *fn)(struct task *, void *) = arg;
	struct queue q = { .nr = 0 };
	struct rig r;

	rig_setup(&r);
	line_init(&r.sim, &q.line, "lock");
	spin_lock_init(&r.sim, &q.lock, "lock", &q.line,
		       lock_find("qspinlock"));
	rig_task(&r, 0, 0, *fn, &q);
	sim_run(&r.sim);
	rig_free(&r);
}

static void test_misuse_is_caught(void **state)
{
	void (*misuse[])(struct task *, void *) = {
		unlock_twice, sleep_in_lock, arrive
	};

	(void)state;
	assert_true(rig_dies(run_misuse, &misuse[0]));
	assert_true(rig_dies(run_misuse, &misuse[1]));
	assert_false(rig_dies(run_misuse, &misuse[2]));
}

static void test_find(void **state)
{
	(void)state;
	for (size_t i = 0; lock_algorithms[i]; i++) {
		assert_ptr_equal(lock_find(lock_algorithms[i]->name),
				 lock_algorithms[i]);
		assert_true(strlen(lock_algorithms[i]->help) > 10);
	}
	assert_null(lock_find("nosuchlock"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exclusion),
		cmocka_unit_test(test_laws_of_counters),
		cmocka_unit_test(test_laws_over_lines),
		cmocka_unit_test(test_fifo),
		cmocka_unit_test(test_busted_is_caught),
		cmocka_unit_test(test_misuse_is_caught),
		cmocka_unit_test(test_find),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
