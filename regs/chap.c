/*
 * regs/chap.c - the CHAP counter unit.
 *
 * Command and data registers: the allow-list of Intel's socperf driver (dual
 * BSD/GPL) for family 6 model 0x4D.  Event and status, opcodes, latch and
 * width: Intel 81341/81342 manual 315037-002, PMON chapter.  Start and sample
 * values, order: SEP's Valleyview header, socperf.  Reference:
 * rangeley-soc.md section 3; none of it was tried on C2000 hardware.
 */
#include "regs/chap.h"

#include "regs/sideband.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

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
	unsigned k = 0;

	for (unsigned i = 0; i < n; i++)
		chap_add(step, &k, chap, i, CHAP_COMMAND, CHAP_SAMPLE);
	return k;
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
