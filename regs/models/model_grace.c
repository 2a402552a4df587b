/*
 * regs/models/model_grace.c - NVIDIA Grace: Neoverse V2 cores, and the fabric, PCIe,
 * NVLink-C2C and CNVLink PMUs of its sockets.  All of it through the kernel.
 *
 * Sources, as gathered in the project's reference "grace-arm": event numbers
 * of the core from ARM-software/data and Arm's telemetry-solution, which agree
 * with LIKWID on each; of the system PMUs from NVIDIA's Grace guide and Linux
 * drivers/perf/arm_cspmu/nvidia_cspmu.c.  Six counters a PMU and one for
 * cycles: LIKWID; the kernel refuses a group that is larger.
 */
#include "regs/models/model_list.h"

#include <stddef.h>

#define CYCLES 0x100000000              /* of a system PMU */

static const char slot_stalls[] = "it misleads on this core (Arm's errata "
    "notice SDEN-2332927): STALL_BACKEND and STALL_FRONTEND, which count "
    "cycles, and STALL_SLOT can be relied on";

static const struct field core_fields[] = {
	{ "event", 0, 15 }, { NULL, 0, 0 }
};

/* The cycle event is event 0x100000000, so the field has 33 bits. */
static const struct field system_fields[] = {
	{ "event", 0, 32 }, { NULL, 0, 0 }
};

/* Without what no sampler wants: software increments, chained counters,
 * trace and trigger outputs, profiling samples. */
static const struct event_name core_events[] = {
	{ "L1I_CACHE_REFILL", 0x01, NULL }, { "L1I_TLB_REFILL", 0x02, NULL },
	{ "L1D_CACHE_REFILL", 0x03, NULL }, { "L1D_CACHE", 0x04, NULL },
	{ "L1D_TLB_REFILL", 0x05, NULL }, { "INST_RETIRED", 0x08, NULL },
	{ "EXC_TAKEN", 0x09, NULL }, { "EXC_RETURN", 0x0a, NULL },
	{ "CID_WRITE_RETIRED", 0x0b, NULL }, { "BR_MIS_PRED", 0x10, NULL },
	{ "CPU_CYCLES", 0x11, NULL }, { "BR_PRED", 0x12, NULL },
	{ "MEM_ACCESS", 0x13, NULL }, { "L1I_CACHE", 0x14, NULL },
	{ "L1D_CACHE_WB", 0x15, NULL }, { "L2D_CACHE", 0x16, NULL },
	{ "L2D_CACHE_REFILL", 0x17, NULL }, { "L2D_CACHE_WB", 0x18, NULL },
	{ "BUS_ACCESS", 0x19, NULL }, { "MEMORY_ERROR", 0x1a, NULL },
	{ "INST_SPEC", 0x1b, NULL }, { "TTBR_WRITE_RETIRED", 0x1c, NULL },
	{ "BUS_CYCLES", 0x1d, NULL }, { "L2D_CACHE_ALLOCATE", 0x20, NULL },
	{ "BR_RETIRED", 0x21, NULL }, { "BR_MIS_PRED_RETIRED", 0x22, NULL },
	{ "STALL_FRONTEND", 0x23, NULL }, { "STALL_BACKEND", 0x24, NULL },
	{ "L1D_TLB", 0x25, NULL }, { "L1I_TLB", 0x26, NULL },
	{ "L3D_CACHE_ALLOCATE", 0x29, NULL },
	{ "L3D_CACHE_REFILL", 0x2a, NULL }, { "L3D_CACHE", 0x2b, NULL },
	{ "L2D_TLB_REFILL", 0x2d, NULL }, { "L2D_TLB", 0x2f, NULL },
	{ "REMOTE_ACCESS", 0x31, NULL }, { "DTLB_WALK", 0x34, NULL },
	{ "ITLB_WALK", 0x35, NULL }, { "LL_CACHE_RD", 0x36, NULL },
	{ "LL_CACHE_MISS_RD", 0x37, NULL },
	{ "L1D_CACHE_LMISS_RD", 0x39, NULL }, { "OP_RETIRED", 0x3a, NULL },
	{ "OP_SPEC", 0x3b, NULL }, { "STALL", 0x3c, NULL },
	{ "STALL_SLOT_BACKEND", 0x3d, slot_stalls },
	{ "STALL_SLOT_FRONTEND", 0x3e, slot_stalls },
	{ "STALL_SLOT", 0x3f, NULL }, { "L1D_CACHE_RD", 0x40, NULL },
	{ "L1D_CACHE_WR", 0x41, NULL }, { "L1D_CACHE_REFILL_RD", 0x42, NULL },
	{ "L1D_CACHE_REFILL_WR", 0x43, NULL },
	{ "L1D_CACHE_REFILL_INNER", 0x44, NULL },
	{ "L1D_CACHE_REFILL_OUTER", 0x45, NULL },
	{ "L1D_CACHE_WB_VICTIM", 0x46, NULL },
	{ "L1D_CACHE_WB_CLEAN", 0x47, NULL },
	{ "L1D_CACHE_INVAL", 0x48, NULL },
	{ "L1D_TLB_REFILL_RD", 0x4c, NULL },
	{ "L1D_TLB_REFILL_WR", 0x4d, NULL }, { "L1D_TLB_RD", 0x4e, NULL },
	{ "L1D_TLB_WR", 0x4f, NULL }, { "L2D_CACHE_RD", 0x50, NULL },
	{ "L2D_CACHE_WR", 0x51, NULL }, { "L2D_CACHE_REFILL_RD", 0x52, NULL },
	{ "L2D_CACHE_REFILL_WR", 0x53, NULL },
	{ "L2D_CACHE_WB_VICTIM", 0x56, NULL },
	{ "L2D_CACHE_WB_CLEAN", 0x57, NULL },
	{ "L2D_CACHE_INVAL", 0x58, NULL },
	{ "L2D_TLB_REFILL_RD", 0x5c, NULL },
	{ "L2D_TLB_REFILL_WR", 0x5d, NULL }, { "L2D_TLB_RD", 0x5e, NULL },
	{ "L2D_TLB_WR", 0x5f, NULL }, { "BUS_ACCESS_RD", 0x60, NULL },
	{ "BUS_ACCESS_WR", 0x61, NULL }, { "MEM_ACCESS_RD", 0x66, NULL },
	{ "MEM_ACCESS_WR", 0x67, NULL }, { "UNALIGNED_LD_SPEC", 0x68, NULL },
	{ "UNALIGNED_ST_SPEC", 0x69, NULL },
	{ "UNALIGNED_LDST_SPEC", 0x6a, NULL }, { "LDREX_SPEC", 0x6c, NULL },
	{ "STREX_PASS_SPEC", 0x6d, NULL }, { "STREX_FAIL_SPEC", 0x6e, NULL },
	{ "STREX_SPEC", 0x6f, NULL }, { "LD_SPEC", 0x70, NULL },
	{ "ST_SPEC", 0x71, NULL }, { "DP_SPEC", 0x73, NULL },
	{ "ASE_SPEC", 0x74, NULL }, { "VFP_SPEC", 0x75, NULL },
	{ "PC_WRITE_SPEC", 0x76, NULL }, { "CRYPTO_SPEC", 0x77, NULL },
	{ "BR_IMMED_SPEC", 0x78, NULL }, { "BR_RETURN_SPEC", 0x79, NULL },
	{ "BR_INDIRECT_SPEC", 0x7a, NULL }, { "ISB_SPEC", 0x7c, NULL },
	{ "DSB_SPEC", 0x7d, NULL }, { "DMB_SPEC", 0x7e, NULL },
	{ "EXC_UNDEF", 0x81, NULL }, { "EXC_SVC", 0x82, NULL },
	{ "EXC_PABORT", 0x83, NULL }, { "EXC_DABORT", 0x84, NULL },
	{ "EXC_IRQ", 0x86, NULL }, { "EXC_FIQ", 0x87, NULL },
	{ "EXC_SMC", 0x88, NULL }, { "EXC_HVC", 0x8a, NULL },
	{ "EXC_TRAP_PABORT", 0x8b, NULL }, { "EXC_TRAP_DABORT", 0x8c, NULL },
	{ "EXC_TRAP_OTHER", 0x8d, NULL }, { "EXC_TRAP_IRQ", 0x8e, NULL },
	{ "EXC_TRAP_FIQ", 0x8f, NULL }, { "RC_LD_SPEC", 0x90, NULL },
	{ "RC_ST_SPEC", 0x91, NULL }, { "L3D_CACHE_RD", 0xa0, NULL },
	{ "CNT_CYCLES", 0x4004, NULL }, { "STALL_BACKEND_MEM", 0x4005, NULL },
	{ "L1I_CACHE_LMISS", 0x4006, NULL },
	{ "L2D_CACHE_LMISS_RD", 0x4009, NULL },
	{ "L3D_CACHE_LMISS_RD", 0x400b, NULL }, { "TRB_WRAP", 0x400c, NULL },
	{ "LDST_ALIGN_LAT", 0x4020, NULL }, { "LD_ALIGN_LAT", 0x4021, NULL },
	{ "ST_ALIGN_LAT", 0x4022, NULL },
	{ "MEM_ACCESS_CHECKED", 0x4024, NULL },
	{ "MEM_ACCESS_CHECKED_RD", 0x4025, NULL },
	{ "MEM_ACCESS_CHECKED_WR", 0x4026, NULL },
	{ "ASE_INST_SPEC", 0x8005, NULL }, { "SVE_INST_SPEC", 0x8006, NULL },
	{ "FP_HP_SPEC", 0x8014, NULL }, { "FP_SP_SPEC", 0x8018, NULL },
	{ "FP_DP_SPEC", 0x801c, NULL }, { "SVE_PRED_SPEC", 0x8074, NULL },
	{ "SVE_PRED_EMPTY_SPEC", 0x8075, NULL },
	{ "SVE_PRED_FULL_SPEC", 0x8076, NULL },
	{ "SVE_PRED_PARTIAL_SPEC", 0x8077, NULL },
	{ "SVE_PRED_NOT_FULL_SPEC", 0x8079, NULL },
	{ "SVE_LDFF_SPEC", 0x80bc, NULL },
	{ "SVE_LDFF_FAULT_SPEC", 0x80bd, NULL },
	{ "FP_SCALE_OPS_SPEC", 0x80c0, NULL },
	{ "FP_FIXED_OPS_SPEC", 0x80c1, NULL },
	{ "ASE_SVE_INT8_SPEC", 0x80e3, NULL },
	{ "ASE_SVE_INT16_SPEC", 0x80e7, NULL },
	{ "ASE_SVE_INT32_SPEC", 0x80eb, NULL },
	{ "ASE_SVE_INT64_SPEC", 0x80ef, NULL },
	{ NULL, 0, NULL }
};

static const struct event_name scf_events[] = {
	{ "CYCLES", 0x100000000, NULL }, { "BUS_CYCLES", 0x1d, NULL },
	{ "SCF_CACHE_ALLOCATE", 0xf0, NULL },
	{ "SCF_CACHE_REFILL", 0xf1, NULL }, { "SCF_CACHE", 0xf2, NULL },
	{ "SCF_CACHE_WB", 0xf3, NULL }, { "CMEM_RD_DATA", 0x1a5, NULL },
	{ "CMEM_RD_ACCESS", 0x1a6, NULL },
	{ "CMEM_RD_OUTSTANDING", 0x1a7, NULL },
	{ "CMEM_WB_DATA", 0x1ab, NULL }, { "CMEM_WB_ACCESS", 0x1ac, NULL },
	{ "CMEM_WR_DATA", 0x1b1, NULL }, { "CMEM_WR_ACCESS", 0x1ca, NULL },
	{ "CMEM_WR_TOTAL_BYTES", 0x1db, NULL },
	{ "GMEM_RD_DATA", 0x16d, NULL }, { "GMEM_RD_ACCESS", 0x16e, NULL },
	{ "GMEM_RD_OUTSTANDING", 0x16f, NULL },
	{ "GMEM_WB_DATA", 0x173, NULL }, { "GMEM_WB_ACCESS", 0x174, NULL },
	{ "GMEM_WR_DATA", 0x179, NULL }, { "GMEM_WR_ACCESS", 0x17b, NULL },
	{ "GMEM_WR_TOTAL_BYTES", 0x1a0, NULL },
	{ "SOCKET_0_RD_DATA", 0x101, NULL },
	{ "SOCKET_1_RD_DATA", 0x102, NULL },
	{ "SOCKET_2_RD_DATA", 0x103, NULL },
	{ "SOCKET_3_RD_DATA", 0x104, NULL },
	{ "SOCKET_0_WB_DATA", 0x109, NULL },
	{ "SOCKET_1_WB_DATA", 0x10a, NULL },
	{ "SOCKET_2_WB_DATA", 0x10b, NULL },
	{ "SOCKET_3_WB_DATA", 0x10c, NULL },
	{ "SOCKET_0_RD_OUTSTANDING", 0x115, NULL },
	{ "SOCKET_1_RD_OUTSTANDING", 0x116, NULL },
	{ "SOCKET_2_RD_OUTSTANDING", 0x117, NULL },
	{ "SOCKET_3_RD_OUTSTANDING", 0x118, NULL },
	{ "SOCKET_0_RD_ACCESS", 0x12d, NULL },
	{ "SOCKET_1_RD_ACCESS", 0x12e, NULL },
	{ "SOCKET_2_RD_ACCESS", 0x12f, NULL },
	{ "SOCKET_3_RD_ACCESS", 0x130, NULL },
	{ "SOCKET_0_WB_ACCESS", 0x135, NULL },
	{ "SOCKET_1_WB_ACCESS", 0x136, NULL },
	{ "SOCKET_2_WB_ACCESS", 0x137, NULL },
	{ "SOCKET_3_WB_ACCESS", 0x138, NULL },
	{ "SOCKET_0_WR_ACCESS", 0x139, NULL },
	{ "SOCKET_1_WR_ACCESS", 0x13a, NULL },
	{ "SOCKET_2_WR_ACCESS", 0x13b, NULL },
	{ "SOCKET_3_WR_ACCESS", 0x13c, NULL },
	{ "SOCKET_0_WR_DATA", 0x17c, NULL },
	{ "SOCKET_1_WR_DATA", 0x17d, NULL },
	{ "SOCKET_2_WR_DATA", 0x17e, NULL },
	{ "SOCKET_3_WR_DATA", 0x17f, NULL },
	{ "REMOTE_SOCKET_WR_TOTAL_BYTES", 0x1a1, NULL },
	{ "REMOTE_SOCKET_RD_DATA", 0x1a2, NULL },
	{ "REMOTE_SOCKET_RD_OUTSTANDING", 0x1a3, NULL },
	{ "REMOTE_SOCKET_RD_ACCESS", 0x1a4, NULL },
	{ NULL, 0, NULL }
};

/* SOCKET_x_*, x being the socket whose memory it is. */
static const uint16_t scf_toward[] = {
	0x101, 0x109, 0x115, 0x12d, 0x135, 0x139, 0x17c, 0
};

/* One set for PCIe and both links; "loc" and "rem" say whose memory.  Event 0
 * is one of them. */
static const struct event_name io_events[] = {
	{ "CYCLES", CYCLES, NULL },
	{ "RD_BYTES_LOC", 0x0, NULL }, { "RD_BYTES_REM", 0x1, NULL },
	{ "WR_BYTES_LOC", 0x2, NULL }, { "WR_BYTES_REM", 0x3, NULL },
	{ "TOTAL_BYTES_LOC", 0x4, NULL }, { "TOTAL_BYTES_REM", 0x5, NULL },
	{ "RD_REQ_LOC", 0x6, NULL }, { "RD_REQ_REM", 0x7, NULL },
	{ "WR_REQ_LOC", 0x8, NULL }, { "WR_REQ_REM", 0x9, NULL },
	{ "TOTAL_REQ_LOC", 0xa, NULL }, { "TOTAL_REQ_REM", 0xb, NULL },
	{ "RD_CUM_OUTS_LOC", 0xc, NULL }, { "RD_CUM_OUTS_REM", 0xd, NULL },
	{ NULL, 0, NULL }
};

static const struct box_type grace_core = {
	.name = "CORE", .family = "core_counts", .space = REG_PERF,
	.cls = CLASS_KERNEL,
	.scope = SCOPE_LPROC, .single = true, .instances = 1, .counters = 6,
	.bits = 64, .field = core_fields, .event = core_events,
	.own_counter = 0x11,            /* CPU_CYCLES */
};

#define SYSTEM(NAME, FAMILY, PMU, EVENTS) \
	.name = NAME, .family = FAMILY, .space = REG_PERF, \
	.scope = SCOPE_PKG, .single = true, .instances = 1, .counters = 6, \
	.bits = 64, .cls = CLASS_KERNEL, .field = system_fields, \
	.event = EVENTS, .pmu = PMU, \
	.own_counter = CYCLES

static const struct box_type grace_boxes[] = {
	{ SYSTEM("SCF", "scf_counts", "nvidia_scf_pmu", scf_events),
	  .toward = scf_toward },
	/* Older drivers count nothing where no port is chosen, newer ones all:
	 * so the ports are always said. */
	{ SYSTEM("PCIE", "pcie_counts", "nvidia_pcie_pmu", io_events),
	  .filter = { { "root_port", 0, 0x3ff, 0x3ff, 0, true, { 0 } } } },
	/* `port` is a term of newer kernels alone; 0 is both. */
	{ SYSTEM("C2C0", "c2c0_counts", "nvidia_nvlink_c2c0_pmu", io_events),
	  .filter = { { "port", 0, 0x3, 0, 0, false, { 0 } } } },
	{ SYSTEM("C2C1", "c2c1_counts", "nvidia_nvlink_c2c1_pmu", io_events),
	  .filter = { { "port", 0, 0x3, 0, 0, false, { 0 } } } },
	{ SYSTEM("CNVLINK", "cnvlink_counts", "nvidia_cnvlink_pmu", io_events),
	  .filter = { { "rem_socket", 0, 0xf, 0xf, 0, false, { 0 } } } },
	{ .name = NULL }
};

static const struct freerun no_freerun[] = {
	{ .family = NULL }
};

static const struct scalar *const no_scalar[] = { NULL };

const struct model model_grace = {
	.name = "grace", .title = "NVIDIA Grace (Neoverse V2)",
	.default_config = "@default-grace",
	.midr = 0x410fd4f0 & MIDR_MASK, .needs_pmu = "nvidia_scf_pmu",
	.pmu_driver = "nvidia_cspmu",
	.pkg_is_node = true,            /* as the drivers number sockets */
	.core = &grace_core, .box = grace_boxes,
	.freerun = no_freerun, .scalar = no_scalar,
	.max_ghz = 4.0,                 /* 3.5 at most, by the data sheet */
	.max_cas_hz = 2000000000,       /* has no such event */
};
