/*
 * tests/postproc/formula/test_metric_lists.c - lists of metrics that include one another, and the order
 * that their metrics are listed in.
 */
#include "tests/lib/files.h"

#include <string.h>

#include "postproc/formula/metrics.h"

/* All names of a list, in order, with a blank behind each. */
static const char *
names(const char *path, char *buf, size_t size)
{
	struct metrics m;
	struct diag why = { "" };
	size_t n = 0;

	assert_int_equal(metrics_init(&m), 0);
	if (metrics_load(&m, path, &why) < 0)
		n = (size_t)snprintf(buf, size, "%s", why.text);
	for (unsigned i = 0; i < m.n && n < size && why.text[0] == '\0'; i++)
		if (strcmp(metrics_at(&m, i)->file, "@names") != 0)
			n += (size_t)snprintf(buf + n, size - n, "%s ",
			    metrics_at(&m, i)->name);
	metrics_fini(&m);
	return buf;
}

#define M(name) "metric " name " node \"\" \"\" = time\n"

static void
metrics_stand_where_after_says_and_an_included_list_where_it_is_included(
    void **state)
{
	char buf[400], *dir = tree_new(), path[300];

	(void)state;
	tree_text(dir, "/base.metrics", M("a") M("b") M("c"));
	tree_text(dir, "/more/extra.metrics", M("x") "after x\n" M("z")
	    "after x\n" M("y"));
	tree_text(dir, "/mine.metrics", "include \"base.metrics\"\n" M("d")
	    "after a\n" M("a1") "include \"more/extra.metrics\"\n" M("a2")
	    "metric c lproc \"\" \"\" = 2 * time\n" M("a3"));
	snprintf(path, sizeof path, "%s/mine.metrics", dir);
	assert_string_equal(names(path, buf, sizeof buf),
	    "a a1 x y z a2 a3 b c d ");
	tree_free(dir);
}

static void
what_is_said_again_replaces_what_was_included(void **state)
{
	struct metrics m;
	struct diag why;
	const struct metric *x;

	(void)state;
	assert_int_equal(metrics_init(&m), 0);
	assert_int_equal(metrics_load(&m, "@hsx", &why), 0);
	assert_non_null(x = metrics_find(&m, "pcu_prochot"));
	assert_string_equal(x->text, "PCU cycles with PROCHOT from outside");
	assert_string_equal(x->file, "@hsx-bdx");
	metrics_fini(&m);
	assert_int_equal(metrics_init(&m), 0);
	assert_int_equal(metrics_load(&m, "@skx", &why), 0);
	assert_non_null(x = metrics_find(&m, "pcu_prochot"));
	assert_string_equal(x->file, "@hsx-skx");
	metrics_fini(&m);
	assert_int_equal(metrics_init(&m), 0);
	assert_int_equal(metrics_load(&m, "@icx", &why), 0);
	assert_null(metrics_find(&m, "pcu_prochot"));
	assert_null(metrics_find(&m, "halted"));
	metrics_fini(&m);
}

static void
a_list_is_read_once_and_none_includes_itself(void **state)
{
	char buf[900], say[900], *dir = tree_new(), path[300];

	(void)state;
	tree_text(dir, "/a.metrics", "include \"b.metrics\"\n"
	    "include \"c.metrics\"\ninclude \"b.metrics\"\n" M("a"));
	tree_text(dir, "/b.metrics", "include \"c.metrics\"\n" M("b"));
	tree_text(dir, "/c.metrics", M("c"));
	snprintf(path, sizeof path, "%s/a.metrics", dir);
	assert_string_equal(names(path, buf, sizeof buf), "c b a ");
	tree_text(dir, "/c.metrics", M("c") "include \"a.metrics\"\n");
	snprintf(say, sizeof say, "%s/c.metrics:2:9: %s/a.metrics includes "
	    "itself, at 'a.metrics' (included at %s/b.metrics:1, "
	    "%s/a.metrics:1)", dir, dir, dir, dir);
	assert_string_equal(names(path, buf, sizeof buf), say);
	tree_free(dir);
}

static void
a_built_in_list_is_included_by_its_own_name_alone(void **state)
{
	char buf[8000], *dir = tree_new(), path[300], say[800];

	(void)state;
	tree_text(dir, "/intel.metrics", M("mine"));
	tree_text(dir, "/@intel", M("forged"));
	snprintf(path, sizeof path, "%s/mine.metrics", dir);
	tree_text(dir, "/mine.metrics", "include \"@intel\"\n");
	assert_null(strstr(names(path, buf, sizeof buf), "forged"));
	assert_non_null(strstr(buf, "utilisation "));
	tree_text(dir, "/mine.metrics", "include \"intel.metrics\"\n");
	assert_string_equal(names(path, buf, sizeof buf), "mine ");
	tree_text(dir, "/mine.metrics", "include \"skx.metrics\"\n");
	snprintf(say, sizeof say, "%s/mine.metrics:1:9: no file %s/skx.metrics; "
	    "the built-in is @skx, at 'skx.metrics'", dir, dir);
	assert_string_equal(names(path, buf, sizeof buf), say);
	tree_free(dir);
}

static void
a_statement_that_cannot_be_says_why(void **state)
{
	static const struct {
		unsigned line;
		const char *text, *say;
	} t[] = {
		{ __LINE__, "include \"/no/such\"\n", "t:1:9: /no/such: no "
		    "such file (`tally print` lists what is built in)" },
		{ __LINE__, "include intel\n", "t:1:9: the name of a list, in "
		    "quotes, expected" },
		{ __LINE__, "include \"@intel\" 2\n",
		    "t:1:18: the end of the statement expected" },
		{ __LINE__, "after nothing\n", "t:1:7: no metric of that name "
		    "so far" },
		{ __LINE__, "after\n", "t:1:6: the metric's name expected, at the end" },
		{ __LINE__, M("a") "after a b\n",
		    "t:2:9: the end of the statement expected" },
		{ __LINE__, "Metric a\n", "t:1:1: `metric` or `event` expected "
		    "(or `withheld`, `include`, `after`)" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		struct metrics m;
		struct diag why = { "" };

		assert_int_equal(metrics_init(&m), 0);
		assert_true(metrics_parse(&m, "t", t[i].text,
		    strlen(t[i].text), &why) < 0);
		if (strncmp(why.text, t[i].say, strlen(t[i].say)) != 0)
			fail_msg("line %u: %s", t[i].line, why.text);
		metrics_fini(&m);
	}
}

/* What tally metrics --list begins, joins and ends with. */
static void
built_in_lists_have_their_metrics_in_their_order(void **state)
{
	static const struct {
		const char *list, *runs[5];
	} t[] = {
		{ "@skx", {
		    "frequency utilisation idle halted ipc instructions "
		    "kernel_time user_time kernel_instructions l3_miss_reads "
		    "core_busy thread0 thread1 core_idle "
		    "core_t0_only core_t1_only core_both flops flops_double "
		    "flops_single flops_a_cycle arithmetic_intensity flop_count "
		    "flop_count_double flop_count_single "
		    ""
		    "ceiling_scalar ceiling_avx2 ceiling_avx512 ceiling_dram core_c6 "
		    "core_cycles_most package_power ",
		    "pkg_c2 pkg_c6 smi limit_prochot limit_thermal "
		    "limit_residency ",
		    "ring_power therm_throttling therm_prochot therm_critical "
		    "therm_power_limit pcu_thermal pcu_power pcu_prochot "
		    "pcu_transitions dram_read dram_write dram_bandwidth "
		    "dram_imbalance page_hit page_miss page_conflict "
		    "dram_transfers dram_transfers_least dram_busy "
		    "io_in io_out pcie_in pcie_out "
		    "cbdma_in cbdma_out mcp_in mcp_out net_in net_out "
		    "upi_out upi_in upi_utilisation cha_sf_evict_modified "
		    "cha_sf_evict_exclusive cha_sf_evict_shared "
		    "cha_snoop_evict_hit "
		    "cha_frequency home_reads " } },
		{ "@hsx", {
		    "kernel_instructions l3_misses core_c3 core_c6 "
		    "core_cycles_most package_power ",
		    "pkg_c2 pkg_c3 pkg_c6 smi limit_prochot limit_thermal "
		    "limit_power_budget ",
		    "logged_below_request therm_throttling ",
		    "net_in net_out qpi_out qpi_in llc_data_reads " } },
		{ "@icx", {
		    "frequency utilisation idle ipc instructions kernel_time "
		    "user_time kernel_instructions td_retiring ",
		    "core_both core_c1 flops flops_double flops_single "
		    "flops_a_cycle arithmetic_intensity flop_count flop_count_double "
		    "flop_count_single "
		    "ceiling_scalar ceiling_avx2 "
		    "ceiling_avx512 ceiling_dram core_c6 "
		    "core_cycles_most package_power ",
		    "therm_power_limit dram_read dram_write dram_bandwidth "
		    "dram_utilisation dram_busy page_hit page_conflict upi_out upi_in "
		    "upi_active upi_utilisation cha_sf_evict_modified "
		    "cha_sf_evict_exclusive cha_sf_evict_shared cha_frequency pcie_in_read_part0 ",
		    "pcie_out_write_part7 pcie_out_read_part0 ",
		    "stack_total pcie_in_read pcie_in_write pcie_out_read "
		    "pcie_out_write pcie_total pcie_out_read_asked "
		    "cbdma_total mcp_total io_in io_out pcie_in pcie_out "
		    "cbdma_in cbdma_out mcp_in mcp_out io_read_misses " } },
	};
	char buf[8000];

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++)
		for (unsigned k = 0; k < 5 && t[i].runs[k] != NULL; k++)
			if (strstr(names(t[i].list, buf, sizeof buf),
			    t[i].runs[k]) == NULL)
				fail_msg("%s: no %s in %s", t[i].list,
				    t[i].runs[k], buf);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(metrics_stand_where_after_says_and_an_included_list_where_it_is_included),
		cmocka_unit_test(what_is_said_again_replaces_what_was_included),
		cmocka_unit_test(a_list_is_read_once_and_none_includes_itself),
		cmocka_unit_test(
		    a_built_in_list_is_included_by_its_own_name_alone),
		cmocka_unit_test(a_statement_that_cannot_be_says_why),
		cmocka_unit_test(
		    built_in_lists_have_their_metrics_in_their_order),
	};

	return cmocka_run_group_tests_name("lists", tests, NULL, NULL);
}
