/*
 * regs/sim/sim_msr.c - MSRs of the simulated machine: one, or many of many lprocs in
 * one call.
 *
 * The latter is as msr-safe does it: all lprocs read theirs at the same time, and the
 * call returns after the last of them.  Where one operation is refused, none is
 * carried out.
 */
#include "regs/sim/sim_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int
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

int
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

/* The shortest stall above ns, or 0. */
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

const struct batch_ops sim_batch = {
	.prepare = batch_prepare, .read = batch_read,
};
