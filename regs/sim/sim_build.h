/*
 * regs/sim/sim_build.h - from the description of a machine to the machine.
 */
#ifndef REGS_SIM_SIM_BUILD_H
#define REGS_SIM_SIM_BUILD_H

#include "regs/sim/sim.h"
#include "regs/sim/sim_desc.h"

/* sim_build - the machine that d describes, at its time 0.  It takes d over,
 * also when it fails.  0, or -errno with "file:line: ..." in why. */
int sim_build(struct sim **, struct sim_desc *d, struct diag *why);
void sim_free(struct sim *);

#endif
