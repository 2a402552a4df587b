/*
 * regs/models/model_spr.c - Sapphire Rapids (06_8FH) and Emerald Rapids
 * (06_CFH).
 *
 * The package's discovery table tells which boxes exist and where.  The addresses here
 * are those on which sources agree; they are used where there is no table, and to check
 * a table.  No uncore control has an enable bit: bit 22 is reserved, and a counter
 * counts while its control is not 0 and its box is not frozen (bit 0 of the box
 * control).
 *
 * Sources, as gathered in the project's reference "intel-server-pmon",
 * sections 3, 4, 5.3, 9.2, 9.3, 11 and 14: Linux uncore_snbep.c (spr_*) and
 * uncore_discovery.c, Intel PCM, LIKWID, and the register lists of Intel's SEP
 * driver; two or more agree on each number unless a comment here says
 * otherwise.  Never tried on real hardware.
 */
#include "regs/models/model_spr.h"

#include <stddef.h>

const struct field spr_cha_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "tid_en", 16, 16 },
	{ "edge", 18, 18 }, { "inv", 23, 23 }, { "thresh", 24, 31 },
	{ "umask_ext", 32, 63 }, { NULL, 0, 0 }
};

/* Reference 3.3, and of event 0xA3 Intel's list: codes 0x01 to 0x8f but 0x2e and
 * 0x3c are on counters 0 to 3. */
#define E(e) { e, 0xf }
#define E8(e) E(e), E(e + 1), E(e + 2), E(e + 3), E(e + 4), E(e + 5), \
	E(e + 6), E(e + 7)
#define E16(e) E8(e), E8(e + 8)
static const struct constraint core_only[] = {
	E(0x01), E(0x02), E(0x03), E(0x04), E(0x05), E(0x06), E(0x07), E8(0x08),
	E16(0x10), E8(0x20), E(0x28), E(0x29), E(0x2a), E(0x2b), E(0x2c),
	E(0x2d), E(0x2f), E8(0x30), E(0x38), E(0x39), E(0x3a), E(0x3b),
	E(0x3d), E(0x3e), E(0x3f), E16(0x40), E16(0x50), E16(0x60), E16(0x70),
	E16(0x80), E(0x01a3), E(0x02a3), E(0x05a3), E(0x06a3), E(0x08a3),
	E(0x0ca3), { 0x04a4, 0x1 }, { 0x08a4, 0x1 }, { 0x01cd, 0xfe },
	{ 0x02cd, 0x1 }, { 0xce, 0x1 }, E16(0xd0), { 0, 0 }
};
#undef E
#undef E8
#undef E16
const struct constraint spr_cha_only[] = {
	{ 0x11, 0x1 }, { 0x36, 0x1 }, { 0, 0 }
};
/* 0x40, 0x41: Intel's list alone.  DATA_REQ_OF_CPU.CMPD is on 0-1 as the list and Linux
 * have it; Intel PCM has 2-3 (reference 14). */
static const struct constraint iio_only[] = {
	{ 0x40, 0x1 }, { 0xc041, 0x1 }, { 0x83, 0x3 }, { 0xc0, 0xc },
	{ 0xd5, 0xc }, { 0, 0 }
};
/* Which counters of CXLCM can count an event, as bits: those of what is sent in the first
 * four, those of what is received in the others (reference 9.3). */
const struct constraint spr_cxlcm_only[] = {
	{ 0x02, 0x0f }, { 0x05, 0x0f }, { 0x40, 0xf0 }, { 0x41, 0xf0 },
	{ 0x42, 0xf0 }, { 0x43, 0xf0 }, { 0x4b, 0xf0 }, { 0x52, 0xf0 },
	{ 0, 0 }
};
static const struct constraint m2pcie_only[] = {        /* Linux alone */
	{ 0x14, 0x3 }, { 0x2d, 0x3 }, { 0, 0 }
};

/* QUEUE: events that add up the length of a queue; names are those of Intel's list. */
static const struct event_class core_classes[] = {
	CORE_CLOCKS, RETIRED, { 0x02c0, CLASS_INSTR_KIND, "INST_RETIRED.NOP" },
	{ 0xc0, CLASS_INSTR, "INST_RETIRED" },
	QUEUE(0x48, "L1D_PEND_MISS"),
	QUEUE(0x20, "OFFCORE_REQUESTS_OUTSTANDING"),
	QUEUE(0x1012, "DTLB_LOAD_MISSES.WALK_PENDING"),
	QUEUE(0x1013, "DTLB_STORE_MISSES.WALK_PENDING"),
	QUEUE(0x1011, "ITLB_MISSES.WALK_PENDING"), END_OF_CLASSES
};
#define CMS { 0xc0, CLASS_TICKS, "CMS_CLOCKTICKS" }
const struct event_class spr_pcu_classes[] = {
	TICKS(0x01), QUEUE(0x35, "POWER_STATE_OCCUPANCY_CORES_C0"),
	QUEUE(0x36, "POWER_STATE_OCCUPANCY_CORES_C3"),
	QUEUE(0x37, "POWER_STATE_OCCUPANCY_CORES_C6"), END_OF_CLASSES
};
const struct event_class spr_cha_classes[] = {
	TICKS(0x01), QUEUE(0x11, "RxC_OCCUPANCY"), QUEUE(0x36, "TOR_OCCUPANCY"),
	QUEUE(0x67, "PMM_QOS_OCCUPANCY"), CMS, END_OF_CLASSES
};
const struct event_class spr_iio_classes[] = {
	TICKS(0x01), QUEUE(0x42, "PWT_OCCUPANCY"),
	QUEUE(0xd5, "COMP_BUF_OCCUPANCY"), END_OF_CLASSES
};
const struct event_class spr_irp_classes[] = {
	TICKS(0x01), QUEUE(0x08, "TxC_BL_DRS_OCCUPANCY"),
	QUEUE(0x09, "TxC_BL_NCB_OCCUPANCY"),
	QUEUE(0x0a, "TxC_BL_NCS_OCCUPANCY"),
	QUEUE(0x0c, "TxS_REQUEST_OCCUPANCY"),
	QUEUE(0x0f, "CACHE_TOTAL_OCCUPANCY"), QUEUE(0x19, "FAF_OCCUPANCY"),
	END_OF_CLASSES
};
static const struct event_class m2pcie_classes[] = {
	TICKS(0x01), QUEUE(0x14, "P2P_CRD_OCCUPANCY"), CMS, END_OF_CLASSES
};
/* HCLOCKTICKS, 0x0001: the controller's clock, half the channel's. */
static const struct event_class imc_classes[] = {
	{ 0x01, CLASS_MEMCMD, "CLOCKTICKS" },
	{ 0x01, CLASS_MEMCMD, "HCLOCKTICKS" },
	{ 0x02, CLASS_MEMCMD, "ACT_COUNT" }, { 0x03, CLASS_MEMCMD, "PRE_COUNT" },
	{ 0x05, CLASS_CAS, "CAS_COUNT" }, END_OF_CLASSES
};
/* HBM: accesses have 32 bytes, and there can be more of them than on a DDR channel.  No
 * source gives their maximum, but there is at most one command a clock. */
static const struct event_class hbm_classes[] = {
	{ 0x01, CLASS_MEMCMD, "CLOCKTICKS" },
	{ 0x02, CLASS_MEMCMD, "ACT_COUNT" }, { 0x03, CLASS_MEMCMD, "PRE_COUNT" },
	{ 0x05, CLASS_MEMCMD, "CAS_COUNT" }, END_OF_CLASSES
};
const struct event_class spr_m2m_classes[] = {
	TICKS(0x01), QUEUE(0x03, "RxC_AD_OCCUPANCY"),
	QUEUE(0x05, "RxC_BL_OCCUPANCY"), QUEUE(0x07, "TxC_AD_OCCUPANCY"),
	QUEUE(0x0f, "TxC_BL_OCCUPANCY"), QUEUE(0x33, "TRACKER_OCCUPANCY"),
	QUEUE(0x47, "WR_TRACKER_POSTED_OCCUPANCY"),
	QUEUE(0x4c, "WR_TRACKER_NONPOSTED_OCCUPANCY"),
	QUEUE(0x54, "PREFCAM_OCCUPANCY"), QUEUE(0x60, "PREFCAM_RxC_OCCUPANCY"),
	CMS, END_OF_CLASSES
};
const struct event_class spr_m3upi_classes[] = {
	TICKS(0x01), QUEUE(0x1c, "TxC_AD_FLQ_OCCUPANCY"),
	QUEUE(0x1d, "TxC_BL_FLQ_OCCUPANCY"),
	QUEUE(0x1e, "TxC_AK_FLQ_OCCUPANCY"),
	QUEUE(0x1f, "TxC_BL_WB_FLQ_OCCUPANCY"), QUEUE(0x7d, "WB_PENDING"),
	CMS, END_OF_CLASSES
};
const struct event_class spr_mdf_classes[] = { TICKS(0x01), END_OF_CLASSES };

/* How many CHAs a package has.  It reads 0 on some Emerald Rapids, where the table is
 * right; on others tables were seen to list too many (reference 14). */
static const struct box_count cha_count = {
	.name = "MSR 0x2ffe", .space = REG_MSR, .reg = 0x2ffe, .lo = 0,
	.hi = 31,
};

/* Channel c of HBM controller k is instance 2 * k + c; source: Intel PCM alone. */
#define H(k) 0x9000 * k, 0x9000 * k + 0x4000
static const uint32_t hbm_base[] = {
	H(0), H(1), H(2), H(3), H(4), H(5), H(6), H(7), H(8), H(9), H(10),
	H(11), H(12), H(13), H(14), H(15)
};
#undef H

#define DEV(f) PCI_DEVFN(0x0c, f), PCI_DEVFN(0x0d, f), PCI_DEVFN(0x0e, f), \
	PCI_DEVFN(0x0f, f)
#define ID4(id) id, id, id, id
static const uint8_t m2m_devfn[] = { DEV(0) };
static const uint8_t m2hbm_devfn[] = { DEV(1), DEV(2), DEV(3), DEV(4) };
static const uint16_t m2m_devid[] = {
	ID4(0x324a), ID4(0x324a), ID4(0x324a), ID4(0x324a)
};
static const uint8_t upi_devfn[] = {
	PCI_DEVFN(0x01, 1), PCI_DEVFN(0x02, 1), PCI_DEVFN(0x03, 1),
	PCI_DEVFN(0x04, 1)
};
static const uint16_t upi_devid[] = { ID4(0x3241) };
static const uint8_t m3upi_devfn[] = {
	PCI_DEVFN(0x05, 1), PCI_DEVFN(0x06, 1), PCI_DEVFN(0x07, 1),
	PCI_DEVFN(0x08, 1)
};
static const uint16_t m3upi_devid[] = { ID4(0x3246) };
#undef DEV
#undef ID4

const struct box_type spr_core = {
	INTEL_CORE, .classes = core_classes,
	.counters = 8, .bits = 48,      /* how many: CPUID leaf 0xA */
	.field = intel_icx_core_fields, .only = core_only,
	.filter = {
		{ "offcore_rsp_0", 0x1a6, 0x3fffffffff, 0, 0x012a, false, { 0 } },
		{ "offcore_rsp_1", 0x1a7, 0x3fffffffff, 0, 0x012b, false, { 0 } },
		/* and, by Intel's list, of INT_MISC.UNKNOWN_BRANCH_CYCLES and
		 * UOPS_RETIRED.MS */
		{ "frontend", 0x3f7, 0xffffff, 0, 0xc6, false,
		  { 0x40ad, 0x04c2 } },
		{ "ldlat", 0x3f6, 0xffff, 0, 0xcd, false, { 0 } },
	},
	.need = intel_core_need,
};

#define FUNCTION(at) \
	.space = REG_PCI, .scope = SCOPE_PKG, .counters = 4, .bits = 48, \
	.box_ctl = (at), .ctl_step = 8, .ctr_step = 8, .bus = 0, \
	.freeze = SPR_FROZEN

/* UPI and M3UPI: always at the addresses here, as the tables of some CPUs are known to
 * be wrong about them; Linux does the same.  PCU, M2PCIe and MDF: addresses from SEP's
 * register list alone; MDFs are used only where a table lists them. */
#define BOXES(chas) \
	{ .name = "UBOX", .family = "ubox_counts", SPR_LISTED(5, 0x2fd0, 2), \
	  .single = true, .instances = 1, \
	  .field = intel_std_fields, UCLK(0x2fde, 0x2fdf) }, \
	{ .name = "PCU", .family = "pcu_counts", SPR_LISTED(4, 0x2fc0, 4), \
	  .classes = spr_pcu_classes, .single = true, .instances = 1, \
	  .field = intel_std_fields, \
	  .filter = { { "filter0", 0x2fce, 0xffffffff, 0, 0, false, { 0 } } } }, \
	{ .name = "CHA", .family = "cha_counts", SPR_LISTED(0, 0x2000, 4), \
	  .classes = spr_cha_classes, .instances = (chas), .count = &cha_count, \
	  .field = spr_cha_fields, .only = spr_cha_only, \
	  .filter = { { "filter0", 0x200e, 0x3ff, 0, 0, false, { 0 } } } }, \
	{ .name = "IIO", .family = "iio_counts", SPR_LISTED(1, 0x3000, 4), \
	  .classes = spr_iio_classes, .instances = 12, .field = intel_iio_fields, \
	  .only = iio_only }, \
	{ .name = "IRP", .family = "irp_counts", SPR_LISTED(2, 0x3400, 2), \
	  .classes = spr_irp_classes, .instances = 12, \
	  .field = intel_std_fields }, \
	{ .name = "M2PCIe", .family = "m2pcie_counts", SPR_LISTED(3, 0x3200, 4), \
	  .classes = m2pcie_classes, .instances = 12, \
	  .field = intel_std_fields, .only = m2pcie_only }, \
	{ .name = "MDF", .family = "mdf_counts", SPR_LISTED(11, 0x2800, 4), \
	  .classes = spr_mdf_classes, .instances = 40, .table.only = true, \
	  .field = intel_std_fields }, \
	{ .name = "IMC", .family = "imc_counts", SPR_CHANNEL(6, 0x22800, imc_classes), \
	  .instances = 8, .base = intel_imc_base, .unit_of = intel_imc_of }, \
	{ .name = "MCHBM", .family = "mchbm_counts", SPR_CHANNEL(14, 0x141c00, hbm_classes), \
	  .instances = 32, .base = hbm_base, .bar = "SCF", .hbm = true, \
	  .table.only = true }, \
	{ .name = "IMCFREE", .space = REG_MMIO, .scope = SCOPE_PKG, \
	  .instances = 4, .ctr = 0x22b0, .unit_of = intel_imcfree_of, \
	  .field = no_fields, .kernel.pmu = "uncore_imc_free_running" }, \
	{ .name = "M2M", .family = "m2m_counts", FUNCTION(0x438), \
	  .presence = PRESENT_TABLE, .table.number = 7, \
	  .classes = spr_m2m_classes, .instances = 4, .ctl = 0x468, \
	  .ctr = 0x440, .devfn = m2m_devfn, .devid = m2m_devid, \
	  .field = intel_wide_fields }, \
	{ .name = "M2HBM", .family = "m2hbm_counts", FUNCTION(0x438), \
	  .presence = PRESENT_TABLE, .table.number = 7, \
	  .classes = spr_m2m_classes, .instances = 16, .ctl = 0x468, \
	  .ctr = 0x440, .devfn = m2hbm_devfn, .devid = m2m_devid, \
	  .field = intel_wide_fields }, \
	{ .name = "UPI", .family = "upi_counts", FUNCTION(0x318), \
	  .presence = PRESENT_PCI_ID, .table.number = 8, \
	  .classes = intel_upi_classes, \
	  .instances = 4, .ctl = 0x350, .ctr = 0x320, .devfn = upi_devfn, \
	  .devid = upi_devid, .field = intel_wide_fields }, \
	{ .name = "M3UPI", .family = "m3upi_counts", FUNCTION(0xa0), \
	  .presence = PRESENT_PCI_ID, .table.number = 9, \
	  .classes = spr_m3upi_classes, \
	  .instances = 4, .ctl = 0xd8, .ctr = 0xa8, .devfn = m3upi_devfn, \
	  .devid = m3upi_devid, .field = intel_std_fields }, \
	SPR_CXL, \
	{ .name = NULL }

static const struct box_type spr_boxes[] = { BOXES(60) };
/* CPUs of 64 cores: that CHAs 60 to 63 follow the others is inferred. */
static const struct box_type emr_boxes[] = { BOXES(64) };

/* Ports count units of 4 bytes.  Clock and queues of memory controllers: Linux alone
 * (the clock is in SEP's list, too).  No source has the byte counters of memory
 * controllers, as on Ice Lake, for this generation. */
static const struct freerun spr_freerun[] = {
	{ "iio_%s_port%u_in_bytes", "bw_in", "IIO", REG_MSR, 8,
	  0x3800, 1, 0x10, NULL, 48, 4, "bytes", CLASS_BYTES_IO, NULL },
	{ "iio_%s_port%u_out_bytes", "bw_out", "IIO", REG_MSR, 8,
	  0x3808, 1, 0x10, NULL, 48, 4, "bytes", CLASS_BYTES_IO, NULL },
	{ "iio_%s_clocks", "clock", "IIO", REG_MSR, 0,
	  0x340e, 0, 0x10, NULL, 48, 1, "clocks", CLASS_UCLK, "ioclk" },
	{ "imc_dclk", "dclk", "IMCFREE", REG_MMIO, 0,
	  0x22b0, 0, 0, NULL, 48, 1, "clocks", CLASS_UCLK, "dclk" },
	{ "imc_rpq_cycles", "rpq_cycles", "IMCFREE", REG_MMIO, 0,
	  0x2318, 0, 0, NULL, 48, 1, "cycles", CLASS_OCCUPANCY, "rpq_cycles" },
	{ "imc_wpq_cycles", "wpq_cycles", "IMCFREE", REG_MMIO, 0,
	  0x2320, 0, 0, NULL, 48, 1, "cycles", CLASS_OCCUPANCY, "wpq_cycles" },
	{ .family = NULL }
};

/* Names by the number of the PMON block; what is on each differs between dies. */
static const char *const stacks[] = {
	"stack0", "stack1", "stack2", "stack3", "stack4", "stack5", "stack6",
	"stack7", "stack8", "stack9", "stack10", "stack11"
};

/* Psys counts in joules, on boards that measure it (reference 4.2). */
static const struct scalar spr_own[] = {
	{ "rapl_psys_energy", REG_MSR, SCOPE_PKG, 0x64d, 32, PRINT_DEC, "J",
	  CLASS_ENERGY_PLATFORM, true },
	{ "core_perf_metrics", REG_MSR, SCOPE_LPROC, 0x329, 0, PRINT_HEX,
	  "fractions", CLASS_READING, false },
	RESIDENCY("core_c1_residency", SCOPE_CORE, 0x660),
	{ .family = NULL }
};
const struct scalar *const spr_scalars[] = {
	intel_scalars, intel_skl_scalars, spr_own, NULL
};

static const struct cpu_match spr_id[] = { { 0x8f, 0, 15, 0 }, { 0, 0, 0, 0 } };
static const struct cpu_match emr_id[] = { { 0xcf, 0, 15, 0 }, { 0, 0, 0, 0 } };

/* The PMON block of each stack, by the address decoder's numbers (9.2, Intel PCM
 * alone).  Stack 0 is DMI; on MCC dies stack 3 is, and there 0 and 4 are assumed.
 * Stacks 6, 7 and those from 12 on are no I/O stacks. */
#define N NO_STACK
static const uint8_t xcc_pmon[] = {
	1, 2, 4, 6, 7, 9, N, N, 0, 3, 5, 8, N, N, N, N,
	N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N
};
static const uint8_t mcc_pmon[] = {
	0, 1, 2, 10, 4, 5, N, N, 3, N, N, N, N, N, N, N,
	N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N
};
static const uint8_t emr_pmon[] = {
	7, 1, 2, 3, 8, 6, N, N, 0, 4, 5, 9, N, N, N, N,
	N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N
};
#undef N
/* The function "MSM" has the list of buses.  Entries from 16 on and the field for the
 * die: Intel PCM alone. */
static const struct bus_list spr_buses = {
	.devid = 0x09a6, .valid_reg = 0x1a0, .list_reg = { 0x190, 0x1c0 },
	.node_devid = 0x09a2, .node_reg = 0x3f4,
	.die_devid = 0x325b, .die_bus = 1, .die_devfn = PCI_DEVFN(0x1e, 3),
	.die_reg = 0x94, .die_lo = 6,
	.pmon = { NULL, mcc_pmon, NULL, xcc_pmon }
};
static const struct bus_list emr_buses = {
	.devid = 0x09a6, .valid_reg = 0x1a0, .list_reg = { 0x190, 0x1c0 },
	.node_devid = 0x09a2, .node_reg = 0x3f4,
	.pmon = { emr_pmon, NULL, NULL, NULL }
};

/* DRAM energy is in the unit of the package (reference 4.2): dram_unit_log2 0. */
#define COMMON \
	.default_config = "@default-spr", .core = &spr_core, \
	.msr = &intel_msrs, \
	.fixed = &intel_metrics_fixed, .freerun = spr_freerun, .scalar = spr_scalars, \
	.stack = stacks, .bus_method = BUS_UBOX, \
	.ubox = { .devfn = PCI_DEVFN(0x00, 0), .devid = 0x3250, \
	    .node_reg = 0xc0, .map_reg = 0xd4 }, \
	.mmio = { .bus = 0, .devfn = PCI_DEVFN(0x00, 1), .devid = 0x3251, \
	    .base_reg = 0xd0, .base_mask = 0x1fffffff, .base_shift = 23, \
	    .offset_reg = 0xd8, .offset_mask = 0x7ff, .offset_shift = 12, \
	    .n = 4 }, \
	.global_ctl = 0x2ff0, .global_freeze = 1, .global_unfreeze = 0, \
	.dram_energy_rests = true, \
	.max_ghz = 5.5, \
	.max_io_bytes = 64e9            /* PCIe 5.0 x16 */

const struct model model_spr = {
	.name = "spr", .title = "Sapphire Rapids", .id = spr_id,
	.box = spr_boxes, .bus_list = &spr_buses,
	.max_cas_hz = 600000000,        /* DDR5-4800: 4800e6 * 8 / 64 */
	COMMON
};

const struct model model_emr = {
	.name = "emr", .title = "Emerald Rapids", .id = emr_id,
	.box = emr_boxes, .bus_list = &emr_buses,
	.max_cas_hz = 700000000,        /* DDR5-5600 */
	COMMON
};
