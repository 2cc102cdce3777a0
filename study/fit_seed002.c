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
		{ "cost.alloc_work", "280ns", "50ns", "500ns", "2ns" },
		{ "cost.preload", "20ns", "0ns", "60ns", "2ns" },
	},
	.effort = {
		{ "duration", "5ms" },
		{ "replications", "2" },
		{ "ci", "0%" },
	},
};
