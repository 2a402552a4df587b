/*
 * tests/postproc/data/test_delta.c - what a counter did between two samples, and histories
 * of counters whose true counts are known.
 */
#include "tests/lib/files.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/data/totals.h"

#define A ABSENT
#define TOP48 281474976710656           /* 2^48 */
#define HALF48 140737488355328

/* Two values one second apart, or as long as said. */
static const struct {
	int line;
	uint8_t bits, mul, cls;
	double seconds;
	uint64_t before, now;
	enum delta_kind kind;
	uint64_t delta;
} cases[] = {
	{ __LINE__, 48, 1, CLASS_CYCLES, 1, 1000, 1500, DELTA_GOOD, 500 },
	{ __LINE__, 48, 1, CLASS_CYCLES, 1, 1500, 1500, DELTA_GOOD, 0 },
	{ __LINE__, 48, 1, CLASS_CYCLES, 1, TOP48 - 10, 5, DELTA_WRAPPED, 15 },
	{ __LINE__, 48, 1, CLASS_CYCLES, 1, A, 5, DELTA_ABSENT, 0 },
	{ __LINE__, 48, 1, CLASS_CYCLES, 1, 5, A, DELTA_ABSENT, 0 },
	{ __LINE__, 48, 1, CLASS_CYCLES, 1, A, A, DELTA_ABSENT, 0 },
	/* lproc 0 of the recording: back by 1e10; over the top it were 2^48 */
	{ __LINE__, 48, 1, CLASS_INSTR, 1, 140747561746149, 140737617254630,
	  DELTA_RESET, 0 },
	{ __LINE__, 48, 1, CLASS_CYCLES, 1, 5000000000, 3, DELTA_RESET, 0 },
	/* the highest clock of the model is 5 GHz */
	{ __LINE__, 48, 1, CLASS_CYCLES, 1, 0, 5000000000, DELTA_GOOD,
	  5000000000 },
	{ __LINE__, 48, 1, CLASS_CYCLES, 1, 0, 5800000000, DELTA_IMPOSSIBLE,
	  0 },
	{ __LINE__, 48, 1, CLASS_CYCLES, 1, 7, HALF48, DELTA_IMPOSSIBLE, 0 },
	/* a value that its counter cannot hold */
	{ __LINE__, 48, 1, CLASS_CYCLES, 1, TOP48 - 1, TOP48 + 1,
	  DELTA_IMPOSSIBLE, 0 },
	/* DDR4-2933: 366.6 million CAS a second */
	{ __LINE__, 48, 1, CLASS_CAS, 1, 0, 360000000, DELTA_GOOD, 360000000 },
	{ __LINE__, 48, 1, CLASS_CAS, 1, 0, 430000000, DELTA_IMPOSSIBLE, 0 },
	/* 36 bits of 4 bytes wrap at 2^38 */
	{ __LINE__, 36, 4, CLASS_BYTES_IO, 1, 274877906940, 8, DELTA_WRAPPED,
	  12 },
	{ __LINE__, 36, 4, CLASS_BYTES_IO, 1, 100, 4, DELTA_RESET, 0 },
	/* at 16 GB/s such a counter goes round in 17 s */
	{ __LINE__, 36, 4, CLASS_BYTES_IO, 60, 100, 400, DELTA_AMBIGUOUS, 0 },
	{ __LINE__, 36, 4, CLASS_BYTES_IO, 17, 100, 400, DELTA_AMBIGUOUS, 0 },
	{ __LINE__, 36, 4, CLASS_BYTES_IO, 17, 0, 100000000000, DELTA_GOOD,
	  100000000000 },
	/* 32 bits of 61 uJ: 262 kJ, 874 s at twice a TDP of 150 W */
	{ __LINE__, 32, 1, CLASS_ENERGY_PKG, 1, 4294967290, 2000000,
	  DELTA_WRAPPED, 2000006 },
	{ __LINE__, 32, 1, CLASS_ENERGY_PKG, 1, 2000000, 1000, DELTA_RESET, 0 },
	{ __LINE__, 32, 1, CLASS_ENERGY_PKG, 3600, 2000000, 1000,
	  DELTA_AMBIGUOUS, 0 },
	{ __LINE__, 64, 1, CLASS_TSC, 1, 25370245187777968, 25370247334045250,
	  DELTA_GOOD, 2146267282 },
	{ __LINE__, 64, 1, CLASS_TSC, 1, A - 5, 10, DELTA_WRAPPED, 16 },
	{ __LINE__, 64, 1, CLASS_CYCLES, 1, 10, 9, DELTA_RESET, 0 },
	{ __LINE__, 0, 1, CLASS_READING, 1, 10, 9, DELTA_NONE, 0 },
	{ __LINE__, 0, 1, CLASS_UNKNOWN, 1, 10, 9, DELTA_NONE, 0 },
};

static struct intervals *
open_text(const char *text)
{
	struct intervals *iv;
	struct diag why = { "" };

	if (intervals_open(&iv, test_put("dump", text), NULL, &why) < 0)
		fail_msg("%s", why.text);
	return iv;
}

static void
each_delta_is_what_width_class_and_time_allow(void **state)
{
	struct intervals *iv = open_text("PACKAGE_TDP = 150.0\n"
	    "RAPL_PKG_ENERGY_UNIT = 0.000061035\ntsc[0] = 1\n");

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct column c = { .bits = cases[i].bits,
		    .mul = cases[i].mul, .cls = cases[i].cls };
		uint64_t delta;
		enum delta_kind kind = delta_between(&c, cases[i].before,
		    cases[i].now, limit(intervals_limits(iv), c.cls,
		    cases[i].seconds), &delta);

		if (kind != cases[i].kind || delta != cases[i].delta)
			fail_msg("line %d: %s %" PRIu64, cases[i].line,
			    delta_word(kind), delta);
	}
	intervals_close(iv);
}

static void
a_short_interval_has_time_to_spare(void **state)
{
	struct intervals *iv = open_text("tsc[0] = 1\n");

	(void)state;
	/* 1 ms, and registers read 10 ms apart: 10 ms of cycles are no error */
	assert_true(limit(intervals_limits(iv), CLASS_CYCLES, 0.001) >
	    50000000);
	/* but no more than a tenth of a second of them is let through */
	assert_true(limit(intervals_limits(iv), CLASS_CYCLES, 0.001) <
	    510000000);
	intervals_close(iv);
}

/* Twice a TDP of 500 W in units of 1/16384 J, 250 W in 1/65536 J, two seconds a
 * second in 1/1024 s; each with the 5 % and the tenth of a second to spare. */
static void
a_dump_without_units_has_the_limits_of_the_usual_ones(void **state)
{
	struct intervals *iv = open_text("tsc[0] = 1\n");

	(void)state;
	assert_int_equal(limit(intervals_limits(iv), CLASS_ENERGY_PKG, 1),
	    18841600);
	assert_int_equal(limit(intervals_limits(iv), CLASS_ENERGY_DRAM, 1),
	    18841600);
	assert_int_equal(limit(intervals_limits(iv), CLASS_SECONDS, 1), 2355);
	intervals_close(iv);
	iv = open_text("PACKAGE_TDP = 150\nRAPL_PKG_ENERGY_UNIT = 0.5\n"
	    "RAPL_DRAM_ENERGY_UNIT = 0.25\nRAPL_TIME_UNIT = 0.125\n"
	    "tsc[0] = 1\n");
	assert_int_equal(limit(intervals_limits(iv), CLASS_ENERGY_PKG, 1), 690);
	assert_int_equal(limit(intervals_limits(iv), CLASS_ENERGY_DRAM, 1),
	    1150);
	assert_int_equal(limit(intervals_limits(iv), CLASS_SECONDS, 1), 18);
	intervals_close(iv);
}

/* ---- histories -------------------------------------------------------- */

#define LPROCS 12
#define SAMPLES 60

static uint64_t seed;

static uint64_t
rnd(uint64_t below)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (seed >> 33) % below;
}

/* What truly happened: counts by lproc and interval, and whether they can be
 * known from outside. */
struct history {
	uint64_t count[LPROCS][SAMPLES];
	bool known[LPROCS][SAMPLES];
	char *text;
};

/*
 * One-second samples of a 48-bit counter on every lproc, now and then wrapping,
 * absent, or taken over: set to 2^47, on all lprocs at once.
 */
static void
history_make(struct history *h, uint64_t s)
{
	uint64_t value[LPROCS];
	bool here[LPROCS];
	unsigned quiet = 0;     /* samples since the last takeover */
	size_t size;
	FILE *f = open_memstream(&h->text, &size);

	seed = s;
	fputs("TSC_ratio = 20\n", f);
	for (unsigned p = 0; p < LPROCS; p++)
		value[p] = rnd(2) ? TOP48 - rnd(30000000000) : rnd(TOP48);
	for (unsigned i = 0; i < SAMPLES; i++) {
		bool taken = quiet++ > 8 && rnd(10) == 0;

		quiet = taken ? 0 : quiet;
		fprintf(f, "tsc[%u] = %" PRIu64 "\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n", i, 1000 + i * UINT64_C(2000000000), i,
		    1700000000 + i, i);
		for (unsigned p = 0; p < LPROCS; p++) {
			bool was = i > 0 && here[p];
			uint64_t n = rnd(3) ? rnd(2500000000) : rnd(1000);

			here[p] = rnd(25) != 0;
			if (taken)      /* counted since then: n */
				value[p] = HALF48 + n;
			else if (i > 0)
				value[p] = (value[p] + n) % TOP48;
			h->count[p][i] = n;
			h->known[p][i] = i > 0 && was && here[p] && !taken;
			if (here[p])
				fprintf(f, "core_counts[%u][\"CPU_CLK_X\"][%u]"
				    " = %" PRIu64 "\n", p, i, value[p]);
		}
	}
	fclose(f);
}

static void
totals_are_what_the_history_says(void **state)
{
	struct history h;

	(void)state;
	for (uint64_t s = 1; s <= 200; s++) {
		struct totals t = { 0 };
		struct interval step;
		struct intervals *iv;
		struct diag why;

		history_make(&h, s);
		iv = open_text(h.text);
		while (intervals_next(iv, &step, &why) > 0)
			assert_int_equal(totals_add(&t, &step), 0);
		for (unsigned p = 0; p < LPROCS; p++) {
			uint64_t sum = 0, out = 0;
			char name[60];
			int c;

			for (unsigned i = 1; i < SAMPLES; i++)
				if (h.known[p][i])
					sum += h.count[p][i];
				else
					out++;
			snprintf(name, sizeof(name),
			    "core_counts[%u][\"CPU_CLK_X\"]", p);
			c = read_find(intervals_reader(iv), name);
			assert_true(c >= 0);
			if (t.sum[c] != sum || totals_left_out(&t,
			    (unsigned)c) != out)
				fail_msg("history %" PRIu64 ", %s: %" PRIu64
				    " and %u left out; truly %" PRIu64 " and %"
				    PRIu64, s, name, t.sum[c],
				    totals_left_out(&t, (unsigned)c), sum, out);
		}
		totals_fini(&t);
		intervals_close(iv);
		free(h.text);
	}
}

static uint64_t
total_of_range(const char *path, uint64_t first, uint64_t last, unsigned lproc)
{
	struct select select;
	struct totals t = { 0 };
	struct interval step;
	struct intervals *iv;
	struct diag why;
	char text[64];
	uint64_t sum;
	int c;

	snprintf(text, sizeof(text), "%" PRIu64 ":%" PRIu64, first, last);
	assert_int_equal(select_parse(&select, text, &why), 0);
	assert_int_equal(intervals_open(&iv, path, &select, &why), 0);
	while (intervals_next(iv, &step, &why) > 0)
		assert_int_equal(totals_add(&t, &step), 0);
	snprintf(text, sizeof(text), "core_counts[%u][\"CPU_CLK_X\"]", lproc);
	c = read_find(intervals_reader(iv), text);
	sum = c >= 0 && (unsigned)c < t.ncol ? t.sum[c] : 0;
	totals_fini(&t);
	intervals_close(iv);
	return sum;
}

static void
a_range_split_anywhere_adds_up(void **state)
{
	struct history h;
	const char *path;

	(void)state;
	history_make(&h, 4711);
	path = test_put("history", h.text);
	for (unsigned p = 0; p < LPROCS; p++) {
		uint64_t all = total_of_range(path, 3, 55, p);

		assert_true(all > 0);
		for (uint64_t at = 3; at <= 55; at++)
			assert_int_equal(total_of_range(path, 3, at, p) +
			    total_of_range(path, at, 55, p), all);
	}
	free(h.text);
}

static void
only_names_that_are_known_to_be_slow_limit_a_memory_counter(void **state)
{
	static const struct {
		int line;
		const char *event;
		enum delta_kind kind;
	} names[] = {
		{ __LINE__, "RPQ", DELTA_GOOD },
		{ __LINE__, "WPQ_OCCUPANCY", DELTA_GOOD },
		{ __LINE__, "UNC_M_SB_STRV_OCC.FMRD", DELTA_GOOD },
		{ __LINE__, "PREEMPTION", DELTA_GOOD },
		{ __LINE__, "CAS_COUNT.READS", DELTA_IMPOSSIBLE },
		{ __LINE__, "UNC_M_CAS_COUNT.RD", DELTA_IMPOSSIBLE },
		{ __LINE__, "ACT.ALL", DELTA_IMPOSSIBLE },
		{ __LINE__, "PRE_COUNT.MISS", DELTA_IMPOSSIBLE },
		{ __LINE__, "DCLK", DELTA_IMPOSSIBLE },
		{ __LINE__, "UNC_M_CLOCKTICKS", DELTA_IMPOSSIBLE },
	};
	struct interval step;
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char text[300];
		struct intervals *iv;

		snprintf(text, sizeof(text), "TSC_ratio = 20\n"
		    "tsc[0] = 0\nimc_counts[0][0][\"%s\"][0] = 0\n"
		    "tsc[1] = 2000000000\n"
		    "imc_counts[0][0][\"%s\"][1] = 20000000000\n",
		    names[i].event, names[i].event);
		iv = open_text(text);
		assert_int_equal(intervals_next(iv, &step, &why), 1);
		if (step.kind[1] != names[i].kind)
			fail_msg("line %d: %s", names[i].line,
			    delta_word(step.kind[1]));
		intervals_close(iv);
	}
}

static void
a_gap_in_the_samples_is_one_longer_interval(void **state)
{
	struct intervals *iv = open_text("TSC_ratio = 20\n"
	    "tsc[0] = 1\naperf[0][0] = 100\n"
	    "tsc[1] = 2000000001\naperf[0][1] = 2000000100\n"
	    "tsc[5] = 10000000001\naperf[0][5] = 10000000100\n");
	struct interval step;
	struct diag why;

	(void)state;
	assert_int_equal(intervals_next(iv, &step, &why), 1);
	assert_true(step.seconds == 1.0);
	assert_int_equal(intervals_next(iv, &step, &why), 1);
	assert_true(step.seconds == 4.0);
	assert_int_equal(step.before_sample, 1);
	assert_int_equal(step.delta[1], 8000000000);
	assert_int_equal(step.left_out, 0);
	assert_int_equal(intervals_next(iv, &step, &why), 0);
	intervals_close(iv);
}

/* Somebody resets a counter that was about to wrap: what it would have counted until then
 * is a spike.  One that goes on as before, or is far above 0 by now, has wrapped, and so
 * may one of which no earlier interval is known, though it is at 0. */
static void
a_reset_shortly_before_a_wrap_is_none(void **state)
{
	struct intervals *iv = open_text("TSC_ratio = 20\n"
	    "tsc[0] = 1\nimc_counts[0][0][\"A\"][0] = 281474976000000\n"
	    "imc_counts[0][1][\"B\"][0] = 281474976710000\n"
	    "imc_counts[0][2][\"C\"][0] = 281474976000000\n"
	    "imc_counts[0][3][\"D\"][0] = 281474976710000\n"
	    "tsc[1] = 2000000001\nimc_counts[0][0][\"A\"][1] = 281474976001000\n"
	    "imc_counts[0][1][\"B\"][1] = 281474976710500\n"
	    "imc_counts[0][2][\"C\"][1] = 281474976001000\n"
	    "imc_counts[0][3][\"D\"][1] = 0\n"
	    "tsc[2] = 4000000001\nimc_counts[0][0][\"A\"][2] = 900\n"
	    "imc_counts[0][1][\"B\"][2] = 344\n"
	    "imc_counts[0][2][\"C\"][2] = 5000000\n"
	    "imc_counts[0][3][\"D\"][2] = 1\n");
	struct interval step;
	struct diag why;

	(void)state;
	assert_int_equal(intervals_next(iv, &step, &why), 1);
	assert_int_equal(step.left_out, 0);
	assert_int_equal(step.kind[4], DELTA_WRAPPED);
	assert_int_equal(step.delta[4], 656);
	assert_int_equal(intervals_next(iv, &step, &why), 1);
	assert_int_equal(step.kind[1], DELTA_RESET);
	assert_int_equal(step.delta[1], 0);
	assert_int_equal(step.kind[2], DELTA_WRAPPED);
	assert_int_equal(step.delta[2], 500);
	assert_int_equal(step.kind[3], DELTA_WRAPPED);
	assert_int_equal(step.delta[3], 5709656);
	assert_int_equal(step.left_out, 1);
	intervals_close(iv);
}

static void
a_clock_that_was_set_does_not_stretch_time(void **state)
{
	/* the wall clock goes an hour ahead; the TSC knows better */
	struct intervals *iv = open_text("TSC_ratio = 20\n"
	    "tsc[0] = 0\nwalltime[0][0] = 1000\nwalltime[1][0] = 0\n"
	    "tsc[1] = 2000000000\nwalltime[0][1] = 4601\nwalltime[1][1] = 0\n"
	    "tsc[2] = 4000000000\nwalltime[0][2] = 4602\nwalltime[1][2] = 0\n");
	struct interval step;
	struct diag why;

	(void)state;
	assert_int_equal(intervals_next(iv, &step, &why), 1);
	assert_true(step.seconds == 1.0);
	assert_non_null(strstr(intervals_clock_note(iv), "disagree"));
	intervals_close(iv);
}

static void
the_rate_in_the_head_comes_before_a_wall_clock_that_was_set(void **state)
{
	static const struct {
		int line;
		const char *head;
		double second;          /* counts */
	} rate[] = {
		{ __LINE__, "TSC_ratio = 20\ntsc_hz = 1999000000\n", 1999e6 },
		{ __LINE__, "tsc_hz = 1999000000\n", 1999e6 },
		/* by 1 % more than the node says: not of this run */
		{ __LINE__, "TSC_ratio = 20\ntsc_hz = 2020000000\n", 4e9 / 1.996 },
		{ __LINE__, "TSC_ratio = 20\n", 4e9 / 1.996 },
	};
	struct interval step;
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(rate) / sizeof(rate[0]); i++) {
		char text[400];
		struct intervals *iv;

		snprintf(text, sizeof(text), "%s"
		    "tsc[0] = 0\nwalltime[0][0] = 9\nwalltime[1][0] = 4000\n"
		    "tsc[1] = 2000000000\nwalltime[0][1] = 10\n"
		    "walltime[1][1] = 0\ntsc[2] = 4000000000\n"
		    "walltime[0][2] = 11\nwalltime[1][2] = 0\n",
		    rate[i].head);
		iv = open_text(text);
		assert_int_equal(intervals_next(iv, &step, &why), 1);
		if (fabs(step.seconds * rate[i].second - 2e9) > 1e3)
			fail_msg("line %d: %f s", rate[i].line, step.seconds);
		assert_null(intervals_clock_note(iv));
		intervals_close(iv);
	}
}

struct range {
	int line;
	const char *text;
	uint64_t first, last;
};

static void
ranges_are(const char *path, const struct range *range, size_t n)
{
	struct diag why;

	for (; n > 0; n--, range++) {
		struct select select;
		struct intervals *iv;
		struct interval step;

		assert_int_equal(select_parse(&select, range->text, &why), 0);
		assert_int_equal(intervals_open(&iv, path, &select, &why), 0);
		while (intervals_next(iv, &step, &why) > 0)
			;
		if (intervals_first(iv) != range->first ||
		    intervals_last(iv) != range->last)
			fail_msg("line %d: %" PRIu64 " to %" PRIu64,
			    range->line, intervals_first(iv),
			    intervals_last(iv));
		intervals_close(iv);
	}
}

static void
ranges_are_samples_phases_and_seconds(void **state)
{
	/* samples there are: 2 to 9 */
	static const struct range range[] = {
		{ __LINE__, "", 2, 9 }, { __LINE__, "3:5", 3, 5 },
		{ __LINE__, ":5", 2, 5 }, { __LINE__, "7:", 7, 9 },
		{ __LINE__, "7", 7, 9 }, { __LINE__, "0:99", 2, 9 },
		{ __LINE__, "@0", 3, 6 }, { __LINE__, "@1", 6, 9 },
		{ __LINE__, "@0:@1", 3, 6 }, { __LINE__, "@0:8", 3, 8 },
		{ __LINE__, "+2", 4, 9 }, { __LINE__, "+1.5:", 4, 9 },
		{ __LINE__, "4:+3", 4, 7 }, { __LINE__, "+2:+2.5", 4, 6 },
		{ __LINE__, "-3", 7, 9 }, { __LINE__, "-3:8", 7, 8 },
		{ __LINE__, "-99", 2, 9 }, { __LINE__, "-2s", 7, 9 },
		{ __LINE__, "-2.5s:", 7, 9 }, { __LINE__, "-60s", 2, 9 },
	};
	char text[4000], *p = text;
	const char *path;

	(void)state;
	p += sprintf(p, "TSC_ratio = 20\nphase_mark[0] = 3\n"
	    "phase_mark[1] = 6\n");
	for (int i = 2; i < 10; i++)
		p += sprintf(p, "tsc[%d] = %lld\nwalltime[0][%d] = %d\n"
		    "walltime[1][%d] = 0\naperf[0][%d] = 1\n", i,
		    i * 2000000000ll, i, i, i, i);
	path = test_put("range", text);
	ranges_are(path, range, sizeof(range) / sizeof(range[0]));
}

/* Counted by their numbers; where the first of them is missing, from the one before. */
static void
the_last_samples_begin_with_one_that_is_there(void **state)
{
	/* samples there are: 2, 3, 5, 9 */
	static const struct range range[] = {
		{ __LINE__, "-1", 9, 9 }, { __LINE__, "-2", 5, 9 },
		{ __LINE__, "-4", 5, 9 }, { __LINE__, "-5", 5, 9 },
		{ __LINE__, "-6", 3, 9 }, { __LINE__, "-7", 3, 9 },
		{ __LINE__, "-8", 2, 9 }, { __LINE__, "-9", 2, 9 },
		{ __LINE__, "-2:8", 5, 5 },
	};
	static const int there[] = { 2, 3, 5, 9 };
	char text[1000], *p = text;
	const char *path;

	(void)state;
	p += sprintf(p, "TSC_ratio = 20\n");
	for (unsigned i = 0; i < 4; i++)
		p += sprintf(p, "tsc[%d] = %lld\nwalltime[0][%d] = %d\n"
		    "walltime[1][%d] = 0\n", there[i], there[i] * 2000000000ll,
		    there[i], there[i], there[i]);
	path = test_put("gaps", text);
	ranges_are(path, range, sizeof(range) / sizeof(range[0]));
}

static void
seconds_that_end_at_a_sample_have_it(void **state)
{
	static const struct range range[] = {
		{ __LINE__, "+0.1:+1", 1, 11 }, { __LINE__, "+0.3:+0.3", 3, 6 },
		{ __LINE__, "+0.7:+0.4", 7, 11 }, { __LINE__, "+1.2", 12, 14 },
		{ __LINE__, "+0.2:+0.3", 2, 5 },
		{ __LINE__, "+0.15:+0.45", 2, 6 },
	};
	char text[2000], *p = text;
	const char *path;

	(void)state;
	/* each sample up to 0.4 ms early or late */
	p += sprintf(p, "TSC_ratio = 20\ninterval = 0.1\n");
	for (int i = 0; i < 15; i++)
		p += sprintf(p, "tsc[%d] = %lld\n", i, 1000000 +
		    i * 200000000ll + ((i + 1) % 3 - 1) * 800000);
	path = test_put("tenths", text);
	ranges_are(path, range, sizeof(range) / sizeof(range[0]));
}

static void
a_range_that_makes_no_sense_is_refused(void **state)
{
	static const char *const bad[] = { "x", "5:3", "1:2:3", "@", "@x y",
	    "+", "+x", "+nan", "1-5", "-0", "-", "-x", "-5m", "--3", "1:-3", "99999999999999999999", "1:2x" };
	struct select select;
	struct diag why;
	struct intervals *iv;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (select_parse(&select, bad[i], &why) == 0)
			fail_msg("%s was taken", bad[i]);
	assert_int_equal(select_parse(&select, "@0", &why), 0);
	assert_true(intervals_open(&iv, test_put("dump", "tsc[0] = 1\n"),
	    &select, &why) < 0);
	assert_non_null(strstr(why.text, "no phase @0"));
}

static const char tampered[] = "TSC_ratio = 20\n"
    "tamper_first[0] = 1\ntamper_seen[0] = 2\n"
    "tamper_column[0] = 'core_counts[1][\"X\"]'\n"
    "tamper_reasserted[0] = %d\n"
    "tsc[0] = 0\nlproc_tsc[1][0] = 100\ncore_counts[1][\"X\"][0] = 10\n"
    "core_counts[11][\"X\"][0] = 10\n"
    "tsc[1] = 2000000000\nlproc_tsc[1][1] = 3000000100\n"
    "core_counts[1][\"X\"][1] = 20\ncore_counts[11][\"X\"][1] = 20\n"
    "tsc[2] = 4000000000\nlproc_tsc[1][2] = 4000000100\n"
    "core_counts[1][\"X\"][2] = 30\ncore_counts[11][\"X\"][2] = 30\n"
    "tsc[3] = 6000000000\nlproc_tsc[1][3] = 6000000100\n"
    "core_counts[1][\"X\"][3] = 40\ncore_counts[11][\"X\"][3] = 40\n";

static void
what_the_daemon_saw_tampered_with_is_left_out(void **state)
{
	(void)state;
	for (int reasserted = 0; reasserted < 2; reasserted++) {
		struct intervals *iv;
		struct interval step;
		struct diag why;
		char text[1500];

		snprintf(text, sizeof(text), tampered, reasserted);
		iv = open_text(text);
		assert_int_equal(intervals_next(iv, &step, &why), 1);
		assert_int_equal(step.left_out, 0);
		assert_int_equal(intervals_next(iv, &step, &why), 1);
		assert_int_equal(step.left_out, 1);
		assert_int_equal(step.kind[2], DELTA_TAMPERED);
		assert_int_equal(step.delta[2], 0);
		assert_int_equal(step.kind[3], DELTA_GOOD);
		/* put right at sample 2, or wrong until the end */
		assert_int_equal(intervals_next(iv, &step, &why), 1);
		assert_int_equal(step.kind[2], reasserted ? DELTA_GOOD :
		    DELTA_TAMPERED);
		assert_int_equal(step.delta[2], reasserted ? 10 : 0);
		intervals_close(iv);
	}
}

/* A note may be cut off where the dump ends. */
static void
half_a_note_of_tampering_is_none(void **state)
{
	static const char *const half[] = { "tamper_first[0] = 1\n",
	    "tamper_seen[0] = 2\n", "tamper_column[0] = 'core_counts[1]'\n",
	    "tamper_first[0] = 1\ntamper_seen[0] = 2\n" };

	(void)state;
	for (size_t i = 0; i < sizeof(half) / sizeof(half[0]); i++) {
		struct intervals *iv;
		struct interval step;
		struct diag why;
		char text[1500];

		snprintf(text, sizeof(text), "%s%s", half[i],
		    strstr(tampered, "tsc[0]"));
		iv = open_text(text);
		for (unsigned k = 0; k < 3; k++) {
			assert_int_equal(intervals_next(iv, &step, &why), 1);
			assert_int_equal(step.left_out, 0);
		}
		intervals_close(iv);
	}
}

static void
a_column_is_divided_by_the_time_between_its_own_stamps(void **state)
{
	struct intervals *iv;
	struct interval step;
	struct diag why;
	char text[1500];

	(void)state;
	snprintf(text, sizeof(text), tampered, 1);
	iv = open_text(text);
	assert_int_equal(intervals_next(iv, &step, &why), 1);
	/* lproc 1 has its lproc_tsc, lproc 11 has none */
	assert_true(intervals_own_seconds(iv, &step, 2) == 1.5);
	assert_true(intervals_own_seconds(iv, &step, 3) == 1.0);
	intervals_close(iv);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_delta_is_what_width_class_and_time_allow),
		cmocka_unit_test(a_short_interval_has_time_to_spare),
		cmocka_unit_test(half_a_note_of_tampering_is_none),
		cmocka_unit_test(
		    a_dump_without_units_has_the_limits_of_the_usual_ones),
		cmocka_unit_test(totals_are_what_the_history_says),
		cmocka_unit_test(a_range_split_anywhere_adds_up),
		cmocka_unit_test(
		    only_names_that_are_known_to_be_slow_limit_a_memory_counter),
		cmocka_unit_test(a_reset_shortly_before_a_wrap_is_none),
		cmocka_unit_test(a_gap_in_the_samples_is_one_longer_interval),
		cmocka_unit_test(a_clock_that_was_set_does_not_stretch_time),
		cmocka_unit_test(
		    the_rate_in_the_head_comes_before_a_wall_clock_that_was_set),
		cmocka_unit_test(what_the_daemon_saw_tampered_with_is_left_out),
		cmocka_unit_test(
		    a_column_is_divided_by_the_time_between_its_own_stamps),
		cmocka_unit_test(ranges_are_samples_phases_and_seconds),
		cmocka_unit_test(the_last_samples_begin_with_one_that_is_there),
		cmocka_unit_test(seconds_that_end_at_a_sample_have_it),
		cmocka_unit_test(a_range_that_makes_no_sense_is_refused),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
