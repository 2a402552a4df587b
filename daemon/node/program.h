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
/* program_save_anew - the same of a plan that was saved and put back: lprocs that have
 * gone offline since are passed over, and keep the values that were saved then; so do
 * registers that program_lend has left out. */
int program_save_anew(struct plan *, struct access *, struct diag *why);

/* program_in_use - how many counters somebody else seems to count with, by
 * the saved values; first receives the first of them, for the user. */
unsigned program_in_use(const struct plan *, char *first, size_t size);

/*
 * program_write - program the counters: each register written, read back.
 *
 * Registers that already hold their value are left alone.  On an error the
 * registers written so far are marked so, for program_restore.
 * Returns how many could not be written because their lproc is offline (0: all are),
 * or -errno with what to do about it in why.
 */
int program_write(struct plan *, struct access *, struct diag *why);

/* program_leave_out - where program_write has left any: has those lprocs not sampled whose
 * own registers do not hold what was to be written, with a warning for each.  One that
 * comes back online would count something else, or nothing. */
void program_leave_out(struct plan *, struct access *, bool any);

/*
 * program_restore - put back what was written, last first.
 *
 * Returns how many registers could not be restored (0: all as found); the
 * first is named in why.  A half-written plan is accepted.
 */
unsigned program_restore(struct plan *, struct access *, struct diag *why);

/*
 * program_lend - the same, but lprocs that are offline are left out: what was written to
 * registers of their own stays written, and the next program_lend or program_restore puts
 * it back.
 *
 * left   out: how many registers those are; why names the first of their lprocs
 *
 * Returns how many others could not be restored.
 */
unsigned program_lend(struct plan *, struct access *, unsigned *left,
    struct diag *why);

/* program_is_lent - is no register changed but such as program_lend leaves out? */
bool program_is_lent(const struct plan *);

/* program_owned - the bits of a register that tallyd owns while it samples: all bits of
 * a counter's control, some of a register that counters share. */
uint64_t program_owned(const struct plan_write *);

/* plan_write_text - "CHA 3 of package 0 ctl0 (msr 0xe31 lproc 0)". */
const char *plan_write_text(const struct plan_write *, char *buf, size_t size);

/*
 * Threads that save, write and restore registers at once: one on each lproc that has
 * some, one for those of each package.
 */

struct team;

/* What is done with each register of plan->write. */
struct team_job {
	/* 0, or -errno with words */
	int (*one)(struct plan *, struct plan_write *, struct access *,
	    struct diag *why);
	bool backward;          /* last first */
	bool go_on;             /* after an error: else the rest of this lproc's
				 * or package's is left */
};

struct team_result {
	unsigned failed;        /* how many */
	int rc;                 /* of the first in the order of the list */
	unsigned first;         /* and which */
	struct diag why;
};

/*
 * team_start - starts the threads, which wait for a job.
 *
 * enter   what each thread does first, returning 0 or -errno; or NULL
 *
 * 0, or -errno of the first that could not be started or entered.
 */
int team_start(struct team **, struct plan *, struct access *,
    int (*enter)(void));

/* team_do - does a job on all registers: those of an lproc or a package in their order,
 * all lprocs and packages at once; team NULL: all in this thread, one after the other. */
void team_do(struct team *, struct plan *, struct access *,
    const struct team_job *, struct team_result *);

void team_stop(struct team *);          /* NULL accepted */

#endif
