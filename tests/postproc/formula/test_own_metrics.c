/*
 * tests/postproc/formula/test_own_metrics.c - files with the user's own metrics (-M,
 * alone with --only-lists) beside those of tally, and which metrics -m selects.
 */
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

/* 100 CAS reads in a second on one package; nothing else. */
static const char dump[] = "host = \"n\"\nmodel = \"skx\"\nTSC_ratio = 10\n"
    "packages = 1\n"
    "tsc[0] = 10000000000\nwalltime[0][0] = 1000\nwalltime[1][0] = 0\n"
    "imc_counts[0][0][\"CAS_COUNT.READS\"][0] = 0\n"
    "tsc[1] = 11000000000\nwalltime[0][1] = 1001\nwalltime[1][1] = 0\n"
    "imc_counts[0][0][\"CAS_COUNT.READS\"][1] = 100\n";

static const char mine[] =
    "metric per_ms box \"1/ms\" \"\" = imc[\"CAS_COUNT.READS\"] / time / 1000\n"
    "metric lacking lproc \"u\" \"\" = core[\"NOPE\"]\n"
    "metric tiny node \"u\" \"\" = 0.0000077112\n"
    "metric vast node \"u\" \"\" = 7711200000000\n"
    "after dram_read\n"
    "metric doubled node \"GB/s\" \"\" = 2 * dram_read\n"
    "metric for_others node \"\" \"\" hidden = 17\n";

/* A command line with -M and the path of a file with these metrics. */
static char *
with(const char *words, const char *list)
{
	static char buf[300];

	snprintf(buf, sizeof buf, "%s -M %s", words,
	    test_put("mine.metrics", list));
	return buf;
}

/* Where a text stands in another; fails the test if it does not. */
static size_t
place(const char *text, const char *what)
{
	const char *at = strstr(text, what);

	if (at == NULL)
		fail_msg("no \"%s\" in:\n%s", what, text);
	return (size_t)(at - text);
}

static void
a_report_shows_metrics_of_a_list_beside_ours(void **state)
{
	char *text;

	(void)state;
	text = said(EXIT_OK, cmd_report, with("report", mine), dump);
	/* 100 x 64 bytes */
	place(text, "  read bandwidth              GB/s          0.00");
	assert_true(place(text, "mine.metrics ") > place(text, "Memory "));
	place(text, "  per_ms                      1/ms        0.1000");
	place(text, "  tiny                        u         7.71e-06");
	place(text, "  vast                        u         7.71e+12");
	place(text, "  lacking                     u              n/a missing "
	    "core[\"NOPE\"]\n");
	lacks(text, "for_others");
}

static void
a_metric_stands_where_its_list_says(void **state)
{
	char *text;

	(void)state;
	text = said(EXIT_OK, cmd_report, with("report", mine), dump);
	assert_true(place(text, "  doubled ") > place(text, "  read bandwidth"));
	assert_true(place(text, "  doubled ") < place(text, "mine.metrics "));
	free(text);
	text = said(EXIT_OK, cmd_report, with("report -f csv", mine), dump);
	assert_true(place(text, "doubled,node,,0.00001280,GB/s") <
	    place(text, "per_ms,node,,0.1000,1/ms"));
	place(text, "lacking,lacking,lproc,,,u,0,\"missing "
	    "core[\"\"NOPE\"\"]\"");
	free(text);
}

static void
a_metric_of_tallys_that_a_list_redefines_keeps_its_row(void **state)
{
	char *text = said(EXIT_OK, cmd_report, with("report", "metric "
	    "dram_read node \"reads\" \"\" = imc[\"CAS_COUNT.READS\"]\n"), dump);

	(void)state;
	place(text, "  read bandwidth              reads       100.00");
	lacks(text, "mine.metrics");
}

static void
a_second_list_adds_to_the_first(void **state)
{
	char words[700], other[200];

	(void)state;
	snprintf(other, sizeof other, "%s", test_put("other.metrics",
	    "metric triple node \"u\" \"\" = 3 * dram_read\n"));
	snprintf(words, sizeof words, "report -f csv -M %s %s", other,
	    with("", mine));
	holds(said(EXIT_OK, cmd_report, words, dump), "triple,node,,0.0000192");
	holds(said(EXIT_OK, cmd_report, words, dump), "per_ms,node,,0.1000");
	snprintf(other, sizeof other, "%s", test_put("other.metrics",
	    "metric ten_times node \"u\" \"\" = 10 * tiny\n"));
	snprintf(words, sizeof words, "metrics -S node -f csv %s -M %s",
	    with("", "metric tiny node \"u\" \"\" = 0.0000077112\n"), other);
	holds(said(EXIT_OK, cmd_metrics, words, dump), "tiny,node,,0.000007711");
	holds(said(EXIT_OK, cmd_metrics, words, dump),
	    "ten_times,node,,0.00007711");
}

/* Every command with --metrics has the metrics of tally and of the list; with
 * --only-lists, those of the list alone. */
static void
a_list_adds_to_ours_unless_it_is_to_be_alone(void **state)
{
	static const struct {
		int (*cmd)(int, char **);
		const char *words;
	} all[] = {
		{ cmd_metrics, "metrics -S node -f csv" },
		{ cmd_merge, "merge -f csv" },
		{ cmd_diff, "diff -f csv --all -a 0:1 -b 0:1" },
		{ cmd_report, "report -f csv" },
		{ cmd_why, "why -f csv" },
		{ cmd_jitter, "jitter -f csv" },
		{ cmd_jobs, "jobs -f csv" },
	};
	char words[700];

	(void)state;
	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
		bool lists = i < 4;     /* it prints every metric */

		snprintf(words, sizeof words, "%s", with(all[i].words,
		    "metric per_ms box \"1/ms\" \"\" = "
		    "imc[\"CAS_COUNT.READS\"] / time / 1000\n"));
		if (lists) {
			holds(said(EXIT_OK, all[i].cmd, words, dump), "per_ms,");
			holds(said(EXIT_OK, all[i].cmd, words, dump),
			    "dram_read,");
		}
		strcat(words, " --only-lists");
		if (lists) {
			holds(said(EXIT_OK, all[i].cmd, words, dump), "per_ms,");
			lacks(said(EXIT_OK, all[i].cmd, words, dump),
			    "dram_read,");
		} else
			free(said(-1, all[i].cmd, words, dump));
		snprintf(words, sizeof words, "%s --only-lists", all[i].words);
		holds(complained(EXIT_USAGE, all[i].cmd, words, dump),
		    "tally: --only-lists: of no list; name one with "
		    "--metrics\n");
	}
}

static void
one_list_given_twice_is_read_once(void **state)
{
	char words[600], path[200];

	(void)state;
	snprintf(path, sizeof path, "%s", test_put("mine.metrics", mine));
	snprintf(words, sizeof words, "report -f csv -M %s -M %s", path, path);
	holds(said(EXIT_OK, cmd_report, words, dump), "per_ms,node,,0.1000");
}

static void
several_names_of_metrics_have_commas_between_them(void **state)
{
	static const char words[] =
	    "metrics -S node -f csv -m dram_read,dram_wr* -m ipc*";
	char many[600] = "metrics -m ";

	(void)state;
	holds(said(EXIT_OK, cmd_metrics, words, dump), ",dram_read,node");
	holds(said(EXIT_OK, cmd_metrics, words, dump), ",dram_write,box");
	lacks(said(EXIT_OK, cmd_metrics, words, dump), ",utilisation,");
	holds(said(EXIT_OK, cmd_merge, "merge -f csv -m ipc,dram_read", dump),
	    "dram_read,GB/s,1,");
	holds(complained(EXIT_USAGE, cmd_metrics, "metrics -m ,", dump),
	    "tally: --metric: expected a name, or several with commas\n");
	for (unsigned i = 0; i < 65; i++)
		strcat(many, "a,");
	holds(complained(EXIT_USAGE, cmd_metrics, many, dump),
	    "tally: --metric: at most 64 names\n");
	/* of several names, one that is unknown is reported */
	holds(complained(EXIT_UNUSABLE, cmd_metrics, "metrics -m dram_raed,"
	    "dram_write", dump), "dump: no metric \"dram_raed\"; did you mean "
	    "dram_read? (tally metrics --list FILE has them)\n");
	holds(complained(EXIT_UNUSABLE, cmd_metrics, "metrics -m dram_read,zz*",
	    dump), "dump: no metric \"zz*\" (tally metrics --list FILE has them)\n");
	holds(complained(EXIT_OK, cmd_merge, "merge -m dram_read,nope", dump),
	    "tally: no node has a metric \"nope\"\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_shows_metrics_of_a_list_beside_ours),
		cmocka_unit_test(a_metric_stands_where_its_list_says),
		cmocka_unit_test(
		    a_metric_of_tallys_that_a_list_redefines_keeps_its_row),
		cmocka_unit_test(a_second_list_adds_to_the_first),
		cmocka_unit_test(a_list_adds_to_ours_unless_it_is_to_be_alone),
		cmocka_unit_test(one_list_given_twice_is_read_once),
		cmocka_unit_test(
		    several_names_of_metrics_have_commas_between_them),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
