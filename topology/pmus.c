/*
 * topology/pmus.c - finds the boxes of a node by the kernel's PMUs.  A PMU is a directory
 * in sysfs; it has a box in each package or die of which its cpumask has a CPU.
 */
#include "topology/inventory.h"

#include "lib/array.h"
#include "regs/perf.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is found, and where the search is. */
struct unit_search {
	struct inventory *inv;
	const struct topo *topo;
	struct access *acc;
	const struct box_type *type;
	unsigned pmus;                  /* how many PMUs the type has */
	const char *pmu;                /* the PMU that is looked at */
	int n;                          /* its number; < 0: it has none */
	unsigned dies[MAX_PKG];         /* CPUs of its cpumask so far, by package */
	unsigned room;                  /* units that inv->unit has room for */
	int rc;                         /* -ENOMEM, or 0 */
};

static struct unit *
new_unit(struct unit_search *f)
{
	struct inventory *inv = f->inv;
	struct unit *u;

	if (!array_room(&inv->unit, inv->n, &f->room, sizeof(*u))) {
		f->rc = -ENOMEM;
		return NULL;
	}
	u = &inv->unit[inv->n++];
	memset(u, 0, sizeof(*u));
	u->type = f->type;
	u->counters = (uint8_t)unit_counters(f->type, &f->topo->cpu);
	return u;
}

/* The unit's number in its package.  An L3's is that of its core complex.  Where the
 * mask has a CPU for each die, the boxes of the second die are numbered after those of
 * the first.  PMUs that are of one package each are numbered as they are found. */
static unsigned
number_in_package(const struct unit_search *f, const struct unit *u, unsigned die)
{
	unsigned n = 0;

	if (f->type->scope == SCOPE_CCX && f->topo->lproc[u->where].ccx >= 0)
		return (unsigned)f->topo->lproc[u->where].ccx;
	if (!f->type->kernel.pmu_of_pkg)
		return (f->n < 0 ? 0 : (unsigned)f->n) + die * f->pmus;
	for (const struct unit *v = f->inv->unit; v < u; v++)
		n += v->type == f->type && v->pkg == u->pkg;
	return n;
}

/* Adds the unit that a CPU of the cpumask stands for.  A single box of a package is
 * present once: more dies or PMUs of the type are marked as absent. */
static void
add_unit_of(void *ctx, unsigned cpu)
{
	struct unit_search *f = ctx;
	int pkg = f->topo->lproc[cpu].pkg;
	unsigned die;
	struct unit *u, *had = NULL;

	if (pkg < 0 || (u = new_unit(f)) == NULL)
		return;
	die = f->dies[pkg]++;
	/* a second PMU of the type in what the kernel takes for one package */
	for (struct unit *v = f->inv->unit; f->type->single && v < u; v++)
		if (v->type == f->type && v->pkg == pkg && v->present)
			had = v;
	u->pkg = (uint16_t)pkg;
	u->where = cpu;
	snprintf(u->pmu, sizeof(u->pmu), "%s", f->pmu);
	if (!f->type->single)
		u->inst = (uint16_t)number_in_package(f, u, die);
	u->present = !f->type->single || (die == 0 && had == NULL);
	if (die == 0 && had != NULL)
		snprintf(u->reason, sizeof(u->reason), "%.40s is of package "
		    "%d, too, and a package has one such column: %.40s", f->pmu,
		    pkg, had->pmu);
	else if (!u->present)
		snprintf(u->reason, sizeof(u->reason), "it is of another die "
		    "of its package (CPU %u), and a package has one such "
		    "column", cpu);
}

/* Marks the box of a PMU that cannot be used as absent in every package. */
static void
add_wrong(struct unit_search *f, const char *name, int n, const char *wrong)
{
	struct unit *u;

	for (unsigned p = 0; p < f->topo->npkg; p++) {
		if ((u = new_unit(f)) == NULL)
			return;
		u->pkg = (uint16_t)p;
		u->inst = (uint16_t)(n < 0 ? 0 : n);
		snprintf(u->reason, sizeof(u->reason), "PMU %s: %s", name,
		    wrong);
	}
}

static void
add_pmu(void *ctx, const char *name, int n)
{
	struct unit_search *f = ctx;
	struct pmu *pmu = malloc(sizeof(*pmu));

	if (pmu == NULL)
		f->rc = -ENOMEM;
	else if (pmu_load(pmu, f->acc, name) == 0) {
		f->pmu = name;
		f->n = n;
		memset(f->dies, 0, sizeof(f->dies));
		cpulist_parse(pmu->cpumask, f->topo->nlproc, add_unit_of, f);
	} else if (pmu->wrong[0] != '\0')
		add_wrong(f, name, n, pmu->wrong);
	free(pmu);
}

static void
count_and_add(struct unit_search *f, const char *name)
{
	f->pmus = pmu_each(f->acc, name, NULL, NULL);
	pmu_each(f->acc, name, add_pmu, f);
}

/* The PMU's name on a kernel that does not know the generation, which names box types
 * by their number in discovery tables.  False where the type has no number, or has the
 * same number as an earlier type. */
static bool
pmus_numbered(const struct model *m, const struct box_type *type, char *buf,
    size_t size)
{
	if (type->presence != PRESENT_TABLE && type->table.number == 0)
		return false;
	for (const struct box_type *b = m->box; b != type; b++)
		if (b->presence == PRESENT_TABLE &&
		    b->table.number == type->table.number)
			return false;
	snprintf(buf, size, "uncore_type_%u", type->table.number);
	return true;
}

static int
pmus_by_place(const void *a, const void *b)
{
	const struct unit *x = a, *y = b;

	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	if (x->pkg != y->pkg)
		return x->pkg < y->pkg ? -1 : 1;
	return (x->inst > y->inst) - (x->inst < y->inst);
}

/* Why the kernel may lack a PMU. */
static const char *
why_none(const char *pmu)
{
	if (strncmp(pmu, "nvidia_", 7) == 0)
		return "load nvidia_cspmu";
	if (strncmp(pmu, "amd_", 4) == 0)
		return "load amd_uncore; or firmware hides it, or it is a "
		    "virtual machine";
	return "driver not loaded, or a virtual machine";
}

/* Marks the boxes of a package without such PMUs as absent. */
static void
add_absent(struct unit_search *f, unsigned first, const char *name)
{
	struct unit *u;

	for (unsigned p = 0; p < f->topo->npkg; p++) {
		bool found = false;

		for (unsigned i = first; i < f->inv->n; i++)
			found |= f->inv->unit[i].pkg == p;
		if (found || (u = new_unit(f)) == NULL)
			continue;
		u->pkg = (uint16_t)p;
		snprintf(u->reason, sizeof(u->reason), "the kernel has no PMU "
		    "%s for it (%s)", name, why_none(name));
	}
}

int
inventory_perf(struct inventory *inv, const struct topo *topo,
    struct access *acc, struct diag *why)
{
	struct unit_search f = { .inv = inv, .topo = topo, .acc = acc };
	char name[64], number[64];

	inventory_free(inv);
	if (topo->model == NULL)
		return 0;
	for (f.type = topo->model->box; f.type->name != NULL; f.type++) {
		unsigned first = inv->n;

		box_pmu(f.type, name, sizeof(name));
		count_and_add(&f, name);
		if (f.pmus == 0 && pmus_numbered(topo->model, f.type, number,
		    sizeof(number)))
			count_and_add(&f, number);
		add_absent(&f, first, name);
	}
	if (f.rc < 0)
		return diag_set(why, f.rc, "out of memory");
	if (inv->n > 0)
		qsort(inv->unit, inv->n, sizeof(inv->unit[0]), pmus_by_place);
	return 0;
}
