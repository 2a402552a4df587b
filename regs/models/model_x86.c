/*
 * regs/models/model_x86.c - any-x86: an x86 CPU that no table describes, by what it
 * announces itself.
 *
 * Only controls of counters that CPUID or a discovery table announces are written.  The
 * registers below are read; one that faults is absent, and an energy counter that
 * stands still is not used.  DRAM energy is left out, as its unit differs between
 * generations and no register tells it.
 *
 * Sources, as gathered in the project's reference "more-cpus", 1: the architecture's
 * events and registers by Linux (msr-index.h, events/intel/core.c, KVM's self-tests)
 * and CPUID dumps of real parts; AMD's by Linux (events/amd/core.c: the four events
 * below are the same from the first Athlon 64 to Zen 5).  Fields of boxes and their
 * freeze bit: Linux uncore_discovery.c, for units that it does not know.
 */
#include "regs/made.h"
#include "regs/models/model_list.h"

#include <stdio.h>
#include <string.h>

/* Architectural events, the most useful first; `bit` is the event's bit in CPUID. */
static const struct {
	uint8_t bit;
	struct event_name event;
} architecture[] = {
	{ 1, { "INST_RETIRED.ANY_P", 0xc0, NULL, 0 } },
	{ 0, { "CPU_CLK_UNHALTED.THREAD_P", 0x3c, NULL, 0 } },
	{ 4, { "LONGEST_LAT_CACHE.MISS", 0x2e, NULL, 0x41 } },
	{ 6, { "BR_MISP_RETIRED.ALL_BRANCHES", 0xc5, NULL, 0 } },
	{ 5, { "BR_INST_RETIRED.ALL_BRANCHES", 0xc4, NULL, 0 } },
	{ 3, { "LONGEST_LAT_CACHE.REFERENCE", 0x2e, NULL, 0x4f } },
	{ 8, { "TOPDOWN.BACKEND_BOUND_SLOTS", 0xa4, NULL, 0x02 } },
	{ 11, { "TOPDOWN_RETIRING.ALL", 0xc2, NULL, 0x02 } },
	{ 10, { "TOPDOWN_FE_BOUND.ALL", 0x9c, NULL, 0x01 } },
	{ 9, { "TOPDOWN_BAD_SPECULATION.ALL", 0x73, NULL, 0 } },
	{ 7, { "TOPDOWN.SLOTS_P", 0xa4, NULL, 0x01 } },
	{ 2, { "CPU_CLK_UNHALTED.REF_P", 0x3c, NULL, 0x01 } },
	{ 12, { "LBR_INSERTS.ANY", 0xe4, NULL, 0x01 } },
};

static const struct event_name amd_events[] = {
	{ "instr_retired", 0xc0, NULL, 0 }, { "cycles_unhalted", 0x76, NULL, 0 },
	{ "branches_mispredicted", 0xc3, NULL, 0 }, { "branches", 0xc2, NULL, 0 },
	{ NULL, 0, NULL, 0 }
};

#define ARCHITECTURE \
	{ 0x013c, CLASS_REF, "CPU_CLK_UNHALTED.REF_P" }, \
	{ 0x3c, CLASS_CYCLES, "CPU_CLK_UNHALTED" }, \
	{ 0x01a4, CLASS_SLOTS, "TOPDOWN.SLOTS_P" }, \
	{ 0xc4, CLASS_INSTR_KIND, "BR_INST_RETIRED" }, \
	{ 0xc5, CLASS_INSTR_KIND, "BR_MISP_RETIRED" }, \
	{ 0xc0, CLASS_INSTR, "INST_RETIRED" }
#define AMD \
	{ 0x76, CLASS_CYCLES, "cycles_unhalted" }, \
	{ 0xc0, CLASS_INSTR, "instr_retired" }
static const struct event_class classes[] = { ARCHITECTURE, END_OF_CLASSES };
static const struct event_class amd_classes[] = { AMD, END_OF_CLASSES };
static const struct event_class both_classes[] = {
	ARCHITECTURE, AMD, END_OF_CLASSES
};
static const struct scalar intel_own[] = {
	{ "pkg_temperature", REG_MSR, SCOPE_PKG, 0x1b1, 0, PRINT_TEMP, "C",
	  CLASS_TEMP, false },
	RAPL("rapl_pkg_energy", 0x611, "rapl_pkg", CLASS_ENERGY_PKG),
	MSR_BITS("pkg_therm_status", SCOPE_PKG, 0x1b1),
	MSR_COUNT("smi_count", SCOPE_PKG, 0x34, 32, "SMIs", CLASS_RARE),
	CORE_CLOCK("aperf", 0xe8, CLASS_CYCLES),
	CORE_CLOCK("mperf", 0xe7, CLASS_REF),
	MSR_BITS("core_therm_status", SCOPE_CORE, 0x19c),
	{ .family = NULL }
};
#define CLOCKS(at) \
	CORE_CLOCK("aperf", (at) + 1, CLASS_CYCLES), \
	CORE_CLOCK("mperf", (at), CLASS_REF), \
	{ .family = NULL }
static const struct scalar amd_energy[] = { AMD_ENERGY(32) };
static const struct scalar amd_wide_energy[] = { AMD_ENERGY(64) };
static const struct scalar amd_clocks[] = { CLOCKS(0xe7) };
static const struct scalar amd_own_clocks[] = { CLOCKS(0xc00000e7) };
static const struct scalar *const intel_scalar[] = { intel_own, NULL };
/* For reading dumps: which vendor one is of shows only when its families are read. */
static const struct scalar *const both[] = { intel_own, amd_energy, NULL };

static const struct common_msrs amd_msrs = { .energy_unit = 0xc0010299 };
static const struct common_msrs amd_v2_msrs = {
	.energy_unit = 0xc0010299, .core_global = 0xc0000301
};

static const struct cpu_match none[] = { { 0, 0, 0, 0 } };
static const struct box_type no_boxes[] = { { .name = NULL } };

static const struct box_type intel_core = { INTEL_CORE,
	.classes = classes, .counters = MAX_COUNTERS, .bits = 48,
	.field = intel_any_core_fields,
};
static const struct box_type amd_core = { AMD_CORE,
	.classes = amd_classes, .counters = MAX_COUNTERS, .bits = 48,
	.event = amd_events,
};
static const struct box_type amd_legacy_core = { MSR_CORE,
	.classes = amd_classes, .counters = 4, .bits = 48,
	.ctl = 0xc0010000, .ctl_step = 1, .ctr = 0xc0010004, .ctr_step = 1,
	.field = amd_core_fields, .event = amd_events,
};

#define COMMON \
	.name = "any-x86", .title = "a CPU without tables, by what it announces", \
	.default_config = "@default-any", .id = none, .bus_method = BUS_NONE, \
	.box = no_boxes, \
	/* bounds for checks, above every CPU on the market */ \
	.max_ghz = 7.0, .max_cas_hz = 2000000000, .max_io_bytes = 128e9

/* The core for reading dumps of either vendor. */
static const struct box_type both_core = { INTEL_CORE,
	.classes = both_classes, .counters = MAX_COUNTERS, .bits = 48,
	.field = amd_core_fields,
};
const struct model model_any_x86 = { COMMON,
	.core = &both_core, .fixed = &intel_slots_fixed, .scalar = both, .msr = &intel_msrs,
};
static const struct model amd_model = { COMMON,
	.vendor = "AuthenticAMD", .msr = &amd_msrs,
};

static void
made_intel(struct made_model *m, const struct announced_core *a)
{
	unsigned n = 0;

	m->model = model_any_x86;
	m->model.scalar = intel_scalar;
	if (a->fixed == 0)
		m->model.fixed = NULL;
	m->core = intel_core;
	for (size_t i = 0; i < sizeof(architecture) / sizeof(architecture[0]);
	    i++)
		if (a->events >> architecture[i].bit & 1)
			m->event[n++] = architecture[i].event;
	m->core.event = m->event;
}

static void
made_amd(struct made_model *m, const struct announced_core *a)
{
	m->model = amd_model;
	m->core = a->legacy ? amd_legacy_core : amd_core;
	if (a->wide_energy)
		m->model.msr = &amd_v2_msrs;
	m->scalar[0] = a->wide_energy ? amd_wide_energy : amd_energy;
	m->scalar[1] = a->own_clocks ? amd_own_clocks : amd_clocks;
	m->model.scalar = m->scalar;
}

void
made_core(struct made_model *m, const struct announced_core *a)
{
	memset(m, 0, sizeof(*m));
	if (a->amd)
		made_amd(m, a);
	else
		made_intel(m, a);
	m->core.counters = (uint8_t)(a->counters < m->core.counters ?
	    a->counters : m->core.counters);
	if (a->bits > 0)
		m->core.bits = (uint8_t)a->bits;
	m->model.core = &m->core;
	m->model.box = m->box;
}

/* The discovery table has the type's addresses and layout. */
bool
made_box(struct made_model *m, const struct announced_box *a)
{
	struct box_type *b = &m->box[m->nbox];
	char *name = m->name[m->nbox][0], *family = m->name[m->nbox][1];

	if (m->nbox == MADE_BOXES)
		return false;
	snprintf(name, sizeof(m->name[0][0]), "type_%u", a->type);
	snprintf(family, sizeof(m->name[0][1]), "uncore_type_%u_counts",
	    a->type);
	*b = (struct box_type){ .name = name, .family = family,
	    .space = REG_MSR, .scope = SCOPE_PKG, .presence = PRESENT_TABLE,
	    .table.number = (uint8_t)a->type, .table.only = true,
	    .table.laid = true, .instances = a->instances,
	    .counters = a->counters, .bits = a->bits, .freeze = 1,
	    .field = intel_std_fields };
	m->nbox++;
	return true;
}
