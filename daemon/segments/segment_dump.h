/*
 * daemon/segments/segment_dump.h - the dump of a segment that is over, written by a
 * child while the next one is sampled.
 */
#ifndef DAEMON_SEGMENTS_SEGMENT_DUMP_H
#define DAEMON_SEGMENTS_SEGMENT_DUMP_H

#include "daemon/segments/segments.h"

/* segment_dump_start - begin with that of segments.old. */
void segment_dump_start(struct segments *);

/* segment_dump_look - is it there?  Then its store goes; a failure is said, and
 * both stay.  wait: until it is. */
void segment_dump_look(struct segments *, bool wait);

/* segment_dump_drop - there is no time left for it: what is newer is kept. */
void segment_dump_drop(struct segments *);

/* segments_drop_next - the next store is not needed. */
void segments_drop_next(struct segments *);

/* segment_row_time - the wall clock of a row, ns; 0: it cannot be read. */
uint64_t segment_row_time(const struct store *, uint64_t row);

void segment_leave_place(struct output *);

#endif
