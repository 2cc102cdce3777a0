/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STUDY_BASE_H
#define STUDY_BASE_H
/*
 * What scenarios with the same design, workload and machine share: the set of
 * keys with their defaults, and the machine's file. Private to scenario.c and
 * plan.c, which makes many scenarios from few bases.
 */
#include "models/machine.h"
#include "models/vmap.h"
#include "study/scenario.h"
#include "workloads/workload.h"

/* One table of descriptors for a design's lock.NAME keys. */
struct lock_keys {
	unsigned int refs;
	struct param_desc *desc;	/* ends in a NULL key */
	char *text;			/* the keys */
};

struct scenario_base {
	char *design, *workload, *machine;	/* as the user wrote them */
	const struct workload *w;
	const struct vmap_design *d;	/* NULL: the workload has no model */
	struct lock_keys *locks;
	struct param_set defaults;
	struct machine_file file;
};

/* The last assignment of key, or NULL. */
const struct assignment *assignment_find(const struct assignment *a, size_t nr,
					 const char *key);
/*
 * Makes b the base for these assignments; does nothing when it is already.
 * Start from a zeroed one. Errors as scenario_init; b is then empty.
 */
int base_update(struct scenario_base *b, const struct assignment *a,
		size_t nr, struct scenario_error *err);
void base_free(struct scenario_base *b);

struct lock_keys *lock_keys_get(struct lock_keys *k);
void lock_keys_put(struct lock_keys *k);

/*
 * A scenario on a base. used: NULL, or an array by assignment. With it, keys
 * of a design or workload that this scenario does not use are left out, and
 * used[i] is set for the others.
 */
int scenario_init_on(struct scenario *s, const struct scenario_base *b,
		     const struct assignment *a, size_t nr, bool *used,
		     struct scenario_error *err);

/* For messages: where the key or the value of a stands. Return rc. */
__attribute__((format(printf, 4, 5)))
int scenario_refuse_key(struct scenario_error *err, const struct assignment *a,
			int rc, const char *fmt, ...);
/* at: offset in the value. a may be NULL: a default was wrong. */
__attribute__((format(printf, 5, 6)))
int scenario_refuse_value(struct scenario_error *err,
			  const struct assignment *a, size_t at, int rc,
			  const char *fmt, ...);
/* An unknown key, or one of a design or workload that is not in use. */
int scenario_refuse_stray(struct scenario_error *err,
			  const struct assignment *a,
			  const struct scenario_base *b);

#endif
