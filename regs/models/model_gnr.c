/*
 * regs/models/model_gnr.c - Granite Rapids (06_ADH) and Granite Rapids-D
 * (06_AEH).
 *
 * Every box comes from the package's discovery table first.  The addresses here check
 * the table; where it is hidden they are used for CHAs and I/O stacks, on which two
 * sources agree.  A row says where only the table has the layout of a box.  Controls
 * are those of Sapphire Rapids: bit 22 is reserved, and a counter counts while its
 * control is not 0 and its box is not frozen.
 *
 * Sources, as gathered in the project's reference "intel-server-pmon", sections
 * 5.3, 9.1, 10, 11 and 14: types of boxes Linux uncore_discovery.c and LIKWID;
 * addresses Intel PCM, and of CHA and IIO Linux, too; counters of a box Intel's
 * list.  Never tried on real hardware.
 */
#include "regs/models/model_spr.h"

#include <stddef.h>

static const struct constraint iio_only[] = {
	{ 0x83, 0x3 }, { 0x84, 0x3 }, { 0xc0, 0xc }, { 0xc1, 0xc },
	{ 0xd5, 0xc }, { 0, 0 }
};

/* A channel has two halves, each with its event: CAS_COUNT_SCH0 and CAS_COUNT_SCH1. */
static const struct event_class imc_classes[] = {
	{ 0x01, CLASS_MEMCMD, "CLOCKTICKS" },
	{ 0x01, CLASS_MEMCMD, "HCLOCKTICKS" },
	{ 0x02, CLASS_MEMCMD, "ACT_COUNT" }, { 0x03, CLASS_MEMCMD, "PRE_COUNT" },
	{ 0x05, CLASS_CAS, "CAS_COUNT_SCH0" }, { 0x05, CLASS_CAS, "CAS_COUNT" },
	{ 0x06, CLASS_CAS, "CAS_COUNT_SCH1" }, END_OF_CLASSES
};
static const struct event_class ticks[] = { TICKS(0x01), END_OF_CLASSES };

/* Source: Intel PCM alone. */
static const struct box_count cha_count = {
	.name = "MSR 0x3fed", .space = REG_MSR, .reg = 0x3fed, .lo = 0, .hi = 8,
};

static const uint32_t imc_base[] = {
	0, 0x4000, 0x8000, 0xc000, 0x10000, 0x14000, 0x18000, 0x1c000, 0x20000,
	0x24000, 0x28000, 0x2c000
};

/* Functions as in Intel PCM.  Their device ids are not known; the table tells which box
 * is in which function. */
static const uint8_t upi_devfn[] = {
	PCI_DEVFN(0x10, 1), PCI_DEVFN(0x11, 1), PCI_DEVFN(0x12, 1),
	PCI_DEVFN(0x13, 1), PCI_DEVFN(0x14, 1), PCI_DEVFN(0x15, 1)
};
static const uint8_t b2upi_devfn[] = {
	PCI_DEVFN(0x18, 0), PCI_DEVFN(0x19, 0), PCI_DEVFN(0x1a, 0),
	PCI_DEVFN(0x1b, 0), PCI_DEVFN(0x1c, 0), PCI_DEVFN(0x1d, 0)
};
static const uint8_t b2cmi_devfn[] = {
	PCI_DEVFN(0x05, 1), PCI_DEVFN(0x05, 2), PCI_DEVFN(0x05, 3),
	PCI_DEVFN(0x05, 4), PCI_DEVFN(0x05, 5), PCI_DEVFN(0x05, 6),
	PCI_DEVFN(0x05, 7), PCI_DEVFN(0x06, 1), PCI_DEVFN(0x06, 2),
	PCI_DEVFN(0x06, 3), PCI_DEVFN(0x06, 4), PCI_DEVFN(0x06, 5)
};

#define FUNCTION(type, at, ctl_at, ctr_at) \
	.space = REG_PCI, .scope = SCOPE_PKG, .presence = PRESENT_TABLE, \
	.table.number = (type), .table.only = true, .counters = 4, .bits = 48, \
	.box_ctl = (at), .ctl = (ctl_at), .ctl_step = 8, .ctr = (ctr_at), \
	.ctr_step = 8, .field = intel_wide_fields, .freeze = SPR_FROZEN

/* The most instances of a type: as many as LIKWID has, or as were seen on a node of
 * this platform, and some more. */
const struct box_type gnr_boxes[] = {
	{ .name = "UBOX", .family = "ubox_counts", SPR_LISTED(5, 0x3ff0, 2),
	  .table.only = true, .single = true, .instances = 1,
	  .field = intel_std_fields, UCLK(0x3ffe, 0x3ffd) },
	{ .name = "PCU", .family = "pcu_counts", SPR_LAID(4, REG_MSR, 4),
	  .classes = spr_pcu_classes, .instances = 8,
	  .field = intel_std_fields },
	{ .name = "CHA", .family = "cha_counts", SPR_LISTED(0, 0x2000, 4),
	  .classes = spr_cha_classes, .instances = 128, .count = &cha_count,
	  .field = spr_cha_fields, .only = spr_cha_only,
	  .filter = { { "filter0", 0x200e, 0x3ff, 0, 0, false, { 0 } } } },
	{ .name = "IIO", .family = "iio_counts", SPR_LISTED(1, 0x2900, 4),
	  .classes = spr_iio_classes, .instances = 16,
	  .field = intel_iio_fields, .only = iio_only },
	{ .name = "IRP", .family = "irp_counts", SPR_LISTED(2, 0x2a00, 4),
	  .table.only = true, .classes = spr_irp_classes, .instances = 16,
	  .field = intel_std_fields },
	{ .name = "MDF", .family = "mdf_counts", SPR_LAID(20, REG_MSR, 4),
	  .kernel.pmu = "uncore_mdf_sbo",
	  .classes = spr_mdf_classes, .instances = 96,
	  .field = intel_std_fields },
	{ .name = "IMC", .family = "imc_counts",
	  SPR_CHANNEL(6, 0x24e800, imc_classes), .table.only = true,
	  .instances = 12, .base = imc_base, .bar = "SCF" },
	{ .name = "B2CMI", .family = "b2cmi_counts",
	  FUNCTION(16, 0x438, 0x468, 0x440), .classes = spr_m2m_classes,
	  .instances = 12, .devfn = b2cmi_devfn },
	{ .name = "UPI", .family = "upi_counts",
	  FUNCTION(8, 0x318, 0x350, 0x320), .classes = intel_upi_classes,
	  .instances = 6, .devfn = upi_devfn },
	{ .name = "B2UPI", .family = "b2upi_counts",
	  FUNCTION(18, 0x408, 0x430, 0x410), .classes = spr_m3upi_classes,
	  .instances = 6, .devfn = b2upi_devfn },
	{ .name = "PCIEX16", .family = "pciex16_counts",
	  FUNCTION(21, 0x620, 0x630, 0x650), .instances = 16 },
	{ .name = "PCIEX8", .family = "pciex8_counts",
	  FUNCTION(22, 0x620, 0x630, 0x650), .instances = 16 },
	{ .name = "B2HOT", .family = "b2hot_counts", SPR_LAID(15, REG_NONE, 4),
	  .classes = ticks, .instances = 32, .field = intel_wide_fields },
	{ .name = "B2CXL", .family = "b2cxl_counts", SPR_LAID(17, REG_MMIO, 4),
	  .classes = ticks, .instances = 32, .field = intel_std_fields },
	SPR_CXL,
	{ .name = NULL }
};

/* Source: Linux alone; Intel's list for these CPUs has no such events. */
const struct freerun gnr_freerun[] = {
	{ "iio_%s_port%u_in_bytes", "bw_in", "IIO", REG_MSR, 8,
	  0x360e, 0x10, 0x80, NULL, 48, 4, "bytes", CLASS_BYTES_IO, NULL },
	{ "iio_%s_port%u_out_bytes", "bw_out", "IIO", REG_MSR, 8,
	  0x2e0e, 0x10, 0x80, NULL, 48, 4, "bytes", CLASS_BYTES_IO, NULL },
	{ "iio_%s_clocks", "clock", "IIO", REG_MSR, 0,
	  0x290e, 0, 0x10, NULL, 48, 1, "clocks", CLASS_UCLK, "ioclk" },
	{ .family = NULL }
};

/* Names by the number of the PMON block. */
const char *const gnr_stacks[] = {
	"stack0", "stack1", "stack2", "stack3", "stack4", "stack5", "stack6",
	"stack7", "stack8", "stack9", "stack10", "stack11", "stack12",
	"stack13", "stack14", "stack15"
};

static const struct cpu_match gnr_id[] = {
	{ 0xad, 0, 15, 0 }, { 0xae, 0, 15, 0 }, { 0, 0, 0, 0 }
};

/* The PMON block of each stack, by the address decoder's numbers (Intel PCM alone).
 * Stacks 30 and 31 are the UBox's; 10 and 13 are flexible UPI stacks, whose blocks are
 * not known. */
#define N NO_STACK
static const uint8_t gnr_pmon[] = {
	0, 2, 3, 4, 5, 7, N, N, 1, N, N, N, 6, N, N, N,
	14, N, N, N, 9, N, N, N, N, N, 12, N, 8, 11, N, N
};
#undef N
const struct bus_list gnr_buses = {
	.devid = 0x09a6, .valid_reg = 0x1a0, .list_reg = { 0x190, 0x1c0 },
	.node_devid = 0x09a2, .node_reg = 0x3f4,
	.pmon = { gnr_pmon, NULL, NULL, NULL }
};

/* No global control is used: only the table has its address, and freezing box by box
 * does not disturb boxes that others use. */
const struct model model_gnr = {
	.name = "gnr", .title = "Granite Rapids",
	.default_config = "@default-gnr", .id = gnr_id, .core = &spr_core,
	.msr = &intel_msrs,
	.fixed = &intel_metrics_fixed, .box = gnr_boxes, .freerun = gnr_freerun,
	.scalar = spr_scalars, .stack = gnr_stacks, .bus_method = BUS_NONE,
	.bus_list = &gnr_buses,
	.dram_energy_rests = true,
	.max_ghz = 6.0,
	.max_cas_hz = 1100000000,       /* MRDIMM-8800: 8800e6 * 8 / 64 */
	.max_io_bytes = 64e9            /* PCIe 5.0 x16 */
};
