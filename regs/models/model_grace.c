/*
 * regs/models/model_grace.c - NVIDIA Grace: Neoverse V2 cores, and the PMUs of its
 * sockets for fabric, PCIe, NVLink-C2C and CNVLink.  All are read through the kernel.
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

/* Left out is what a sampler has no use for: software increments, chained counters,
 * trace and trigger outputs, profiling samples. */
static const struct event_name core_events[] = {
	{ "L1I_CACHE_REFILL", 0x01, NULL, 0 }, { "L1I_TLB_REFILL", 0x02, NULL, 0 },
	{ "L1D_CACHE_REFILL", 0x03, NULL, 0 }, { "L1D_CACHE", 0x04, NULL, 0 },
	{ "L1D_TLB_REFILL", 0x05, NULL, 0 }, { "INST_RETIRED", 0x08, NULL, 0 },
	{ "EXC_TAKEN", 0x09, NULL, 0 }, { "EXC_RETURN", 0x0a, NULL, 0 },
	{ "CID_WRITE_RETIRED", 0x0b, NULL, 0 }, { "BR_MIS_PRED", 0x10, NULL, 0 },
	{ "CPU_CYCLES", 0x11, NULL, 0 }, { "BR_PRED", 0x12, NULL, 0 },
	{ "MEM_ACCESS", 0x13, NULL, 0 }, { "L1I_CACHE", 0x14, NULL, 0 },
	{ "L1D_CACHE_WB", 0x15, NULL, 0 }, { "L2D_CACHE", 0x16, NULL, 0 },
	{ "L2D_CACHE_REFILL", 0x17, NULL, 0 }, { "L2D_CACHE_WB", 0x18, NULL, 0 },
	{ "BUS_ACCESS", 0x19, NULL, 0 }, { "MEMORY_ERROR", 0x1a, NULL, 0 },
	{ "INST_SPEC", 0x1b, NULL, 0 }, { "TTBR_WRITE_RETIRED", 0x1c, NULL, 0 },
	{ "BUS_CYCLES", 0x1d, NULL, 0 }, { "L2D_CACHE_ALLOCATE", 0x20, NULL, 0 },
	{ "BR_RETIRED", 0x21, NULL, 0 }, { "BR_MIS_PRED_RETIRED", 0x22, NULL, 0 },
	{ "STALL_FRONTEND", 0x23, NULL, 0 }, { "STALL_BACKEND", 0x24, NULL, 0 },
	{ "L1D_TLB", 0x25, NULL, 0 }, { "L1I_TLB", 0x26, NULL, 0 },
	{ "L3D_CACHE_ALLOCATE", 0x29, NULL, 0 },
	{ "L3D_CACHE_REFILL", 0x2a, NULL, 0 }, { "L3D_CACHE", 0x2b, NULL, 0 },
	{ "L2D_TLB_REFILL", 0x2d, NULL, 0 }, { "L2D_TLB", 0x2f, NULL, 0 },
	{ "REMOTE_ACCESS", 0x31, NULL, 0 }, { "DTLB_WALK", 0x34, NULL, 0 },
	{ "ITLB_WALK", 0x35, NULL, 0 }, { "LL_CACHE_RD", 0x36, NULL, 0 },
	{ "LL_CACHE_MISS_RD", 0x37, NULL, 0 },
	{ "L1D_CACHE_LMISS_RD", 0x39, NULL, 0 }, { "OP_RETIRED", 0x3a, NULL, 0 },
	{ "OP_SPEC", 0x3b, NULL, 0 }, { "STALL", 0x3c, NULL, 0 },
	{ "STALL_SLOT_BACKEND", 0x3d, slot_stalls, 0 },
	{ "STALL_SLOT_FRONTEND", 0x3e, slot_stalls, 0 },
	{ "STALL_SLOT", 0x3f, NULL, 0 }, { "L1D_CACHE_RD", 0x40, NULL, 0 },
	{ "L1D_CACHE_WR", 0x41, NULL, 0 }, { "L1D_CACHE_REFILL_RD", 0x42, NULL, 0 },
	{ "L1D_CACHE_REFILL_WR", 0x43, NULL, 0 },
	{ "L1D_CACHE_REFILL_INNER", 0x44, NULL, 0 },
	{ "L1D_CACHE_REFILL_OUTER", 0x45, NULL, 0 },
	{ "L1D_CACHE_WB_VICTIM", 0x46, NULL, 0 },
	{ "L1D_CACHE_WB_CLEAN", 0x47, NULL, 0 },
	{ "L1D_CACHE_INVAL", 0x48, NULL, 0 },
	{ "L1D_TLB_REFILL_RD", 0x4c, NULL, 0 },
	{ "L1D_TLB_REFILL_WR", 0x4d, NULL, 0 }, { "L1D_TLB_RD", 0x4e, NULL, 0 },
	{ "L1D_TLB_WR", 0x4f, NULL, 0 }, { "L2D_CACHE_RD", 0x50, NULL, 0 },
	{ "L2D_CACHE_WR", 0x51, NULL, 0 }, { "L2D_CACHE_REFILL_RD", 0x52, NULL, 0 },
	{ "L2D_CACHE_REFILL_WR", 0x53, NULL, 0 },
	{ "L2D_CACHE_WB_VICTIM", 0x56, NULL, 0 },
	{ "L2D_CACHE_WB_CLEAN", 0x57, NULL, 0 },
	{ "L2D_CACHE_INVAL", 0x58, NULL, 0 },
	{ "L2D_TLB_REFILL_RD", 0x5c, NULL, 0 },
	{ "L2D_TLB_REFILL_WR", 0x5d, NULL, 0 }, { "L2D_TLB_RD", 0x5e, NULL, 0 },
	{ "L2D_TLB_WR", 0x5f, NULL, 0 }, { "BUS_ACCESS_RD", 0x60, NULL, 0 },
	{ "BUS_ACCESS_WR", 0x61, NULL, 0 }, { "MEM_ACCESS_RD", 0x66, NULL, 0 },
	{ "MEM_ACCESS_WR", 0x67, NULL, 0 }, { "UNALIGNED_LD_SPEC", 0x68, NULL, 0 },
	{ "UNALIGNED_ST_SPEC", 0x69, NULL, 0 },
	{ "UNALIGNED_LDST_SPEC", 0x6a, NULL, 0 }, { "LDREX_SPEC", 0x6c, NULL, 0 },
	{ "STREX_PASS_SPEC", 0x6d, NULL, 0 }, { "STREX_FAIL_SPEC", 0x6e, NULL, 0 },
	{ "STREX_SPEC", 0x6f, NULL, 0 }, { "LD_SPEC", 0x70, NULL, 0 },
	{ "ST_SPEC", 0x71, NULL, 0 }, { "DP_SPEC", 0x73, NULL, 0 },
	{ "ASE_SPEC", 0x74, NULL, 0 }, { "VFP_SPEC", 0x75, NULL, 0 },
	{ "PC_WRITE_SPEC", 0x76, NULL, 0 }, { "CRYPTO_SPEC", 0x77, NULL, 0 },
	{ "BR_IMMED_SPEC", 0x78, NULL, 0 }, { "BR_RETURN_SPEC", 0x79, NULL, 0 },
	{ "BR_INDIRECT_SPEC", 0x7a, NULL, 0 }, { "ISB_SPEC", 0x7c, NULL, 0 },
	{ "DSB_SPEC", 0x7d, NULL, 0 }, { "DMB_SPEC", 0x7e, NULL, 0 },
	{ "EXC_UNDEF", 0x81, NULL, 0 }, { "EXC_SVC", 0x82, NULL, 0 },
	{ "EXC_PABORT", 0x83, NULL, 0 }, { "EXC_DABORT", 0x84, NULL, 0 },
	{ "EXC_IRQ", 0x86, NULL, 0 }, { "EXC_FIQ", 0x87, NULL, 0 },
	{ "EXC_SMC", 0x88, NULL, 0 }, { "EXC_HVC", 0x8a, NULL, 0 },
	{ "EXC_TRAP_PABORT", 0x8b, NULL, 0 }, { "EXC_TRAP_DABORT", 0x8c, NULL, 0 },
	{ "EXC_TRAP_OTHER", 0x8d, NULL, 0 }, { "EXC_TRAP_IRQ", 0x8e, NULL, 0 },
	{ "EXC_TRAP_FIQ", 0x8f, NULL, 0 }, { "RC_LD_SPEC", 0x90, NULL, 0 },
	{ "RC_ST_SPEC", 0x91, NULL, 0 }, { "L3D_CACHE_RD", 0xa0, NULL, 0 },
	{ "CNT_CYCLES", 0x4004, NULL, 0 }, { "STALL_BACKEND_MEM", 0x4005, NULL, 0 },
	{ "L1I_CACHE_LMISS", 0x4006, NULL, 0 },
	{ "L2D_CACHE_LMISS_RD", 0x4009, NULL, 0 },
	{ "L3D_CACHE_LMISS_RD", 0x400b, NULL, 0 }, { "TRB_WRAP", 0x400c, NULL, 0 },
	{ "LDST_ALIGN_LAT", 0x4020, NULL, 0 }, { "LD_ALIGN_LAT", 0x4021, NULL, 0 },
	{ "ST_ALIGN_LAT", 0x4022, NULL, 0 },
	{ "MEM_ACCESS_CHECKED", 0x4024, NULL, 0 },
	{ "MEM_ACCESS_CHECKED_RD", 0x4025, NULL, 0 },
	{ "MEM_ACCESS_CHECKED_WR", 0x4026, NULL, 0 },
	{ "ASE_INST_SPEC", 0x8005, NULL, 0 }, { "SVE_INST_SPEC", 0x8006, NULL, 0 },
	{ "FP_HP_SPEC", 0x8014, NULL, 0 }, { "FP_SP_SPEC", 0x8018, NULL, 0 },
	{ "FP_DP_SPEC", 0x801c, NULL, 0 }, { "SVE_PRED_SPEC", 0x8074, NULL, 0 },
	{ "SVE_PRED_EMPTY_SPEC", 0x8075, NULL, 0 },
	{ "SVE_PRED_FULL_SPEC", 0x8076, NULL, 0 },
	{ "SVE_PRED_PARTIAL_SPEC", 0x8077, NULL, 0 },
	{ "SVE_PRED_NOT_FULL_SPEC", 0x8079, NULL, 0 },
	{ "SVE_LDFF_SPEC", 0x80bc, NULL, 0 },
	{ "SVE_LDFF_FAULT_SPEC", 0x80bd, NULL, 0 },
	{ "FP_SCALE_OPS_SPEC", 0x80c0, NULL, 0 },
	{ "FP_FIXED_OPS_SPEC", 0x80c1, NULL, 0 },
	{ "ASE_SVE_INT8_SPEC", 0x80e3, NULL, 0 },
	{ "ASE_SVE_INT16_SPEC", 0x80e7, NULL, 0 },
	{ "ASE_SVE_INT32_SPEC", 0x80eb, NULL, 0 },
	{ "ASE_SVE_INT64_SPEC", 0x80ef, NULL, 0 },
	{ NULL, 0, NULL, 0 }
};

/* Four events, one for the memory of each socket. */
#define SOCKETS(name, event) \
	{ "SOCKET_0_" name, event, NULL, 0 }, \
	{ "SOCKET_1_" name, event + 1, NULL, 0 }, \
	{ "SOCKET_2_" name, event + 2, NULL, 0 }, \
	{ "SOCKET_3_" name, event + 3, NULL, 0 }
static const struct event_name scf_events[] = {
	{ "CYCLES", 0x100000000, NULL, 0 }, { "BUS_CYCLES", 0x1d, NULL, 0 },
	{ "SCF_CACHE_ALLOCATE", 0xf0, NULL, 0 },
	{ "SCF_CACHE_REFILL", 0xf1, NULL, 0 }, { "SCF_CACHE", 0xf2, NULL, 0 },
	{ "SCF_CACHE_WB", 0xf3, NULL, 0 }, { "CMEM_RD_DATA", 0x1a5, NULL, 0 },
	{ "CMEM_RD_ACCESS", 0x1a6, NULL, 0 },
	{ "CMEM_RD_OUTSTANDING", 0x1a7, NULL, 0 },
	{ "CMEM_WB_DATA", 0x1ab, NULL, 0 }, { "CMEM_WB_ACCESS", 0x1ac, NULL, 0 },
	{ "CMEM_WR_DATA", 0x1b1, NULL, 0 }, { "CMEM_WR_ACCESS", 0x1ca, NULL, 0 },
	{ "CMEM_WR_TOTAL_BYTES", 0x1db, NULL, 0 },
	{ "GMEM_RD_DATA", 0x16d, NULL, 0 }, { "GMEM_RD_ACCESS", 0x16e, NULL, 0 },
	{ "GMEM_RD_OUTSTANDING", 0x16f, NULL, 0 },
	{ "GMEM_WB_DATA", 0x173, NULL, 0 }, { "GMEM_WB_ACCESS", 0x174, NULL, 0 },
	{ "GMEM_WR_DATA", 0x179, NULL, 0 }, { "GMEM_WR_ACCESS", 0x17b, NULL, 0 },
	{ "GMEM_WR_TOTAL_BYTES", 0x1a0, NULL, 0 },
	SOCKETS("RD_DATA", 0x101),
	SOCKETS("WB_DATA", 0x109),
	SOCKETS("RD_OUTSTANDING", 0x115),
	SOCKETS("RD_ACCESS", 0x12d),
	SOCKETS("WB_ACCESS", 0x135),
	SOCKETS("WR_ACCESS", 0x139),
	SOCKETS("WR_DATA", 0x17c),
	{ "REMOTE_SOCKET_WR_TOTAL_BYTES", 0x1a1, NULL, 0 },
	{ "REMOTE_SOCKET_RD_DATA", 0x1a2, NULL, 0 },
	{ "REMOTE_SOCKET_RD_OUTSTANDING", 0x1a3, NULL, 0 },
	{ "REMOTE_SOCKET_RD_ACCESS", 0x1a4, NULL, 0 },
	{ NULL, 0, NULL, 0 }
};

/* Events SOCKET_x_*, where x is the socket whose memory is accessed. */
static const uint16_t scf_toward[] = {
	0x101, 0x109, 0x115, 0x12d, 0x135, 0x139, 0x17c, 0
};

/* PCIe and both links have the same events; "loc" and "rem" tell whose memory is
 * accessed.  Event 0 is a valid event. */
static const struct event_name io_events[] = {
	{ "CYCLES", CYCLES, NULL, 0 },
	{ "RD_BYTES_LOC", 0x0, NULL, 0 }, { "RD_BYTES_REM", 0x1, NULL, 0 },
	{ "WR_BYTES_LOC", 0x2, NULL, 0 }, { "WR_BYTES_REM", 0x3, NULL, 0 },
	{ "TOTAL_BYTES_LOC", 0x4, NULL, 0 }, { "TOTAL_BYTES_REM", 0x5, NULL, 0 },
	{ "RD_REQ_LOC", 0x6, NULL, 0 }, { "RD_REQ_REM", 0x7, NULL, 0 },
	{ "WR_REQ_LOC", 0x8, NULL, 0 }, { "WR_REQ_REM", 0x9, NULL, 0 },
	{ "TOTAL_REQ_LOC", 0xa, NULL, 0 }, { "TOTAL_REQ_REM", 0xb, NULL, 0 },
	{ "RD_CUM_OUTS_LOC", 0xc, NULL, 0 }, { "RD_CUM_OUTS_REM", 0xd, NULL, 0 },
	{ NULL, 0, NULL, 0 }
};

static const struct box_type grace_core = {
	.name = "CORE", .family = "core_counts", .space = REG_PERF,
	.cls = CLASS_KERNEL,
	.scope = SCOPE_LPROC, .single = true, .instances = 1, .counters = 6,
	.bits = 64, .field = core_fields, .event = core_events,
	.kernel.own_counter = 0x11,     /* CPU_CYCLES */
};

#define SYSTEM(NAME, FAMILY, PMU, EVENTS) \
	.name = NAME, .family = FAMILY, .space = REG_PERF, \
	.scope = SCOPE_PKG, .single = true, .instances = 1, .counters = 6, \
	.bits = 64, .cls = CLASS_KERNEL, .field = system_fields, \
	.event = EVENTS, .kernel.pmu = PMU, \
	.kernel.own_counter = CYCLES

static const struct box_type grace_boxes[] = {
	{ SYSTEM("SCF", "scf_counts", "nvidia_scf_pmu", scf_events),
	  .kernel.toward = scf_toward },
	/* Without a choice of ports older drivers count nothing and newer ones all
	 * ports, so the ports are always given. */
	{ SYSTEM("PCIE", "pcie_counts", "nvidia_pcie_pmu", io_events),
	  .filter = { { "root_port", 0, 0x3ff, 0x3ff, 0, true, { 0 } } } },
	/* Only newer kernels have the term `port`; 0 means both ports. */
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
	.root_ports = 10,               /* the guide: low digit of the domain is
					 * the port, the next one the socket */
	.core = &grace_core, .box = grace_boxes,
	.freerun = no_freerun, .scalar = no_scalar,
	.max_ghz = 4.0,                 /* 3.5 at most, by the data sheet */
	.max_cas_hz = 2000000000,       /* has no such event */
};
