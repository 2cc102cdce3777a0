/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sets of vmap areas: objects, search, insertion, merging; see va_tree.h. */
#include <string.h>

#include "models/va_rb.h"
#include "models/va_tree.h"
#include "models/vmap.h"

#define VA_OBJECT_SIZE	72u
#define SLAB_OBJECTS	(4096u / VA_OBJECT_SIZE)	/* of an order-0 slab */

void va_cache_init(struct va_cache *k, struct sim *s)
{
	k->sim = s;
	k->free = sim_alloc(s, s->nr_cpus * sizeof(*k->free));
	k->made = sim_alloc(s, s->nr_cpus * sizeof(*k->made));
	k->class = line_class_get(s, "vmap_area");
}

struct vmap_area *va_cache_alloc(struct va_cache *k, struct cpu *c)
{
	struct vmap_area *va = k->free[c->id];
	u32 offset;

	if (va) {
		k->free[c->id] = va->free_next;
		return va;
	}
	va = sim_alloc(k->sim, sizeof(*va));
	offset = k->made[c->id]++ % SLAB_OBJECTS * VA_OBJECT_SIZE;
	va->split = (u8)(64 - offset % 64);
	for (int i = 0; i < 2; i++) {
		cline_init(&va->line[i]);
		va->line[i].owner = (u16)c->id;	/* the page was zeroed here */
	}
	return va;
}

void va_cache_free(struct va_cache *k, struct cpu *c, struct vmap_area *va)
{
	va->free_next = k->free[c->id];
	k->free[c->id] = va;
}

void va_tree_init(struct vmap *v, struct va_tree *tree, bool augmented,
		  const char *name, struct line *root, struct line *head)
{
	memset(tree, 0, sizeof(*tree));
	tree->augmented = augmented;
	tree->root_shared = root;
	tree->head_shared = head;
	cline_init(&tree->root_line);
	cline_init(&tree->head_line);
	if (!root || !head)
		tree->class = line_class_get(v->sim, name);
}

static void touch_tree(struct task *t, struct va_tree *tree,
		       struct line *shared, struct cline *own, bool write)
{
	if (shared && write)
		line_write(t->cpu, shared);
	else if (shared)
		line_read(t->cpu, shared);
	else if (write)
		cline_write(t->cpu, own, tree->class);
	else
		cline_read(t->cpu, own, tree->class);
}

void va_tree_touch_root(struct task *t, struct va_tree *tree, bool write)
{
	touch_tree(t, tree, tree->root_shared, &tree->root_line, write);
}

static void touch_head(struct task *t, struct va_tree *tree, bool write)
{
	touch_tree(t, tree, tree->head_shared, &tree->head_line, write);
}

/* Descend to where [start, end) belongs; NULL link: it overlaps *parent. */
static struct rb_node **find_va_links(struct task *t, struct vmap *v,
				      struct va_tree *tree, u64 start, u64 end,
				      struct rb_node **parent)
{
	struct rb_node **link = &tree->root;

	*parent = NULL;
	va_tree_touch_root(t, tree, false);
	while (*link) {
		struct vmap_area *va = va_of(*link);

		*parent = *link;
		task_work(t, v->cost.tree_node);
		va_read(t, v, va, VA_OFF_KEY);
		va_read(t, v, va, VA_OFF_RB);
		if (end <= va->va_start)
			link = &va->rb.left;
		else if (start >= va->va_end)
			link = &va->rb.right;
		else
			return NULL;
	}
	return link;
}

static void list_link(struct task *t, struct vmap *v, struct va_tree *tree,
		      struct vmap_area *va, struct vmap_area *prev,
		      struct vmap_area *next)
{
	va_write(t, v, va, VA_OFF_LIST);
	va->prev = prev;
	va->next = next;
	if (prev) {
		va_write(t, v, prev, VA_OFF_LIST);
		prev->next = va;
	} else {
		touch_head(t, tree, true);
		tree->first = va;
	}
	if (next) {
		va_write(t, v, next, VA_OFF_LIST);
		next->prev = va;
	} else {
		touch_head(t, tree, true);
		tree->last = va;
	}
}

static void link_va(struct task *t, struct vmap *v, struct va_tree *tree,
		    struct vmap_area *va, struct rb_node *parent,
		    struct rb_node **link)
{
	struct vmap_area *p = parent ? va_of(parent) : NULL;
	const bool left = parent && link == &parent->left;

	va_write(t, v, va, VA_OFF_RB);
	va->rb = (struct rb_node){ .parent = parent, .red = true };
	if (p)
		va_write(t, v, p, VA_OFF_RB);
	else
		va_tree_touch_root(t, tree, true);
	*link = &va->rb;
	if (tree->augmented) {
		va_write(t, v, va, VA_OFF_MAX);
		va->subtree_max_size = va_size(va);
		rb_propagate_max(t, v, parent);
	}
	rb_insert_fixup(t, v, tree, &va->rb);
	if (p)
		list_link(t, v, tree, va, left ? p->prev : p,
			  left ? p : p->next);
	else
		list_link(t, v, tree, va, NULL, NULL);
	tree->nr++;
}

void unlink_va(struct task *t, struct vmap *v, struct va_tree *tree,
	       struct vmap_area *va)
{
	rb_erase(t, v, tree, &va->rb);
	va_read(t, v, va, VA_OFF_LIST);
	if (va->prev) {
		va_write(t, v, va->prev, VA_OFF_LIST);
		va->prev->next = va->next;
	} else {
		touch_head(t, tree, true);
		tree->first = va->next;
	}
	if (va->next) {
		va_write(t, v, va->next, VA_OFF_LIST);
		va->next->prev = va->prev;
	} else {
		touch_head(t, tree, true);
		tree->last = va->prev;
	}
	tree->nr--;
}

struct vmap_area *find_vmap_area(struct task *t, struct vmap *v,
				 struct va_tree *tree, u64 addr)
{
	struct rb_node *parent;

	if (find_va_links(t, v, tree, addr, addr + 1, &parent))
		return NULL;
	return va_of(parent);
}

void insert_vmap_area(struct task *t, struct vmap *v, struct va_tree *tree,
		      struct vmap_area *va)
{
	struct rb_node *parent, **link;

	link = find_va_links(t, v, tree, va->va_start, va->va_end, &parent);
	check_always(t->cpu->sim, link);	/* areas never overlap */
	link_va(t, v, tree, va, parent, link);
}

struct vmap_area *merge_or_add_vmap_area(struct task *t, struct vmap *v,
					 struct va_tree *tree,
					 struct vmap_area *va)
{
	struct rb_node *parent, **link;
	struct vmap_area *prev, *next, *p;

	link = find_va_links(t, v, tree, va->va_start, va->va_end, &parent);
	check_always(t->cpu->sim, link);
	p = parent ? va_of(parent) : NULL;
	if (!p) {
		prev = next = NULL;
	} else {
		const bool left = link == &parent->left;

		va_read(t, v, p, VA_OFF_LIST);
		prev = left ? p->prev : p;
		next = left ? p : p->next;
	}
	if (next) {
		va_read(t, v, next, VA_OFF_KEY);
		if (next->va_start == va->va_end) {
			va_write(t, v, next, VA_OFF_KEY);
			next->va_start = va->va_start;
			va_cache_free(&v->va_cache, t->cpu, va);
			task_work(t, v->cost.slab);
			va = next;
		}
	}
	if (prev) {
		va_read(t, v, prev, VA_OFF_KEY);
		if (prev->va_end == va->va_start) {
			if (va == next)
				unlink_va(t, v, tree, va);
			va_write(t, v, prev, VA_OFF_KEY);
			prev->va_end = va->va_end;
			va_cache_free(&v->va_cache, t->cpu, va);
			task_work(t, v->cost.slab);
			va = prev;
		}
	}
	if (va != prev && va != next)
		link_va(t, v, tree, va, parent, link);
	else if (tree->augmented)
		rb_propagate_max(t, v, &va->rb);
	return va;
}

u64 va_tree_max(struct task *t, struct vmap *v, struct va_tree *tree)
{
	va_tree_touch_root(t, tree, false);
	if (!tree->root)
		return 0;
	va_read(t, v, va_of(tree->root), VA_OFF_MAX);
	return va_of(tree->root)->subtree_max_size;
}

struct vmap_area *va_tree_splice(struct task *t, struct vmap *v,
				 struct va_tree *tree,
				 struct vmap_area **last)
{
	struct vmap_area *first = tree->first;

	va_tree_touch_root(t, tree, true);
	touch_head(t, tree, true);
	if (last)
		*last = tree->last;
	if (first) {
		/* the list's ends point to another head now */
		va_write(t, v, first, VA_OFF_LIST);
		va_write(t, v, tree->last, VA_OFF_LIST);
	}
	tree->root = NULL;
	tree->first = NULL;
	tree->last = NULL;
	tree->nr = 0;
	return first;
}

void va_tree_seed(struct vmap *v, struct va_tree *tree, u64 start, u64 end)
{
	struct vmap_area *va = va_cache_alloc(&v->va_cache, &v->sim->cpu[0]);

	check_always(v->sim, !tree->root);
	va->va_start = start;
	va->va_end = end;
	va->rb = (struct rb_node){ .red = false };
	va->subtree_max_size = end - start;
	va->prev = va->next = NULL;
	tree->root = &va->rb;
	tree->first = tree->last = va;
	tree->nr = 1;
}

void va_tree_for_each(struct vmap *v, const struct va_tree *tree,
		      enum va_set set,
		      void (*fn)(void *arg, const struct vmap_area *va,
				 enum va_set set), void *arg)
{
	(void)v;
	if (!va_tree_ok(tree)) {
		const struct vmap_area broken = { .va_start = 0 };

		fn(arg, &broken, set);
		return;
	}
	for (const struct vmap_area *va = tree->first; va; va = va->next)
		fn(arg, va, set);
}
