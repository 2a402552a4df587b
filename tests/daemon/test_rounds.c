/*
 * tests/daemon/test_rounds.c - event sets that go round several times between two samples:
 * who has which turn, and what a row holds.
 */
#include "tests/lib/looped.h"

#include "config/lang/events.h"
#include "daemon/read/pinned.h"
#include "daemon/read/rotate.h"
#include "daemon/read/turn_budget.h"
#include "daemon/run/sampler.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS 1000000ull
#define ROWS 8
#define EVERY (120 * MS)
#define TURNS 12                        /* of 10 ms; three sets */

/* By a count of the TSC, of lproc 5 and of channel 0 of package 0, idle. */
#define CYCLES 0.00034369
#define READS 0.00000701

static const char sets[] = "core fixed\nread aperf mperf\n"
    "set a\ncore CYC_A event=0x3c\nimc RD_A event=0x04,umask=0x03\n"
    "set b\ncore CYC_B event=0x3c\nimc RD_B event=0x04,umask=0x03\n"
    "set c\ncore CYC_C event=0x3c\n";

static struct rig *
planned(const char *faults)
{
	struct rig *r = rig_bare("@skx-8160-2s", faults);
	struct diag why = { "" };

	assert_int_equal(config_init(&r->node.config, r->node.topo.model), 0);
	assert_int_equal(config_parse(&r->node.config, "test.conf", sets,
	    strlen(sets), &why), 0);
	r->node.config.turns = TURNS;
	if (node_plan(&r->node, &why) < 0 || sweep_init(&r->sweep,
	    &r->node.plan, r->node.acc, READ_REMOTE, -1, &why) < 0)
		fail_msg("%s", why.text);
	r->row = calloc(r->node.plan.ncell, sizeof(r->row[0]));
	return r;
}

static struct looped
begin(enum read_mode mode, const char *faults)
{
	return looped_begin(planned(faults), mode, EVERY, ROWS);
}

/* What a column did between two rows. */
static double
delta(const struct looped *r, uint64_t row, const char *name)
{
	uint64_t a = looped_value(r, row - 1, name), b = looped_value(r, row, name);

	return a == ABSENT || b == ABSENT ? NAN : (double)(b - a);
}

/* ---- whose turn it is ------------------------------------------------------ */

static void
each_set_has_one_turn_in_each_round(void **state)
{
	struct plan plan = { .sets.n = 8, .sets.turns = 28, .sets.seed = 1 };

	(void)state;
	for (uint64_t sample = 0; sample < 100; sample++)
		for (unsigned round = 0; round < 4; round++) {
			unsigned seen = 0;

			for (unsigned i = 0; i < 7; i++)
				seen |= 1u << rounds_set(&plan, sample,
				    7 * round + i);
			assert_int_equal(seen, 0xfe);
		}
}

static void
each_set_has_each_moment_of_a_sample_once_in_as_many_samples(void **state)
{
	struct plan plan = { .sets.n = 8, .sets.turns = 28, .sets.seed = 1 };

	(void)state;
	for (unsigned turn = 0; turn < 28; turn++) {
		unsigned seen = 0;

		for (uint64_t sample = 70; sample < 77; sample++)
			seen |= 1u << rounds_set(&plan, sample, turn);
		assert_int_equal(seen, 0xfe);
	}
}

static void
another_seed_is_another_order(void **state)
{
	struct plan a = { .sets.n = 8, .sets.turns = 28, .sets.seed = 1 };
	struct plan b = a;
	unsigned same = 0;

	(void)state;
	b.sets.seed = 2;
	for (unsigned turn = 0; turn < 28; turn++)
		same += rounds_set(&a, 70, turn) == rounds_set(&b, 70, turn);
	assert_true(same < 20);
}

static void
turns_of_a_sample_are_as_long_as_each_other(void **state)
{
	struct plan plan = { .sets.n = 4, .sets.turns = 12 };
	uint64_t from = 5000 * MS, due = from + EVERY;

	(void)state;
	assert_int_equal(rounds_turn(&plan, from, due, from), 0);
	assert_int_equal(rounds_turn(&plan, from, due, from + 10 * MS - 1), 0);
	assert_int_equal(rounds_turn(&plan, from, due, from + 10 * MS), 1);
	assert_int_equal(rounds_turn(&plan, from, due, due - 1), 11);
	assert_int_equal(rounds_turn(&plan, from, due, due + EVERY), 11);
	assert_int_equal(rounds_turn(&plan, from, due, from - 1), 0);
	assert_int_equal(rounds_begins(&plan, from, due, 3), from + 30 * MS);
	assert_int_equal(rounds_begins(&plan, from, due, 12), due);
}

static void
sets_that_do_not_fit_into_a_sample_are_refused(void **state)
{
	struct rig *r = rig_bare("@skx-8160-2s", "");
	struct diag why = { "" };

	(void)state;
	r->o = (struct options){ .count.config = { { "@hpc-skx" }, 1 },
	    .interval = 1, .interval_ns = 1000 * MS, .read.turn_ns = 200 * MS };
	assert_int_equal(node_configure(&r->node, &r->o, r->node.topo.model,
	    &why), -EINVAL);
	assert_string_equal(why.text, "--turn 0.2: 7 event sets do not fit into "
	    "a sample of 1 s: give them 0.142 or less, or an interval of 1.4 or "
	    "more, or leave some of them out");
	rig_close(r);
}

static void
a_sample_has_as_many_rounds_as_fit(void **state)
{
	static const struct {
		int line;
		double turn, interval;
		unsigned turns;
	} rows[] = {
		{ __LINE__, 0.142, 1, 7 }, { __LINE__, 0.035, 1, 28 },
		{ __LINE__, 0.01, 1, 98 }, { __LINE__, 0.01, 0.1, 7 },
		/* of 10 ms, where nobody says */
		{ __LINE__, 0, 1, 98 }, { __LINE__, 0, 0.14, 14 },
		{ __LINE__, 0, 0.07, 7 }, { __LINE__, 0, 10, 994 },
		/* a sample each: as asked, or as there is no room */
		{ __LINE__, 1, 1, 0 }, { __LINE__, 0, 0.069, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rig *r = rig_bare("@skx-8160-2s", "");
		struct diag why = { "" };

		r->o = (struct options){ .count.config = { { "@hpc-skx" }, 1 },
		    .interval = rows[i].interval,
		    .interval_ns = (uint64_t)llround(rows[i].interval * 1e9),
		    .read.turn_ns = (uint64_t)llround(rows[i].turn * 1e9) };
		if (node_configure(&r->node, &r->o, r->node.topo.model,
		    &why) < 0 || r->node.config.turns != rows[i].turns)
			fail_msg("line %d: %u turns; %s", rows[i].line,
			    r->node.config.turns, why.text);
		rig_close(r);
	}
}

static void
turns_are_as_many_as_their_budget_allows(void **state)
{
	static const struct {
		int line;
		double lproc_us, all_us, lasts_us, max_overhead;
		unsigned turns;
	} rows[] = {
		{ __LINE__, 0, 0, 0, 0, 98 },
		/* of 1000 us of an lproc in a second: 100, 50, 7, none */
		{ __LINE__, 10, 80, 10, 0, 98 }, { __LINE__, 20, 160, 20, 0, 49 },
		{ __LINE__, 142, 1136, 142, 0, 7 }, { __LINE__, 143, 1144, 143, 0, 0 },
		/* one thread for many lprocs: a quarter of the time at most */
		{ __LINE__, 8, 3072, 3072, 0, 77 },
		/* half of 0.1 % of one CPU: 500 us in a second */
		{ __LINE__, 1, 8, 1, 0.1, 56 }, { __LINE__, 10, 80, 10, 0.1, 0 },
	};
	struct plan plan = { .sets.n = 8, .sets.turns = 98 };

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct turn_cost cost = { rows[i].lproc_us, rows[i].all_us,
		    rows[i].lasts_us };
		unsigned n = turn_fit(&plan, &cost, 1000 * MS,
		    rows[i].max_overhead);

		if (n != rows[i].turns)
			fail_msg("line %d: %u turns", rows[i].line, n);
	}
}

/* A register of this machine takes 2 us: each shared counter is read twice, each control
 * once.  Of an lproc these are one counter of the sets, five that always count, and one
 * control; nothing is written. */
static void
a_turn_is_measured_by_reading(void **state)
{
	struct rig *r = planned("read_cost 2000\n");
	struct plan *p = &r->node.plan;
	struct turn_cost cost;
	unsigned shared = 0, controls = 0;

	(void)state;
	turn_measure(&r->sweep, p, r->node.acc, &cost);
	for (unsigned i = 0; i < p->nblock; i++) {
		shared += p->block[i].nshared;
		controls += p->block[i].nrot;
	}
	/* of 96 lprocs, and of 12 channels, of whose counters the high half is read
	 * before and after the low one */
	assert_int_equal(shared, 96 * 6 + 12);
	assert_int_equal(controls, 96 + 12);
	assert_true(fabs(cost.all_us - 2. * (2 * 96 * 6 + 96 + 6 * 12 + 12)) < 1);
	rig_close(r);
}

/* ---- rows ------------------------------------------------------------------ */

/* An event's rate in the time of its set, in all intervals but the first, which is
 * no whole one. */
static void
check_event(const struct looped *r, const char *event, const char *time,
    double rate)
{
	for (uint64_t row = 2; row < ROWS; row++) {
		double ran = delta(r, row, time);
		double got = delta(r, row, event) / ran / rate;

		/* three sets */
		if (!(fabs(ran / delta(r, row, "tsc") - 1. / 3) < 0.005) ||
		    !(fabs(got - 1) < 1. / 64))
			fail_msg("%s in row %d: %g of its rate, of %g", event,
			    (int)row, got, ran / delta(r, row, "tsc"));
	}
}

static void
every_sample_holds_every_event(void **state)
{
	(void)state;
	for (enum read_mode m = READ_PINNED; m <= READ_REMOTE; m++) {
		struct looped r = begin(m, "");

		assert_int_equal(sampler_run(&r.loop), 0);
		check_event(&r, "core_counts[5][\"CYC_A\"]",
		    "lproc_set_tsc[5][\"a\"]", CYCLES);
		check_event(&r, "core_counts[5][\"CYC_C\"]",
		    "lproc_set_tsc[5][\"c\"]", CYCLES);
		check_event(&r, "imc_counts[0][0][\"RD_B\"]",
		    "pkg_set_tsc[0][\"b\"]", READS);
		check_event(&r, "imc_counts[0][0][\"RD_A\"]",
		    "set_running[\"a\"]", READS);
		looped_end(&r);
	}
}

static void
what_always_counts_is_added_up_by_set_too(void **state)
{
	static const char *const parts[][3] = {
		{ "set_cycles[5]", "core_fixed_counts[5][\"CPU_CLK_Unhalted.Core"
		    "\"]", "" },
		{ "set_instructions[5]", "core_fixed_counts[5][\"Inst_Retired."
		    "Any\"]", "" },
		{ "set_aperf[5]", "aperf[5]", "" },
		{ "set_mperf[5]", "mperf[5]", "" },
		{ "lproc_set_tsc[5]", "lproc_tsc[5]", "" },
	};
	struct looped r = begin(READ_REMOTE, "");

	(void)state;
	assert_int_equal(sampler_run(&r.loop), 0);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		for (uint64_t row = 2; row < ROWS; row++) {
			double all = delta(&r, row, parts[i][1]), sum = 0;
			char name[80];

			for (const char *set = "abc"; *set != '\0'; set++) {
				snprintf(name, sizeof(name), "%s[\"%c\"]",
				    parts[i][0], *set);
				sum += delta(&r, row, name);
			}
			if (!(all > 0) || !(fabs(sum / all - 1) < 0.01))
				fail_msg("%s in row %d: %g of %g", parts[i][0],
				    (int)row, sum, all);
		}
	looped_end(&r);
}

/* Its set's time says so: nothing has to be left out. */
static void
a_late_turn_is_as_long_as_its_time_says(void **state)
{
	(void)state;
	for (enum read_mode m = READ_PINNED; m <= READ_REMOTE; m++) {
		struct looped r = begin(m, "from 0.31 lproc 5 stall 0.008\n"
		    "from 0.31 pci 3a:0a.2 stall 0.008");

		assert_int_equal(sampler_run(&r.loop), 0);
		for (uint64_t row = 2; row < ROWS; row++)
			for (const char *set = "abc"; *set != '\0'; set++) {
				char event[80], time[80];

				snprintf(event, sizeof(event), "core_counts[5]"
				    "[\"CYC_%c\"]", *set - 'a' + 'A');
				snprintf(time, sizeof(time), "lproc_set_tsc[5]"
				    "[\"%c\"]", *set);
				if (!(fabs(delta(&r, row, event) /
				    delta(&r, row, time) / CYCLES - 1) <
				    1. / 64))
					fail_msg("mode %d: %s in row %d: %g",
					    (int)m, event, (int)row,
					    delta(&r, row, event) / delta(&r,
					    row, time) / CYCLES);
			}
		looped_end(&r);
	}
}

/* Equally long, but perhaps at different counters: who knows how long each has counted? */
static void
a_turn_with_an_end_held_up_counts_for_no_set(void **state)
{
	static const struct {
		uint64_t quickest;              /* of late; all in us */
		uint64_t at_begin, at_end;      /* how long the counters were read */
		uint64_t lasts;
		bool counts;
	} turn[] = {
		{ 20, 20, 20, 10000, true }, { 20, 20, 300, 10000, true },
		{ 20, 300, 20, 10000, true }, { 20, 20, 400, 10000, false },
		{ 20, 400, 20, 10000, false }, { 20, 3000, 3000, 10000, false },
		{ 20, 0, 20, 10000, true }, { 20, 20, 0, 10000, true },
		/* all were slow of late, but the last one */
		{ 180, 180, 20, 1000, false }, { 180, 180, 180, 1000, true },
		/* slow as ever, and the turn was brief */
		{ 180, 180, 180, 700, false },
	};
	struct plan plan = { .sets.n = 4, .sets.turns = 12 };
	uint64_t total[4] = { 0 }, known = 0;
	unsigned late = 0;

	(void)state;
	plan.sets.total = total;
	for (size_t i = 0; i < sizeof(turn) / sizeof(turn[0]); i++) {
		uint64_t us = MS / 1000, began = (i + 1) * 100 * MS;
		uint64_t end = began + turn[i].lasts * us;
		struct block b = { .in_set = 1, .began = began,
			.begun = began + turn[i].at_begin * us,
			.quickest = turn[i].quickest * us };

		rotate_counted(&plan, &b, 1, end, end + turn[i].at_end * us);
		known += turn[i].counts ? end - began : 0;
		late += !turn[i].counts;
		if (total[1] != known || plan.sets.lost[1].late != late)
			fail_msg("turn %zu", i);
	}
}

/* lproc 5's counter 0 has 65,536 counts to its end, and counts so many in 0.1 s. */
static void
a_counter_that_wraps_in_a_turn_goes_on(void **state)
{
	const struct reg_addr counter = { REG_MSR, 8, 5, 0xc1 };
	uint64_t raw;

	(void)state;
	for (enum read_mode m = READ_PINNED; m <= READ_REMOTE; m++) {
		struct looped r = begin(m, "from 0.001 lproc 5 msr 0xc1 = 0xffffffff0000");

		assert_int_equal(sampler_run(&r.loop), 0);
		check_event(&r, "core_counts[5][\"CYC_A\"]",
		    "lproc_set_tsc[5][\"a\"]", CYCLES);
		check_event(&r, "core_counts[5][\"CYC_B\"]",
		    "lproc_set_tsc[5][\"b\"]", CYCLES);
		pinned_stop(r.rig->sweep.pinned);
		/* it did */
		assert_int_equal(access_read(r.rig->node.acc, &counter, &raw), 0);
		assert_true(raw < 0xffffffff0000);
		store_close(r.store);
		rig_close(r.rig);
		tree_free(r.dir);
	}
}

static void
an_lproc_that_leaves_in_a_round_comes_back_whole(void **state)
{
	(void)state;
	for (enum read_mode m = READ_PINNED; m <= READ_REMOTE; m++) {
		struct looped r = begin(m, "from 0.265 to 0.335 lproc 5 offline");
		unsigned known = 0;

		assert_int_equal(sampler_run(&r.loop), 0);
		for (uint64_t row = 2; row < ROWS; row++) {
			double got = delta(&r, row, "core_counts[5][\"CYC_A\"]") /
			    delta(&r, row, "lproc_set_tsc[5][\"a\"]");

			known += !isnan(got);
			if (!isnan(got) && !(fabs(got / CYCLES - 1) < 1. / 64))
				fail_msg("row %d: %g", (int)row, got / CYCLES);
			assert_false(isnan(delta(&r, row,
			    "core_counts[4][\"CYC_A\"]")));
		}
		/* of 6: pinned, it is awaited until the next sample */
		if (known < 3)
			fail_msg("mode %d: %u", (int)m, known);
		looped_end(&r);
	}
}

/* In one turn somebody takes lproc 5's counter 0: that turn is in no count and in no
 * time, and the next one has the counters again. */
static void
a_turn_in_which_a_counter_was_taken_is_left_out_and_told(void **state)
{
	(void)state;
	for (enum read_mode m = READ_PINNED; m <= READ_REMOTE; m++) {
		struct looped r = begin(m, "from 0.305 lproc 5 msr 0x186 = 0x4300c0");
		unsigned short_rows = 0;

		r.rig->node.plan.sets.checked = true;
		assert_int_equal(sampler_run(&r.loop), 0);
		assert_int_equal(r.loop.turn_notes.n, 1);
		for (uint64_t row = 2; row < ROWS; row++) {
			double all = delta(&r, row, "lproc_tsc[5]"), sum = 0;

			for (const char *set = "abc"; *set != '\0'; set++) {
				char event[80], time[80];
				double got, ran;

				snprintf(event, sizeof(event), "core_counts[5]"
				    "[\"CYC_%c\"]", *set - 'a' + 'A');
				snprintf(time, sizeof(time), "lproc_set_tsc[5]"
				    "[\"%c\"]", *set);
				ran = delta(&r, row, time);
				got = delta(&r, row, event) / ran / CYCLES;
				if (!(fabs(got - 1) < 1. / 64))
					fail_msg("mode %d: %s in row %d: %g",
					    (int)m, event, (int)row, got);
				sum += ran;
			}
			/* one of twelve */
			if (sum / all < 0.99 && fabs(sum / all - 11. / 12) < 0.01)
				short_rows++;
			else if (!(sum / all > 0.99))
				fail_msg("mode %d: row %d: %g of all time",
				    (int)m, (int)row, sum / all);
		}
		assert_int_equal(short_rows, 1);
		looped_end(&r);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_set_has_one_turn_in_each_round),
		cmocka_unit_test(
		    each_set_has_each_moment_of_a_sample_once_in_as_many_samples),
		cmocka_unit_test(another_seed_is_another_order),
		cmocka_unit_test(turns_of_a_sample_are_as_long_as_each_other),
		cmocka_unit_test(sets_that_do_not_fit_into_a_sample_are_refused),
		cmocka_unit_test(a_sample_has_as_many_rounds_as_fit),
		cmocka_unit_test(turns_are_as_many_as_their_budget_allows),
		cmocka_unit_test(a_turn_is_measured_by_reading),
		cmocka_unit_test(every_sample_holds_every_event),
		cmocka_unit_test(what_always_counts_is_added_up_by_set_too),
		cmocka_unit_test(a_late_turn_is_as_long_as_its_time_says),
		cmocka_unit_test(a_turn_with_an_end_held_up_counts_for_no_set),
		cmocka_unit_test(a_counter_that_wraps_in_a_turn_goes_on),
		cmocka_unit_test(
		    an_lproc_that_leaves_in_a_round_comes_back_whole),
		cmocka_unit_test(
		    a_turn_in_which_a_counter_was_taken_is_left_out_and_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
