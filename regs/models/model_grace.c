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
	EVENT("L1I_CACHE_REFILL", 0x01), EVENT("L1I_TLB_REFILL", 0x02),
	EVENT("L1D_CACHE_REFILL", 0x03), EVENT("L1D_CACHE", 0x04),
	EVENT("L1D_TLB_REFILL", 0x05), EVENT("INST_RETIRED", 0x08),
	EVENT("EXC_TAKEN", 0x09), EVENT("EXC_RETURN", 0x0a),
	EVENT("CID_WRITE_RETIRED", 0x0b), EVENT("BR_MIS_PRED", 0x10),
	EVENT("CPU_CYCLES", 0x11), EVENT("BR_PRED", 0x12),
	EVENT("MEM_ACCESS", 0x13), EVENT("L1I_CACHE", 0x14),
	EVENT("L1D_CACHE_WB", 0x15), EVENT("L2D_CACHE", 0x16),
	EVENT("L2D_CACHE_REFILL", 0x17), EVENT("L2D_CACHE_WB", 0x18),
	EVENT("BUS_ACCESS", 0x19), EVENT("MEMORY_ERROR", 0x1a),
	EVENT("INST_SPEC", 0x1b), EVENT("TTBR_WRITE_RETIRED", 0x1c),
	EVENT("BUS_CYCLES", 0x1d), EVENT("L2D_CACHE_ALLOCATE", 0x20),
	EVENT("BR_RETIRED", 0x21), EVENT("BR_MIS_PRED_RETIRED", 0x22),
	EVENT("STALL_FRONTEND", 0x23), EVENT("STALL_BACKEND", 0x24),
	EVENT("L1D_TLB", 0x25), EVENT("L1I_TLB", 0x26),
	EVENT("L3D_CACHE_ALLOCATE", 0x29), EVENT("L3D_CACHE_REFILL", 0x2a),
	EVENT("L3D_CACHE", 0x2b), EVENT("L2D_TLB_REFILL", 0x2d),
	EVENT("L2D_TLB", 0x2f), EVENT("REMOTE_ACCESS", 0x31),
	EVENT("DTLB_WALK", 0x34), EVENT("ITLB_WALK", 0x35),
	EVENT("LL_CACHE_RD", 0x36), EVENT("LL_CACHE_MISS_RD", 0x37),
	EVENT("L1D_CACHE_LMISS_RD", 0x39), EVENT("OP_RETIRED", 0x3a),
	EVENT("OP_SPEC", 0x3b), EVENT("STALL", 0x3c),
	{ "STALL_SLOT_BACKEND", 0x3d, slot_stalls, 0 },
	{ "STALL_SLOT_FRONTEND", 0x3e, slot_stalls, 0 },
	EVENT("STALL_SLOT", 0x3f), EVENT("L1D_CACHE_RD", 0x40),
	EVENT("L1D_CACHE_WR", 0x41), EVENT("L1D_CACHE_REFILL_RD", 0x42),
	EVENT("L1D_CACHE_REFILL_WR", 0x43),
	EVENT("L1D_CACHE_REFILL_INNER", 0x44),
	EVENT("L1D_CACHE_REFILL_OUTER", 0x45),
	EVENT("L1D_CACHE_WB_VICTIM", 0x46), EVENT("L1D_CACHE_WB_CLEAN", 0x47),
	EVENT("L1D_CACHE_INVAL", 0x48), EVENT("L1D_TLB_REFILL_RD", 0x4c),
	EVENT("L1D_TLB_REFILL_WR", 0x4d), EVENT("L1D_TLB_RD", 0x4e),
	EVENT("L1D_TLB_WR", 0x4f), EVENT("L2D_CACHE_RD", 0x50),
	EVENT("L2D_CACHE_WR", 0x51), EVENT("L2D_CACHE_REFILL_RD", 0x52),
	EVENT("L2D_CACHE_REFILL_WR", 0x53), EVENT("L2D_CACHE_WB_VICTIM", 0x56),
	EVENT("L2D_CACHE_WB_CLEAN", 0x57), EVENT("L2D_CACHE_INVAL", 0x58),
	EVENT("L2D_TLB_REFILL_RD", 0x5c), EVENT("L2D_TLB_REFILL_WR", 0x5d),
	EVENT("L2D_TLB_RD", 0x5e), EVENT("L2D_TLB_WR", 0x5f),
	EVENT("BUS_ACCESS_RD", 0x60), EVENT("BUS_ACCESS_WR", 0x61),
	EVENT("MEM_ACCESS_RD", 0x66), EVENT("MEM_ACCESS_WR", 0x67),
	EVENT("UNALIGNED_LD_SPEC", 0x68), EVENT("UNALIGNED_ST_SPEC", 0x69),
	EVENT("UNALIGNED_LDST_SPEC", 0x6a), EVENT("LDREX_SPEC", 0x6c),
	EVENT("STREX_PASS_SPEC", 0x6d), EVENT("STREX_FAIL_SPEC", 0x6e),
	EVENT("STREX_SPEC", 0x6f), EVENT("LD_SPEC", 0x70),
	EVENT("ST_SPEC", 0x71), EVENT("DP_SPEC", 0x73), EVENT("ASE_SPEC", 0x74),
	EVENT("VFP_SPEC", 0x75), EVENT("PC_WRITE_SPEC", 0x76),
	EVENT("CRYPTO_SPEC", 0x77), EVENT("BR_IMMED_SPEC", 0x78),
	EVENT("BR_RETURN_SPEC", 0x79), EVENT("BR_INDIRECT_SPEC", 0x7a),
	EVENT("ISB_SPEC", 0x7c), EVENT("DSB_SPEC", 0x7d),
	EVENT("DMB_SPEC", 0x7e), EVENT("EXC_UNDEF", 0x81),
	EVENT("EXC_SVC", 0x82), EVENT("EXC_PABORT", 0x83),
	EVENT("EXC_DABORT", 0x84), EVENT("EXC_IRQ", 0x86),
	EVENT("EXC_FIQ", 0x87), EVENT("EXC_SMC", 0x88), EVENT("EXC_HVC", 0x8a),
	EVENT("EXC_TRAP_PABORT", 0x8b), EVENT("EXC_TRAP_DABORT", 0x8c),
	EVENT("EXC_TRAP_OTHER", 0x8d), EVENT("EXC_TRAP_IRQ", 0x8e),
	EVENT("EXC_TRAP_FIQ", 0x8f), EVENT("RC_LD_SPEC", 0x90),
	EVENT("RC_ST_SPEC", 0x91), EVENT("L3D_CACHE_RD", 0xa0),
	EVENT("CNT_CYCLES", 0x4004), EVENT("STALL_BACKEND_MEM", 0x4005),
	EVENT("L1I_CACHE_LMISS", 0x4006), EVENT("L2D_CACHE_LMISS_RD", 0x4009),
	EVENT("L3D_CACHE_LMISS_RD", 0x400b), EVENT("TRB_WRAP", 0x400c),
	EVENT("LDST_ALIGN_LAT", 0x4020), EVENT("LD_ALIGN_LAT", 0x4021),
	EVENT("ST_ALIGN_LAT", 0x4022), EVENT("MEM_ACCESS_CHECKED", 0x4024),
	EVENT("MEM_ACCESS_CHECKED_RD", 0x4025),
	EVENT("MEM_ACCESS_CHECKED_WR", 0x4026), EVENT("ASE_INST_SPEC", 0x8005),
	EVENT("SVE_INST_SPEC", 0x8006), EVENT("FP_HP_SPEC", 0x8014),
	EVENT("FP_SP_SPEC", 0x8018), EVENT("FP_DP_SPEC", 0x801c),
	EVENT("SVE_PRED_SPEC", 0x8074), EVENT("SVE_PRED_EMPTY_SPEC", 0x8075),
	EVENT("SVE_PRED_FULL_SPEC", 0x8076),
	EVENT("SVE_PRED_PARTIAL_SPEC", 0x8077),
	EVENT("SVE_PRED_NOT_FULL_SPEC", 0x8079), EVENT("SVE_LDFF_SPEC", 0x80bc),
	EVENT("SVE_LDFF_FAULT_SPEC", 0x80bd),
	EVENT("FP_SCALE_OPS_SPEC", 0x80c0), EVENT("FP_FIXED_OPS_SPEC", 0x80c1),
	EVENT("ASE_SVE_INT8_SPEC", 0x80e3), EVENT("ASE_SVE_INT16_SPEC", 0x80e7),
	EVENT("ASE_SVE_INT32_SPEC", 0x80eb),
	EVENT("ASE_SVE_INT64_SPEC", 0x80ef), { NULL, 0, NULL, 0 }
};

/* Four events, one for the memory of each socket. */
#define SOCKETS(name, event) \
	{ "SOCKET_0_" name, event, NULL, 0 }, \
	{ "SOCKET_1_" name, event + 1, NULL, 0 }, \
	{ "SOCKET_2_" name, event + 2, NULL, 0 }, \
	{ "SOCKET_3_" name, event + 3, NULL, 0 }
static const struct event_name scf_events[] = {
	EVENT("CYCLES", 0x100000000), EVENT("BUS_CYCLES", 0x1d),
	EVENT("SCF_CACHE_ALLOCATE", 0xf0), EVENT("SCF_CACHE_REFILL", 0xf1),
	EVENT("SCF_CACHE", 0xf2), EVENT("SCF_CACHE_WB", 0xf3),
	EVENT("CMEM_RD_DATA", 0x1a5), EVENT("CMEM_RD_ACCESS", 0x1a6),
	EVENT("CMEM_RD_OUTSTANDING", 0x1a7), EVENT("CMEM_WB_DATA", 0x1ab),
	EVENT("CMEM_WB_ACCESS", 0x1ac), EVENT("CMEM_WR_DATA", 0x1b1),
	EVENT("CMEM_WR_ACCESS", 0x1ca), EVENT("CMEM_WR_TOTAL_BYTES", 0x1db),
	EVENT("GMEM_RD_DATA", 0x16d), EVENT("GMEM_RD_ACCESS", 0x16e),
	EVENT("GMEM_RD_OUTSTANDING", 0x16f), EVENT("GMEM_WB_DATA", 0x173),
	EVENT("GMEM_WB_ACCESS", 0x174), EVENT("GMEM_WR_DATA", 0x179),
	EVENT("GMEM_WR_ACCESS", 0x17b), EVENT("GMEM_WR_TOTAL_BYTES", 0x1a0),
	SOCKETS("RD_DATA", 0x101), SOCKETS("WB_DATA", 0x109),
	SOCKETS("RD_OUTSTANDING", 0x115), SOCKETS("RD_ACCESS", 0x12d),
	SOCKETS("WB_ACCESS", 0x135), SOCKETS("WR_ACCESS", 0x139),
	SOCKETS("WR_DATA", 0x17c), EVENT("REMOTE_SOCKET_WR_TOTAL_BYTES", 0x1a1),
	EVENT("REMOTE_SOCKET_RD_DATA", 0x1a2),
	EVENT("REMOTE_SOCKET_RD_OUTSTANDING", 0x1a3),
	EVENT("REMOTE_SOCKET_RD_ACCESS", 0x1a4), { NULL, 0, NULL, 0 }
};

/* Events SOCKET_x_*, where x is the socket whose memory is accessed. */
static const uint16_t scf_toward[] = {
	0x101, 0x109, 0x115, 0x12d, 0x135, 0x139, 0x17c, 0
};

/* PCIe and both links have the same events; "loc" and "rem" tell whose memory is
 * accessed.  Event 0 is a valid event. */
static const struct event_name io_events[] = {
	EVENT("CYCLES", CYCLES), EVENT("RD_BYTES_LOC", 0x0),
	EVENT("RD_BYTES_REM", 0x1), EVENT("WR_BYTES_LOC", 0x2),
	EVENT("WR_BYTES_REM", 0x3), EVENT("TOTAL_BYTES_LOC", 0x4),
	EVENT("TOTAL_BYTES_REM", 0x5), EVENT("RD_REQ_LOC", 0x6),
	EVENT("RD_REQ_REM", 0x7), EVENT("WR_REQ_LOC", 0x8),
	EVENT("WR_REQ_REM", 0x9), EVENT("TOTAL_REQ_LOC", 0xa),
	EVENT("TOTAL_REQ_REM", 0xb), EVENT("RD_CUM_OUTS_LOC", 0xc),
	EVENT("RD_CUM_OUTS_REM", 0xd), { NULL, 0, NULL, 0 }
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
