/*
 * tests/postproc/metrics/test_turns_across_samples.c - formulas of event sets that take turns: what always counts
 * is taken over the intervals of the set whose events stand beside it, and events
 * of several sets are estimates, which are never what cannot be.
 */
#include "tests/lib/tally_command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/metrics/recent.h"
#include "postproc/many/job_list.h"
#include "postproc/live/follow.h"
#include "postproc/formula/compiled.h"

/*
 * One core of two threads and a channel, five samples a second apart, the TSC of
 * 1 GHz.  In the four intervals
 *
 *	                  a     b     a     b      a     b   all
 *	cycles, lproc 0  100  1000   300  2000    400  3000  3400
 *	cycles, lproc 1   10    50    30    60     40   110   150
 *	A, lproc 0        50         30            80
 *	B, lproc 0             900        1000          1900
 *	clock of the channel
 *	                 500   500   500   700   1000  1200  2200
 *	RA               200         100           300
 *	temperature       40    50    60    70     50
 */
static const unsigned cycles[2][4] = { { 100, 1000, 300, 2000 },
	{ 10, 50, 30, 60 } };
static const unsigned events[4] = { 50, 900, 30, 1000 };
static const unsigned clocks[4] = { 500, 500, 500, 700 };
static const unsigned reads[4] = { 200, 0, 100, 0 };

/* What goes into the dump. */
struct dump {
	bool sets;              /* do they take turns, or count all the time? */
	unsigned without;       /* this sample is not there; 0: all are */
	unsigned lost;          /* lproc 0's cycles are not there in this one */
};

static const char head[] = "host = \"n\"\nmodel = \"skx\"\nTSC_ratio = 10\n"
    "packages = 1\nnr_cpus = 2\n"
    "lproc_package[0] = 0\nlproc_core[0] = 0\nlproc_thread[0] = 0\n"
    "lproc_package[1] = 0\nlproc_core[1] = 0\nlproc_thread[1] = 1\n"
    "lproc_online[0] = 1\nlproc_online[1] = 1\n";
static const char turns[] = "set_name[0] = \"a\"\nset_name[1] = \"b\"\n"
    "event_set[\"core_counts\"][\"A\"] = \"a\"\n"
    "event_set[\"core_counts\"][\"B\"] = \"b\"\n"
    "event_set[\"imc_counts\"][\"RA\"] = \"a\"\n";

static void
put_sums(FILE *f, const struct dump *d, unsigned i)
{
	unsigned c[2] = { 0 }, a = 0, b = 0, clock = 0, ra = 0;

	for (unsigned k = 0; k < i; k++) {
		c[0] += cycles[0][k];
		c[1] += cycles[1][k];
		*(k % 2 ? &b : &a) += events[k];
		clock += clocks[k];
		ra += reads[k];
	}
	for (unsigned l = 0; l < 2; l++) {
		if (l > 0 || i != d->lost || i == 0)
			fprintf(f, "core_fixed_counts[%u]"
			    "[\"CPU_CLK_UNHALTED.THREAD\"][%u] = %u\n", l, i,
			    c[l]);
		fprintf(f, "core_counts[%u][\"A\"][%u] = %u\n", l, i,
		    l == 0 ? a : 0);
		fprintf(f, "core_counts[%u][\"B\"][%u] = %u\n", l, i,
		    l == 0 ? b : 0);
	}
	fprintf(f, "imc_counts[0][0][\"CLK\"][%u] = %u\n"
	    "imc_counts[0][0][\"RA\"][%u] = %u\n", i, clock, i, ra);
}

static const char *
put_dump(const struct dump *d)
{
	const char *path = test_put("turns.lua", head);
	FILE *f = fopen(path, "a");

	assert_non_null(f);
	if (d->sets)
		fputs(turns, f);
	for (unsigned i = 0; i < 5; i++) {
		if (i > 0 && i == d->without)
			continue;
		fprintf(f, "tsc[%u] = %u000000000\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\npkg_temperature[0][%u] = %u\n", i,
		    5 + i, i, 1000 + i, i, i, 30 + 10 * i);
		put_sums(f, d, i);
		for (unsigned k = 0; d->sets && k < 2; k++)
			fprintf(f, "set_enabled[\"%s\"][%u] = %u000000000\n"
			    "set_running[\"%s\"][%u] = %u000000000\n",
			    k ? "b" : "a", i, i, k ? "b" : "a", i,
			    k ? i / 2 : (i + 1) / 2);
	}
	fclose(f);
	return path;
}

/* A dump that is read up to its first interval, one metric bound. */
struct rig {
	struct metrics metrics;
	struct gather gather;
	struct diag why;
};

static void
rig_begin(struct rig *r, const struct dump *d, const char *metric)
{
	unsigned at;

	memset(r, 0, sizeof *r);
	assert_int_equal(metrics_init(&r->metrics), 0);
	if (metrics_parse(&r->metrics, "t", metric, strlen(metric),
	    &r->why) < 0 || gather_open(&r->gather, put_dump(d), &r->metrics,
	    NULL, NULL, &r->why) < 0 || binding_add(&r->gather.binding,
	    metrics_at(&r->metrics, 0), &at, &r->why) < 0)
		fail_msg("%s", r->why.text);
}

/* Compiled, a formula is worth the same, or it is not known. */
static void
compiled_agrees(struct rig *r, const struct window *w, const struct sums *sums,
    const struct figure *f)
{
	struct compiled *c = compiled_new(&r->gather.binding);
	unsigned at;
	double v;

	assert_non_null(c);
	assert_int_equal(compiled_add(c, 0, w, &at), 0);
	assert_int_equal(compiled_finish(c), 0);
	assert_int_equal(compiled_take(c, sums), 0);
	if (compiled_value(c, at, 0, &v) && na_why(f->value, NULL) != NA_BEYOND) {
		v = metric_settled(f->metric, v);
		assert_true(isnan(v) ? isnan(f->value) : v == f->value);
		assert_int_equal(compiled_apart(c, at), f->apart);
		assert_int_equal(f->left_out, 0);
	}
	compiled_free(c);
}

/* Of the node, over the first n intervals (0: all). */
static struct figure
over(struct rig *r, unsigned n)
{
	const struct sums *sums;
	struct figure f;
	struct window w;

	for (unsigned i = 0; n == 0 || i < n; i++)
		if (gather_next(&r->gather, &r->why) != 1)
			break;
	assert_true(binding_window(&r->gather.binding, 0, SCOPE_OF_NODE, 0,
	    &w));
	sums = gather_sums(&r->gather);
	f = binding_eval(&r->gather.binding, 0, &w, sums);
	compiled_agrees(r, &w, sums, &f);
	return f;
}

static struct figure
figure_of(const struct dump *d, const char *formula)
{
	char metric[400];
	struct figure f;
	struct rig r;

	snprintf(metric, sizeof metric, "metric x box \"u\" \"\" range -1e9 1e9 "
	    "= %s\n", formula);
	rig_begin(&r, d, metric);
	f = over(&r, 0);
	gather_unload(&r.gather, &r.metrics);
	f.metric = NULL;        /* it is gone */
	return f;
}

#define CYCLES "core[\"CPU_CLK_UNHALTED.THREAD\"]"
#define A "core[\"A\"]"
#define B "core[\"B\"]"

static const struct {
	int line;
	const char *formula;
	double value;
	bool apart;
} figures[] = {
	/* of one set, what always counts is of its intervals */
	{ __LINE__, A " / " CYCLES, 80. / 440, false },
	{ __LINE__, B " / " CYCLES, 1900. / 3110, false },
	{ __LINE__, A " / thread(0, " CYCLES ")", 80. / 400, false },
	{ __LINE__, "100 * " A " / tsc", 100 * 80 / 2e9, false },
	{ __LINE__, "imc[\"RA\"] / imc[\"CLK\"]", 0.3, false },
	{ __LINE__, "pkg_temperature + 0 * " A, 50, false },
	/* and so is what it says of all of the time: twice as much */
	{ __LINE__, A " + " CYCLES, 2 * (80 + 440), false },
	{ __LINE__, A " / time + 0 * " CYCLES, 2 * 80 / 4., false },
	{ __LINE__, "total(" A ") / total(" CYCLES ")", 80. / 440, false },
	{ __LINE__, "total(" CYCLES ") + 0 * " A, 440, false },
	{ __LINE__, "sum(" A ") / sum(" CYCLES ")", 80. / 440, false },
	/* what is counted all the time stays so */
	{ __LINE__, CYCLES, 3550, false },
	{ __LINE__, CYCLES " / tsc", 3550 / 4e9, false },
	{ __LINE__, "first(" CYCLES ", " A ")", 3550, false },
	{ __LINE__, "if(time > 1, " CYCLES ", " A " / " CYCLES ")", 3550,
	    false },
	/* events of cores by the core's cycles, where nothing else is asked */
	{ __LINE__, A " / time", 80 * 3550. / 440 / 4, false },
	{ __LINE__, "total(" A ")", 80, false },
	{ __LINE__, "imc[\"RA\"] / time", 300 * 2 / 4., false },
	/* of several sets, each to all of the time */
	{ __LINE__, A " + " B, 80 * 3550. / 440 + 1900 * 3550. / 3110, true },
	{ __LINE__, A " / " B, 80. / 440 / (1900. / 3110), true },
	{ __LINE__, "(" A " + " B ") / " CYCLES, 80. / 440 + 1900. / 3110,
	    true },
	/* what is not of cores, by time */
	{ __LINE__, "imc[\"RA\"] / " B, 300 * 2 / (1900 * 3550. / 3110), true },
};

static void
inputs_of_a_formula_are_of_the_time_of_its_events(void **state)
{
	const struct dump d = { .sets = true };

	(void)state;
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		struct figure f = figure_of(&d, figures[i].formula);

		if (!(fabs(f.value - figures[i].value) <=
		    1e-9 * fabs(figures[i].value)) ||
		    f.apart != figures[i].apart || f.left_out != 0)
			fail_msg("line %d: %s is %.12g, not %.12g%s",
			    figures[i].line, figures[i].formula, f.value,
			    figures[i].value, f.apart ? ", apart" : "");
	}
}

static void
without_turns_all_is_of_all_the_time(void **state)
{
	const struct dump d = { .sets = false };
	struct rig r;

	(void)state;
	assert_true(figure_of(&d, A " / " CYCLES).value == 80. / 3550);
	/* and nothing is kept for sets */
	rig_begin(&r, &d, "metric x lproc \"\" \"\" = " CYCLES "\n");
	over(&r, 0);
	assert_int_equal(gather_sums(&r.gather)->together.nset, 0);
	assert_null(gather_sums(&r.gather)->together.sum);
	gather_unload(&r.gather, &r.metrics);
}

static void
what_is_left_out_of_a_set_s_intervals_is_of_no_value(void **state)
{
	/* the third sample has none of lproc 0's cycles: nor have the second
	 * and the third interval */
	const struct dump d = { .sets = true, .lost = 2 };
	struct figure f = figure_of(&d, "thread(0, " A ") / thread(0, " CYCLES
	    ")");

	(void)state;
	/* of a's intervals the first alone: 100 cycles in a second of two */
	assert_true(fabs(f.value - 80. / 200) < 1e-9);
	assert_int_equal(f.left_out, 1);
	f = figure_of(&d, "thread(0, " B ") / thread(0, " CYCLES ")");
	assert_true(fabs(f.value - 1900. / 4000) < 1e-9);
	assert_int_equal(f.left_out, 1);
}

/* x of that range; "!" or n/a, and the note. */
static char *
judged(const struct dump *d, const char *range, const char *formula)
{
	char metric[400], words[200];
	char *text = malloc(400);
	struct figure f;
	struct rig r;

	assert_non_null(text);
	snprintf(metric, sizeof metric, "metric x lproc \"%%\" \"\" range %s = "
	    "%s\n", range, formula);
	rig_begin(&r, d, metric);
	f = over(&r, 0);
	figure_note(&r.gather.binding, &f, NULL, words, sizeof words);
	snprintf(text, 400, "%.4g%c %s", f.value, figure_mark(&f), words);
	gather_unload(&r.gather, &r.metrics);
	return text;
}

static void
an_estimate_of_what_cannot_be_is_none(void **state)
{
	struct dump d = { .sets = true };

	(void)state;
	/* counted at one time, it shows that the counters are wrong */
	holds(judged(&d, "0 10", "100 * " A " / " CYCLES), "18.18! out of "
	    "range; estimate: counted 50.0 % of the time");
	/* of two sets, that they were not */
	holds(judged(&d, "0 10", "100 * (" A " + " B ") / " CYCLES), "nan  ");
	holds(judged(&d, "0 10", "100 * (" A " + " B ") / " CYCLES), "its "
	    "events were not all counted at one time, and what they are "
	    "estimated at cannot be (79.28 %)");
	holds(judged(&d, "0 100", "100 * (" A " + " B ") / " CYCLES), "79.28  "
	    "estimate: counted 50.0 % of the time");
	/* sets that share an interval have the part that they ran of each */
	d.without = 2;
	holds(judged(&d, "0 100", "100 * " A " / " CYCLES), "10  estimate");
	holds(judged(&d, "0 5", "100 * " A " / " CYCLES), "nan  its events");
}

static void
a_digit_that_is_rounded_is_not_out_of_range(void **state)
{
	const struct metric m = { .ranged = true, .lo = 0, .hi = 100 };

	(void)state;
	assert_false(metric_excludes(&m, 100, nextafter(100, 101)));
	assert_false(metric_excludes(&m, 100, -1e-15));
	assert_true(metric_excludes(&m, 100, 100.0001));
	assert_true(metric_excludes(&m, 100, -0.0001));
	assert_false(metric_excludes(&m, 100, NAN));
}

static void
compiled_formulas_know_no_other_value(void **state)
{
	const struct dump d = { .sets = true };
	size_t known = 0;

	(void)state;
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		char metric[400];
		struct compiled *c;
		struct window w;
		struct rig r;
		unsigned at;
		double v;

		snprintf(metric, sizeof metric, "metric x box \"\" \"\" = %s\n",
		    figures[i].formula);
		rig_begin(&r, &d, metric);
		assert_true(binding_window(&r.gather.binding, 0, SCOPE_OF_NODE,
		    0, &w));
		assert_non_null(c = compiled_new(&r.gather.binding));
		assert_int_equal(compiled_add(c, 0, &w, &at), 0);
		assert_int_equal(compiled_finish(c), 0);
		assert_int_equal(gather_all(&r.gather, &r.why), 0);
		compiled_take(c, gather_sums(&r.gather));
		if (compiled_value(c, at, 0, &v) && ++known && !(fabs(v -
		    figures[i].value) <= 1e-9 * fabs(v)))
			fail_msg("line %d: compiled, it is %g",
			    figures[i].line, v);
		compiled_free(c);
		gather_unload(&r.gather, &r.metrics);
	}
	assert_int_equal(known, sizeof figures / sizeof *figures);
}

static void
a_part_of_the_run_is_of_its_own_intervals(void **state)
{
	const struct dump d = { .sets = true };
	struct recent recent;
	struct window w;
	struct figure f;
	struct rig r;

	(void)state;
	rig_begin(&r, &d, "metric x lproc \"\" \"\" = " A " / " CYCLES "\n");
	/* one interval, of set a; two more; the last two, of b and a */
	f = over(&r, 1);
	assert_true(fabs(f.value - 50. / 110) < 1e-9);
	gather_afresh(&r.gather);
	f = over(&r, 2);
	assert_true(fabs(f.value - 30. / 330) < 1e-9);
	gather_unload(&r.gather, &r.metrics);

	rig_begin(&r, &d, "metric x lproc \"\" \"\" = " A " / " CYCLES "\n");
	assert_int_equal(recent_init(&recent, 2), 0);
	while (gather_next(&r.gather, &r.why) == 1)
		assert_int_equal(recent_take(&recent, &r.gather), 0);
	assert_true(binding_window(&r.gather.binding, 0, SCOPE_OF_NODE, 0,
	    &w));
	f = binding_eval(&r.gather.binding, 0, &w, recent_sums(&recent,
	    &r.gather));
	assert_true(fabs(f.value - 30. / 330) < 1e-9);
	recent_fini(&recent);
	gather_unload(&r.gather, &r.metrics);
}

static void
of_several_sets_what_goes_on_has_the_last_round(void **state)
{
	const struct dump d = { .sets = true };
	const char *metric = "metric x lproc \"\" \"\" = " A " + " B "\n";
	struct figures fs = { .scopes = 1u << SCOPE_OF_NODE };
	struct follow f = { .of = &fs };
	/* of the rounds that end with each interval */
	const double value[4] = { NAN, 50 * 1160. / 110 + 900 * 1160. / 1050,
		30 * 1380. / 330 + 900 * 1380. / 1050,
		30 * 2390. / 330 + 1000 * 2390. / 2060 };
	struct diag why;

	(void)state;
	assert_int_equal(metrics_init(&f.metrics), 0);
	assert_int_equal(metrics_parse(&f.metrics, "t", metric, strlen(metric),
	    &why), 0);
	assert_int_equal(gather_open(&f.gather, put_dump(&d), &f.metrics, NULL,
	    NULL, &why), 0);
	assert_int_equal(figures_open(&f, &why), 0);
	assert_int_equal(fs.n, 1);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(gather_next(&f.gather, &why), 1);
		figures_interval(&f);
		if (isnan(value[i]) ? !isnan(fs.figure[0].now) :
		    !(fabs(fs.figure[0].now - value[i]) < 1e-6))
			fail_msg("interval %u: %g, not %g", i,
			    fs.figure[0].now, value[i]);
	}
	figures_fini(&fs);
	gather_unload(&f.gather, &f.metrics);
}

/* Of a job that had so much of the first interval, and all of the others. */
static double
of_job(const struct dump *d, const char *formula, double had)
{
	struct job_part part = { .from = 1 - had, .to = 1, .node = had };
	struct job_sums sums = { .room = 0 };
	const struct sums *now = NULL;
	struct figure f = { .value = 0 };
	char metric[400];
	struct window w;
	struct sums all;
	struct rig r;

	snprintf(metric, sizeof metric, "metric x box \"\" \"\" = %s\n",
	    formula);
	rig_begin(&r, d, metric);
	while (gather_next(&r.gather, &r.why) == 1) {
		now = gather_interval(&r.gather);
		assert_int_equal(job_sums_add(&sums, &r.gather, now, &part), 0);
		part = (struct job_part){ .to = 1, .node = 1 };
	}
	assert_true(binding_window(&r.gather.binding, 0, SCOPE_OF_NODE, 0,
	    &w));
	all = job_sums_get(&sums, now);
	f = binding_eval(&r.gather.binding, 0, &w, &all);
	job_sums_fini(&sums);
	gather_unload(&r.gather, &r.metrics);
	return f.value;
}

static void
what_a_job_had_is_of_its_own_part_of_them(void **state)
{
	const struct dump d = { .sets = true }, lost = { .sets = true,
	    .lost = 2 };

	(void)state;
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		double v;

		/* jobs have no readings */
		if (strstr(figures[i].formula, "temperature") != NULL)
			continue;
		v = of_job(&d, figures[i].formula, 1);
		if (!(fabs(v - figures[i].value) <=
		    1e-9 * fabs(figures[i].value)))
			fail_msg("line %d: %s of a job is %.12g",
			    figures[i].line, figures[i].formula, v);
	}
	/* half of the first interval, and a's other one */
	assert_true(fabs(of_job(&d, A " / " CYCLES, 0.5) - 55. / 385) < 1e-9);
	assert_true(fabs(of_job(&d, A " + " B, 0.5) - 55 * 3495. / 385 -
	    1900 * 3495. / 3110) < 1e-6);
	/* a's 55 are of 1.5 s, the cycles beside them of the first half of one */
	assert_true(fabs(of_job(&lost, A " / thread(0, " CYCLES ")", 0.5) -
	    55 / 1.5 / (50 / 0.5)) < 1e-9);
}

/* ---- the simulated node ---------------------------------------------------- */

/*
 * 18 s idle, then STREAM.  Of the 29 intervals the seven sets have by turns one;
 * "kernel" the 7th, 14th (idle), 21st, 28th (STREAM); "stalls" the 5th, 12th
 * (idle), 19th, 26th (STREAM); "double" the 1st, 8th, 15th (idle), 22nd and 29th.
 * Core 0 of package 0 is lprocs 0 and 48, to which the file adds no step; a second:
 *
 *	                          idle        STREAM
 *	REF_XCLK_ANY             14316      24935000  x 84 TSC
 *	REF_TSC, lproc 0        781988    2093824782
 *	REF_TSC, lproc 48       449241       1179614
 *	THREAD, lproc 0         978162    2552853551
 *	THREAD, lproc 48        428869       1445384
 *	STALLS_MEM_ANY, STORES  212000    2450000000
 *	FLOPs in double             40     408001774
 *
 * and the TSC 2095005796.
 */
static const struct {
	int line;
	const char *figure;
} by_hand[] = {
	/* 84 x (14316 + 24935000) / (2 x 2095005796) = 0.500176 of the time;
	 * thread 0 (781988 + 2093824782) / (2 x 2095005796) = 0.499905,
	 * thread 1 (449241 + 1179614) / (2 x 2095005796) = 0.000389 */
	{ __LINE__, "core_idle,core,0/0,49.9824,%," },
	{ __LINE__, "core_t0_only,core,0/0,49.9787,%," },
	{ __LINE__, "core_t1_only,core,0/0,0.02711,%," },
	{ __LINE__, "core_both,core,0/0,0.01177,%," },
	/* (212000 + 2450000000) / (978162 + 2552853551) */
	{ __LINE__, "memory_stalls,lproc,0,95.9426,%," },
	/* 3 x 40 + 2 x 408001774 in 3 x 1407031 + 2 x 2554298935 cycles of the
	 * core; 18 x 1407031 + 11 x 2554298935 in all, of 29 s.  It is
	 * (18 x 40 + 11 x 408001774) / 29e9 = 0.15476 in truth */
	{ __LINE__, "flops_double,lproc,0,0.1548,GFLOP/s," },
};

static void
sampled(const char *machine)
{
	char tallyd[512], command[1400];

	snprintf(command, sizeof command, "%s -q --sim @%s --virtual-time -n 30 "
	    "-c @hpc --rotate 1 --overwrite -o %s/hpc", built("tallyd", tallyd), machine,
	    test_dir);
	assert_int_equal(system(command), 0);
}

/* The value of a metric in a window of the CSV that tally metrics wrote. */
static double
value_in(const char *csv, const char *metric, const char *where)
{
	char name[120];
	const char *at;

	snprintf(name, sizeof name, ",%s,%s,", metric, where);
	at = strstr(csv, name);
	if (at == NULL)
		fail_msg("no %s of %s", metric, where);
	return strtod(at + strlen(name), NULL);
}

static void
two_phases_are_what_the_machine_implies_by_hand(void **state)
{
	char words[1800], tally[512], *text;
	double sum = 0;

	(void)state;
	sampled("skx-8160-2s");
	snprintf(words, sizeof words, "metrics -S node,core,lproc -f csv "
	    "%s/hpc", test_dir);
	text = said(EXIT_OK, cmd_metrics, words, NULL);
	for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++)
		if (strstr(text, by_hand[i].figure) == NULL)
			fail_msg("line %d: no %s", by_hand[i].line,
			    by_hand[i].figure);
	for (size_t i = 0; i < 4; i++)
		sum += value_in(text, (const char *const[]){ "core_idle",
		    "core_t0_only", "core_t1_only", "core_both" }[i],
		    "node,");
	assert_true(fabs(sum - 100) < 0.001);
	free(text);
	/* 48 lprocs' of STREAM in the last round */
	snprintf(words, sizeof words, "COLUMNS=100 %s live --once %s/hpc "
	    ">%s/page 2>&1",
	    built("tally", tally), test_dir, test_dir);
	/* its daemon has ended */
	assert_int_not_equal(system(words), -1);
	snprintf(words, sizeof words, "%s/page", test_dir);
	holds(file_text(words, NULL), "GFLOP/s       19.6      7.4 ");
}

/* No value of a % is below 0 or beyond 105 in any row. */
static void
within_range(const char *csv, unsigned cell)
{
	for (const char *line = strchr(csv, '\n'); line != NULL;
	    line = strchr(line + 1, '\n')) {
		const char *at = line, *end;
		double v;

		for (unsigned i = 0; at != NULL && i < cell; i++)
			at = strchr(at + 1, ',');
		if (at == NULL || at[1] == ',' ||
		    (end = strchr(at + 1, ',')) == NULL ||
		    strncmp(end, ",%,", 3) != 0)
			continue;
		v = strtod(at + 1, NULL);
		if (v < -0.005 || v > 105)
			fail_msg("%.120s", line + 1);
	}
	assert_null(strstr(csv, "out of range"));
	assert_null(strstr(csv, "cannot be"));
}

static void
no_figure_of_a_clean_run_is_what_cannot_be(void **state)
{
	static const char *const machine[] = { "skx-8160-2s", "icx-8358-2s",
		"hsx-2699-2s", "milan-7763-2s" };
	char words[600], *text;

	(void)state;
	for (size_t i = 0; i < sizeof machine / sizeof *machine; i++) {
		sampled(machine[i]);
		snprintf(words, sizeof words, "report %s/hpc", test_dir);
		text = said(EXIT_OK, cmd_report, words, NULL);
		if (strchr(text, '!') != NULL)
			fail_msg("%s: %.60s", machine[i],
			    strchr(text, '!') - 40);
		free(text);
		snprintf(words, sizeof words, "check %s/hpc", test_dir);
		free(said(EXIT_OK, cmd_check, words, NULL));
		snprintf(words, sizeof words, "metrics -f csv %s/hpc", test_dir);
		text = said(EXIT_OK, cmd_metrics, words, NULL);
		within_range(text, 4);
		free(text);
		snprintf(words, sizeof words, "metrics -e -S node,package -f "
		    "csv %s/hpc", test_dir);
		text = said(EXIT_OK, cmd_metrics, words, NULL);
		within_range(text, 7);
		free(text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    inputs_of_a_formula_are_of_the_time_of_its_events),
		cmocka_unit_test(without_turns_all_is_of_all_the_time),
		cmocka_unit_test(
		    what_is_left_out_of_a_set_s_intervals_is_of_no_value),
		cmocka_unit_test(an_estimate_of_what_cannot_be_is_none),
		cmocka_unit_test(a_digit_that_is_rounded_is_not_out_of_range),
		cmocka_unit_test(compiled_formulas_know_no_other_value),
		cmocka_unit_test(a_part_of_the_run_is_of_its_own_intervals),
		cmocka_unit_test(of_several_sets_what_goes_on_has_the_last_round),
		cmocka_unit_test(what_a_job_had_is_of_its_own_part_of_them),
		cmocka_unit_test(two_phases_are_what_the_machine_implies_by_hand),
		cmocka_unit_test(no_figure_of_a_clean_run_is_what_cannot_be),
	};

	return cmocka_run_group_tests_name("together", tests, test_dir_new,
	    test_dir_free);
}
