/*
 * topology/inventory_ccx.c - boxes of which each core complex has one (the L3), or
 * each die (the data fabric of Zen 1).  Every complex has them at the same MSR numbers;
 * the lowest online lproc of the complex reads them.
 */
#include "topology/inventory_int.h"

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
