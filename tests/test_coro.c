/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coroutines: switching in any order, what survives it, guards and canaries. */
#include <stdlib.h>

#include "sim/coro.h"
#include "tests/rig.h"

struct ring {
	struct coro_arena arena;
	struct coro main;
	struct coro *coro;
	struct member {
		struct ring *ring;
		u32 id;
		u64 sum;
		bool aligned;
	} *member;
	u32 nr, rounds;
	u64 switches;
};

static void hop(struct ring *r, u32 from, u32 to)
{
	r->switches++;
	coro_switch(&r->coro[from], &r->coro[to]);
}

/* Each adds what only its own registers and stack know, then passes on. */
static void member_fn(void *arg)
{
	struct member *m = arg;
	struct ring *r = m->ring;
	u64 a = m->id, b = 3 * m->id + 1, c = 7 * m->id + 2, d = ~a;
	u64 e = a * b, f = b ^ c;

	m->aligned = (uintptr_t)__builtin_frame_address(0) % 16 == 0;
	for (u32 i = 0; i < r->rounds; i++) {
		hop(r, m->id, (m->id + 1) % r->nr);
		m->sum += a + b + c + d + e + f + i;
	}
	coro_switch(&r->coro[m->id], &r->main);
	abort();
}

static u64 member_sum(u64 id, u64 rounds)
{
	const u64 a = id, b = 3 * id + 1, c = 7 * id + 2, d = ~a;

	return rounds * (a + b + c + d + a * b + (b ^ c)) +
	       rounds * (rounds - 1) / 2;
}

static void ring_init(struct ring *r, u32 nr, void (*fn)(void *))
{
	*r = (struct ring){ .nr = nr };
	assert_int_equal(coro_arena_init(&r->arena, nr), 0);
	coro_init_main(&r->main);
	r->coro = calloc(nr, sizeof(*r->coro));
	r->member = calloc(nr, sizeof(*r->member));
	assert_true(r->coro && r->member);
	for (u32 i = 0; i < nr; i++) {
		r->member[i] = (struct member){ .ring = r, .id = i };
		coro_init(&r->coro[i], &r->arena, fn, &r->member[i]);
	}
}

static void ring_free(struct ring *r)
{
	for (u32 i = 0; i < r->nr; i++)
		coro_fini(&r->coro[i]);
	coro_fini(&r->main);
	coro_arena_free(&r->arena);
	free(r->coro);
	free(r->member);
}

static void test_many(void **state)
{
	struct ring r;

	(void)state;
	ring_init(&r, 3000, member_fn);
	r.rounds = 20;
	/* the first one that ends comes back here, then each of the others */
	for (u32 i = 0; i < r.nr; i++)
		coro_switch(&r.main, &r.coro[i]);
	for (u32 i = 0; i < r.nr; i++) {
		assert_true(r.member[i].sum == member_sum(i, r.rounds));
		assert_true(r.member[i].aligned);
		assert_true(coro_canary_ok(&r.coro[i]));
	}
	assert_int_equal(r.switches, 3000 * 20);
	ring_free(&r);
}

/* Down some frames, away from the deepest one, and back up again. */
static u64 descend(struct member *m, u32 depth)
{
	volatile char frame[128];
	u64 below;

	for (u32 i = 0; i < sizeof(frame); i++)
		frame[i] = (char)(m->id + depth + i);
	if (depth == 0) {
		hop(m->ring, m->id, (m->id + 1) % m->ring->nr);
		below = 0;
	} else {
		below = descend(m, depth - 1);
	}
	for (u32 i = 0; i < sizeof(frame); i++)
		if (frame[i] != (char)(m->id + depth + i))
			return 1u << 30;
	return below + 1;
}

static void nested_fn(void *arg)
{
	struct member *m = arg;

	for (u32 depth = 0; depth < 40; depth++)
		m->sum += descend(m, depth);
	coro_switch(&m->ring->coro[m->id], &m->ring->main);
	abort();
}

static void test_nested(void **state)
{
	struct ring r;

	(void)state;
	ring_init(&r, 7, nested_fn);
	for (u32 i = 0; i < r.nr; i++)
		coro_switch(&r.main, &r.coro[i]);
	for (u32 i = 0; i < r.nr; i++)
		assert_int_equal(r.member[i].sum, 40 * 41 / 2);
	ring_free(&r);
}

static void test_canary(void **state)
{
	struct ring r;

	(void)state;
	ring_init(&r, 3, member_fn);
	assert_true(coro_canary_ok(&r.main));
	for (u32 i = 0; i < r.nr; i++)
		assert_true(coro_canary_ok(&r.coro[i]));
	*(char *)r.coro[1].stack ^= 1;
	assert_true(coro_canary_ok(&r.coro[0]));
	assert_false(coro_canary_ok(&r.coro[1]));
	assert_true(coro_canary_ok(&r.coro[2]));
	ring_free(&r);
}

static void touch(void *arg)
{
	*(volatile char *)arg = 1;
}

static void test_guard(void **state)
{
	struct ring r;

	(void)state;
	ring_init(&r, 2, member_fn);
	assert_true(rig_dies(touch, (char *)r.coro[0].stack - 1));
	assert_true(rig_dies(touch, (char *)r.coro[1].stack - 1));
	assert_false(rig_dies(touch, (char *)r.coro[1].stack + 8));
	ring_free(&r);
}

static void overwrite(struct task *t, void *arg)
{
	if (arg)
		*(char *)t->coro.stack ^= 1;
	cpu_park(t->cpu);
}

static void run_overwrite(void *arg)
{
	struct rig r;

	rig_setup(&r);
	rig_task(&r, 0, 0, overwrite, arg);
	rig_run(&r);
	rig_free(&r);
}

/* The simulation looks at the canaries by itself. */
static void test_sim_sees_canary(void **state)
{
	int yes;

	(void)state;
	assert_false(rig_dies(run_overwrite, NULL));
	assert_true(rig_dies(run_overwrite, &yes));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_canary),
		cmocka_unit_test(test_guard),
		cmocka_unit_test(test_sim_sees_canary),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
