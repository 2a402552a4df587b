/*
 * tests/postproc/metrics/test_peaks.c - the most that a node can do: what a site says of it, in the
 * configuration, and on what a percentage rests where one is printed.
 */
#include "tests/lib/files.h"
#include "tests/lib/tally_command.h"

#include "config/lang/events.h"
#include "postproc/data/dump_node.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	int line;
	const char *text;
	enum peak_of of;
	double value;
	const char *words, *says;       /* says: it is wrong, and how */
} lines[] = {
	{ __LINE__, "peak dram = 204.8 GB/s (measured with STREAM)", PEAK_DRAM,
	    204.8e9, "measured with STREAM", NULL },
	{ __LINE__, "peak flops = 2.9 TFLOP/s ( HPL )  # in March", PEAK_FLOPS,
	    2.9e12, "HPL", NULL },
	{ __LINE__, "peak dram = 1 GB/s (a)\npeak dram = 2 GB/s (b)", PEAK_DRAM,
	    2e9, "b", NULL },
	{ __LINE__, "peak dram = 204.8 GB/s", 0, 0, NULL, "in brackets behind "
	    "it, on what it rests, 120 characters at most" },
	{ __LINE__, "peak dram = 204.8 GB/s ()", 0, 0, NULL, "in brackets "
	    "behind it, on what it rests, 120 characters at most" },
	{ __LINE__, "peak dram = 204.8 GB/s ( )", 0, 0, NULL, "in brackets "
	    "behind it, on what it rests, 120 characters at most" },
	{ __LINE__, "peak dram = 204.8 GFLOP/s (x)", 0, 0, NULL, "peaks are of "
	    "dram, in MB/s, GB/s or TB/s, or of flops, in GFLOP/s or TFLOP/s" },
	{ __LINE__, "peak upi = 2 GB/s (x)", 0, 0, NULL, "peaks are of dram, "
	    "in MB/s, GB/s or TB/s, or of flops, in GFLOP/s or TFLOP/s" },
	{ __LINE__, "peak dram = 0 GB/s (x)", 0, 0, NULL, "a peak is a number "
	    "above 0 and its unit" },
	{ __LINE__, "peak dram = -1 GB/s (x)", 0, 0, NULL, "a peak is a number "
	    "above 0 and its unit" },
	{ __LINE__, "peak dram 204 GB/s (x)", 0, 0, NULL, "a peak is a number "
	    "above 0 and its unit" },
	{ __LINE__, "peak", 0, 0, NULL, "a peak is a number above 0 and its "
	    "unit" },
};

static void
a_site_says_a_peak_and_on_what_it_rests(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct config cfg;
		struct diag why;
		int rc;

		assert_int_equal(config_init(&cfg, model_named("skx")), 0);
		rc = config_parse(&cfg, "t.conf", lines[i].text,
		    strlen(lines[i].text), &why);
		if ((rc < 0) != (lines[i].says != NULL) || (rc < 0 &&
		    strstr(why.text, lines[i].says) == NULL))
			fail_msg("line %d: %d %s", lines[i].line, rc, rc < 0 ?
			    why.text : "");
		if (rc == 0) {
			assert_true(cfg.peak[lines[i].of].value ==
			    lines[i].value);
			assert_string_equal(cfg.peak[lines[i].of].words,
			    lines[i].words);
		}
		config_fini(&cfg);
	}
}

static char *
out_of(const char *command)
{
	FILE *f = popen(command, "r");
	char *text = calloc(1, 1000000);

	assert_non_null(f);
	assert_non_null(text);
	text[fread(text, 1, 999999, f)] = '\0';
	if (pclose(f) != 0)
		fail_msg("%s", command);
	return text;
}

#define DEFAULT "-c @default-skx"

/* What tally prints of n samples of a machine. */
static char *
sampled(const char *machine, const char *options, unsigned n, const char *words)
{
	char tallyd[512], tally[512], command[3000];

	snprintf(command, sizeof(command), "%s -q --sim %s --virtual-time %s "
	    "-n %u --overwrite -o %s/p.lua && %s %s %s/p.lua", built("tallyd",
	    tallyd), machine, options, n, test_dir, built("tally", tally),
	    words, test_dir);
	return out_of(command);
}

/* What tally prints of a dump with such lines beside a base. */
static char *
shown(const char *base, const char *config, const char *words)
{
	char options[600];

	snprintf(options, sizeof(options), "%s -c %s", base, test_put("p.conf",
	    config));
	return sampled("@skx-8160-2s", options, 5, words);
}

static void
a_percentage_of_dram_says_on_what_it_rests(void **state)
{
	char *text = shown(DEFAULT, "peak dram = 200 GB/s (measured with STREAM)\n",
	    "platform");

	(void)state;
	/* half of the node's for each package */
	assert_non_null(strstr(text, "% of 100.0 GB/s"));
	assert_non_null(strstr(text, "peak given: measured with STREAM "));
	free(text);
	text = shown(DEFAULT, "peak dram = 200 GB/s (measured with STREAM)\n",
	    "platform --dram-max 100");
	assert_non_null(strstr(text, "% of 50.0 GB/s"));
	assert_non_null(strstr(text, "peak by --dram-max "));
	free(text);
	/* the clock of the channels is counted: 6 of 1330 MHz, 16 bytes each */
	text = shown(DEFAULT, "", "platform");
	assert_non_null(strstr(text, "% of 127.7 GB/s"));
	assert_non_null(strstr(text, "peak probed: 16 bytes a clock of each "
	    "channel that moved data "));
	free(text);
	/* nobody says: no percentage */
	text = shown("", "imc CAS_COUNT.READS event=0x04,umask=0x03\n"
	    "imc CAS_COUNT.WRITES event=0x04,umask=0x0c\n", "platform");
	assert_non_null(strstr(text, "peak not known: tallyd "
	    "--measure-dram-bandwidth finds it, --dram-max gives it "));
	assert_null(strstr(text, "% of "));
	free(text);
}

/* A channel of Ice Lake makes 25 M accesses a second in package 0, 13.5 M in package 1, of
 * four clocks each at 1600 MHz; one of Emerald Rapids 500 M at 2400 MHz. */
static void
the_first_page_says_how_busy_the_data_bus_is(void **state)
{
	(void)state;
	holds(sampled("@icx-8358-2s", "", 46, "report -s 35:45"),
	    "\n  data bus busy               %              6.2      3.4"
	    "      4.8\n");
	holds(sampled("@emr-8592-2s", "", 29, "report -s 12:28"),
	    "\n  data bus busy               %             83.3     83.3"
	    "     83.3\n");
}

/* Granite Rapids at work moves 1228.8 GB/s, of 1600 by the site's word. */
static void
where_no_clock_says_what_dram_can_move_a_site_may(void **state)
{
	char options[600];

	(void)state;
	holds(sampled("@gnr-6960p-2s", "", 13, "metrics -m dram_busy"),
	    "dram_busy  a DRAM clock whose rate is known: half of the transfers "
	    "by Intel PCM, a quarter by Intel's list\n");
	lacks(sampled("@gnr-6960p-2s", "", 13, "report"), "what DRAM can");
	snprintf(options, sizeof(options), "-c @default-gnr -c %s",
	    test_put("p.conf", "peak dram = 1600 GB/s (STREAM)\n"));
	holds(sampled("@gnr-6960p-2s", options, 29, "report -s 12:28"),
	    "\n  of what DRAM can move       %             76.8     76.8"
	    "     76.8\n");
}

static void
the_head_has_the_peaks_that_a_site_gives(void **state)
{
	char *text = shown(DEFAULT, "peak dram = 200 GB/s (measured with STREAM)\n"
	    "peak flops = 2.9 TFLOP/s (HPL)\n", "head");

	(void)state;
	assert_non_null(strstr(text, "peak_dram"));
	assert_non_null(strstr(text, "HPL"));
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_site_says_a_peak_and_on_what_it_rests),
		cmocka_unit_test(a_percentage_of_dram_says_on_what_it_rests),
		cmocka_unit_test(the_first_page_says_how_busy_the_data_bus_is),
		cmocka_unit_test(
		    where_no_clock_says_what_dram_can_move_a_site_may),
		cmocka_unit_test(the_head_has_the_peaks_that_a_site_gives),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
