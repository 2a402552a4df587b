/*
 * regs/walk.h - every register that a model's tables name, one after the other.
 */
#ifndef REGS_WALK_H
#define REGS_WALK_H

#include "regs/model.h"

/*
 * model_walk - call each() for every register of a model, in table order.
 *
 * box      as the manual spells it: "CHA".  "MSR" for a register that belongs
 *          to no box; its role is then the family of its column
 * inst     instance of the box: 0..
 * role     "boxctl" "ctl0".. "ctr0".. "fixedctl" "fixedctr" or the name of a
 *          filter; of the core's fixed counters "fixedctr0"..; "bw_in0".. of
 *          counters that always run
 * space    "msr" "pci" "mmio" ...
 * address  "0xe31" in MSR space; "bus2:0a.2:0xa0" in PCI space, with the bus's
 *          role in its package; "MEM0_BAR+0x22808" in MMIO space
 *
 * No hardware is touched.  The strings live for the time of the call.
 */
void model_walk(const struct model *,
    void (*each)(void *ctx, const char *box, unsigned inst, const char *role,
    const char *space, const char *address), void *ctx);

#endif
