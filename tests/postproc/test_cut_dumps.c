/*
 * tests/postproc/test_cut_dumps.c - what commands say of a dump whose end is missing, and
 * of a file in which a second dump follows.
 */
#include "tests/lib/tally_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "host = \"n\"\ninterval = 1.0\nTSC_ratio = 20\nnr_cpus = 1\n" \
	"lproc_package[0] = 0\nlproc_online[0] = 1\n" \
	"mark_sample[0] = 0\nmark_time[0] = 1600000000.5\n" \
	"mark_text[0] = \"job=7 begin\"\n"
#define SAMPLE(i, s) "tsc[" #i "] = " #i "000000000\nwalltime[0][" #i "] = " \
	#s "\nwalltime[1][" #i "] = 0\n" \
	"mperf[0][" #i "] = " #i "00000000\n"

static const char cut[] = HEAD SAMPLE(1, 1600000000) SAMPLE(3, 1600000001)
    SAMPLE(5, 1600000002) "tsc[6";

static void
every_command_says_once_that_a_dump_is_cut(void **state)
{
	static const struct {
		int line, status;
		int (*cmd)(int, char **);
		const char *words;
	} t[] = {
		{ __LINE__, EXIT_OK, cmd_report, "report" },
		{ __LINE__, EXIT_OK, cmd_head, "head" },
		{ __LINE__, EXIT_OK, cmd_head, "head -k host" },
		{ __LINE__, EXIT_OK, cmd_jobs, "jobs" },
		{ __LINE__, EXIT_OK, cmd_diff, "diff whole" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char words[200], *text;

		snprintf(words, sizeof(words), "%s", t[i].words);
		if (t[i].cmd == cmd_diff)
			snprintf(words, sizeof(words), "diff %s", test_put(
			    "whole", HEAD SAMPLE(1, 1600000000)
			    SAMPLE(3, 1600000001)));
		text = complained(t[i].status, t[i].cmd, words, cut);
		if (text_times(text, "the file ends within this line; it is left "
		    "out\n") != 1)
			fail_msg("line %d: %s", t[i].line, text);
		free(text);
	}
}

/* What live prints of a file on both streams. */
static char *
live(const char *how, const char *text)
{
	char command[1400], tally[512];

	snprintf(command, sizeof(command), "%s live %s %s >%s/both 2>&1",
	    built("tally", tally), how, test_put("ended", text), test_dir);
	assert_int_not_equal(system(command), -1);
	snprintf(command, sizeof(command), "%s/both", test_dir);
	return file_text(command, NULL);
}

static void
live_says_it_too(void **state)
{
	char *text = live("--once", cut);

	(void)state;
	assert_int_equal(text_times(text, ": the file ends within this line; it is "
	    "left out\n"), 1);
	assert_int_equal(text_times(text, "utilisation  "), 1);
	free(text);
}

/* The samples are 1, 3 and 5. */
static void
live_shows_the_last_interval_where_samples_are_missing(void **state)
{
	char *text = live("-n 1 --csv", cut);

	(void)state;
	assert_int_equal(text_times(text, "\n5,1600000002.000,1.000000,"), 1);
	assert_null(strstr(text, "no interval to show"));
	assert_null(strstr(text, "is not there"));
	free(text);
}

/* The second dump is of a year later. */
static void
live_shows_the_first_of_two_dumps_in_a_file(void **state)
{
	char *text = live("--once", HEAD SAMPLE(1, 1600000000)
	    SAMPLE(3, 1600000001)
	    SAMPLE(5, 1600000002) HEAD SAMPLE(7, 1640000000)
	    SAMPLE(9, 1640000001));

	(void)state;
	assert_int_equal(text_times(text, "utilisation  "), 1);
	assert_null(strstr(text, "no interval to show"));
	free(text);
}

/* Behind a dump of three samples one of two, and behind one of two one of three: the last
 * interval is that of the dump that is read. */
static void
the_last_samples_are_those_of_the_first_dump_in_a_file(void **state)
{
#define TWO "tallyd_format = 1\n" HEAD \
	SAMPLE(1, 1600000000) SAMPLE(2, 1600000001)
#define THREE TWO SAMPLE(3, 1600000002)
	static const struct { const char *text, *to; } t[] = {
		{ THREE TWO, "samples 2 to 3," }, { TWO THREE, "samples 1 to 2," },
	};

	(void)state;
	for (unsigned i = 0; i < 2; i++)
		holds(said(EXIT_OK, cmd_report, "report -s -2:", t[i].text),
		    t[i].to);
	holds(live("-n 1 --csv", THREE TWO),
	    "\n3,1600000002.");
	holds(live("-n 1 --csv", TWO THREE),
	    "\n2,1600000001.");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_command_says_once_that_a_dump_is_cut),
		cmocka_unit_test(live_says_it_too),
		cmocka_unit_test(
		    live_shows_the_last_interval_where_samples_are_missing),
		cmocka_unit_test(live_shows_the_first_of_two_dumps_in_a_file),
		cmocka_unit_test(
		    the_last_samples_are_those_of_the_first_dump_in_a_file),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
