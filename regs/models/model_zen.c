/*
 * regs/models/model_zen.c - AMD Zen 1 to Zen 5: the cores and energy.  Their
 * events are in zen_events.h; the L3 caches, the data fabric and the memory
 * controllers in zen_boxes.c.
 *
 * Sources, as gathered in the project's reference "amd-zen", and of Zen 1 in
 * "more-cpus" 4.1: Linux (perf's amd core and rapl code, its lists of events),
 * LIKWID, AMD's energy driver, registers read off real nodes; two or more agree on
 * each number unless a comment says otherwise.
 */
#include "regs/models/model_list.h"
#include "regs/models/zen_boxes.h"
#include "regs/models/zen_events.h"

#include <stddef.h>

/* PERF_CTL.  Left out on purpose: INT (20), as we want no interrupt; GUEST and HOST
 * (40, 41), as neither counts the same as both. */
static const struct field core_fields[] = {
	{ "event", 0, 7 }, { "umask", 8, 15 }, { "usr", 16, 16 },
	{ "os", 17, 17 }, { "edge", 18, 18 }, { "inv", 23, 23 },
	{ "cmask", 24, 31 }, { "xsel", 32, 35 }, { NULL, 0, 0 }
};

/* Classes go by the low byte of an event, so only events are here whose low byte no
 * event above 0xff shares. */
#define FLOPS(of) { 0x03, CLASS_FLOPS, "flops_" of }
static const struct event_class core_classes[] = {
	{ 0x76, CLASS_CYCLES, "cycles_unhalted" },
	{ 0xc0, CLASS_INSTR, "instr_retired" },
	{ 0x5f, CLASS_OCCUPANCY, "mab_occupancy" },
	FLOPS("all"), FLOPS("add_sub"), FLOPS("mul"), FLOPS("div_sqrt"),
	FLOPS("fma"), FLOPS("bf16"), FLOPS("sp_scalar"), FLOPS("sp_packed"),
	FLOPS("dp_scalar"), FLOPS("dp_packed"), FLOPS("sp"), FLOPS("dp"),
	END_OF_CLASSES
};

/* More than 15 FLOPs in a cycle are counted only with the merge event in the counter
 * behind (reference 2.4). */
static const struct counter_pair merge = {
	.mask = 0xf000000ff, .event = 0x03, .helper = 0xf004000ff
};

#define EVENT(e) ((e) & 0xffff)
#define NAMED(name, e, gen) { name, \
	EVENT(e) == NO || EVENT(e) == WRONG ? 0 : EVENT(e), \
	EVENT(e) == NO ? gen " has no such event" : \
	EVENT(e) == WRONG ? "an erratum of " gen " makes it count wrongly" : \
	NULL, (e) >> 16 },
#define ZEN2(name, z2, z3, z4, z5) NAMED(name, z2, "Zen 2")
#define ZEN3(name, z2, z3, z4, z5) NAMED(name, z3, "Zen 3")
#define ZEN4(name, z2, z3, z4, z5) NAMED(name, z4, "Zen 4")
#define ZEN5(name, z2, z3, z4, z5) NAMED(name, z5, "Zen 5")
#define ZEN1(name, e) NAMED(name, e, "Zen 1")
static const struct event_name zen1_events[] = {
	ZEN1_EVENTS(ZEN1) { NULL, 0, NULL, 0 }
};
static const struct event_name zen2_events[] = {
	ZEN_EVENTS(ZEN2) { NULL, 0, NULL, 0 }
};
static const struct event_name zen3_events[] = {
	ZEN_EVENTS(ZEN3) { NULL, 0, NULL, 0 }
};
static const struct event_name zen4_events[] = {
	ZEN_EVENTS(ZEN4) { NULL, 0, NULL, 0 }
};
static const struct event_name zen5_events[] = {
	ZEN_EVENTS(ZEN5) { NULL, 0, NULL, 0 }
};

/* What Linux counts for its generic events (reference 10).  Left out are those whose
 * event differs between versions of Linux. */
static const struct event_name generic[] = {
	{ "cpu-cycles", 0x76, NULL, 0 }, { "instructions", 0xc0, NULL, 0 },
	{ "cache-references", 0x60, NULL, 0xff },
	{ "cache-misses", 0x64, NULL, 0x09 },
	{ "branches", 0xc2, NULL, 0 }, { "branch-misses", 0xc3, NULL, 0 },
	{ "L1-dcache-loads", 0x40, NULL, 0 },
	{ "L1-dcache-load-misses", 0x60, NULL, 0xc8 },
	{ "L1-dcache-prefetches", 0x5a, NULL, 0xff },
	{ "L1-icache-loads", 0x80, NULL, 0 },
	{ "L1-icache-load-misses", 0x81, NULL, 0 },
	{ "dTLB-loads", 0x45, NULL, 0xff },
	{ "dTLB-load-misses", 0x45, NULL, 0xf0 },
	{ "iTLB-loads", 0x84, NULL, 0 },
	{ "iTLB-load-misses", 0x85, NULL, 0xff },
	{ "branch-loads", 0xc2, NULL, 0 },
	{ "branch-load-misses", 0xc3, NULL, 0 }, { NULL, 0, NULL, 0 }
};

/* Six counters for each thread, where CPUID announces them (reference 2). */
#define CORE(events) { \
	.name = "CORE", .family = "core_counts", .space = REG_MSR, \
	.classes = core_classes, .cls = CLASS_EVENT, \
	.scope = SCOPE_LPROC, .single = true, .instances = 1, \
	.counters = 6, .bits = 48, \
	.ctl = 0xc0010200, .ctl_step = 2, .ctr = 0xc0010201, .ctr_step = 2, \
	.enable = EN, .field = core_fields, .pair = &merge, \
	.event = events, .generic = generic }
static const struct box_type zen1_core = CORE(zen1_events);
static const struct box_type zen2_core = CORE(zen2_events);
static const struct box_type zen3_core = CORE(zen3_events);
static const struct box_type zen4_core = CORE(zen4_events);
static const struct box_type zen5_core = CORE(zen5_events);

static const struct box_type zen1_boxes[] = {
	ZEN1_L3, ZEN1_DF, { .name = NULL }
};
static const struct box_type zen2_boxes[] = {
	ZEN2_L3, ZEN2_DF, { .name = NULL }
};
static const struct box_type zen3_boxes[] = {
	ZEN3_L3, ZEN2_DF, { .name = NULL }
};
static const struct box_type zen4_boxes[] = {
	ZEN4_L3, ZEN4_DF, ZEN_UMC, { .name = NULL }
};
static const struct box_type zen5_boxes[] = {
	ZEN4_L3, ZEN5_DF, ZEN_UMC, { .name = NULL }
};

/* The counter of retired instructions counts where firmware or the kernel has enabled
 * it, which they have on some real nodes.  The daemon does not set the bit, as the
 * register controls much else. */
static const struct enabler enablers[] = {
	{ "irperf", 0xc0010015, 30, "HWCR.IRPerfEn" }, { .family = NULL }
};

/*
 * The read-only copies of APERF and MPERF; energy of package and core, 32 bits wide
 * before Zen 4, 64 bits from Zen 4 on.
 */
#define ENERGY(bits) \
	{ "rapl_pkg_energy", REG_MSR, SCOPE_PKG, 0xc001029b, bits, PRINT_DEC, \
	  "rapl_pkg", CLASS_ENERGY_PKG, false }, \
	{ "rapl_core_energy", REG_MSR, SCOPE_CORE, 0xc001029a, bits, \
	  PRINT_DEC, "rapl_pkg", CLASS_ENERGY_PART, false }, \
	{ .family = NULL }
static const struct scalar clocks[] = {
	{ "aperf", REG_MSR, SCOPE_LPROC, 0xc00000e8, 64, PRINT_DEC, "cycles",
	  CLASS_CYCLES, true },
	{ "mperf", REG_MSR, SCOPE_LPROC, 0xc00000e7, 64, PRINT_DEC, "cycles",
	  CLASS_CYCLES, true },
	{ "irperf", REG_MSR, SCOPE_LPROC, 0xc00000e9, 64, PRINT_DEC,
	  "instructions", CLASS_INSTR, false },
	{ .family = NULL }
};
static const struct scalar energy32[] = { ENERGY(32) };
static const struct scalar energy64[] = { ENERGY(64) };
static const struct scalar *const scalars32[] = { energy32, clocks, NULL };
static const struct scalar *const scalars64[] = { energy64, clocks, NULL };

static const struct common_msrs msrs = { .energy_unit = 0xc0010299 };
static const struct common_msrs v2_msrs = {
	.energy_unit = 0xc0010299, .core_global = 0xc0000301
};

/* The ranges that Linux has.  No source describes models outside of them. */
static const struct cpu_match zen1_id[] = {
	{ 0x00, 0, 15, 0x2f }, { 0x50, 0, 15, 0x5f }, { 0, 0, 0, 0 }
};
static const struct cpu_match zen2_id[] = {
	{ 0x30, 0, 15, 0x4f }, { 0x60, 0, 15, 0x7f }, { 0x90, 0, 15, 0x91 },
	{ 0xa0, 0, 15, 0xaf }, { 0, 0, 0, 0 }
};
static const struct cpu_match zen3_id[] = {
	{ 0x00, 0, 15, 0x0f }, { 0x20, 0, 15, 0x5f }, { 0, 0, 0, 0 }
};
static const struct cpu_match zen4_id[] = {
	{ 0x10, 0, 15, 0x1f }, { 0x60, 0, 15, 0xaf }, { 0, 0, 0, 0 }
};
static const struct cpu_match zen5_id[] = {
	{ 0x00, 0, 15, 0x2f }, { 0x40, 0, 15, 0x4f }, { 0x60, 0, 15, 0x7f },
	{ 0xd0, 0, 15, 0xd7 }, { 0, 0, 0, 0 }
};

#define COMMON \
	.vendor = "AuthenticAMD", .bus_method = BUS_NONE, .max_ghz = 6.0, \
	.enabler = enablers

/* Package energy is taken as that of all dies of the package: a reading of a 7551P is
 * more than one die can draw. */
const struct model model_zen1 = {
	.name = "zen1", .title = "AMD Zen 1",
	.default_config = "@default-zen", .cpu_family = 0x17,
	.id = zen1_id, .core = &zen1_core,
	.box = zen1_boxes, .scalar = scalars32, .msr = &msrs,
	.ccxs_per_ccd = 2, COMMON
};

const struct model model_zen2 = {
	.name = "zen2", .title = "AMD Zen 2",
	.default_config = "@default-zen", .cpu_family = 0x17,
	.id = zen2_id, .core = &zen2_core,
	.box = zen2_boxes, .scalar = scalars32, .msr = &msrs,
	.ccxs_per_ccd = 2, COMMON
};

const struct model model_zen3 = {
	.name = "zen3", .title = "AMD Zen 3",
	.default_config = "@default-zen", .cpu_family = 0x19,
	.id = zen3_id, .core = &zen3_core,
	.box = zen3_boxes, .scalar = scalars32, .msr = &msrs,
	.ccxs_per_ccd = 1, COMMON
};

const struct model model_zen4 = {
	.name = "zen4", .title = "AMD Zen 4",
	.default_config = "@default-zen4", .cpu_family = 0x19,
	.id = zen4_id, .core = &zen4_core,
	.box = zen4_boxes, .scalar = scalars64, .msr = &v2_msrs,
	.max_cas_hz = 1000000000,       /* DDR5-8000: 8000e6 * 8 / 64 */
	COMMON
};

const struct model model_zen5 = {
	.name = "zen5", .title = "AMD Zen 5",
	.default_config = "@default-zen5", .cpu_family = 0x1a,
	.id = zen5_id, .core = &zen5_core,
	.box = zen5_boxes, .scalar = scalars64, .msr = &v2_msrs,
	.max_cas_hz = 1000000000,       /* DDR5-8000: 8000e6 * 8 / 64 */
	COMMON
};
