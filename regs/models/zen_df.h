/*
 * regs/models/zen_df.h - the data fabric of AMD's Zen: one box of counters a
 * package, on Zen 1 a die, for model_zen.c.
 *
 * Source: the project's reference "amd-zen" 5: Linux (perf's amd uncore code and
 * lists of events) and LIKWID.  Before PerfMonV2 (Zen 4) a control has fewer bits
 * for the unit mask, and other places for the high ones of the event.
 */
#ifndef REGS_MODELS_ZEN_DF_H
#define REGS_MODELS_ZEN_DF_H

#include "regs/models/model_list.h"

extern const struct field zen_df_fields[], zen_df_v2_fields[];
extern const struct event_name zen2_df_events[];        /* of Zen 1 and Zen 3, too */
extern const struct event_name zen4_df_events[], zen5_df_events[];

#define ZEN_DF(of, n, fields, events) { \
	.name = "DF", .family = "df_counts", .space = REG_MSR, of, \
	.presence = PRESENT_CPUID, .announced = ANNOUNCED_DF, \
	.counters = n, .bits = 48, \
	.ctl = 0xc0010240, .ctl_step = 2, .ctr = 0xc0010241, .ctr_step = 2, \
	.enable = EN, .field = fields, .pmu = "amd_df", .event = events }
#define OF_PACKAGE .scope = SCOPE_PKG, .single = true, .instances = 1
/* Each die has the number of its first core complex. */
#define OF_DIE .scope = SCOPE_CCX, .of_die = true, .instances = 32
#define ZEN1_DF ZEN_DF(OF_DIE, 4, zen_df_fields, zen2_df_events)
#define ZEN2_DF ZEN_DF(OF_PACKAGE, 4, zen_df_fields, zen2_df_events)
#define ZEN4_DF ZEN_DF(OF_PACKAGE, 16, zen_df_v2_fields, zen4_df_events)
#define ZEN5_DF ZEN_DF(OF_PACKAGE, 16, zen_df_v2_fields, zen5_df_events)

#endif
