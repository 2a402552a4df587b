/*
 * tests/postproc/pages/test_node_view.c - views, the texts that say what a report shows
 * of a node (config/page/README): mistakes in them, views that include views, which rows
 * are folded, and how boxes with the same value share a line.
 */
#include "tests/lib/tally_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/metrics/node_view.h"

static void
a_mistake_in_a_view_is_named_with_its_place(void **state)
{
	static const struct {
		int line;
		const char *text, *words;
	} t[] = {
		{ __LINE__, "rows x", "v.view:1:1: `heading`, `row`, `boxes`, "
		    "`include` or another statement of views expected" },
		{ __LINE__, "heading Memory", "v.view:1:9: a title, in quotes" },
		{ __LINE__, "heading \"M\" 1", "the end of the statement" },
		{ __LINE__, "row \"ipc\" 1 \"t\"", "a metric's name expected" },
		{ __LINE__, "row ipc \"t\"", "decimals, 0 to 9, expected" },
		{ __LINE__, "row ipc 1.5 \"t\"", "decimals, 0 to 9, expected" },
		{ __LINE__, "row ipc 10 \"t\"", "decimals, 0 to 9, expected" },
		{ __LINE__, "row ipc 1 title", "a title, in quotes, expected" },
		{ __LINE__, "row ipc 1 \"t\" never", "v.view:1:15: `more`, "
		    "`rare`, `above` or `without` expected" },
		{ __LINE__, "table here box \"t\"", "v.view:1:7: `core`, `lproc`, "
		    "`device`, `busiest`, `parts`, " },
		{ __LINE__, "table core boxes \"t\"", "v.view:1:12: a scope "
		    "expected" },
		{ __LINE__, "table core core \"t\"\n\tipc \"IPC\"",
		    "v.view:2:6: decimals, 0 to 9, expected" },
		{ __LINE__, "table core core \"t\"\n\t\"IPC\"",
		    "v.view:2:2: a metric's name expected" },
		{ __LINE__, "still 1", "v.view:1:7: a metric's name expected" },
		{ __LINE__, "part beside box \"D\" \"\" ipc module x",
		    "v.view:1:35: a module, 0 to 99, expected" },
		{ __LINE__, "clock ipc 1 \"t\" beside", "a metric's name "
		    "expected" },
		{ __LINE__, "row ipc 1 \"t\" above", "a number expected" },
		{ __LINE__, "row ipc 1 \"t\"\n\twithout 1",
		    "v.view:2:10: a metric's name expected" },
		{ __LINE__, "include \"@nodes\"", "@nodes: no such built-in "
		    "text" },
		{ __LINE__, "include \"\"", "a view's name, in quotes, expected" },
		{ __LINE__, "boxes", "a metric's name expected" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		const char *path = test_put("v.view", t[i].text);
		struct node_view v;
		struct diag why;

		assert_true(node_view_load(&v, path, NULL, &why) < 0);
		if (strstr(why.text, t[i].words) == NULL)
			fail_msg("line %d: %s", t[i].line, why.text);
		node_view_fini(&v);
	}
}

static void
a_generation_has_a_view_of_its_own_that_includes_the_common_one(void **state)
{
	const char *const name[] = { "skx", "grace", "slm" };
	const enum view_kind kind[] = { VIEW_TRAFFIC, VIEW_GRID_ROW };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct node_view v;
		struct diag why;

		assert_int_equal(node_view_load(&v, test_put("v.view",
		    "include \"@node\"\n"), model_named(name[i]), &why), 0);
		assert_non_null(view_next(&v, VIEW_ROW, NULL));
		for (unsigned k = 0; k < 2; k++)
			assert_int_equal(view_next(&v, kind[k], NULL) != NULL,
			    k + 1 == i);
		node_view_fini(&v);
	}
}

static void
a_view_that_includes_itself_is_refused(void **state)
{
	char text[300];
	struct node_view v;
	struct diag why;
	const char *path = test_put("v.view", "");

	(void)state;
	snprintf(text, sizeof(text), "include \"%s\"\n", path);
	assert_true(node_view_load(&v, test_put("v.view", text), NULL, &why) < 0);
	assert_non_null(strstr(why.text, "v.view includes itself"));
	node_view_fini(&v);
}

/* A dump of packages with so many memory channels each.  reads: of each channel, in so
 * many reads of 64 bytes a second. */
static char *
channels_of(const unsigned reads[16], unsigned each, unsigned unit)
{
	static char text[8192];
	size_t n = (size_t)snprintf(text, sizeof(text), "host = \"n\"\n"
	    "model = \"skx\"\nTSC_ratio = 10\npackages = %u\n", 16 / each);

	for (int i = 0; i < 2; i++) {
		n += (size_t)snprintf(text + n, sizeof(text) - n,
		    "tsc[%d] = %d000000000\nwalltime[0][%d] = %d\n"
		    "walltime[1][%d] = 0\n", i, i, i, i, i);
		for (unsigned b = 0; b < 16; b++)
			n += (size_t)snprintf(text + n, sizeof(text) - n,
			    "imc_counts[%u][%u][\"CAS_COUNT.READS\"][%d] = %u\n"
			    "imc_counts[%u][%u][\"CAS_COUNT.WRITES\"][%d] = 0\n",
			    b / each, b % each, i, i * reads[b] * unit,
			    b / each, b % each, i);
	}
	return text;
}

/* Of two packages; 1 GB/s is 15,625,000 reads a second. */
static char *
channels(const unsigned reads[16])
{
	return channels_of(reads, 8, 15625000);
}

static void
boxes_that_are_alike_share_a_line(void **state)
{
	static const unsigned same[16] = { 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,
		5, 5, 5, 5 };
	static const unsigned packages[16] = { 20, 20, 20, 20, 20, 20, 20, 21,
		3, 3, 3, 3, 3, 3, 3, 3 };
	static const unsigned dead[16] = { 10, 10, 10, 0, 10, 10, 10, 10, 10,
		10, 10, 10, 10, 20, 10, 10 };
	static const unsigned idle[16] = { 14, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9,
		9, 9, 6 };
	static const unsigned all[16] = { 0, 2, 4, 6, 8, 10, 12, 14 };

	(void)state;
	holds(said(EXIT_OK, cmd_report, "report", channels(same)),
	    "\nBoxes (package/number)\n  DRAM GB/s       16 alike, 5.00\n");
	holds(said(EXIT_OK, cmd_report, "report", channels(packages)),
	    "\n  DRAM GB/s       pkg 0: 8 alike, 20.00 (0/0) to 21.00 (0/7)\n"
	    "  DRAM GB/s       pkg 1: 8 alike, 3.00\n");
	/* a thousandth of that: who reads the page sees no difference */
	holds(said(EXIT_OK, cmd_report, "report", channels_of(idle, 8, 15625)),
	    "\n  DRAM GB/s       16 alike, 0.01\n");
	holds(said(-1, cmd_report, "report", channels(dead)),
	    "\n  DRAM GB/s       pkg 0: 7 alike, 10.00; apart 0/3 0.00");
	holds(said(-1, cmd_report, "report", channels(dead)),
	    "\n  DRAM GB/s       pkg 1: 7 alike, 10.00; apart 1/5 20.00");
	holds(said(-1, cmd_report, "report", channels(all)),
	    "\n  DRAM GB/s       pkg 0: 8 differ, 0.00 (0/0) to 14.00 (0/7)\n");
}

/* Fifteen of a hundredth each are more than a tenth of the sixteenth. */
static void
boxes_are_quiet_that_count_little_together(void **state)
{
	static const unsigned few[16] = { 200, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
		1, 1, 1, 1 };
	static const unsigned many[16] = { 200, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
		2, 2, 2, 2 };

	(void)state;
	holds(said(-1, cmd_report, "report", channels_of(few, 16,
	    1562500)), "  DRAM GB/s       15 quiet, 0.10; apart 0/0 20.00");
	holds(said(-1, cmd_report, "report", channels_of(many, 16,
	    1562500)), "  DRAM GB/s       15 alike, 0.20; apart 0/0 20.00");
}

static void
all_shows_each_box_and_each_row(void **state)
{
	static const unsigned same[16] = { 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5,
		5, 5, 5, 5 };
	char *text = said(EXIT_OK, cmd_report, "report --all", channels(same));

	(void)state;
	assert_non_null(strstr(text, "\n  DRAM GB/s       1/0 5.00 1/1 5.00 "));
	/* a row with `more`, which only --all shows */
	assert_non_null(strstr(text, "\n  busiest channel over mean   %"));
	assert_null(strstr(text, "Folded"));
	free(text);
	text = said(EXIT_OK, cmd_report, "report", channels(same));
	assert_null(strstr(text, "busiest channel over mean"));
	assert_non_null(strstr(text, "(--all shows them)"));
	/* output for programs (csv) has every row, also without --all */
	free(text);
	holds(said(EXIT_OK, cmd_report, "report -f csv", channels(same)),
	    "busiest channel over mean,dram_imbalance,node,");
}

static void
a_page_without_boxes_has_no_heading_of_them(void **state)
{
	(void)state;
	lacks(said(EXIT_OK, cmd_report, "report", "host = \"n\"\n"
	    "model = \"skx\"\nTSC_ratio = 10\npackages = 1\ntsc[0] = 0\n"
	    "tsc[1] = 1000000000\nwalltime[0][0] = 0\nwalltime[1][0] = 0\n"
	    "walltime[0][1] = 1\nwalltime[1][1] = 0\n"
	    "mperf[0][0] = 0\nmperf[0][1] = 5\n"), "Boxes");
}

static void
a_view_of_the_users_own_is_shown(void **state)
{
	static const unsigned some[16] = { 5, 5 };
	const char *path = test_put("v.view", "heading \"Mine\"\n"
	    "row dram_write 3 \"written\" above 0\n"
	    "row dram_read 3 \"read\" without ipc\n"
	    "row dram_bandwidth 1 \"both\" without dram_read\n");
	char words[300], *text;

	(void)state;
	snprintf(words, sizeof(words), "report --view %s", path);
	text = said(EXIT_OK, cmd_report, words, channels(some));
	assert_non_null(strstr(text, "\nMine   "));
	assert_non_null(strstr(text, "\n  read                        GB/s      "
	    "  10.000    0.000   10.000\n"));
	assert_null(strstr(text, "written"));
	assert_null(strstr(text, "both"));
	assert_null(strstr(text, "Memory"));
	free(text);
	/* a second row of a metric takes the place of the first */
	snprintf(words, sizeof(words), "report --view %s", test_put("w.view",
	    "include \"@node\"\nrow dram_read 0 \"read, in short\"\n"));
	text = said(EXIT_OK, cmd_report, words, channels(some));
	assert_non_null(strstr(text, "\nMemory "));
	assert_non_null(strstr(text, "\n  read, in short              GB/s"));
	assert_null(strstr(text, "read bandwidth"));
	free(text);
}

/* Each model's view has the rows of software events, which the kernel counts. */
static void
what_the_kernel_counts_is_on_the_page_of_each_cpu(void **state)
{
	static const char *const model[] = { "zen4", "skx", "slm", "grace",
		"any" };
	char dump[600];

	(void)state;
	for (size_t i = 0; i < sizeof(model) / sizeof(model[0]); i++) {
		snprintf(dump, sizeof(dump), "host = \"n\"\nmodel = \"%s\"\n"
		    "packages = 1\nTSC_hz = 1000000000\n"
		    "tsc[0] = 0\nwalltime[0][0] = 0\nwalltime[1][0] = 0\n"
		    "software_counts[0][\"context-switches\"][0] = 0\n"
		    "tsc[1] = 1000000000\nwalltime[0][1] = 1\n"
		    "walltime[1][1] = 0\n"
		    "software_counts[0][\"context-switches\"][1] = 70\n",
		    model[i]);
		holds(said(EXIT_OK, cmd_report, "report", dump),
		    "\n  context switches            /s            70.0\n");
	}
}

/* Granite Rapids has no HBM, no stack that is known to be CBDMA, no DRAM clock of a rate that
 * is known, no activates that are known to be of both halves of a channel, and this node no
 * port of InfiniBand: its page lacks none of them.  Nor does Haswell's what is made of
 * floating-point operations, of which it has no event. */
static void
what_few_nodes_have_is_not_among_what_a_page_lacks(void **state)
{
	static const struct {
		const char *machine, *not_there;
	} t[] = {
		{ "gnr-6960p-2s", NULL },
		{ "hsx-2699-2s", "\nNot in this dump: memory_bound (tally "
		    "metrics says why)\n" },
	};
	char tallyd[512], line[900], *text;

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
		snprintf(line, sizeof(line), "%s -q --sim @%s --virtual-time "
		    "-c @hpc -n 3 --overwrite -o %s/few.lua", built("tallyd",
		    tallyd), t[i].machine, test_dir);
		assert_int_equal(system(line), 0);
		snprintf(line, sizeof(line), "report %s/few.lua", test_dir);
		text = said(EXIT_OK, cmd_report, line, NULL);
		if (t[i].not_there != NULL)
			text_has(text, t[i].not_there);
		else
			text_lacks(text, "Not in this dump");
		text_lacks(text, "hbm_");
		text_lacks(text, "mcp_");
		text_lacks(text, "net_");
		free(text);
		snprintf(line, sizeof(line), "metrics %s/few.lua", test_dir);
		text = said(EXIT_OK, cmd_metrics, line, NULL);
		text_has(text, t[i].not_there == NULL ?
		    "a count of activates that is known to be of both halves" :
		    "counts of floating-point operations, which a Haswell does "
		    "not have");
		free(text);
	}
}

/* At work an lproc of Genoa makes 4.8e9 instructions a second and misses the L2 6e6 times; one
 * of Grace has 0.75 misses of the last level; its memory is in the table of its traffic. */
static void
the_page_of_each_vendor_has_its_caches(void **state)
{
	static const struct {
		const char *machine, *row;
	} t[] = {
		{ "@genoa-9654-2s", "\n  L2 misses                   /kinst   "
		    "     1.25     1.25     1.25\n" },
		{ "@genoa-9654-2s -c @hpc", "\n  L2 hits, with prefetches    %"
		    "             74.1     74.1     74.1\n" },
		{ "@grace-2s -c @hpc", "\n  last level, read misses     /kinst  "
		    "      4.44     4.44     4.44\n" },
		/* 26.2 W of 31; 350 and 351 of 350 */
		{ "@dnv-c3958", "\n  package power               W         "
		    "    26.2\n    of its TDP                %               85\n" },
		{ "@spr-9480-2s", "\n    of its TDP                %     "
		    "         100      100      100\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char tallyd[512], line[900];

		snprintf(line, sizeof(line), "%s -q --overwrite --virtual-time "
		    "-n 26 -o %s/run.lua --sim %s", built("tallyd", tallyd),
		    test_dir, t[i].machine);
		assert_int_equal(system(line), 0);
		snprintf(line, sizeof(line), "report -s 16:24 %s/run.lua",
		    test_dir);
		holds(said(EXIT_OK, cmd_report, line, NULL), t[i].row);
	}
}

/* Of six lprocs nobody counted instructions. */
static void
lprocs_are_alike_in_what_was_counted(void **state)
{
	char text[2000];
	size_t n = (size_t)snprintf(text, sizeof(text), "host = \"n\"\n"
	    "model = \"skx\"\nTSC_ratio = 10\npackages = 1\n");

	(void)state;
	for (int i = 0; i < 2; i++) {
		n += (size_t)snprintf(text + n, sizeof(text) - n,
		    "tsc[%d] = %d000000000\nwalltime[0][%d] = %d\n"
		    "walltime[1][%d] = 0\n", i, i, i, i, i);
		for (unsigned k = 0; k < 6; k++)
			n += (size_t)snprintf(text + n, sizeof(text) - n,
			    "mperf[%u][%d] = %d00000000\n"
			    "aperf[%u][%d] = %d00000000\n", k, i, 5 * i, k, i,
			    6 * i);
	}
	holds(said(EXIT_OK, cmd_report, "report", text),
	    "\nLprocs: all 6 are alike in utilisation and frequency\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mistake_in_a_view_is_named_with_its_place),
		cmocka_unit_test(
		    a_generation_has_a_view_of_its_own_that_includes_the_common_one),
		cmocka_unit_test(a_view_that_includes_itself_is_refused),
		cmocka_unit_test(boxes_that_are_alike_share_a_line),
		cmocka_unit_test(boxes_are_quiet_that_count_little_together),
		cmocka_unit_test(all_shows_each_box_and_each_row),
		cmocka_unit_test(a_page_without_boxes_has_no_heading_of_them),
		cmocka_unit_test(a_view_of_the_users_own_is_shown),
		cmocka_unit_test(
		    the_page_of_each_vendor_has_its_caches),
		cmocka_unit_test(lprocs_are_alike_in_what_was_counted),
		cmocka_unit_test(
		    what_few_nodes_have_is_not_among_what_a_page_lacks),
		cmocka_unit_test(
		    what_the_kernel_counts_is_on_the_page_of_each_cpu),
	};

	return cmocka_run_group_tests_name("view of a node", tests,
	    test_dir_new, test_dir_free);
}
