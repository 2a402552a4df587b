/*
 * regs/sim/sim_build.c - makes the registers of a machine from its description.
 */
#include "regs/sim/sim_desc.h"
#include "regs/sim/sim_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
