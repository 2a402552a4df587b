/*
 * regs/sim_build.c - from the description of a machine to its registers.
 */
#include "regs/sim_int.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* More registers than any node of today has; a limit for wild texts. */
#define MAX_REGS 2000000

/* What sim_alloc hands out, in a chain. */
struct chunk {
	struct chunk *next;
	uint64_t data[];
};

void *
sim_alloc(struct sim *s, size_t size)
{
	struct chunk *c = calloc(1, sizeof(*c) + size);

	if (c == NULL)
		return NULL;
	c->next = s->memory;
	s->memory = c;
	return c->data;
}

struct sim_desc *
sim_desc_new(const char *file)
{
	struct sim_desc *d = calloc(1, sizeof(*d));

	if (d == NULL)
		return NULL;
	strncpy(d->file, file, sizeof(d->file) - 1);
	strcpy(d->host, "sim");
	strcpy(d->vendor, "GenuineIntel");
	d->family = 6;
	d->packages = d->cores = d->threads = d->dies = d->nodes = 1;
	d->tsc_hz = NS;
	d->global = SIM_NOWHERE;
	for (unsigned p = 0; p < SIM_PKGS; p++)
		for (unsigned b = 0; b < SIM_BUSES; b++)
			d->bus[p][b] = -1;
	return d;
}

void
sim_desc_free(struct sim_desc *d)
{
	if (d == NULL)
		return;
	for (unsigned i = 0; i < d->nfile; i++) {
		free(d->files[i].path);
		free(d->files[i].text);
	}
	free(d->plain);
	free(d->box);
	free(d->event);
	free(d->files);
	free(d->lproc);
	free(d->leaf);
	free(d);
}

void *
sim_desc_grow(void *a, unsigned *n, size_t size)
{
	/* room for 16, 32, 64 ... */
	if (*n == 0 || (*n >= 16 && (*n & (*n - 1)) == 0))
		a = realloc(a, (*n == 0 ? 16 : 2 * (size_t)*n) * size);
	if (a != NULL)
		memset((char *)a + (*n)++ * size, 0, size);
	return a;
}

void
sim_free(struct sim *s)
{
	struct chunk *c, *next;

	if (s == NULL)
		return;
	for (c = s->memory; c != NULL; c = next) {
		next = c->next;
		free(c);
	}
	free(s->fault);
	sim_desc_free(s->d);
	free(s);
}

/*
 * Where the lprocs are.
 */

static void
place_one(struct sim *s, unsigned n, const struct sim_lproc *at)
{
	struct place *p = &s->place[n];

	p->exists = true;
	p->pkg = at->pkg;
	p->die = at->die;
	p->core = at->core;
	p->thread = at->thread;
	p->node = at->node;
	if (n >= s->nlproc)
		s->nlproc = n + 1;
}

static void
place_numbered(struct sim *s)
{
	const struct sim_desc *d = s->d;
	struct sim_lproc at;
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

/* The units whose registers each lproc sees; cores by package, die and id. */
static void
place_units(struct sim *s)
{
	unsigned core = 0, inst[SIM_PKGS] = { 0 };

	for (unsigned l = 0; l < s->nlproc; l++) {
		struct place *p = &s->place[l], *q = s->place;

		p->unit[SIM_LPROC] = l;
		if (!p->exists)
			continue;
		p->unit[SIM_PKG] = p->pkg;
		while (q != p && !(q->exists && q->pkg == p->pkg &&
		    q->die == p->die && q->core == p->core))
			q++;
		p->unit[SIM_CORE] = q == p ? core++ : q->unit[SIM_CORE];
		p->inst = q == p ? inst[p->pkg]++ : q->inst;
	}
	s->nunit[SIM_NODE] = 1;
	s->nunit[SIM_PKG] = s->d->packages;
	s->nunit[SIM_CORE] = core;
	s->nunit[SIM_LPROC] = s->nlproc;
}

static int
place_lprocs(struct sim *s, struct diag *why)
{
	const struct sim_desc *d = s->d;

	if ((s->place = sim_alloc(s, SIM_LPROCS * sizeof(*s->place))) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	if (d->numbering != SIM_EXPLICIT) {
		if (d->packages * d->cores * d->threads > SIM_LPROCS)
			return diag_set(why, -EINVAL, "%s: more than %d lprocs",
			    d->file, SIM_LPROCS);
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
 * Finding and making registers.
 */

struct msr *
sim_msr(struct sim *s, uint32_t number)
{
	struct msr *m;

	if (number < MSR_DIRECT)
		return s->msr[number];
	for (m = s->msr_all; m != NULL && m->number != number; m = m->next)
		;
	return m;
}

struct msr *
sim_msr_new(struct sim *s, uint32_t number, unsigned scope)
{
	struct msr *m = sim_alloc(s, sizeof(*m));
	unsigned n = s->nunit[scope];

	if (m == NULL || (s->regs += n) > MAX_REGS ||
	    (m->reg = sim_alloc(s, n * sizeof(*m->reg))) == NULL)
		return NULL;
	m->number = number;
	m->scope = (uint8_t)scope;
	m->next = s->msr_all;
	s->msr_all = m;
	if (number < MSR_DIRECT)
		s->msr[number] = m;
	return m;
}

struct page *
sim_page(struct sim *s, unsigned space, uint64_t key, bool make)
{
	struct page **slot, *p;

	key |= (uint64_t)space << 56;
	slot = &s->page[(key * UINT64_C(0x9e3779b97f4a7c15)) >> 54];
	for (p = *slot; p != NULL; p = p->next)
		if (p->key == key)
			return p;
	if (!make || (s->regs += 1024) > MAX_REGS ||
	    (p = sim_alloc(s, sizeof(*p))) == NULL)
		return NULL;
	p->key = key;
	p->next = *slot;
	*slot = p;
	return p;
}

/* Put r, 4 or 8 bytes wide, at an offset of its page. */
int
sim_slot(struct page *p, struct reg *r, unsigned offset)
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

static int
no_room(const struct sim *s, unsigned line, struct diag *why)
{
	return diag_at(why, s->d->file, line, "out of memory, or more than %d "
	    "registers", MAX_REGS);
}

/*
 * Registers that belong to no box.
 */

static void
fill_plain(struct sim *s, struct reg *r, const struct sim_plain *p,
    uint64_t add)
{
	static const uint8_t kind[] = {
		[SIM_GONE] = R_NONE, [SIM_DEAF] = R_DEAF,
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
		return no_room(s, p->line, why);
	for (unsigned l = 0; l < s->nlproc; l++) {
		const struct place *at = &s->place[l];
		const struct sim_where *w = &p->where;
		unsigned inst = p->n > 1 ? k
		    : m->scope <= SIM_PKG ? 0 : at->inst;
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
build_dword(struct sim *s, const struct sim_plain *p, unsigned space,
    uint64_t key, unsigned k, uint64_t add, struct diag *why)
{
	unsigned offset = (unsigned)((p->offset + k * p->stride) & 0xfff);
	struct page *page = sim_page(s, space, key, true);
	struct reg *r = sim_alloc(s, sizeof(*r));

	if (page == NULL || r == NULL || s->regs++ > MAX_REGS)
		return no_room(s, p->line, why);
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
		return build_dword(s, p, REG_MMIO,
		    (p->offset + k * p->stride) >> 12, k, add, why);
	if (!p->role)
		return build_dword(s, p, REG_PCI, PCI_UNIT(0, p->bus, p->devfn),
		    k, add, why);
	for (unsigned pkg = 0; rc == 0 && pkg < s->d->packages; pkg++) {
		int bus = s->d->bus[pkg][p->bus];

		if (bus >= 0 && (p->where.pkg < 0 || p->where.pkg == (int)pkg))
			rc = build_dword(s, p, REG_PCI,
			    PCI_UNIT(0, bus, p->devfn), k,
			    add + pkg * p->rate.pkgstep, why);
	}
	return rc;
}

/*
 * Boxes.
 */

struct site {                   /* where the registers of a unit are */
	struct sim *s;
	struct unit *u;
	struct page *page;      /* NULL: MSR space */
	unsigned lproc;         /* one that sees its MSRs */
	uint64_t base;
	bool present;
	struct diag *why;
};

/* One register of a unit, at `offset` of instance 0. */
static struct reg *
lay(const struct site *at, uint64_t offset, unsigned kind, unsigned n,
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
	} else if (s->regs++ < MAX_REGS) {
		r = at->page->dword[(where & 0xfff) / 4];
		if (r == NULL || r->unit == NULL)
			r = sim_alloc(s, sizeof(*r));
	}
	if (r == NULL) {
		no_room(s, b->line, at->why);
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
	r->kind = (uint8_t)(at->present ? kind : R_DEAF);
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
lay_counters(const struct site *at)
{
	struct unit *u = at->u;
	const struct sim_box *b = u->box;
	unsigned bits = (unsigned)b->bits;

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
lay_controls(const struct site *at)
{
	struct unit *u = at->u;
	const struct sim_box *b = u->box;
	uint64_t enables = low_bits((unsigned)b->counters);

	if (b->nibbles != SIM_NOWHERE)
		enables |= low_bits((unsigned)b->nfixed) << 32;
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
find_page(struct site *at)
{
	const struct sim_box *b = at->u->box;
	struct sim *s = at->s;
	unsigned inst = at->u->inst;
	struct reg *id;
	int bus;

	if (b->space == REG_MMIO) {
		at->page = sim_page(s, REG_MMIO, at->base >> 12, true);
		at->base &= 0xfff;
		return at->page == NULL ? no_room(s, b->line, at->why) : 0;
	}
	if (inst >= b->ndevfn || (bus = s->d->bus[at->u->pkg][b->bus]) < 0)
		return diag_at(at->why, s->d->file, b->line, "box %s: %s", b->name,
		    inst >= b->ndevfn ? "devfn has fewer functions than there "
		    "are instances" : "no such bus (bus PKG NUMBER...)");
	at->page = sim_page(s, REG_PCI, PCI_UNIT(0, bus, b->devfn[inst]), true);
	if (at->page == NULL || (id = sim_alloc(s, sizeof(*id))) == NULL)
		return no_room(s, b->line, at->why);
	if (inst < b->nid && at->page->dword[0] == NULL) {
		id->kind = R_VALUE;
		id->bits = 32;
		id->value = b->id[inst];
		sim_slot(at->page, id, 0);
	}
	return 0;
}

static int
build_unit(struct sim *s, const struct unit *like, unsigned lproc,
    struct diag *why)
{
	const struct sim_box *b = like->box;
	struct site at = { .s = s, .lproc = lproc, .why = why };
	struct unit **bigger;
	int rc;

	at.present = (b->present[like->pkg] >> like->inst & 1) != 0 ||
	    b->scope != SIM_PKG;
	if (b->space == REG_PCI && !at.present)
		return 0;
	if ((at.u = sim_alloc(s, sizeof(*at.u))) == NULL)
		return no_room(s, b->line, why);
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
		    sizeof(struct unit *));
		if (bigger == NULL)
			return no_room(s, b->line, why);
		if (s->nunits > 0)
			memcpy(bigger, s->units, s->nunits * sizeof(*bigger));
		s->units = bigger;
	}
	s->units[s->nunits++] = at.u;
	return 0;
}

static int
build_box(struct sim *s, unsigned index, struct diag *why)
{
	const struct sim_box *b = &s->d->box[index];
	struct unit u = { .box = b, .index = index };
	bool seen[SIM_LPROCS] = { false };
	int rc = 0;

	for (unsigned l = 0; rc == 0 && l < s->nlproc; l++) {
		const struct place *at = &s->place[l];

		if (!at->exists || seen[at->unit[b->scope]])
			continue;
		seen[at->unit[b->scope]] = true;
		u.pkg = at->pkg;
		u.inst = at->inst;
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

/* The events of each box, the last statement first. */
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
	struct timespec ts;

	if (d->nstretch == 0)
		d->nstretch = 1;        /* phase 0, for ever */
	for (unsigned i = 1; i < d->nstretch; i++)
		s->start[i] = s->start[i - 1] + d->stretch[i - 1].ns;
	for (unsigned i = 0; i < SIM_PHASES; i++)
		s->tsc_rate.hz[i] = d->tsc_hz;
	count_by(s, &s->tsc, &s->tsc_rate, 0);
	count_set(s, &s->tsc, d->tsc_init);
	clock_gettime(CLOCK_MONOTONIC, &ts);
	s->t0 = (uint64_t)ts.tv_sec * NS + (uint64_t)ts.tv_nsec;
}

static int
build_registers(struct sim *s, struct diag *why)
{
	const struct sim_desc *d = s->d;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < d->nplain; i++)
		for (unsigned k = 0; rc == 0 && k < d->plain[i].n; k++)
			rc = d->plain[i].space == REG_MSR
			    ? build_msr(s, &d->plain[i], k, why)
			    : build_memory(s, &d->plain[i], k, why);
	for (unsigned b = 0; rc == 0 && b < d->nbox; b++)
		if (!d->box[b].none)
			rc = build_box(s, b, why);
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
	if ((rc = place_lprocs(s, why)) < 0 ||
	    (rc = build_registers(s, why)) < 0) {
		sim_free(s);
		return rc;
	}
	*out = s;
	return 0;
}

/*
 * Words.
 */

char *
sim_word(char **line)
{
	char *p = *line, *word;

	while (isspace((unsigned char)*p))
		p++;
	if (*p == '\0' || *p == '#') {
		*line = p;
		return NULL;
	}
	for (word = p; *p != '\0' && !isspace((unsigned char)*p); p++)
		;
	if (*p != '\0')
		*p++ = '\0';
	*line = p;
	return word;
}

bool
sim_number(const char *word, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)*word))
		return false;
	errno = 0;
	*value = strtoull(word, &end, word[0] == '0' &&
	    (word[1] == 'x' || word[1] == 'X') ? 16 : 10);
	return errno == 0 && *end == '\0' && end[-1] != 'x';
}

bool
sim_seconds(const char *word, uint64_t *ns)
{
	uint64_t whole = 0, unit = NS;

	if (!isdigit((unsigned char)*word))
		return false;
	for (; isdigit((unsigned char)*word); word++)
		if ((whole = whole * 10 + (uint64_t)(*word - '0')) > NS)
			return false;
	*ns = whole * NS;
	if (*word == '.')
		for (word++; isdigit((unsigned char)*word); word++)
			*ns += (unit /= 10) * (uint64_t)(*word - '0');
	return *word == '\0';
}

bool
sim_function(const char *word, uint8_t *bus, bool *role, uint8_t *devfn)
{
	unsigned long b, dev, fn;
	char *end;

	*role = strncmp(word, "bus", 3) == 0;
	if (*role)
		word += 3;
	if (!isxdigit((unsigned char)*word))
		return false;
	b = strtoul(word, &end, *role ? 10 : 16);
	if (*end != ':' || b > (*role ? SIM_BUSES - 1 : 0xff) ||
	    !isxdigit((unsigned char)end[1]))
		return false;
	dev = strtoul(end + 1, &end, 16);
	if (*end != '.' || dev > 0x1f || !isxdigit((unsigned char)end[1]))
		return false;
	fn = strtoul(end + 1, &end, 16);
	if (*end != '\0' || fn > 7)
		return false;
	*bus = (uint8_t)b;
	*devfn = PCI_DEVFN(dev, fn);
	return true;
}
