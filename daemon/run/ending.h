/*
 * daemon/run/ending.h - when a run will have all its samples, in words.
 */
#ifndef DAEMON_RUN_ENDING_H
#define DAEMON_RUN_ENDING_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

/*
 * ending_text - "10000 samples of 1 s: stops by itself in 2 h 46 min, at 11:32".
 *
 * interval  seconds
 * now       0: its time is not ours, so that there is no telling when
 *
 * The moment is of the local time zone, with the date where it is not today's.
 * Returns buf.
 */
const char *ending_text(char *buf, size_t size, uint64_t samples,
    double interval, time_t now);

#endif
