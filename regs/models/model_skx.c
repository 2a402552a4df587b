/*
 * regs/models/model_skx.c - Skylake-SP and Cascade Lake-SP (06_55H, steppings 0-9).
 *
 * Instance i of a box type has its registers at + i * stride (MSR), or in PCI
 * function devfn[i].  Sources, as gathered in the project's reference
 * "intel-server-pmon": Linux arch/x86/events/intel/uncore_snbep.c (skx_*),
 * Intel PCM, LIKWID, McCalpin's SKX headers and inputs, and the register
 * lists of Intel's SEP driver; two or more agree on each number unless a
 * comment here says otherwise.
 */
#include "regs/models/model_list.h"

#include <stddef.h>

#define TOR_NEEDS "counts nothing without one of the bits 0x3b in filter1 " \
	"(0x3b: all; 0x33 | opcode << 9)"

static const struct field iio_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "edge", 18, 18 },
	{ "inv", 23, 23 }, { "thresh", 24, 35 }, { "ch_mask", 36, 43 },
	{ "fc_mask", 44, 46 }, { NULL, 0, 0 }
};

/* Linux splits umask_ext in 43:32 and 55:45; bit 44 is written 0 there. */
static const struct field upi_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "edge", 18, 18 },
	{ "inv", 23, 23 }, { "thresh", 24, 31 }, { "umask_ext", 32, 55 },
	{ NULL, 0, 0 }
};

/* For the eight counters that a core has without Hyper-Threading, by the list.  The
 * list has 0x1c0 with a counter mask (TOTAL_CYCLES_PS, for PEBS) on the other three. */
static const struct constraint core_only[] = {
	{ 0x01c0, 0x2 }, { 0x14a3, 0xf }, { 0xb7, 0xf }, { 0xbb, 0xf },
	{ 0x04c4, 0xf }, { 0x04c5, 0xf }, { 0xc6, 0xf }, { 0xcd, 0xf },
	{ 0xd0, 0xf }, { 0xd1, 0xf }, { 0xd2, 0xf }, { 0xd3, 0xf },
	{ 0xd4, 0xf }, { 0, 0 }
};
/* 0x3b, and below 0x1c, 0x3c and 0x8e of M3UPI: Intel's list alone */
static const struct constraint cha_only[] = {
	{ 0x11, 0x1 }, { 0x36, 0x1 }, { 0x3b, 0x1 }, { 0, 0 }
};
static const struct constraint iio_only[] = {
	{ 0x83, 0x3 }, { 0x88, 0xc }, { 0x95, 0xc }, { 0xc0, 0xc },
	{ 0xc5, 0xc }, { 0xd4, 0xc }, { 0xd5, 0xc }, { 0, 0 }
};
static const struct constraint m3upi_only[] = {
	{ 0x1c, 0x1 }, { 0x1d, 0x1 }, { 0x1e, 0x1 }, { 0x3c, 0x1 },
	{ 0x8e, 0x1 }, { 0, 0 }
};
static const struct constraint m2pcie_only[] = { { 0x23, 0x3 }, { 0, 0 } };

/* Classes of the events of a mesh stop, which CHA, M2M and M3UPI have. */
#define MESH_CLASSES \
	QUEUE(0x82, "AG0_AD_CRD_OCCUPANCY"), \
	QUEUE(0x86, "AG1_AD_CRD_OCCUPANCY"), \
	QUEUE(0x8a, "AG0_BL_CRD_OCCUPANCY"), \
	QUEUE(0x8e, "AG1_BL_CRD_OCCUPANCY"), \
	QUEUE(0x90, "TxR_VERT_OCCUPANCY"), QUEUE(0x94, "TxR_HORZ_OCCUPANCY"), \
	QUEUE(0xb0, "RxR_OCCUPANCY"), \
	{ 0xc0, CLASS_TICKS, "CMS_CLOCKTICKS" }
static const struct event_class cha_classes[] = {
	TICKS(0x00),
	QUEUE(0x11, "RxC_OCCUPANCY"), QUEUE(0x1f, "COUNTER0_OCCUPANCY"),
	QUEUE(0x36, "TOR_OCCUPANCY"), QUEUE(0x3b, "UPI_CREDIT_OCCUPANCY"),
	MESH_CLASSES, END_OF_CLASSES
};
static const struct event_class iio_classes[] = {
	TICKS(0x01),
	QUEUE(0x40, "VTD_OCCUPANCY"), QUEUE(0xd5, "COMP_BUF_OCCUPANCY"),
	END_OF_CLASSES
};
static const struct event_class m2m_classes[] = {
	TICKS(0x00),
	QUEUE(0x02, "RxC_AD_OCCUPANCY"), QUEUE(0x06, "RxC_BL_OCCUPANCY"),
	QUEUE(0x0a, "TxC_AD_OCCUPANCY"), QUEUE(0x0e, "TxC_AD_CREDIT_OCCUPANCY"),
	QUEUE(0x12, "TxC_AK_OCCUPANCY"), QUEUE(0x16, "TxC_BL_OCCUPANCY"),
	QUEUE(0x1a, "TxC_BL_CREDIT_OCCUPANCY"),
	QUEUE(0x1e, "TxC_AK_CREDIT_OCCUPANCY"),
	QUEUE(0x47, "TRACKER_OCCUPANCY"),
	QUEUE(0x48, "TRACKER_PENDING_OCCUPANCY"),
	QUEUE(0x55, "PREFCAM_OCCUPANCY"),
	QUEUE(0x60, "WRITE_TRACKER_OCCUPANCY"), MESH_CLASSES, END_OF_CLASSES
};
static const struct event_class m3upi_classes[] = {
	TICKS(0x01),
	QUEUE(0x1c, "TxC_AD_FLQ_OCCUPANCY"),
	QUEUE(0x1d, "TxC_BL_FLQ_OCCUPANCY"),
	QUEUE(0x1e, "TxC_AK_FLQ_OCCUPANCY"), QUEUE(0x45, "RxC_OCCUPANCY_VN0"),
	QUEUE(0x46, "RxC_OCCUPANCY_VN1"), MESH_CLASSES, END_OF_CLASSES
};

static const uint8_t imc_devfn[] = {
	PCI_DEVFN(0x0a, 2), PCI_DEVFN(0x0a, 6), PCI_DEVFN(0x0b, 2),
	PCI_DEVFN(0x0c, 2), PCI_DEVFN(0x0c, 6), PCI_DEVFN(0x0d, 2)
};
static const uint16_t imc_devid[] = {
	0x2042, 0x2046, 0x204a, 0x2042, 0x2046, 0x204a
};
static const uint8_t m2m_devfn[] = { PCI_DEVFN(0x08, 0), PCI_DEVFN(0x09, 0) };
static const uint16_t m2m_devid[] = { 0x2066, 0x2066 };
static const uint8_t upi_devfn[] = {
	PCI_DEVFN(0x0e, 0), PCI_DEVFN(0x0f, 0), PCI_DEVFN(0x10, 0)
};
static const uint16_t upi_devid[] = { 0x2058, 0x2058, 0x2058 };
static const uint8_t m3upi_devfn[] = {
	PCI_DEVFN(0x12, 1), PCI_DEVFN(0x12, 2), PCI_DEVFN(0x12, 5)
};
static const uint16_t m3upi_devid[] = { 0x204d, 0x204e, 0x204d };
/* The fourth is 15.5 in Linux; SEP and boot logs have 16.5 (reference 14). */
static const uint8_t m2pcie_devfn[] = {
	PCI_DEVFN(0x15, 1), PCI_DEVFN(0x16, 1), PCI_DEVFN(0x17, 1),
	PCI_DEVFN(0x16, 5)
};
static const uint16_t m2pcie_devid[] = { 0x2088, 0x2088, 0x2088, 0x2088 };

/* Reference 13.1, 13.3. */
static const struct need cha_need[] = {
	{ 0x34, 0, 0, 0x07fe0000, "counts nothing without a state of the line "
	    "in filter0 (0x7fe0000: all)" },
	{ 0x35, 0, 1, 0x3b, TOR_NEEDS }, { 0x36, 0, 1, 0x3b, TOR_NEEDS },
	{ 0, 0, 0, 0, NULL }
};

static const struct box_type skx_core = {
	INTEL_CORE, .classes = intel_core_classes,
	.counters = 8, .bits = 48,      /* how many: CPUID leaf 0xA */
	.field = intel_core_fields, .only = core_only,
	.filter = {
		{ "offcore_rsp_0", 0x1a6, 0x3fffff8fff, 0, 0xb7, false, { 0 } },
		{ "offcore_rsp_1", 0x1a7, 0x3fffff8fff, 0, 0xbb, false, { 0 } },
		{ "frontend", 0x3f7, 0xffffff, 0, 0xc6, false, { 0 } },
		{ "ldlat", 0x3f6, 0xffff, 0, 0xcd, false, { 0 } },
	},
	.need = intel_core_need,
};

static const struct box_type skx_boxes[] = {
	{ INTEL_UBOX },
	{ INTEL_PCU },
	{ .name = "CHA", .family = "cha_counts", MSR_BOX(0xe00, 0xe01, 0xe08),
	  .classes = cha_classes, .presence = PRESENT_CAPID, .instances = 28,
	  .counters = 4, .stride = 0x10, .field = intel_tid_fields,
	  .only = cha_only,
	  /* filter1 of 0 matches nothing: 0x3b is remote, local, all opcodes,
	   * near memory and not near memory (reference 7.2). */
	  .filter = { { "filter0", 0xe05, 0x07fe1fff, 0, 0, false, { 0 } },
	    { "filter1", 0xe06, 0xfffffe3b, 0x3b, 0, false, { 0 } } },
	  .need = cha_need },
	{ .name = "IIO", .family = "iio_counts", MSR_BOX(0xa40, 0xa48, 0xa41),
	  .classes = iio_classes, .instances = 6, .counters = 4,
	  .stride = 0x20, .field = iio_fields, .only = iio_only },
	{ .name = "IRP", .family = "irp_counts", MSR_BOX(0xa58, 0xa5b, 0xa59),
	  .classes = intel_irp_classes, .instances = 6, .counters = 2,
	  .stride = 0x20, .field = intel_std_fields },
	{ PCI_IMC, .instances = 6, .bus = 2, .devfn = imc_devfn,
	  .devid = imc_devid },
	{ .name = "M2M", .family = "m2m_counts",
	  PCI_FUNCTION(0x258, 0x228, 8, 0x200), .classes = m2m_classes,
	  .instances = 2, .bus = 2, .devfn = m2m_devfn, .devid = m2m_devid,
	  .field = intel_std_fields },
	{ .name = "UPI", .family = "upi_counts",
	  PCI_FUNCTION(0x378, 0x350, 8, 0x318), .classes = intel_upi_classes,
	  .instances = 3, .bus = 3, .devfn = upi_devfn, .devid = upi_devid,
	  .field = upi_fields },
	{ .name = "M3UPI", .family = "m3upi_counts", PCI_BOX,
	  .classes = m3upi_classes, .instances = 3, .counters = 3, .bits = 48,
	  .bus = 3, .devfn = m3upi_devfn, .devid = m3upi_devid,
	  .field = intel_std_fields, .only = m3upi_only },
	{ .name = "M2PCIe", .family = "m2pcie_counts", PCI_BOX, .instances = 4,
	  .counters = 4, .bits = 48, .bus = 3, .devfn = m2pcie_devfn,
	  .devid = m2pcie_devid, .field = intel_std_fields, .only = m2pcie_only },
	{ .name = NULL }
};

/* 36 bits wide and in units of 4 bytes, so the bytes wrap at 2^38. */
static const struct freerun skx_freerun[] = {
	{ "iio_%s_port%u_in_bytes", "bw_in", "IIO", REG_MSR, 4,
	  0xb00, 1, 0x10, NULL, 36, 4, "bytes", CLASS_BYTES_IO, NULL },
	{ "iio_%s_port%u_out_bytes", "bw_out", "IIO", REG_MSR, 4,
	  0xb04, 1, 0x10, NULL, 36, 4, "bytes", CLASS_BYTES_IO, NULL },
	{ "iio_%s_port%u_in_busy", "util_in", "IIO", REG_MSR, 4,
	  0xb08, 2, 0x10, NULL, 36, 1, "clocks", CLASS_UCLK, NULL },
	{ "iio_%s_port%u_out_busy", "util_out", "IIO", REG_MSR, 4,
	  0xb09, 2, 0x10, NULL, 36, 1, "clocks", CLASS_UCLK, NULL },
	{ "iio_%s_clocks", "clock", "IIO", REG_MSR, 0,
	  0xa45, 0, 0x20, NULL, 36, 1, "clocks", CLASS_UCLK, "ioclk" },
	{ .family = NULL }
};

static const char *const skx_stacks[] = {       /* order: Intel PCM alone */
	"CBDMA", "PCIe0", "PCIe1", "PCIe2", "MCP0", "MCP1"
};

/* 0x690 is an LBR entry here, never limit reasons: 0x64F (reference 13.14). */
static const struct scalar *const skx_scalars[] = {
	intel_scalars, intel_skl_scalars, NULL
};

static const struct cpu_match skx_id[] = {
	{ 0x55, 0, 9, 0 },                 /* 0xA and up is Cooper Lake */
	{ 0, 0, 0, 0 }
};

const struct model model_skx = {
	.name = "skx", .title = "Skylake-SP / Cascade Lake-SP",
	.default_config = "@default-skx", .id = skx_id,
	.msr = &intel_msrs,
	.core = &skx_core, .threads_share = true, .fixed = &intel_fixed,
	.box = skx_boxes, .freerun = skx_freerun, .scalar = skx_scalars,
	.stack = skx_stacks, .bus_method = BUS_MSR_300,
	.capid = { .bus = 1, .devfn = PCI_DEVFN(0x1e, 3), .devid = 0x2083,
	    .offset = { 0x9c, 0 }, .mask = { 0x0fffffff, 0 } },
	/* part p of a stack is root port p.0 of the stack's bus (7.1) */
	.stacks = { .pmon = { 0, 1, 2, 3, 4, 5 }, .first_port = 0, .parts = 4 },
	.global_ctl = 0x700, .global_freeze = 1ull << 63,
	.global_unfreeze = 1ull << 61,
	.dram_unit_log2 = 16,           /* 2^-16 J, whatever 0x606 says */
	.max_ghz = 5.0,
	.max_io_bytes = 16e9,           /* PCIe 3.0 x16 */
	.max_cas_hz = 366625000,        /* DDR4-2933: 2933e6 * 8 / 64 */
};
