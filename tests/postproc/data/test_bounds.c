/*
 * tests/postproc/data/test_bounds.c - what one counter says of another, and one value of those
 * beside it.
 */
#include "tests/lib/doctorings.h"
#include "tests/lib/files.h"
#include "tests/lib/tally_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"

/* ---- what one counter says of another ------------------------------------ */

/* One lproc at 2 GHz, with stamps: what it has counted by sample, and a line of
 * the head. */
static char *
core(const char *head, const unsigned long long all[5],
    const unsigned long long kernel[5])
{
	static char text[4000];
	size_t n = (size_t)sprintf(text, "host = \"n\"\nmodel = \"skx\"\n"
	    "TSC_ratio = 20\npackages = 1\n%s", head);

	for (unsigned i = 0; i < 5; i++)
		n += (size_t)sprintf(text + n, "tsc[%u] = 1%u000000000\n"
		    "walltime[0][%u] = 100%u\nwalltime[1][%u] = 0\n"
		    "lproc_tsc[0][%u] = 1%u000001000\n"
		    "core_fixed_counts[0][\"Inst_Retired.Any\"][%u] = %llu\n"
		    "core_fixed_counts[0][\"CPU_CLK_Unhalted.Core\"][%u] = "
		    "%u00000000\n"
		    "core_counts[0][\"INST_RETIRED.KERNEL\"][%u] = %llu\n"
		    "rapl_pkg_energy[0][%u] = %u\n", i, 2 * i, i, i, i, i,
		    2 * i, i, 1000000 + all[i], i, 1 + i, i, 1000000 +
		    kernel[i], i, i < 3 ? 1000 + i * 1000000 : 2001000);
	return text;
}

static const unsigned long long steady[] = { 0, 100000000, 200000000,
	300000000, 400000000 };

static void
more_instructions_of_the_kernel_than_there_are_count_as_neither(void **state)
{
	static const unsigned long long kernel[] = { 0, 50000000, 170000000,
	    220000000, 270000000 };
	const char *dump = core("", steady, kernel);

	(void)state;
	holds(said(EXIT_FINDINGS, cmd_check, "check", dump), "sample 2: beyond: core_counts "
	    "\"INST_RETIRED.KERNEL\", lproc 0: more instructions of a kind "
	    "than of all, or than the core has cycles for\n");
	holds(said(EXIT_FINDINGS, cmd_check, "check", dump), "sample 2: beyond: "
	    "core_fixed_counts \"Inst_Retired.Any\", lproc 0");
	/* what was counted is told, marked */
	holds(said(EXIT_OK, cmd_deltas, "deltas -s 1:2", dump), "core_counts_delta[0]"
	    "[\"INST_RETIRED.KERNEL\"][2] = 120000000\n"
	    "core_counts_doubtful[0][\"INST_RETIRED.KERNEL\"][2] = "
	    "\"beyond\"\n");
}

static void
instructions_need_cycles(void **state)
{
	static const unsigned long long all[] = { 0, 100000000, 1900000000,
	    2000000000, 2100000000 };

	(void)state;
	holds(said(EXIT_FINDINGS, cmd_check, "check", core("", all, steady)), "sample 2: "
	    "beyond: core_fixed_counts \"Inst_Retired.Any\", lproc 0");
	holds(said(EXIT_OK, cmd_metrics, "metrics -f csv -S node -m ipc", core("", all,
	    steady)), ",ipc,node,,1.0000,inst/cycle,1,");
}

/* Its control may have been ours again when the watch looked. */
static void
what_must_count_while_its_lproc_runs_was_stopped(void **state)
{
	static const unsigned long long kernel[] = { 0, 50000000, 50000000,
	    90000000, 140000000 };
	static const char both[] = "watch = 4\n"
	    "core_counts_control[0][\"INST_RETIRED.KERNEL\"] = 0x4300c0\n";
	static const char os[] = "watch = 4\n"
	    "core_counts_control[0][\"INST_RETIRED.KERNEL\"] = 0x4200c0\n";
	char *text;

	(void)state;
	holds(said(EXIT_FINDINGS, cmd_check, "check", core(both, steady, kernel)), "sample 2: "
	    "stopped: core_counts \"INST_RETIRED.KERNEL\", lproc 0: stood "
	    "still while the core ran\n");
	/* of the kernel alone there may be none */
	text = said(EXIT_FINDINGS, cmd_check, "check", core(os, steady, kernel));
	assert_null(strstr(text, "stopped: core_counts"));
	free(text);
}

/* What a counter counts is said by its control: its name is the user's. */
static void
a_name_tells_nothing_where_a_control_does(void **state)
{
	static const unsigned long long many[] = { 0, 50000000, 170000000,
	    220000000, 270000000 };
	static const unsigned long long none[] = { 0, 50000000, 50000000,
	    90000000, 140000000 };
	static const struct {
		const char *control;
		bool beyond, stopped;
	} of[] = {
		{ "0x4300c0", true, true },     /* instructions */
		{ "0x4320c4", true, false },    /* branches, taken */
		{ "0x4302c0", true, false },    /* no-operations */
		{ "0x43003c", true, true },     /* cycles */
		{ "0x43023c", false, false },   /* while alone on its core */
		{ "0x43013c", false, true },    /* of the crystal */
		{ "0x4301d1", false, false },   /* loads */
	};

	(void)state;
	for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
		char head[200], *text;

		snprintf(head, sizeof head, "core_counts_control[0]"
		    "[\"INST_RETIRED.KERNEL\"] = %s\n", of[i].control);
		text = said(-1, cmd_check, "check", core(head, steady, many));
		assert_int_equal(strstr(text, "beyond: core_counts") != NULL,
		    of[i].beyond);
		free(text);
		text = said(-1, cmd_check, "check", core(head, steady, none));
		assert_int_equal(strstr(text, "stopped: core_counts") != NULL,
		    of[i].stopped);
		free(text);
	}
}

/* ---- a control that was changed and put back between two looks ------------- */

/* A Skylake node that counts what the original does, 15 samples of a second, with what
 * another tool does to it; its watch looks at sample `watch`. */
static const char *
meddled(const char *with, unsigned watch, char *path)
{
	char tally[512], tallyd[512], command[2000];

	snprintf(path, 512, "%s/meddled", test_dir);
	snprintf(command, sizeof(command), "(%s print @skx-8160-2s; printf "
	    "'%s') >%s.machine && %s -q --sim %s.machine --virtual-time -n 15 "
	    "-c @original-skx --watch %u --overwrite -o %s", built("tally", tally), with, path,
	    built("tallyd", tallyd), path, watch, path);
	assert_int_equal(system(command), 0);
	return path;
}

/* INST_RETIRED.KERNEL of lproc 24 counts all cycles, from 5.3 s to 8.6 s. */
#define CYCLES_FOR_A_WHILE \
	"from 5.3 lproc 24 msr 0x188 = 0x43003c\\n" \
	"from 8.6 lproc 24 msr 0x188 = 0x4200c0\\n"

static void
one_that_counted_more_than_there_is_is_somebody_elses_until_the_look(
    void **state)
{
	char path[512], words[700];

	(void)state;
	meddled(CYCLES_FOR_A_WHILE, 12, path);
	snprintf(words, sizeof(words), "check %s", path);
	holds(said(EXIT_FINDINGS, cmd_check, words, NULL), "sample 6: beyond: "
	    "core_counts \"INST_RETIRED.KERNEL\", lproc 24: more instructions "
	    "of a kind than of all");
	holds(said(EXIT_FINDINGS, cmd_check, words, NULL), "samples 7-12: "
	    "foreign: core_counts \"INST_RETIRED.KERNEL\", lproc 24: more than "
	    "there was at sample 6: what it counts since is not known\n");
	/* whatever the window; it is ours again behind the look */
	snprintf(words, sizeof(words), "metrics -f csv -S lproc -m "
	    "kernel_instructions -s 9:11 %s", path);
	holds(said(EXIT_OK, cmd_metrics, words, NULL), ",kernel_instructions,"
	    "lproc,24,,%,2,\"core[\"\"INST_RETIRED.ANY_P:SUP\"\"] was restarted or "
	    "given another event");
	snprintf(words, sizeof(words), "metrics -f csv -S lproc -m "
	    "kernel_instructions -s 12:14 %s", path);
	holds(said(EXIT_OK, cmd_metrics, words, NULL), ",kernel_instructions,"
	    "lproc,24,93.1899,%,0,");
}

/* Each sample is a look: what it finds is known to be another's. */
static void
a_watch_of_each_sample_sees_what_stays_over_one(void **state)
{
	char path[512], words[700];

	(void)state;
	meddled("from 5.3 lproc 24 msr 0x186 = 0x4200c0\\n"
	    "from 8.6 lproc 24 msr 0x186 = 0x42003c\\n", 1, path);
	snprintf(words, sizeof(words), "check %s", path);
	holds(said(EXIT_FINDINGS, cmd_check, words, NULL), "samples 6-9: "
	    "tampered: core_counts \"CPU_CLK_UNHALTED.KERNEL\", lproc 24: ");
	/* behind the look that found it as it was, it is ours */
	snprintf(words, sizeof(words), "metrics -f csv -S lproc -m kernel_time "
	    "-s 9:14 %s", path);
	holds(said(EXIT_OK, cmd_metrics, words, NULL), ",kernel_time,lproc,24,"
	    "97.8516,%,0,");
	snprintf(words, sizeof(words), "check %s", path);
	/* no figure shows it to a watch that looks when it is over */
	meddled("from 5.3 lproc 24 msr 0x186 = 0x4200c0\\n"
	    "from 8.6 lproc 24 msr 0x186 = 0x42003c\\n", 12, path);
	lacks(said(EXIT_OK, cmd_check, words, NULL), "CPU_CLK_UNHALTED.KERNEL");
}

/* A tool that begins its count anew, 2^31 before the end as this write does, is seen by that, whatever it counts. */
static void
one_that_was_begun_anew_is_somebody_elses_until_the_look(void **state)
{
	char path[512], words[700];

	(void)state;
	meddled("from 5.3 lproc 24 msr 0x186 = 0x4200c0\\n"
	    "from 5.3 lproc 24 msr 0xc1 = 0x80000000\\n"
	    "from 8.6 lproc 24 msr 0x186 = 0x42003c\\n", 12, path);
	snprintf(words, sizeof(words), "check %s", path);
	holds(said(EXIT_FINDINGS, cmd_check, words, NULL), "sample 6: reset: "
	    "core_counts \"CPU_CLK_UNHALTED.KERNEL\", lproc 24: went back\n");
	holds(said(EXIT_FINDINGS, cmd_check, words, NULL), "samples 7-12: "
	    "foreign: core_counts \"CPU_CLK_UNHALTED.KERNEL\", lproc 24: ");
}

static void
cycles_of_the_kernel_are_no_more_than_all(void **state)
{
	char path[512], words[700];

	(void)state;
	/* bus cycles of both threads are no part of its own */
	meddled("", 12, path);
	snprintf(words, sizeof(words), "check %s", path);
	lacks(said(EXIT_OK, cmd_check, words, NULL), "beyond");
	/* slots of the pipeline, four a cycle */
	meddled("event core 0x3019c idle=1935000\\n"
	    "from 5.3 lproc 24 msr 0x186 = 0x43019c\\n"
	    "from 8.6 lproc 24 msr 0x186 = 0x42003c\\n", 12, path);
	holds(said(EXIT_FINDINGS, cmd_check, words, NULL), "sample 6: beyond: "
	    "core_counts \"CPU_CLK_UNHALTED.KERNEL\", lproc 24: more cycles of "
	    "a kind than of all\n");
}

static void
energy_that_stands_still_is_no_power(void **state)
{
	const char *dump = core("RAPL_PKG_ENERGY_UNIT = 0.00006103515625\n",
	    steady, steady);

	(void)state;
	holds(said(EXIT_FINDINGS, cmd_check, "check", dump), "samples 3-4: stopped: "
	    "rapl_pkg_energy, package 0: stood still, and what is on uses "
	    "energy\n");
	holds(said(EXIT_OK, cmd_metrics, "metrics -f csv -S node -m package_power -s "
	    "2:4", dump), ",package_power,node,,,W,2,");
}

/* ---- MPERF and the TSC ----------------------------------------------------- */

/* What check says of an EPYC node of 15 samples, all lprocs of which run from sample 10 on
 * at 2.4 GHz of MPERF, after n things were done to it. */
static char *
said_of_an_epyc(int want, const struct doing_to *to, size_t n)
{
	struct doctored d;
	char path[512], words[700];

	doctored_load(&d, simulated_dump("like @genoa-9654-2s\ncores 16\n", "",
	    path));
	for (size_t i = 0; i < n; i++)
		assert_true(doctor(&d, &to[i]) > 0);
	snprintf(words, sizeof words, "check %s", doctored_write(&d,
	    "doctored"));
	doctored_free(&d);
	return said(want, cmd_check, words, NULL);
}

static void
mperf_does_not_outrun_the_tsc(void **state)
{
	static const struct doing_to idle = { DO_ADD, "mperf[5]", 6, 14,
	    6000000000 };
	static const struct doing_to busy = { DO_ADD, "mperf[5]", 12, 14,
	    1000000000 };

	(void)state;
	holds(said_of_an_epyc(EXIT_FINDINGS, &idle, 1), "sample 6: impossible: "
	    "mperf, lproc 5");
	holds(said_of_an_epyc(EXIT_FINDINGS, &busy, 1), "sample 12: "
	    "impossible: mperf, lproc 5");
}

/* Sample 12 is read 0.6 s late: what counts has counted for 1.6 s, then for 0.4 s. */
static void
mperf_of_an_lproc_that_was_read_late_is_believed(void **state)
{
	static const struct doing_to late[] = {
		{ DO_ADD, "mperf[*]", 12, 12, 1440000000 },
		{ DO_ADD, "aperf[*]", 12, 12, 2220000000 },
		{ DO_ADD, "*_tsc[*]", 12, 12, 1440000000 },
		{ DO_ADD, "sample_duration_ns", 12, 12, 600000000 },
	};

	(void)state;
	lacks(said_of_an_epyc(-1, late, 4), "mperf");
}

/* ---- one value, or one sample, that is off -------------------------------- */

/* A counter of three lprocs, a second a sample. */
struct counter {
	const char *head;       /* more of it */
	unsigned long long value[6];    /* of each sample */
};

static char *
counter(const struct counter *c)
{
	static char text[4000];
	size_t n = (size_t)sprintf(text, "host = \"n\"\nmodel = \"skx\"\n"
	    "TSC_ratio = 10\npackages = 1\n%s", c->head);

	for (unsigned i = 0; i < 6; i++) {
		n += (size_t)sprintf(text + n, "tsc[%u] = 1%u000000000\n"
		    "walltime[0][%u] = 100%u\nwalltime[1][%u] = 0\n", i, i, i,
		    i, i);
		for (unsigned k = 0; k < 3; k++)
			n += (size_t)sprintf(text + n, "core_counts[%u][\"X\"]"
			    "[%u] = %llu\n", k, i, c->value[i]);
	}
	return text;
}

static void
one_value_that_is_off_is_in_no_delta(void **state)
{
	(void)state;
	/* it is far ahead, and the next one goes on from the one before */
	holds(said(EXIT_OK, cmd_totals, "totals -f csv", counter(&(struct counter){ "",
	    { 900000001000, 900000002000, 900900000000, 900000004000,
	    900000005000, 900000006000 } })), "\"core_counts[0][\"\"X\"\"]\","
	    "3000,count,3.000000,2,\"2 of 5 intervals: 1 reset 1 odd");
}

static void
samples_in_the_wrong_order_are_left_out(void **state)
{
	struct counter c = { "", { 1000, 2000, 4000, 3000, 5000, 6000 } };
	char *text = counter(&c), *at;

	(void)state;
	/* the clocks of 2 and 3, too */
	for (unsigned i = 2; i < 4; i++) {
		char line[40];

		sprintf(line, "tsc[%u] = 1%u", i, i);
		assert_non_null(at = strstr(text, line));
		at[strlen(line) - 1] = i == 2 ? '3' : '2';
		sprintf(line, "walltime[0][%u] = 100%u", i, i);
		assert_non_null(at = strstr(text, line));
		at[strlen(line) - 1] = i == 2 ? '3' : '2';
	}
	holds(said(EXIT_FINDINGS, cmd_check, "check", text), "sample 3: "
	    "order: 1 sample left out that all clocks put before an earlier "
	    "one\n");
	holds(said(EXIT_OK, cmd_totals, "totals -f csv", text),
	    "\"core_counts[0][\"\"X\"\"]\",5000,count,5.000000,0,,");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
	    more_instructions_of_the_kernel_than_there_are_count_as_neither),
		cmocka_unit_test(instructions_need_cycles),
		cmocka_unit_test(
	    what_must_count_while_its_lproc_runs_was_stopped),
	cmocka_unit_test(a_name_tells_nothing_where_a_control_does),
		cmocka_unit_test(
		    one_that_counted_more_than_there_is_is_somebody_elses_until_the_look),
		cmocka_unit_test(
		    one_that_was_begun_anew_is_somebody_elses_until_the_look),
		cmocka_unit_test(cycles_of_the_kernel_are_no_more_than_all),
		cmocka_unit_test(a_watch_of_each_sample_sees_what_stays_over_one),
		cmocka_unit_test(mperf_does_not_outrun_the_tsc),
		cmocka_unit_test(
		    mperf_of_an_lproc_that_was_read_late_is_believed),
		cmocka_unit_test(energy_that_stands_still_is_no_power),
		cmocka_unit_test(one_value_that_is_off_is_in_no_delta),
		cmocka_unit_test(samples_in_the_wrong_order_are_left_out),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
