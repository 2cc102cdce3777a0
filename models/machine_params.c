/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The keys of a .machine file. Those without a default have to be in the file
 * (or given by the user); a file is written in this order.
 */
#include "models/machine.h"

const struct param_desc machine_params[] = {
	/* --- topology and latencies ------------------------------------- */
	{
		.key = "topology",
		.type = PARAM_STRING,
		.help = "hwloc synthetic string, or a file of lstopo (.xml)",
		.source = "hwloc(7), lstopo(1)",
	}, {
		.key = "latency.smt",
		.type = PARAM_TIME,
		.min = 1,
		.max = PS_PER_S,
		.help = "line transfer between SMT siblings",
	}, {
		.key = "latency.llc",
		.type = PARAM_TIME,
		.min = 1,
		.max = PS_PER_S,
		.help = "line transfer inside one last-level cache",
	}, {
		.key = "latency.far",
		.type = PARAM_TIME,
		.min = 1,
		.max = PS_PER_S,
		.help = "line transfer between last-level caches",
	}, {
		.key = "latency.llc_matrix",
		.type = PARAM_STRING,
		.def = "",
		.help = "instead of llc and far: ns, caches by caches, "
			"as 23.1,91.0;91.0,23.4",
	}, {
		.key = "latency.bypass_max",
		.type = PARAM_INT,
		.def = "16",
		.min = 0,
		.max = 1000000,
		.help = "how often a waiting request may be passed by a "
			"nearer one",
		.source = "a hypothesis about hardware; 0 is arrival order",
	},
	{ .key = NULL }
};
