/*
 * tests/regs/models/test_umc.c - the memory controllers of AMD's Zen 4 and 5: which of them
 * CPUID says there are, what they can count, and how the simulated ones behave.
 * Expected numbers are those of the register reference (amd-zen.md: 1.3, 6, 9.6, 11).
 */
#include "tests/lib/encoded.h"
#include "tests/lib/rig.h"

#include "regs/sim/sim.h"

#include <stdio.h>
#include <string.h>

#define SECOND 1000000000ull
#define CTL0 0xc0010800
#define CTR0 0xc0010801
#define CLOCKS 0x80000000               /* control of umc_clk */

static uint64_t
get(struct access *acc, uint64_t msr)
{
	struct reg_addr addr = { REG_MSR, 8, 0, msr };
	uint64_t raw;

	assert_int_equal(access_read(acc, &addr, &raw), 0);
	return raw;
}

static int
put(struct access *acc, uint64_t msr, uint64_t raw)
{
	struct reg_addr addr = { REG_MSR, 8, 0, msr };

	return access_write(acc, &addr, raw);
}

/* ---- the simulated ones ---- */

static void
a_counter_stops_at_its_end_and_begins_anew_when_it_is_set(void **state)
{
	struct access *acc = sim_access(machine_with("@genoa-9654-2s", ""));

	(void)state;
	assert_int_equal(put(acc, CTL0, CLOCKS), 0);
	/* one count before its end */
	assert_int_equal(put(acc, CTR0, 0xffffffffffff), 0);
	assert_true(get(acc, CTR0) == 0xffffffffffff);
	sim_advance((struct sim *)acc, SECOND);
	assert_true(get(acc, CTR0) == 0x1000000000000);
	sim_advance((struct sim *)acc, SECOND);
	assert_true(get(acc, CTR0) == 0x1000000000000);
	/* its neighbour counts on */
	assert_int_equal(put(acc, CTL0 + 2, CLOCKS), 0);
	assert_int_equal(put(acc, CTR0 + 2, 5), 0);
	assert_int_equal(put(acc, CTR0, 0), 0);
	sim_advance((struct sim *)acc, SECOND);
	assert_true(get(acc, CTR0) == 2400000000);
	assert_true(get(acc, CTR0 + 2) == 2400000005);
	acc->ops->close(acc);
}

static void
writes_to_counters_are_lost_while_no_control_is_on(void **state)
{
	struct access *acc = sim_access(machine_with("@genoa-9654-2s", ""));

	(void)state;
	assert_true(get(acc, CTR0) == 140737400000000);
	assert_int_equal(put(acc, CTR0, 7), 0);
	assert_true(get(acc, CTR0) == 140737400000000);
	/* that of the next UMC is of no use */
	assert_int_equal(put(acc, CTL0 + 8, CLOCKS), 0);
	assert_int_equal(put(acc, CTR0, 7), 0);
	assert_true(get(acc, CTR0) == 140737400000000);
	/* that of another counter of the same is */
	assert_int_equal(put(acc, CTL0 + 6, CLOCKS), 0);
	assert_int_equal(put(acc, CTR0, 7), 0);
	assert_true(get(acc, CTR0) == 7);
	acc->ops->close(acc);
}

/* ---- which there are ---- */

static void
umcs_are_those_of_the_mask_of_their_package(void **state)
{
	static const struct {
		int line;
		uint32_t ebx, ecx;
		unsigned umcs, counters;
		unsigned last;          /* the UMC whose last registers are */
		uint32_t ctl, ctr;      /* these */
	} cpu[] = {
		{ __LINE__, 0x00304106, 0xfff, 12, 4, 11, 0xc001085e,
		  0xc001085f },
		{ __LINE__, 0x00204106, 0x6db, 8, 4, 7, 0xc001083e,
		  0xc001083f },
		{ __LINE__, 0x00104106, 0x249, 4, 4, 3, 0xc001081e,
		  0xc001081f },
		{ __LINE__, 0x00404106, 0xffff, 16, 4, 15, 0xc001087e,
		  0xc001087f },
		{ __LINE__, 0x00044106, 0x1, 1, 4, 0, 0xc0010806, 0xc0010807 },
		/* two counters each; eight, of which four are used */
		{ __LINE__, 0x00184106, 0xfff, 12, 2, 11, 0xc001082e,
		  0xc001082f },
		{ __LINE__, 0x00604106, 0xfff, 12, 4, 11, 0xc00108b6,
		  0xc00108b7 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cpu) / sizeof(cpu[0]); i++) {
		unsigned n = 0;
		char text[128];
		struct rig *r;
		const struct unit *u;

		/* what UMCs of the machine there are does not matter here */
		snprintf(text, sizeof(text), "box umc counters=0\ncpuid "
		    "0x80000022 7 0x%x 0x%x 0\nmsr 0xc0010800 pkg = 0 n=256\n",
		    cpu[i].ebx, cpu[i].ecx);
		r = rig_bare("@genoa-9654-2s", text);
		for (unsigned k = 0; k < r->node.inv.n; k++) {
			u = &r->node.inv.unit[k];
			n += strcmp(u->type->name, "UMC") == 0 && u->present;
		}
		u = rig_unit(r, "UMC", 1, cpu[i].last);
		if (n != 2 * cpu[i].umcs || u->counters != cpu[i].counters ||
		    unit_addr(u, u->ctl + (u->counters - 1u) * u->ctl_step,
		    8).offset != cpu[i].ctl ||
		    unit_addr(u, u->ctr + (u->counters - 1u) * u->ctr_step,
		    8).offset != cpu[i].ctr)
			fail_msg("line %d: %u, %s", cpu[i].line, n, u->reason);
		assert_int_equal(u->where, r->node.topo.pkg[1].first_lproc);
		rig_close(r);
	}
}

static void
what_cpuid_says_and_nobody_can_mean_is_refused_with_the_reason(void **state)
{
	static const struct {
		const char *text, *why;
	} cpu[] = {
		{ "cpuid 0x80000022 7 0x00004106 0xfff 0", "CPUID leaf "
		  "0x80000022 has 0 counters for the 12 UMCs of mask 0xfff" },
		{ "cpuid 0x80000022 7 0x002f4106 0xfff 0", "47 counters for the "
		  "12 UMCs" },
		/* read off a Bergamo (reference more-cpus 4.2) */
		{ "cpuid 0x80000022 3 0x00204106 0xfff 0", "32 counters for the "
		  "12 UMCs of mask 0xfff, and nobody knows how those lie" },
		{ "cpuid 0x80000022 7 0x00304106 0 0", "48 counters for the 0 "
		  "UMCs of mask 0x0" },
		{ "cpuid 0x80000022 7 0x00ff4106 0x1ffff 0", "255 counters for "
		  "the 17 UMCs" },
		{ "cpuid 0x80000022 7 0x00074106 0xff 0", "7 counters for the 8 "
		  "UMCs" },
		/* a guest */
		{ "cpuid 0x80000022 1 6 0 0", "CPUID announces no counters" },
		{ "cpuid 0x80000022 0 0 0 0", "CPUID announces no counters" },
		{ "cpuid 0x80000000 0x80000021 0 0 0", "announces no counters" },
		{ "cpuid 0x80000000 0xffffffff 0 0 0", "announces no counters" },
		{ "file /dev/cpu/0/cpuid none\nfile /dev/cpu/96/cpuid none",
		  "cannot be read (load the cpuid module)" },
		{ "msr 0xc0010800 none", "no such register" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cpu) / sizeof(cpu[0]); i++) {
		char text[256];
		struct rig *r;
		const struct unit *u;

		snprintf(text, sizeof(text), "box umc none\n%s\n", cpu[i].text);
		r = rig_bare("@genoa-9654-2s", text);
		u = rig_unit(r, "UMC", 1, 0);
		if (u->present || strstr(u->reason, cpu[i].why) == NULL)
			fail_msg("%s: %s", cpu[i].text, u->reason);
		rig_close(r);
	}
}

/* Package 1 has four channels of memory. */
static void
each_package_has_a_mask_of_its_own(void **state)
{
	struct rig *r = rig_bare("@genoa-9654-2s", "cpuid 0x80000022 7 "
	    "0x00104106 0x249 0 lproc=96\n");

	(void)state;
	assert_true(rig_unit(r, "UMC", 0, 11)->present);
	assert_true(rig_unit(r, "UMC", 1, 3)->present);
	assert_false(rig_unit(r, "UMC", 1, 4)->present);
	assert_string_equal(rig_unit(r, "UMC", 1, 4)->reason, "not on this "
	    "part: it has 4 (CPUID mask 0x249)");
	rig_close(r);
}

/* ---- what they count ---- */

static void
events_are_encoded_as_the_reference_does(void **state)
{
	static const struct { const char *text; uint64_t ctl; } event[] = {
		{ "umc umc_clk", 0x80000000 },
		{ "umc umc_act_all", 0x80000005 },
		{ "umc umc_act_rd", 0x80000105 },
		{ "umc umc_act_wr", 0x80000205 },
		{ "umc umc_pchg_all", 0x80000006 },
		{ "umc umc_pchg_rd", 0x80000106 },
		{ "umc umc_pchg_wr", 0x80000206 },
		{ "umc umc_cas_all", 0x8000000a },
		{ "umc umc_cas_rd", 0x8000010a },
		{ "umc umc_cas_wr", 0x8000020a },
		{ "umc umc_slot_clks_all", 0x80000014 },
		{ "umc umc_slot_clks_rd", 0x80000114 },
		{ "umc umc_slot_clks_wr", 0x80000214 },
		{ "umc A event=0x0a,rdwrmask=1", 0x8000010a },
		{ "umc A event=0x12,rdwrmask=2", 0x80000212 },
		{ "umc A 0x8000020a", 0x8000020a },
	};
	static const char *const model[] = { "zen4", "zen5" };
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(event) / sizeof(event[0]); i++)
		for (unsigned m = 0; m < 2; m++)
			if (encoded_control(model[m], event[i].text, &why) !=
			    event[i].ctl)
				fail_msg("%s %s: 0x%llx", model[m], event[i].text,
				    (unsigned long long)encoded_control(model[m],
				    event[i].text, &why));
}

static void
what_a_umc_cannot_count_is_refused(void **state)
{
	static const struct { const char *model, *text, *why; } event[] = {
		{ "zen4", "umc A event=0x0a,rdwrmask=4", "rdwrmask 0x4 is too "
		  "large" },
		{ "zen5", "umc A event=0x0a,rdwrmask=3", "rdwrmask 0x3 has no "
		  "meaning that a source gives, only 0 to 0x2 have" },
		{ "zen4", "umc A event=0x0a,umask=1", "UMC has no field" },
		{ "zen5", "umc A 0x40000a", "sets bit 22" },
		{ "zen5", "umc umc_cas_red", "did you mean umc_cas_rd?" },
		{ "zen3", "umc umc_clk", "umc" },
		{ "zen2", "umc umc_clk", "umc" },
	};
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(event) / sizeof(event[0]); i++)
		if (encoded_control(event[i].model, event[i].text, &why) != 0 ||
		    strstr(why.text, event[i].why) == NULL)
			fail_msg("%s: %s", event[i].text, why.text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_counter_stops_at_its_end_and_begins_anew_when_it_is_set),
		cmocka_unit_test(
		    writes_to_counters_are_lost_while_no_control_is_on),
		cmocka_unit_test(umcs_are_those_of_the_mask_of_their_package),
		cmocka_unit_test(
		    what_cpuid_says_and_nobody_can_mean_is_refused_with_the_reason),
		cmocka_unit_test(each_package_has_a_mask_of_its_own),
		cmocka_unit_test(events_are_encoded_as_the_reference_does),
		cmocka_unit_test(what_a_umc_cannot_count_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
