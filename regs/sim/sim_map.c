/*
 * regs/sim/sim_map.c - finds the registers of a simulated machine by address, and
 * allocates its memory.
 */
#include "regs/sim/sim_int.h"

#include <errno.h>
#include <stdlib.h>

/* A piece of memory of sim_alloc, in the list of all. */
struct sim_chunk {
	struct sim_chunk *next;
	uint64_t data[];
};

void *
sim_alloc(struct sim *s, size_t size)
{
	struct sim_chunk *c = calloc(1, sizeof(*c) + size);

	if (c == NULL)
		return NULL;
	c->next = s->memory;
	s->memory = c;
	return c->data;
}

void
sim_free_all(struct sim *s)
{
	struct sim_chunk *c, *next;

	for (c = s->memory; c != NULL; c = next) {
		next = c->next;
		free(c);
	}
}

struct msr *
sim_msr(struct sim *s, uint32_t number)
{
	struct msr *m = s->msr[number % MSR_SLOTS];

	while (m != NULL && m->number != number)
		m = m->beside;
	return m;
}

struct msr *
sim_msr_new(struct sim *s, uint32_t number, unsigned scope)
{
	struct msr *m = sim_alloc(s, sizeof(*m));
	unsigned n = s->nunit[scope];

	if (m == NULL || (s->regs += n) > SIM_REGS ||
	    (m->reg = sim_alloc(s, n * sizeof(*m->reg))) == NULL)
		return NULL;
	m->number = number;
	m->scope = (uint8_t)scope;
	m->next = s->msr_all;
	s->msr_all = m;
	m->beside = s->msr[number % MSR_SLOTS];
	s->msr[number % MSR_SLOTS] = m;
	return m;
}

struct sim_page *
sim_page_at(struct sim *s, unsigned space, uint64_t key, bool make)
{
	struct sim_page **slot, *p;

	key |= (uint64_t)space << 56;
	slot = &s->page[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 54];
	for (p = *slot; p != NULL; p = p->next)
		if (p->key == key)
			return p;
	if (!make || (s->regs += 1024) > SIM_REGS ||
	    (p = sim_alloc(s, sizeof(*p))) == NULL)
		return NULL;
	p->key = key;
	p->next = *slot;
	*slot = p;
	return p;
}

/* Puts r, 4 or 8 bytes wide, at an offset of a page. */
int
sim_slot(struct sim_page *p, struct reg *r, unsigned offset)
{
	unsigned i = offset / 4;

	p->dword[i] = r;
	p->high[i] = 0;
	if (r->bits > 32) {
		if (i + 1 >= 1024)
			return -EINVAL;
		p->dword[i + 1] = r;
		p->high[i + 1] = 1;
	}
	return 0;
}

int
sim_no_room(const struct sim *s, unsigned line, struct diag *why)
{
	return diag_at(why, s->d->file, line, "out of memory, or more than %d "
	    "registers", SIM_REGS);
}

struct reg *
reg_find(struct sim *s, const struct reg_addr *addr, bool *high,
    struct sim_page **page)
{
	struct msr *m;
	uint64_t key;

	*high = false;
	*page = NULL;
	switch (addr->space) {
	case REG_MSR:
		m = sim_msr(s, (uint32_t)addr->offset);
		if (m == NULL || addr->unit >= s->nlproc)
			return NULL;
		return &m->reg[s->place[addr->unit].unit[m->scope]];
	case REG_PCI:
	case REG_MMIO:
		key = addr->space == REG_PCI ? addr->unit : addr->offset >> 12;
		if ((*page = sim_page_at(s, addr->space, key, false)) == NULL)
			return NULL;
		*high = (*page)->high[(addr->offset & 0xfff) / 4];
		return (*page)->dword[(addr->offset & 0xfff) / 4];
	case REG_TEXT:
		return addr->unit < s->d->nfile ? &s->text[addr->unit].reg
		    : NULL;
	}
	return NULL;
}

