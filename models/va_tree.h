/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODELS_VA_TREE_H
#define MODELS_VA_TREE_H
/*
 * Sets of vmap areas as the kernel keeps them: a red-black tree by address
 * and a sorted list through the same objects; the free set's tree also knows
 * the largest free block below each node (subtree_max_size), so that the
 * lowest first fit takes O(log n).
 *
 * Each node visited costs cost.tree_node and brings the lines of the fields
 * that are read or written: an object's lines and last writers are real, so
 * depth, neighbours and fragmentation cost what they are. The caller holds
 * the lock of the set.
 *
 * struct vmap_area is 72 bytes (64-bit): va_start and va_end at 0, rb_node at
 * 16, list at 40, subtree_max_size/vm at 56, flags at 64. A slab packs them
 * without alignment, so most straddle two lines; where an object is cut
 * follows from its place in the slab. False sharing between two objects of
 * one slab is not modelled (each has lines of its own).
 */
#include "sim/line.h"

struct vmap;

enum va_set { VA_FREE, VA_BUSY, VA_LAZY };

struct rb_node {
	struct rb_node *parent, *left, *right;
	bool red;
};

struct vmap_area {
	u64 va_start, va_end;
	struct rb_node rb;
	struct vmap_area *prev, *next;	/* list; NULL: the head */
	u64 subtree_max_size;
	u32 flags;
	/* where it lies */
	u8 split;			/* offset at which line[1] begins */
	struct cline line[2];
	struct vmap_area *free_next;	/* in a slab's free list */
};

#define VA_OFF_KEY	0
#define VA_OFF_RB	16
#define VA_OFF_LIST	40
#define VA_OFF_MAX	56
#define VA_OFF_FLAGS	64

struct va_tree {
	struct rb_node *root;
	struct vmap_area *first, *last;	/* list head: lowest, highest */
	bool augmented;
	u64 nr;
	/* where root and list head lie: in a contended line, or their own */
	struct line *root_shared, *head_shared;	/* NULL: their own */
	struct cline root_line, head_line;
	struct line_class *class;	/* of these two */
};

/* Per-CPU lists of vmap_area objects: LIFO, refilled from new slabs. */
struct va_cache {
	struct sim *sim;
	struct vmap_area **free;	/* [nr_cpus] */
	u32 *made;			/* [nr_cpus] objects carved */
	struct line_class *class;
};

void va_cache_init(struct va_cache *k, struct sim *s);
/* CPU-local; the caller accounts for the time. */
struct vmap_area *va_cache_alloc(struct va_cache *k, struct cpu *c);
/* To the list of the CPU that frees, whose slab it came from or not. */
void va_cache_free(struct va_cache *k, struct cpu *c, struct vmap_area *va);

/* Contended lines that hold root and list head; NULL: a line of its own. */
void va_tree_init(struct vmap *v, struct va_tree *tree, bool augmented,
		  const char *name, struct line *root, struct line *head);
static inline u64 va_size(const struct vmap_area *va)
{
	return va->va_end - va->va_start;
}

/* Area that holds addr, or NULL. */
struct vmap_area *find_vmap_area(struct task *t, struct vmap *v,
				 struct va_tree *tree, u64 addr);
/* Insert without merging; must not overlap (checked). */
void insert_vmap_area(struct task *t, struct vmap *v, struct va_tree *tree,
		      struct vmap_area *va);
void unlink_va(struct task *t, struct vmap *v, struct va_tree *tree,
	       struct vmap_area *va);
/*
 * Insert, merging with neighbours that touch; objects that become superfluous
 * go back to the slab. Returns the area that holds it now.
 */
struct vmap_area *merge_or_add_vmap_area(struct task *t, struct vmap *v,
					 struct va_tree *tree,
					 struct vmap_area *va);
/*
 * Lowest fit of size bytes in [vstart, vend) cut out of an augmented tree.
 * Returns its address, or vend. extra: an object for the case that the middle
 * of a free block is taken (consumed: *extra set to NULL).
 */
u64 va_alloc(struct task *t, struct vmap *v, struct va_tree *tree, u64 size,
	     u64 align, u64 vstart, u64 vend, struct vmap_area **extra);
/* Largest free block of the tree: subtree_max_size of its root; 0 if empty. */
u64 va_tree_max(struct task *t, struct vmap *v, struct va_tree *tree);
/*
 * Detach the whole list (O(1)); the tree is empty afterwards. Returns the
 * lowest area, *last (may be NULL) is the highest.
 */
struct vmap_area *va_tree_splice(struct task *t, struct vmap *v,
				 struct va_tree *tree,
				 struct vmap_area **last);

/* ---- no time passes in these ---- */

/* At boot: one free block. */
void va_tree_seed(struct vmap *v, struct va_tree *tree, u64 start, u64 end);
/* Every area of a checked tree; a broken tree is one empty area at 0. */
void va_tree_for_each(struct vmap *v, const struct va_tree *tree,
		      enum va_set set,
		      void (*fn)(void *arg, const struct vmap_area *va,
				 enum va_set set), void *arg);

/* Consistency of tree, list and augmentation. */
bool va_tree_ok(const struct va_tree *tree);

#endif
