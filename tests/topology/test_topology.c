/*
 * tests/topology/test_topology.c - lprocs, packages and CPU identity from files: trees
 * as Linux lays them out, with the shapes that trip naive readers.
 */
#include "tests/lib/rig.h"

#include "regs/linux/linux.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define CPU "/sys/devices/system/cpu"

struct cpu_row {
	unsigned n;
	int pkg, core;
	const char *siblings;
};

static void
put_cpu(const char *dir, const struct cpu_row *c)
{
	char path[128], text[32];

	snprintf(path, sizeof(path), CPU "/cpu%u/topology/physical_package_id",
	    c->n);
	snprintf(text, sizeof(text), "%d\n", c->pkg);
	tree_text(dir, path, text);
	snprintf(path, sizeof(path), CPU "/cpu%u/topology/core_id", c->n);
	snprintf(text, sizeof(text), "%d\n", c->core);
	tree_text(dir, path, text);
	snprintf(path, sizeof(path),
	    CPU "/cpu%u/topology/thread_siblings_list", c->n);
	snprintf(text, sizeof(text), "%s\n", c->siblings);
	tree_text(dir, path, text);
}

static const char skx_cpuinfo[] =
    "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
    "model\t\t: 85\nmodel name\t: Intel(R) Xeon(R) Platinum 8160 CPU\n"
    "stepping\t: 4\nflags\t\t: fpu arch_perfmon aperfmperf\n\n";

/* Two packages with ids 0 and 3, lproc 5 offline, one core each of 2 threads,
 * numbered package by package and then the second threads. */
static char *
sparse_node(void)
{
	static const struct cpu_row cpus[] = {
		{ 0, 0, 0, "0,4" }, { 1, 0, 9, "1" }, { 2, 3, 0, "2,6" },
		{ 3, 3, 9, "3,7" }, { 4, 0, 0, "0,4" }, { 6, 3, 0, "2,6" },
		{ 7, 3, 9, "3,7" },
	};
	char *dir = tree_new();

	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++)
		put_cpu(dir, &cpus[i]);
	tree_text(dir, CPU "/online", "0-4,6-7\n");
	tree_text(dir, CPU "/present", "0-7\n");
	tree_text(dir, "/sys/devices/system/node/node0/cpulist", "0-1,4-5\n");
	tree_text(dir, "/sys/devices/system/node/node2/cpulist", "2-3,6-7\n");
	tree_text(dir, "/proc/cpuinfo", skx_cpuinfo);
	tree_text(dir, "/proc/sys/kernel/hostname", "c591-803.stampede2\n");
	return dir;
}

static void
load(const char *dir, struct topo *topo, struct access **acc)
{
	struct diag why = { "" };

	assert_int_equal(linux_open(acc, dir, &why), 0);
	if (topo_load(topo, *acc, &why) < 0)
		fail_msg("%s", why.text);
}

static void
packages_are_numbered_by_order_of_their_ids(void **state)
{
	char *dir = sparse_node();
	struct access *acc;
	struct topo topo;

	(void)state;
	load(dir, &topo, &acc);
	assert_int_equal(topo.npkg, 2);
	assert_int_equal(topo.pkg[0].id, 0);
	assert_int_equal(topo.pkg[1].id, 3);
	assert_int_equal(topo.pkg[1].first_lproc, 2);
	assert_int_equal(topo.pkg[1].nlproc, 4);
	assert_int_equal(topo.lproc[7].pkg, 1);
	assert_int_equal(topo.lproc[7].node, 2);
	assert_int_equal(topo.pkg[0].nlproc, 3);
	topo_free(&topo);
	access_close(acc);
	tree_free(dir);
}

static void
a_guest_may_have_a_package_for_each_lproc(void **state)
{
	char *dir = sparse_node(), siblings[16];
	struct access *acc;
	struct topo topo;
	struct diag why = { "" };

	(void)state;
	for (unsigned n = 0; n < 65; n++) {
		snprintf(siblings, sizeof(siblings), "%u", n);
		put_cpu(dir, &(struct cpu_row){ n, (int)n, 0, siblings });
	}
	tree_text(dir, CPU "/present", "0-64\n");
	tree_text(dir, CPU "/online", "0-63\n");
	load(dir, &topo, &acc);
	assert_int_equal(topo.npkg, 64);
	assert_int_equal(topo.lproc[63].pkg, 63);
	topo_free(&topo);
	tree_text(dir, CPU "/online", "0-64\n");
	assert_int_equal(topo_load(&topo, acc, &why), -E2BIG);
	assert_string_equal(why.text, "this node has more than 64 packages");
	topo_free(&topo);
	access_close(acc);
	tree_free(dir);
}

static void
an_offline_lproc_exists_and_belongs_nowhere(void **state)
{
	char *dir = sparse_node();
	struct access *acc;
	struct topo topo;

	(void)state;
	load(dir, &topo, &acc);
	assert_int_equal(topo.nlproc, 8);
	assert_true(topo.lproc[5].exists);
	assert_false(topo.lproc[5].online);
	assert_int_equal(topo.lproc[5].pkg, -1);
	topo_free(&topo);
	access_close(acc);
	tree_free(dir);
}

static void
threads_are_ranked_within_their_core(void **state)
{
	char *dir = sparse_node();
	struct access *acc;
	struct topo topo;

	(void)state;
	load(dir, &topo, &acc);
	assert_int_equal(topo.lproc[0].thread, 0);
	assert_int_equal(topo.lproc[4].thread, 1);
	assert_int_equal(topo.lproc[3].thread, 0);
	assert_int_equal(topo.lproc[7].thread, 1);
	assert_int_equal(topo.lproc[1].core, 9);
	topo_free(&topo);
	access_close(acc);
	tree_free(dir);
}

static void
identity_comes_from_cpuinfo_and_the_host_ends_at_its_first_dot(void **state)
{
	char *dir = sparse_node();
	struct access *acc;
	struct topo topo;

	(void)state;
	load(dir, &topo, &acc);
	assert_string_equal(topo.cpu.vendor, "GenuineIntel");
	assert_int_equal(topo.cpu.model, 0x55);
	assert_int_equal(topo.cpu.stepping, 4);
	assert_string_equal(topo.model->name, "skx");
	assert_string_equal(topo.host, "c591-803");
	/* no cpuid device: four counters, since cores have two threads */
	assert_int_equal(topo.cpu.gp_counters, 4);
	assert_false(topo.cpu.pmu_known);
	topo_free(&topo);
	access_close(acc);
	tree_free(dir);
}

/* Reference 3.3; C2000: rangeley-soc. */
static void
without_leaf_a_the_counters_are_those_of_the_models_table(void **state)
{
	static const struct {
		unsigned model, counters, bits, fixed;
	} t[] = {
		{ 0x55, 4, 48, 3 }, { 0x3f, 4, 48, 3 }, { 0x6a, 8, 48, 4 },
		{ 0x4d, 2, 40, 3 },
	};
	struct access *acc;
	struct topo topo;
	char text[256], *dir;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		dir = sparse_node();
		snprintf(text, sizeof(text), "vendor_id\t: GenuineIntel\n"
		    "cpu family\t: 6\nmodel\t\t: %u\nstepping\t: 4\n"
		    "flags\t\t: fpu arch_perfmon\n\n", t[i].model);
		tree_text(dir, "/proc/cpuinfo", text);
		load(dir, &topo, &acc);
		assert_false(topo.cpu.pmu_known);
		assert_int_equal(topo.cpu.gp_counters, t[i].counters);
		assert_int_equal(topo.cpu.gp_bits, t[i].bits);
		assert_int_equal(topo.cpu.fixed_counters, t[i].fixed);
		assert_int_equal(topo.cpu.fixed_bits, t[i].bits);
		topo_free(&topo);
		access_close(acc);
		tree_free(dir);
	}
}

static void
cpuid_leaf_a_of_zeros_means_no_pmu(void **state)
{
	char *dir = sparse_node();
	uint8_t zeros[32] = { 0 };
	struct access *acc;
	struct topo topo;

	(void)state;
	/* the device is read at offset 0xa */
	tree_put(dir, "/dev/cpu/0/cpuid", zeros, sizeof(zeros));
	load(dir, &topo, &acc);
	assert_true(topo.cpu.pmu_known);
	assert_int_equal(topo.cpu.gp_counters, 0);
	topo_free(&topo);
	access_close(acc);
	tree_free(dir);
}

static void
cpuid_leaf_a_tells_counters_and_widths(void **state)
{
	char *dir = sparse_node();
	uint8_t bytes[32] = { 0 };
	/* version 4, 8 counters of 48 bits; 3 fixed of 48 bits */
	static const uint32_t leaf[4] = { 0x07300804, 0, 0, 0x603 };
	struct access *acc;
	struct topo topo;

	(void)state;
	memcpy(bytes + 0xa, leaf, sizeof(leaf));
	tree_put(dir, "/dev/cpu/0/cpuid", bytes, sizeof(bytes));
	load(dir, &topo, &acc);
	assert_int_equal(topo.cpu.pmu_version, 4);
	assert_int_equal(topo.cpu.gp_counters, 8);
	assert_int_equal(topo.cpu.gp_bits, 48);
	assert_int_equal(topo.cpu.fixed_counters, 3);
	assert_int_equal(topo.cpu.fixed_bits, 48);
	topo_free(&topo);
	access_close(acc);
	tree_free(dir);
}

static void
counters_that_are_not_there_have_no_width(void **state)
{
	static const uint32_t leaf[4] = { 0x006d0005, 0, 0, 0xbe0 };
	char *dir = sparse_node();
	uint8_t bytes[32] = { 0 };
	struct access *acc;
	struct topo topo;

	(void)state;
	memcpy(bytes + 0xa, leaf, sizeof(leaf));
	tree_put(dir, "/dev/cpu/0/cpuid", bytes, sizeof(bytes));
	load(dir, &topo, &acc);
	assert_true(topo.cpu.pmu_known);
	assert_int_equal(topo.cpu.gp_counters, 0);
	assert_int_equal(topo.cpu.gp_bits, 0);
	assert_int_equal(topo.cpu.fixed_counters, 0);
	assert_int_equal(topo.cpu.fixed_bits, 0);
	topo_free(&topo);
	access_close(acc);
	tree_free(dir);
}

static void
cpuid_leaf_a_may_have_as_many_counters_as_there_are_enable_bits(void **state)
{
	/* version 4, 32 counters of 48 bits; 16 fixed of 48 bits */
	static const uint32_t leaf[4] = { 0x07302004, 0, 0, 0x610 };
	char *dir = sparse_node();
	uint8_t bytes[32] = { 0 };
	struct access *acc;
	struct topo topo;

	(void)state;
	memcpy(bytes + 0xa, leaf, sizeof(leaf));
	tree_put(dir, "/dev/cpu/0/cpuid", bytes, sizeof(bytes));
	load(dir, &topo, &acc);
	assert_true(topo.cpu.pmu_known && !topo.cpu.pmu_odd);
	assert_int_equal(topo.cpu.gp_counters, 32);
	assert_int_equal(topo.cpu.fixed_counters, 16);
	topo_free(&topo);
	access_close(acc);
	tree_free(dir);
}

/* No CPU has a register of more than 64 bits, and the control register of the
 * fixed counters and the enable bits of the general ones have room for 16 and
 * 32: what is not possible is not believed. */
static void
a_leaf_a_that_no_cpu_has_is_told_and_not_believed(void **state)
{
	static const struct {
		int line;
		uint32_t leaf[4];       /* EAX EBX ECX EDX */
	} t[] = {
		{ __LINE__, { 0x07300805, 0, ~0u, 0x600 } },
		{ __LINE__, { 0x07300805, 0, 0xffff8, 0x603 } },
		{ __LINE__, { 0x07300804, 0, 0, 0x611 } },
		{ __LINE__, { 0x07302104, 0, 0, 0x603 } },
		{ __LINE__, { 0x07ff0804, 0, 0, 0x603 } },
		{ __LINE__, { 0x07000804, 0, 0, 0x603 } },
		{ __LINE__, { 0x07300804, 0, 0, 0x1fe3 } },
		{ __LINE__, { 0x07300804, 0, 0, 0x3 } },
	};
	struct access *acc;
	struct topo topo;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char *dir = sparse_node();
		uint8_t bytes[32] = { 0 };

		memcpy(bytes + 0xa, t[i].leaf, sizeof(t[i].leaf));
		tree_put(dir, "/dev/cpu/0/cpuid", bytes, sizeof(bytes));
		load(dir, &topo, &acc);
		if (topo.cpu.pmu_known || !topo.cpu.pmu_odd ||
		    topo.cpu.gp_counters != 4 || topo.cpu.gp_bits != 48 ||
		    topo.cpu.fixed_counters != 3 || topo.cpu.fixed_bits != 48)
			fail_msg("line %d", t[i].line);
		topo_free(&topo);
		access_close(acc);
		tree_free(dir);
	}
}

/* Version 5: those of a bitmap, too; 16 are the most. */
static void
a_bitmap_adds_fixed_counters(void **state)
{
	static const uint32_t leaf[4] = { 0x08300805, 0, 0xffff, 0x603 };
	char *dir = sparse_node();
	uint8_t bytes[32] = { 0 };
	struct access *acc;
	struct topo topo;

	(void)state;
	memcpy(bytes + 0xa, leaf, sizeof(leaf));
	tree_put(dir, "/dev/cpu/0/cpuid", bytes, sizeof(bytes));
	load(dir, &topo, &acc);
	assert_true(topo.cpu.pmu_known);
	assert_int_equal(topo.cpu.fixed_counters, 16);
	topo_free(&topo);
	access_close(acc);
	tree_free(dir);
}

static void
a_tree_without_sysfs_is_refused_in_words(void **state)
{
	char *dir = tree_new();
	struct diag why = { "" };
	struct access *acc;
	struct topo topo;

	(void)state;
	assert_int_equal(linux_open(&acc, dir, &why), 0);
	assert_int_equal(topo_load(&topo, acc, &why), -ENOENT);
	assert_non_null(strstr(why.text, "is /sys mounted?"));
	topo_free(&topo);
	access_close(acc);
	tree_free(dir);
}

static void
note(void *ctx, unsigned n)
{
	*(uint64_t *)ctx |= 1ull << n;
}

static void
cpu_lists_are_read_or_refused(void **state)
{
	static const struct {
		int line;
		const char *list;
		int rc;
		uint64_t bits;
	} rows[] = {
		{ __LINE__, "0-3,8", 0, 0x10f }, { __LINE__, "", 0, 0 },
		{ __LINE__, "5", 0, 0x20 }, { __LINE__, "0,2,4-5", 0, 0x35 },
		{ __LINE__, "3-1", -EINVAL, 0 }, { __LINE__, "x", -EINVAL, 0 },
		{ __LINE__, "1-", -EINVAL, 0 }, { __LINE__, "1;2", -EINVAL, 0 },
		{ __LINE__, "62-99", 0, 0xcull << 60 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t bits = 0;

		if (cpulist_parse(rows[i].list, 64, note, &bits) !=
		    rows[i].rc || (rows[i].rc == 0 && bits != rows[i].bits))
			fail_msg("row at line %d", rows[i].line);
	}
}

/* Linux has -1 where a CPU has no dies. */
static void
a_die_that_the_kernel_does_not_know_is_the_first(void **state)
{
	struct rig *r = rig_bare("@skx-8160-2s",
	    "file /sys/devices/system/cpu/cpu5/topology/die_id = -1\n"
	    "file /sys/devices/system/cpu/cpu7/topology/die_id = 3\n");

	(void)state;
	assert_int_equal(r->node.topo.lproc[5].die, 0);
	assert_int_equal(r->node.topo.lproc[7].die, 3);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packages_are_numbered_by_order_of_their_ids),
		cmocka_unit_test(a_guest_may_have_a_package_for_each_lproc),
		cmocka_unit_test(an_offline_lproc_exists_and_belongs_nowhere),
		cmocka_unit_test(threads_are_ranked_within_their_core),
		cmocka_unit_test(
		    identity_comes_from_cpuinfo_and_the_host_ends_at_its_first_dot),
		cmocka_unit_test(
		    without_leaf_a_the_counters_are_those_of_the_models_table),
		cmocka_unit_test(cpuid_leaf_a_of_zeros_means_no_pmu),
		cmocka_unit_test(cpuid_leaf_a_tells_counters_and_widths),
		cmocka_unit_test(
		    cpuid_leaf_a_may_have_as_many_counters_as_there_are_enable_bits),
		cmocka_unit_test(counters_that_are_not_there_have_no_width),
		cmocka_unit_test(
		    a_leaf_a_that_no_cpu_has_is_told_and_not_believed),
		cmocka_unit_test(a_bitmap_adds_fixed_counters),
		cmocka_unit_test(a_tree_without_sysfs_is_refused_in_words),
		cmocka_unit_test(cpu_lists_are_read_or_refused),
		cmocka_unit_test(
		    a_die_that_the_kernel_does_not_know_is_the_first),
	};

	return cmocka_run_group_tests_name("topology", tests, NULL, NULL);
}
