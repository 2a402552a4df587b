/*
 * regs/mcfg.h - where the config space of PCI functions lies in physical
 * memory, as the firmware or the kernel tells it.
 */
#ifndef REGS_MCFG_H
#define REGS_MCFG_H

#include "regs/access.h"

/*
 * mcfg_base - the ECAM window of bus 0 in segment 0.
 *
 * base    out: physical address
 *
 * Read from the ACPI table MCFG; else from /proc/iomem, which tells addresses
 * to root alone.  Only files.  Returns 0 or -ENOENT.
 */
int mcfg_base(struct access *, uint64_t *base);

#endif
