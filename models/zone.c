/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * zone: the per-CPU-zone series of May 2023 on v6.3 ("Mitigate a vmap lock
 * contention", 0/9): what its patches do.
 *
 * Every possible CPU has a zone with three sets: FREE (prefetched blocks, used
 * by the CPU that runs), BUSY and LAZY (by address: consecutive stretches of
 * cvz_size bytes belong to consecutive zones).
 *
 *   alloc   zone[cpu].FREE         first fit in the prefetched block
 *           (free_vmap_area_lock, zone[cpu].FREE: fill with cvz_size bytes)
 *           zone[addr].BUSY        insert, and again to bind the descriptor
 *   free    zone[addr].BUSY        look up and unlink
 *           zone[addr].LAZY        insert, merging
 *   drain   each LAZY, then for each zone free_vmap_area_lock over its whole
 *           list, FREE, and free_vmap_area_lock for the dropped cache
 */
#include <errno.h>

#include "models/va_rb.h"
#include "models/vmap.h"

/* Below this many bytes left, a failed prefetched block is filled up. */
#define CVZ_LOW_WATERMARK (4 * PAGE_SIZE)
#define CVZ_SIZE_MAX	(4ull << 20)

struct rb_list {
	struct spinlock lock;
	struct va_tree tree;
};

/*
 * As the structure lies: three times {root 8, list 16, lock 8}, then
 * purge_list and fill_in_progress: FREE and BUSY on the first line, LAZY and
 * the rest on the second.
 */
struct cpu_vmap_zone {
	struct line *first, *second;
	struct rb_list free, busy, lazy;
	struct vmap_area *purge_list;
	bool fill_in_progress;
};

struct zone {
	struct cpu_vmap_zone *cvz;	/* [nr_possible] */
	u64 cvz_size;			/* ~0: the feature is off */
	struct line *free_line;
	struct spinlock free_vmap_area_lock;
	struct va_tree free;
	struct vmap_area **ne_fit_preload_node;	/* [nr_cpus] */
	bool drop_cache;
};

static const struct param_desc zone_params[] = {
	{ .key = "zone.size", .type = PARAM_PAGES, .def = "0 pages",
	  .min = 0, .max = 1 << 20,
	  .help = "bytes of a zone and of a prefetch; 0: by possible CPUs",
	  .source = "fls(possible CPUs) * 100 pages, at most 4M: v1 series,"
		    " patch 4/9" },
	{ .key = "zone.drop_cache", .type = PARAM_BOOL, .def = "on",
	  .help = "a purge empties every CPU's prefetched block",
	  .source = "drop_cpu_vmap_cache(): v1 series" },
	{ .key = NULL }
};

static u64 calculate_cvz_size(u32 nr_possible)
{
	u64 size;

	if (nr_possible <= 1)
		return ~0ull;
	size = (32 - (u32)__builtin_clz(nr_possible)) * 100 * PAGE_SIZE;
	return size < CVZ_SIZE_MAX ? size : CVZ_SIZE_MAX;
}

static void init_list(struct vmap *v, struct rb_list *l, const char *name,
		      bool augmented, struct line *line)
{
	vmap_lock_init(v, &l->lock, name, line);
	va_tree_init(v, &l->tree, augmented, name, line, line);
}

static void zone_init(struct vmap *v, const struct param_set *p)
{
	struct zone *z = sim_alloc(v->sim, sizeof(*z));
	const u64 size = (u64)param_num(p, "zone.size") * PAGE_SIZE;

	v->priv = z;
	z->cvz_size = size ? size : calculate_cvz_size(v->nr_possible);
	z->drop_cache = param_num(p, "zone.drop_cache");
	z->cvz = sim_alloc(v->sim, v->nr_possible * sizeof(*z->cvz));
	for (u32 i = 0; i < v->nr_possible; i++) {
		struct cpu_vmap_zone *cvz = &z->cvz[i];

		cvz->first = vmap_line(v, "cpu_vmap_zone.FREE+BUSY");
		cvz->second = vmap_line(v, "cpu_vmap_zone.LAZY"
					"+fill_in_progress");
		init_list(v, &cvz->free, "FREE.lock", true, cvz->first);
		init_list(v, &cvz->busy, "BUSY.lock", false, cvz->first);
		init_list(v, &cvz->lazy, "LAZY.lock", false, cvz->second);
	}
	z->free_line = vmap_static_line(v, "free_vmap_area_lock");
	vmap_lock_init(v, &z->free_vmap_area_lock, "free_vmap_area_lock",
		       z->free_line);
	va_tree_init(v, &z->free, true, "free_vmap_area_root",
		     vmap_static_line(v, "free_vmap_area_root"), NULL);
	z->ne_fit_preload_node = sim_alloc(v->sim, v->sim->nr_cpus *
					   sizeof(*z->ne_fit_preload_node));
	va_tree_seed(v, &z->free, v->vmalloc_start, v->vmalloc_end);
}

static struct cpu_vmap_zone *addr_to_cvz(const struct vmap *v,
					 const struct zone *z, u64 addr)
{
	return &z->cvz[addr / z->cvz_size % v->nr_possible];
}

/* __alloc_vmap_area() on the global heap, with its preloaded object. */
static u64 global_alloc(struct task *t, struct vmap *v, struct zone *z,
			u64 size, u64 align, u64 vstart, u64 vend)
{
	struct vmap_area **slot = &z->ne_fit_preload_node[t->cpu->id];
	u64 addr;

	task_work(t, v->cost.preload);
	if (!*slot) {
		*slot = va_cache_alloc(&v->va_cache, t->cpu);
		task_work(t, v->cost.slab);
	}
	spin_lock(t, &z->free_vmap_area_lock);
	addr = va_alloc(t, v, &z->free, size, align, vstart, vend, slot);
	spin_unlock(t, &z->free_vmap_area_lock);
	return addr;
}

/*
 * Take cvz_size bytes from the bottom of the global heap and cut the request
 * out of it. Only one filler at a time; the others go global.
 */
static u64 cpu_zone_fill(struct task *t, struct vmap *v, struct zone *z,
			 struct cpu_vmap_zone *cvz,
			 const struct vmap_request *req)
{
	struct vmap_area *va, *extra = NULL;
	u64 addr;

	line_rmw(t->cpu, cvz->second);		/* atomic_xchg */
	if (cvz->fill_in_progress)
		return req->vend;
	cvz->fill_in_progress = true;
	task_work(t, v->cost.slab);
	va = va_cache_alloc(&v->va_cache, t->cpu);
	addr = global_alloc(t, v, z, z->cvz_size, 1, req->vstart, req->vend);
	if (addr == req->vend) {
		va_cache_free(&v->va_cache, t->cpu, va);
	} else {
		va_write(t, v, va, VA_OFF_KEY);
		va->va_start = addr;
		va->va_end = addr + z->cvz_size;
		va->flags = 0;
		spin_lock(t, &cvz->free.lock);
		merge_or_add_vmap_area(t, v, &cvz->free.tree, va);
		addr = va_alloc(t, v, &cvz->free.tree, req->size, req->align,
				req->vstart, req->vend, &extra);
		spin_unlock(t, &cvz->free.lock);
	}
	line_write(t->cpu, cvz->second);
	cvz->fill_in_progress = false;
	return addr;
}

static u64 this_cpu_zone_alloc(struct task *t, struct vmap *v, struct zone *z,
			       const struct vmap_request *req)
{
	struct cpu_vmap_zone *cvz = &z->cvz[t->cpu->id];
	const u64 extra = req->align > PAGE_SIZE ? req->align : 0;
	struct vmap_area *none = NULL;
	u64 left = 0, addr = req->vend;

	if (req->vstart != v->vmalloc_start || req->vend != v->vmalloc_end ||
	    z->cvz_size == ~0ull || z->cvz_size / (req->size + extra) < 3)
		return req->vend;
	line_read(t->cpu, cvz->first);		/* RB_EMPTY_ROOT, unlocked */
	if (cvz->free.tree.root) {
		spin_lock(t, &cvz->free.lock);
		addr = va_alloc(t, v, &cvz->free.tree, req->size, req->align,
				req->vstart, req->vend, &none);
		if (addr == req->vend)
			left = va_tree_max(t, v, &cvz->free.tree);
		spin_unlock(t, &cvz->free.lock);
	}
	if (addr == req->vend && left < CVZ_LOW_WATERMARK)
		addr = cpu_zone_fill(t, v, z, cvz, req);
	return addr;
}

static int zone_alloc_vmap_area(struct task *t, struct vmap *v,
				const struct vmap_request *req,
				struct vmap_area *va)
{
	struct zone *z = v->priv;
	struct cpu_vmap_zone *cvz;
	u64 addr = this_cpu_zone_alloc(t, v, z, req);

	if (addr == req->vend)
		addr = global_alloc(t, v, z, req->size, req->align,
				    req->vstart, req->vend);
	if (addr == req->vend)
		return -EBUSY;

	va_write(t, v, va, VA_OFF_KEY);
	va->va_start = addr;
	va->va_end = addr + req->size;
	cvz = addr_to_cvz(v, z, addr);
	spin_lock(t, &cvz->busy.lock);
	insert_vmap_area(t, v, &cvz->busy.tree, va);
	spin_unlock(t, &cvz->busy.lock);
	return 0;
}

static void zone_setup_vmalloc_vm(struct task *t, struct vmap *v,
				  struct vmap_area *va)
{
	struct cpu_vmap_zone *cvz = addr_to_cvz(v, v->priv, va->va_start);

	spin_lock(t, &cvz->busy.lock);
	va_write(t, v, va, VA_OFF_MAX);		/* va->vm */
	spin_unlock(t, &cvz->busy.lock);
}

static struct vmap_area *zone_find_unlink_vmap_area(struct task *t,
						    struct vmap *v, u64 addr)
{
	struct cpu_vmap_zone *cvz = addr_to_cvz(v, v->priv, addr);
	struct vmap_area *va;

	spin_lock(t, &cvz->busy.lock);
	va = find_vmap_area(t, v, &cvz->busy.tree, addr);
	if (va)
		unlink_va(t, v, &cvz->busy.tree, va);
	spin_unlock(t, &cvz->busy.lock);
	return va;
}

static void zone_insert_lazy(struct task *t, struct vmap *v,
			     struct vmap_area *va)
{
	struct cpu_vmap_zone *cvz = addr_to_cvz(v, v->priv, va->va_start);

	spin_lock(t, &cvz->lazy.lock);
	merge_or_add_vmap_area(t, v, &cvz->lazy.tree, va);
	spin_unlock(t, &cvz->lazy.lock);
}

/* Merge a detached list into the global heap: one hold, no yield. */
static u64 merge_list(struct task *t, struct vmap *v, struct zone *z,
		      struct vmap_area *va, bool lazy)
{
	struct vmap_area *next;
	u64 nr = 0;

	spin_lock(t, &z->free_vmap_area_lock);
	for (; va; va = next, nr++) {
		const u64 pages = va_size(va) >> PAGE_SHIFT;

		va_read(t, v, va, VA_OFF_LIST);
		next = va->next;
		merge_or_add_vmap_area(t, v, &z->free, va);
		if (lazy)
			vmap_lazy_sub(t, v, pages);
	}
	spin_unlock(t, &z->free_vmap_area_lock);
	return nr;
}

static void drop_cpu_vmap_cache(struct task *t, struct vmap *v,
				struct zone *z, struct cpu_vmap_zone *cvz)
{
	struct vmap_area *va;

	line_read(t->cpu, cvz->first);		/* RB_EMPTY_ROOT, unlocked */
	if (!cvz->free.tree.root)
		return;
	spin_lock(t, &cvz->free.lock);
	va = va_tree_splice(t, v, &cvz->free.tree, NULL);
	spin_unlock(t, &cvz->free.lock);
	if (va)
		merge_list(t, v, z, va, false);
}

static u64 zone_purge(struct task *t, struct vmap *v)
{
	struct zone *z = v->priv;
	u64 start = ~0ull, end = 0, nr = 0;

	for (u32 i = 0; i < v->nr_possible; i++) {
		struct cpu_vmap_zone *cvz = &z->cvz[i];
		struct vmap_area *last = NULL;

		cvz->purge_list = NULL;
		line_read(t->cpu, cvz->second);	/* RB_EMPTY_ROOT, unlocked */
		if (!cvz->lazy.tree.root)
			continue;
		spin_lock(t, &cvz->lazy.lock);
		cvz->purge_list = va_tree_splice(t, v, &cvz->lazy.tree, &last);
		spin_unlock(t, &cvz->lazy.lock);
		if (!cvz->purge_list)
			continue;
		if (cvz->purge_list->va_start < start)
			start = cvz->purge_list->va_start;
		if (last->va_end > end)
			end = last->va_end;
	}
	if (end)
		flush_tlb_kernel_range(t, v, start, end);
	for (u32 i = 0; end && i < v->nr_possible; i++) {
		if (z->cvz[i].purge_list)
			nr += merge_list(t, v, z, z->cvz[i].purge_list, true);
		z->cvz[i].purge_list = NULL;
		if (z->drop_cache)
			drop_cpu_vmap_cache(t, v, z, &z->cvz[i]);
	}
	return nr;
}

static void zone_for_each_va(struct vmap *v,
			     void (*fn)(void *arg, const struct vmap_area *va,
					enum va_set set), void *arg)
{
	struct zone *z = v->priv;

	va_tree_for_each(v, &z->free, VA_FREE, fn, arg);
	for (u32 i = 0; i < v->nr_possible; i++) {
		va_tree_for_each(v, &z->cvz[i].free.tree, VA_FREE, fn, arg);
		va_tree_for_each(v, &z->cvz[i].busy.tree, VA_BUSY, fn, arg);
		va_tree_for_each(v, &z->cvz[i].lazy.tree, VA_LAZY, fn, arg);
	}
}

static const char *const zone_locks[] = {
	"free_vmap_area_lock", "FREE.lock", "BUSY.lock", "LAZY.lock", NULL
};

const struct vmap_design design_zone = {
	.name = "zone",
	.kernel = "per-CPU-zone series v1, May 2023, on v6.3",
	.help = "per-CPU zones: prefetched blocks, busy and lazy by address",
	.text =
"Each CPU allocates from a block of cvz_size bytes that it takes from the\n"
"bottom of the global heap; busy and lazily freed areas are kept in the zone\n"
"that their address belongs to, which is seldom the CPU's own. Requests above\n"
"a third of cvz_size go to the global heap. The drain worker makes one pass\n"
"over all zones, merges without yielding and empties every CPU's block.\n"
"\n"
"Not modelled: as for `global`; vread() across zones (the series lacks it).\n",
	.params = zone_params,
	.locks = zone_locks,
	.init = zone_init,
	.alloc_vmap_area = zone_alloc_vmap_area,
	.setup_vmalloc_vm = zone_setup_vmalloc_vm,
	.find_unlink_vmap_area = zone_find_unlink_vmap_area,
	.insert_lazy = zone_insert_lazy,
	.purge = zone_purge,
	.for_each_va = zone_for_each_va,
};
