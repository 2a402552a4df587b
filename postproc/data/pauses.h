/*
 * postproc/data/pauses.h - where the daemon had given the counters to others
 * (tallyd --pause): no difference over that is a figure.
 */
#ifndef POSTPROC_DATA_PAUSES_H
#define POSTPROC_DATA_PAUSES_H

#include "config/dump/read.h"

/* pauses_between - is one between two samples of a dump? */
bool pauses_between(const struct reader *, uint64_t before, uint64_t sample);

/* pauses_seconds - how long those were, s. */
double pauses_seconds(const struct reader *, uint64_t before, uint64_t sample);

#endif
