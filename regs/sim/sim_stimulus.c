/*
 * regs/sim/sim_stimulus.c - adds the counts of a stimulus to the machine's counters:
 * to those of boxes that run and count an event for which the machine file has a
 * "does", and to free-running ones.
 */
#include "regs/sim/sim_int.h"

/* How much a counter of that statement counts, before faults. */
static uint64_t
sim_stimulus_counted(const struct sim_does *does, uint64_t amount)
{
	return amount * does->mul / does->div;
}

static void
add_to(struct sim *s, struct reg *r, uint64_t n)
{
	if (r->kind != R_CTR && r->kind != R_FIXED && r->kind != R_COUNT)
		return;
	count_set(s, &r->count, count_get(s, &r->count) +
	    count_wrong(&r->count, n));
}

/* Among how many boxes of the package its counts are divided. */
static unsigned
sim_stimulus_sharers(const struct sim *s, const struct sim_unit *u)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->nunits; i++)
		n += s->units[i]->index == u->index &&
		    s->units[i]->pkg == u->pkg && unit_present(s->units[i]);
	return n > 0 ? n : 1;
}

static uint64_t
done_by(const struct sim *s, const struct sim_unit *u,
    const struct stimulus *st, enum act act)
{
	if (u->box->scope != SIM_PKG)
		return u->lproc < st->nlproc ? st->lproc[u->lproc][act] : 0;
	return u->pkg < st->npkg ?
	    st->pkg[u->pkg][act] / sim_stimulus_sharers(s, u) : 0;
}

/* Adds to a counter of a unit that runs and counts ctl, or is fixed counter n. */
static void
add_unit(struct sim *s, struct sim_unit *u, const struct stimulus *st,
    struct reg *r, int fixed, uint64_t ctl)
{
	uint64_t key = ctl & ~(u->box->enable | u->box->ignore);

	for (unsigned i = s->d->ndoes; i-- > 0;) {
		const struct sim_does *d = &s->d->does[i];

		if (d->space != REG_NONE || d->box != u->index ||
		    d->fixed != fixed || !unit_applies(&d->where, u) ||
		    (fixed < 0 && (key & d->mask) != d->key))
			continue;
		add_to(s, r,
		    sim_stimulus_counted(d, done_by(s, u, st, d->act)));
		return;
	}
}

static void
stimulate_unit(struct sim *s, struct sim_unit *u, const struct stimulus *st)
{
	const struct sim_box *b = u->box;

	if (!unit_present(u))
		return;
	for (unsigned n = 0; n < b->counters; n++)
		if (unit_runs(s, u, n, false))
			add_unit(s, u, st, u->ctr[n], -1, u->ctl[n]->value);
	for (unsigned n = 0; n < SIM_FIXED; n++)
		if (u->fixed[n] != NULL && unit_runs(s, u, n, true))
			add_unit(s, u, st, u->fixed[n], (int)n, 0);
}

/* Adds to free-running registers: an MSR of an lproc or a package, or MMIO of a
 * package. */
static void
stimulate_plain(struct sim *s, const struct sim_does *d,
    const struct stimulus *st)
{
	struct sim_page *page;
	struct reg_addr addr = { .space = d->space, .bytes = 8,
	    .offset = d->offset };
	struct msr *m = d->space == REG_MSR ?
	    sim_msr(s, (uint32_t)d->offset) : NULL;
	bool seen[SIM_PKGS] = { false }, high;
	struct reg *r;

	for (unsigned l = 0; l < s->nlproc && l < st->nlproc; l++) {
		const struct sim_place *p = &s->place[l];
		bool own = m != NULL && m->scope == SIM_LPROC;

		if (!p->exists || p->pkg >= st->npkg ||
		    (d->where.pkg >= 0 && d->where.pkg != (int)p->pkg) ||
		    (!own && seen[p->pkg]))
			continue;
		seen[p->pkg] = true;
		addr.unit = d->space == REG_MSR ? l : 0;
		if ((r = reg_find(s, &addr, &high, &page)) != NULL)
			add_to(s, r,
			    sim_stimulus_counted(d, own ? st->lproc[l][d->act] :
			    st->pkg[p->pkg][d->act]));
	}
}

/* Does a later line say what the same register counts, as that of a machine that is like
 * another one does? */
static bool
is_replaced(const struct sim_desc *desc, const struct sim_does *d)
{
	for (const struct sim_does *later = d + 1;
	    later < desc->does + desc->ndoes; later++)
		if (later->space == d->space && later->offset == d->offset &&
		    (later->where.pkg < 0 || later->where.pkg == d->where.pkg))
			return true;
	return false;
}

int
sim_stimulate(struct access *acc, const struct stimulus *st)
{
	struct sim *s = (struct sim *)acc;

	sim_lock(s);
	sim_tick(s);
	/* the workload stands still meanwhile */
	s->d->nstretch = s->now + 1;
	sim_advance(s, st->ns);
	for (unsigned i = 0; i < s->nunits; i++)
		stimulate_unit(s, s->units[i], st);
	for (unsigned i = 0; i < s->d->ndoes; i++)
		if (s->d->does[i].space != REG_NONE &&
		    !is_replaced(s->d, &s->d->does[i]))
			stimulate_plain(s, &s->d->does[i], st);
	sim_unlock(s);
	return 0;
}
