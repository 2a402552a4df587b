/*
 * tests/regs/models/test_hsx.c - Haswell-EP from end to end: its boxes on the simulated
 * node, to the count; how its buses, CBOs and SBOs are found; the events of
 * Intel's lists.  Expected numbers are the rates that are written in
 * hsx-2699-2s.machine, and encodings worked out by hand from the fields of the
 * reference (intel-server-pmon.md 3.2 and 5.2, perf-event.md 8.3 and 8.4).
 */
#include "tests/lib/rig.h"

#include "config/eventlist.h"
#include "regs/sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define SECOND 1000000000ull

/* The node with `more` appended to its machine, and a configuration text
 * (NULL: the default one). */
static struct rig *
hsx(const char *more, const char *config)
{
	return rig_with("@hsx-2699-2s", more, config);
}

static unsigned
present(const struct rig *r, const char *type, unsigned pkg)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->node.inv.n; i++)
		n += strcmp(r->node.inv.unit[i].type->name, type) == 0 &&
		    r->node.inv.unit[i].pkg == pkg &&
		    r->node.inv.unit[i].present;
	return n;
}

/* ---- sampling ---- */

/* rate + instance * step + package * pkgstep, while idle and while copying;
 * 0: not looked at */
static const struct {
	int line;
	const char *column;
	uint64_t idle, copy;
	uint8_t bits;
} rates[] = {
	/* lproc 3 is thread 0 of core 1 of package 1 */
	{ __LINE__, "core_fixed_counts[3][\"Inst_Retired.Any\"]",
	  900000 + 11 + 3, 1300000000 + 11 + 3, 48 },
	{ __LINE__, "core_counts[3][\"LONGEST_LAT_CACHE.MISS\"]",
	  1000 + 7 + 5, 8000000 + 7 + 5, 48 },
	{ __LINE__, "core_counts[2][\"CPU_CLK_UNHALTED.KERNEL\"]",
	  900000 + 13, 9000000 + 13, 48 },
	{ __LINE__, "cbo_counts[0][0][\"LLC_LOOKUP.DATA_READ\"]", 9000,
	  21000000, 48 },
	{ __LINE__, "cbo_counts[1][17][\"TOR_INSERTS.MISS_LOCAL\"]",
	  1300 + 17 * 3 + 5, 8300000 + 17 * 3 + 5, 48 },
	{ __LINE__, "cbo_counts[0][16][\"TOR_INSERTS.MISS_REMOTE\"]",
	  170 + 16 * 3, 1700 + 16 * 3, 48 },
	{ __LINE__, "sbo_counts[1][3][\"CLOCKTICKS\"]",
	  1200000000 + 3 * 13 + 7, 2800000000 + 3 * 13 + 7, 48 },
	{ __LINE__, "ha_counts[1][1][\"REQUESTS.WRITES\"]", 11000 + 17 + 19,
	  74000000 + 17 + 19, 48 },
	{ __LINE__, "ha_counts[0][0][\"IMC_READS.NORMAL\"]", 22000, 73000000,
	  48 },
	{ __LINE__, "imc_counts[1][5][\"CAS_COUNT.RD\"]", 30000 + 5 * 7 + 11,
	  101000000 + 5 * 7 + 11, 48 },
	{ __LINE__, "imc_counts[0][4][\"DCLK\"]", 1066000000 + 4,
	  1066000000 + 4, 48 },
	{ __LINE__, "qpi_counts[1][1][\"RxL_FLITS_G1.DRS_DATA\"]",
	  3000 + 23 + 29, 30000000 + 23 + 29, 48 },
	{ __LINE__, "qpi_counts[0][0][\"TxL_FLITS_G0.DATA\"]", 4000, 31000000,
	  48 },
	{ __LINE__, "pcu_counts[1][\"FREQ_TRANS_CYCLES\"]", 91000 + 3,
	  3100 + 3, 48 },
	{ __LINE__, "irp_counts[1][0][\"COHERENT_OPS.PCITOM\"]", 1900 + 43,
	  19000 + 43, 48 },
	{ __LINE__, "ubox_uclk[1]", 1200000000 + 7, 2800000000 + 7, 48 },
};
#define NRATES (sizeof(rates) / sizeof(rates[0]))

/* One second on from now, every column of the table has counted its rate. */
static void
check_second(struct rig *r, bool copy)
{
	uint64_t before[NRATES];

	rig_sample(r);
	for (size_t i = 0; i < NRATES; i++)
		before[i] = rig_value(r, rates[i].column);
	sim_advance(rig_sim(r), SECOND);
	rig_sample(r);
	for (size_t i = 0; i < NRATES; i++) {
		uint64_t mask = (1ull << rates[i].bits) - 1;
		uint64_t n = (rig_value(r, rates[i].column) - before[i]) & mask;

		if (n != (copy ? rates[i].copy : rates[i].idle))
			fail_msg("row at line %d: %" PRIu64, rates[i].line, n);
	}
}

static void
every_box_counts_its_own_rate_to_the_count(void **state)
{
	struct rig *r = hsx("", NULL);

	(void)state;
	rig_program(r);
	check_second(r, false);
	sim_advance(rig_sim(r), 10 * SECOND);
	check_second(r, true);
	rig_close(r);
}

static void
r3qpi_and_r2pcie_count_too_and_r3qpi_wraps_at_44_bits(void **state)
{
	struct rig *r = hsx("", "r3qpi CLOCKTICKS event=0x01\n"
	    "r2pcie CLOCKTICKS event=0x01\nubox C event=0x00\n");
	const char *r3 = "r3qpi_counts[1][1][\"CLOCKTICKS\"]";
	uint64_t before, mask = (1ull << 44) - 1;

	(void)state;
	rig_program(r);
	rig_sample(r);
	before = rig_value(r, r3);
	assert_true(before >= 0xfffff000000);
	sim_advance(rig_sim(r), SECOND);
	rig_sample(r);
	assert_true(rig_value(r, r3) < before);
	assert_int_equal((rig_value(r, r3) - before) & mask,
	    1200000000 + 37 + 41);
	assert_int_equal(rig_value(r, "r2pcie_counts[0][0][\"CLOCKTICKS\"]"),
	    1200000000);
	rig_close(r);
}

/* filter1 28:20 is the opcode; 23:17 of filter0 the states. */
static void
filters_narrow_what_a_cbo_counts(void **state)
{
	struct rig *r = hsx("", "cbo OPCODE event=0x35,umask=0x01,"
	    "filter1=0x19e00000\ncbo ANY event=0x34,umask=0x11,"
	    "filter0=0x00fe0000\npcu BAND event=0x0b,filter0=0x17\n"
	    "ha MATCH event=0x20,umask=0x02,opcode_match=0x0c\n");
	uint64_t opcode, any, band;

	(void)state;
	rig_program(r);
	rig_sample(r);
	opcode = rig_value(r, "cbo_counts[0][2][\"OPCODE\"]");
	any = rig_value(r, "cbo_counts[0][2][\"ANY\"]");
	band = rig_value(r, "pcu_counts[0][\"BAND\"]");
	sim_advance(rig_sim(r), SECOND);
	rig_sample(r);
	assert_int_equal(rig_value(r, "cbo_counts[0][2][\"OPCODE\"]") -
	    opcode, 210 + 2 * 3);
	assert_int_equal(rig_value(r, "cbo_counts[0][2][\"ANY\"]") - any,
	    19000 + 2 * 3);
	assert_int_equal(rig_value(r, "pcu_counts[0][\"BAND\"]") - band,
	    100000000);
	rig_close(r);
}

/* Quirks 4 and 7: an SBO that somebody left frozen is thawed and frozen again,
 * its box control never given two bits at once (the machine refuses that). */
static void
a_frozen_sbo_counts_and_is_frozen_again_afterwards(void **state)
{
	static const char frozen[] = "from 0 box sbo 1 2 boxctl = 0x10100\n"
	    "from 0 box cbo 0 3 boxctl = 0x10100";
	struct rig *before = hsx(frozen, NULL), *r = hsx(frozen, NULL);
	const char *column = "sbo_counts[1][2][\"CLOCKTICKS\"]";
	uint64_t was;

	(void)state;
	sim_advance(rig_sim(r), 1);
	sim_advance(rig_sim(before), 1);
	rig_program(r);
	rig_sample(r);
	was = rig_value(r, column);
	sim_advance(rig_sim(r), SECOND);
	rig_sample(r);
	assert_int_equal((rig_value(r, column) - was) & ((1ull << 48) - 1),
	    1200000000 + 2 * 13 + 7);
	rig_restore(r);
	rig_same(r, before);
	rig_close(r);
	rig_close(before);
}

static void
the_simulated_sbo_refuses_several_bits_at_once(void **state)
{
	static const uint64_t steps[] = { 0x1, 0x3, 0x10003 };
	struct rig *r = hsx("", NULL);
	struct reg_addr ctl = { REG_MSR, 8, 0, 0x72a };

	(void)state;
	assert_int_equal(access_write(r->node.acc, &ctl, 0x10003), -EIO);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(access_write(r->node.acc, &ctl, steps[i]), 0);
	rig_close(r);
}

static void
every_register_is_as_found_after_a_restore(void **state)
{
	struct rig *before = hsx("", NULL), *r = hsx("", NULL);

	(void)state;
	rig_put_back(r, before, 500);
}

/* ---- what is there ---- */

static void
packages_have_a_bus_with_the_ubox_and_one_for_io(void **state)
{
	struct rig *r = hsx("", NULL);

	(void)state;
	assert_int_equal(r->node.topo.pkg[0].bus[0], 0x7f);
	assert_int_equal(r->node.topo.pkg[0].bus[1], 0x00);
	assert_int_equal(r->node.topo.pkg[1].bus[0], 0xff);
	assert_int_equal(r->node.topo.pkg[1].bus[1], 0x80);
	assert_int_equal(rig_unit(r, "IRP", 1, 0)->where,
	    PCI_UNIT(0, 0x80, PCI_DEVFN(0x05, 6)));
	rig_close(r);
}

static void
one_package_has_its_buses(void **state)
{
	struct rig *r = hsx("packages 1\nbus 0 ff 80", NULL);

	(void)state;
	assert_int_equal(r->node.topo.npkg, 1);
	assert_int_equal(r->node.topo.pkg[0].bus[0], 0xff);
	assert_int_equal(r->node.topo.pkg[0].bus[1], 0x80);
	assert_int_equal(present(r, "CBO", 0), 18);
	assert_int_equal(present(r, "IMC", 0), 4);
	assert_int_equal(present(r, "IRP", 0), 1);
	rig_close(r);
}

/* The map of node ids may cross packages over: field 0 is 1, field 1 is 0. */
static void
packages_are_told_by_the_map_of_node_ids(void **state)
{
	struct rig *r = hsx("pci bus0:10.5 0x54 = 0xfac681", NULL);

	(void)state;
	assert_int_equal(r->node.topo.pkg[0].bus[0], 0xff);
	assert_int_equal(r->node.topo.pkg[0].bus[1], 0x80);
	assert_int_equal(r->node.topo.pkg[1].bus[0], 0x7f);
	assert_int_equal(r->node.topo.pkg[1].bus[1], 0x00);
	assert_int_equal(r->node.topo.pkg[0].nodeid, 1);
	rig_close(r);
}

/* The bus of another package's IRP is not taken for one's own. */
static void
a_package_without_an_irp_has_the_rest(void **state)
{
	struct rig *r = hsx("pci 80:05.6 none", NULL);

	(void)state;
	assert_int_equal(r->node.topo.pkg[1].bus[1], -1);
	assert_string_equal(rig_unit(r, "IRP", 1, 0)->reason,
	    "its PCI bus is unknown");
	assert_true(rig_unit(r, "IRP", 0, 0)->present);
	assert_true(rig_unit(r, "HA", 1, 1)->present);
	rig_close(r);
}

static void
functions_that_are_not_there_are_named(void **state)
{
	struct rig *r = hsx("", NULL);

	(void)state;
	assert_string_equal(rig_unit(r, "IMC", 1, 7)->reason,
	    "no PCI function ff:18.1");
	assert_string_equal(rig_unit(r, "QPI", 0, 2)->reason,
	    "no PCI function 7f:0a.2");
	assert_int_equal(present(r, "R3QPI", 0), 2);
	rig_close(r);
}

/* CAPID4 7:6: the smallest die has two SBOs. */
static void
a_small_die_has_two_sbos(void **state)
{
	struct rig *r = hsx("pci bus0:1e.3 0x94 = 0x25 pkg=1", NULL);

	(void)state;
	assert_int_equal(present(r, "SBO", 0), 4);
	assert_int_equal(present(r, "SBO", 1), 2);
	assert_string_equal(rig_unit(r, "SBO", 1, 2)->reason,
	    "not on this part: it has 2 (CAPID4)");
	rig_close(r);
	r = hsx("pci ff:1e.3 none", NULL);
	assert_int_equal(present(r, "SBO", 1), 0);
	assert_string_equal(rig_unit(r, "SBO", 1, 0)->reason, "CAPID4 is "
	    "hidden: "
	    "no PCI function ff:1e.3 with id 8086:2fc0");
	rig_close(r);
}

static void
there_are_as_many_cbos_as_msr_702_says_or_else_as_cores(void **state)
{
	static const struct {
		int line;
		const char *machine;
		unsigned cbos;
	} rows[] = {
		{ __LINE__, "msr 0x702 pkg = 0x40c", 12 },
		{ __LINE__, "msr 0x702 pkg = 0\ncores 14", 14 },
		{ __LINE__, "msr 0x702 none\ncores 10", 10 },
		{ __LINE__, "msr 0x702 pkg = 63\ncores 6", 6 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rig *r = hsx(rows[i].machine, NULL);

		if (present(r, "CBO", 1) != rows[i].cbos)
			fail_msg("row at line %d: %u", rows[i].line,
			    present(r, "CBO", 1));
		rig_close(r);
	}
}

/* Unit names of the event lists, and the kernel's: perf-event.md 8.5. */
static void
boxes_have_the_kernels_pmu_names(void **state)
{
	static const char *const names[][2] = {
		{ "CBO", "uncore_cbox" }, { "SBO", "uncore_sbox" },
		{ "HA", "uncore_ha" }, { "IMC", "uncore_imc" },
		{ "QPI", "uncore_qpi" }, { "PCU", "uncore_pcu" },
		{ "UBOX", "uncore_ubox" }, { "IRP", "uncore_irp" },
		{ "R2PCIe", "uncore_r2pcie" }, { "R3QPI", "uncore_r3qpi" },
		{ "CORE", "cpu" },
	};
	char buf[64];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		assert_string_equal(box_pmu(model_box(model_named("hsx"),
		    names[i][0]), buf, sizeof(buf)), names[i][1]);
}

/* ---- events of Intel's lists ---- */

static struct eventlist *
lists(void)
{
	return lists_of("hsx", (const char *[]){
	    "HSX/events/haswellx_core.json",
	    "HSX/events/haswellx_uncore.json", NULL });
}

static void
every_listed_event_encodes(void **state)
{
	struct eventlist *list = lists();
	const struct listed_event *e;
	unsigned n;

	(void)state;
	for (n = 0; (e = eventlist_at(list, n)) != NULL; n++) {
		if (e->type == NULL)
			fail_msg("%s: %s", e->name, e->why_not);
		assert_true((e->ctl & ~box_ctl_valid(e->type)) == 0);
		if (e->fixed < 0)
			assert_true(e->counters != 0 &&
			    e->counters >> e->type->counters == 0);
	}
	assert_int_equal(n, 386 + 1278);
	eventlist_free(list);
}

/* Control values by hand: event | umask << 8 | cmask << 24, inv 0x800000, edge
 * 0x40000, any and xsel 0x200000, EN 0x400000; cores with user and kernel
 * (0x30000) on top.  Which counters, and the filter that goes with it. */
#define ALL4 0xf
static const struct {
	int line;
	const char *box, *event;
	uint64_t ctl;
	unsigned counters;
	int filter;                     /* its number; -1: none */
	uint64_t value;
} golden[] = {
	{ __LINE__, "CORE", "INST_RETIRED.ANY_P", 0x4300c0, 0xff, -1, 0 },
	{ __LINE__, "CORE", "UOPS_RETIRED.STALL_CYCLES", 0x1c301c2, ALL4, -1,
	  0 },
	{ __LINE__, "CORE", "CYCLE_ACTIVITY.STALLS_L1D_PENDING", 0xc430ca3,
	  0x4, -1, 0 },
	{ __LINE__, "CORE", "INT_MISC.RECOVERY_CYCLES_ANY", 0x163030d, 0xff,
	  -1, 0 },
	{ __LINE__, "CORE", "RS_EVENTS.EMPTY_END", 0x1c7015e, 0xff, -1, 0 },
	{ __LINE__, "CORE",
	  "OFFCORE_RESPONSE.DEMAND_DATA_RD.LLC_MISS.ANY_RESPONSE", 0x4301b7,
	  ALL4, 0, 0x3fbfc00001 },
	{ __LINE__, "CORE", "MEM_TRANS_RETIRED.LOAD_LATENCY_GT_128", 0x4301cd,
	  0x8, 2, 0x80 },
	/* a fixed counter's event, with AnyThread: by its twin */
	{ __LINE__, "CORE", "CPU_CLK_UNHALTED.THREAD_ANY", 0x63003c, 0xff, -1,
	  0 },
	{ __LINE__, "CBO", "LLC_LOOKUP.DATA_READ", 0x400334, ALL4, 0,
	  0xfe0000 },
	{ __LINE__, "CBO", "LLC_LOOKUP.READ", 0x402134, ALL4, 0, 0xfe0000 },
	{ __LINE__, "CBO", "TOR_INSERTS.MISS_OPCODE", 0x400335, ALL4, -1, 0 },
	{ __LINE__, "CBO", "TOR_OCCUPANCY.MISS_ALL", 0x400a36, 0x1, -1, 0 },
	{ __LINE__, "SBO", "RING_BL_USED.UP", 0x40031d, ALL4, -1, 0 },
	{ __LINE__, "HA", "IMC_WRITES.ALL", 0x400f1a, ALL4, -1, 0 },
	{ __LINE__, "IMC", "CAS_COUNT.RD", 0x400304, ALL4, -1, 0 },
	{ __LINE__, "IMC", "PRE_COUNT.PAGE_MISS", 0x400102, ALL4, -1, 0 },
	{ __LINE__, "QPI", "RxL_FLITS_G1.DRS_DATA", 0x600802, ALL4, -1, 0 },
	{ __LINE__, "QPI", "TxL_FLITS_G0.DATA", 0x400200, ALL4, -1, 0 },
	{ __LINE__, "QPI", "CTO_COUNT", 0x600038, ALL4, -1, 0 },
	{ __LINE__, "PCU", "POWER_STATE_OCCUPANCY.CORES_C6", 0x40c080, ALL4,
	  -1, 0 },
	{ __LINE__, "PCU", "FREQ_BAND2_CYCLES", 0x40000d, ALL4, -1, 0 },
	{ __LINE__, "R2PCIe", "CLOCKTICKS", 0x400001, ALL4, -1, 0 },
	{ __LINE__, "R3QPI", "RING_BL_USED.CW", 0x400309, 0x7, -1, 0 },
	{ __LINE__, "IRP", "COHERENT_OPS.PCITOM", 0x401013, 0x3, -1, 0 },
	{ __LINE__, "UBOX", "EVENT_MSG.DOORBELL_RCVD", 0x400842, 0x3, -1, 0 },
	{ __LINE__, "UBOX", "CLOCKTICKS", 0x400000, 0x3, -1, 0 },
};

static void
listed_events_have_the_control_values_worked_out_by_hand(void **state)
{
	struct eventlist *list = lists();
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(golden) / sizeof(golden[0]); i++) {
		const struct listed_event *e = eventlist_find_in(list,
		    model_box(model_named("hsx"), golden[i].box),
		    golden[i].event);
		int f = golden[i].filter;

		if (e != NULL && e->ctl == golden[i].ctl && e->fixed < 0 &&
		    e->counters == golden[i].counters &&
		    e->filters == (f < 0 ? 0 : 1u << f) &&
		    (f < 0 || e->filter[f] == golden[i].value))
			continue;
		print_error("line %d: %s %s is 0x%" PRIx64 " on counters 0x%x"
		    ", filters 0x%x\n", golden[i].line, golden[i].box,
		    golden[i].event, e != NULL ? e->ctl : 0,
		    e != NULL ? e->counters : 0, e != NULL ? e->filters : 0);
		wrong++;
	}
	assert_int_equal(wrong, 0);
	eventlist_free(list);
}

static void
fixed_counters_and_the_second_offcore_register_are_found(void **state)
{
	const struct box_type *core = model_named("hsx")->core;
	struct eventlist *list = lists();
	const struct listed_event *e;

	(void)state;
	e = eventlist_find_in(list, core, "INST_RETIRED.ANY");
	assert_int_equal(e->fixed, 0);
	e = eventlist_find_in(list, core, "CPU_CLK_UNHALTED.REF_TSC");
	assert_int_equal(e->fixed, 2);
	e = eventlist_find_in(list, core,
	    "OFFCORE_RESPONSE.DEMAND_DATA_RD.LLC_MISS.ANY_RESPONSE");
	assert_non_null(e->other);
	assert_int_equal(e->other->ctl, 0x4301bb);
	assert_int_equal(e->other->filters, 2);
	eventlist_free(list);
}

/* By Intel's names, from the configuration to the machine's registers. */
static void
events_of_the_lists_count_by_name(void **state)
{
	struct rig *r;
	char file[512], config[900];
	uint64_t miss;

	(void)state;
	snprintf(config, sizeof(config), "event-list %s\n"
	    "cbo UNC_C_LLC_LOOKUP.ANY\ncbo UNC_C_LLC_LOOKUP.READ\n"
	    "qpi UNC_Q_RxL_FLITS_G1.DRS_DATA\n"
	    "cbo TOR_OCCUPANCY.MISS_ALL\nirp UNC_I_COHERENT_OPS.PCIRDCUR\n",
	    perfmon("HSX/events/haswellx_uncore.json", file));
	r = hsx("", config);
	rig_program(r);
	rig_sample(r);
	miss = rig_value(r, "cbo_counts[0][1][\"UNC_C_LLC_LOOKUP.ANY\"]");
	sim_advance(rig_sim(r), SECOND);
	rig_sample(r);
	assert_int_equal(rig_value(r,
	    "cbo_counts[0][1][\"UNC_C_LLC_LOOKUP.ANY\"]") - miss, 19000 + 3);
	assert_int_equal(rig_value(r,
	    "irp_counts[0][0][\"UNC_I_COHERENT_OPS.PCIRDCUR\"]"), 1700);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_box_counts_its_own_rate_to_the_count),
		cmocka_unit_test(
		    r3qpi_and_r2pcie_count_too_and_r3qpi_wraps_at_44_bits),
		cmocka_unit_test(filters_narrow_what_a_cbo_counts),
		cmocka_unit_test(
		    a_frozen_sbo_counts_and_is_frozen_again_afterwards),
		cmocka_unit_test(
		    the_simulated_sbo_refuses_several_bits_at_once),
		cmocka_unit_test(every_register_is_as_found_after_a_restore),
		cmocka_unit_test(
		    packages_have_a_bus_with_the_ubox_and_one_for_io),
		cmocka_unit_test(one_package_has_its_buses),
		cmocka_unit_test(packages_are_told_by_the_map_of_node_ids),
		cmocka_unit_test(a_package_without_an_irp_has_the_rest),
		cmocka_unit_test(functions_that_are_not_there_are_named),
		cmocka_unit_test(a_small_die_has_two_sbos),
		cmocka_unit_test(
		    there_are_as_many_cbos_as_msr_702_says_or_else_as_cores),
		cmocka_unit_test(boxes_have_the_kernels_pmu_names),
		cmocka_unit_test(every_listed_event_encodes),
		cmocka_unit_test(
		    listed_events_have_the_control_values_worked_out_by_hand),
		cmocka_unit_test(
		    fixed_counters_and_the_second_offcore_register_are_found),
		cmocka_unit_test(events_of_the_lists_count_by_name),
	};

	return cmocka_run_group_tests_name("hsx", tests, NULL, NULL);
}
