/*
 * regs/sim/sim.h - a machine in memory: the backend of --sim and --replay.
 *
 * A machine is made of register blocks by raw address and of a workload: a
 * rate for each event encoding, phase by phase.  config/sim/machine.c builds one
 * from text.  It behaves as hardware does (see sim.c); nothing in it knows a
 * model table.
 */
#ifndef REGS_SIM_SIM_H
#define REGS_SIM_SIM_H

#include "regs/access.h"
#include "regs/diag.h"

struct sim;

/* sim_access - the machine as a backend.  Closing it frees the machine. */
struct access *sim_access(struct sim *);

/* sim_virtual - let time pass only in access_sleep: on (the default), every
 * sleep ends at once, at its deadline.  Off, the machine's time is the host's. */
void sim_virtual(struct sim *, bool on);

/* sim_advance - let ns of virtual time pass. */
void sim_advance(struct sim *, uint64_t ns);

/* sim_fault - one fault line, as in a machine file ("from 3 lproc 5 offline"). */
int sim_fault(struct sim *, const char *line, struct diag *why);

/*
 * sim_tape - the register at addr shall read values[k] while the machine's
 * tape stands at position k; ABSENT there reads as -EIO.  The memory stays the
 * caller's and must outlive the machine.
 */
int sim_tape(struct sim *, const struct reg_addr *addr,
    const uint64_t *values, unsigned n);

/* sim_tape_clock - what the clocks say at each position; with it every sleep
 * moves the tape on by one, and the last position stays. */
void sim_tape_clock(struct sim *, const struct stamp *at, unsigned n);

/* sim_writes - how many registers were written so far. */
uint64_t sim_writes(const struct sim *);

/* sim_compare - does every register of a have the same value in b, counters
 * aside?  Tests hold "restored as found" with it.  0, or -EINVAL with the
 * first difference in why. */
int sim_compare(const struct sim *a, const struct sim *b, struct diag *why);

#endif
