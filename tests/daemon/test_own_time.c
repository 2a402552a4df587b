/*
 * tests/daemon/test_own_time.c - rates are by the time between the readings of a counter's
 * own block.  On every simulated node the first read of one sample waits 0.3 s
 * for lproc 0: what is read after it covers 1.3 s in one interval and 0.7 s in
 * the next, and has the rates that its machine file says.
 */
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

/* What tallyd writes of a machine that stalls at `at`, as a file's path. */
static const char *
stalled(const char *machine, const char *at, const char *options)
{
	static char path[300];
	char tallyd[512], command[1400];

	snprintf(path, sizeof path, "%s/dump", test_dir);
	snprintf(command, sizeof command, "{ %s --print @%s; echo 'from %s "
	    "lproc 0 stall 0.3'; } >%s/machine && %s -q --sim %s/machine "
	    "--virtual-time %s --overwrite -o %s", built("tallyd", tallyd),
	    machine, at, test_dir, tallyd, test_dir, options, path);
	if (system(command) != 0)
		fail_msg("%s", command);
	return path;
}

static char *
metrics_of(const char *path, const char *range, const char *more)
{
	char words[600];

	snprintf(words, sizeof words, "metrics -S all -f csv -s %s %s %s",
	    range, more, path);
	return said(EXIT_OK, cmd_metrics, words, NULL);
}

struct expected {
	int line;
	const char *machine, *at, *options;
	/* the interval that the stall is in, and the one after it */
	const char *range[2];
	const char *figure[10];
};

static const struct expected expected[] = {
	{ __LINE__, "icx-8358-2s", "2.5", "-n 6", { "2:3", "3:4" }, {
	    ",instructions,lproc,37,0.001000,", ",dram_read,box,1/3,0.006400,",
	    ",dram_read,node,,0.05120,", ",upi_out,box,1/2,0.00007111,",
	    ",cha_frequency,box,1/31,2.4000,", ",package_power,node,,201.0000,",
	    ",uncore_frequency,package,1,2.4000,",
	    ",utilisation,lproc,37,0.1000," } },
	{ __LINE__, "skx-8160-2s", "20.5", "-n 24", { "20:21", "21:22" }, {
	    ",instructions,lproc,25,0.2760,", ",utilisation,lproc,25,99.9416,",
	    ",dram_read,box,1/3,9.6802,", ",dram_read,node,,115.9955,",
	    ",upi_out,box,1/2,0.006472,",
	    ",pcu_transitions,package,1,2.5702,",
	    ",package_power,package,1,133.2264," } },
	/* a port of the network is of the node, and read with package 0 */
	{ __LINE__, "skx-8160-2s", "2.5", "-n 6", { "2:3", "3:4" }, {
	    ",net_in,node,,0.1993," } },
	/* counted by the kernel */
	{ __LINE__, "skx-locked", "20.5", "-n 24", { "20:21", "21:22" }, {
	    ",instructions,lproc,25,0.2760,", ",utilisation,lproc,25,99.9416,",
	    ",dram_read,box,1/3,9.6802,", ",dram_read,node,,115.9955,",
	    ",package_power,package,1,133.2264," } },
	{ __LINE__, "hsx-2699-2s", "2.5", "-n 6", { "2:3", "3:4" }, {
	    ",instructions,lproc,37,0.0009000,", ",dram_read,node,,0.01537,",
	    ",package_power,node,,101.0000," } },
	{ __LINE__, "grace-2s", "16.5", "-n 19 -c @hpc", { "16:17", "17:18" }, {
	    ",instructions,lproc,37,4.5000,",
	    ",mean_frequency,lproc,37,3.0000,", ",flops,lproc,3,8.4000,",
	    ",scf_freq,package,1,3.2000,", ",cmem_rd_bw,package,0,192.0000,",
	    ",cmem_rd_bw,node,,352.0000,", ",cmem_rd_latency,package,1,62.5000,",
	    ",pcie_bw,package,0,5.2500,", ",pcie_bw,node,,5.7500," } },
	{ __LINE__, "c2758.machine", "2.5", "-n 6 --site @c2758.site "
	    "-c @memory -c @default-slm", { "2:3", "3:4" }, {
	    ",instructions,lproc,5,1.5600,", ",ddr0_read64,node,,2944.0000,",
	    ",ddr0,node,,4336.0000,", ",ddr,node,,8591.3600,",
	    ",package_power,package,0,15.0000," } },
};

static void
rates_are_by_the_time_between_the_readings_of_a_block(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
		const struct expected *e = &expected[i];
		const char *path = stalled(e->machine, e->at, e->options);

		for (unsigned r = 0; r < 2; r++) {
			char *text = metrics_of(path, e->range[r], "");

			for (unsigned k = 0; e->figure[k] != NULL; k++)
				if (strstr(text, e->figure[k]) == NULL)
					fail_msg("line %d: no %s in %s",
					    e->line, e->figure[k],
					    e->range[r]);
			free(text);
		}
	}
}

static void
a_series_and_a_histogram_are_by_that_time_too(void **state)
{
	const char *path = stalled("icx-8358-2s", "2.5", "-n 6");
	char *text = metrics_of(path, ":", "-e -m dram_read"), words[400];

	(void)state;
	if (strstr(text, ",3,3.000,1.000,dram_read,package,1,0.02560,") == NULL ||
	    strstr(text, ",4,4.000,1.000,dram_read,package,1,0.02560,") == NULL)
		fail_msg("%s", text);
	free(text);
	/* all five intervals are in the last bin of ten, none above 0.03 */
	snprintf(words, sizeof words, "histogram -m dram_read -S package -w 1 "
	    "--max 0.0257 -f csv %s", path);
	holds(said(EXIT_OK, cmd_histogram, words, NULL), ",5.000,100.00,");
}

/* Set a runs in the interval of 1.3 s, b in that of 0.7 s. */
static void
a_set_of_events_is_rated_by_the_turns_that_it_had(void **state)
{
	static const char *const figure[] = {
		",dram_read,box,1/3,0.003200,", ",dram_write,box,1/3,0.001600,",
		",dram_read,node,,0.05120,", ",dram_write,node,,0.02560,",
	};
	char options[300], *text;

	(void)state;
	snprintf(options, sizeof options, "-n 5 -c %s", test_put("sets.conf",
	    "set a\nimc CAS_COUNT.RD event=0x04,umask=0x0f\n"
	    "set b\nimc CAS_COUNT.WR event=0x04,umask=0x30\n"));
	text = metrics_of(stalled("icx-8358-2s", "2.5", options), "0:4", "");
	for (unsigned i = 0; i < sizeof figure / sizeof *figure; i++)
		if (strstr(text, figure[i]) == NULL)
			fail_msg("no %s in\n%s", figure[i], text);
	free(text);
}

/* It is read with lproc 8, whose block comes after that of lproc 4. */
static void
a_sum_over_lprocs_is_of_the_time_of_the_lowest(void **state)
{
	char options[300], words[2000], tallyd[512];

	(void)state;
	snprintf(options, sizeof options, "%s", test_put("sums.conf",
	    "cores \"4-7\" \"9,8\"\nevent cpu-clock\n"));
	snprintf(words, sizeof words, "{ %s --print @skx-locked; echo 'from "
	    "2.5 lproc 4 stall 0.3'; } >%s/machine && %s -q --sim %s/machine "
	    "--virtual-time -n 6 -c %s --overwrite -o %s/dump",
	    built("tallyd", tallyd), test_dir, tallyd, test_dir, options,
	    test_dir);
	assert_int_equal(system(words), 0);
	snprintf(words, sizeof words, "totals -s 2:3 -f csv %s/dump", test_dir);
	holds(said(EXIT_OK, cmd_totals, words, NULL),
	    "[\"\"9,8\"\"][\"\"cpu-clock\"\"]\",2600000000,events,1.300000,");
}

/* 1.3 s of DCLK, and of a core at 3.1 GHz, are more than 1 s can have. */
static void
what_a_late_block_counted_is_not_impossible(void **state)
{
	static const struct { const char *machine, *at, *options, *range; }
	t[] = {
		{ "icx-8358-2s", "2.5", "-n 6", "2:4" },
		{ "skx-8160-2s", "20.5", "-n 24", "20:22" },
		{ "hsx-2699-2s", "12.5", "-n 16", "12:14" },
		{ "grace-2s", "16.5", "-n 19 -c @hpc", "16:18" },
	};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		char words[600];

		snprintf(words, sizeof words, "report -s %s %s", t[i].range,
		    stalled(t[i].machine, t[i].at, t[i].options));
		holds(said(EXIT_OK, cmd_report, words, NULL),
		    "\nData      sound: ");
	}
}

static void
totals_are_what_was_counted_however_long_that_took(void **state)
{
	const char *path = stalled("icx-8358-2s", "2.5", "-n 6");
	char words[400];

	(void)state;
	holds(metrics_of(path, "2:3", "-m package_energy"),
	    ",package_energy,package,1,131.3000,J,");
	snprintf(words, sizeof words, "totals -s 2:3 -f csv %s", path);
	/* bytes in 1.3 s, and in 0.7 s */
	holds(said(EXIT_OK, cmd_totals, words, NULL),
	    "imc_ddr_read_bytes[1][3],8320000,bytes,1.300000,0,");
	snprintf(words, sizeof words, "totals -s 3:4 -f csv %s", path);
	holds(said(EXIT_OK, cmd_totals, words, NULL),
	    "imc_ddr_read_bytes[1][3],4480000,bytes,0.700000,0,");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    rates_are_by_the_time_between_the_readings_of_a_block),
		cmocka_unit_test(a_series_and_a_histogram_are_by_that_time_too),
		cmocka_unit_test(
		    a_set_of_events_is_rated_by_the_turns_that_it_had),
		cmocka_unit_test(
		    a_sum_over_lprocs_is_of_the_time_of_the_lowest),
		cmocka_unit_test(what_a_late_block_counted_is_not_impossible),
		cmocka_unit_test(
		    totals_are_what_was_counted_however_long_that_took),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
