/*
 * daemon/read/files.h - the numbers in files of the node that a plan reads.
 *
 * Some the kernel has at hand, for others it asks a device, which may take seconds
 * or for ever, and no flag of open(2) or preadv2(2) prevents that: sysfs knows
 * neither.  So threads of their own read them, in the ordinary scheduling class,
 * and the sampler takes what is there.  It waits for files that were quick so far,
 * a bounded time; a slow one's value goes into the next row, with the TSC of when
 * it was read.  What never comes is absent, and holds up nothing but its thread.
 */
#ifndef DAEMON_READ_FILES_H
#define DAEMON_READ_FILES_H

#include "config/file_number.h"
#include "daemon/plan/plan.h"

struct file_readers;

/* files_start - whose they are from now on; NULL where the plan has none.  patience:
 * how long a sample may wait for them, ns.  Before the filter of system calls, after
 * rights are given up.  0, or -errno with words. */
int files_start(struct file_readers **, struct plan *, struct access *,
    uint64_t patience_ns, struct diag *why);
void files_stop(struct file_readers *);        /* NULL accepted, as by all of these */

/* files_ask - sample n begins: those that are due in it are to be read.
 * files_take - it ends: their cells, and the stamps, into its row; ABSENT where
 * nothing was read since the row before. */
void files_ask(struct file_readers *, uint64_t n);
void files_take(struct file_readers *, uint64_t *row);

/* files_problem - a file, from *at on, that held no number for the first time
 * since files_forget: its column, and what it held instead; NULL: no more. */
const struct column_id *files_problem(struct file_readers *, unsigned *at,
    enum file_says *);
void files_forget(struct file_readers *);

#endif
