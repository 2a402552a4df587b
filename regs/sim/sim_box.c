/*
 * regs/sim/sim_box.c - what a PMON block of the simulated machine does.
 *
 * A counter counts while its control has the enable bit set and selects an event for
 * which the machine has a rate, the filters match, and neither box nor package is
 * frozen; a core's counter also needs its bit in IA32_PERF_GLOBAL_CTRL (reference:
 * intel-server-pmon.md sections 3.1, 5.1, 5.2, 5.4, 13).
 */
#include "regs/sim/sim_int.h"

#include <errno.h>
#include <string.h>

bool
unit_applies(const struct sim_where *w, const struct sim_unit *u)
{
	return (w->pkg < 0 || w->pkg == (int)u->pkg) &&
	    (w->inst < 0 || w->inst == (int)u->inst) &&
	    (w->thread < 0 || w->thread == (int)u->thread) &&
	    (w->lproc < 0 || w->lproc == (int)u->lproc);
}

static bool
filtered_in(const struct sim_event *e, const uint64_t *filter)
{
	for (unsigned i = 0; i < e->ncond; i++) {
		const struct sim_cond *c = &e->cond[i];
		uint64_t value = filter[c->filter] & c->mask;

		if (c->any ? value == 0 : value != c->value)
			return false;
	}
	return true;
}

const struct sim_rate *
unit_rate(const struct sim *s, const struct sim_unit *u, int fixed,
    uint64_t ctl, const uint64_t *filter, uint64_t *add)
{
	const struct sim_event *const *list = s->events[u->index];
	uint64_t key = ctl & ~(u->box->enable | u->box->ignore);

	*add = 0;
	for (; *list != NULL; list++) {
		const struct sim_event *e = *list;

		if (e->fixed != fixed || !unit_applies(&e->where, u) ||
		    (fixed < 0 && (key & e->mask) != e->key) ||
		    !filtered_in(e, filter))
			continue;
		*add = u->inst * e->rate.step + u->pkg * e->rate.pkgstep +
		    u->thread * e->rate.threadstep;
		return &e->rate;
	}
	return NULL;
}

/* Does the counter behind ctr, an even one, have the merge event? */
static bool
is_merged(const struct sim_unit *u, const struct reg *ctr)
{
	uint64_t plays = ~u->box->ignore, merge = u->box->merge;

	for (unsigned n = 0; n + 1 < u->box->counters; n += 2)
		if (u->ctr[n] == ctr)
			return merge != 0 && ((u->ctl[n + 1]->value ^ merge) &
			    plays) == 0;
	return false;
}

/* Applies the faults and the missing merge event to how ctr counts. */
static void
count_faults(struct sim *s, const struct sim_unit *u, struct reg *ctr, int fixed,
    uint64_t ctl)
{
	uint64_t key = ctl & ~(u->box->enable | u->box->ignore);
	uint64_t alone = ctr->count.rate != NULL && !is_merged(u, ctr) ?
	    ctr->count.rate->alone : 0;
	uint64_t num = alone != 0 ? alone : 1, den = alone != 0 ? 100 : 0;

	for (unsigned i = 0; i < s->nwrong; i++)
		if (s->wrong[i].unit == u && (fixed >= 0 ? s->wrong[i].mask == 0
		    : (key & s->wrong[i].mask) == s->wrong[i].key)) {
			num = s->wrong[i].num;
			den = s->wrong[i].den;
		}
	count_scale(s, &ctr->count, num, den);
}

/* Makes ctr count what control value ctl, or fixed counter `fixed`, selects. */
static void
count_event(struct sim *s, struct sim_unit *u, struct reg *ctr, int fixed,
    uint64_t ctl)
{
	struct sim_chosen *c = &u->chosen[fixed >= 0 ? SIM_CTRS + fixed :
	    ctr->n];
	uint64_t filter[SIM_FILTERS] = { 0 };

	for (unsigned i = 0; i < SIM_FILTERS; i++)
		if (u->filter[i] != NULL)
			filter[i] = u->filter[i]->value;
	if (!c->known || c->ctl != ctl ||
	    memcmp(c->filter, filter, sizeof(filter)) != 0) {
		c->known = true;
		c->ctl = ctl;
		memcpy(c->filter, filter, sizeof(filter));
		c->rate = unit_rate(s, u, fixed, ctl, filter, &c->add);
	}
	count_by(s, &ctr->count, c->rate, c->add);
	count_faults(s, u, ctr, fixed, ctl);
}

static bool
is_frozen(const struct sim *s, const struct sim_unit *u)
{
	const struct sim_box *b = u->box;

	if (b->scope == SIM_PKG && s->frozen[u->pkg])
		return true;
	return u->boxctl != NULL && (u->boxctl->value & b->freeze) != 0 &&
	    (u->boxctl->value & b->frzen) == b->frzen;
}

static void
run_if(struct sim *s, struct sim_unit *u, bool on, struct reg *ctr, int fixed,
    uint64_t ctl)
{
	if (on)
		count_event(s, u, ctr, fixed, ctl);
	else
		count_by(s, &ctr->count, NULL, 0);
}

bool
unit_present(const struct sim_unit *u)
{
	return u->gone == 0 && (u->box->counters > 0 ?
	    u->ctr[0]->kind == R_CTR : u->fixed[0] != NULL &&
	    u->fixed[0]->kind == R_FIXED);
}

bool
unit_runs(const struct sim *s, const struct sim_unit *u, unsigned n,
    bool fixed)
{
	const struct sim_box *b = u->box;
	uint64_t enables = u->enables != NULL ? u->enables->value : UINT64_MAX;

	if (is_frozen(s, u))
		return false;
	if (!fixed)
		return (enables >> n & 1) != 0 &&
		    (u->ctl[n]->value & b->enable) == b->enable;
	if (u->fixedctl != NULL)
		return (u->fixedctl->value & b->fixedenable) == b->fixedenable;
	return u->nibbles != NULL && (enables >> (32 + n) & 1) != 0 &&
	    (u->nibbles->value >> (4 * n) & 3) != 0;
}

void
unit_update(struct sim *s, struct sim_unit *u)
{
	const struct sim_box *b = u->box;

	for (unsigned n = 0; n < b->counters; n++)
		run_if(s, u, unit_runs(s, u, n, false), u->ctr[n], -1,
		    u->ctl[n]->value);
	if (u->fixedctl != NULL)
		run_if(s, u, unit_runs(s, u, 0, true), u->fixed[0], 0, 0);
	for (unsigned i = 0; u->nibbles != NULL && i < b->nfixed; i++)
		run_if(s, u, unit_runs(s, u, i, true), u->fixed[i], (int)i, 0);
}

void
sim_update_package(struct sim *s, unsigned pkg)
{
	for (unsigned i = 0; i < s->nunits; i++)
		if (s->units[i]->pkg == pkg && s->units[i]->box->scope == SIM_PKG)
			unit_update(s, s->units[i]);
}

/* IA32_PERF_GLOBAL_INUSE: bit n, and bit 32 + i for fixed counter i, are set where the
 * control is not 0. */
uint64_t
unit_inuse(const struct sim_unit *u)
{
	uint64_t inuse = 0;

	for (unsigned n = 0; n < u->box->counters; n++)
		if (u->ctl[n]->value != 0)
			inuse |= UINT64_C(1) << n;
	for (unsigned i = 0; u->nibbles != NULL && i < u->box->nfixed; i++)
		if ((u->nibbles->value >> (4 * i) & 0xf) != 0)
			inuse |= UINT64_C(1) << (32 + i);
	return inuse;
}

/* Carries out the reset bits of a box control, which then read as 0. */
static void
put_boxctl(struct sim *s, struct sim_unit *u, uint64_t value)
{
	const struct sim_box *b = u->box;

	if ((value & b->rstctl) != 0) {
		for (unsigned n = 0; n < b->counters; n++)
			u->ctl[n]->value = 0;
		if (u->fixedctl != NULL)
			u->fixedctl->value = 0;
	}
	if ((value & b->rstctr) != 0) {
		for (unsigned n = 0; n < b->counters; n++)
			count_set(s, &u->ctr[n]->count, 0);
		if (u->fixedctl != NULL)
			count_set(s, &u->fixed[0]->count, 0);
	}
	u->boxctl->value = value & ~(b->rstctl | b->rstctr);
}

/* Writes a counter.  A PMC takes the low 32 bits and extends their sign (reference
 * 3.1, quirk 26); other counters take as many bits as they have. */
static int
put_counter(struct sim *s, struct reg *r, uint64_t value, bool strict,
    uint64_t takes)
{
	if (takes < r->bits) {
		value &= low_bits((unsigned)takes);
		if ((value >> (takes - 1) & 1) != 0)
			value |= ~low_bits((unsigned)takes);
	} else if (strict && (value & ~low_bits(r->bits)) != 0)
		return -EIO;
	count_set(s, &r->count, value & low_bits(r->bits));
	return 0;
}

/* Is the box's clock off, as no control is enabled? */
static bool
is_gated(const struct sim_unit *u)
{
	for (unsigned n = 0; n < u->box->counters; n++)
		if ((u->ctl[n]->value & u->box->enable) == u->box->enable)
			return false;
	return u->box->gated != 0;
}

int
unit_put(struct sim *s, struct reg *r, uint64_t value, bool strict)
{
	struct sim_unit *u = r->unit;

	switch (r->kind) {
	case R_CTR:
		return is_gated(u) ? 0 : put_counter(s, r, value, strict, u->box->write);
	case R_FIXED:
		return put_counter(s, r, value, strict, 64);
	case R_ALIAS:
		return put_counter(s, u->ctr[r->n], value, strict, 64);
	case R_INUSE:
		return strict ? -EIO : 0;
	}
	if (strict && (value & ~r->mask) != 0)
		return -EIO;
	value &= r->mask;
	if (r->kind == R_BOXCTL) {
		/* Linux writes 0x1, 0x3, 0x10003 (reference 13, quirk 4) */
		if (strict && u->box->stepwise != 0 &&
		    __builtin_popcountll(value & ~u->asked &
		    ~r->value) > 1)
			return -EIO;
		u->asked = value;
	}
	switch (r->kind) {
	case R_BOXCTL:
		put_boxctl(s, u, value);
		break;
	case R_CTL:
		if ((value & u->box->reset) != 0)
			count_set(s, &u->ctr[r->n]->count, 0);
		r->value = value & ~u->box->reset;
		break;
	case R_FIXEDCTL:
		if ((value & u->box->fixedreset) != 0)
			count_set(s, &u->fixed[0]->count, 0);
		r->value = value & ~u->box->fixedreset;
		break;
	default:
		r->value = value;
	}
	unit_update(s, u);
	return 0;
}
