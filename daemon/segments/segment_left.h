/*
 * daemon/segments/segment_left.h - stores that daemons which died have left, where
 * a service begins.
 */
#ifndef DAEMON_SEGMENTS_SEGMENT_LEFT_H
#define DAEMON_SEGMENTS_SEGMENT_LEFT_H

#include "daemon/options.h"
#include "daemon/rights/output.h"

/*
 * segment_left - each where stores of this service are becomes a dump of its
 * folder, by the next number that is free, as --keep has it, and is removed; one
 * that cannot be dumped stays, and why is said.  Before the first store is made.
 */
void segment_left(const struct output *, const struct options *);

#endif
