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
	}, {
		.key = "latency.share_gap",
		.type = PARAM_TIME,
		.def = "15ns",
		.min = 0,
		.max = PS_PER_US,
		.help = "between two copies of a line that are sent out",
		.source = "slope of ticket locks in lockhammer: 7 to 13 ns a "
			  "waiter is half of it",
	}, {
		.key = "latency.probe_share",
		.type = PARAM_PPM,
		.def = "50%",
		.min = 0,
		.max = 1000000,
		.help = "part of a transfer until its owner loses the line",
		.source = "an assumption: request and probe take as long as "
			  "the data",
	}, {
		.key = "latency.arbitration",
		.type = PARAM_ENUM,
		.def = "nearest",
		.choices = { "nearest", "arrival" },
		.help = "whom a line serves next: the nearest request, or the first",
		.source = "a hypothesis about hardware",
	},
	{
		.key = "kernel.hypervisor",
		.type = PARAM_BOOL,
		.def = "no",
		.help = "a guest without paravirtual locks: the kernel's "
			"spinlocks test and set",
		.source = "virt_spin_lock(), x86 since v4.2",
	},
	{
		.key = "kernel.slice",
		.type = PARAM_TIME,
		.def = "3ms",
		.min = 1,
		.max = PS_PER_S,
		.help = "turn of a task that shares its CPU",
		.source = "CFS: 0.75 ms times 1 + log2 of at most 8 CPUs",
	},
	/* --- costs of the machine ----------------------------------------- */
	{
		.key = "cost.rmw",
		.type = PARAM_TIME,
		.min = 0,
		.max = PS_PER_MS,
		.help = "locked read-modify-write on a line that is owned",
	}, {
		.key = "cost.poll",
		.type = PARAM_TIME,
		.min = 0,
		.max = PS_PER_MS,
		.help = "from a line's change to the next read of its poller",
	}, {
		.key = "cost.dram",
		.type = PARAM_TIME,
		.min = 0,
		.max = PS_PER_MS,
		.help = "line that no cache holds",
	}, {
		.key = "cost.context_switch",
		.type = PARAM_TIME,
		.min = 0,
		.max = PS_PER_MS,
		.help = "from one task to another on a CPU",
	}, {
		.key = "cost.wakeup",
		.type = PARAM_TIME,
		.min = 0,
		.max = PS_PER_MS,
		.help = "of a task on an idle CPU, until it runs",
	}, {
		.key = "cost.ipi",
		.type = PARAM_TIME,
		.min = 0,
		.max = PS_PER_MS,
		.help = "interprocessor interrupt, one way",
	}, {
		.key = "cost.irq_handler",
		.type = PARAM_TIME,
		.min = 0,
		.max = PS_PER_MS,
		.help = "entry and exit of an interrupt handler",
	},
	/* --- costs of the kernel's steps on it ---------------------------- */
	{
		.key = "cost.tlb_flush",
		.type = PARAM_TIME,
		.min = 0,
		.max = PS_PER_MS,
		.help = "full flush of a CPU's TLB in the handler",
	}, {
		.key = "cost.slab",
		.type = PARAM_TIME,
		.min = 0,
		.max = PS_PER_MS,
		.help = "allocation or freeing of one object on its CPU",
	}, {
		.key = "cost.alloc_work",
		.type = PARAM_TIME,
		.min = 0,
		.max = PS_PER_MS,
		.help = "of vmalloc() outside slab and vmap locks",
	}, {
		.key = "cost.free_work",
		.type = PARAM_TIME,
		.min = 0,
		.max = PS_PER_MS,
		.help = "of vfree() outside slab and vmap locks",
	}, {
		.key = "cost.preload",
		.type = PARAM_TIME,
		.min = 0,
		.max = PS_PER_MS,
		.help = "look at the CPU's preloaded object",
	}, {
		.key = "cost.tree_node",
		.type = PARAM_TIME,
		.min = 0,
		.max = PS_PER_MS,
		.help = "visit of a tree node that is in the cache",
	},
	{ .key = NULL }
};
