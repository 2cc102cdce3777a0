/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef WORKLOADS_WORKLOAD_H
#define WORKLOADS_WORKLOAD_H
/*
 * A workload: what the threads do. Each is one file in workloads/ and one line
 * in workloads.def. run() builds a fresh simulation from the parameters, runs
 * one replication of it and fills *out; it keeps nothing. Several may run in
 * one process at once.
 */
#include "sim/outcome.h"
#include "sim/param.h"

struct workload {
	const char *name, *help;
	const struct param_desc *params;	/* its own keys; NULL: none */
	bool needs_design;	/* false: no kernel model (lockloop) */
	/* 0, or -errno with a message of one line in err. */
	int (*run)(const struct param_set *p, u32 replication,
		   struct outcome *out, char *err, size_t err_size);
};

extern const struct workload *const workloads[];	/* NULL ends it */
const struct workload *workload_find(const char *name);
/* Keys common to all workloads (nr_threads, placement, loops, warmup, ...). */
extern const struct param_desc workload_params[];

#endif
