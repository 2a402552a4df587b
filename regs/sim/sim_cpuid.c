/*
 * regs/sim/sim_cpuid.c - what CPUID says on an lproc of the simulated machine: the
 * leaves of its description, the identity, and where AMD's leaves have APIC ids
 * (reference amd-zen, section 8).
 */
#include "regs/sim/sim_int.h"

#include <string.h>

/* The leaf of the description, by the last statement about it; or NULL. */
static const struct sim_leaf *
described(const struct sim_desc *d, unsigned lproc, uint32_t leaf, uint32_t sub)
{
	for (unsigned i = d->nleaf; i-- > 0;)
		if (d->leaf[i].leaf == leaf && d->leaf[i].sub == sub &&
		    (d->leaf[i].lproc < 0 ||
		    (unsigned)d->leaf[i].lproc == lproc))
			return &d->leaf[i];
	return NULL;
}

static void
identity(const struct sim_desc *d, uint32_t leaf, uint32_t reg[4])
{
	char text[48] = "";

	if (leaf == 0) {
		memcpy(text, d->vendor, 12);
		reg[0] = 0x16;
		memcpy(&reg[1], text, 4);
		memcpy(&reg[3], text + 4, 4);
		memcpy(&reg[2], text + 8, 4);
	} else if (leaf == 1)
		reg[0] = d->stepping | (d->model & 0xf) << 4 |
		    (d->family < 15 ? d->family : 15) << 8 |
		    (d->model >> 4 & 0xf) << 16 |
		    (d->family < 15 ? 0 : d->family - 15) << 20;
	else if (leaf == 0x80000000)
		reg[0] = 0x80000008;
	else if (leaf >= 0x80000002 && leaf <= 0x80000004) {
		memcpy(text, d->cpu_name, sizeof(text));
		memcpy(reg, text + (leaf - 0x80000002) * 16, 16);
	}
}

/* Sets the fields that differ from lproc to lproc. */
static void
own_fields(const struct sim_place *p, uint32_t leaf, uint32_t reg[4])
{
	if (leaf == 1)
		reg[1] = (reg[1] & 0xffffff) | (p->apic & 0xff) << 24;
	else if (leaf == 0xb || leaf == 0x80000026)
		reg[3] = p->apic;
	else if (leaf == 0x8000001e) {
		reg[0] = p->apic;
		reg[1] = (reg[1] & ~0xffu) | (p->core & 0xff);
		reg[2] = (reg[2] & ~0xffu) | (p->pkg & 0xff);
	}
}

void
sim_cpuid(const struct sim *s, unsigned lproc, uint32_t leaf, uint32_t sub,
    uint32_t reg[4])
{
	const struct sim_leaf *is = described(s->d, lproc, leaf, sub);

	memset(reg, 0, 4 * sizeof(*reg));
	if (is != NULL)
		memcpy(reg, is->reg, sizeof(is->reg));
	else
		identity(s->d, leaf, reg);
	if (s->d->apic_pkg != 0 && (is != NULL ? is->lproc < 0 : leaf == 1))
		own_fields(&s->place[lproc], leaf, reg);
}
