/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The per-CPU-zone series' own rules (v1, May 2023), with a view of the zones:
 * the model's file is compiled here, in place of the library's.
 */
#include <string.h>

#include "models/zone.c"

#include "tests/rig.h"

#define NR_ADDRS	64

struct kernel {
	struct rig rig;
	struct scenario scenario;
	struct vmap vmap;
	struct zone *zone;
	u64 addr[NR_ADDRS];
};

static void kernel_init(struct kernel *k, const char *topology,
			const char *const *set)
{
	memset(k, 0, sizeof(*k));
	rig_scenario(&k->scenario, set);
	rig_init(&k->rig, topology);
	rig_start(&k->rig);
	k->rig.priv = k;
	assert_int_equal(vmap_init(&k->vmap, &k->rig.sim, &design_zone,
				   &k->scenario.params), 0);
	k->zone = k->vmap.priv;
}

static void kernel_free(struct kernel *k)
{
	char why[200];

	if (vmap_check(&k->vmap, why, sizeof(why)))
		fail_msg("%s", why);
	rig_free(&k->rig);
	scenario_free(&k->scenario);
}

/* fls(possible CPUs) * 100 pages, at most 4 MiB; one CPU: no zones. */
static void test_size(void **state)
{
	static const struct {
		const char *topology, *possible;
		u64 pages;
	} zone[] = {
		{ "package:1 core:1 pu:1", NULL, 0 },
		{ "package:1 core:2 pu:1", NULL, 200 },
		{ "package:1 core:2 pu:1", "kernel.possible=3", 200 },
		{ "package:1 core:2 pu:1", "kernel.possible=4", 300 },
		{ "package:1 core:2 pu:1", "kernel.possible=8", 400 },
		{ "package:1 core:2 pu:1", "kernel.possible=64", 700 },
		{ "package:1 l3:8 core:4 pu:2", NULL, 700 },
		{ "package:1 core:2 pu:1", "kernel.possible=512", 1000 },
		{ "package:1 core:2 pu:1", "kernel.possible=1024", 1024 },
		{ "package:1 core:2 pu:1", "kernel.possible=4096", 1024 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(zone); i++) {
		const char *const set[] = {
			"design=zone",
			zone[i].possible ? zone[i].possible : "seed=1", NULL
		};
		struct kernel k;

		kernel_init(&k, zone[i].topology, set);
		assert_true(k.zone->cvz_size == (zone[i].pages ?
			    zone[i].pages * PAGE_SIZE : ~0ull));
		kernel_free(&k);
	}
}

static const char *const eight[] = { "design=zone", NULL };
#define CVZ	(400 * PAGE_SIZE)	/* of the rig's 8 CPUs */

static void allocate(struct task *t, void *arg)
{
	struct kernel *k = arg;
	u64 *addr = &k->addr[t->cpu->id * 8];

	for (u32 i = 0; i < 8; i++)
		addr[i] = vmalloc(t, &k->vmap, 9);	/* and a guard page */
}

/* Each CPU from a block of its own, taken from the bottom when first needed. */
static void test_blocks(void **state)
{
	struct kernel k;

	(void)state;
	kernel_init(&k, RIG_TOPOLOGY, eight);
	rig_task(&k.rig, 2, 0, allocate, &k);
	rig_task(&k.rig, 6, 1000000, allocate, &k);
	rig_task(&k.rig, 4, 2000000, allocate, &k);
	rig_run(&k.rig);
	for (u32 i = 0; i < 8; i++) {
		const u64 at = k.vmap.vmalloc_start + i * 10 * PAGE_SIZE;

		assert_true(k.addr[2 * 8 + i] == at);
		assert_true(k.addr[6 * 8 + i] == at + CVZ);
		assert_true(k.addr[4 * 8 + i] == at + 2 * CVZ);
	}
	for (u32 i = 0; i < 8; i++)
		assert_int_equal(k.zone->cvz[i].free.tree.nr,
				 i == 2 || i == 4 || i == 6);
	kernel_free(&k);
}

/* Number of areas in a set of zone i, each of which belongs there. */
static u32 areas_of_zone(const struct va_tree *tree, u32 i)
{
	u32 nr = 0;

	for (const struct vmap_area *va = tree->first; va; va = va->next) {
		assert_int_equal(va->va_start / CVZ % 8, i);
		nr++;
	}
	assert_true(va_tree_ok(tree));
	return nr;
}

static void fill_and_free(struct task *t, void *arg)
{
	struct kernel *k = arg;
	struct rng rng;
	u64 addr[40];

	rng_init(&rng, 1, 0, t->cpu->id, RNG_SIZE);
	for (u32 round = 0; round < 6; round++) {
		for (u32 i = 0; i < 40; i++)
			addr[i] = vmalloc(t, &k->vmap,
					  1 + (u32)rng_below(&rng, 120));
		/* two thirds of them, in steps */
		for (u32 i = 0; i < 40; i++)
			if (i % 3)
				vfree(t, &k->vmap, addr[i]);
	}
}

/* Busy and lazy areas lie in the zone that their address belongs to. */
static void test_addresses(void **state)
{
	struct kernel k;
	u32 busy = 0, lazy = 0, zones = 0;

	(void)state;
	kernel_init(&k, RIG_TOPOLOGY, eight);
	for (u32 cpu = 1; cpu < 8; cpu += 3)
		rig_task(&k.rig, cpu, cpu, fill_and_free, &k);
	rig_run(&k.rig);
	for (u32 i = 0; i < 8; i++) {
		const struct cpu_vmap_zone *cvz = &k.zone->cvz[i];

		busy += areas_of_zone(&cvz->busy.tree, i);
		lazy += areas_of_zone(&cvz->lazy.tree, i);
		zones += cvz->busy.tree.nr > 0;
	}
	assert_int_equal(busy, 3 * 6 * 14);
	assert_true(lazy > 50);
	assert_int_equal(zones, 8);	/* though only three CPUs were busy */
	assert_int_equal(k.vmap.purges, 0);
	kernel_free(&k);
}

/* Pages of a request, its alignment none: where does it come from? */
static void sizes(struct task *t, void *arg)
{
	struct kernel *k = arg;

	for (u32 i = 0; i < 4; i++) {
		static const u32 pages[] = { 132, 133, 1, 399 };

		k->addr[i] = vmalloc(t, &k->vmap, pages[i]);
	}
}

/* A third of a block at most: 133 of 400 pages, the guard page included. */
static void test_large_go_global(void **state)
{
	struct kernel k;
	u64 at;

	(void)state;
	kernel_init(&k, RIG_TOPOLOGY, eight);
	rig_task(&k.rig, 5, 0, sizes, &k);
	rig_run(&k.rig);
	at = k.vmap.vmalloc_start;
	assert_true(k.addr[0] == at);			/* fills a block */
	assert_true(k.addr[1] == at + CVZ);		/* global: behind it */
	assert_true(k.addr[2] == at + 133 * PAGE_SIZE);	/* the block again */
	assert_true(k.addr[3] == at + CVZ + 134 * PAGE_SIZE);
	kernel_free(&k);
}

static void refill(struct task *t, void *arg)
{
	struct kernel *k = arg;

	/* 3 * 132 pages of 400 are taken: 4 are left */
	for (u32 i = 0; i < 3; i++)
		k->addr[i] = vmalloc(t, &k->vmap, 131);
	/* not below the watermark of 4: no block more, from the heap */
	k->addr[3] = vmalloc(t, &k->vmap, 4);
	/* 2 left, below it: a second block */
	k->addr[4] = vmalloc(t, &k->vmap, 1);
	k->addr[5] = vmalloc(t, &k->vmap, 2);
	for (u32 i = 6; i < 8; i++)
		k->addr[i] = vmalloc(t, &k->vmap, 1);
}

static void test_watermark(void **state)
{
	struct kernel k;
	u64 at;

	(void)state;
	kernel_init(&k, RIG_TOPOLOGY, eight);
	rig_task(&k.rig, 5, 0, refill, &k);
	rig_run(&k.rig);
	at = k.vmap.vmalloc_start;
	assert_true(k.addr[2] == at + 264 * PAGE_SIZE);
	assert_true(k.addr[3] == at + CVZ);
	assert_true(k.addr[4] == at + 396 * PAGE_SIZE);
	assert_true(k.addr[5] == at + CVZ + 5 * PAGE_SIZE);
	assert_true(k.addr[6] == at + 398 * PAGE_SIZE);	/* lowest first */
	assert_true(k.addr[7] == at + CVZ + 8 * PAGE_SIZE);
	kernel_free(&k);
}

/* ---- purge ---- */

static void purge(struct task *t, void *arg)
{
	struct kernel *k = arg;

	design_zone.purge(t, &k->vmap);
}

static void free_first(struct task *t, void *arg)
{
	struct kernel *k = arg;

	vfree(t, &k->vmap, k->addr[t->cpu->id * 8]);
}

static u64 blocks(const struct kernel *k)
{
	u64 nr = 0;

	for (u32 i = 0; i < 8; i++)
		nr += k->zone->cvz[i].free.tree.root != NULL;
	return nr;
}

/* Every CPU's block goes back, but not when nothing was lazily free. */
static void purge_run(const char *drop, u64 expected)
{
	const char *const set[] = { "design=zone", drop, NULL };
	struct kernel k;

	kernel_init(&k, RIG_TOPOLOGY, set);
	for (u32 cpu = 0; cpu < 8; cpu += 2)
		rig_task(&k.rig, cpu, cpu, allocate, &k);
	rig_run(&k.rig);
	assert_int_equal(blocks(&k), 4);
	rig_task(&k.rig, 1, 10000000, purge, &k);
	rig_run(&k.rig);
	assert_int_equal(blocks(&k), 4);
	rig_task(&k.rig, 2, 20000000, free_first, &k);
	rig_run(&k.rig);
	rig_task(&k.rig, 1, 30000000, purge, &k);
	rig_run(&k.rig);
	assert_int_equal(blocks(&k), expected);
	assert_int_equal(k.vmap.vmap_lazy_nr, 0);
	for (u32 i = 0; i < 8; i++)
		assert_null(k.zone->cvz[i].lazy.tree.root);
	kernel_free(&k);
}

static void test_purge_drops_blocks(void **state)
{
	(void)state;
	purge_run("zone.drop_cache=on", 0);
	purge_run("zone.drop_cache=off", 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_blocks),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_large_go_global),
		cmocka_unit_test(test_watermark),
		cmocka_unit_test(test_purge_drops_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
