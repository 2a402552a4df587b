/*
 * regs/sideband.h - the message bus of an Atom SoC.  It is reached through three
 * registers of PCI function 0:0.0, so any method that has PCI space will do.
 *
 * The bus reaches units that can hang the machine, so its door is locked until
 * sideband_unlock has seen which SoC this is; nothing is written before.
 * Only one thread may use it: the three registers are one mailbox.
 */
#ifndef REGS_SIDEBAND_H
#define REGS_SIDEBAND_H

#include "regs/access.h"
#include "lib/diag.h"

/* REG_SIDEBAND's unit.  Bit 0 of the opcode says write: a register has the
 * opcode that reads it, and is written with the one above. */
#define SIDEBAND_UNIT(port, opcode) \
	((uint32_t)(port) << 8 | ((uint32_t)(opcode) & 0xfe))

/* A SoC with counters behind its message bus: a part of a model. */
struct soc {
	const char *title;              /* "Atom C2000" */
	uint8_t family, cpu;            /* CPUID */
	uint16_t bridge_lo, bridge_hi;  /* device id of 0:0.0 */
	/* The register that holds the ECAM window: bits 31:28, bit 0 set. */
	uint8_t ecam_port, ecam_opcode, ecam_reg;
	/* Where counters and the muxes in front of them answer, unless the site's
	 * file says otherwise. */
	uint8_t counter_port, mux_port, opcode;
	double max_interval;            /* s; a counter may wrap only once */
	const char *groups;             /* text that describes the groups */
	const char *site;               /* path of the site's file with its events */
	const char *const *constant;    /* names that a configuration may set */
};

/*
 * sideband_unlock - is this the SoC that we know?
 *
 * family, cpu   of the processor, from CPUID
 *
 * Reads 0:0.0's id; writes nothing.  Returns 0 with the door open, or -errno
 * with the door locked and the reason in why.
 */
int sideband_unlock(struct access *, const struct soc *, unsigned family,
    unsigned cpu, struct diag *why);

/*
 * sideband_check - does the mailbox return what is known from elsewhere?
 *
 * Reads the ECAM window of the memory arbiter and compares it with the one
 * that the firmware reports.  Returns 0, or -errno with the door locked.
 */
int sideband_check(struct access *, const struct soc *, struct diag *why);

/*
 * sideband_read, sideband_write - one transaction, for the backends.
 *
 * In the order of the reference: data (write), high offset, then the command
 * word, which starts it; data (read).  The high offset is written each time,
 * as another agent may have left one, and is 0 afterwards, as firmware
 * expects.  Returns 0 or -errno: -EPERM the door is locked, -EINVAL no such
 * address.
 */
int sideband_read(struct access *, const struct reg_addr *, uint64_t *raw);
int sideband_write(struct access *, const struct reg_addr *, uint64_t raw);

#endif
