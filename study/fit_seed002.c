/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Costs of the Threadripper 3970X from the rows of seed002-pairs that
 * calibrate: what no source gives, the work of a pair outside of locks and
 * slab, and what a tree's node costs when it is cached.
 */
#include "study/calibrate.h"

const struct fit fit_seed002 = {
	.name = "seed002",
	.machine = "threadripper-3970x",
	.vcase = "seed002-pairs",
	.source = "fitted by `vmapsim calibrate` to global jobs 1..8, "
		  "zone job 1 of seed-v1-jobs.csv",
	.param = {
		/* key, start, least, most, step */
		{ "cost.alloc_work", "180ns", "20ns", "400ns", "1ns" },
		{ "cost.free_work", "180ns", "20ns", "400ns", "1ns" },
		{ "cost.preload", "10ns", "1ns", "60ns", "0.5ns" },
		{ "cost.tree_node", "2ns", "0.5ns", "12ns", "0.5ns" },
	},
	.effort = {
		{ "loops", "3000" },
		{ "replications", "2" },
		{ "ci", "0%" },
	},
};
