/*
 * topology/inventory.h - which boxes this node has, where they are, and why others
 * are absent.
 */
#ifndef TOPOLOGY_INVENTORY_H
#define TOPOLOGY_INVENTORY_H

#include "topology/discovery.h"
#include "topology/topo.h"

struct unit {
	const struct box_type *type;
	uint16_t pkg, inst;
	bool present;
	uint32_t where;         /* reg_addr.unit of its registers: lproc or PCI */
	uint64_t base;          /* added to offsets (MMIO block), else 0 */
	/* The layout of its registers, by its type or by a discovery table. */
	uint8_t space;
	uint8_t counters;       /* how many it has on this CPU */
	uint8_t ctl_step, ctr_step;
	uint32_t ctl, ctr;
	int error;              /* if absent: -errno where looking for it failed,
	                         * so that it may be present; else 0 */
	char reason[256];       /* if absent: "fused off (CAPID6 bit 24 is 0)" */
	const char *source;     /* what told where it is, for types that discovery
	                         * tables list; else NULL */
	char pmu[64];           /* inventory_perf: "uncore_cha_3" */
};

struct inventory {
	struct unit *unit;      /* every instance of every box type but the core,
	                         * by type, package, instance */
	unsigned n;
	struct discovery found; /* discovery tables, where the model has them */
	/* Hybrid mode, where this inventory has the kernel's PMUs: the same boxes
	 * with their registers, which are read; else NULL. */
	const struct inventory *registers;
};

/*
 * inventory_load - find the boxes of a node of a known model.
 *
 * Writes nothing.  A unit that is absent, fused off or answers all ones stays in the
 * list, with the reason, and with unit.error where it could not be looked for.
 * Returns 0 or -ENOMEM.
 */
int inventory_load(struct inventory *, const struct topo *, struct access *,
    struct diag *why);
void inventory_free(struct inventory *);

/*
 * inventory_perf - find the boxes of a node by the kernel's PMUs.
 *
 * unit.pmu is the PMU and unit.where the CPU to open it on; that CPU's package is the
 * unit's, whatever the PMU's number.  Replaces what inventory_load found.  Returns 0
 * or -errno.
 */
int inventory_perf(struct inventory *, const struct topo *, struct access *,
    struct diag *why);

/* inventory_instances - how many units of a type each package has in the list; for
 * SCOPE_CCX as many as the package with most CCXs has. */
unsigned inventory_instances(const struct topo *, const struct box_type *);

/* inventory_find - a unit by type, package and instance, or NULL. */
const struct unit *inventory_find(const struct inventory *,
    const struct box_type *, unsigned pkg, unsigned inst);

/* unit_counters - how many counters a unit of that type has on this CPU; 0 where
 * CPUID announces none. */
unsigned unit_counters(const struct box_type *, const struct cpu_id *);

/* unit_box_ctl - does the unit have a box control, the register type.box_ctl? */
bool unit_box_ctl(const struct unit *);

/* unit_addr - the address of a unit's register `reg`, a number of the type's table
 * such as type->ctl, before the instance is added; bytes is 4 or 8, and makes no
 * difference to an MSR. */
struct reg_addr unit_addr(const struct unit *, uint32_t reg, unsigned bytes);

/* For topology/ alone.
 *
 * unit_absent - mark a unit as absent or not usable, for this reason. */
void unit_absent(struct unit *, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* unit_of_ccx - set u->where of a unit of SCOPE_CCX, or mark it as absent. */
void unit_of_ccx(struct unit *u, const struct topo *);

/*
 * unit_listed - look a unit up in its package's discovery table.
 *
 * Returns 1 with u->where, base and source set where the table lists it; -1 with the
 * unit marked as absent; 0 where the package has no table, so that the model's own
 * list holds.
 */
int unit_listed(struct unit *u, const struct discovery *,
    const struct package *);

/* unit_umc - look for an AMD memory controller: set u->base and counters, or mark the
 * unit as absent. */
void unit_umc(struct unit *, const struct package *, struct access *);

#endif
