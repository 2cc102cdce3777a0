/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_TOPO_H
#define SIM_TOPO_H
/*
 * Topology: which core, last-level cache, NUMA node and package each CPU lies
 * in, and what a line transfer between two CPUs costs. Plain arrays, made once
 * (from hwloc; only topo.c knows it), read by the engine.
 *
 * CPUs are numbered as Linux numbers them: first the first thread of every
 * core in order, then the second threads (CPU i and i + nr_cores are siblings).
 */
#include "sim/types.h"

#define TOPO_NR_CPUS_MAX	4096

struct topo {
	u32 nr_cpus, nr_cores, nr_llcs, nr_nodes, nr_packages;
	u32 *core, *llc, *node, *package;	/* [nr_cpus], owned */
	ps_t smt_ps;		/* transfer between SMT siblings */
	ps_t *llc_ps;		/* [nr_llcs * nr_llcs]; diagonal: in a cache */
};

enum placement { PLACE_SPREAD, PLACE_PACKED, PLACE_SMT, PLACE_SCHEDULER };

static inline ps_t topo_transfer(const struct topo *t, u32 a, u32 b)
{
	if (t->core[a] == t->core[b])
		return t->smt_ps;
	return t->llc_ps[(size_t)t->llc[a] * t->nr_llcs + t->llc[b]];
}

/*
 * A last-level cache is an L3; on a machine without one the outermost cache
 * that a CPU has, or else its package. Cores, caches, nodes and packages are
 * numbered in hwloc's logical order.
 *
 * From an hwloc synthetic string ("package:1 l3:8 core:4 pu:2") or, when text
 * ends in ".xml", from a file as lstopo writes it. llc_ps and smt_ps are left
 * zero for the caller. 0, -EINVAL (hwloc refuses it), -ERANGE (more than
 * TOPO_NR_CPUS_MAX CPUs), -ENOENT, -ENOMEM; why in err.
 */
int topo_init(struct topo *t, const char *text, char *err, size_t err_size);
void topo_free(struct topo *t);
/*
 * CPUs for n threads, cpu[n]; more threads than CPUs wrap around.
 * SPREAD: a core of each last-level cache round robin, then the second cores,
 * SMT siblings last. PACKED: core by core, cache by cache, socket by socket,
 * siblings last inside the socket. SMT: as packed, siblings first. SCHEDULER:
 * SPREAD with imperfections, drawn from seed: a thread goes to the least loaded
 * last-level cache with probability 7/8, else to a random one with an idle
 * core; in it to the first idle core, else the first idle sibling. The 7/8 is
 * an assumption, not a measurement. Prefixes agree: the placement of n threads
 * begins with that of n - 1. 0 or -ENOMEM.
 */
int topo_place(const struct topo *t, enum placement how, u32 n, u64 seed,
	       u32 *cpu);

#endif
