/*
 * tests/postproc/metrics/test_umc_metrics.c - what is made of the counts of AMD's memory
 * controllers: formulas on dumps written by hand (reference amd-zen, sections 6 and
 * 9.7), and the same bytes by the data fabric.
 */
#include "tests/lib/rig.h"

#include "postproc/formula/metrics.h"
#include "postproc/metrics/gather.h"
#include "regs/sim/sim.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two channels, in 2 s: 4.8e9 memory clocks each, and of commands what follows. */
static const struct {
	const char *event;
	unsigned long long count[2];
} counts[] = {
	{ "umc_clk", { 4800000000ull, 4800000000ull } },
	{ "umc_cas_rd", { 300000000, 100000000 } },
	{ "umc_cas_wr", { 100000000, 0 } },
	{ "umc_act_all", { 40000000, 10000000 } },
	{ "umc_pchg_all", { 30000000, 5000000 } },
	{ "umc_slot_clks_all", { 3200000000ull, 800000000 } },
};
enum { COUNTS = sizeof(counts) / sizeof(counts[0]) };

/* Of a package whose counters have gone over 2^47; fabric: 200000000 reads by it,
 * too.  Without umc they are all there is. */
static const char *
dump_of(const char *model, bool umc, bool fabric)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	const char *path;

	fprintf(f, "model = \"%s\"\nnr_cpus = 1\npackages = 1\n"
	    "lproc_package[0] = 0\nlproc_core[0] = 0\nlproc_thread[0] = 0\n"
	    "family_bits = {}\nfamily_unit = {}\n"
	    "family_bits[\"umc_counts\"] = 64\n"
	    "family_unit[\"umc_counts\"] = \"count\"\n"
	    "family_bits[\"df_counts\"] = 48\n"
	    "family_unit[\"df_counts\"] = \"count\"\n", model);
	for (unsigned s = 0; s < 2; s++) {
		fprintf(f, "tsc[%u] = %llu\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n", s, 1000000 + s * 4000000000ull, s,
		    1000 + 2 * s, s);
		for (unsigned i = 0; umc && i < 2 * COUNTS; i++)
			fprintf(f, "umc_counts[0][%u][\"%s\"][%u] = %llu\n",
			    i % 2, counts[i / 2].event, s, 281474976710000ull +
			    s * counts[i / 2].count[i % 2]);
		for (unsigned n = 0; fabric && n < 12; n++)
			fprintf(f, "df_counts[0][\"dram_rd_%u\"][%u] = %u\n", n,
			    s, 7 + s * (n == 3 ? 200000000 : 0));
	}
	fclose(f);
	path = test_put("umc.lua", text);
	free(text);
	return path;
}

/* A metric of the node over a dump, with what stands beside it. */
static double
value_of(const char *model, const char *dump, const char *name, char *note,
    size_t size)
{
	struct metrics metrics;
	struct gather g;
	struct diag why = { "" };
	const struct metric *m = NULL;
	struct window w;
	struct figure f;
	unsigned bound = 0;

	assert_int_equal(metrics_init(&metrics), 0);
	if (metrics_load_for(&metrics, NULL, model, &why) < 0 ||
	    gather_open(&g, dump, &metrics, NULL, NULL, &why) < 0 ||
	    (m = metrics_find(&metrics, name)) == NULL ||
	    binding_add(&g.binding, m, &bound, &why) < 0)
		fail_msg("%s: %s", name, why.text);
	assert_int_equal(gather_all(&g, &why), 0);
	assert_true(binding_window(&g.binding, bound, SCOPE_OF_NODE, 0, &w));
	f = binding_eval(&g.binding, bound, &w, gather_sums(&g));
	figure_note(&g.binding, &f, m->note, note, size);
	gather_close(&g);
	metrics_fini(&metrics);
	return f.value;
}

static void
formulas_are_those_of_the_reference(void **state)
{
	static const struct { const char *metric; double value; } formula[] = {
		{ "dram_read", 64 * 400e6 / 2 / 1e9 },
		{ "dram_write", 64 * 100e6 / 2 / 1e9 },
		{ "dram_bandwidth", 64 * 500e6 / 2 / 1e9 },
		{ "dram_clock", 2.4 },
		{ "dram_transfers", 4800 },
		{ "dram_busy", 100 * 2e9 / 9.6e9 },
		{ "dram_read_share", 80 },
		{ "dram_cas_rate", 1000 * 500e6 / 9.6e9 },
		{ "dram_act_rate", 1000 * 50e6 / 9.6e9 },
		{ "dram_pchg_rate", 1000 * 35e6 / 9.6e9 },
		{ "page_hit", 90 },
		{ "ceiling_dram", 2 * 38.4 },
	};
	static const char *const model[] = { "zen4", "zen5" };
	char note[400];

	(void)state;
	for (size_t i = 0; i < sizeof(formula) / sizeof(formula[0]); i++)
		for (unsigned k = 0; k < 2; k++) {
			double v = value_of(model[k], dump_of(model[k], true,
			    false), formula[i].metric, note, sizeof note);

			if (!(fabs(v - formula[i].value) <= 1e-9 *
			    formula[i].value))
				fail_msg("%s on %s: %.12g", formula[i].metric,
				    model[k], v);
		}
}

/* And which of the two it was. */
static void
dram_is_the_fabrics_where_no_controller_is_counted(void **state)
{
	char note[400];

	(void)state;
	assert_true(fabs(value_of("zen5", dump_of("zen5", false, true),
	    "dram_read", note, sizeof note) - 6.4) < 1e-9);
	assert_non_null(strstr(note, "by the data fabric"));
	assert_true(fabs(value_of("zen5", dump_of("zen5", true, true),
	    "dram_read", note, sizeof note) - 12.8) < 1e-9);
	assert_string_equal(note, "");
	assert_true(isnan(value_of("zen5", dump_of("zen5", false, false),
	    "dram_read", note, sizeof note)));
	assert_non_null(strstr(note, "umc[\"umc_cas_rd\"]"));
}

/* A third channel that CPUID announces, and that refuses to be read. */
static void
a_controller_that_does_not_answer_is_missing_from_the_sum(void **state)
{
	static const char silent[] = "unit_absent[\"UMC\"][0][2] = \"msr "
	    "0xc0010810 lproc 0: no such register\"\n";
	static const char none[] = "unit_absent[\"UMC\"][0][2] = \"not on "
	    "this part: it has 2 (CPUID mask 0x3)\"\n";
	const char *const head[] = { silent, none };
	char note[400], text[16384];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		size_t n = (size_t)snprintf(text, sizeof text, "unit_present = "
		    "{}\nunit_absent = {}\nunit_present[\"UMC\"] = {}\n"
		    "unit_absent[\"UMC\"] = {}\nunit_present[\"UMC\"][0] = "
		    "{}\nunit_absent[\"UMC\"][0] = {}\n"
		    "unit_present[\"UMC\"][0][0] = 1\n"
		    "unit_present[\"UMC\"][0][1] = 1\n%s", head[i]);
		FILE *f = fopen(dump_of("zen4", true, false), "r");

		assert_non_null(f);
		n += fread(text + n, 1, sizeof text - n - 1, f);
		text[n] = '\0';
		fclose(f);
		assert_true(fabs(value_of("zen4", test_put("silent.lua", text),
		    "dram_read", note, sizeof note) - 12.8) < 1e-9);
		assert_string_equal(note, i == 0 ? "of 2 of 3 umc boxes" : "");
	}
}

/* What channel c of package 1 has so far, by the controller or by the fabric. */
static uint64_t
accesses(const struct rig *r, const char *way, unsigned c, bool fabric)
{
	static const char *const side[] = { "local", "remote" };
	uint64_t sum = 0;
	char column[64];

	for (unsigned i = 0; fabric && i < 2; i++) {
		snprintf(column, sizeof column, "df_counts[1][\"dram_%s_%s_%u"
		    "\"]", way, side[i], c);
		sum += rig_value(r, column);
	}
	snprintf(column, sizeof column, "umc_counts[1][%u][\"umc_cas_%s\"]",
	    c, way);
	return fabric ? sum : rig_value(r, column);
}

/* Of each of eight channels, in idle and in work; none of the fabric wraps. */
static void
controllers_and_fabric_count_the_same_accesses(void **state)
{
	static const char *const way[] = { "rd", "wr" };

	(void)state;
	for (unsigned k = 0; k < 2; k++) {
		uint64_t before[8][2];
		char config[1024];
		size_t n = (size_t)snprintf(config, sizeof config,
		    "umc umc_cas_%s\n", way[k]);
		struct rig *r;

		for (unsigned c = 0; c < 8; c++)
			n += (size_t)snprintf(config + n, sizeof config - n,
			    "df dram_%s_local_%u\ndf dram_%s_remote_%u\n",
			    way[k], c, way[k], c);
		r = rig_with("@genoa-9654-2s", "box df init=0\n", config);
		rig_program(r);
		rig_sample(r);
		for (unsigned c = 0; c < 16; c++)
			before[c / 2][c % 2] = accesses(r, way[k], c / 2,
			    c % 2 != 0);
		sim_advance(rig_sim(r), 15000000000);
		rig_sample(r);
		for (unsigned c = 0; c < 8; c++)
			if (accesses(r, way[k], c, false) - before[c][0] !=
			    accesses(r, way[k], c, true) - before[c][1])
				fail_msg("channel %u, %s", c, way[k]);
		assert_true(accesses(r, way[k], 0, true) > 500000000);
		rig_restore(r);
		rig_close(r);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formulas_are_those_of_the_reference),
		cmocka_unit_test(
		    dram_is_the_fabrics_where_no_controller_is_counted),
		cmocka_unit_test(
		    a_controller_that_does_not_answer_is_missing_from_the_sum),
		cmocka_unit_test(
		    controllers_and_fabric_count_the_same_accesses),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
