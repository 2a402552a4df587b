/*
 * daemon/plan/plan_boxes.c - the columns of boxes and cores: events on counters
 * that are programmed, and fixed counters.
 */
#include "daemon/plan/plan_int.h"

#include <errno.h>
#include <string.h>

static struct column_id
target_id(const struct target *t, const struct family *f, const char *event)
{
	bool core = t->type->scope == SCOPE_LPROC;

	return (struct column_id){ .family = f, .event = event,
	    .nindex = core || t->type->single ? 1 : 2,
	    .index = { core ? t->inst : (uint32_t)t->pkg,
	    core || t->type->single ? 0 : t->inst } };
}

/* A register of a target as a column. */
static int
add_register(struct plan *plan, const struct target *t,
    const struct column *like, uint32_t reg)
{
	struct reg_addr addr = target_addr(t, reg, 8);

	return plan_add_column(plan, like, &addr, t->lproc, t->block);
}

/* The column of an event, which is on the given counter in its set. */
static int
event_column(struct plan *plan, const struct target *t, const struct slot *slot)
{
	const struct want *w = slot->want;
	const struct box_type *type = t->type;
	uint32_t ctr = t->ctr + (unsigned)slot->counter * t->ctr_step;
	struct reg_addr addr = target_addr(t, ctr, 8);
	struct column c = { .bits = t->bits };
	int rc;

	c.id = target_id(t, plan_family(plan, type->family, t->bits, NULL),
	    plan_event(plan, w->name));
	if (c.id.family == NULL || c.id.event == NULL)
		return plan_no_memory(plan);
	c.cls = (uint8_t)box_class(type, w->ctl);
	rc = w->set != 0 ? plan_add_rotated(plan, &c, t, &addr, w->set) :
	    w->every > 1 ? plan_add_slow(plan, &c, &addr, w->every, t->lproc,
	    t->block) :
	    add_register(plan, t, &c, ctr);
	if (rc < 0 || (rc = plan_add_saturating(plan, t,
	    (unsigned)slot->counter)) < 0)
		return rc;
	return plan_add_control(plan, &c.id, w->ctl, w->set);
}

static int
core_fixed_columns(struct plan *plan, const struct target *t,
    const struct want *w)
{
	const struct topo *topo = plan->build->topo;
	const struct core_fixed *cf = topo->model->fixed;
	int rc = 0;

	for (unsigned i = 0; i < topo->cpu.fixed_counters && rc == 0 &&
	    cf->name[i] != NULL; i++) {
		struct column c = { .bits = (uint8_t)topo->cpu.fixed_bits,
		    .cls = cf->cls[i] };

		if (w->counter >= 0 && w->counter != (int)i)
			continue;
		c.id = target_id(t, plan_family(plan, cf->family, c.bits, NULL),
		    w->name != NULL ? w->name : cf->name[i]);
		rc = add_register(plan, t, &c, cf->ctr + i);
	}
	return rc;
}

static int
box_fixed_column(struct plan *plan, const struct target *t,
    const struct want *w)
{
	const struct box_type *type = t->type;
	struct column c = { .bits = type->fixed_bits, .cls = type->fixed_cls };

	if (type->fixed_family != NULL)
		c.id = target_id(t, plan_family(plan, type->fixed_family,
		    c.bits, NULL), NULL);
	else
		c.id = target_id(t, plan_family(plan, type->family, c.bits, NULL),
		    w->name != NULL ? w->name : type->fixed_name);
	return add_register(plan, t, &c, type->fixed_ctr);
}

/* Notes that an event got no counter.  All lprocs have as many counters, so only the
 * first one says it. */
static void
note_no_counter(struct plan *plan, const struct target *t, const struct want *w)
{
	struct target first;
	unsigned at = 0;

	if (t->type->scope != SCOPE_LPROC) {
		plan_note(plan, "%s %u of package %d: %s: no counter is "
		    "left for it, of the %u that are here", t->type->name,
		    t->inst, t->pkg, w->name, t->counters);
		return;
	}
	while (next_target(plan->build, t->type, &at, &first))
		if (want_matches(w, &first))
			break;
	if (first.inst == t->inst)
		plan_note(plan, "%s %s: no counter is left for it, of the %u "
		    "that are here", t->type->name, w->name, t->counters);
}

/* The columns of one target that wants [first, first + n) ask for. */
static int
target_columns(struct plan *plan, const struct target *t,
    const struct want *first, unsigned n)
{
	struct slot slot[MAX_COUNTERS + 1];
	unsigned nslot, set = 0;
	int rc;

	if ((rc = plan_slots(plan->build, t, 0, slot, &nslot)) < 0)
		return rc;
	for (const struct want *w = first; w < first + n; w++) {
		const struct slot *placed = NULL;

		if (!want_matches(w, t))
			continue;
		if (w->set != set && (rc = plan_slots(plan->build, t,
		    set = w->set, slot, &nslot)) < 0)
			return rc;
		for (unsigned i = 0; i < nslot; i++)
			if (slot[i].want == w)
				placed = &slot[i];
		if (w->kind == WANT_EVENT && placed == NULL)
			note_no_counter(plan, t, w);
		if (placed != NULL && (rc = event_column(plan, t, placed)) < 0)
			return rc;
		if (w->kind != WANT_FIXED)
			continue;
		if ((rc = t->type->scope == SCOPE_LPROC ?
		    core_fixed_columns(plan, t, w) :
		    box_fixed_column(plan, t, w)) < 0)
			return rc;
	}
	return 0;
}

/* Why this node lacks the box of a statement. */
static const char *
plan_boxes_why_none(struct plan_build *b, const struct want *w)
{
	if (w->type->scope == SCOPE_LPROC && b->topo->cpu.no_counters != NULL)
		return b->topo->cpu.no_counters;
	if (w->type->scope == SCOPE_LPROC)
		return b->topo->cpu.gp_counters == 0 ? "CPUID has no "
		    "performance counters that are known (a virtual machine "
		    "without a PMU?)" : w->pkg != ALL_PKG ? "no such lproc is online "
		    "in that package" : "no such lproc is online";
	if (w->pkg != ALL_PKG && (unsigned)w->pkg >= b->topo->npkg)
		return "there is no such package";
	for (unsigned i = 0; i < b->inv->n; i++) {
		const struct unit *u = &b->inv->unit[i];

		if (u->type == w->type && !u->present && u->inst >= w->first &&
		    u->inst <= w->last && (w->pkg == ALL_PKG ||
		    w->pkg == u->pkg))
			return u->reason;
	}
	return "it does not exist";
}

int
plan_boxes(struct plan *plan, const struct want *first, unsigned n)
{
	struct plan_build *b = plan->build;
	struct target t;
	unsigned at = 0;
	int rc;

	while (next_target(b, first->type, &at, &t))
		if ((rc = target_columns(plan, &t, first, n)) < 0)
			return rc;
	for (const struct want *w = first; w < first + n; w++) {
		bool found = false;

		for (at = 0; !found && next_target(b, w->type, &at, &t);)
			found = want_matches(w, &t);
		if (found)
			continue;
		if (!w->optional)
			return diag_at(b->why, w->file, w->line, "%s: this "
			    "node has no such %s: %s (start the line with "
			    "`optional` to go on without)", w->name != NULL ?
			    w->name : "fixed", w->type->name,
			    plan_boxes_why_none(b, w));
		plan_note(plan, "%s %s: %s", w->type->name, w->name != NULL ?
		    w->name : "fixed", plan_boxes_why_none(b, w));
	}
	return 0;
}
