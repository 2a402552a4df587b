/*
 * daemon/node/pmu_place.h - which box a PMU's number means, where PMUs are numbered
 * over all packages: amd_umc_13.
 */
#ifndef DAEMON_NODE_PMU_PLACE_H
#define DAEMON_NODE_PMU_PLACE_H

#include "config/lang/want.h"
#include "topology/inventory.h"

/*
 * pmu_place - statements that name such a PMU, made those of its box.
 *
 * Through the kernel its name is that of a unit; of registers, the boxes that are
 * there have the kernel's order: package after package.  A PMU that is not there
 * is a box that is not, so that planning says so.
 */
void pmu_place(struct config *, const struct inventory *);

#endif
