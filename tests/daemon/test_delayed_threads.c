/*
 * tests/daemon/test_delayed_threads.c - threads that are late: their cells are absent, rows are
 * in the order of time, and what event sets counted for longer or shorter than
 * the dump says is in no row.
 */
#include "tests/lib/looped.h"

#include "daemon/run/sampler.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS 1000000ull
#define ROWS 12
#define EVERY (20 * MS)

#define TSC_MS 2095005.796      /* counts of the TSC in a ms */

/* By a count of the TSC, of lproc 5 and of channel 0 of package 0, idle. */
#define CYCLES 0.00034369
#define READS 0.00000701

static const char sets[] =
    "set a\ncore CYC_A event=0x3c\nimc RD_A event=0x04,umask=0x03\n"
    "set b\ncore CYC_B event=0x3c\nimc RD_B event=0x04,umask=0x03\n";

static struct looped
begin(enum read_mode mode, const char *faults)
{
	return looped_begin(rig_text(faults, sets), mode, EVERY, ROWS);
}

/* Of an event: how many intervals of its set have a difference, each of which is
 * right to a 32nd. */
static unsigned
intervals_right(const struct looped *r, const char *event, const char *set,
    double rate)
{
	char running[64];
	unsigned n = 0;

	snprintf(running, sizeof(running), "set_running[\"%s\"]", set);
	for (uint64_t row = 1; row < ROWS; row++) {
		uint64_t ran = looped_value(r, row, running) -
		    looped_value(r, row - 1, running);
		uint64_t a = looped_value(r, row - 1, event), b = looped_value(r, row, event);

		if (ran == 0 || a == ABSENT || b == ABSENT)
			continue;
		n++;
		if (fabs((double)(b - a) / (double)ran / rate - 1) > 1. / 32)
			fail_msg("%s in row %d: %g a TSC count", event,
			    (int)row, (double)(b - a) / (double)ran);
	}
	return n;
}

/* Of lproc 5's two events. */
static unsigned
cycles_right(const struct looped *r)
{
	return intervals_right(r, "core_counts[5][\"CYC_A\"]", "a", CYCLES) +
	    intervals_right(r, "core_counts[5][\"CYC_B\"]", "b", CYCLES);
}

static bool
is_absent(const struct looped *r, uint64_t row, const char *name)
{
	return looped_value(r, row, name) == ABSENT;
}

/* Where its samples are in time, in ms from its start; samples in order. */
static double
when(const struct looped *r, uint64_t row)
{
	assert_true(row == 0 || looped_value(r, row, "tsc") > looped_value(r, row - 1,
	    "tsc"));
	return (double)(looped_value(r, row, "tsc") - looped_value(r, 0, "tsc")) / TSC_MS;
}

static void
without_a_late_one_nothing_is_absent(void **state)
{
	(void)state;
	for (enum read_mode m = READ_PINNED; m <= READ_REMOTE; m++) {
		struct looped r = begin(m, "");

		assert_int_equal(sampler_run(&r.loop), 0);
		assert_int_equal(cycles_right(&r), 11);
		assert_int_equal(intervals_right(&r,
		    "imc_counts[0][0][\"RD_A\"]", "a", READS), 6);
		assert_int_equal(intervals_right(&r,
		    "imc_counts[0][0][\"RD_B\"]", "b", READS), 5);
		looped_end(&r);
	}
}

/* Sample 5, at 0.1 s, ends a turn of a and begins one of b. */
static void
what_a_late_turn_counted_is_in_no_row(void **state)
{
	(void)state;
	for (enum read_mode m = READ_PINNED; m <= READ_REMOTE; m++) {
		struct looped r = begin(m, "from 0.09 lproc 5 stall 0.008");

		assert_int_equal(sampler_run(&r.loop), 0);
		/* by their stamps they are right */
		assert_false(is_absent(&r, 5, "lproc_tsc[5]"));
		assert_true(is_absent(&r, 5, "core_counts[5][\"CYC_A\"]"));
		assert_false(is_absent(&r, 5, "core_counts[5][\"CYC_B\"]"));
		assert_true(is_absent(&r, 6, "core_counts[5][\"CYC_B\"]"));
		assert_int_equal(cycles_right(&r), 9);
		assert_false(is_absent(&r, 5, "core_counts[4][\"CYC_A\"]"));
		assert_false(is_absent(&r, 6, "core_counts[4][\"CYC_B\"]"));
		looped_end(&r);
	}
}

static void
a_package_whose_turn_is_late_is_left_out_as_well(void **state)
{
	(void)state;
	for (enum read_mode m = READ_PINNED; m <= READ_REMOTE; m++) {
		struct looped r = begin(m, "from 0.09 pci 3a:0a.2 stall 0.008");

		assert_int_equal(sampler_run(&r.loop), 0);
		assert_true(is_absent(&r, 5, "imc_counts[0][0][\"RD_A\"]"));
		assert_true(is_absent(&r, 6, "imc_counts[0][0][\"RD_B\"]"));
		assert_int_equal(intervals_right(&r,
		    "imc_counts[0][0][\"RD_A\"]", "a", READS), 5);
		assert_int_equal(intervals_right(&r,
		    "imc_counts[0][0][\"RD_B\"]", "b", READS), 4);
		looped_end(&r);
	}
}

static void
however_late_a_thread_is_no_figure_is_wrong(void **state)
{
	static const struct {
		int line;
		const char *fault;
		unsigned right;         /* of 11 intervals */
		uint64_t late;
	} rows[] = {
		{ __LINE__, "from 0.09 lproc 5 stall 0.0005", 11, 0 },
		{ __LINE__, "from 0.09 lproc 5 stall 0.002", 9, 0 },
		{ __LINE__, "from 0.09 lproc 5 stall 0.0095", 9, 0 },
		/* not by half an interval */
		{ __LINE__, "from 0.09 lproc 5 stall 0.0105", 9, 1 },
		{ __LINE__, "from 0.09 lproc 5 stall 0.019", 9, 1 },
		{ __LINE__, "from 0.09 lproc 5 stall 0.021", 8, 1 },
		{ __LINE__, "from 0.09 lproc 5 stall 0.05", 7, 2 },
		{ __LINE__, "from 0.09 lproc 5 stall 0.07", 6, 3 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct looped r = begin(READ_PINNED, rows[i].fault);
		unsigned right;

		assert_int_equal(sampler_run(&r.loop), 0);
		right = cycles_right(&r);
		if (right != rows[i].right || r.loop.ahead.late != rows[i].late)
			fail_msg("line %d: %u intervals, %d samples late",
			    rows[i].line, right, (int)r.loop.ahead.late);
		looped_end(&r);
	}
}

static void
a_thread_that_is_late_holds_up_nobody(void **state)
{
	struct looped r = begin(READ_PINNED, "from 0.09 lproc 5 stall 0.0105");

	(void)state;
	assert_int_equal(sampler_run(&r.loop), 0);
	for (uint64_t row = 0; row < ROWS; row++) {
		assert_true(is_absent(&r, row, "lproc_tsc[5]") == (row == 5));
		assert_false(is_absent(&r, row, "lproc_tsc[6]"));
		assert_true(fabs(when(&r, row) - 20. * (double)row) < 0.01);
	}
	looped_end(&r);
}

/* What its counters counted while nobody read them, and before its first turn
 * after that, is no set's; a package is read from another lproc. */
static void
an_lproc_that_comes_back_counts_its_own_set(void **state)
{
	static const char *const faults[] = {
		"from 0.05 to 0.15 lproc 5 offline",
		("from 0.05 to 0.15 lproc 5 offline\n"
		    "from 0.05 to 0.15 lproc 0 offline"),
		"from 0.09 to 0.11 lproc 5 offline",
	};
	static const unsigned right[] = { 5, 5, 9 };

	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		struct looped r = begin(READ_PINNED, faults[i]);

		assert_int_equal(sampler_run(&r.loop), 0);
		assert_int_equal(cycles_right(&r), right[i]);
		assert_int_equal(intervals_right(&r,
		    "imc_counts[0][0][\"RD_A\"]", "a", READS), 6);
		assert_int_equal(r.loop.ahead.late, 0);
		looped_end(&r);
	}
}

/* All of them, up to an lproc; the text is the caller's. */
static char *
all_stall(unsigned below, const char *from, const char *seconds)
{
	char *text, line[64];
	size_t n;
	FILE *f = open_memstream(&text, &n);

	for (unsigned l = 0; l < below; l++) {
		snprintf(line, sizeof(line), "from %s lproc %u stall %s\n",
		    from, l, seconds);
		fputs(line, f);
	}
	fclose(f);
	return text;
}

static void
a_row_that_nobody_read_is_made_after_half_an_interval(void **state)
{
	char *faults = all_stall(96, "0.09", "0.012");
	struct looped r = begin(READ_PINNED, faults);

	(void)state;
	assert_int_equal(sampler_run(&r.loop), 0);
	for (unsigned row = 0; row < ROWS; row++)
		assert_true(fabs(when(&r, row) - 20 * row - (row == 5 ? 10 :
		    0)) < 0.01);
	assert_true(is_absent(&r, 5, "lproc_tsc[95]"));
	assert_int_equal(r.loop.ahead.late, 96);
	assert_int_equal(cycles_right(&r), 9);
	looped_end(&r);
	free(faults);
}

/* One lproc is gone; to ask whether it is back takes until the others, who were
 * late, have read the next sample. */
static void
a_row_that_nobody_read_is_not_after_the_next(void **state)
{
	char *faults = all_stall(95, "0.09", "0.012"), *all = NULL;
	struct looped r;

	(void)state;
	assert_true(asprintf(&all, "%sfrom 0.03 to 0.2 lproc 95 offline\nfrom 0.105 "
	    "lproc 95 stall 0.016\n", faults) > 0);
	r = begin(READ_PINNED, all);
	assert_int_equal(sampler_run(&r.loop), 0);
	for (unsigned row = 0; row < ROWS; row++) {
		uint64_t stamp = looped_value(&r, row, "lproc_tsc[5]");

		when(&r, row);
		assert_true((stamp == ABSENT) == (row == 5));
		assert_true(stamp >= looped_value(&r, row, "tsc"));
	}
	looped_end(&r);
	free(all);
	free(faults);
}

/* Who takes samples is late, waiting for an lproc that is gone: by then all others
 * have read the next one, too. */
static void
a_sample_that_is_taken_late_is_whole(void **state)
{
	struct looped r = begin(READ_PINNED, "from 0.03 to 0.21 lproc 1 offline\n"
	    "from 0.09 lproc 1 stall 0.039\n"
	    "from 0.095 lproc 60 msr 0x186 = 0x4300c5");
	const char *note;

	(void)state;
	r.loop.watch_every = 1;
	assert_int_equal(sampler_run(&r.loop), 0);
	for (unsigned row = 0; row < ROWS; row++) {
		when(&r, row);
		assert_false(is_absent(&r, row, "lproc_tsc[5]"));
		assert_true(is_absent(&r, row, "lproc_tsc[1]") == (row > 1 &&
		    row < 10));
		assert_true(looped_value(&r, row, "lproc_tsc[5]") == looped_value(&r, row,
		    "tsc"));
	}
	assert_int_equal(r.loop.ahead.late, 0);
	assert_int_equal(cycles_right(&r), 11);
	/* and told once */
	note = strstr(store_notes(r.store), "tamper_seen[0] = 5\n");
	assert_non_null(note);
	assert_null(strstr(note, "tamper_seen[1]"));
	looped_end(&r);
}

/* But for what a sample costs, which is real. */
static void
sets_count_with_threads_as_with_one(void **state)
{
	struct looped one = begin(READ_VISIT, ""), many = begin(READ_PINNED, "");
	const struct plan *p = &one.rig->node.plan;
	uint64_t a[4096], b[4096];

	(void)state;
	one.loop.rotate_every = many.loop.rotate_every = 3;
	assert_int_equal(sampler_run(&one.loop), 0);
	assert_int_equal(sampler_run(&many.loop), 0);
	assert_true(p->ncell < 4096);
	for (uint64_t row = 0; row < ROWS; row++) {
		store_read(one.store, row, 0, p->ncell, a);
		store_read(many.store, row, 0, p->ncell, b);
		a[CELL_CPU] = b[CELL_CPU];
		assert_memory_equal(a, b, p->ncell * sizeof(a[0]));
	}
	/* three samples each */
	assert_int_equal(intervals_right(&many, "core_counts[95][\"CYC_A\"]",
	    "a", CYCLES), 6);
	looped_end(&one);
	looped_end(&many);
}

static void
ask_to_stop(void *ctx)
{
	(void)ctx;
	raise(SIGTERM);
}

/* It does not wait for the deadline that the threads sleep towards. */
static void
a_stop_is_a_sample_at_once(void **state)
{
	struct looped r;

	(void)state;
	sampler_signals();
	r = begin(READ_PINNED, "");
	r.loop.interval_ns = 3600 * 1000 * MS;
	r.loop.first_row = ask_to_stop;
	r.loop.watch_every = 1000;
	rig_fault(r.rig, "lproc 60 msr 0x186 = 0x4300c5");
	assert_int_equal(sampler_run(&r.loop), SIGTERM);
	assert_int_equal(store_rows(r.store), 2);
	assert_true(when(&r, 1) < 10);
	assert_false(is_absent(&r, 1, "lproc_tsc[95]"));
	/* and looks at the controls */
	assert_non_null(strstr(store_notes(r.store), "tamper_seen[0] = 1\n"));
	looped_end(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_late_one_nothing_is_absent),
		cmocka_unit_test(what_a_late_turn_counted_is_in_no_row),
		cmocka_unit_test(
		    a_package_whose_turn_is_late_is_left_out_as_well),
		cmocka_unit_test(however_late_a_thread_is_no_figure_is_wrong),
		cmocka_unit_test(a_thread_that_is_late_holds_up_nobody),
		cmocka_unit_test(an_lproc_that_comes_back_counts_its_own_set),
		cmocka_unit_test(
		    a_row_that_nobody_read_is_made_after_half_an_interval),
		cmocka_unit_test(a_row_that_nobody_read_is_not_after_the_next),
		cmocka_unit_test(a_sample_that_is_taken_late_is_whole),
		cmocka_unit_test(sets_count_with_threads_as_with_one),
		cmocka_unit_test(a_stop_is_a_sample_at_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
