/*
 * tests/postproc/pages/test_page_nodes.c - a page about many nodes: it names
 * the outliers and links the page of each node.
 */
#include "tests/lib/tally_command.h"

#include <fcntl.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SECOND(i) "tsc[" #i "] = 1" #i "000000000\n" \
	"walltime[0][" #i "] = 100" #i "\nwalltime[1][" #i "] = 0\n"
#define ROW(i, count) SECOND(i) \
	"core_counts[0][\"INST_RETIRED.ANY\"][" #i "] = " #count "\n" \
	"core_counts[0][\"CPU_CLK_UNHALTED.THREAD\"][" #i "] = " #count "\n"

/* A dump of a node, as a file: its path. */
static const char *
node(char *path, const char *file, const char *host, const char *cpu,
    const char *rows)
{
	char text[2000];

	snprintf(text, sizeof text, "host = \"%s\"\ncpu = \"%s\"\nmodel = "
	    "\"skx\"\nTSC_ratio = 10\npackages = 1\nnr_cpus = 1\n"
	    "lproc_package[0] = 0\nlproc_online[0] = 1\n%s", host, cpu, rows);
	return strcpy(path, test_put(file, text));
}

static const char usual[] = ROW(0, 100000) ROW(1, 200000) ROW(2, 300000);
static const char twice[] = ROW(0, 100000) ROW(1, 300000) ROW(2, 500000);

struct four {
	char path[4][128], words[700];
};

static void
put_four(struct four *x)
{
	snprintf(x->words, sizeof x->words, "page %s %s %s %s",
	    node(x->path[0], "a", "alpha", "X", usual),
	    node(x->path[1], "b", "beta", "X", usual),
	    node(x->path[2], "c", "gamma", "X", twice),
	    node(x->path[3], "d", "delta", "X", usual));
}

/* tally page with these words and -o FOLDER/, quietly. */
static int
page_to(const char *folder, const char *words)
{
	static char line[900];
	char *argv[20];
	int argc = 0, was = dup(STDERR_FILENO), null, status;

	snprintf(line, sizeof line, "%s -o %s", words, folder);
	for (char *w = strtok(line, " "); w != NULL; w = strtok(NULL, " "))
		argv[argc++] = w;
	argv[argc] = NULL;
	optind = 0;
	fflush(stderr);
	null = open("/dev/null", O_WRONLY);
	dup2(null, STDERR_FILENO);
	close(null);
	status = cmd_page(argc, argv);
	fflush(stderr);
	dup2(was, STDERR_FILENO);
	close(was);
	return status;
}

static char *
file_in(const char *folder, const char *name)
{
	char path[300];

	snprintf(path, sizeof path, "%s%s", folder, name);
	assert_int_equal(access(path, F_OK), 0);
	return file_text(path, NULL);
}

static void
the_node_that_stands_out_is_first(void **state)
{
	struct four x;
	char *text;

	(void)state;
	put_four(&x);
	text = said(EXIT_OK, cmd_page, x.words, NULL);
	/* twice the median: 100 % from it, and 5 % of it is 3.5 */
	assert_non_null(strstr(text, "<td class=\"n\">1</td><th scope=\"row\">"
	    "<a href=\"#node-1\">gamma</a></th><td class=\"n\" "
	    "data-v=\"70\">70.0</td><td class=\"wrong\"><span title=\""
	    "Instructions retired per second\">instructions</span></td>"
	    "<td class=\"n\" data-v=\"0.0002\">0.0002000</td>"));
	assert_non_null(strstr(text, "<details id=\"node-1\" class=\"node\">"
	    "<summary>gamma</summary>"));
	assert_null(strstr(text, "too many for one file"));
	assert_non_null(strstr(text, ">2</td><th scope=\"row\"><a "
	    "href=\"#node-2\">alpha</a></th><td class=\"n\" data-v=\"0\">"));
	holds(text, "1 of them stands out in some metric; data of 0 have left "
	    "out deltas");
}

static void
two_nodes_of_a_cpu_are_too_few_to_stand_out(void **state)
{
	char a[128], b[128], c[128], d[128], words[700], *text;

	(void)state;
	snprintf(words, sizeof words, "page %s %s %s %s",
	    node(a, "a", "alpha", "X", usual), node(b, "b", "beta", "X", twice),
	    node(c, "c", "gamma", "Y", usual), node(d, "d", "delta", "Y", twice));
	text = said(EXIT_OK, cmd_page, words, NULL);
	assert_non_null(strstr(text, "<li>Nodes differ in CPU: X (alpha beta), "
	    "Y (delta gamma)</li>"));
	holds(text, "0 of them stand out in some metric");
}

static void
what_only_some_have_is_none_of_the_others(void **state)
{
	static const char reads[] = ROW(0, 100000)
	    "imc_counts[0][0][\"CAS_COUNT.READS\"][0] = 1\n" ROW(1, 200000)
	    "imc_counts[0][0][\"CAS_COUNT.READS\"][1] = 2000000\n";
	char a[128], b[128], words[700], *text;

	(void)state;
	snprintf(words, sizeof words, "page %s %s", node(a, "a", "alpha", "X",
	    usual), node(b, "b", "beta", "Y", reads));
	text = said(EXIT_OK, cmd_page, words, NULL);
	/* one node has it, of least, median and greatest */
	holds(text, "<th scope=\"row\">dram_read</th><td class=\"note\">DRAM "
	    "read bandwidth</td><td class=\"unit\">GB/s</td><td class=\"n\">1"
	    "</td><td class=\"n\" data-v=\"0.127999936\">0.1280</td>");
}

static void
nothing_of_many_dumps_becomes_markup_or_code(void **state)
{
	char a[128], b[128], words[700], *text;

	(void)state;
	snprintf(words, sizeof words, "page %s %s", node(a, "a",
	    "</script><img src=x>", "<b>&\\\"'", usual), node(b, "b", "beta",
	    "--></style>", usual));
	text = said(EXIT_OK, cmd_page, words, NULL);
	assert_null(strstr(text, "<img"));
	assert_null(strstr(text, "</script><img"));
	assert_null(strstr(text, "<b>"));
	assert_null(strstr(text, "--></style>"));
	assert_non_null(strstr(text, "&lt;/script&gt;&lt;img src=x&gt;"));
	holds(text, "{\"name\":\"\\u003c/script\\u003e\\u003cimg src=x"
	    "\\u003e\",\"href\":\"#node-");
}

static void
a_dump_that_cannot_be_read_is_named_and_the_others_go_on(void **state)
{
	char a[128], b[128], none[128], words[700], *text;

	(void)state;
	strcpy(none, test_put("none", ""));
	snprintf(words, sizeof words, "page %s %s %s", node(a, "a", "alpha",
	    "X", usual), none, node(b, "b", "beta", "X", ROW(0, 1)));
	text = said(EXIT_FINDINGS, cmd_page, words, NULL);
	assert_non_null(strstr(text, "<h1>1 node</h1>"));
	assert_non_null(strstr(text, "none: empty</li>"));
	holds(text, "b: no two samples (with -s: in its range)</li>");
	text = complained(EXIT_FINDINGS, cmd_page, words, NULL);
	assert_non_null(strstr(text, "none: empty\n"));
	holds(text, "b: no two samples (with -s: in its range)\n");
	snprintf(words, sizeof words, "page %s %s", none, none);
	free(complained(EXIT_UNUSABLE, cmd_page, words, NULL));
}

static void
a_folder_has_an_index_and_a_page_of_each_node(void **state)
{
	char a[128], b[128], c[128], words[700], folder[200], *text;

	(void)state;
	snprintf(folder, sizeof folder, "%s/pages/", test_dir);
	snprintf(words, sizeof words, "page %s %s %s",
	    node(a, "a", "alpha", "X", usual),
	    node(b, "b", "../../x", "X", usual),
	    node(c, "c", "alpha", "X", usual));
	assert_int_equal(page_to(folder, words), EXIT_OK);
	text = file_in(folder, "index.html");
	assert_non_null(strstr(text, "<a href=\"alpha.html\">alpha</a>"));
	/* a second dump of that host has its path for a name */
	assert_non_null(strstr(text, "<a href=\"alpha-3.html\">/"));
	assert_null(strstr(text, "<iframe"));
	holds(text, "\"href\":\"alpha.html\"");
	holds(file_in(folder, "alpha.html"), "<h1>alpha</h1>");
	holds(file_in(folder, "alpha-3.html"), "<h1>alpha</h1>");
	/* without the domain, which begins with the first dot */
	free(file_in(folder, "node.html"));
	/* what is there is not lost */
	assert_int_equal(page_to(folder, words), EXIT_UNUSABLE);
	strcat(words, " --overwrite");
	assert_int_equal(page_to(folder, words), EXIT_OK);
}

static void
nodes_at_other_times_begin_at_one_place(void **state)
{
	static const char later[] = "tsc[0] = 10000000000\n"
	    "walltime[0][0] = 900000\nwalltime[1][0] = 0\n"
	    "core_counts[0][\"INST_RETIRED.ANY\"][0] = 1\n"
	    "tsc[1] = 11000000000\nwalltime[0][1] = 900001\n"
	    "walltime[1][1] = 0\n"
	    "core_counts[0][\"INST_RETIRED.ANY\"][1] = 100000\n";
	char a[128], b[128], words[700], *text;

	(void)state;
	snprintf(words, sizeof words, "page %s %s", node(a, "a", "alpha", "X",
	    usual), node(b, "b", "beta", "X", later));
	text = said(EXIT_OK, cmd_page, words, NULL);
	assert_non_null(strstr(text, "nodes are shown since each one's "
	    "beginning"));
	assert_non_null(strstr(text, "\"begin\":1000.000000,\"end\":"
	    "900001.000000,\"align\":\"start\""));
	/* they begin 899000 s apart */
	holds(text, "data-v=\"899000\">899000.000</td>");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_node_that_stands_out_is_first),
		cmocka_unit_test(two_nodes_of_a_cpu_are_too_few_to_stand_out),
		cmocka_unit_test(what_only_some_have_is_none_of_the_others),
		cmocka_unit_test(nothing_of_many_dumps_becomes_markup_or_code),
		cmocka_unit_test(
		    a_dump_that_cannot_be_read_is_named_and_the_others_go_on),
		cmocka_unit_test(a_folder_has_an_index_and_a_page_of_each_node),
		cmocka_unit_test(nodes_at_other_times_begin_at_one_place),
	};

	return cmocka_run_group_tests_name("page_nodes", tests, test_dir_new,
	    test_dir_free);
}
