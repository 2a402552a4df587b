/*
 * tests/topology/test_complexes.c - AMD's core complexes and dies: their numbers by CPUID,
 * their lprocs by sysfs, what is offline, and what does not agree.  Expected numbers
 * are those of the register reference (amd-zen.md, section 8) and of the simulated
 * nodes' APIC ids.
 */
#include "tests/lib/rig.h"

#include <stdio.h>
#include <string.h>

#define CPU "/sys/devices/system/cpu"

static struct rig *
rome(const char *more)
{
	return rig_with("@rome-7742-2s", more, "read aperf\n");
}

static void
complexes_are_numbered_in_each_package_by_their_apic_ids(void **state)
{
	/* 4 cores of 2 threads a complex, 16 a package, 2 a die; the second
	 * threads are lprocs 128 to 255 */
	static const struct { unsigned lproc; int pkg, ccx, ccd; } at[] = {
		{ 0, 0, 0, 0 }, { 3, 0, 0, 0 }, { 4, 0, 1, 0 }, { 8, 0, 2, 1 },
		{ 63, 0, 15, 7 }, { 64, 1, 0, 0 }, { 69, 1, 1, 0 },
		{ 127, 1, 15, 7 }, { 128, 0, 0, 0 }, { 135, 0, 1, 0 },
		{ 255, 1, 15, 7 },
	};
	struct rig *r = rome("");
	const struct topo *topo = &r->node.topo;

	(void)state;
	assert_int_equal(topo->nccx, 16);
	assert_string_equal(topo->ccx_doubt, "");
	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
		const struct lproc *lp = &topo->lproc[at[i].lproc];

		if (lp->pkg != at[i].pkg || lp->ccx != at[i].ccx ||
		    lp->ccd != at[i].ccd)
			fail_msg("lproc %u: package %d ccx %d ccd %d",
			    at[i].lproc, lp->pkg, lp->ccx, lp->ccd);
	}
	assert_int_equal(topo_ccx(topo, 1, 1), 68);
	assert_int_equal(topo_ccx(topo, 1, 16), -1);
	rig_close(r);
}

/* Twelve complexes of sixteen numbers, and a leaf of CPUID for levels. */
static void
from_zen_4_on_levels_of_cpuid_say_what_a_complex_and_a_die_is(void **state)
{
	struct rig *r = rig_with("@genoa-9654-2s", "", "read aperf\n");

	(void)state;
	assert_int_equal(r->node.topo.nccx, 12);
	assert_int_equal(r->node.topo.lproc[95].ccx, 11);
	assert_int_equal(r->node.topo.lproc[95].ccd, 11);
	assert_int_equal(r->node.topo.lproc[96].pkg, 1);
	assert_int_equal(r->node.topo.lproc[96].ccx, 0);
	rig_close(r);
	/* as Bergamo's: two complexes a die */
	r = rig_with("@genoa-9654-2s", "cpuid 0x80000026.2 5 0x20 0x302 0\n",
	    "read aperf\n");
	assert_int_equal(r->node.topo.lproc[95].ccx, 11);
	assert_int_equal(r->node.topo.lproc[95].ccd, 5);
	rig_close(r);
}

#define OFFLINE(n) "from 0 lproc " #n " offline\n"
#define CCX_1_OFFLINE \
	OFFLINE(4) OFFLINE(5) OFFLINE(6) OFFLINE(7) \
	OFFLINE(132) OFFLINE(133) OFFLINE(134) OFFLINE(135)

static void
an_offline_complex_renames_no_other(void **state)
{
	struct rig *r = rome(CCX_1_OFFLINE OFFLINE(8));
	const struct topo *topo = &r->node.topo;

	(void)state;
	assert_int_equal(topo->nccx, 16);
	assert_int_equal(topo_ccx(topo, 0, 1), -1);
	assert_int_equal(topo->lproc[4].ccx, -1);
	assert_int_equal(topo->lproc[12].ccx, 3);
	/* the lowest that is online */
	assert_int_equal(topo_ccx(topo, 0, 2), 9);
	assert_int_equal(topo_ccx(topo, 1, 1), 68);
	rig_close(r);
}

/* Six threads share an L3, and two of the eight APIC ids are of nobody. */
static void
gaps_in_apic_ids_are_no_complexes(void **state)
{
	struct rig *r = rome("packages 1\ncores 12 ids=0-2,4-6,8-10,12-14\n"
	    "cpuid 0x8000001d.3 0x00014163 0x03c0003f 0x3fff 1\n");
	const struct topo *topo = &r->node.topo;

	(void)state;
	assert_int_equal(topo->nccx, 4);
	assert_int_equal(topo->lproc[3].ccx, 1);
	assert_int_equal(topo->lproc[11].ccx, 3);
	assert_int_equal(topo->lproc[15].ccx, 1);
	assert_string_equal(topo->ccx_doubt, "");
	rig_close(r);
}

/* No device of CPUID: complexes are those of sysfs, numbered in their order, so
 * that one that is offline is not seen to be missing. */
static void
without_cpuid_complexes_are_ranked_by_their_caches(void **state)
{
	char more[32768] = CCX_1_OFFLINE;
	struct rig *r;

	(void)state;
	for (unsigned l = 0; l < 256; l++)
		snprintf(more + strlen(more), sizeof(more) - strlen(more),
		    "file /dev/cpu/%u/cpuid none\n", l);
	r = rome(more);
	assert_int_equal(r->node.topo.nccx, 16);
	assert_int_equal(r->node.topo.lproc[3].ccx, 0);
	assert_int_equal(r->node.topo.lproc[8].ccx, 1);
	assert_int_equal(r->node.topo.lproc[8].ccd, -1);
	assert_int_equal(r->node.topo.lproc[191].ccx, 14);
	assert_int_equal(r->node.topo.lproc[64].ccx, 0);
	assert_int_equal(r->node.topo.lproc[255].ccx, 15);
	assert_string_equal(r->node.topo.ccx_doubt, "");
	rig_close(r);
}

/* A guest may have CPUID of the host's kind, and caches of its own. */
static void
where_cpuid_and_sysfs_disagree_sysfs_is_followed_and_it_is_said(void **state)
{
	struct rig *r = rome("packages 1\ncores 8 ids=0-7\nthreads 1\n"
	    "apic pkg=7 ccx=1\n");
	const struct topo *topo = &r->node.topo;

	(void)state;
	/* by CPUID eight threads share an L3, by sysfs two */
	assert_string_equal(topo->ccx_doubt, "CPUID has lproc 2 in CCX 0 of "
	    "package 0, where sysfs (cache/index3/shared_cpu_list) has not all "
	    "of that one: the sets are those of sysfs, numbered in the order of "
	    "their L3s");
	assert_int_equal(topo->nccx, 4);
	assert_int_equal(topo->lproc[2].ccx, 1);
	assert_int_equal(topo->lproc[7].ccx, 3);
	rig_close(r);
	r = rome("packages 1\ncores 8 ids=0-7\nthreads 1\napic pkg=7 ccx=3\n"
	    "cpuid 0x8000001d.3 0x163 0x03c0003f 0x3fff 1\n");
	assert_non_null(strstr(r->node.topo.ccx_doubt, "CPUID has lproc 1 in "
	    "CCX 1 of package 0, where sysfs (cache/index3/shared_cpu_list) "
	    "has it with others"));
	assert_int_equal(r->node.topo.nccx, 1);
	rig_close(r);
}

static void
cpus_of_other_makers_have_none(void **state)
{
	struct rig *r = rig_with("@skx-8160-2s", "", "read aperf\n");

	(void)state;
	assert_int_equal(r->node.topo.nccx, 0);
	assert_int_equal(r->node.topo.lproc[0].ccx, -1);
	assert_int_equal(topo_ccx(&r->node.topo, 0, 0), -1);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    complexes_are_numbered_in_each_package_by_their_apic_ids),
		cmocka_unit_test(
		    from_zen_4_on_levels_of_cpuid_say_what_a_complex_and_a_die_is),
		cmocka_unit_test(an_offline_complex_renames_no_other),
		cmocka_unit_test(gaps_in_apic_ids_are_no_complexes),
		cmocka_unit_test(
		    without_cpuid_complexes_are_ranked_by_their_caches),
		cmocka_unit_test(
		    where_cpuid_and_sysfs_disagree_sysfs_is_followed_and_it_is_said),
		cmocka_unit_test(cpus_of_other_makers_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
