/*
 * tests/regs/models/test_srf.c - Sierra Forest (srf) and Clearwater Forest (cwf): E-cores
 * on the platform of Granite Rapids.  Expected numbers are those of the register
 * reference (more-cpus.md 3, intel-server-pmon.md 3) and the rates of the simulated
 * nodes.
 */
#include "tests/lib/encoded.h"
#include "tests/lib/rig.h"

#include <inttypes.h>
#include <string.h>

static void
both_are_known_by_their_models(void **state)
{
	(void)state;
	assert_ptr_equal(model_find("GenuineIntel", 6, 0xaf, 3),
	    model_named("srf"));
	assert_ptr_equal(model_find("GenuineIntel", 6, 0xdd, 0),
	    model_named("cwf"));
	assert_null(model_find("GenuineIntel", 6, 0xde, 0));
}

/* Sources of the control values: for Sierra Forest Intel's list; for Clearwater Forest
 * the reference (3.1), which has the core events that differ, Intel's list of its core
 * events (1.04) and the list of uncore events that both have. */
static void
events_have_the_numbers_of_their_generation(void **state)
{
	static const struct {
		const char *line;
		uint64_t srf, cwf;      /* control values; 0: refused there */
	} t[] = {
		{ "core INST_RETIRED.ANY_P", 0x4300c0, 0x4300c0 },
		{ "core LONGEST_LAT_CACHE.MISS", 0x43412e, 0x43412e },
		{ "core L2_REQUEST.MISS", 0x430124, 0x437f24 },
		{ "core L2_REQUEST.HIT", 0x430224, 0x43bf24 },
		{ "core UOPS_RETIRED.MS", 0x4301c2, 0x4304c2 },
		{ "core BR_INST_RETIRED.COND", 0x437ec4, 0x4307c4 },
		{ "core BR_INST_RETIRED.NEAR_TAKEN", 0x43c0c4, 0x43fbc4 },
		{ "core BR_INST_RETIRED.NEAR_RETURN", 0x43f7c4, 0x4308c4 },
		{ "core BR_INST_RETIRED.NEAR_CALL", 0x43f9c4, 0x4330c4 },
		{ "core BR_INST_RETIRED.COND_TAKEN", 0x43fec4, 0x4303c4 },
		{ "core BR_MISP_RETIRED.COND_TAKEN", 0x43fec5, 0x4303c5 },
		{ "core FP_VINT_UOPS_EXECUTED.ALL", 0x430fb2, 0x431fb2 },
		{ "core TOPDOWN_FE_BOUND.ALL", 0x430071, 0x43019c },
		{ "core TOPDOWN_RETIRING.ALL", 0x430072, 0x4302c2 },
		{ "core TOPDOWN_BAD_SPECULATION.ALL", 0x430073, 0x430073 },
		{ "core TOPDOWN_BE_BOUND.ALL", 0x430074, 0x4302a4 },
		{ "core FP_FLOPS_RETIRED.ALL", 0x4303c8, 0x4303c8 },
		{ "core FP_INST_RETIRED.256B_DP", 0x4320c7, 0x4320c7 },
		{ "core MEM_UOPS_RETIRED.ALL_LOADS", 0x4381d0, 0x4381d0 },
		{ "core MEM_LOAD_UOPS_RETIRED.L1_MISS", 0x4340d1, 0x4340d1 },
		{ "core MEM_LOAD_UOPS_L3_MISS_RETIRED.ALL", 0x43ffd3, 0x43ffd3 },
		{ "core MEM_BOUND_STALLS_LOAD.ALL", 0x437f34, 0 },
		{ "imc CAS_COUNT_SCH0.RD", 0xcf05, 0xcf05 },
		{ "imc CAS_COUNT_SCH1.WR", 0xf006, 0xf006 },
		{ "cha TOR_INSERTS.IA_MISS_DRD_OPT", 0xc827fe00000135,
		  0xc827fe00000135 },
		{ "core A event=0xc0,any=1", 0, 0 },
		{ "core A event=0xc0,in_tx=1", 0, 0 },
	};
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		uint64_t srf = encoded_control("srf", t[i].line, &why);
		uint64_t cwf = encoded_control("cwf", t[i].line, &why);

		if (srf != t[i].srf || cwf != t[i].cwf)
			fail_msg("%s: srf 0x%" PRIx64 ", cwf 0x%" PRIx64
			    "; expected 0x%" PRIx64 ", 0x%" PRIx64, t[i].line,
			    srf, cwf, t[i].srf, t[i].cwf);
	}
}

static void
boxes_are_those_of_granite_rapids(void **state)
{
	static const char *const name[] = { "srf", "cwf" };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const struct model *m = model_named(name[i]);
		const struct model *gnr = model_named("gnr");

		assert_ptr_equal(m->box, gnr->box);
		assert_ptr_equal(m->freerun, gnr->freerun);
		assert_int_equal(m->core->ctl, 0x186);
		assert_int_equal(m->core->ctr, 0xc1);
		assert_int_equal(m->core->counters, 8);
		assert_int_equal(m->fixed->ctr, 0x309);
		assert_null(m->fixed->name[3]);
		assert_int_equal(m->fixed->metrics, 0);
		/* no source gives the unit of platform energy (psys) for them */
		assert_null(scalar_named(m, "rapl_psys_energy"));
	}
}

static uint64_t
msr(const struct rig *r, uint32_t number)
{
	struct reg_addr addr = { REG_MSR, 8, 0, number };
	uint64_t raw;

	assert_int_equal(access_read(r->node.acc, &addr, &raw), 0);
	return raw;
}

/* CPUID leaf 0x23 of Darkmont (cwf) has the fixed counters 0, 1, 2, 4, 5 and 6.  General
 * counters can count what the last three count, so that these stay off. */
static void
fixed_counters_beyond_a_hole_are_left_alone(void **state)
{
	struct rig *r = rig_open("@cwf-2s", NULL);

	(void)state;
	assert_int_equal(r->node.topo.cpu.gp_counters, 8);
	assert_int_equal(r->node.topo.cpu.fixed_counters, 3);
	rig_program(r);
	rig_sample(r);
	assert_int_equal(msr(r, 0x38d), 0x333);
	assert_int_equal(msr(r, 0x38f), 0x7000000ff);
	assert_int_equal(rig_second(r, "core_counts[5][\"TOPDOWN_BE_BOUND.ALL\"]"),
	    6000000 + 5 * 5);
	assert_true(rig_second(r, "imc_counts[1][0][\"CAS_COUNT_SCH1.WR\"]") > 0);
	rig_restore(r);
	rig_close(r);
}

/* Firmware may hide the discovery tables: CHAs and I/O stacks are then known from a fixed
 * list, as on Granite Rapids, memory channels are not. */
static void
without_tables_there_are_chas_and_stacks(void **state)
{
	struct rig *r = rig_with("@srf-2s", "pci e7:03.1 0x10 = 0\n"
	    "pci e7:04.1 0x10 = 0\n", "cha CLOCKTICKS event=0x01\n");

	(void)state;
	assert_string_equal(rig_unit(r, "CHA", 1, 71)->source,
	    "fixed list: no discovery table");
	assert_false(rig_unit(r, "CHA", 1, 72)->present);
	assert_true(rig_unit(r, "IIO", 1, 15)->present);
	assert_false(rig_unit(r, "IMC", 1, 0)->present);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_are_known_by_their_models),
		cmocka_unit_test(events_have_the_numbers_of_their_generation),
		cmocka_unit_test(boxes_are_those_of_granite_rapids),
		cmocka_unit_test(fixed_counters_beyond_a_hole_are_left_alone),
		cmocka_unit_test(without_tables_there_are_chas_and_stacks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
