/*
 * tests/postproc/metrics/test_zen_metrics.c - every metric of AMD's cores (amd-zen.md 9.7), for each
 * generation that has it.  Numbers are worked out by hand from the reference's
 * expressions.
 */
#include "tests/lib/metric_of.h"
#include "tests/lib/rig.h"

#include "config/texts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What one lproc and its package counted in two seconds, by a TSC of 2 GHz. */
struct given {
	const char *column;             /* an event of the core; or "= COLUMN" */
	uint64_t count;
};

#define L __LINE__
#define Z2 1u
#define Z3 2u
#define Z4 4u
#define Z5 8u
#define ZEN (Z2 | Z3 | Z4 | Z5)

static const struct formula {
	int line;
	unsigned of;                    /* generations */
	const char *metric;
	struct given given[8];
	double value;                   /* NaN: n/a */
} formulas[] = {
	/* 3e9 / 2e9 of 2 GHz; 3e9 in 4e9 counts of the TSC */
	{ L, ZEN, "frequency", { { "= aperf", 3000000000 },
	    { "= mperf", 2000000000 } }, 3.0 },
	{ L, ZEN, "mean_frequency", { { "= aperf", 3000000000 } }, 1.5 },
	{ L, ZEN, "utilisation", { { "= mperf", 1000000000 } }, 25 },
	{ L, ZEN, "frequency", { { "= aperf", 0 }, { "= mperf", 0 } }, NAN },
	{ L, ZEN, "ipc", { { "instr_retired", 500 },
	    { "cycles_unhalted", 400 } }, 1.25 },
	{ L, ZEN, "cpi", { { "instr_retired", 500 },
	    { "cycles_unhalted", 400 } }, 0.8 },
	{ L, ZEN, "cpi", { { "instr_retired", 0 },
	    { "cycles_unhalted", 400 } }, NAN },
	{ L, ZEN, "instructions", { { "instr_retired", 7000000000 } }, 3.5 },
	{ L, ZEN, "branch_misses", { { "branches", 800 },
	    { "branches_mispredicted", 20 } }, 2.5 },

	/* accesses 600 + 300 + 80 + 20; misses 100 + 80 + 20, hits 500 + 300 */
#define L2 { { "l2_req_no_prefetch", 600 }, { "l2pf_hit_l2", 300 }, \
	{ "l2pf_miss_l2_hit_l3", 80 }, { "l2pf_miss_l3", 20 }, \
	{ "l2_miss_ic_dc", 100 }, { "instr_retired", 5000 } }
	{ L, ZEN, "l2_accesses", L2, 200 },
	{ L, ZEN, "l2_misses_all", L2, 40 },
	{ L, ZEN, "l2_misses", L2, 20 },
	{ L, ZEN, "l2_fill", { { "l2_miss_ic_dc", 1000000000 },
	    { "l2pf_miss_l2_hit_l3", 500000000 },
	    { "l2pf_miss_l3", 250000000 } }, 56 },
	{ L, ZEN, "l2_hit_ratio", { { "l2_hit_ic_dc", 500 },
	    { "l2pf_hit_l2", 300 }, { "l2_miss_ic_dc", 100 },
	    { "l2pf_miss_l2_hit_l3", 80 }, { "l2pf_miss_l3", 20 } }, 80 },

	{ L, Z3 | Z4 | Z5, "l1d_miss_ratio", { { "any_fill_all", 30 },
	    { "dc_accesses", 400 } }, 0.075 },
	{ L, Z3 | Z4 | Z5, "l1d_fill_dram",
	    { { "any_fill_dram", 125000000 } }, 4 },
	{ L, Z3 | Z4 | Z5, "l1d_fills_ccx", { { "any_fill_ccx_all", 150 },
	    { "any_fill_all", 200 } }, 75 },
	{ L, Z3 | Z4 | Z5, "l1d_fills_other_ccx",
	    { { "any_fill_other_ccx", 10 }, { "any_fill_all", 200 } }, 5 },
	{ L, Z3 | Z4 | Z5, "l1d_fills_dram", { { "any_fill_dram", 40 },
	    { "any_fill_all", 200 } }, 20 },
	{ L, Z3 | Z4 | Z5, "l1d_fills_far", { { "any_fill_far", 25 },
	    { "any_fill_all", 200 } }, 12.5 },
	{ L, ZEN, "remote_dram", { { "demand_fill_near_dram", 60 },
	    { "demand_fill_far_dram", 20 } }, 25 },

	{ L, ZEN, "flops", { { "flops_all", 96000000000 } }, 48 },
	{ L, Z5, "flops_single", { { "flops_sp_scalar", 2000000000 },
	    { "flops_sp_packed", 64000000000 } }, 33 },
	{ L, Z5, "flops_double", { { "flops_dp_scalar", 1000000000 },
	    { "flops_dp_packed", 31000000000 } }, 16 },

	/* 1.1 of 2 GHz */
	{ L, Z4 | Z5, "frequency_counted", { { "cycles_unhalted", 1100 },
	    { "ref_cycles_p0", 1000 } }, 2.2 },
	/* 6000 slots on Zen 4, 8000 on Zen 5 */
#define OF_1000(...) { { "cycles_unhalted", 1000 }, __VA_ARGS__ }
	{ L, Z4, "retiring", OF_1000({ "ops_retired", 1500 }), 25 },
	{ L, Z5, "retiring", OF_1000({ "ops_retired", 1500 }), 18.75 },
	{ L, Z4, "frontend_bound", OF_1000({ "slots_frontend", 1200 }), 20 },
	{ L, Z5, "frontend_bound", OF_1000({ "slots_frontend", 1200 }), 15 },
	{ L, Z4, "backend_bound", OF_1000({ "slots_backend", 2400 }), 40 },
	{ L, Z5, "backend_bound", OF_1000({ "slots_backend", 2400 }), 30 },
	{ L, Z4, "smt_contention", OF_1000({ "slots_smt", 600 }), 10 },
	{ L, Z5, "smt_contention", OF_1000({ "slots_smt", 600 }), 7.5 },
	{ L, Z4, "bad_speculation", OF_1000({ "ops_dispatched_all", 1800 },
	    { "ops_retired", 1500 }), 5 },
	{ L, Z5, "bad_speculation", OF_1000({ "ops_dispatched_all", 1900 },
	    { "ops_retired", 1500 }), 5 },
	/* what contradicts itself is seen */
	{ L, Z4, "bad_speculation", OF_1000({ "ops_dispatched_all",
	    1200 }, { "ops_retired", 1500 }), -5 },
	/* all slots of these cycles */
	{ L, Z4 | Z5, "frontend_latency", OF_1000({ "slots_frontend_none",
	    120 }), 12 },
	{ L, Z4, "frontend_bandwidth", OF_1000({ "slots_frontend_none", 120 },
	    { "slots_frontend", 1200 }), 8 },
	{ L, Z5, "frontend_bandwidth", OF_1000({ "slots_frontend_none", 120 },
	    { "slots_frontend", 1200 }), 3 },
#define BACKEND OF_1000({ "slots_backend", 2400 }, \
	{ "no_retire_load", 150 }, { "no_retire_not_complete", 200 })
	{ L, Z4, "memory_bound", BACKEND, 30 },
	{ L, Z5, "memory_bound", BACKEND, 22.5 },
	{ L, Z4, "core_bound", BACKEND, 10 },
	{ L, Z5, "core_bound", BACKEND, 7.5 },
	{ L, Z4, "retiring_microcode", OF_1000({ "ops_retired", 1500 },
	    { "ucode_ops", 60 }), 1 },
	{ L, Z5, "retiring_microcode", OF_1000({ "ops_retired", 1500 },
	    { "ucode_ops", 60 }), 0.75 },
#define SPECULATED OF_1000({ "ops_dispatched_all", 1740 }, \
	{ "ops_retired", 1500 }, { "branches_mispredicted", 30 }, \
	{ "resyncs", 10 })
	{ L, Z4, "bad_speculation_branches", SPECULATED, 3 },
	{ L, Z5, "bad_speculation_branches", SPECULATED, 2.25 },
	{ L, Z4 | Z5, "vectorization_ratio", { { "fp_ops_128", 5 },
	    { "fp_ops_256", 20 }, { "fp_ops_512", 35 },
	    { "fp_ops_width_all", 80 } }, 75 },

	/* 2^16 units are a joule: 300 J, 10 J; 12 nJ */
	{ L, ZEN, "package_power", { { "= rapl_pkg_energy", 19660800 } }, 150 },
	{ L, ZEN, "core_power", { { "= rapl_core_energy", 655360 } }, 5 },
	{ L, ZEN, "uncore_power", { { "= rapl_pkg_energy", 19660800 },
	    { "= rapl_core_energy", 655360 } }, 145 },
	{ L, ZEN, "package_energy", { { "= rapl_pkg_energy", 19660800 } }, 300 },
	{ L, ZEN, "energy_per_instruction", { { "= rapl_pkg_energy", 19660800 },
	    { "instr_retired", 25000000000 } }, 12 },
};

static const char *const generation[] = { "zen2", "zen3", "zen4", "zen5" };

/* A dump of one lproc, with two samples. */
static const char *
dump_of(const char *model, const struct given *given)
{
	static const char *const plain[] = { "aperf", "mperf",
	    "rapl_pkg_energy", "rapl_core_energy" };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	const char *path;

	fprintf(f, "model = \"%s\"\nnr_cpus = 1\npackages = 1\n"
	    "lproc_package[0] = 0\nlproc_core[0] = 0\nlproc_thread[0] = 0\n"
	    "RAPL_PKG_ENERGY_UNIT = 0.0000152587890625\n"
	    "family_bits = {}\nfamily_unit = {}\n"
	    "family_bits[\"core_counts\"] = 48\n"
	    "family_unit[\"core_counts\"] = \"count\"\n", model);
	for (unsigned i = 0; i < 4; i++)
		fprintf(f, "family_bits[\"%s\"] = 64\nfamily_unit[\"%s\"] = "
		    "\"%s\"\n", plain[i], plain[i], i < 2 ? "cycles" :
		    "rapl_pkg");
	for (unsigned s = 0; s < 2; s++) {
		fprintf(f, "tsc[%u] = %llu\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n", s, 1000000 + s * 4000000000ull, s,
		    1000 + 2 * s, s);
		for (const struct given *e = given; e->column != NULL; e++)
			if (*e->column == '=')
				fprintf(f, "%s[0][%u] = %llu\n", e->column + 2,
				    s, 1 + s * (unsigned long long)e->count);
			else
				fprintf(f, "core_counts[0][\"%s\"][%u] = %llu\n",
				    e->column, s,
				    1 + s * (unsigned long long)e->count);
	}
	fclose(f);
	path = test_put("zen.lua", text);
	free(text);
	return path;
}

/* The value of a metric over a dump; INFINITY: its inputs are missing, or the generation
 * has no such metric. */
static double
value_of(const char *model, const struct formula *x)
{
	return !metric_there(model, x->metric) ? INFINITY : metric_of_node(
	    dump_of(model, x->given), model, x->metric, x->line);
}

static void
formulas_are_those_of_the_reference(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(formulas) / sizeof(formulas[0]); i++) {
		const struct formula *x = &formulas[i];

		for (unsigned gen = 0; gen < 4; gen++) {
			double v;

			if (!(x->of >> gen & 1))
				continue;
			v = value_of(generation[gen], x);
			if (isnan(x->value) ? !isnan(v) :
			    !(fabs(v - x->value) <= 1e-9 * fabs(x->value)))
				fail_msg("line %d: %s on %s: %.12g", x->line,
				    x->metric, generation[gen], v);
		}
	}
}

/* The dispatch width before Zen 4 is in no table. */
static void
zen_2_and_zen_3_have_no_top_down(void **state)
{
	static const struct formula x = { L, Z2, "retiring",
	    OF_1000({ "ops_retired", 1500 }), 0 };

	(void)state;
	assert_true(isinf(value_of("zen2", &x)));
	assert_true(isinf(value_of("zen3", &x)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formulas_are_those_of_the_reference),
		cmocka_unit_test(zen_2_and_zen_3_have_no_top_down),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
