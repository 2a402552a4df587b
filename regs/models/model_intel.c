/*
 * regs/models/model_intel.c - what the tables of several generations of Intel's
 * servers share.  Sources: the SDM; of the uncore those of model_skx.c, and
 * reference intel-server-pmon 5.2.
 */
#include "regs/models/model_list.h"

#include <stddef.h>

/* IA32_PERFEVTSELn.  PC (19) and INT (20) are left out on purpose: a pin or
 * an interrupt on overflow has no use for a sampler and can hurt a node. */
const struct field intel_core_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "usr", 16, 16 },
	{ "os", 17, 17 }, { "edge", 18, 18 }, { "any", 21, 21 },
	{ "inv", 23, 23 }, { "cmask", 24, 31 }, { "in_tx", 32, 32 },
	{ "in_txcp", 33, 33 }, { NULL, 0, 0 }
};

const struct field intel_std_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "edge", 18, 18 },
	{ "inv", 23, 23 }, { "thresh", 24, 31 }, { NULL, 0, 0 }
};

const struct field intel_tid_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "edge", 18, 18 },
	{ "tid_en", 19, 19 }, { "inv", 23, 23 }, { "thresh", 24, 31 },
	{ NULL, 0, 0 }
};

const struct field intel_ubox_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "edge", 18, 18 },
	{ "inv", 23, 23 }, { "thresh", 24, 28 }, { NULL, 0, 0 }
};

/* umask 7:6 is occ_sel here, as Intel's event lists write it (and event bit 7
 * of Haswell use_occupancy).  The threshold stops short of the occupancy
 * bits. */
const struct field intel_pcu_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "edge", 18, 18 },
	{ "xsel", 21, 21 }, { "inv", 23, 23 }, { "thresh", 24, 28 },
	{ "occ_invert", 30, 30 }, { "occ_edge", 31, 31 }, { NULL, 0, 0 }
};

/* MEM_TRANS_RETIRED.LOAD_LATENCY_* (perf-event 8.3) */
const struct need intel_core_need[] = {
	{ 0xcd, 0x01, 0, 0, "needs PEBS to count correctly, which tallyd does "
	    "not use" },
	{ 0, 0, 0, 0, NULL }
};

const struct core_fixed intel_fixed = {
	.family = "core_fixed_counts",
	.name = { "Inst_Retired.Any", "CPU_CLK_Unhalted.Core",
	    "CPU_CLK_Unhalted.Ref", NULL },
	.alias = { "INST_RETIRED.ANY", "CPU_CLK_UNHALTED.THREAD",
	    "CPU_CLK_UNHALTED.REF_TSC", NULL },
	.ctr = 0x309, .ctl = MSR_FIXED_CTR_CTRL,
};
