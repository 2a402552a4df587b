/*
 * regs/access.c - what every backend has in common.
 */
#include "regs/access.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How often the halves of a 64-bit PCI counter may disagree.  At 2^32 counts
 * between carries, twice in a row means that the device does not answer. */
#define UNTORN_TRIES 4

static inline bool
is_halved(const struct reg_addr *addr)
{
	return addr->space == REG_PCI && addr->bytes == 8;
}

/* Kept out of line: all but a few registers are read at once. */
static int read_untorn(struct access *, const struct reg_addr *, uint64_t *)
    __attribute__((noinline));

static int
read_untorn(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	struct reg_addr lo = *addr, hi = *addr;
	uint64_t high, low, again;
	int rc;

	lo.bytes = hi.bytes = 4;
	hi.offset += 4;
	if ((rc = acc->ops->read(acc, &hi, &high)) < 0)
		return rc;
	for (int i = 0; i < UNTORN_TRIES; i++) {
		if ((rc = acc->ops->read(acc, &lo, &low)) < 0 ||
		    (rc = acc->ops->read(acc, &hi, &again)) < 0)
			return rc;
		if (again == high) {
			*raw = high << 32 | low;
			return 0;
		}
		high = again;
	}
	return -EAGAIN;
}

int
access_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	int rc;

	if (is_halved(addr))
		rc = read_untorn(acc, addr, raw);
	else
		rc = acc->ops->read(acc, addr, raw);
	if (rc < 0)
		*raw = ABSENT;
	return rc;
}

int
access_write(struct access *acc, const struct reg_addr *addr, uint64_t raw)
{
	struct reg_addr lo = *addr, hi = *addr;
	int rc;

	if (acc->proxy != NULL)
		return acc->proxy->write(acc->proxy, addr, raw);
	if (addr->space != REG_PCI || addr->bytes == 4)
		return acc->ops->write(acc, addr, raw);
	lo.bytes = hi.bytes = 4;
	hi.offset += 4;
	if ((rc = acc->ops->write(acc, &hi, raw >> 32)) < 0)
		return rc;
	return acc->ops->write(acc, &lo, raw & UINT32_MAX);
}

unsigned
access_read_block(struct access *acc, const struct reg_addr *addr, unsigned n,
    uint64_t *raw)
{
	int (*read)(struct access *, const struct reg_addr *, uint64_t *) =
	    acc->ops->read;
	unsigned absent = 0;

	for (unsigned i = 0; i < n; i++)
		if ((is_halved(&addr[i]) ? read_untorn(acc, &addr[i], &raw[i]) :
		    read(acc, &addr[i], &raw[i])) < 0) {
			raw[i] = ABSENT;
			absent++;
		}
	return absent;
}

uint64_t
access_tsc(struct access *acc)
{
	struct stamp now;

	if (acc->ops->tsc != NULL)
		return acc->ops->tsc(acc);
	acc->ops->now(acc, &now);
	return now.tsc;
}

int
access_slurp(struct access *acc, const char *path, char *buf, size_t size)
{
	ssize_t n = acc->ops->file(acc, path, 0, buf, size - 1);

	buf[n < 0 ? 0 : n] = '\0';
	if (n < 0)
		return (int)n;
	while (n > 0 && (buf[n - 1] == '\n' || buf[n - 1] == ' '))
		buf[--n] = '\0';
	return (int)n;
}

int
access_whole(struct access *acc, const char *path, char *buf, size_t size)
{
	int n = access_slurp(acc, path, buf, size);

	if (n < 0 || (size_t)n < size - 1)
		return n;
	buf[0] = '\0';
	return -E2BIG;
}

int
access_number(struct access *acc, const char *path, int64_t *value)
{
	char buf[64], *end;
	int rc = access_slurp(acc, path, buf, sizeof(buf));

	if (rc < 0)
		return rc;
	errno = 0;
	*value = strtoll(buf, &end, 0);
	return errno != 0 || end == buf || *end != '\0' ? -EINVAL : 0;
}

void
access_close(struct access *acc)
{
	if (acc != NULL)
		acc->ops->close(acc);
}

const char *
reg_addr_text(const struct reg_addr *addr, char *buf, size_t size)
{
	switch (addr->space) {
	case REG_MSR:
		snprintf(buf, size, "msr 0x%" PRIx64 " lproc %u", addr->offset,
		    addr->unit);
		break;
	case REG_PCI:
		snprintf(buf, size, "pci %04x:%02x:%02x.%x:0x%" PRIx64,
		    addr->unit >> 16, addr->unit >> 8 & 0xff,
		    addr->unit >> 3 & 0x1f, addr->unit & 7, addr->offset);
		break;
	case REG_MMIO:
		snprintf(buf, size, "mmio 0x%" PRIx64, addr->offset);
		break;
	case REG_SIDEBAND:
		snprintf(buf, size, "sideband port 0x%02x opcode 0x%02x "
		    "register 0x%" PRIx64, addr->unit >> 8, addr->unit & 0xff,
		    addr->offset);
		break;
	case REG_PERF:
		snprintf(buf, size, "perf event %u:%" PRIu64, addr->unit,
		    addr->offset);
		break;
	case REG_TEXT:
		snprintf(buf, size, "file %u", addr->unit);
		break;
	default:
		snprintf(buf, size, "none");
	}
	return buf;
}
