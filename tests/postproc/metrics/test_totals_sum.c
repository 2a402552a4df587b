/*
 * tests/postproc/metrics/test_totals_sum.c - counts added up over cores, packages and the node, and
 * taken out of a dump by grep and awk, against what the original prints.
 */
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

/* The number behind `name` at the start of a line. */
static uint64_t
number_of(const char *text, const char *name)
{
	const char *p;
	char line[200];

	snprintf(line, sizeof(line), "\n%s = ", name);
	if ((p = strstr(text, line)) == NULL)
		fail_msg("no line%s", line);
	return strtoull(p + strlen(line), NULL, 10);
}

/* Rows `fixed_all`, AllCoreDelta; `reads` and `writes`: a package, or the node. */
static void
sums_are_those_of(const char *samples, const char *report)
{
	static const struct { const char *kind, *event; } imc[] = {
		{ "reads", "CAS_COUNT.READS" }, { "writes", "CAS_COUNT.WRITES" } };
	struct table t;
	char path[512], words[700], name[200], *text;
	unsigned n = 0;

	snprintf(words, sizeof(words), "totals -s %s --sum node,package %s",
	    samples, recording(path));
	text = said(EXIT_OK, cmd_totals, words, NULL);
	table_open(&t, report);
	for (; table_next(&t, "fixed_all"); n++) {
		snprintf(name, sizeof(name), "core_fixed_counts_node_total"
		    "[\"%s\"]", t.cell[1]);
		assert_int_equal(number_of(text, name),
		    strtoull(t.cell[2], NULL, 10));
	}
	fclose(t.f);
	for (unsigned i = 0; i < 2; i++) {
		table_open(&t, report);
		for (; table_next(&t, imc[i].kind); n++) {
			if (t.cell[0][0] == '\0')
				snprintf(name, sizeof(name), "imc_counts_node_"
				    "total[\"%s\"]", imc[i].event);
			else
				snprintf(name, sizeof(name), "imc_counts_"
				    "package_total[%s][\"%s\"]", t.cell[0],
				    imc[i].event);
			assert_int_equal(number_of(text, name),
			    strtoull(t.cell[1], NULL, 10));
		}
		fclose(t.f);
	}
	assert_int_equal(n, 3 + 2 * 3);
	free(text);
}

static void
sums_of_all_cores_and_channels_are_the_originals(void **state)
{
	(void)state;
	sums_are_those_of("0:17", "tests/data/original/report-0-17.tsv");
	sums_are_those_of("19:29", "tests/data/original/report-19-29.tsv");
}

/* lprocs 0 and 48 are core 0 of package 0 by the original's own rule. */
static void
a_core_is_the_sum_of_its_threads_and_an_lproc_is_as_it_stands(void **state)
{
	char path[512], words[700], *text;
	uint64_t core;

	(void)state;
	snprintf(words, sizeof(words), "totals -s 19:29 -t interleaved "
	    "--sum lproc,core %s", recording(path));
	text = said(EXIT_OK, cmd_totals, words, NULL);
	core = number_of(text,
	    "core_fixed_counts_core_total[0][0][\"CPU_CLK_Unhalted.Ref\"]");
	assert_int_equal(core, number_of(text,
	    "core_fixed_counts_total[0][\"CPU_CLK_Unhalted.Ref\"]") +
	    number_of(text,
	    "core_fixed_counts_total[48][\"CPU_CLK_Unhalted.Ref\"]"));
	assert_null(strstr(text, "imc_counts"));
	free(text);
}

/* Sample 18: another tool took the counters of all 96 lprocs. */
static void
a_sum_says_how_many_of_its_columns_lack_what(void **state)
{
	char path[512], words[700];

	(void)state;
	snprintf(words, sizeof(words), "totals --sum node %s", recording(path));
	holds(said(EXIT_OK, cmd_totals, words, NULL),
	    "core_fixed_counts_node_left_out[\"Inst_Retired.Any\"] = \"96 of 96; "
	    "core_fixed_counts[0][\\\"Inst_Retired.Any\\\"]: 1 of 29 intervals: "
	    "reset, first at sample 18\"\n");
}

/* Lines of a shell's pipe. */
static unsigned
lines_of(const char *command, char *second, size_t size)
{
	FILE *f = popen(command, "r");
	char line[200];
	unsigned n = 0;

	assert_non_null(f);
	for (; fgets(line, sizeof(line), f) != NULL; n++)
		if (n == 1)
			snprintf(second, size, "%s", line);
	assert_int_equal(pclose(f), 0);
	return n;
}

/* The original's README, with a bracket more: a declaration is no sample. */
#define DELTAS "grep '^imc_counts\\[0\\]\\[0\\]\\[\"CAS_COUNT.READS\"\\]\\[' %s" \
	" | awk '{print $3}' | awk '{print $1-s; s=$1}'"

static void
grep_and_awk_find_the_deltas_of_a_channel(void **state)
{
	char path[512], tallyd[512], second[200], command[2000];

	(void)state;
	snprintf(command, sizeof(command), DELTAS, recording(path));
	assert_int_equal(lines_of(command, second, sizeof(second)), 30);
	assert_string_equal(second, "150095\n");
	snprintf(command, sizeof(command), "%s -q --virtual-time --sim "
	    "@skx-8160-2s -c @original -n 5 -o %s/run.lua",
	    built("tallyd", tallyd), test_dir);
	assert_int_equal(system(command), 0);
	snprintf(path, sizeof(path), "%s/run.lua", test_dir);
	snprintf(command, sizeof(command), DELTAS, path);
	assert_int_equal(lines_of(command, second, sizeof(second)), 5);
	assert_string_equal(second, "14672\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    sums_of_all_cores_and_channels_are_the_originals),
		cmocka_unit_test(a_core_is_the_sum_of_its_threads_and_an_lproc_is_as_it_stands),
		cmocka_unit_test(a_sum_says_how_many_of_its_columns_lack_what),
		cmocka_unit_test(grep_and_awk_find_the_deltas_of_a_channel),
	};
	return cmocka_run_group_tests_name("totals_sum", tests, test_dir_new,
	    test_dir_free);
}
