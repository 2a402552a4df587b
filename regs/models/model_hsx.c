/*
 * regs/models/model_hsx.c - Haswell-EP (06_3FH): Xeon E5 v3, and Broadwell-EP
 * (06_4FH): Xeon E5 v4, whose uncore has the same registers, ids of its own and up to
 * 24 CBOs.
 *
 * Instance i of a box type has its registers at + i * stride (MSR), or in PCI
 * function devfn[i].  Sources, as gathered in sections 3 to 6 of the project's
 * reference "intel-server-pmon": Linux arch/x86/events/intel/uncore_snbep.c
 * (hswep_*), Intel PCM, LIKWID, and the register lists of Intel's SEP driver;
 * two or more agree on each number unless a comment here says otherwise.
 * "list": Intel's event lists haswellx_core.json and haswellx_uncore.json.
 *
 * Broadwell: reference "more-cpus" 2, of Linux (bdx_*), LIKWID and Intel PCM; its
 * lists broadwellx_core.json and broadwellx_uncore.json.
 *
 * Left out: the match and mask registers of QPI, which are in functions of
 * their own (6.3); IRP counters 2 and 3, where sources disagree (14).
 */
#include "regs/models/model_list.h"

#include <stddef.h>

/* Indices of a package's buses: that of its UBOX, and its I/O bus (reference
 * 6.1). */
enum { UBUS, IOBUS };

static const struct field qpi_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "edge", 18, 18 },
	{ "xsel", 21, 21 }, { "inv", 23, 23 }, { "thresh", 24, 31 },
	{ NULL, 0, 0 }
};

/* The first two: reference 11.1; the others: list.  Where events of the same unit mask
 * have different constraints by their counter masks, the counters common to them. */
#define CORE_ONLY \
	{ 0x0148, 0x4 }, { 0x0ca3, 0x4 }, { 0x08a3, 0x4 }, { 0x01c0, 0x2 }, \
	{ 0xcd, 0x8 }, { 0x010e, 0xf }, { 0x023c, 0xf }, { 0x0279, 0xf }, \
	{ 0x9c, 0xf }, { 0x02a3, 0xf }, { 0x04a3, 0xf }, { 0x05a3, 0xf }, \
	{ 0x06a3, 0xf }, { 0x01b1, 0xf }, { 0xb7, 0xf }, { 0xbb, 0xf }, \
	{ 0xbc, 0xf }, { 0x01c2, 0xf }, { 0x04c4, 0xf }, { 0x04c5, 0xf }, \
	{ 0xc9, 0xf }, { 0x1eca, 0xf }, { 0xd0, 0xf }, { 0xd1, 0xf }, \
	{ 0xd2, 0xf }, { 0xd3, 0xf }
static const struct constraint hsx_core_only[] = { CORE_ONLY, { 0, 0 } };
/* list: floating point, and ROB_MISC_EVENTS */
static const struct constraint bdx_core_only[] = {
	CORE_ONLY, { 0xc7, 0xf }, { 0x03a0, 0xf }, { 0, 0 }
};
/* Linux alone has 0x01, 0x38 and 0x3b, and 0x09 on counter 0, where the list
 * has 0 and 1. */
static const struct constraint hsx_cbo_only[] = {
	{ 0x01, 0x1 }, { 0x09, 0x1 }, { 0x11, 0x1 }, { 0x36, 0x1 },
	{ 0x38, 0x3 }, { 0x3b, 0x1 }, { 0x3e, 0x1 }, { 0, 0 }
};
/* Linux and the list agree. */
static const struct constraint bdx_cbo_only[] = {
	{ 0x09, 0x3 }, { 0x11, 0x1 }, { 0x36, 0x1 }, { 0x3e, 0x1 }, { 0, 0 }
};
static const struct constraint *const hsx_pcu_only = NULL;
/* Linux alone: what uses occupancy (bit 7 of the event) */
static const struct constraint bdx_pcu_only[] = { { 0x80, 0xe }, { 0, 0 } };
/* list alone, for the three that follow */
static const struct constraint ha_only[] = {
	{ 0x61, 0x7 }, { 0x62, 0x7 }, { 0x64, 0x7 }, { 0x65, 0x7 }, { 0, 0 }
};
static const struct constraint r2pcie_only[] = {
	{ 0x10, 0x3 }, { 0x11, 0x3 }, { 0x13, 0x1 }, { 0x23, 0x1 },
	{ 0x25, 0x1 }, { 0x26, 0x3 }, { 0x28, 0x3 }, { 0x2a, 0x1 },
	{ 0x2c, 0x3 }, { 0x2d, 0x3 }, { 0x32, 0x3 }, { 0x33, 0x3 }, { 0, 0 }
};
static const struct constraint hsx_r3qpi_only[] = {
	{ 0x10, 0x3 }, { 0x11, 0x3 }, { 0x13, 0x1 }, { 0x14, 0x3 },
	{ 0x15, 0x3 }, { 0x1f, 0x3 }, { 0x20, 0x3 }, { 0x21, 0x3 },
	{ 0x22, 0x3 }, { 0x26, 0x3 }, { 0x28, 0x3 }, { 0x29, 0x3 },
	{ 0x2a, 0x1 }, { 0x2b, 0x1 }, { 0x2c, 0x3 }, { 0x2d, 0x3 },
	{ 0x2e, 0x3 }, { 0x2f, 0x3 }, { 0x33, 0x3 }, { 0x34, 0x3 },
	{ 0x36, 0x3 }, { 0x37, 0x3 }, { 0x38, 0x3 }, { 0x39, 0x3 }, { 0, 0 }
};
/* 0x23, 0x25: Linux alone; 0x2b on counter 0: list alone */
static const struct constraint bdx_r3qpi_only[] = {
	{ 0x10, 0x3 }, { 0x11, 0x3 }, { 0x13, 0x1 }, { 0x14, 0x3 },
	{ 0x15, 0x3 }, { 0x1f, 0x3 }, { 0x20, 0x3 }, { 0x21, 0x3 },
	{ 0x22, 0x3 }, { 0x23, 0x3 }, { 0x25, 0x3 }, { 0x26, 0x3 }, { 0x28, 0x3 }, { 0x29, 0x3 },
	{ 0x2a, 0x1 }, { 0x2b, 0x1 }, { 0x2c, 0x3 }, { 0x2d, 0x3 },
	{ 0x2e, 0x3 }, { 0x2f, 0x3 }, { 0x33, 0x3 }, { 0x34, 0x3 },
	{ 0x36, 0x3 }, { 0x37, 0x3 }, { 0x38, 0x3 }, { 0x39, 0x3 }, { 0, 0 }
};

/* list */
static const struct event_class core_classes[] = {
	CORE_CLOCKS, RETIRED, { 0x02c0, CLASS_INSTR_KIND, "INST_RETIRED.X87" },
	{ 0xc0, CLASS_INSTR, "INST_RETIRED" }, QUEUE(0x48, "L1D_PEND_MISS"),
	QUEUE(0x60, "OFFCORE_REQUESTS_OUTSTANDING"), END_OF_CLASSES
};
static const struct event_class cbo_classes[] = {
	TICKS(0x00),
	QUEUE(0x11, "RxR_OCCUPANCY"), QUEUE(0x1f, "COUNTER0_OCCUPANCY"),
	QUEUE(0x36, "TOR_OCCUPANCY"), QUEUE(0x3e, "SBO_CREDIT_OCCUPANCY"),
	END_OF_CLASSES
};
static const struct event_class sbo_classes[] = {
	TICKS(0x00),
	QUEUE(0x01, "TxR_OCCUPANCY"), QUEUE(0x11, "RxR_OCCUPANCY"),
	END_OF_CLASSES
};
static const struct event_class ha_classes[] = {
	TICKS(0x00),
	QUEUE(0x04, "TRACKER_OCCUPANCY"),
	QUEUE(0x05, "TRACKER_PENDING_OCCUPANCY"),
	QUEUE(0x09, "SNOOP_OCCUPANCY"), QUEUE(0x6a, "SBO0_CREDIT_OCCUPANCY"),
	QUEUE(0x6b, "SBO1_CREDIT_OCCUPANCY"), END_OF_CLASSES
};
static const struct event_class irp_classes[] = {
	TICKS(0x00),
	QUEUE(0x07, "RxR_BL_DRS_OCCUPANCY"),
	QUEUE(0x08, "RxR_BL_NCB_OCCUPANCY"),
	QUEUE(0x09, "RxR_BL_NCS_OCCUPANCY"),
	QUEUE(0x0d, "TxR_REQUEST_OCCUPANCY"),
	QUEUE(0x12, "CACHE_TOTAL_OCCUPANCY"), END_OF_CLASSES
};
static const struct event_class qpi_classes[] = {
	TICKS(0x14),
	QUEUE(0x07, "TxL_OCCUPANCY"), QUEUE(0x0b, "RxL_OCCUPANCY"),
	QUEUE(0x15, "RxL_OCCUPANCY_DRS"), QUEUE(0x16, "RxL_OCCUPANCY_NCB"),
	QUEUE(0x17, "RxL_OCCUPANCY_NCS"), QUEUE(0x18, "RxL_OCCUPANCY_HOM"),
	QUEUE(0x19, "RxL_OCCUPANCY_SNP"), QUEUE(0x1a, "RxL_OCCUPANCY_NDR"),
	QUEUE(0x1b, "VNA_CREDIT_RETURN_OCCUPANCY"),
	QUEUE(0x1f, "TxR_BL_DRS_CREDIT_OCCUPANCY"),
	QUEUE(0x20, "TxR_BL_NCB_CREDIT_OCCUPANCY"),
	QUEUE(0x21, "TxR_BL_NCS_CREDIT_OCCUPANCY"),
	QUEUE(0x22, "TxR_AD_HOM_CREDIT_OCCUPANCY"),
	QUEUE(0x23, "TxR_AD_SNP_CREDIT_OCCUPANCY"),
	QUEUE(0x24, "TxR_AD_NDR_CREDIT_OCCUPANCY"),
	QUEUE(0x25, "TxR_AK_NDR_CREDIT_OCCUPANCY"), END_OF_CLASSES
};
static const struct event_class r2pcie_classes[] = {
	TICKS(0x01),
	QUEUE(0x13, "RxR_OCCUPANCY"), QUEUE(0x2a, "SBO0_CREDIT_OCCUPANCY"),
	END_OF_CLASSES
};
static const struct event_class r3qpi_classes[] = {
	TICKS(0x01),
	QUEUE(0x13, "RxR_OCCUPANCY_VN1"), QUEUE(0x2a, "SBO0_CREDIT_OCCUPANCY"),
	QUEUE(0x2b, "SBO1_CREDIT_OCCUPANCY"), END_OF_CLASSES
};

static const uint8_t ha_devfn[] = { PCI_DEVFN(0x12, 1), PCI_DEVFN(0x12, 5) };
static const uint16_t hsx_ha_devid[] = { 0x2f30, 0x2f38 };
static const uint16_t bdx_ha_devid[] = { 0x6f30, 0x6f38 };
static const uint8_t imc_devfn[] = {            /* IMC0 ch 0-3, IMC1 ch 0-3 */
	PCI_DEVFN(0x14, 0), PCI_DEVFN(0x14, 1), PCI_DEVFN(0x15, 0),
	PCI_DEVFN(0x15, 1), PCI_DEVFN(0x17, 0), PCI_DEVFN(0x17, 1),
	PCI_DEVFN(0x18, 0), PCI_DEVFN(0x18, 1)
};
static const uint16_t hsx_imc_devid[] = {
	0x2fb0, 0x2fb1, 0x2fb4, 0x2fb5, 0x2fd0, 0x2fd1, 0x2fd4, 0x2fd5
};
static const uint16_t bdx_imc_devid[] = {
	0x6fb0, 0x6fb1, 0x6fb4, 0x6fb5, 0x6fd0, 0x6fd1, 0x6fd4, 0x6fd5
};
static const uint8_t irp_devfn[] = { PCI_DEVFN(0x05, 6) };
static const uint16_t hsx_irp_devid[] = { 0x2f39 };
static const uint16_t bdx_irp_devid[] = { 0x6f39 };
static const uint8_t qpi_devfn[] = {
	PCI_DEVFN(0x08, 2), PCI_DEVFN(0x09, 2), PCI_DEVFN(0x0a, 2)
};
static const uint16_t hsx_qpi_devid[] = { 0x2f32, 0x2f33, 0x2f3a };
static const uint16_t bdx_qpi_devid[] = { 0x6f32, 0x6f33, 0x6f3a };
static const uint8_t r2pcie_devfn[] = { PCI_DEVFN(0x10, 1) };
static const uint16_t hsx_r2pcie_devid[] = { 0x2f34 };
static const uint16_t bdx_r2pcie_devid[] = { 0x6f34 };
static const uint8_t r3qpi_devfn[] = {
	PCI_DEVFN(0x0b, 1), PCI_DEVFN(0x0b, 2), PCI_DEVFN(0x0b, 5)
};
static const uint16_t hsx_r3qpi_devid[] = { 0x2f36, 0x2f37, 0x2f3e };
static const uint16_t bdx_r3qpi_devid[] = { 0x6f36, 0x6f37, 0x6f3e };

/* Reference 6.2.  Linux and PCM count cores instead and have no hidden CBOs. */
static const struct box_count cbo_count = {
	.name = "MSR 0x702", .space = REG_MSR, .reg = 0x702, .lo = 0, .hi = 5,
	.or_cores = true,
};
/* By the size of the die: Haswell's smallest has two SBOs, Broadwell's none (Linux
 * alone; LIKWID always has four). */
static const uint8_t hsx_sbo_many[] = { 2, 4, 4, 4 };
static const uint8_t bdx_sbo_many[] = { 0, 4, 4, 4 };
#define SBO_COUNT(id, of) { \
	.name = "CAPID4", .space = REG_PCI, .bus = UBUS, \
	.devfn = PCI_DEVFN(0x1e, 3), .devid = (id), .reg = 0x94, .lo = 6, \
	.hi = 7, .many = (of) }
static const struct box_count hsx_sbo_count = SBO_COUNT(0x2fc0, hsx_sbo_many);
static const struct box_count bdx_sbo_count = SBO_COUNT(0x6fc0, bdx_sbo_many);

/* Reference 12 and 13.3, and the filters that the list names for each event. */
#define NEEDS_OPCODE "counts nothing of use without an opcode in filter1 " \
	"28:20 (0x19e << 20: PCIeRdCur)"
#define NEEDS_NID "counts nothing of use without a node in filter1 15:0"
static const struct need cbo_need[] = {
	{ 0x34, 0, 0, 0x00fe0000, "counts nothing without a state of the line "
	    "in filter0 (0xfe0000: all)" },
	{ 0x35, 0x01, 1, 0x1ff00000, NEEDS_OPCODE },
	{ 0x36, 0x01, 1, 0x1ff00000, NEEDS_OPCODE },
	{ 0x35, 0x40, 1, 0xffff, NEEDS_NID },
	{ 0x36, 0x40, 1, 0xffff, NEEDS_NID }, { 0, 0, 0, 0, NULL }
};

/* Offcore responses: the bits that the list uses, as no source has the mask.  The number
 * of counters comes from CPUID leaf 0xA. */
#define CORE(g, offcore) { \
	INTEL_CORE, .classes = core_classes, .counters = 8, .bits = 48, \
	.field = intel_core_fields, .only = g##_core_only, \
	.filter = { \
		{ "offcore_rsp_0", 0x1a6, (offcore), 0, 0xb7, false, { 0 } }, \
		{ "offcore_rsp_1", 0x1a7, (offcore), 0, 0xbb, false, { 0 } }, \
		{ "ldlat", 0x3f6, 0xffff, 0, 0xcd, false, { 0 } }, \
	}, \
	.need = intel_core_need, }
static const struct box_type hsx_core = CORE(hsx, 0x3fbffc8fff);
static const struct box_type bdx_core = CORE(bdx, 0x3ffffc8fff);

/*
 * Widths (5.5, 14): Linux has 44 bits for R3QPI, SBO and the programmable
 * counters of UBOX, LIKWID 44 for R3QPI and 48 for the others.  We take 48 where they
 * disagree.  If that is too wide, one delta in hours is taken for a reset and left out;
 * if 44 were too narrow, every value above it would be impossible.
 *
 * SBO: several init bits at once in its box control raise #GP (13.4), so it is only
 * written to set or clear the freeze bit.  IRP: LIKWID and PCM have counter 1 at 0xb0,
 * as on the generation before, Linux and SEP at 0xa8 (14); Linux has four counters, the
 * list two.  Filters of CBO: TID, link, LLC state; NID, opcode, C6, NC, ISOC.  The
 * filters of HA are for ADDR_OPC_MATCH; their bits: list.
 */
#define BOXES(g, cbos, r3bits) \
	{ INTEL_UBOX, \
	  .filter = { { "filter0", 0x707, 0x3f, 0, 0, false, { 0 } } } }, \
	{ INTEL_PCU, .only = g##_pcu_only }, \
	{ .name = "CBO", .family = "cbo_counts", \
	  MSR_BOX(0xe00, 0xe01, 0xe08), .classes = cbo_classes, \
	  .presence = PRESENT_COUNT, .count = &cbo_count, \
	  .instances = (cbos), .counters = 4, .stride = 0x10, \
	  .field = intel_tid_fields, .only = g##_cbo_only, \
	  .filter = { { "filter0", 0xe05, 0x00fe01ff, 0, 0, false, { 0 } }, \
	    { "filter1", 0xe06, 0xfff0ffff, 0, 0, false, { 0 } } }, \
	  .need = cbo_need, .kernel.pmu = "uncore_cbox" }, \
	{ .name = "SBO", .family = "sbo_counts", \
	  MSR_BOX(0x720, 0x721, 0x726), .classes = sbo_classes, \
	  .presence = PRESENT_COUNT, .count = &g##_sbo_count, .instances = 4, \
	  .counters = 4, .stride = 0x0a, .field = intel_tid_fields, \
	  .kernel.pmu = "uncore_sbox" }, \
	{ .name = "HA", .family = "ha_counts", PCI_BOX, \
	  .classes = ha_classes, .instances = 2, .counters = 4, .bits = 48, \
	  .bus = UBUS, .devfn = ha_devfn, .devid = g##_ha_devid, \
	  .field = intel_std_fields, .only = ha_only, \
	  .filter = { { "addr_match0", 0x40, 0xffffffc0, 0, 0x20, false, { 0 } }, \
	    { "addr_match1", 0x44, 0x3fff, 0, 0x20, false, { 0 } }, \
	    { "opcode_match", 0x48, 0x3f, 0, 0x20, false, { 0 } } } }, \
	{ PCI_IMC, .instances = 8, .bus = UBUS, .devfn = imc_devfn, \
	  .devid = g##_imc_devid }, \
	{ .name = "IRP", .family = "irp_counts", PCI_BOX, \
	  .classes = irp_classes, .instances = 1, .counters = 2, .bits = 48, \
	  .bus = IOBUS, .devfn = irp_devfn, .devid = g##_irp_devid, \
	  .field = intel_std_fields }, \
	{ .name = "QPI", .family = "qpi_counts", PCI_BOX, \
	  .classes = qpi_classes, .instances = 3, .counters = 4, .bits = 48, \
	  .bus = UBUS, .devfn = qpi_devfn, .devid = g##_qpi_devid, \
	  .field = qpi_fields }, \
	{ .name = "R2PCIe", .family = "r2pcie_counts", PCI_BOX, \
	  .classes = r2pcie_classes, .instances = 1, .counters = 4, \
	  .bits = 48, .bus = UBUS, .devfn = r2pcie_devfn, \
	  .devid = g##_r2pcie_devid, .field = intel_std_fields, \
	  .only = r2pcie_only }, \
	{ .name = "R3QPI", .family = "r3qpi_counts", PCI_BOX, \
	  .classes = r3qpi_classes, .instances = 3, .counters = 3, \
	  .bits = (r3bits), .bus = UBUS, .devfn = r3qpi_devfn, \
	  .devid = g##_r3qpi_devid, .field = intel_std_fields, \
	  .only = g##_r3qpi_only }, \
	{ .name = NULL }

static const struct box_type hsx_boxes[] = { BOXES(hsx, 18, 44) };
/* Linux has 48 bits everywhere, LIKWID still 44 for R3QPI. */
static const struct box_type bdx_boxes[] = { BOXES(bdx, 24, 48) };

/* Limit reasons are at 0x690 here, with bits of this model alone (4.3).  PP0 energy
 * (0x639) is left out: by turbostat servers do not have it. */
static const struct scalar hsx_own[] = {
	MSR_BITS("pkg_core_perf_limit_reasons", SCOPE_PKG, 0x690),
	RESIDENCY("pkg_c3_residency", SCOPE_PKG, 0x3f8),
	RESIDENCY("pkg_c7_residency", SCOPE_PKG, 0x3fa),
	RESIDENCY("core_c3_residency", SCOPE_CORE, 0x3fc),
	RESIDENCY("core_c7_residency", SCOPE_CORE, 0x3fe),
	{ .family = NULL }
};

static const struct scalar *const hsx_scalars[] = {
	intel_scalars, hsx_own, NULL
};

static const struct cpu_match hsx_id[] = { { 0x3f, 0, 15, 0 }, { 0, 0, 0, 0 } };

static const struct cpu_match bdx_id[] = { { 0x4f, 0, 15, 0 }, { 0, 0, 0, 0 } };

#define COMMON(ubox_id, irp_id) \
	.msr = &intel_msrs, .threads_share = true, .fixed = &intel_fixed, \
	.scalar = hsx_scalars, .bus_method = BUS_UBOX, \
	.ubox = { .devfn = PCI_DEVFN(0x10, 5), .devid = (ubox_id), \
	    .node_reg = 0x40, .map_reg = 0x54, \
	    .io_devfn = PCI_DEVFN(0x05, 6), .io_devid = (irp_id) }, \
	.global_ctl = 0x700, .global_freeze = 1ull << 31, \
	.global_unfreeze = 1ull << 29, \
	/* 2^-16 J, whatever 0x606 says */ \
	.dram_unit_log2 = 16, .max_ghz = 5.0, \
	/* PCIe 3.0 x16; channels as on Skylake-SP, which are faster */ \
	.max_io_bytes = 16e9, .max_cas_hz = 366625000

const struct model model_hsx = {
	.name = "hsx", .title = "Haswell-EP",
	.default_config = "@default-hsx", .id = hsx_id, .core = &hsx_core,
	.box = hsx_boxes, COMMON(0x2f1e, 0x2f39)
};

const struct model model_bdx = {
	.name = "bdx", .title = "Broadwell-EP",
	.default_config = "@default-bdx", .id = bdx_id, .core = &bdx_core,
	.box = bdx_boxes, COMMON(0x6f1e, 0x6f39)
};
