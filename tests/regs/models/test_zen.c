/*
 * tests/regs/models/test_zen.c - AMD Zen 2 to Zen 5: which CPUs they are, their cores' events
 * as control values, what is refused, and the counts of a simulated node.
 * Expected numbers are those of the register reference (amd-zen.md: 1.1, 2.1, 9, 11)
 * and the rates of rome-7742-2s.machine.
 */
#include "tests/lib/encoded.h"
#include "tests/lib/rig.h"

#include <string.h>

#define SECOND 1000000000ull

static const struct model *
amd(unsigned family, unsigned model)
{
	return model_find("AuthenticAMD", family, model, 0);
}

static void
cpus_are_known_by_family_and_range_of_models(void **state)
{
	static const struct {
		int line;
		unsigned family, model;
		const char *name;
	} cpu[] = {
		{ __LINE__, 0x17, 0x31, "zen2" }, { __LINE__, 0x17, 0x30, "zen2" },
		{ __LINE__, 0x17, 0x4f, "zen2" }, { __LINE__, 0x17, 0x71, "zen2" },
		{ __LINE__, 0x17, 0xa0, "zen2" },
		{ __LINE__, 0x17, 0x01, "zen1" }, { __LINE__, 0x17, 0x2f, "zen1" },
		{ __LINE__, 0x17, 0x50, "zen1" }, { __LINE__, 0x17, 0x80, "none" },
		{ __LINE__, 0x19, 0x00, "zen3" }, { __LINE__, 0x19, 0x01, "zen3" },
		{ __LINE__, 0x19, 0x21, "zen3" }, { __LINE__, 0x19, 0x5f, "zen3" },
		{ __LINE__, 0x19, 0x10, "zen4" }, { __LINE__, 0x19, 0x11, "zen4" },
		{ __LINE__, 0x19, 0x60, "zen4" }, { __LINE__, 0x19, 0x90, "zen4" },
		{ __LINE__, 0x19, 0xa0, "zen4" }, { __LINE__, 0x19, 0xaf, "zen4" },
		{ __LINE__, 0x19, 0xb0, "none" },
		{ __LINE__, 0x1a, 0x02, "zen5" }, { __LINE__, 0x1a, 0x11, "zen5" },
		{ __LINE__, 0x1a, 0x44, "zen5" }, { __LINE__, 0x1a, 0xd7, "zen5" },
		{ __LINE__, 0x1a, 0x30, "none" }, { __LINE__, 0x1a, 0x50, "none" },
		{ __LINE__, 0x1a, 0xc0, "none" }, { __LINE__, 0x1a, 0xd8, "none" },
		{ __LINE__, 6, 0x31, "none" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cpu) / sizeof(cpu[0]); i++)
		if (amd(cpu[i].family, cpu[i].model) !=
		    model_named(cpu[i].name))
			fail_msg("line %d", cpu[i].line);
	/* Zen 1's relative, and Intel's numbers */
	assert_null(model_find("HygonGenuine", 0x18, 0x01, 0));
	assert_null(model_find("AuthenticAMD", 6, 0x55, 4));
	assert_null(model_find("GenuineIntel", 0x17, 0x31, 0));
}

static void
events_are_encoded_as_the_reference_does(void **state)
{
	static const struct {
		int line;
		const char *model, *text;
		uint64_t ctl;
	} event[] = {
		{ __LINE__, "zen2", "core A event=0xc0", 0x4300c0 },
		{ __LINE__, "zen2", "core A event=0x76", 0x430076 },
		{ __LINE__, "zen3", "core A event=0x64,umask=0x09", 0x430964 },
		{ __LINE__, "zen4", "core A event=0x120,umask=0x01",
		  0x100430120 },
		{ __LINE__, "zen4", "core A event=0x1a0,umask=0x01",
		  0x1004301a0 },
		{ __LINE__, "zen5", "core A event=0x28f,umask=0x04",
		  0x20043048f },
		{ __LINE__, "zen5", "core A event=0x76,cmask=8,inv=1",
		  0x8c30076 },
		{ __LINE__, "zen2", "core instr_retired", 0x4300c0 },
		{ __LINE__, "zen2", "core instr_retired usr=1,os=0", 0x4100c0 },
		{ __LINE__, "zen3", "core l2_miss_ic_dc", 0x430964 },
		{ __LINE__, "zen4", "core ref_cycles_p0", 0x100430120 },
		{ __LINE__, "zen4", "core slots_backend", 0x100431ea0 },
		{ __LINE__, "zen5", "core op_cache_miss", 0x20043048f },
		{ __LINE__, "zen2", "core l2_req_dc", 0x43c860 },
		{ __LINE__, "zen3", "core l2_req_dc", 0x43e860 },
		{ __LINE__, "zen5", "core l2_req_dc", 0x43e060 },
		{ __LINE__, "zen5", "core l2_fill_all", 0x10043de65 },
		{ __LINE__, "zen2", "core itlb_l2_miss", 0x430785 },
		{ __LINE__, "zen4", "core itlb_l2_miss", 0x430f85 },
	};
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(event) / sizeof(event[0]); i++) {
		uint64_t ctl = encoded_control(event[i].model, event[i].text, &why);

		if (ctl != event[i].ctl)
			fail_msg("line %d: 0x%llx %s", event[i].line,
			    (unsigned long long)ctl, ctl == 0 ? why.text : "");
	}
}

static void
what_would_count_wrongly_is_refused_with_the_reason(void **state)
{
	static const struct { const char *model, *text, *why; } event[] = {
		{ "zen2", "core ref_cycles_p0", "Zen 2 has no such event" },
		{ "zen5", "core ic_fetch_all",
		  "an erratum of Zen 5 makes it count wrongly" },
		{ "zen3", "core flops_bf16", "Zen 3 has no such event" },
		{ "zen4", "core A event=0x1000", "is too large for CORE" },
		{ "zen4", "core A 0x80300c0", NULL },
		{ "zen4", "core A 0x801000c0", "sets bit 20" },
		{ "zen2", "core A 0x4b00c0", "sets bit 19" },
		{ "zen2", "core A 0x6300c0", "sets bit 21" },
		{ "zen5", "core A 0x100004300c0", "sets bit 40" },
	};
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(event) / sizeof(event[0]); i++) {
		uint64_t ctl = encoded_control(event[i].model, event[i].text, &why);

		if ((ctl == 0) != (event[i].why != NULL))
			fail_msg("%s: 0x%llx", event[i].text,
			    (unsigned long long)ctl);
		if (ctl == 0 && strstr(why.text, event[i].why) == NULL)
			fail_msg("%s: %s", event[i].text, why.text);
	}
}

/* rate + lproc's instance * step + package * pkgstep; lproc 65 is core 1 of
 * package 1 */
static void
every_counter_counts_its_rate_to_the_count_and_over_its_end(void **state)
{
	static const struct rig_rate rate[] = {
		{ "core_counts[0][\"instr_retired\"]", 1000000, 3000000000, 48 },
		{ "core_counts[65][\"instr_retired\"]", 1000000 + 11 + 3,
		  3000000000 + 11 + 3, 48 },
		{ "core_counts[65][\"cycles_unhalted\"]", 3300000 + 13 + 3,
		  3300000000 + 13 + 3, 48 },
		{ "core_counts[65][\"l2_miss_ic_dc\"]", 200 + 23 + 3,
		  6000000 + 23 + 3, 48 },
		{ "rapl_pkg_energy[0]", 5898240, 11796480, 32 },
		{ "rapl_pkg_energy[1]", 5898240 + 65536, 11796480 + 65536, 32 },
		{ "rapl_core_energy[1]", 16384 + 8, 131072 + 8, 32 },
		{ "mperf[65]", 2250000 + 101, 2250000000 + 101, 64 },
		{ "aperf[65]", 3300000 + 103, 3300000000 + 103, 64 },
	};
	struct rig *r = rig_open("@rome-7742-2s", NULL);

	(void)state;
	/* three core counters of 48 bits, three of energy */
	assert_int_equal(rig_counted(r, rate, sizeof(rate) / sizeof(rate[0])),
	    6);
	rig_close(r);
}

/* CPUID without PerfCtrExtCore, as of many hypervisors. */
static void
a_guest_without_the_six_counters_has_none(void **state)
{
	struct rig *r = rig_with("@rome-7742-2s", "cpuid 0x80000001 0x00830f10 "
	    "0x40000000 0x744237ff 0x2fd3fbff\n", "optional core instr_retired\n"
	    "read rapl_pkg_energy\n");

	(void)state;
	assert_int_equal(r->node.topo.cpu.gp_counters, 0);
	assert_false(rig_has(r, "core_counts[0][\"instr_retired\"]"));
	assert_true(rig_has(r, "rapl_pkg_energy[1]"));
	rig_close(r);
}

/* EAX of 8000_0000, ECX of 8000_0001, EAX and EBX of 8000_0022 */
static void
the_counters_outside_the_cores_are_as_many_as_cpuid_announces(void **state)
{
	static const struct {
		int line;
		uint32_t last, features, v2, counts;
		unsigned df, l3, core;
	} cpu[] = {
		{ __LINE__, 0x80000020, 0x75c237ff, 0, 0, 4, 6, 6 },    /* Rome */
		{ __LINE__, 0x80000028, 0x75c237ff, 7, 0x304106, 16, 6, 6 },
		{ __LINE__, 0x80000028, 0x75c237ff, 7, 0x084106, 16, 6, 6 },
		{ __LINE__, 0x80000028, 0x75c237ff, 7, 0x101106, 4, 6, 6 },
		/* Milan: the leaf is there, and empty */
		{ __LINE__, 0x80000023, 0x75c237ff, 0, 0, 4, 6, 6 },
		/* a guest */
		{ __LINE__, 0x80000028, 0x64c237ff, 1, 6, 0, 0, 6 },
		{ __LINE__, 0x80000028, 0x75c237ff, 1, 6, 0, 6, 6 },
		{ __LINE__, 0x80000028, 0x640237ff, 0, 0, 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cpu) / sizeof(cpu[0]); i++) {
		char text[400];
		struct rig *r;
		const struct cpu_id *id;

		snprintf(text, sizeof(text), "cpuid 0x80000000 0x%x 0 0 0\n"
		    "cpuid 0x80000001 0 0 0x%x 0\n"
		    "cpuid 0x80000022 0x%x 0x%x 0 0\n", cpu[i].last,
		    cpu[i].features, cpu[i].v2, cpu[i].counts);
		r = rig_with("@rome-7742-2s", text, "read rapl_pkg_energy\n");
		id = &r->node.topo.cpu;
		if (id->announced[ANNOUNCED_DF] != cpu[i].df ||
		    id->announced[ANNOUNCED_L3] != cpu[i].l3 ||
		    id->gp_counters != cpu[i].core)
			fail_msg("line %d", cpu[i].line);
		rig_close(r);
	}
}

/* Zen 4 has version 2, by leaf 8000_0022. */
static void
the_global_control_keeps_what_others_have_set_in_it(void **state)
{
	struct rig *r = rig_open("@genoa-9654-2s", NULL);
	struct reg_addr global = { REG_MSR, 8, 70, 0xc0000301 };
	uint64_t raw;

	(void)state;
	assert_string_equal(r->node.topo.model->name, "zen4");
	assert_int_equal(r->node.topo.cpu.gp_counters, 6);
	assert_int_equal(r->node.topo.cpu.pmu_version, 2);
	assert_int_equal(access_write(r->node.acc, &global, 0x20), 0);
	rig_program(r);
	assert_int_equal(access_read(r->node.acc, &global, &raw), 0);
	assert_true(raw == 0x3f);
	rig_restore(r);
	assert_int_equal(access_read(r->node.acc, &global, &raw), 0);
	assert_true(raw == 0x20);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpus_are_known_by_family_and_range_of_models),
		cmocka_unit_test(events_are_encoded_as_the_reference_does),
		cmocka_unit_test(
		    what_would_count_wrongly_is_refused_with_the_reason),
		cmocka_unit_test(
		    every_counter_counts_its_rate_to_the_count_and_over_its_end),
		cmocka_unit_test(a_guest_without_the_six_counters_has_none),
		cmocka_unit_test(
		    the_counters_outside_the_cores_are_as_many_as_cpuid_announces),
		cmocka_unit_test(
		    the_global_control_keeps_what_others_have_set_in_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
