/*
 * regs/sideband.c - the message bus of an Atom SoC, and the counters behind it.
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

/*
 * The CHAP counter unit.
 *
 * Command and data registers: the allow-list of Intel's socperf driver (dual
 * BSD/GPL) for family 6 model 0x4D.  Event and status, opcodes, latch and
 * width: Intel 81341/81342 manual 315037-002, PMON chapter.  Start and sample
 * values, order: SEP's Valleyview header, socperf.  Reference:
 * rangeley-soc.md section 3; none of it was tried on C2000 hardware.
 */

struct reg_addr
chap_addr(const struct chap *chap, unsigned n, enum chap_reg reg)
{
	return (struct reg_addr){ REG_SIDEBAND, 4,
	    SIDEBAND_UNIT(chap->port, chap->opcode), reg + n * CHAP_STEP };
}

static void
chap_add(struct reg_step *step, unsigned *k, const struct chap *chap,
    unsigned n, enum chap_reg reg, uint64_t value)
{
	step[(*k)++] = (struct reg_step){ chap_addr(chap, n, reg), value };
}

unsigned
chap_reset(const struct chap *chap, unsigned n, struct reg_step *step)
{
	unsigned k = 0;

	for (unsigned i = 0; i < n; i++) {
		chap_add(step, &k, chap, i, CHAP_DATA, 0);
		chap_add(step, &k, chap, i, CHAP_COMMAND, CHAP_RESET);
	}
	return k;
}

unsigned
chap_start(const struct chap *chap, unsigned n, uint32_t start,
    struct reg_step *step)
{
	unsigned k = 0;

	for (unsigned i = 0; i < n; i++)
		chap_add(step, &k, chap, i, CHAP_COMMAND, start);
	return k;
}

unsigned
chap_sample(const struct chap *chap, unsigned n, struct reg_step *step)
{
	return chap_start(chap, n, CHAP_SAMPLE, step);
}

int
reg_steps(struct access *acc, const struct reg_step *step, unsigned n)
{
	int first = 0;

	for (unsigned i = 0; i < n; i++) {
		int rc = access_write(acc, &step[i].addr, step[i].value);

		if (rc < 0 && first == 0)
			first = rc;
	}
	return first;
}

/* Reading the status of a free counter claims it; this gives it back. */
static void
unclaim(struct access *acc, const struct chap *chap, uint64_t first)
{
	struct reg_addr st = chap_addr(chap, 0, CHAP_STATUS);

	if (!(first & CHAP_CLAIMED))
		access_write(acc, &st, CHAP_CLAIMED);
}

int
chap_running(struct access *acc, const struct chap *chap)
{
	struct reg_addr st = chap_addr(chap, 0, CHAP_STATUS);
	uint64_t status;
	int rc = access_read(acc, &st, &status);

	if (rc < 0 || status == UINT32_MAX)
		return rc < 0 ? rc : -ENODEV;
	unclaim(acc, chap, status);
	return (status & CHAP_ACTIVE) != 0;
}

/* Gives counter 0 a command and reads its status. */
static int
status_after(struct access *acc, const struct chap *chap, uint32_t command,
    uint64_t *status)
{
	struct reg_addr cmd = chap_addr(chap, 0, CHAP_COMMAND);
	struct reg_addr st = chap_addr(chap, 0, CHAP_STATUS);
	int rc = access_write(acc, &cmd, command);

	return rc < 0 ? rc : access_read(acc, &st, status);
}

int
chap_self_test(struct access *acc, const struct chap *chap, uint32_t start,
    struct diag *why)
{
	uint64_t stopped = 0, running = 0, again = 0;
	int rc;

	if ((rc = status_after(acc, chap, CHAP_RESET, &stopped)) == 0 &&
	    (rc = status_after(acc, chap, start, &running)) == 0)
		rc = status_after(acc, chap, CHAP_RESET, &again);
	if (rc < 0)
		return diag_set(why, rc, "port 0x%02x of the message bus: %s",
		    chap->port, strerror(-rc));
	if ((stopped == UINT32_MAX && running == UINT32_MAX) ||
	    (stopped | running | again) == 0)
		return diag_set(why, -ENODEV, "no counters at port 0x%02x of "
		    "the message bus: their status reads %s; another port goes "
		    "into the site file (soc_counter_port)", chap->port,
		    stopped == 0 ? "0" : "all ones");
	unclaim(acc, chap, stopped);
	if (stopped & CHAP_ACTIVE || !(running & CHAP_ACTIVE) ||
	    again & CHAP_ACTIVE)
		return diag_set(why, -ENODEV, "the counters at port 0x%02x of "
		    "the message bus do not start and stop on command: status 0x%"
		    PRIx64 " after reset, 0x%" PRIx64 " after start, 0x%"
		    PRIx64 " after reset again", chap->port, stopped, running,
		    again);
	return 0;
}

/* socperf's list for 06_4D, which is that of six SoCs together: 84 offsets. */
static const struct { uint16_t first, last; } legal[] = {
	{ 0x0000, 0x0000 }, { 0x0008, 0x00b0 }, { 0x3e80, 0x3e98 },
	{ 0x9680, 0x968c }, { 0x9880, 0x9888 }, { 0x9900, 0x9918 },
	{ 0x9980, 0x998c }, { 0xd800, 0xd808 }, { 0xd880, 0xd888 },
	{ 0xe600, 0xe608 }, { 0xe644, 0xe64c }, { 0xe658, 0xe660 },
};

bool
chap_legal(uint32_t offset)
{
	for (size_t i = 0; i < sizeof(legal) / sizeof(legal[0]); i++)
		if (offset % 4 == 0 && offset >= legal[i].first &&
		    offset <= legal[i].last)
			return true;
	return false;
}

bool
chap_is_command(uint32_t offset)
{
	return offset >= CHAP_COMMAND && offset < CHAP_COMMAND +
	    CHAP_COUNTERS * CHAP_STEP && (offset - CHAP_COMMAND) %
	    CHAP_STEP == 0;
}
