/*
 * tests/regs/models/test_zen_nodes.c - the simulated nodes of AMD's Zen: what CPUID and sysfs
 * say on them is what the real nodes say (the project's reference amd-zen, section
 * 8, and its facts of rome-1, milan-1, genoa-1), and every rate is exact.
 */
#include "tests/lib/rig.h"

#include "regs/sim/sim.h"

#include <string.h>

#define SECOND 1000000000ull

static const char *
file_of(struct rig *r, const char *path)
{
	static char buf[4096];

	return access_slurp(r->node.acc, path, buf, sizeof(buf)) < 0 ?
	    "(none)" : buf;
}

static void
an_lproc_has_its_apic_id_and_its_l3(void **state)
{
	static const struct {
		int line;
		const char *machine;
		unsigned lproc;
		uint32_t apic, core, pkg;
		const char *l3, *sharing;
	} place[] = {
		/* lproc 65: core 1 of package 1; 128 on: second threads */
		{ __LINE__, "@rome-7742-2s", 6, 12, 6, 0, "1", "4-7,132-135" },
		{ __LINE__, "@rome-7742-2s", 65, 130, 1, 1, "16",
		  "64-67,192-195" },
		{ __LINE__, "@milan-7763-2s", 65, 130, 1, 1, "8",
		  "64-71,192-199" },
		{ __LINE__, "@milan-7763-2s", 255, 255, 63, 1, "15",
		  "120-127,248-255" },
		{ __LINE__, "@genoa-9654-2s", 96, 256, 0, 1, "16",
		  "96-103,288-295" },
		{ __LINE__, "@genoa-9654-2s", 191, 446, 95, 1, "27",
		  "184-191,376-383" },
		{ __LINE__, "@turin-2s", 511, 511, 127, 1, "31",
		  "248-255,504-511" },
	};
	char path[80];

	(void)state;
	for (size_t i = 0; i < sizeof(place) / sizeof(place[0]); i++) {
		struct rig *r = rig_bare(place[i].machine, "");
		uint32_t one[4], e[4], b[4];
		const char *l3 = "/sys/devices/system/cpu/cpu%u/cache/index3/%s";

		snprintf(path, sizeof(path), "/dev/cpu/%u/cpuid",
		    place[i].lproc);
		assert_int_equal(access_file(r->node.acc, path, 1, one, 16), 16);
		assert_int_equal(access_file(r->node.acc, path, 0x8000001e, e,
		    16), 16);
		assert_int_equal(access_file(r->node.acc, path, 0xb, b, 16), 16);
		if (one[1] >> 24 != (place[i].apic & 0xff) ||
		    (one[1] & 0xff00) != 0x800 || b[3] != place[i].apic ||
		    e[0] != place[i].apic || e[1] != (0x100 | place[i].core) ||
		    e[2] != place[i].pkg)
			fail_msg("line %d: %x %x %x %x %x", place[i].line,
			    one[1], b[3], e[0], e[1], e[2]);
		snprintf(path, sizeof(path), l3, place[i].lproc, "id");
		assert_string_equal(file_of(r, path), place[i].l3);
		snprintf(path, sizeof(path), l3, place[i].lproc,
		    "shared_cpu_list");
		assert_string_equal(file_of(r, path), place[i].sharing);
		rig_close(r);
	}
}

/* Who is offline shares nothing, and has no directory. */
static void
an_offline_lproc_is_in_no_list_of_its_l3(void **state)
{
	struct rig *r = rig_bare("@milan-7763-2s", "from 0 lproc 9 offline\n");

	(void)state;
	assert_string_equal(file_of(r,
	    "/sys/devices/system/cpu/cpu8/cache/index3/shared_cpu_list"),
	    "8,10-15,136-143");
	assert_string_equal(file_of(r,
	    "/sys/devices/system/cpu/cpu9/cache/index3/shared_cpu_list"),
	    "(none)");
	rig_close(r);
}

/* rate + core * step + package * pkgstep.  Lproc 65 is core 1 of package 1. */
static void
milan_counts_its_rates(void **state)
{
	static const struct rig_rate rate[] = {
		{ "core_counts[0][\"instr_retired\"]", 1000000, 3600000000, 48 },
		{ "core_counts[65][\"instr_retired\"]", 1000014, 3600000014,
		  48 },
		{ "core_counts[65][\"cycles_unhalted\"]", 3500016, 3500000016,
		  48 },
		{ "core_counts[0][\"flops_all\"]", 3000, 56000000000, 48 },
		{ "core_counts[65][\"l2_miss_ic_dc\"]", 226, 6000026, 48 },
		{ "rapl_pkg_energy[0]", 6553600, 18350080, 32 },
		{ "rapl_pkg_energy[1]", 6619136, 18415616, 32 },
		{ "rapl_core_energy[1]", 16392, 196616, 32 },
		{ "mperf[65]", 2450101, 2450000101, 64 },
		{ "aperf[65]", 3500103, 3500000103, 64 },
	};
	struct rig *r = rig_open("@milan-7763-2s", NULL);

	(void)state;
	/* FLOPs once, energy three times */
	assert_int_equal(rig_counted(r, rate, sizeof(rate) / sizeof(rate[0])), 4);
	rig_close(r);
}

/* Energy is 64 bits wide: its lower half wraps, the counter does not. */
static void
genoa_counts_its_rates(void **state)
{
	static const struct rig_rate rate[] = {
		{ "core_counts[0][\"instr_retired\"]", 1000000, 4800000000, 48 },
		{ "core_counts[97][\"instr_retired\"]", 1000014, 4800000014,
		  48 },
		{ "core_counts[97][\"cycles_unhalted\"]", 3700016, 3700000016,
		  48 },
		{ "rapl_pkg_energy[0]", 7864320, 23592960, 64 },
		{ "rapl_pkg_energy[1]", 7929856, 23658496, 64 },
		{ "rapl_core_energy[1]", 16392, 163848, 64 },
		{ "mperf[97]", 2400101, 2400000101, 64 },
		{ "aperf[97]", 3700103, 3700000103, 64 },
	};
	struct rig *r = rig_open("@genoa-9654-2s", NULL);

	(void)state;
	assert_int_equal(rig_counted(r, rate, sizeof(rate) / sizeof(rate[0])), 3);
	assert_true(rig_value(r, "rapl_pkg_energy[0]") > UINT64_C(0xc00000000));
	rig_close(r);
}

static void
turin_counts_its_rates(void **state)
{
	static const struct rig_rate rate[] = {
		{ "core_counts[0][\"instr_retired\"]", 1000000, 6000000000, 48 },
		{ "core_counts[129][\"instr_retired\"]", 1000014, 6000000014,
		  48 },
		{ "core_counts[129][\"flops_all\"]", 3040, 131200000040, 48 },
		{ "rapl_pkg_energy[0]", 9175040, 32768000, 64 },
		{ "rapl_pkg_energy[1]", 9240576, 32833536, 64 },
		{ "rapl_core_energy[1]", 16392, 163848, 64 },
		{ "mperf[129]", 2700101, 2700000101, 64 },
		{ "aperf[129]", 4100103, 4100000103, 64 },
	};
	struct rig *r = rig_open("@turin-2s", NULL);

	(void)state;
	assert_int_equal(rig_counted(r, rate, sizeof(rate) / sizeof(rate[0])), 3);
	rig_close(r);
}

/* What the reference gives as examples of controls (4, 5, 6, 11), written to the
 * registers that it names: the nodes stand by themselves. */
static void
a_control_of_the_reference_counts_on_its_node(void **state)
{
	static const struct {
		int line;
		const char *machine;
		unsigned lproc, ctl;
		uint64_t value, idle;
	} t[] = {
		/* L3 of CCX 0; 3 of package 1 on Rome, 1 of package 1 on Milan */
		{ __LINE__, "@rome-7742-2s", 0, 0xc0010230, 0xff0f00000040ff04,
		  50000 },
		{ __LINE__, "@rome-7742-2s", 76, 0xc001023a, 0xff0f00000040ff04,
		  50000 + 3 * 29 + 5 },
		{ __LINE__, "@milan-7763-2s", 79, 0xc0010232, 0x0300c00000400104,
		  9000 + 7 + 2 },
		{ __LINE__, "@genoa-9654-2s", 0, 0xc0010230, 0x0303c00000403fac,
		  27600 },
		{ __LINE__, "@turin-2s", 255, 0xc0010230, 0x0300c0000040ff04,
		  50000 + 15 * 29 + 5 },
		/* the fabric */
		{ __LINE__, "@milan-7763-2s", 0, 0xc0010240, 0x100403807,
		  154000 },
		{ __LINE__, "@milan-7763-2s", 64, 0xc0010246, 0x7004002c7,
		  5003 },
		{ __LINE__, "@rome-7742-2s", 0, 0xc0010242, 0x7004002c7, 5000 },
		{ __LINE__, "@genoa-9654-2s", 0, 0xc0010240, 0x740fe1f, 90000 },
		{ __LINE__, "@genoa-9654-2s", 96, 0xc001025e, 0x10740ff1f,
		  44005 },
		{ __LINE__, "@genoa-9654-2s", 0, 0xc0010240, 0xb40fe1f, 9000 },
		{ __LINE__, "@genoa-9654-2s", 0, 0xc0010240, 0xd0f403e1f, 12000 },
		{ __LINE__, "@turin-2s", 0, 0xc0010240, 0xf40fe1f, 99000 },
		{ __LINE__, "@turin-2s", 128, 0xc0010250, 0xd0f403f5f, 4017 },
		/* memory controllers: clocks, and CAS of ordinal 11, counter 3 */
		{ __LINE__, "@genoa-9654-2s", 0, 0xc0010800, 0x80000000,
		  2400000000 },
		{ __LINE__, "@genoa-9654-2s", 0, 0xc001085e, 0x8000010a,
		  99000 + 11 * 2000 },
		{ __LINE__, "@turin-2s", 200, 0xc001080a, 0x8000000a,
		  142000 + 3000 + 26 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct rig *r = rig_bare(t[i].machine, "");
		struct access *acc = r->node.acc;
		struct reg_addr at = { REG_MSR, 8, t[i].lproc, t[i].ctl };
		uint64_t a, b;

		if (access_write(acc, &at, t[i].value) != 0)
			fail_msg("line %d: refused", t[i].line);
		at.offset++;
		assert_int_equal(access_read(acc, &at, &a), 0);
		sim_advance(rig_sim(r), SECOND);
		assert_int_equal(access_read(acc, &at, &b), 0);
		if (b - a != t[i].idle)
			fail_msg("line %d: %llu", t[i].line,
			    (unsigned long long)(b - a));
		rig_close(r);
	}
}

/* NPS4: four NUMA nodes a package.  What a package has it has once still. */
static void
with_four_nodes_a_package_the_columns_are_the_same(void **state)
{
	static const char *const machine[] = { "@milan-7763-2s",
		"@genoa-9654-2s" };

	(void)state;
	for (size_t m = 0; m < sizeof(machine) / sizeof(machine[0]); m++) {
		struct rig *one = rig_with(machine[m], "", NULL);
		struct rig *four = rig_with(machine[m], "nodes 4\n", NULL);
		const struct topo *t = &four->node.topo;

		assert_int_equal(t->lproc[0].node, 0);
		assert_int_equal(t->lproc[t->nlproc / 4 - 1].node, 3);
		assert_int_equal(t->lproc[t->nlproc / 4].node, 4);
		assert_int_equal(one->node.plan.ncolumn, four->node.plan.ncolumn);
		for (unsigned i = 0; i < one->node.plan.ncolumn; i++) {
			const struct column *a = &one->node.plan.column[i];
			const struct column *b = &four->node.plan.column[i];

			if (!column_same(&a->id, &b->id) ||
			    a->cell != b->cell)
				fail_msg("column %u of %s", i, machine[m]);
		}
		rig_close(one);
		rig_close(four);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_lproc_has_its_apic_id_and_its_l3),
		cmocka_unit_test(an_offline_lproc_is_in_no_list_of_its_l3),
		cmocka_unit_test(
		    a_control_of_the_reference_counts_on_its_node),
		cmocka_unit_test(
		    with_four_nodes_a_package_the_columns_are_the_same),
		cmocka_unit_test(milan_counts_its_rates),
		cmocka_unit_test(genoa_counts_its_rates),
		cmocka_unit_test(turin_counts_its_rates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
