/*
 * tests/postproc/formula/test_intel_metrics.c - Intel's published metric lists, as they are.
 */
#include "tests/lib/tally_command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "postproc/metrics/gather.h"

static void
every_formula_of_a_list_parses(const char *list, unsigned expected)
{
	char file[512];
	struct metrics m;
	struct diag why = { "" };
	unsigned n = 0;

	perfmon(list, file);
	assert_int_equal(metrics_init(&m), 0);
	if (metrics_load(&m, file, &why) < 0)
		fail_msg("%s", why.text);
	for (unsigned i = 0; i < m.n; i++)
		if (strcmp(m.metric[i].file, file) == 0) {
			n++;
			assert_true(m.metric[i].expr.nop > 0);
			assert_true(expr_depth(m.metric[i].expr.op,
			    m.metric[i].expr.nop) > 0);
		}
	assert_int_equal(n, expected);
	metrics_fini(&m);
}

static void
all_260_formulas_of_skylake_sp_parse(void **state)
{
	(void)state;
	every_formula_of_a_list_parses(
	    "SKX/metrics/skylakex_metrics.json", 260);
}

static void
all_282_formulas_of_ice_lake_sp_parse(void **state)
{
	(void)state;
	every_formula_of_a_list_parses(
	    "ICX/metrics/icelakex_metrics.json", 282);
}

static void
all_308_formulas_of_sapphire_rapids_parse(void **state)
{
	(void)state;
	every_formula_of_a_list_parses(
	    "SPR/metrics/sapphirerapids_metrics.json", 308);
}

/* With "> =" and a[0]. */
static void
all_315_formulas_of_granite_rapids_parse(void **state)
{
	(void)state;
	every_formula_of_a_list_parses(
	    "GNR/metrics/graniterapids_metrics.json", 315);
}

static void
all_128_formulas_of_sierra_forest_parse(void **state)
{
	(void)state;
	every_formula_of_a_list_parses(
	    "SRF/metrics/sierraforest_metrics.json", 128);
}

/*
 * 2 packages of 2 cores of 2 threads, TSC 2 GHz, two seconds.  Every lproc runs
 * half of the time, at 1.5 times the TSC, with half an instruction a cycle, a
 * tenth of its cycles in the kernel; each of 2 x 2 memory channels reads
 * 1,000,000 and writes 500,000 lines a second; 2 CHAs a package at 1.8 GHz.
 */
static void
write_dump(const char *path)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs("TSC_ratio = 20\nnr_cpus = 8\n", f);
	for (unsigned i = 0; i < 3; i++) {
		unsigned long long k = i;

		fprintf(f, "tsc[%u] = %llu\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n", i, 7 + k * 2000000000, i,
		    100 + i, i);
		for (unsigned l = 0; l < 8; l++) {
			fprintf(f, "core_fixed_counts[%u][\"Inst_Retired.Any\"]"
			    "[%u] = %llu\n", l, i, k * 750000000);
			fprintf(f, "core_fixed_counts[%u][\"CPU_CLK_Unhalted."
			    "Core\"][%u] = %llu\n", l, i, k * 1500000000);
			fprintf(f, "core_fixed_counts[%u][\"CPU_CLK_Unhalted."
			    "Ref\"][%u] = %llu\n", l, i, k * 1000000000);
			fprintf(f, "core_counts[%u][\"CPU_CLK_UNHALTED.KERNEL"
			    "\"][%u] = %llu\n", l, i, k * 150000000);
			fprintf(f, "core_counts[%u][\"L1D.REPLACEMENT\"][%u] = "
			    "%llu\n", l, i, k * 7500000);
		}
		for (unsigned p = 0; p < 2; p++)
			for (unsigned b = 0; b < 2; b++) {
				fprintf(f, "imc_counts[%u][%u][\"CAS_COUNT."
				    "READS\"][%u] = %llu\n", p, b, i,
				    k * 1000000);
				fprintf(f, "imc_counts[%u][%u][\"CAS_COUNT."
				    "WRITES\"][%u] = %llu\n", p, b, i,
				    k * 500000);
				fprintf(f, "cha_counts[%u][%u][\"CLOCKTICKS\"]"
				    "[%u] = %llu\n", p, b, i, k * 1800000000);
				fprintf(f, "cha_counts[%u][%u][\"UNC_CHA_"
				    "REQUESTS.READS_LOCAL\"][%u] = %llu\n", p,
				    b, i, k * 250000);
			}
	}
	fclose(f);
}

static void
metrics_whose_events_are_there_have_the_value_worked_out_by_hand(void **state)
{
	static const struct {
		int line;
		const char *metric;
		enum scope scope;
		unsigned n;
		double value;
	} t[] = {
		{ __LINE__, "cpu_operating_frequency", SCOPE_OF_LPROC, 5, 3 },
		{ __LINE__, "cpu_operating_frequency", SCOPE_OF_NODE, 0, 3 },
		{ __LINE__, "cpu_utilization", SCOPE_OF_LPROC, 3, 50 },
		{ __LINE__, "cpu_utilization", SCOPE_OF_NODE, 0, 50 },
		{ __LINE__, "cpi", SCOPE_OF_PACKAGE, 1, 2 },
		{ __LINE__, "l1d_mpi", SCOPE_OF_NODE, 0, .01 },
		/* 2 channels x 1,000,000 x 64 bytes */
		{ __LINE__, "memory_bandwidth_read", SCOPE_OF_PACKAGE, 0, 128 },
		{ __LINE__, "memory_bandwidth_write", SCOPE_OF_BOX, 3, 32 },
		{ __LINE__, "memory_bandwidth_total", SCOPE_OF_NODE, 0, 384 },
		/* 4 CHAs x 1.8e9 / (2 cores x 2 packages) */
		{ __LINE__, "uncore_frequency", SCOPE_OF_NODE, 0, 1.8 },
		{ __LINE__, "uncore_frequency", SCOPE_OF_PACKAGE, 1, 1.8 },
		{ __LINE__, "llc_miss_local_memory_bandwidth_read",
		    SCOPE_OF_NODE, 0, 64 },
		{ __LINE__, "Info_Thread_IPC", SCOPE_OF_LPROC, 0, .5 },
		{ __LINE__, "Info_System_Kernel_Utilization", SCOPE_OF_NODE, 0,
		    .1 },
		{ __LINE__, "Info_System_DRAM_BW_Use", SCOPE_OF_NODE, 0,
		    .384 },
		{ __LINE__, "Info_System_CPUs_Utilized", SCOPE_OF_NODE, 0, 4 },
		{ __LINE__, "Info_System_CPU_Utilization", SCOPE_OF_NODE, 0,
		    .5 },
		{ __LINE__, "Info_System_Core_Frequency", SCOPE_OF_NODE, 0, 3 },
		/* of one CHA, on average, over two seconds */
		{ __LINE__, "Info_System_Socket_CLKS", SCOPE_OF_NODE, 0,
		    3.6e9 },
		{ __LINE__, "Info_System_Time", SCOPE_OF_NODE, 0, 2 },
	};
	char file[512], path[512];
	struct metrics m;
	struct gather g;
	struct diag why = { "" };
	const struct sums *sums;
	unsigned *b, missing = 0;

	(void)state;
	perfmon("SKX/metrics/skylakex_metrics.json", file);
	fclose(temp_file(path));
	write_dump(path);
	assert_int_equal(metrics_init(&m), 0);
	if (metrics_load(&m, file, &why) < 0 ||
	    gather_open(&g, path, &m, NULL, NULL, &why) < 0)
		fail_msg("%s", why.text);
	assert_non_null(b = calloc(m.n, sizeof *b));
	for (unsigned i = 0; i < m.n; i++) {
		if (binding_add(&g.binding, &m.metric[i], &b[i], &why) < 0)
			fail_msg("%s", why.text);
		missing += g.binding.bound[b[i]].nmissing > 0;
	}
	assert_true(missing > 200);
	assert_int_equal(gather_all(&g, &why), 0);
	sums = gather_sums(&g);
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		const struct metric *x = metrics_find(&m, t[i].metric);
		unsigned k;
		struct window w;
		double v;

		if (x == NULL)
			fail_msg("line %d: no %s", t[i].line, t[i].metric);
		k = b[x - m.metric];
		if (g.binding.bound[k].nmissing > 0)
			fail_msg("line %d: %s is missing %s", t[i].line,
			    t[i].metric, g.binding.bound[k].missing[0]);
		assert_true(t[i].n < binding_windows(&g.binding, k, t[i].scope));
		assert_true(binding_window(&g.binding, k, t[i].scope, t[i].n,
		    &w));
		v = binding_eval(&g.binding, k, &w, sums).value;
		if (!(fabs(v - t[i].value) <= 1e-9 * t[i].value))
			fail_msg("line %d: %s is %.12g, not %g", t[i].line,
			    t[i].metric, v, t[i].value);
	}
	/* and one of the others says which events it wants */
	missing = b[metrics_find(&m, "loads_per_instr") - m.metric];
	assert_int_equal(g.binding.bound[missing].nmissing, 1);
	assert_string_equal(g.binding.bound[missing].missing[0],
	    "MEM_INST_RETIRED.ALL_LOADS");
	free(b);
	gather_close(&g);
	metrics_fini(&m);
	unlink(path);
}

/* Two packages of 16 and 24 cores on two dies each, whose PCUs run at 800 MHz
 * (of die 1 at 400): on each die half of its cores are in C0. */
#define DIE(p, d, i, clocks, c0) \
    "pcu_counts[" p "][" d "][\"CLOCKTICKS\"][" i "] = " clocks "\n" \
    "pcu_counts[" p "][" d "][\"POWER_STATE_OCCUPANCY_CORES_C0\"][" i "] = " c0 \
    "\n"
static const char dies[] = "host = \"n\"\nmodel = \"gnr\"\nTSC_ratio = 10\n"
    "packages = 2\n"
    "tsc[0] = 10000000000\nwalltime[0][0] = 1000\nwalltime[1][0] = 0\n"
    DIE("0", "0", "0", "0", "0") DIE("0", "1", "0", "0", "0")
    DIE("1", "0", "0", "0", "0") DIE("1", "1", "0", "0", "0")
    "tsc[1] = 11000000000\nwalltime[0][1] = 1001\nwalltime[1][1] = 0\n"
    DIE("0", "0", "1", "800000000", "3200000000")
    DIE("0", "1", "1", "400000000", "3200000000")
    DIE("1", "0", "1", "800000000", "4800000000")
    DIE("1", "1", "1", "400000000", "4800000000");

/* a[0] is box 0 of each package, of which Intel's formula takes the sum; all cores
 * of a package are counted by the clock of that box. */
static void
a_number_behind_a_name_is_that_of_a_box(void **state)
{
	char words[700], list[512];
	char *text;

	(void)state;
	snprintf(words, sizeof words, "metrics --only-lists -f csv -m "
	    "cpu_cstate_c0 -M %s", perfmon("GNR/metrics/"
	    "graniterapids_metrics.json", list));
	text = said(EXIT_OK, cmd_metrics, words, dies);
	assert_non_null(strstr(text, ",cpu_cstate_c0,package,0,8,"));
	assert_non_null(strstr(text, ",cpu_cstate_c0,package,1,12,"));
	assert_non_null(strstr(text, ",cpu_cstate_c0,node,,20,"));
	free(text);
	snprintf(words, sizeof words, "metrics --only-lists -f csv -S node -M %s",
	    test_put("own.metrics", "metric one node \"\" \"\" = "
	    "boxes(\"1\", pcu[\"CLOCKTICKS\"]) / time\n"
	    "metric five node \"\" \"\" = boxes(\"5\", pcu[\"CLOCKTICKS\"])\n"
	    "metric more node \"\" \"\" = 7 if one > = 800000000 else 8\n"));
	text = said(EXIT_OK, cmd_metrics, words, dies);
	assert_non_null(strstr(text, ",one,node,,800000000,"));
	assert_non_null(strstr(text, ",more,node,,7,"));
	holds(text, "of boxes called 5");
}

static void
a_formula_that_cannot_be_read_costs_itself(void **state)
{
	static const char list[] = "{\"Metrics\": [\n"
	    "{\"MetricName\": \"good\", \"Formula\": \"1 + 2\"},\n"
	    "{\"MetricName\": \"bad\", \"Formula\": \"a ~ b\"},\n"
	    "{\"MetricName\": \"alias\", \"Formula\": \"a\", "
	    "\"Events\": [{\"Name\": \"E\"}]},\n"
	    "{\"MetricName\": \"better\", \"Formula\": \"2 + 2\"}]}\n";
	char words[700], want[700], path[512], *text;

	(void)state;
	snprintf(path, sizeof path, "%s", test_put("some.json", list));
	snprintf(words, sizeof words, "metrics --only-lists -f csv -S node -M %s",
	    path);
	text = said(EXIT_OK, cmd_metrics, words, dies);
	assert_non_null(strstr(text, "good,node,,3,"));
	holds(text, "better,node,,4,");
	snprintf(want, sizeof want, "tally: %s: 2 of 4 formulas cannot be read: "
	    "bad (3:3: an operator or the end of the formula expected, at '~'), "
	    "...; tally metrics --list names all\n", path);
	text = complained(EXIT_OK, cmd_metrics, words, dies);
	assert_string_equal(text, want);
	free(text);
	snprintf(want, sizeof want, "tally: alias: %s:4: an event or constant "
	    "needs a Name and an Alias\n", path);
	strcat(words, " --list");
	holds(complained(EXIT_OK, cmd_metrics, words, dies), want);
	snprintf(words, sizeof words, "metrics -m bad -M %s", path);
	holds(complained(EXIT_UNUSABLE, cmd_metrics, words, dies), "metric bad "
	    "is not offered: ");
}

static void
a_list_that_is_none_is_an_error_with_its_place(void **state)
{
	static const struct { int line; const char *text, *say; } t[] = {
		{ __LINE__, "{", "m.json:1: " },
		{ __LINE__, "{}", "m.json:1: no list of metrics" },
		{ __LINE__, "{\"Metrics\": 3}", "m.json:1: no list of metrics" },
		{ __LINE__, "{\"Metrics\": [{}]}", "m.json:1: a metric needs" },
		{ __LINE__, "{\"Metrics\": [\n{\"MetricName\": \"x\",\n"
		    "\"Formula\": \"a +\"}]}", "m.json:3:4: a number, a name" },
		{ __LINE__, "{\"Metrics\": [{\"MetricName\": \"x\", \"Formula\": "
		    "\"a b\"}]}", "m.json:1:3: an operator or the end" },
		{ __LINE__, "{\"Metrics\": [{\"MetricName\": \"x\", \"Formula\": "
		    "\"a\", \"Events\": [{\"Name\": \"E\"}]}]}",
		    "m.json:1: an event or constant needs" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		struct metrics m;
		struct diag why = { "" };

		assert_int_equal(metrics_init(&m), 0);
		assert_true(metrics_parse_intel(&m, "m.json", t[i].text,
		    strlen(t[i].text), &why) < 0);
		if (strncmp(why.text, t[i].say, strlen(t[i].say)) != 0)
			fail_msg("line %d: %s", t[i].line, why.text);
		metrics_fini(&m);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_260_formulas_of_skylake_sp_parse),
		cmocka_unit_test(all_282_formulas_of_ice_lake_sp_parse),
		cmocka_unit_test(all_308_formulas_of_sapphire_rapids_parse),
		cmocka_unit_test(all_315_formulas_of_granite_rapids_parse),
		cmocka_unit_test(all_128_formulas_of_sierra_forest_parse),
		cmocka_unit_test(a_number_behind_a_name_is_that_of_a_box),
		cmocka_unit_test(a_formula_that_cannot_be_read_costs_itself),
		cmocka_unit_test(
		    metrics_whose_events_are_there_have_the_value_worked_out_by_hand),
		cmocka_unit_test(a_list_that_is_none_is_an_error_with_its_place),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
