/*
 * tests/postproc/pages/test_page_lines.c - the timelines of a page: of which units they are, and
 * the phases of a run as bands.
 */
#include "tests/lib/tally_command.h"
#include "tests/lib/turns_dump.h"

#include <stdlib.h>
#include <string.h>

#define SECOND(i) "tsc[" #i "] = 1" #i "000000000\n" \
	"walltime[0][" #i "] = 100" #i "\nwalltime[1][" #i "] = 0\n"
#define NODE "host = \"n\"\nmodel = \"skx\"\nTSC_ratio = 10\n" \
	"packages = 1\nnr_cpus = 2\nlproc_package[0] = 0\n" \
	"lproc_package[1] = 0\nlproc_core[0] = 0\nlproc_core[1] = 0\n" \
	"lproc_die[0] = 0\nlproc_die[1] = 0\nlproc_node[0] = 0\n" \
	"lproc_node[1] = 0\nlproc_online[0] = 1\nlproc_online[1] = 1\n"
#define ROW(i, count) SECOND(i) \
	"core_counts[0][\"INST_RETIRED.ANY\"][" #i "] = " #count "\n" \
	"core_counts[0][\"CPU_CLK_UNHALTED.THREAD\"][" #i "] = " #count "00\n" \
	"core_counts[1][\"INST_RETIRED.ANY\"][" #i "] = " #count "\n" \
	"core_counts[1][\"CPU_CLK_UNHALTED.THREAD\"][" #i "] = " #count "00\n" \
	"imc_counts[0][2][\"CAS_COUNT.READS\"][" #i "] = " #count "\n"
#define ROWS ROW(0, 10) ROW(1, 20) ROW(2, 40) ROW(3, 60)

static void
a_line_says_of_which_unit_it_is(void **state)
{
	char *text = said(EXIT_OK, cmd_page, "page", NODE ROWS);

	(void)state;
	assert_non_null(strstr(text, "\"s\":\"box\",\"w\":\"0/2\",\"p\":0,"));
	assert_non_null(strstr(text, "\"s\":\"core\",\"w\":\"0/0\",\"p\":0,"));
	assert_non_null(strstr(text, "\"s\":\"lproc\",\"w\":\"1\",\"p\":0,"));
	assert_non_null(strstr(text, "\"s\":\"node\",\"w\":\"\",\"p\":0,"));
	/* the die and the NUMA node are the package, and have its lines */
	assert_null(strstr(text, "\"s\":\"die\""));
	holds(text, "\"same\":{\"die\":\"package\",\"numa\":\"package\","
	    "\"lproc\":\"lproc\"}");
}

static void
numa_nodes_that_share_a_package_have_lines(void **state)
{
	static const char two[] = NODE "lproc_core[1] = 1\n"
	    "lproc_node[1] = 1\n" ROWS;
	char *text = said(EXIT_OK, cmd_page, "page", two);

	(void)state;
	assert_non_null(strstr(text, "\"s\":\"numa\",\"w\":\"1\",\"p\":0,"));
	holds(text, "\"same\":{\"die\":\"package\",\"numa\":\"numa\","
	    "\"lproc\":\"core\"}");
}

static void
what_adds_up_may_be_stacked_and_no_ratio(void **state)
{
	char *text = said(EXIT_OK, cmd_page, "page", NODE ROWS);

	(void)state;
	assert_non_null(strstr(text, "\"name\":\"dram_read\",\"unit\":\"GB/s\","
	    "\"text\":\"DRAM read bandwidth\",\"how\":\"time\","
	    "\"guess\":0,\"adds\":1,\"boxes\":\"imc_counts\"}"));
	holds(text, "\"name\":\"ipc\",\"unit\":\"inst/cycle\",\"text\":"
	    "\"Instructions retired per unhalted cycle\",\"how\":\"own\","
	    "\"guess\":0,\"adds\":0,\"boxes\":\"\"}");
}

#define CYCLES(i, insts, cycles) SECOND(i) \
	"core_counts[0][\"INST_RETIRED.ANY\"][" #i "] = " #insts "\n" \
	"core_counts[0][\"CPU_CLK_UNHALTED.THREAD\"][" #i "] = " #cycles "\n"

/* 10 of 200 cycles, then 20 of 600: binary32 in base64. */
static void
a_ratio_weighs_what_it_is_divided_by(void **state)
{
	char *text = said(EXIT_OK, cmd_page, "page", NODE CYCLES(0, 5, 100)
	    CYCLES(1, 15, 300) CYCLES(2, 35, 900));

	(void)state;
	assert_non_null(strstr(text, "\"g\":\"AABIQwAAFkQ=\""));
	/* of each lproc without the lowest byte */
	holds(text, "\"g\":\"AEhDABZE\"");
}

/* An lproc that did nothing has no instructions per cycle then: that is a gap, which
 * nothing is wrong with.  Where it never did anything the page says why there is no line. */
static void
nothing_to_divide_by_is_no_doubt(void **state)
{
	static const char some[] = NODE CYCLES(0, 5, 100) CYCLES(1, 5, 100)
	    CYCLES(2, 15, 300);
	static const char none[] = NODE CYCLES(0, 5, 100) CYCLES(1, 5, 100)
	    CYCLES(2, 5, 100);
	static const char why[] =
	    "\"d\":[0,1],\"y\":\"divided by "
	    "core[\\u0022CPU_CLK_UNHALTED.THREAD\\u0022], which was 0\"";

	(void)state;
	lacks(said(EXIT_OK, cmd_page, "page", some), "\"d\":[0,0]");
	holds(said(EXIT_OK, cmd_page, "page", none), why);
}

#define FORWARD(i, ms) "tsc[" #i "] = 1" #i "000000000\n" \
	"walltime[0][" #i "] = 100" #i "\nwalltime[1][" #i "] = " #ms "000\n" \
	"imc_counts[0][2][\"CAS_COUNT.READS\"][" #i "] = " #i "\n"

/* By a wall clock that was put forward by 8 ms at the end. */
static void
the_date_is_that_of_the_beginning(void **state)
{
	(void)state;
	holds(said(EXIT_OK, cmd_page, "page", NODE
	    "tsc_hz = 1000000000\n" FORWARD(0, 0) FORWARD(1, 0) FORWARD(2, 0)
	    FORWARD(3, 8)), "{\"wall\":1000,");
}

static void
phases_are_bands_with_their_names(void **state)
{
	char *text = said(EXIT_OK, cmd_page, "page", NODE
	    "phase_mark[0] = 1\nphase_mark[1] = 2\n" ROWS);

	(void)state;
	assert_non_null(strstr(text, "\"phases\":[[0,1,2,1,2],[1,2,3,2,3]]"));
	/* in the overview, */
	assert_non_null(strstr(text, "<span class=\"p1\" style=\"left:66.667%;"
	    "width:33.333%\" data-first=\"2\" data-last=\"3\">@1</span>"));
	/* and in the stills */
	assert_non_null(strstr(text, "<div class=\"strip\" aria-hidden=\"true\">"
	    "<span class=\"p0\" style=\"left:33.333%;width:33.333%\">@0</span>"));
	holds(text, "<rect class=\"phase\" x=\"480.0\" y=\"0\" width=\"240.0\" "
	    "height=\"120\"/>");
}

static void
a_range_has_the_phases_that_are_in_it(void **state)
{
	char *text = said(EXIT_OK, cmd_page, "page -s 2:3", NODE
	    "phase_mark[0] = 1\nphase_mark[1] = 3\n" ROWS);

	(void)state;
	holds(text, "\"phases\":[[0,2,3,2,3]]");
}

/* Of a node of so many cores, each with an lproc that counts. */
static const char *
many_cores(unsigned n)
{
	char *text, name[40];
	const char *path;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	fprintf(f, "host = \"n\"\nmodel = \"skx\"\nTSC_ratio = 10\n"
	    "packages = 1\nnr_cpus = %u\n", n);
	for (unsigned i = 0; i < n; i++)
		fprintf(f, "lproc_package[%u] = 0\nlproc_core[%u] = %u\n"
		    "lproc_online[%u] = 1\n", i, i, i, i);
	for (unsigned k = 0; k < 3; k++) {
		fprintf(f, "tsc[%u] = 1%u000000000\n", k, k);
		for (unsigned i = 0; i < n; i++)
			fprintf(f, "core_counts[%u][\"INST_RETIRED.ANY\"][%u] "
			    "= %u\n", i, k, k * (i + 1));
	}
	fclose(f);
	snprintf(name, sizeof name, "cores-%u.lua", n);
	path = test_put(name, text);
	free(text);
	return path;
}

static void
what_has_no_room_is_said_with_the_command_that_gives_it(void **state)
{
	char words[300], *text, said_so[400];
	const char *path = many_cores(4001);

	(void)state;
	snprintf(words, sizeof words, "page %s", path);
	text = said(EXIT_OK, cmd_page, words, NULL);
	snprintf(said_so, sizeof said_so, "4001 lines by core have no room "
	    "here: tally metrics -e -S core %s</p>", path);
	assert_null(strstr(text, "\"s\":\"core\""));
	holds(text, said_so);

	snprintf(words, sizeof words, "page %s", many_cores(40));
	text = said(EXIT_OK, cmd_page, words, NULL);
	assert_non_null(strstr(text, "\"s\":\"core\",\"w\":\"0/39\""));
	lacks(text, "have no room");
}

/* Of rounds of 70 and 90 half of the square of what they differ by is missed:
 * sqrt(400 / 2). */
static void
an_estimate_has_a_band_of_its_standard_error(void **state)
{
	char words[300], *text;

	(void)state;
	snprintf(words, sizeof words, "page -M %s", test_put("x.metrics",
	    "metric flops box \"GFLOP/s\" \"\" = imc[\"X\"] / time\n"));
	text = said(EXIT_OK, cmd_page, words, of_turns(70, 90));
	assert_non_null(strstr(text, ",\"e\":14.142"));
	/* in the script's data and in the still picture */
	holds(text, "<polygon class=\"error c0\" points=\"");
	text = said(EXIT_OK, cmd_page, words, of_turns(80, 80));
	assert_null(strstr(text, ",\"e\":"));
	lacks(text, "class=\"error");
	/* nor has one below a hundredth: sqrt(1 / 2) of 80 */
	lacks(said(EXIT_OK, cmd_page, words, of_turns(80, 81)), ",\"e\":");
}

/* X in the odd seconds of 40, Y in the even ones. */
static const char *
of_two_sets(void)
{
	static char text[40000];
	size_t n = (size_t)sprintf(text, "host = \"n\"\nmodel = \"skx\"\n"
	    "TSC_ratio = 10\npackages = 1\nset_name[0] = \"a\"\n"
	    "set_name[1] = \"b\"\n"
	    "event_set[\"imc_counts\"][\"X\"] = \"a\"\n"
	    "event_set[\"imc_counts\"][\"Y\"] = \"b\"\n");

	for (unsigned i = 0; i <= 40; i++) {
		n += (size_t)sprintf(text + n, "tsc[%u] = %u000000000\n"
		    "walltime[0][%u] = %u\nwalltime[1][%u] = 0\n", i, 100 + i,
		    i, 1000 + i, i);
		for (unsigned k = 0; k < 2; k++)
			n += (size_t)sprintf(text + n, "set_enabled[\"%s\"]"
			    "[%u] = %u000000000\nset_running[\"%s\"][%u] = "
			    "%u000000000\nimc_counts[0][0][\"%s\"][%u] = %u\n",
			    k ? "b" : "a", i, i, k ? "b" : "a", i,
			    (i + 1 - k) / 2, k ? "Y" : "X", i,
			    (i + 1 - k) / 2 * (k ? 60 : 180));
	}
	return text;
}

/* 180 of 240 a second and a half: 240 is beyond what a percentage can be. */
static void
a_ratio_of_events_of_two_sets_has_a_line(void **state)
{
	char words[300];

	(void)state;
	snprintf(words, sizeof words, "page -M %s", test_put("x.metrics",
	    "metric share box \"%\" \"\" range 0 100\n"
	    "	= 100 * imc[\"X\"] / (imc[\"X\"] + imc[\"Y\"])\n"));
	holds(said(EXIT_OK, cmd_page, words, of_two_sets()),
	    "\"f\":75,\"k\":75");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_says_of_which_unit_it_is),
		cmocka_unit_test(numa_nodes_that_share_a_package_have_lines),
		cmocka_unit_test(what_adds_up_may_be_stacked_and_no_ratio),
		cmocka_unit_test(a_ratio_weighs_what_it_is_divided_by),
		cmocka_unit_test(nothing_to_divide_by_is_no_doubt),
		cmocka_unit_test(the_date_is_that_of_the_beginning),
		cmocka_unit_test(phases_are_bands_with_their_names),
		cmocka_unit_test(an_estimate_has_a_band_of_its_standard_error),
		cmocka_unit_test(a_ratio_of_events_of_two_sets_has_a_line),
		cmocka_unit_test(a_range_has_the_phases_that_are_in_it),
		cmocka_unit_test(
		    what_has_no_room_is_said_with_the_command_that_gives_it),
	};

	return cmocka_run_group_tests_name("page_lines", tests, test_dir_new,
	    test_dir_free);
}
