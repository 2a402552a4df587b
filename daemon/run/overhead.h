/*
 * daemon/run/overhead.h - sampling less often where it costs too much.
 */
#ifndef DAEMON_RUN_OVERHEAD_H
#define DAEMON_RUN_OVERHEAD_H

#include "daemon/run/sampler.h"

/* Over how many samples --max-overhead looks. */
#define OVERHEAD_SAMPLES 10

/* overhead_limit - were those up to sample n more costly than allowed?  Then the
 * interval is a whole multiple of itself from here on, which is noted and said. */
void overhead_limit(struct sampler *, uint64_t n);

#endif
