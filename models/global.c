/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * global: v6.3 .. v6.8. One free tree, one busy tree, one lazy tree, a lock
 * for each, and a drain worker (the baseline of the per-CPU-zone series of
 * May 2023). After mm/vmalloc.c of v6.3.8, from a description, not its text.
 *
 *   alloc   free_vmap_area_lock   first fit and clip
 *           vmap_area_lock        insert into the busy tree
 *           vmap_area_lock        bind the descriptor
 *   free    vmap_area_lock        look up and unlink
 *           purge_vmap_area_lock  insert into the lazy tree, merging
 *   drain   purge_vmap_area_lock  detach the list
 *           free_vmap_area_lock   merge each chunk, yield below 2 x lazy_max
 */
#include <errno.h>

#include "models/va_rb.h"
#include "models/vmap.h"

struct global {
	struct spinlock free_vmap_area_lock;
	struct spinlock vmap_area_lock;
	struct spinlock purge_vmap_area_lock;
	struct va_tree free, busy, purge;
	struct vmap_area **ne_fit_preload_node;	/* [nr_cpus] */
};

static void init_set(struct vmap *v, struct spinlock *lock,
		     struct va_tree *tree, bool augmented, const char *name,
		     const char *root)
{
	vmap_lock_init(v, lock, name, vmap_static_line(v, name));
	va_tree_init(v, tree, augmented, root, vmap_static_line(v, root),
		     NULL);
}

static void global_init(struct vmap *v, const struct param_set *p)
{
	struct global *g = sim_alloc(v->sim, sizeof(*g));

	v->priv = g;
	(void)p;
	init_set(v, &g->free_vmap_area_lock, &g->free, true,
		 "free_vmap_area_lock", "free_vmap_area_root");
	init_set(v, &g->vmap_area_lock, &g->busy, false,
		 "vmap_area_lock", "vmap_area_root");
	init_set(v, &g->purge_vmap_area_lock, &g->purge, false,
		 "purge_vmap_area_lock", "purge_vmap_area_root");
	g->ne_fit_preload_node = sim_alloc(v->sim, v->sim->nr_cpus *
					   sizeof(*g->ne_fit_preload_node));
	va_tree_seed(v, &g->free, v->vmalloc_start, v->vmalloc_end);
}

/* An object for a NO-edge fit is at hand before the lock is taken. */
static struct vmap_area **preload_this_cpu_lock(struct task *t, struct vmap *v,
						struct global *g)
{
	struct vmap_area **slot = &g->ne_fit_preload_node[t->cpu->id];

	task_work(t, v->cost.preload);
	if (!*slot) {
		*slot = va_cache_alloc(&v->va_cache, t->cpu);
		task_work(t, v->cost.slab);
	}
	spin_lock(t, &g->free_vmap_area_lock);
	return slot;
}

static int global_alloc_vmap_area(struct task *t, struct vmap *v,
				  const struct vmap_request *req,
				  struct vmap_area *va)
{
	struct global *g = v->priv;
	struct vmap_area **extra = preload_this_cpu_lock(t, v, g);
	const u64 addr = va_alloc(t, v, &g->free, req->size, req->align,
				  req->vstart, req->vend, extra);

	spin_unlock(t, &g->free_vmap_area_lock);
	if (addr == req->vend)
		return -EBUSY;

	va_write(t, v, va, VA_OFF_KEY);
	va->va_start = addr;
	va->va_end = addr + req->size;
	spin_lock(t, &g->vmap_area_lock);
	insert_vmap_area(t, v, &g->busy, va);
	spin_unlock(t, &g->vmap_area_lock);
	return 0;
}

static void global_setup_vmalloc_vm(struct task *t, struct vmap *v,
				    struct vmap_area *va)
{
	struct global *g = v->priv;

	spin_lock(t, &g->vmap_area_lock);
	va_write(t, v, va, VA_OFF_MAX);		/* va->vm */
	spin_unlock(t, &g->vmap_area_lock);
}

static struct vmap_area *global_find_unlink_vmap_area(struct task *t,
						      struct vmap *v, u64 addr)
{
	struct global *g = v->priv;
	struct vmap_area *va;

	spin_lock(t, &g->vmap_area_lock);
	va = find_vmap_area(t, v, &g->busy, addr);
	if (va)
		unlink_va(t, v, &g->busy, va);
	spin_unlock(t, &g->vmap_area_lock);
	return va;
}

static void global_insert_lazy(struct task *t, struct vmap *v,
			       struct vmap_area *va)
{
	struct global *g = v->priv;

	spin_lock(t, &g->purge_vmap_area_lock);
	merge_or_add_vmap_area(t, v, &g->purge, va);
	spin_unlock(t, &g->purge_vmap_area_lock);
}

static u64 global_purge(struct task *t, struct vmap *v)
{
	struct global *g = v->priv;
	const u64 threshold = 2 * v->lazy_max_pages;
	struct vmap_area *va, *next, *last;
	u64 nr = 0;

	spin_lock(t, &g->purge_vmap_area_lock);
	va = va_tree_splice(t, v, &g->purge, &last);
	spin_unlock(t, &g->purge_vmap_area_lock);
	if (!va)
		return 0;
	flush_tlb_kernel_range(t, v, va->va_start, last->va_end);

	spin_lock(t, &g->free_vmap_area_lock);
	for (; va; va = next, nr++) {
		const u64 pages = va_size(va) >> PAGE_SHIFT;

		va_read(t, v, va, VA_OFF_LIST);
		next = va->next;
		merge_or_add_vmap_area(t, v, &g->free, va);
		vmap_lazy_sub(t, v, pages);
		if (vmap_lazy_read(t, v) < threshold)
			cond_resched_lock(t, &g->free_vmap_area_lock);
	}
	spin_unlock(t, &g->free_vmap_area_lock);
	return nr;
}

static void global_for_each_va(struct vmap *v,
			       void (*fn)(void *arg,
					  const struct vmap_area *va,
					  enum va_set set), void *arg)
{
	struct global *g = v->priv;

	va_tree_for_each(v, &g->free, VA_FREE, fn, arg);
	va_tree_for_each(v, &g->busy, VA_BUSY, fn, arg);
	va_tree_for_each(v, &g->purge, VA_LAZY, fn, arg);
}

static const char *const global_locks[] = {
	"free_vmap_area_lock", "vmap_area_lock", "purge_vmap_area_lock", NULL
};

const struct vmap_design design_global = {
	.name = "global",
	.kernel = "v6.3 .. v6.8",
	.help = "one free, one busy, one lazy tree; drain worker",
	.text =
"One augmented tree of free areas under free_vmap_area_lock, one tree of busy\n"
"areas under vmap_area_lock, one of lazily freed ones under\n"
"purge_vmap_area_lock. A pair takes the busy lock three times (insert, bind,\n"
"look up and unlink) and each of the others once. Above the lazy limit\n"
"vfree() queues the drain worker on its CPU; it flushes the TLBs of all CPUs\n"
"and merges every coalesced chunk into the free tree, giving up the lock when\n"
"due while less than twice the limit is waiting.\n"
"\n"
"Not modelled: huge mappings, vmap blocks, the notifier chain on exhaustion,\n"
"pages and page tables beyond a lump of time, PREEMPT_RT's sleeping locks.\n",
	.locks = global_locks,
	.init = global_init,
	.alloc_vmap_area = global_alloc_vmap_area,
	.setup_vmalloc_vm = global_setup_vmalloc_vm,
	.find_unlink_vmap_area = global_find_unlink_vmap_area,
	.insert_lazy = global_insert_lazy,
	.purge = global_purge,
	.drain_loops = true,
	.for_each_va = global_for_each_va,
};
