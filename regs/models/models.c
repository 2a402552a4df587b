/*
 * regs/models/models.c - which of the models a CPU is, and those without a table.
 */
#include "regs/models/model_list.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

/*
 * CPUs that no table describes, counted by the kernel: any CPU (any), and any Arm core
 * (any-arm) by the architecture's common events, of which sysfs shows those that the
 * core has.
 *
 * Sources of Arm's events, as gathered in the project's reference "more-cpus", 5.1:
 * Linux (arm_pmuv3.h), ARM-software/data's lists of Neoverse cores.
 */

static const struct box_type no_boxes[] = { { .name = NULL } };

/* What a PMU of the kernel may have: `msr`, `power`, `power_core`, `cstate_core` and
 * `cstate_pkg` (reference perf-event 5.5, 5.6).  The model names no register. */
#define KERNEL(family, scope, unit, cls) \
	{ family, REG_PERF, scope, 0, 64, PRINT_DEC, unit, cls, false }

static const struct scalar any_own[] = {
	KERNEL("rapl_pkg_energy", SCOPE_PKG, "rapl_pkg", CLASS_ENERGY_PKG),
	KERNEL("rapl_dram_energy", SCOPE_PKG, "rapl_dram", CLASS_ENERGY_DRAM),
	KERNEL("rapl_pp0_energy", SCOPE_PKG, "rapl_pkg", CLASS_ENERGY_PART),
	KERNEL("rapl_core_energy", SCOPE_CORE, "rapl_pkg", CLASS_ENERGY_PART),
	KERNEL("smi_count", SCOPE_PKG, "SMIs", CLASS_RARE),
	KERNEL("pkg_c2_residency", SCOPE_PKG, "tsc", CLASS_CYCLES),
	KERNEL("pkg_c3_residency", SCOPE_PKG, "tsc", CLASS_CYCLES),
	KERNEL("pkg_c6_residency", SCOPE_PKG, "tsc", CLASS_CYCLES),
	KERNEL("aperf", SCOPE_LPROC, "cycles", CLASS_CYCLES),
	KERNEL("mperf", SCOPE_LPROC, "cycles", CLASS_REF),
	KERNEL("pperf", SCOPE_LPROC, "cycles", CLASS_CYCLES),
	KERNEL("core_c1_residency", SCOPE_CORE, "tsc", CLASS_CYCLES),
	KERNEL("core_c3_residency", SCOPE_CORE, "tsc", CLASS_CYCLES),
	KERNEL("core_c6_residency", SCOPE_CORE, "tsc", CLASS_CYCLES),
	KERNEL("core_c7_residency", SCOPE_CORE, "tsc", CLASS_CYCLES),
	{ .family = NULL }
};

static const struct scalar *const any_scalars[] = { any_own, NULL };

const struct model model_any = {
	.name = "any", .title = "a CPU without tables",
	.default_config = "@default-any",
	.box = no_boxes, .scalar = any_scalars,
};

static const struct field core_fields[] = {
	{ "event", 0, 15 }, { NULL, 0, 0 }
};

/* The most useful come first: the default configuration takes as many as a core has
 * counters, beside the one for cycles. */
static const struct event_name core_events[] = {
	EVENT("CPU_CYCLES", 0x11), EVENT("INST_RETIRED", 0x08),
	EVENT("STALL_FRONTEND", 0x23), EVENT("STALL_BACKEND", 0x24),
	EVENT("LL_CACHE_MISS_RD", 0x37), EVENT("BR_MIS_PRED_RETIRED", 0x22),
	EVENT("L1D_CACHE_REFILL", 0x03), EVENT("DTLB_WALK", 0x34),
	EVENT("L2D_CACHE_REFILL", 0x17), EVENT("BR_RETIRED", 0x21),
	EVENT("BR_MIS_PRED", 0x10), EVENT("LL_CACHE_RD", 0x36),
	EVENT("CNT_CYCLES", 0x4004), EVENT("STALL_BACKEND_MEM", 0x4005),
	EVENT("L1I_CACHE_REFILL", 0x01), EVENT("L1I_TLB_REFILL", 0x02),
	EVENT("L1D_CACHE", 0x04), EVENT("L1D_TLB_REFILL", 0x05),
	EVENT("LD_RETIRED", 0x06), EVENT("ST_RETIRED", 0x07),
	EVENT("EXC_TAKEN", 0x09), EVENT("EXC_RETURN", 0x0a),
	EVENT("CID_WRITE_RETIRED", 0x0b), EVENT("PC_WRITE_RETIRED", 0x0c),
	EVENT("BR_IMMED_RETIRED", 0x0d), EVENT("BR_RETURN_RETIRED", 0x0e),
	EVENT("UNALIGNED_LDST_RETIRED", 0x0f), EVENT("BR_PRED", 0x12),
	EVENT("MEM_ACCESS", 0x13), EVENT("L1I_CACHE", 0x14),
	EVENT("L1D_CACHE_WB", 0x15), EVENT("L2D_CACHE", 0x16),
	EVENT("L2D_CACHE_WB", 0x18), EVENT("BUS_ACCESS", 0x19),
	EVENT("MEMORY_ERROR", 0x1a), EVENT("INST_SPEC", 0x1b),
	EVENT("TTBR_WRITE_RETIRED", 0x1c), EVENT("BUS_CYCLES", 0x1d),
	EVENT("L1D_CACHE_ALLOCATE", 0x1f), EVENT("L2D_CACHE_ALLOCATE", 0x20),
	EVENT("L1D_TLB", 0x25), EVENT("L1I_TLB", 0x26),
	EVENT("L2I_CACHE", 0x27), EVENT("L2I_CACHE_REFILL", 0x28),
	EVENT("L3D_CACHE_ALLOCATE", 0x29), EVENT("L3D_CACHE_REFILL", 0x2a),
	EVENT("L3D_CACHE", 0x2b), EVENT("L3D_CACHE_WB", 0x2c),
	EVENT("L2D_TLB_REFILL", 0x2d), EVENT("L2I_TLB_REFILL", 0x2e),
	EVENT("L2D_TLB", 0x2f), EVENT("L2I_TLB", 0x30),
	EVENT("REMOTE_ACCESS", 0x31), EVENT("LL_CACHE", 0x32),
	EVENT("LL_CACHE_MISS", 0x33), EVENT("ITLB_WALK", 0x35),
	EVENT("REMOTE_ACCESS_RD", 0x38), EVENT("L1D_CACHE_LMISS_RD", 0x39),
	EVENT("OP_RETIRED", 0x3a), EVENT("OP_SPEC", 0x3b), EVENT("STALL", 0x3c),
	EVENT("STALL_SLOT_BACKEND", 0x3d), EVENT("STALL_SLOT_FRONTEND", 0x3e),
	EVENT("STALL_SLOT", 0x3f), EVENT("L1I_CACHE_LMISS", 0x4006),
	EVENT("L2D_CACHE_LMISS_RD", 0x4009),
	EVENT("L3D_CACHE_LMISS_RD", 0x400b), { NULL, 0, NULL, 0 }
};

/* As the kernel's driver maps its generic events (drivers/perf/arm_pmuv3.c), but for
 * branches, which differ from core to core. */
static const struct event_name generic[] = {
	EVENT("cpu-cycles", 0x11), EVENT("instructions", 0x08),
	EVENT("cache-references", 0x04), EVENT("cache-misses", 0x03),
	EVENT("branch-misses", 0x10), EVENT("stalled-cycles-frontend", 0x23),
	EVENT("stalled-cycles-backend", 0x24), { NULL, 0, NULL, 0 }
};

static const struct box_type core = {
	.name = "CORE", .family = "core_counts", .space = REG_PERF,
	.cls = CLASS_KERNEL,
	.scope = SCOPE_LPROC, .single = true, .instances = 1, .counters = 6,
	.bits = 64, .field = core_fields, .event = core_events,
	.kernel.generic = generic,
	.kernel.own_counter = 0x11,     /* CPU_CYCLES */
};

static const struct scalar *const no_scalar[] = { NULL };

const struct model model_any_arm = {
	.name = "any-arm", .title = "an Arm core without tables",
	.default_config = "@default-any", .core = &core, .box = no_boxes,
	.scalar = no_scalar, .max_ghz = 5.0,
	.max_cas_hz = 2000000000,       /* has no such event */
};

#define MODEL_HERE(name) &model_##name,

const struct model *const models[] = { MODELS(MODEL_HERE) NULL };

const struct model *const models_any[] = {
	&model_any_x86, &model_any_arm, &model_any, NULL
};

const struct model *
model_find(const char *vendor, unsigned family, unsigned model,
    unsigned stepping)
{
	for (const struct model *const *m = models; *m != NULL; m++)
		if (strcmp((*m)->vendor != NULL ? (*m)->vendor :
		    "GenuineIntel", vendor) == 0 &&
		    model_is(*m, family, model, stepping))
			return *m;
	return NULL;
}

const struct model *
model_arm(uint32_t midr, const char *pmu)
{
	for (const struct model *const *m = models; *m != NULL; m++)
		if ((*m)->id == NULL && (*m)->midr == (midr & MIDR_MASK) &&
		    strcmp((*m)->needs_pmu, pmu) == 0)
			return *m;
	return NULL;
}

const struct model *
model_named(const char *name)
{
	for (const struct model *const *m = models; *m != NULL; m++)
		if (strcasecmp((*m)->name, name) == 0)
			return *m;
	for (const struct model *const *m = models_any; *m != NULL; m++)
		if (strcasecmp((*m)->name, name) == 0)
			return *m;
	return NULL;
}
