/*
 * regs/sim/sim.h - a simulated machine: the method of access of --sim and --replay.
 *
 * A machine has blocks of registers at raw addresses, and a workload: for each event
 * encoding a rate, phase by phase.  config/sim/machine.c builds one from text.  It
 * behaves as hardware does (see sim.c) and uses none of the models' tables, so that
 * these are tested against something else than themselves.
 */
#ifndef REGS_SIM_SIM_H
#define REGS_SIM_SIM_H

#include "regs/access.h"
#include "lib/diag.h"

struct sim;

/* sim_access - the machine as a method of access.  Closing it frees the machine. */
struct access *sim_access(struct sim *);

/* sim_virtual - on (the default): time passes only in access_sleep, which returns at
 * once and moves the clocks to its deadline.  Off: the machine's time is the
 * host's. */
void sim_virtual(struct sim *, bool on);

/* sim_advance - let ns of virtual time pass. */
void sim_advance(struct sim *, uint64_t ns);

/* What a fault does; from FAULT_SET on it happens at one moment, except FAULT_PERF.
 * FAULT_WRITES refuses writes to MSRs; those to PCI and MMIO go on. */
enum fault_kind {
	FAULT_OFFLINE, FAULT_MSR, FAULT_WRITES, FAULT_PCI_ABSENT,
	FAULT_BOX_ABSENT, FAULT_SET, FAULT_TEAR, FAULT_CLOCK, FAULT_STALL,
	FAULT_PCI_STALL, FAULT_COUNTS, FAULT_SHOWS, FAULT_PERF,
};

/* A fault, as config/sim/machine_fault.c parses its line. */
struct sim_fault {
	enum fault_kind kind;
	uint64_t from, to;      /* ns since machine start; to UINT64_MAX: no end */
	int lproc, pkg;         /* the lproc of the fault; FAULT_MSR: an MSR of this lproc or
	                         * package cannot be read or written; -1: of any */
	int error;              /* FAULT_MSR, FAULT_WRITES: what the access returns, < 0 */
	enum reg_space space;   /* REG_MSR or REG_PCI: its register by address */
	uint32_t function;      /* PCI_UNIT */
	uint64_t offset;        /* MSR number, byte of the function */
	const char *box;        /* the box's name; NULL: the fault is of none */
	unsigned box_pkg, box_inst;
	const char *reg;        /* "ctl0", in the box; NULL: all of it */
	uint64_t value;         /* FAULT_SET: the register's; stalls and FAULT_CLOCK: ns;
	                         * FAULT_PERF: how many counters another user
	                         * takes, 0: the kernel moves our events */
	/* FAULT_COUNTS: the register, or all counters of the box whose control is key
	 * under mask, count num / den of the truth. */
	uint64_t num, den, key, mask;
	/* FAULT_SHOWS: the register reads as this one, or the box as this instance. */
	const char *other;
	unsigned other_pkg, other_inst;
};

/* sim_fault - add a fault.  0, or -EINVAL (-ENOMEM, -E2BIG: too many) with "fault: ..." in why. */
int sim_fault(struct sim *, const struct sim_fault *, struct diag *why);

/*
 * sim_tape - make the register at addr read values[k] while the machine's tape is at
 * position k; a read of ABSENT fails with -EIO.  `values` belongs to the caller and
 * must outlive the machine.
 */
int sim_tape(struct sim *, const struct reg_addr *addr,
    const uint64_t *values, unsigned n);

/* sim_tape_clock - the clocks at each of n positions of the tape.  Every sleep then
 * moves the tape on by one position, as far as the last. */
void sim_tape_clock(struct sim *, const struct stamp *at, unsigned n);

#endif
