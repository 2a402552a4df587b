/*
 * regs/mcfg.h - where the config space of PCI functions lies in physical
 * memory, as the firmware or the kernel reports it.
 */
#ifndef REGS_MCFG_H
#define REGS_MCFG_H

#include "regs/access.h"

/* An ECAM window: one record of the ACPI table MCFG. */
struct ecam {
	uint64_t base;                  /* of bus 0, even if first_bus > 0 */
	unsigned seg, first_bus, last_bus;
};

#define MAX_SEGMENTS 32

struct mcfg {
	struct ecam ecam[MAX_SEGMENTS];
	unsigned n;
	char source[64];                /* "ACPI MCFG", "/proc/iomem" */
};

/*
 * mcfg_load - find every ECAM window; n is 0 where none is known.
 *
 * They come from the ACPI table MCFG; where there is none, from /proc/iomem, which
 * shows addresses to root alone.  Reads files only, no register.
 */
void mcfg_load(struct mcfg *, struct access *);

/*
 * mcfg_base - where the ECAM window that begins at bus 0 of segment 0 lies.
 *
 * base    out: physical address
 *
 * Returns 0, or -ENOENT where there is no such window.
 */
int mcfg_base(struct access *, uint64_t *base);

#endif
