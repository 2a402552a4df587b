/*
 * tests/postproc/data/test_doubt.c - counters that another program took over
 * or stopped: from which sample to which their values are doubted, and that no
 * figure uses those.
 */
#include "tests/lib/tally_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The recording with counters that stand still: of lines that begin and go on
 * with these words each value behind sample `from` is replaced by that of it.
 */
static const char *
stopped(const char *begins, const char *with, unsigned from)
{
	static char path[512];
	struct { char name[100], value[32]; } at[200];
	unsigned n = 0;
	char source[512], line[1024];
	FILE *in = fopen(recording(source), "r"), *out;

	snprintf(path, sizeof path, "%s/stopped", test_dir);
	out = fopen(path, "w");
	assert_true(in != NULL && out != NULL);
	while (fgets(line, sizeof line, in) != NULL) {
		char *eq = strstr(line, "] = "), *sample = eq;
		unsigned i, k = 0;

		if (strncmp(line, begins, strlen(begins)) != 0 ||
		    strstr(line, with) == NULL || eq == NULL) {
			fputs(line, out);
			continue;
		}
		while (sample[-1] != '[')
			sample--;
		i = (unsigned)strtoul(sample, NULL, 10);
		while (k < n && strncmp(at[k].name, line,
		    (size_t)(sample - line)) != 0)
			k++;
		if (i == from) {
			snprintf(at[n].name, sizeof at[n].name, "%.*s",
			    (int)(sample - line), line);
			snprintf(at[n++].value, sizeof at[n].value, "%s",
			    eq + 4);
		} else if (i > from && k < n) {
			strcpy(eq + 4, at[k].value);
		}
		fputs(line, out);
	}
	assert_true(n >= 48);
	fclose(in);
	fclose(out);
	return path;
}

/* ---- the recording ------------------------------------------------------ */

static void
what_was_taken_over_before_a_window_is_not_believed_in_it(void **state)
{
	char path[512];

	(void)state;
	recording(path);
	holds(said_of(-1, cmd_check, "check -s 19:29", path), "samples 20-29: "
	    "foreign: core_counts \"INST_RETIRED.KERNEL\", lprocs 0-95: "
	    "restarted from outside at sample 18: what it counts since is not "
	    "known");
	holds(said_of(-1, cmd_metrics, "metrics -f csv -S node -m kernel_time -s "
	    "19:29", path), ",kernel_time,node,,,%,960,");
	holds(said_of(-1, cmd_metrics, "metrics -f csv -S node -m kernel_time -s "
	    "0:17", path), ",kernel_time,node,,56.4697,%,0,");
}

static void
a_window_with_a_takeover_in_it_has_no_figure_of_two_parts(void **state)
{
	char path[512], *text;

	(void)state;
	recording(path);
	holds(said_of(-1, cmd_metrics, "metrics -f csv -S node -m kernel_time -s "
	    "0:29", path), ",kernel_time,node,,,%,1152,\"core[\"\"CPU_CLK_"
	    "UNHALTED.THREAD_P:SUP\"\"] was restarted or given another event from outside: what it "
	    "counts since is not known\"");
	text = said_of(-1, cmd_check, "check -s 0:29", path);
	if (strstr(text, ": range: ") != NULL)
		fail_msg("a metric out of range in:\n%s", text);
	free(text);
}

static void
what_it_counted_is_told_and_marked(void **state)
{
	char path[512];

	(void)state;
	recording(path);
	holds(said_of(-1, cmd_totals, "totals -s 19:29", path),
	    "core_counts_total[5][\"INST_RETIRED.KERNEL\"] = 25803995874\n"
	    "core_counts_doubtful[5][\"INST_RETIRED.KERNEL\"] = \"10 of 10 "
	    "intervals: foreign, first at sample 20\"\n");
	holds(said_of(-1, cmd_deltas, "deltas -s 24:25", path),
	    "core_counts_delta[5][\"INST_RETIRED.KERNEL\"][25] = 2580031475\n"
	    "core_counts_doubtful[5][\"INST_RETIRED.KERNEL\"][25] = "
	    "\"foreign\"\n");
}

static void
fixed_counters_are_sound_again_after_their_restart(void **state)
{
	char path[512];

	(void)state;
	holds(said_of(-1, cmd_totals, "totals -f csv -s 19:20", recording(path)),
	    ",\"core_fixed_counts[2][\"\"Inst_Retired.Any\"\"]\",304729256,count,1.010868,0,,");
}

static void
instructions_that_stand_still_on_all_lprocs_are_no_count(void **state)
{
	const char *path = stopped("core_fixed_counts", "Inst_Retired.Any", 24);
	char *text;

	(void)state;
	holds(said_of(-1, cmd_check, "check", path), "samples 25-29: stopped: "
	    "core_fixed_counts \"Inst_Retired.Any\", lprocs 0-95: stood still "
	    "while the core ran");
	text = said_of(-1, cmd_check, "check", path);
	assert_int_equal(text_lines(text), 10);
	free(text);
	holds(said_of(-1, cmd_metrics, "metrics -f csv -S node -m ipc -s 24:29",
	    path), ",ipc,node,,,inst/cycle,480,");
	/* that of 20 to 24 is that of the recording, not a part of it */
	holds(said_of(-1, cmd_metrics, "metrics -f csv -S node -m ipc -s 20:24",
	    path), ",ipc,node,,0.11");
}

static void
memory_channels_that_stand_still_have_no_bandwidth(void **state)
{
	const char *path = stopped("imc_counts", "", 20);

	(void)state;
	holds(said_of(-1, cmd_check, "check", path), "samples 21-29: stopped: "
	    "imc_counts \"DCLK\", package 0 box 0-5; package 1 box 0-5: the "
	    "whole box stood still");
	holds(said_of(-1, cmd_metrics, "metrics -f csv -S node -m dram_read -s "
	    "20:29", path), ",dram_read,node,,,GB/s,108,");
	holds(said_of(-1, cmd_report, "report -s 20:29", path),
	    "read bandwidth              GB/s           n/a      n/a      n/a");
}

static void
without_its_clock_a_channel_is_known_by_what_it_did_before(void **state)
{
	const char *path = stopped("imc_counts", "", 20);
	char cut[512], command[1400];

	(void)state;
	snprintf(cut, sizeof cut, "%s/cut", test_dir);
	snprintf(command, sizeof command, "grep -v DCLK %s >%s", path, cut);
	assert_int_equal(system(command), 0);
	holds(said_of(-1, cmd_check, "check", cut), "samples 21-29: stopped: "
	    "imc_counts \"CAS_COUNT.READS\", package 0 box 0-5; package 1 box "
	    "0-5: the whole box stood still");
}

/* A run on a simulated node whose package 1 is frozen from the start, as far as its CHAs
 * go; n: how many CHAs of package 1 stand still. */
static const char *
with_frozen_chas(unsigned n)
{
	static char path[512];
	char whole[512], command[2048], line[64];
	const char *value = "= 12345";
	FILE *in, *out;

	snprintf(whole, sizeof whole, "%s/whole", test_dir);
	snprintf(path, sizeof path, "%s/frozen", test_dir);
	snprintf(command, sizeof command, "build/tallyd -q --sim "
	    "@skx-8160-2s --virtual-time -n 4 --overwrite -o %s", whole);
	assert_int_equal(system(command), 0);
	in = fopen(whole, "r");
	out = fopen(path, "w");
	assert_true(in != NULL && out != NULL);
	while (fgets(command, sizeof command, in) != NULL) {
		char *eq = strstr(command, "] = ");
		unsigned box;

		if (eq != NULL && sscanf(command, "cha_counts[1][%u][\"%1s", &box,
		    line) == 2 && box < n)
			fprintf(out, "%.*s %s\n", (int)(eq + 1 - command),
			    command, value);
		else
			fputs(command, out);
	}
	fclose(in);
	fclose(out);
	return path;
}

static void
a_package_whose_boxes_never_counted_is_said(void **state)
{
	char *text;

	(void)state;
	holds(said_of(-1, cmd_check, "check", with_frozen_chas(24)), "stopped: no "
	    "counter of the 24 CHAs of package 1 moved in the whole run, "
	    "though all CHAs of package 0 counted: nothing of what they "
	    "count happens there (no device at work?), or they are not "
	    "programmed");
	text = said_of(-1, cmd_check, "check", with_frozen_chas(23));
	assert_null(strstr(text, "moved in the whole run"));
	free(text);
}

/* ---- a counter of three lprocs, a second a sample ------------------------ */

struct counter {
	const char *head;       /* more of it */
	unsigned long long value[6];    /* of each sample */
};

static const char *
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
	return test_put("dump", text);
}

static void
a_restart_lasts_to_the_end_where_nobody_looked(void **state)
{
	(void)state;
	holds(said_of(-1, cmd_check, "check", counter(&(struct counter){ "",
	    { 1000, 2000, 5, 1005, 2005, 3005 } })), "samples 3-5: foreign: "
	    "core_counts \"X\", lprocs 0-2: restarted from outside at sample "
	    "2");
	holds(said_of(-1, cmd_check, "check", counter(&(struct counter){ "watch = 0\n",
	    { 1000, 2000, 5, 1005, 2005, 3005 } })), "samples 3-5: foreign");
}

static void
it_ends_with_a_look_that_finds_the_control_ours(void **state)
{
	(void)state;
	holds(said_of(-1, cmd_check, "check", counter(&(struct counter){ "watch = 4\n",
	    { 1000, 2000, 5, 1005, 2005, 3005 } })), "samples 3-4: foreign");
	holds(said_of(-1, cmd_check, "check", counter(&(struct counter){ "watch = 1\n",
	    { 1000, 2000, 5, 1005, 2005, 3005 } })), ": 1 finding\n");
}

static void
it_does_not_end_where_the_look_found_another_event(void **state)
{
	(void)state;
	holds(said_of(-1, cmd_check, "check", counter(&(struct counter){ "watch = 1\n"
	    "tamper_first[0] = 1\ntamper_seen[0] = 3\n"
	    "tamper_column[0] = \"core_counts[0]\"\n"
	    "tamper_register[0] = \"MSR 0x186\"\n",
	    { 1000, 2000, 5, 1005, 2005, 3005 } })), "samples 2-5: tampered: "
	    "core_counts \"X\", lproc 0: MSR 0x186 was changed after sample 1");
}

static void
a_bad_value_that_is_over_is_no_takeover(void **state)
{
	(void)state;
	holds(said_of(-1, cmd_check, "check", counter(&(struct counter){ "",
	    { 1000, 2000, 200000000000000, 4000, 5000, 6000 } })),
	    ": 2 findings\n");
}

/* ---- readings and figures that cannot be --------------------------------- */

static const char *
degrees(const unsigned value[4])
{
	static char text[2000];
	size_t n = (size_t)sprintf(text, "host = \"n\"\nmodel = \"skx\"\n"
	    "TSC_ratio = 10\npackages = 1\n");

	for (unsigned i = 0; i < 4; i++)
		n += (size_t)sprintf(text + n, "tsc[%u] = 1%u000000000\n"
		    "walltime[0][%u] = 100%u\nwalltime[1][%u] = 0\n"
		    "pkg_temperature[0][%u] = %u\n", i, i, i, i, i, i,
		    value[i]);
	return test_put("dump", text);
}

static void
a_reading_that_cannot_be_is_in_no_mean(void **state)
{
	static const unsigned value[] = { 40, 41, 999, 43 };

	(void)state;
	holds(said_of(-1, cmd_metrics, "metrics -f csv -S node -m temperature",
	    degrees(value)), ",temperature,node,,42.0000,C,1,");
	holds(said_of(-1, cmd_metrics, "metrics -e -f csv -S node -m temperature",
	    degrees(value)), ",temperature,node,,,C,");
	holds(said_of(-1, cmd_report, "report", degrees(value)), "NOT SOUND: 1 ");
}

static void
a_metric_that_cannot_be_is_a_finding(void **state)
{
	static char text[2000];
	size_t n = (size_t)sprintf(text, "host = \"n\"\nmodel = \"skx\"\n"
	    "TSC_ratio = 10\npackages = 1\nlproc_package[0] = 0\n");

	(void)state;
	/* more cycles unhalted, by mperf, than there were by the TSC */
	for (unsigned i = 0; i < 3; i++)
		n += (size_t)sprintf(text + n, "tsc[%u] = 1%u000000000\n"
		    "walltime[0][%u] = 100%u\nwalltime[1][%u] = 0\n"
		    "mperf[0][%u] = %u000000000\n", i, i, i, i, i, i, 2 * i);
	holds(said_of(-1, cmd_check, "check", test_put("dump", text)), "range: "
	    "utilisation of node is 200 %, and 0 to 101 is what there can "
	    "be\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    what_was_taken_over_before_a_window_is_not_believed_in_it),
		cmocka_unit_test(
		    a_window_with_a_takeover_in_it_has_no_figure_of_two_parts),
		cmocka_unit_test(what_it_counted_is_told_and_marked),
		cmocka_unit_test(
		    fixed_counters_are_sound_again_after_their_restart),
		cmocka_unit_test(
		    instructions_that_stand_still_on_all_lprocs_are_no_count),
		cmocka_unit_test(
		    memory_channels_that_stand_still_have_no_bandwidth),
		cmocka_unit_test(
		    without_its_clock_a_channel_is_known_by_what_it_did_before),
		cmocka_unit_test(a_package_whose_boxes_never_counted_is_said),
		cmocka_unit_test(
		    a_restart_lasts_to_the_end_where_nobody_looked),
		cmocka_unit_test(
		    it_ends_with_a_look_that_finds_the_control_ours),
		cmocka_unit_test(
		    it_does_not_end_where_the_look_found_another_event),
		cmocka_unit_test(a_bad_value_that_is_over_is_no_takeover),
		cmocka_unit_test(a_reading_that_cannot_be_is_in_no_mean),
		cmocka_unit_test(a_metric_that_cannot_be_is_a_finding),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
