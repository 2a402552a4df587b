/*
 * topology/inventory_int.h - what the files of the inventory share.
 *
 * inventory.c        the boxes of a node, by the model's own lists
 * inventory_table.c  those that a discovery table lists
 * inventory_ccx.c    those of AMD's core complexes
 * unit_umc.c         memory controllers that CPUID has a mask of
 * unit_absent.c      why one is not there
 */
#ifndef TOPOLOGY_INVENTORY_INT_H
#define TOPOLOGY_INVENTORY_INT_H

#include "topology/inventory.h"

/* unit_absent - it is not there, or not usable, for this reason. */
void unit_absent(struct unit *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* unit_of_ccx - u->where of a unit of SCOPE_CCX, or that it is absent. */
void unit_of_ccx(struct unit *u, const struct topo *);

/*
 * unit_listed - what its package's discovery table says of a unit.
 *
 * Sets u->where, base and source.  Returns 1: it is where the table says; -1:
 * absent, with its reason; 0: the package has no table, and the model's own
 * list holds.
 */
int unit_listed(struct unit *u, const struct discovery *,
    const struct package *);

/* unit_umc - is a memory controller of AMD's there?  Sets u->base and counters, or
 * absent with its reason. */
void unit_umc(struct unit *, const struct package *, struct access *);

#endif
