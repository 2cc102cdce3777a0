/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lowest first fit in an augmented tree and cutting the block out of it
 * (kernel 5.2 and later), and the consistency check of a tree.
 */
#include "models/va_rb.h"
#include "models/va_tree.h"
#include "models/vmap.h"

static u64 align_up(u64 x, u64 align)
{
	return (x + align - 1) & ~(align - 1);
}

/* Where in va the request would begin; false if it does not fit. */
static bool is_within_this_va(const struct vmap_area *va, u64 size, u64 align,
			      u64 vstart, u64 *start)
{
	*start = align_up(va->va_start > vstart ? va->va_start : vstart,
			  align);
	return *start >= va->va_start && *start + size > *start &&
	       *start + size <= va->va_end;
}

static void visit(struct task *t, struct vmap *v, struct vmap_area *va)
{
	task_work(t, v->cost.tree_node);
	va_read(t, v, va, VA_OFF_KEY);
	va_read(t, v, va, VA_OFF_RB);
}

static u64 child_max(struct task *t, struct vmap *v, struct rb_node *n)
{
	if (!n)
		return 0;
	va_read(t, v, va_of(n), VA_OFF_MAX);
	return va_of(n)->subtree_max_size;
}

/*
 * Descend left while something large enough may lie there, else test the
 * node, else go right; out of a dead end (alignment, vstart) climb until a
 * right subtree is worth trying.
 */
static struct vmap_area *find_vmap_lowest_match(struct task *t,
						struct vmap *v,
						struct va_tree *tree, u64 size,
						u64 align, u64 vstart)
{
	const u64 length = align > PAGE_SIZE ? size + align - 1 : size;
	struct rb_node *n;

	va_tree_touch_root(t, tree, false);
	n = tree->root;
	while (n) {
		struct vmap_area *va = va_of(n);
		u64 start;

		visit(t, v, va);
		if (child_max(t, v, n->left) >= length &&
		    vstart < va->va_start) {
			n = n->left;
			continue;
		}
		if (is_within_this_va(va, size, align, vstart, &start))
			return va;
		if (child_max(t, v, n->right) >= length) {
			n = n->right;
			continue;
		}
		for (;;) {
			struct rb_node *up = n->parent;
			const bool from_left = up && up->left == n;

			n = up;
			if (!n)
				return NULL;
			va = va_of(n);
			visit(t, v, va);
			if (!from_left)
				continue;
			if (is_within_this_va(va, size, align, vstart, &start))
				return va;
			if (child_max(t, v, n->right) >= length) {
				vstart = va->va_start + 1;
				n = n->right;
				break;
			}
		}
	}
	return NULL;
}

/* Cut [start, start + size) out of free area va. */
static void va_clip(struct task *t, struct vmap *v, struct va_tree *tree,
		    struct vmap_area *va, u64 start, u64 size,
		    struct vmap_area **extra)
{
	if (va->va_start == start && va->va_end == start + size) {
		unlink_va(t, v, tree, va);	/* FULL fit */
		va_cache_free(&v->va_cache, t->cpu, va);
		task_work(t, v->cost.slab);
		return;
	}
	va_write(t, v, va, VA_OFF_KEY);
	if (va->va_start == start) {		/* LEFT edge */
		va->va_start += size;
	} else if (va->va_end == start + size) {	/* RIGHT edge */
		va->va_end = start;
	} else {				/* NO edge: two remain */
		struct vmap_area *low = *extra;

		if (low)
			*extra = NULL;
		else			/* GFP_NOWAIT, under the lock */
			low = va_cache_alloc(&v->va_cache, t->cpu);
		task_work(t, *extra ? 0 : v->cost.slab);
		va_write(t, v, low, VA_OFF_KEY);
		low->va_start = va->va_start;
		low->va_end = start;
		low->flags = 0;
		va->va_start = start + size;
		rb_propagate_max(t, v, &va->rb);
		insert_vmap_area(t, v, tree, low);
		return;
	}
	rb_propagate_max(t, v, &va->rb);
}

u64 va_alloc(struct task *t, struct vmap *v, struct va_tree *tree, u64 size,
	     u64 align, u64 vstart, u64 vend, struct vmap_area **extra)
{
	struct vmap_area *va;
	u64 start;

	va = find_vmap_lowest_match(t, v, tree, size, align, vstart);
	if (!va || !is_within_this_va(va, size, align, vstart, &start))
		return vend;
	if (start + size > vend)
		return vend;
	va_clip(t, v, tree, va, start, size, extra);
	return start;
}

static bool node_ok(const struct va_tree *tree, const struct rb_node *n,
		    u32 *black)
{
	u32 l = 0, r = 0;

	*black = 1;
	if (!n)
		return true;
	if ((n->left && n->left->parent != n) ||
	    (n->right && n->right->parent != n))
		return false;
	if (n->red && ((n->left && n->left->red) ||
		       (n->right && n->right->red)))
		return false;
	if (tree->augmented &&
	    va_of(n)->subtree_max_size != rb_compute_max(n))
		return false;
	if (!node_ok(tree, n->left, &l) || !node_ok(tree, n->right, &r))
		return false;
	*black = l + !n->red;
	return l == r;
}

static u64 count_nodes(const struct rb_node *n)
{
	return n ? 1 + count_nodes(n->left) + count_nodes(n->right) : 0;
}

bool va_tree_ok(const struct va_tree *tree)
{
	const struct vmap_area *va, *last = NULL;
	u64 nr = 0;
	u32 black;

	if (!node_ok(tree, tree->root, &black))
		return false;
	for (va = tree->first; va; last = va, va = va->next, nr++) {
		if (va->prev != last || va->va_end <= va->va_start)
			return false;
		if (last && last->va_end > va->va_start)
			return false;
	}
	return nr == tree->nr && count_nodes(tree->root) == nr;
}
