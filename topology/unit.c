/*
 * topology/unit.c - units whose place AMD's CPUs or a discovery table tell, and the
 * reason why a unit is absent.
 *
 * Of some boxes each core complex has one (the L3), or each die (the data fabric of
 * Zen 1).  Every complex has them at the same MSR numbers; the lowest online lproc of
 * the complex reads them.
 *
 * For AMD's memory controllers CPUID tells for each package which of them are in use,
 * and how many counters they have together.  Leaf 8000_0022 (reference amd-zen 1.3,
 * 6): EAX bit 0 PerfMonV2, EBX 23:16 all counters of the package, ECX a bit for each
 * UMC that is in use.  The registers of UMCs in use follow each other without gaps,
 * those of one UMC side by side.
 */
#include "topology/inventory.h"

#include "topology/topo.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

void
unit_absent(struct unit *u, const char *fmt, ...)
{
	va_list ap;

	u->present = false;
	va_start(ap, fmt);
	vsnprintf(u->reason, sizeof(u->reason), fmt, ap);
	va_end(ap);
}

unsigned
inventory_instances(const struct topo *topo, const struct box_type *type)
{
	if (type->scope != SCOPE_CCX)
		return type->instances;
	return topo->nccx > 0 ? topo->nccx : 1;
}

/* The lowest number of a core complex on the same die as an lproc, or -1 where the die
 * is not known. */
static int
first_of_die(const struct topo *topo, const struct lproc *of)
{
	int first = of->ccd >= 0 ? of->ccx : -1;

	for (unsigned l = 0; l < topo->nlproc; l++) {
		const struct lproc *lp = &topo->lproc[l];

		if (lp->online && !lp->unreadable && lp->pkg == of->pkg &&
		    lp->ccx >= 0 && lp->ccd == of->ccd && lp->ccx < first)
			first = lp->ccx;
	}
	return first;
}

void
unit_of_ccx(struct unit *u, const struct topo *topo)
{
	int lproc = topo_ccx(topo, u->pkg, u->inst);
	int first = lproc >= 0 && u->type->of_die ?
	    first_of_die(topo, &topo->lproc[lproc]) : -1;

	if (first >= 0 && first < (int)u->inst)
		unit_absent(u, "that of CCX %d counts for all of the die", first);
	else if (lproc >= 0)
		u->where = (uint32_t)lproc;
	else if (topo->nccx == 0)
		unit_absent(u, "neither CPUID nor sysfs says which lprocs share "
		    "an L3");
	else
		unit_absent(u, "no lproc of CCX %u is online, or this part has "
		    "no such CCX", u->inst);
}

#define LEAF 0x80000022u

struct umcs {
	unsigned counters;              /* of all UMCs together */
	uint32_t mask;
};

/* Reads the leaf on a CPU of the package; false, with the reason in u, where that
 * tells nothing. */
static bool
unit_umc_ask(struct unit *u, unsigned lproc, struct access *acc,
    struct umcs *say)
{
	uint32_t reg[4];                /* EAX EBX ECX EDX */

	if (!cpuid(acc, lproc, 0x80000000, 0, reg)) {
		unit_absent(u, "how many there are CPUID alone says, and "
		    "/dev/cpu/%u/cpuid cannot be read (load the cpuid module)",
		    lproc);
		return false;
	}
	*say = (struct umcs){ 0 };
	if (reg[0] >= LEAF && reg[0] <= 0x8000ffff &&
	    cpuid(acc, lproc, LEAF, 0, reg) && (reg[0] & 1) != 0)
		*say = (struct umcs){ reg[1] >> 16 & 0xff, reg[2] };
	if (say->counters != 0 || say->mask != 0)
		return true;
	unit_absent(u, "CPUID announces no counters of it (a virtual machine, "
	    "or firmware hides them)");
	return false;
}

void
unit_umc(struct unit *u, const struct package *pkg, struct access *acc)
{
	const struct box_type *type = u->type;
	struct umcs say;
	unsigned n, each;

	if (!unit_umc_ask(u, pkg->first_lproc, acc, &say))
		return;
	n = (unsigned)__builtin_popcount(say.mask);
	each = n != 0 ? say.counters / n : 0;
	if (each == 0 || each * n != say.counters || n > type->instances) {
		unit_absent(u, "CPUID leaf 0x%x has %u counters for the %u UMCs "
		    "of mask 0x%" PRIx32 ", and nobody knows how those lie: "
		    "--access perf (amd_umc_N), or the data fabric (-c @fabric)",
		    LEAF, say.counters, n, say.mask);
		return;
	}
	if (u->inst >= n) {
		unit_absent(u, "not on this part: it has %u (CPUID mask 0x%"
		    PRIx32 ")", n, say.mask);
		return;
	}
	/* the type's stride is that of four counters */
	u->base = (uint64_t)u->inst * 2 * each - (uint64_t)u->inst * type->stride;
	u->counters = (uint8_t)(each < type->counters ? each : type->counters);
}

/*
 * The boxes that a discovery table lists, as units.  The table tells where a box is.  The layout of its registers is known by the model,
 * too, and a box whose entry has another layout is not used; for some types the table
 * alone has the layout.  A box in PCI space is found by its function where the model
 * knows the device id, every other one by its id in the table.
 */

static bool
is_unit(const struct unit *u, const struct discovered *d)
{
	const struct box_type *type = u->type;

	if (d->type != type->table.number)
		return false;
	return type->devid != NULL && d->space == REG_PCI ?
	    (d->unit & 0xff) == type->devfn[u->inst] : d->id == u->inst;
}

/* Does the entry have the layout that the model has? */
static bool
as_known(struct unit *u, const struct discovered *d)
{
	const struct box_type *type = u->type;

	if (d->space != type->space && !type->table.laid)
		unit_absent(u, "entry %u of the discovery table has it in %s, "
		    "where no source knows it", d->entry, d->space == REG_MSR ?
		    "MSRs" : d->space == REG_PCI ? "PCI config space" :
		    "memory");
	else if (!type->table.laid && (d->ctl != type->ctl - type->box_ctl ||
	    d->ctr != type->ctr - type->box_ctl ||
	    d->ctl_step != type->ctl_step || d->ctr_step != type->ctr_step))
		unit_absent(u, "entry %u of the discovery table has its "
		    "controls at +0x%x and its counters at +0x%x; known is "
		    "+0x%" PRIx32 " and +0x%" PRIx32, d->entry, d->ctl, d->ctr,
		    type->ctl - type->box_ctl, type->ctr - type->box_ctl);
	else if (d->counters < type->counters || d->bits != type->bits)
		unit_absent(u, "entry %u of the discovery table has %u "
		    "counters of %u bits; known is %u of %u", d->entry,
		    d->counters, d->bits, type->counters, type->bits);
	else
		return true;
	return false;
}

static void
take_place(struct unit *u, const struct discovered *d,
    const struct package *pkg)
{
	u->where = d->space == REG_MSR ? pkg->first_lproc : d->unit;
	u->base = d->box_ctl - box_ctl_reg(u->type, u->inst);
	u->source = "discovery table";
	if (u->type->table.laid) {
		u->space = d->space;
		u->ctl = d->ctl;
		u->ctl_step = d->ctl_step;
		u->ctr = d->ctr;
		u->ctr_step = d->ctr_step;
	}
}

int
unit_listed(struct unit *u, const struct discovery *all,
    const struct package *pkg)
{
	const struct box_type *type = u->type;
	bool table = false;

	for (unsigned s = 0; s < all->n; s++) {
		const struct discovery_site *site = &all->site[s];
		const struct discovery_table *t = &site->table;

		if (site->pkg != u->pkg || site->no_table[0] != '\0')
			continue;
		table = true;
		for (unsigned i = 0; i < t->n; i++) {
			const struct discovered *d = &t->unit[i];

			if (!is_unit(u, d))
				continue;
			if (!as_known(u, d))
				return -1;
			take_place(u, d, pkg);
			return 1;
		}
	}
	if (table || type->table.only) {
		unit_absent(u, table ? "not in the discovery table" :
		    "there is no discovery table, which alone says where it is");
		return -1;
	}
	u->source = "fixed list: no discovery table";
	return 0;
}
