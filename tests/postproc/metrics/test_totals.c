/*
 * tests/postproc/metrics/test_totals.c - totals of the recording against what the original's
 * own script printed for the same samples.
 */
#include "tests/lib/files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/data/totals.h"
#include "postproc/data/turns.h"

/* The totals of one range of the recording. */
struct sum {
	struct intervals *iv;
	struct totals t;
};

static struct sum *
sum_open(const char *samples)
{
	struct sum *s = calloc(1, sizeof(*s));
	struct select select;
	struct interval step;
	struct diag why;
	char path[512];

	assert_non_null(s);
	assert_int_equal(select_parse(&select, samples, &why), 0);
	assert_int_equal(intervals_open(&s->iv, recording(path), &select,
	    &why), 0);
	while (intervals_next(s->iv, &step, &why) > 0)
		assert_int_equal(totals_add(&s->t, &step), 0);
	return s;
}

static void
sum_close(struct sum *s)
{
	totals_fini(&s->t);
	intervals_close(s->iv);
	free(s);
}

static uint64_t
sum_of(const struct sum *s, const char *column)
{
	int c = read_find(intervals_reader(s->iv), column);

	if (c < 0)
		fail_msg("no column %s", column);
	return s->t.sum[c];
}

/* Channels of a package, or of the node: pkg -1. */
static uint64_t
imc_sum(const struct sum *s, int pkg, const char *event)
{
	uint64_t sum = 0;
	char name[160];

	for (int p = 0; p < 2; p++)
		for (int ch = 0; ch < 6 && (pkg < 0 || p == pkg); ch++) {
			snprintf(name, sizeof(name), "imc_counts[%d][%d][\"%s\"]",
			    p, ch, event);
			sum += sum_of(s, name);
		}
	return sum;
}

static uint64_t
lproc_sum(const struct sum *s, const char *event)
{
	uint64_t sum = 0;
	char name[160];

	for (int i = 0; i < 96; i++) {
		snprintf(name, sizeof(name), "core_fixed_counts[%d][\"%s\"]",
		    i, event);
		sum += sum_of(s, name);
	}
	return sum;
}

static void
same(const struct table *t, unsigned last, uint64_t ours)
{
	if (ours != strtoull(t->cell[last], NULL, 10))
		fail_msg("%s %s: the report has %s, ours is %" PRIu64,
		    t->cell[0], t->cell[1], t->cell[last], ours);
}

/* A family's rows: its indices, the event, what it counted. */
static unsigned
same_counts(const struct sum *s, const char *report, const char *kind,
    const char *family, bool boxes)
{
	struct table t;
	char name[160];
	unsigned n = 0;

	table_open(&t, report);
	for (; table_next(&t, kind); n++) {
		if (boxes)
			snprintf(name, sizeof(name), "%s[%s][%s][\"%s\"]",
			    family, t.cell[0], t.cell[1], t.cell[2]);
		else
			snprintf(name, sizeof(name), "%s[%s][\"%s\"]", family,
			    t.cell[0], t.cell[1]);
		same(&t, boxes ? 3 : 2, sum_of(s, name));
	}
	fclose(t.f);
	return n;
}

/* Reads or writes of all channels: of a package, or of both. */
static unsigned
same_memory(const struct sum *s, const char *report, const char *kind,
    const char *event)
{
	struct table t;
	unsigned n = 0;

	table_open(&t, report);
	for (; table_next(&t, kind); n++)
		same(&t, 1, imc_sum(s, t.cell[0][0] == '\0' ? -1 :
		    atoi(t.cell[0]), event));
	fclose(t.f);
	return n;
}

static unsigned
same_sums(const struct sum *s, const char *report)
{
	struct table t;
	unsigned n = 0;

	table_open(&t, report);
	for (; table_next(&t, "fixed_all"); n++) {
		/* The script adds the elapsed TSC up once for each lproc, in
		 * doubles, whose steps are 4 where the TSC was. */
		assert_in_range(strtoull(t.cell[0], NULL, 10),
		    96 * (sum_of(s, "tsc") - 4), 96 * (sum_of(s, "tsc") + 4));
		same(&t, 2, lproc_sum(s, t.cell[1]));
	}
	fclose(t.f);
	return n;
}

static void
compare_report(const char *samples, const char *report)
{
	struct sum *s = sum_open(samples);

	assert_int_equal(same_counts(s, report, "fixed", "core_fixed_counts",
	    false), 96 * 3);
	assert_int_equal(same_counts(s, report, "core", "core_counts", false),
	    96 * 4);
	assert_int_equal(same_counts(s, report, "cha", "cha_counts", true),
	    2 * 24 * 4);
	assert_int_equal(same_sums(s, report), 3);
	assert_int_equal(same_memory(s, report, "reads", "CAS_COUNT.READS"),
	    3);
	assert_int_equal(same_memory(s, report, "writes", "CAS_COUNT.WRITES"),
	    3);
	sum_close(s);
}

static void
totals_of_0_to_17_are_those_of_the_original(void **state)
{
	(void)state;
	compare_report("0:17", "tests/data/original/report-0-17.tsv");
}

static void
totals_of_19_to_29_are_those_of_the_original(void **state)
{
	(void)state;
	compare_report("19:29", "tests/data/original/report-19-29.tsv");
}

/* What another tool took over between samples 17 and 18, on all 96 lprocs. */
static bool
was_taken(const struct column *c)
{
	return c->id.event != NULL &&
	    (strcmp(c->id.event, "Inst_Retired.Any") == 0 ||
	    strcmp(c->id.event, "CPU_CLK_UNHALTED.KERNEL") == 0 ||
	    strcmp(c->id.event, "CPU_CLK_UNHALTED.REF_XCLK") == 0 ||
	    strcmp(c->id.event, "INST_RETIRED.KERNEL") == 0);
}

static void
the_takeover_is_left_out_of_all_96_lprocs_and_nothing_else_is(void **state)
{
	struct sum *s = sum_open("0:29");
	unsigned taken = 0;

	(void)state;
	assert_int_equal(s->t.intervals, 29);
	for (unsigned c = 0; c < s->t.ncol; c++) {
		const struct column *col =
		    read_column(intervals_reader(s->iv), c);

		if (!was_taken(col)) {
			assert_int_equal(totals_left_out(&s->t, c), 0);
			continue;
		}
		taken++;
		assert_int_equal(totals_left_out(&s->t, c), 1);
		assert_int_equal(s->t.left[c].n[DELTA_RESET], 1);
		assert_int_equal(s->t.left[c].first_sample, 18);
	}
	assert_int_equal(taken, 4 * 96);
	sum_close(s);
}

static void
no_core_counter_of_the_recording_exceeds_1e14(void **state)
{
	struct sum *s = sum_open("0:29");

	(void)state;
	for (unsigned c = 0; c < s->t.ncol; c++)
		if (strncmp(read_column(intervals_reader(s->iv),
		    c)->id.family->name, "core_", 5) == 0)
			assert_true(s->t.sum[c] < 100000000000000);
	/* lproc 1: 69292692 - 2835361 up to sample 17, the 34396599 of the
	 * takeover left out, 307463415 + ... from 18 on */
	assert_int_equal(sum_of(s, "core_fixed_counts[1][\"Inst_Retired.Any\"]"),
	    66457331 + 3335171764);
	sum_close(s);
}

static void
a_range_split_anywhere_adds_up_to_the_same(void **state)
{
	struct sum *all = sum_open("0:29");
	char text[16];

	(void)state;
	for (int at = 1; at < 29; at += 4) {
		struct sum *a, *b;

		snprintf(text, sizeof(text), ":%d", at);
		a = sum_open(text);
		snprintf(text, sizeof(text), "%d:", at);
		b = sum_open(text);
		for (unsigned c = 0; c < all->t.ncol; c++)
			if (class_is_counter(read_column(
			    intervals_reader(all->iv), c)->cls))
				assert_int_equal(a->t.sum[c] + b->t.sum[c],
				    all->t.sum[c]);
		sum_close(a);
		sum_close(b);
	}
	sum_close(all);
}

static void
the_tsc_runs_at_2095_mhz_and_not_at_the_nominal_2100(void **state)
{
	struct sum *s = sum_open("0:29");

	(void)state;
	/* 61747545440 counts in 29.473687 s */
	assert_true(intervals_tsc_hz(s->iv) > 2.0950e9 - 1e4);
	assert_true(intervals_tsc_hz(s->iv) < 2.0950e9 + 1e4);
	assert_true(intervals_seconds(s->iv) > 29.4736);
	assert_true(intervals_seconds(s->iv) < 29.4738);
	assert_null(intervals_clock_note(s->iv));
	sum_close(s);
}

static void
what_is_left_out_is_named_by_kind_where_there_are_several(void **state)
{
	struct left_out l = { .first_sample = 5, .first_kind = DELTA_RESET };
	char buf[200];

	(void)state;
	l.n[DELTA_RESET] = 2;
	assert_string_equal(left_out_words(&l, 9, buf, sizeof(buf)),
	    "2 of 9 intervals: reset, first at sample 5");
	l.n[DELTA_IMPOSSIBLE] = 1;
	assert_string_equal(left_out_words(&l, 9, buf, sizeof(buf)),
	    "3 of 9 intervals: 2 reset 1 impossible, first at sample 5");
}

/* Columns of times that come later than the event's are in no sum yet. */
static void
times_that_have_no_column_yet_say_nothing(void **state)
{
	uint8_t turn[] = { TURN_SET, TURN_SET };
	struct turn_times times[] = { { 1, 0, -1 }, { 0, 1, -1 } };
	uint64_t lost[] = { 0, 0 };
	struct turns t = { .any = true, .ncol = 2, .kind = turn,
	    .times = times, .lost = lost };
	static const uint8_t kind[] = { DELTA_GOOD, DELTA_RESET };
	static const uint64_t delta[] = { 7, 0 }, sum[] = { 0, 5 };
	struct interval step = { .ncol = 1, .kind = kind, .delta = delta };

	(void)state;
	assert_false(turns_left_out(&t, 0, &step));
	assert_int_equal(lost[0], 0);
	assert_null(turns_missed(&t, 0, sum, 1, 0));
	/* both are there */
	step.ncol = 2;
	assert_true(turns_left_out(&t, 0, &step));
	assert_int_equal(lost[0], 7);
	assert_string_equal(turns_missed(&t, 0, sum, 2, 0),
	    "its event set did not run");
	/* the first column of all may be the one it is known by */
	assert_int_equal(turns_known_by(&t, 1), 0);
	times[1] = (struct turn_times){ 1, 1, 0 };
	assert_int_equal(turns_known_by(&t, 1), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_that_have_no_column_yet_say_nothing),
		cmocka_unit_test(
		    what_is_left_out_is_named_by_kind_where_there_are_several),
		cmocka_unit_test(totals_of_0_to_17_are_those_of_the_original),
		cmocka_unit_test(totals_of_19_to_29_are_those_of_the_original),
		cmocka_unit_test(
		    the_takeover_is_left_out_of_all_96_lprocs_and_nothing_else_is),
		cmocka_unit_test(no_core_counter_of_the_recording_exceeds_1e14),
		cmocka_unit_test(a_range_split_anywhere_adds_up_to_the_same),
		cmocka_unit_test(
		    the_tsc_runs_at_2095_mhz_and_not_at_the_nominal_2100),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
