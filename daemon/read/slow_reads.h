/*
 * daemon/read/slow_reads.h - registers that are read every so many samples.
 */
#ifndef DAEMON_READ_SLOW_READS_H
#define DAEMON_READ_SLOW_READS_H

#include "daemon/plan/plan.h"

/* slow_reads - those that are due in sample n, and their stamps, into its row;
 * ABSENT the others.  From wherever the caller runs: no lproc is visited for
 * them.  No allocation, no log. */
void slow_reads(struct plan *, struct access *, uint64_t n, uint64_t *row);

#endif
