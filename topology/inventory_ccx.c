/*
 * topology/inventory_ccx.c - boxes of which each core complex has one: the L3.
 * Any lproc of the complex reads it, the lowest that is online does; those of
 * other complexes see their own under the same numbers.
 */
#include "topology/inventory_int.h"

unsigned
inventory_instances(const struct topo *topo, const struct box_type *type)
{
	if (type->scope != SCOPE_CCX)
		return type->instances;
	return topo->nccx > 0 ? topo->nccx : 1;
}

void
unit_of_ccx(struct unit *u, const struct topo *topo)
{
	int lproc = topo_ccx(topo, u->pkg, u->inst);

	if (lproc >= 0)
		u->where = (uint32_t)lproc;
	else if (topo->nccx == 0)
		unit_absent(u, "neither CPUID nor sysfs says which lprocs share "
		    "an L3");
	else
		unit_absent(u, "no lproc of CCX %u is online, or this part has "
		    "no such CCX", u->inst);
}
