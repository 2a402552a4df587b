/*
 * daemon/plan/plan_boxes.c - what boxes and cores become: the columns of their events
 * and fixed counters, and the control registers that say which event is on which counter.
 */
#include "daemon/plan/plan_int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---------------------------------------------------------------- */

static struct column_id
unit_id(const struct unit *u, const struct family *f, const char *event)
{
	bool core = u->type->scope == SCOPE_LPROC;

	return (struct column_id){ .family = f, .event = event,
	    .nindex = core || u->type->single ? 1 : 2,
	    .index = { core ? u->inst : (uint32_t)u->pkg,
	    core || u->type->single ? 0 : u->inst } };
}

/* A register of a unit as a column. */
static int
add_register(struct plan *plan, const struct unit *u,
    const struct column *like, uint32_t reg)
{
	struct reg_addr addr = unit_addr(u, reg, 8);

	return plan_add_column(plan, like, &addr, unit_reader(plan->build, u),
	    unit_block(u));
}

/* The column of an event, which is on the given counter in its set. */
static int
event_column(struct plan *plan, const struct unit *u, const struct slot *slot)
{
	const struct want *w = slot->want;
	const struct box_type *type = u->type;
	uint32_t ctr = u->ctr + (unsigned)slot->counter * u->ctr_step;
	struct reg_addr addr = unit_addr(u, ctr, 8);
	struct column c = { .bits = unit_bits(plan->build, u) };
	unsigned lproc = unit_reader(plan->build, u);
	int rc;

	c.id = unit_id(u, plan_family(plan, type->family, c.bits, NULL),
	    plan_event(plan, w->name));
	if (c.id.family == NULL || c.id.event == NULL)
		return plan_no_memory(plan);
	c.cls = (uint8_t)box_class(type, w->ctl);
	rc = w->set != 0 ? plan_add_rotated(plan, &c, &addr, lproc,
	    unit_block(u), w->set) : w->every > 1 ? plan_add_slow(plan, &c,
	    &addr, w->every, lproc, unit_block(u)) :
	    add_register(plan, u, &c, ctr);
	if (rc < 0 || (rc = plan_add_saturating(plan, u,
	    (unsigned)slot->counter)) < 0)
		return rc;
	return plan_add_control(plan, &c.id, w->ctl, w->set);
}

static int
core_fixed_columns(struct plan *plan, const struct unit *u,
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
		c.id = unit_id(u, plan_family(plan, cf->family, c.bits, NULL),
		    w->name != NULL ? w->name : cf->name[i]);
		rc = add_register(plan, u, &c, cf->ctr + i);
	}
	return rc;
}

static int
box_fixed_column(struct plan *plan, const struct unit *u,
    const struct want *w)
{
	const struct box_type *type = u->type;
	struct column c = { .bits = type->fixed.bits, .cls = type->fixed.cls };

	if (type->fixed.family != NULL)
		c.id = unit_id(u, plan_family(plan, type->fixed.family,
		    c.bits, NULL), NULL);
	else
		c.id = unit_id(u, plan_family(plan, type->family, c.bits, NULL),
		    w->name != NULL ? w->name : type->fixed.name);
	return add_register(plan, u, &c, type->fixed.ctr);
}

/* Notes that an event got no counter.  All lprocs have as many counters, so only the
 * first one says it. */
static void
note_no_counter(struct plan *plan, const struct unit *u, const struct want *w)
{
	const struct unit *first;
	unsigned at = 0;

	if (u->type->scope != SCOPE_LPROC) {
		plan_note(plan, "%s %u of package %d: %s: no counter is "
		    "left for it, of the %u that are here", u->type->name,
		    u->inst, u->pkg, w->name, u->counters);
		return;
	}
	while ((first = next_unit(plan->build, u->type, &at)) != NULL)
		if (want_matches(w, first))
			break;
	if (first == u)
		plan_note(plan, "%s %s: no counter is left for it, of the %u "
		    "that are here", u->type->name, w->name, u->counters);
}

/* The columns of one unit that wants [first, first + n) ask for. */
static int
unit_columns(struct plan *plan, const struct unit *u,
    const struct want *first, unsigned n)
{
	struct slot slot[MAX_COUNTERS + 1];
	unsigned nslot, set = 0;
	int rc;

	if ((rc = plan_slots(plan->build, u, 0, slot, &nslot)) < 0)
		return rc;
	for (const struct want *w = first; w < first + n; w++) {
		const struct slot *placed = NULL;

		if (!want_matches(w, u))
			continue;
		if (w->set != set && (rc = plan_slots(plan->build, u,
		    set = w->set, slot, &nslot)) < 0)
			return rc;
		for (unsigned i = 0; i < nslot; i++)
			if (slot[i].want == w)
				placed = &slot[i];
		if (w->kind == WANT_EVENT && placed == NULL)
			note_no_counter(plan, u, w);
		if (placed != NULL && (rc = event_column(plan, u, placed)) < 0)
			return rc;
		if (w->kind != WANT_FIXED)
			continue;
		if ((rc = u->type->scope == SCOPE_LPROC ?
		    core_fixed_columns(plan, u, w) :
		    box_fixed_column(plan, u, w)) < 0)
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
	const struct unit *u;
	unsigned at = 0;
	int rc;

	while ((u = next_unit(b, first->type, &at)) != NULL)
		if ((rc = unit_columns(plan, u, first, n)) < 0)
			return rc;
	for (const struct want *w = first; w < first + n; w++) {
		bool found = false;

		for (at = 0; !found &&
		    (u = next_unit(b, w->type, &at)) != NULL;)
			found = want_matches(w, u);
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

/* ---- filters, and the registers of a unit ---------------------------------- */

/* The value that the statements about this unit give filter f while a set has its
 * turn, set 0 included.  *by: a statement that gives it, or NULL. */
static int
filter_value(struct plan_build *b, const struct unit *u, unsigned f,
    unsigned set, uint64_t *value, const struct want **by)
{
	*by = NULL;
	for (unsigned i = 0; i < b->config->nwant; i++) {
		const struct want *w = &b->config->want[i];

		if ((w->kind != WANT_EVENT && w->kind != WANT_FILTER) ||
		    (w->set != 0 && w->set != set) || !want_matches(w, u) ||
		    !(w->filters >> f & 1))
			continue;
		if (*by != NULL && *value != w->filter[f])
			return diag_at(b->why, w->file, w->line, "%s of %s %u "
			    "is shared by all its counters: 0x%llx here, "
			    "0x%llx in line %u", u->type->filter[f].name,
			    u->type->name, u->inst,
			    (unsigned long long)w->filter[f],
			    (unsigned long long)*value, (*by)->line);
		*by = w;
		*value = w->filter[f];
	}
	return 0;
}

/* Completes w as a write to a register of this unit. */
static struct plan_write
make_write(const struct unit *u, uint32_t reg, unsigned bytes,
    const char *role, struct plan_write w)
{
	w.addr = unit_addr(u, reg, bytes);
	w.type = u->type;
	w.unit_pkg = u->pkg;
	w.unit_inst = u->inst;
	w.pkg = unit_block(u);
	w.lproc = w.pkg < 0 ? u->where : 0;
	snprintf(w.role, sizeof(w.role), "%s", role);
	return w;
}

static int
program_register(struct plan *plan, const struct unit *u, uint32_t reg,
    unsigned bytes, const char *role, struct plan_write w)
{
	w = make_write(u, reg, bytes, role, w);
	return plan_add_write(plan, &w);
}

static int
program_filters(struct plan *plan, const struct unit *u, bool events)
{
	struct plan_build *b = plan->build;
	uint64_t value[MAX_SETS];
	int rc;

	for (unsigned f = 0; f < MAX_FILTERS &&
	    u->type->filter[f].name != NULL; f++) {
		const struct box_filter *bf = &u->type->filter[f];
		const struct want *by;
		bool asked = false, same = true;
		struct plan_write w;

		for (unsigned set = 0; set < plan->sets.n; set++) {
			value[set] = bf->idle;
			if ((rc = filter_value(b, u, f, set, &value[set],
			    &by)) < 0)
				return rc;
			asked |= by != NULL;
			same &= set < 2 || value[set] == value[1];
		}
		/* an event's own filter is written only where a statement gives it */
		if (!asked && (!events || bf->event != 0))
			continue;
		w = make_write(u, bf->reg, 4, bf->name,
		    (struct plan_write){ .clear = ~0ull,
		    .set = value[plan->sets.n > 1], .verify = bf->valid });
		rc = same ? plan_add_write(plan, &w) :
		    plan_add_rotating(plan, &w, value);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* ---- registers that the cores of a module share: on Silvermont the two cores with
 * one L2 have one OFFCORE_RSP_0 and one OFFCORE_RSP_1 (SDM), so both have to want the
 * same value */

/* Does a statement set filter f of an lproc? */
static bool
asks(const struct plan_build *b, const struct want *w, unsigned lproc,
    unsigned f)
{
	struct unit u = { .type = b->topo->model->core,
	    .inst = (uint16_t)lproc,
	    .pkg = (uint16_t)b->topo->lproc[lproc].pkg };

	return (w->kind == WANT_EVENT || w->kind == WANT_FILTER) &&
	    (w->filters >> f & 1) && want_matches(w, &u);
}

/* The first statement that sets a filter, by lproc and set. */
struct asked {
	const struct want **by;         /* [lproc * MAX_SETS + set] */
	unsigned f;                     /* the filter */
};

/* Compares a statement of an lproc with those of an lproc that shares the register.
 * Two sets are never counted at one time; set 0 is counted beside each. */
static int
compare_modules(const struct plan_build *b, const struct asked *asked,
    const struct want *v, unsigned lproc, unsigned other)
{
	unsigned f = asked->f;

	for (unsigned set = 0; set < MAX_SETS; set++) {
		const struct want *w = asked->by[other * MAX_SETS + set];

		if (w == NULL || w->filter[f] == v->filter[f] ||
		    (w->set != v->set && w->set != 0 && v->set != 0))
			continue;
		return diag_at(b->why, v->file, v->line, "%s is one register "
		    "for lprocs %u and %u, cores of one module: 0x%" PRIx64
		    " here, 0x%" PRIx64 " in line %u",
		    b->topo->model->core->filter[f].name, other, lproc,
		    v->filter[f], w->filter[f], w->line);
	}
	return 0;
}

/* Compares a statement with earlier ones on all other lprocs of each module. */
static int
meet_in_modules(const struct plan_build *b, struct asked *asked,
    const struct want *v)
{
	const struct topo *topo = b->topo;
	const struct want **own;
	int rc;

	for (unsigned l = 0; l < topo->nlproc; l++) {
		if (topo->lproc[l].module < 0 || !asks(b, v, l, asked->f))
			continue;
		for (unsigned k = 0; k < topo->nlproc; k++)
			if (k != l && topo->lproc[k].module ==
			    topo->lproc[l].module &&
			    (rc = compare_modules(b, asked, v, l, k)) < 0)
				return rc;
		own = &asked->by[l * MAX_SETS + v->set];
		if (*own == NULL)
			*own = v;
	}
	return 0;
}

int
plan_modules(struct plan_build *b)
{
	const struct model *m = b->topo->model;
	const struct config *cfg = b->config;
	size_t n = (size_t)b->topo->nlproc * MAX_SETS;
	struct asked asked = { .f = 0 };
	int rc = 0;

	if (!m->module_filters)
		return 0;
	if ((asked.by = calloc(n, sizeof(asked.by[0]))) == NULL)
		return diag_set(b->why, -ENOMEM, "out of memory");
	for (; asked.f < MAX_FILTERS && rc == 0; asked.f++) {
		memset(asked.by, 0, n * sizeof(asked.by[0]));
		for (unsigned i = 0; m->core->filter[asked.f].event != 0 &&
		    i < cfg->nwant && rc == 0; i++)
			rc = meet_in_modules(b, &asked, &cfg->want[i]);
	}
	free(asked.by);
	return rc;
}

/* ---- controls of events */

/* The control values of a box, by counter and set. */
struct set_controls {
	uint64_t value[MAX_COUNTERS][MAX_SETS];
	unsigned used;          /* mask of counters that some set uses */
	unsigned helpers;       /* mask of those that are second of a pair in some set */
};

static int
find_turns(struct plan *plan, const struct unit *u, struct set_controls *turns)
{
	struct slot slot[MAX_COUNTERS + 1];
	unsigned n;
	int rc;

	memset(turns, 0, sizeof(*turns));
	for (unsigned set = 1; set < plan->sets.n; set++) {
		if ((rc = plan_slots(plan->build, u, set, slot, &n)) < 0)
			return rc;
		for (unsigned i = 0; i < n; i++) {
			int c = slot[i].counter;

			turns->used |= slot_counters(&slot[i]);
			turns->value[c][set] = slot[i].want->ctl;
			if (!slot[i].pair)
				continue;
			turns->helpers |= 2u << c;
			turns->value[c + 1][set] = u->type->pair->helper;
		}
	}
	return 0;
}

static int
add_turns(struct plan *plan, const struct unit *u, const struct set_controls *turns,
    unsigned c)
{
	struct plan_write w;
	char role[16];
	int rc;

	if (!(turns->used >> c & 1))
		return 0;
	snprintf(role, sizeof(role), "ctl%u", c);
	w = make_write(u, u->ctl + c * u->ctl_step, u->ctl_step >= 8 ? 8 : 4,
	    role, (struct plan_write){ .clear = ~0ull,
	    .set = turns->value[c][1], .verify = ~0ull,
	    .in_use = box_in_use(u->type) });
	if ((rc = plan_add_rotating(plan, &w, turns->value[c])) == 0 &&
	    turns->helpers >> c & 1)
		plan->sets.rot[plan->sets.nrot - 1].helper =
		    u->type->pair->helper;
	return rc;
}

/* Adds the controls that sets take turns on; returns the mask of their counters, or
 * -errno. */
static int
program_sets(struct plan *plan, const struct unit *u)
{
	struct set_controls turns;
	int rc;

	if ((rc = find_turns(plan, u, &turns)) < 0)
		return rc;
	for (unsigned c = 0; c < u->counters; c++) {
		/* the second of a pair stands before the first: see rotate.c */
		if (turns.helpers >> c & 2 &&
		    (rc = add_turns(plan, u, &turns, c + 1)) < 0)
			return rc;
		if (!(turns.helpers >> c & 1) &&
		    (rc = add_turns(plan, u, &turns, c)) < 0)
			return rc;
	}
	return (int)turns.used;
}

/* Adds the control of an event that is always counted; of a pair of counters that of
 * the second first. */
static int
program_event(struct plan *plan, const struct unit *u,
    const struct slot *slot)
{
	struct plan_write w = { .name = slot->want->name, .clear = ~0ull,
	    .verify = ~0ull, .in_use = box_in_use(u->type) };
	char role[16];
	int rc = 0;

	for (int c = slot->counter + slot->pair; rc == 0 && c >= slot->counter;
	    c--) {
		w.set = c > slot->counter ? u->type->pair->helper :
		    slot->want->ctl;
		snprintf(role, sizeof(role), "ctl%d", c);
		rc = program_register(plan, u,
		    u->ctl + (unsigned)c * u->ctl_step,
		    u->ctl_step >= 8 ? 8 : 4, role, w);
	}
	return rc;
}

/* Does a `read` statement want this register? */
static bool
wants_scalar(struct plan_build *b, uint32_t reg)
{
	const struct model *m = b->topo->model;
	const struct scalar *s;

	for (unsigned k = 0; reg != 0 && (s = model_scalar(m, k)) != NULL; k++)
		for (unsigned i = 0; s->reg == reg && i < b->config->nwant; i++)
			if (b->config->want[i].kind == WANT_READ &&
			    strcmp(b->config->want[i].name, s->family) == 0)
				return true;
	return false;
}

/* The last `control` statement about this unit and register; NULL: there is none. */
static const struct want *
control_of(const struct plan_build *b, const struct unit *u, const char *name)
{
	for (unsigned i = b->config->nwant; i-- > 0;) {
		const struct want *w = &b->config->want[i];

		if (w->kind == WANT_CONTROL && want_matches(w, u) &&
		    strcmp(w->name, name) == 0)
			return w;
	}
	return NULL;
}

/* Adds the two control registers that all counters of a core share.  A `control`
 * statement of the configuration replaces their value. */
static int
program_core(struct plan *plan, const struct unit *u, unsigned counters,
    unsigned fixed)
{
	const struct core_fixed *cf = plan->build->topo->model->fixed;
	/* a guest of that generation may have a PMU of version 1 */
	uint32_t global = plan->build->topo->cpu.pmu_version < 2 ? 0 :
	    model_msrs(plan->build->topo->model)->core_global;
	uint64_t nibbles = 0, on = 0;
	const struct want *asked;
	struct plan_write w;
	int rc;

	for (unsigned i = 0; i < plan->build->topo->cpu.fixed_counters; i++)
		if (fixed >> i & 1) {
			nibbles |= 0xfull << 4 * i;
			on |= 0x3ull << 4 * i;
		}
	w = (struct plan_write){ .clear = nibbles, .set = on,
	    .verify = nibbles, .in_use = nibbles };
	if ((asked = control_of(plan->build, u, "fixed_ctrl")) != NULL) {
		w.clear = ~0ull;
		w.set = asked->ctl;
		w.verify = ~0ull;
	}
	if (w.clear != 0 &&
	    (rc = program_register(plan, u, cf->ctl, 8, "fixedctl", w)) < 0)
		return rc;
	/* enable bits of counters that others use stay as they are */
	w = (struct plan_write){ .clear = 0,
	    .set = counters | (uint64_t)fixed << 32 };
	if ((asked = control_of(plan->build, u, "global_ctrl")) != NULL)
		w.set = asked->ctl;
	/* PERF_METRICS counts while its bit is set, and with it the fixed counter of slots */
	if (fixed != 0 && wants_scalar(plan->build, cf->metrics))
		w.set |= cf->metrics_on;
	w.verify = w.set;
	return w.set == 0 ||
	    global == 0 ? 0 : program_register(plan, u, global, 8,
	    "globalctl", w);
}

int
plan_program(struct plan *plan, const struct unit *u)
{
	struct plan_build *b = plan->build;
	const struct box_type *type = u->type;
	bool core = type->scope == SCOPE_LPROC;
	unsigned all_fixed = (1u << b->topo->cpu.fixed_counters) - 1;
	unsigned fixed = 0;
	bool events = false;
	struct slot slot[MAX_COUNTERS + 1];
	unsigned n, used;
	int rc;

	for (unsigned i = 0; i < b->config->nwant; i++) {
		const struct want *w = &b->config->want[i];

		if (!want_matches(w, u))
			continue;
		events |= w->kind == WANT_EVENT;
		if (w->kind == WANT_FIXED)
			fixed |= w->counter < 0 ? ~0u : 1u << w->counter;
	}
	if ((rc = plan_slots(b, u, 0, slot, &n)) < 0)
		return rc;
	if ((rc = program_filters(plan, u, events)) < 0 ||
	    (rc = program_sets(plan, u)) < 0)
		return rc;
	used = (unsigned)rc;
	for (unsigned i = 0; i < n; i++) {
		used |= slot_counters(&slot[i]);
		if ((rc = program_event(plan, u, &slot[i])) < 0)
			return rc;
	}
	if (core)
		return program_core(plan, u, used, fixed & all_fixed);
	if (fixed != 0 && (rc = program_register(plan, u, type->fixed.ctl, 4,
	    "fixedctl", (struct plan_write){ .name = type->fixed.name,
	    .set = type->fixed.enable, .verify = type->fixed.enable })) < 0)
		return rc;
	if ((fixed != 0 || events) && unit_box_ctl(u))
		return program_register(plan, u, type->box_ctl, 4, "boxctl",
		    (struct plan_write){ .clear = type->freeze,
		    .when = type->freeze, .verify = type->freeze });
	return 0;
}
