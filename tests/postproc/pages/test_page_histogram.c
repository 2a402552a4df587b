/*
 * tests/postproc/pages/test_page_histogram.c - how much of the time bandwidths were Low, Medium and
 * High: pictures, tables and data of a page, by hand and as tally histogram has
 * them.
 */
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

#include "postproc/html/timeline.h"

#define HEAD(model) "host = \"n\"\nmodel = \"" model "\"\nTSC_ratio = 10\n" \
	"packages = 2\nnr_cpus = 2\nlproc_package[0] = 0\n" \
	"lproc_package[1] = 1\nlproc_online[0] = 1\nlproc_online[1] = 1\n"

/* GB/s that package 0 reads in each second; 64 bytes are 1 of CAS_COUNT. */
static const unsigned gb_s[] = { 1, 1, 1, 1, 2, 3, 4, 5, 6, 9, 9, 12 };
#define SECONDS (sizeof gb_s / sizeof *gb_s)

/* A dump of those, more keys in its head; without the values of a sample. */
static char *
twelve(const char *more, unsigned without)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	unsigned long long lines = 0;

	assert_non_null(f);
	fputs(HEAD("skx"), f);
	fputs(more, f);
	for (unsigned i = 0; i <= SECONDS; i++) {
		fprintf(f, "tsc[%u] = %u000000000\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n", i, 10 + i, i, 1000 + i, i);
		for (unsigned pkg = 0; pkg < 2 && i != without; pkg++)
			fprintf(f, "imc_counts[%u][0][\"CAS_COUNT.RD\"][%u] = "
			    "%llu\nimc_counts[%u][0][\"CAS_COUNT.WR\"][%u] = "
			    "0\n", pkg, i, pkg == 0 ? lines : 0, pkg, i);
		lines += i < SECONDS ? gb_s[i] * 15625000ull : 0;
	}
	assert_int_equal(fclose(f), 0);
	return text;
}

static char *
page_of(char *dump)
{
	char *text = said(EXIT_OK, cmd_page, "page", dump);

	free(dump);
	return text;
}

static void
shares_are_of_thirds_of_the_largest_value(void **state)
{
	char *text = page_of(twelve("", 99));

	(void)state;
	/* below 4: six seconds; 4, 5 and 6; 9, 9 and 12 */
	assert_non_null(strstr(text, "<b>dram_bandwidth</b> node: Low 50.00 %; "
	    "Medium 25.00 %; High 25.00 % <span>(Low below 4, High from 8 "
	    "GB/s)</span>"));
	/* bins of 1.2: the first has the four seconds of 1 */
	assert_non_null(strstr(text, "<td class=\"n\">0</td><td class=\"n\">1.2"
	    "</td><td>GB/s</td><td class=\"n\">4.000</td><td class=\"n\">"
	    "33.33 %</td><td>Low</td>"));
	assert_non_null(strstr(text, "<td class=\"n\">8.4</td><td class=\"n\">"
	    "9.6</td><td>GB/s</td><td class=\"n\">2.000</td><td class=\"n\">"
	    "16.67 %</td><td>High</td>"));
	/* one of package 1, which was idle */
	holds(text, "<b>dram_bandwidth</b> package 1: Low 100.00 %; Medium "
	    "0.00 %; High 0.00 %</figcaption>");
}

static void
they_are_those_of_tally_histogram(void **state)
{
	char *dump = twelve("", 99);
	char *text = said(EXIT_OK, cmd_histogram, "histogram -m dram_bandwidth",
	    dump);

	(void)state;
	assert_non_null(strstr(text, "         8.4 to        9.6  16.67 % High"));
	holds(text, "  Low 50.00 %; Medium 25.00 %; High 25.00 % (Low below 4, "
	    "High from 8)");
	free(dump);
}

static void
a_bar_is_as_tall_as_its_part_of_the_longest(void **state)
{
	char *text = page_of(twelve("", 99));

	(void)state;
	/* 196 of 200 up for 4 s, half of that for 2 s */
	assert_non_null(strstr(text, "<rect class=\"low\" x=\"1.0\" y=\"4.0\" "
	    "width=\"98.0\" height=\"196.0\"/>"));
	assert_non_null(strstr(text, "<rect class=\"high\" x=\"701.0\" "
	    "y=\"102.0\" width=\"98.0\" height=\"98.0\"/>"));
	holds(text, "<path class=\"threshold\" d=\"M333.3 0V200M666.7 0V200\"/>");
}

static void
the_script_has_every_value_of_it(void **state)
{
	char *text = page_of(twelve("", 99));

	(void)state;
	assert_non_null(strstr(text, "{\"first\":1,\"per\":1,\"round\":0,"
	    "\"at\":\"AAAAAAAAgD8AAABA"));
	/* 1, 1, 1, 1, 2, 3, 4, 5, 6, 9, 9, 12 as binary32 */
	holds(text, "\"scope\":\"node\",\"where\":\"\",\"note\":\"\",\"why\":"
	    "\"\",\"most\":null,\"axis\":0,\"max\":12,\"v\":\"AACAPwAAgD8AAIA/"
	    "AACAPwAAAEAAAEBAAACAQAAAoEAAAMBAAAAQQQAAEEEAAEBB\"}");
}

static void
what_was_measured_at_most_is_an_end_of_the_axis(void **state)
{
	char *text = page_of(twelve("dram_max_bandwidth = 32000000000\n"
	    "lproc_node[0] = 0\nlproc_node[1] = 1\n"
	    "dram_max_bandwidth_node[0] = 15000000000\n"
	    "dram_max_bandwidth_node[1] = 17000000000\n", 99));

	(void)state;
	assert_non_null(strstr(text, "\"scope\":\"node\",\"where\":\"\","
	    "\"note\":\"\",\"why\":\"\",\"most\":32,"));
	holds(text, "\"scope\":\"package\",\"where\":\"1\",\"note\":\"\","
	    "\"why\":\"\",\"most\":17,");
}

static void
time_without_a_value_is_said_and_is_in_no_share(void **state)
{
	/* without sample 6, the seconds of 3 and of 4 */
	char *text = page_of(twelve("", 6));

	(void)state;
	assert_non_null(strstr(text, "<b>dram_bandwidth</b> package 0: Low "
	    "50.00 %; Medium 20.00 %; High 30.00 % <span>(Low below 4, High "
	    "from 8 GB/s)</span> <span>2.00 s without a value (imc[&quot;"
	    "CAS_COUNT.RD&quot;]: no delta of it is a count "));
	holds(text, "AACAPwAAgD8AAIA/AACAPwAAAEAAAMB/AADAfwAAoEA");
}

static void
a_dump_without_bandwidths_says_so(void **state)
{
	(void)state;
	holds(said(EXIT_OK, cmd_page, "page", HEAD("skx")
	    "tsc[0] = 1\nmperf[0][0] = 1\ntsc[1] = 1000000001\n"
	    "mperf[0][1] = 2\n"), "<p>Bandwidth of DRAM, and of links between "
	    "packages, was not counted.</p>");
}

static void
of_event_sets_that_take_turns_a_value_is_that_of_a_round(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	assert_non_null(f);
	fputs(HEAD("skx") "set_name[0] = \"a\"\nset_name[1] = \"b\"\n"
	    "event_set[\"imc_counts\"][\"CAS_COUNT.RD\"] = \"a\"\n"
	    "event_set[\"imc_counts\"][\"CAS_COUNT.WR\"] = \"b\"\n", f);
	/* 1 GB/s read while it is counted, nothing written: 4 s, 2 rounds */
	for (unsigned i = 0; i < 5; i++)
		fprintf(f, "tsc[%u] = 1%u000000000\nwalltime[0][%u] = 100%u\n"
		    "walltime[1][%u] = 0\nset_enabled[\"a\"][%u] = %u000000000"
		    "\nset_enabled[\"b\"][%u] = %u000000000\n"
		    "set_running[\"a\"][%u] = %u000000000\n"
		    "set_running[\"b\"][%u] = %u000000000\n"
		    "imc_counts[0][0][\"CAS_COUNT.RD\"][%u] = %u\n"
		    "imc_counts[0][0][\"CAS_COUNT.WR\"][%u] = 0\n", i, i, i, i,
		    i, i, i, i, i, i, (i + 1) / 2, i, i / 2, i,
		    (i + 1) / 2 * 15625000, i);
	assert_int_equal(fclose(f), 0);
	text = page_of(text);
	assert_non_null(strstr(text, "{\"first\":2,\"per\":1,\"round\":1,\"at\":"
	    "\"AAAAAAAAAEA=\",\"sec\":\"AAAAQAAAAEA=\"}"));
	holds(text, "\"axis\":1,\"max\":1,\"v\":\"AACAPwAAgD8=\"}");
}

static void
neighbours_become_one_where_a_page_has_no_room_for_all(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	assert_non_null(f);
	/* node, package and link: 3 x 60,001 values are more than 180,000 */
	fputs("model = \"hsx\"\nTSC_ratio = 10\npackages = 1\n", f);
	for (unsigned long long i = 0; i <= 60001; i++)
		fprintf(f, "tsc[%llu] = %llu\nqpi_counts[0][0][\"TxL_FLITS_G0."
		    "DATA\"][%llu] = %llu\n", i, i * 1000000000, i,
		    i * 125000000);
	assert_int_equal(fclose(f), 0);
	text = page_of(text);
	assert_non_null(strstr(text, "{\"first\":1,\"per\":2,\"round\":0,"
	    "\"at\":\"AACAPwAAQEAAAKBA"));
	/* the picture is of every value, as ever */
	holds(text, "<b>qpi_out</b> box 0/0: Low 0.00 %; Medium 0.00 %; High "
	    "100.00 %");
}

/* Four lines of 100,000 intervals are 180,000 values at most: four become one.
 * 100,000 of these and their axis, two numbers a moment, 4 bytes each in base64. */
static void
neighbours_that_became_one_take_the_room_of_one(void **state)
{
	struct bandwidth line = { .tracks = { .n = 4 } };
	struct bandwidths w = { .of = &line, .n = 1,
	    .moments[OF_INTERVALS] = { .n = 100000 } };

	(void)state;
	assert_int_equal(bandwidths_size(&w), 800000);
	w.moments[OF_INTERVALS].n = 1000;
	assert_int_equal(bandwidths_size(&w), 32000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_of_thirds_of_the_largest_value),
		cmocka_unit_test(they_are_those_of_tally_histogram),
		cmocka_unit_test(a_bar_is_as_tall_as_its_part_of_the_longest),
		cmocka_unit_test(the_script_has_every_value_of_it),
		cmocka_unit_test(
		    what_was_measured_at_most_is_an_end_of_the_axis),
		cmocka_unit_test(
		    time_without_a_value_is_said_and_is_in_no_share),
		cmocka_unit_test(a_dump_without_bandwidths_says_so),
		cmocka_unit_test(
		    neighbours_that_became_one_take_the_room_of_one),
		cmocka_unit_test(
		    of_event_sets_that_take_turns_a_value_is_that_of_a_round),
		cmocka_unit_test(
		    neighbours_become_one_where_a_page_has_no_room_for_all),
	};

	return cmocka_run_group_tests_name("page_histogram", tests,
	    test_dir_new, test_dir_free);
}
