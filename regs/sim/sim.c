/*
 * regs/sim/sim.c - the simulated machine as a method of access: finds a register by
 * its address, reads it, writes it.
 *
 * As hardware does:
 *   - an MSR that is not implemented, a reserved bit set in one and a write
 *     to a read-only one fail with EIO; an offline lproc with ENXIO
 *   - PCI config space takes aligned accesses of 4 bytes; a function that does
 *     not exist reads all ones and ignores writes, an unused offset reads 0
 *   - the MSRs of a CHA slot that is fused off read 0 and ignore writes (a
 *     choice: nothing published says what they do)
 */
#include "regs/sideband.h"

#include "regs/host.h"
#include "regs/sim/sim_desc.h"
#include "regs/sim/sim_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- MSRs --------------------------------------------------------------- */

static int
sim_read_msr(struct sim *s, const struct reg_addr *addr, uint64_t *raw)
{
	struct sim_page *page;
	struct reg *r;
	bool high;
	int rc;

	if (addr->unit >= s->nlproc || !s->place[addr->unit].exists ||
	    s->place[addr->unit].offline > 0)
		return -ENXIO;
	if (s->nmsr_fault > 0 &&
	    (rc = msr_refused(s, addr->unit, addr->offset)) < 0)
		return rc;
	r = reg_find(s, addr, &high, &page);
	if (r == NULL || (r->kind == R_NONE && r->ntape == 0))
		return -EIO;
	if (r->ntape > 0)
		return tape_get(s, r, raw);
	*raw = r->unit != NULL && r->unit->gone > 0 ? UINT64_MAX
	    : reg_get(s, r);
	return 0;
}

static int
sim_write_msr(struct sim *s, const struct reg_addr *addr, uint64_t raw)
{
	struct sim_page *page;
	struct reg *r;
	bool high;
	int rc;

	if (addr->unit >= s->nlproc || !s->place[addr->unit].exists ||
	    s->place[addr->unit].offline > 0)
		return -ENXIO;
	if (s->write_error < 0)
		return s->write_error;
	if (s->nmsr_fault > 0 &&
	    (rc = msr_refused(s, addr->unit, addr->offset)) < 0)
		return rc;
	r = reg_find(s, addr, &high, &page);
	if (r == NULL)
		return -EIO;
	if (r->unit != NULL && r->unit->gone > 0)
		return 0;
	return reg_put(s, r, raw, true);
}

static int
batch_prepare(struct access *acc, const struct reg_addr *addr, unsigned n)
{
	struct sim *s = (struct sim *)acc;
	struct reg_addr *copy = malloc((n + 1) * sizeof(*copy));

	if (copy == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < n; i++) {
		if (addr[i].space != REG_MSR || addr[i].unit >= s->nlproc) {
			free(copy);
			return -EINVAL;
		}
		copy[i] = addr[i];
	}
	free(s->batch);
	s->batch = copy;
	s->nbatch = n;
	return 0;
}

/* The shortest stall above ns of an lproc of the batch; 0: there is none. */
static uint64_t
next_stall(const struct sim *s, uint64_t ns)
{
	uint64_t next = 0;

	for (unsigned i = 0; i < s->nbatch; i++) {
		uint64_t stall = s->place[s->batch[i].unit].stall_ns;

		if (stall > ns && (next == 0 || stall < next))
			next = stall;
	}
	return next;
}

/* Reads the batch as msr-safe does: all lprocs read their MSRs at the same time, and the
 * call returns after the last of them.  Where one read is refused, the batch fails. */
static int
batch_read(struct access *acc, uint64_t *raw)
{
	struct sim *s = (struct sim *)acc;
	uint64_t begin, stall = 0;
	int rc = 0;

	if (s->batch == NULL)
		return -ENOTSUP;
	sim_lock(s);
	sim_tick(s);
	begin = s->t;
	do {
		if (s->virtual)
			sim_spend(s, begin + stall);
		for (unsigned i = 0; i < s->nbatch; i++)
			if (s->place[s->batch[i].unit].stall_ns == stall &&
			    rc == 0)
				rc = sim_read_msr(s, &s->batch[i], &raw[i]);
	} while ((stall = next_stall(s, stall)) > 0);
	for (unsigned i = 0; i < s->nbatch; i++)
		s->place[s->batch[i].unit].stall_ns = 0;
	sim_unlock(s);
	return rc;
}

static const struct batch_ops sim_batch = {
	.prepare = batch_prepare, .read = batch_read,
};

/* ---- PCI config space and MMIO ------------------------------------------ */

/* What a dword of a function that does not exist reads as. */
#define ALL_ONES UINT32_MAX

/*
 * Reads one half of a counter under the fault "tear": sets the counter just below a
 * carry, takes that half, and then lets the low half wrap, so that the caller's other
 * half comes from after the carry.
 */
static uint64_t
torn_half(struct sim *s, struct reg *r, bool high)
{
	uint64_t value = count_get(s, &r->count) | UINT32_MAX;

	r->torn = false;
	count_set(s, &r->count, (value + 1) & low_bits(r->bits));
	return high ? (value & low_bits(r->bits)) >> 32 : UINT32_MAX;
}

static int
read_dword(struct sim *s, const struct reg_addr *addr, uint64_t *raw)
{
	struct sim_page *page;
	bool high;
	struct reg *r = reg_find(s, addr, &high, &page);
	int rc;

	if (r != NULL && r->ntape > 0) {
		if ((rc = tape_get(s, r, raw)) < 0)
			return rc;
	} else if (page == NULL || page->gone > 0 ||
	    (r != NULL && r->unit != NULL && r->unit->gone > 0)) {
		*raw = ALL_ONES;
		return 0;
	} else if (r == NULL) {
		*raw = 0;
		return 0;
	} else if (r->torn) {
		*raw = torn_half(s, r, high);
		return 0;
	} else
		*raw = reg_get(s, r);
	*raw = high ? *raw >> 32 : *raw & UINT32_MAX;
	return 0;
}

/* Is this a single aligned bus access of its space? */
static bool
one_access(const struct reg_addr *addr)
{
	return (addr->offset & 3) == 0 && (addr->bytes != 8 ||
	    (addr->space != REG_PCI && (addr->offset & 7) == 0)) &&
	    (addr->space != REG_PCI || addr->offset <= 0xffc);
}

static int
read_memory(struct sim *s, const struct reg_addr *addr, uint64_t *raw)
{
	struct reg_addr next = *addr;
	uint64_t high = 0;
	int rc;

	if (!one_access(addr))
		return -EINVAL;
	if ((rc = read_dword(s, addr, raw)) < 0 || addr->bytes != 8)
		return rc;
	next.offset += 4;
	rc = read_dword(s, &next, &high);
	*raw |= high << 32;
	return rc;
}

/* ---- the method of access ----------------------------------------------- */

/* Where the stall of the lproc or PCI function that is read is kept; NULL: the register
 * belongs to neither. */
static uint64_t *
stall_of(struct sim *s, const struct reg_addr *addr)
{
	int lproc = addr->space == REG_MSR ? (int)addr->unit :
	    addr->space == REG_PERF ? sim_perf_cpu(s, addr->unit) : -1;
	struct sim_page *page = addr->space == REG_PCI ? sim_page_at(s,
	    REG_PCI, addr->unit, false) : NULL;

	if (page != NULL)
		return &page->stall_ns;
	return lproc >= 0 && (unsigned)lproc < s->nlproc ?
	    &s->place[lproc].stall_ns : NULL;
}

/* Lets the next stall of the register's lproc or function pass; each happens once. */
static void
wait_out_stall(struct sim *s, const struct reg_addr *addr)
{
	uint64_t *wait = stall_of(s, addr), ns = wait != NULL ? *wait : 0;

	if (ns == 0)
		return;
	*wait = 0;
	if (s->virtual)
		sim_spend(s, s->t + ns);
}

static int
read_any(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	struct sim *s = (struct sim *)acc;
	struct reg *r;
	int rc;

	sim_tick(s);
	wait_out_stall(s, addr);
	switch (addr->space) {
	case REG_MSR:
		rc = sim_read_msr(s, addr, raw);
		break;
	case REG_PCI:
	case REG_MMIO:
		rc = read_memory(s, addr, raw);
		break;
	case REG_SIDEBAND:
		return sideband_read(acc, addr, raw);
	case REG_PERF:
		rc = sim_perf_read(s, addr, raw);
		break;
	case REG_TEXT:
		if (addr->unit >= s->d->nfile)
			return -ENODEV;
		r = &s->text[addr->unit].reg;
		if (r->ntape > 0)
			rc = tape_get(s, r, raw);
		else if (r->kind == R_NONE)
			rc = -EIO;
		else {
			*raw = reg_get(s, r);
			rc = 0;
		}
		break;
	default:
		return -ENODEV;
	}
	if (s->virtual && s->d->read_cost_ns > 0)
		sim_spend(s, s->t + s->d->read_cost_ns);
	return rc;
}

static int
sim_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	struct sim *s = (struct sim *)acc;
	int rc;

	sim_lock(s);
	rc = read_any(acc, addr, raw);
	sim_unlock(s);
	return rc;
}

static int
write_dword(struct sim *s, const struct reg_addr *addr, uint64_t raw)
{
	struct sim_page *page;
	bool high;
	struct reg *r = reg_find(s, addr, &high, &page);

	if (r == NULL || page->gone > 0 ||
	    (r->unit != NULL && r->unit->gone > 0))
		return 0;
	raw &= UINT32_MAX;
	if (high)
		raw = (reg_get(s, r) & UINT32_MAX) | raw << 32;
	else if (r->bits > 32)
		raw |= reg_get(s, r) & ~(uint64_t)UINT32_MAX;
	return reg_put(s, r, raw, false);
}

static int
write_memory(struct sim *s, const struct reg_addr *addr, uint64_t raw)
{
	struct reg_addr next = *addr;
	struct sim_page *page;
	struct reg *r;
	bool high;
	int rc;

	if (!one_access(addr))
		return -EINVAL;
	if (addr->bytes != 8)
		return write_dword(s, addr, raw);
	next.offset += 4;
	r = reg_find(s, &next, &high, &page);
	if (r != NULL && high && page->gone == 0 &&
	    (r->unit == NULL || r->unit->gone == 0))
		return reg_put(s, r, raw, false);       /* 64 bits at once */
	if ((rc = write_dword(s, addr, raw)) < 0)
		return rc;
	return write_dword(s, &next, raw >> 32);
}

static int
write_any(struct access *acc, const struct reg_addr *addr, uint64_t raw)
{
	struct sim *s = (struct sim *)acc;
	int rc;

	sim_tick(s);
	switch (addr->space) {
	case REG_MSR:
		rc = sim_write_msr(s, addr, raw);
		break;
	case REG_PCI:
	case REG_MMIO:
		rc = write_memory(s, addr, raw);
		break;
	case REG_SIDEBAND:
		return sideband_write(acc, addr, raw);
	case REG_TEXT:
		return -EPERM;
	default:
		return -ENODEV;
	}
	if (rc == 0)
		s->writes++;
	s->tainted |= rc == 0 && addr->space == REG_MSR;
	return rc;
}

static int
sim_write(struct access *acc, const struct reg_addr *addr, uint64_t raw)
{
	struct sim *s = (struct sim *)acc;
	int rc;

	sim_lock(s);
	rc = write_any(acc, addr, raw);
	sim_unlock(s);
	return rc;
}

static int
sim_open_perf(struct access *acc, const struct perf_group *group, unsigned n,
    unsigned *bad)
{
	struct sim *s = (struct sim *)acc;
	int rc;

	sim_tick(s);
	rc = sim_perf_open(s, group, n, bad);
	/* opening takes time, so that the first reading finds times above 0 */
	if (rc >= 0 && s->virtual)
		sim_time(s, s->t + 1000);
	return rc;
}

static void
sim_drop_perf(struct access *acc, unsigned handle)
{
	sim_perf_drop((struct sim *)acc, handle);
}

static void
sim_close(struct access *acc)
{
	sim_free((struct sim *)acc);
}

static void
sim_hurry(struct access *acc, bool on)
{
	sim_virtual((struct sim *)acc, on);
}

static int
sim_direct_perf(struct access *acc, const struct perf_msrs *msrs)
{
	return sim_perf_direct((struct sim *)acc, msrs);
}

static const char *
sim_note(struct access *acc, enum reg_space space)
{
	return space == REG_PERF ? sim_perf_note((struct sim *)acc) : NULL;
}

static const struct host_ops sim_host = {
	.file = sim_file, .list = sim_list, .link = sim_link, .kept = sim_kept,
	.now = sim_now, .sleep = sim_sleep, .hurry = sim_hurry,
	.threads = &sim_threads,
};

static const struct perf_ops sim_perf = {
	.open = sim_open_perf, .drop = sim_drop_perf,
	.direct = sim_direct_perf,
};

static const struct access_ops sim_ops = {
	.name = "sim",
	.read = sim_read,
	.write = sim_write,
	.close = sim_close,
	.host = &sim_host,
	.simulated = true,
	.text = sim_text,
	.batch = &sim_batch,
	.note = sim_note,
	.perf = &sim_perf,
	.stimulate = sim_stimulate,
};

struct access *
sim_access(struct sim *s)
{
	s->access.ops = &sim_ops;
	return &s->access;
}
