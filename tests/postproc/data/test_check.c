/*
 * tests/postproc/data/test_check.c - what tally check finds, and what it does not.
 */
#include "tests/lib/files.h"
#include "tests/lib/tally_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"

#include <getopt.h>

/* Runs tally check on a file; the caller frees what it printed. */
static char *
run(const char *path, int *status)
{
	char out[256], *argv[] = { "check", "--overwrite", "-o", out,
	    (char *)path, NULL };

	snprintf(out, sizeof(out), "%s/out", test_dir);
	optind = 0;
	*status = cmd_check(5, argv);
	return file_text(out, NULL);
}

static char *
run_text(const char *dump, int *status)
{
	return run(test_put("dump", dump), status);
}

/* A sample of four lprocs and a package, at a time on both clocks. */
static const char *
sample(unsigned i, unsigned long long tsc, unsigned second, unsigned usec)
{
	static char text[400];
	int n = snprintf(text, sizeof(text), "tsc[%u] = %llu\n"
	    "walltime[0][%u] = %u\nwalltime[1][%u] = %u\n"
	    "pkg_temperature[0][%u] = 41\n", i, tsc, i, second, i, usec, i);

	for (unsigned p = 0; p < 4; p++)
		n += snprintf(text + n, sizeof(text) - (size_t)n,
		    "aperf[%u][%u] = %u\n", p, i, 100000000 * i + p);
	return text;
}

/* One-second samples; `more` by sample, or NULL for a sound one. */
static char *
dump_of(unsigned samples, const char *head, const char *(*more)(unsigned i))
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	fprintf(f, "TSC_ratio = 20\n%s", head);
	for (unsigned i = 0; i < samples; i++) {
		const char *instead = more != NULL ? more(i) : NULL;

		fputs(instead != NULL ? instead : sample(i, i * 2000000000ull,
		    1700000000 + i, 0), f);
	}
	fclose(f);
	return text;
}

static void
finds(const char *head, const char *(*more)(unsigned i), const char *words)
{
	char *dump = dump_of(10, head, more);
	int status;
	char *text = run_text(dump, &status);

	text_has(text, words);
	assert_int_equal(status, EXIT_FINDINGS);
	assert_int_equal(text_lines(text), 2);       /* it, and the summary */
	free(text);
	free(dump);
}

static void
a_sound_dump_has_no_findings(void **state)
{
	char *dump = dump_of(10, "", NULL), *text;
	int status;

	(void)state;
	text = run_text(dump, &status);
	text_has(text, "10 samples, 9.000 s, 8 columns: sound");
	assert_int_equal(status, EXIT_OK);
	assert_int_equal(text_lines(text), 1);
	free(text);
	free(dump);
}

static void
the_takeover_in_the_recording_is_found_and_nothing_else(void **state)
{
	static const char *const event[] = {
		"core_fixed_counts \"Inst_Retired.Any\"",
		"core_counts \"CPU_CLK_UNHALTED.KERNEL\"",
		"core_counts \"CPU_CLK_UNHALTED.REF_XCLK\"",
		"core_counts \"INST_RETIRED.KERNEL\"",
	};
	char path[512], words[200], *text;
	int status;

	(void)state;
	text = run(recording(path), &status);
	assert_int_equal(status, EXIT_FINDINGS);
	for (int i = 0; i < 4; i++) {
		snprintf(words, sizeof(words), "sample 18: reset: %s, lprocs "
		    "0-95: restarted at 2^47", event[i]);
		text_has(text, words);
	}
	for (int i = 1; i < 4; i++) {
		snprintf(words, sizeof(words), "samples 19-29: foreign: %s, "
		    "lprocs 0-95: restarted from outside at sample 18",
		    event[i]);
		text_has(text, words);
	}
	/* the other tool let it count for its own process alone */
	text_has(text, "samples 19-29: stopped: core_fixed_counts "
	    "\"Inst_Retired.Any\", lprocs 2 48 54: stood still while the "
	    "core ran");
	text_has(text, "30 samples, 29.474 s, 1191 columns: 8 findings");
	assert_int_equal(text_lines(text), 9);
	free(text);
}

static const char *
without_4(unsigned i)
{
	return i == 4 ? "" : NULL;
}

static const char *
without_4_to_6(unsigned i)
{
	return i >= 4 && i <= 6 ? "" : NULL;
}

static const char *
offline_3_to_5(unsigned i)
{
	static char text[400];

	if (i < 3 || i > 5)
		return NULL;
	snprintf(text, sizeof(text), "tsc[%u] = %llu\nwalltime[0][%u] = %u\n"
	    "walltime[1][%u] = 0\npkg_temperature[0][%u] = 41\n"
	    "aperf[0][%u] = %u\naperf[3][%u] = %u\n", i, i * 2000000000ull, i,
	    1700000000 + i, i, i, i, 100000000 * i, i, 100000000 * i + 3);
	return text;
}

/* The given values at sample 5, the usual ones elsewhere. */
static const char *values_5;

static const char *
other_5(unsigned i)
{
	static char text[400];

	if (i != 5)
		return NULL;
	snprintf(text, sizeof(text), "tsc[5] = 10000000000\n"
	    "walltime[0][5] = 1700000005\nwalltime[1][5] = 0\n"
	    "aperf[0][5] = 500000000\naperf[1][5] = 500000001\n"
	    "aperf[2][5] = 500000002\n%s", values_5);
	return text;
}

static void
each_kind_of_fault_is_one_finding(void **state)
{
	(void)state;
	finds("", without_4, "samples 3-5: gap: sample 4 is missing");
	finds("", without_4_to_6, "gap: samples 4 to 6 are missing");
	finds("", offline_3_to_5, "samples 3-5: absent: aperf, lprocs 1-2\n");
	finds("missed_deadlines = 3\n", NULL,
	    "missed: the sampler missed 3 deadlines");
	finds("samples = 12\n", NULL,
	    "gap: the head promises 12 samples; there are 10");
	values_5 = "aperf[3][5] = 500000003\npkg_temperature[0][5] = 950\n";
	finds("", other_5, "sample 5: impossible: pkg_temperature[0] is 950");
	values_5 = "aperf[3][5] = 500000003\n!\npkg_temperature[0][5] = 41\n";
	finds("", other_5, "garbage: line 49: no assignment");
}

static const char *
wall_set(unsigned i)
{
	return i < 5 ? NULL : sample(i, i * 2000000000ull, 1700000000 + i,
	    40000);
}

static void
a_step_of_the_wall_clock_is_found(void **state)
{
	(void)state;
	finds("", wall_set, "samples 4-5: clock: the wall clock was set: it "
	    "went +1.040 s");
}

static const char *
late_5(unsigned i)
{
	return i < 5 ? NULL : sample(i, (i + 2) * 2000000000ull,
	    1700000002 + i, 0);
}

static void
a_late_sample_is_found(void **state)
{
	(void)state;
	finds("interval = 1\n", late_5,
	    "sample 5: late: 3.000 s after the one before; planned are 1 s");
	finds("", late_5, "sample 5: late: 3.000 s");
}

/* From sample 5 on every three seconds, and one after seven. */
static const char *
stretched(unsigned i)
{
	unsigned at = i < 5 ? i : 4 + (i - 4) * 3 + (i >= 8 ? 4 : 0);

	return sample(i, at * 2000000000ull, 1700000000 + at, 0);
}

static void
a_sample_that_is_as_late_as_it_was_meant_to_be_is_not_late(void **state)
{
	static const char head[] = "interval = 1\ninterval_multiple = {}\n"
	    "interval_multiple[5] = 3\n";
	char *dump = dump_of(10, head, stretched), *text;
	int status;

	(void)state;
	text = run_text(dump, &status);
	assert_int_equal(status, EXIT_FINDINGS);
	assert_non_null(strstr(text, "sample 8: late: 7.000 s after the one "
	    "before; planned are 3 s"));
	/* that one alone */
	assert_null(strstr(strstr(text, ": late:") + 1, ": late:"));
	free(text);
	free(dump);
}

static void
what_cannot_be_checked_is_status_2(void **state)
{
	int status;

	(void)state;
	free(run_text("TSC_ratio = 20\n", &status));
	assert_int_equal(status, EXIT_UNUSABLE);
	free(run_text("tsc[0] = 1\n", &status));
	assert_int_equal(status, EXIT_UNUSABLE);
	free(run_text("", &status));
	assert_int_equal(status, EXIT_UNUSABLE);
}

static void
units_that_a_part_lacks_are_notes(void **state)
{
	char *dump = dump_of(3, "unit_absent[\"CHA\"][0][24] = \"fused off\"\n"
	    "unit_absent[\"CHA\"][0][25] = \"fused off\"\n"
	    "unit_absent[\"CHA\"][1][27] = \"fused off\"\n"
	    "unit_absent[\"IMC\"][0][2] = \"no PCI function 7f:15.0\"\n"
	    "unit_absent[\"IMC\"][1][2] = \"answers all ones\"\n"
	    "unit_absent[\"IMC\"][1][3] = \"no PCI function ff:15.1\"\n"
	    "unit_absent[\"QPI\"][0][2] = \"no PCI function 7f:0a.2\"\n"
	    "unit_absent[\"QPI\"][1][2] = \"no PCI function ff:0a.2\"\n"
	    "unit_absent[\"QPI\"][1][3] = \"no PCI function ff:0b.2, though "
	    "ff:0b.0 is there\"\n", NULL);
	int status;
	char *text = run_text(dump, &status);

	(void)state;
	/* that is no matter of the part */
	text_has(text, "note: unit: IMC 2 of package 1 absent: answers all ones\n");
	text_has(text, "note: unit: IMC 2 of package 0 absent: no PCI function "
	    "7f:15.0\n");
	text_has(text, "note: unit: QPI 2 of package 0 and 1 more absent: no PCI "
	    "function 7f:0a.2, and so on\n");
	text_has(text, "note: unit: QPI 3 of package 1 absent: no PCI function "
	    "ff:0b.2, though ff:0b.0 is there\n");
	assert_int_equal(status, EXIT_OK);
	assert_int_equal(text_lines(text), 6);
	free(text);
	text = said(EXIT_OK, cmd_check, "check -v", dump);
	text_has(text, "note: unit: CHA 24-25 of package 0 absent: fused off\n");
	text_has(text, "note: unit: CHA 27 of package 1 absent: fused off\n");
	text_has(text, "note: unit: IMC 2 of package 1 absent: answers all ones\n");
	free(text);
	free(dump);
}

/* One set has its turn while the node is idle, the other one under load: what both
 * together say is of no time that there was. */
static void
a_ratio_of_events_of_two_times_is_no_finding(void **state)
{
	char tally[512], tallyd[512], command[2000], words[300];

	(void)state;
	test_put("sets.conf", "set moved\n"
	    "imc CAS_COUNT.READS event=0x04,umask=0x03\n"
	    "imc CAS_COUNT.WRITES event=0x04,umask=0x0c\n"
	    "set opened\nimc ACT.ALL event=0x01,umask=0x0b\n"
	    "imc PRE_COUNT.MISS event=0x02,umask=0x01\n");
	snprintf(command, sizeof(command), "cd %s && %s print @skx-8160-2s | "
	    "sed 's/^phase idle 18/phase idle 5/' >sets.machine && %s -q --sim "
	    "sets.machine --virtual-time -n 12 --rotate 1 -c sets.conf -o sets", test_dir,
	    built("tally", tally), built("tallyd", tallyd));
	assert_int_equal(system(command), 0);
	snprintf(words, sizeof(words), "metrics -f csv -S node -m page_miss -s "
	    "0:6 %s/sets", test_dir);
	holds(said(EXIT_OK, cmd_metrics, words, NULL), ",page_miss,node,,,%,"
	    "0,\"its events were not all counted at one time, and what they "
	    "are estimated at cannot be (1.065e+05 %)\"");
	snprintf(words, sizeof(words), "check -s 0:6 %s/sets", test_dir);
	lacks(said(EXIT_OK, cmd_check, words, NULL), ": range: ");
}

/* Two lprocs count, and by the head one of them has no package: what that counted is in
 * no figure of the node, which is told by whoever reads it. */
static void
an_lproc_without_a_package_is_told(void **state)
{
	static const char words[] = "lproc 1 counted, but lproc_package says no "
	    "package of the node";
	static const struct {
		const char *package;
		bool told;
	} t[] = { { "0", false }, { "1", true }, { "-1", true },
		{ "1e308", true } };
	char dump[600];

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		snprintf(dump, sizeof(dump), "packages = 1\nnr_cpus = 2\n"
		    "tsc_hz_nominal = 1000000000\nlproc_package[0] = 0\n"
		    "lproc_package[1] = %s\ntsc[0] = 1\nmperf[0][0] = 1\n"
		    "mperf[1][0] = 1\ntsc[1] = 1000000001\n"
		    "mperf[0][1] = 200000001\nmperf[1][1] = 200000001\n",
		    t[i].package);
		(t[i].told ? holds : lacks)(said(-1, cmd_check, "check", dump),
		    words);
		(t[i].told ? holds : lacks)(complained(EXIT_OK, cmd_metrics,
		    "metrics", dump), words);
	}
}

/* An lproc of a package that no node has is in no core complex; the sanitizers see what
 * is shifted too far. */
static void
a_package_that_no_node_has_is_no_complex(void **state)
{
	(void)state;
	lacks(said(EXIT_FINDINGS, cmd_check, "check", "model = \"zen4\"\n"
	    "lproc_package[0] = 1e308\nlproc_ccx[0] = 0\nmperf[0][1] = 1\n"
	    "mperf[0][2] = 2\n"), "complex");
}

/* Lines that are left out, as their sample is not the next one, have the times of a set;
 * none of the samples has them.  Of the arrays of two columns they would be the first behind
 * the end, where the sanitizers see what is read. */
static void
times_of_a_set_that_are_left_out_are_no_samples_columns(void **state)
{
	char text[8000];
	int n = snprintf(text, sizeof(text), "set_name[0] = \"a\"\n"
	    "event_set[\"imc_counts\"][\"X\"] = \"a\"\n"
	    "imc_counts[0][0][\"X\"][5] = 1\numc_counts[0][\"Y\"][6] = 1\n");

	(void)state;
	for (unsigned i = 0; i < 64; i++)
		n += snprintf(text + n, sizeof(text) - (size_t)n,
		    "df_counts[%u][\"io\"][0] = 0\n", i);
	snprintf(text + n, sizeof(text) - (size_t)n,
	    "set_enabled[\"a\"][0] = 0\ntsc[1] = 1\nwalltime[0][1] = 3\n");
	holds(said(EXIT_FINDINGS, cmd_check, "check", text),
	    "sample 6: absent: imc_counts \"X\"");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sound_dump_has_no_findings),
		cmocka_unit_test(
		    the_takeover_in_the_recording_is_found_and_nothing_else),
		cmocka_unit_test(each_kind_of_fault_is_one_finding),
		cmocka_unit_test(a_step_of_the_wall_clock_is_found),
		cmocka_unit_test(a_late_sample_is_found),
		cmocka_unit_test(
		    a_sample_that_is_as_late_as_it_was_meant_to_be_is_not_late),
		cmocka_unit_test(what_cannot_be_checked_is_status_2),
		cmocka_unit_test(units_that_a_part_lacks_are_notes),
		cmocka_unit_test(a_ratio_of_events_of_two_times_is_no_finding),
		cmocka_unit_test(an_lproc_without_a_package_is_told),
		cmocka_unit_test(a_package_that_no_node_has_is_no_complex),
		cmocka_unit_test(
		    times_of_a_set_that_are_left_out_are_no_samples_columns),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
