/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plain arrays from hwloc; no other file of the project includes it. */
#include "sim/topo.h"

#include <errno.h>
#include <hwloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((format(printf, 4, 5)))
static int fail(int error, char *err, size_t err_size, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(err, err_size, format, ap);
	va_end(ap);
	return error;
}

static bool is_xml(const char *text)
{
	size_t len = strlen(text);

	return len >= 4 && !strcmp(text + len - 4, ".xml");
}

/*
 * CPUs that a synthetic string asks for: the product of its levels' numbers.
 * Counted before hwloc sees it, which would build a million objects first.
 */
static u64 synthetic_cpus(const char *text)
{
	u64 product = 1;
	int depth = 0;

	for (const char *p = text; *p; p++) {
		u64 n = 0;

		if (*p == '(' || *p == '[')
			depth++;
		if (*p == ')' || *p == ']')
			depth--;
		if (depth || *p < '0' || *p > '9' ||
		    (p > text && p[-1] != ':' && p[-1] != ' '))
			continue;
		for (; *p >= '0' && *p <= '9'; p++)
			if (n <= TOPO_NR_CPUS_MAX)
				n = n * 10 + (u64)(*p - '0');
		if (product <= TOPO_NR_CPUS_MAX)
			product *= n;
		p--;
	}
	return product;
}

static int load_source(hwloc_topology_t hw, const char *text, char *err,
		       size_t err_size)
{
	if (is_xml(text)) {
		if (access(text, R_OK))
			return fail(errno == ENOENT ? -ENOENT : -EINVAL, err,
				    err_size, "%s: %s", text, strerror(errno));
		if (hwloc_topology_set_xml(hw, text))
			return fail(-EINVAL, err, err_size,
				    "%s: hwloc cannot read this as a topology",
				    text);
	} else {
		if (synthetic_cpus(text) > TOPO_NR_CPUS_MAX)
			return fail(-ERANGE, err, err_size,
				    "topology \"%.80s\" has too many CPUs, "
				    "expected at most %d", text,
				    TOPO_NR_CPUS_MAX);
		if (hwloc_topology_set_synthetic(hw, text))
			return fail(-EINVAL, err, err_size,
				    "topology \"%.80s\" is not understood, "
				    "expected levels as \"package:1 l3:8 "
				    "core:4 pu:2\" or an .xml file", text);
	}
	return 0;
}

static int load(hwloc_topology_t *hw, const char *text, char *err,
		size_t err_size)
{
	int ret;

	if (hwloc_topology_init(hw))
		return fail(-ENOMEM, err, err_size, "hwloc: out of memory");
	/* a file is of another machine: what this process may use is no matter */
	hwloc_topology_set_flags(*hw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
	ret = load_source(*hw, text, err, err_size);
	if (!ret && hwloc_topology_load(*hw))
		ret = fail(-EINVAL, err, err_size,
			   "topology \"%.80s\": hwloc refuses it", text);
	if (ret)
		hwloc_topology_destroy(*hw);
	return ret;
}

static hwloc_obj_t llc_of(hwloc_topology_t hw, hwloc_obj_t pu)
{
	hwloc_obj_t llc;

	llc = hwloc_get_ancestor_obj_by_type(hw, HWLOC_OBJ_L3CACHE, pu);
	if (llc)
		return llc;
	for (hwloc_obj_t up = pu->parent; up; up = up->parent)
		if (hwloc_obj_type_is_dcache(up->type))
			llc = up;	/* the outermost stays */
	if (!llc)
		llc = hwloc_get_ancestor_obj_by_type(hw, HWLOC_OBJ_PACKAGE, pu);
	return llc ? llc : hwloc_get_root_obj(hw);
}

static hwloc_obj_t node_of(hwloc_topology_t hw, hwloc_obj_t pu)
{
	hwloc_obj_t node = NULL;

	while ((node = hwloc_get_next_obj_by_type(hw, HWLOC_OBJ_NUMANODE,
						  node)))
		if (hwloc_bitmap_isincluded(pu->cpuset, node->cpuset))
			return node;
	return hwloc_get_root_obj(hw);
}

static hwloc_obj_t core_of(hwloc_topology_t hw, hwloc_obj_t pu)
{
	hwloc_obj_t core;

	core = hwloc_get_ancestor_obj_by_type(hw, HWLOC_OBJ_CORE, pu);
	return core ? core : pu;
}

static hwloc_obj_t package_of(hwloc_topology_t hw, hwloc_obj_t pu)
{
	hwloc_obj_t package;

	package = hwloc_get_ancestor_obj_by_type(hw, HWLOC_OBJ_PACKAGE, pu);
	return package ? package : hwloc_get_root_obj(hw);
}

/*
 * Numbers the objects that the first n CPUs, in order, lie in: a new object
 * gets the next number.
 */
static u32 number_objs(hwloc_topology_t hw, hwloc_obj_t *pu, u32 n, u32 *out,
		       hwloc_obj_t (*of)(hwloc_topology_t, hwloc_obj_t))
{
	hwloc_obj_t *seen = calloc(n, sizeof(*seen));
	u32 nr = 0;

	for (u32 cpu = 0; seen && cpu < n; cpu++) {
		hwloc_obj_t obj = of(hw, pu[cpu]);
		u32 i = nr;

		while (i && seen[i - 1] != obj)
			i--;
		if (!i) {
			seen[nr++] = obj;
			i = nr;
		}
		out[cpu] = i - 1;
	}
	free(seen);
	return nr;		/* 0: no memory */
}

/* CPUs in Linux' order: every core's first thread, then the second ones. */
static u32 order_pus(hwloc_topology_t hw, hwloc_obj_t *pu)
{
	u32 total = (u32)hwloc_get_nbobjs_by_type(hw, HWLOC_OBJ_PU), nr = 0;

	for (u32 thread = 0; nr < total; thread++) {
		hwloc_obj_t p = NULL, core = NULL;
		u32 rank = 0;

		while ((p = hwloc_get_next_obj_by_type(hw, HWLOC_OBJ_PU, p))) {
			hwloc_obj_t c = core_of(hw, p);

			rank = c == core ? rank + 1 : 0;
			core = c;
			if (rank == thread)
				pu[nr++] = p;
		}
	}
	return nr;
}

static int fill(struct topo *t, hwloc_topology_t hw)
{
	u32 n = t->nr_cpus;
	hwloc_obj_t *pu = calloc(n, sizeof(*pu));

	t->core = calloc(n, sizeof(u32));
	t->llc = calloc(n, sizeof(u32));
	t->node = calloc(n, sizeof(u32));
	t->package = calloc(n, sizeof(u32));
	if (pu && t->core && t->llc && t->node && t->package) {
		order_pus(hw, pu);
		t->nr_cores = number_objs(hw, pu, n, t->core, core_of);
		t->nr_llcs = number_objs(hw, pu, n, t->llc, llc_of);
		t->nr_nodes = number_objs(hw, pu, n, t->node, node_of);
		t->nr_packages = number_objs(hw, pu, n, t->package, package_of);
		t->llc_ps = calloc((size_t)t->nr_llcs * t->nr_llcs,
				   sizeof(*t->llc_ps));
	}
	free(pu);
	return t->nr_cores && t->nr_llcs && t->nr_nodes && t->nr_packages &&
	       t->llc_ps ? 0 : -ENOMEM;
}

int topo_init(struct topo *t, const char *text, char *err, size_t err_size)
{
	hwloc_topology_t hw;
	int ret, nr;

	memset(t, 0, sizeof(*t));
	ret = load(&hw, text, err, err_size);
	if (ret)
		return ret;
	nr = hwloc_get_nbobjs_by_type(hw, HWLOC_OBJ_PU);
	if (nr < 1 || nr > TOPO_NR_CPUS_MAX) {
		ret = fail(-ERANGE, err, err_size,
			   "topology \"%.80s\" has %d CPUs, expected 1 to %d",
			   text, nr, TOPO_NR_CPUS_MAX);
	} else {
		t->nr_cpus = (u32)nr;
		ret = fill(t, hw);
		if (ret) {
			topo_free(t);
			fail(ret, err, err_size, "out of memory");
		}
	}
	hwloc_topology_destroy(hw);
	return ret;
}

void topo_free(struct topo *t)
{
	free(t->core);
	free(t->llc);
	free(t->node);
	free(t->package);
	free(t->llc_ps);
	memset(t, 0, sizeof(*t));
}
