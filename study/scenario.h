/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STUDY_SCENARIO_H
#define STUDY_SCENARIO_H
/*
 * A scenario: all parameters of one run, every default filled in, hashable.
 * Made from assignments (of a .job section, then of --set, in that order); the
 * machine file's values stand below what the user gave.
 *
 * Order of precedence: --set, the .job's section, its [defaults], the machine
 * file, the descriptor's default.
 *
 * A scenario holds the keys that are in use: its own (study/params.c), those
 * of its workload, machine and, if the workload has a kernel model, design.
 */
#include "results/result.h"
#include "sim/param.h"

struct assignment {
	char *key, *value;	/* value may be a list (an axis) */
	char *file;		/* where it stands; NULL: the command line */
	size_t line, key_col, value_col;	/* 1-based; 0 unknown */
};

struct lock_keys;		/* descriptors of lock.NAME, shared, counted */

struct scenario {
	struct param_set params;
	char key[33];		/* hash of canonical params and model version */
	struct lock_keys *locks;	/* that params points into, or NULL */
};

struct scenario_error {		/* points at what was wrong */
	const char *file;	/* NULL: the command line; an assignment's */
	size_t line, col;	/* 1-based, 0 unknown; line: which --set */
	char text[400];		/* found, expected, nearest: one line */
};

#define SCENARIO_NO_DESIGN "-"	/* design, for a workload without one */

/* The scenario's own keys: design, workload, machine, seed, lock, ... */
extern const struct param_desc scenario_params[];
/* One entry, "lock.NAME": the algorithm of a lock class of the design. */
extern const struct param_desc lock_params[];

struct param_table {
	const struct param_desc *desc;
	const char *room;	/* scenario lock workload design machine */
	const char *name;	/* whose own keys they are; NULL: of all */
};
/*
 * All tables of all rooms, those without a key left out. For list, help,
 * completion. The array is the caller's to free(); NULL: no memory.
 */
struct param_table *scenario_tables(size_t *nr);
/* Descriptor of a key, whichever table it is in (lock.x: lock.NAME's). */
const struct param_desc *scenario_desc(const char *key);

/*
 * Single values only: a list is -EINVAL with a hint to `vmapsim sweep`. Of
 * several assignments of a key the last one counts. Errors: unknown key,
 * design, workload, machine or value; loops with duration; keys of a design or
 * workload that is not in use. err->file points into a[].
 * 0, -EINVAL, -ENOENT, -ERANGE with *err filled in, or -ENOMEM.
 */
int scenario_init(struct scenario *s, const struct assignment *a, size_t nr,
		  struct scenario_error *err);
void scenario_free(struct scenario *s);
/* "key = value" lines of all parameters, as a .job's section has them. */
int scenario_print(const struct scenario *s, FILE *out);

/*
 * A plan: the cross product of all axes, in order: the last axis given varies
 * fastest. At most PLAN_NR_MAX points.
 */
#define PLAN_NR_MAX 1000000

struct plan {
	struct scenario *point;
	size_t nr;
};
/* Errors as scenario_init. */
int plan_init(struct plan *p, const struct assignment *a, size_t nr,
	      struct scenario_error *err);
void plan_free(struct plan *p);
/*
 * Moves the points of `more` behind those of p. 0, -ENOMEM or -E2BIG; `more`
 * is to be freed in any case.
 */
int plan_append(struct plan *p, struct plan *more);

/*
 * Lists: "1,2,4", ranges "1..32", steps "1..1024*2", "0..64+8", mixed by
 * commas. A unit stands behind each value, or behind the last one and holds
 * for all. The high end of a stepped range is part of it when a step meets it.
 * Items that are no ranges are passed on as they are. Returns the number of
 * items, *items (one block) is the caller's to free(); -EINVAL with err,
 * -ENOMEM.
 */
ssize_t axis_expand(const char *text, char ***items, struct param_error *err);
/* Does text, as a value of desc, name several? No for texts and TIMELISTs,
 * which may have commas of their own, but for names of designs and the like. */
bool axis_is_list(const struct param_desc *desc, const char *text);

/*
 * Run all replications of s in this process, in order, with sequential
 * stopping by `ci` (a function of the replications' prefix only).
 * r is filled in; 0 or -errno with r->error set. stop may become true from a
 * signal handler: then -EINTR, and nothing is to be stored.
 */
int study_run(const struct scenario *s, struct result *r,
	      const volatile int *stop);

#endif
