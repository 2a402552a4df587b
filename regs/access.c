/*
 * regs/access.c - what all methods of access have in common, and the answers for
 * calls that a method does not have.
 */
#include "regs/access.h"

#include "lib/array.h"
#include "regs/host.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How many times a 64-bit PCI counter is read until its high half is the same before
 * and after the low half.  The low half carries once in 2^32 counts, so even a second
 * mismatch in a row hints at a device that does not answer. */
#define UNTORN_TRIES 4
/* What a dword reads as when nothing answers, as UPI's and B2CXL's counters
 * sometimes do.  No counter is wide enough to have this in its high half; a low half
 * may have it by chance, but hardly twice in a row. */
#define NO_ANSWER 0xffffffffu

bool
access_on_bus(const struct reg_addr *addr)
{
	return addr->space == REG_PCI || addr->space == REG_MMIO;
}

static inline bool
is_halved(const struct reg_addr *addr)
{
	return addr->space == REG_PCI && addr->bytes == 8;
}

/* Reads a 64-bit register in PCI space by its halves.  Out of line, as most registers
 * are read in one access. */
static int read_untorn(struct access *, const struct reg_addr *, uint64_t *)
    __attribute__((noinline));

static int
read_untorn(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	int (*read)(struct access *, const struct reg_addr *, uint64_t *) =
	    acc->ops->read;
	const struct reg_addr lo = { REG_PCI, 4, addr->unit, addr->offset };
	const struct reg_addr hi = { REG_PCI, 4, addr->unit, addr->offset + 4 };
	uint64_t high, low, again;
	int rc;

	if ((rc = read(acc, &hi, &high)) < 0)
		return rc;
	for (int i = 0; i < UNTORN_TRIES; i++) {
		if ((rc = read(acc, &lo, &low)) < 0 ||
		    (low == NO_ANSWER && (rc = read(acc, &lo, &low)) < 0) ||
		    (rc = read(acc, &hi, &again)) < 0)
			return rc;
		if (again == high && high != NO_ANSWER) {
			*raw = high << 32 | low;
			return 0;
		}
		high = again;
	}
	return -EAGAIN;
}

/* Registers that lie at most SPAN_GAP bytes apart are read in one access of at most
 * SPAN_DWORDS dwords, with what lies between them. */
#define SPAN_DWORDS 16
#define SPAN_GAP 16             /* bytes */

/* How many of n registers, beginning with the first, are 64-bit registers of the same
 * function and close enough to be read together. */
static unsigned
close_together(const struct reg_addr *addr, unsigned n)
{
	unsigned i = 1;

	while (i < n && is_halved(&addr[i]) && addr[i].unit == addr->unit &&
	    addr[i].offset >= addr[i - 1].offset + 8 &&
	    addr[i].offset <= addr[i - 1].offset + 8 + SPAN_GAP &&
	    addr[i].offset + 8 <= addr->offset + 4 * SPAN_DWORDS)
		i++;
	return i;
}

/* Reads as many of n registers as lie close together, by one access that is made twice.
 * Returns how many it read; 0: the caller reads the first one by itself. */
static unsigned read_span(struct access *, const struct reg_addr *,
    unsigned n, uint64_t *raw) __attribute__((noinline));

static unsigned
read_span(struct access *acc, const struct reg_addr *addr, unsigned n,
    uint64_t *raw)
{
	uint32_t once[SPAN_DWORDS], again[SPAN_DWORDS];
	unsigned k = close_together(addr, n), dwords, done = 0;

	if (k < 2)
		return 0;
	dwords = (unsigned)(addr[k - 1].offset + 8 - addr->offset) / 4;
	if (acc->ops->dwords(acc, addr, once, dwords) < 0 ||
	    acc->ops->dwords(acc, addr, again, dwords) < 0)
		return 0;
	/* stop at a register whose high half changed in between, or that did not
	 * answer: the caller reads that one by itself */
	for (; done < k; done++) {
		unsigned at = (unsigned)(addr[done].offset - addr->offset) / 4;

		if (once[at + 1] != again[at + 1] ||
		    again[at + 1] == NO_ANSWER || again[at] == NO_ANSWER)
			break;
		raw[done] = (uint64_t)again[at + 1] << 32 | again[at];
	}
	return done;
}

/* Is this what a counter on a bus reads as when its unit does not answer?  A counter
 * of 48 bits has the value ffffffff once in 2^48 counts. */
static inline bool
access_is_silent(const struct reg_addr *addr, uint64_t raw)
{
	return access_on_bus(addr) &&
	    (raw == NO_ANSWER || raw >> 32 == NO_ANSWER);
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
access_read_counter(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	int rc = access_read(acc, addr, raw);

	if (rc == 0 && access_is_silent(addr, *raw))
		rc = access_read(acc, addr, raw);
	if (rc == 0 && access_is_silent(addr, *raw)) {
		*raw = ABSENT;
		rc = -ENODATA;
	}
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
access_write_many(struct access *acc, const struct reg_value *value,
    unsigned n)
{
	unsigned failed = 0;

	if (n > 0 && acc->proxy != NULL)
		return acc->proxy->write_many(acc->proxy, value, n);
	for (unsigned i = 0; i < n; i++)
		failed += access_write(acc, &value[i].addr, value[i].raw) < 0;
	return failed;
}

unsigned
access_read_many(struct access *acc, const struct reg_addr *addr, unsigned n,
    uint64_t *raw)
{
	unsigned absent = 0;

	if (acc->ops->read_many != NULL)
		return acc->ops->read_many(acc, addr, n, raw);
	for (unsigned i = 0; i < n; i++)
		if (acc->ops->read(acc, &addr[i], &raw[i]) < 0) {
			raw[i] = ABSENT;
			absent++;
		}
	return absent;
}

unsigned
access_read_block(struct access *acc, const struct reg_addr *addr, unsigned n,
    uint64_t *raw)
{
	bool spans = acc->ops->dwords != NULL;
	unsigned absent = 0, had;
	int rc;

	for (unsigned i = 0; i < n; i += had) {
		if (spans && is_halved(&addr[i]) &&
		    (had = read_span(acc, &addr[i], n - i, &raw[i])) > 0)
			continue;
		had = 1;
		rc = is_halved(&addr[i]) ? read_untorn(acc, &addr[i], &raw[i]) :
		    acc->ops->read(acc, &addr[i], &raw[i]);
		if (rc < 0 || access_is_silent(&addr[i], raw[i]))
			absent += access_read_counter(acc, &addr[i],
			    &raw[i]) < 0;
	}
	return absent;
}

int
access_map(struct access *acc, const struct reg_addr *addr)
{
	return acc->ops->map != NULL ? acc->ops->map(acc, addr) : 0;
}

int
access_writable(struct access *acc, const struct reg_addr *addr)
{
	return acc->ops->writable != NULL ? acc->ops->writable(acc, addr) : 0;
}

int
access_visit(struct access *acc, unsigned lproc)
{
	return acc->ops->visit != NULL ? acc->ops->visit(acc, lproc) :
	    -ENOTSUP;
}

int
access_text(struct access *acc, const char *path)
{
	return acc->ops->text != NULL ? acc->ops->text(acc, path) : -ENOTSUP;
}

const char *
access_note(struct access *acc, enum reg_space space)
{
	return acc->ops->note != NULL ? acc->ops->note(acc, space) : NULL;
}

int
access_batch_prepare(struct access *acc, const struct reg_addr *addr,
    unsigned n)
{
	return acc->ops->batch != NULL ?
	    acc->ops->batch->prepare(acc, addr, n) : -ENOTSUP;
}

int
access_batch_read(struct access *acc, uint64_t *raw)
{
	return acc->ops->batch != NULL ? acc->ops->batch->read(acc, raw) :
	    -ENOTSUP;
}

int
access_perf_open(struct access *acc, const struct perf_group *group,
    unsigned n, unsigned *bad)
{
	return acc->ops->perf != NULL ?
	    acc->ops->perf->open(acc, group, n, bad) : -ENOTSUP;
}

void
access_perf_drop(struct access *acc, unsigned handle)
{
	if (acc->ops->perf != NULL)
		acc->ops->perf->drop(acc, handle);
}

int
access_perf_direct(struct access *acc, const struct perf_msrs *msrs)
{
	return acc->ops->perf != NULL && acc->ops->perf->direct != NULL ?
	    acc->ops->perf->direct(acc, msrs) : -ENOTSUP;
}

/* The files and clocks of the method's own node, or else of the node that runs
 * this. */
static inline const struct host_ops *
host_of(const struct access *acc)
{
	return acc->ops->host != NULL ? acc->ops->host : &host_here;
}

ssize_t
access_file(struct access *acc, const char *path, uint64_t offset, void *buf,
    size_t size)
{
	return host_of(acc)->file(acc, path, offset, buf, size);
}

int
access_list(struct access *acc, const char *dir,
    void (*each)(void *, const char *), void *ctx)
{
	return host_of(acc)->list(acc, dir, each, ctx);
}

int
access_link(struct access *acc, const char *path, char *buf, size_t size)
{
	const struct host_ops *host = host_of(acc);

	return host->link != NULL ? host->link(acc, path, buf, size) :
	    -ENOTSUP;
}

int
access_clock(struct access *acc, struct clock_state *state)
{
	const struct host_ops *host = host_of(acc);

	return host->kept != NULL ? host->kept(acc, state) : -ENOTSUP;
}

void
access_now(struct access *acc, struct stamp *now)
{
	host_of(acc)->now(acc, now);
}

uint64_t
access_mono(struct access *acc)
{
	struct stamp now;

	access_now(acc, &now);
	return now.mono_ns;
}

int
access_sleep(struct access *acc, uint64_t mono_ns, const sigset_t *unblocked)
{
	return host_of(acc)->sleep(acc, mono_ns, unblocked);
}

bool
access_hurry(struct access *acc, bool on)
{
	const struct host_ops *host = host_of(acc);

	if (host->hurry != NULL)
		host->hurry(acc, on);
	return host->hurry != NULL;
}

/* The TSC of a method that has it with the other clocks alone. */
static uint64_t __attribute__((noinline))
tsc_of_now(struct access *acc)
{
	struct stamp now;

	access_now(acc, &now);
	return now.tsc;
}

uint64_t
access_tsc(struct access *acc)
{
	const struct host_ops *host = host_of(acc);

	return host->tsc != NULL ? host->tsc(acc) : tsc_of_now(acc);
}

int
access_slurp(struct access *acc, const char *path, char *buf, size_t size)
{
	ssize_t n = access_file(acc, path, 0, buf, size - 1);

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

bool
reg_addr_same(const struct reg_addr *a, const struct reg_addr *b)
{
	return a->space == b->space && a->unit == b->unit &&
	    a->offset == b->offset;
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

/* ---- a file of the node that is kept open --------------------------------- */

/* Opens the file on the node that runs this.  O_NONBLOCK, as opening a pipe would otherwise wait for its writer. */
static int
open_here(struct held_file *f, const struct access *acc)
{
	char full[1024];
	struct stat sb;

	host_path(acc, f->path, full, sizeof(full));
	f->fd = open(full, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (f->fd < 0)
		return -errno;
	if (fstat(f->fd, &sb) == 0 && S_ISREG(sb.st_mode))
		return 0;
	held_close(f);
	return -EINVAL;
}

int
held_open(struct held_file *f, struct access *acc, const char *path)
{
	char byte;
	ssize_t n;

	*f = (struct held_file){ .path = path, .fd = -1,
	    .here = acc->ops->host == NULL };
	if (f->here)
		return open_here(f, acc);
	n = access_file(acc, path, 0, &byte, 1);
	return n < 0 ? (int)n : 0;
}

ssize_t
held_read(struct held_file *f, struct access *acc, uint64_t offset, void *buf,
    size_t size)
{
	ssize_t n = -ENOENT;
	int rc;

	if (!f->here)
		return access_file(acc, f->path, offset, buf, size);
	if (f->fd >= 0 && (n = pread(f->fd, buf, size, (off_t)offset)) < 0)
		n = -errno;
	if (n >= 0 || n == -EIO || n == -EAGAIN || n == -EINTR)
		return n;
	held_close(f);
	if ((rc = open_here(f, acc)) < 0)
		return rc;
	n = pread(f->fd, buf, size, (off_t)offset);
	return n < 0 ? -errno : n;
}

void
held_close(struct held_file *f)
{
	if (f != NULL && f->fd >= 0)
		close(f->fd);
	if (f != NULL)
		f->fd = -1;
}

/* ---- which MSRs are read ------------------------------------------------ */

/* The index of an MSR in the sorted list, or where it is to be inserted. */
static unsigned
noting_place(const struct noting *t, uint32_t msr)
{
	unsigned lo = 0, hi = t->n, mid;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (t->msr[mid] < msr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void
noting_note(struct noting *t, uint32_t msr)
{
	unsigned at = noting_place(t, msr);
	uint32_t *more;

	if (at < t->n && t->msr[at] == msr)
		return;
	if (!array_room(&t->msr, t->n, &t->room, sizeof(*t->msr))) {
		t->lost = true;
		return;
	}
	more = t->msr;
	memmove(more + at + 1, more + at, (t->n - at) * sizeof(*more));
	more[at] = msr;
	t->n++;
}

/* Reads by the real method, and notes the MSR.  acc->ops is the first member of
 * struct noting, so its address is the struct's. */
static int
noted_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	struct noting *t = (struct noting *)(uintptr_t)acc->ops;
	int rc = t->own->read(acc, addr, raw);

	if (rc == 0 && addr->space == REG_MSR)
		noting_note(t, (uint32_t)addr->offset);
	return rc;
}

struct noting *
noting_start(struct access *acc)
{
	struct noting *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return NULL;
	t->ops = *acc->ops;
	t->ops.read = noted_read;
	t->own = acc->ops;
	acc->ops = &t->ops;
	return t;
}

void
noting_stop(struct noting *t, struct access *acc)
{
	if (t == NULL)
		return;
	acc->ops = t->own;
	free(t->msr);
	free(t);
}
