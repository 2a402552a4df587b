/*
 * tests/postproc/formula/test_compiled.c - formulas compiled for every interval: the values that
 * they have where all is there, and that they know where it is not.
 */
#include "tests/lib/files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/formula/compiled.h"
#include "postproc/metrics/gather.h"

/*
 * 2 packages of 2 cores of 2 threads: lprocs 0-3 and 4-7, lproc l runs l + 1
 * units a second; TSC 1 GHz, samples a second apart; two channels a package.
 * Lproc 7 has no LOADS.  In sample 3 lproc 2 is taken over.
 */
#define TOPOLOGY "TSC_ratio = 10\nnr_cpus = 8\nlimit[0] = 5\nlimit[1] = 7\n"

static void
put_sample(FILE *f, unsigned i)
{
	fprintf(f, "tsc[%u] = %u000000000\nwalltime[0][%u] = %u\n"
	    "walltime[1][%u] = 0\n", i, 5 + i, i, 1000 + i, i);
	for (unsigned l = 0; l < 8; l++) {
		fprintf(f, "mperf[%u][%u] = %u\n", l, i, l == 2 && i == 3 ? 5 :
		    1000000 + i * (l + 1) * 100000);
		fprintf(f, "core_counts[%u][\"IDLE\"][%u] = 7\n", l, i);
		if (l < 7)
			fprintf(f, "core_counts[%u][\"LOADS\"][%u] = %u\n", l,
			    i, 7 + i * (l + 1));
	}
	for (unsigned p = 0; p < 2; p++) {
		fprintf(f, "pkg_temperature[%u][%u] = %u\n", p, i,
		    40 + 10 * p + i);
		fprintf(f, "pkg_core_perf_limit_reasons[%u][%u] = 0x%x\n", p, i,
		    p == 0 ? 0x402 : 0x2);
		for (unsigned b = 0; b < 2; b++)
			fprintf(f, "imc_counts[%u][%u][\"CAS_COUNT.RD\"][%u] = "
			    "%u\n", p, b, i, i * 1000 * (p * 2 + b + 1));
	}
}

/* A dump that is read up to its first interval, its metrics bound. */
struct rig {
	struct metrics metrics;
	struct gather gather;
	struct diag why;
};

static void
rig_begin(struct rig *r, const char *path, const char *text)
{
	unsigned at;

	memset(r, 0, sizeof *r);
	assert_int_equal(metrics_init(&r->metrics), 0);
	if ((text != NULL ? metrics_parse(&r->metrics, "t", text, strlen(text),
	    &r->why) : metrics_load(&r->metrics, "@skx", &r->why)) < 0 ||
	    gather_open(&r->gather, path, &r->metrics, NULL, NULL,
	    &r->why) < 0)
		fail_msg("%s", r->why.text);
	for (unsigned i = 0; i < r->metrics.n; i++)
		if (binding_add(&r->gather.binding, metrics_at(&r->metrics, i),
		    &at, &r->why) < 0)
			fail_msg("%s", r->why.text);
}

static void
rig_end(struct rig *r)
{
	gather_unload(&r->gather, &r->metrics);
}

static const char *
small_node(void)
{
	const char *path = test_put("node.lua", TOPOLOGY);
	FILE *f = fopen(path, "a");

	assert_non_null(f);
	for (unsigned l = 0; l < 8; l++)
		fprintf(f, "lproc_package[%u] = %u\nlproc_core[%u] = %u\n"
		    "lproc_thread[%u] = %u\nlproc_online[%u] = 1\n", l, l / 4,
		    l, l % 2, l, l / 2 % 2, l);
	for (unsigned i = 0; i < 4; i++)
		put_sample(f, i);
	fclose(f);
	return path;
}

/* A formula in the n-th window of a scope over interval `which`, counted from
 * 1; *known: what compiled_value returns. */
static double
value_of(const char *formula, enum scope scope, unsigned n, unsigned which,
    bool *known)
{
	static const char *const name[] = { "lproc", "core", "ccx", "box",
		"die", "numa", "package", "node" };
	char text[600];
	struct compiled *c;
	struct window w;
	struct rig r;
	unsigned at = 0, other;
	double v = -1;

	snprintf(text, sizeof text, "metric x %s \"\" \"\" = %s\n",
	    name[scope], formula);
	rig_begin(&r, small_node(), text);
	assert_non_null(c = compiled_new(&r.gather.binding));
	/* those that want the same sums share them */
	for (unsigned i = 0; i < binding_windows(&r.gather.binding, 0, scope);
	    i++) {
		assert_true(binding_window(&r.gather.binding, 0, scope, i, &w));
		assert_int_equal(compiled_add(c, 0, &w, i == n ? &at : &other),
		    0);
	}
	assert_int_equal(compiled_finish(c), 0);
	for (unsigned i = 0; i < which; i++)
		assert_int_equal(gather_next(&r.gather, &r.why), 1);
	compiled_take(c, gather_interval(&r.gather));
	*known = compiled_value(c, at, 0, &v);
	compiled_free(c);
	rig_end(&r);
	return v;
}

static void
a_compiled_formula_has_its_value(void **state)
{
	static const struct {
		int line;
		const char *formula;
		enum scope scope;
		unsigned n;
		double value;
	} t[] = {
		{ __LINE__, "mperf", SCOPE_OF_LPROC, 3, 400000 },
		{ __LINE__, "mperf", SCOPE_OF_CORE, 1, 600000 },
		{ __LINE__, "mperf", SCOPE_OF_PACKAGE, 1, 2600000 },
		{ __LINE__, "mperf", SCOPE_OF_NODE, 0, 3600000 },
		{ __LINE__, "thread(1, mperf)", SCOPE_OF_NODE, 0, 2200000 },
		{ __LINE__, "mperf / time / lprocs", SCOPE_OF_NODE, 0, 450000 },
		{ __LINE__, "mperf / tsc_hz", SCOPE_OF_LPROC, 0, 0.0001 },
		{ __LINE__, "cores + packages * intervals", SCOPE_OF_NODE, 0, 6 },
		{ __LINE__, "imc[\"CAS_COUNT.RD\"]", SCOPE_OF_BOX, 3, 4000 },
		{ __LINE__, "imc[\"CAS_COUNT.RD\"]", SCOPE_OF_PACKAGE, 0, 3000 },
		{ __LINE__, "max(imc[\"CAS_COUNT.RD\"])", SCOPE_OF_NODE, 0,
		    4000 },
		{ __LINE__, "min(imc[\"CAS_COUNT.RD\"])", SCOPE_OF_NODE, 0,
		    1000 },
		{ __LINE__, "avg(imc[\"CAS_COUNT.RD\"])", SCOPE_OF_NODE, 0,
		    2500 },
		{ __LINE__, "sum(max(mperf, 400000))", SCOPE_OF_PACKAGE, 0,
		    1600000 },
		{ __LINE__, "count(imc[\"CAS_COUNT.RD\"])", SCOPE_OF_NODE, 0,
		    4 },
		{ __LINE__, "max(imc[\"CAS_COUNT.RD\"]) / "
		    "avg(imc[\"CAS_COUNT.RD\"])", SCOPE_OF_PACKAGE, 1,
		    4.0 / 3.5 },
		{ __LINE__, "first(mperf / core[\"IDLE\"], mperf - 1)",
		    SCOPE_OF_LPROC, 0, 99999 },
		{ __LINE__, "first(1 / core[\"IDLE\"], 2 / core[\"IDLE\"], "
		    "mperf, 4)", SCOPE_OF_LPROC, 0, 100000 },
		{ __LINE__, "first(mperf, 4)", SCOPE_OF_LPROC, 1, 200000 },
		{ __LINE__, "max(first(mperf / core[\"IDLE\"], 3))",
		    SCOPE_OF_NODE, 0, 3 },
		{ __LINE__, "-mperf", SCOPE_OF_LPROC, 6, -700000 },
		{ __LINE__, "(mperf >= 600000) + 2 * (mperf < 800000)",
		    SCOPE_OF_LPROC, 5, 3 },
		{ __LINE__, "min(mperf, 300000) - max(mperf, 1)",
		    SCOPE_OF_LPROC, 4, -200000 },
		{ __LINE__, "max(mperf) - min(mperf)", SCOPE_OF_CORE, 3,
		    200000 },
		{ __LINE__, "if(mperf > 300000, mperf, -mperf)", SCOPE_OF_LPROC,
		    3, 400000 },
		{ __LINE__, "if(mperf > 300000, sum(mperf), -sum(mperf))",
		    SCOPE_OF_LPROC, 0, -100000 },
		{ __LINE__, "pkg_temperature", SCOPE_OF_NODE, 0, 47 },
		{ __LINE__, "bit(pkg_core_perf_limit_reasons, 10)",
		    SCOPE_OF_NODE, 0, 0.5 },
		{ __LINE__, "total(core[\"LOADS\"])", SCOPE_OF_LPROC, 5, 6 },
		{ __LINE__, "core[\"IDLE\"] / core[\"IDLE\"]", SCOPE_OF_NODE, 0,
		    NAN },
		{ __LINE__, "max(mperf / core[\"IDLE\"])", SCOPE_OF_NODE, 0,
		    NAN },
		{ __LINE__, "if(mperf / core[\"IDLE\"] > 1, 1, 2)",
		    SCOPE_OF_LPROC, 0, NAN },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		bool known;
		double v = value_of(t[i].formula, t[i].scope, t[i].n, 2,
		    &known);

		if (!known || (isnan(t[i].value) ? !isnan(v) :
		    !(fabs(v - t[i].value) <= 1e-9 * fabs(t[i].value))))
			fail_msg("line %d: %s is %.17g%s", t[i].line,
			    t[i].formula, v, known ? "" : ", unknown");
	}
}

static void
what_lacks_a_unit_or_a_delta_is_not_known(void **state)
{
	static const struct {
		int line;
		const char *formula;
		enum scope scope;
		unsigned n, which;
		bool known;
	} t[] = {
		/* lproc 2 is taken over in the third interval */
		{ __LINE__, "mperf", SCOPE_OF_LPROC, 2, 2, true },
		{ __LINE__, "mperf", SCOPE_OF_LPROC, 2, 3, false },
		{ __LINE__, "mperf", SCOPE_OF_LPROC, 1, 3, true },
		{ __LINE__, "mperf", SCOPE_OF_PACKAGE, 0, 3, false },
		{ __LINE__, "mperf", SCOPE_OF_PACKAGE, 1, 3, true },
		{ __LINE__, "max(mperf)", SCOPE_OF_NODE, 0, 3, false },
		{ __LINE__, "max(mperf)", SCOPE_OF_PACKAGE, 1, 3, true },
		{ __LINE__, "first(mperf, 1)", SCOPE_OF_LPROC, 2, 3, false },
		{ __LINE__, "mperf / core[\"IDLE\"]", SCOPE_OF_LPROC, 1, 3,
		    true },
		/* lproc 7 never had any */
		{ __LINE__, "core[\"LOADS\"]", SCOPE_OF_LPROC, 6, 1, true },
		{ __LINE__, "core[\"LOADS\"]", SCOPE_OF_NODE, 0, 1, false },
		{ __LINE__, "core[\"LOADS\"]", SCOPE_OF_PACKAGE, 0, 1, true },
		{ __LINE__, "core[\"NONE\"]", SCOPE_OF_NODE, 0, 1, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		bool known;
		double v = value_of(t[i].formula, t[i].scope, t[i].n,
		    t[i].which, &known);

		if (known != t[i].known)
			fail_msg("line %d: %s in interval %u: %s, %g",
			    t[i].line, t[i].formula, t[i].which, known ?
			    "known" : "unknown", v);
	}
}

/* Of 1024 lprocs, each of which runs 1000 units: */
static const char *
large_node(void)
{
	const char *path = test_put("large.lua", "TSC_ratio = 10\n"
	    "nr_cpus = 1024\n");
	FILE *f = fopen(path, "a");

	assert_non_null(f);
	for (unsigned l = 0; l < 1024; l++)
		fprintf(f, "lproc_package[%u] = 0\nlproc_core[%u] = %u\n"
		    "lproc_online[%u] = 1\n", l, l, l, l);
	for (unsigned i = 0; i < 2; i++) {
		fprintf(f, "tsc[%u] = %u000000000\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n", i, 5 + i, i, 1000 + i, i);
		for (unsigned l = 0; l < 1024; l++)
			fprintf(f, "mperf[%u][%u] = %u\n", l, i, i * 1000);
	}
	fclose(f);
	return path;
}

/* sum(mperf + mperf ...), of so many, in the node: is it compiled? */
static bool
is_compiled(unsigned terms)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	struct compiled *c;
	struct figure figure;
	struct window w;
	struct rig r;
	unsigned at;
	bool known;
	double v;

	assert_non_null(f);
	fputs("metric x node \"\" \"\" = sum(mperf", f);
	for (unsigned i = 1; i < terms; i++)
		fputs(" + mperf", f);
	fputs(")\n", f);
	fclose(f);
	rig_begin(&r, large_node(), text);
	free(text);
	assert_true(binding_window(&r.gather.binding, 0, SCOPE_OF_NODE, 0, &w));
	assert_non_null(c = compiled_new(&r.gather.binding));
	assert_int_equal(compiled_add(c, 0, &w, &at), 0);
	assert_int_equal(compiled_finish(c), 0);
	assert_int_equal(gather_next(&r.gather, &r.why), 1);
	compiled_take(c, gather_interval(&r.gather));
	known = compiled_value(c, at, 0, &v);
	figure = binding_eval(&r.gather.binding, 0, &w,
	    gather_interval(&r.gather));
	assert_true(figure.value == 1024000.0 * terms);
	assert_true(!known || v == figure.value);
	compiled_free(c);
	rig_end(&r);
	return known;
}

static void
a_formula_of_a_million_operations_is_not_compiled(void **state)
{
	(void)state;
	assert_true(is_compiled(500));
	assert_false(is_compiled(520));
}

/* All windows of all metrics, and the numbers of their formulas. */
struct all {
	struct { unsigned bound, number; struct window window; } *of;
	unsigned n;
	struct compiled *compiled;
};

static struct all
compile_all(const struct binding *b)
{
	struct all a = { .compiled = compiled_new(b) };
	struct window w;
	unsigned most = 0;

	for (unsigned m = 0; m < b->nbound; m++)
		for (enum scope s = 0; s < SCOPES; s++)
			most += binding_windows(b, m, s);
	assert_non_null(a.of = calloc(most, sizeof *a.of));
	assert_non_null(a.compiled);
	for (unsigned m = 0; m < b->nbound; m++)
		for (enum scope s = 0; s < SCOPES; s++)
			for (unsigned i = 0; i < binding_windows(b, m, s); i++) {
				/* without an input there is nothing to know */
				if (b->bound[m].nmissing > 0 ||
				    !binding_window(b, m, s, i, &w))
					continue;
				a.of[a.n].bound = m;
				a.of[a.n].window = w;
				assert_int_equal(compiled_add(a.compiled, m,
				    &w, &a.of[a.n].number), 0);
				a.n++;
			}
	assert_int_equal(compiled_finish(a.compiled), 0);
	return a;
}

static void
compiled_formulas_are_those_of_the_recording(void **state)
{
	unsigned known = 0, unknown = 0, interval = 0;
	struct rig r;
	struct all a;
	char path[512];

	(void)state;
	rig_begin(&r, recording(path), NULL);
	a = compile_all(&r.gather.binding);
	for (; gather_next(&r.gather, &r.why) == 1; interval++) {
		const struct sums *s = gather_interval(&r.gather);

		compiled_take(a.compiled, s);
		for (unsigned i = 0; i < a.n; i++) {
			struct figure f = binding_eval(&r.gather.binding,
			    a.of[i].bound, &a.of[i].window, s);
			double v;

			if (!compiled_value(a.compiled, a.of[i].number, 0,
			    &v)) {
				unknown++;
				continue;
			}
			known++;
			v = metric_settled(f.metric, v);
			assert_int_equal(f.left_out, 0);
			assert_int_equal(f.of, 0);
			if (isnan(v) ? !isnan(f.value) : !(fabs(v - f.value) <=
			    1e-12 * fabs(f.value)))
				fail_msg("interval %u, %s: %.17g, not %.17g",
				    interval, f.metric->name, v, f.value);
		}
	}
	assert_int_equal(interval, 29);
	assert_true(known > 4 * unknown);
	compiled_free(a.compiled);
	free(a.of);
	rig_end(&r);
}

/* Holds lane for lane what was kept against what each interval gave by itself. */
static void
compare_lanes(struct all *a, const double *alone)
{
	unsigned n = compiled_kept(a->compiled);

	compiled_run(a->compiled, NULL);
	for (unsigned j = 0; j < n; j++)
		for (unsigned i = 0; i < a->n; i++) {
			double want = alone[j * a->n + i], v;

			if (!compiled_value(a->compiled, a->of[i].number, j, &v))
				continue;
			if (isnan(v) ? !isnan(want) : v != want)
				fail_msg("lane %u, formula %u: %.17g, not "
				    "%.17g", j, i, v, want);
		}
	compiled_drop(a->compiled);
}

static void
intervals_evaluated_at_once_are_worth_what_each_is(void **state)
{
	unsigned kept = 0, most = 0, left = 0;
	struct rig r;
	struct all a;
	double *alone;
	char path[512];

	(void)state;
	rig_begin(&r, recording(path), NULL);
	a = compile_all(&r.gather.binding);
	assert_non_null(alone = calloc((size_t)a.n * EXPR_LANES,
	    sizeof *alone));
	while (gather_next(&r.gather, &r.why) == 1) {
		const struct sums *s = gather_interval(&r.gather);
		bool is_kept;

		assert_int_equal(compiled_keep(a.compiled, s, &is_kept), 0);
		if (!is_kept) {
			left++;
			continue;
		}
		compiled_take(a.compiled, s);
		for (unsigned i = 0; i < a.n; i++)
			compiled_value(a.compiled, a.of[i].number, 0,
			    &alone[(compiled_kept(a.compiled) - 1) * a.n + i]);
		most = compiled_kept(a.compiled) > most ?
		    compiled_kept(a.compiled) : most;
		kept++;
		if (compiled_kept(a.compiled) == EXPR_LANES)
			compare_lanes(&a, alone);
	}
	compare_lanes(&a, alone);
	assert_int_equal(kept + left, 29);
	assert_int_equal(most, EXPR_LANES);
	free(alone);
	compiled_free(a.compiled);
	free(a.of);
	rig_end(&r);
}

static void
an_interval_that_lacks_a_delta_is_not_kept(void **state)
{
	static const bool want[] = { true, true, false };
	struct compiled *c;
	struct window w;
	struct rig r;
	unsigned at;
	bool kept;

	(void)state;
	rig_begin(&r, small_node(), "metric x node \"\" \"\" = mperf\n");
	assert_non_null(c = compiled_new(&r.gather.binding));
	assert_true(binding_window(&r.gather.binding, 0, SCOPE_OF_NODE, 0, &w));
	assert_int_equal(compiled_add(c, 0, &w, &at), 0);
	assert_int_equal(compiled_finish(c), 0);
	for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
		assert_int_equal(gather_next(&r.gather, &r.why), 1);
		assert_int_equal(compiled_keep(c, gather_interval(&r.gather),
		    &kept), 0);
		assert_int_equal(kept, want[i]);
	}
	compiled_free(c);
	rig_end(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_compiled_formula_has_its_value),
		cmocka_unit_test(what_lacks_a_unit_or_a_delta_is_not_known),
		cmocka_unit_test(
		    a_formula_of_a_million_operations_is_not_compiled),
		cmocka_unit_test(compiled_formulas_are_those_of_the_recording),
		cmocka_unit_test(
		    intervals_evaluated_at_once_are_worth_what_each_is),
		cmocka_unit_test(an_interval_that_lacks_a_delta_is_not_kept),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
