/*
 * daemon/plan/plan_slots.c - the boxes and cores that are programmed, one by one,
 * and which event is on which counter of each.
 */
#include "daemon/plan/plan_int.h"

#include "daemon/plan/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- boxes and cores, one by one */

int
plan_cores(struct plan_build *b)
{
	const struct topo *topo = b->topo;
	const struct box_type *type = topo->model->core;
	unsigned counters = topo->cpu.gp_counters;

	if ((b->core = calloc(topo->nlproc + 1, sizeof(*b->core))) == NULL)
		return diag_set(b->why, -ENOMEM, "out of memory");
	for (unsigned l = 0; type != NULL && counters > 0 && l < topo->nlproc; l++)
		if (topo->lproc[l].online && !topo->lproc[l].unreadable)
			b->core[l] = (struct unit){ .type = type,
			    .pkg = (uint16_t)topo->lproc[l].pkg,
			    .inst = (uint16_t)l, .present = true, .where = l,
			    .space = REG_MSR, .counters = counters <
			    type->counters ? (uint8_t)counters : type->counters,
			    .ctl = type->ctl, .ctl_step = type->ctl_step,
			    .ctr = type->ctr, .ctr_step = type->ctr_step };
	return 0;
}

const struct unit *
next_unit(const struct plan_build *b, const struct box_type *type, unsigned *at)
{
	bool core = type->scope == SCOPE_LPROC;
	const struct unit *unit = core ? b->core : b->inv->unit;
	unsigned n = core ? b->topo->nlproc : b->inv->n;

	while (*at < n) {
		const struct unit *u = &unit[(*at)++];

		if (u->type == type && u->present)
			return u;
	}
	return NULL;
}

unsigned
unit_reader(const struct plan_build *b, const struct unit *u)
{
	return unit_block(u) < 0 ? u->where : b->topo->pkg[u->pkg].first_lproc;
}

int
unit_block(const struct unit *u)
{
	return u->type->scope == SCOPE_LPROC || u->type->scope == SCOPE_CCX ?
	    -1 : u->pkg;
}

uint8_t
unit_bits(const struct plan_build *b, const struct unit *u)
{
	return u->type->scope == SCOPE_LPROC ? (uint8_t)b->topo->cpu.gp_bits :
	    box_bits(u->type);
}

/* ---- a counter for each event: a bipartite matching by augmenting paths, in which an
 * event that fits several counters makes room for one that fits a single one */

#define NONE (-1)

/* Finds a counter for event i; other events may be moved to another counter. */
static bool
find_counter(const unsigned *mask, unsigned i, int *owner, unsigned *seen)
{
	for (int c = 0; c < MAX_COUNTERS; c++)
		if (mask[i] >> c & 1 && owner[c] == NONE) {
			owner[c] = (int)i;
			return true;
		}
	for (int c = 0; c < MAX_COUNTERS; c++) {
		if (!(mask[i] >> c & 1) || *seen >> c & 1)
			continue;
		*seen |= 1u << c;
		if (find_counter(mask, (unsigned)owner[c], owner, seen)) {
			owner[c] = (int)i;
			return true;
		}
	}
	return false;
}

int
assign_counters(const unsigned *mask, unsigned n, int *out)
{
	int owner[MAX_COUNTERS];

	for (int c = 0; c < MAX_COUNTERS; c++)
		owner[c] = NONE;
	for (unsigned i = 0; i < n; i++) {
		unsigned seen = 0;

		if (!find_counter(mask, i, owner, &seen))
			return (int)i + 1;
	}
	for (int c = 0; c < MAX_COUNTERS; c++)
		if (owner[c] != NONE)
			out[owner[c]] = c;
	return 0;
}

/* ---- the events of one set of one box or core */

/* The events of a set, while their counters are looked for. */
struct slots {
	struct plan_build *b;
	const struct unit *unit;
	struct slot *slot;
	unsigned n;
	unsigned mask[MAX_COUNTERS + 1];        /* that can count it */
	unsigned all;                           /* counters that are free */
};

bool
want_matches(const struct want *w, const struct unit *u)
{
	return w->type == u->type &&
	    (w->pkg == ALL_PKG || w->pkg == u->pkg) &&
	    u->inst >= w->first && u->inst <= w->last;
}

static int
no_counter(const struct slots *s, unsigned i)
{
	const struct want *w = s->slot[i].want;
	const struct unit *u = s->unit;

	if (s->mask[i] == 0)
		return diag_at(s->b->why, w->file, w->line, "%s: %s has counters "
		    "0-%u here, and this event needs another or one that is "
		    "always counted holds", w->name, u->type->name,
		    u->counters - 1);
	return diag_at(s->b->why, w->file, w->line, "%s: no %s left for "
	    "it on %s %u, which has %u; take an event out, or use `set`",
	    w->name, s->slot[i].pair ? "pair of counters is" : "counter is",
	    u->type->name, u->inst, u->counters);
}

/* Places the events that need one counter on the counters that pairs leave.  0, or
 * i + 1 where event i is the first that does not fit. */
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

/* Places the events from i on, where pairs already hold the counters `taken`.  Tries
 * every place of each pair; there are few, as a pair begins at an even counter.  0, or
 * i + 1 where event i is the last one that some attempt could not place. */
static int
place_from(struct slots *s, unsigned i, unsigned taken)
{
	int bad = 0, rc;

	while (i < s->n && !s->slot[i].pair)
		i++;
	if (i == s->n)
		return place_single(s, taken);
	for (unsigned c = 0; c < s->unit->counters; c++) {
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

/* May an event be left out where the node has fewer counters than the model?  So it is
 * with boxes whose counters CPUID numbers, and with cores of a guest. */
static bool
may_do_without(const struct plan_build *b, const struct want *w,
    const struct unit *u)
{
	return w->optional && u->counters < u->type->counters &&
	    (u->type->presence == PRESENT_CPUID ||
	    u->type->presence == PRESENT_UMC || u->type->pair != NULL ||
	    (u->type->scope == SCOPE_LPROC && b->topo->cpu.guest));
}

/* Places all events; drops those that may be left out and have no counter. */
static int
plan_slots_place(struct slots *s)
{
	int bad;

	while ((bad = place_from(s, 0, 0)) != 0) {
		unsigned i = (unsigned)bad - 1;

		if (!may_do_without(s->b, s->slot[i].want, s->unit))
			return no_counter(s, i);
		s->n--;
		memmove(&s->slot[i], &s->slot[i + 1],
		    (s->n - i) * sizeof(*s->slot));
		memmove(&s->mask[i], &s->mask[i + 1],
		    (s->n - i) * sizeof(*s->mask));
	}
	return 0;
}

/* Appends event w to the set. */
static int
plan_slots_add(struct slots *s, const struct want *w)
{
	const struct unit *u = s->unit;
	struct slot *slot = &s->slot[s->n];
	unsigned mask;

	mask = w->counter >= 0 ? 1u << w->counter : w->counters != 0 ?
	    w->counters : box_event_mask(u->type, w->ctl);
	*slot = (struct slot){ .want = w, .pair = box_pairs(u->type, w->ctl) };
	s->mask[s->n] = mask & s->all & (slot->pair ? s->all >> 1 : ~0u);
	for (unsigned k = 0; k < s->n; k++) {
		const struct want *v = s->slot[k].want;

		if (strcmp(v->name, w->name) == 0)
			return diag_at(s->b->why, w->file, w->line, "%s "
			    "is already counted on %s %u by line %u",
			    w->name, u->type->name, u->inst, v->line);
		if (w->counter >= 0 && v->counter == w->counter)
			return diag_at(s->b->why, w->file, w->line, "%s: "
			    "counter %d of %s %u already counts %s "
			    "(line %u)", w->name, w->counter,
			    u->type->name, u->inst, v->name, v->line);
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
plan_slots(struct plan_build *b, const struct unit *u, unsigned set,
    struct slot *slot, unsigned *n)
{
	struct slots s = { .b = b, .unit = u, .slot = slot,
	    .all = (1u << u->counters) - 1 };
	unsigned most = u->counters;
	int rc;

	/* events that are always counted keep their counters from every set */
	if (set > 0) {
		if ((rc = plan_slots(b, u, 0, slot, n)) < 0)
			return rc;
		for (unsigned i = 0; i < *n; i++) {
			s.all &= ~slot_counters(&slot[i]);
			most -= slot[i].pair ? 2 : 1;
		}
	}
	for (unsigned i = 0; i < b->config->nwant; i++) {
		const struct want *w = &b->config->want[i];

		if (w->kind != WANT_EVENT || w->set != set ||
		    !want_matches(w, u))
			continue;
		if ((rc = plan_slots_add(&s, w)) < 0)
			return rc;
		if (s.n <= most && s.mask[s.n - 1] != 0)
			continue;
		if (!may_do_without(b, w, u))
			return no_counter(&s, s.n - 1);
		s.n--;
	}
	if ((rc = plan_slots_place(&s)) < 0)
		return rc;
	*n = s.n;
	return 0;
}
