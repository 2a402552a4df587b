/*
 * daemon/plan/plan_core.c - the programming of one box or core: the control registers that
 * say which event is on which counter.
 */
#include "daemon/plan/plan_int.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The value that the statements about this target give filter f while a set has its
 * turn, set 0 included.  *by: a statement that gives it, or NULL. */
static int
filter_value(struct plan_build *b, const struct target *t, unsigned f,
    unsigned set, uint64_t *value, const struct want **by)
{
	*by = NULL;
	for (unsigned i = 0; i < b->config->nwant; i++) {
		const struct want *w = &b->config->want[i];

		if ((w->kind != WANT_EVENT && w->kind != WANT_FILTER) ||
		    (w->set != 0 && w->set != set) || !want_matches(w, t) ||
		    !(w->filters >> f & 1))
			continue;
		if (*by != NULL && *value != w->filter[f])
			return diag_at(b->why, w->file, w->line, "%s of %s %u "
			    "is shared by all its counters: 0x%llx here, "
			    "0x%llx in line %u", t->type->filter[f].name,
			    t->type->name, t->inst,
			    (unsigned long long)w->filter[f],
			    (unsigned long long)*value, (*by)->line);
		*by = w;
		*value = w->filter[f];
	}
	return 0;
}

/* Completes w as a write to a register of this target. */
static struct plan_write
make_write(const struct target *t, uint32_t reg, unsigned bytes,
    const char *role, struct plan_write w)
{
	w.addr = target_addr(t, reg, bytes);
	w.type = t->type;
	w.pkg = t->block;
	w.inst = w.pkg < 0 ? t->lproc : t->inst;
	w.box_pkg = t->pkg;
	w.box = t->inst;
	snprintf(w.role, sizeof(w.role), "%s", role);
	return w;
}

static int
plan_core_add_write(struct plan *plan, const struct target *t, uint32_t reg,
    unsigned bytes, const char *role, struct plan_write w)
{
	w = make_write(t, reg, bytes, role, w);
	return plan_add_write(plan, &w);
}

static int
program_filters(struct plan *plan, const struct target *t, bool events)
{
	struct plan_build *b = plan->build;
	uint64_t value[MAX_SETS];
	int rc;

	for (unsigned f = 0; f < MAX_FILTERS &&
	    t->type->filter[f].name != NULL; f++) {
		const struct box_filter *bf = &t->type->filter[f];
		const struct want *by;
		bool asked = false, same = true;
		struct plan_write w;

		for (unsigned set = 0; set < plan->sets.n; set++) {
			value[set] = bf->idle;
			if ((rc = filter_value(b, t, f, set, &value[set],
			    &by)) < 0)
				return rc;
			asked |= by != NULL;
			same &= set < 2 || value[set] == value[1];
		}
		/* an event's own filter is written only where a statement gives it */
		if (!asked && (!events || bf->event != 0))
			continue;
		w = make_write(t, bf->reg, 4, bf->name,
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
	struct target t = { .type = b->topo->model->core, .inst = lproc,
	    .pkg = b->topo->lproc[lproc].pkg };

	return (w->kind == WANT_EVENT || w->kind == WANT_FILTER) &&
	    (w->filters >> f & 1) && want_matches(w, &t);
}

/* The first statement that sets a filter, by lproc and set. */
struct asked {
	const struct want **by;         /* [lproc * MAX_SETS + set] */
	unsigned f;                     /* the filter */
};

/* Compares a statement of an lproc with those of an lproc that shares the register.
 * Two sets are never counted at one time; set 0 is counted beside each. */
static int
plan_core_compare(const struct plan_build *b, const struct asked *asked,
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
plan_core_meet(const struct plan_build *b, struct asked *asked,
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
			    (rc = plan_core_compare(b, asked, v, l, k)) < 0)
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
			rc = plan_core_meet(b, &asked, &cfg->want[i]);
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
find_turns(struct plan *plan, const struct target *t, struct set_controls *turns)
{
	struct slot slot[MAX_COUNTERS + 1];
	unsigned n;
	int rc;

	memset(turns, 0, sizeof(*turns));
	for (unsigned set = 1; set < plan->sets.n; set++) {
		if ((rc = plan_slots(plan->build, t, set, slot, &n)) < 0)
			return rc;
		for (unsigned i = 0; i < n; i++) {
			int c = slot[i].counter;

			turns->used |= slot_counters(&slot[i]);
			turns->value[c][set] = slot[i].want->ctl;
			if (!slot[i].pair)
				continue;
			turns->helpers |= 2u << c;
			turns->value[c + 1][set] = t->type->pair->helper;
		}
	}
	return 0;
}

static int
add_turns(struct plan *plan, const struct target *t, const struct set_controls *turns,
    unsigned c)
{
	struct plan_write w;
	char role[16];
	int rc;

	if (!(turns->used >> c & 1))
		return 0;
	snprintf(role, sizeof(role), "ctl%u", c);
	w = make_write(t, t->ctl + c * t->ctl_step, t->ctl_step >= 8 ? 8 : 4,
	    role, (struct plan_write){ .clear = ~0ull,
	    .set = turns->value[c][1], .verify = ~0ull,
	    .in_use = box_in_use(t->type) });
	if ((rc = plan_add_rotating(plan, &w, turns->value[c])) == 0 &&
	    turns->helpers >> c & 1)
		plan->sets.rot[plan->sets.nrot - 1].helper =
		    t->type->pair->helper;
	return rc;
}

/* Adds the controls that sets take turns on; returns the mask of their counters, or
 * -errno. */
static int
program_sets(struct plan *plan, const struct target *t)
{
	struct set_controls turns;
	int rc;

	if ((rc = find_turns(plan, t, &turns)) < 0)
		return rc;
	for (unsigned c = 0; c < t->counters; c++) {
		/* the second of a pair stands before the first: see rotate.c */
		if (turns.helpers >> c & 2 &&
		    (rc = add_turns(plan, t, &turns, c + 1)) < 0)
			return rc;
		if (!(turns.helpers >> c & 1) &&
		    (rc = add_turns(plan, t, &turns, c)) < 0)
			return rc;
	}
	return (int)turns.used;
}

/* Adds the control of an event that is always counted; of a pair of counters that of
 * the second first. */
static int
program_event(struct plan *plan, const struct target *t,
    const struct slot *slot)
{
	struct plan_write w = { .name = slot->want->name, .clear = ~0ull,
	    .verify = ~0ull, .in_use = box_in_use(t->type) };
	char role[16];
	int rc = 0;

	for (int c = slot->counter + slot->pair; rc == 0 && c >= slot->counter;
	    c--) {
		w.set = c > slot->counter ? t->type->pair->helper :
		    slot->want->ctl;
		snprintf(role, sizeof(role), "ctl%d", c);
		rc = plan_core_add_write(plan, t,
		    t->ctl + (unsigned)c * t->ctl_step,
		    t->ctl_step >= 8 ? 8 : 4, role, w);
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

/* Adds the two control registers that all counters of a core share.  A `control`
 * statement of the configuration replaces their value. */
static int
program_core(struct plan *plan, const struct target *t, unsigned counters,
    unsigned fixed)
{
	const struct core_fixed *cf = plan->build->topo->model->fixed;
	/* a guest of that generation may have a PMU of version 1 */
	uint32_t global = plan->build->topo->cpu.pmu_version < 2 ? 0 :
	    model_msrs(plan->build->topo->model)->core_global;
	uint64_t nibbles = 0, on = 0;
	struct plan_write w;
	int rc;

	for (unsigned i = 0; i < plan->build->topo->cpu.fixed_counters; i++)
		if (fixed >> i & 1) {
			nibbles |= 0xfull << 4 * i;
			on |= 0x3ull << 4 * i;
		}
	w = (struct plan_write){ .clear = nibbles, .set = on,
	    .verify = nibbles, .in_use = nibbles };
	for (unsigned i = 0; i < plan->build->config->nwant; i++) {
		const struct want *c = &plan->build->config->want[i];

		if (c->kind == WANT_CONTROL && want_matches(c, t) &&
		    strcmp(c->name, "fixed_ctrl") == 0) {
			w.clear = ~0ull;
			w.set = c->ctl;
			w.verify = ~0ull;
		}
	}
	if (w.clear != 0 &&
	    (rc = plan_core_add_write(plan, t, cf->ctl, 8, "fixedctl", w)) < 0)
		return rc;
	/* enable bits of counters that others use stay as they are */
	w = (struct plan_write){ .clear = 0,
	    .set = counters | (uint64_t)fixed << 32 };
	for (unsigned i = 0; i < plan->build->config->nwant; i++) {
		const struct want *c = &plan->build->config->want[i];

		if (c->kind == WANT_CONTROL && want_matches(c, t) &&
		    strcmp(c->name, "global_ctrl") == 0)
			w.set = c->ctl;
	}
	/* PERF_METRICS counts while its bit is set, and with it the fixed counter of slots */
	if (fixed != 0 && wants_scalar(plan->build, cf->metrics))
		w.set |= cf->metrics_on;
	w.verify = w.set;
	return w.set == 0 ||
	    global == 0 ? 0 : plan_core_add_write(plan, t, global, 8,
	    "globalctl", w);
}

int
plan_program(struct plan *plan, const struct target *t)
{
	struct plan_build *b = plan->build;
	const struct box_type *type = t->type;
	bool core = type->scope == SCOPE_LPROC;
	unsigned all_fixed = (1u << b->topo->cpu.fixed_counters) - 1;
	unsigned fixed = 0;
	bool events = false;
	struct slot slot[MAX_COUNTERS + 1];
	unsigned n, used;
	int rc;

	for (unsigned i = 0; i < b->config->nwant; i++)
		if (b->config->want[i].kind == WANT_FIXED &&
		    want_matches(&b->config->want[i], t))
			fixed |= b->config->want[i].counter < 0 ? ~0u :
			    1u << b->config->want[i].counter;
	if ((rc = plan_slots(b, t, 0, slot, &n)) < 0)
		return rc;
	for (unsigned i = 0; i < b->config->nwant; i++)
		events |= b->config->want[i].kind == WANT_EVENT &&
		    want_matches(&b->config->want[i], t);
	if ((rc = program_filters(plan, t, events)) < 0 ||
	    (rc = program_sets(plan, t)) < 0)
		return rc;
	used = (unsigned)rc;
	for (unsigned i = 0; i < n; i++) {
		used |= slot_counters(&slot[i]);
		if ((rc = program_event(plan, t, &slot[i])) < 0)
			return rc;
	}
	if (core)
		return program_core(plan, t, used, fixed & all_fixed);
	if (fixed != 0 && (rc = plan_core_add_write(plan, t, type->fixed_ctl, 4,
	    "fixedctl", (struct plan_write){ .name = type->fixed_name,
	    .set = type->fixed_enable, .verify = type->fixed_enable })) < 0)
		return rc;
	if ((fixed != 0 || events) && t->box_ctl)
		return plan_core_add_write(plan, t, type->box_ctl, 4, "boxctl",
		    (struct plan_write){ .clear = type->freeze,
		    .when = type->freeze, .verify = type->freeze });
	return 0;
}
