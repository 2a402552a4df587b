/*
 * tests/postproc/data/test_doctored_truths.c - dumps of two simulated nodes in which a counter lies:
 * what contradicts another counter, or physics, tally check names and the report
 * marks; what nobody can know is listed, with why.
 *
 * Samples 13 to 21 are of steady work, behind the wraps of the simulated counters.
 */
#include "tests/lib/doctor.h"
#include "tests/lib/files.h"
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"

#define FROM 14
#define TO 21
#define RANGE "-s 13:21"

/* Names: a part of a finding that there is then; NULL: nobody can know, for: why. */
struct lie {
	int line;
	struct doing_to to;
	const char *names, *why;
};

#define N(what, columns, arg, names) \
	{ __LINE__, { DO_##what, columns, FROM, TO, arg }, names, NULL }
#define U(what, columns, arg, why) \
	{ __LINE__, { DO_##what, columns, FROM, TO, arg }, NULL, why }
#define ONES (UINT64_MAX - 1)

#define CORE(e) "core_counts[*][\"" e "\"]"
#define CORE5(e) "core_counts[5][\"" e "\"]"
#define FIXED(e) "core_fixed_counts[*][\"" e "\"]"
#define FIXED5(e) "core_fixed_counts[5][\"" e "\"]"
#define BOX(of, e) of "_counts[*][*][\"" e "\"]"
#define BOX3(of, e) of "_counts[0][3][\"" e "\"]"

/* What lprocs of both have. */
#define APERF_AND_MPERF \
	N(SHRINK, "aperf[*]", 2, "core_cycles: APERF"), \
	N(STAY, "aperf[*]", 0, "stopped: aperf"), \
	N(SHRINK, "aperf[5]", 2, "core_cycles: APERF of lproc 5"), \
	N(STAY, "aperf[5]", 0, "stopped: aperf, lproc 5"), \
	N(SET, "aperf[5]", 0, "aperf, lproc 5"), \
	N(SET, "aperf[5]", ONES, "aperf, lproc 5"), \
	N(CLEAR, "aperf[5]", 0, "absent: aperf, lproc 5"), \
	N(GROW, "mperf[*]", 2, "impossible: mperf, lprocs 0-"), \
	N(GROW, "mperf[7]", 2, "impossible: mperf, lproc 7:"), \
	N(ADD, "mperf[*]", 480000000, "mperf: MPERF"), \
	N(ADD, "mperf[7]", 480000000, "mperf: MPERF of "), \
	N(STAY, "mperf[*]", 0, "stopped: mperf"), \
	N(STAY, "mperf[7]", 0, "stopped: mperf, lproc 7"), \
	N(SET, "mperf[7]", 0, "mperf, lproc 7")
#define CLOCKS \
	N(STAY, "tsc", 0, "clock: the TSC went"), \
	N(GROW, "tsc", 2, "clock: "), \
	N(SHRINK, "tsc", 2, "clock: "), \
	N(ADD, "walltime[0]", 3600, "clock: the wall clock was set"), \
	N(STAY, "lproc_tsc[5]", 0, "clock: lproc_tsc"), \
	N(ADD, "pkg_tsc[0]", 8400000000, "clock: pkg_tsc")

static const struct lie genoa[] = {
	APERF_AND_MPERF,
	CLOCKS,
	N(GROW, "aperf[*]", 2, "impossible: aperf, lprocs 0-383"),
	N(GROW, "aperf[5]", 2, "impossible: aperf, lproc 5"),
	N(SHRINK, "mperf[*]", 2, "clock: APERF"),
	N(SHRINK, "mperf[7]", 2, "clock: APERF of lproc 7"),
	N(SHRINK, CORE("cycles_unhalted"), 2, "core_cycles: APERF"),
	N(GROW, CORE("cycles_unhalted"), 2, "cycles_unhalted"),
	N(STAY, CORE("cycles_unhalted"), 0, "stopped: core_counts"),
	N(SHRINK, CORE5("cycles_unhalted"), 2, "APERF of lproc 5"),
	N(STAY, CORE5("cycles_unhalted"), 0, "stopped: core_counts"),
	N(CLEAR, CORE5("cycles_unhalted"), 0, "absent: core_counts"),
	N(STAY, CORE("instr_retired"), 0, "stopped: core_counts"),
	N(STAY, CORE5("instr_retired"), 0, "stopped: core_counts"),
	N(GROW, CORE("instr_retired"), 8, "range: ipc"),
	N(GROW, CORE("instr_retired"), 16, "instr_retired"),
	N(GROW, CORE5("instr_retired"), 16, "instr_retired"),
	N(GROW, CORE("flops_all"), 2, "flops: floating-point"),
	N(GROW, CORE("flops_all"), 4, "flops: floating-point"),
	N(GROW, CORE5("flops_all"), 4, "floating-point operations of core 0/5"),
	N(GROW, CORE("l2_miss_ic_dc"), 6, "l2_misses: L2 misses"),
	N(GROW, BOX("l3", "l3_misses"), 8, "range: l3_miss_ratio"),
	N(SHRINK, BOX("l3", "l3_lookups"), 8, "range: l3_miss_ratio"),
	N(STAY, BOX("l3", "l3_lookups"), 0, "l2_misses: L2 misses"),
	N(STAY, BOX3("l3", "l3_lookups"), 0, "L2 misses of code and data of ccx 0/3"),
	N(STAY, "l3_counts[*", 0, "stopped: l3_counts"),
	N(STAY, "l3_counts[0][3]*", 0, "stopped: l3_counts"),
	N(STAY, BOX("l3", "l3_lat10_all"), 0, "l3_latency: "),
	N(STAY, BOX("l3", "l3_latreq_all"), 0, "l3_timed: "),
	N(STAY, "l3_counts[*][*][\"l3_lat*", 0, "l3_timed: "),
	N(STAY, "l3_counts[0][3][\"l3_lat*", 0, "of ccx 0/3"),
	N(STAY, BOX3("l3", "l3_lat10_all"), 0, "of ccx 0/3"),
	N(GROW, BOX("l3", "l3_lat10_all"), 100, "range: l3_miss_latency"),
	N(SHRINK, BOX("l3", "l3_lat10_all"), 64, "l3_latency: "),
	N(GROW, BOX("l3", "l3_latreq_all"), 32, "l3_latency: "),
	N(GROW, "rapl_core_energy[*]", 2, "energy_parts: package energy"),
	N(GROW, "rapl_core_energy[*]", 4, "energy_parts: package energy"),
	N(STAY, "rapl_core_energy[*]", 0, "energy_cores: "),
	N(GROW, "rapl_pkg_energy[*]", 2, "energy_most: package energy"),
	N(GROW, "rapl_pkg_energy[*]", 4, "rapl_pkg_energy"),
	N(GROW, "rapl_pkg_energy[1]", 2, "package energy of package 1"),
	N(SHRINK, "rapl_pkg_energy[*]", 2, "energy_parts: package energy"),
	N(SHRINK, "rapl_pkg_energy[0]", 2, "package energy of package 0"),
	N(STAY, "rapl_pkg_energy[*]", 0, "stopped: rapl_pkg_energy"),
	N(STAY, "rapl_pkg_energy[0]", 0, "stopped: rapl_pkg_energy, package 0"),
	N(STAY, "umc_counts[*][*][\"umc_cas*", 0, "dram_bus: "),
	N(STAY, "umc_counts[0][3][\"umc_cas*", 0, "of box 0/3"),
	N(SHRINK, "umc_counts[0][3][\"umc_cas*", 2, "channels: DRAM bandwidth of box 0/3"),
	N(GROW, BOX("umc", "umc_cas_rd"), 4, "dram_bus: "),
	N(GROW, BOX3("umc", "umc_cas_rd"), 4, "of box 0/3"),
	N(SHRINK, BOX("umc", "umc_clk"), 2, "dram_rate: "),
	N(GROW, BOX("umc", "umc_clk"), 2, "umc_clk"),
	N(STAY, BOX("umc", "umc_clk"), 0, "stopped: umc_counts"),
	N(SHRINK, BOX3("umc", "umc_clk"), 2, "dram_clocks: memory clock of box 0/3"),
	N(STAY, "umc_counts[*", 0, "stopped: umc_counts"),
	N(STAY, "umc_counts[0][3]*", 0, "stopped: umc_counts"),
	N(STAY, BOX("umc", "umc_slot_clks_all"), 0, "dram_bus: "),
	N(GROW, BOX("umc", "umc_slot_clks_all"), 4, "dram_bus: "),
	N(SHRINK, BOX("umc", "umc_slot_clks_all"), 4, "dram_bus: "),
	N(STAY, BOX3("umc", "umc_slot_clks_all"), 0, "of box 0/3"),
	N(CLEAR, "umc_counts[0][3]*", 0, "absent: "),
	U(GROW, CORE("instr_retired"), 2, "2.6 instructions a cycle are possible"),
	U(SHRINK, CORE("instr_retired"), 2, "a program may wait as long"),
	U(SHRINK, CORE5("instr_retired"), 2, "lprocs need not do the same"),
	U(STAY, CORE("flops_all"), 0, "a program may have no floating point"),
	U(SHRINK, CORE("flops_all"), 2, "fewer of them are possible"),
	U(SHRINK, CORE("l2_miss_ic_dc"), 2, "prefetches ask the L3, too"),
	U(GROW, BOX("l3", "l3_misses"), 2, "twice as many requests may miss"),
	U(SHRINK, BOX("l3", "l3_misses"), 2, "half as many requests may miss"),
	U(GROW, "rapl_core_energy[8]", 2, "one core may draw more than others"),
	U(SHRINK, "rapl_core_energy[*]", 2, "nobody knows what the rest draws"),
	U(STAY, BOX("umc", "umc_cas_wr"), 0, "what the bus counts is known to a "
	    "factor of two, and there may be reads alone"),
	U(STAY, "df_counts[*", 0, "devices and links may rest"),
	U(GROW, "df_counts[*", 2, "nothing else counts devices and links"),
	U(STAY, "df_counts[*xgmi_out_0*", 0, "a link may rest"),
};

static const struct lie spr[] = {
	APERF_AND_MPERF,
	CLOCKS,
	N(GROW, "aperf[*]", 2, "core_cycles: APERF"),
	N(GROW, "aperf[5]", 2, "core_cycles: APERF"),
	N(SHRINK, "mperf[*]", 2, "ref_cycles: MPERF"),
	N(SHRINK, "mperf[7]", 2, "ref_cycles: MPERF of lproc 7"),
	N(SHRINK, FIXED("CPU_CLK_Unhalted.Core"), 2, "core_cycles: APERF"),
	N(GROW, FIXED("CPU_CLK_Unhalted.Core"), 2, "core_cycles: APERF"),
	N(STAY, FIXED("CPU_CLK_Unhalted.Core"), 0, "stopped: core_fixed"),
	N(SHRINK, FIXED5("CPU_CLK_Unhalted.Core"), 2, "APERF of lproc 5"),
	N(STAY, FIXED5("CPU_CLK_Unhalted.Core"), 0, "stopped: core_fixed"),
	N(SHRINK, FIXED("CPU_CLK_Unhalted.Ref"), 2, "ref_cycles: MPERF"),
	N(STAY, FIXED("CPU_CLK_Unhalted.Ref"), 0, "stopped: core_fixed"),
	N(SHRINK, FIXED5("CPU_CLK_Unhalted.Ref"), 2, "MPERF of lproc 5"),
	N(STAY, FIXED("Inst_Retired.Any"), 0, "stopped: core_fixed"),
	N(STAY, FIXED5("Inst_Retired.Any"), 0, "stopped: core_fixed"),
	N(GROW, FIXED("Inst_Retired.Any"), 64, "Inst_Retired.Any"),
	N(SHRINK, FIXED("Inst_Retired.Any"), 1000, "fp_instructions: "),
	N(SHRINK, FIXED5("Inst_Retired.Any"), 1000, "multiply-adds twice of lproc 5"),
	N(STAY, "core_fixed_counts[*", 0, "stopped: core_fixed"),
	N(SHRINK, FIXED("TOPDOWN.SLOTS"), 4, "slots: slots"),
	N(GROW, FIXED("TOPDOWN.SLOTS"), 2, "slots: slots"),
	N(STAY, FIXED("TOPDOWN.SLOTS"), 0, "stopped: core_fixed"),
	N(SHRINK, FIXED5("TOPDOWN.SLOTS"), 4, "slots of lproc 5"),
	N(SET, "core_perf_metrics[*]", 0, "shares: PERF_METRICS"),
	N(SET, "core_perf_metrics[5]", 0, "shares: PERF_METRICS of lproc 5"),
	N(GROW, CORE("CPU_CLK_UNHALTED.KERNEL"), 100000, "CPU_CLK_UNHALTED.KERNEL"),
	N(GROW, CORE("LONGEST_LAT_CACHE.MISS"), 8, "core_misses: L3 misses"),
	N(GROW, BOX("cha", "TOR_INSERTS.IA_MISS_DRD"), 8, "cha_misses: L3 misses"),
	N(GROW, BOX("cha", "TOR_INSERTS.IA_MISS_DRD"), 2, "home_reads: "),
	N(STAY, BOX("cha", "REQUESTS.READS"), 0, "home_reads: "),
	N(SHRINK, BOX("cha", "REQUESTS.READS"), 2, "home_reads: "),
	N(SHRINK, BOX("cha", "CLOCKTICKS"), 2, "uncore_clock: "),
	N(STAY, BOX("cha", "CLOCKTICKS"), 0, "uncore_clock: "),
	N(SHRINK, BOX3("cha", "CLOCKTICKS"), 2, "clock of a CHA of box 0/3"),
	N(STAY, "cha_counts[0][3]*", 0, "stopped: cha_counts"),
	N(STAY, BOX3("cha", "TOR_INSERTS.IA_MISS_DRD"), 0, "cha_tor: misses that a CHA saw of box 0/3"),
	N(STAY, BOX3("cha", "REQUESTS.READS"), 0, "cha_reads: reads that a CHA had of box 0/3"),
	N(STAY, BOX3("cha", "LLC_VICTIMS.TOTAL_M"), 0, "cha_victims: "),
	N(STAY, "imc_counts[*", 0, "stopped: imc_counts"),
	N(STAY, "imc_counts[0][3]*", 0, "stopped: imc_counts"),
	N(STAY, "imc_counts[0][3][\"CAS*", 0, "channels: DRAM bandwidth of box 0/3"),
	N(SHRINK, "imc_counts[0][3][\"CAS*", 4, "channels: DRAM bandwidth of box 0/3"),
	N(GROW, BOX("imc", "ACT_COUNT.ALL"), 8, "range: page_hit"),
	N(STAY, BOX("imc", "ACT_COUNT.ALL"), 0, "dram_pages: "),
	N(GROW, BOX("imc", "PRE_COUNT.ALL"), 8, "dram_pages: "),
	N(GROW, BOX3("imc", "ACT_COUNT.ALL"), 8, "pages: pages opened of box 0/3"),
	N(SHRINK, BOX3("imc", "DCLK"), 2, "dram_clocks: memory clock of box 0/3"),
	N(STAY, BOX("imc", "DCLK"), 0, "stopped: imc_counts"),
	N(STAY, "mchbm_counts[*", 0, "stopped: mchbm_counts"),
	N(STAY, "mchbm_counts[0][3][\"CAS*", 0, "hbm_channels: "),
	N(SHRINK, "mchbm_counts[0][3][\"CAS*", 4, "hbm_channels: "),
	N(STAY, BOX3("mchbm", "ACT_COUNT.ALL"), 0, "hbm_pages: "),
	N(SHRINK, BOX3("mchbm", "CLOCKTICKS"), 2, "hbm_clocks: clock of HBM of box 0/3"),
	N(SHRINK, BOX("mchbm", "CLOCKTICKS"), 32, "hbm_clock: "),
	N(GROW, BOX("upi", "TxL_FLITS.ALL_DATA"), 2, "upi: UPI data sent"),
	N(SHRINK, BOX("upi", "RxL_FLITS.ALL_DATA"), 2, "upi: UPI data sent"),
	N(STAY, BOX3("upi", "TxL_FLITS.ALL_DATA"), 0, "upi: UPI data sent"),
	N(SHRINK, BOX3("upi", "CLOCKTICKS"), 2, "link_clocks: "),
	N(GROW, BOX("upi", "TxL_FLITS.NON_DATA"), 1000, "upi"),
	N(GROW, BOX("iio", "DATA_REQ_OF_CPU.MEM_WRITE"), 4, "iio_in: "),
	N(GROW, BOX("iio", "DATA_REQ_OF_CPU.MEM_READ"), 4, "iio_out: "),
	N(SHRINK, "iio_stack*_in_bytes[*]", 4, "iio_in: "),
	N(GROW, CORE("FP_ARITH_INST_RETIRED.8_FLOPS"), 900, "flops: floating-point"),
	N(GROW, CORE5("FP_ARITH_INST_RETIRED.8_FLOPS"), 900, "operations of core 0/5"),
	N(GROW, "rapl_pkg_energy[*]", 4, "rapl_pkg_energy"),
	N(SHRINK, "rapl_pkg_energy[*]", 1000, "energy_tdp: "),
	N(STAY, "rapl_pkg_energy[*]", 0, "stopped: rapl_pkg_energy"),
	N(STAY, "rapl_dram_energy[0]", 0, "stopped: rapl_dram_energy"),
	N(GROW, "rapl_dram_energy[*]", 64, "impossible: rapl_dram_energy"),
	N(SET, "pkg_temperature[0]", 127, "is 127 degrees"),
	N(SET, "pkg_temperature[*]", 999, "is 999 degrees"),
	N(SHRINK, "ubox_uclk[*]", 2, "uncore_clock: "),
	N(STAY, "ubox_uclk[*]", 0, "stopped: ubox_uclk"),
	U(STAY, CORE("LONGEST_LAT_CACHE.MISS"), 0, "data may fit the caches"),
	U(GROW, BOX("cha", "LLC_VICTIMS.TOTAL_M"), 2, "victims need no miss here"),
	U(SHRINK, BOX("imc", "DCLK"), 2, "while nobody asks for much, the clock of "
	    "DRAM may be lowered"),
	U(SHRINK, BOX("imc", "PRE_COUNT.ALL"), 2, "pages may stay open"),
	U(GROW, CORE("FP_ARITH_INST_RETIRED.8_FLOPS"), 2, "units can do more"),
	U(GROW, "rapl_dram_energy[*]", 2, "nothing else counts it"),
	U(STAY, "iio_stack0_port0_in_bytes[*]", 0, "a device may rest"),
	U(STAY, "pcu_counts[*FREQ_TRANS*", 0, "clocks may stay"),
};

static char *
told(int (*cmd)(int, char **), const char *name, const char *path)
{
	char words[400];

	snprintf(words, sizeof words, "%s " RANGE " %s", name, path);
	return said(-1, cmd, words, NULL);
}

/* Findings and notes that are not of the machine as such. */
static bool
says_nothing(const char *check)
{
	for (const char *line = check; *line != '\0'; line = strchr(line, '\n')
	    + 1) {
		const char *end = strchr(line, '\n');
		char text[2000];

		snprintf(text, sizeof text, "%.*s", (int)(end - line), line);
		if (strstr(text, "note: unit: ") == NULL &&
		    strstr(text, ": sound") == NULL)
			return false;
	}
	return true;
}

/* A finding is marked, and so is a peer that is unlike the others. */
static bool
is_marked(const char *report)
{
	return strstr(report, "DOUBTFUL: ") != NULL ||
	    strstr(report, "NOT SOUND: ") != NULL ||
	    strstr(report, "incomplete: ") != NULL ||
	    strstr(report, "\nPeers  ") != NULL ||
	    strstr(report, "the other clocks contradict") != NULL;
}

static bool
is_seen_through(const struct doctored *clean, const struct lie *lie)
{
	char *check, *report;
	struct doctored d;
	const char *path;
	bool seen;

	doctored_copy(&d, clean);
	if (doctor(&d, &lie->to) == 0)
		fail_msg("line %d: nothing is like %s", lie->line,
		    lie->to.columns);
	path = doctored_write(&d, "doctored");
	check = told(cmd_check, "check", path);
	report = told(cmd_report, "report", path);
	seen = lie->names == NULL ? says_nothing(check) :
	    strstr(check, lie->names) != NULL && is_marked(report);
	if (!seen)
		print_message("line %d: %s: %s%.1500s%.600s\n", lie->line,
		    lie->to.columns, lie->names != NULL ? lie->names :
		    "it is known: ", check, report);
	free(check);
	free(report);
	doctored_free(&d);
	return seen;
}

static unsigned
missed(const char *machine, const struct lie *lie, size_t n)
{
	char tallyd[512], path[300], command[1400], *check, *report;
	struct doctored clean;
	unsigned named = 0, not_seen = 0;

	snprintf(path, sizeof path, "%s/clean", test_dir);
	snprintf(command, sizeof command, "%s -q --sim @%s --virtual-time -n "
	    "22 --overwrite -o %s", built("tallyd", tallyd), machine, path);
	assert_int_equal(system(command), 0);
	check = told(cmd_check, "check", path);
	report = told(cmd_report, "report", path);
	assert_true(says_nothing(check) && !is_marked(report));
	free(check);
	free(report);
	doctored_load(&clean, path);
	for (size_t i = 0; i < n; i++) {
		not_seen += !is_seen_through(&clean, &lie[i]);
		named += lie[i].names != NULL;
	}
	doctored_free(&clean);
	assert_true(named >= 60);
	return not_seen;
}

static void
of_an_epyc_node_what_contradicts_itself_is_named_and_marked(void **state)
{
	(void)state;
	assert_int_equal(missed("genoa-9654-2s", genoa, sizeof genoa /
	    sizeof *genoa), 0);
}

static void
and_of_a_xeon_max_node(void **state)
{
	(void)state;
	assert_int_equal(missed("spr-9480-2s", spr, sizeof spr / sizeof *spr),
	    0);
}

/* A figure is marked where one of its counters is of a contradiction. */
static void
figures_of_halved_cycles_are_marked_on_the_pages(void **state)
{
	static const struct doing_to halved = { DO_SHRINK,
	    CORE("cycles_unhalted"), FROM, TO, 2 };
	char tallyd[512], path[300], command[1400], *text;
	struct doctored d;

	(void)state;
	snprintf(path, sizeof path, "%s/clean", test_dir);
	snprintf(command, sizeof command, "%s -q --sim @genoa-9654-2s "
	    "--virtual-time -n 22 --overwrite -o %s", built("tallyd", tallyd),
	    path);
	assert_int_equal(system(command), 0);
	doctored_load(&d, path);
	assert_true(doctor(&d, &halved) > 0);
	snprintf(path, sizeof path, "%s", doctored_write(&d, "doctored"));
	doctored_free(&d);
	text = told(cmd_report, "report", path);
	assert_non_null(strstr(text, "Data      DOUBTFUL: 1 contradiction "));
	assert_non_null(strstr(text, "2.595!   2.595!   2.595!"));
	/* MPERF is of nothing that differs */
	assert_non_null(strstr(text, "100.0    100.0    100.0\n"));
	free(text);
	holds(told(cmd_report, "report -f csv", path), "another counter "
	    "contradicts it");
	text = told(cmd_page, "page", path);
	assert_non_null(strstr(text, "core_cycles: APERF of package 0"));
	free(text);
}

/* A channel that nobody populated, or that is broken. */
static void
a_channel_that_counts_nothing_is_named_on_the_pages(void **state)
{
	char tally[512], tallyd[512], command[2400], path[300];

	(void)state;
	snprintf(path, sizeof path, "%s/dead", test_dir);
	snprintf(command, sizeof command, "(%s print @genoa-9654-2s; printf "
	    "'event umc 0x%%s pkg=0 inst=3\\n' '10a all=0' '20a all=0' "
	    "'14 all=0') >%s.machine && %s -q --sim %s.machine "
	    "--virtual-time -n 22 --overwrite -o %s", built("tally", tally),
	    path, built("tallyd", tallyd), path, path);
	assert_int_equal(system(command), 0);
	holds(told(cmd_check, "check", path), "note: peers: channels: DRAM "
	    "bandwidth of box 0/3: 0 GB/s; the median of its package: 22.4 GB/s");
	holds(told(cmd_report, "report", path), "channels: DRAM bandwidth of "
	    "box 0/3: 0 GB/s");
	holds(told(cmd_why, "why", path), "umc 0/3: 0.00 GB/s, lowest 0.00 "
	    "GB/s (the others: 22.40 GB/s");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    of_an_epyc_node_what_contradicts_itself_is_named_and_marked),
		cmocka_unit_test(and_of_a_xeon_max_node),
		cmocka_unit_test(
		    figures_of_halved_cycles_are_marked_on_the_pages),
		cmocka_unit_test(
		    a_channel_that_counts_nothing_is_named_on_the_pages),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
