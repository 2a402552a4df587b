/*
 * topology/made.c - makes the model any-x86 of what a CPU without a table announces by
 * CPUID and by discovery tables (reference more-cpus, 1).
 *
 * Only counters are used that CPUID announces and whose control can be read; nothing
 * that CPUID does not tell is assumed.
 */
#include "topology/topo.h"

#include "regs/made.h"
#include "topology/discovery.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LEGACY_COUNTERS 4       /* of AMD's, from family 0Fh on */
#define SIX_COUNTERS 6          /* PerfCtrExtCore */
#define NAMED_FIXED 4           /* fixed counters with the same meaning on all CPUs */

/* How many bits, beginning with bit 0, are set without a gap. */
static unsigned
without_hole(uint32_t bits)
{
	unsigned n = 0;

	while (n < 32 && bits >> n & 1)
		n++;
	return n;
}

static bool
is_amd(const struct cpu_id *cpu)
{
	return strcmp(cpu->vendor, "AuthenticAMD") == 0 ||
	    strcmp(cpu->vendor, "HygonGenuine") == 0;
}

/* Is it an x86 CPU, with MSRs and counters of Intel's or AMD's architecture? */
static bool
is_x86(const struct cpu_id *cpu)
{
	static const char *const vendor[] = { "GenuineIntel", "CentaurHauls",
		"  Shanghai  ", "Shanghai", NULL };

	for (const char *const *v = vendor; *v != NULL; v++)
		if (strcmp(cpu->vendor, *v) == 0)
			return true;
	return is_amd(cpu);
}

/* The architectural events of leaf 0xA, where a set bit means that one is missing. */
static uint32_t
leaf_a_events(struct access *acc, unsigned lproc)
{
	uint32_t reg[4];
	unsigned n;

	if (!cpuid(acc, lproc, 0xa, 0, reg))
		return 0;
	n = reg[0] >> 24;
	return ~reg[1] & (n >= 32 ? UINT32_MAX : (1u << n) - 1);
}

/* Leaf 0x23 (present where leaf 7.1 has EAX bit 8 set) tells what this very lproc has,
 * whereas leaf 0xA may tell what all lprocs have in common. */
static void
leaf_23(struct announced_core *a, struct access *acc, unsigned lproc)
{
	uint32_t reg[4], leaves;

	if (!cpuid(acc, lproc, 0, 0, reg) || reg[0] < 0x23 ||
	    !cpuid(acc, lproc, 7, 1, reg) || (reg[0] >> 8 & 1) == 0 ||
	    !cpuid(acc, lproc, 0x23, 0, reg))
		return;
	leaves = reg[0];
	if (leaves >> 1 & 1 && cpuid(acc, lproc, 0x23, 1, reg)) {
		a->counters = without_hole(reg[0]);
		a->fixed = without_hole(reg[1]);
	}
	if (leaves >> 3 & 1 && cpuid(acc, lproc, 0x23, 3, reg))
		a->events = reg[0];
}

static struct announced_core
made_of_lproc(const struct cpu_id *cpu, struct access *acc, unsigned lproc)
{
	struct announced_core a = { .counters = cpu->gp_counters,
	    .bits = cpu->gp_bits, .fixed = cpu->fixed_counters,
	    .events = leaf_a_events(acc, lproc) };

	leaf_23(&a, acc, lproc);
	return a;
}

/* A CPU with two kinds of cores (leaf 7.0 EDX bit 15): takes what both kinds have. */
static void
in_common(struct announced_core *a, const struct topo *topo, struct access *acc,
    unsigned lproc)
{
	uint32_t reg[4];

	if (!cpuid(acc, lproc, 7, 0, reg) || (reg[3] >> 15 & 1) == 0)
		return;
	for (unsigned l = 0; l < topo->nlproc; l++) {
		struct announced_core b;

		if (!topo->lproc[l].online || l == lproc)
			continue;
		b = made_of_lproc(&topo->cpu, acc, l);
		a->counters = b.counters < a->counters ? b.counters : a->counters;
		a->fixed = b.fixed < a->fixed ? b.fixed : a->fixed;
		a->events &= b.events;
	}
}

static struct announced_core
announced_intel(struct topo *topo, struct access *acc, unsigned lproc)
{
	struct cpu_id *cpu = &topo->cpu;
	struct announced_core a = { .counters = 0 };

	if (!cpu->pmu_known) {
		cpu->no_counters = cpu->pmu_odd ? "what CPUID leaf 0xA says, no "
		    "CPU has" : cpu->pmu_version > 0 ? "how many counters there "
		    "are CPUID alone says: load the cpuid module" : NULL;
		return a;
	}
	if (cpu->pmu_version == 0)
		return a;
	a = made_of_lproc(cpu, acc, lproc);
	in_common(&a, topo, acc, lproc);
	if (a.bits == 0)
		a.counters = 0;
	if (cpu->pmu_version < 2 || cpu->fixed_bits == 0)
		a.fixed = 0;
	if (a.fixed > NAMED_FIXED)
		a.fixed = NAMED_FIXED;
	return a;
}

static struct announced_core
announced_amd(struct cpu_id *cpu, struct access *acc, unsigned lproc)
{
	struct announced_core a = { .amd = true, .bits = 48,
	    .counters = cpu->gp_counters,
	    .wide_energy = cpu->pmu_version >= 2 };
	uint32_t reg[4];

	/* EffFreqRO */
	a.own_clocks = cpuid(acc, lproc, 0x80000000, 0, reg) &&
	    reg[0] >= 0x80000007 && cpuid(acc, lproc, 0x80000007, 0, reg) &&
	    (reg[3] >> 10 & 1) != 0;
	if (!cpu->pmu_known && cpu->pmu_version > 0)
		a.counters = SIX_COUNTERS;      /* the kernel found them */
	if (a.counters > 0 || cpu->pmu_version > 0)
		return a;
	if (cpu->guest || cpu->family < 0xf) {
		cpu->no_counters = "CPUID announces none (a virtual machine?)";
		return a;
	}
	a.legacy = true;
	a.counters = LEGACY_COUNTERS;
	cpu->pmu_version = 1;
	return a;
}

static bool
faults(struct access *acc, unsigned lproc, uint32_t reg)
{
	struct reg_addr addr = { REG_MSR, 8, lproc, reg };
	uint64_t raw;

	return access_read(acc, &addr, &raw) == -EIO;
}

static void
as_many_as_answer(struct cpu_id *cpu, const struct model *m, struct access *acc,
    unsigned lproc)
{
	const struct box_type *core = m->core;
	uint32_t global = model_msrs(m)->core_global;
	unsigned n = 0;

	if (core == NULL || core->space != REG_MSR || cpu->gp_counters == 0)
		return;
	while (n < cpu->gp_counters && n < core->counters &&
	    !faults(acc, lproc, core->ctl + n * core->ctl_step) &&
	    !faults(acc, lproc, core->ctr + n * core->ctr_step))
		n++;
	if (n == 0)
		cpu->no_counters = "CPUID announces counters, and their registers "
		    "do not answer (a hypervisor without a PMU?)";
	if (n < core->counters)
		cpu->gp_counters = n;
	if (cpu->pmu_version >= 2 && global != 0 && faults(acc, lproc, global)) {
		cpu->pmu_version = 1;
		cpu->fixed_counters = 0;
	}
	while (cpu->fixed_counters > 0 && m->fixed != NULL &&
	    (faults(acc, lproc, m->fixed->ctl) ||
	    faults(acc, lproc, m->fixed->ctr + cpu->fixed_counters - 1)))
		cpu->fixed_counters--;
}

void
core_answers(struct cpu_id *cpu, const struct model *m, struct access *acc,
    unsigned lproc)
{
	if (cpu->guest && m != NULL)
		as_many_as_answer(cpu, m, acc, lproc);
}

int
made_load(struct topo *topo, struct access *acc, unsigned lproc)
{
	struct cpu_id *cpu = &topo->cpu;
	struct announced_core a;

	if (!is_x86(cpu))
		return 0;
	if ((topo->made = calloc(1, sizeof(*topo->made))) == NULL)
		return -ENOMEM;
	a = is_amd(cpu) ? announced_amd(cpu, acc, lproc) : announced_intel(topo, acc, lproc);
	if (a.counters > MAX_COUNTERS)
		a.counters = MAX_COUNTERS;
	cpu->gp_counters = a.counters;
	cpu->gp_bits = a.bits;
	cpu->fixed_counters = a.counters > 0 ? a.fixed : 0;
	made_core(topo->made, &a);
	as_many_as_answer(cpu, &topo->made->model, acc, lproc);
	a.counters = cpu->gp_counters;
	a.fixed = cpu->fixed_counters = a.counters > 0 ? cpu->fixed_counters : 0;
	made_core(topo->made, &a);
	topo->model = &topo->made->model;
	return 0;
}

/* Adds a unit of a table to the list of box types; a type has as many counters as the
 * unit with the fewest. */
static void
made_meet(struct announced_box *kind, unsigned *n, const struct discovered *d)
{
	unsigned i = 0;

	/* columns have 8 bits for the index of a box */
	if (d->type > UINT8_MAX || d->id >= UINT8_MAX || d->counters == 0)
		return;
	while (i < *n && kind[i].type != d->type)
		i++;
	if (i == MADE_BOXES)
		return;
	if (i == *n)
		kind[(*n)++] = (struct announced_box){ .type = d->type,
		    .counters = MAX_COUNTERS, .bits = d->bits };
	if (d->id >= kind[i].instances)
		kind[i].instances = (uint8_t)(d->id + 1);
	if (d->counters < kind[i].counters)
		kind[i].counters = d->counters;
}

static int
by_type(const void *a, const void *b)
{
	const struct announced_box *x = a, *y = b;

	return (x->type > y->type) - (x->type < y->type);
}

int
made_boxes(struct topo *topo, struct access *acc)
{
	struct announced_box kind[MADE_BOXES];
	struct discovery found;
	struct diag why;
	unsigned n = 0;
	int rc;

	if (topo->made == NULL)
		return 0;
	if ((rc = discovery_load(&found, topo, acc, &why)) == 0)
		for (unsigned s = 0; s < found.n; s++)
			for (unsigned i = 0; i < found.site[s].table.n; i++)
				made_meet(kind, &n,
				    &found.site[s].table.unit[i]);
	discovery_unload(&found);
	qsort(kind, n, sizeof(kind[0]), by_type);
	for (unsigned i = 0; i < n; i++)
		made_box(topo->made, &kind[i]);
	return rc;
}
