/*
 * tests/postproc/test_partial.c - dumps that do not have all of what is asked for: what
 * tally says of a figure that lacks some of its units or samples.
 */
#include "tests/lib/tally_command.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECOND(i) "tsc[" #i "] = 1" #i "000000000\n" \
	"walltime[0][" #i "] = 100" #i "\nwalltime[1][" #i "] = 0\n"
#define HEAD "host = \"n\"\nmodel = \"skx\"\nTSC_ratio = 10\npackages = 1\n"

/* ---- ranges that are no interval ---- */

static const char status_bits[] = HEAD
    SECOND(0) "pkg_core_perf_limit_reasons[0][0] = 0x2\n"
    SECOND(1) "pkg_core_perf_limit_reasons[0][1] = 0x2\n"
    SECOND(2) "pkg_core_perf_limit_reasons[0][2] = 0x0\n";

static void
one_sample_alone_has_no_figures_and_is_told(void **state)
{
	static const struct {
		int (*cmd)(int, char **);
		const char *words;
	} t[] = {
		{ cmd_metrics, "metrics -s 1:1" },
		{ cmd_metrics, "metrics -e -s 1:1" },
		{ cmd_report, "report -s 1:1" },
		{ cmd_report, "report --io -s 1:1" },
		{ cmd_platform, "platform -s 1:1" },
		{ cmd_histogram, "histogram -m limit_prochot -s 1:1" },
		{ cmd_totals, "totals -s 1:1" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++)
		lacks(said(EXIT_UNUSABLE, t[i].cmd, t[i].words, status_bits),
		    "n/a");
	/* merge writes nothing at all */
	{
		char path[128], *argv[] = { (char[]){ "merge" },
		    (char[]){ "-s" }, (char[]){ "1:1" }, path, NULL };

		snprintf(path, sizeof path, "%s", test_put("dump",
		    status_bits));
		optind = 0;
		assert_int_equal(cmd_merge(4, argv), EXIT_UNUSABLE);
	}
}

static void
status_bits_are_looked_at_for_the_pages_of_io_too(void **state)
{
	char words[256];

	(void)state;
	snprintf(words, sizeof words, "report --io -f csv -M %s",
	    test_put("bits.metrics", "metric dram_read package \"%\" \"\" = "
	    "100 * bit(pkg_core_perf_limit_reasons, 1)\n"));
	holds(said(EXIT_OK, cmd_report, words, status_bits),
	    "package,0,,dram_read,50.0000,%");
}

static void
a_metric_that_has_no_boxes_is_not_in_the_list_of_boxes(void **state)
{
	char words[256];

	(void)state;
	snprintf(words, sizeof words, "report -M %s", test_put("node.metrics",
	    "metric io_in node \"MB/s\" \"\" = tsc\n"
	    "metric limit_thermal package \"%\" \"\" = "
	    "100 * bit(pkg_core_perf_limit_reasons, 1)\n"));
	holds(said(EXIT_OK, cmd_report, words, status_bits),
	    "\nLimits    of the frequency, in so many of the samples: thermal "
	    "50 %\n          what each means: limit_* of tally metrics --list "
	    "FILE\n");
}

/* Half of the intervals: a temperature is none, in the first. */
static void
a_reading_that_cannot_be_makes_one_interval_unsound(void **state)
{
	(void)state;
	holds(said(EXIT_OK, cmd_report, "report", HEAD
	    SECOND(0) "pkg_temperature[0][0] = 50\n"
	    SECOND(1) "pkg_temperature[0][1] = 200\n"
	    SECOND(2) "pkg_temperature[0][2] = 51\n"),
	    "NOT SOUND: 1 delta in 1 of 2 intervals left out, no counts");
}

/* An lproc that is offline for two samples: nothing that is there is wrong. */
static void
what_is_merely_absent_makes_a_dump_incomplete(void **state)
{
	static const char lproc[] = HEAD
	    SECOND(0) "aperf[0][0] = 1000\naperf[1][0] = 1000\n"
	    SECOND(1) "aperf[0][1] = 2000\n"
	    SECOND(2) "aperf[0][2] = 3000\naperf[1][2] = 5000\n";
	(void)state;
	holds(said(EXIT_OK, cmd_report, "report", lproc),
	    "Data      sound, but incomplete: 2 deltas in 2 of 2 intervals missing");
}

/* The same, and a line of the file that says nothing. */
static void
what_is_absent_beside_other_faults_is_not_called_sound(void **state)
{
	static const char lproc[] = HEAD
	    SECOND(0) "aperf[0][0] = 1000\naperf[1][0] = 1000\n"
	    SECOND(1) "aperf[0][1] = 2000\naperf[1][1] 3000\n"
	    SECOND(2) "aperf[0][2] = 3000\naperf[1][2] = 5000\n";

	(void)state;
	holds(said(EXIT_OK, cmd_report, "report", lproc),
	    "Data      incomplete: 2 deltas in 2 of 2 intervals missing");
}

/* ---- a row behind the range ---- */

static void
columns_of_a_row_behind_the_range_are_in_no_figure(void **state)
{
	static char text[1 << 17];
	size_t n = 0;

	(void)state;
	n += (size_t)sprintf(text, HEAD "watch = 1\nset_name[0] = \"a\"\n"
	    "event_set[\"imc_counts\"][\"X\"] = \"a\"\n");
	for (int i = 0; i < 3; i++)
		n += (size_t)sprintf(text + n, "tsc[%d] = 1%d000000000\n"
		    "walltime[0][%d] = 100%d\nwalltime[1][%d] = 0\n"
		    "imc_counts[0][0][\"X\"][%d] = %d00\n", i, i, i, i, i, i,
		    i);
	/* so many that every array has to grow, the set's times last */
	n += (size_t)sprintf(text + n, "tsc[3] = 13000000000\n");
	for (int c = 0; c < 1100; c++)
		n += (size_t)sprintf(text + n,
		    "cha_counts[0][%d][\"Y\"][3] = 1\n", c);
	sprintf(text + n, "set_enabled[\"a\"][3] = 5\n"
	    "set_running[\"a\"][3] = 5\n");
	lacks(said(EXIT_OK, cmd_totals, "totals -s 0:2", text),
	    "cha_counts");
	lacks(said(EXIT_OK, cmd_metrics, "metrics -s 0:2", text),
	    "cha_counts");
	lacks(said(EXIT_OK, cmd_report, "report -s 0:2", text),
	    "cha_counts");
}

/* ---- units that lack a column ---- */

/*
 * Two packages of two lprocs of one core each; a second: lproc l has
 * (l + 1) * 100 mperf and, where `x` has its digit, 10 times that of X; channel
 * c of a package c + 1 CAS and, where c < acts, 10 ACT; package p 1000 * (p + 1)
 * of energy where `energy` has its digit.
 */
static const char *
units(const char *x, const char *mperf, int acts, const char *energy,
    const char *head)
{
	static char text[1 << 15];
	size_t n = (size_t)sprintf(text, "host = \"n\"\nmodel = \"skx\"\n"
	    "TSC_ratio = 10\npackages = 2\nnr_cpus = 4\n"
	    "RAPL_PKG_ENERGY_UNIT = 0.001\n"
	    "lproc_package[0] = 0\nlproc_package[1] = 0\n"
	    "lproc_package[2] = 1\n%s", head);

	if (strstr(head, "package[3]") == NULL)
		n += (size_t)sprintf(text + n, "lproc_package[3] = 1\n"
		    "lproc_online[3] = 1\n");
	for (int i = 0; i < 3; i++) {
		n += (size_t)sprintf(text + n, "tsc[%d] = 1%d000000000\n"
		    "walltime[0][%d] = 100%d\nwalltime[1][%d] = 0\n", i, i, i,
		    i, i);
		for (int l = 0; l < 4; l++) {
			if (strchr(x, '0' + l) != NULL)
				n += (size_t)sprintf(text + n,
				    "core_counts[%d][\"X\"][%d] = %d\n"
				    "core_counts[%d][\"STILL\"][%d] = 5\n",
				    l, i, i * (l + 1) * 1000, l, i);
			if (strchr(mperf, '0' + l) != NULL)
				n += (size_t)sprintf(text + n,
				    "mperf[%d][%d] = %d\n", l, i,
				    i * (l + 1) * 100);
		}
		for (int p = 0; p < 2; p++) {
			for (int c = 0; c < 3; c++) {
				n += (size_t)sprintf(text + n,
				    "imc_counts[%d][%d][\"CAS\"][%d] = %d\n",
				    p, c, i, i * (c + 1));
				if (c < acts)
					n += (size_t)sprintf(text + n,
					    "imc_counts[%d][%d][\"ACT\"][%d] "
					    "= %d\n", p, c, i, i * 10);
			}
			if (strchr(energy, '0' + p) != NULL)
				n += (size_t)sprintf(text + n,
				    "rapl_pkg_energy[%d][%d] = %d\n", p, i,
				    i * 1000 * (p + 1));
		}
	}
	return text;
}

/* What tally metrics says of one metric of that formula. */
static char *
metric(const char *scope, const char *formula, const char *dump)
{
	char words[256], text[300];

	snprintf(text, sizeof text, "metric x %s \"u\" \"\" = %s\n", scope,
	    formula);
	snprintf(words, sizeof words, "metrics -f csv -S all -M %s",
	    test_put("x.metrics", text));
	return said(EXIT_OK, cmd_metrics, words, dump);
}

static void
a_quotient_is_of_the_units_that_have_both(void **state)
{
	static const struct {
		int line;
		const char *scope, *formula, *says;
	} t[] = {
		{ __LINE__, "lproc", "core[\"X\"] / mperf",
		    "x,lproc,1,10.0000,u,0,,\r" },
		{ __LINE__, "lproc", "core[\"X\"] / mperf",
		    "x,package,0,10.0000,u,0,,\r" },
		{ __LINE__, "lproc", "core[\"X\"] / mperf",
		    "x,package,1,10.0000,u,0,of 1 of 2 lprocs,\r" },
		{ __LINE__, "lproc", "core[\"X\"] / mperf",
		    "x,node,,10.0000,u,0,of 3 of 4 lprocs,\r" },
		/* (1 + 2 + 3) * 100 a second of three lprocs, not of four */
		{ __LINE__, "lproc", "mperf * core[\"X\"] / core[\"X\"] / "
		    "lprocs / time", "x,node,,200.0000,u,0,of 3 of 4 lprocs,\r" },
		{ __LINE__, "lproc", "avg(mperf + 0 * core[\"X\"]) / time",
		    "x,node,,200.0000,u,0,of 3 of 4 lprocs,\r" },
		{ __LINE__, "lproc", "count(core[\"X\"])",
		    "x,node,,3.0000,u,0,of 3 of 4 lprocs,\r" },
		/* what is in the way of nobody */
		{ __LINE__, "lproc", "mperf / time", "x,node,,1000.0000,u,0,,\r" },
		{ __LINE__, "lproc", "first(core[\"X\"] / core[\"STILL\"], "
		    "mperf) / time", "x,node,,1000.0000,u,0,,\r" },
		{ __LINE__, "lproc", "(mperf if time > 1 else core[\"X\"]) / "
		    "time", "x,node,,1000.0000,u,0,,\r" },
		{ __LINE__, "lproc", "mperf / tsc * 1e9",
		    "x,node,,1000.0000,u,0,,\r" },
		/* boxes of one family */
		{ __LINE__, "box", "imc[\"CAS\"] / imc[\"ACT\"]",
		    "x,box,0/1,0.2000,u,0,,\r" },
		{ __LINE__, "box", "imc[\"CAS\"] / imc[\"ACT\"]",
		    "x,package,1,0.1500,u,0,of 2 of 3 imc boxes,\r" },
		{ __LINE__, "box", "imc[\"CAS\"] / imc[\"ACT\"]",
		    "x,node,,0.1500,u,0,of 4 of 6 imc boxes,\r" },
		{ __LINE__, "box", "imc[\"CAS\"] / time",
		    "x,node,,12.0000,u,0,,\r" },
		/* how many there are, whatever each of them counts */
		{ __LINE__, "box", "count(imc[\"*\"])",
		    "x,node,,6.0000,u,0,,\r" },
		/* packages; the lprocs of both */
		{ __LINE__, "package", "rapl_pkg_energy / packages / time",
		    "x,node,,2000.0000,u,0,of 1 of 2 packages,\r" },
		{ __LINE__, "package", "mperf / time + 0 * rapl_pkg_energy",
		    "x,node,,1000.0000,u,0,of 1 of 2 packages,\r" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		char *text = metric(t[i].scope, t[i].formula,
		    units("012", "0123", 2, "1", ""));

		if (strstr(text, t[i].says) == NULL)
			fail_msg("line %d: %s", t[i].line, text);
		free(text);
	}
}

static void
an_lproc_that_is_offline_is_not_missed(void **state)
{
	(void)state;
	holds(metric("lproc", "mperf / time", units("", "012", 0, "",
	    "lproc_package[3] = -1\nlproc_online[3] = 0\n")),
	    "x,node,,600.0000,u,0,,\r");
	/* online, and no column of it */
	holds(metric("lproc", "mperf / time", units("", "012", 0, "", "")),
	    "x,node,,600.0000,u,0,of 3 of 4 lprocs,\r");
}

static void
a_register_that_a_core_has_once_is_missed_on_no_second_lproc(void **state)
{
	static const char cores[] = HEAD "nr_cpus = 4\n"
	    "lproc_package[0] = 0\nlproc_package[1] = 0\n"
	    "lproc_package[2] = 0\nlproc_package[3] = 0\n"
	    "lproc_core[0] = 0\nlproc_core[1] = 1\n"
	    "lproc_core[2] = 0\nlproc_core[3] = 1\n";
	static const struct { const char *lprocs, *says; } t[] = {
		{ "0", "x,node,,7.0000,u,0,of 1 of 2 cores,\r" },
		{ "01", "x,node,,14.0000,u,0,,\r" },
		/* by the second lproc of either, and what is no lproc */
		{ "23", "x,node,,14.0000,u,0,,\r" },
		{ "03", "x,node,,14.0000,u,0,,\r" },
		{ "3", "x,node,,7.0000,u,0,of 1 of 2 cores,\r" },
		{ "34", "x,node,,7.0000,u,0,of 1 of 2 cores,\r" },
	};
	char text[2000];

	(void)state;
	for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
		size_t n = (size_t)sprintf(text, "%s", cores);

		for (int i = 0; i < 2; i++) {
			n += (size_t)sprintf(text + n, i ? SECOND(1) : SECOND(0));
			for (int l = 0; l < 4; l++)
				n += (size_t)sprintf(text + n,
				    "mperf[%d][%d] = %d\n", l, i, i * 100);
			for (const char *l = t[k].lprocs; *l != '\0'; l++)
				n += (size_t)sprintf(text + n,
				    "core_c6_residency[%c][%d] = %d\n", *l, i,
				    i * 7);
		}
		holds(metric("core", "core_c6_residency + 0 * mperf", text),
		    t[k].says);
	}
}

static void
a_page_marks_figures_that_lack_units(void **state)
{
	(void)state;
	holds(said(EXIT_OK, cmd_report, "report", units("", "0123", 0, "1",
	    "")), "n/a      2.0      2.0*");
	holds(said(EXIT_OK, cmd_report, "report", units("", "0123", 0, "1",
	    "")), "* marks figures that lack lprocs, boxes or packages");
	holds(said(EXIT_OK, cmd_report, "report -f csv", units("", "0123", 0,
	    "1", "")), "package_power,node,,2.0000,W,0,of 1 of 2 packages");
	lacks(said(EXIT_OK, cmd_report, "report", units("", "0123", 0, "01",
	    "")), "*");
}

/* Two packages that both have channels; those of the first alone are counted. */
static void
boxes_of_a_package_that_are_not_counted_are_missed(void **state)
{
	static const char of[] = HEAD "packages = 2\nnr_cpus = 2\n"
	    "lproc_package[0] = 0\nlproc_package[1] = 1\n"
	    "unit_present[\"IMC\"][0][0] = 1\n"
	    "unit_present[\"IMC\"][0][1] = 1\n"
	    "unit_%s[\"IMC\"][1][1] = %s\n"
	    SECOND(0) "imc_counts[0][0][\"X\"][0] = 0\n"
	    "imc_counts[0][1][\"X\"][0] = 0\n"
	    SECOND(1) "imc_counts[0][0][\"X\"][1] = 10\n"
	    "imc_counts[0][1][\"X\"][1] = 10\n";
	char dump[1200];

	(void)state;
	snprintf(dump, sizeof dump, of, "present", "1");
	holds(metric("box", "imc[\"X\"] / time", dump),
	    "x,node,,20.0000,u,0,of 2 of 3 imc boxes,\r");
	/* the other package has none */
	snprintf(dump, sizeof dump, of, "absent", "\"fused off\"");
	holds(metric("box", "imc[\"X\"] / time", dump),
	    "x,node,,20.0000,u,0,,\r");
}

/* A package with four channels of which a run counted two: their sum is not that of the
 * package, and says so. */
static void
boxes_that_are_not_counted_beside_others_are_missed(void **state)
{
	static const char dump[] = HEAD "packages = 1\nnr_cpus = 1\n"
	    "lproc_package[0] = 0\n"
	    "unit_present[\"IMC\"][0][0] = 1\n"
	    "unit_present[\"IMC\"][0][1] = 1\n"
	    "unit_present[\"IMC\"][0][2] = 1\n"
	    "unit_present[\"IMC\"][0][3] = 1\n"
	    SECOND(0) "imc_counts[0][0][\"X\"][0] = 0\n"
	    "imc_counts[0][1][\"X\"][0] = 0\n"
	    SECOND(1) "imc_counts[0][0][\"X\"][1] = 10\n"
	    "imc_counts[0][1][\"X\"][1] = 10\n";

	(void)state;
	holds(metric("box", "imc[\"X\"] / time", dump),
	    "x,node,,20.0000,u,0,of 2 of 4 imc boxes,\r");
	/* who asks for one that is counted lacks nothing */
	holds(metric("box", "boxes(\"1\", imc[\"X\"]) / time", dump),
	    "x,node,,10.0000,u,0,,\r");
}

/* ---- columns that come late ---- */

/* From sample 2 on channel 1 has a column; a status bit is set in two of four
 * samples, and reads for all of the time 64 million bytes a second. */
static const char *
late(void)
{
	static char text[4000];
	size_t n = (size_t)sprintf(text, "%s", HEAD);

	for (int i = 0; i < 5; i++) {
		n += (size_t)sprintf(text + n, "tsc[%d] = 1%d000000000\n"
		    "walltime[0][%d] = 100%d\nwalltime[1][%d] = 0\n"
		    "imc_counts[0][0][\"CAS_COUNT.READS\"][%d] = %d000000\n"
		    "pkg_core_perf_limit_reasons[0][%d] = 0x%d\n",
		    i, i, i, i, i, i, i, i, i % 2 * 2);
		if (i >= 2)
			n += (size_t)sprintf(text + n, "imc_counts[0][1]"
			    "[\"CAS_COUNT.READS\"][%d] = %d000000\n"
			    "imc_counts[0][1][\"LATE\"][%d] = %d\n"
			    "iio_B_port0_in_bytes[0][%d] = %d\n",
			    i, 3 * i, i, i * 10, i, i * 4);
	}
	return text;
}

static void
a_column_that_comes_late_is_in_the_figures_and_they_say_so(void **state)
{
	(void)state;
	/* 1 and 3 million a second; of the latter two intervals are missed */
	holds(metric("box", "imc[\"CAS_COUNT.READS\"] / time", late()),
	    "x,box,0/1,3000000.0000,u,2,known for 50.0 % of the time,\r");
	holds(metric("box", "imc[\"CAS_COUNT.READS\"] / time", late()),
	    "x,node,,4000000.0000,u,2,known for 75.0 % of the time,\r");
	holds(metric("box", "imc[\"LATE\"] / time", late()),
	    "x,node,,10.0000,u,2,of 1 of 2 imc boxes; "
	    "known for 50.0 % of the time,\r");
	holds(metric("box", "\"iio_*_in_bytes\" / time", late()),
	    "x,box,0/B_port0,4.0000,u,2,known for 50.0 % of the time,\r");
	holds(said(EXIT_OK, cmd_report, "report", late()), "0.26*");
	/* what had been seen of the others is kept */
	holds(metric("package", "100 * bit(pkg_core_perf_limit_reasons, 1)",
	    late()), "x,node,,50.0000,u,0,,\r");
	holds(metric("package", "bit(pkg_core_perf_limit_reasons, 1) + 0 * "
	    "imc[\"LATE\"]", late()), "x,node,,0.5000,u,2,of 1 of 2");
	holds(said(EXIT_OK, cmd_histogram, "histogram -n 1 -m dram_read",
	    late()), "2 values, 2.00 s; 2.00 s without a value");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_sample_alone_has_no_figures_and_is_told),
		cmocka_unit_test(
		    a_reading_that_cannot_be_makes_one_interval_unsound),
		cmocka_unit_test(
		    what_is_merely_absent_makes_a_dump_incomplete),
		cmocka_unit_test(
		    what_is_absent_beside_other_faults_is_not_called_sound),
		cmocka_unit_test(
		    status_bits_are_looked_at_for_the_pages_of_io_too),
		cmocka_unit_test(
		    a_metric_that_has_no_boxes_is_not_in_the_list_of_boxes),
		cmocka_unit_test(
		    columns_of_a_row_behind_the_range_are_in_no_figure),
		cmocka_unit_test(a_quotient_is_of_the_units_that_have_both),
		cmocka_unit_test(an_lproc_that_is_offline_is_not_missed),
		cmocka_unit_test(
		    a_register_that_a_core_has_once_is_missed_on_no_second_lproc),
		cmocka_unit_test(a_page_marks_figures_that_lack_units),
		cmocka_unit_test(
		    boxes_of_a_package_that_are_not_counted_are_missed),
		cmocka_unit_test(
		    boxes_that_are_not_counted_beside_others_are_missed),
		cmocka_unit_test(
		    a_column_that_comes_late_is_in_the_figures_and_they_say_so),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
