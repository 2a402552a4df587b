/*
 * regs/models/model_srf.c - Sierra Forest (06_AFH) and Clearwater Forest (06_DDH):
 * E-cores on the platform of Granite Rapids, with its boxes.
 *
 * As there, boxes come from the package's discovery table first.  CPUID tells how many
 * counters a core has (leaves 0xA, 0x23); Intel's lists have eight general counters and
 * fixed counters 0 to 2.  Fixed counters 4 to 6 of Clearwater Forest count what general
 * counters can count, too, and are not used.
 *
 * Sources, as gathered in the project's reference "more-cpus" 3 and
 * "intel-server-pmon" 3, 4.1 and 10: Intel's lists, Linux, turbostat, Intel PCM; most
 * numbers have one source.  Intel's list of Clearwater Forest's core events (version
 * 1.04) is not among those that are built in; named are those of it that the texts count
 * and those in the reference.  Never tried on real hardware.
 */
#include "regs/models/model_spr.h"

#include <stddef.h>

/* Events of load latency: Intel's list of Sierra Forest. */
static const struct constraint srf_only[] = { { 0x05d0, 0x3 }, { 0, 0 } };

static const struct need core_need[] = {
	{ 0xd0, 0x05, 0, 0, "needs PEBS to count correctly, which tallyd does "
	    "not use" },
	{ 0xd0, 0x06, 0, 0, "needs PEBS to count correctly, which tallyd does "
	    "not use" },
	{ 0, 0, 0, 0, NULL }
};

/* By the names of Intel's list. */
static const struct event_class core_classes[] = {
	{ 0x013c, CLASS_REF, "CPU_CLK_UNHALTED.REF_TSC_P" },
	{ 0x3c, CLASS_CYCLES, "CPU_CLK_UNHALTED" },
	{ 0xc4, CLASS_INSTR_KIND, "BR_INST_RETIRED" },
	{ 0xc5, CLASS_INSTR_KIND, "BR_MISP_RETIRED" },
	{ 0xc0, CLASS_INSTR, "INST_RETIRED" },
	{ 0xc8, CLASS_FLOPS, "FP_FLOPS_RETIRED" },
	QUEUE(0x1008, "DTLB_LOAD_MISSES.WALK_PENDING"),
	QUEUE(0x1049, "DTLB_STORE_MISSES.WALK_PENDING"),
	QUEUE(0x1085, "ITLB_MISSES.WALK_PENDING"),
	QUEUE(0x01cd, "ARITH.IDIV_OCCUPANCY"),
	QUEUE(0x02cd, "ARITH.FPDIV_OCCUPANCY"), END_OF_CLASSES
};

static const struct event_name cwf_events[] = {
	{ "INST_RETIRED.ANY_P", 0xc0, NULL, 0 },
	{ "CPU_CLK_UNHALTED.THREAD_P", 0x3c, NULL, 0 },
	{ "CPU_CLK_UNHALTED.REF_TSC_P", 0x3c, NULL, 0x01 },
	{ "LONGEST_LAT_CACHE.MISS", 0x2e, NULL, 0x41 },
	{ "LONGEST_LAT_CACHE.REFERENCE", 0x2e, NULL, 0x4f },
	{ "BR_INST_RETIRED.ALL_BRANCHES", 0xc4, NULL, 0 },
	{ "BR_INST_RETIRED.COND", 0xc4, NULL, 0x07 },
	{ "BR_INST_RETIRED.COND_TAKEN", 0xc4, NULL, 0x03 },
	{ "BR_INST_RETIRED.NEAR_TAKEN", 0xc4, NULL, 0xfb },
	{ "BR_INST_RETIRED.NEAR_RETURN", 0xc4, NULL, 0x08 },
	{ "BR_INST_RETIRED.NEAR_CALL", 0xc4, NULL, 0x30 },
	{ "BR_MISP_RETIRED.ALL_BRANCHES", 0xc5, NULL, 0 },
	{ "BR_MISP_RETIRED.COND_TAKEN", 0xc5, NULL, 0x03 },
	{ "TOPDOWN_FE_BOUND.ALL", 0x9c, NULL, 0x01 },
	{ "TOPDOWN_RETIRING.ALL", 0xc2, NULL, 0x02 },
	{ "TOPDOWN_BAD_SPECULATION.ALL", 0x73, NULL, 0 },
	{ "TOPDOWN_BE_BOUND.ALL", 0xa4, NULL, 0x02 },
	{ "UOPS_RETIRED.MS", 0xc2, NULL, 0x04 },
	{ "L2_REQUEST.MISS", 0x24, NULL, 0x7f },
	{ "L2_REQUEST.HIT", 0x24, NULL, 0xbf },
	{ "FP_VINT_UOPS_EXECUTED.ALL", 0xb2, NULL, 0x1f },
	{ "FP_INST_RETIRED.32B_SP", 0xc7, NULL, 0x01 },
	{ "FP_INST_RETIRED.64B_DP", 0xc7, NULL, 0x02 },
	{ "FP_INST_RETIRED.128B_SP", 0xc7, NULL, 0x04 },
	{ "FP_INST_RETIRED.128B_DP", 0xc7, NULL, 0x08 },
	{ "FP_INST_RETIRED.256B_SP", 0xc7, NULL, 0x10 },
	{ "FP_INST_RETIRED.256B_DP", 0xc7, NULL, 0x20 },
	{ "FP_FLOPS_RETIRED.FP64", 0xc8, NULL, 0x01 },
	{ "FP_FLOPS_RETIRED.FP32", 0xc8, NULL, 0x02 },
	{ "FP_FLOPS_RETIRED.ALL", 0xc8, NULL, 0x03 },
	{ "MEM_UOPS_RETIRED.ALL_LOADS", 0xd0, NULL, 0x81 },
	{ "MEM_UOPS_RETIRED.ALL_STORES", 0xd0, NULL, 0x82 },
	{ "MEM_LOAD_UOPS_RETIRED.L1_HIT", 0xd1, NULL, 0x01 },
	{ "MEM_LOAD_UOPS_RETIRED.L1_MISS", 0xd1, NULL, 0x40 },
	{ "MEM_LOAD_UOPS_RETIRED.L2_MISS", 0xd1, NULL, 0x80 },
	{ "MEM_LOAD_UOPS_L3_MISS_RETIRED.LOCAL_DRAM", 0xd3, NULL, 0x01 },
	{ "MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_DRAM_OR_NOFWD", 0xd3, NULL, 0x02 },
	{ "MEM_LOAD_UOPS_L3_MISS_RETIRED.ALL", 0xd3, NULL, 0xff },
	{ NULL, 0, NULL, 0 }
};

/* The masks of 0x1a6 and 0x1a7: Linux alone, of Sierra Forest. */
#define CORE \
	INTEL_CORE, .classes = core_classes, \
	.counters = 8, .bits = 48,      /* how many: CPUID leaf 0xA */ \
	.field = intel_any_core_fields, .need = core_need, \
	.filter = { \
		{ "offcore_rsp_0", 0x1a6, 0x800ff3ffffffffff, 0, 0x01b7, \
		  false, { 0 } }, \
		{ "offcore_rsp_1", 0x1a7, 0x000ff3ffffffffff, 0, 0x02b7, \
		  false, { 0 } }, \
		{ "ldlat", 0x3f6, 0xffff, 0, 0x05d0, false, { 0 } }, \
	}
static const struct box_type srf_core = { CORE, .only = srf_only };
static const struct box_type cwf_core = { CORE, .event = cwf_events };

/* Psys is left out, as its unit is not known for these CPUs. */
static const struct scalar own[] = {
	RESIDENCY("core_c1_residency", SCOPE_CORE, 0x660),
	{ .family = NULL }
};
static const struct scalar *const scalars[] = {
	intel_scalars, intel_skl_scalars, own, NULL
};

static const struct cpu_match srf_id[] = { { 0xaf, 0, 15, 0 }, { 0, 0, 0, 0 } };
static const struct cpu_match cwf_id[] = { { 0xdd, 0, 15, 0 }, { 0, 0, 0, 0 } };

#define COMMON \
	.msr = &intel_msrs, .fixed = &intel_fixed, .box = gnr_boxes, \
	.freerun = gnr_freerun, .scalar = scalars, .stack = gnr_stacks, \
	.bus_method = BUS_NONE, .bus_list = &gnr_buses, \
	.dram_energy_rests = true, .max_ghz = 5.5, \
	.max_io_bytes = 64e9            /* PCIe 5.0 x16 */

const struct model model_srf = {
	.name = "srf", .title = "Sierra Forest", .default_config = "@default-srf",
	.id = srf_id, .core = &srf_core,
	.max_cas_hz = 800000000,        /* DDR5-6400: 6400e6 * 8 / 64 */
	COMMON
};

/* Its list of uncore events is Sierra Forest's (Intel's lists are identical). */
const struct model model_cwf = {
	.name = "cwf", .title = "Clearwater Forest",
	.default_config = "@default-cwf", .id = cwf_id, .core = &cwf_core,
	.uncore_list_of = 0xaf,
	.max_cas_hz = 1000000000,       /* DDR5-8000 */
	COMMON
};
