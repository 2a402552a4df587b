/*
 * regs/models/model_intel.c - tables that several generations of Intel's servers share.
 * Sources: the SDM; for the uncore those of model_skx.c and reference
 * intel-server-pmon 5.2.
 */
#include "regs/models/model_list.h"

#include <stddef.h>

/* IA32_PERFEVTSELn.  PC (19) and INT (20) are left out on purpose: a sampler has no use
 * for a pin or an interrupt on overflow, which can do harm. */
const struct field intel_core_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "usr", 16, 16 },
	{ "os", 17, 17 }, { "edge", 18, 18 }, { "any", 21, 21 },
	{ "inv", 23, 23 }, { "cmask", 24, 31 }, { "in_tx", 32, 32 },
	{ "in_txcp", 33, 33 }, { NULL, 0, 0 }
};

/* From Ice Lake on: without AnyThread, which is reserved. */
const struct field intel_icx_core_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "usr", 16, 16 },
	{ "os", 17, 17 }, { "edge", 18, 18 }, { "inv", 23, 23 },
	{ "cmask", 24, 31 }, { "in_tx", 32, 32 }, { "in_txcp", 33, 33 },
	{ NULL, 0, 0 }
};
/* Without the bits of TSX, too. */
const struct field intel_any_core_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "usr", 16, 16 },
	{ "os", 17, 17 }, { "edge", 18, 18 }, { "inv", 23, 23 },
	{ "cmask", 24, 31 }, { NULL, 0, 0 }
};
/* PERF_CTL of AMD.  Left out on purpose: INT (20), as we want no interrupt; GUEST and
 * HOST (40, 41), as neither counts the same as both. */
const struct field amd_core_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "usr", 16, 16 },
	{ "os", 17, 17 }, { "edge", 18, 18 }, { "inv", 23, 23 },
	{ "cmask", 24, 31 }, { "xsel", 32, 35 }, { NULL, 0, 0 }
};
const struct field no_fields[] = { { NULL, 0, 0 } };

const struct field intel_std_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "edge", 18, 18 },
	{ "inv", 23, 23 }, { "thresh", 24, 31 }, { NULL, 0, 0 }
};

const struct field intel_tid_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "edge", 18, 18 },
	{ "tid_en", 19, 19 }, { "inv", 23, 23 }, { "thresh", 24, 31 },
	{ NULL, 0, 0 }
};

const struct field intel_iio_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "edge", 18, 18 },
	{ "inv", 23, 23 }, { "thresh", 24, 35 }, { "ch_mask", 36, 47 },
	{ "fc_mask", 48, 50 }, { NULL, 0, 0 }
};

const struct field intel_wide_fields[] = {      /* on Ice Lake: Linux alone */
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "edge", 18, 18 },
	{ "inv", 23, 23 }, { "thresh", 24, 31 }, { "umask_ext", 32, 55 },
	{ NULL, 0, 0 }
};

const struct field intel_ubox_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "edge", 18, 18 },
	{ "inv", 23, 23 }, { "thresh", 24, 28 }, { NULL, 0, 0 }
};

/* Bits 7:6 of the umask are occ_sel, as in Intel's event lists, and on Haswell bit 7 of
 * the event is use_occupancy.  The threshold ends below the occupancy bits. */
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

/*
 * Events that Intel's lists call occupancy, outstanding or pending add the length of a
 * queue every cycle, which bounds them; the same holds for the lists of boxes in the
 * models.  Names are those of the lists (without UNC_M_ and the like) or of the
 * original tool's inputs.
 */
const struct event_class intel_core_classes[] = {
	CORE_CLOCKS, RETIRED, { 0x02c0, CLASS_INSTR_KIND, "INST_RETIRED.NOP" },
	{ 0xc0, CLASS_INSTR, "INST_RETIRED" },
	QUEUE(0x48, "L1D_PEND_MISS"),
	QUEUE(0x60, "OFFCORE_REQUESTS_OUTSTANDING"),
	QUEUE(0x1008, "DTLB_LOAD_MISSES.WALK_PENDING"),
	QUEUE(0x1049, "DTLB_STORE_MISSES.WALK_PENDING"),
	QUEUE(0x1085, "ITLB_MISSES.WALK_PENDING"), QUEUE(0x4f, "EPT"),
	END_OF_CLASSES
};

/* Every other event of a channel may be the length of a queue. */
const struct event_class intel_imc_classes[] = {
	{ 0x00, CLASS_MEMCMD, "CLOCKTICKS" },
	{ 0x01, CLASS_MEMCMD, "ACT_COUNT" }, { 0x01, CLASS_MEMCMD, "ACT" },
	{ 0x02, CLASS_MEMCMD, "PRE_COUNT" },
	{ 0x04, CLASS_CAS, "CAS_COUNT" }, END_OF_CLASSES
};

const struct event_class intel_pcu_classes[] = {
	TICKS(0x00), QUEUE(0x80, "POWER_STATE_OCCUPANCY"), END_OF_CLASSES
};
const struct event_class intel_irp_classes[] = {
	TICKS(0x01),
	QUEUE(0x08, "TxC_BL_DRS_OCCUPANCY"),
	QUEUE(0x09, "TxC_BL_NCB_OCCUPANCY"),
	QUEUE(0x0a, "TxC_BL_NCS_OCCUPANCY"),
	QUEUE(0x0c, "TxS_REQUEST_OCCUPANCY"),
	QUEUE(0x0f, "CACHE_TOTAL_OCCUPANCY"), QUEUE(0x15, "P2P_OCCUPANCY"),
	QUEUE(0x19, "FAF_OCCUPANCY"), END_OF_CLASSES
};
const struct event_class intel_upi_classes[] = {
	TICKS(0x01),
	QUEUE(0x32, "RxL_OCCUPANCY"), QUEUE(0x42, "TxL_OCCUPANCY"),
	QUEUE(0x44, "VNA_CREDIT_RETURN_OCCUPANCY"), END_OF_CLASSES
};

/* Memory channel c of controller k is instance 2 * k + c. */
const uint32_t intel_imc_base[] = {
	0, 0x4000, 0, 0x4000, 0, 0x4000, 0, 0x4000
};
const uint8_t intel_imc_of[] = { 0, 0, 1, 1, 2, 2, 3, 3 };
const uint8_t intel_imcfree_of[] = { 0, 1, 2, 3 };

const struct common_msrs intel_msrs = {
	.platform_info = MSR_PLATFORM_INFO,
	.temperature_target = MSR_TEMPERATURE_TARGET,
	.energy_unit = MSR_RAPL_POWER_UNIT, .power_info = MSR_PKG_POWER_INFO,
	.core_global = MSR_PERF_GLOBAL_CTRL,
	.core_in_use = MSR_PERF_GLOBAL_INUSE,
};

const struct core_fixed intel_fixed = {
	.family = "core_fixed_counts",
	.name = { "Inst_Retired.Any", "CPU_CLK_Unhalted.Core",
	    "CPU_CLK_Unhalted.Ref", NULL },
	.alias = { "INST_RETIRED.ANY", "CPU_CLK_UNHALTED.THREAD",
	    "CPU_CLK_UNHALTED.REF_TSC", NULL },
	.cls = { CLASS_INSTR, CLASS_CYCLES, CLASS_REF },
	.ctr = 0x309, .ctl = MSR_FIXED_CTR_CTRL,
};

/* The first four fixed counters count the same on every CPU that announces them. */
#define SLOTS_FIXED \
	.family = "core_fixed_counts", \
	.name = { "Inst_Retired.Any", "CPU_CLK_Unhalted.Core", \
	    "CPU_CLK_Unhalted.Ref", "TOPDOWN.SLOTS", NULL }, \
	.alias = { "INST_RETIRED.ANY", "CPU_CLK_UNHALTED.THREAD", \
	    "CPU_CLK_UNHALTED.REF_TSC", "TOPDOWN.SLOTS", NULL }, \
	.cls = { CLASS_INSTR, CLASS_CYCLES, CLASS_REF, CLASS_SLOTS }, \
	.ctr = 0x309, .ctl = MSR_FIXED_CTR_CTRL
const struct core_fixed intel_slots_fixed = { SLOTS_FIXED };
const struct core_fixed intel_metrics_fixed = {
	SLOTS_FIXED, .metrics = 0x329, .metrics_on = 1ull << 48,
};

/* MSRs that the SDM has at the same place on every server (reference 4.1): those of a
 * package first, then those of lprocs and cores. */
const struct scalar intel_scalars[] = {
	{ "pkg_temperature", REG_MSR, SCOPE_PKG, 0x1b1, 0, PRINT_TEMP, "C",
	  CLASS_TEMP, false },
	RAPL("rapl_pkg_energy", 0x611, "rapl_pkg", CLASS_ENERGY_PKG),
	RAPL("rapl_dram_energy", 0x619, "rapl_dram", CLASS_ENERGY_DRAM),
	RAPL("rapl_pkg_throttled", 0x613, "rapl_time", CLASS_SECONDS),
	MSR_BITS("pkg_therm_status", SCOPE_PKG, 0x1b1),
	MSR_BITS("pkg_ring_perf_limit_reasons", SCOPE_PKG, 0x6b1),
	MSR_COUNT("smi_count", SCOPE_PKG, 0x34, 32, "SMIs", CLASS_RARE),
	RAPL("rapl_dram_throttled", 0x61b, "rapl_time", CLASS_SECONDS),
	RESIDENCY("pkg_c2_residency", SCOPE_PKG, 0x60d),
	RESIDENCY("pkg_c6_residency", SCOPE_PKG, 0x3f9),
	MSR_BITS("pkg_uncore_ratio", SCOPE_PKG, 0x621),
	CORE_CLOCK("aperf", 0xe8, CLASS_CYCLES),
	CORE_CLOCK("mperf", 0xe7, CLASS_REF),
	MSR_BITS("core_therm_status", SCOPE_CORE, 0x19c),
	RESIDENCY("core_c6_residency", SCOPE_CORE, 0x3fd),
	{ .family = NULL }
};

/* Reference 4.1. */
const struct scalar intel_skl_scalars[] = {
	MSR_BITS("pkg_core_perf_limit_reasons", SCOPE_PKG, 0x64f),
	MSR_COUNT("pperf", SCOPE_LPROC, 0x64e, 64, "cycles", CLASS_CYCLES),
	{ .family = NULL }
};
