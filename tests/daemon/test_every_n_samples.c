/*
 * tests/daemon/test_every_n_samples.c - events and registers that are read every so many
 * samples only: from the line to totals, findings and figures.
 */
#include "tests/lib/files.h"

#include "config/lang/events.h"

#include <stdlib.h>
#include <string.h>

/* ---- lines ---- */

static int
parse(struct config *cfg, const char *text, struct diag *why)
{
	assert_int_equal(config_init(cfg, model_named("skx")), 0);
	return config_parse(cfg, "t.conf", text, strlen(text), why);
}

static void
a_line_ends_with_its_rate(void **state)
{
	struct config cfg;
	struct diag why;

	(void)state;
	assert_int_equal(parse(&cfg,
	    "imc CAS event=0x04,umask=0x03 every 10\n"
	    "imc[0] WR event=0x04 umask=0x0c every 1 # each\n"
	    "read aperf mperf every 4\n"
	    "read rapl_pkg_energy\n"
	    "cha CAS event=0x35 every 5\n", &why), 0);
	assert_int_equal(cfg.nwant, 6);
	assert_int_equal(cfg.want[0].every, 10);
	assert_int_equal(cfg.want[1].every, 1);
	assert_string_equal(cfg.want[2].name, "aperf");
	assert_int_equal(cfg.want[2].every, 4);
	assert_int_equal(cfg.want[3].every, 4);
	assert_true(cfg.want[4].every <= 1);
	assert_int_equal(cfg.want[5].every, 5);
	config_fini(&cfg);
}

static const struct {
	int line;
	const char *text, *says;
} wrong[] = {
	{ __LINE__, "imc A event=4 every", "1: \"every\" has nothing behind "
	    "it" },
	{ __LINE__, "imc A event=4 every 0", "1: every 0: from one sample to "
	    "the next is every 1" },
	{ __LINE__, "read aperf every x", "1: samples \"x\" is no number: "
	    "decimal, or hexadecimal after 0x" },
	{ __LINE__, "read aperf every 1000001", "1: samples 1000001 is too "
	    "large: 0xf4240 at most" },
	{ __LINE__, "read aperf every 5 mperf", "1: \"mperf\" is one word too "
	    "many" },
	{ __LINE__, "set a\ncore A event=0xc0 every 2", "2: A: an event of a "
	    "set is read when its turn ends, and cannot be read every so many "
	    "samples" },
	{ __LINE__, "core Inst_Retired.Any every 2", "1: Inst_Retired.Any has "
	    "a fixed counter, which is read in each sample" },
	{ __LINE__, "imc[0] A event=4 every 10\nimc[1] A event=4", "2: A every "
	    "1: it is read every 10 already (t.conf:1), and a name has one "
	    "rate" },
	{ __LINE__, "read aperf\nread mperf aperf every 3", "2: aperf every 3: "
	    "it is read every 1 already (t.conf:1), and a name has one rate" },
};

static void
what_cannot_have_a_rate_is_refused(void **state)
{
	struct config cfg;
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		const char *says;

		if (parse(&cfg, wrong[i].text, &why) >= 0)
			fail_msg("line %d: accepted", wrong[i].line);
		says = strncmp(why.text, "t.conf:", 7) == 0 ? why.text + 7 :
		    why.text;
		if (strcmp(says, wrong[i].says) != 0)
			fail_msg("line %d: %s", wrong[i].line, why.text);
		config_fini(&cfg);
	}
}

/* ---- runs ---- */

static char tally[512];

static const char *
out_of(const char *command, int status)
{
	static char text[60000];
	FILE *f = popen(command, "r");
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	assert_int_equal(pclose(f), status << 8);
	return text;
}

/* Samples a machine by a configuration into test_dir/x.lua; returns what the daemon
 * says. */
static const char *
run(const char *machine, const char *config, const char *options, int status)
{
	char tallyd[512], sim[400], conf[400], command[2400];

	built("tally", tally);
	snprintf(sim, sizeof(sim), "%s", test_put("x.machine", machine));
	snprintf(conf, sizeof(conf), "%s", test_put("x.conf", config));
	snprintf(command, sizeof(command), "%s --sim %s --virtual-time -c %s "
	    "%s --overwrite -o %s/x.lua 2>&1", built("tallyd", tallyd), sim,
	    conf, options, test_dir);
	return out_of(command, status);
}

/* What tally prints of x.lua. */
static const char *
told(const char *arguments, int status)
{
	char command[1200];

	snprintf(command, sizeof(command), "%s %s %s/x.lua", tally, arguments,
	    test_dir);
	return out_of(command, status);
}

#define MACHINE "like @skx-8160-2s\n"
/* read together: in samples 0, 4, 8, ... and 0, 10, 20, ... */
#define CONFIG(e4, e10) \
	"imc CAS_COUNT.RD event=0x04,umask=0x03" e10 "\n" \
	"imc CAS_COUNT.WR event=0x04,umask=0x0c" e10 "\n" \
	"core L3_MISS event=0x2e,umask=0x41" e4 "\n" \
	"core fixed\n" \
	"read aperf mperf" e4 "\n" \
	"read rapl_pkg_energy" e10 "\n" \
	"read rapl_dram_energy\n" \
	"read iio_bytes" e4 "\n"

/* A line of totals, "NAME = 123\n". */
static uint64_t
total(const char *text, const char *name)
{
	char line[200];
	const char *at;

	snprintf(line, sizeof(line), "\n%s = ", name);
	at = strstr(text, line);
	if (at == NULL)
		fail_msg("no %s", name);
	return strtoull(at + strlen(line), NULL, 10);
}

static const char *const summed[] = {
	"imc_counts_total[0][0][\"CAS_COUNT.RD\"]",
	"imc_counts_total[1][5][\"CAS_COUNT.WR\"]",
	"core_counts_total[95][\"L3_MISS\"]",
	"aperf_total[0]", "mperf_total[71]", "rapl_pkg_energy_total[0]",
	"rapl_pkg_energy_total[1]", "iio_PCIe2_port0_in_bytes_total[1]",
};
#define SUMMED (sizeof(summed) / sizeof(summed[0]))

/* 41 samples; package energy wraps between the first two readings. */
static void
totals_are_those_of_what_is_read_in_each_sample(void **state)
{
	uint64_t each[SUMMED];
	const char *out;

	(void)state;
	run(MACHINE, CONFIG("", ""), "-q -n 41", 0);
	out = told("totals", 0);
	for (size_t i = 0; i < SUMMED; i++)
		each[i] = total(out, summed[i]);
	/* energy of package 0, whose counter begins 5 million below 2^32 */
	assert_int_equal(each[5], 67673644);
	run(MACHINE, CONFIG(" every 4", " every 10"), "-q -n 41", 0);
	out = told("totals", 0);
	for (size_t i = 0; i < SUMMED; i++)
		if (total(out, summed[i]) != each[i])
			fail_msg("%s", summed[i]);
}

static void
a_clean_run_has_no_findings_and_the_same_figures(void **state)
{
	char report[60000];
	const char *out, *figures;

	(void)state;
	run(MACHINE, CONFIG("", ""), "-q -n 41", 0);
	figures = strstr(told("report", 0), "\nData");
	assert_non_null(figures);
	snprintf(report, sizeof(report), "%s", strchr(figures + 1, '\n'));
	run(MACHINE, CONFIG(" every 4", " every 10"), "-q -n 41", 0);
	figures = strstr(told("report", 0), "\nData");
	assert_non_null(figures);
	assert_string_equal(strchr(figures + 1, '\n'), report);
	out = told("check -v", 0);
	text_has(out, ": sound\n");
	text_lacks(out, ": absent: ");
	text_has(out, "cycles counted cannot be compared: not read in the same "
	    "samples (every)\n");
	text_has(out, " J: agrees: 66");
}

/* An interval that ends with a reading has the value of all the time since the reading
 * before; the intervals between have a line without a value. */
static void
a_figure_of_an_interval_is_of_the_time_since_the_reading_before(void **state)
{
	const char *out;

	(void)state;
	run(MACHINE "msr 0x611 pkg counter bits=32 init=0xffff0000 "
	    "idle=163840 pkg=0\n", "read rapl_pkg_energy every 10\n", "-q -n 12",
	    0);
	out = told("metrics -e -f csv -m 'package_power'", 0);
	text_has(out, ",9,9.000,1.000,package_power,package,0,,W,0,"
	    "rapl_pkg_energy was not read in this time");
	text_has(out, ",10,10.000,1.000,package_power,package,0,10.0000,W,0,");
	out = told("deltas", 0);
	text_has(out, "rapl_pkg_energy_delta[0][10] = 1638400\n");
	text_lacks(out, "rapl_pkg_energy_delta[0][11]");
}

/* Between two readings somebody had another event counted, and put ours back. */
static void
what_was_tampered_with_between_two_readings_is_left_out(void **state)
{
	const char *out;

	(void)state;
	run(MACHINE "from 12.5 lproc 3 msr 0x186 = 0x4300c0\n"
	    "from 14.5 lproc 3 msr 0x186 = 0x43412e\n",
	    "core L3_MISS event=0x2e,umask=0x41,counter=0 every 10\n",
	    "-q -n 41 --watch 1", 0);
	out = told("check", 1);
	text_has(out, "sample 20: tampered: core_counts \"L3_MISS\", lproc 3: "
	    "CORE of lproc 3 ctl0 (msr 0x186 lproc 3) was changed after sample "
	    "12, found at 13");
	text_lacks(out, "sample 30");
	text_lacks(out, ": absent: ");
}

/* Missed when it was due, it is absent from then on until it is read. */
static void
what_is_not_read_when_it_is_due_is_absent(void **state)
{
	const char *out;

	(void)state;
	run(MACHINE "from 9.5 to 10.5 msr 0x611 EIO\n",
	    CONFIG(" every 4", " every 10"), "-q -n 31", 0);
	out = told("check", 1);
	text_has(out, "samples 10-19: absent: rapl_pkg_energy, packages 0-1\n");
	text_lacks(out, "absent: imc");
	text_lacks(out, "aperf,");
	/* nothing is lost: it is in the delta of the next reading */
	assert_true(total(told("totals", 0), "rapl_pkg_energy_total[0]") >
	    27384000);
}

static void
a_counter_that_can_wrap_between_two_readings_is_warned_of(void **state)
{
	(void)state;
	text_has(run(MACHINE, CONFIG(" every 4", " every 600"), "-n 2", 0),
	    "an interval of 1 s is too long for 1 family of counters: "
	    "rapl_pkg_energy, read every 600 samples, could wrap every 262 s, "
	    "and its totals be ambiguous");
	text_lacks(run(MACHINE, CONFIG(" every 4", " every 200"), "-n 2", 0),
	    "is too long for");
}

static void
one_name_of_two_boxes_has_one_rate_where_both_are_slow(void **state)
{
	const char *two = "imc CLOCK event=0 every 10\ncha CLOCK event=0 "
	    "every 5\n";

	(void)state;
	text_has(run(MACHINE, two, "-q -n 2", 1), "CLOCK is read every 10 "
	    "samples and every 5: one of the two needs another name");
	run(MACHINE, "imc CLOCK event=0 every 10\ncha CLOCK event=0\n",
	    "-q -n 21", 0);
	text_has(told("check", 0), ": sound");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_ends_with_its_rate),
		cmocka_unit_test(what_cannot_have_a_rate_is_refused),
		cmocka_unit_test(totals_are_those_of_what_is_read_in_each_sample),
		cmocka_unit_test(a_clean_run_has_no_findings_and_the_same_figures),
		cmocka_unit_test(
		    a_figure_of_an_interval_is_of_the_time_since_the_reading_before),
		cmocka_unit_test(
		    what_was_tampered_with_between_two_readings_is_left_out),
		cmocka_unit_test(what_is_not_read_when_it_is_due_is_absent),
		cmocka_unit_test(
		    a_counter_that_can_wrap_between_two_readings_is_warned_of),
		cmocka_unit_test(
		    one_name_of_two_boxes_has_one_rate_where_both_are_slow),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
