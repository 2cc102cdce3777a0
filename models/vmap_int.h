/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef MODELS_VMAP_INT_H
#define MODELS_VMAP_INT_H
/* What vmap.c makes and vmalloc.c uses; designs see models/vmap.h only. */
#include "models/vmap.h"
#include "sim/mutex.h"

struct vmap_internals {
	struct mutex vmap_purge_lock;
};

static inline struct vmap_internals *vmap_int(const struct vmap *v)
{
	return v->internals;
}

/* Fills in v->drain_vmap_work. */
void vmalloc_init_work(struct vmap *v);

#endif
