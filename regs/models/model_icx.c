/*
 * regs/models/model_icx.c - Ice Lake-SP (06_6AH) and Ice Lake-D (06_6CH).
 *
 * Instance i of a box type has its registers at + base[i] (MSR), in PCI
 * function devfn[i], or in the MMIO block of memory controller unit_of[i].
 * Sources, as gathered in the project's reference "intel-server-pmon",
 * sections 3, 5 and 8: Linux arch/x86/events/intel/uncore_snbep.c (icx_*),
 * Intel PCM, LIKWID, and the register lists of Intel's SEP driver; two or
 * more agree on each number unless a comment here says otherwise.
 */
#include "regs/models/model_list.h"

#include <stddef.h>

static const struct field cha_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "edge", 18, 18 },
	{ "tid_en", 19, 19 }, { "inv", 23, 23 }, { "thresh", 24, 31 },
	{ "umask_ext", 32, 57 }, { NULL, 0, 0 }
};

static const struct field m2m_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "edge", 18, 18 },
	{ "inv", 23, 23 }, { "thresh", 24, 31 }, { "umask_ext", 32, 39 },
	{ NULL, 0, 0 }
};

/* Reference 11.1 and Intel's list. */
static const struct constraint core_only[] = {
	{ 0x03, 0xf }, { 0x07, 0xf }, { 0x08, 0xf }, { 0x24, 0xf },
	{ 0x28, 0xf }, { 0x32, 0xf }, { 0x48, 0xf }, { 0x49, 0xf },
	{ 0x4c, 0xf }, { 0x51, 0xf }, { 0x54, 0xf }, { 0x55, 0xf },
	{ 0x56, 0xf }, { 0x60, 0xf }, { 0x79, 0xf }, { 0x80, 0xf },
	{ 0x83, 0xf }, { 0x85, 0xf }, { 0x87, 0xf }, { 0x01a3, 0xf },
	{ 0x05a3, 0xf }, { 0x06a3, 0xf }, { 0x08a3, 0xf }, { 0x0ca3, 0xf },
	{ 0xa8, 0xf }, { 0xab, 0xf }, { 0xb0, 0xf }, { 0xb7, 0xf },
	{ 0xbb, 0xf }, { 0xbd, 0xf }, { 0xd0, 0xf }, { 0xd1, 0xf },
	{ 0xd2, 0xf }, { 0xd3, 0xf }, { 0xd4, 0xf }, { 0xe6, 0xf },
	{ 0xef, 0xf }, { 0xf0, 0xf }, { 0xf1, 0xf }, { 0xf2, 0xf },
	{ 0xf4, 0xf }, { 0, 0 }
};
static const struct constraint cha_only[] = {
	{ 0x11, 0x1 }, { 0x36, 0x1 }, { 0, 0 }
};
static const struct constraint iio_only[] = {
	{ 0x02, 0x3 }, { 0x03, 0x3 }, { 0x83, 0x3 }, { 0x88, 0xc },
	{ 0xc0, 0xc }, { 0xc5, 0xc }, { 0xd5, 0xc }, { 0, 0 }
};
static const struct constraint m2pcie_only[] = {
	{ 0x14, 0x3 }, { 0x23, 0x3 }, { 0x2d, 0x3 }, { 0, 0 }
};
static const struct constraint m3upi_only[] = {
	{ 0x1c, 0x1 }, { 0x1d, 0x1 }, { 0x1e, 0x1 }, { 0x1f, 0x1 },
	{ 0x40, 0x7 }, { 0x4e, 0x7 }, { 0x4f, 0x7 }, { 0x50, 0x7 }, { 0, 0 }
};

/* Classes of the events of a mesh stop, which CHA, M2M, M2PCIe and M3UPI have. */
#define MESH_CLASSES \
	QUEUE(0x82, "AG0_AD_CRD_OCCUPANCY0"), \
	QUEUE(0x83, "AG0_AD_CRD_OCCUPANCY1"), \
	QUEUE(0x86, "AG1_AD_CRD_OCCUPANCY0"), \
	QUEUE(0x87, "AG1_AD_CRD_OCCUPANCY1"), \
	QUEUE(0x8a, "AG0_BL_CRD_OCCUPANCY0"), \
	QUEUE(0x8b, "AG0_BL_CRD_OCCUPANCY1"), \
	QUEUE(0x8e, "AG1_BL_CRD_OCCUPANCY0"), \
	QUEUE(0x8f, "AG1_BL_CRD_OCCUPANCY1"), \
	QUEUE(0x90, "TxR_VERT_OCCUPANCY0"), \
	QUEUE(0x91, "TxR_VERT_OCCUPANCY1"), QUEUE(0xa0, "TxR_HORZ_OCCUPANCY"), \
	QUEUE(0xe0, "RxR_OCCUPANCY"), \
	{ 0xc0, CLASS_TICKS, "CMS_CLOCKTICKS" }
static const struct event_class cha_classes[] = {
	TICKS(0x00),
	QUEUE(0x11, "RxC_OCCUPANCY"), QUEUE(0x1f, "COUNTER0_OCCUPANCY"),
	QUEUE(0x36, "TOR_OCCUPANCY"), QUEUE(0x67, "PMM_QOS_OCCUPANCY"),
	MESH_CLASSES, END_OF_CLASSES
};
static const struct event_class iio_classes[] = {
	TICKS(0x01),
	QUEUE(0x42, "PWT_OCCUPANCY"), QUEUE(0x88, "NUM_OUTSTANDING_REQ_OF_CPU"),
	QUEUE(0xd5, "COMP_BUF_OCCUPANCY"), END_OF_CLASSES
};
static const struct event_class m2pcie_classes[] = {
	TICKS(0x01),
	QUEUE(0x14, "P2P_CRD_OCCUPANCY"), MESH_CLASSES, END_OF_CLASSES
};
static const struct event_class m2m_classes[] = {
	TICKS(0x00),
	QUEUE(0x02, "RxC_AD_OCCUPANCY"), QUEUE(0x06, "RxC_BL_OCCUPANCY"),
	QUEUE(0x0a, "TxC_AD_OCCUPANCY"), QUEUE(0x0e, "TxC_AD_CREDIT_OCCUPANCY"),
	QUEUE(0x12, "TxC_AK_OCCUPANCY"), QUEUE(0x47, "TRACKER_OCCUPANCY"),
	QUEUE(0x55, "WR_TRACKER_OCCUPANCY"),
	QUEUE(0x5d, "WR_TRACKER_POSTED_OCCUPANCY"),
	QUEUE(0x62, "WR_TRACKER_NONPOSTED_OCCUPANCY"),
	QUEUE(0x65, "MIRR_WRQ_OCCUPANCY"), QUEUE(0x6a, "PREFCAM_OCCUPANCY"),
	QUEUE(0x77, "PREFCAM_RxC_OCCUPANCY"), MESH_CLASSES, END_OF_CLASSES
};
static const struct event_class m3upi_classes[] = {
	TICKS(0x01),
	QUEUE(0x1c, "TxC_AD_FLQ_OCCUPANCY"),
	QUEUE(0x1d, "TxC_BL_FLQ_OCCUPANCY"),
	QUEUE(0x1e, "TxC_AK_FLQ_OCCUPANCY"),
	QUEUE(0x1f, "TxC_BL_WB_FLQ_OCCUPANCY"),
	QUEUE(0x45, "RxC_OCCUPANCY_VN0"), QUEUE(0x46, "RxC_OCCUPANCY_VN1"),
	QUEUE(0x7d, "WB_PENDING"), MESH_CLASSES, END_OF_CLASSES
};

/* The CHAs' MSRs are in three ranges, 14 numbers for each CHA: 0-17 from 0xE00, 18-33
 * from 0xF0A, 34-41 from 0xB60.  base[] counts from the lowest, 0xB60. */
#define CHA_LOW 0xb60
#define A(i) (0xe00 - CHA_LOW + 0xe * (i))
#define B(i) (0xf0a - CHA_LOW + 0xe * ((i) - 18))
#define C(i) (0xe * ((i) - 34))
static const uint32_t cha_base[] = {
	A(0), A(1), A(2), A(3), A(4), A(5), A(6), A(7), A(8), A(9), A(10),
	A(11), A(12), A(13), A(14), A(15), A(16), A(17),
	B(18), B(19), B(20), B(21), B(22), B(23), B(24), B(25), B(26), B(27),
	B(28), B(29), B(30), B(31), B(32), B(33),
	C(34), C(35), C(36), C(37), C(38), C(39), C(40), C(41)
};
#undef A
#undef B
#undef C

/* Offsets by stack, for M2PCIe, IRP, IIO and the free-running counters of ports. */
static const uint32_t stack_base[] = { 0x00, 0x20, 0x40, 0x90, 0xb0, 0xd0 };
static const uint32_t port_base[] = { 0x00, 0x10, 0x20, 0x90, 0xa0, 0xb0 };

/* Of Ice Lake-D, with three channels of a controller. */
static const uint32_t imc_base_d[] = {
	0, 0x4000, 0x8000, 0, 0x4000, 0x8000, 0, 0x4000, 0x8000, 0, 0x4000,
	0x8000
};
static const uint8_t imc_of_d[] = { 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3 };

static const uint8_t m2m_devfn[] = {
	PCI_DEVFN(0x0c, 0), PCI_DEVFN(0x0d, 0), PCI_DEVFN(0x0e, 0),
	PCI_DEVFN(0x0f, 0)
};
static const uint16_t m2m_devid[] = { 0x344a, 0x344a, 0x344a, 0x344a };
static const uint8_t upi_devfn[] = {
	PCI_DEVFN(0x02, 1), PCI_DEVFN(0x03, 1), PCI_DEVFN(0x04, 1)
};
static const uint16_t upi_devid[] = { 0x3441, 0x3441, 0x3441 };
static const uint8_t m3upi_devfn[] = {
	PCI_DEVFN(0x05, 1), PCI_DEVFN(0x06, 1), PCI_DEVFN(0x07, 1)
};
static const uint16_t m3upi_devid[] = { 0x3446, 0x3446, 0x3446 };

static const struct box_type icx_core = {
	INTEL_CORE, .classes = intel_core_classes,
	.counters = 8, .bits = 48,      /* how many: CPUID leaf 0xA */
	.field = intel_icx_core_fields, .only = core_only,
	.filter = {
		{ "offcore_rsp_0", 0x1a6, 0x3fffffffff, 0, 0xb7, false, { 0 } },
		{ "offcore_rsp_1", 0x1a7, 0x3fffffffff, 0, 0xbb, false, { 0 } },
		{ "frontend", 0x3f7, 0xffffff, 0, 0xc6, false, { 0 } },
		{ "ldlat", 0x3f6, 0xffff, 0, 0xcd, false, { 0 } },
	},
	.need = intel_core_need,
};

/* The box types of both CPUs, in the order of a dump; only the memory channels
 * differ. */
#define CHA \
	{ .name = "CHA", .family = "cha_counts", \
	  MSR_BOX(CHA_LOW, CHA_LOW + 1, CHA_LOW + 8), .classes = cha_classes, \
	  .presence = PRESENT_CAPID, .instances = 42, .counters = 4, \
	  .base = cha_base, .field = cha_fields, .only = cha_only, \
	  .filter = { { "filter0", CHA_LOW + 5, 0x3ff, 0, 0, false, { 0 } } } }
#define IIO \
	{ .name = "IIO", .family = "iio_counts", \
	  MSR_BOX(0xa50, 0xa58, 0xa51), .classes = iio_classes, \
	  .instances = 6, .counters = 4, .base = stack_base, \
	  .field = intel_iio_fields, .only = iio_only }
#define IRP \
	{ .name = "IRP", .family = "irp_counts", \
	  MSR_BOX(0xa4a, 0xa4d, 0xa4b), .classes = intel_irp_classes, \
	  .instances = 6, .counters = 2, .base = stack_base, \
	  .field = intel_std_fields }
#define M2PCIE \
	{ .name = "M2PCIe", .family = "m2pcie_counts", \
	  MSR_BOX(0xa40, 0xa46, 0xa41), .classes = m2pcie_classes, \
	  .instances = 6, .counters = 4, .base = stack_base, \
	  .field = intel_std_fields, .only = m2pcie_only }
#define IMC(n, at, of) \
	{ .name = "IMC", .family = "imc_counts", .space = REG_MMIO, \
	  .classes = intel_imc_classes, .cls = CLASS_OCCUPANCY, \
	  .scope = SCOPE_PKG, .instances = (n), .counters = 4, .bits = 48, \
	  .box_ctl = 0x22800, .ctl = 0x22840, .ctl_step = 4, \
	  .ctr = 0x22808, .ctr_step = 8, .base = (at), .unit_of = (of), \
	  .enable = EN, .freeze = BOX_FREEZE, .field = intel_std_fields, \
	  DCLK(0x22854, 0x22838) }
/* The free-running counters of a memory controller, which need no programming.  The
 * first one's register tells whether the block answers. */
#define IMCFREE \
	{ .name = "IMCFREE", .space = REG_MMIO, .scope = SCOPE_PKG, \
	  .instances = 4, .ctr = 0x2290, .unit_of = intel_imcfree_of, \
	  .field = no_fields, .kernel.pmu = "uncore_imc_free_running" }
#define M2M \
	{ .name = "M2M", .family = "m2m_counts", \
	  PCI_FUNCTION(0x438, 0x468, 8, 0x440), .classes = m2m_classes, \
	  .instances = 4, .bus = 0, .devfn = m2m_devfn, .devid = m2m_devid, \
	  .field = m2m_fields }
#define UPI \
	{ .name = "UPI", .family = "upi_counts", \
	  PCI_FUNCTION(0x318, 0x350, 8, 0x320), .classes = intel_upi_classes, \
	  .instances = 3, .bus = 0, .devfn = upi_devfn, .devid = upi_devid, \
	  .field = intel_wide_fields }
#define M3UPI \
	{ .name = "M3UPI", .family = "m3upi_counts", \
	  PCI_FUNCTION(0xa0, 0xd8, 4, 0xa8), .classes = m3upi_classes, \
	  .instances = 3, .bus = 0, .devfn = m3upi_devfn, \
	  .devid = m3upi_devid, .field = intel_std_fields, \
	  .only = m3upi_only }

static const struct box_type icx_boxes[] = {
	{ INTEL_UBOX }, { INTEL_PCU }, CHA, IIO, IRP, M2PCIE,
	IMC(8, intel_imc_base, intel_imc_of), IMCFREE, M2M, UPI, M3UPI,
	{ .name = NULL }
};
static const struct box_type icxd_boxes[] = {
	{ INTEL_UBOX }, { INTEL_PCU }, CHA, IIO, IRP, M2PCIE,
	IMC(12, imc_base_d, imc_of_d), IMCFREE, M2M, UPI, M3UPI,
	{ .name = NULL }
};

/* Ports count units of 4 bytes, memory controllers units of 64.  For bytes out the
 * only sources are SEP's register list and Intel's event names; Linux has only "in". */
static const struct freerun icx_freerun[] = {
	{ "iio_%s_port%u_in_bytes", "bw_in", "IIO", REG_MSR, 8,
	  0xaa0, 1, 0, port_base, 48, 4, "bytes", CLASS_BYTES_IO, NULL },
	{ "iio_%s_port%u_out_bytes", "bw_out", "IIO", REG_MSR, 8,
	  0xaa8, 1, 0, port_base, 48, 4, "bytes", CLASS_BYTES_IO, NULL },
	{ "iio_%s_clocks", "clock", "IIO", REG_MSR, 0,
	  0xa55, 0, 0, stack_base, 48, 1, "clocks", CLASS_UCLK, "ioclk" },
	/* the kernel's names: icx_uncore_imc_freerunning_events of Linux */
	{ "imc_ddr_read_bytes", "ddr_reads", "IMCFREE", REG_MMIO, 0,
	  0x2290, 0, 0, NULL, 48, 64, "bytes", CLASS_BYTES_NET, "read" },
	{ "imc_ddr_write_bytes", "ddr_writes", "IMCFREE", REG_MMIO, 0,
	  0x2298, 0, 0, NULL, 48, 64, "bytes", CLASS_BYTES_NET, "write" },
	{ "imc_pmm_read_bytes", "pmm_reads", "IMCFREE", REG_MMIO, 0,
	  0x22a0, 0, 0, NULL, 48, 64, "bytes", CLASS_BYTES_NET, "ddrt_read" },
	{ "imc_pmm_write_bytes", "pmm_writes", "IMCFREE", REG_MMIO, 0,
	  0x22a8, 0, 0, NULL, 48, 64, "bytes", CLASS_BYTES_NET, "ddrt_write" },
	{ "imc_dclk", "dclk", "IMCFREE", REG_MMIO, 0,
	  0x22b0, 0, 0, NULL, 48, 1, "clocks", CLASS_UCLK, "dclk" },
	{ .family = NULL }
};

static const char *const icx_stacks[] = {       /* order: Intel PCM alone */
	"PCIe0", "PCIe1", "MCP", "PCIe2", "PCIe3", "CBDMA"
};
static const char *const icxd_stacks[] = {      /* no source names them */
	"stack0", "stack1", "stack2", "stack3", "stack4", "stack5"
};

static const struct scalar icx_own[] = {
	{ "core_perf_metrics", REG_MSR, SCOPE_LPROC, 0x329, 0, PRINT_HEX,
	  "fractions", CLASS_READING, false },
	RESIDENCY("core_c1_residency", SCOPE_CORE, 0x660),
	{ .family = NULL }
};

/* 0x690 is an LBR entry here, never limit reasons (reference 13.14). */
static const struct scalar *const icx_scalars[] = {
	intel_scalars, intel_skl_scalars, icx_own, NULL
};

static const struct cpu_match icx_id[] = { { 0x6a, 0, 15, 0 }, { 0, 0, 0, 0 } };
static const struct cpu_match icxd_id[] = { { 0x6c, 0, 15, 0 }, { 0, 0, 0, 0 } };

#define COMMON \
	.default_config = "@default-icx", .core = &icx_core, \
	.msr = &intel_msrs, \
	.fixed = &intel_metrics_fixed, .freerun = icx_freerun, \
	.scalar = icx_scalars, \
	.bus_method = BUS_UBOX, \
	.ubox = { .devfn = PCI_DEVFN(0x00, 0), .devid = 0x3450, \
	    .node_reg = 0xc0, .map_reg = 0xd4 }, \
	.capid = { .bus = 1, .devfn = PCI_DEVFN(0x1e, 3), .devid = 0x345b, \
	    .offset = { 0x9c, 0xa0 }, .mask = { 0xffffffff, 0xffffffff } }, \
	.mmio = { .bus = 0, .devfn = PCI_DEVFN(0x00, 1), .devid = 0x3451, \
	    .base_reg = 0xd0, .base_mask = 0x1fffffff, .base_shift = 23, \
	    .offset_reg = 0xd8, .offset_mask = 0x7ff, .offset_shift = 12, \
	    .n = 4 }, \
	.global_ctl = 0x700, .global_freeze = 1ull << 63, \
	.global_unfreeze = 1ull << 61, \
	.dram_unit_log2 = 16,           /* 2^-16 J, whatever 0x606 says */ \
	.max_ghz = 5.0, \
	.max_io_bytes = 32e9,           /* PCIe 4.0 x16 */ \
	.max_cas_hz = 400000000         /* DDR4-3200: 3200e6 * 8 / 64 */

/* SAD_CONTROL_CFG of device 09a2: 3:0 socket, 6:4 stack (reference 8.1). */
#define STACKS \
	.devid = 0x09a2, .reg = 0x3f4, .pkg_lo = 0, .pkg_hi = 3, \
	.stack_lo = 4, .stack_hi = 6, .first_port = 2, .parts = 4

const struct model model_icx = {
	.name = "icx", .title = "Ice Lake-SP", .id = icx_id,
	.box = icx_boxes, .stack = icx_stacks,
	.stacks = { STACKS, .pmon = { 5, 0, 1, 2, 3, 4, NO_STACK, NO_STACK } },
	COMMON
};

const struct model model_icxd = {
	.name = "icxd", .title = "Ice Lake-D", .id = icxd_id,
	.box = icxd_boxes, .stack = icxd_stacks,
	.stacks = { STACKS, .pmon = { 2, 5, 1, 0, 3, 4, NO_STACK, NO_STACK } },
	COMMON
};
