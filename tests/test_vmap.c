/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every design: whatever is allocated and freed on several CPUs, no page is
 * lost or given out twice; the limits of lazy freeing; what happens without
 * room. The zones' own rules are in test_zone.c.
 */
#include <string.h>

#include "models/vmap.h"
#include "models/vmap_int.h"
#include "tests/rig.h"

#define NR_SLOTS	48

struct kernel {
	struct rig rig;
	struct scenario scenario;
	struct vmap vmap;
	/* areas that any CPU may free */
	struct slot {
		u64 addr;
		u32 pages;
	} slot[NR_SLOTS];
	struct rng rng[8];
	u32 nr_ops, pages_max;
	u64 live_pages, allocs, failed;
};

static void kernel_init(struct kernel *k, const struct vmap_design *d,
			bool coherent, const char *lazy_max,
			const char *more)
{
	char design[64] = "design=";
	const char *const set[] = {
		strcat(design, d->name), lazy_max,
		more ? more : "seed=1", NULL
	};

	memset(k, 0, sizeof(*k));
	rig_scenario(&k->scenario, set);
	rig_init(&k->rig, RIG_TOPOLOGY);
	k->rig.cfg.coherent = coherent;
	rig_start(&k->rig);
	k->rig.priv = k;
	assert_int_equal(vmap_init(&k->vmap, &k->rig.sim, d,
				   &k->scenario.params), 0);
	for (u32 i = 0; i < 8; i++)
		rng_init(&k->rng[i], 17, 0, i, RNG_SIZE);
}

static void kernel_free(struct kernel *k)
{
	rig_free(&k->rig);
	scenario_free(&k->scenario);
}

static void assert_sound(struct kernel *k)
{
	char why[200];

	if (vmap_check(&k->vmap, why, sizeof(why)))
		fail_msg("%s: %s", k->vmap.design->name, why);
	assert_int_equal(k->rig.sim.accesses_late, 0);
	assert_int_equal(k->vmap.nr_vmalloc_pages, k->live_pages);
	assert_int_equal(k->vmap.va_failed, k->failed);
}

struct census {
	u64 areas[3], pages[3];
};

static void count_area(void *arg, const struct vmap_area *va, enum va_set set)
{
	struct census *c = arg;

	c->areas[set]++;
	c->pages[set] += va_size(va) / PAGE_SIZE;
}

static void take_census(struct kernel *k, struct census *c)
{
	*c = (struct census){ .areas = { 0 } };
	k->vmap.design->for_each_va(&k->vmap, count_area, c);
}

static u32 draw_pages(struct rng *rng, u32 max)
{
	if (rng_below(rng, 4))
		return 1 + (u32)rng_below(rng, 4);
	return 1 + (u32)rng_below(rng, max);
}

/* A slot changes hands at an instant: whoever has taken it out owns it. */
static void change_slot(struct task *t, struct kernel *k, struct rng *rng)
{
	struct slot *s = &k->slot[rng_below(rng, NR_SLOTS)], mine;

	cpu_park(t->cpu);
	mine = *s;
	s->addr = 0;
	if (mine.addr) {
		vfree(t, &k->vmap, mine.addr);
		cpu_park(t->cpu);
		k->live_pages -= mine.pages;
		return;
	}
	mine.pages = draw_pages(rng, k->pages_max);
	mine.addr = vmalloc(t, &k->vmap, mine.pages);
	cpu_park(t->cpu);
	k->allocs++;
	if (!mine.addr) {
		k->failed++;
		return;
	}
	rig_check(&k->rig, mine.addr % PAGE_SIZE == 0);
	rig_check(&k->rig, mine.addr >= k->vmap.vmalloc_start);
	rig_check(&k->rig, mine.addr + mine.pages * PAGE_SIZE <
		  k->vmap.vmalloc_end);
	k->live_pages += mine.pages;
	if (!s->addr) {
		*s = mine;
		return;
	}
	vfree(t, &k->vmap, mine.addr);	/* somebody was faster */
	cpu_park(t->cpu);
	k->live_pages -= mine.pages;
}

static void random_fn(struct task *t, void *arg)
{
	struct kernel *k = arg;
	struct rng *rng = &k->rng[t->cpu->id];

	for (u32 i = 0; i < k->nr_ops; i++) {
		change_slot(t, k, rng);
		cond_resched(t);
		task_work(t, rng_below(rng, 400) * NS);
	}
}

/* Back to one free area: everything is freed, purged and merged. */
static void clean_up(struct task *t, void *arg)
{
	struct kernel *k = arg;

	for (u32 i = 0; i < NR_SLOTS; i++)
		if (k->slot[i].addr)
			vfree(t, &k->vmap, k->slot[i].addr);
	mutex_lock(t, &vmap_int(&k->vmap)->vmap_purge_lock);
	k->vmap.design->purge(t, &k->vmap);
	mutex_unlock(t, &vmap_int(&k->vmap)->vmap_purge_lock);
	k->live_pages = 0;
}

static void random_run(const struct vmap_design *d, bool coherent,
		       const char *more)
{
	struct census c;
	struct kernel k;
	u64 live = 0, pages = 0;

	kernel_init(&k, d, coherent, "vmap.lazy_max=100 pages", more);
	k.nr_ops = 700;
	k.pages_max = 600;
	for (u32 i = 0; i < 8; i++)
		rig_task(&k.rig, i, i, random_fn, &k);
	rig_run(&k.rig);
	assert_sound(&k);
	assert_int_equal(k.failed, 0);
	assert_true(k.vmap.purges > 20);
	for (u32 i = 0; i < NR_SLOTS; i++) {
		live += k.slot[i].addr != 0;
		pages += k.slot[i].addr ? k.slot[i].pages + 1 : 0;
	}
	take_census(&k, &c);
	assert_int_equal(c.areas[VA_BUSY], live);
	assert_int_equal(c.pages[VA_BUSY], pages);
	assert_true(live > 5);

	rig_task(&k.rig, 3, 1000000000, clean_up, &k);
	rig_run(&k.rig);
	assert_sound(&k);
	take_census(&k, &c);
	assert_int_equal(c.areas[VA_BUSY], 0);
	assert_int_equal(c.areas[VA_LAZY], 0);
	assert_int_equal(c.areas[VA_FREE], 1);
	assert_int_equal(k.vmap.vmap_lazy_nr, 0);
	kernel_free(&k);
}

static void test_random(void **state)
{
	(void)state;
	for (size_t i = 0; vmap_designs[i]; i++) {
		random_run(vmap_designs[i], true, NULL);
		random_run(vmap_designs[i], false, NULL);
		random_run(vmap_designs[i], true, "lock=virt");
		random_run(vmap_designs[i], true, "layout.statics=apart");
	}
}

/* With a lock that excludes nobody, somebody notices. */
static void busted_run(void *arg)
{
	struct kernel k;
	char why[200];

	kernel_init(&k, arg, true, "vmap.lazy_max=100 pages", "lock=busted");
	k.nr_ops = 700;
	k.pages_max = 600;
	for (u32 i = 0; i < 8; i++)
		rig_task(&k.rig, i, i, random_fn, &k);
	sim_run(&k.rig.sim);
	check_always(&k.rig.sim, !vmap_check(&k.vmap, why, sizeof(why)));
}

static void sound_run(void *arg)
{
	random_run(arg, true, NULL);
}

static void test_busted_is_caught(void **state)
{
	(void)state;
	for (size_t i = 0; vmap_designs[i]; i++) {
		assert_true(rig_dies(busted_run, (void *)vmap_designs[i]));
		assert_false(rig_dies(sound_run, (void *)vmap_designs[i]));
	}
}

/* ---- lazy freeing ---- */

static void free_until_drain(struct task *t, void *arg)
{
	struct kernel *k = arg;

	/* 99 pairs of 3 + 1 pages stay below the limit of 400 pages */
	for (u32 i = 0; i < 100; i++)
		vfree(t, &k->vmap, vmalloc(t, &k->vmap, 3));
	cpu_park(t->cpu);
	rig_check(&k->rig, k->vmap.vmap_lazy_nr == 400);
	cond_resched(t);
	rig_check(&k->rig, !k->vmap.purges);
	vfree(t, &k->vmap, vmalloc(t, &k->vmap, 3));
	rig_note(t, "over");
	cond_resched(t);		/* the kworker of this CPU */
	rig_check(&k->rig, k->vmap.purges == 1);
	rig_check(&k->rig, k->vmap.vmap_lazy_nr == 0);
}

/* Over the limit, not at it; on the CPU that freed, when it may. */
static void test_drain_at_limit(void **state)
{
	(void)state;
	for (size_t i = 0; vmap_designs[i]; i++) {
		struct kernel k;

		/* 8 CPUs: fls is 4 */
		kernel_init(&k, vmap_designs[i], true,
			    "vmap.lazy_max=100 pages", NULL);
		assert_int_equal(k.vmap.lazy_max_pages, 400);
		rig_task(&k.rig, 3, 0, free_until_drain, &k);
		rig_run(&k.rig);
		assert_int_equal(k.vmap.purges, 1);
		assert_int_equal(k.vmap.lazy_pages_max, 404);
		assert_int_equal(k.rig.sim.nr_tasks, 2);
		assert_string_equal(k.rig.sim.task[1]->name, "kworker");
		assert_int_equal(k.rig.sim.task[1]->cpu->id, 3);
		assert_sound(&k);
		kernel_free(&k);
	}
}

/* lazy_max_pages() is fls(online CPUs) times 32 MiB. */
static void test_lazy_limit(void **state)
{
	static const struct {
		const char *topology, *online;
		u64 pages;
	} limit[] = {
		{ "package:1 l3:8 core:4 pu:2", NULL, 57344 },
		{ "package:1 l3:8 core:4 pu:1", NULL, 49152 },
		{ "package:1 l3:8 core:4 pu:2", "kernel.online=1", 8192 },
		{ "package:1 l3:8 core:4 pu:2", "kernel.online=31", 40960 },
		{ "package:1 core:2 pu:1", NULL, 16384 },
		{ "package:1 core:1 pu:1", NULL, 8192 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(limit); i++) {
		const char *const set[] = { limit[i].online, NULL };
		struct scenario s;
		struct vmap v;
		struct rig r;

		rig_scenario(&s, set);
		rig_init(&r, limit[i].topology);
		rig_start(&r);
		assert_int_equal(vmap_init(&v, &r.sim, vmap_designs[0],
					   &s.params), 0);
		assert_int_equal(v.lazy_max_pages, limit[i].pages);
		rig_free(&r);
		scenario_free(&s);
	}
}

/* ---- without room ---- */

/* Takes all but `left` pages of the 2^33 that there are. */
static void occupy(struct task *t, struct kernel *k, u32 left)
{
	const u32 half = ~0u - 1;		/* and a guard page */
	const u64 all = (k->vmap.vmalloc_end - k->vmap.vmalloc_start) /
			PAGE_SIZE;

	rig_check(&k->rig, all == 1ull << 33);
	rig_check(&k->rig, vmalloc(t, &k->vmap, half));
	rig_check(&k->rig, vmalloc(t, &k->vmap, half + 2 - left - 1));
}

static void exhaust(struct task *t, void *arg)
{
	struct kernel *k = arg;
	struct vmap *v = &k->vmap;
	u64 addr[520];
	u32 nr = 0;

	occupy(t, k, 1024);
	while (nr < ARRAY_SIZE(addr)) {
		addr[nr] = vmalloc(t, v, 1);
		if (!addr[nr])
			break;
		nr++;
	}
	/* all of it was given out: 512 of a page and a guard page */
	rig_check(&k->rig, nr == 512);
	rig_check(&k->rig, v->va_failed == 1 && v->purges == 1);
	/* what is lazily free is not room yet, until a purge makes it so */
	for (u32 i = 0; i < nr; i += 2)
		vfree(t, v, addr[i]);
	rig_check(&k->rig, v->vmap_lazy_nr == nr);
	rig_check(&k->rig, v->purges == 1);
	for (u32 i = 0; i < nr; i += 2) {
		addr[i] = vmalloc(t, v, 1);
		rig_check(&k->rig, addr[i]);
	}
	rig_check(&k->rig, v->va_failed == 1 && v->purges == 2);
	rig_check(&k->rig, !vmalloc(t, v, 1));
	rig_check(&k->rig, v->va_failed == 2 && v->purges == 3);
	/* in pieces of two pages: no room for three */
	vfree(t, v, addr[0]);
	vfree(t, v, addr[nr / 2]);
	rig_check(&k->rig, !vmalloc(t, v, 2));
	rig_check(&k->rig, vmalloc(t, v, 1));
	rig_check(&k->rig, v->va_failed == 3);
}

static void test_exhaustion(void **state)
{
	(void)state;
	for (size_t i = 0; vmap_designs[i]; i++) {
		struct kernel k;
		char why[200];

		kernel_init(&k, vmap_designs[i], true,
			    "vmap.lazy_max=100000 pages", NULL);
		rig_task(&k.rig, 0, 0, exhaust, &k);
		rig_run(&k.rig);
		assert_int_equal(vmap_check(&k.vmap, why, sizeof(why)), 0);
		kernel_free(&k);
	}
}

/* ---- mistakes are caught ---- */

static void free_twice(struct task *t, void *arg)
{
	struct kernel *k = arg;
	const u64 addr = vmalloc(t, &k->vmap, 1);

	vfree(t, &k->vmap, addr);
	vfree(t, &k->vmap, addr);
}

static void run_free_twice(void *arg)
{
	struct kernel k;

	kernel_init(&k, arg, true, "vmap.lazy_max=100 pages", NULL);
	rig_task(&k.rig, 0, 0, free_twice, &k);
	sim_run(&k.rig.sim);
}

static void allocate_some(struct task *t, void *arg)
{
	struct kernel *k = arg;

	for (u32 i = 0; i < 5; i++)
		vmalloc(t, &k->vmap, 2);
}

static void test_mistakes(void **state)
{
	(void)state;
	for (size_t i = 0; vmap_designs[i]; i++) {
		struct kernel k;
		char why[200];

		assert_true(rig_dies(run_free_twice,
				     (void *)vmap_designs[i]));
		kernel_init(&k, vmap_designs[i], true,
			    "vmap.lazy_max=100 pages", NULL);
		rig_task(&k.rig, 0, 0, allocate_some, &k);
		rig_run(&k.rig);
		assert_int_equal(vmap_check(&k.vmap, why, sizeof(why)), 0);
		k.vmap.vmap_lazy_nr++;
		assert_true(vmap_check(&k.vmap, why, sizeof(why)) > 0);
		assert_non_null(strstr(why, "vmap_lazy_nr"));
		k.vmap.vmap_lazy_nr--;
		k.vmap.vmalloc_end += PAGE_SIZE;
		assert_true(vmap_check(&k.vmap, why, sizeof(why)) > 0);
		kernel_free(&k);
	}
}

static void test_registry(void **state)
{
	(void)state;
	for (size_t i = 0; vmap_designs[i]; i++) {
		const struct vmap_design *d = vmap_designs[i];

		assert_ptr_equal(vmap_design_find(d->name), d);
		assert_true(d->locks && d->locks[0]);
		assert_true(strlen(d->help) < 70);
	}
	assert_null(vmap_design_find("nosuchdesign"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
		cmocka_unit_test(test_busted_is_caught),
		cmocka_unit_test(test_drain_at_limit),
		cmocka_unit_test(test_lazy_limit),
		cmocka_unit_test(test_exhaustion),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_registry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
