/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Registry of workloads and the keys that all of them have. */
#include <string.h>

#include "workloads/workload.h"

#define WORKLOAD(name) extern const struct workload workload_##name;
#include "workloads/workloads.def"
#undef WORKLOAD

const struct workload *const workloads[] = {
#define WORKLOAD(name) &workload_##name,
#include "workloads/workloads.def"
#undef WORKLOAD
	NULL
};

const struct workload *workload_find(const char *name)
{
	for (size_t i = 0; workloads[i]; i++)
		if (!strcmp(workloads[i]->name, name))
			return workloads[i];
	return NULL;
}

const struct param_desc workload_params[] = {
	{ .key = "nr_threads", .type = PARAM_INT, .def = "1",
	  .min = 1, .max = 65536,
	  .help = "threads, each on a CPU of its own while there are enough" },
	{ .key = "placement", .type = PARAM_ENUM, .def = "spread",
	  .choices = { "spread", "packed", "smt", "scheduler" },
	  .help = "which CPUs the threads get" },
	{ .key = "start", .type = PARAM_ENUM, .def = "random",
	  .choices = { "random", "clustered", "scattered" },
	  .help = "order in which the threads begin, by last-level cache" },
	{ .key = "loops", .type = PARAM_INT, .def = "20000",
	  .min = 1, .max = 1000000000,
	  .help = "operations a thread in the measured window, on average" },
	{ .key = "duration", .type = PARAM_TIME, .def = "0ns",
	  .min = 0, .max = 1000ll * PS_PER_S,
	  .help = "length of the measured window instead of loops" },
	{ .key = "warmup", .type = PARAM_TIME, .def = "0ns",
	  .min = 0, .max = 1000ll * PS_PER_S,
	  .help = "left out before the window; found from the data unless"
		  " given" },
	{ .key = NULL }
};
