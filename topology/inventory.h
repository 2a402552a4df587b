/*
 * topology/inventory.h - which boxes this node has, where, and why the others
 * are missing.
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
	/* How its registers lie: as the type says, or as a table does. */
	uint8_t space;
	uint8_t counters;       /* that it really has */
	uint8_t ctl_step, ctr_step;
	uint32_t ctl, ctr;
	int error;              /* if absent: -errno where that may be an error
	                         * and no answer; else 0 */
	char reason[256];       /* if absent: "fused off (CAPID6 bit 24 is 0)" */
	const char *source;     /* who says where it is, of what a discovery
	                         * table may list; else NULL */
	char pmu[64];           /* inventory_perf: "uncore_cha_3" */
};

struct inventory {
	struct unit *unit;      /* every instance of every box type, by type,
	                         * package, instance; the core is not here */
	unsigned n;
	struct discovery found; /* discovery tables, where the model has such */
	/* The boxes as registers show them, where this has them as the kernel
	 * does and registers are read all the same (hybrid); or NULL. */
	const struct inventory *registers;
};

/*
 * inventory_load - find the boxes of a node of a known model.
 *
 * Only reads.  A unit that is absent, fused off or answers all ones stays in
 * the list with its reason, and with the error where looking for it went wrong
 * in a way that says nothing about it.  Returns 0 or -errno (out of memory alone).
 */
int inventory_load(struct inventory *, const struct topo *, struct access *,
    struct diag *why);
void inventory_free(struct inventory *);

/*
 * inventory_perf - the boxes of a node as the kernel's PMUs have them.
 *
 * Of a unit `pmu` is the PMU and `where` the CPU that it is opened on; its
 * package is that CPU's, whatever number the PMU has.  Replaces what
 * inventory_load found.  Returns 0 or -errno.
 */
int inventory_perf(struct inventory *, const struct topo *, struct access *,
    struct diag *why);

/* inventory_instances - as many of a type each package has in the list; of
 * SCOPE_CCX one for each number that a CCX of any package has. */
unsigned inventory_instances(const struct topo *, const struct box_type *);

/* inventory_find - or NULL. */
const struct unit *inventory_find(const struct inventory *,
    const struct box_type *, unsigned pkg, unsigned inst);

/* unit_counters - how many counters a unit of that type has on this CPU; 0: CPUID
 * announces none. */
unsigned unit_counters(const struct box_type *, const struct cpu_id *);

/* unit_box_ctl - does it have a box control?  It is the register box_ctl. */
bool unit_box_ctl(const struct unit *);

/* unit_addr - the address of register `reg` (a table number such as
 * type->ctl, before instance arithmetic) of a unit; bytes 4 or 8. */
struct reg_addr unit_addr(const struct unit *, uint32_t reg, unsigned bytes);

#endif
