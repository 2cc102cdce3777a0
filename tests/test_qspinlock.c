/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The queued spinlock's own rules, watched from inside: the algorithm's file is
 * compiled here once more with its accesses to lines going through a spy that
 * sees the word before and after each of them.
 *
 *	one tail exchange an acquisition that queues, served in their order;
 *	at most one waiter on the pending bit;
 *	at most two CPUs poll the word: that one and the queue's head.
 */
#include <string.h>

#include "sim/spinlock.h"
#include "tests/rig.h"

static void spy_rmw(struct cpu *c, struct line *l);
static void spy_read(struct cpu *c, struct line *l);
static void spy_write(struct cpu *c, struct line *l);
static void spy_watch(struct cpu *c, struct line *l);
static void spy_store(struct cpu *c, struct line *l, u32 *word, u32 clear,
		      u32 set);

#define lock_qspinlock	spied_qspinlock
#define mcs_nodes	spied_mcs_nodes
#define line_rmw	spy_rmw
#define line_read	spy_read
#define line_write	spy_write
#define line_watch	spy_watch
#define line_store	spy_store
#include "sim/lock_qspinlock.c"
#undef line_rmw
#undef line_read
#undef line_write
#undef line_watch
#undef line_store
#undef mcs_nodes
#undef lock_qspinlock

#define NR_CPUS		32
#define NR_OPS		300
#define TOPOLOGY	"package:1 l3:8 core:4 pu:1"

enum role { OUTSIDE, ASKING, PENDING, QUEUED };

struct spy {
	struct rig rig;
	struct line line;
	struct spinlock lock;
	struct rng rng[NR_CPUS];
	ps_t think;
	enum role role[NR_CPUS];
	u32 before;		/* word when the last rmw began its effect */
	struct cpu *changed;	/* who may have changed it since, or NULL */
	u32 queue[NR_CPUS], head, nr;	/* by tail exchange */
	u64 exchanges, pendings, queued_served;
	u32 polling_max;
};

static struct spy *spy_of(const struct cpu *c)
{
	struct rig *r = (struct rig *)((char *)c->sim -
				       offsetof(struct rig, sim));

	return r->priv;
}

/* What the CPU that had the word last has made of it. */
static void settle(struct spy *s)
{
	struct cpu *c = s->changed;
	const u32 now = s->lock.word, old = s->before;

	s->changed = NULL;
	if (!c)
		return;
	if ((now & Q_TAIL_MASK) != (old & Q_TAIL_MASK) &&
	    (now & Q_TAIL_MASK)) {
		rig_check(&s->rig, now >> Q_TAIL_SHIFT == c->id + 1);
		rig_check(&s->rig, s->role[c->id] == ASKING);
		rig_check(&s->rig, s->nr < NR_CPUS);
		s->queue[(s->head + s->nr++) % NR_CPUS] = c->id;
		s->role[c->id] = QUEUED;
		s->exchanges++;
	} else if ((now & Q_PENDING_MASK) && !(old & Q_PENDING_MASK) &&
		   !(old & Q_TAIL_MASK)) {
		for (u32 i = 0; i < NR_CPUS; i++)
			rig_check(&s->rig, s->role[i] != PENDING);
		s->role[c->id] = PENDING;
		s->pendings++;
	}
}

static void spy_rmw(struct cpu *c, struct line *l)
{
	struct spy *s = spy_of(c);

	settle(s);
	line_rmw(c, l);
	settle(s);
	if (l == &s->line) {
		s->before = s->lock.word;
		s->changed = c;
	}
}

static void spy_read(struct cpu *c, struct line *l)
{
	settle(spy_of(c));
	line_read(c, l);
	settle(spy_of(c));
}

static void spy_write(struct cpu *c, struct line *l)
{
	settle(spy_of(c));
	line_write(c, l);
	settle(spy_of(c));
}

static void spy_store(struct cpu *c, struct line *l, u32 *word, u32 clear,
		      u32 set)
{
	settle(spy_of(c));
	line_store(c, l, word, clear, set);
	settle(spy_of(c));
}

/* A newcomer that waits for a hand-over in flight (0,1,0) is none of both. */
static void spy_watch(struct cpu *c, struct line *l)
{
	struct spy *s = spy_of(c);
	u32 nr = s->role[c->id] != ASKING;

	settle(s);
	if (l == &s->line) {
		for (struct cpu *w = l->watchers; w; w = w->watch_next)
			nr += s->role[w->id] != ASKING;
		rig_check(&s->rig, s->role[c->id] != OUTSIDE);
		rig_check(&s->rig, s->role[c->id] != QUEUED ||
			  s->queue[s->head] == c->id);
		rig_check(&s->rig, nr <= 2);
		if (nr > s->polling_max)
			s->polling_max = nr;
	}
	line_watch(c, l);
	settle(s);
}

static void spied_fn(struct task *t, void *arg)
{
	struct spy *s = arg;
	const u32 id = t->cpu->id;

	for (u32 i = 0; i < NR_OPS; i++) {
		task_work(t, rng_exp(&s->rng[id], s->think));
		cpu_park(t->cpu);
		settle(s);
		s->role[id] = ASKING;
		spin_lock(t, &s->lock);
		if (s->role[id] == QUEUED) {
			rig_check(&s->rig, s->nr > 0);
			rig_check(&s->rig, s->queue[s->head] == id);
			s->head = (s->head + 1) % NR_CPUS;
			s->nr--;
			s->queued_served++;
		}
		s->role[id] = OUTSIDE;
		task_work(t, rng_exp(&s->rng[id], 100 * NS));
		spin_unlock(t, &s->lock);
	}
}

static void run(struct spy *s, u32 n, ps_t think, enum arbitration how)
{
	memset(s, 0, sizeof(*s));
	s->think = think;
	rig_init(&s->rig, TOPOLOGY);
	s->rig.cfg.arbitration = how;
	s->rig.priv = s;
	rig_start(&s->rig);
	line_init(&s->rig.sim, &s->line, "lock");
	spin_lock_init(&s->rig.sim, &s->lock, "lock", &s->line,
		       &spied_qspinlock);
	for (u32 i = 0; i < n; i++) {
		const u32 cpu = i * 5 % NR_CPUS;

		rng_init(&s->rng[cpu], 11, 0, cpu, RNG_THINK);
		rig_task(&s->rig, cpu, i, spied_fn, s);
	}
	rig_run(&s->rig);
	settle(s);
	assert_int_equal(s->nr, 0);
	assert_int_equal(s->exchanges, s->queued_served);
	assert_int_equal(s->lock.word, 0);
}

static void test_rules(void **state)
{
	static const u32 nr_threads[] = { 2, 3, 4, 8, 16, 32 };
	u64 exchanges = 0, pendings = 0;
	u32 polling_max = 0;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(nr_threads); i++) {
		for (u32 k = 0; k < 6; k++) {
			static const ps_t think[] = { 10, 500, 4000 };
			struct spy s;

			run(&s, nr_threads[i], think[k / 2] * NS,
			    k % 2 ? ARBITRATE_ARRIVAL : ARBITRATE_NEAREST);
			exchanges += s.exchanges;
			pendings += s.pendings;
			if (s.polling_max > polling_max)
				polling_max = s.polling_max;
			rig_free(&s.rig);
		}
	}
	/* all of it has been at work */
	assert_true(exchanges > 10000);
	assert_true(pendings > 1000);
	assert_int_equal(polling_max, 2);
}

/* Contended without a pause: who has queued once queues every time. */
static void test_saturated(void **state)
{
	struct spy s;

	(void)state;
	for (u32 n = 4; n <= 32; n *= 2) {
		run(&s, n, 1, ARBITRATE_NEAREST);
		assert_true(s.exchanges > n * NR_OPS * 98 / 100);
		assert_true(s.pendings < n * NR_OPS / 50);
		rig_free(&s.rig);
	}
}

/* Two threads never queue. */
static void test_two_threads(void **state)
{
	struct spy s;

	(void)state;
	run(&s, 2, 1, ARBITRATE_NEAREST);
	assert_int_equal(s.exchanges, 0);
	assert_int_equal(s.pendings, s.lock.class->n.contentions);
	assert_int_equal(s.pendings, s.lock.class->n.pending);
	assert_true(s.pendings > 100);
	assert_int_equal(rig_line(&s.rig, "mcs_spinlock")->accesses, 0);
	rig_free(&s.rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),
		cmocka_unit_test(test_saturated),
		cmocka_unit_test(test_two_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
