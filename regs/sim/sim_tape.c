/*
 * regs/sim/sim_tape.c - plays a recording back.
 */
#include "regs/sim/sim_int.h"

#include <errno.h>

int
tape_get(const struct sim *s, const struct reg *r, uint64_t *raw)
{
	unsigned k = s->position < r->ntape ? s->position : r->ntape - 1;

	*raw = r->tape[k];
	return *raw == ABSENT ? -EIO : 0;
}

/* Finds the register at addr; makes one where only the tape has it. */
static struct reg *
taped(struct sim *s, const struct reg_addr *addr)
{
	struct sim_page *page;
	struct msr *m;
	struct reg *r;
	bool high;

	if ((r = reg_find(s, addr, &high, &page)) != NULL)
		return high ? NULL : r;
	switch (addr->space) {
	case REG_MSR:
		if (addr->unit >= s->nlproc || (m = sim_msr_new(s,
		    (uint32_t)addr->offset, SIM_LPROC)) == NULL)
			return NULL;
		return &m->reg[addr->unit];
	case REG_PCI:
	case REG_MMIO:
		if ((addr->offset & 3) != 0 || (addr->space == REG_PCI &&
		    addr->offset > 0xffc) ||
		    (r = sim_alloc(s, sizeof(*r))) == NULL ||
		    (page = sim_page_at(s, addr->space, addr->space == REG_PCI ?
		    addr->unit : addr->offset >> 12, true)) == NULL)
			return NULL;
		r->bits = addr->bytes == 8 ? 64 : 32;
		return sim_slot(page, r, addr->offset & 0xfff) < 0 ? NULL : r;
	}
	return NULL;
}

int
sim_tape(struct sim *s, const struct reg_addr *addr, const uint64_t *values,
    unsigned n)
{
	struct reg *r;

	if (n == 0 || (r = taped(s, addr)) == NULL)
		return -EINVAL;
	r->tape = values;
	r->ntape = n;
	return 0;
}

void
sim_tape_clock(struct sim *s, const struct stamp *at, unsigned n)
{
	s->tape = at;
	s->ntape = n;
	s->position = 0;
}
