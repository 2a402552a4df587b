/*
 * regs/models/zen_umc.h - the memory controllers of AMD's Zen 4 and Zen 5, a row
 * for the boxes of model_zen.c.
 */
#ifndef REGS_MODELS_ZEN_UMC_H
#define REGS_MODELS_ZEN_UMC_H

#include "regs/model.h"

extern const struct field zen_umc_fields[];
extern const struct event_class zen_umc_classes[];
extern const struct event_name zen_umc_events[];

/* Of each package CPUID says how many UMCs it has and how many counters they have
 * together: four each, but the stride is what follows from the two. */
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
