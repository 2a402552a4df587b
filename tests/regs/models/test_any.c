/*
 * tests/regs/models/test_any.c - any-x86, the model that is made of what a CPU announces: what is
 * counted of it, and that nothing else is ever written (reference more-cpus, 1).
 */
#include "tests/lib/stand_in.h"
#include "tests/lib/rig.h"

#include "config/texts.h"
#include "daemon/node/choose.h"
#include "daemon/node/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* No such CPU is known here: its tables, the simulated ones, are those of a
 * Sapphire Rapids. */
#define UNKNOWN_CPU "cpu family=6 model=0xf0 stepping=3\n"

static struct rig *
made(const char *machine, const char *more)
{
	struct rig *r = rig_bare(machine, more);
	struct diag why;

	assert_string_equal(r->node.topo.model->name, "any-x86");
	if (node_configure(&r->node, &r->o, r->node.topo.model, &why) < 0 ||
	    choose_access(&r->node, &r->o, &why) < 0 ||
	    node_plan(&r->node, &why) < 0)
		fail_msg("%s", why.text);
	return r;
}

static bool
counts(const struct rig *r, const char *event)
{
	char name[96];

	snprintf(name, sizeof(name), "core_counts[0][\"%s\"]", event);
	for (unsigned i = 0; i < r->node.plan.ncolumn; i++) {
		char text[MAX_NAME];

		column_text(&r->node.plan.column[i].id, "", text, sizeof(text));
		if (strcmp(text, name) == 0)
			return true;
	}
	return false;
}

static void
an_unknown_cpu_counts_the_events_that_leaf_a_has(void **state)
{
	/* 4 counters, 7 events, of which the LLC's misses are not there */
	struct rig *r = made("@dnv-c3958", "cpuid 0xa 0x07300404 0x10 0 0x8603\n");

	(void)state;
	assert_int_equal(r->node.topo.cpu.gp_counters, 4);
	assert_int_equal(r->node.topo.cpu.fixed_counters, 3);
	assert_false(counts(r, "LONGEST_LAT_CACHE.MISS"));
	assert_true(counts(r, "LONGEST_LAT_CACHE.REFERENCE"));
	assert_true(counts(r, "BR_INST_RETIRED.ALL_BRANCHES"));
	assert_true(counts(r, "BR_MISP_RETIRED.ALL_BRANCHES"));
	/* the fixed counters have it */
	assert_false(counts(r, "INST_RETIRED.ANY_P"));
	rig_close(r);
}

/* How busy, what it waits for, what it draws, what goes in and out. */
static void
a_default_has_what_is_asked_first_first(void **state)
{
	static const char *const order[] = {
		"\noptional read aperf\n", "\noptional core fixed\n",
		"\noptional core LONGEST_LAT_CACHE.MISS\n",
		"\noptional read rapl_pkg_energy\n", " as net_rx\n"
	};
	struct rig *r = made("@dnv-c3958", "");
	const char *at = r->node.config.made_default;

	(void)state;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if ((at = strstr(at, order[i])) == NULL)
			fail_msg("%s is not where it is asked", order[i]);
	rig_close(r);
}

/* Two counters and no fixed one: instructions and cycles are what matters. */
static void
few_counters_have_what_is_asked_first(void **state)
{
	struct rig *r = made("@dnv-c3958", "cpuid 0xa 0x07300201 0 0 0\n");

	(void)state;
	assert_true(counts(r, "INST_RETIRED.ANY_P"));
	assert_true(counts(r, "CPU_CLK_UNHALTED.THREAD_P"));
	assert_false(counts(r, "LONGEST_LAT_CACHE.MISS"));
	/* version 1 has no global control, and two controls for each lproc */
	assert_int_equal(r->node.plan.nwrite, 2 * 16);
	rig_close(r);
}

/* Arrow Lake's: leaf 0xA is what both kinds of cores have; leaf 0x23 is the truth, and
 * has events the other way round. */
static void
leaf_23_tells_more_than_leaf_a(void **state)
{
	struct rig *r = rig_bare("@spr-9480-2s", UNKNOWN_CPU
	    "cpuid 0 0x23 0 0 0\ncpuid 7.1 0x100 0 0 0\n"
	    "cpuid 0xa 0x0d300806 0x280 0x7 0x8603\n"
	    "cpuid 0x23.0 0xb 3 0 0\ncpuid 0x23.1 0x3f 0xf 0 0\n"
	    "cpuid 0x23.3 0x1dff 0 0 0\n");
	const struct cpu_id *cpu = &r->node.topo.cpu;

	(void)state;
	assert_int_equal(cpu->gp_counters, 6);
	assert_int_equal(cpu->fixed_counters, 4);
	assert_non_null(event_named(r->node.topo.model->core, "TOPDOWN.SLOTS_P"));
	/* bit 9 is clear in 0x1dff */
	assert_null(event_named(r->node.topo.model->core,
	    "TOPDOWN_BAD_SPECULATION.ALL"));
	rig_close(r);
}

/* Meteor Lake: lproc 1 is of the other kind. */
static void
two_kinds_of_cores_count_what_both_have(void **state)
{
	struct rig *r = rig_bare("@dnv-c3958",
	    "cpuid 0 0x23 0 0 0\ncpuid 7.1 0x100 0 0 0\ncpuid 7 0 0 0 0x8000\n"
	    "cpuid 0xa 0x07300805 0 0x7 0x8603\n"
	    "cpuid 0x23.0 0xa 0 0 0\ncpuid 0x23.1 0xf 0xf 0 0\n"
	    "cpuid 0x23.3 0xdff 0 0 0\n"
	    "cpuid 0x23.1 0x7 0x7 0 0 lproc=1\n"
	    "cpuid 0x23.3 0x7f 0 0 0 lproc=1\n");
	const struct cpu_id *cpu = &r->node.topo.cpu;

	(void)state;
	assert_int_equal(cpu->gp_counters, 3);
	assert_int_equal(cpu->fixed_counters, 3);
	assert_non_null(event_named(r->node.topo.model->core,
	    "BR_MISP_RETIRED.ALL_BRANCHES"));
	assert_null(event_named(r->node.topo.model->core, "TOPDOWN.SLOTS_P"));
	rig_close(r);
}

static void
counters_that_fault_are_none(void **state)
{
	struct rig *r = made("@dnv-c3958", "box core none\n");

	(void)state;
	assert_int_equal(r->node.topo.cpu.gp_counters, 0);
	assert_non_null(strstr(r->node.topo.cpu.no_counters, "do not answer"));
	assert_int_equal(r->node.plan.nwrite, 0);
	assert_true(r->node.plan.ncolumn > 16);         /* clocks, energy */
	rig_close(r);
}

static void
boxes_of_a_discovery_table_have_its_numbers_and_count_raw(void **state)
{
	struct rig *r = rig_with("@spr-9480-2s", UNKNOWN_CPU,
	    "type_6[0] READS event=0x05,umask=0xcf\n");

	(void)state;
	assert_true(rig_has(r, "uncore_type_6_counts[0][0][\"READS\"]"));
	rig_program(r);
	rig_sample(r);
	assert_int_equal(rig_unit(r, "type_0", 1, 55)->source != NULL, 1);
	rig_restore(r);
	rig_close(r);
}

/* Every register of boxes that is written lies in one that the discovery tables list, by
 * the places that the machine's text gives them; those of type 0 are at 0x2000 + 16 i,
 * with control bits at 0 and 2 to 5. */
static void
of_boxes_nothing_is_written_that_no_table_lists(void **state)
{
	struct rig *r = rig_with("@spr-9480-2s", UNKNOWN_CPU,
	    "type_0 A event=0x01\ntype_0 B event=0x35,umask=0x01\n");
	unsigned n = 0;

	(void)state;
	for (unsigned i = 0; i < r->node.plan.nwrite; i++) {
		const struct plan_write *w = &r->node.plan.write[i];
		uint64_t at = w->addr.offset & 0xf;

		if (w->addr.space != REG_MSR || w->addr.offset < 0x2000 ||
		    w->addr.offset >= 0x2000 + 60 * 0x10 || (at != 0 &&
		    at != 2 && at != 3))
			fail_msg("%s 0x%llx", w->role,
			    (unsigned long long)w->addr.offset);
		n++;
	}
	/* two controls and the box's of the 60 that each package lists */
	assert_int_equal(n, 3 * 60 * 2);
	rig_program(r);
	rig_sample(r);
	rig_restore(r);
	rig_close(r);
}

/* Zen 1's guests: bits 23, 24 and 28 clear, so at most the four of old; a hypervisor
 * may have none of them. */
static void
the_four_of_old_are_amds_own_where_no_hypervisor_is(void **state)
{
#define OLD "cpu family=0x15 model=2 stepping=0\n" \
	"cpuid 0x80000000 0x8000001e 0 0 0\ncpuid 0x80000001 0 0 0x4023f3 0\n" \
	"box core none\n" \
	"box old scope=lproc counters=4 bits=48 ctl=0xc0010000 ctr=0xc0010004\n" \
	"box old valid=0x30fffd7ffff ignore=0x100000 reset=0\n"
	struct rig *r = made("@milan-7763-2s", OLD);

	(void)state;
	assert_int_equal(r->node.topo.cpu.gp_counters, 4);
	assert_true(counts(r, "instr_retired"));
	assert_true(counts(r, "branches"));
	assert_int_equal(r->node.plan.write[0].addr.offset, 0xc0010000);
	rig_close(r);
	r = made("@milan-7763-2s", OLD "cpu guest=1\n");
	assert_int_equal(r->node.topo.cpu.gp_counters, 0);
	assert_int_equal(r->node.plan.nwrite, 0);
	rig_close(r);
}

/* ---- what is written ---- */

static struct access *behind;
static struct reg_addr written[4096];
static unsigned nwritten;

static int
noted_write(struct access *acc, const struct reg_addr *addr, uint64_t raw)
{
	(void)acc;
	for (unsigned i = 0; i < nwritten; i++)
		if (written[i].space == addr->space &&
		    written[i].unit == addr->unit &&
		    written[i].offset == addr->offset)
			return behind->ops->write(behind, addr, raw);
	assert_true(nwritten < 4096);
	written[nwritten++] = *addr;
	return behind->ops->write(behind, addr, raw);
}

static int
plain_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	(void)acc;
	return behind->ops->read(behind, addr, raw);
}

/* Is an MSR one that leaf 0xA, leaf 0x23 or AMD's leaves have announced? */
static bool
is_announced(uint32_t msr, unsigned general, unsigned fixed, bool amd,
    unsigned version)
{
	if (amd)
		return general == 4 ? msr >= 0xc0010000 && msr < 0xc0010004 :
		    (msr >= 0xc0010200 && msr < 0xc0010200 + 2 * general &&
		    (msr & 1) == 0) || (version == 2 && msr == 0xc0000301);
	return (msr >= 0x186 && msr < 0x186 + general) ||
	    (fixed > 0 && msr == 0x38d) || (version >= 2 && msr == 0x38f);
}

static uint32_t
lot(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

/* One machine by lot: text of its CPUID, and what that announces. */
static void
doctored(uint32_t *seed, bool amd, char *text, size_t size, unsigned *general,
    unsigned *fixed, unsigned *version)
{
	static const unsigned widths[] = { 0, 1, 32, 40, 48, 64, 65, 255 };
	static const unsigned many[] = { 0, 1, 2, 3, 4, 6, 8, 10, 16, 32, 255 };
	unsigned g = many[lot(seed) % 11], f = lot(seed) % 20, v = lot(seed) % 8;
	unsigned wide = widths[lot(seed) % 8], fwide = widths[lot(seed) % 8];
	uint32_t missing = lot(seed) << 8 | lot(seed), ecx = lot(seed) & 0xff;

	if (amd) {
		bool six = lot(seed) & 1, v2 = lot(seed) & 1;

		g &= 0xf;
		snprintf(text, size, "cpuid 0x80000001 0 0 0x%x 0\n"
		    "cpuid 0x80000022 %u 0x%x 0 0\n", six ? 1u << 23 : 0, v2,
		    g);
		*general = !six ? 4 : v2 ? g : 6;
		*version = six && v2 ? 2 : 1;
		return;
	}
	snprintf(text, size, "cpuid 0xa 0x%x 0x%x 0x%x 0x%x\n",
	    v | g << 8 | wide << 16 | lot(seed) % 16 << 24, missing, ecx,
	    f | fwide << 5);
	*general = g;
	*fixed = f + 8;
	*version = v;
}

static void
nothing_that_was_not_announced_is_ever_written(void **state)
{
	uint32_t seed = 1;
	unsigned counted = 0;

	(void)state;
	for (unsigned i = 0; i < 220; i++) {
		bool amd = i % 4 == 3;
		unsigned general = 0, fixed = 0, version = 0;
		char text[512], leaf[300];
		struct access_ops ops;
		struct access noting;
		struct diag why;
		struct rig *r;

		doctored(&seed, amd, leaf, sizeof(leaf), &general, &fixed,
		    &version);
		snprintf(text, sizeof(text), "packages 1\ncores 2 ids=0,1\n%s%s",
		    amd ? "cpu family=26 model=0x50\n" : "", leaf);
		r = made(amd ? "@turin-2s" : "@dnv-c3958", text);
		behind = r->node.acc;
		ops = *behind->ops;
		ops.write = noted_write;
		ops.read = plain_read;
		noting = *behind;
		noting.ops = &ops;
		nwritten = 0;
		if (program_save(&r->node.plan, &noting, &why) < 0 ||
		    program_write(&r->node.plan, &noting, &why) < 0 ||
		    program_restore(&r->node.plan, &noting, &why) > 0)
			fail_msg("machine %u: %s%s", i, leaf, why.text);
		counted += nwritten > 0;
		for (unsigned k = 0; k < nwritten; k++) {
			uint32_t msr = (uint32_t)written[k].offset;

			if (written[k].space == REG_MSR && is_announced(msr,
			    general, fixed, amd, version))
				continue;
			/* a counter, which is set to 0 before it counts */
			if (amd ? msr >= 0xc0010200 && msr < 0xc0010200 + 2 *
			    general : (msr >= 0xc1 && msr < 0xc1 + general) ||
			    (msr >= 0x309 && msr < 0x309 + fixed))
				continue;
			fail_msg("machine %u: msr 0x%x is written; %s", i, msr,
			    leaf);
		}
		rig_close(r);
	}
	assert_in_range(counted, 40, 200);
}

/* Without the msr driver, below a root that shows no PMU: as in most containers and
 * virtual machines. */
static void
a_node_without_counters_samples_files_and_says_why(void **state)
{
	char *dir = stand_in_new(), path[512], gone[512], *dump;
	unsigned lines = 0;

	(void)state;
	assert_int_equal(rename(in_dir(dir, "dev/cpu", path), in_dir(dir,
	    "gone", gone)), 0);
	/* what the kernel counts by itself is this machine's */
	tree_text(dir, "/sys/devices/system/cpu/online", "0\n");
	tree_text(dir, "/sys/devices/system/cpu/present", "0\n");
	tree_text(dir, "/proc/loadavg", "0.50 0.25 0.10 1/200 4242\n");
	/* a thread reads files: the first samples may be without */
	if (tallyd_run(dir, NULL, ARGS("-n", "60", "-i", "0.05")) != 0)
		tallyd_failed(dir, "without a driver", 1);
	assert_true(tallyd_said(dir, "registers: /dev/cpu/0/msr does not exist: "
	    "load the msr driver with `modprobe msr`\n"));
	assert_true(tallyd_said(dir, "so @default-any is sampled: "));
	dump = file_text(in_dir(dir, "dump.lua", path), NULL);
	assert_non_null(strstr(dump, "] = 500000\nlproc_tsc"));
	free(dump);
	/* --check says as whom it would sample, in one screen */
	assert_int_equal(truncate(in_dir(dir, "log", path), 0), 0);
	assert_int_equal(tallyd_run(dir, NULL, ARGS("--check")), 0);
	snprintf(gone, sizeof(gone), "\nas       user %u%s\n",
	    (unsigned)geteuid(), geteuid() == 0 ? " (root)" :
	    ", without the rights of root");
	assert_true(tallyd_said(dir, gone));
	assert_true(tallyd_said(dir, "\nsampling would work\n"));
	dump = file_text(path, NULL);
	for (const char *s = dump; (s = strchr(s, '\n')) != NULL; s++)
		lines++;
	assert_in_range(lines, 10, 24);
	free(dump);
	tree_free(dir);
}

/* @amdgpu: a column for each file that the driver has; what it lacks is left out. */
static void
a_gpu_of_amds_is_read_by_its_files(void **state)
{
#define GPU "/sys/class/drm/card1/device"
	const struct text *t = text_named("@amdgpu", TEXT_CONFIG);
	struct rig *r;

	(void)state;
	assert_non_null(t);
	r = rig_with("@dnv-c3958", "file " GPU "/gpu_busy_percent = 87\n"
	    "file " GPU "/hwmon/hwmon4/power1_average = 310000000\n"
	    "file " GPU "/mem_info_vram_used = 68719476736\n", t->data);
	assert_true(rig_has(r, "file_amdgpu_busy[\"1\"]"));
	assert_true(rig_has(r, "file_amdgpu_power[\"1/4\"]"));
	assert_true(rig_has(r, "file_amdgpu_vram_used[\"1\"]"));
	assert_false(rig_has(r, "file_amdgpu_mem_busy[\"1\"]"));
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_unknown_cpu_counts_the_events_that_leaf_a_has),
		cmocka_unit_test(a_default_has_what_is_asked_first_first),
		cmocka_unit_test(few_counters_have_what_is_asked_first),
		cmocka_unit_test(leaf_23_tells_more_than_leaf_a),
		cmocka_unit_test(two_kinds_of_cores_count_what_both_have),
		cmocka_unit_test(counters_that_fault_are_none),
		cmocka_unit_test(
		    boxes_of_a_discovery_table_have_its_numbers_and_count_raw),
		cmocka_unit_test(
		    of_boxes_nothing_is_written_that_no_table_lists),
		cmocka_unit_test(
		    the_four_of_old_are_amds_own_where_no_hypervisor_is),
		cmocka_unit_test(
		    a_node_without_counters_samples_files_and_says_why),
		cmocka_unit_test(a_gpu_of_amds_is_read_by_its_files),
		cmocka_unit_test(nothing_that_was_not_announced_is_ever_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
