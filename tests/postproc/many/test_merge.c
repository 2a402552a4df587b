/*
 * tests/postproc/many/test_merge.c - tally merge, and that text, CSV and JSON say the same.
 */
#include "tests/lib/files.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postproc/commands.h"
#include "tests/lib/tally_command.h"

static char out[64];
static char node[5][64];

/* Node n reads 10 + n / 10 GB a second, but node 3 reads 20; its clock is 0.25 s
 * ahead of the others'. */
static int
write_nodes(void **state)
{
	test_dir_new(state);
	snprintf(out, sizeof out, "%s/out", test_dir);
	for (unsigned n = 0; n < 5; n++) {
		FILE *f;

		snprintf(node[n], sizeof node[n], "%s/n%u.lua", test_dir, n);
		if ((f = fopen(node[n], "w")) == NULL)
			return -1;
		fprintf(f, "host = \"n%u.cluster\"\nTSC_ratio = 20\n"
		    "nr_cpus = 2\n", n);
		for (unsigned i = 0; i < 3; i++) {
			fprintf(f, "tsc[%u] = %llu\n", i,
			    99 + i * 2000000000ull);
			fprintf(f, "walltime[0][%u] = %u\nwalltime[1][%u] = "
			    "%u\n", i, 1000 + i, i, n == 3 ? 250000 : 0);
			fprintf(f, "imc_counts[0][0][\"CAS_COUNT.READS\"][%u] = "
			    "%llu\n", i, i * (n == 3 ? 200 : 100 + n) *
			    1562500ull);
		}
		fclose(f);
	}
	return 0;
}

/* What the command writes; its status in *status. */
static char *
run(int (*cmd)(int, char **), int *status, const char *format, char *extra,
    char *value, unsigned nodes)
{
	static char text[1 << 16];
	char *argv[16] = { (char *)"tally", (char *)"-f", (char *)format,
	    (char *)"--overwrite", (char *)"-o", out };
	int argc = 6;
	size_t n;
	FILE *f;

	if (extra != NULL) {
		argv[argc++] = extra;
		argv[argc++] = value;
	}
	for (unsigned i = 0; i < nodes; i++)
		argv[argc++] = node[i];
	optind = 0;
	*status = cmd(argc, argv);
	assert_non_null(f = fopen(out, "r"));
	n = fread(text, 1, sizeof text - 1, f);
	text[n] = '\0';
	fclose(f);
	return text;
}

static void
the_node_that_stands_out_is_named(void **state)
{
	char metric[] = "dram_read", option[] = "-m";
	int status;
	char *text = run(cmd_merge, &status, "csv", option, metric, 5);

	(void)state;
	assert_int_equal(status, EXIT_OK);
	assert_string_equal(text, "metric,unit,nodes,min,median,max,outliers,note\r\n"
	    "dram_read,GB/s,5,10.000,10.200,20.000,n3,\r\n");
}

static void
the_offset_of_the_clocks_is_stated(void **state)
{
	char metric[] = "dram_read", option[] = "-m";
	int status;
	char *text = run(cmd_merge, &status, "text", option, metric, 5);

	(void)state;
	assert_non_null(strstr(text, "n3    1000.250000  0.250000"));
	assert_non_null(strstr(text, "up to 0.250000 s apart"));
}

/* Both files are cut.  The first takes its process a hundred times as long. */
static void
what_is_said_of_files_stands_in_their_order(void **state)
{
	char path[2][80], words[300], *text, *first, *second;

	(void)state;
	for (unsigned n = 0; n < 2; n++) {
		FILE *f;

		snprintf(path[n], sizeof path[n], "%s/cut%u.lua", test_dir, n);
		assert_non_null(f = fopen(path[n], "w"));
		fprintf(f, "host = \"c%u\"\nTSC_ratio = 20\nnr_cpus = 1\n", n);
		for (unsigned i = 0; i < (n == 0 ? 30000 : 300); i++)
			fprintf(f, "tsc[%u] = %llu\nwalltime[0][%u] = %u\n"
			    "walltime[1][%u] = 0\n", i, 99 + i * 2000000000ull,
			    i, 1000 + i, i);
		fprintf(f, "tsc[9");
		fclose(f);
	}
	snprintf(words, sizeof words, "merge --jobs 2 %s %s", path[0], path[1]);
	text = complained(EXIT_OK, cmd_merge, words, NULL);
	first = strstr(text, "cut0.lua:90004: the file ends within this line");
	second = strstr(text, "cut1.lua:904: the file ends within this line");
	if (first == NULL || second == NULL || first > second)
		fail_msg("%s", text);
	free(text);
}

/* Words stand on the left of their column, numbers on the right of theirs. */
static void
the_columns_of_the_page_are_aligned(void **state)
{
	char metric[] = "dram_[rp]*", option[] = "-m";
	int status;
	char *text = run(cmd_merge, &status, "text", option, metric, 5);

	(void)state;
	assert_string_equal(text,
	    "node  stands out  most in                               sampled"
	    "  left out\n"
	    "         metrics                                              s"
	    "    deltas\n"
	    "n3             1  dram_read 20.000 GB/s, median 10.200     2.00"
	    "         0\n"
	    "n0             0                                           2.00"
	    "         0\n"
	    "n1             0                                           2.00"
	    "         0\n"
	    "n2             0                                           2.00"
	    "         0\n"
	    "n4             0                                           2.00"
	    "         0\n\n"
	    "metric      unit  nodes     min  median     max  outliers  note\n"
	    "dram_power  W         0     n/a     n/a     n/a            "
	    "missing rapl_dram_energy\n"
	    "dram_read   GB/s      5  10.000  10.200  20.000  n3\n\n"
	    "node        first    offset  time  samples       tsc  left_out\n"
	    "                s         s     s                GHz\n"
	    "n0    1000.000000  0.000000  2.00        3  2.000000         0\n"
	    "n1    1000.000000  0.000000  2.00        3  2.000000         0\n"
	    "n2    1000.000000  0.000000  2.00        3  2.000000         0\n"
	    "n3    1000.250000  0.250000  2.00        3  2.000000         0\n"
	    "n4    1000.000000  0.000000  2.00        3  2.000000         0\n"
	    "\nClocks: first samples are up to 0.250000 s apart, each by its "
	    "node's own wall clock.\n");
}

/* Where nobody asked for a metric, one that no node has is no line. */
static void
the_page_has_first_in_what_nodes_stand_out_and_no_line_of_nothing(void **state)
{
	int status;
	char *text = run(cmd_merge, &status, "text", NULL, NULL, 5);
	const char *metrics = strstr(text, "\nmetric ");

	(void)state;
	assert_memory_equal(text, "node  stands out", 16);
	assert_non_null(metrics);
	assert_memory_equal(strchr(metrics + 1, '\n'), "\ndram_read ", 11);
	assert_null(strstr(text, "dram_power"));
	assert_non_null(strstr(text, " of no node (-m '*' shows them, and "
	    "why)\n"));
	/* a program has all of them, as they are */
	text = run(cmd_merge, &status, "csv", NULL, NULL, 5);
	assert_non_null(strstr(text, "dram_power,W,0,,,,,"));
}

/* Each CPU has a list of metrics of its own: those of one name are one line,
 * and a node has no value of what its list lacks. */
static void
metrics_of_different_cpus_stand_side_by_side_by_name(void **state)
{
	char last[64];
	int status;
	char *text;

	(void)state;
	strcpy(last, node[4]);
	strcpy(node[4], test_put("grace.lua", "host = \"g\"\n"
	    "model = \"grace\"\nnr_cpus = 1\npackages = 1\n"
	    "tsc_hz = 1000000000\n"
	    "tsc[0] = 0\nwalltime[0][0] = 1\nwalltime[1][0] = 0\n"
	    "scf_counts[0][\"CYCLES\"][0] = 0\n"
	    "tsc[1] = 1000000000\nwalltime[0][1] = 2\nwalltime[1][1] = 0\n"
	    "scf_counts[0][\"CYCLES\"][1] = 1750000000\n"));
	text = run(cmd_merge, &status, "csv", NULL, NULL, 5);
	strcpy(node[4], last);
	assert_int_equal(status, EXIT_OK);
	assert_non_null(strstr(text,
	    "\r\ndram_read,GB/s,4,10.000,10.150,20.000,n3,\r\n"));
	assert_non_null(strstr(text,
	    "\r\nscf_freq,GHz,1,1.750,1.750,1.750,,\r\n"));
	assert_non_null(strstr(text, "\r\nkernel_time,%,0,,,,,\"missing "
	    "core[\"\"CPU_CLK_UNHALTED.THREAD_P:SUP\"\"]\"\r\n"));
}

static void
of_two_nodes_neither_stands_out_and_an_unreadable_one_is_left_out(void **state)
{
	char metric[] = "dram_read", option[] = "-m", name[64];
	int status;
	char *text;

	(void)state;
	strcpy(name, node[1]);
	strcpy(node[1], "/no/such/dump");
	text = run(cmd_merge, &status, "csv", option, metric, 3);
	strcpy(node[1], name);
	assert_int_equal(status, EXIT_FINDINGS);
	assert_non_null(strstr(text, "dram_read,GB/s,2,10.000,10.100,10.200,,\r"));
}

static void
nodes_whose_figures_lack_some_are_named(void **state)
{
	char metric[] = "dram_read", option[] = "-m", name[64], *text;
	FILE *f;
	int status;

	(void)state;
	/* the same as node 1, with a reset before the last second */
	strcpy(name, node[1]);
	snprintf(node[1], sizeof node[1], "%s/reset.lua", test_dir);
	assert_non_null(f = fopen(node[1], "w"));
	fprintf(f, "host = \"reset\"\nTSC_ratio = 20\nnr_cpus = 2\n");
	for (unsigned i = 0; i < 3; i++)
		fprintf(f, "tsc[%u] = %llu\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\nimc_counts[0][0]"
		    "[\"CAS_COUNT.READS\"][%u] = %llu\n", i,
		    99 + i * 2000000000ull, i, 1000 + i, i, i,
		    (i == 2 ? 0 : 900 + i) * 101 * 1562500ull);
	fclose(f);
	text = run(cmd_merge, &status, "csv", option, metric, 3);
	strcpy(node[1], name);
	if (strstr(text, "dram_read,GB/s,3,10.000,10.100,10.200,,"
	    "1 incomplete (reset)\r\n") == NULL)
		fail_msg("%s", text);
}

static void
outliers_that_have_no_room_are_counted(void **state)
{
	enum { NODES = 25, FAR = 12 };
	char path[NODES][80], *argv[NODES + 9] = { (char *)"merge",
	    (char *)"--overwrite", (char *)"-f", (char *)"csv", (char *)"-o",
	    out, (char *)"-m", (char *)"dram_read" }, *text;

	(void)state;
	for (unsigned n = 0; n < NODES; n++) {
		FILE *f;

		snprintf(path[n], sizeof path[n], "%s/many%u", test_dir, n);
		assert_non_null(f = fopen(path[n], "w"));
		fprintf(f, "host = \"%0200u\"\nTSC_ratio = 20\nnr_cpus = 2\n",
		    n);
		for (unsigned i = 0; i < 2; i++)
			fprintf(f, "tsc[%u] = %llu\nimc_counts[0][0]"
			    "[\"CAS_COUNT.READS\"][%u] = %u\n", i,
			    i * 2000000000ull, i, i * (n < FAR ? 200 : 100));
		fclose(f);
		argv[8 + n] = path[n];
	}
	optind = 0;
	assert_int_equal(cmd_merge(8 + NODES, argv), EXIT_OK);
	text = file_text(out, NULL);
	/* ten of 200 letters and nine blanks */
	assert_non_null(strstr(text, "0009 and 2 more,\r\n"));
	free(text);
}

/* Two processes: the first has a long dump to read before that of node 1, the second
 * begins with the copy of it.  Where there is no file "none", the first process notes it
 * after the copy. */
static void
of_two_files_of_the_same_samples_the_later_named_one_is_left_out(void **state)
{
	char slow[64], copy[64], words[400], want[400], *text, *said;
	char *bytes = file_text(node[1], NULL);
	FILE *f;

	(void)state;
	snprintf(copy, sizeof copy, "%s", test_put("copy.lua", bytes));
	free(bytes);
	snprintf(slow, sizeof slow, "%s/slow.lua", test_dir);
	assert_non_null(f = fopen(slow, "w"));
	fprintf(f, "host = \"slow\"\nTSC_ratio = 20\nnr_cpus = 2\n");
	for (unsigned i = 0; i < 20000; i++)
		fprintf(f, "tsc[%u] = %llu\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\nimc_counts[0][0]"
		    "[\"CAS_COUNT.READS\"][%u] = %u\n", i,
		    99 + i * 2000000000ull, i, 1000 + i, i, i, i);
	fclose(f);
	snprintf(words, sizeof words, "summarize --jobs 2 %s %s none %s %s last",
	    slow, node[1], copy, node[0]);
	said = complained(EXIT_FINDINGS, cmd_summarize, words, NULL);
	/* in the order in which they were named */
	snprintf(want, sizeof want, "tally: none: No such file or directory\n"
	    "tally: %s: left out: the same samples of n1 are in another file\n"
	    "tally: last: No such file or directory\n", copy);
	if (strcmp(said, want) != 0)
		fail_msg("%s", said);
	text = file_text(out, NULL);
	for (unsigned i = 0; i < 3; i++) {
		const char *file[] = { slow, node[1], node[0] };

		snprintf(want, sizeof want, "\nnode_file[%u] = \"%s\"\n", i,
		    file[i]);
		if (strstr(text, want) == NULL)
			fail_msg("%snot in %s", want, text);
	}
	assert_null(strstr(text, copy));
	free(text);
	free(said);
}

/* All numbers of a text that have a decimal point, in order. */
static void
numbers(const char *p, char *to)
{
	*to = '\0';
	for (; *p != '\0'; p++) {
		size_t n = strspn(p, "0123456789.");

		if (n == 0)
			continue;
		if (memchr(p, '.', n) != NULL && n > 2)
			sprintf(to + strlen(to), "%.*s ", (int)n, p);
		p += n - 1;
	}
}

static void
a_metric_that_no_node_has_is_refused(void **state)
{
	static const char *const name[] = { "dram_raed", "withheld_*" };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		char metric[24], file[] = "-M", path[64], said[300];
		char *argv[] = { (char *)"merge", (char *)"-o", out,
		    (char *)"-m", metric, file, path, node[0], node[1], NULL };
		int err = dup(STDERR_FILENO);
		FILE *f;

		snprintf(metric, sizeof metric, "%s", name[i]);
		snprintf(path, sizeof path, "%s", test_put("m.metrics",
		    "metric m node \"u\" \"\" = 1\n"
		    "withheld withheld_one \"it would mislead\"\n"));
		snprintf(said, sizeof said, "%s/said", test_dir);
		remove(out);
		assert_non_null(freopen(said, "w", stderr));
		optind = 0;
		assert_int_equal(cmd_merge(9, argv), EXIT_UNUSABLE);
		fflush(stderr);
		dup2(err, STDERR_FILENO);
		close(err);
		/* not a table of the nodes alone */
		assert_int_equal(access(out, F_OK), -1);
		assert_non_null(f = fopen(said, "r"));
		assert_non_null(fgets(said, sizeof said, f));
		fclose(f);
		assert_non_null(strstr(said, i == 0 ? "n0.lua: no metric "
		    "\"dram_raed\"; did you mean dram_read? (" :
		    "n0.lua: metric withheld_* is not offered: it would "
		    "mislead\n"));
	}
}

static void
text_csv_and_json_have_the_same_numbers(void **state)
{
	static const char *const format[] = { "text", "csv", "json" };
	static char seen[3][1 << 14];
	char metric[] = "d*", option[] = "-m";

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		int status;

		numbers(run(cmd_metrics, &status, format[i], option, metric,
		    5), seen[i]);
		assert_int_equal(status, EXIT_OK);
		assert_true(strlen(seen[i]) > 70);
	}
	assert_string_equal(seen[0], seen[1]);
	assert_string_equal(seen[1], seen[2]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_node_that_stands_out_is_named),
		cmocka_unit_test(the_offset_of_the_clocks_is_stated),
		cmocka_unit_test(what_is_said_of_files_stands_in_their_order),
		cmocka_unit_test(the_columns_of_the_page_are_aligned),
		cmocka_unit_test(the_page_has_first_in_what_nodes_stand_out_and_no_line_of_nothing),
		cmocka_unit_test(
		    metrics_of_different_cpus_stand_side_by_side_by_name),
		cmocka_unit_test(
		    of_two_nodes_neither_stands_out_and_an_unreadable_one_is_left_out),
		cmocka_unit_test(outliers_that_have_no_room_are_counted),
		cmocka_unit_test(
		    of_two_files_of_the_same_samples_the_later_named_one_is_left_out),
		cmocka_unit_test(nodes_whose_figures_lack_some_are_named),
		cmocka_unit_test(a_metric_that_no_node_has_is_refused),
		cmocka_unit_test(text_csv_and_json_have_the_same_numbers),
	};

	return cmocka_run_group_tests(tests, write_nodes, test_dir_free);
}
