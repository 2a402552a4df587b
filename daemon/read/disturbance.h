/*
 * daemon/read/disturbance.h - what a run took of the node, in the head of its dump.
 */
#ifndef DAEMON_READ_DISTURBANCE_H
#define DAEMON_READ_DISTURBANCE_H

#include "config/dump/store.h"
#include "daemon/read/sweep.h"

/*
 * disturbance_note - CPU time of all threads and of the process that writes, and
 * how often the threads went to sleep and were made to, by lproc where each has
 * its own.  For the end, once they have ended.
 *
 * writer_ns   CPU time of that process; 0: there was none
 */
void disturbance_note(struct store *, const struct sweep *,
    uint64_t writer_ns);

#endif
