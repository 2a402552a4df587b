/*
 * daemon/node/program.h - changing the machine's registers, and changing them
 * back.
 */
#ifndef DAEMON_NODE_PROGRAM_H
#define DAEMON_NODE_PROGRAM_H

#include "daemon/plan/plan.h"

/* Where a PCI function's file cannot be written. */
#define READ_ONLY "/sys is mounted read-only (a container?): `mount -o remount,rw /sys`"

/* program_save - read every register of plan->write: old, and the new value
 * that follows from it.  Writes nothing.  0 or -errno. */
int program_save(struct plan *, struct access *, struct diag *why);

/* program_in_use - how many counters somebody else seems to count with, by
 * the saved values; first receives the first of them, for the user. */
unsigned program_in_use(const struct plan *, char *first, size_t size);

/*
 * program_write - program the counters: each register written, read back.
 *
 * Registers that already hold their value are left alone.  On an error the
 * registers written so far are marked so, for program_restore.
 * Returns 0, or -errno with what to do about it in why.
 */
int program_write(struct plan *, struct access *, struct diag *why);

/*
 * program_restore - put back what was written, last first.
 *
 * Returns how many registers could not be restored (0: all as found); the
 * first is named in why.  A half-written plan is accepted.
 */
unsigned program_restore(struct plan *, struct access *, struct diag *why);

/* program_owned - the bits of a register that tallyd owns while it samples: all bits of
 * a counter's control, some of a register that counters share. */
uint64_t program_owned(const struct plan_write *);

/* plan_write_text - "CHA 3 of package 0 ctl0 (msr 0xe31 lproc 0)". */
const char *plan_write_text(const struct plan_write *, char *buf, size_t size);

#endif
