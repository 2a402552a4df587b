#ifndef TESTS_LIB_SIM_COMPARE_H
#define TESTS_LIB_SIM_COMPARE_H

#include "regs/sim/sim.h"

/* sim_compare - compares all registers of two machines but their counters: "restored as
 * found".  0, or -EINVAL with the first difference in why. */
int sim_compare(const struct sim *a, const struct sim *b, struct diag *why);

/* sim_writes - how many register writes a machine has seen. */
uint64_t sim_writes(const struct sim *);

#endif
