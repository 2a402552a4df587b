/*
 * tests/test_doctored.c - dumps with values in them that cannot be: tally check
 * says so, and no figure of any page is silently another one.
 */
#include "tests/doctor.h"
#include "tests/figures.h"
#include "tests/files.h"
#include "tests/said.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/cmd/commands.h"

#define ONES UINT64_MAX         /* less one is the largest that is a value */
#define DOWN(n) (-(uint64_t)(n))

/* A dump, and what is done to a copy of it. */
struct doctoring {
	int line;
	struct doing_to to;
};

struct head_doctoring {
	int line;
	const char *begins, *instead;
	bool told;              /* check says so */
};

/* ---- what any Intel node has --------------------------------------------- */

#define D(what, columns, ...) \
	{ __LINE__, { DO_##what, columns, __VA_ARGS__ } }

static const struct doctoring clocks[] = {
	D(ADD, "tsc", 10, 10, DOWN(8400000000)),
	D(ADD, "tsc", 10, 10, 8400000000),
	D(ADD, "tsc", 12, 12, DOWN(300000000)),
	D(ADD, "tsc", 13, 29, 8400000000),
	D(SET, "tsc", 9, 9, ONES - 1),
	D(SET, "tsc", 9, 9, 0),
	D(CLEAR, "tsc", 9, 9, 0),
	D(STAY, "tsc", 9, 9, 0),
	D(STAY, "tsc", 9, 29, 0),
	D(ADD, "walltime[0]", 10, 10, 3600),
	D(ADD, "walltime[0]", 10, 29, DOWN(3600)),
	D(SET, "walltime[0]", 10, 10, 0),
	D(SET, "walltime[1]", 10, 10, ONES - 1),
	D(CLEAR, "walltime[*]", 10, 12, 0),
	D(STAY, "walltime[*]", 10, 12, 0),
};

static const struct doctoring readings[] = {
	D(SET, "pkg_temperature[0]", 10, 10, 999),
	D(SET, "pkg_temperature[*]", 11, 14, DOWN(300)),
	D(SET, "pkg_temperature[1]", 9, 9, ONES / 2),
};

/* Not at sample 10 where a simulated counter wraps there: near that 0 and all
 * ones are no other values than it has. */
static const struct doctoring lprocs[] = {
	D(SET, "aperf[5]", 10, 10, ONES - 1),
	D(SET, "aperf[5]", 10, 10, 0),
	D(ADD, "aperf[5]", 10, 29, (uint64_t)1 << 50),
	D(CLEAR, "aperf[*]", 10, 12, 0),
	D(SWAP, "aperf[*]", 10, 13, 0),
	D(SET, "mperf[*]", 10, 10, 0),
	D(SET, "mperf[7]", 11, 11, ONES - 1),
	D(GROW, "mperf[*]", 10, 29, 10000000),
	D(STAY, "core_fixed_counts[*][\"Inst*\"]", 10, 29, 0),
	D(STAY, "core_fixed_counts[*]", 10, 29, 0),
	D(SET, "core_fixed_counts[3]*", 12, 12, ((uint64_t)1 << 48) - 1),
	D(SET, "core_fixed_counts[3]*", 12, 12, ONES - 1),
	D(SET, "core_fixed_counts[3]*", 12, 12, 0),
	D(SWAP, "core_fixed_counts[*]", 10, 13, 0),
	D(CLEAR, "core_fixed_counts[0]*", 9, 29, 0),
	D(GROW, "core_fixed_counts[*][\"Inst*\"]", 10, 29, 100000000),
	D(SET, "core_counts[4]*", 10, 10, ((uint64_t)1 << 48) - 1),
	D(SET, "core_counts[*]*", 12, 12, 0),
	D(ADD, "core_counts[*]*", 12, 29, (uint64_t)1 << 47),
	D(CLEAR, "core_counts[*]*", 12, 12, 0),
	D(SWAP, "core_counts[*]*", 10, 12, 0),
	D(SET, "smi_count[*]", 10, 10, 0),
	D(SET, "smi_count[0]", 10, 29, 4000000000),
};

static const struct doctoring packages[] = {
	D(STAY, "imc_counts[*]", 10, 29, 0),
	D(STAY, "imc_counts[0][0]*", 10, 29, 0),
	D(SET, "imc_counts[0][0]*", 10, 10, ((uint64_t)1 << 48) - 1),
	D(SET, "imc_counts[1]*", 10, 10, ONES - 1),
	D(SET, "imc_counts[*]", 11, 11, 0),
	D(CLEAR, "imc_counts[0][0]*", 10, 12, 0),
	D(SWAP, "imc_counts[*]", 9, 12, 0),
	D(GROW, "imc_counts[*][\"CAS*\"]", 8, 29, 10000000),
	D(ADD, "imc_counts[0][1][\"CAS*\"]", 10, 29, (uint64_t)1 << 44),
	D(SET, "rapl_pkg_energy[0]", 10, 10, ONES - 1),
	D(ADD, "rapl_pkg_energy[0]", 10, 10, (uint64_t)1 << 31),
	D(STAY, "rapl_pkg_energy[*]", 10, 29, 0),
	D(CLEAR, "rapl_pkg_energy[1]", 10, 10, 0),
	D(ADD, "rapl_dram_energy[0]", 10, 10, (uint64_t)1 << 31),
	D(SET, "ubox_uclk[*]", 12, 12, 0),
	D(STAY, "ubox_uclk[0]", 10, 29, 0),
	D(SET, "pcu_counts[*]", 11, 11, ((uint64_t)1 << 48) - 1),
};

static const struct doctoring fabric[] = {
	D(SET, "scf_counts[*]", 10, 10, 0),
	D(SET, "scf_counts[0]*", 10, 10, ONES - 1),
	D(ADD, "scf_counts[1][\"cmem_rd_data\"]", 9, 29, (uint64_t)1 << 60),
	D(CLEAR, "scf_counts[0]*", 9, 11, 0),
};

static const struct doctoring stamps[] = {
	D(ADD, "lproc_tsc[5]", 10, 10, DOWN(8400000000)),
	D(ADD, "lproc_tsc[5]", 10, 10, 8400000000),
	D(ADD, "lproc_tsc[5]", 10, 10, 300000000),
	D(ADD, "pkg_tsc[0]", 10, 10, DOWN(300000000)),
	D(SET, "lproc_tsc[2]", 10, 10, 0),
	D(SET, "lproc_tsc[2]", 10, 10, ONES - 1),
	D(CLEAR, "lproc_tsc[*]", 10, 11, 0),
	D(STAY, "lproc_tsc[4]", 10, 29, 0),
	D(SWAP, "*", 10, 11, 0),
};

static const struct head_doctoring heads[] = {
	{ __LINE__, "TSC_ratio", "TSC_ratio = 42", true },
	{ __LINE__, "TSC_ratio", "TSC_ratio = 1", true },
	{ __LINE__, "TSC_ratio", "TSC_ratio = 0", false },
	{ __LINE__, "TSC_ratio", "TSC_ratio = -3", false },
	{ __LINE__, "TSC_ratio", "x = 3", false },
	{ __LINE__, "tsc_hz", "tsc_hz = 4200000000", true },
	{ __LINE__, "tsc_hz", "tsc_hz = 1", true },
	{ __LINE__, "tsc_hz", "x = 1", false },
	{ __LINE__, "RAPL_PKG_ENERGY_UNIT", "RAPL_PKG_ENERGY_UNIT = 0", false },
	{ __LINE__, "nr_cpus", "nr_cpus = 1", false },
	{ __LINE__, "interval", "interval = 1000", false },
};

/* ---- clean, doctored ----------------------------------------------------- */

static char *
findings(const char *path, const char *range)
{
	char words[400];

	snprintf(words, sizeof words, "check -f csv -s %s %s", range, path);
	return said(-1, cmd_check, words, NULL);
}

/* A clean dump: what it says of itself. */
struct clean {
	struct doctored dump;
	const char *range;
	char *findings;
	struct figures page[PAGES];
	unsigned ndoctored;     /* copies that were compared with it */
};

static void
clean_open(struct clean *c, const char *path, const char *range)
{
	doctored_load(&c->dump, path);
	c->range = range;
	c->ndoctored = 0;
	c->findings = findings(path, range);
	for (int p = 0; p < PAGES; p++)
		figures_read(&c->page[p], p, path, range, p == PAGE_METRICS);
	/* the report's figures are metrics: by the same measure */
	for (unsigned i = 0; i < c->page[PAGE_REPORT].n; i++) {
		struct known_figure *f = &c->page[PAGE_REPORT].figure[i];
		const struct known_figure *m = figures_find(
		    &c->page[PAGE_METRICS], strchr(f->key, '|') + 1);

		if (m != NULL) {
			f->least = m->least;
			f->most = m->most;
		}
	}
}

static void
clean_close(struct clean *c)
{
	for (int p = 0; p < PAGES; p++)
		figures_free(&c->page[p]);
	free(c->findings);
	doctored_free(&c->dump);
}

/* Is a doctored dump seen through? */
static bool
seen_through(const struct clean *c, const struct doctored *d, int line,
    double lost, bool told)
{
	const char *path = doctored_write(d, "doctored");
	char *said_of = findings(path, c->range), what[64];
	unsigned n = 0;

	snprintf(what, sizeof what, "line %d, %s", line, c->range);
	if (told && strcmp(said_of, c->findings) == 0) {
		print_message("%s: no finding\n", what);
		n++;
	}
	for (int p = 0; p < PAGES; p++) {
		struct figures fs;

		figures_read(&fs, p, path, c->range, false);
		n += figures_differ(&c->page[p], &fs, p, lost, what);
		figures_free(&fs);
	}
	free(said_of);
	return n == 0;
}

static unsigned
not_seen_through(struct clean *c, const struct doctoring *t, unsigned n)
{
	unsigned missed = 0;

	for (unsigned i = 0; i < n; i++) {
		struct doctored d;

		doctored_copy(&d, &c->dump);
		if (doctor(&d, &t[i].to) > 0 && ++c->ndoctored > 0)
			missed += !seen_through(c, &d, t[i].line,
			    strcmp(t[i].to.columns, "*") == 0 ? 0.1 : 0,
			    true);
		doctored_free(&d);
	}
	return missed;
}

static unsigned
head_missed(struct clean *c)
{
	unsigned missed = 0;

	for (unsigned i = 0; i < sizeof heads / sizeof *heads; i++) {
		struct doctored d;

		doctored_copy(&d, &c->dump);
		if (doctor_head(&d, heads[i].begins, heads[i].instead) > 0 &&
		    ++c->ndoctored > 0)
			missed += !seen_through(c, &d, heads[i].line, 0,
			    heads[i].told);
		doctored_free(&d);
	}
	return missed;
}

#define MISSED(clean, table) \
	not_seen_through(clean, table, sizeof table / sizeof *table)

static unsigned
all_of(struct clean *c)
{
	unsigned missed = head_missed(c) + MISSED(c, clocks) +
	    MISSED(c, readings) + MISSED(c, fabric) + MISSED(c, stamps);

	/* what the kernel counts has no limits of these boxes and lprocs */
	return figures_find(&c->page[PAGE_METRICS], "scf_freq|node|") != NULL ?
	    missed : missed + MISSED(c, lprocs) + MISSED(c, packages);
}

/* ---- the dumps ----------------------------------------------------------- */

static unsigned
recorded(const char *range)
{
	struct clean c;
	char path[512];
	unsigned missed;

	clean_open(&c, recording(path), range);
	missed = all_of(&c);
	assert_true(c.ndoctored >= 60);
	clean_close(&c);
	return missed;
}

static unsigned
simulated(const char *machine, const char *more)
{
	struct clean c;
	char tallyd[512], command[1400];
	unsigned missed;

	snprintf(command, sizeof command, "%s -q --sim @%s --virtual-time "
	    "-n 15 %s --overwrite -o %s/clean", built("tallyd", tallyd),
	    machine, more, test_dir);
	assert_int_equal(system(command), 0);
	snprintf(command, sizeof command, "%s/clean", test_dir);
	clean_open(&c, command, "0:14");
	missed = all_of(&c);
	clean_close(&c);
	return missed;
}

static void
of_the_recording_no_figure_is_silently_another(void **state)
{
	(void)state;
	assert_int_equal(recorded("0:17"), 0);
	assert_int_equal(recorded("0:29"), 0);
}

static void
nor_is_it_of_what_was_recorded_after_the_takeover(void **state)
{
	(void)state;
	assert_int_equal(recorded("19:29"), 0);
}

static void
of_a_skylake_node_no_figure_is_silently_another(void **state)
{
	(void)state;
	assert_int_equal(simulated("skx-8160-2s", ""), 0);
}

static void
of_an_ice_lake_node_no_figure_is_silently_another(void **state)
{
	(void)state;
	assert_int_equal(simulated("icx-8358-2s", ""), 0);
}

static void
of_a_haswell_node_no_figure_is_silently_another(void **state)
{
	(void)state;
	assert_int_equal(simulated("hsx-2699-2s", ""), 0);
}

static void
of_an_atom_node_no_figure_is_silently_another(void **state)
{
	(void)state;
	assert_int_equal(simulated("c2758", ""), 0);
}

static void
of_a_grace_node_no_figure_is_silently_another(void **state)
{
	char more[400];

	(void)state;
	snprintf(more, sizeof more, "-c %s", test_put("grace.conf",
	    "core[0-3] CPU_CYCLES\ncore[0-3] INST_RETIRED\nscf cycles\n"
	    "scf cmem_rd_data\nscf cmem_wr_total_bytes\n"));
	assert_int_equal(simulated("grace-2s", more), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_the_recording_no_figure_is_silently_another),
		cmocka_unit_test(
		    nor_is_it_of_what_was_recorded_after_the_takeover),
		cmocka_unit_test(
		    of_a_skylake_node_no_figure_is_silently_another),
		cmocka_unit_test(
		    of_an_ice_lake_node_no_figure_is_silently_another),
		cmocka_unit_test(
		    of_a_haswell_node_no_figure_is_silently_another),
		cmocka_unit_test(of_an_atom_node_no_figure_is_silently_another),
		cmocka_unit_test(of_a_grace_node_no_figure_is_silently_another),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
