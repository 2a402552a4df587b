/*
 * topology/inventory_int.h - what the files of the inventory share.
 *
 * inventory.c        the boxes of a node, by the model's own lists
 * inventory_table.c  boxes that a discovery table lists
 * unit.c             boxes of AMD's core complexes and memory controllers; the
 *                    reason why a unit is absent
 */
#ifndef TOPOLOGY_INVENTORY_INT_H
#define TOPOLOGY_INVENTORY_INT_H

#include "topology/inventory.h"

/* unit_absent - mark a unit as absent or not usable, for this reason. */
void unit_absent(struct unit *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* unit_of_ccx - set u->where of a unit of SCOPE_CCX, or mark it as absent. */
void unit_of_ccx(struct unit *u, const struct topo *);

/*
 * unit_listed - look a unit up in its package's discovery table.
 *
 * Returns 1 with u->where, base and source set where the table lists it; -1 with the
 * unit marked as absent; 0 where the package has no table, so that the model's own
 * list holds.
 */
int unit_listed(struct unit *u, const struct discovery *,
    const struct package *);

/* unit_umc - look for an AMD memory controller: set u->base and counters, or mark the
 * unit as absent. */
void unit_umc(struct unit *, const struct package *, struct access *);

#endif
