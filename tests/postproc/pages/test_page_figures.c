/*
 * tests/postproc/pages/test_page_figures.c - one figure, one value: what a page says of a metric
 * for all samples is what tally metrics does, though its points are of parts.
 */
#include "tests/lib/tally_command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A dump of a simulated machine, 30 samples of it; its path. */
static const char *
run(const char *machine, const char *options)
{
	static char path[600];
	char tallyd[512], command[2000];

	snprintf(path, sizeof path, "%s/%s.lua", test_dir, machine);
	snprintf(command, sizeof command, "%s -q --sim @%s --virtual-time -n 30 "
	    "%s --overwrite -o %s", built("tallyd", tallyd), machine, options,
	    path);
	assert_int_equal(system(command), 0);
	return path;
}

static char *
say(int (*cmd)(int, char **), const char *words, const char *path)
{
	char all[800];

	snprintf(all, sizeof all, "%s %s", words, path);
	return said(EXIT_OK, cmd, all, NULL);
}

/* The names of the data's metrics, in their order. */
static unsigned
metric_names(const char *data, char (*name)[64], unsigned room)
{
	const char *at = strstr(data, "\"metrics\":["), *end;
	unsigned n = 0;

	assert_non_null(at);
	end = strstr(at, "\"lines\":[");
	while ((at = strstr(at, "{\"name\":\"")) != NULL && at < end) {
		at += strlen("{\"name\":\"");
		assert_true(n < room);
		snprintf(name[n++], 64, "%.*s", (int)strcspn(at, "\""), at);
	}
	return n;
}

/* Is a line's figure what a row of tally metrics has?  *compared: there is one. */
static bool
agrees(const char *rows, const char *host, const char *metric,
    const char *line, unsigned *compared)
{
	char key[200], scope[20], where[40] = "";
	const char *row, *f = strstr(line, "\"f\":");
	double want, is;

	assert_non_null(f);
	if (sscanf(strstr(line, "\"s\":"), "\"s\":\"%19[a-z]\",\"w\":\"%39[0-9]",
	    scope, where) < 1)
		return false;
	snprintf(key, sizeof key, "\n%s,%s,%s,%s,", host, metric, scope, where);
	if ((row = strstr(rows, key)) == NULL)
		return true;
	++*compared;
	row += strlen(key);
	if (strncmp(row, "n/a", 3) == 0 || row[0] == ',')
		return strncmp(f, "\"f\":null", 8) == 0;
	want = strtod(row, NULL);
	is = strtod(f + 4, NULL);
	return fabs(is - want) <= 6e-5 * fmax(1, fabs(want));
}

static void
the_figures_of_lines_are_those_of_metrics(void **state)
{
	static const struct {
		int line;
		const char *machine, *options, *host;
	} run_of[] = {
		{ __LINE__, "skx-8160-2s", "-c @hpc", "c591-803" },
		{ __LINE__, "genoa-9654-2s", "", "genoa-9654" },
		{ __LINE__, "spr-9480-2s", "", "spr-9480" },
	};
	static char name[600][64];

	(void)state;
	for (size_t i = 0; i < sizeof run_of / sizeof *run_of; i++) {
		const char *path = run(run_of[i].machine, run_of[i].options);
		char *page = say(cmd_page, "page", path);
		char *rows = say(cmd_metrics, "metrics -f csv -S package,node",
		    path);
		unsigned n = metric_names(page, name, 600), compared = 0;
		char *at = strstr(page, "\"lines\":["), *end;

		for (; (at = strstr(at, "{\"m\":")) != NULL; at = end) {
			unsigned m = (unsigned)strtoul(at + 5, NULL, 10);

			end = at + strcspn(at, "}");
			assert_true(m < n);
			if (!agrees(rows, run_of[i].host, name[m], at, &compared))
				fail_msg("line %d: %s: %.80s", run_of[i].line,
				    name[m], at);
		}
		if (compared < 80)
			fail_msg("line %d: %u figures", run_of[i].line, compared);
		free(page);
		free(rows);
	}
}

/* Reads and writes of DRAM by turns, reads first; how busy the lproc is always counts. */
static void
what_always_counts_has_a_value_of_each_sample(void **state)
{
	char *text, *dump = NULL;
	size_t size;
	FILE *f = open_memstream(&dump, &size);

	(void)state;
	assert_non_null(f);
	fputs("host = \"n\"\nmodel = \"skx\"\nTSC_ratio = 10\npackages = 1\n"
	    "nr_cpus = 1\nlproc_package[0] = 0\nlproc_online[0] = 1\n"
	    "set_name[0] = \"a\"\nset_name[1] = \"b\"\n"
	    "event_set[\"imc_counts\"][\"CAS_COUNT.RD\"] = \"a\"\n"
	    "event_set[\"imc_counts\"][\"CAS_COUNT.WR\"] = \"b\"\n", f);
	for (unsigned i = 0; i < 6; i++)
		fprintf(f, "tsc[%u] = 1%u000000000\nwalltime[0][%u] = 100%u\n"
		    "walltime[1][%u] = 0\nset_enabled[\"a\"][%u] = %u000000000"
		    "\nset_enabled[\"b\"][%u] = %u000000000\n"
		    "set_running[\"a\"][%u] = %u000000000\n"
		    "set_running[\"b\"][%u] = %u000000000\n"
		    "mperf[0][%u] = %u\n"
		    "imc_counts[0][0][\"CAS_COUNT.RD\"][%u] = %u\n"
		    "imc_counts[0][0][\"CAS_COUNT.WR\"][%u] = 0\n", i, i, i, i,
		    i, i, i, i, i, i, (i + 1) / 2, i, i / 2, i,
		    i * i * 10000000, i, (i + 1) / 2 * 15625000, i);
	assert_int_equal(fclose(f), 0);
	text = said(EXIT_OK, cmd_page, "page", dump);
	free(dump);
	/* five intervals, the last of no whole round */
	assert_non_null(strstr(text, "\"first\":[0,1,2,3,4],\n"
	    "\"last\":[1,2,3,4,5]"));
	/* 1, 3, 5, 7 and 9 % busy, */
	assert_non_null(strstr(text, "\"v\":\"AACAPwAAQEAAAKBAAADgQAAAEEE=\""));
	/* and 1 GB/s in each interval of a round, then nothing that is known */
	holds(text, "\"v\":\"AACAPwAAgD8AAIA/AACAPwAAwH8=\"");
}

/* Each of these in a text, one behind the other. */
static void
in_order(const char *text, const char *const *what)
{
	for (; *what != NULL; what++) {
		const char *at = strstr(text, *what);

		if (at == NULL)
			fail_msg("%s is not there, or not in its place", *what);
		text = at + 1;
	}
}

static void
what_was_found_is_first_then_the_drawing_and_six_timelines(void **state)
{
	static const char *const clean[] = { "<h1>genoa-9654</h1>",
		"class=\"verdict good\">Data sound: 29 intervals, nothing left "
		"out; tally check finds nothing; of ", " rules of tally why none "
		"holds.", "<svg id=\"platform\"", "<p class=\"legend\">",
		"<strong>Busy</strong> <span>%</span>",
		"<strong>Floating point</strong> <span>GFLOP/s</span>",
		"<strong>DRAM</strong> <span>GB/s</span>",
		"<strong>Power</strong> <span>W</span>",
		"<strong>Frequency</strong> <span>GHz</span>",
		"<strong>I/O</strong> <span>GB/s</span>", "id=\"figures\"",
		"id=\"h-time\"", "id=\"h-checks\"", NULL };
	static const char *const limited[] = { "nothing left out; tally check "
		"finds nothing.</p>", "<li><strong>DRAM moves nearly as much as "
		"it can</strong> (<span data-first=\"18\" data-last=\"29\">"
		"samples 18 to 29</span>): package 0: ", " s judged (38 %) <span "
		"class=\"soft advice\">Use data longer while it is in the caches",
		"<svg id=\"platform\"", NULL };
	char *text = say(cmd_page, "page", run("genoa-9654-2s", ""));

	(void)state;
	in_order(text, clean);
	free(text);
	text = say(cmd_page, "page", run("skx-8160-2s", ""));
	in_order(text, limited);
	free(text);
}

static void
memory_on_the_package_is_beside_the_other(void **state)
{
	static const char *const both[] = { "<strong>Memory</strong> <span>GB/s"
		"</span>", "</i> DRAM 0 <strong>", "</i> DRAM 1 <strong>",
		"</i> HBM 0 <strong>301.9</strong>", "</i> HBM 1 <strong>301.9"
		"</strong>", NULL };
	char *text = say(cmd_page, "page", run("spr-9480-2s", ""));

	(void)state;
	in_order(text, both);
	free(text);
}

/* 22906 MB/s are not "2.291e+04". */
static void
large_figures_are_whole_numbers(void **state)
{
	char *text = say(cmd_page, "page", run("spr-9480-2s", ""));

	(void)state;
	assert_non_null(strstr(text, "</i> in 0 <strong>22906</strong>"));
	assert_non_null(strstr(text, "</i> out 1 <strong>8642</strong>"));
	free(text);
}

/* What is the rest of another, or its inverse, has no chart beside it. */
static void
what_says_the_same_is_folded(void **state)
{
	static const char *const same[] = { "{\"name\":\"idle\"",
		"\"as\":\"utilisation\"", "{\"name\":\"halted\"",
		"\"as\":\"utilisation\"", "{\"name\":\"user_time\"",
		"\"as\":\"kernel_time\"", NULL };
	char *text = say(cmd_page, "page", run("skx-8160-2s",
	    "-c @original-skx"));

	(void)state;
	in_order(text, same);
	free(text);
}

/* 250 and 500 of 1000 cycles. */
static void
an_axis_has_round_values_beside_it(void **state)
{
	static const char busy[] = "host = \"n\"\nmodel = \"skx\"\n"
	    "TSC_ratio = 10\npackages = 1\nnr_cpus = 1\n"
	    "lproc_package[0] = 0\nlproc_online[0] = 1\n"
#define BUSY(i, cycles) "tsc[" #i "] = 1" #i "000000000\n" \
	"walltime[0][" #i "] = 100" #i "\nwalltime[1][" #i "] = 0\n" \
	"mperf[0][" #i "] = " #cycles "000000\n"
	    BUSY(0, 0) BUSY(1, 250) BUSY(2, 750);
	static const char *const ticks[] = { ">Busy</strong> <span>%</span>",
		">0</span>", ">20</span>", ">40</span>", ">60</span>", "<svg ",
		"y1=\"4.0\" y2=\"4.0\"", NULL };
	char *text = said(EXIT_OK, cmd_page, "page", busy);

	(void)state;
	in_order(text, ticks);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_figures_of_lines_are_those_of_metrics),
		cmocka_unit_test(what_always_counts_has_a_value_of_each_sample),
		cmocka_unit_test(
		    what_was_found_is_first_then_the_drawing_and_six_timelines),
		cmocka_unit_test(memory_on_the_package_is_beside_the_other),
		cmocka_unit_test(large_figures_are_whole_numbers),
		cmocka_unit_test(what_says_the_same_is_folded),
		cmocka_unit_test(an_axis_has_round_values_beside_it),
	};

	return cmocka_run_group_tests_name("page figures", tests, test_dir_new,
	    test_dir_free);
}
