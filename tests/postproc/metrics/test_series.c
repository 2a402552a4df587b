/*
 * tests/postproc/metrics/test_series.c - metrics over time: of single intervals, of whole rounds of
 * event sets that take turns, of so many seconds.
 */
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

#define NOWHERE 99

/* Three sets that take turns, `turn` samples of a second each: in its own, a
 * counts 100 a second, b 10, c 1.  mperf counts always.  A sample is missing;
 * at another the counter of a went back, as if somebody had written it. */
static const char *
rotated(unsigned samples, unsigned turn, unsigned missing, unsigned reset)
{
	static char text[20000];
	static const unsigned rate[] = { 100, 10, 1 };
	unsigned count[] = { 1000, 0, 0 }, ran[] = { 0, 0, 0 };
	size_t n = (size_t)sprintf(text, "host = \"n\"\nTSC_ratio = 10\n"
	    "packages = 1\nlproc_package[0] = 0\nwatch = 1\n");

	for (unsigned k = 0; k < 3; k++)
		n += (size_t)sprintf(text + n, "set_name[%u] = \"%c\"\n"
		    "event_set[\"imc_counts\"][\"%c\"] = \"%c\"\n", k, 'a' + k,
		    'A' + k, 'a' + k);
	for (unsigned i = 0; i < samples; i++) {
		if (i > 0) {
			unsigned k = (i - 1) / turn % 3;

			ran[k]++;
			count[k] += rate[k];
		}
		if (i == reset)
			count[0] = 7;
		if (i == missing)
			continue;
		n += (size_t)sprintf(text + n, "tsc[%u] = %u000000000\n"
		    "walltime[0][%u] = %u\nwalltime[1][%u] = 0\n"
		    "mperf[0][%u] = %u\n", i, 100 + i, i, 1000 + i, i, i,
		    5 * i);
		for (unsigned k = 0; k < 3; k++)
			n += (size_t)sprintf(text + n, "set_enabled[\"%c\"]"
			    "[%u] = %u000000000\nset_running[\"%c\"][%u] = "
			    "%u000000000\nimc_counts[0][0][\"%c\"][%u] = %u\n",
			    'a' + k, i, i, 'a' + k, i, ran[k], 'A' + k, i,
			    count[k]);
	}
	return text;
}

/* x takes all three sets, y none. */
#define METRICS "metric x box \"u\" \"\" = " \
	"(imc[\"A\"] + imc[\"B\"] + imc[\"C\"]) / time\n" \
	"metric y lproc \"u\" \"\" = mperf / time\n"

/* The words for a time series of them. */
static const char *
words(const char *more)
{
	static char buf[300];

	snprintf(buf, sizeof buf, "metrics -S node --only-lists -M %s %s",
	    test_put("m.metrics", METRICS), more);
	return buf;
}

#define ESTIMATE ",u,0,\"estimate: counted 33.3 %"

static void
a_metric_of_sets_has_a_value_for_each_whole_round(void **state)
{
	const char *dump = rotated(7, 1, NOWHERE, NOWHERE);
	char *text;

	(void)state;
	text = said(EXIT_OK, cmd_metrics, words("-e -f csv"), dump);
	assert_null(strstr(text, "did not run"));
	assert_null(strstr(text, "n,1,1.000,1.000,x,"));
	assert_non_null(strstr(text, "\r\nn,1,1.000,1.000,y,node,,5.0000,u,0,,\r"
	    "\nn,2,2.000,1.000,y,"));
	assert_non_null(strstr(text, "\r\nn,3,3.000,3.000,x,node,,111.0000"
	    ESTIMATE));
	holds(text, "\r\nn,6,6.000,3.000,x,node,,111.0000" ESTIMATE);
	holds(said(EXIT_OK, cmd_metrics, words("-e -s 2:5 -f csv"), dump),
	    "\r\nn,5,5.000,3.000,x,node,,111.0000" ESTIMATE);
	holds(said(EXIT_OK, cmd_metrics, words("-e -m x -f json"), dump),
	    "\"sample\": 6, \"at\": 6.000, \"seconds\": 3.000, \"metric\": "
	    "\"x\", \"scope\": \"node\", \"where\": \"\", \"value\": 111.0000");
	holds(said(EXIT_OK, cmd_metrics, words("-e -m x"), dump),
	    "6  6.000    3.000  x       node          111.0000");
}

static void
a_turn_of_several_samples_makes_a_longer_round(void **state)
{
	const char *dump = rotated(13, 2, NOWHERE, NOWHERE);
	char histogram[300];

	(void)state;
	holds(said(EXIT_OK, cmd_metrics, words("-e -m x -f csv"), dump),
	    "\r\nn,6,6.000,6.000,x,node,,111.0000" ESTIMATE);
	holds(said(EXIT_OK, cmd_metrics, words("-e -m x -f csv"), dump),
	    "\r\nn,12,12.000,6.000,x,node,,111.0000" ESTIMATE);
	/* from the middle of a turn on */
	holds(said(EXIT_OK, cmd_metrics, words("-e -s 1: -m x -f csv"), dump),
	    "\r\nn,7,7.000,6.000,x,node,,111.0000" ESTIMATE);
	snprintf(histogram, sizeof histogram, "histogram -m x -n 1 -M %s",
	    test_put("m.metrics", METRICS));
	holds(said(EXIT_OK, cmd_histogram, histogram, dump),
	    "2 values, 12.00 s; estimate: counted 33.3 %");
}

static void
groups_of_seconds_end_with_the_sample_that_is_nearest(void **state)
{
	const char *dump = rotated(11, 1, NOWHERE, NOWHERE);
	char *text;

	(void)state;
	text = said(EXIT_OK, cmd_metrics, words("--every 4 -m y -f csv"),
	    dump);
	assert_non_null(strstr(text, "note,error\r\nn,4,4.000,4.000,y,node,,5.0000,"
	    "u,0,,\r\nn,8,8.000,4.000,y,"));
	/* what is left is one that is shorter */
	holds(text, "\r\nn,10,10.000,2.000,y,node,,5.0000,u,0,,\r\n");
	text = said(EXIT_OK, cmd_metrics, words("--every 2.5 -m y -f csv"),
	    dump);
	holds(text, "note,error\r\nn,2,2.000,2.000,y,node,,5.0000,u,0,,\r\n"
	    "n,5,5.000,3.000,y,");
	/* narrower than an interval: each one */
	text = said(EXIT_OK, cmd_metrics, words("--every 0.1 -m y -f csv"),
	    dump);
	holds(text, "note,error\r\nn,1,1.000,1.000,y,node,,5.0000,u,0,,\r\n"
	    "n,2,2.000,1.000,y,");
}

static void
groups_of_seconds_are_whole_rounds_where_sets_take_turns(void **state)
{
	const char *dump = rotated(11, 1, NOWHERE, NOWHERE);
	char *text = said(EXIT_OK, cmd_metrics, words("--every 5 -f csv"),
	    dump);

	(void)state;
	assert_non_null(strstr(text, "note,error\r\nn,6,6.000,6.000,x,node,,111.0000"
	    ESTIMATE));
	assert_non_null(strstr(text, "\r\nn,9,9.000,3.000,x,node,,111.0000"
	    ESTIMATE));
	holds(text, "\r\nn,9,9.000,3.000,y,node,,5.0000,u,0,,\r\n");
}

static void
what_is_no_whole_round_is_told(void **state)
{
	(void)state;
	holds(complained(EXIT_OK, cmd_metrics, words("-e -m x"), rotated(6, 1,
	    NOWHERE, NOWHERE)), "dump: the last 2.00 s are no whole rotation "
	    "of its 3 event sets: they are in no value of theirs\n");
	holds(complained(EXIT_UNUSABLE, cmd_metrics, words("-e -m x"), rotated(
	    3, 1, NOWHERE, NOWHERE)), "dump: no whole rotation of its 3 event "
	    "sets\n");
	lacks(complained(EXIT_OK, cmd_metrics, words("-e -m y"), rotated(6, 1,
	    NOWHERE, NOWHERE)), "rotation");
}

static void
a_round_with_a_gap_is_of_the_times_that_its_sets_had(void **state)
{
	char *text = said(EXIT_OK, cmd_metrics, words("-e -f csv"), rotated(8,
	    1, 2, NOWHERE));

	(void)state;
	/* its second interval is of two seconds and two sets; so the third
	 * is a's again */
	assert_non_null(strstr(text, "\r\nn,4,4.000,4.000,x,node,,111.0000,u,0,"
	    "\"estimate: counted 25.0 %"));
	assert_non_null(strstr(text, "\r\nn,7,7.000,3.000,x,node,,111.0000"
	    ESTIMATE));
	holds(text, "\r\nn,3,3.000,2.000,y,node,,5.0000,u,0,,\r\n");
}

static void
a_round_that_lost_a_turn_has_no_value_and_says_how_much(void **state)
{
	char *text = said(EXIT_OK, cmd_metrics, words("-e -m x -f csv"),
	    rotated(10, 1, NOWHERE, 4));

	(void)state;
	assert_non_null(strstr(text, "\r\nn,3,3.000,3.000,x,node,,111.0000"
	    ESTIMATE));
	assert_non_null(strstr(text, "\r\nn,6,6.000,3.000,x,node,,,u,1,"));
	holds(text, "\r\nn,9,9.000,3.000,x,node,,111.0000" ESTIMATE);
}

/* The I/O configuration: sets of a second each, more than ten. */
static void
every_round_has_all_metrics_of_the_io_recipe(void **state)
{
	static const char *const recipe[] = { "io_read_latency",
	    "io_write_latency", "io_l3_write_miss", "io_conflicts",
	    "iotlb_miss", "iotlb_penalty", "pcie_in_write", "vtd_rate" };
	char tallyd[512], line[1200];

	(void)state;
	snprintf(line, sizeof line, "%s -q --sim @icx-8358-2s --virtual-time "
	    "-c @io-icx --rotate 1 -n 60 -o %s/io", built("tallyd", tallyd), test_dir);
	assert_int_equal(system(line), 0);
	for (unsigned i = 0; i < 8; i++) {
		char *text, *at;
		unsigned n = 0;

		/* it idles for ten seconds first, and divides by 0 */
		snprintf(line, sizeof line, "metrics -e -s 11: -f csv -S node "
		    "-m %s %s/io", recipe[i], test_dir);
		text = said(EXIT_OK, cmd_metrics, line, NULL);
		for (at = strchr(text, '\n') + 1; *at != '\0'; n++) {
			char value[40];
			double width;

			assert_int_equal(sscanf(at, "%*[^,],%*u,%*[0-9.],"
			    "%lf,%*[^,],node,,%39[0-9.]", &width, value), 2);
			assert_true(width > 10);
			at = strchr(at, '\n') + 1;
		}
		assert_in_range(n, 2, 4);
		free(text);
	}
}

static void
a_width_that_is_none_is_refused(void **state)
{
	static const char *const none[] = { "0", "-1", "x", "", "nan", "5s" };

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		char line[80];
		char *argv[] = { "metrics", "--every", (char *)none[i], "x",
		    NULL };

		optind = 0;
		snprintf(line, sizeof line, "--every %s", none[i]);
		assert_int_equal(cmd_metrics(4, argv), EXIT_USAGE);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_metric_of_sets_has_a_value_for_each_whole_round),
		cmocka_unit_test(
		    a_turn_of_several_samples_makes_a_longer_round),
		cmocka_unit_test(
		    groups_of_seconds_end_with_the_sample_that_is_nearest),
		cmocka_unit_test(
		    groups_of_seconds_are_whole_rounds_where_sets_take_turns),
		cmocka_unit_test(what_is_no_whole_round_is_told),
		cmocka_unit_test(
		    a_round_with_a_gap_is_of_the_times_that_its_sets_had),
		cmocka_unit_test(
		    a_round_that_lost_a_turn_has_no_value_and_says_how_much),
		cmocka_unit_test(
		    every_round_has_all_metrics_of_the_io_recipe),
		cmocka_unit_test(a_width_that_is_none_is_refused),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
