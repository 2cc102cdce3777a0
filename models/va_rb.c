/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Red-black balancing with its memory accesses; see va_rb.h. */
#include "models/va_rb.h"

static void touch(struct task *t, struct vmap *v, struct rb_node *n)
{
	if (n)
		va_write(t, v, va_of(n), VA_OFF_RB);
}

/* In place of old, below old's parent, comes new (or nothing). */
static void replace_child(struct task *t, struct vmap *v, struct va_tree *tree,
			  struct rb_node *old, struct rb_node *new)
{
	struct rb_node *p = old->parent;

	if (!p) {
		va_tree_touch_root(t, tree, true);
		tree->root = new;
	} else {
		touch(t, v, p);
		if (p->left == old)
			p->left = new;
		else
			p->right = new;
	}
	if (new) {
		touch(t, v, new);
		new->parent = p;
	}
}

static void update_rotated(struct task *t, struct vmap *v,
			   const struct va_tree *tree, struct rb_node *down,
			   struct rb_node *up)
{
	if (!tree->augmented)
		return;
	va_write(t, v, va_of(down), VA_OFF_MAX);
	va_of(down)->subtree_max_size = rb_compute_max(down);
	va_write(t, v, va_of(up), VA_OFF_MAX);
	va_of(up)->subtree_max_size = rb_compute_max(up);
}

static void rotate_left(struct task *t, struct vmap *v, struct va_tree *tree,
			struct rb_node *n)
{
	struct rb_node *r = n->right;

	replace_child(t, v, tree, n, r);
	n->right = r->left;
	touch(t, v, n->right);
	if (n->right)
		n->right->parent = n;
	r->left = n;
	touch(t, v, n);
	n->parent = r;
	update_rotated(t, v, tree, n, r);
}

static void rotate_right(struct task *t, struct vmap *v, struct va_tree *tree,
			 struct rb_node *n)
{
	struct rb_node *l = n->left;

	replace_child(t, v, tree, n, l);
	n->left = l->right;
	touch(t, v, n->left);
	if (n->left)
		n->left->parent = n;
	l->right = n;
	touch(t, v, n);
	n->parent = l;
	update_rotated(t, v, tree, n, l);
}

static void set_colour(struct task *t, struct vmap *v, struct rb_node *n,
		       bool red)
{
	if (n->red == red)
		return;
	touch(t, v, n);
	n->red = red;
}

static bool is_red(struct task *t, struct vmap *v, struct rb_node *n)
{
	if (!n)
		return false;
	va_read(t, v, va_of(n), VA_OFF_RB);
	return n->red;
}

/* Two reds in a row, n and its parent, with a black uncle: turn them. */
static void insert_turn(struct task *t, struct vmap *v, struct va_tree *tree,
			struct rb_node *n)
{
	struct rb_node *p = n->parent, *g = p->parent;

	if (p == g->left) {
		if (n == p->right) {
			rotate_left(t, v, tree, p);
			p = n;
		}
		set_colour(t, v, p, false);
		set_colour(t, v, g, true);
		rotate_right(t, v, tree, g);
	} else {
		if (n == p->left) {
			rotate_right(t, v, tree, p);
			p = n;
		}
		set_colour(t, v, p, false);
		set_colour(t, v, g, true);
		rotate_left(t, v, tree, g);
	}
}

void rb_insert_fixup(struct task *t, struct vmap *v, struct va_tree *tree,
		     struct rb_node *n)
{
	for (;;) {
		struct rb_node *p = n->parent, *g, *u;

		if (!p) {
			set_colour(t, v, n, false);
			return;
		}
		if (!is_red(t, v, p))
			return;
		g = p->parent;
		u = p == g->left ? g->right : g->left;
		if (!is_red(t, v, u)) {
			insert_turn(t, v, tree, n);
			return;
		}
		set_colour(t, v, p, false);
		set_colour(t, v, u, false);
		set_colour(t, v, g, true);
		n = g;
	}
}

/* One black is missing below p on n's side (n may be NULL). */
static void erase_fixup(struct task *t, struct vmap *v, struct va_tree *tree,
			struct rb_node *n, struct rb_node *p)
{
	while (p && !is_red(t, v, n)) {
		const bool left = n == p->left;
		struct rb_node *s = left ? p->right : p->left, *near, *far;

		if (is_red(t, v, s)) {
			set_colour(t, v, s, false);
			set_colour(t, v, p, true);
			if (left)
				rotate_left(t, v, tree, p);
			else
				rotate_right(t, v, tree, p);
			s = left ? p->right : p->left;
		}
		near = left ? s->left : s->right;
		far = left ? s->right : s->left;
		if (!is_red(t, v, near) && !is_red(t, v, far)) {
			set_colour(t, v, s, true);
			n = p;
			p = n->parent;
			continue;
		}
		if (!is_red(t, v, far)) {
			set_colour(t, v, near, false);
			set_colour(t, v, s, true);
			if (left)
				rotate_right(t, v, tree, s);
			else
				rotate_left(t, v, tree, s);
			s = left ? p->right : p->left;
			far = left ? s->right : s->left;
		}
		set_colour(t, v, s, p->red);
		set_colour(t, v, p, false);
		set_colour(t, v, far, false);
		if (left)
			rotate_left(t, v, tree, p);
		else
			rotate_right(t, v, tree, p);
		return;
	}
	if (n)
		set_colour(t, v, n, false);
}

/* n has two children: its successor takes its place and colour. */
static struct rb_node *erase_inner(struct task *t, struct vmap *v,
				   struct va_tree *tree, struct rb_node *n,
				   struct rb_node **child, bool *black)
{
	struct rb_node *s = n->right, *p;

	va_read(t, v, va_of(s), VA_OFF_RB);
	while (s->left) {
		s = s->left;
		va_read(t, v, va_of(s), VA_OFF_RB);
	}
	*child = s->right;
	*black = !s->red;
	p = s->parent;
	if (p == n) {
		p = s;
	} else {
		replace_child(t, v, tree, s, s->right);
		s->right = n->right;
		touch(t, v, s->right);
		s->right->parent = s;
	}
	replace_child(t, v, tree, n, s);
	s->left = n->left;
	touch(t, v, s->left);
	s->left->parent = s;
	s->red = n->red;
	if (tree->augmented) {
		va_write(t, v, va_of(s), VA_OFF_MAX);
		va_of(s)->subtree_max_size = va_of(n)->subtree_max_size;
	}
	return p;
}

void rb_erase(struct task *t, struct vmap *v, struct va_tree *tree,
	      struct rb_node *n)
{
	struct rb_node *child, *p, *moved = NULL;
	bool black;

	va_read(t, v, va_of(n), VA_OFF_RB);
	if (n->left && n->right) {
		moved = n->right;
		while (moved->left)
			moved = moved->left;
		p = erase_inner(t, v, tree, n, &child, &black);
	} else {
		child = n->left ? n->left : n->right;
		black = !n->red;
		p = n->parent;
		replace_child(t, v, tree, n, child);
	}
	if (tree->augmented && p)
		rb_propagate_max(t, v, p);
	/* that stops where nothing changes; n's successor has n's place, and
	 * n's maximum until now, which is what the nodes above it know */
	if (tree->augmented && moved)
		rb_propagate_max(t, v, moved);
	if (black)
		erase_fixup(t, v, tree, child, p);
}

void rb_propagate_max(struct task *t, struct vmap *v, struct rb_node *n)
{
	for (; n; n = n->parent) {
		struct vmap_area *va = va_of(n);
		const u64 max = rb_compute_max(n);

		task_work(t, v->cost.tree_node);
		va_read(t, v, va, VA_OFF_MAX);
		if (va->subtree_max_size == max)
			return;
		va_write(t, v, va, VA_OFF_MAX);
		va->subtree_max_size = max;
	}
}
