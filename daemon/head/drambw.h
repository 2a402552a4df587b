/*
 * daemon/head/drambw.h - the most that DRAM can do: --measure-dram-bandwidth.
 */
#ifndef DAEMON_HEAD_DRAMBW_H
#define DAEMON_HEAD_DRAMBW_H

#include "config/dump/head.h"
#include "topology/topo.h"

/* How much memory and time a NUMA node's sweep may take. */
#define DRAMBW_BYTES (UINT64_C(1) << 30)        /* of all its threads together */
#define DRAMBW_THREAD_BYTES (UINT64_C(64) << 20)        /* of one, at most */
#define DRAMBW_NS UINT64_C(1000000000)          /* that is measured */

/*
 * drambw_measure - read and write memory of each NUMA node as fast as its own
 * cores can, one node after the other.
 *
 * bytes_per_s_by_node  out: [n] reads and writes together, by number of the
 *                      node; 0 where it has no core, no memory to spare, or
 *                      none that this process may run on
 *
 * One thread a core, tied to the core's first lproc; each touches its own
 * memory first, so that it lies on the core's node.  Takes up to
 * DRAMBW_BYTES and a little over DRAMBW_NS a node.  For every two lines read
 * one is written, and its line is read beforehand (write-allocate), which is
 * counted.  Caches: a sweep is far larger than the share of the last-level
 * cache that a core has; what hits there makes the figure too large.
 *
 * Returns the number of nodes measured, or -errno with words in why: a node
 * that cannot be measured is no error; each is logged, and why names the last.
 */
int drambw_measure(const struct topo *, double *bytes_per_s_by_node,
    unsigned n, struct diag *why);

/* drambw_put - as assignments for the head of a dump, in bytes a second:
 * dram_max_bandwidth_node[i] of NUMA node i, where it was measured, and
 * dram_max_bandwidth of all where all were. */
void drambw_put(struct head *, const struct topo *,
    const double *bytes_per_s_by_node, unsigned n);

#endif
