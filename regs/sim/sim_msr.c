/*
 * regs/sim/sim_msr.c - one MSR, read or written.
 */
#include "regs/sim/sim_int.h"

#include <errno.h>

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
