/*
 * postproc/metrics/misleads.h - events that do not count what their names say.
 */
#ifndef POSTPROC_METRICS_MISLEADS_H
#define POSTPROC_METRICS_MISLEADS_H

#include "config/dump/read.h"

/* event_misleads - why a core event of the dump's CPU is not offered, case and
 * what stands behind an @ ignored; NULL where nothing is known against it.
 * tallyd counts one that is asked for by number all the same. */
const char *event_misleads(const struct reader *, const char *event);

#endif
