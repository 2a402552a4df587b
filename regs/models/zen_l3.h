/*
 * regs/models/zen_l3.h - the L3 caches of AMD's Zen: a box of counters for each
 * core complex, for model_zen.c.
 *
 * Source: the project's reference "amd-zen" 4: Linux (perf's amd uncore code and
 * lists of events) and LIKWID agree on addresses and fields, and on the events but
 * where zen_l3.c says otherwise.
 */
#ifndef REGS_MODELS_ZEN_L3_H
#define REGS_MODELS_ZEN_L3_H

#include "regs/models/model_list.h"

extern const struct field zen2_l3_fields[], zen3_l3_fields[];
extern const struct ctl_fill zen2_l3_fill[], zen3_l3_fill[];
extern const struct event_name zen1_l3_events[], zen2_l3_events[], zen3_l3_events[];
extern const struct event_name zen4_l3_events[];        /* of Zen 5, too */

#define ZEN_L3(fields, fills, events) { \
	.name = "L3", .family = "l3_counts", .space = REG_MSR, \
	.scope = SCOPE_CCX, .presence = PRESENT_CPUID, \
	.announced = ANNOUNCED_L3, .instances = 32, .counters = 6, .bits = 48, \
	.ctl = 0xc0010230, .ctl_step = 2, .ctr = 0xc0010231, .ctr_step = 2, \
	.enable = EN, .field = fields, .fill = fills, .pmu = "amd_l3", \
	.event = events }
#define ZEN1_L3 ZEN_L3(zen2_l3_fields, zen2_l3_fill, zen1_l3_events)
#define ZEN2_L3 ZEN_L3(zen2_l3_fields, zen2_l3_fill, zen2_l3_events)
#define ZEN3_L3 ZEN_L3(zen3_l3_fields, zen3_l3_fill, zen3_l3_events)
#define ZEN4_L3 ZEN_L3(zen3_l3_fields, zen3_l3_fill, zen4_l3_events)

#endif
