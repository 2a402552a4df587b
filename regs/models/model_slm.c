/*
 * regs/models/model_slm.c - Silvermont server: Atom C2000, Rangeley and Avoton
 * (06_4DH).
 *
 * Sources, as gathered in the project's reference "rangeley-soc": the SDM's
 * Silvermont tables, Linux (perf's slm tables, cstate, turbostat, tsc_msr),
 * LIKWID, logs of C2758 systems; coreboot and Intel's socperf driver for the
 * message bus.  Where the SDM is wrong the line says so.
 */
#include "regs/models/model_list.h"

#include "regs/sideband.h"

#include <stddef.h>

/* IA32_PERFEVTSELn.  PC (19) and INT (20) are left out on purpose. */
static const struct field core_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "usr", 16, 16 },
	{ "os", 17, 17 }, { "edge", 18, 18 }, { "any", 21, 21 },
	{ "inv", 23, 23 }, { "cmask", 24, 31 }, { NULL, 0, 0 }
};

static const struct event_class core_classes[] = {
	{ 0x013c, CLASS_REF, "CPU_CLK_UNHALTED.REF" },
	{ 0x3c, CLASS_CYCLES, "CPU_CLK_UNHALTED" }, RETIRED,
	{ 0xc0, CLASS_INSTR, "INST_RETIRED" }, END_OF_CLASSES
};

/* The two OFFCORE_RSP registers belong to a module: both of its cores must
 * ask for the same.  Valid bits: Linux intel_slm_extra_regs. */
static const struct box_type slm_core = {
	INTEL_CORE, .classes = core_classes,
	.counters = 2, .bits = 40,      /* CPUID leaf 0xA says 40, not 48 */
	.field = core_fields,
	.filter = {
		{ "offcore_rsp_0", 0x1a6, 0x768005ffff, 0, 0x01b7, false, { 0 } },
		{ "offcore_rsp_1", 0x1a7, 0x368005ffff, 0, 0x02b7, false, { 0 } },
	},
};

static const struct core_fixed slm_fixed = {
	.family = "core_fixed_counts",
	.name = { "Inst_Retired.Any", "CPU_CLK_Unhalted.Core",
	    "CPU_CLK_Unhalted.Ref", NULL },
	.alias = { "INST_RETIRED.ANY", "CPU_CLK_UNHALTED.CORE",
	    "CPU_CLK_UNHALTED.REF_TSC", NULL },
	.cls = { CLASS_INSTR, CLASS_CYCLES, CLASS_REF },
	.ctr = 0x309, .ctl = MSR_FIXED_CTR_CTRL,
};

/* Its counters have no control with fields: what they count is programmed by groups
 * (config/lang/site.h). */
static const struct box_type slm_boxes[] = {
	{ .name = "SOC", .family = "soc_counts", .space = REG_SIDEBAND,
	  .cls = CLASS_SOC,
	  .scope = SCOPE_NODE, .presence = PRESENT_SOC, .single = true,
	  .instances = 1, .counters = CHAP_COUNTERS, .bits = 32,
	  .ctl = CHAP_COMMAND, .ctl_step = CHAP_STEP, .ctr = CHAP_DATA,
	  .ctr_step = CHAP_STEP, .field = no_fields },
	{ .name = NULL }
};

/*
 * Residencies count at the TSC's frequency: perf's cstate has
 * 0x660, 0x3fd and 0x3fa for this model, the last in place of 0x3f9; only the SDM has
 * the module's 0x664.  0x611 and 0x639 count in 2^-ESU J, see below.
 */
static const struct scalar slm_own[] = {
	RAPL("rapl_pkg_energy", 0x611, "rapl_pkg", CLASS_ENERGY_PKG),
	RAPL("rapl_pp0_energy", 0x639, "rapl_pkg", CLASS_ENERGY_PART),
	MSR_BITS("pkg_therm_status", SCOPE_PKG, 0x1b1),
	RESIDENCY("pkg_c6_residency", SCOPE_PKG, 0x3fa),
	MSR_COUNT("smi_count", SCOPE_PKG, 0x34, 32, "SMIs", CLASS_RARE),
	CORE_CLOCK("aperf", 0xe8, CLASS_CYCLES),
	CORE_CLOCK("mperf", 0xe7, CLASS_REF),
	{ "core_temperature", REG_MSR, SCOPE_CORE, 0x19c, 0, PRINT_CORE_TEMP,
	  "C", CLASS_TEMP, false },
	MSR_BITS("core_therm_status", SCOPE_CORE, 0x19c),
	RESIDENCY("core_c1_residency", SCOPE_CORE, 0x660),
	RESIDENCY("core_c6_residency", SCOPE_CORE, 0x3fd),
	RESIDENCY("module_c6_residency", SCOPE_CORE, 0x664),
	{ .family = NULL }
};

static const struct scalar *const slm_scalars[] = { slm_own, NULL };

static const struct freerun slm_freerun[] = {
	{ .family = NULL }
};

/* turbostat uses four bits of the MSR; Linux's tsc_msr uses three, and does not know this
 * model.
 * coreboot has a fixed 100 MHz, which logs of CPUs with 2.41 GHz contradict. */
static const struct bus_clock slm_bus_clock = {
	.msr = 0xcd, .mask = 0xf, .n = 5,
	.mhz_times_6 = { 500, 600, 800, 700, 480 },
};

static const char *const slm_constants[] = { "dram_base_hz", NULL };

/* coreboot fsp_rangeley: device ids, port 3 register 0x27 (BECREG); the ports
 * of counters and muxes are Bay Trail's, unproven here. */
static const struct soc slm_soc = {
	.title = "Atom C2000", .family = 6, .cpu = 0x4d,
	.bridge_lo = 0x1f00, .bridge_hi = 0x1f0f,
	.ecam_port = 0x03, .ecam_opcode = 0x10, .ecam_reg = 0x27,
	.counter_port = 0x17, .mux_port = 0x18, .opcode = 0x00,
	.max_interval = 2.0,
	.groups = "@rangeley", .site = "/etc/tallyd/rangeley.site",
	.constant = slm_constants,
};

static const struct common_msrs slm_msrs = {
	.platform_info = MSR_PLATFORM_INFO,
	.temperature_target = MSR_TEMPERATURE_TARGET,
	.energy_unit = MSR_RAPL_POWER_UNIT, .power_info = 0x66e,
	.core_global = MSR_PERF_GLOBAL_CTRL,
	.core_in_use = MSR_PERF_GLOBAL_INUSE,
};

static const struct cpu_match slm_id[] = { { 0x4d, 0, 15, 0 }, { 0, 0, 0, 0 } };

const struct model model_slm = {
	.name = "slm", .title = "Silvermont server (Atom C2000)",
	.default_config = "@default-slm", .id = slm_id,
	.msr = &slm_msrs,
	.core = &slm_core, .fixed = &slm_fixed, .box = slm_boxes,
	.freerun = slm_freerun, .scalar = slm_scalars,
	.bus_method = BUS_NONE,
	.module_filters = true,
	/* The SDM's rule for C2000, 2^ESU uJ, is Bay Trail's: it makes a C2558
	 * draw 10 kW.  1/2^ESU J is right (raplcap issue 13, LIKWID, PCM,
	 * turbostat); an ESU below 6 would be the other form. */
	.energy_unit_min = 6,
	.bus_clock = &slm_bus_clock, .soc = &slm_soc,
	.max_ghz = 3.0,                 /* C2750: 2.6 */
	.max_cas_hz = 200000000,        /* DDR3-1600: 12.8 GB/s */
};
