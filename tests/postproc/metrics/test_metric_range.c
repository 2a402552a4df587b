/*
 * tests/postproc/metrics/test_metric_range.c - the range of a metric grows with
 * the units that there are: that of a package does not judge a node.
 */
#include "tests/lib/tally_command.h"

#include "postproc/metrics/gather.h"
#include "postproc/metrics/figure_notes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const machines[] = {
	"@c2758", "@cwf-2s", "@emr-8592-2s", "@genoa-9654-2s", "@gnr-6960p-2s",
	"@grace-2s", "@grace-hopper", "@hsx-2699-2s", "@icx-8358-2s",
	"@milan-7763-2s", "@naples-7551p", "@rome-7742-2s", "@skx-8160-2s", "@skx-locked",
	"@spr-9480-2s", "@srf-2s", "@turin-2s", NULL
};

static const char *
sampled(const char *machine, unsigned n)
{
	static char path[300];
	char program[512], line[1200];

	snprintf(path, sizeof(path), "%s/run.lua", test_dir);
	snprintf(line, sizeof(line), "%s -q --sim %s --virtual-time -n %u "
	    "--overwrite -o %s", built("tallyd", program), machine, n, path);
	assert_int_equal(system(line), 0);
	return path;
}

/* ---- every list ---- */

static bool
adds_up(const struct metric *m)
{
	static const char *const units[] = { "GB/s", "MB/s", "W", "J", "B/s",
	    "M/s" };

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strcmp(m->unit, units[i]) == 0)
			return m->scope != SCOPE_OF_NODE;
	return false;
}

/* The limits of all windows of a scope together. */
static double
limits(struct gather *g, unsigned bound, enum scope scope, unsigned *n)
{
	struct binding *b = &g->binding;
	double sum = 0;

	*n = 0;
	for (unsigned i = 0; i < binding_windows(b, bound, scope); i++) {
		struct window w;

		if (!binding_window(b, bound, scope, i, &w))
			continue;
		sum += binding_most(b, bound, &w, gather_sums(g));
		++*n;
	}
	return sum;
}

static void
limit_scales(struct gather *g, unsigned bound)
{
	const struct metric *m = g->binding.bound[bound].metric;
	unsigned one, packages, boxes;
	double node = limits(g, bound, SCOPE_OF_NODE, &one);
	double pkg = limits(g, bound, SCOPE_OF_PACKAGE, &packages);
	double box = limits(g, bound, SCOPE_OF_BOX, &boxes);

	assert_int_equal(one, 1);
	if (!(fabs(pkg / node - 1) < 1e-9) ||
	    (boxes > 0 && !(fabs(box / node - 1) < 1e-9)))
		fail_msg("%s: %g of the node, %g of %u packages, %g of %u "
		    "boxes", m->name, node, pkg, packages, box, boxes);
}

static void
what_there_can_be_scales_with_the_units_that_there_are(void **state)
{
	unsigned judged = 0;

	(void)state;
	for (unsigned i = 0; machines[i] != NULL; i++) {
		const char *path = sampled(machines[i], 3);
		struct gather_ask ask = { .nmetrics = 0 };
		struct metrics metrics;
		struct gather g;
		struct diag why = { "" };
		unsigned bound;

		if (gather_load(&g, &metrics, path, &ask, &why) < 0)
			fail_msg("%s: %s", machines[i], why.text);
		for (unsigned k = 0; k < metrics.n; k++)
			assert_int_equal(binding_add(&g.binding,
			    metrics_at(&metrics, k), &bound, &why), 0);
		assert_int_equal(gather_all(&g, &why), 0);
		for (unsigned k = 0; k < g.binding.nbound; k++) {
			const struct metric *m = g.binding.bound[k].metric;

			if (!m->ranged || !adds_up(m))
				continue;
			if (!m->each && m->most == NULL)
				fail_msg("%s: %s: a limit of what?",
				    machines[i], m->name);
			if (g.binding.bound[k].nmissing > 0)
				continue;
			limit_scales(&g, k);
			judged++;
		}
		gather_unload(&g, &metrics);
	}
	assert_true(judged > 80);
}

/* ---- DRAM ---- */

/* 24 x 8 bytes x 8800 MT/s; 24 x 4800, by the clock that Genoa's channels have, not
 * what its controllers could do. */
static void
dram_can_move_what_its_channels_can_and_check_says_so(void **state)
{
	static const struct {
		const char *machine, *more, *say;
	} t[] = {
		{ "@gnr-6960p-2s", "event imc 0xcf05 all=700000000\n"
		    "event imc 0xcf06 all=700000000\n", " GB/s, and 0 to "
		    "1689.6 is what there can be: 24 channels, 8800 MT/s\n" },
		{ "@genoa-9654-2s", "event umc 0x10a all=700000000\n",
		    " GB/s, and 0 to 921.6 is what there can be: 24 channels, "
		    "4800 MT/s\n" },
		{ "@spr-9480-2s", "event imc 0xcf05 all=500000000\n"
		    "event imc 0xf005 all=500000000\n", " GB/s, and 0 to "
		    "614.4 is what there can be: 16 channels, 4800 MT/s\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char line[400], *text;

		snprintf(line, sizeof(line), "check %s", sampled(t[i].machine,
		    30));
		lacks(said(0, cmd_check, line, NULL), "range: ");
		snprintf(line, sizeof(line), "like %s\n%s", t[i].machine,
		    t[i].more);
		snprintf(line, sizeof(line), "check %s", sampled(test_put(
		    "more.machine", line), 30));
		text = said(1, cmd_check, line, NULL);
		if (strstr(text, "range: dram_bandwidth of node is ") == NULL ||
		    strstr(text, t[i].say) == NULL)
			fail_msg("%s: %s", t[i].machine, text);
		free(text);
	}
}

/* ---- the language ---- */

#define TWO_PACKAGES "host = \"n\"\nmodel = \"skx\"\npackages = 2\n" \
	"lproc_package[0] = 0\nlproc_package[1] = 1\n" \
	"tsc[0] = 0\nwalltime[0][0] = 100\nwalltime[1][0] = 0\n" \
	"iio_PCIe0_port0_in_bytes[0][0] = 0\n" \
	"iio_PCIe0_port1_in_bytes[0][0] = 0\n" \
	"iio_PCIe0_port1_in_bytes[1][0] = 0\n" \
	"tsc[1] = 1000000000\nwalltime[0][1] = 101\nwalltime[1][1] = 0\n" \
	"iio_PCIe0_port0_in_bytes[0][1] = 9000000000\n" \
	"iio_PCIe0_port1_in_bytes[0][1] = 9000000000\n" \
	"iio_PCIe0_port1_in_bytes[1][1] = 9000000000\n"

/* What check says of a list's metrics. */
static void
finds(const char *list, const char *what)
{
	const char *path = test_put("two.lua", TWO_PACKAGES);
	struct findings found = { .n = 0 };
	struct gather_ask ask = { .nmetrics = 0 };
	struct metrics builtin, own;
	struct gather g;
	struct diag why = { "" };

	assert_int_equal(metrics_init(&own), 0);
	if (metrics_parse(&own, "own", list, strlen(list), &why) < 0)
		fail_msg("%s", why.text);
	if (gather_load(&g, &builtin, path, &ask, &why) < 0 ||
	    gather_all(&g, &why) < 0)
		fail_msg("%s", why.text);
	assert_int_equal(check_ranges(&found, &g, &own), 0);
	assert_int_equal(found.n, what != NULL);
	if (what != NULL)
		assert_string_equal(found.finding[0].text, what);
	findings_fini(&found);
	gather_unload(&g, &builtin);
	metrics_fini(&own);
}

static void
a_range_is_a_number_or_a_metrics_or_of_each_unit(void **state)
{
#define IN " = \"iio_*_in_bytes\" / time / 1e6\n"

	(void)state;
	finds("metric a box \"MB/s\" \"x\" range 0 10000" IN, "a of node is 27000 "
	    "MB/s, and 0 to 10000 is what there can be");
	finds("metric a box \"MB/s\" \"x\" range 0 10000 each" IN, NULL);
	finds("metric a box \"MB/s\" \"x\" range 0 8000 each" IN, "a of node is "
	    "27000 MB/s, and 0 to 24000 is what there can be: 8000 MB/s each, "
	    "3 there");
	finds("metric a package \"MB/s\" \"x\" range 0 9000 each" IN, "a of node "
	    "is 27000 MB/s, and 0 to 18000 is what there can be: 9000 MB/s "
	    "each, 2 there");
	finds("metric a package \"MB/s\" \"x\" range 0 13000 each" IN, "a of node "
	    "is 27000 MB/s, and 0 to 26000 is what there can be: 13000 MB/s "
	    "each, 2 there");
	finds("metric a box \"MB/s\" \"x\" range 0 most" IN
	    "metric ports box \"ports\" \"x\" hidden = count(\"iio_*_in_bytes\")\n"
	    "metric lane box \"MB/s\" \"x\" hidden = 500\n"
	    "metric most box \"MB/s\" \"x\" hidden = ports * lane * 8\n",
	    "a of node is 27000 MB/s, and 0 to 12000 is what there can be: "
	    "3 ports, 500 MB/s");
	finds("metric a box \"MB/s\" \"x\" range 0 most" IN
	    "metric most box \"MB/s\" \"x\" hidden = 9000.1 * "
	    "count(\"iio_*_in_bytes\")\n", NULL);
	/* what says the most is not in the dump, or is n/a: no limit */
	finds("metric a box \"MB/s\" \"x\" range 0 most" IN
	    "metric most box \"MB/s\" \"x\" hidden = imc[\"NONE\"]\n", NULL);
	finds("metric a box \"MB/s\" \"x\" range 0 nothing" IN, NULL);
	finds("metric a box \"MB/s\" \"x\" range 30000 most" IN
	    "metric most box \"MB/s\" \"x\" hidden = 1 / 0\n",
	    "a of node is 27000 MB/s, and 30000 to inf is what there can be");
#undef IN
}

static void
mistakes_of_a_range_are_told(void **state)
{
	static const struct {
		const char *range, *say;
	} t[] = {
		{ "5 3", "l:1:31: a range that runs backwards, at '5'" },
		{ "0 \"x\"", "l:1:33: a number expected (range LOW HIGH, or "
		    "LOW METRIC), at 'x'" },
		{ "x 3", "l:1:31: a number expected (range LOW HIGH, or LOW "
		    "METRIC), at 'x'" },
	};
	struct metrics m;
	struct diag why;
	char text[200];

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		assert_int_equal(metrics_init(&m), 0);
		snprintf(text, sizeof(text), "metric a box \"GB/s\" \"x\" "
		    "range %s = 1\n", t[i].range);
		assert_true(metrics_parse(&m, "l", text, strlen(text), &why) <
		    0);
		assert_string_equal(why.text, t[i].say);
		metrics_fini(&m);
	}
	assert_int_equal(metrics_init(&m), 0);
	assert_true(metrics_parse(&m, "l", "metric a lproc \"%\" \"x\" range 0 "
	    "1 each = 1\n", 46, &why) < 0);
	assert_string_equal(why.text, "l:1:34: each of boxes or packages "
	    "alone, at 'each'");
	metrics_fini(&m);
}

/* 40 degrees are no 40 above what a CPU may have: the head's PROCHOT is wrong. */
static void
a_margin_to_a_prochot_that_no_cpu_has_is_flagged(void **state)
{
	static const char dump[] = "model = \"skx\"\npackages = 1\nPROCHOT = %d\n"
	    "tsc[0] = 1\npkg_temperature[0][0] = 40\n"
	    "tsc[1] = 2100000001\npkg_temperature[0][1] = 40\n";
	char text[300];

	(void)state;
	snprintf(text, sizeof(text), dump, 95);
	lacks(said(EXIT_OK, cmd_metrics, "metrics -m temperature_margin", text),
	    "out of range");
	snprintf(text, sizeof(text), dump, 0);
	holds(said(EXIT_OK, cmd_metrics, "metrics -m temperature_margin", text),
	    "out of range");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_there_can_be_scales_with_the_units_that_there_are),
		cmocka_unit_test(dram_can_move_what_its_channels_can_and_check_says_so),
		cmocka_unit_test(a_range_is_a_number_or_a_metrics_or_of_each_unit),
		cmocka_unit_test(
		    a_margin_to_a_prochot_that_no_cpu_has_is_flagged),
		cmocka_unit_test(mistakes_of_a_range_are_told),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
