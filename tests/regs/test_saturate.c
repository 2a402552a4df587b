/*
 * tests/regs/test_saturate.c - counters that stop at their end instead of wrapping, as
 * those of AMD's memory controllers (reference amd-zen, section 6): read on over
 * their being set to 0, and never taken to have wrapped.
 */
#include "tests/lib/rig.h"
#include "tests/lib/sim_compare.h"

#include "daemon/read/rotate.h"
#include "daemon/read/saturate.h"
#include "daemon/read/sweep.h"
#include "regs/sim/sim.h"

#define SECOND 1000000000ull
#define HALF (1ull << 47)
#define END (1ull << 48)
#define CTR0 0xc0010801                 /* UMC 0, counter 0 */
#define CTL0 0xc0010800

static void
set(const struct rig *r, uint64_t msr, uint64_t raw)
{
	struct reg_addr addr = { REG_MSR, 8, 0, msr };

	assert_int_equal(access_write(r->node.acc, &addr, raw), 0);
}

static uint64_t
get(const struct rig *r, uint64_t msr)
{
	struct reg_addr addr = { REG_MSR, 8, 0, msr };
	uint64_t raw;

	assert_int_equal(access_read(r->node.acc, &addr, &raw), 0);
	return raw;
}

static void
pass(struct rig *r)
{
	sim_advance(rig_sim(r), SECOND);
	rig_sample(r);
}

/* The node of EPYC Genoa: idle for 10 s, 20 s of work, idle again.  Its counters
 * start 88355328 before half of their range. */
static struct rig *
genoa(const char *config)
{
	struct rig *r = rig_with("@genoa-9654-2s", "", config);

	rig_program(r);
	rig_sample(r);
	return r;
}

#define FOUR "umc umc_clk\numc umc_cas_rd\numc umc_cas_wr\n" \
	"umc umc_slot_clks_all\n"

/* rate + UMC * step + package * pkgstep, of genoa-9654-2s.machine */
static void
every_counter_counts_its_rate_to_the_count_and_over_its_half(void **state)
{
	static const struct {
		const char *column;
		uint64_t idle, work;
	} rate[] = {
		{ "umc_counts[0][0][\"umc_clk\"]", 2400000000, 2400000000 },
		{ "umc_counts[1][11][\"umc_clk\"]", 2400000014, 2400000014 },
		{ "umc_counts[0][0][\"umc_cas_rd\"]", 99000, 240000000 },
		{ "umc_counts[1][11][\"umc_cas_rd\"]", 121010, 240022010 },
		{ "umc_counts[0][7][\"umc_cas_wr\"]", 57000, 110014000 },
		{ "umc_counts[1][0][\"umc_slot_clks_all\"]", 1136208,
		  2800000208 },
	};
	enum { N = sizeof(rate) / sizeof(rate[0]) };
	struct rig *r = genoa(FOUR);
	uint64_t before[N];

	(void)state;
	for (unsigned s = 0; s < 30; s++) {
		for (size_t i = 0; i < N; i++)
			before[i] = rig_value(r, rate[i].column);
		pass(r);
		for (size_t i = 0; i < N; i++)
			if (rig_value(r, rate[i].column) - before[i] !=
			    (s < 10 ? rate[i].idle : rate[i].work))
				fail_msg("%s in second %u: %llu",
				    rate[i].column, s, (unsigned long long)
				    (rig_value(r, rate[i].column) -
				    before[i]));
	}
	/* the clock's has been set to 0 in the first second, that of reads in
	 * the eleventh */
	assert_true(get(r, CTR0) == 29 * 2400000000ull);
	assert_true(get(r, CTR0 + 2) == 19 * 240000000ull);
	assert_true(rig_value(r, rate[0].column) ==
	    140737400000000 + 30 * 2400000000ull);
	assert_null(saturate_stopped(&r->node.plan));
	rig_restore(r);
	assert_int_equal(get(r, CTL0), 0);
	rig_close(r);
}

static void
one_that_had_stopped_is_absent_said_so_once_and_begins_anew(void **state)
{
	static const char column[] = "umc_counts[0][0][\"umc_clk\"]";
	struct rig *r = rig_with("@genoa-9654-2s", "", FOUR);
	const struct plan_write *w;
	uint64_t before;

	(void)state;
	rig_program(r);
	set(r, CTR0, END - 1);
	sim_advance(rig_sim(r), SECOND);
	assert_true(get(r, CTR0) == END);
	rig_sample(r);
	assert_true(rig_value(r, column) == ABSENT);
	/* others are none the worse */
	assert_true(rig_value(r, "umc_counts[0][1][\"umc_clk\"]") != ABSENT);
	w = saturate_stopped(&r->node.plan);
	assert_non_null(w);
	assert_true(w->addr.offset == CTL0);
	assert_null(saturate_stopped(&r->node.plan));
	pass(r);
	before = rig_value(r, column);
	assert_true(before == END + 2400000000);
	pass(r);
	assert_true(rig_value(r, column) - before == 2400000000);
	assert_null(saturate_stopped(&r->node.plan));
	rig_close(r);
}

/* Somebody cleared all controls of the box: what is written to its counters is
 * lost, and what they hold is not ours to set. */
static void
one_whose_control_is_not_ours_is_not_set(void **state)
{
	static const char column[] = "umc_counts[0][0][\"umc_clk\"]";
	struct rig *r = genoa("umc umc_clk\n");
	unsigned long writes;

	(void)state;
	pass(r);
	set(r, CTR0, HALF + 5);
	set(r, CTL0, 0);
	writes = sim_writes(rig_sim(r));
	pass(r);
	pass(r);
	assert_int_equal(sim_writes(rig_sim(r)), writes);
	assert_true(get(r, CTR0) == HALF + 5);
	/* another event's */
	set(r, CTL0, 0x8000000a);
	writes = sim_writes(rig_sim(r));
	pass(r);
	assert_int_equal(sim_writes(rig_sim(r)), writes);
	assert_true(rig_value(r, column) > HALF);
	/* and again ours */
	set(r, CTL0, 0x80000000);
	pass(r);
	pass(r);
	assert_true(get(r, CTR0) == 2400000000);
	rig_close(r);
}

/* It counts on as long as it can. */
static void
one_that_cannot_be_set_counts_to_its_end(void **state)
{
	static const char column[] = "umc_counts[0][0][\"umc_clk\"]";
	struct rig *r = genoa("umc umc_clk\n");
	uint64_t before;

	(void)state;
	pass(r);
	set(r, CTR0, HALF);
	rig_fault(r, "msr writes EPERM");
	pass(r);
	before = rig_value(r, column);
	pass(r);
	assert_true(rig_value(r, column) - before == 2400000000);
	rig_close(r);
}

static void
one_that_nobody_programmed_is_left_as_it_is(void **state)
{
	struct rig *r = rig_with("@genoa-9654-2s", "", FOUR);

	(void)state;
	assert_int_equal(sim_writes(rig_sim(r)), 0);
	rig_sample(r);
	assert_int_equal(sim_writes(rig_sim(r)), 0);
	assert_true(rig_value(r, "umc_counts[0][0][\"umc_clk\"]") ==
	    140737400000000);
	rig_close(r);
}

/* A set has the counters for 4 s, the other one for the next 4. */
static void
event_sets_count_over_it_too(void **state)
{
	static const char column[] = "umc_counts[0][3][\"umc_clk\"]";
	struct rig *r = genoa("set clocks\numc umc_clk\nset commands\n"
	    "umc umc_act_all\n");
	uint64_t clk = 0, act = 0;

	(void)state;
	for (unsigned s = 1; s <= 32; s++) {
		r->sweep.next = s % 4 == 0 ? rotate_next(&r->node.plan) : 0;
		pass(r);
	}
	clk = rig_value(r, column);
	act = rig_value(r, "umc_counts[0][3][\"umc_act_all\"]");
	/* 16 s each; activates of seconds 5-8, 13-16, 21-24 and 29-32 */
	assert_true(clk == 16 * 2400000003ull);
	assert_true(act == 6 * 15400ull + 10 * 35001200ull);
	/* stopped in its turn: that is lost, and no more */
	r->sweep.next = 0;
	set(r, CTR0 + 0x18, END - 1);
	pass(r);
	assert_true(rig_value(r, column) == ABSENT);
	pass(r);
	assert_true(rig_value(r, column) == clk + 2400000003ull);
	rig_close(r);
}

/* Turns between samples: it is set to 0 in one without losing a count, and what it
 * counted in a turn at whose end it had stopped is absent in that row alone. */
static void
in_turns_within_a_sample_they_count_over_it_too(void **state)
{
	static const char column[] = "umc_counts[0][3][\"umc_clk\"]";
	struct rig *r = genoa("set clocks\numc umc_clk\nset commands\n"
	    "umc umc_act_all\n");
	struct plan *p = &r->node.plan;
	const uint64_t second = 2400000003ull;

	(void)state;
	p->sets.turns = 4;
	for (unsigned turn = 0; turn < 4; turn++) {
		sim_advance(rig_sim(r), SECOND);
		sweep_turn(&r->sweep, p, rotate_next(p), r->node.acc);
	}
	assert_true(get(r, CTR0 + 0x18) < HALF);
	pass(r);
	assert_true(rig_value(r, column) == 3 * second);
	rig_close(r);
	r = genoa("set clocks\numc umc_clk\nset commands\numc umc_act_all\n");
	p = &r->node.plan;
	p->sets.turns = 2;
	pass(r);
	assert_true(rig_value(r, column) == second);
	set(r, CTR0 + 0x18, END - 1);
	sim_advance(rig_sim(r), SECOND);
	sweep_turn(&r->sweep, p, rotate_next(p), r->node.acc);
	sim_advance(rig_sim(r), SECOND);
	sweep_turn(&r->sweep, p, rotate_next(p), r->node.acc);
	pass(r);
	assert_true(rig_value(r, column) == ABSENT);
	pass(r);
	assert_true(rig_value(r, column) == 3 * second);
	rig_close(r);
}

static void
slow_events_count_over_it_too(void **state)
{
	static const char column[] = "umc_counts[0][2][\"umc_clk\"]";
	struct rig *r = genoa("umc umc_clk every 2\n");
	uint64_t first;

	(void)state;
	slow_reads(&r->node.plan, r->node.acc, 0, r->row);
	first = rig_value(r, column);
	assert_true(first == 140737400000000);
	for (unsigned s = 1; s <= 4; s++) {
		pass(r);
		slow_reads(&r->node.plan, r->node.acc, s, r->row);
		assert_true(rig_value(r, column) == (s % 2 != 0 ? ABSENT :
		    first + s * 2400000002ull));
	}
	assert_true(get(r, CTR0 + 0x10) == 2 * 2400000002ull);
	rig_close(r);
}

/* Section 11. */
static void
values_are_those_of_the_test_vector(void **state)
{
	struct rig *r = rig_with("@genoa-9654-2s", "", "umc[0] umc_clk\n");
	struct plan *plan = &r->node.plan;
	struct access *acc = r->node.acc;
	uint64_t before = saturate_value(plan, 0, acc, 0x7ffffffffff0);

	(void)state;
	assert_true(saturate_value(plan, 0, acc, 0x800000000010) - before ==
	    0x20);
	assert_true(saturate_value(plan, 0, acc, END + 7) == ABSENT);
	assert_true(saturate_value(plan, 0, acc, ABSENT) == ABSENT);
	assert_true(saturate_value(plan, 0, acc, END - 1) == END - 1);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    every_counter_counts_its_rate_to_the_count_and_over_its_half),
		cmocka_unit_test(
		    one_that_had_stopped_is_absent_said_so_once_and_begins_anew),
		cmocka_unit_test(one_whose_control_is_not_ours_is_not_set),
		cmocka_unit_test(one_that_cannot_be_set_counts_to_its_end),
		cmocka_unit_test(one_that_nobody_programmed_is_left_as_it_is),
		cmocka_unit_test(event_sets_count_over_it_too),
		cmocka_unit_test(in_turns_within_a_sample_they_count_over_it_too),
		cmocka_unit_test(slow_events_count_over_it_too),
		cmocka_unit_test(values_are_those_of_the_test_vector),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
