/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/cmocka_all.h"

#include <errno.h>
#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/topo.h"

#define THREADRIPPER "package:1 numa:1 l3:8 core:4 pu:2"

static void make(struct topo *t, const char *text)
{
	char err[200] = "";

	if (topo_init(t, text, err, sizeof(err)))
		fail_msg("%s: %s", text, err);
}

static void test_synthetic(void **state)
{
	struct topo t;

	(void)state;
	make(&t, THREADRIPPER);
	assert_int_equal(t.nr_cpus, 64);
	assert_int_equal(t.nr_cores, 32);
	assert_int_equal(t.nr_llcs, 8);
	assert_int_equal(t.nr_nodes, 1);
	assert_int_equal(t.nr_packages, 1);
	for (u32 cpu = 0; cpu < 64; cpu++) {
		assert_int_equal(t.core[cpu], cpu % 32);
		assert_int_equal(t.llc[cpu], cpu % 32 / 4);
		assert_int_equal(t.node[cpu], 0);
		assert_int_equal(t.package[cpu], 0);
	}
	topo_free(&t);
	make(&t, "package:2 [numa] l3:3 l2:2 core:1 pu:1");
	assert_int_equal(t.nr_cpus, 12);
	assert_int_equal(t.nr_llcs, 6);
	assert_int_equal(t.nr_nodes, 2);
	assert_int_equal(t.node[6], 1);
	assert_int_equal(t.package[5], 0);
	topo_free(&t);
	make(&t, "package:64 l3:8 core:8 pu:1");
	assert_int_equal(t.nr_cpus, TOPO_NR_CPUS_MAX);
	assert_int_equal(t.nr_llcs, 512);
	topo_free(&t);
}

/* What stands for the last-level cache where there is no L3. */
static void test_no_l3(void **state)
{
	struct topo t;

	(void)state;
	make(&t, "package:2 l2:2 l1d:2 core:1 pu:2");
	assert_int_equal(t.nr_llcs, 4);
	topo_free(&t);
	make(&t, "package:2 core:4 pu:1");
	assert_int_equal(t.nr_llcs, 2);
	topo_free(&t);
	make(&t, "pu:4");
	assert_int_equal(t.nr_llcs, 1);
	assert_int_equal(t.nr_cores, 4);
	topo_free(&t);
}

static void test_transfer(void **state)
{
	struct topo t;

	(void)state;
	make(&t, "package:1 l3:2 core:2 pu:2");
	t.smt_ps = 6500;
	t.llc_ps[0] = t.llc_ps[3] = 23500;
	t.llc_ps[1] = t.llc_ps[2] = 95000;
	assert_int_equal(topo_transfer(&t, 0, 4), 6500);
	assert_int_equal(topo_transfer(&t, 0, 1), 23500);
	assert_int_equal(topo_transfer(&t, 5, 0), 23500);
	assert_int_equal(topo_transfer(&t, 7, 0), 95000);
	topo_free(&t);
}

static void test_refusals(void **state)
{
	static const struct { const char *text; int error; } bad[] = {
		{ "package:1000 core:1000", -ERANGE },
		{ "pu:4097", -ERANGE },
		{ "package:1 l3:99999999999999999999999999", -ERANGE },
		{ "", -EINVAL },
		{ "cores:4", -EINVAL },
		{ "package:0", -EINVAL },
		{ "no-such-file.xml", -ENOENT },
		{ "/dev/null/x.xml", -EINVAL },
	};
	struct topo t;
	char err[200];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		err[0] = '\0';
		assert_int_equal(topo_init(&t, bad[i].text, err, sizeof(err)),
				 bad[i].error);
		assert_true(strlen(err) > 10);
		assert_null(strchr(err, '\n'));
	}
}

static const char *scratch(const char *name)
{
	static char path[4096];
	const char *dir = getenv("TEST_TMPDIR");

	snprintf(path, sizeof(path), "%s/%s", dir ? dir : ".", name);
	return path;
}

static void test_xml(void **state)
{
	const char *path = scratch("topo.xml");
	hwloc_topology_t hw;
	struct topo a, b;

	(void)state;
	assert_int_equal(hwloc_topology_init(&hw), 0);
	assert_int_equal(hwloc_topology_set_synthetic(hw, THREADRIPPER), 0);
	assert_int_equal(hwloc_topology_load(hw), 0);
	assert_int_equal(hwloc_topology_export_xml(hw, path, 0), 0);
	hwloc_topology_destroy(hw);
	make(&a, path);
	make(&b, THREADRIPPER);
	assert_int_equal(a.nr_cpus, b.nr_cpus);
	assert_int_equal(a.nr_llcs, b.nr_llcs);
	assert_memory_equal(a.core, b.core, 64 * sizeof(u32));
	assert_memory_equal(a.llc, b.llc, 64 * sizeof(u32));
	topo_free(&a);
	topo_free(&b);
	remove(path);
}

static void test_bad_xml(void **state)
{
	const char *path = scratch("bad.xml");
	FILE *f = fopen(path, "w");
	char err[200] = "";
	struct topo t;

	(void)state;
	assert_non_null(f);
	fputs("this is <not> a topology", f);
	fclose(f);
	assert_int_equal(topo_init(&t, path, err, sizeof(err)), -EINVAL);
	assert_true(strlen(err) > 10);
	remove(path);
}

static void assert_place(const struct topo *t, enum placement how, u32 n,
			 const u32 *expected)
{
	u32 *cpu = calloc(n, sizeof(*cpu));

	assert_non_null(cpu);
	assert_int_equal(topo_place(t, how, n, 1, cpu), 0);
	assert_memory_equal(cpu, expected, n * sizeof(*cpu));
	free(cpu);
}

static void test_placements(void **state)
{
	/* cores 0 1 | 2 3 of package 0, 4 5 | 6 7 of package 1; + 8: SMT */
	static const u32 spread[] = { 0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14,
				      9, 11, 13, 15, 0, 2 };
	static const u32 packed[] = { 0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12,
				      13, 14, 15, 0, 1 };
	static const u32 smt[] = { 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6,
				   14, 7, 15, 0, 8 };
	struct topo t;

	(void)state;
	make(&t, "package:2 l3:2 core:2 pu:2");
	assert_place(&t, PLACE_SPREAD, 18, spread);
	assert_place(&t, PLACE_SPREAD, 3, spread);
	assert_place(&t, PLACE_PACKED, 18, packed);
	assert_place(&t, PLACE_SMT, 18, smt);
	topo_free(&t);
}

static void test_scheduler_place(void **state)
{
	u32 cpu[64], again[64], fewer[64], spread[64], other = 0;
	struct topo t;

	(void)state;
	make(&t, THREADRIPPER);
	topo_place(&t, PLACE_SPREAD, 32, 0, spread);
	for (u64 seed = 1; seed <= 20; seed++) {
		bool used[64] = { false };

		topo_place(&t, PLACE_SCHEDULER, 64, seed, cpu);
		topo_place(&t, PLACE_SCHEDULER, 64, seed, again);
		topo_place(&t, PLACE_SCHEDULER, 20, seed, fewer);
		assert_memory_equal(cpu, again, sizeof(cpu));
		assert_memory_equal(cpu, fewer, 20 * sizeof(*cpu));
		other += !!memcmp(cpu, spread, 32 * sizeof(*cpu));
		for (u32 i = 0; i < 64; i++) {	/* each CPU once */
			assert_true(cpu[i] < 64 && !used[cpu[i]]);
			used[cpu[i]] = true;
			/* siblings only when no core is idle */
			assert_int_equal(cpu[i] >= 32, i >= 32);
		}
	}
	assert_true(other >= 19);	/* (7/8)^32 of them are perfect */
	topo_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_synthetic),
		cmocka_unit_test(test_no_l3),
		cmocka_unit_test(test_transfer),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_xml),
		cmocka_unit_test(test_bad_xml),
		cmocka_unit_test(test_placements),
		cmocka_unit_test(test_scheduler_place),
	};

	return cmocka_run_group_tests_name("topo", tests, NULL, NULL);
}
