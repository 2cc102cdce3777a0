/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trees of areas against what they stand for: the free set against a map of
 * pages, the busy set against a plain array. Random operations, the tree's
 * consistency after each.
 */
#include <stdlib.h>
#include <string.h>

#include "models/va_rb.h"
#include "models/vmap.h"
#include "tests/rig.h"

#define NR_PAGES	4096u
#define START		0xffffc90000000000ull
#define END		(START + NR_PAGES * PAGE_SIZE)

struct forest {
	struct rig rig;
	struct vmap vmap;
	struct va_tree tree;
	struct rng rng;
	bool is_free[NR_PAGES];	/* the free set's twin */
	u32 ops;
	u64 refused, aligned, ranged, merged, full_fits;
};

static u64 page_addr(u64 page)
{
	return START + page * PAGE_SIZE;
}

static u64 addr_page(u64 addr)
{
	return (addr - START) / PAGE_SIZE;
}

/* Length of the free stretch that begins at page, in pages. */
static u64 stretch(const struct forest *f, u64 page)
{
	u64 n = 0;

	while (page + n < NR_PAGES && f->is_free[page + n])
		n++;
	return n;
}

static u64 longest(const struct forest *f)
{
	u64 max = 0;

	for (u64 p = 0; p < NR_PAGES; p++) {
		const u64 n = stretch(f, p);

		max = n > max ? n : max;
		p += n;
	}
	return max;
}

/* The list has exactly the map's maximal stretches. */
static bool same_free(const struct forest *f)
{
	const struct vmap_area *va = f->tree.first;

	for (u64 p = 0; p < NR_PAGES; p++) {
		const u64 n = stretch(f, p);

		if (!n)
			continue;
		if (!va || va->va_start != page_addr(p) ||
		    va->va_end != page_addr(p + n))
			return false;
		va = va->next;
		p += n;
	}
	return !va;
}

/*
 * Lowest page at or above lo where n pages fit at a multiple of align pages,
 * in a stretch of which at least `slack` more are left for the alignment;
 * NR_PAGES: none.
 */
static u64 lowest(const struct forest *f, u64 n, u64 align, u64 lo, u64 slack)
{
	for (u64 p = 0; p < NR_PAGES; p++) {
		const u64 len = stretch(f, p);
		u64 at = p > lo ? p : lo;

		if (!len)
			continue;
		at = (page_addr(at) + align * PAGE_SIZE - 1) /
		     (align * PAGE_SIZE) * (align * PAGE_SIZE);
		at = addr_page(at);
		if (at + n <= p + len && (!slack || (p >= lo &&
						     len >= n + slack)))
			return at;
		p += len;
	}
	return NR_PAGES;
}

static void take(struct task *t, struct forest *f)
{
	struct rig *r = &f->rig;
	const bool align = rng_below(&f->rng, 4) == 0;
	const bool range = rng_below(&f->rng, 4) == 0;
	const u64 n = 1 + rng_below(&f->rng, rng_below(&f->rng, 3) ? 8 : 120);
	const u64 a = align ? 1ull << (1 + rng_below(&f->rng, 6)) : 1;
	const u64 lo = range ? rng_below(&f->rng, NR_PAGES) : 0;
	const u64 hi = range ? lo + rng_below(&f->rng, NR_PAGES - lo) + 1 :
		NR_PAGES;
	const u64 first = lowest(f, n, a, lo, 0);
	/* what is looked for: size + align - 1 bytes, in whole pages */
	const u64 sure = lowest(f, n, a, lo, a > 1 ? a : 0);
	struct vmap_area *extra = NULL;
	const u64 vend = page_addr(hi);
	const u64 addr = va_alloc(t, &f->vmap, &f->tree, n * PAGE_SIZE,
				  a * PAGE_SIZE, page_addr(lo), vend, &extra);
	const u64 p = addr_page(addr);

	f->aligned += align;
	f->ranged += range;
	if (addr == vend) {
		/* no room: of that alignment, for the asking in any place */
		rig_check(r, sure + n > hi);
		rig_check(r, a > 1 || first + n > hi);
		f->refused++;
		return;
	}
	rig_check(r, addr % (a * PAGE_SIZE) == 0);
	rig_check(r, p >= lo && p + n <= hi);
	rig_check(r, stretch(f, p) >= n);
	rig_check(r, p >= first && p <= sure);
	rig_check(r, a > 1 || p == first);
	f->full_fits += (p == 0 || !f->is_free[p - 1]) && stretch(f, p) == n;
	for (u64 i = p; i < p + n; i++)
		f->is_free[i] = false;
}

static void give_back(struct task *t, struct forest *f)
{
	const u64 begin = rng_below(&f->rng, NR_PAGES);
	const u64 max = 1 + rng_below(&f->rng, 40);
	struct vmap_area *va, *in;
	u64 p = begin, n = 0;

	while (p < NR_PAGES && f->is_free[p])
		p++;
	while (n < max && p + n < NR_PAGES && !f->is_free[p + n])
		n++;
	if (!n)
		return;
	va = va_cache_alloc(&f->vmap.va_cache, t->cpu);
	va->va_start = page_addr(p);
	va->va_end = page_addr(p + n);
	for (u64 i = p; i < p + n; i++)
		f->is_free[i] = true;
	in = merge_or_add_vmap_area(t, &f->vmap, &f->tree, va);
	rig_check(&f->rig, in->va_start <= page_addr(p) &&
		  in->va_end >= page_addr(p + n));
	f->merged += va_size(in) > n * PAGE_SIZE;
}

static void free_set(struct task *t, void *arg)
{
	struct forest *f = arg;
	struct rig *r = &f->rig;

	for (u32 i = 0; i < f->ops && !r->fault; i++) {
		/* by turns until nearly full and nearly empty */
		if (rng_below(&f->rng, 8) < (i / 700 % 2 ? 3 : 5))
			take(t, f);
		else
			give_back(t, f);
		rig_check(r, va_tree_ok(&f->tree));
		rig_check(r, same_free(f));
		rig_check(r, va_tree_max(t, &f->vmap, &f->tree) ==
			  longest(f) * PAGE_SIZE);
	}
}

static void forest_init(struct forest *f, u32 seed, bool augmented)
{
	memset(f, 0, sizeof(*f));
	rig_setup(&f->rig);
	f->vmap.sim = &f->rig.sim;
	f->vmap.cost.tree_node = 2 * NS;
	f->vmap.cost.slab = 10 * NS;
	va_cache_init(&f->vmap.va_cache, &f->rig.sim);
	va_tree_init(&f->vmap, &f->tree, augmented, "tree", NULL, NULL);
	rng_init(&f->rng, seed, 0, 0, RNG_SIZE);
}

static void test_free_set(void **state)
{
	u64 refused = 0, merged = 0, full_fits = 0;

	(void)state;
	for (u32 seed = 0; seed < 8; seed++) {
		struct forest *f = malloc(sizeof(*f));

		assert_non_null(f);
		forest_init(f, seed, true);
		va_tree_seed(&f->vmap, &f->tree, START, END);
		memset(f->is_free, true, sizeof(f->is_free));
		f->ops = 3000;
		rig_task(&f->rig, 0, 0, free_set, f);
		rig_run(&f->rig);
		assert_true(f->aligned > 100 && f->ranged > 100);
		refused += f->refused;
		merged += f->merged;
		full_fits += f->full_fits;
		rig_free(&f->rig);
		free(f);
	}
	assert_true(refused > 100);
	assert_true(merged > 1000);
	assert_true(full_fits > 100);
}

/* ---- the busy set: areas that touch stay apart ---- */

#define NR_AREAS 512

struct busy {
	struct vmap_area *area[NR_AREAS];	/* by address */
	u32 nr;
};

static u32 place(const struct busy *b, u64 addr)
{
	u32 i = 0;

	while (i < b->nr && b->area[i]->va_end <= addr)
		i++;
	return i;
}

static void enter(struct task *t, struct forest *f, struct busy *b)
{
	const u64 p = rng_below(&f->rng, NR_PAGES - 8);
	const u64 n = 1 + rng_below(&f->rng, 8);
	const u32 i = place(b, page_addr(p));
	struct vmap_area *va;

	if (b->nr == NR_AREAS || (i < b->nr &&
				  b->area[i]->va_start < page_addr(p + n)))
		return;
	va = va_cache_alloc(&f->vmap.va_cache, t->cpu);
	va->va_start = page_addr(p);
	va->va_end = page_addr(p + n);
	insert_vmap_area(t, &f->vmap, &f->tree, va);
	memmove(&b->area[i + 1], &b->area[i],
		(b->nr - i) * sizeof(b->area[0]));
	b->area[i] = va;
	b->nr++;
}

static void leave(struct task *t, struct forest *f, struct busy *b)
{
	const u32 i = (u32)rng_below(&f->rng, b->nr);

	unlink_va(t, &f->vmap, &f->tree, b->area[i]);
	va_cache_free(&f->vmap.va_cache, t->cpu, b->area[i]);
	b->nr--;
	memmove(&b->area[i], &b->area[i + 1],
		(b->nr - i) * sizeof(b->area[0]));
}

static void look_up(struct task *t, struct forest *f, const struct busy *b)
{
	const u64 addr = START + rng_below(&f->rng, END - START);
	const u32 i = place(b, addr);
	const struct vmap_area *expected =
		i < b->nr && b->area[i]->va_start <= addr ? b->area[i] : NULL;

	rig_check(&f->rig, find_vmap_area(t, &f->vmap, &f->tree, addr) ==
		  expected);
	f->merged += expected != NULL;		/* found */
	f->refused += !expected;
}

static void busy_set(struct task *t, void *arg)
{
	struct forest *f = arg;
	struct rig *r = &f->rig;
	struct busy *b = r->priv;

	for (u32 i = 0; i < f->ops && !r->fault; i++) {
		const struct vmap_area *va;
		u32 k = 0;

		if (b->nr && rng_below(&f->rng, 8) < (i / 900 % 2 ? 6 : 2))
			leave(t, f, b);
		else
			enter(t, f, b);
		look_up(t, f, b);
		rig_check(r, va_tree_ok(&f->tree));
		rig_check(r, f->tree.nr == b->nr);
		for (va = f->tree.first; va && k < b->nr &&
		     va == b->area[k]; k++)
			va = va->next;
		rig_check(r, !va && k == b->nr);
	}
}

static void test_busy_set(void **state)
{
	struct busy b;

	(void)state;
	for (u32 seed = 0; seed < 4; seed++) {
		struct forest *f = malloc(sizeof(*f));

		assert_non_null(f);
		forest_init(f, seed, seed % 2);
		b.nr = 0;
		f->rig.priv = &b;
		f->ops = 4000;
		rig_task(&f->rig, 0, 0, busy_set, f);
		rig_run(&f->rig);
		assert_true(f->merged > 100 && f->refused > 100);
		rig_free(&f->rig);
		free(f);
	}
}

/* ---- the list taken away, and what the check finds ---- */

static void splice(struct task *t, void *arg)
{
	struct forest *f = arg;
	struct vmap_area *last, *first;

	for (u32 i = 0; i < 10; i++) {
		struct vmap_area *va = va_cache_alloc(&f->vmap.va_cache,
						      t->cpu);

		va->va_start = page_addr(7 * i % 10 * 3);
		va->va_end = va->va_start + PAGE_SIZE;
		merge_or_add_vmap_area(t, &f->vmap, &f->tree, va);
	}
	rig_check(&f->rig, f->tree.nr == 10);
	first = va_tree_splice(t, &f->vmap, &f->tree, &last);
	rig_check(&f->rig, first && first->va_start == page_addr(0));
	rig_check(&f->rig, last && last->va_start == page_addr(27));
	rig_check(&f->rig, !f->tree.nr && va_tree_ok(&f->tree));
	rig_check(&f->rig, !va_tree_max(t, &f->vmap, &f->tree));
	rig_check(&f->rig, !va_tree_splice(t, &f->vmap, &f->tree, &last));
	rig_check(&f->rig, !last);
	for (; first; first = first->next)
		f->ops++;
}

static void test_splice(void **state)
{
	struct forest *f = malloc(sizeof(*f));

	(void)state;
	assert_non_null(f);
	forest_init(f, 1, true);
	rig_task(&f->rig, 0, 0, splice, f);
	rig_run(&f->rig);
	assert_int_equal(f->ops, 10);
	rig_free(&f->rig);
	free(f);
}

static void fill(struct task *t, void *arg)
{
	struct forest *f = arg;

	for (u32 i = 0; i < 40; i++) {
		struct vmap_area *va = va_cache_alloc(&f->vmap.va_cache,
						      t->cpu);

		va->va_start = page_addr(7 * i % 40 * 3);
		va->va_end = va->va_start + PAGE_SIZE;
		insert_vmap_area(t, &f->vmap, &f->tree, va);
	}
}

/* A tree that is spoiled in one place is not all right. */
static void test_check_can_fail(void **state)
{
	struct forest *f = malloc(sizeof(*f));
	struct vmap_area *va, *root;

	(void)state;
	assert_non_null(f);
	forest_init(f, 1, true);
	rig_task(&f->rig, 0, 0, fill, f);
	rig_run(&f->rig);
	assert_true(va_tree_ok(&f->tree));
	root = va_of(f->tree.root);
	va = f->tree.first->next;

	root->subtree_max_size++;
	assert_false(va_tree_ok(&f->tree));
	root->subtree_max_size--;
	root->rb.left->red = !root->rb.left->red;
	assert_false(va_tree_ok(&f->tree));
	root->rb.left->red = !root->rb.left->red;
	va->va_end += 3 * PAGE_SIZE;		/* into the next one */
	assert_false(va_tree_ok(&f->tree));
	va->va_end -= 3 * PAGE_SIZE;
	f->tree.nr++;
	assert_false(va_tree_ok(&f->tree));
	f->tree.nr--;
	f->tree.first->next = va->next;
	assert_false(va_tree_ok(&f->tree));
	f->tree.first->next = va;
	assert_true(va_tree_ok(&f->tree));
	rig_free(&f->rig);
	free(f);
}

static void insert_overlapping(void *arg)
{
	struct forest *f = arg;

	rig_task(&f->rig, 0, 0, fill, f);
	sim_run(&f->rig.sim);
	rig_task(&f->rig, 0, 1000000, fill, f);
	sim_run(&f->rig.sim);
}

static void test_overlap_dies(void **state)
{
	struct forest *f = malloc(sizeof(*f));

	(void)state;
	assert_non_null(f);
	forest_init(f, 1, false);
	assert_true(rig_dies(insert_overlapping, f));
	rig_free(&f->rig);
	free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_free_set),
		cmocka_unit_test(test_busy_set),
		cmocka_unit_test(test_splice),
		cmocka_unit_test(test_check_can_fail),
		cmocka_unit_test(test_overlap_dies),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
