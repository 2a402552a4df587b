/*
 * tests/lib/sim_compare.c - looks into simulated machines: compares two, counts the writes of one.
 */
#include "tests/lib/sim_compare.h"

#include "regs/sim/sim_int.h"

#include <errno.h>
#include <inttypes.h>

/* Do two registers differ?  Counters and readings are not compared. */
static bool
differ(const struct reg *a, const struct reg *b)
{
	if (a == NULL)
		return false;
	if (b == NULL || a->kind != b->kind)
		return true;
	switch (a->kind) {
	case R_NONE:
	case R_RAZ_WI:
	case R_READING:
	case R_COUNT:
	case R_CTR:
	case R_FIXED:
	case R_ALIAS:
	case R_INUSE:
	case R_MDR:
	case R_MCR:
		return false;
	}
	return a->value != b->value;
}

static int
sim_differs(struct diag *why, const struct reg_addr *addr,
    const struct reg *a, const struct reg *b)
{
	char where[64];

	return diag_set(why, -EINVAL, "%s: 0x%" PRIx64 " here, 0x%" PRIx64
	    " there", reg_addr_text(addr, where, sizeof(where)),
	    a != NULL ? a->value : 0, b != NULL ? b->value : 0);
}

/* An lproc that can read the registers of unit i of a scope. */
static unsigned
lproc_of(const struct sim *s, unsigned scope, unsigned unit)
{
	for (unsigned l = 0; l < s->nlproc; l++)
		if (s->place[l].exists && s->place[l].unit[scope] == unit)
			return l;
	return 0;
}

static int
compare_msr(const struct sim *a, const struct sim *b, const struct msr *m,
    struct diag *why)
{
	const struct msr *other = sim_msr((struct sim *)b, m->number);
	struct reg_addr addr = { .space = REG_MSR, .bytes = 8,
		.offset = m->number };

	if (other == NULL || other->scope != m->scope ||
	    b->nunit[m->scope] != a->nunit[m->scope])
		return diag_set(why, -EINVAL, "msr 0x%x is only in one of the "
		    "machines, or of another scope there", m->number);
	for (unsigned i = 0; i < a->nunit[m->scope]; i++)
		if (differ(&m->reg[i], &other->reg[i])) {
			addr.unit = lproc_of(a, m->scope, i);
			return sim_differs(why, &addr, &m->reg[i],
			    &other->reg[i]);
		}
	return 0;
}

static int
compare_page(const struct sim *b, const struct sim_page *p, struct diag *why)
{
	struct reg_addr addr = { .space = (uint8_t)(p->key >> 56), .bytes = 4 };
	uint64_t key = p->key & low_bits(56);
	const struct sim_page *other = sim_page_at((struct sim *)b,
	    addr.space, key, false);

	for (unsigned i = 0; i < 1024; i++) {
		const struct reg *there = other != NULL ? other->dword[i]
		    : NULL;

		if (!differ(p->dword[i], there))
			continue;
		addr.offset = i * 4;
		if (addr.space == REG_PCI)
			addr.unit = (uint32_t)key;
		else
			addr.offset += key << 12;
		return sim_differs(why, &addr, p->dword[i], there);
	}
	return 0;
}

int
sim_compare(const struct sim *a, const struct sim *b, struct diag *why)
{
	int rc;

	for (const struct msr *m = a->msr_all; m != NULL; m = m->next)
		if ((rc = compare_msr(a, b, m, why)) < 0)
			return rc;
	for (unsigned i = 0; i < PAGE_SLOTS; i++)
		for (const struct sim_page *p = a->page[i]; p != NULL;
		    p = p->next)
			if ((rc = compare_page(b, p, why)) < 0)
				return rc;
	for (unsigned p = 0; p < SIM_PKGS; p++)
		if (a->frozen[p] != b->frozen[p])
			return diag_set(why, -EINVAL, "the uncore of package "
			    "%u is frozen (msr 0x%" PRIx64 ") in one only", p,
			    a->d->global);
	return 0;
}

uint64_t
sim_writes(const struct sim *s)
{
	return s->writes;
}
