/*
 * regs/sim/sim_place.c - gives each lproc of the simulated machine its package, die, core,
 * thread and NUMA node, as the machine's description numbers them, and finds which
 * instance of the registers of each scope (lproc, core, CCX, package) it accesses; and
 * what CPUID says there.
 */
#include "regs/sim/sim_int.h"

#include <errno.h>
#include <string.h>

/* Puts lproc n at a place. */
static void
place_one(struct sim *s, unsigned n, const struct sim_lproc *at)
{
	struct sim_place *p = &s->place[n];

	p->exists = true;
	p->pkg = at->pkg;
	p->die = at->die;
	p->core = at->core;
	p->thread = at->thread;
	p->node = at->node;
	p->apic = at->apic;
	if (n >= s->nlproc)
		s->nlproc = n + 1;
}

/* Puts all lprocs at their places by the description's rule for numbering them.  Dies and
 * NUMA nodes divide the cores of a package evenly. */
static void
place_numbered(struct sim *s)
{
	const struct sim_desc *d = s->d;
	struct sim_lproc at = { .apic = UINT32_MAX };
	unsigned n;

	for (unsigned p = 0; p < d->packages; p++)
		for (unsigned c = 0; c < d->cores; c++)
			for (unsigned t = 0; t < d->threads; t++) {
				n = t * d->packages * d->cores;
				if (d->numbering == SIM_BLOCK)
					n += p * d->cores + c;
				else if (d->numbering == SIM_INTERLEAVED)
					n += c * d->packages + p;
				else
					n = (p * d->cores + c) * d->threads + t;
				at.pkg = p;
				at.die = c * d->dies / d->cores;
				at.core = c < d->ncore_id
				    ? (unsigned)d->core_id[c] : c;
				at.thread = t;
				at.node = p * d->nodes + c * d->nodes / d->cores;
				place_one(s, n, &at);
			}
}

/* Sets lproc l's APIC id, unless the description has it, and its CCX.  Lprocs of a package
 * share a CCX (and its L3) if their APIC ids are equal from bit ccx_shift on.  ccx: CCXs
 * so far, by package. */
static void
place_ccx(struct sim *s, unsigned l, unsigned ccx[SIM_PKGS])
{
	const struct sim_desc *d = s->d;
	struct sim_place *p = &s->place[l], *q = s->place;
	unsigned bits = 0;

	while (1u << bits < d->threads)
		bits++;
	if (p->apic == UINT32_MAX)
		p->apic = p->pkg << d->apic_pkg | p->core << bits | p->thread;
	while (q != p && !(q->exists && q->pkg == p->pkg &&
	    q->apic >> d->ccx_shift == p->apic >> d->ccx_shift))
		q++;
	p->ccx = q == p ? ccx[p->pkg]++ : q->ccx;
	p->unit[SIM_CCX] = q == p ? s->nunit[SIM_CCX]++ : q->unit[SIM_CCX];
}

/* Sets unit[] of each lproc: the index of its registers, for each scope.  Lprocs are of the
 * same core if package, die and core id are the same. */
static void
place_units(struct sim *s)
{
	unsigned core = 0, inst[SIM_PKGS] = { 0 }, ccx[SIM_PKGS] = { 0 };

	for (unsigned l = 0; l < s->nlproc; l++) {
		struct sim_place *p = &s->place[l], *q = s->place;

		p->unit[SIM_LPROC] = l;
		if (!p->exists)
			continue;
		p->unit[SIM_PKG] = p->unit[SIM_CCX] = p->pkg;
		while (q != p && !(q->exists && q->pkg == p->pkg &&
		    q->die == p->die && q->core == p->core))
			q++;
		p->unit[SIM_CORE] = q == p ? core++ : q->unit[SIM_CORE];
		p->inst = q == p ? inst[p->pkg]++ : q->inst;
		if (s->d->apic_pkg != 0)
			place_ccx(s, l, ccx);
	}
	s->nunit[SIM_NODE] = 1;
	s->nunit[SIM_PKG] = s->d->packages;
	if (s->d->apic_pkg == 0)
		s->nunit[SIM_CCX] = s->d->packages;
	s->nunit[SIM_CORE] = core;
	s->nunit[SIM_LPROC] = s->nlproc;
}

int
sim_place_lprocs(struct sim *s, struct diag *why)
{
	const struct sim_desc *d = s->d;

	if ((s->place = sim_alloc(s, MAX_LPROCS * sizeof(*s->place))) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	if (d->numbering != SIM_EXPLICIT) {
		if (d->packages * d->cores * d->threads > MAX_LPROCS)
			return diag_set(why, -EINVAL, "%s: more than %d lprocs",
			    d->file, MAX_LPROCS);
		place_numbered(s);
	}
	for (unsigned i = 0; i < d->nlproc; i++) {
		if (d->lproc[i].pkg >= d->packages)
			return diag_set(why, -EINVAL, "%s: lproc %u is in "
			    "package %u; there are %u, numbered from 0",
			    d->file, d->lproc[i].lproc, d->lproc[i].pkg,
			    d->packages);
		place_one(s, d->lproc[i].lproc, &d->lproc[i]);
	}
	if (s->nlproc == 0)
		return diag_set(why, -EINVAL, "%s: no lproc: numbering explicit"
		    " needs lproc statements", d->file);
	place_units(s);
	return 0;
}

/*
 * What CPUID says on an lproc of the simulated machine: the leaves of its description,
 * the identity, and where AMD's leaves have APIC ids (reference amd-zen, section 8).
 */

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
