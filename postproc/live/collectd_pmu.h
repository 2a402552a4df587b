/*
 * postproc/live/collectd_pmu.h - counts under the names that collectd's intel_pmu
 * plugin gives them, so that its dashboards find them:
 *
 *   PUTVAL "HOST/intel_pmu-0/counter-L2_RQSTS.PF_MISS" interval=1 N:640000
 *
 * The plugin's instance is the lproc, or the list of lprocs that were added up; of
 * boxes the first lproc of their package, as the plugin opens them there.
 */
#ifndef POSTPROC_LIVE_COLLECTD_PMU_H
#define POSTPROC_LIVE_COLLECTD_PMU_H

#include <stdio.h>

#include "postproc/live/expose.h"

struct collectd_pmu {
	FILE *f;
	struct exposed *x;
	const char *host;
	double interval;        /* s */
};

#define COLLECTD_PMU_SCOPES (1u << SCOPE_OF_LPROC | 1u << SCOPE_OF_PACKAGE)

/* collectd_pmu_put - all counts of events that there are now. */
void collectd_pmu_put(struct collectd_pmu *);

/* collectd_part - a part of an identifier, no longer than room: no / is in it, and
 * no quotes. */
void collectd_part(FILE *, const char *, size_t room);

#endif
