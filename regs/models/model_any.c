/*
 * regs/models/model_any.c - a CPU that no table describes: what the kernel counts on
 * any node.
 */
#include "regs/models/model_list.h"

#include <stddef.h>

static const struct box_type no_boxes[] = { { .name = NULL } };

/* What some PMU of the kernel may have: `msr`, `power`, `cstate_core` and
 * `cstate_pkg` (reference perf-event 5.5, 5.6).  No register of its own. */
#define KERNEL(family, scope, unit) \
	{ family, REG_PERF, scope, 0, 64, PRINT_DEC, unit }

static const struct scalar any_own[] = {
	KERNEL("rapl_pkg_energy", SCOPE_PKG, "rapl_pkg"),
	KERNEL("rapl_dram_energy", SCOPE_PKG, "rapl_dram"),
	KERNEL("rapl_pp0_energy", SCOPE_PKG, "rapl_pkg"),
	KERNEL("smi_count", SCOPE_PKG, "SMIs"),
	KERNEL("pkg_c2_residency", SCOPE_PKG, "tsc"),
	KERNEL("pkg_c3_residency", SCOPE_PKG, "tsc"),
	KERNEL("pkg_c6_residency", SCOPE_PKG, "tsc"),
	KERNEL("aperf", SCOPE_LPROC, "cycles"),
	KERNEL("mperf", SCOPE_LPROC, "cycles"),
	KERNEL("pperf", SCOPE_LPROC, "cycles"),
	KERNEL("core_c1_residency", SCOPE_CORE, "tsc"),
	KERNEL("core_c3_residency", SCOPE_CORE, "tsc"),
	KERNEL("core_c6_residency", SCOPE_CORE, "tsc"),
	KERNEL("core_c7_residency", SCOPE_CORE, "tsc"),
	{ .family = NULL }
};

static const struct scalar *const any_scalars[] = { any_own, NULL };

const struct model model_any = {
	.name = "any", .title = "a CPU without tables",
	.default_config = "software.conf",
	.box = no_boxes, .scalar = any_scalars,
};
