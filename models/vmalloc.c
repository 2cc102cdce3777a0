/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vmalloc() and vfree() around a design: descriptor, pages, page tables, the
 * two shared counters, lazy limit, drain work (kernel v6.3: mm/vmalloc.c of
 * v6.3.8, from a description, not its text).
 *
 * What lies outside the vmap locks (slab objects apart) is one lump per half:
 * cost.alloc_work and cost.free_work.
 */
#include <errno.h>
#include <string.h>

#include "models/va_rb.h"
#include "models/vmap.h"
#include "models/vmap_int.h"

/* x86-64: above this many pages the whole TLB goes, below page by page */
#define TLB_SINGLE_PAGE_FLUSH_CEILING 33

void vmap_work(struct task *t, struct vmap *v, ps_t ps)
{
	const u32 half = v->cost.jitter_ppm;

	if (half) {
		const u64 u = rng_below(&v->jitter[t->cpu->id], 2ull * half);

		ps = (ps_t)((u128)ps * (1000000 - half + u) / 1000000);
	}
	task_work(t, ps);
}

static u64 atomic_long_add(struct task *t, struct line *l, u64 *counter,
			   u64 nr)
{
	line_rmw(t->cpu, l);
	return *counter += nr;
}

void vmap_lazy_sub(struct task *t, struct vmap *v, u64 nr)
{
	atomic_long_add(t, v->lazy_line, &v->vmap_lazy_nr, -nr);
}

u64 vmap_lazy_read(struct task *t, struct vmap *v)
{
	line_read(t->cpu, v->lazy_line);
	return v->vmap_lazy_nr;
}

void flush_tlb_kernel_range(struct task *t, struct vmap *v, u64 start,
			    u64 end)
{
	const u64 pages = (end - start) >> PAGE_SHIFT;
	ps_t handler = v->cost.tlb_flush;

	if (pages <= TLB_SINGLE_PAGE_FLUSH_CEILING)
		handler = handler * (pages + 1) /
			  (TLB_SINGLE_PAGE_FLUSH_CEILING + 1);
	handler += v->sim->cfg.cost.irq_handler;
	ipi_all_and_wait(t, v->online, v->nr_online, handler);
	task_work(t, v->cost.tlb_flush);
}

/* vmap_purge_lock held: one purge, with the counting around it. */
static void __purge_vmap_area_lazy(struct task *t, struct vmap *v)
{
	v->purges++;
	v->design->purge(t, v);
}

static void purge_vmap_area_lazy(struct task *t, struct vmap *v)
{
	mutex_lock(t, &vmap_int(v)->vmap_purge_lock);
	__purge_vmap_area_lazy(t, v);
	mutex_unlock(t, &vmap_int(v)->vmap_purge_lock);
}

/* Of schedule_work(): on the CPU whose vfree() went over the limit. */
static void drain_vmap_area_work(struct task *t, struct work *w)
{
	struct vmap *v = (struct vmap *)((char *)w -
		offsetof(struct vmap, drain_vmap_work));
	u64 nr_lazy;

	do {
		purge_vmap_area_lazy(t, v);
		nr_lazy = v->design->drain_loops ? vmap_lazy_read(t, v) : 0;
	} while (nr_lazy > v->lazy_max_pages);
}

void vmalloc_init_work(struct vmap *v)
{
	v->drain_vmap_work.fn = drain_vmap_area_work;
}

static int alloc_vmap_area(struct task *t, struct vmap *v,
			   const struct vmap_request *req,
			   struct vmap_area *va)
{
	int err = v->design->alloc_vmap_area(t, v, req, va);

	if (err) {	/* overflow: purge what is lazily free, once */
		purge_vmap_area_lazy(t, v);
		err = v->design->alloc_vmap_area(t, v, req, va);
	}
	if (err)
		v->va_failed++;
	return err;
}

u64 vmalloc(struct task *t, struct vmap *v, u32 nr_pages)
{
	const struct vmap_request req = {
		.size = (nr_pages + 1) * PAGE_SIZE,	/* and a guard page */
		.align = 1,
		.vstart = v->vmalloc_start,
		.vend = v->vmalloc_end,
	};
	struct vmap_area *va;
	u64 addr;

	task_work(t, 2 * v->cost.slab);		/* vm_struct and vmap_area */
	va = va_cache_alloc(&v->va_cache, t->cpu);
	va->flags = 0;
	if (alloc_vmap_area(t, v, &req, va)) {
		va_cache_free(&v->va_cache, t->cpu, va);
		task_work(t, 2 * v->cost.slab);
		return 0;
	}
	addr = va->va_start;
	v->design->setup_vmalloc_vm(t, v, va);
	vmap_work(t, v, v->cost.alloc_work / 2);	/* pages */
	cond_resched(t);
	atomic_long_add(t, v->pages_line, &v->nr_vmalloc_pages, nr_pages);
	vmap_work(t, v, v->cost.alloc_work - v->cost.alloc_work / 2); /* map */
	return addr;
}

/* Unlinked and unmapped: count it, enter it, have it drained when due. */
static void free_vmap_area_noflush(struct task *t, struct vmap *v,
				   struct vmap_area *va)
{
	const u64 nr = va_size(va) >> PAGE_SHIFT;
	const u64 nr_lazy = atomic_long_add(t, v->lazy_line, &v->vmap_lazy_nr,
					    nr);

	if (nr_lazy > v->lazy_pages_max)
		v->lazy_pages_max = nr_lazy;
	v->design->insert_lazy(t, v, va);
	if (nr_lazy > v->lazy_max_pages)
		schedule_work(t, &v->drain_vmap_work);
}

void vfree(struct task *t, struct vmap *v, u64 addr)
{
	struct vmap_area *va = v->design->find_unlink_vmap_area(t, v, addr);
	u64 nr_pages;

	check_always(v->sim, va);		/* freed twice, or never ours */
	nr_pages = (va_size(va) >> PAGE_SHIFT) - 1;
	vmap_work(t, v, v->cost.free_work / 2);		/* unmap */
	free_vmap_area_noflush(t, v, va);
	vmap_work(t, v, v->cost.free_work - v->cost.free_work / 2);
	cond_resched(t);
	atomic_long_add(t, v->pages_line, &v->nr_vmalloc_pages, -nr_pages);
	task_work(t, v->cost.slab);		/* vm_struct */
}
