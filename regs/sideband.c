/*
 * regs/sideband.c - the message bus of an Atom SoC.
 *
 * Registers, fields, order: coreboot's fsp_rangeley (C2000); the same in
 * Intel's Bay Trail datasheet, Linux iosf_mbi and the socperf driver (dual
 * BSD/GPL).  Reference: rangeley-soc.md sections 1 and 2.
 */
#include "regs/sideband.h"

#include "regs/mcfg.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define MCR 0xd0                /* command: opcode, port, offset 7:0 */
#define MDR 0xd4                /* data */
#define MCRX 0xd8               /* offset 31:8, in place */
#define ALL_BYTES 0xf0
#define ALL_ONES UINT32_MAX
#define WINDOW 0xf0000000u      /* of the ECAM register */

static int
bridge_read(struct access *acc, unsigned offset, uint64_t *raw)
{
	struct reg_addr addr = { REG_PCI, 4, PCI_UNIT(0, 0, 0), offset };

	return acc->ops->read(acc, &addr, raw);
}

static int
bridge_write(struct access *acc, unsigned offset, uint64_t raw)
{
	struct reg_addr addr = { REG_PCI, 4, PCI_UNIT(0, 0, 0), offset };

	return acc->ops->write(acc, &addr, raw);
}

static int
check_address(const struct access *acc, const struct reg_addr *addr)
{
	if (!acc->sideband)
		return -EPERM;
	return addr->bytes != 4 || addr->unit > 0xffff ||
	    addr->offset > UINT32_MAX ? -EINVAL : 0;
}

/* Writes the high offset, then the command word, which starts the transaction. */
static int
sideband_start(struct access *acc, const struct reg_addr *addr, unsigned write)
{
	uint64_t opcode = (addr->unit & 0xfe) | write;
	uint64_t port = addr->unit >> 8;
	int rc = bridge_write(acc, MCRX, addr->offset & 0xffffff00);

	if (rc < 0)
		return rc;
	return bridge_write(acc, MCR, opcode << 24 | port << 16 |
	    (addr->offset & 0xff) << 8 | ALL_BYTES);
}

/* Sets the high offset back to 0; returns rc, the error so far, or its own. */
static int
end(struct access *acc, const struct reg_addr *addr, int rc)
{
	int undo = 0;

	if (addr->offset > 0xff)
		undo = bridge_write(acc, MCRX, 0);
	return rc < 0 ? rc : undo;
}

int
sideband_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	int rc = check_address(acc, addr);

	if (rc < 0)
		return rc;
	if ((rc = sideband_start(acc, addr, 0)) == 0)
		rc = bridge_read(acc, MDR, raw);
	return end(acc, addr, rc);
}

int
sideband_write(struct access *acc, const struct reg_addr *addr, uint64_t raw)
{
	int rc = check_address(acc, addr);

	if (rc < 0)
		return rc;
	if (raw > UINT32_MAX)
		return -EINVAL;
	if ((rc = bridge_write(acc, MDR, raw)) < 0)
		return rc;
	return end(acc, addr, sideband_start(acc, addr, 1));
}

int
sideband_unlock(struct access *acc, const struct soc *soc, unsigned family,
    unsigned cpu, struct diag *why)
{
	uint64_t id;
	int rc;

	acc->sideband = false;
	if (family != soc->family || cpu != soc->cpu)
		return diag_set(why, -ENODEV, "CPU family %u model 0x%x is no "
		    "%s (family %u model 0x%x): its message bus is not "
		    "touched", family, cpu, soc->title, soc->family, soc->cpu);
	if ((rc = bridge_read(acc, 0, &id)) < 0)
		return diag_set(why, rc, "host bridge 0:0.0 cannot be read: "
		    "%s", strerror(-rc));
	if ((id & 0xffff) != 0x8086 || id >> 16 < soc->bridge_lo ||
	    id >> 16 > soc->bridge_hi)
		return diag_set(why, -ENODEV, "host bridge 0:0.0 is %04x:%04x, "
		    "%s has 8086:%04x to %04x: its message bus is not touched",
		    (unsigned)(id & 0xffff), (unsigned)(id >> 16 & 0xffff),
		    soc->title, soc->bridge_lo, soc->bridge_hi);
	acc->sideband = true;
	return 0;
}

static int
sideband_compare(struct access *acc, const struct soc *soc, struct diag *why)
{
	struct reg_addr addr = { REG_SIDEBAND, 4,
	    SIDEBAND_UNIT(soc->ecam_port, soc->ecam_opcode), soc->ecam_reg };
	uint64_t reported, base;
	int rc;

	if (mcfg_base(acc, &reported) < 0)
		return diag_set(why, -ENODATA, "neither ACPI MCFG nor "
		    "/proc/iomem has the ECAM window, so the message bus "
		    "cannot be proven to work (run as root)");
	if ((rc = sideband_read(acc, &addr, &base)) < 0)
		return diag_set(why, rc, "the message bus mailbox of 0:0.0 "
		    "cannot be used: %s%s", strerror(-rc), rc == -EPERM ||
		    rc == -EACCES ? " (kernel lockdown forbids PCI config "
		    "writes)" : "");
	if (base == ALL_ONES)
		return diag_set(why, -EIO, "the message bus mailbox of 0:0.0 "
		    "reads all ones: firmware hides it, or it hangs");
	if (!(base & 1) || (base & WINDOW) != reported)
		return diag_set(why, -EIO, "the message bus does not prove "
		    "itself: port 0x%02x register 0x%02x reads 0x%08" PRIx64
		    ", the ECAM window is at 0x%" PRIx64 " (expected 0x%08"
		    PRIx64 ")", soc->ecam_port, soc->ecam_reg, base,
		    reported, (reported & WINDOW) | 1);
	return 0;
}

int
sideband_check(struct access *acc, const struct soc *soc, struct diag *why)
{
	int rc = sideband_compare(acc, soc, why);

	if (rc < 0)
		acc->sideband = false;
	return rc;
}
