/*
 * regs/models/model_any.c - a CPU that no table describes: what the kernel counts on
 * any node.
 */
#include "regs/models/model_list.h"

#include <stddef.h>

static const struct box_type no_boxes[] = { { .name = NULL } };

/* What some PMU of the kernel may have: `msr`, `power`, `power_core`, `cstate_core` and
 * `cstate_pkg` (reference perf-event 5.5, 5.6).  No register of its own. */
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
	KERNEL("mperf", SCOPE_LPROC, "cycles", CLASS_CYCLES),
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
