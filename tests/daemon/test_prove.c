/*
 * tests/daemon/test_prove.c - `tallyd --prove`: nothing on simulated nodes that count as
 * they should, and the name of the fault on those that do not.
 */
#include "daemon/instead/prove.h"
#include "tests/lib/files.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* What it says of a machine, and its exit status; the caller frees. */
static char *
proved(const char *machine, const char *more, int *status)
{
	char command[2048], tallyd[512], *text = calloc(1, 1 << 18);
	size_t n;
	FILE *f;

	snprintf(command, sizeof(command), "%s --prove --sim %s --virtual-time "
	    "%s 2>&1", built("tallyd", tallyd), machine, more);
	assert_non_null(text);
	assert_non_null(f = popen(command, "r"));
	n = fread(text, 1, (1 << 18) - 1, f);
	text[n] = '\0';
	*status = WEXITSTATUS(pclose(f));
	return text;
}

static void
a_node_that_counts_right_has_nothing_wrong(void **state)
{
	static const char *const machine[] = { "@skx-8160-2s", "@icx-8358-2s",
		"@hsx-2699-2s", "@bdx-2699v4-2s", "@spr-9480-2s",
		"@emr-8592-2s", "@gnr-6960p-2s", "@c2758", "@rome-7742-2s",
		"@milan-7763-2s", "@genoa-9654-2s", "@srf-2s",
		"@cwf-2s", "@dnv-c3958" };

	(void)state;
	for (size_t i = 0; i < sizeof machine / sizeof *machine; i++) {
		int status;
		char *text = proved(machine[i], "", &status);

		if (status != 0 || strstr(text, "nothing is wrong\n") == NULL ||
		    strstr(text, "wrong:") != NULL ||
		    strstr(text, "WRONG") != NULL)
			fail_msg("%s: status %d: %s", machine[i], status, text);
		free(text);
	}
}

/* Lines for each of n boxes: the format gets package and instance. */
static const char *
boxes(const char *fmt, unsigned pkgs, unsigned n)
{
	static char text[16384];
	size_t len = 0;

	text[0] = '\0';
	for (unsigned p = 0; p < pkgs; p++)
		for (unsigned i = 0; i < n; i++)
			len += (size_t)snprintf(text + len, sizeof(text) - len,
			    fmt, p, i);
	return text;
}

static void
names(unsigned line, const char *like, const char *faults,
    const char *const *words)
{
	char machine[20000], *text;
	int status;

	snprintf(machine, sizeof(machine), "like @%s\n%s", like, faults);
	text = proved(test_put("doctored.machine", machine), "", &status);
	for (; *words != NULL; words++)
		if (strstr(text, *words) == NULL)
			fail_msg("line %u: no \"%s\" in %s", line, *words,
			    text);
	assert_int_equal(status, 1);
	assert_null(strstr(text, "nothing is wrong"));
	free(text);
}
static void
lacks_wrong(const char *like, const char *faults, const char *words)
{
	char machine[20000], *text;
	int status;

	snprintf(machine, sizeof(machine), "like @%s\n%s", like, faults);
	text = proved(test_put("doctored.machine", machine), "", &status);
	assert_int_equal(status, 1);
	assert_null(strstr(text, words));
	free(text);
}
#define NAMES(like, faults, ...) \
	names(__LINE__, like, faults, (const char *[]){ __VA_ARGS__, NULL })

static void
a_channel_twice_too_fast_is_named(void **state)
{
	(void)state;
	NAMES("skx-8160-2s", "from 0 box imc 1 3 counts 2\n",
	    "wrong: imc_counts[1][3][\"CAS_COUNT.READS\"] counts 2 times",
	    "wrong: imc_counts[1][3][\"CAS_COUNT.WRITES\"] counts 2 times");
	NAMES("srf-2s", "from 0 box imc 1 3 counts 2\n"
	    "from 0 box core 0 5 counts 3\n",
	    "wrong: imc_counts[1][3][\"CAS_COUNT_SCH0.RD\"] counts 2 times",
	    "wrong: core_counts[5][\"MEM_UOPS_RETIRED.ALL_LOADS\"] counts 3 times");
}

static void
bandwidth_twice_the_truth_is_named(void **state)
{
	(void)state;
	NAMES("icx-8358-2s", boxes("from 0 box imc %u %u 0x0f04/0xffff "
	    "counts 2\n", 2, 8), "wrong: imc_counts[0][0][\"CAS_COUNT.RD\"], "
	    "and 15 more of the 16 of its kind, counts 2 times what");
}

static void
half_of_the_flops_is_named(void **state)
{
	(void)state;
	NAMES("spr-9480-2s", "from 0 box core 0 5 0x10c7/0xffff counts 1/2\n",
	    "[\"FP_ARITH_INST_RETIRED.256B_PACKED_DOUBLE\"]",
	    "counts 0.5 times what");
}

static void
a_dead_link_is_named(void **state)
{
	(void)state;
	NAMES("skx-8160-2s", "from 0 box upi 0 2 counts 0\n",
	    "wrong: upi_counts[0][2][\"TxL_FLITS.ALL_DATA\"] counts nothing of",
	    "wrong: upi_counts[0][2][\"RxL_FLITS.ALL_DATA\"] counts nothing of");
}

static void
a_box_that_reads_zero_is_named(void **state)
{
	(void)state;
	NAMES("spr-9480-2s", "from 0 box cha 1 17 counts 0\n",
	    "wrong: cha_counts[1][17][\"CLOCKTICKS\"] stands still");
}

/* Its clock runs, and no line is read or written. */
static void
a_channel_without_memory_is_named(void **state)
{
	(void)state;
	NAMES("icx-8358-2s", "from 0 box imc 0 6 0x0f04/0xffff counts 0\n"
	    "from 0 box imc 0 6 0x3004/0xffff counts 0\n",
	    "wrong: imc_counts[0][6][\"CAS_COUNT.RD\"] counts nothing of",
	    "wrong: imc_counts[0][6][\"CAS_COUNT.WR\"] counts nothing of");
}

/* As if the set-up of something later had cleared IA32_PERF_GLOBAL_CTRL. */
static void
a_core_that_was_set_to_count_nothing_is_named(void **state)
{
	(void)state;
	NAMES("icx-8358-2s", "from 0.05 lproc 11 msr 0x38f = 0\n",
	    "wrong: another agent programs the same counters: 1 control "
	    "changed", "wrong: core_counts[11][\"INST_RETIRED.ANY_P\"] counts "
	    "nothing of");
}

static void
a_package_without_core_counts_is_named(void **state)
{
	(void)state;
	NAMES("hsx-2699-2s", boxes("from 0 box core %u %u counts 0\n", 1, 18),
	    "wrong: core_counts[0][\"INST_RETIRED.ANY_P\"], and ",
	    "more of the 72 of its kind, counts nothing of");
}

static void
a_clock_that_starts_again_is_named(void **state)
{
	(void)state;
	NAMES("skx-8160-2s", "from 0.5 box cha 0 4 ctr0 = 0\n"
	    "from 0.5 box cha 0 4 ctr1 = 0\nfrom 0.5 box cha 0 4 ctr2 = 0\n"
	    "from 0.5 box cha 0 4 ctr3 = 0\n",
	    "wrong: cha_counts[0][4][\"CLOCKTICKS\"] a clock of ",
	    "MHz, which is outside 200 to 6000 MHz");
}

static void
energy_of_one_package_in_another_unit_is_named(void **state)
{
	(void)state;
	NAMES("icx-8358-2s", "from 0 pkg 1 msr 0x619 counts 33\n",
	    "wrong: rapl_dram_energy[1] rises 33", "times as fast as "
	    "rapl_dram_energy[0] under the same load");
}

static void
energy_that_is_refused_late_is_named(void **state)
{
	(void)state;
	NAMES("skx-8160-2s", "from 0.2 pkg 1 msr 0x619 EIO\n",
	    "wrong: rapl_dram_energy[1] could not be read, though it was "
	    "accepted");
}

static void
two_boxes_of_one_figure_that_disagree_are_named(void **state)
{
	(void)state;
	NAMES("icx-8358-2s", boxes("from 0 box imc %u %u counts 1/94\n", 2, 8),
	    "wrong: imc_counts[0][0][\"CAS_COUNT.RD\"], and 15 more of the 16 "
	    "of its kind, counts 0.01");
	lacks_wrong("icx-8358-2s", boxes("from 0 box imc %u %u counts 1/94\n",
	    2, 8), "wrong: imcfree");
}

static void
one_packages_figures_shown_for_both_are_named(void **state)
{
	(void)state;
	NAMES("hsx-2699-2s", "from 0 box imc 1 0 shows 0 0\n"
	    "from 0 box imc 1 1 shows 0 1\nfrom 0 box imc 1 4 shows 0 4\n"
	    "from 0 box imc 1 5 shows 0 5\n",
	    "wrong: imc_counts[1][0][\"CAS_COUNT.RD\"], and 3 more of the 8 "
	    "of its kind, ", "it counts what is done on another package");
}

static void
another_counter_in_its_place_is_named(void **state)
{
	(void)state;
	NAMES("skx-8160-2s", "from 0 box core 0 7 ctr0 shows ctr1\n",
	    "it counts branches: another counter is read in its place");
}

static void
a_second_agent_is_named(void **state)
{
	(void)state;
	NAMES("skx-8160-2s", "from 0.15 lproc 9 msr 0x186 = 0x4301c7\n",
	    "wrong: another agent programs the same counters: 1 control "
	    "changed while set work was counted");
}

static void
a_clock_that_depends_on_its_neighbour_is_named(void **state)
{
	(void)state;
	NAMES("skx-8160-2s", "from 0 lproc 3 msr 0xe7 counts 3/2\n",
	    "wrong: mperf[3] counts 1.5 times what");
}

static void
a_node_with_load_is_refused_and_force_takes_it(void **state)
{
	static const char machine[] = "like @skx-8160-2s\n"
	    "file /proc/loadavg = 40.10 39.00 38.00 3/2000 4711\n";
	int status;
	char *text = proved(test_put("busy.machine", machine), "", &status);

	(void)state;
	assert_int_equal(status, 1);
	assert_non_null(strstr(text, "this node has work: its load is 40.10"));
	free(text);
	text = proved(test_put("busy.machine", machine), "--force", &status);
	assert_int_equal(status, 0);
	free(text);
}

static void
every_figure_is_in_the_json(void **state)
{
	char path[600], more[700], *text, *json;
	int status;

	(void)state;
	snprintf(path, sizeof(path), "%s/prove.json", test_dir);
	snprintf(more, sizeof(more), "-o %s", path);
	text = proved(test_put("json.machine", "like @icx-8358-2s\n"
	    "from 0 box imc 1 3 counts 2\n"), more, &status);
	free(text);
	json = file_text(path, NULL);
	assert_non_null(strstr(json, "\"host\": \"icx-8358\""));
	assert_non_null(strstr(json, "{ \"column\": \"imc_counts[1][3]"
	    "[\\\"CAS_COUNT.RD\\\"]\", \"set\": \"work\", \"verdict\": "
	    "\"wrong\", \"work\": \""));
	assert_non_null(strstr(json, "\"wrong\": [\n    \"imc_counts[1][3]"));
	free(json);
}

static void
a_wrong_rule_is_told_with_its_line(void **state)
{
	static const struct { int line; const char *text, *words; } t[] = {
		{ __LINE__, "x_counts A instructionz within 1%\n",
		    "r:1: \"instructionz\" instead of what is done" },
		{ __LINE__, "# a\nx - loads within 1\n",
		    "r:2: \"1\" instead of a percentage" },
		{ __LINE__, "x - loads*0 within 1%\n",
		    "r:1: \"0\" instead of a factor" },
		{ __LINE__, "x - clock 3 2\n", "instead of two frequencies" },
		{ __LINE__, "x - rises\nx - flat\n",
		    "r:2: x  stands above already" },
		{ __LINE__, "x\n", "r:1: \"\" instead of an event" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		struct count_rules rules = { NULL, 0 };
		struct arena *arena = arena_new();
		struct diag why = { "" };

		if (count_rules_parse(&rules, arena, "r", t[i].text,
		    strlen(t[i].text), &why) >= 0 ||
		    strstr(why.text, t[i].words) == NULL)
			fail_msg("line %d: %s", t[i].line, why.text);
		arena_free(arena);
	}
}

static void
a_configuration_of_the_users_is_refused(void **state)
{
	int status;
	char *text = proved("@c2758", "-c @software", &status);

	(void)state;
	assert_int_equal(status, 1);
	assert_non_null(strstr(text, "--prove counts what it knows the work "
	    "of: it takes no -c"));
	free(text);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_node_that_counts_right_has_nothing_wrong),
		cmocka_unit_test(a_channel_twice_too_fast_is_named),
		cmocka_unit_test(bandwidth_twice_the_truth_is_named),
		cmocka_unit_test(half_of_the_flops_is_named),
		cmocka_unit_test(a_dead_link_is_named),
		cmocka_unit_test(a_box_that_reads_zero_is_named),
		cmocka_unit_test(a_channel_without_memory_is_named),
		cmocka_unit_test(
		    a_core_that_was_set_to_count_nothing_is_named),
		cmocka_unit_test(a_package_without_core_counts_is_named),
		cmocka_unit_test(a_clock_that_starts_again_is_named),
		cmocka_unit_test(
		    energy_of_one_package_in_another_unit_is_named),
		cmocka_unit_test(energy_that_is_refused_late_is_named),
		cmocka_unit_test(
		    two_boxes_of_one_figure_that_disagree_are_named),
		cmocka_unit_test(
		    one_packages_figures_shown_for_both_are_named),
		cmocka_unit_test(another_counter_in_its_place_is_named),
		cmocka_unit_test(a_second_agent_is_named),
		cmocka_unit_test(
		    a_clock_that_depends_on_its_neighbour_is_named),
		cmocka_unit_test(
		    a_node_with_load_is_refused_and_force_takes_it),
		cmocka_unit_test(a_wrong_rule_is_told_with_its_line),
		cmocka_unit_test(a_configuration_of_the_users_is_refused),
		cmocka_unit_test(every_figure_is_in_the_json),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
