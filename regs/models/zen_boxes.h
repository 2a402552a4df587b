/*
 * regs/models/zen_boxes.h - the boxes of AMD's Zen outside the cores, for model_zen.c:
 * the L3 of each core complex, the data fabric of each package (on Zen 1 of each die),
 * the memory controllers of Zen 4 and Zen 5.
 *
 * Source: the project's reference "amd-zen" 4 to 6: Linux (perf's amd uncore code and
 * lists of events) and LIKWID.  For the L3 they agree on addresses and fields, and on
 * the events but where zen_boxes.c says otherwise.  Before PerfMonV2 (Zen 4) a control
 * of the data fabric has fewer bits for the unit mask, and other places for the high
 * bits of the event.
 */
#ifndef REGS_MODELS_ZEN_BOXES_H
#define REGS_MODELS_ZEN_BOXES_H

#include "regs/models/model_list.h"

extern const struct field zen2_l3_fields[], zen3_l3_fields[];
extern const struct ctl_fill zen2_l3_fill[], zen3_l3_fill[];
extern const struct event_name zen1_l3_events[], zen2_l3_events[], zen3_l3_events[];
extern const struct event_name zen4_l3_events[];        /* Zen 5, too */

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

extern const struct field zen_df_fields[], zen_df_v2_fields[];
extern const struct event_name zen2_df_events[];        /* Zen 1 and 3, too */
extern const struct event_name zen4_df_events[], zen5_df_events[];

#define ZEN_DF(of, n, fields, events) { \
	.name = "DF", .family = "df_counts", .space = REG_MSR, of, \
	.presence = PRESENT_CPUID, .announced = ANNOUNCED_DF, \
	.counters = n, .bits = 48, \
	.ctl = 0xc0010240, .ctl_step = 2, .ctr = 0xc0010241, .ctr_step = 2, \
	.enable = EN, .field = fields, .pmu = "amd_df", .event = events }
#define OF_PACKAGE .scope = SCOPE_PKG, .single = true, .instances = 1
/* A die has the number of its first core complex. */
#define OF_DIE .scope = SCOPE_CCX, .of_die = true, .instances = 32
#define ZEN1_DF ZEN_DF(OF_DIE, 4, zen_df_fields, zen2_df_events)
#define ZEN2_DF ZEN_DF(OF_PACKAGE, 4, zen_df_fields, zen2_df_events)
#define ZEN4_DF ZEN_DF(OF_PACKAGE, 16, zen_df_v2_fields, zen4_df_events)
#define ZEN5_DF ZEN_DF(OF_PACKAGE, 16, zen_df_v2_fields, zen5_df_events)

extern const struct field zen_umc_fields[];
extern const struct event_class zen_umc_classes[];
extern const struct event_name zen_umc_events[];

/* CPUID tells for each package how many UMCs it has and how many counters they have
 * together.  Both numbers give the real stride; this one is for four counters. */
#define ZEN_UMC { \
	.name = "UMC", .family = "umc_counts", .space = REG_MSR, \
	.scope = SCOPE_PKG, .presence = PRESENT_UMC, .instances = 16, \
	.counters = 4, .bits = 48, .saturates = true, \
	.ctl = 0xc0010800, .ctl_step = 2, .ctr = 0xc0010801, .ctr_step = 2, \
	.stride = 8, .enable = 1u << 31, .field = zen_umc_fields, \
	.most = { "rdwrmask", 2 }, \
	.classes = zen_umc_classes, .event = zen_umc_events, \
	.pmu = "amd_umc", .pmu_of_pkg = true }

#endif
