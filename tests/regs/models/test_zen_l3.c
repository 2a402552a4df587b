/*
 * tests/regs/models/test_zen_l3.c - the L3 caches of AMD's Zen: their events as control values,
 * one reader a core complex, what is absent, and what simulated ones count.
 * Expected numbers are those of the register reference (amd-zen.md 4, 9.6), of
 * tests/data/zen-l3-events.tsv, which was written from it alone, and the rates of
 * the simulated nodes.
 */
#include "tests/lib/encoded.h"
#include "tests/lib/rig.h"

#include "regs/sim/sim.h"

#include <stdio.h>
#include <string.h>

#define SECOND 1000000000ull

static void
every_event_of_the_reference_has_its_control_value(void **state)
{
	(void)state;
	assert_int_equal(encoded_table("tests/data/zen-l3-events.tsv",
	    "l3"), 5 + 5 + 5 + 17 + 17);
}

/* Reference 4; and what is selected by hand stays as it is. */
static void
slices_cores_and_threads_are_all_unless_some_are_chosen(void **state)
{
	static const struct {
		int line;
		const char *model, *text;
		uint64_t ctl;
	} t[] = {
		{ __LINE__, "zen2", "l3 A event=0x04,umask=0xff",
		  0xff0f00000040ff04 },
		{ __LINE__, "zen3", "l3 A event=0x04,umask=0xff",
		  0x0300c0000040ff04 },
		{ __LINE__, "zen5", "l3 A event=0x04,umask=0x01",
		  0x0300c00000400104 },
		{ __LINE__, "zen4", "l3 A event=0xac,umask=0x3f",
		  0x0303c00000403fac },
		{ __LINE__, "zen4", "l3 A event=0xac,umask=0x3f,sliceid=3,"
		  "enallcores=1,enallslices=1,threadmask=3",
		  0x0303c00000403fac },
		{ __LINE__, "zen2", "l3 A event=0x04,umask=0xff,slicemask=0x2",
		  0xff0200000040ff04 },
		{ __LINE__, "zen2", "l3 A event=0x04,umask=0xff,"
		  "threadmask=0x81", 0x810f00000040ff04 },
		{ __LINE__, "zen3", "l3 A event=0x04,umask=0x01,coreid=5,"
		  "enallslices=1,threadmask=1", 0x0100540000400104 },
		{ __LINE__, "zen3", "l3 A event=0x04,umask=0x01,sliceid=6,"
		  "enallcores=1,threadmask=3", 0x0306800000400104 },
		/* by its number */
		{ __LINE__, "zen3", "l3 A 0xff04", 0x0300c0000040ff04 },
		{ __LINE__, "zen3", "l3 A 0x010054000000ff04",
		  0x010054000040ff04 },
	};
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		uint64_t ctl = encoded_control(t[i].model, t[i].text, &why);

		if (ctl != t[i].ctl)
			fail_msg("line %d: 0x%llx %s", t[i].line,
			    (unsigned long long)ctl, why.text);
	}
}

static void
what_a_generation_has_not_is_refused(void **state)
{
	static const struct { const char *model, *text, *why; } t[] = {
		{ "zen1", "l3 l3_lat10_all", "Zen 1 has no such event" },
		{ "zen2", "l3 l3_lat10_all", "Zen 2 has no such event" },
		{ "zen3", "l3 l3_latreq_all", "Zen 3 has no such event" },
		{ "zen5", "l3 l3_fill_latency16",
		  "Zen 4 and Zen 5 have no such event" },
		{ "zen3", "l3 l3_missed", "did you mean l3_misses?" },
		{ "zen2", "l3 A event=0x04,usr=1", "no field \"usr\"" },
		{ "zen2", "l3 A event=0x104", "is too large for L3" },
		{ "zen3", "l3 A 0x000200000000ff04", NULL },
		{ "zen3", "l3 A 0x0800c0000000ff04", "sets bit 59" },
		{ "zen2", "l3[0/32] A event=0x04", "there is no L3 32" },
	};
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		uint64_t ctl = encoded_control(t[i].model, t[i].text, &why);

		if ((ctl == 0) != (t[i].why != NULL))
			fail_msg("%s: 0x%llx %s", t[i].text,
			    (unsigned long long)ctl, why.text);
		if (ctl == 0 && strstr(why.text, t[i].why) == NULL)
			fail_msg("%s: %s", t[i].text, why.text);
	}
}

static const char four[] = "l3 l3_lookups\nl3 l3_misses\n"
    "l3 l3_fill_latency16\nl3 l3_fill_requests\n";

/* One lproc of each complex, the lowest, has them all. */
static void
each_complex_has_its_counters_read_from_its_lowest_lproc(void **state)
{
	struct rig *r = rig_with("@rome-7742-2s", "", four);
	const struct plan *plan = &r->node.plan;
	unsigned reads = 0;

	(void)state;
	assert_int_equal(rig_unit(r, "L3", 0, 0)->where, 0);
	assert_int_equal(rig_unit(r, "L3", 0, 15)->where, 60);
	assert_int_equal(rig_unit(r, "L3", 1, 0)->where, 64);
	assert_int_equal(rig_unit(r, "L3", 1, 15)->where, 124);
	assert_int_equal(rig_unit(r, "L3", 1, 15)->counters, 6);
	/* four controls of 32 complexes, each with its own lproc */
	assert_int_equal(plan->nwrite, 4 * 32);
	for (unsigned i = 0; i < plan->nwrite; i++)
		if (plan->write[i].addr.unit % 4 != 0 ||
		    plan->write[i].addr.unit >= 128)
			fail_msg("control %u is written from lproc %u", i,
			    plan->write[i].addr.unit);
	for (unsigned i = 0; i < plan->nread; i++)
		reads += plan->read[i].offset >= 0xc0010231 &&
		    plan->read[i].offset <= 0xc001023b;
	assert_int_equal(reads, 4 * 32);
	rig_close(r);
}

/* A node's L3s: rate + complex * step + package * pkgstep, by its machine file. */
struct rate {
	const char *event;
	uint64_t idle, work, step, pkgstep;
};

static void
counts_each_rate(const char *machine, const char *config,
    const struct rate *rate, unsigned n, unsigned ccxs)
{
	struct rig *r = rig_with(machine, "", config);
	static const unsigned at[][2] = { { 0, 0 }, { 0, 1 }, { 1, 0 }, { 1, 7 } };
	uint64_t before[64], wrapped = 0;
	char column[96];

	assert_int_equal(r->node.topo.nccx, ccxs);
	rig_program(r);
	rig_sample(r);
	for (unsigned s = 0; s < 30; s++)
		for (unsigned half = 0; half < 2; half++) {
			for (unsigned i = 0; i < 4 * n; i++) {
				const struct rate *e = &rate[i / 4];
				uint64_t now, want = (s < 10 ? e->idle :
				    e->work) + at[i % 4][1] * e->step +
				    at[i % 4][0] * e->pkgstep;

				snprintf(column, sizeof(column),
				    "l3_counts[%u][%u][\"%s\"]", at[i % 4][0],
				    at[i % 4][1], e->event);
				now = rig_value(r, column);
				if (half == 1 && ((now - before[i]) &
				    0xffffffffffff) != want)
					fail_msg("%s in second %u: %llu",
					    column, s, (unsigned long long)
					    ((now - before[i]) &
					    0xffffffffffff));
				wrapped += half == 1 && now < before[i];
				before[i] = now;
			}
			if (half == 0) {
				sim_advance(rig_sim(r), SECOND);
				rig_sample(r);
			}
		}
	/* they start 0x8000000 before their end: whatever counts as much in
	 * half a minute wraps, once */
	assert_true(wrapped >= 4);
	rig_restore(r);
	rig_close(r);
}

static void
counters_of_zen_2_count_their_rates_to_the_count_and_over_their_end(
    void **state)
{
	static const struct rate rate[] = {
		{ "l3_lookups", 50000, 250000000, 29, 5 },
		{ "l3_misses", 9000, 40000000, 7, 2 },
		{ "l3_fill_latency16", 280000, 1155000000, 37, 11 },
		{ "l3_fill_requests", 8000, 33000000, 13, 7 },
	};

	(void)state;
	counts_each_rate("@rome-7742-2s", four, rate, 4, 16);
}

static void
counters_of_zen_4_count_their_rates_to_the_count_and_over_their_end(
    void **state)
{
	static const struct rate rate[] = {
		{ "l3_lookups", 50000, 450000000, 29, 5 },
		{ "l3_hits", 41000, 380000000, 22, 3 },
		{ "l3_lat10_dram_near", 18000, 45000000, 10, 1 },
		{ "l3_latreq_dram_near", 400, 1000000, 1, 1 },
		{ "l3_lat10_all", 27600, 65400000, 150, 15 },
		{ "l3_latreq_all", 540, 1270000, 15, 4 },
	};

	(void)state;
	counts_each_rate("@genoa-9654-2s", "l3 l3_lookups\nl3 l3_hits\n"
	    "l3 l3_lat10_dram_near\nl3 l3_latreq_dram_near\n"
	    "l3 l3_lat10_all\nl3 l3_latreq_all\n", rate, 6, 12);
}

#define OFFLINE(n) "from 0 lproc " #n " offline\n"
#define CCX_1_OFFLINE \
	OFFLINE(4) OFFLINE(5) OFFLINE(6) OFFLINE(7) \
	OFFLINE(132) OFFLINE(133) OFFLINE(134) OFFLINE(135)

static void
an_l3_whose_lprocs_are_offline_is_absent_and_the_others_keep_their_numbers(
    void **state)
{
	struct rig *r = rig_with("@rome-7742-2s", CCX_1_OFFLINE OFFLINE(8),
	    four);

	(void)state;
	assert_false(rig_unit(r, "L3", 0, 1)->present);
	assert_string_equal(rig_unit(r, "L3", 0, 1)->reason, "no lproc of CCX 1 "
	    "is online, or this part has no such CCX");
	assert_int_equal(rig_unit(r, "L3", 0, 2)->where, 9);
	assert_true(rig_unit(r, "L3", 1, 1)->present);
	assert_false(rig_has(r, "l3_counts[0][1][\"l3_lookups\"]"));
	assert_true(rig_has(r, "l3_counts[0][2][\"l3_lookups\"]"));
	assert_true(rig_has(r, "l3_counts[0][15][\"l3_lookups\"]"));
	rig_program(r);
	rig_sample(r);
	/* complex 2 counts what is complex 2's */
	assert_int_equal(rig_second(r, "l3_counts[0][2][\"l3_lookups\"]"),
	    50000 + 2 * 29);
	rig_restore(r);
	rig_close(r);
}

/* CPUID without PerfCtrExtLLC, as all guests'. */
static void
without_the_bit_of_cpuid_there_are_none(void **state)
{
	struct rig *r = rig_with("@rome-7742-2s", "cpuid 0x80000001 0x00830f10 "
	    "0x40000000 0x65c237ff 0x2fd3fbff\n", "read aperf\noptional l3 "
	    "l3_lookups\n");

	(void)state;
	assert_false(rig_unit(r, "L3", 0, 0)->present);
	assert_non_null(strstr(rig_unit(r, "L3", 0, 0)->reason, "CPUID"));
	assert_false(rig_has(r, "l3_counts[0][0][\"l3_lookups\"]"));
	rig_close(r);
}

/* Complex 15 of package 1 has lprocs 124-127 and 252-255. */
static void
what_was_found_in_them_is_put_back(void **state)
{
	struct rig *r = rig_with("@rome-7742-2s", "", four);
	struct reg_addr own = { REG_MSR, 8, 255, 0xc0010232 };
	struct reg_addr other = { REG_MSR, 8, 120, 0xc0010232 };
	uint64_t raw;

	(void)state;
	assert_int_equal(access_write(r->node.acc, &own, 0xff0f00000000fe04),
	    0);
	rig_program(r);
	assert_int_equal(access_read(r->node.acc, &own, &raw), 0);
	assert_true(raw == 0xff0f000000400104);
	rig_restore(r);
	assert_int_equal(access_read(r->node.acc, &own, &raw), 0);
	assert_true(raw == 0xff0f00000000fe04);
	assert_int_equal(access_read(r->node.acc, &other, &raw), 0);
	assert_true(raw == 0);
	rig_close(r);
}

static void
an_lproc_that_went_offline_leaves_its_l3_to_the_others_to_be_put_back(
    void **state)
{
	struct rig *r = rig_with("@rome-7742-2s", "", four);
	struct reg_addr other = { REG_MSR, 8, 255, 0xc0010232 };
	uint64_t raw;

	(void)state;
	rig_program(r);
	rig_fault(r, "from 0 lproc 124 offline");
	assert_int_equal(access_read(r->node.acc, &other, &raw), 0);
	assert_true(raw == 0xff0f000000400104);
	rig_restore(r);
	assert_int_equal(access_read(r->node.acc, &other, &raw), 0);
	assert_true(raw == 0);
	rig_close(r);
}

/* Events that take turns: what a turn rewrites is in its own lproc's block. */
static void
event_sets_take_turns_on_an_l3(void **state)
{
	struct rig *r = rig_with("@milan-7763-2s", "", "set a\nl3 l3_lookups\n"
	    "set b\nl3 l3_misses\n");
	const struct plan *plan = &r->node.plan;

	(void)state;
	assert_int_equal(plan->nwrite, 16);
	assert_int_equal(plan->nblock, 16);
	for (unsigned i = 0; i < plan->nblock; i++)
		if (plan->block[i].lproc != i * 8 || plan->block[i].nrot != 1 ||
		    plan->block[i].nshared != 1 || plan->block[i].pkg != -1)
			fail_msg("block %u of lproc %u: %u %u", i,
			    plan->block[i].lproc, plan->block[i].nrot,
			    plan->block[i].nshared);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    every_event_of_the_reference_has_its_control_value),
		cmocka_unit_test(
		    slices_cores_and_threads_are_all_unless_some_are_chosen),
		cmocka_unit_test(what_a_generation_has_not_is_refused),
		cmocka_unit_test(
		    each_complex_has_its_counters_read_from_its_lowest_lproc),
		cmocka_unit_test(
		    counters_of_zen_2_count_their_rates_to_the_count_and_over_their_end),
		cmocka_unit_test(
		    counters_of_zen_4_count_their_rates_to_the_count_and_over_their_end),
		cmocka_unit_test(
		    an_l3_whose_lprocs_are_offline_is_absent_and_the_others_keep_their_numbers),
		cmocka_unit_test(without_the_bit_of_cpuid_there_are_none),
		cmocka_unit_test(what_was_found_in_them_is_put_back),
		cmocka_unit_test(
		    an_lproc_that_went_offline_leaves_its_l3_to_the_others_to_be_put_back),
		cmocka_unit_test(event_sets_take_turns_on_an_l3),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
