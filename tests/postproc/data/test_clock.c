/*
 * tests/postproc/data/test_clock.c - the length of an interval is what two
 * of its clocks agree on: a clock that disagrees is named, and no figure uses it.
 */
#include "tests/lib/doctor.h"
#include "tests/lib/files.h"
#include "tests/lib/tally_command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"

/* The recording, changed. */
static const char *
recorded(const struct doing_to *to)
{
	struct doctored d;
	char source[512];
	const char *path;

	doctored_load(&d, recording(source));
	if (to != NULL)
		assert_true(doctor(&d, to) > 0);
	path = doctored_write(&d, "recorded");
	doctored_free(&d);
	return path;
}

/* A simulated node whose blocks have stamps of their own, changed. */
static const char *
stamped_of(const char *machine, unsigned samples, const struct doing_to *to)
{
	struct doctored d;
	char tallyd[512], command[1300];
	const char *path;

	snprintf(command, sizeof command, "%s -q --sim @%s "
	    "--virtual-time -n %u --overwrite -o %s/stamped", built("tallyd",
	    tallyd), machine, samples, test_dir);
	assert_int_equal(system(command), 0);
	snprintf(command, sizeof command, "%s/stamped", test_dir);
	doctored_load(&d, command);
	if (to != NULL)
		assert_true(doctor(&d, to) > 0);
	path = doctored_write(&d, "changed");
	doctored_free(&d);
	return path;
}

/* The same of a node at 2.1 GHz. */
static const char *
stamped(unsigned samples, const struct doing_to *to)
{
	return stamped_of("skx-8160-2s", samples, to);
}

static char *
page(int want, int (*cmd)(int, char **), const char *words, const char *path)
{
	char line[400];

	snprintf(line, sizeof line, "%s %s", words, path);
	return said(want, cmd, line, NULL);
}

/* A metric of the node, and what is said beside it. */
static double
value(const char *metric, const char *range, const char *path)
{
	char words[200], *text;
	const char *at;
	double v;

	snprintf(words, sizeof words, "metrics -f csv -S node -m %s -s %s",
	    metric, range);
	text = page(EXIT_OK, cmd_metrics, words, path);
	at = strstr(text, ",node,,");
	assert_non_null(at);
	v = strtod(at + 7, NULL);
	free(text);
	return v;
}

#define LOW (uint64_t)-8400000000

static void
one_tsc_that_is_wrong_stretches_no_time(void **state)
{
	static const struct doing_to wrong[] = {
		{ DO_ADD, "tsc", 24, 24, LOW },
		{ DO_ADD, "tsc", 24, 24, 8400000000 },
		{ DO_ADD, "tsc", 24, 24, (uint64_t)-200000000 },
		{ DO_ADD, "tsc", 29, 29, LOW }, { DO_ADD, "tsc", 0, 0, LOW },
		{ DO_ADD, "tsc", 0, 0, 8400000000 },
		{ DO_SET, "tsc", 22, 22, UINT64_MAX - 1 },
		{ DO_SET, "tsc", 22, 22, 0 },
	};

	(void)state;
	assert_true(fabs(value("dram_bandwidth", "20:29", recorded(NULL)) -
	    192.23) < 0.01);
	for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		double gbs = value("dram_bandwidth", "20:29",
		    recorded(&wrong[i]));

		if (fabs(gbs - 192.23) > 0.01)
			fail_msg("wrong[%u]: %f GB/s", i, gbs);
	}
}

/* A row that takes a tenth of a second has stamps as far from its own, and the
 * interval ended before its time, as where a signal ends the run. */
static void
a_wall_clock_set_by_what_was_planned_is_no_time(void **state)
{
	static const struct doing_to late[] = {
		{ DO_ADD, "walltime[0]", 1, 1, 3599 },
		{ DO_ADD, "*_tsc[*]", 1, 1, 190000000 },
		{ DO_SET, "sample_duration_ns", 1, 1, 100000000 },
	};
	struct doctored d;
	char *text;

	(void)state;
	doctored_load(&d, stamped(2, NULL));
	for (unsigned i = 0; i < sizeof late / sizeof *late; i++)
		assert_true(doctor(&d, &late[i]) > 0);
	assert_true(doctor_head(&d, "interval = ", "interval = 3600") > 0);
	text = page(EXIT_FINDINGS, cmd_check, "check",
	    doctored_write(&d, "late"));
	doctored_free(&d);
	holds(text, "the wall clock was set: it went +3600.");
}

static void
the_odd_clock_is_named(void **state)
{
	(void)state;
	holds(page(EXIT_FINDINGS, cmd_check, "check", recorded(&(struct
	    doing_to){ DO_ADD, "tsc", 10, 10, LOW })), "samples 10-11: clock: "
	    "the TSC went +5.028 s in 1.018 s by the wall clock and the "
	    "usual length\n");
	holds(page(EXIT_FINDINGS, cmd_check, "check", recorded(&(struct
	    doing_to){ DO_ADD, "walltime[0]", 10, 29, 3600 })),
	    "samples 9-10: clock: the wall clock was set: it went +3601.020 s "
	    "in 1.020 s by the TSC and the usual length\n");
}

/* Arm has no TSC: the family tsc is CNTVCT_EL0 there. */
static void
on_arm_it_is_the_generic_timer(void **state)
{
	(void)state;
	holds(page(EXIT_OK, cmd_report, "report", stamped_of("grace-2s", 3,
	    NULL)), "\nClock     generic timer 1.0000 GHz, measured\n");
	holds(page(EXIT_FINDINGS, cmd_check, "check", stamped_of("grace-2s", 9,
	    &(struct doing_to){ DO_ADD, "tsc", 5, 5, 5e9 })),
	    "clock: the generic timer went +6.000 s in 1.000 s by ");
}

static void
the_page_says_that_a_clock_was_wrong(void **state)
{
	(void)state;
	holds(page(EXIT_OK, cmd_report, "report", recorded(&(struct doing_to)
	    { DO_ADD, "tsc", 10, 10, LOW })), "in 2 intervals the other clocks "
	    "contradict the TSC or the wall clock\n");
	/* and has its date from samples whose clock is right */
	holds(page(EXIT_OK, cmd_report, "report", recorded(&(struct doing_to)
	    { DO_ADD, "walltime[0]", 0, 0, 86400 })), "Time      2018-07-23 "
	    "20:58:01 to 2018-07-23 20:58:30 UTC");
}

static void
what_was_measured_comes_before_the_ratio_of_the_head(void **state)
{
	struct doctored d;
	char source[512];
	const char *path;

	(void)state;
	doctored_load(&d, recording(source));
	assert_int_equal(doctor_head(&d, "TSC_ratio", "TSC_ratio = 42"), 1);
	path = doctored_write(&d, "ratio");
	doctored_free(&d);
	assert_true(fabs(value("dram_bandwidth", "20:29", path) - 192.23) <
	    0.01);
	holds(page(EXIT_FINDINGS, cmd_check, "check", path), "clock: TSC_ratio "
	    "of the head says 4.2000 GHz, 29 of the first 29 intervals 2.0950 "
	    "GHz by the wall clock: times are by what was measured\n");
}

static void
a_stamp_out_of_order_is_left_out(void **state)
{
	static const struct doing_to wrong[] = {
		{ DO_ADD, "lproc_tsc[5]", 4, 4, LOW },
		{ DO_ADD, "lproc_tsc[5]", 4, 4, 8400000000 },
		{ DO_ADD, "lproc_tsc[5]", 4, 4, (uint64_t)-300000000 },
		{ DO_ADD, "lproc_tsc[5]", 4, 4, 300000000 },
		{ DO_ADD, "pkg_tsc[1]", 4, 4, 300000000 },
		{ DO_ADD, "pkg_tsc[1]", 4, 4, (uint64_t)-300000000 },
	};
	double right = value("utilisation", "0:8", stamped(9, NULL));

	(void)state;
	holds(page(EXIT_OK, cmd_check, "check", stamped(9, NULL)), ": sound\n");
	for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		const char *path = stamped(9, &wrong[i]);
		char words[160];

		snprintf(words, sizeof words, "samples 4-5: clock: %s: out of "
		    "order among the stamps of its sample, or not as long as "
		    "the interval\n", i < 4 ?
		    "lproc_tsc, lproc 5" : "pkg_tsc, package 1");
		holds(page(EXIT_FINDINGS, cmd_check, "check", path), words);
		assert_true(fabs(value("utilisation", "0:8", path) / right - 1)
		    < 0.001);
	}
}

static void
stamps_outvote_the_tsc_of_the_sample(void **state)
{
	(void)state;
	holds(page(EXIT_FINDINGS, cmd_check, "check", stamped(9, &(struct doing_to)
	    { DO_ADD, "tsc", 4, 4, (uint64_t)-40000000 })), "samples 3-4: "
	    "clock: the TSC went +0.981 s in 1.000 s by the wall clock, the "
	    "stamps and the usual length\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_tsc_that_is_wrong_stretches_no_time),
		cmocka_unit_test(a_wall_clock_set_by_what_was_planned_is_no_time),
		cmocka_unit_test(the_odd_clock_is_named),
		cmocka_unit_test(on_arm_it_is_the_generic_timer),
		cmocka_unit_test(the_page_says_that_a_clock_was_wrong),
		cmocka_unit_test(
		    what_was_measured_comes_before_the_ratio_of_the_head),
		cmocka_unit_test(a_stamp_out_of_order_is_left_out),
		cmocka_unit_test(stamps_outvote_the_tsc_of_the_sample),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
