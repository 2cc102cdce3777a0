/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys of the scenario itself: what is run, on what, and how often. */
#include "study/scenario.h"

#define LOCK(name) #name,

const struct param_desc scenario_params[] = {
	{
		.key = "design", .type = PARAM_STRING, .def = "global",
		.help = "vmap design, see vmapsim list designs",
	}, {
		.key = "workload", .type = PARAM_STRING, .def = "pair",
		.help = "what the threads do, see vmapsim list workloads",
	}, {
		.key = "machine", .type = PARAM_STRING,
		.def = "threadripper-3970x",
		.help = "name of a machine, or path of a .machine file",
	}, {
		.key = "lock", .type = PARAM_ENUM, .def = "qspinlock",
		.choices = {
#include "sim/locks.def"
		},
		.help = "algorithm of all spinlocks of the model",
		.source = "qspinlock: x86 since v4.2, arm64 since v4.19",
	}, {
		.key = "coherence", .type = PARAM_BOOL, .def = "on",
		.help = "off: cache lines cost nothing, locks are ideal FIFOs",
	}, {
		.key = "seed", .type = PARAM_INT, .def = "1",
		.min = 0, .max = INT64_MAX,
		.help = "of all random numbers; variants compared share it",
	}, {
		.key = "replications", .type = PARAM_INT, .def = "5",
		.min = 1, .max = 10000,
		.help = "independent repetitions; with ci the least number",
	}, {
		.key = "ci", .type = PARAM_PPM, .def = "0%",
		.min = 0, .max = 500000,
		.help = "replicate until pair_ns's 95% half-width is this; "
			"0%: don't",
	},
	{ 0 }
};

/* Stands for lock.NAME of any lock class; without a value it follows `lock`. */
const struct param_desc lock_params[] = {
	{
		.key = "lock.NAME", .type = PARAM_ENUM,
		.choices = {
#include "sim/locks.def"
		},
		.help = "algorithm of one class of locks, see "
			"vmapsim list locks -v",
	},
	{ 0 }
};
