/*
 * tests/programs/test_field_traps.c - doc/field-traps.md names tests that there are; and
 * those of its rows that no other test shows.
 */
#include "tests/lib/tally_command.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

/* The text of FILE.c, in whichever folder of tests it is; free(). */
static char *
test_text(const char *file)
{
	char pattern[200], *text;
	glob_t found;

	snprintf(pattern, sizeof(pattern), "tests/*/%s.c", file);
	assert_int_not_equal(glob(pattern, 0, NULL, &found), GLOB_NOSPACE);
	snprintf(pattern, sizeof(pattern), "tests/*/*/%s.c", file);
	assert_int_not_equal(glob(pattern, GLOB_APPEND, NULL, &found),
	    GLOB_NOSPACE);
	if (found.gl_pathc != 1)
		fail_msg("%zu files %s.c in folders of tests", found.gl_pathc,
		    file);
	text = file_text(found.gl_pathv[0], NULL);
	globfree(&found);
	return text;
}

/* FILE.c has that test, and runs it. */
static bool
there_is(const char *file, const char *name)
{
	char head[200], run[200], *text = test_text(file), *at;
	bool ok = false;

	snprintf(head, sizeof(head), "\n%s(void **state)\n", name);
	snprintf(run, sizeof(run), "%s)", name);
	for (at = strstr(text, "int\nmain("); at != NULL && !ok;
	    at = strstr(at + 1, run))
		ok = strncmp(at, run, strlen(run)) == 0 &&
		    strstr(text, head) != NULL;
	free(text);
	return ok;
}

/* Tests of a row: "`FILE: NAME`"; how many. */
static unsigned
tests_of(char *row)
{
	char file[100], name[100];
	unsigned n = 0;

	for (char *p = row; (p = strchr(p, '`')) != NULL; p++) {
		if (sscanf(p, "`%99[a-z_0-9]: %99[a-z_0-9]`", file, name) != 2)
			continue;
		if (!there_is(file, name))
			fail_msg("doc/field-traps.md: no test %s: %s", file,
			    name);
		n++;
	}
	return n;
}

static void
every_trap_has_a_test_that_there_is(void **state)
{
	char *text = file_text("doc/field-traps.md", NULL), *line, *rest = text;
	unsigned rows = 0;

	(void)state;
	while ((line = strsep(&rest, "\n")) != NULL) {
		if (strncmp(line, "| ", 2) != 0 ||
		    !isdigit((unsigned char)line[2]))
			continue;
		assert_int_equal(strtoul(line + 2, NULL, 10), ++rows);
		if (tests_of(line) == 0)
			fail_msg("doc/field-traps.md: row %u has no test",
			    rows);
	}
	assert_int_equal(rows, 24);
	free(text);
}

/* What tallyd says on standard error. */
static char *
told(const char *words)
{
	char command[2048], tallyd[512], *text = calloc(1, 1 << 16);
	FILE *f;

	snprintf(command, sizeof(command), "%s --overwrite -o %s/told.lua %s "
	    "2>&1", built("tallyd", tallyd), test_dir, words);
	assert_non_null(text);
	assert_non_null(f = popen(command, "r"));
	text[fread(text, 1, (1 << 16) - 1, f)] = '\0';
	assert_int_equal(pclose(f), 0);
	return text;
}

static void
a_sensor_that_did_not_answer_has_no_value(void **state)
{
	char machine[600], words[1500], path[600], *text;

	(void)state;
	snprintf(machine, sizeof(machine), "%s", test_put("h.machine",
	    "like @c2758\nfile /sys/class/hwmon/hwmon0/power1_input = "
	    "4294967295000\n"));
	snprintf(words, sizeof(words), "--sim %s --virtual-time -n 3 -c %s",
	    machine, test_put("h.conf", "read aperf\nread file=/sys/class/"
	    "hwmon/hwmon0/power1_input gauge scale=1e-6 unit=W as power\n"));
	holds(told(words), "the device did not answer: absent");
	snprintf(path, sizeof(path), "%s/told.lua", test_dir);
	text = file_text(path, NULL);
	assert_non_null(strstr(text, "\naperf[0][2] = "));
	assert_null(strstr(text, "\nfile_power[2] = "));
	assert_null(strstr(text, "\nfile_power[0][2] = "));
	free(text);
}

static void
an_interval_in_which_energy_wraps_is_told(void **state)
{
	char words[800];

	(void)state;
	snprintf(words, sizeof(words), "--sim @skx-8160-2s --virtual-time -n 2 "
	    "-i 3600 -c %s", test_put("e.conf", "read rapl_pkg_energy\n"));
	holds(told(words), "an interval of 3600 s is too long for 1 family of "
	    "counters: rapl_pkg_energy could wrap every ");
	snprintf(words, sizeof(words), "--sim @skx-8160-2s --virtual-time -n 2 "
	    "-i 60 -c %s", test_put("e.conf", "read rapl_pkg_energy\n"));
	lacks(told(words), "is too long for");
}

#define HEAD "host = \"n\"\nmodel = \"skx\"\nTSC_ratio = 10\npackages = 1\n" \
	"nr_cpus = 1\n"
#define SECOND(i) "tsc[" #i "] = 1" #i "000000000\n" \
	"walltime[0][" #i "] = 100" #i "\nwalltime[1][" #i "] = 0\n"

/* 2^32 - 46 words of 4 bytes, then 100 of them. */
static void
a_port_whose_file_wraps_early_adds_no_spike(void **state)
{
	static const char dump[] = HEAD
	    SECOND(0) "ib_recv_bytes[0] = 17179869000\n"
	    SECOND(1) "ib_recv_bytes[1] = 400\n"
	    SECOND(2) "ib_recv_bytes[2] = 800\n";

	(void)state;
	holds(said(-1, cmd_totals, "totals", dump),
	    "ib_recv_bytes_total = 400\n");
	holds(said(-1, cmd_check, "check", dump),
	    "sample 1: reset: ib_recv_bytes");
}

static void
what_is_no_number_is_printed_as_none(void **state)
{
	char words[800], *text;
	static const char *const format[] = { "text", "csv", "json" };
	static const char *const none[] = { "n/a", "none,node,,,", "null" };

	(void)state;
	for (size_t i = 0; i < sizeof format / sizeof *format; i++) {
		snprintf(words, sizeof(words), "metrics -f %s -m none -M %s",
		    format[i], test_put("n.metrics", "metric none node \"u\" "
		    "\"\" = aperf / (aperf - aperf)\n"));
		text = said(-1, cmd_metrics, words, HEAD
		    SECOND(0) "aperf[0][0] = 5\n" SECOND(1)
		    "aperf[0][1] = 7\n");
		if (strstr(text, none[i]) == NULL)
			fail_msg("%s: %s", format[i], text);
		assert_null(strstr(text, "9223372036854775808"));
		assert_null(strstr(text, "nan"));
		assert_null(strstr(text, "inf"));
		free(text);
	}
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_trap_has_a_test_that_there_is),
		cmocka_unit_test(a_sensor_that_did_not_answer_has_no_value),
		cmocka_unit_test(an_interval_in_which_energy_wraps_is_told),
		cmocka_unit_test(a_port_whose_file_wraps_early_adds_no_spike),
		cmocka_unit_test(what_is_no_number_is_printed_as_none),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
