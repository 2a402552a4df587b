/*
 * daemon/run/segment_dump.h - the dump of a segment that is over, written by a
 * child while the next one is sampled.
 */
#ifndef DAEMON_RUN_SEGMENT_DUMP_H
#define DAEMON_RUN_SEGMENT_DUMP_H

#include "daemon/run/segments.h"

/* segment_dump_start - starts to write the dump of segments.old. */
void segment_dump_start(struct segments *);

/* segment_dump_look - looks whether it is written, and removes its store then; a failure
 * is logged, and the store stays.  wait: until it is written. */
void segment_dump_look(struct segments *, bool wait);

/* segment_dump_drop - gives up on it, so that newer samples have room. */
void segment_dump_drop(struct segments *);

/* segments_drop_next - removes the store of the next segment. */
void segments_drop_next(struct segments *);

/* segment_row_time - the wall clock of a row, ns; 0: it cannot be read. */
uint64_t segment_row_time(const struct store *, uint64_t row);

void segment_leave_place(struct output *);

#endif
