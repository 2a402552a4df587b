/*
 * tests/config/test_collectd_block.c - the configuration of collectd's intel_pmu as -c: the
 * examples of its design, and a name that nobody has.
 */
#include "tests/lib/files.h"

#include <stdlib.h>
#include <string.h>

/* What tallyd says of the columns of such a configuration. */
static char *
columns_of(const char *machine, const char *block)
{
	char command[1200], tallyd[512], path[600];

	snprintf(path, sizeof(path), "%s", test_put("plugin.conf", block));
	snprintf(command, sizeof(command), "%s --sim @%s -c %s "
	    "--list columns >%s/said 2>&1", built("tallyd", tallyd), machine,
	    path, test_dir);
	if (system(command) != 0)
		strcat(path, " was refused");
	snprintf(path, sizeof(path), "%s/said", test_dir);
	return file_text(path, NULL);
}

static void
the_block_counts_what_collectd_counts_of_it(void **state)
{
	char *text = columns_of("skx-locked", "<Plugin intel_pmu>\n"
	    "\tReportSoftwareEvents true\n"
	    "\tHardwareEvents \"L2_RQSTS.CODE_RD_HIT,L2_RQSTS.CODE_RD_MISS\" "
	    "\"L2_RQSTS.ALL_CODE_RD\"\n\tCores \"\"\n"
	    "\tHardwareEvents \"L2_RQSTS.PF_MISS\"\n\tCores \"[1]\"\n"
	    "</Plugin>\n");

	(void)state;
	text_has(text, "core_counts[95][\"L2_RQSTS.CODE_RD_HIT\"]");
	text_has(text, "core_counts[0][\"L2_RQSTS.ALL_CODE_RD\"]");
	text_has(text, "core_counts[1][\"L2_RQSTS.PF_MISS\"]");
	assert_null(strstr(text, "core_counts[2][\"L2_RQSTS.PF_MISS\"]"));
	text_has(text, "[\"page-faults\"]");
	assert_null(strstr(text, "tallyd:"));
	free(text);
	text = columns_of("skx-locked", "<Plugin \"intel_pmu\">\n\tDispatchMultiPmu true\n"
	    "\tHardwareEvents \"UNC_CHA_TOR_INSERTS.IA_MISS:config1="
	    "0x4043200000000\"\n\tHardwareEvents "
	    "\"UNC_IIO_TXN_REQ_BY_CPU.MEM_WRITE.PART0\"\n"
	    "\tCores \"0\" \"24\"\n</Plugin>\n");
	text_has(text, "cha_counts[0][0][\"UNC_CHA_TOR_INSERTS.IA_MISS:config1="
	    "0x4043200000000:type=20\"]");
	text_has(text, "cha_counts[1][23][\"UNC_CHA_TOR_INSERTS.IA_MISS:config1="
	    "0x4043200000000:type=43\"]");
	text_has(text, "iio_counts[1][");
	free(text);
}

/* Registers have no numbers of PMUs, and nobody adds up before tally. */
static void
with_registers_each_box_has_its_column_whatever_is_dispatched(void **state)
{
	static const char *const yes[] = { "true", "false" };

	(void)state;
	for (int i = 0; i < 2; i++) {
		char block[200], *text;

		snprintf(block, sizeof(block), "<Plugin intel_pmu>\n"
		    "DispatchMultiPmu %s\nHardwareEvents "
		    "\"UNC_CHA_CLOCKTICKS\"\n</Plugin>\n", yes[i]);
		text = columns_of("skx-8160-2s", block);
		text_has(text, "cha_counts[1][23][\"UNC_CHA_CLOCKTICKS\"]");
		free(text);
	}
}

/* The line of the one who was given such a name, of what collectd is sent. */
static bool
is_sent(const char *said, const char *name)
{
	char start[300];

	snprintf(start, sizeof(start), "PUTVAL \"c591-803/intel_pmu-%s\" "
	    "interval=", name);
	return strstr(said, start) != NULL;
}

/* "The plugin name is intel_pmu, the type counter, the type instance the event",
 * with :type=N for each PMU; of boxes the first CPU of the socket. */
static void
counts_go_out_under_the_names_of_the_plugin(void **state)
{
	char command[2000], tallyd[512], tally[512], path[600], *said;

	(void)state;
	snprintf(path, sizeof(path), "%s", test_put("plugin.conf",
	    "<Plugin intel_pmu>\nReportSoftwareEvents true\nHardwareEvents "
	    "\"L2_RQSTS.CODE_RD_HIT,L2_RQSTS.CODE_RD_MISS\"\nCores \"\"\n"
	    "HardwareEvents \"L2_RQSTS.PF_MISS\"\nCores \"0-3\" \"[4-7]\"\n"
	    "DispatchMultiPmu true\n"
	    "HardwareEvents \"UNC_CHA_CLOCKTICKS\"\n</Plugin>\n"));
	/* ends by itself, whatever happens here */
	snprintf(command, sizeof(command), "%s -q --sim @skx-locked -c %s "
	    "-i 0.1 -n 600 -b --store %s/store --pidfile %s/pid -o %s/run.lua && "
	    "for look in $(seq 500); do "
	    "%s export collectd --intel-pmu --once %s/store >%s/sent; "
	    "grep -q CLOCKTICKS %s/sent && break; sleep 0.1; done; "
	    "p=$(cat %s/pid); kill $p; while kill -0 $p 2>/dev/null; do sleep "
	    "0.1; done", built("tallyd", tallyd), path, test_dir,
	    test_dir, test_dir, built("tally", tally), test_dir, test_dir,
	    test_dir, test_dir);
	assert_int_equal(system(command), 0);
	snprintf(path, sizeof(path), "%s/sent", test_dir);
	said = file_text(path, NULL);
	assert_true(is_sent(said, "0/counter-L2_RQSTS.CODE_RD_HIT"));
	assert_true(is_sent(said, "95/tallyd_pmu-L2_RQSTS.CODE_RD_MISS"));
	assert_true(is_sent(said, "0-3/counter-L2_RQSTS.PF_MISS"));
	assert_true(is_sent(said, "4/counter-L2_RQSTS.PF_MISS"));
	assert_false(is_sent(said, "3/counter-L2_RQSTS.PF_MISS"));
	/* of the last Cores, as the block has it */
	assert_true(is_sent(said, "0-3/counter-page-faults"));
	assert_true(is_sent(said, "7/counter-page-faults"));
	assert_true(is_sent(said, "0/counter-UNC_CHA_CLOCKTICKS:type=20"));
	assert_true(is_sent(said, "24/counter-UNC_CHA_CLOCKTICKS:type=43"));
	assert_null(strstr(said, "/tallyd-"));
	free(said);
}

static void
an_event_that_nobody_has_is_left_out_and_the_rest_is_counted(void **state)
{
	char *text = columns_of("skx-locked", "<Plugin intel_pmu>\n"
	    "HardwareEvents \"NO_SUCH.EVENT\" \"L2_RQSTS.PF_MISS\"\n"
	    "</Plugin>\n");

	(void)state;
	text_has(text, "plugin.conf:2: there is no event \"NO_SUCH.EVENT\"");
	text_has(text, "; it is left out\n");
	text_has(text, "core_counts[95][\"L2_RQSTS.PF_MISS\"]");
	free(text);
}

static void
what_is_no_line_of_the_plugin_says_what_is(void **state)
{
	static const struct { const char *text, *says; } t[] = {
		{ "<Plugin intel_pmu>\nInterval 1\n</Plugin>\n", "plugin.conf:2: "
		    "Interval: of collectd's intel_pmu there are here" },
		{ "<Plugin intel_pmu>\nReportSoftwareEvents maybe\n</Plugin>\n",
		    "plugin.conf:2: ReportSoftwareEvents is true or false" },
		{ "<Plugin intel_pmu>\nHardwareEvents \"a\"\n",
		    "</Plugin> is missing" },
		{ "<Plugin snmp>\n</Plugin>\n", "collectd's language" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char *text = columns_of("skx-locked", t[i].text);

		text_has(text, t[i].says);
		free(text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_block_counts_what_collectd_counts_of_it),
		cmocka_unit_test(an_event_that_nobody_has_is_left_out_and_the_rest_is_counted),
		cmocka_unit_test(what_is_no_line_of_the_plugin_says_what_is),
		cmocka_unit_test(with_registers_each_box_has_its_column_whatever_is_dispatched),
		cmocka_unit_test(counts_go_out_under_the_names_of_the_plugin),
	};

	return cmocka_run_group_tests_name("collectd_block", tests,
	    test_dir_new, test_dir_free);
}
