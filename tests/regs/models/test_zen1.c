/*
 * tests/regs/models/test_zen1.c - AMD Zen 1: its events as control values, and the data fabric of
 * which each die has one.  Expected numbers are those of tests/data/zen1-events.tsv,
 * which was written from the register reference (more-cpus.md 4.1) alone, and the rates
 * of the simulated node.
 */
#include "tests/lib/encoded.h"
#include "tests/lib/rig.h"

#include <string.h>

static void
every_event_of_the_reference_has_its_control_value(void **state)
{
	const struct event_name *e = model_named("zen1")->core->event;
	unsigned n = 0;

	(void)state;
	while (e[n].name != NULL)
		n++;
	assert_int_equal(encoded_table("tests/data/zen1-events.tsv", "core"),
	    n);
}

/* Each kind and precision of FLOPs adds up to more than 15 in a cycle. */
static void
flops_take_two_counters(void **state)
{
	const struct box_type *core = model_named("zen1")->core;

	(void)state;
	assert_true(box_pairs(core, 0x43ff03));
	assert_true(box_pairs(core, 0x431003));
	assert_false(box_pairs(core, 0x4300c0));
}

static const char channels[] = "df dram_ch_0\ndf dram_ch_1\n";

/* Complexes 2 d and 2 d + 1 are on die d: the first one's lowest lproc reads it. */
static void
each_die_has_its_data_fabric_once(void **state)
{
	struct rig *r = rig_with("@naples-7551p", "", channels);

	(void)state;
	for (unsigned ccx = 0; ccx < 8; ccx++) {
		const struct unit *u = rig_unit(r, "DF", 0, ccx);

		assert_int_equal(u->present, ccx % 2 == 0);
		if (u->present)
			assert_int_equal(u->where, 4 * ccx);
	}
	assert_string_equal(rig_unit(r, "DF", 0, 5)->reason,
	    "that of CCX 4 counts for all of the die");
	assert_int_equal(r->node.plan.nwrite, 2 * 4);
	rig_program(r);
	rig_sample(r);
	assert_int_equal(rig_second(r, "df_counts[0][4][\"dram_ch_1\"]"),
	    151000 + 7 * 4);
	assert_false(rig_has(r, "df_counts[0][5][\"dram_ch_1\"]"));
	rig_restore(r);
	rig_close(r);
}

#define OFF(n) "from 0 lproc " #n " offline\n"
/* The first complex of a die is offline: the other one reads for both. */
static void
a_die_whose_first_complex_is_offline_is_read_by_the_other(void **state)
{
	struct rig *r = rig_with("@naples-7551p", OFF(8) OFF(9) OFF(10) OFF(11)
	    OFF(40) OFF(41) OFF(42) OFF(43), channels);

	(void)state;
	assert_false(rig_unit(r, "DF", 0, 2)->present);
	assert_true(rig_unit(r, "DF", 0, 3)->present);
	assert_int_equal(rig_unit(r, "DF", 0, 3)->where, 12);
	rig_close(r);
}

/* A guest of Zen 1: CPUID announces neither the six counters nor boxes. */
static void
a_guest_has_what_cpuid_announces(void **state)
{
	struct rig *r = rig_bare("@naples-7551p", "cpu guest=1\n"
	    "cpuid 0x80000001 0x00800f12 0x40000000 0x004023f3 0x2fd3fbff\n");

	(void)state;
	assert_int_equal(r->node.topo.cpu.gp_counters, 0);
	assert_false(rig_unit(r, "DF", 0, 0)->present);
	assert_false(rig_unit(r, "L3", 0, 0)->present);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    every_event_of_the_reference_has_its_control_value),
		cmocka_unit_test(flops_take_two_counters),
		cmocka_unit_test(each_die_has_its_data_fabric_once),
		cmocka_unit_test(
		    a_die_whose_first_complex_is_offline_is_read_by_the_other),
		cmocka_unit_test(a_guest_has_what_cpuid_announces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
