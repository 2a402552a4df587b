/*
 * postproc/data/schedule.h - when tallyd was to sample: how long intervals were meant
 * to be, and where it paused (--pause) and gave the counters to others.
 */
#ifndef POSTPROC_DATA_SCHEDULE_H
#define POSTPROC_DATA_SCHEDULE_H

#include "config/dump/read.h"

/* --max-overhead makes intervals a multiple as long, from some sample on.  Zeroed to
 * begin with. */
struct planned {
	uint64_t sample;        /* the last one that was asked for */
	uint64_t multiple;      /* of that one's interval; 0: none was asked for */
};

/* planned_multiple - how many times the head's interval the one that ends with a
 * sample was meant to be.  Samples go up from call to call. */
uint64_t planned_multiple(struct planned *, const struct reader *,
    uint64_t sample);

/* pauses_between - did tallyd pause between two samples?  Then no difference between
 * them is a figure.  pauses_seconds - how long these pauses were in all. */
bool pauses_between(const struct reader *, uint64_t before, uint64_t sample);
double pauses_seconds(const struct reader *, uint64_t before, uint64_t sample);

#endif
