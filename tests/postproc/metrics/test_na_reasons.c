/*
 * tests/postproc/metrics/test_na_reasons.c - what is n/a says why, wherever it is printed.
 */
#include "tests/lib/tally_command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/formula/expr.h"

#define SECOND(i) "tsc[" #i "] = 1" #i "000000000\n" \
	"walltime[0][" #i "] = 100" #i "\nwalltime[1][" #i "] = 0\n"
#define HEAD "host = \"n\"\nmodel = \"skx\"\nTSC_ratio = 10\npackages = 2\n" \
	"nr_cpus = 2\nlproc_package[0] = 0\nlproc_package[1] = 1\n" \
	"lproc_online[0] = 1\nlproc_online[1] = 1\n"

/* GOOD is counted on lproc 0 alone; STILL counts nothing; BACK runs backwards
 * (a reset); a temperature is declared and never read. */
static const char dump[] = HEAD "two[0] = 1\ntwo[1] = 2\n"
    "prochot_temperature = {}\n"
#define ROW(i, good, back) SECOND(i) "core_counts[0][\"GOOD\"][" #i "] = " \
	#good "\ncore_counts[0][\"STILL\"][" #i "] = 5\n" \
	"core_counts[0][\"IDLE\"][" #i "] = 7\n" \
	"core_counts[0][\"BACK\"][" #i "] = " #back "\n"
    ROW(0, 100, 900000000000) ROW(1, 200, 100) ROW(2, 300, 0);

#define BY_ZERO "what it is divided by was 0"
#define BY_STILL "divided by core[\"\"STILL\"\"], which was 0"

static const struct reason {
	int line;
	const char *scope, *formula, *words;
} reasons[] = {
	{ __LINE__, "node", "core[\"GOOD\"] / core[\"STILL\"]", BY_STILL },
	{ __LINE__, "node", "1 + core[\"GOOD\"] / (core[\"STILL\"] * 3)",
	    BY_STILL },
	{ __LINE__, "node", "- sum(core[\"GOOD\"] / core[\"STILL\"])",
	    BY_STILL },
	{ __LINE__, "node", "core[\"GOOD\"] / (core[\"STILL\"] / 1000)",
	    BY_STILL },
	{ __LINE__, "node", "core[\"GOOD\"] / (2 * core[\"STILL\"] / time)",
	    BY_STILL },
	{ __LINE__, "node", "1 / (core[\"STILL\"] + core[\"STILL\"])",
	    BY_STILL },
	{ __LINE__, "node", "1 / (core[\"STILL\"] + 2 * core[\"IDLE\"])",
	    "divided by core[\"\"STILL\"\"] and others, which were 0" },
	/* which of these was 0 is not known, or it was none */
	{ __LINE__, "node", "1 / (core[\"STILL\"] * core[\"GOOD\"])", BY_ZERO },
	{ __LINE__, "node", "1 / (core[\"GOOD\"] - core[\"GOOD\"])", BY_ZERO },
	{ __LINE__, "node", "1 / (core[\"GOOD\"] > 1e9)", BY_ZERO },
	{ __LINE__, "node", "1 / max(0, core[\"STILL\"])", BY_ZERO },
	{ __LINE__, "node", "1 / sum(core[\"STILL\"])", BY_ZERO },
	{ __LINE__, "node", "1 / count(core[\"STILL\"] / 0)", BY_ZERO },
	{ __LINE__, "node", "1 / if(core[\"GOOD\"] > 1, 0, core[\"STILL\"])",
	    BY_ZERO },
	{ __LINE__, "node", "1 / (core[\"STILL\"] + if(core[\"GOOD\"] > 1, 0, 1))",
	    BY_ZERO },
	{ __LINE__, "node", "core[\"BACK\"]", "core[\"\"BACK\"\"]: no delta of "
	    "it is a count (tally check says why)" },
	{ __LINE__, "node", "thread(5, core[\"GOOD\"])",
	    "no core[\"\"GOOD\"\"] here" },
	{ __LINE__, "node", "two", "the dump's head has not one two for it" },
	{ __LINE__, "node", "core[\"NEVER\"]", "missing core[\"\"NEVER\"\"]" },
	{ __LINE__, "node", "first(1 / 0, core[\"BACK\"])", "core[\"\"BACK\"\"]"
	    ": no delta of it" },
	{ __LINE__, "node", "if(core[\"BACK\"] > 0, 1, 2)", "core[\"\"BACK\"\"]"
	    ": no delta of it" },
};

static char *
with(const char *words, const char *scope, const char *formula)
{
	static char buf[400];
	char text[300];

	snprintf(text, sizeof text, "metric x %s \"u\" \"\" = %s\n", scope,
	    formula);
	snprintf(buf, sizeof buf, "%s -M %s", words,
	    test_put("x.metrics", text));
	return buf;
}

static void
each_reason_stands_beside_the_figure_in_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
		const struct reason *r = &reasons[i];
		char *text = said(EXIT_OK, cmd_metrics,
		    with("metrics -S node -f csv", r->scope, r->formula), dump);

		if (strstr(text, ",x,node,,,u,") == NULL ||
		    strstr(text, r->words) == NULL)
			fail_msg("line %d: %s", r->line, text);
		free(text);
	}
	/* of an lproc that has no column of it, beside one that has */
	holds(said(EXIT_OK, cmd_metrics, with("metrics -S package -f csv",
	    "lproc", "core[\"GOOD\"]"), dump),
	    "x,package,1,,u,0,\"no core[\"\"GOOD\"\"] here\"");
}

static void
a_figure_that_is_there_has_no_reason(void **state)
{
	(void)state;
	holds(said(EXIT_OK, cmd_metrics, with("metrics -S node -f csv", "node",
	    "first(core[\"BACK\"], 1 / 0, core[\"GOOD\"])"), dump),
	    ",x,node,,200.0000,u,2,of 1 of 2 lprocs,\r");
	lacks(said(EXIT_OK, cmd_metrics, with("metrics -S node -f csv", "node",
	    "first(1 / 0, core[\"GOOD\"])"), dump), "divided");
}

static void
a_page_has_each_reason_once_below(void **state)
{
	char *text, *at;

	(void)state;
	text = said(EXIT_OK, cmd_report, with("report", "lproc",
	    "core[\"GOOD\"] / core[\"STILL\"]"), dump);
	at = strstr(text, "\nn/a: divided by core[\"STILL\"], which was 0: x\n");
	assert_non_null(at);
	assert_null(strstr(at + 1, "\nn/a: divided by"));
	/* package 1 has none of them, for another reason */
	assert_non_null(strstr(text, "\nn/a: no core[\"GOOD\"] here: x\n"));
	free(text);
	holds(said(EXIT_OK, cmd_report, with("report -f csv", "lproc",
	    "core[\"GOOD\"] / core[\"STILL\"]"), dump),
	    "x,x,node,,,u,0,\"" BY_STILL "\"");
	lacks(said(EXIT_OK, cmd_report, with("report", "lproc",
	    "core[\"GOOD\"]"), HEAD ROW(0, 1, 1)
	    "core_counts[1][\"GOOD\"][0] = 1\n" ROW(1, 2, 2)
	    "core_counts[1][\"GOOD\"][1] = 2\n"), "n/a:");
}

#define NONE(name) "metric " name " node \"u\" \"\" = core[\"GOOD\"] / " \
	"core[\"STILL\"]\n"

static void
metrics_of_a_reason_go_on_in_a_second_line(void **state)
{
	char words[200];

	(void)state;
	snprintf(words, sizeof words, "report -M %s", test_put("x.metrics",
	    NONE("a_name_of_23_characters") NONE("b_name_of_20_letters")
	    NONE("c_name")));
	holds(said(EXIT_OK, cmd_report, words, dump),
	    "\nn/a: divided by core[\"STILL\"], which was 0: "
	    "a_name_of_23_characters,\n     b_name_of_20_letters, c_name\n");
	    /* 80 columns */
}

/* 4 GB through part 0 of a stack; no other direction is counted. */
static const char io[] = "host = \"n\"\nmodel = \"icx\"\nTSC_ratio = 10\n"
    "packages = 1\nnr_cpus = 1\n"
    SECOND(0)
    "iio_counts[0][0][\"DATA_REQ_OF_CPU.MEM_WRITE.PART0\"][0] = 0\n"
    SECOND(1)
    "iio_counts[0][0][\"DATA_REQ_OF_CPU.MEM_WRITE.PART0\"][1] = 1000000000\n";

static void
a_page_of_io_and_a_drawing_say_why_too(void **state)
{
	(void)state;
	holds(said(EXIT_OK, cmd_report, "report --io", io),
	    "\nn/a: missing iio[\"DATA_REQ_OF_CPU.MEM_READ.PART0\"]: "
	    "pcie_in_read_part0\n");
	holds(said(EXIT_OK, cmd_report, "report --io", io),
	    "\nn/a: missing the link's speed and width\n");
	holds(said(EXIT_OK, cmd_platform, "platform", io),
	    "\nn/a: missing iio[\"DATA_REQ_OF_CPU.MEM_READ.PART*\"]: "
	    "pcie_in_read");
}

static void
a_merge_says_of_whom_a_metric_is_not_and_why(void **state)
{
	char words[600], zero[] = HEAD ROW(0, 1, 1) ROW(1, 2, 2);
	char list[400], *at;

	(void)state;
	/* the second node's STILL counts */
	snprintf(list, sizeof list, "%s", with("merge -f csv", "lproc",
	    "core[\"GOOD\"] / core[\"STILL\"]"));
	snprintf(words, sizeof words, "%s %s", list, test_put("zero", zero));
	strcpy(strstr(zero, "\"n\""), "\"m\"");
	zero[strlen(zero)] = '\n';
	at = strstr(zero, "\"STILL\"][1] = 5");
	at[strlen("\"STILL\"][1] = ")] = '9';
	holds(said(EXIT_OK, cmd_merge, words, zero), "x,u,1,0.2500,0.2500,0.2500"
	    ",,\"1 incomplete (m); 1 n/a (n): " BY_STILL "\"\r\n");
}

static void
a_histogram_says_why_some_time_has_no_value(void **state)
{
	(void)state;
	holds(said(EXIT_OK, cmd_histogram, with("histogram -m x", "lproc",
	    "core[\"GOOD\"] / core[\"STILL\"]"), dump),
	    "0 values, 0.00 s; 2.00 s without a value (divided by "
	    "core[\"STILL\"], which was 0)\n");
	holds(said(EXIT_OK, cmd_histogram, with("histogram -f csv -m x",
	    "lproc", "core[\"GOOD\"] / core[\"STILL\"]"), dump),
	    ",\"" BY_STILL "\"\r\n");
}

static void
clocks_that_a_node_has_not_are_told_in_a_merge(void **state)
{
	(void)state;
	holds(said(EXIT_OK, cmd_merge, "merge", "host = \"n\"\n"
	    "imc_counts[0][0][\"CAS_COUNT.READS\"][0] = 1\n"
	    "imc_counts[0][0][\"CAS_COUNT.READS\"][1] = 2\n"),
	    "\nn/a: no wall clock, no TSC (Arm: generic timer) of that node in its dump\n");
}

static void
the_reason_survives_a_formula(void **state)
{
	double v = na(NA_HEAD, 4711);
	uint32_t input = 0;

	(void)state;
	assert_true(isnan(v));
	assert_int_equal(na_why(v, &input), NA_HEAD);
	assert_int_equal(input, 4711);
	v = -v;
	assert_int_equal(na_why(v, &input), NA_HEAD);
	assert_int_equal(input, 4711);
	assert_int_equal(na_why(NAN, NULL), NA_UNTOLD);
	assert_int_equal(na_why(0.0 / (double)(state == NULL), NULL), NA_UNTOLD);
	assert_int_equal(na_why(3, NULL), NA_UNTOLD);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_reason_stands_beside_the_figure_in_rows),
		cmocka_unit_test(a_figure_that_is_there_has_no_reason),
		cmocka_unit_test(a_page_has_each_reason_once_below),
		cmocka_unit_test(metrics_of_a_reason_go_on_in_a_second_line),
		cmocka_unit_test(a_page_of_io_and_a_drawing_say_why_too),
		cmocka_unit_test(a_merge_says_of_whom_a_metric_is_not_and_why),
		cmocka_unit_test(a_histogram_says_why_some_time_has_no_value),
		cmocka_unit_test(
		    clocks_that_a_node_has_not_are_told_in_a_merge),
		cmocka_unit_test(the_reason_survives_a_formula),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
