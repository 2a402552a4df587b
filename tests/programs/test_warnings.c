/*
 * tests/programs/test_warnings.c - one line warns where an option was given
 * twice, or where what is printed differs from what was asked for.
 */
#include "tests/lib/tally_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ten samples of a node, a second apart. */
static const char *
ten_seconds(const char *head, const char *event)
{
	static char text[4096];
	size_t n = (size_t)sprintf(text, "%sTSC_ratio = 10\n", head);

	for (int i = 0; i < 10; i++)
		n += (size_t)sprintf(text + n, "tsc[%d] = 1%d000000000\n"
		    "walltime[0][%d] = 100%d\nwalltime[1][%d] = 0\n"
		    "imc_counts[0][0][\"%s\"][%d] = %d00\n", i, i, i, i, i,
		    event, i, i);
	return text;
}

#define NODE "host = \"n\"\nmodel = \"skx\"\npackages = 1\n"

static void
a_range_beyond_the_end_is_told(void **state)
{
	static const struct { int line; const char *range, *words; } t[] = {
		{ __LINE__, "+2:+60", "dump: the dump ends 7.00 s after the "
		    "first sample asked for, not 60; used up to sample 9\n" },
		{ __LINE__, "3:+7", "dump: the dump ends 6.00 s after the "
		    "first sample asked for, not 7;" },
		{ __LINE__, "+2:+7", NULL },
		/* no sample is missed before the eighth second */
		{ __LINE__, "+2:+7.5", NULL },
		{ __LINE__, "+2:", NULL },
		{ __LINE__, "2:12", "dump: sample 12 is not there; used up to "
		    "9\n" },
	};
	static int (*const cmd[])(int, char **) = { cmd_report, cmd_totals,
		cmd_metrics, cmd_deltas };
	static const char *const name[] = { "report", "totals", "metrics",
		"deltas" };

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++)
		for (size_t k = 0; k < sizeof cmd / sizeof *cmd; k++) {
			char words[80], *text;

			snprintf(words, sizeof words, "%s -s %s", name[k],
			    t[i].range);
			text = complained(EXIT_OK, cmd[k], words,
			    ten_seconds(NODE, "CAS_COUNT.READS"));
			if (t[i].words == NULL ? strstr(text, "not ") != NULL :
			    strstr(text, t[i].words) == NULL)
				fail_msg("line %d: %s: %s", t[i].line, name[k],
				    text);
			free(text);
		}
}

static void
an_option_that_is_given_again_is_told_unless_each_counts(void **state)
{
	char words[400];
	const char *list;

	(void)state;
	holds(complained(EXIT_OK, cmd_totals, "totals -s 1:2 --samples 3:4",
	    ten_seconds(NODE, "X")),
	    "tally: --samples is given 2 times; the last one holds: 3:4\n");
	holds(complained(EXIT_OK, cmd_report, "report -f csv -t block -f text "
	    "-t block -t block", ten_seconds(NODE, "X")),
	    "tally: --topology is given 3 times; the last one holds: block\n");
	holds(complained(EXIT_OK, cmd_histogram, "histogram -n 1 -n 2 -m "
	    "dram_read -S box -S node", ten_seconds(NODE, "CAS_COUNT.READS")),
	    "tally: --scope is given 2 times; the last one holds: node\n");
	list = test_put("x.metrics", "metric a_b node \"\" \"\" = 1\n");
	snprintf(words, sizeof words, "metrics -S node -S package -m a_* -m *_b"
	    " -M %s -M %s", list, list);
	lacks(complained(EXIT_OK, cmd_metrics, words, ten_seconds(NODE, "X")),
	    "given");
}

static void
a_merge_of_different_nodes_says_what_differs(void **state)
{
	char words[300], other[100];
	char *text;

	(void)state;
	snprintf(other, sizeof other, "%s", test_put("other", ten_seconds(
	    "host = \"m\"\nmodel = \"skx\"\npackages = 1\n",
	    "CAS_COUNT.READS")));
	snprintf(words, sizeof words, "merge %s", other);
	lacks(complained(EXIT_OK, cmd_merge, words, ten_seconds(NODE,
	    "CAS_COUNT.READS")), "differ");
	holds(complained(EXIT_OK, cmd_merge, words, ten_seconds(NODE, "X")),
	    "tally: nodes differ in what they count: 1 event (m), 1 event "
	    "(n)\n");
	text = complained(EXIT_OK, cmd_merge, words, ten_seconds(
	    "host = \"n\"\nmodel = \"icx\"\ncpu = \"Xeon\"\npackages = 2\n",
	    "CAS_COUNT.READS"));
	assert_non_null(strstr(text, "tally: nodes differ in CPU: skx (m), "
	    "Xeon (n)\n"));
	assert_non_null(strstr(text, "tally: nodes differ in topology: 1 "
	    "package, 0 cores, 0 lprocs (m), 2 packages, 0 cores, 0 lprocs "
	    "(n)\n"));
	lacks(text, "count");
}

/* A sample that the file has again, behind later ones, as one whose dumps were
 * joined has; and the dump of it. */
static void
a_page_counts_lines_where_lines_are_left_out(void **state)
{
	static char text[8192];

	(void)state;
	strcpy(text, ten_seconds(NODE, "CAS_COUNT.READS"));
	strcat(text, "tsc[4] = 14000000000\nwalltime[0][4] = 1004\n"
	    "walltime[1][4] = 0\nimc_counts[0][0][\"CAS_COUNT.READS\"][4] = "
	    "400\n");
	holds(said(EXIT_OK, cmd_report, "report", text),
	    "\nData      4 lines of the file left out (tally check says why)\n");
	strcpy(text, ten_seconds(NODE, "CAS_COUNT.READS"));
	strcat(text, "tsc[4] = 14000000000\n");
	holds(said(EXIT_OK, cmd_report, "report", text),
	    "\nData      1 line of the file left out (tally check says why)\n");
}

static void
a_count_below_0_is_told_as_that(void **state)
{
	static char text[8192];
	char *words;

	(void)state;
	strcpy(text, ten_seconds(NODE, "CAS_COUNT.READS"));
	memcpy(strstr(text, "[5] = 500"), "[5] = -50", 9);
	words = said(EXIT_FINDINGS, cmd_check, "check", text);
	assert_null(strstr(words, "up by"));
	holds(words, "value: ");
	holds(said(EXIT_FINDINGS, cmd_check, "check", text), "[5]: value -50 is "
	    "less than 0, and it counts; left out\n");
}

static void
the_time_that_the_kernel_counted_is_a_part_of_the_time(void **state)
{
	char *text = said(EXIT_OK, cmd_report, "report", "host = \"n\"\n"
	    "model = \"any\"\nTSC_ratio = 10\npackages = 1\n"
	    "lproc_package[0] = 0\nfamily_bits[\"software_counts\"] = 64\n"
	    "family_unit[\"software_counts\"] = \"events\"\n"
	    "tsc[0] = 10000000000\nwalltime[0][0] = 1000\n"
	    "walltime[1][0] = 0\nsoftware_counts[0][\"cpu-clock\"][0] = 1\n"
	    "tsc[1] = 11000000000\nwalltime[0][1] = 1001\n"
	    "walltime[1][1] = 0\n"
	    "software_counts[0][\"cpu-clock\"][1] = 1000000001\n");

	(void)state;
	assert_null(strstr(text, "s/s"));
	assert_non_null(strstr(text, "1 package, 1 core, 1 lproc\n"));
	assert_non_null(strstr(text, " in 1 interval\n"));
	holds(text, "\n  counted, by CPU clock       %            100.0");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_range_beyond_the_end_is_told),
		cmocka_unit_test(
		    an_option_that_is_given_again_is_told_unless_each_counts),
		cmocka_unit_test(a_merge_of_different_nodes_says_what_differs),
		cmocka_unit_test(a_page_counts_lines_where_lines_are_left_out),
		cmocka_unit_test(a_count_below_0_is_told_as_that),
		cmocka_unit_test(
		    the_time_that_the_kernel_counted_is_a_part_of_the_time),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
