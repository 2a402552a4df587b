/*
 * regs/models/model_list.h - the list of models; each has a row here and a file
 * model_NAME.c.  For models.c and those files alone.
 */
#ifndef REGS_MODELS_MODEL_LIST_H
#define REGS_MODELS_MODEL_LIST_H

#include "regs/model.h"

/* bdx is in model_hsx.c, icxd in model_icx.c, emr in model_spr.c, cwf in model_srf.c,
 * zen1 to zen5 in model_zen.c. */
#define MODELS(row) \
	row(hsx) \
	row(bdx) \
	row(skx) \
	row(icx) \
	row(icxd) \
	row(slm) \
	row(grace) \
	row(spr) \
	row(emr) \
	row(gnr) \
	row(srf) \
	row(cwf) \
	row(zen1) \
	row(zen2) \
	row(zen3) \
	row(zen4) \
	row(zen5)

#define MODEL_IS(name) extern const struct model model_##name;
MODELS(MODEL_IS)

/* model_intel.c: what several generations of Intel's servers share. */
extern const struct field intel_core_fields[];  /* up to Skylake */
extern const struct field intel_icx_core_fields[];      /* from Ice Lake on */
extern const struct field intel_any_core_fields[];
extern const struct field amd_core_fields[];
extern const struct field no_fields[];          /* not programmed by events */
extern const struct field intel_iio_fields[];   /* from Ice Lake on */
extern const struct field intel_wide_fields[];  /* with umask_ext */
extern const struct field intel_std_fields[];   /* IMC, IRP, M3UPI, HA ... */
extern const struct field intel_tid_fields[];   /* CBO, SBO, CHA of Skylake */
extern const struct field intel_ubox_fields[];
extern const struct field intel_pcu_fields[];
extern const struct common_msrs intel_msrs;     /* of servers */
extern const struct core_fixed intel_fixed;     /* three, up to Skylake */
extern const struct core_fixed intel_slots_fixed;       /* four */
extern const struct core_fixed intel_metrics_fixed;     /* with PERF_METRICS */
extern const struct need intel_core_need[];
extern const struct scalar intel_scalars[];     /* on every server */
extern const struct scalar intel_skl_scalars[]; /* from Skylake on */
extern const struct event_class intel_core_classes[];   /* from Skylake on */
extern const struct event_class intel_imc_classes[];
extern const struct event_class intel_pcu_classes[];    /* up to Ice Lake */
extern const struct event_class intel_irp_classes[];    /* Skylake, Ice Lake */
extern const struct event_class intel_upi_classes[];    /* from Skylake on */
extern const uint32_t intel_imc_base[];         /* two channels of a controller */
extern const uint8_t intel_imc_of[], intel_imcfree_of[];

/* An event by its number alone. */
#define EVENT(name, event) { name, event, NULL, 0 }

#define QUEUE(event, name) { event, CLASS_OCCUPANCY, name }
#define TICKS(event) { event, CLASS_TICKS, "CLOCKTICKS" }
/* Classes of events of Intel's server cores: unhalted clocks, but for the crystal's,
 * which is not the core's, and one_thread_active, which stands still while both threads
 * run; and retired instructions of one kind.  NAME_ALONE is no event number: such a row
 * is for the names in dumps without control values. */
#define CORE_CLOCKS \
	{ 0x013c, CLASS_REF, "CPU_CLK_UNHALTED.REF_XCLK" }, \
	{ 0x013c, CLASS_REF, "CPU_CLK_UNHALTED.REF_XCLK_ANY" }, \
	{ 0x023c, CLASS_EVENT, "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE" }, \
	{ 0x083c, CLASS_REF, "CPU_CLK_UNHALTED.REF_DISTRIBUTED" }, \
	{ 0x3c, CLASS_CYCLES, "CPU_CLK_UNHALTED" }
#define RETIRED \
	{ 0xc4, CLASS_INSTR_KIND, "BR_INST_RETIRED" }, \
	{ 0xc5, CLASS_INSTR_KIND, "BR_MISP_RETIRED" }, \
	{ NAME_ALONE, CLASS_EVENT, "INST_RETIRED.TOTAL_CYCLES" }, \
	{ NAME_ALONE, CLASS_EVENT, "INST_RETIRED.TOTAL_CYCLES_PS" }
#define NAME_ALONE 0xffff
#define END_OF_CLASSES { 0, 0, NULL }

#define EN (1ull << 22)           /* in a counter's control */
#define BOX_FREEZE (1ull << 8)    /* in a box control, up to Ice Lake */

/* Rows of struct scalar that are MSRs: a counter; time in an idle state, in clocks of
 * the TSC; clocks since the CPU's reset; energy and the like of a package; bits that
 * are no number. */
#define MSR_COUNT(family, scope, reg, bits, unit, cls) \
	{ family, REG_MSR, scope, reg, bits, PRINT_DEC, unit, cls, false }
#define RESIDENCY(family, scope, reg) \
	MSR_COUNT(family, scope, reg, 64, "tsc", CLASS_CYCLES)
#define CORE_CLOCK(family, reg, cls) \
	{ family, REG_MSR, SCOPE_LPROC, reg, 64, PRINT_DEC, "cycles", \
	  cls, true }
#define RAPL(family, reg, unit, cls) \
	MSR_COUNT(family, SCOPE_PKG, reg, 32, unit, cls)
#define MSR_BITS(family, scope, reg) \
	{ family, REG_MSR, scope, reg, 0, PRINT_HEX, "bits", CLASS_READING, false }
#define AMD_ENERGY(bits) \
	MSR_COUNT("rapl_pkg_energy", SCOPE_PKG, 0xc001029b, bits, "rapl_pkg", \
	    CLASS_ENERGY_PKG), \
	MSR_COUNT("rapl_core_energy", SCOPE_CORE, 0xc001029a, bits, \
	    "rapl_pkg", CLASS_ENERGY_PART), \
	{ .family = NULL }

/* What box types of several generations have in common, each followed by what only one
 * has.  A core whose counters are MSRs, and where Intel and AMD have them. */
#define MSR_CORE \
	.name = "CORE", .family = "core_counts", .space = REG_MSR, \
	.cls = CLASS_EVENT, .scope = SCOPE_LPROC, .single = true, \
	.instances = 1, .enable = EN
#define INTEL_CORE \
	MSR_CORE, .ctl = 0x186, .ctl_step = 1, .ctr = 0xc1, .ctr_step = 1
#define AMD_CORE \
	MSR_CORE, .ctl = 0xc0010200, .ctl_step = 2, .ctr = 0xc0010201, \
	.ctr_step = 2, .field = amd_core_fields
/* Fixed counters: of the package's uncore, and of a memory channel. */
#define UCLK(at, counter) \
	.fixed.name = "UCLK", .fixed.family = "ubox_uclk", .fixed.ctl = (at), \
	.fixed.ctr = (counter), .fixed.enable = EN, .fixed.bits = 48, \
	.fixed.cls = CLASS_UCLK
#define DCLK(at, counter) \
	.fixed.name = "DCLK", .fixed.ctl = (at), .fixed.ctr = (counter), \
	.fixed.enable = EN, .fixed.bits = 48, .fixed.cls = CLASS_MEMCLK
/* UBOX and PCU from Haswell to Ice Lake. */
#define INTEL_UBOX \
	.name = "UBOX", .family = "ubox_counts", .space = REG_MSR, \
	.scope = SCOPE_PKG, .single = true, .instances = 1, .counters = 2, \
	.bits = 48, .ctl = 0x705, .ctl_step = 1, .ctr = 0x709, .ctr_step = 1, \
	.enable = EN, .field = intel_ubox_fields, UCLK(0x703, 0x704)
#define INTEL_PCU \
	.name = "PCU", .family = "pcu_counts", .space = REG_MSR, \
	.classes = intel_pcu_classes, .scope = SCOPE_PKG, .single = true, \
	.instances = 1, .counters = 4, .bits = 48, .box_ctl = 0x710, \
	.ctl = 0x711, .ctl_step = 1, .ctr = 0x717, .ctr_step = 1, \
	.enable = EN, .freeze = BOX_FREEZE, .field = intel_pcu_fields, \
	.filter = { { "filter0", 0x715, 0xffffffff, 0, 0, false, { 0 } } }
/* Boxes in MSRs and in PCI functions up to Ice Lake, by their box control, first control
 * and first counter. */
#define MSR_BOX(at, control, counter) \
	.space = REG_MSR, .scope = SCOPE_PKG, .bits = 48, .box_ctl = (at), \
	.ctl = (control), .ctl_step = 1, .ctr = (counter), .ctr_step = 1, \
	.enable = EN, .freeze = BOX_FREEZE
#define PCI_PLACE(at, control, step, counter) \
	.space = REG_PCI, .scope = SCOPE_PKG, .presence = PRESENT_PCI_ID, \
	.box_ctl = (at), .ctl = (control), .ctl_step = (step), \
	.ctr = (counter), .ctr_step = 8, .enable = EN, .freeze = BOX_FREEZE
#define PCI_FUNCTION(at, control, step, counter) \
	PCI_PLACE(at, control, step, counter), .counters = 4, .bits = 48
/* Where most are on Haswell and Skylake. */
#define PCI_BOX PCI_PLACE(0xf4, 0xd8, 4, 0xa0)
#define PCI_IMC \
	.name = "IMC", .family = "imc_counts", PCI_BOX, .counters = 4, \
	.bits = 48, .classes = intel_imc_classes, .cls = CLASS_OCCUPANCY, \
	.field = intel_std_fields, DCLK(0xf0, 0xd0)

#endif
