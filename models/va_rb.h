/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODELS_VA_RB_H
#define MODELS_VA_RB_H
/*
 * Red-black balancing of a va_tree (Guibas and Sedgewick 1978, as in Cormen,
 * Leiserson, Rivest, Stein), for va_tree.c only. Every node that is read or
 * written is touched, so that rebalancing costs what it does.
 */
#include "models/va_tree.h"
#include "models/vmap.h"

static inline struct vmap_area *va_of(const struct rb_node *n)
{
	return (struct vmap_area *)((char *)(uintptr_t)n -
				    offsetof(struct vmap_area, rb));
}

static inline struct cline *va_line(struct vmap_area *va, u32 offset)
{
	return &va->line[offset >= va->split];
}

static inline void va_read(struct task *t, struct vmap *v,
			   struct vmap_area *va, u32 offset)
{
	cline_read(t->cpu, va_line(va, offset), v->va_cache.class);
}

static inline void va_write(struct task *t, struct vmap *v,
			    struct vmap_area *va, u32 offset)
{
	cline_write(t->cpu, va_line(va, offset), v->va_cache.class);
}

static inline u64 rb_subtree_max(const struct rb_node *n)
{
	return n ? va_of(n)->subtree_max_size : 0;
}

/* What subtree_max_size of n has to be, from n and its children. */
static inline u64 rb_compute_max(const struct rb_node *n)
{
	u64 max = va_size(va_of(n));
	const u64 l = rb_subtree_max(n->left), r = rb_subtree_max(n->right);

	if (l > max)
		max = l;
	return r > max ? r : max;
}

/* n was linked as a red leaf: restore the colours. */
void rb_insert_fixup(struct task *t, struct vmap *v, struct va_tree *tree,
		     struct rb_node *n);
/* Take n out and restore the colours and the augmentation. */
void rb_erase(struct task *t, struct vmap *v, struct va_tree *tree,
	      struct rb_node *n);
/* subtree_max_size of n and upwards, until a parent does not change. */
void rb_propagate_max(struct task *t, struct vmap *v, struct rb_node *n);
void va_tree_touch_root(struct task *t, struct va_tree *tree, bool write);

#endif
