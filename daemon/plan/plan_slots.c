/*
 * daemon/plan/plan_slots.c - which event is on which counter of one box or core,
 * and which of them have the counter behind as well.
 */
#include "daemon/plan/plan_int.h"

#include <errno.h>
#include <string.h>

/* The events of one set on their way to counters. */
struct slots {
	struct plan_build *b;
	const struct target *t;
	struct slot *slot;
	unsigned n;
	unsigned mask[MAX_COUNTERS + 1];        /* that can count it */
	unsigned all;                           /* counters that are free */
};

bool
want_matches(const struct want *w, const struct target *t)
{
	return w->type == t->type &&
	    (w->pkg == ALL_PKG || w->pkg == t->pkg) &&
	    t->inst >= w->first && t->inst <= w->last;
}

static int
no_counter(const struct slots *s, unsigned i)
{
	const struct want *w = s->slot[i].want;
	const struct target *t = s->t;

	if (s->mask[i] == 0)
		return diag_at(s->b->why, w->file, w->line, "%s: %s has counters "
		    "0-%u here, and this event needs another or one that is "
		    "always counted holds", w->name, t->type->name,
		    t->counters - 1);
	return diag_at(s->b->why, w->file, w->line, "%s: no %s left for "
	    "it on %s %u, which has %u; take an event out, or use `set`",
	    w->name, s->slot[i].pair ? "pair of counters is" : "counter is",
	    t->type->name, t->inst, t->counters);
}

/* Those that need one counter, on what is left: 0, or i + 1 of the first one
 * that does not fit. */
static int
place_single(struct slots *s, unsigned taken)
{
	unsigned mask[MAX_COUNTERS + 1] = { 0 }, of[MAX_COUNTERS + 1];
	unsigned n = 0;
	int out[MAX_COUNTERS + 1], bad;

	for (unsigned i = 0; i < s->n; i++)
		if (!s->slot[i].pair) {
			of[n] = i;
			mask[n++] = s->mask[i] & ~taken;
		}
	if ((bad = assign_counters(mask, n, out)) != 0)
		return (int)of[bad - 1] + 1;
	for (unsigned i = 0; i < n; i++)
		s->slot[of[i]].counter = out[i];
	return 0;
}

/* Those from i on, where the counters `taken` hold pairs: every way there is,
 * and there are few, as few counters are even.  0, or i + 1 of the last of
 * those that cannot all be there. */
static int
place_from(struct slots *s, unsigned i, unsigned taken)
{
	int bad = 0, rc;

	while (i < s->n && !s->slot[i].pair)
		i++;
	if (i == s->n)
		return place_single(s, taken);
	for (unsigned c = 0; c < s->t->counters; c++) {
		unsigned two = 3u << c;

		if (!(s->mask[i] >> c & 1) || (taken & two) != 0)
			continue;
		s->slot[i].counter = (int)c;
		if ((rc = place_from(s, i + 1, taken | two)) == 0)
			return 0;
		bad = rc > bad ? rc : bad;
	}
	return bad > (int)i + 1 ? bad : (int)i + 1;
}

/* A configuration of what all of the model have may ask for more: of boxes whose
 * counters CPUID numbers, and of cores that a guest sees with fewer. */
static bool
may_do_without(const struct plan_build *b, const struct want *w,
    const struct target *t)
{
	return w->optional && t->counters < t->type->counters &&
	    (t->type->presence == PRESENT_CPUID ||
	    t->type->presence == PRESENT_UMC || t->type->pair != NULL ||
	    (t->type->scope == SCOPE_LPROC && b->topo->cpu.guest));
}

/* A counter for each; what may be left out is, where there is none. */
static int
place(struct slots *s)
{
	int bad;

	while ((bad = place_from(s, 0, 0)) != 0) {
		unsigned i = (unsigned)bad - 1;

		if (!may_do_without(s->b, s->slot[i].want, s->t))
			return no_counter(s, i);
		s->n--;
		memmove(&s->slot[i], &s->slot[i + 1],
		    (s->n - i) * sizeof(*s->slot));
		memmove(&s->mask[i], &s->mask[i + 1],
		    (s->n - i) * sizeof(*s->mask));
	}
	return 0;
}

/* Event w, after those there are. */
static int
add(struct slots *s, const struct want *w)
{
	const struct target *t = s->t;
	struct slot *slot = &s->slot[s->n];
	unsigned mask;

	mask = w->counter >= 0 ? 1u << w->counter : w->counters != 0 ?
	    w->counters : box_event_mask(t->type, w->ctl);
	*slot = (struct slot){ .want = w, .pair = box_pairs(t->type, w->ctl) };
	s->mask[s->n] = mask & s->all & (slot->pair ? s->all >> 1 : ~0u);
	for (unsigned k = 0; k < s->n; k++) {
		const struct want *v = s->slot[k].want;

		if (strcmp(v->name, w->name) == 0)
			return diag_at(s->b->why, w->file, w->line, "%s "
			    "is already counted on %s %u by line %u",
			    w->name, t->type->name, t->inst, v->line);
		if (w->counter >= 0 && v->counter == w->counter)
			return diag_at(s->b->why, w->file, w->line, "%s: "
			    "counter %d of %s %u already counts %s "
			    "(line %u)", w->name, w->counter,
			    t->type->name, t->inst, v->name, v->line);
	}
	s->n++;
	return 0;
}

unsigned
slot_counters(const struct slot *slot)
{
	return (slot->pair ? 3u : 1u) << slot->counter;
}

int
plan_slots(struct plan_build *b, const struct target *t, unsigned set,
    struct slot *slot, unsigned *n)
{
	struct slots s = { .b = b, .t = t, .slot = slot,
	    .all = (1u << t->counters) - 1 };
	unsigned most = t->counters;
	int rc;

	/* what is always counted keeps its counters from every set */
	if (set > 0) {
		if ((rc = plan_slots(b, t, 0, slot, n)) < 0)
			return rc;
		for (unsigned i = 0; i < *n; i++) {
			s.all &= ~slot_counters(&slot[i]);
			most -= slot[i].pair ? 2 : 1;
		}
	}
	for (unsigned i = 0; i < b->config->nwant; i++) {
		const struct want *w = &b->config->want[i];

		if (w->kind != WANT_EVENT || w->set != set ||
		    !want_matches(w, t))
			continue;
		if ((rc = add(&s, w)) < 0)
			return rc;
		if (s.n <= most && s.mask[s.n - 1] != 0)
			continue;
		if (!may_do_without(b, w, t))
			return no_counter(&s, s.n - 1);
		s.n--;
	}
	if ((rc = place(&s)) < 0)
		return rc;
	*n = s.n;
	return 0;
}
