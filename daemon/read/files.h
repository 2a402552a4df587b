/*
 * daemon/read/files.h - the numbers in files of the node that a plan reads.
 *
 * For some of them the kernel asks a device, which may take seconds or for ever; sysfs
 * ignores O_NONBLOCK and RWF_NOWAIT.  So threads of their own read files, in the ordinary
 * scheduling class, and the sampler takes the values that are there.  It waits a bounded
 * time for files that were quick so far; the value of a slow one goes into the next row,
 * with the TSC of its reading.  A file that never answers is absent, and holds up its
 * thread alone.
 */
#ifndef DAEMON_READ_FILES_H
#define DAEMON_READ_FILES_H

#include "config/file_number.h"
#include "daemon/plan/plan.h"

struct file_readers;

/* files_start - takes the plan's files and starts the threads; *readers is NULL if there
 * are no files.  patience: how long a sample may wait for them, ns.  Called after rights
 * are given up, and before the filter of system calls.  0, or -errno with words. */
int files_start(struct file_readers **, struct plan *, struct access *,
    uint64_t patience_ns, struct diag *why);
void files_stop(struct file_readers *);        /* NULL accepted, as by all of these */

/* files_ask - at the begin of sample n: has the files read that are due.
 * files_take - at its end: puts their values and stamps into the row; ABSENT where nothing
 * was read since the row before. */
void files_ask(struct file_readers *, uint64_t n);
void files_take(struct file_readers *, uint64_t *row);

/* files_problem - the next file, from *at on, that held no number for the first time since
 * files_forget: its column, and what it held; NULL: no more. */
const struct column_id *files_problem(struct file_readers *, unsigned *at,
    enum file_says *);
void files_forget(struct file_readers *);

#endif
