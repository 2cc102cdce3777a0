/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODELS_VMAP_H
#define MODELS_VMAP_H
/*
 * The kernel's vmap layer: what all designs share. A design is one file and
 * one line in models.def; it says how an area of address space is found,
 * entered, looked up, lazily freed and purged. Everything around it (the
 * descriptor, pages, page tables, the two shared counters) is vmalloc.c here.
 *
 * Kernel names are kept; times and lines come from the primitives in sim/.
 */
#include "models/va_tree.h"
#include "sim/param.h"
#include "sim/spinlock.h"

#define PAGE_SHIFT	12
#define PAGE_SIZE	(1ull << PAGE_SHIFT)

struct vmap;
struct vmap_internals;

/* A request for address space, as alloc_vmap_area() gets it. */
struct vmap_request {
	u64 size;		/* bytes, guard page included */
	u64 align;		/* bytes, power of two; 1 for vmalloc */
	u64 vstart, vend;	/* range */
};

struct vmap_design {
	const char *name;	/* "global" */
	const char *kernel;	/* "v6.3 .. v6.8", or the series */
	const char *help;	/* one line */
	const char *text;	/* a page for `list designs -v` */
	const struct param_desc *params;	/* its own keys; NULL: none */
	const char *const *locks;	/* names of its locks; NULL ends it */

	/* Builds v->priv; all memory from sim_alloc(). */
	void (*init)(struct vmap *v, const struct param_set *p);
	/* 0, or -EBUSY without room. va->va_start is set. */
	int (*alloc_vmap_area)(struct task *t, struct vmap *v,
			       const struct vmap_request *req,
			       struct vmap_area *va);
	/* Bind the descriptor to an area in the busy set. */
	void (*setup_vmalloc_vm)(struct task *t, struct vmap *v,
				 struct vmap_area *va);
	/* Look up and take out of the busy set; NULL if it is not there. */
	struct vmap_area *(*find_unlink_vmap_area)(struct task *t,
						   struct vmap *v, u64 addr);
	/* Enter into the lazily freed set; the caller has counted it. */
	void (*insert_lazy)(struct task *t, struct vmap *v,
			    struct vmap_area *va);
	/* One purge of everything lazily freed; returns areas or chunks. */
	u64 (*purge)(struct task *t, struct vmap *v);
	/* The drain worker purges until below the limit (false: once). */
	bool drain_loops;
	/* For the checkers: every area, free, busy and lazy, of every set. */
	void (*for_each_va)(struct vmap *v,
			    void (*fn)(void *arg, const struct vmap_area *va,
				       enum va_set set), void *arg);
};

extern const struct vmap_design *const vmap_designs[];	/* NULL ends it */
const struct vmap_design *vmap_design_find(const char *name);
/* Keys common to all designs (vmap.*, layout.*). */
extern const struct param_desc vmap_params[];

struct vmap_costs {		/* ps; machine keys cost.* */
	ps_t slab;		/* alloc or free of one object, CPU-local */
	ps_t alloc_work;	/* of vmalloc() outside slab and vmap */
	ps_t free_work;		/* of vfree(), likewise */
	ps_t preload;		/* check of the CPU's preloaded object */
	ps_t tree_node;		/* visit of a tree node that is in cache */
	ps_t tlb_flush;		/* handler of a full kernel TLB flush */
	u32 jitter_ppm;		/* of private work, half the width */
};

struct vmap {
	struct sim *sim;
	const struct vmap_design *design;
	struct vmap_costs cost;
	struct va_cache va_cache;	/* vmap_area_cachep */
	struct line *lazy_line, *pages_line;	/* may be one and the same */
	struct line *statics_line;	/* locks and roots; NULL: apart */
	u64 vmap_lazy_nr;		/* pages */
	u64 nr_vmalloc_pages;
	u64 lazy_max_pages;
	u64 vmalloc_start, vmalloc_end;
	struct work drain_vmap_work;
	u32 *online;			/* CPUs that a TLB flush goes to */
	u32 nr_online, nr_possible;
	struct rng *jitter;		/* [nr_cpus] */
	const struct lock_ops *(*lock_choice)(const struct vmap *v,
					      const char *lock);
	const struct param_set *params;
	u64 purges, va_failed, lazy_pages_max;
	struct vmap_internals *internals;
	void *priv;
};

/* Everything from sim_alloc(); p is borrowed. 0 or -EINVAL, -ENOMEM. */
int vmap_init(struct vmap *v, struct sim *s, const struct vmap_design *d,
	      const struct param_set *p);
/* Algorithm for a lock of the model: lock.NAME, else lock. */
void vmap_lock_init(struct vmap *v, struct spinlock *l, const char *name,
		    struct line *line);
struct line *vmap_line(struct vmap *v, const char *name);
/*
 * Line of one of the file's zero-initialised static variables: which of them
 * lie together is `layout.statics`.
 */
struct line *vmap_static_line(struct vmap *v, const char *name);

/* Address of nr pages with a guard page behind, or 0. */
u64 vmalloc(struct task *t, struct vmap *v, u32 nr_pages);
void vfree(struct task *t, struct vmap *v, u64 addr);

/* ---- for designs ---- */

/* atomic_long_sub(nr, &vmap_lazy_nr); unlocked read of it. */
void vmap_lazy_sub(struct task *t, struct vmap *v, u64 nr);
u64 vmap_lazy_read(struct task *t, struct vmap *v);
void flush_tlb_kernel_range(struct task *t, struct vmap *v, u64 start,
			    u64 end);
/* Private work with the workload's jitter. */
void vmap_work(struct task *t, struct vmap *v, ps_t ps);

/*
 * After all workers have ended: areas do not overlap, every page of the range
 * is in exactly one set, counters agree. Returns the number of faults and
 * describes the first in buf.
 */
u32 vmap_check(struct vmap *v, char *buf, size_t size);

#endif
