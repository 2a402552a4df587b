/*
 * tests/test_totals.c - totals of the recording against what the original's
 * own script printed for the same samples.
 */
#include "tests/files.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/data/totals.h"

#define RECORDING "data/original/c591-803.first30.perfcounts.lua"

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
	if (shared_path(RECORDING, path, sizeof(path)) == NULL) {
		free(s);
		return NULL;
	}
	assert_int_equal(select_parse(&select, samples, &why), 0);
	assert_int_equal(intervals_open(&s->iv, path, &select, &why), 0);
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

/* One line of a report: was it a figure of ours? */
static bool
compare_line(const struct sum *s, const char *line)
{
	unsigned a, b;
	char event[64], name[160];
	uint64_t tsc, value, ours;

	if (sscanf(line, "Lproc %u Elapsed_TSC %" SCNu64
	    " Event %63s TotalDelta %" SCNu64, &a, &tsc, event, &value) == 4) {
		snprintf(name, sizeof(name), "core_fixed_counts[%u][\"%s\"]",
		    a, event);
		ours = sum_of(s, name);
	} else if (sscanf(line, "LogicalProcessor %u Elapsed_TSC %" SCNu64
	    " Event %63s TotalDelta %" SCNu64, &a, &tsc, event, &value) == 4) {
		snprintf(name, sizeof(name), "core_counts[%u][\"%s\"]", a,
		    event);
		ours = sum_of(s, name);
	} else if (sscanf(line, "Socket %u cha %u Event %63s TotalDelta %"
	    SCNu64, &a, &b, event, &value) == 4) {
		snprintf(name, sizeof(name), "cha_counts[%u][%u][\"%s\"]", a,
		    b, event);
		ours = sum_of(s, name);
	} else if (sscanf(line, "Elapsed_TSC %" SCNu64 " Event %63s "
	    "AllCoreDelta %" SCNu64, &tsc, event, &value) == 3) {
		/* The script adds the elapsed TSC up once for each lproc, in
		 * doubles, whose steps are 4 where the TSC was. */
		assert_in_range(tsc, 96 * (sum_of(s, "tsc") - 4),
		    96 * (sum_of(s, "tsc") + 4));
		ours = lproc_sum(s, event);
	} else if (sscanf(line, "Socket %u IMC reads %" SCNu64, &a, &value) ==
	    2) {
		ours = imc_sum(s, (int)a, "CAS_COUNT.READS");
	} else if (sscanf(line, "Socket %u IMC writes %" SCNu64, &a, &value) ==
	    2) {
		ours = imc_sum(s, (int)a, "CAS_COUNT.WRITES");
	} else if (sscanf(line, "Global IMC Reads %" SCNu64, &value) == 1) {
		ours = imc_sum(s, -1, "CAS_COUNT.READS");
	} else if (sscanf(line, "Global IMC writes %" SCNu64, &value) == 1) {
		ours = imc_sum(s, -1, "CAS_COUNT.WRITES");
	} else {
		return false;
	}
	if (ours != value)
		fail_msg("%s: ours is %" PRIu64, line, ours);
	return true;
}

/* Fixed counters, programmed ones, 24 CHAs of a socket, sums over lprocs,
 * reads and writes of two sockets and of all. */
#define FIGURES (96 * 3 + 96 * 4 + 48 * 4 + 3 + 6)

static void
compare_report(const char *samples, const char *report)
{
	struct sum *s = sum_open(samples);
	unsigned n = 0;
	char path[512], line[1024];
	FILE *f;

	if (s == NULL)
		skip();
	f = fopen(shared_path(report, path, sizeof(path)), "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f) != NULL)
		n += compare_line(s, line);
	fclose(f);
	sum_close(s);
	assert_int_equal(n, FIGURES);
}

static void
totals_of_0_to_17_are_those_of_the_original(void **state)
{
	(void)state;
	compare_report("0:17",
	    "data/original/original-report.samples-0-17.txt");
}

static void
totals_of_19_to_29_are_those_of_the_original(void **state)
{
	(void)state;
	compare_report("19:29",
	    "data/original/original-report.samples-19-29.txt");
}

/* What another tool took over between samples 17 and 18, on all 96 lprocs. */
static bool
was_taken(const struct read_column *c)
{
	return c->event != NULL &&
	    (strcmp(c->event, "Inst_Retired.Any") == 0 ||
	    strcmp(c->event, "CPU_CLK_UNHALTED.KERNEL") == 0 ||
	    strcmp(c->event, "CPU_CLK_UNHALTED.REF_XCLK") == 0 ||
	    strcmp(c->event, "INST_RETIRED.KERNEL") == 0);
}

static void
the_takeover_is_left_out_of_all_96_lprocs_and_nothing_else_is(void **state)
{
	struct sum *s = sum_open("0:29");
	unsigned taken = 0;

	(void)state;
	if (s == NULL)
		skip();
	assert_int_equal(s->t.intervals, 29);
	for (unsigned c = 0; c < s->t.ncol; c++) {
		const struct read_column *col =
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
	if (s == NULL)
		skip();
	for (unsigned c = 0; c < s->t.ncol; c++)
		if (strncmp(read_column(intervals_reader(s->iv), c)->family,
		    "core_", 5) == 0)
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
	if (all == NULL)
		skip();
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
	if (s == NULL)
		skip();
	/* 61747545440 counts in 29.473687 s */
	assert_true(intervals_tsc_hz(s->iv) > 2.0950e9 - 1e4);
	assert_true(intervals_tsc_hz(s->iv) < 2.0950e9 + 1e4);
	assert_true(intervals_seconds(s->iv) > 29.4736);
	assert_true(intervals_seconds(s->iv) < 29.4738);
	assert_null(intervals_clock_note(s->iv));
	sum_close(s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
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
