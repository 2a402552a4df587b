/*
 * tests/postproc/metrics/test_io_simulated.c - the figures of the I/O analysis on a simulated
 * node, with event sets taking turns and without: icx-8358-2s.machine implies the values.
 */
#include "tests/lib/tally_command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/pages/io_page.h"

/* What tallyd, built beside this test, writes of so many seconds. */
static void
run_on(const char *machine, const char *dir, const char *config,
    unsigned samples)
{
	char tallyd[512], command[1024];

	/* config: and options after it */
	snprintf(command, sizeof(command), "%s -q --sim @%s "
	    "--virtual-time -c %s -n %u -o %s/dump", built("tallyd", tallyd),
	    machine, config, samples, dir);
	if (system(command) != 0)
		fail_msg("%s", command);
}

static void
run_tallyd(const char *dir, const char *config, unsigned samples)
{
	run_on("icx-8358-2s", dir, config, samples);
}

static void
open_samples(struct io_page *p, const char *dir, const char *samples)
{
	char path[128];
	struct gather_ask ask = { .nmetrics = 0 };
	struct diag why = { "" };

	assert_int_equal(select_parse(&ask.select, samples, &why), 0);
	snprintf(path, sizeof(path), "%s/dump", dir);
	if (io_page_open(p, path, &ask, &why) < 0)
		fail_msg("%s", why.text);
}

/* What icx-8358-2s.machine implies, near and far: see its comments. */
static const struct implied {
	int line;
	const char *metric;
	int pkg, stack;
	double near, far;
	bool imcfree;           /* by the controllers' own counters */
} implied[] = {
	{ __LINE__, "pcie_in_read", 0, 0, 10.24, 10.24, false },
	{ __LINE__, "pcie_in_write", 0, 0, 10.24, 10.24, false },
	{ __LINE__, "pcie_out_read", 0, 0, 0.004, 0.004, false },
	{ __LINE__, "pcie_out_write", 0, 0, 0.08, 0.08, false },
	{ __LINE__, "pcie_in_write", 1, 4, 0.4, 0.4, false },
	{ __LINE__, "pcie_in_write", 0, 3, 0.01, 0.01, false },
	{ __LINE__, "pcie_in_write", -1, -1, 10.65, 10.65, false },
	{ __LINE__, "io_l3_read_miss", 0, -1, 0.64, 25.6, false },
	{ __LINE__, "io_l3_read_hit", 0, -1, 99.36, 74.4, false },
	{ __LINE__, "io_l3_write_miss", 0, -1, 5, 60, false },
	{ __LINE__, "io_read_latency", 0, 0, 300, 500, false },
	{ __LINE__, "io_write_latency", 0, 0, 3.8e3 / 158.4 / 0.625,
	  7.2e3 / 156.8 / 0.625, false },
	{ __LINE__, "io_conflicts", 0, 0, 1.6 / 1.584, 3.2 / 1.568, false },
	{ __LINE__, "vtd_rate", 0, 0, 40, 40, false },
	{ __LINE__, "iotlb_hit", 0, 0, 95, 95, false },
	{ __LINE__, "iotlb_miss", 0, 0, 5, 5, false },
	{ __LINE__, "iotlb_penalty", 0, 0, 75, 800, false },
	{ __LINE__, "iotlb_accesses", 0, 0, 1.1, 4.5, false },
	/* what has other names */
	{ __LINE__, "pcie_out_read_asked", 0, 0, 0.0052, 0.0052, false },
	{ __LINE__, "io_lookup_read_miss", 0, -1, 1, 40, false },
	{ __LINE__, "io_lookup_write_miss", 0, -1, 10, 45, false },
	{ __LINE__, "io_read_queue_latency", 0, 0, 102.4, 204.8, false },
	{ __LINE__, "io_irp_residency", 0, 0, 200, 400, false },
	{ __LINE__, "iotlb_counted_hit", 0, 0, 97.5, 90, false },
	{ __LINE__, "iotlb_counted_miss", 0, 0, 2.5, 10, false },
	{ __LINE__, "iotlb_counted_penalty", 0, 0, 150, 400, false },
	{ __LINE__, "iotlb_counted_accesses", 0, 0, 1.5, 3, false },
	{ __LINE__, "upi_utilisation", 0, -1, 1.5, 30, false },
	{ __LINE__, "upi_out", 1, 2, 0.03 * 64 / 9, 5.12, false },
	{ __LINE__, "dram_read", 0, -1, 0.256, 5.12, true },
	{ __LINE__, "dram_write", 1, -1, 0.0128, 3.84, true },
};

static void
check_implied(const char *dir, const char *samples, bool far, double within)
{
	struct io_page p;

	open_samples(&p, dir, samples);
	for (size_t i = 0; i < sizeof(implied) / sizeof(implied[0]); i++) {
		const struct implied *x = &implied[i];
		double want = far ? x->far : x->near;
		double v = io_figure(&p, x->metric, x->pkg, x->stack).value;

		if (x->imcfree && io_missing(&p, x->metric) != NULL)
			continue;
		if (!(fabs(v - want) <= within * want))
			fail_msg("line %d: %s is %.12g, not %.12g (%s)",
			    x->line, x->metric, v, want, far ? "far" : "near");
	}
	io_page_close(&p);
}

/* The node is near its card from second 10 to 30, far from it to 50; all of the
 * fourteen sets run in each second. */
static void
event_sets_that_take_turns_give_what_the_machine_implies(void **state)
{
	char *dir = tree_new();

	(void)state;
	run_tallyd(dir, "@io-icx", 56);
	check_implied(dir, "12:26", false, 2e-5);
	check_implied(dir, "33:47", true, 2e-5);
	check_implied(dir, "20:21", false, 2e-4);
	/* A set a second: a count is divided by the share of the time that its
	 * set ran, so constant ones are exact, though of 17 seconds some sets
	 * ran for two. */
	run_tallyd(dir, "@io-icx --rotate 1 --overwrite", 56);
	check_implied(dir, "12:26", false, 1e-9);
	check_implied(dir, "33:47", true, 1e-9);
	check_implied(dir, "12:29", false, 1e-9);
	tree_free(dir);
}

static void
without_rotation_the_figures_are_exact_and_agree_with_intels(void **state)
{
	static const char config[] =
	    "read aperf mperf\n"
	    "cha TOR_INSERTS.IO_MISS_PCIRDCUR event=0x35,umask=4,"
	    "umask_ext=0xc8f3fe\n"
	    "cha TOR_INSERTS.IO_HIT_PCIRDCUR event=0x35,umask=4,"
	    "umask_ext=0xc8f3fd\n"
	    "cha TOR_INSERTS.IO_PCIRDCUR event=0x35,umask=4,"
	    "umask_ext=0xc8f3ff\n"
	    "imc CAS_COUNT.RD event=4,umask=0x0f\n"
	    "imc CAS_COUNT.WR event=4,umask=0x30\n"
	    "upi TxL_FLITS.ALL_DATA event=2,umask=0x0f\n"
	    "iio DATA_REQ_OF_CPU.MEM_READ.PART0 event=0x83,umask=4,ch_mask=1,"
	    "fc_mask=7\n";
	/* of icelakex_metrics.json; ours; theirs is ours times this */
	static const struct {
		const char *intel, *ours;
		double value, times;
	} same[] = {
		{ "memory_bandwidth_read", "dram_read", 0.2816, 1000 },
		{ "memory_bandwidth_write", "dram_write", 0.5248, 1000 },
		{ "io_read_l3_miss", "io_lookup_read_miss", 1, 1 },
		{ "io_bandwidth_read", "pcie_in_read", 10.24, 1000 },
		{ "upi_data_transmit_bw", "upi_out", 0.18 * 64 / 9, 1000 },
	};
	char *dir = tree_new(), path[128], list[512];
	struct gather_ask all = { .metrics = { list }, .nmetrics = 1 };
	struct diag why = { "" };
	struct io_page ours, intel;

	(void)state;
	tree_text(dir, "/c", config);
	snprintf(path, sizeof(path), "%s/c", dir);
	run_tallyd(dir, path, 16);
	assert_int_equal(select_parse(&all.select, "11:14", &why), 0);
	open_samples(&ours, dir, "11:14");
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		if (!(fabs(io_figure(&ours, same[i].ours, -1, -1).value -
		    same[i].value) < 1e-9))
			fail_msg("%s is %.12g", same[i].ours,
			    io_figure(&ours, same[i].ours, -1, -1).value);
	io_page_close(&ours);
	perfmon("ICX/metrics/icelakex_metrics.json", list);
	snprintf(path, sizeof(path), "%s/dump", dir);
	if (io_page_open(&intel, path, &all, &why) < 0)
		fail_msg("%s", why.text);
	assert_true(intel.metrics.n > 200);
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		if (!(fabs(io_figure(&intel, same[i].intel, -1, -1).value -
		    same[i].times * same[i].value) < 1e-6 * same[i].times))
			fail_msg("%s is %.12g", same[i].intel,
			    io_figure(&intel, same[i].intel, -1, -1).value);
	io_page_close(&intel);
	tree_free(dir);
}

/* skx-8160-2s.machine: idle up to second 18, then STREAM; six sets.  A count
 * grows with the number of the stack, and is another in package 1. */
static void
on_skylake_the_recipe_is_followed_as_far_as_its_events_go(void **state)
{
	static const struct {
		int line;
		const char *metric;
		int pkg, stack;
		double idle, stream;
	} t[] = {
		/* 24 CHAs; 6 IRPs: 604, 607 ... 619 reads, package 1 + 5 */
		{ __LINE__, "io_l3_read_miss", 0, -1, 288000.0 / 3669,
		  168000.0 / 1869 },
		{ __LINE__, "io_l3_read_miss", 1, -1, 288000.0 / 3699,
		  168000.0 / 1899 },
		{ __LINE__, "io_l3_write_miss", 0, -1, 336000.0 / (4275 + 57),
		  192000.0 / (2055 + 51) },
		{ __LINE__, "io_lookup_read_miss", 1, -1, 25, 20 },
		{ __LINE__, "io_lookup_write_miss", 0, -1, 40, 40 },
		{ __LINE__, "io_read_latency", 0, 0, 260, 41e4 / 1500 },
		{ __LINE__, "io_write_latency", 0, 0, 80e3 / 705, 40e3 / 335 },
		{ __LINE__, "io_irp_residency", 0, 0, 180e3 / 705, 80e3 / 335 },
		{ __LINE__, "io_conflicts", 0, 0, 200.0 / 705, 100.0 / 335 },
		{ __LINE__, "iotlb_penalty", 0, 0, 120, 120 },
		{ __LINE__, "iotlb_accesses", 0, 0, 2, 2 },
		{ __LINE__, "iotlb_all_accesses", 0, 0, 3, 3 },
		/* four parts of PCIe0, 1 and 2, of CBDMA, of MCP0 and 1 */
		{ __LINE__, "pcie_in_read", 0, -1, 479712e-9, 232512e-9 },
		{ __LINE__, "pcie_out_read", 0, -1, 96192e-9, 53472e-9 },
		{ __LINE__, "cbdma_total", 0, -1, 412960e-9, 199520e-9 },
		{ __LINE__, "mcp_total", 0, -1, 881792e-9, 454912e-9 },
	};
	char *dir = tree_new();
	struct io_page p;

	(void)state;
	run_on("skx-8160-2s", dir, "@io-skx --rotate 1", 38);
	for (unsigned stream = 0; stream < 2; stream++) {
		open_samples(&p, dir, stream ? "24:36" : "2:14");
		for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
			double want = stream ? t[i].stream : t[i].idle;
			double v = io_figure(&p, t[i].metric, t[i].pkg,
			    t[i].stack).value;

			if (!(fabs(v - want) <= 1e-9 * want))
				fail_msg("line %d: %s is %.12g, not %.12g",
				    t[i].line, t[i].metric, v, want);
		}
		assert_non_null(io_missing(&p, "iotlb_miss"));
		io_page_close(&p);
	}
	tree_free(dir);
}

static void
a_set_that_never_ran_is_named_and_its_figures_are_missing(void **state)
{
	char *dir = tree_new(), *text, dump[128];
	struct io_page p;

	(void)state;
	snprintf(dump, sizeof(dump), "%s/dump", dir);
	run_tallyd(dir, "@io-icx --rotate 1", 19);
	/* three intervals, and three of the sets */
	open_samples(&p, dir, "15:18");
	assert_true(isnan(io_figure(&p, "iotlb_hit", 0, 0).value));
	assert_true(isnan(io_figure(&p, "pcie_in_read_part6", 0, 0).value));
	/* a sum of parts is none without one of them */
	assert_true(isnan(io_figure(&p, "pcie_in_read", 0, 0).value));
	io_page_close(&p);
	text = said_of(EXIT_OK, cmd_report, "report --io -s 15:18", dump);
	text_has(text, "Event set part6 never ran in this time");
	free(text);
	tree_free(dir);
}

static void
the_platform_is_drawn_100_columns_wide(void **state)
{
	char *dir = tree_new(), *text, dump[128];

	(void)state;
	snprintf(dump, sizeof(dump), "%s/dump", dir);
	run_tallyd(dir, "@io-icx", 48);
	text = said_of(EXIT_OK, cmd_platform,
	    "platform --dram-max 40 -s 33:47", dump);
	text_has(text, "|          peak by --dram-max ");
	text_has(text, "Cores    4 of 32 in use");
	text_has(text, "UPI 2    sent    5.120 GB/s                   "
	    "[###.......]  30.0 %");
	text_has(text, "17:00.0 Mellanox Technologies MT28   20.564 GB/s  "
	    "[###.......]  32.1 %");
	for (char *l = strtok(text, "\n"); l != NULL; l = strtok(NULL, "\n"))
		if (l[0] == '|' || l[0] == '+')
			assert_int_equal(strlen(l), 100);
	free(text);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    event_sets_that_take_turns_give_what_the_machine_implies),
		cmocka_unit_test(
		    without_rotation_the_figures_are_exact_and_agree_with_intels),
		cmocka_unit_test(
		    on_skylake_the_recipe_is_followed_as_far_as_its_events_go),
		cmocka_unit_test(
		    a_set_that_never_ran_is_named_and_its_figures_are_missing),
		cmocka_unit_test(the_platform_is_drawn_100_columns_wide),
	};

	return cmocka_run_group_tests_name("io simulated", tests,
	    test_dir_new, test_dir_free);
}
