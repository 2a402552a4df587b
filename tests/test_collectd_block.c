/*
 * tests/test_collectd_block.c - the configuration of collectd's intel_pmu as -c: the
 * examples of its design, and a name that nobody has.
 */
#include "tests/files.h"

#include <stdlib.h>
#include <string.h>

/* What tallyd says of the columns of such a configuration. */
static char *
columns_of(const char *block)
{
	char command[1200], tallyd[512], path[600];

	snprintf(path, sizeof(path), "%s", test_put("plugin.conf", block));
	snprintf(command, sizeof(command), "%s --sim @skx-locked "
	    "-c %s --list columns >%s/said 2>&1", built("tallyd", tallyd), path,
	    test_dir);
	if (system(command) != 0)
		strcat(path, " was refused");
	snprintf(path, sizeof(path), "%s/said", test_dir);
	return file_text(path, NULL);
}

static void
has(const char *text, const char *what)
{
	if (strstr(text, what) == NULL)
		fail_msg("no %s in %.2000s", what, text);
}

static void
the_block_counts_what_collectd_counts_of_it(void **state)
{
	char *text = columns_of("<Plugin intel_pmu>\n"
	    "\tReportSoftwareEvents true\n"
	    "\tHardwareEvents \"L2_RQSTS.CODE_RD_HIT,L2_RQSTS.CODE_RD_MISS\" "
	    "\"L2_RQSTS.ALL_CODE_RD\"\n\tCores \"\"\n"
	    "\tHardwareEvents \"L2_RQSTS.PF_MISS\"\n\tCores \"[1]\"\n"
	    "</Plugin>\n");

	(void)state;
	has(text, "core_counts[95][\"L2_RQSTS.CODE_RD_HIT\"]");
	has(text, "core_counts[0][\"L2_RQSTS.ALL_CODE_RD\"]");
	has(text, "core_counts[1][\"L2_RQSTS.PF_MISS\"]");
	assert_null(strstr(text, "core_counts[2][\"L2_RQSTS.PF_MISS\"]"));
	has(text, "[\"page-faults\"]");
	assert_null(strstr(text, "tallyd:"));
	free(text);
	text = columns_of("<Plugin \"intel_pmu\">\n\tDispatchMultiPmu true\n"
	    "\tHardwareEvents \"UNC_CHA_TOR_INSERTS.IA_MISS:config1="
	    "0x4043200000000\"\n\tHardwareEvents "
	    "\"UNC_IIO_TXN_REQ_BY_CPU.MEM_WRITE.PART0\"\n"
	    "\tCores \"0\" \"24\"\n</Plugin>\n");
	has(text, "cha_counts[0][0][\"UNC_CHA_TOR_INSERTS.IA_MISS:config1="
	    "0x4043200000000\"]");
	has(text, "iio_counts[1][");
	free(text);
}

static void
an_event_that_nobody_has_is_left_out_and_the_rest_is_counted(void **state)
{
	char *text = columns_of("<Plugin intel_pmu>\n"
	    "HardwareEvents \"NO_SUCH.EVENT\" \"L2_RQSTS.PF_MISS\"\n"
	    "</Plugin>\n");

	(void)state;
	has(text, "plugin.conf:2: there is no event \"NO_SUCH.EVENT\"");
	has(text, "; it is left out\n");
	has(text, "core_counts[95][\"L2_RQSTS.PF_MISS\"]");
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
		char *text = columns_of(t[i].text);

		has(text, t[i].says);
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
	};

	return cmocka_run_group_tests_name("collectd_block", tests,
	    test_dir_new, test_dir_free);
}
