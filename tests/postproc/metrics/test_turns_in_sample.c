/*
 * tests/postproc/metrics/test_turns_in_sample.c - formulas of event sets that have turns between two samples:
 * what always counts is what the dump says that it counted in their turns.
 */
#include "tests/lib/tally_command.h"

#include "postproc/metrics/gather.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/*
 * One lproc, three samples a second apart, the TSC of 1 GHz.  In the two intervals
 *
 *	               a            b           all
 *	time, ms       400  500     500  400    1000 1000
 *	cycles         300  400     600  100    1000  600
 *	instructions    30  200     300   20     400  300
 *	A              150  100
 *	B                           300   10
 */
static const char dump[] = "host = \"n\"\nmodel = \"skx\"\nTSC_ratio = 10\n"
    "packages = 1\nnr_cpus = 1\nlproc_package[0] = 0\nlproc_core[0] = 0\n"
    "lproc_thread[0] = 0\nlproc_online[0] = 1\n"
    "set_name[0] = \"a\"\nset_name[1] = \"b\"\nturns = 4\nturn_seed = 1\n"
    "mark_sample[0] = 1\nmark_time[0] = 100\nmark_text[0] = \"job=7 begin\"\n"
    "mark_sample[1] = 2\nmark_time[1] = 101\nmark_text[1] = \"job=7 end\"\n"
    "event_set[\"core_counts\"][\"A\"] = \"a\"\n"
    "event_set[\"core_counts\"][\"B\"] = \"b\"\n";

static const struct { const char *name; unsigned long at[3]; } columns[] = {
	{ "walltime[0][%u]", { 100, 101, 102 } },
	{ "walltime[1][%u]", { 0, 0, 0 } },
	{ "core_fixed_counts[0][\"CPU_CLK_UNHALTED.THREAD\"][%u]",
	  { 0, 1000, 1600 } },
	{ "core_fixed_counts[0][\"INST_RETIRED.ANY\"][%u]", { 0, 400, 700 } },
	{ "core_counts[0][\"A\"][%u]", { 0, 150, 250 } },
	{ "core_counts[0][\"B\"][%u]", { 0, 300, 310 } },
	{ "set_cycles[0][\"a\"][%u]", { 0, 300, 700 } },
	{ "set_cycles[0][\"b\"][%u]", { 0, 600, 700 } },
	{ "set_instructions[0][\"a\"][%u]", { 0, 30, 230 } },
	{ "set_instructions[0][\"b\"][%u]", { 0, 300, 320 } },
	{ "lproc_tsc[0][%u]", { 5000000000, 6000000000, 7000000000 } },
	{ "set_enabled[\"a\"][%u]", { 0, 1000000000, 2000000000 } },
	{ "set_running[\"a\"][%u]", { 0, 400000000, 900000000 } },
	{ "set_enabled[\"b\"][%u]", { 0, 1000000000, 2000000000 } },
	{ "set_running[\"b\"][%u]", { 0, 500000000, 900000000 } },
	{ "lproc_set_tsc[0][\"a\"][%u]", { 0, 400000000, 900000000 } },
	{ "lproc_set_tsc[0][\"b\"][%u]", { 0, 500000000, 900000000 } },
};

/* Without a column, from a sample on. */
static const char *
put_dump(const char *without, unsigned from)
{
	const char *path = test_put("turns.lua", dump);
	FILE *f = fopen(path, "a");

	assert_non_null(f);
	for (unsigned i = 0; i < 3; i++) {
		fprintf(f, "tsc[%u] = %u000000000\n", i, 5 + i);
		for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
			if (without != NULL && i == from &&
			    strncmp(columns[c].name, without,
			    strlen(without)) == 0)
				continue;
			fprintf(f, columns[c].name, i);
			fprintf(f, " = %lu\n", columns[c].at[i]);
		}
	}
	fclose(f);
	return path;
}

/* A formula's figure of the run, or of interval 1 or 2. */
static struct figure
figure_of(const char *path, const char *formula, unsigned interval)
{
	struct metrics metrics;
	struct gather g;
	struct window w;
	struct diag why = { "" };
	struct figure f;
	char metric[400];
	unsigned at;

	snprintf(metric, sizeof metric, "metric x lproc \"u\" \"\" = %s\n",
	    formula);
	assert_int_equal(metrics_init(&metrics), 0);
	if (metrics_parse(&metrics, "t", metric, strlen(metric), &why) < 0 ||
	    gather_open(&g, path, &metrics, NULL, NULL, &why) < 0 ||
	    binding_add(&g.binding, metrics_at(&metrics, 0), &at, &why) < 0)
		fail_msg("%s", why.text);
	for (unsigned i = 0; interval == 0 || i < interval; i++)
		if (gather_next(&g, &why) != 1)
			break;
	assert_true(binding_window(&g.binding, 0, SCOPE_OF_NODE, 0, &w));
	f = binding_eval(&g.binding, 0, &w, interval > 0 ?
	    gather_interval(&g) : gather_sums(&g));
	gather_unload(&g, &metrics);
	return f;
}

static double
value(const char *path, const char *formula, unsigned interval)
{
	return figure_of(path, formula, interval).value;
}

#define CYCLES "core[\"CPU_CLK_UNHALTED.THREAD\"]"
#define INST "core[\"INST_RETIRED.ANY\"]"
#define A "core[\"A\"]"
#define B "core[\"B\"]"

static void
a_ratio_is_of_what_was_counted_together(void **state)
{
	static const struct {
		int line;
		const char *formula;
		double value[3];        /* of the run, and its intervals */
	} t[] = {
		{ __LINE__, A " / " CYCLES,
		  { 250. / 700, 150. / 300, 100. / 400 } },
		{ __LINE__, B " / " INST,
		  { 310. / 320, 300. / 300, 10. / 20 } },
		{ __LINE__, A " / (" CYCLES " + " INST ")",
		  { 250. / 930, 150. / 330, 100. / 600 } },
		/* always counted */
		{ __LINE__, INST " / " CYCLES,
		  { 700. / 1600, 400. / 1000, 300. / 600 } },
	};
	const char *path = put_dump(NULL, 0);

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++)
		for (unsigned k = 0; k < 3; k++) {
			double v = value(path, t[i].formula, k);

			if (!(fabs(v - t[i].value[k]) < 1e-9))
				fail_msg("line %d: %s of %u is %.12g, not "
				    "%.12g", t[i].line, t[i].formula, k, v,
				    t[i].value[k]);
		}
}

static void
a_count_for_all_of_the_time_is_by_the_cycles_of_its_turns(void **state)
{
	const char *path = put_dump(NULL, 0);

	(void)state;
	assert_true(fabs(value(path, A " / time", 1) - 150 * 1000 / 300.) <
	    1e-6);
	assert_true(fabs(value(path, A " / time", 2) - 100 * 600 / 400.) <
	    1e-6);
	/* of several sets, each so */
	assert_true(fabs(value(path, A " + " B, 1) - 150 * 1000 / 300. -
	    300 * 1000 / 600.) < 1e-6);
	assert_true(fabs(value(path, A " / " B, 0) - 250. / 700 /
	    (310. / 700)) < 1e-9);
}

static void
where_its_part_is_not_known_neither_is_the_ratio(void **state)
{
	const char *path = put_dump("set_cycles[0][\"a\"]", 1);

	(void)state;
	assert_true(isnan(value(path, A " / " CYCLES, 1)));
	assert_true(fabs(value(path, B " / " CYCLES, 1) - 0.5) < 1e-9);
	assert_true(fabs(value(path, CYCLES " / time", 1) - 1000) < 1e-6);
}

/*
 * Of the first interval cycles came at 750 a second in a's turns, 1200 in b's, 1000 in
 * all; instructions at 75, 600, 366.7: turns were off by sqrt((250^2 + 200^2 + 291.7^2 +
 * 233.3^2) / 2 / (1000^2 + 366.7^2)), 32.66 %.  A's 150 counts are of 0.3 of the cycles
 * in 0.4 of the time: by chance off by sqrt((150 + 9/4) x 0.6) / 0.3.
 */
static void
an_interval_alone_is_as_unsure_as_what_always_counts(void **state)
{
	struct figure f = figure_of(put_dump(NULL, 0), "core[\"A\"] / time", 1);

	(void)state;
	assert_true(fabs(f.value - 500) < 1e-9);
	assert_true(fabs(f.chance - 31.8591) < 1e-3);
	assert_true(fabs(f.error - hypot(500 * 0.326598, 31.8591)) < 1e-2);
}

/* A job of that interval: the same error, of all dumps together. */
static void
a_job_has_the_error_of_its_estimates(void **state)
{
	char words[600], rule[300], *text;

	(void)state;
	snprintf(rule, sizeof rule, "%s", test_put("x.metrics", "metric flops "
	    "lproc \"GFLOP/s\" \"\" = core[\"A\"] / time\n"));
	snprintf(words, sizeof words, "jobs -M %s %s", rule, put_dump(NULL, 0));
	text = said(EXIT_OK, cmd_jobs, words, NULL);
	holds(text, "  flops +- 1.7e+02");
	snprintf(words, sizeof words, "jobs -f csv -M %s %s", rule,
	    put_dump(NULL, 0));
	text = said(EXIT_OK, cmd_jobs, words, NULL);
	holds(text, ",166.3778,");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ratio_is_of_what_was_counted_together),
		cmocka_unit_test(
		    a_count_for_all_of_the_time_is_by_the_cycles_of_its_turns),
		cmocka_unit_test(
		    where_its_part_is_not_known_neither_is_the_ratio),
		cmocka_unit_test(
		    an_interval_alone_is_as_unsure_as_what_always_counts),
		cmocka_unit_test(a_job_has_the_error_of_its_estimates),
	};

	return cmocka_run_group_tests_name("in_set", tests, test_dir_new,
	    test_dir_free);
}
