/*
 * tests/postproc/test_partial.c - dumps that do not have all of what is asked for: what
 * tally says of a figure that lacks some of its units, samples or turns.
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

/* ---- events that take turns ---- */

/* What befalls the counter of part 0 in sample 3, in a turn of its set. */
enum harm { NOTHING, RESET, MISSING, TIMES };

/* Two sets, a second each: part 0 counts 100 in its turns, part 1 counts 10. */
static const char *
rotated(enum harm harm)
{
	static char text[4000];
	unsigned a = 1000, b = 0;
	size_t n = (size_t)sprintf(text, HEAD "watch = 1\nset_name[0] = \"a\"\n"
	    "set_name[1] = \"b\"\n"
	    "event_set[\"imc_counts\"][\"X.PART0\"] = \"a\"\n"
	    "event_set[\"imc_counts\"][\"X.PART1\"] = \"b\"\n");

	for (unsigned i = 0; i < 5; i++) {
		a += i % 2 == 1 ? 100 : 0;
		a = i == 3 && harm == RESET ? 7 : a;
		b += i % 2 == 0 && i > 0 ? 10 : 0;
		n += (size_t)sprintf(text + n, "tsc[%u] = 1%u000000000\n"
		    "walltime[0][%u] = 100%u\nwalltime[1][%u] = 0\n"
		    "set_enabled[\"a\"][%u] = %u000000000\n"
		    "set_enabled[\"b\"][%u] = %u000000000\n"
		    "set_running[\"b\"][%u] = %u000000000\n"
		    "imc_counts[0][0][\"X.PART1\"][%u] = %u\n", i, i, i, i, i,
		    i, i, i, i, i, i / 2, i, b);
		if (i != 3 || harm != TIMES)
			n += (size_t)sprintf(text + n, "set_running[\"a\"][%u] "
			    "= %u000000000\n", i, (i + 1) / 2);
		if (i != 3 || harm != MISSING)
			n += (size_t)sprintf(text + n, "imc_counts[0][0]"
			    "[\"X.PART0\"][%u] = %u\n", i, a);
	}
	return text;
}

static void
a_sum_of_parts_is_none_without_the_turn_of_one(void **state)
{
	char words[200];

	(void)state;
	holds(metric("box", "imc[\"X.PART*\"] / time", rotated(NOTHING)),
	    "x,node,,110.0000,u,0,\"estimate: counted 50.0 % of the time, a "
	    "burst at another time is not in it, and its error is not known; its "
	    "events were not counted at one time\",\r");
	snprintf(words, sizeof words, "metrics -f csv -s 0:1 -S node -M %s",
	    test_put("x.metrics", "metric x box \"u\" \"\" = "
	    "imc[\"X.PART*\"]\nmetric y box \"u\" \"\" = "
	    "first(imc[\"X.PART0\"] + imc[\"X.PART1\"], 7)\n"));
	holds(said(EXIT_OK, cmd_metrics, words, rotated(NOTHING)),
	    "n,x,node,,,u,0,its event set did not run,\r\n"
	    "n,y,node,,7.0000,u,0,,\r\n");
}

static void
a_total_of_some_turns_says_that_it_is_not_scaled(void **state)
{
	(void)state;
	holds(metric("box", "total(imc[\"X.PART0\"])", rotated(NOTHING)),
	    "x,node,,200.0000,u,0,not scaled: counted 50.0 % of the time "
	    "alone,\r");
}

/* A set that has every other sample: what its two events counted in each turn. */
static const char *
few_counts(const unsigned *part, unsigned each)
{
	static char text[4000];
	unsigned a = 0, all = 0;
	size_t n = (size_t)sprintf(text, HEAD "set_name[0] = \"a\"\n"
	    "set_name[1] = \"b\"\n"
	    "event_set[\"imc_counts\"][\"X.PART\"] = \"a\"\n"
	    "event_set[\"imc_counts\"][\"X.ALL\"] = \"a\"\n");

	for (unsigned i = 0; i < 9; i++) {
		a += i % 2 == 1 ? part[i / 2] : 0;
		all += i % 2 == 1 ? each : 0;
		n += (size_t)sprintf(text + n, "tsc[%u] = 1%u000000000\n"
		    "walltime[0][%u] = 100%u\nwalltime[1][%u] = 0\n"
		    "set_enabled[\"a\"][%u] = %u000000000\n"
		    "set_running[\"a\"][%u] = %u000000000\n"
		    "imc_counts[0][0][\"X.PART\"][%u] = %u\n"
		    "imc_counts[0][0][\"X.ALL\"][%u] = %u\n", i, i, i, i, i, i,
		    i, i, (i + 1) / 2, i, a, i, all);
	}
	return text;
}

static void
an_estimate_outside_its_range_by_its_error_is_none(void **state)
{
	char words[200];

	(void)state;
	snprintf(words, sizeof words, "metrics -f csv -S node -M %s",
	    test_put("x.metrics", "metric x box \"%\" \"\" range 0 100 = "
	    "100 * imc[\"X.PART\"] / imc[\"X.ALL\"]\n"));
	holds(said(EXIT_OK, cmd_metrics, words, few_counts((unsigned[]){ 3, 0, 0,
	    3 }, 1)), "x,node,,,%,0,\"it is an estimate of few counts, which "
	    "cannot be (150 %)\",\r");
	holds(said(EXIT_OK, cmd_metrics, words, few_counts((unsigned[]){ 300,
	    300, 301, 299 }, 200)), "x,node,,150.0000,%,0,out of range; "
	    "estimate: +- 4.8,");
}

/* Eight seconds, of which half are the set's: of 360 counts sqrt((360 + 9/4) x 2) / 8 s,
 * though each turn is like the others; of none sqrt(9/4 x 2) / 8 s. */
static void
few_counts_are_a_matter_of_chance(void **state)
{
	char words[200];

	(void)state;
	snprintf(words, sizeof words, "metrics -f csv -S node -M %s",
	    test_put("x.metrics", "metric x box \"/s\" \"\" = "
	    "imc[\"X.PART\"] / time\n"));
	holds(said(EXIT_OK, cmd_metrics, words, few_counts((unsigned[]){ 90, 90,
	    90, 90 }, 1)), "x,node,,90.0000,/s,0,estimate: +- 3.4,3.3646\r");
	holds(said(EXIT_OK, cmd_metrics, words, few_counts((unsigned[]){ 0, 0,
	    0, 0 }, 1)), "x,node,,0.0000,/s,0,estimate: +- 0.27,0.2652\r");
}

/* An error that the digits of a value do not show is not shown as 0; one that they
 * show is never printed as 0. */
static void
an_error_is_never_shown_as_0(void **state)
{
	static const struct {
		int line;
		const char *formula, *row, *note;
	} t[] = {
		{ __LINE__, "imc[\"X.PART\"] / time / 1e6",
		    "e-05  +- 3.4e-06\n", ",estimate: +- 3.4e-06," },
		{ __LINE__, "1e9 + imc[\"X.PART\"] / time",
		    " 1e+09\n", ",estimate,3.3646\r" },
		{ __LINE__, "0 * imc[\"X.PART\"] / time",
		    " 0.0000\n", ",estimate,0.0000\r" },
	};
	char words[200], text[200];

	(void)state;
	for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
		print_message("line %d\n", t[i].line);
		snprintf(text, sizeof text, "metric x box \"/s\" \"\" = %s\n",
		    t[i].formula);
		snprintf(words, sizeof words, "metrics -f csv -S node -M %s",
		    test_put("x.metrics", text));
		holds(said(EXIT_OK, cmd_metrics, words, few_counts((unsigned[]){
		    90, 90, 90, 90 }, 1)), t[i].note);
		snprintf(words, sizeof words, "report -M %s",
		    test_put("x.metrics", text));
		holds(said(EXIT_OK, cmd_report, words, few_counts((unsigned[]){
		    90, 90, 90, 90 }, 1)), t[i].row);
	}
}

static void
an_estimate_stays_one_where_a_turn_is_lost(void **state)
{
	static const enum harm harm[] = { RESET, MISSING, TIMES };
	static const char *const left_out[] = { "1,", "2,", "2," };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		char says[80];

		snprintf(says, sizeof says, "x,node,,100.0000,u,%s\"estimate: "
		    "counted 25.0 %%", left_out[i]);
		holds(metric("box", "imc[\"X.PART0\"] / time",
		    rotated(harm[i])), says);
		holds(said(EXIT_OK, cmd_totals, "totals", rotated(harm[i])),
		    "imc_counts_estimate[0][0][\"X.PART0\"] = 400\n");
		holds(said(EXIT_OK, cmd_totals, "totals", rotated(harm[i])),
		    "imc_counts_estimate[0][0][\"X.PART1\"] = 40\n");
	}
}

static void
a_round_that_lost_a_turn_is_in_no_histogram(void **state)
{
	char words[200];

	(void)state;
	snprintf(words, sizeof words, "histogram -n 1 -m x -M %s",
	    test_put("x.metrics", "metric x box \"u\" \"\" = "
	    "imc[\"X.PART0\"] / time\n"));
	holds(said(EXIT_OK, cmd_histogram, words, rotated(NOTHING)),
	    "0 to        100 100.00 %");
	holds(said(EXIT_OK, cmd_histogram, words, rotated(RESET)),
	    "1 value, 2.00 s; 2.00 s without a value (its event set did not "
	    "run); estimate: counted 50.0 "
	    "% of the time, a burst at another time is not in it, and its error "
	    "is not known\n"
	    "           0 to        100 100.00 %");
}

static void
a_histogram_of_estimates_says_so(void **state)
{
	char words[200];

	(void)state;
	snprintf(words, sizeof words, "histogram -f csv -n 1 -m x -M %s",
	    test_put("x.metrics", "metric x box \"u\" \"\" = "
	    "imc[\"X.PART0\"] / imc[\"X.PART1\"]\n"));
	holds(said(EXIT_OK, cmd_histogram, words, rotated(NOTHING)),
	    ",Low,3.3333,6.6667,\"estimate: counted 50.0 % of the time, a burst "
	    "at another time is not in it, and its error is not known; its events "
	    "were not counted at one time\"\r");
}

/* Two lprocs; INST is counted half of the time, on lproc 1 never; CYCLES on
 * both half of it; mperf always. */
static const char *
grouped(void)
{
	static char text[8000];
	size_t n = (size_t)sprintf(text, HEAD "nr_cpus = 2\n"
	    "lproc_package[0] = 0\nlproc_package[1] = 0\n"
	    "event_group[\"core_counts\"][\"INST\"] = \"i\"\n"
	    "event_group[\"core_counts\"][\"CYCLES\"] = \"c\"\n");

	for (int i = 0; i < 3; i++) {
		n += (size_t)sprintf(text + n, i == 0 ? SECOND(0) : i == 1 ?
		    SECOND(1) : SECOND(2));
		for (int l = 0; l < 2; l++)
			n += (size_t)sprintf(text + n,
			    "core_enabled[%d][\"i\"][%d] = %d000\n"
			    "core_enabled[%d][\"c\"][%d] = %d000\n"
			    "core_running[%d][\"i\"][%d] = %d\n"
			    "core_running[%d][\"c\"][%d] = %d00\n"
			    "core_counts[%d][\"INST\"][%d] = %d\n"
			    "core_counts[%d][\"CYCLES\"][%d] = %d\n"
			    "mperf[%d][%d] = %d\n", l, i, i, l, i, i, l, i,
			    l == 0 ? i * 500 : 0, l, i, 5 * i, l, i,
			    l == 0 ? i * 50 : 0, l, i, i * 50, l, i, i);
	}
	return text;
}

/* A sum of two lprocs: one counts 10 all of the time, the other 90, half of
 * the time.  `lost`: in interval 2 that one does not run. */
static const char *
summed(bool lost)
{
	static const unsigned counts[2][4] = { { 0, 55, 110, 165 },
	    { 0, 55, 65, 120 } };
	static char text[4000];
	size_t n = (size_t)sprintf(text, HEAD
	    "family_bits[\"core_group_scaled\"] = 64\n"
	    "event_group[\"core_group_counts\"][\"X\"] = \"X\"\n");

	for (unsigned i = 0; i < 4; i++) {
		n += (size_t)sprintf(text + n, "tsc[%u] = 1%u000000000\n"
		    "walltime[0][%u] = 100%u\nwalltime[1][%u] = 0\n"
		    "core_group_enabled[\"0-1\"][\"X\"][%u] = %u000000000\n"
		    "core_group_running[\"0-1\"][\"X\"][%u] = %u00000000\n"
		    "core_group_counts[\"0-1\"][\"X\"][%u] = %u\n", i, i, i,
		    i, i, i, 2 * i, i, 15 * i, i, counts[lost][i]);
		if (!lost || i != 2)
			n += (size_t)sprintf(text + n, "core_group_scaled"
			    "[\"0-1\"][\"X\"][%u] = %u\n", i, 100 * i);
	}
	return text;
}

static void
an_estimate_of_a_sum_is_that_of_its_parts(void **state)
{
	(void)state;
	holds(said(EXIT_OK, cmd_totals, "totals", summed(false)),
	    "core_group_counts_share[\"0-1\"][\"X\"] = 0.550000\n"
	    "core_group_counts_estimate[\"0-1\"][\"X\"] = 300\n");
	/* two of three intervals are left out */
	holds(said(EXIT_OK, cmd_totals, "totals", summed(true)),
	    "core_group_counts_total[\"0-1\"][\"X\"] = 55\n");
	holds(said(EXIT_OK, cmd_totals, "totals", summed(true)),
	    "core_group_counts_estimate[\"0-1\"][\"X\"] = 300\n");
}

static void
an_lproc_whose_group_never_ran_is_in_no_quotient(void **state)
{
	(void)state;
	holds(metric("lproc", "core[\"INST\"] / core[\"CYCLES\"]", grouped()),
	    "x,node,,1.0000,u,0,\"of 1 of 2 lprocs; estimate: counted 50.0 %");
	holds(metric("lproc", "core[\"INST\"] / time", grouped()),
	    "x,node,,100.0000,u,0,\"of 1 of 2 lprocs; estimate: counted 50.0 %");
	holds(metric("lproc", "core[\"INST\"]", grouped()),
	    "x,lproc,1,,u,0,its event group did not run,\r");
	/* what always counts takes no part in the mean */
	holds(metric("lproc", "core[\"CYCLES\"] / mperf", grouped()),
	    "x,node,,100.0000,u,0,\"estimate: counted 50.0 %");
}

/* An lproc; HIT and MISS are of one group, which runs `some` of each 1000 ns,
 * CYCLES of another, which runs `most` of them; FIXED, of another family but of
 * a group of the first's name, always runs. */
static const char *
apart(int some, int most)
{
	static char text[8000];
	size_t n = (size_t)sprintf(text, HEAD "nr_cpus = 1\n"
	    "lproc_package[0] = 0\n"
	    "event_group[\"core_counts\"][\"HIT\"] = \"h\"\n"
	    "event_group[\"core_counts\"][\"MISS\"] = \"h\"\n"
	    "event_group[\"core_counts\"][\"CYCLES\"] = \"c\"\n"
	    "event_group[\"core_fixed_counts\"][\"FIXED\"] = \"h\"\n"
	    "family_bits[\"core_enabled\"] = 64\n"
	    "family_bits[\"core_running\"] = 64\n");

	for (int i = 0; i < 5; i++)
		n += (size_t)sprintf(text + n, "tsc[%d] = 1%d000000000\n"
		    "walltime[0][%d] = 100%d\nwalltime[1][%d] = 0\n"
		    "core_enabled[0][\"h\"][%d] = %d000\n"
		    "core_enabled[0][\"c\"][%d] = %d000\n"
		    "core_fixed_enabled[0][\"h\"][%d] = %d000\n"
		    "core_running[0][\"h\"][%d] = %d\n"
		    "core_running[0][\"c\"][%d] = %d\n"
		    "core_fixed_running[0][\"h\"][%d] = %d000\n"
		    "core_counts[0][\"HIT\"][%d] = %d\n"
		    "core_counts[0][\"MISS\"][%d] = %d\n"
		    "core_counts[0][\"CYCLES\"][%d] = %d\n"
		    "core_fixed_counts[0][\"FIXED\"][%d] = %d\n", i, i, i, i,
		    i, i, i, i, i, i, i, i, i * some, i, i * most, i, i, i,
		    i * 30, i, i * 10, i, i * 100, i, i * 100);
	return text;
}

static void
a_quotient_of_what_was_not_counted_at_one_time_says_so(void **state)
{
	static const char one_time[] = "its events were not counted at one "
	    "time", missing[] = "core[\"MISS\"] / core[\"HIT\"]",
	    mpki[] = "core[\"MISS\"] / core[\"CYCLES\"]",
	    fixed[] = "core[\"MISS\"] / core_fixed[\"FIXED\"]";
	char words[200], dump[8000];

	(void)state;
	holds(metric("lproc", mpki, apart(500, 500)), "x,node,,0.1000,u,0,"
	    "estimate: +- 0.012; its events were not counted at one time,"
	    "0.01199\r");
	holds(metric("lproc", mpki, apart(500, 1000)), one_time);
	holds(metric("lproc", mpki, apart(1000, 500)), one_time);
	holds(metric("lproc", fixed, apart(500, 500)), one_time);
	/* of a short part of the time, which is not none */
	holds(metric("lproc", missing, apart(1, 1000)), "x,node,,0.3333,u,0,"
	    "estimate: +- 0.061,");
	holds(metric("lproc", "core[\"CYCLES\"]", apart(1000, 0)), "x,node,,,u,0,"
	    "its event group did not run,\r");
	/* what is n/a for another reason is no estimate */
	holds(metric("lproc", "core[\"MISS\"] / (core[\"HIT\"] - "
	    "3 * core[\"MISS\"])", apart(500, 500)), "x,node,,,u,0,what it is divided by was 0"
	    ",\r");
	/* of one group, or of groups that always ran */
	lacks(metric("lproc", missing, apart(500, 500)), one_time);
	holds(metric("lproc", mpki, apart(1000, 1000)), "x,node,,0.1000,u,0,,"
	    "\r");
	holds(metric("lproc", fixed, apart(1000, 1000)), "x,node,,0.1000,u,0,,"
	    "\r");
	/* of sets of tallyd as of groups */
	holds(metric("box", "imc[\"X.PART0\"] / imc[\"X.PART1\"]",
	    rotated(NOTHING)), one_time);
	lacks(metric("box", "imc[\"X.PART0\"] / time", rotated(NOTHING)),
	    one_time);

	snprintf(words, sizeof words, "report -M %s", test_put("x.metrics",
	    "metric ipc lproc \"u\" \"\" = core[\"MISS\"] / "
	    "core[\"CYCLES\"]\nmetric flops lproc \"u\" \"\" = "
	    "core[\"HIT\"] / time\n"));
	/* said where the load changed, so that the error is not next to nothing */
	lacks(said(EXIT_OK, cmd_report, words, apart(500, 500)), "Apart");
	snprintf(dump, sizeof dump, "%s", apart(500, 500));
	memcpy(strstr(dump, "[\"MISS\"][2] = 20"), "[\"MISS\"][2] = 28", 16);
	holds(said(EXIT_OK, cmd_report, words, dump),
	    "Apart     rough, as their events were counted one after the other: "
	    "ipc\n");
	lacks(said(EXIT_OK, cmd_report, words, apart(1000, 1000)), "Apart");
	memcpy(words, "merge ", 6);
	holds(said(EXIT_OK, cmd_merge, words, apart(500, 500)),
	    "1 estimate (n); 1 of events not counted at one time (n)\n");
}

/* An lproc away for a while has no turn to miss: what is left out of both of
 * its groups is no more of the one than of the other. */
static void
groups_that_were_away_together_are_of_one_time(void **state)
{
	char dump[8000], *p;

	(void)state;
	snprintf(dump, sizeof dump, "%s", apart(1000, 1000));
	/* of sample 1, nothing of the core: "--" is a comment */
	for (p = strstr(dump, "\ncore_"); p != NULL; p = strstr(p + 1,
	    "\ncore_"))
		if (memmem(p, strcspn(p + 1, "\n"), "][1]", 4) != NULL)
			memcpy(p + 1, "--", 2);
	holds(metric("lproc", "core[\"MISS\"] / core[\"CYCLES\"]", dump),
	    "x,node,,0.1000,u,4,estimate: +- 0.017,0.01735\r");
	/* nor had they no turn where they were away throughout */
	for (p = strstr(dump, "\ncore_"); p != NULL; p = strstr(p + 1,
	    "\ncore_"))
		if (memmem(p, strcspn(p + 1, "\n"), "][0]", 4) == NULL)
			memcpy(p + 1, "--", 2);
	holds(metric("lproc", "core[\"MISS\"]", dump), "x,lproc,0,,u,4,"
	    "\"core[\"\"MISS\"\"]: no delta of it is a count (tally check says "
	    "why)\",\r");
}

/* A range in which a group stood still is one without a value: never 0. */
static void
a_group_without_a_turn_in_a_range_has_no_total_of_it(void **state)
{
	char dump[8000], *p;

	(void)state;
	snprintf(dump, sizeof dump, "%s", apart(500, 1000));
	/* in samples 2 and 3 all of that group is as it was in 1 */
	for (int i = 2; i < 4; i++) {
		static const char *const name[] = { "core_running[0][\"h\"]",
		    "core_counts[0][\"HIT\"]", "core_counts[0][\"MISS\"]" };
		static const char *const value[] = { "500 ", "30", "10" };

		for (int k = 0; k < 3; k++) {
			char line[80];

			snprintf(line, sizeof line, "%s[%d] = ", name[k], i);
			assert_non_null(p = strstr(dump, line));
			p += strlen(line);
			memset(p, ' ', strcspn(p, "\n"));
			memcpy(p, value[k], strlen(value[k]));
		}
	}
	lacks(said(EXIT_OK, cmd_totals, "totals -s 1:3", dump),
	    "core_counts_total[0][\"HIT\"]");
	holds(said(EXIT_OK, cmd_totals, "totals -s 1:3", dump),
	    "core_counts_left_out[0][\"HIT\"] = \"its group did not run\"\n");
	holds(said(EXIT_OK, cmd_totals, "totals -s 1:3", dump),
	    "core_counts_total[0][\"CYCLES\"] = 200\n");
	holds(said(EXIT_OK, cmd_totals, "totals -f csv -s 1:3", dump),
	    "\"core_counts[0][\"\"HIT\"\"]\",,count,2.000000,0,"
	    "its group did not run,0.000000,\r");
	/* of a longer range, what it counted in the rest */
	holds(said(EXIT_OK, cmd_totals, "totals", dump),
	    "core_counts_total[0][\"HIT\"] = 120\n"
	    "core_counts_share[0][\"HIT\"] = 0.500000\n"
	    "core_counts_estimate[0][\"HIT\"] = 240\n");

	lacks(said(EXIT_OK, cmd_deltas, "deltas -s 1:3", dump),
	    "core_counts_delta[0][\"HIT\"]");
	holds(said(EXIT_OK, cmd_deltas, "deltas -s 1:3", dump),
	    "core_counts_left_out[0][\"HIT\"][2] = \"its group did not "
	    "run\"\n");
	holds(said(EXIT_OK, cmd_deltas, "deltas -f csv -s 1:3", dump),
	    "\"core_counts[0][\"\"HIT\"\"]\",,count,its group did not run,"
	    "0.000000\r");
	/* a delta of a part of its interval says of which */
	holds(said(EXIT_OK, cmd_deltas, "deltas -s 0:1", dump),
	    "core_counts_delta[0][\"HIT\"][1] = 30\n"
	    "core_counts_share[0][\"HIT\"][1] = 0.500000\n");
	holds(said(EXIT_OK, cmd_deltas, "deltas -f csv -s 0:1", dump),
	    "\"core_counts[0][\"\"CYCLES\"\"]\",100,count,good,1.000000\r");
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
	    "x,node,,20.0000,u,0,of 2 of 4 imc boxes,\r");
	/* the other package has none */
	snprintf(dump, sizeof dump, of, "absent", "\"fused off\"");
	holds(metric("box", "imc[\"X\"] / time", dump),
	    "x,node,,20.0000,u,0,,\r");
}

/* ---- small numbers ---- */

static void
a_small_figure_keeps_four_digits(void **state)
{
	static const struct {
		int line;
		const char *formula, *value;
	} t[] = {
		{ __LINE__, "0.0000077112", "0.000007711" },
		{ __LINE__, "0.00005021", "0.00005021" },
		{ __LINE__, "0 - 0.00005021", "-0.00005021" },
		{ __LINE__, "0.012345", "0.01235" },
		{ __LINE__, "0.1", "0.1000" },
		{ __LINE__, "12.345678", "12.3457" },
		{ __LINE__, "0", "0.0000" },
		{ __LINE__, "0.0000000000000012346", "1.235e-15" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		char want[80], *text;

		snprintf(want, sizeof want, "x,node,,%s,u,0,", t[i].value);
		text = metric("node", t[i].formula, rotated(NOTHING));
		if (strstr(text, want) == NULL)
			fail_msg("line %d: %s", t[i].line, text);
		free(text);
	}
}

static void
every_command_keeps_four_digits_of_a_small_figure(void **state)
{
	static const char text[] = "metric pcie_total node \"u\" \"\" = "
	    "0.0000077112\n";
	char words[200];

	(void)state;
	snprintf(words, sizeof words, "metrics -S node -M %s",
	    test_put("x.metrics", text));
	holds(said(EXIT_OK, cmd_metrics, words, rotated(NOTHING)),
	    "0.000007711         u");
	snprintf(words, sizeof words, "metrics -f json -S node -M %s",
	    test_put("x.metrics", text));
	holds(said(EXIT_OK, cmd_metrics, words, rotated(NOTHING)),
	    "\"value\": 0.000007711,");
	snprintf(words, sizeof words, "merge -f csv -M %s",
	    test_put("x.metrics", text));
	holds(said(EXIT_OK, cmd_merge, words, rotated(NOTHING)),
	    "pcie_total,u,1,0.000007711,0.000007711,0.000007711,");
	snprintf(words, sizeof words, "histogram -f csv -n 1 -m pcie_total -M "
	    "%s", test_put("x.metrics", text));
	holds(said(EXIT_OK, cmd_histogram, words, rotated(NOTHING)),
	    ",0.0000,0.000007711,u,4.000,100.00,");
	snprintf(words, sizeof words, "report --io -f csv -M %s",
	    test_put("x.metrics", text));
	holds(said(EXIT_OK, cmd_report, words, rotated(NOTHING)),
	    "pcie_total,0.000007711,u");
	snprintf(words, sizeof words, "report -f csv -M %s",
	    test_put("x.metrics", "metric ipc node \"u\" \"\" = "
	    "0.0000077112\n"));
	holds(said(EXIT_OK, cmd_report, words, rotated(NOTHING)),
	    "ipc,node,,0.000007711,u");
}

/* ---- pages of I/O ---- */

/* Part 0 of a stack of each of two packages is written 4 GB in 2 s; of package
 * 0 one of two intervals is a reset.  Nothing else is counted. */
static const char io[] = "host = \"n\"\nmodel = \"icx\"\nTSC_ratio = 10\n"
    "packages = 2\nnr_cpus = 2\nlproc_package[0] = 0\n"
    "lproc_package[1] = 1\nlproc_online[0] = 1\nlproc_online[1] = 1\n"
#define IO(i, n, m, cpu) SECOND(i) "mperf[0][" #i "] = " #cpu "\n" \
    "iio_counts[0][0][\"DATA_REQ_OF_CPU.MEM_WRITE.PART0\"][" #i "] = " #n \
    "\niio_counts[1][0][\"DATA_REQ_OF_CPU.MEM_WRITE.PART0\"][" #i "] = " #m \
    "\n"
    IO(0, 200000000000, 0, 0) IO(1, 200500000000, 500000000, 500000000)
    IO(2, 100, 1000000000, 1000000000);

static void
a_drawing_and_a_page_of_io_say_what_is_estimated(void **state)
{
	char words[200];

	(void)state;
	holds(said(EXIT_OK, cmd_platform, "platform", apart(500, 500)),
	    "Events were multiplexed: their figures are estimates, "
	    "scaled to all of the time.\n");
	lacks(said(EXIT_OK, cmd_platform, "platform", apart(1000, 1000)),
	    "multiplexed");
	snprintf(words, sizeof words, "report --io -M %s",
	    test_put("x.metrics", "metric pcie_total lproc \"u\" \"\" = "
	    "core[\"MISS\"] / core[\"CYCLES\"]\n"));
	holds(said(EXIT_OK, cmd_report, words, apart(500, 500)),
	    "The kernel multiplexed groups of events; their "
	    "counts are\nscaled to all of the time\nNot counted at one time: the "
	    "events of pcie_total\n");
	lacks(said(EXIT_OK, cmd_report, words, apart(1000, 1000)),
	    "multiplexed");
}

static void
devices_have_the_marks_of_their_figures(void **state)
{
	(void)state;
	/* one of the four directions is there, and half of that */
	holds(said(EXIT_OK, cmd_report, "report --io", io),
	    "0/stack 0 part 0                         -     2.000*        - "
	    "        -     2.000*");
	holds(said(EXIT_OK, cmd_report, "report --io", io),
	    "* lacks some of its counts");
	holds(said(EXIT_OK, cmd_report, "report --io -f csv", io),
	    "device,1/stack 0 part 0,unattributed,pcie_in_write,2.0000,GB/s,"
	    ",\r");
	holds(said(EXIT_OK, cmd_report, "report --io -f csv", io),
	    "device,0/stack 0 part 0,unattributed,pcie_in_write,2.0000,GB/s,"
	    "known for 50.0 % of the time,\r");
	holds(said(EXIT_OK, cmd_report, "report --io -f csv", io),
	    "device,0/stack 0 part 0,unattributed,pcie_in_read,,GB/s,"
	    "\"missing iio[\"\"DATA_REQ_OF_CPU.MEM_READ.PART0\"\"]\",\r");
	holds(said(EXIT_OK, cmd_platform, "platform", io), "write   2.000* GB");
	holds(said(EXIT_OK, cmd_platform, "platform", io),
	    "* lacks some of its counts");
}

static void
a_core_that_nothing_is_known_of_is_not_drawn_as_idle(void **state)
{
	(void)state;
	holds(said(EXIT_OK, cmd_platform, "platform", io),
	    "Cores    1 of 1 in use");
	holds(said(EXIT_OK, cmd_platform, "platform", io),
	    "Cores    n/a: nothing is known of any");
	holds(said(EXIT_OK, cmd_platform, "platform", io), "|          ? ");
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
		    a_sum_of_parts_is_none_without_the_turn_of_one),
		cmocka_unit_test(
		    a_total_of_some_turns_says_that_it_is_not_scaled),
		cmocka_unit_test(an_error_is_never_shown_as_0),
		cmocka_unit_test(an_estimate_stays_one_where_a_turn_is_lost),
		cmocka_unit_test(few_counts_are_a_matter_of_chance),
		cmocka_unit_test(an_estimate_outside_its_range_by_its_error_is_none),
		cmocka_unit_test(a_round_that_lost_a_turn_is_in_no_histogram),
		cmocka_unit_test(an_estimate_of_a_sum_is_that_of_its_parts),
		cmocka_unit_test(
		    an_lproc_whose_group_never_ran_is_in_no_quotient),
		cmocka_unit_test(
		    a_quotient_of_what_was_not_counted_at_one_time_says_so),
		cmocka_unit_test(
		    groups_that_were_away_together_are_of_one_time),
		cmocka_unit_test(
		    a_group_without_a_turn_in_a_range_has_no_total_of_it),
		cmocka_unit_test(
		    boxes_of_a_package_that_are_not_counted_are_missed),
		cmocka_unit_test(a_small_figure_keeps_four_digits),
		cmocka_unit_test(
		    every_command_keeps_four_digits_of_a_small_figure),
		cmocka_unit_test(a_histogram_of_estimates_says_so),
		cmocka_unit_test(a_drawing_and_a_page_of_io_say_what_is_estimated),
		cmocka_unit_test(devices_have_the_marks_of_their_figures),
		cmocka_unit_test(
		    a_core_that_nothing_is_known_of_is_not_drawn_as_idle),
		cmocka_unit_test(
		    a_column_that_comes_late_is_in_the_figures_and_they_say_so),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
