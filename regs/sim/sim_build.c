/*
 * regs/sim/sim_build.c - makes the registers of a machine from its description.
 */
#include "regs/sim/sim_desc.h"

#include "regs/sim/sim_int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- registers of PMON blocks ------------------------------------------- */

struct unit_site {                   /* where the registers of a unit are */
	struct sim *s;
	struct sim_unit *u;
	struct sim_page *page;      /* NULL: MSR space */
	unsigned lproc;         /* one that sees its MSRs */
	uint64_t base;
	bool present;
	struct diag *why;
};

/* One register of a unit, at `offset` of instance 0. */
static struct reg *
lay(const struct unit_site *at, uint64_t offset, unsigned kind, unsigned n,
    unsigned bits, uint64_t mask)
{
	const struct sim_box *b = at->u->box;
	struct sim *s = at->s;
	uint64_t where = offset + at->base;
	struct reg *r = NULL;
	struct msr *m;

	if (at->page == NULL && b->space == REG_MSR) {
		if ((m = sim_msr(s, (uint32_t)where)) == NULL)
			m = sim_msr_new(s, (uint32_t)where, (unsigned)b->scope);
		if (m != NULL && m->scope != b->scope) {
			diag_at(at->why, s->d->file, b->line, "msr 0x%" PRIx64
			    " of box %s has another scope elsewhere", where,
			    b->name);
			return NULL;
		}
		if (m != NULL)
			r = &m->reg[s->place[at->lproc].unit[m->scope]];
	} else if (s->regs++ < SIM_REGS) {
		r = at->page->dword[(where & 0xfff) / 4];
		if (r == NULL || r->unit == NULL)
			r = sim_alloc(s, sizeof(*r));
	}
	if (r == NULL) {
		sim_no_room(s, b->line, at->why);
		return NULL;
	}
	if (r->unit != NULL || (at->page != NULL &&
	    (where > 0xffc || (where & 3) != 0))) {
		diag_at(at->why, s->d->file, b->line, "box %s instance %u: "
		    "0x%" PRIx64 " is %s", b->name, at->u->inst, where,
		    r->unit != NULL ? "a register of a box already"
		    : "no multiple of 4 below 0x1000");
		return NULL;
	}
	memset(r, 0, sizeof(*r));
	r->kind = (uint8_t)(at->present ? kind : R_RAZ_WI);
	r->bits = (uint8_t)bits;
	r->n = (uint8_t)n;
	r->mask = mask & low_bits(bits);
	r->unit = at->u;
	if (kind == R_CTR || kind == R_FIXED)
		r->count.base = b->init & low_bits(bits);
	if (at->page != NULL && sim_slot(at->page, r, where & 0xfff) < 0) {
		diag_at(at->why, s->d->file, b->line, "box %s: 0x%" PRIx64
		    " leaves no room for 64 bits", b->name, where);
		return NULL;
	}
	return r;
}

static bool
lay_counters(const struct unit_site *at)
{
	struct sim_unit *u = at->u;
	const struct sim_box *b = u->box;
	/* a counter that saturates has one bit more, which shows that it has */
	unsigned bits = (unsigned)(b->bits + b->saturate);

	for (unsigned n = 0; n < b->counters; n++) {
		if ((u->ctl[n] = lay(at, b->ctl + n * b->ctlstep, R_CTL, n,
		    (unsigned)b->ctlbits, b->valid)) == NULL ||
		    (u->ctr[n] = lay(at, b->ctr + n * b->ctrstep, R_CTR, n,
		    bits, UINT64_MAX)) == NULL)
			return false;
		if (b->alias != SIM_NOWHERE && lay(at, b->alias +
		    n * b->ctrstep, R_ALIAS, n, bits, UINT64_MAX) == NULL)
			return false;
	}
	if (b->fixedctl != SIM_NOWHERE &&
	    ((u->fixedctl = lay(at, b->fixedctl, R_FIXEDCTL, 0, 32,
	    b->fixedenable | b->fixedreset | b->ignore)) == NULL ||
	    (u->fixed[0] = lay(at, b->fixedctr, R_FIXED, 0,
	    (unsigned)b->fixedbits, UINT64_MAX)) == NULL))
		return false;
	for (unsigned i = 0; b->nibbles != SIM_NOWHERE && i < b->nfixed; i++)
		if ((u->fixed[i] = lay(at, b->fixed + i, R_FIXED, i,
		    (unsigned)b->fixedbits, UINT64_MAX)) == NULL)
			return false;
	return true;
}

static bool
lay_controls(const struct unit_site *at)
{
	struct sim_unit *u = at->u;
	const struct sim_box *b = u->box;
	uint64_t enables = low_bits((unsigned)b->counters);

	if (b->nibbles != SIM_NOWHERE)
		enables |= low_bits((unsigned)b->nfixed) << 32;
	enables |= b->globalmore;
	if (b->boxctl != SIM_NOWHERE && (u->boxctl = lay(at, b->boxctl,
	    R_BOXCTL, 0, 32, b->boxvalid)) == NULL)
		return false;
	if (b->nibbles != SIM_NOWHERE && (u->nibbles = lay(at, b->nibbles,
	    R_NIBBLES, 0, 64, low_bits(4 * (unsigned)b->nfixed))) == NULL)
		return false;
	if (b->global != SIM_NOWHERE && (u->enables = lay(at, b->global,
	    R_ENABLES, 0, 64, enables)) == NULL)
		return false;
	if (b->inuse != SIM_NOWHERE &&
	    lay(at, b->inuse, R_INUSE, 0, 64, 0) == NULL)
		return false;
	if (b->status != SIM_NOWHERE &&
	    lay(at, b->status, R_VALUE, 0, 32, UINT32_MAX) == NULL)
		return false;
	for (unsigned i = 0; i < b->nfilter; i++) {
		if ((u->filter[i] = lay(at, b->filter[i].offset, R_FILTER, i,
		    64, b->filter[i].valid)) == NULL)
			return false;
		u->filter[i]->value = b->filter[i].init;
	}
	return true;
}

static int
find_page(struct unit_site *at)
{
	const struct sim_box *b = at->u->box;
	struct sim *s = at->s;
	unsigned inst = at->u->inst;
	struct reg *id;
	int bus;

	if (b->space == REG_MMIO) {
		at->page = sim_page_at(s, REG_MMIO, at->base >> 12, true);
		at->base &= 0xfff;
		return at->page == NULL ? sim_no_room(s, b->line, at->why) : 0;
	}
	if (inst >= b->ndevfn || (bus = s->d->bus[at->u->pkg][b->bus]) < 0)
		return diag_at(at->why, s->d->file, b->line, "box %s: %s", b->name,
		    inst >= b->ndevfn ? "devfn has fewer functions than there "
		    "are instances" : "no such bus (bus PKG NUMBER...)");
	at->page = sim_page_at(s, REG_PCI, PCI_UNIT(0, bus, b->devfn[inst]),
	    true);
	if (at->page == NULL || (id = sim_alloc(s, sizeof(*id))) == NULL)
		return sim_no_room(s, b->line, at->why);
	if (inst < b->nid && at->page->dword[0] == NULL) {
		id->kind = R_VALUE;
		id->bits = 32;
		id->value = b->id[inst];
		sim_slot(at->page, id, 0);
	}
	return 0;
}

static int
build_unit(struct sim *s, const struct sim_unit *like, unsigned lproc,
    struct diag *why)
{
	const struct sim_box *b = like->box;
	struct unit_site at = { .s = s, .lproc = lproc, .why = why };
	struct sim_unit **bigger;
	int rc;

	/* present=MASK covers the first 64 boxes of a package only */
	at.present = b->scope != SIM_PKG || like->inst >= 64 ||
	    (b->present[like->pkg] >> like->inst & 1) != 0;
	if (b->space == REG_PCI && !at.present)
		return 0;
	if ((at.u = sim_alloc(s, sizeof(*at.u))) == NULL)
		return sim_no_room(s, b->line, why);
	*at.u = *like;
	if (b->scope == SIM_PKG)
		at.base = (b->nbase > like->inst ? b->base[like->inst]
		    : like->inst * b->stride) +
		    (like->pkg < b->npkgbase ? b->pkgbase[like->pkg] : 0);
	if (b->space != REG_MSR && (rc = find_page(&at)) < 0)
		return rc;
	if (!lay_counters(&at) || !lay_controls(&at))
		return -EINVAL;
	if (!at.present)
		return 0;
	if ((s->nunits & (s->nunits + 1)) == 0) {       /* 0, 1, 3, 7 ... */
		bigger = sim_alloc(s, (2 * (size_t)s->nunits + 1) *
		    sizeof(struct sim_unit *));
		if (bigger == NULL)
			return sim_no_room(s, b->line, why);
		if (s->nunits > 0)
			memcpy(bigger, s->units, s->nunits * sizeof(*bigger));
		s->units = bigger;
	}
	s->units[s->nunits++] = at.u;
	return 0;
}

/* Makes every instance of box `index` of the description. */
static int
sim_units(struct sim *s, unsigned index, struct diag *why)
{
	const struct sim_box *b = &s->d->box[index];
	struct sim_unit u = { .box = b, .index = index };
	bool seen[MAX_LPROCS] = { false };
	int rc = 0;

	for (unsigned l = 0; rc == 0 && l < s->nlproc; l++) {
		const struct sim_place *at = &s->place[l];

		if (!at->exists || seen[at->unit[b->scope]])
			continue;
		seen[at->unit[b->scope]] = true;
		u.pkg = at->pkg;
		u.inst = b->scope == SIM_CCX ? at->ccx : at->inst;
		u.thread = b->scope == SIM_LPROC ? at->thread : 0;
		u.lproc = l;
		if (b->scope != SIM_PKG)
			rc = build_unit(s, &u, l, why);
		for (u.inst = 0; b->scope == SIM_PKG && rc == 0 &&
		    u.inst < b->instances; u.inst++)
			rc = build_unit(s, &u, l, why);
	}
	return rc;
}

/* ---- the machine -------------------------------------------------------- */

void
sim_free(struct sim *s)
{
	if (s == NULL)
		return;
	sim_threads_free(s);
	sim_perf_free(s);       /* it releases counters, so it comes first */
	sim_free_all(s);
	free(s->batch);
	free(s->fault);
	sim_desc_free(s->d);
	free(s);
}

/*
 * Registers that belong to no box.
 */

static void
fill_plain(struct sim *s, struct reg *r, const struct sim_plain *p,
    uint64_t add)
{
	static const uint8_t kind[] = {
		[SIM_GONE] = R_NONE, [SIM_RAZ_WI] = R_RAZ_WI,
		[SIM_VALUE] = R_VALUE, [SIM_READING] = R_READING,
		[SIM_COUNTER] = R_COUNT,
	};

	memset(r, 0, sizeof(*r));
	r->kind = kind[p->kind];
	r->bits = p->bits;
	r->value = p->value;
	r->mask = p->writable;
	if (p->kind == SIM_READING || p->kind == SIM_COUNTER)
		count_by(s, &r->count, &p->rate, add);
	count_set(s, &r->count, p->value);
}

static int
build_msr(struct sim *s, const struct sim_plain *p, unsigned k,
    struct diag *why)
{
	uint32_t number = (uint32_t)p->offset + k * p->stride;
	struct msr *m = sim_msr(s, number);

	if (m == NULL && p->kind == SIM_GONE)
		return 0;
	if ((m == NULL || (m->scope != p->scope && p->kind != SIM_GONE)) &&
	    (m = sim_msr_new(s, number, p->scope)) == NULL)
		return sim_no_room(s, p->line, why);
	for (unsigned l = 0; l < s->nlproc; l++) {
		const struct sim_place *at = &s->place[l];
		const struct sim_where *w = &p->where;
		unsigned inst = p->n > 1 ? k
		    : m->scope <= SIM_PKG ? 0
		    : m->scope == SIM_CCX ? at->ccx : at->inst;
		unsigned thread = m->scope == SIM_LPROC ? at->thread : 0;

		if (at->exists && (w->pkg < 0 || w->pkg == (int)at->pkg) &&
		    (w->thread < 0 || w->thread == (int)at->thread) &&
		    (w->lproc < 0 || w->lproc == (int)l) &&
		    (w->inst < 0 || w->inst == (int)inst))
			fill_plain(s, &m->reg[at->unit[m->scope]], p,
			    inst * p->rate.step + at->pkg * p->rate.pkgstep +
			    thread * p->rate.threadstep);
	}
	return 0;
}

static int
build_dword(struct sim *s, const struct sim_plain *p, uint64_t key,
    unsigned k, uint64_t add, struct diag *why)
{
	unsigned offset = (unsigned)((p->offset + k * p->stride) & 0xfff);
	struct sim_page *page = sim_page_at(s, p->space, key, true);
	struct reg *r = sim_alloc(s, sizeof(*r));

	if (page == NULL || r == NULL || s->regs++ > SIM_REGS)
		return sim_no_room(s, p->line, why);
	page->gone = p->whole ? 1 : 0;
	if (p->whole)
		return 0;
	fill_plain(s, r, p, add);
	if (sim_slot(page, r, offset) < 0)
		return diag_at(why, s->d->file, p->line, "offset 0x%x leaves no"
		    " room for 64 bits", offset);
	return 0;
}

static int
build_memory(struct sim *s, const struct sim_plain *p, unsigned k,
    struct diag *why)
{
	uint64_t add = k * p->rate.step;
	int rc = 0;

	if (p->space == REG_MMIO)
		return build_dword(s, p, (p->offset + k * p->stride) >> 12, k,
		    add, why);
	if (!p->role)
		return build_dword(s, p, PCI_UNIT(0, p->bus, p->devfn), k, add,
		    why);
	for (unsigned pkg = 0; rc == 0 && pkg < s->d->packages; pkg++) {
		int bus = s->d->bus[pkg][p->bus];

		if (bus >= 0 && (p->where.pkg < 0 || p->where.pkg == (int)pkg))
			rc = build_dword(s, p, PCI_UNIT(0, bus, p->devfn), k,
			    add + pkg * p->rate.pkgstep, why);
	}
	return rc;
}

/* Lists the events of each box, the last statement first. */
static int
build_events(struct sim *s)
{
	const struct sim_desc *d = s->d;
	unsigned n;

	if ((s->events = sim_alloc(s, d->nbox * sizeof(*s->events))) == NULL)
		return -ENOMEM;
	for (unsigned b = 0; b < d->nbox; b++) {
		if ((s->events[b] = sim_alloc(s, (d->nevent + 1) *
		    sizeof(**s->events))) == NULL)
			return -ENOMEM;
		n = 0;
		for (unsigned e = d->nevent; e-- > 0;)
			if (d->event[e].box == b)
				s->events[b][n++] = &d->event[e];
	}
	return 0;
}

static int
build_global(struct sim *s)
{
	struct msr *m;

	if (s->d->global == SIM_NOWHERE)
		return 0;
	if ((m = sim_msr_new(s, (uint32_t)s->d->global, SIM_PKG)) == NULL)
		return -ENOMEM;
	for (unsigned p = 0; p < s->d->packages; p++) {
		m->reg[p].kind = R_GLOBAL;
		m->reg[p].bits = 64;
		m->reg[p].n = (uint8_t)p;
		s->frozen[p] = s->d->global_frozen;
	}
	return 0;
}

static int
build_texts(struct sim *s)
{
	struct sim_plain p = { .bits = 64 };

	if ((s->text = sim_alloc(s, (s->d->nfile + 1) * sizeof(*s->text)))
	    == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < s->d->nfile; i++) {
		const struct sim_file *f = &s->d->files[i];
		struct text_file *t = &s->text[i];

		t->file = f;
		p.kind = f->kind;
		p.bits = f->bits;
		p.value = f->kind == SIM_VALUE ? strtoull(f->text, NULL, 0)
		    : f->value;
		fill_plain(s, &t->reg, &p, 0);
		if (f->kind == SIM_COUNTER) {
			count_by(s, &t->reg.count, &f->rate, 0);
			count_set(s, &t->reg.count, f->value);
		}
	}
	return 0;
}

static void
build_clock(struct sim *s)
{
	struct sim_desc *d = s->d;

	if (d->nstretch == 0)
		d->nstretch = 1;        /* phase 0 without end */
	for (unsigned i = 1; i < d->nstretch; i++)
		s->start[i] = s->start[i - 1] + d->stretch[i - 1].ns;
	for (unsigned i = 0; i < SIM_PHASES; i++)
		s->tsc_rate.hz[i] = d->tsc_hz;
	count_by(s, &s->tsc, &s->tsc_rate, 0);
	count_set(s, &s->tsc, d->tsc_init);
	s->virtual = true;
}

static int
build_registers(struct sim *s, struct diag *why)
{
	const struct sim_desc *d = s->d;
	int rc = mailbox_build(s, why);

	for (unsigned i = 0; rc == 0 && i < d->nplain; i++)
		for (unsigned k = 0; rc == 0 && k < d->plain[i].n; k++)
			rc = d->plain[i].space == REG_MSR
			    ? build_msr(s, &d->plain[i], k, why)
			    : build_memory(s, &d->plain[i], k, why);
	for (unsigned b = 0; rc == 0 && b < d->nbox; b++)
		if (!d->box[b].none)
			rc = sim_units(s, b, why);
	if (rc == 0 && (build_global(s) < 0 || build_events(s) < 0 ||
	    build_texts(s) < 0))
		rc = diag_set(why, -ENOMEM, "%s: out of memory", d->file);
	for (unsigned i = 0; rc == 0 && i < s->nunits; i++)
		unit_update(s, s->units[i]);
	return rc;
}

int
sim_build(struct sim **out, struct sim_desc *d, struct diag *why)
{
	struct sim *s = calloc(1, sizeof(*s));
	int rc;

	*out = NULL;
	if (s == NULL) {
		sim_desc_free(d);
		return diag_set(why, -ENOMEM, "out of memory");
	}
	s->d = d;
	build_clock(s);
	if ((rc = sim_place_lprocs(s, why)) < 0 ||
	    (rc = build_registers(s, why)) < 0) {
		sim_free(s);
		return rc;
	}
	*out = s;
	return 0;
}
