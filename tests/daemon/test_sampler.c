/*
 * tests/daemon/test_sampler.c - the loop on a node where things go wrong: the rows
 * before, during and after come out whole, and so do the registers; read by one
 * thread, and by one on each lproc.
 */
#include "tests/lib/looped.h"

#include "daemon/read/sweep.h"
#include "daemon/run/sampler.h"

#include <stdio.h>
#include <string.h>

#define SECOND 1000000000ull
#define ROWS 20

static enum read_mode mode;

static int
by_pinned_threads(void **state)
{
	(void)state;
	mode = READ_PINNED;
	return 0;
}

static struct looped
begin(uint64_t rows)
{
	return looped_begin(rig_open("@skx-8160-2s", NULL), mode, SECOND, rows);
}

static uint64_t
cell_of(const struct looped *s, uint64_t row, unsigned cell)
{
	uint64_t raw;

	assert_int_equal(store_read(s->store, row, cell, 1, &raw), 0);
	return raw;
}

static unsigned
absent(const struct looped *s, uint64_t row)
{
	const struct plan *p = &s->rig->node.plan;
	unsigned n = 0;

	for (unsigned i = 0; i < p->ncolumn; i++)
		n += cell_of(s, row, p->column[i].cell) == ABSENT;
	return n;
}

static void
what_goes_is_missing_and_comes_back(void **state)
{
	static const struct {
		int line;
		const char *fault;      /* from 5.5 s to 12.5 s */
		const char *lost, *kept;
	} rows[] = {
		{ __LINE__, "lproc 5 offline", "aperf[5]", "aperf[29]" },
		/* the one that its package's registers are read on */
		{ __LINE__, "lproc 0 offline", "mperf[0]",
		  "pcu_counts[0][\"FREQ_TRANS_CYCLES\"]" },
		{ __LINE__, "msr 0x611 EIO", "rapl_pkg_energy[1]",
		  "rapl_dram_energy[1]" },
		{ __LINE__, "lproc 70 msr 0xe8 EIO", "aperf[70]",
		  "mperf[70]" },
		{ __LINE__, "pkg 1 msr 0xe18 EIO",
		  "cha_counts[1][1][\"XSNP_RESP.EVICT_RSP_HITFSE\"]",
		  "cha_counts[1][1][\"SF_EVICTION.M_STATE\"]" },
		{ __LINE__, "box imc 0 3 absent",
		  "imc_counts[0][3][\"CAS_COUNT.READS\"]",
		  "imc_counts[0][4][\"CAS_COUNT.READS\"]" },
		{ __LINE__, "box cha 1 7 absent",
		  "cha_counts[1][7][\"SF_EVICTION.M_STATE\"]",
		  "cha_counts[1][8][\"SF_EVICTION.M_STATE\"]" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct looped s = begin(ROWS);
		char line[128];
		unsigned gone = 0;

		snprintf(line, sizeof(line), "from 5.5 to 12.5 %s",
		    rows[i].fault);
		rig_fault(s.rig, line);
		assert_int_equal(sampler_run(&s.loop), 0);
		assert_int_equal(store_rows(s.store), ROWS);
		for (uint64_t r = 0; r < ROWS; r++) {
			bool lost = looped_value(&s, r, rows[i].lost) == ABSENT;

			gone += lost;
			if (looped_value(&s, r, rows[i].kept) == ABSENT)
				fail_msg("row at line %d: %s is missing in "
				    "sample %d", rows[i].line, rows[i].kept,
				    (int)r);
			if (lost != (absent(&s, r) > 0))
				fail_msg("row at line %d: sample %d lacks "
				    "something else", rows[i].line, (int)r);
		}
		/* seven seconds; first and last rows are whole */
		if (gone != 7 || absent(&s, 0) + absent(&s, ROWS - 1) > 0)
			fail_msg("row at line %d: missing in %u samples",
			    rows[i].line, gone);
		assert_int_equal(store_missed_count(s.store), 0);
		looped_end(&s);
	}
}

static void
a_package_that_goes_takes_nothing_of_the_other(void **state)
{
	struct looped s = begin(ROWS);
	char line[64];

	(void)state;
	/* package 1 is lprocs 24 to 47 and 72 to 95 */
	for (unsigned l = 24; l < 96; l++) {
		if (l == 48)
			l = 72;
		snprintf(line, sizeof(line), "from 5.5 to 12.5 lproc %u "
		    "offline", l);
		rig_fault(s.rig, line);
	}
	assert_int_equal(sampler_run(&s.loop), 0);
	assert_int_equal(store_rows(s.store), ROWS);
	for (uint64_t r = 0; r < ROWS; r++) {
		bool gone = r >= 6 && r <= 12;

		assert_true((looped_value(&s, r, "aperf[95]") == ABSENT) == gone);
		assert_true((looped_value(&s, r, "cha_counts[1][3]"
		    "[\"SF_EVICTION.M_STATE\"]") == ABSENT) == gone);
		assert_true(looped_value(&s, r, "aperf[71]") != ABSENT);
		assert_true(looped_value(&s, r, "cha_counts[0][3]"
		    "[\"SF_EVICTION.M_STATE\"]") != ABSENT);
		/* config space needs none of its lprocs */
		assert_true(looped_value(&s, r, "imc_counts[1][3]"
		    "[\"CAS_COUNT.READS\"]") != ABSENT);
	}
	looped_end(&s);
}

static void
a_wall_clock_that_is_set_moves_no_sample(void **state)
{
	static const char *const step[] = { "+3600", "-3600", "+0.6", "-0.3" };

	(void)state;
	for (size_t i = 0; i < sizeof(step) / sizeof(step[0]); i++) {
		struct looped s = begin(ROWS);
		char line[64];

		snprintf(line, sizeof(line), "from 6.5 clock %s", step[i]);
		rig_fault(s.rig, line);
		assert_int_equal(sampler_run(&s.loop), 0);
		assert_int_equal(store_rows(s.store), ROWS);
		assert_int_equal(store_missed_count(s.store), 0);
		for (uint64_t r = 1; r < ROWS; r++) {
			uint64_t counts = looped_value(&s, r, "tsc") -
			    looped_value(&s, r - 1, "tsc");

			/* 2095005796 a second; where the clock is set to a
			 * part of a second, one interval is shorter or longer */
			assert_true(counts > 2095005796ull / 10 &&
			    counts < 2095005796ull * 21 / 10);
			/* and samples stay aligned to whole seconds */
			if (r > 9)
				assert_int_equal(looped_value(&s, r, "walltime[1]"),
				    0);
		}
		looped_end(&s);
	}
}

static void
too_costly_a_sample_is_taken_less_often(void **state)
{
	struct looped s = begin(60);
	const char *note;
	unsigned at, multiple;
	uint64_t before, after;

	(void)state;
	/* a sample costs tens of us of real time; seconds are virtual */
	s.loop.max_overhead = 1e-4;
	assert_int_equal(sampler_run(&s.loop), 0);
	assert_int_equal(store_rows(s.store), 60);
	note = strstr(store_notes(s.store), "interval_multiple[");
	assert_non_null(note);
	assert_int_equal(sscanf(note, "interval_multiple[%u] = %u", &at,
	    &multiple), 2);
	/* pinned threads are told one sample ahead */
	assert_int_equal(at, mode == READ_PINNED ? 12 : 11);
	assert_true(multiple >= 2);
	before = looped_value(&s, 5, "walltime[0]") - looped_value(&s, 4, "walltime[0]");
	after = looped_value(&s, 13, "walltime[0]") - looped_value(&s, 12, "walltime[0]");
	assert_int_equal(before, 1);
	assert_int_equal(after, multiple);
	/* longer by design is not missed */
	assert_int_equal(store_missed_count(s.store), 0);
	looped_end(&s);
}

static void
without_a_limit_the_interval_stays(void **state)
{
	struct looped s = begin(60);

	(void)state;
	assert_int_equal(sampler_run(&s.loop), 0);
	assert_string_equal(store_notes(s.store), "");
	assert_int_equal(looped_value(&s, 59, "walltime[0]") -
	    looped_value(&s, 0, "walltime[0]"), 59);
	looped_end(&s);
}

static void
the_watch_says_since_when_which_columns_are_doubtful(void **state)
{
	struct looped s = begin(ROWS);
	const char *notes;

	(void)state;
	s.loop.watch_every = 6;
	rig_fault(s.rig, "from 8.5 lproc 60 msr 0x187 = 0x4300c5");
	rig_fault(s.rig, "from 15.5 pkg 1 msr 0xe11 = 0");
	assert_int_equal(sampler_run(&s.loop), 0);
	notes = store_notes(s.store);
	/* seen by the check of sample 12, good at that of 6 */
	assert_non_null(strstr(notes, "tamper_first[0] = 6\n"
	    "tamper_seen[0] = 12\n"
	    "tamper_column[0] = 'core_counts[60]"
	    "[\"FP_ARITH_INST_RETIRED.128B_PACKED_DOUBLE\"]'\n"));
	assert_non_null(strstr(notes, "tamper_found[0] = 0x4300c5\n"));
	assert_non_null(strstr(notes, "tamper_first[1] = 12\n"
	    "tamper_seen[1] = 18\ntamper_column[1] = "
	    "'cha_counts[1][1][\"XSNP_RESP.EVICT_RSP_HITFSE\"]'\n"));
	assert_null(strstr(notes, "tamper_first[2]"));
	looped_end(&s);
}

static void
who_changes_a_fixed_counters_control_makes_its_family_doubtful(void **state)
{
	struct looped s = begin(ROWS);

	(void)state;
	s.loop.watch_every = 6;
	rig_fault(s.rig, "from 8.5 pkg 1 msr 0x703 = 0");
	assert_int_equal(sampler_run(&s.loop), 0);
	assert_non_null(strstr(store_notes(s.store), "tamper_first[0] = 6\n"
	    "tamper_seen[0] = 12\ntamper_column[0] = 'ubox_uclk[1]'\n"));
	looped_end(&s);
}

static void
the_last_sample_is_watched_too(void **state)
{
	struct looped s = begin(ROWS);

	(void)state;
	s.loop.watch_every = 1000;
	rig_fault(s.rig, "from 18.5 pkg 0 msr 0x711 = 0");
	assert_int_equal(sampler_run(&s.loop), 0);
	assert_non_null(strstr(store_notes(s.store),
	    "tamper_first[0] = 0\ntamper_seen[0] = 19\n"));
	looped_end(&s);
}

static void
another_tool_that_takes_every_counter_is_told_of_each(void **state)
{
	struct looped s = begin(ROWS);
	char line[64], want[96];

	(void)state;
	s.loop.watch_every = 1;
	for (unsigned l = 0; l < 96; l++)
		for (unsigned c = 0; c < 4; c++) {
			snprintf(line, sizeof(line), "from 3.5 lproc %u msr "
			    "0x%x = 0x4300c5", l, 0x186 + c);
			rig_fault(s.rig, line);
		}
	assert_int_equal(sampler_run(&s.loop), 0);
	for (unsigned l = 0; l < 96; l++) {
		snprintf(want, sizeof(want), "= 'core_counts[%u]"
		    "[\"FP_ARITH_INST_RETIRED.256B_PACKED_DOUBLE\"]'\n", l);
		if (strstr(store_notes(s.store), want) == NULL)
			fail_msg("nothing is said of lproc %u", l);
	}
	assert_int_equal(store_notes_lost(s.store), 0);
	looped_end(&s);
}

static void
a_row_is_late_by_what_it_is_behind_its_deadline(void **state)
{
	static const struct { int64_t ahead; uint64_t late; } t[] = {
		{ 0, 0 }, { 1, 0 }, { -1, 1 }, { -(int64_t)SECOND, SECOND },
	};
	struct rig *r = rig_open("@skx-8160-2s", NULL);
	struct stamp now;

	(void)state;
	for (unsigned i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		access_now(r->node.acc, &now);
		row_take(&r->sweep, &r->node.plan, r->node.acc,
		    now.mono_ns + (uint64_t)t[i].ahead, r->row);
		assert_int_equal(r->row[CELL_LATE], t[i].late);
	}
	/* none was set */
	row_take(&r->sweep, &r->node.plan, r->node.acc, 0, r->row);
	assert_int_equal(r->row[CELL_LATE], 0);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_goes_is_missing_and_comes_back),
		cmocka_unit_test(a_package_that_goes_takes_nothing_of_the_other),
		cmocka_unit_test(a_wall_clock_that_is_set_moves_no_sample),
		cmocka_unit_test(too_costly_a_sample_is_taken_less_often),
		cmocka_unit_test(without_a_limit_the_interval_stays),
		cmocka_unit_test(
		    the_watch_says_since_when_which_columns_are_doubtful),
		cmocka_unit_test(
		    who_changes_a_fixed_counters_control_makes_its_family_doubtful),
		cmocka_unit_test(the_last_sample_is_watched_too),
		cmocka_unit_test(
		    a_row_is_late_by_what_it_is_behind_its_deadline),
		cmocka_unit_test(
		    another_tool_that_takes_every_counter_is_told_of_each),
	};

	mode = READ_REMOTE;
	return cmocka_run_group_tests_name("sampler", tests, NULL, NULL) +
	    cmocka_run_group_tests_name("sampler, pinned", tests,
	    by_pinned_threads, NULL);
}
