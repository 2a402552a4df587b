/*
 * tests/lib/doctorings.c - doctored dumps.
 */
#include "tests/lib/doctorings.h"

#include "tests/lib/files.h"

#include <stdlib.h>
#include <string.h>

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
	D(STAY, "l3_counts[*]", 11, 29, 0),
	D(STAY, "l3_counts[0][1]*", 11, 29, 0),
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
	D(STAY, "upi_counts[*]", 9, 29, 0),
	D(STAY, "upi_counts[0][1]*", 9, 29, 0),
	D(SET, "upi_counts[1][0]*", 10, 10, 0),
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
	D(SHRINK, "pkg_tsc[1]", 5, 29, 2),
	D(GROW, "lproc_tsc[*]", 5, 29, 2),
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

/* ---- each of them -------------------------------------------------------- */

/* A clean dump, and who looks at copies of it. */
struct looking {
	const struct doctored *clean;
	doctorings_look *seen_through;
	void *arg;
	unsigned n;             /* copies */
};

static unsigned
missed(struct looking *l, const struct doctored *d, struct doctored_copy copy)
{
	copy.path = doctored_write(d, "doctored");
	l->n++;
	return !l->seen_through(l->arg, &copy);
}

static unsigned
of_table(struct looking *l, const struct doctoring *t, size_t n)
{
	unsigned not_seen = 0;

	for (size_t i = 0; i < n; i++) {
		struct doctored d;

		doctored_copy(&d, l->clean);
		if (doctor(&d, &t[i].to) > 0)
			not_seen += missed(l, &d, (struct doctored_copy){
			    .line = t[i].line, .told = true, .lost =
			    strcmp(t[i].to.columns, "*") == 0 ? 0.1 : 0 });
		doctored_free(&d);
	}
	return not_seen;
}

static unsigned
of_heads(struct looking *l)
{
	unsigned not_seen = 0;

	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		struct doctored d;

		doctored_copy(&d, l->clean);
		if (doctor_head(&d, heads[i].begins, heads[i].instead) > 0)
			not_seen += missed(l, &d, (struct doctored_copy){
			    .line = heads[i].line, .told = heads[i].told });
		doctored_free(&d);
	}
	return not_seen;
}

#define OF_TABLE(looking, table) \
	of_table(looking, table, sizeof table / sizeof *table)

unsigned
doctorings_each(const struct doctored *clean, bool x86,
    doctorings_look *seen_through, void *arg, unsigned *n)
{
	struct looking l = { clean, seen_through, arg, 0 };
	unsigned not_seen = of_heads(&l) + OF_TABLE(&l, clocks) +
	    OF_TABLE(&l, readings) + OF_TABLE(&l, fabric) +
	    OF_TABLE(&l, stamps);

	/* what the kernel counts has no limits of these boxes and lprocs */
	if (x86)
		not_seen += OF_TABLE(&l, lprocs) + OF_TABLE(&l, packages);
	*n = l.n;
	return not_seen;
}

const char *
simulated_dump(const char *machine, const char *more, char *path)
{
	char tallyd[512], command[1400];

	snprintf(path, 512, "%s/clean", test_dir);
	snprintf(command, sizeof command, "%s -q --sim %s --virtual-time "
	    "-n 15 %s --overwrite -o %s", built("tallyd", tallyd),
	    test_put("clean.machine", machine), more, path);
	assert_int_equal(system(command), 0);
	return path;
}
