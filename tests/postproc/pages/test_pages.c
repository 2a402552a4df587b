/*
 * tests/postproc/pages/test_pages.c - what tally prints of a dump that lacks something.
 */
#include "tests/lib/tally_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"

static void
prints(int (*run)(int, char **), const char *words, const char *dump,
    int status, const char *what)
{
	char *text = said(status, run, words, dump);

	if (strstr(text, what) == NULL)
		fail_msg("no \"%s\" in:\n%s", what, text);
	free(text);
}

/* A node of one package with two lprocs and two channels, two samples a second
 * apart; one_channel has channel 0 and lproc 1 in the first alone. */
#define CAS(channel, way, sample, n) \
	"imc_counts[0][" #channel "][\"CAS_COUNT." way "\"][" #sample "] = " \
	#n "\n"
#define TWO_SAMPLES "model = \"skx\"\nTSC_ratio = 10\npackages = 1\n" \
	"nr_cpus = 2\nlproc_package[0] = 0\nlproc_package[1] = 0\n" \
	"lproc_core[0] = 0\nlproc_core[1] = 1\n" \
	"tsc[0] = 0\nwalltime[0][0] = 0\nwalltime[1][0] = 0\n" \
	"mperf[0][0] = 0\nmperf[1][0] = 0\n" \
	CAS(0, "READS", 0, 5) CAS(0, "WRITES", 0, 5) \
	CAS(1, "READS", 0, 0) CAS(1, "WRITES", 0, 0) \
	"tsc[1] = 1000000000\nwalltime[0][1] = 1\nwalltime[1][1] = 0\n" \
	"mperf[0][1] = 500000000\n" \
	CAS(1, "READS", 1, 15625000) CAS(1, "WRITES", 1, 0)
static const char one_channel[] = TWO_SAMPLES;
static const char two_channels[] = TWO_SAMPLES
    "mperf[1][1] = 250000000\n"
    CAS(0, "READS", 1, 5) CAS(0, "WRITES", 1, 5);

static void
a_box_without_a_value_is_not_available(void **state)
{
	(void)state;
	prints(cmd_report, "report", one_channel, EXIT_OK,
	    "\nBoxes (package/number)\n"
	    "  DRAM GB/s       0/0 n/a 0/1 1.00\n");
}

static void
notes_that_were_lost_are_told(void **state)
{
	char dump[2000];

	(void)state;
	snprintf(dump, sizeof dump, "notes_lost = 3\n%s", two_channels);
	prints(cmd_check, "check", dump, EXIT_FINDINGS, ": notes: 3 notes of "
	    "tallyd had no room");
	prints(cmd_report, "report", dump, EXIT_OK, "\nData      3 notes of "
	    "tallyd had no room");
	prints(cmd_report, "report", two_channels, EXIT_OK,
	    "\nData      sound: 9 deltas in 1 interval\n\nProcessors ");
}

static void
a_drawing_marks_what_it_does_not_know(void **state)
{
	char *text;

	(void)state;
	text = said(EXIT_OK, cmd_platform, "platform", one_channel);
	if (strstr(text, "| Cores    1 of 1 in use, busiest threads 50.0* % on "
	    "average  ") == NULL || strstr(text, "|          5?  ") == NULL ||
	    strstr(text, "| DRAM     read   1.000*  write   0.000* GB/s") ==
	    NULL || strstr(text, "\n* lacks some of its counts, ! cannot be\n")
	    == NULL)
		fail_msg("%s", text);
	free(text);
	text = said(EXIT_OK, cmd_platform, "platform", two_channels);
	if (strstr(text, "| Cores    2 of 2 in use, busiest threads 37.5 % on "
	    "average  ") == NULL || strstr(text, "|          52  ") == NULL ||
	    strchr(text, '*') != NULL)
		fail_msg("%s", text);
	free(text);
}

static void
a_gauge_above_its_end_is_marked(void **state)
{
	(void)state;
	prints(cmd_platform, "platform --dram-max 1.005", two_channels, EXIT_OK,
	    "[##########]  99.5 % of 1.0 GB/s");
	prints(cmd_platform, "platform --dram-max 0.99", two_channels, EXIT_OK,
	    "[##########] 101.0 %! of 1.0 GB/s");
}

static void
a_package_is_drawn_in_a_frame(void **state)
{
	(void)state;
	prints(cmd_platform, "platform", two_channels, EXIT_OK,
	    "\n+-- Package 0 --------------------------------------------------"
	    "-----------------------------------+\n| Cores    2 of 2 in use");
	prints(cmd_platform, "platform", two_channels, EXIT_OK,
	    "\n| UPI      not counted                                           "
	    "                                  |\n");
	prints(cmd_platform, "platform", two_channels, EXIT_OK,
	    "|\n+---------------------------------------------------------------"
	    "-----------------------------------+\n");
}

/* Two lprocs of one NUMA node: its bandwidth is there once. */
static void
the_memory_of_a_package_is_that_of_its_numa_nodes(void **state)
{
	char dump[2000];

	(void)state;
	snprintf(dump, sizeof dump, "lproc_node[0] = 1\nlproc_node[1] = 1\n"
	    "dram_max_bandwidth_node[1] = 8000000000\n%s", two_channels);
	prints(cmd_platform, "platform", dump, EXIT_OK,
	    "GB/s    [#.........]  12.5 % of 8.0 GB/s  ");
}

/* 1 GB a second read and half of that written, in accesses of 32 bytes. */
static void
a_package_with_hbm_has_its_row(void **state)
{
	static const char dump[] = "host = \"n\"\nmodel = \"spr\"\n"
	    "packages = 1\nnr_cpus = 1\nlproc_package[0] = 0\n"
	    "lproc_online[0] = 1\ntsc_hz = 1000000000\n"
#define HBM(i, rd, wr) "tsc[" #i "] = " #i "000000000\n" \
	"walltime[0][" #i "] = 10" #i "\nwalltime[1][" #i "] = 0\n" \
	"mchbm_counts[0][5][\"CAS_COUNT.RD\"][" #i "] = " #rd "\n" \
	"mchbm_counts[0][5][\"CAS_COUNT.WR\"][" #i "] = " #wr "\n"
	    HBM(1, 0, 0) HBM(2, 31250000, 15625000);

	(void)state;
	prints(cmd_platform, "platform", dump, EXIT_OK, "\n| HBM      read    "
	    "1.000  write    0.500 GB/s    (its maximum is not known) ");
}

/* One of two events in turn: each is counted half of the time. */
static const char two_sets[] =
    "set_name[0] = \"a\"\nset_name[1] = \"b\"\n"
    "event_set[\"imc_counts\"][\"CAS_COUNT.READS\"] = \"a\"\n"
    "event_set[\"imc_counts\"][\"CAS_COUNT.WRITES\"] = \"b\"\n"
    "set_enabled[\"a\"][0] = 0\nset_running[\"a\"][0] = 0\n"
    "set_enabled[\"b\"][0] = 0\nset_running[\"b\"][0] = 0\n"
    TWO_SAMPLES "mperf[1][1] = 250000000\n"
    CAS(0, "READS", 1, 5) CAS(0, "WRITES", 1, 5)
    "set_enabled[\"a\"][1] = 1000\nset_running[\"a\"][1] = 500\n"
    "set_enabled[\"b\"][1] = 1000\nset_running[\"b\"][1] = 500\n";

static void
a_drawing_says_that_events_were_multiplexed(void **state)
{
	static const char says[] = "\nEvents were multiplexed: their figures "
	    "are estimates";
	char *text;

	(void)state;
	prints(cmd_platform, "platform", two_sets, EXIT_OK, says);
	text = said(EXIT_OK, cmd_platform, "platform", two_channels);
	assert_null(strstr(text, says));
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_box_without_a_value_is_not_available),
		cmocka_unit_test(a_drawing_marks_what_it_does_not_know),
		cmocka_unit_test(a_gauge_above_its_end_is_marked),
		cmocka_unit_test(a_package_is_drawn_in_a_frame),
		cmocka_unit_test(a_package_with_hbm_has_its_row),
		cmocka_unit_test(
		    the_memory_of_a_package_is_that_of_its_numa_nodes),
		cmocka_unit_test(a_drawing_says_that_events_were_multiplexed),
		cmocka_unit_test(notes_that_were_lost_are_told),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
