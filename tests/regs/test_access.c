/*
 * tests/regs/test_access.c - what a method of access must have is enough: here one
 * of a few MSRs in an array, on files that a folder holds.
 */
#include "tests/lib/rig.h"

#include "daemon/node/choose.h"
#include "regs/perf.h"

#include <errno.h>
#include <string.h>
#include <stdlib.h>

static unsigned closed;

static int
toy_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	static const struct { uint64_t msr, value; } has[] = {
		{ 0x10, 123456 }, { 0x606, 0xa0e03 }, { 0x611, 77 },
		{ 0x34, 5 },
	};

	(void)acc;
	if (addr->space != REG_MSR)
		return -ENOTSUP;
	if (addr->unit > 1)
		return -ENXIO;
	for (size_t i = 0; i < sizeof(has) / sizeof(has[0]); i++)
		if (has[i].msr == addr->offset) {
			*raw = has[i].value + addr->unit;
			return 0;
		}
	return -EIO;
}

static int
toy_write(struct access *acc, const struct reg_addr *addr, uint64_t raw)
{
	(void)acc;
	(void)addr;
	(void)raw;
	return -EPERM;
}

static void
toy_close(struct access *acc)
{
	acc->ops = NULL;
	closed++;
}

static struct access toy;

static int
toy_open(struct access **acc, const char *what, struct diag *why)
{
	static const struct access_ops ops = { .name = "toy",
	    .read = toy_read, .write = toy_write, .close = toy_close };

	(void)why;
	toy = (struct access){ .ops = &ops, .root = what };
	*acc = &toy;
	return 0;
}

static const struct method toy_method = { "toy", toy_open };

/* The folder of a node: a Skylake-SP package of one core. */
static char *
toy_node(void)
{
	static const struct { const char *path, *text; } files[] = {
		{ "/proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\n"
		    "cpu family\t: 6\nmodel\t\t: 85\nmodel name\t: Toy\n"
		    "stepping\t: 4\n" },
		{ "/proc/sys/kernel/hostname", "toy1\n" },
		{ "/sys/devices/system/cpu/online", "0-1\n" },
		{ "/sys/devices/system/cpu/cpu0/topology/physical_package_id",
		    "0\n" },
		{ "/sys/devices/system/cpu/cpu0/topology/core_id", "0\n" },
		{ "/sys/devices/system/cpu/cpu1/topology/physical_package_id",
		    "0\n" },
		{ "/sys/devices/system/cpu/cpu1/topology/core_id", "1\n" },
	};
	char *dir = tree_new();

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		tree_text(dir, files[i].path, files[i].text);
	return dir;
}

/* Planned, as tallyd --toy DIR would. */
static void
toy_plan(struct rig *r, char *dir, const char *config)
{
	struct diag why = { "" };

	*r = (struct rig){ .o = { .node.method = &toy_method, .node.machine = dir,
	    .node.root = "/", .count.config = { { config }, 1 } } };
	if (node_open(&r->node, &r->o, &why) < 0)
		fail_msg("%s", why.text);
	r->node.topo.model = choose_model(&r->node, &r->o);
	assert_non_null(r->node.topo.model);
	if (node_configure(&r->node, &r->o, r->node.topo.model, &why) < 0 ||
	    choose_access(&r->node, &r->o, &why) < 0 ||
	    node_plan(&r->node, &why) < 0)
		fail_msg("%s", why.text);
}

static void
reading_writing_and_closing_is_all_that_a_method_needs(void **state)
{
	char *dir = toy_node();
	struct plan *p;
	struct diag why;
	struct rig r;
	uint64_t *row;

	(void)state;
	closed = 0;
	toy_plan(&r, dir, test_put("toy.conf", "read rapl_pkg_energy\n"
	    "read smi_count\nread aperf\n"));
	p = &r.node.plan;
	assert_string_equal(r.node.topo.host, "toy1");
	/* aperf of two lprocs is not among its registers */
	assert_int_equal(p->nread, 2);
	if (sweep_init(&r.sweep, p, r.node.acc, READ_AUTO, -1, &why) < 0)
		fail_msg("%s", why.text);
	assert_string_equal(r.sweep.why, "remote, the only way here");
	row = calloc(p->ncell, sizeof(row[0]));
	assert_non_null(row);
	sweep_row(&r.sweep, p, r.node.acc, row);
	r.row = row;
	assert_int_equal(rig_value(&r, "rapl_pkg_energy[0]"), 77);
	assert_int_equal(rig_value(&r, "smi_count[0]"), 5);
	free(row);
	sweep_fini(&r.sweep);
	node_close(&r.node);
	assert_int_equal(closed, 1);
	tree_free(dir);
}

static void
what_a_method_does_not_offer_is_refused_in_words(void **state)
{
	static const struct {
		enum read_mode mode;
		const char *say;
	} refused[] = {
		{ READ_VISIT, "--read visit: not on this kind of machine" },
		{ READ_BATCH, "--read batch: /dev/cpu/msr_batch: Operation not "
		    "supported; it needs the msr-safe driver" },
	};
	struct reg_addr tsc = { REG_MSR, 8, 0, 0x10 };
	char *dir = toy_node();
	struct perf_group g = { .n = 1 };
	struct access *acc;
	struct stamp a, b;
	struct diag why;
	unsigned bad;
	struct rig r;
	uint64_t raw;

	(void)state;
	toy_plan(&r, dir, test_put("toy.conf", "read smi_count\n"));
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		assert_int_equal(sweep_init(&r.sweep, &r.node.plan, r.node.acc,
		    refused[i].mode, -1, &why), -ENOTSUP);
		assert_string_equal(why.text, refused[i].say);
		sweep_fini(&r.sweep);
	}
	node_close(&r.node);

	assert_int_equal(toy_open(&acc, dir, &why), 0);
	assert_int_equal(access_map(acc, &tsc), 0);
	assert_int_equal(access_visit(acc, 0), -ENOTSUP);
	assert_int_equal(access_text(acc, "/proc/cpuinfo"), -ENOTSUP);
	assert_int_equal(access_batch_prepare(acc, &tsc, 1), -ENOTSUP);
	assert_int_equal(access_batch_read(acc, &raw), -ENOTSUP);
	assert_int_equal(access_perf_open(acc, &g, 1, &bad), -ENOTSUP);
	access_perf_drop(acc, 0);
	assert_null(access_note(acc, REG_PCI));
	assert_int_equal(perf_check(acc, 0, &why), -ENOTSUP);
	assert_string_equal(why.text, "this kind of machine (toy) has no perf "
	    "events");
	/* its clocks are this machine's, which nothing hurries */
	assert_false(access_hurry(acc, true));
	access_now(acc, &a);
	assert_int_equal(access_sleep(acc, a.mono_ns + 2000000, NULL), 0);
	access_now(acc, &b);
	assert_true(b.mono_ns >= a.mono_ns + 2000000);
	assert_true(access_tsc(acc) >= b.tsc);
	access_close(acc);
	tree_free(dir);
}

static void
only_a_machine_with_a_clock_of_its_own_can_be_hurried(void **state)
{
	char *dir = toy_node();
	struct options o = { .node.method = &toy_method, .node.machine = dir,
	    .node.virtual_time = true };
	struct diag why;
	struct node node;
	char say[256];

	(void)state;
	assert_int_equal(node_open(&node, &o, &why), -EINVAL);
	snprintf(say, sizeof(say), "--virtual-time: the time of --toy %s is "
	    "real and cannot be hurried", dir);
	assert_string_equal(why.text, say);
	node_close(&node);
	tree_free(dir);
}

/* A row of methods[] brings its option. */
static void
a_machine_is_chosen_by_its_option_once(void **state)
{
	static const struct {
		int line;
		const char *argv[6];
		const char *method, *machine, *say;
	} t[] = {
		{ __LINE__, { "tallyd" }, NULL, NULL, NULL },
		{ __LINE__, { "tallyd", "--sim", "a" }, "sim", "a", NULL },
		{ __LINE__, { "tallyd", "--sim=a", "--root", "/x" }, "sim", "a",
		    NULL },
		{ __LINE__, { "tallyd", "--sim" }, NULL, NULL, "--sim needs a "
		    "value (see tallyd --help)" },
		{ __LINE__, { "tallyd", "--sim", "a", "--replay", "b" }, NULL,
		    NULL, "--sim and --replay: choose one machine" },
		{ __LINE__, { "tallyd", "--toy", "a" }, NULL, NULL,
		    "--toy: no such option (see tallyd --help)" },
		{ __LINE__, { "tallyd", "--virtual-time" }, NULL, NULL,
		    "--virtual-time goes with --sim or --replay; a real node's "
		    "time cannot be hurried" },
		{ __LINE__, { "tallyd", "--sim", "a",
		    "--measure-dram-bandwidth" }, NULL, NULL,
		    "--measure-dram-bandwidth measures the memory of this "
		    "machine; the node of --sim has none" },
		{ __LINE__, { "tallyd", "--replay", "a",
		    "--measure-dram-bandwidth" }, NULL, NULL,
		    "--measure-dram-bandwidth measures the memory of this "
		    "machine; the node of --replay has none" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct diag why = { "" };
		struct options o;
		int argc = 0, rc;

		while (t[i].argv[argc] != NULL)
			argc++;
		rc = options_parse(&o, argc, (char **)(uintptr_t)t[i].argv,
		    &why);
		if (strcmp(why.text, t[i].say != NULL ? t[i].say : "") != 0)
			fail_msg("line %d: %s", t[i].line, why.text);
		assert_int_equal(rc, t[i].say != NULL ? -EINVAL : 0);
		assert_true(rc < 0 || (t[i].method == NULL ?
		    o.node.method->option == NULL :
		    strcmp(o.node.method->option, t[i].method) == 0));
		assert_true(rc < 0 || (t[i].machine == NULL ?
		    o.node.machine == NULL :
		    strcmp(o.node.machine, t[i].machine) == 0));
		options_fini(&o);
	}
}

/* 64 bits of PCI space are two accesses each way, high half first. */
static struct { uint32_t lo, hi; unsigned n; uint64_t at[8]; } dwords;

static int
dword_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	(void)acc;
	assert_int_equal(addr->bytes, 4);
	dwords.at[dwords.n++] = addr->offset;
	*raw = addr->offset == 0xa4 ? dwords.hi : dwords.lo;
	return 0;
}

static int
dword_write(struct access *acc, const struct reg_addr *addr, uint64_t raw)
{
	(void)acc;
	assert_int_equal(addr->bytes, 4);
	dwords.at[dwords.n++] = addr->offset;
	*(addr->offset == 0xa4 ? &dwords.hi : &dwords.lo) = (uint32_t)raw;
	return 0;
}

static void
a_method_sees_halves_of_a_64_bit_pci_register(void **state)
{
	static const struct access_ops ops = { .name = "dwords",
	    .read = dword_read, .write = dword_write, .close = toy_close };
	struct access acc = { .ops = &ops };
	struct reg_addr addr = { REG_PCI, 8, 0, 0xa0 };
	uint64_t raw;

	(void)state;
	assert_int_equal(access_write(&acc, &addr, 0x123400005678), 0);
	assert_int_equal(dwords.n, 2);
	assert_int_equal(dwords.at[0], 0xa4);
	assert_int_equal(dwords.at[1], 0xa0);
	dwords.n = 0;
	assert_int_equal(access_read(&acc, &addr, &raw), 0);
	assert_int_equal(raw, 0x123400005678);
	assert_int_equal(dwords.n, 3);
	assert_int_equal(dwords.at[0], 0xa4);
	assert_int_equal(dwords.at[1], 0xa0);
	assert_int_equal(dwords.at[2], 0xa4);
}

/* What is read, one after the other; the last value stays. */
static struct { const uint64_t *value; unsigned n, at; } script;

static int
scripted_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	(void)acc;
	(void)addr;
	*raw = script.value[script.at];
	script.at += script.at + 1 < script.n;
	return 0;
}

static void
a_half_of_all_ones_is_no_count(void **state)
{
	static const struct access_ops ops = { .name = "scripted",
	    .read = scripted_read, .write = toy_write, .close = toy_close };
	static const struct { uint64_t read[8]; unsigned n; uint64_t raw; } rows[] = {
		/* high, low, high */
		{ { 0x12, 0xffffffff, 0x345, 0x12 }, 4, 0x1200000345 },
		{ { 0xffffffff, 0x345, 0x12, 0x346, 0x12 }, 5, 0x1200000346 },
		{ { 0x12, 0x345, 0xffffffff, 0x345, 0x12, 0x346, 0x12 }, 7,
		  0x1200000346 },
		{ { 0xffffffff }, 1, ABSENT },
		/* it may have counted up to there */
		{ { 0xffff, 0xffffffff, 0xffffffff, 0xffff }, 4, 0xffffffffffff },
	};
	struct reg_addr addr = { REG_PCI, 8, PCI_UNIT(0, 0x7e, 8), 0xa0 };
	struct access acc = { .ops = &ops };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t raw;

		script.value = rows[i].read;
		script.n = rows[i].n;
		script.at = 0;
		assert_int_equal(access_read(&acc, &addr, &raw) < 0,
		    rows[i].raw == ABSENT);
		assert_true(raw == rows[i].raw);
	}
}

/* A device that is not there reads all ones too, which whoever looks for it has to see
 * (access_read); a counter of a sample does not count up to there. */
static void
a_counter_of_all_ones_is_a_failed_read(void **state)
{
	static const struct access_ops ops = { .name = "scripted",
	    .read = scripted_read, .write = toy_write, .close = toy_close };
	static const struct reg_addr pci = { REG_PCI, 8, PCI_UNIT(0, 0x7e, 8),
	    0xa0 }, dword = { REG_PCI, 4, PCI_UNIT(0, 0x7e, 8), 0xa0 },
	    mmio = { REG_MMIO, 8, 0, 0xd2000050 }, msr = { REG_MSR, 8, 0, 0xc1 };
	enum { ONES = 0xffffffffu };
	static const struct {
		int line;
		const struct reg_addr *addr;
		uint64_t read[12];
		unsigned n;
		uint64_t raw;
	} rows[] = {
		/* high, low, high; a low half of all ones is read again */
		{ __LINE__, &pci, { 0, ONES, 0x345, 0 }, 4, 0x345 },
		{ __LINE__, &pci, { 0, ONES, ONES, 0, 0, 0x345, 0 }, 7, 0x345 },
		{ __LINE__, &pci, { 0, ONES, ONES, 0, 0, ONES, ONES, 0, 0, ONES, ONES, 0 },
		  12, ABSENT },
		{ __LINE__, &pci, { 0xffff, ONES, ONES, 0xffff }, 4,
		  0xffffffffffff },
		{ __LINE__, &pci, { ONES }, 1, ABSENT },
		{ __LINE__, &mmio, { 0x1200000345 }, 1, 0x1200000345 },
		{ __LINE__, &mmio, { ONES, 0x1200000345 }, 2, 0x1200000345 },
		{ __LINE__, &mmio, { UINT64_MAX, 0x1200000345 }, 2, 0x1200000345 },
		{ __LINE__, &mmio, { ONES }, 1, ABSENT },
		{ __LINE__, &mmio, { UINT64_MAX }, 1, ABSENT },
		{ __LINE__, &mmio, { 0xffffffff00000345 }, 1, ABSENT },
		{ __LINE__, &mmio, { 0xffffffffffff }, 1, 0xffffffffffff },
		{ __LINE__, &dword, { ONES }, 1, ABSENT },
		{ __LINE__, &dword, { ONES, 0x345 }, 2, 0x345 },
		{ __LINE__, &dword, { 0xfffffffe }, 1, 0xfffffffe },
		{ __LINE__, &msr, { ONES }, 1, ONES },
	};
	struct access acc = { .ops = &ops };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned absent;
		uint64_t raw;

		script.value = rows[i].read;
		script.n = rows[i].n;
		script.at = 0;
		absent = access_read_block(&acc, rows[i].addr, 1, &raw);
		if (absent != (rows[i].raw == ABSENT) || raw != rows[i].raw)
			fail_msg("line %d: 0x%llx", rows[i].line,
			    (unsigned long long)raw);
	}
	script.value = rows[9].read;
	script.n = 1;
	script.at = 0;
	assert_int_equal(access_read(&acc, &mmio, &(uint64_t){ 0 }), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    reading_writing_and_closing_is_all_that_a_method_needs),
		cmocka_unit_test(
		    what_a_method_does_not_offer_is_refused_in_words),
		cmocka_unit_test(
		    only_a_machine_with_a_clock_of_its_own_can_be_hurried),
		cmocka_unit_test(a_machine_is_chosen_by_its_option_once),
		cmocka_unit_test(a_method_sees_halves_of_a_64_bit_pci_register),
		cmocka_unit_test(a_half_of_all_ones_is_no_count),
		cmocka_unit_test(a_counter_of_all_ones_is_a_failed_read),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
