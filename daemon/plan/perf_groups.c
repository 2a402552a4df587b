/*
 * daemon/plan/perf_groups.c - events into groups, groups into columns.
 */
#include "daemon/plan/plan_int.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Is the key in the head already?  If not, remembers that the caller puts it next. */
static bool
told(struct plan *plan, enum head_key key, struct head_at at, unsigned depth)
{
	struct lookup *l = &plan->build->told;
	char name[HEAD_NAME_SIZE];
	size_t n = head_name(name, key, at, depth);
	uint64_t hash = lookup_hash(0, name, n);

	LOOKUP_EACH(i, l, hash) {
		const char *line = plan->head.text + i;

		if (strncmp(line, name, n) == 0 &&
		    strncmp(line + n, " = ", 3) == 0)
			return true;
	}
	if (plan->head.n >= UINT32_MAX ||
	    lookup_add(l, hash, (uint32_t)plan->head.n) < 0)
		plan->head.error = -ENOMEM;
	return false;
}

/* Declares the tables of event_group["core_counts"]["X"], where they are new; false:
 * the key itself is in the head already. */
static bool
perf_groups_put_tables(struct plan *plan, enum head_key key, struct head_at at)
{
	for (unsigned depth = 0; depth < 2; depth++)
		if (!told(plan, key, at, depth))
			head_put_table(&plan->head, key, at, depth);
	return !told(plan, key, at, HEAD_WHOLE);
}

static int
perf_groups_put_event(struct plan *plan, const struct perf_event *e,
    const char *event, const char *family, const char *group)
{
	struct head_at at = OF(family, event);

	if (group != NULL && perf_groups_put_tables(plan, HEAD_EVENT_GROUP, at))
		head_put_text(&plan->head, HEAD_EVENT_GROUP, at, group);
	if (e->says.scale[0] != '\0' &&
	    perf_groups_put_tables(plan, HEAD_EVENT_UNIT, at)) {
		head_put_text(&plan->head, HEAD_EVENT_UNIT, at, e->says.unit);
		/* passed on as it is written, whatever the locale */
		if (head_is_number(e->says.scale) &&
		    perf_groups_put_tables(plan, HEAD_EVENT_SCALE, at))
			head_put_digits(&plan->head, HEAD_EVENT_SCALE, at,
			    e->says.scale);
	}
	return plan_head_error(plan);
}

/* The event's name in its column, with the number of the PMU if asked for (dispatch
 * type); NULL: out of memory. */
static const char *
perf_groups_label(struct plan *plan, const struct perf_event *e,
    const struct perf_place *p)
{
	char buf[160];

	if (e->want->dispatch != DISPATCH_TYPE || p->type[0] == 0 ||
	    e->name[0] == '\0')
		return e->name;
	snprintf(buf, sizeof(buf), "%s:type=%u", e->name, p->type[0]);
	return plan_text(plan, buf);
}

/* A group that was opened at a place. */
struct opened {
	const struct perf_place *place;
	const struct family *family;    /* of its events, before they are added up */
	const char *name;               /* what its times are called */
	unsigned handle;
	bool times;                     /* are they columns? */
};

/* Starts the column of one part (count, enabled or running time) of an event.  event is
 * NULL for a column that has none. */
static int
start_column(struct run *r, const struct opened *o, enum family_part part,
    const char *event, struct column *c)
{
	bool any = r->domain == ON_CPUS || r->domain == ON_PMU ||
	    (r->type != NULL && r->type->space == REG_PERF);
	bool counts = part == PART_COUNTS || part == PART_SCALED;
	char name[128];

	family_name(o->family->name, o->family->stem, o->place->adds, part,
	    name, sizeof(name));
	*c = (struct column){ .id = o->place->at };
	/* a scaled value is an estimate that does not wrap; a scaled sum is added up here */
	c->bits = part == PART_SCALED && o->place->adds == SUM_NONE ? 0 : 64;
	c->id.family = plan_family(r->plan, name, c->bits, any && counts ?
	    "events" : NULL);
	c->id.event = event;
	if (c->id.family == NULL)
		return plan_no_memory(r->plan);
	c->cls = c->id.family->cls;
	return 0;
}

/* Adds the columns of the group's times; where they are not shown, their reads. */
static int
time_columns(struct run *r, const struct opened *o)
{
	static const enum family_part part[] = { PART_ENABLED, PART_RUNNING };
	const struct perf_place *p = o->place;
	struct reg_addr addr = { REG_PERF, 8, o->handle, PERF_ENABLED };
	struct column c;
	int rc = 0;

	for (unsigned k = 0; k < 2 && rc == 0; k++, addr.offset++) {
		if (!o->times)
			rc = plan_add_read(r->plan, &addr, p->lproc,
			    p->pkg) < 0 ? -ENOMEM : 0;
		else if ((rc = start_column(r, o, part[k], o->name, &c)) == 0)
			rc = plan_add_column(r->plan, &c, &addr, p->lproc,
			    p->pkg);
	}
	return rc;
}

/* Adds the column of member k's count. */
static int
count_column(struct run *r, const struct opened *o, const struct perf_event *e,
    unsigned k, const char *event)
{
	const struct perf_place *p = o->place;
	struct reg_addr addr = { REG_PERF, 8, o->handle, PERF_FIRST + k };
	struct perf_attr attr;
	struct column c;
	int rc;

	if ((rc = start_column(r, o, o->family->part, event, &c)) < 0)
		return rc;
	if (e->cls != 0 && p->adds == SUM_NONE &&
	    c.id.family->cls != CLASS_KERNEL)
		c.cls = e->cls;
	for (unsigned i = 0; i < p->n; i++)
		if ((rc = plan_add_opened(r->plan, &c.id, p->cpu[i], o->handle,
		    perf_attr_at(r, e, p, i, &attr))) < 0)
			return rc;
	if ((rc = plan_add_column(r->plan, &c, &addr, p->lproc, p->pkg)) < 0 ||
	    (rc = plan_add_control(r->plan, &c.id, e->attr.config[0], 0)) < 0 ||
	    event == NULL)
		return rc;
	return perf_groups_put_event(r->plan, e, event, c.id.family->name,
	    o->times ? o->name : NULL);
}

/* Adds the columns of member k of n: its count, and the count scaled to all of the
 * time. */
static int
member_columns(struct run *r, const struct opened *o,
    const struct perf_event *e, unsigned k, unsigned n)
{
	const struct perf_place *p = o->place;
	const char *event = perf_groups_label(r->plan, e, p);
	/* each part of a sum is scaled by its own times */
	struct reg_addr addr = { REG_PERF, 8, o->handle, PERF_FIRST + k +
	    (p->adds != SUM_NONE ? n : 0) };
	struct column c;
	int rc;

	if (event == NULL)
		return plan_no_memory(r->plan);
	if ((rc = count_column(r, o, e, k, event[0] != '\0' ? event :
	    NULL)) < 0 || !o->times || event[0] == '\0')
		return rc;
	if ((rc = start_column(r, o, PART_SCALED, event, &c)) < 0)
		return rc;
	if (p->adds == SUM_NONE) {
		c.print = PRINT_SCALED;
		c.base = (int16_t)(PERF_FIRST + k);
	}
	return plan_add_column(r->plan, &c, &addr, p->lproc, p->pkg);
}

/* Adds the columns of a group that was opened as `handle`. */
static int
group_columns(struct run *r, const struct perf_place *p,
    struct perf_event **member, unsigned n, unsigned handle, const char *group)
{
	struct opened o = { .place = p, .family = &member[0]->family,
	    .name = plan_text(r->plan, group), .handle = handle };
	int rc;

	if (o.name == NULL)
		return plan_no_memory(r->plan);
	for (unsigned k = 0; k < n; k++)
		if (member[k]->handle == 0)
			member[k]->handle = handle + 1;
	o.times = r->domain != ON_CPUS && member[0]->name[0] != '\0' &&
	    o.family->part == PART_COUNTS;
	rc = time_columns(r, &o);
	for (unsigned k = 0; k < n && rc == 0; k++)
		rc = member_columns(r, &o, member[k], k, n);
	return rc;
}

/* Says why the kernel did not open an event; if it ran out of descriptors, about how
 * many all events need. */
static void
perf_groups_explain(struct run *r, int rc, const struct perf_event *e,
    const struct perf_group *g, unsigned bad, struct diag *words)
{
	struct diag why;

	perf_explain(r->plan->build->acc, rc, e->name[0] != '\0' ? e->name :
	    e->family.name, g, bad, &why);
	if (rc == -EMFILE)
		diag_set(words, rc, "%.400s (about %u are needed)", why.text,
		    perf_files(r->plan));
	else
		*words = why;
}

/* Keeps -EBUSY of a pinned event: the caller tries again with turns. */
static int
refused(const struct run *r, int rc, const struct want *w,
    const struct diag *words)
{
	diag_at(r->plan->build->why, w->file, w->line, "%s", words->text);
	return rc == -EBUSY && r->plan->build->config->pinned ? rc : -EINVAL;
}

/* Opens a group, or its halves where the kernel finds it too large.  *part: how many
 * groups have that name so far; the next ones get a number behind it. */
static int
perf_groups_add_group(struct run *r, struct perf_place *p,
    struct perf_event **member, unsigned n, const char *group, unsigned *part)
{
	const struct want *w = member[0]->want;
	struct perf_group g;
	char name[160];
	struct diag words;
	unsigned bad = 0;
	int rc = perf_too_large(r, p, member, n) ? -EINVAL :
	    perf_open_group(r, p, member, n, &g, &bad);

	if (rc == -EINVAL && n > 1) {
		if (p == &r->place[0])
			plan_remark(r->plan, "%s and %u more: too many for one "
			    "group, so not all are counted at one time",
			    member[0]->name, n - 1);
		rc = perf_groups_add_group(r, p, member, n / 2, group, part);
		return rc < 0 ? rc : perf_groups_add_group(r, p, member + n / 2,
		    n - n / 2, group, part);
	}
	if (rc >= 0) {
		if (++*part == 1)
			snprintf(name, sizeof(name), "%.128s", group);
		else
			snprintf(name, sizeof(name), "%.120s.%u", group,
			    *part);
		return group_columns(r, p, member, n, (unsigned)rc, name);
	}
	perf_groups_explain(r, rc, member[bad < n ? bad : 0], &g, bad, &words);
	if (rc == -ENODEV || rc == -ENXIO) {
		plan_note(r->plan, "%s", words.text);
		return 0;
	}
	return refused(r, rc, w, &words);
}

/* Opens an event alone, once for each kind of core, to find out whether this node can
 * count it. */
static int
perf_groups_probe(struct run *r, struct perf_place *p, struct perf_event *e)
{
	struct plan_build *b = r->plan->build;
	const struct want *w = e->want;
	unsigned bit = perf_other_core(r, p) ? 2 : 1;
	struct perf_place one = *p;
	struct diag words;
	struct perf_group g;
	unsigned bad;
	int rc;

	e->probed |= bit;
	one.n = 1;
	rc = perf_open_group(r, &one, &e, 1, &g, &bad);
	if (rc >= 0) {
		access_perf_drop(b->acc, (unsigned)rc);
		return 0;
	}
	if (rc == -ENODEV || rc == -ENXIO) {
		e->probed &= ~bit;
		return 0;
	}
	perf_groups_explain(r, rc, e, &g, bad, &words);
	if ((!w->optional && bit == 1) || rc == -EACCES || rc == -EPERM ||
	    rc == -EMFILE || rc == -EDQUOT ||
	    (rc == -EBUSY && b->config->pinned))
		return refused(r, rc, w, &words);
	plan_note(r->plan, "%s", words.text);
	e->dropped |= bit;
	return 0;
}

static bool
together(const struct perf_event *a, const struct perf_event *b)
{
	return a == b || (a->want->set == b->want->set && a->sum == b->sum &&
	    a->want->together == b->want->together &&
	    !a->want->alone && !b->want->alone &&
	    strcmp(a->family.name, b->family.name) == 0);
}

/* A hash that is the same for events that are together. */
static uint64_t
perf_groups_class_of(const struct run *r, unsigned i)
{
	const struct perf_event *e = &r->event[i];
	uintptr_t key[4] = { e->want->set, e->want->together,
	    e->want->alone ? i : NO_EVENT, (uintptr_t)e->sum };

	return lookup_text(lookup_hash(0, key, sizeof(key)), e->family.name);
}

int
perf_chain(struct run *r)
{
	struct lookup firsts = { .n = 0 };
	int rc = 0;

	for (unsigned i = 0; i < r->nevent && rc == 0; i++) {
		struct perf_event *e = &r->event[i], *first;
		uint64_t hash = perf_groups_class_of(r, i);
		uint32_t at = lookup_first(&firsts, hash);

		while (at != LOOKUP_END && !together(
		    &r->event[lookup_value(&firsts, at)], e))
			at = lookup_next(&firsts, at);
		e->first = at == LOOKUP_END ? i : lookup_value(&firsts, at);
		e->next = NO_EVENT;
		first = &r->event[e->first];
		if (at == LOOKUP_END)
			rc = lookup_add(&firsts, hash, i);
		else
			r->event[first->last].next = i;
		first->last = i;
		first->owns += e->own;
	}
	lookup_fini(&firsts);
	return rc < 0 ? plan_no_memory(r->plan) : 0;
}

/* The next event that may belong to a place; NO_EVENT: none. */
static unsigned
perf_groups_after(const struct run *r, const struct perf_place *p, unsigned i)
{
	return p->sum != NULL ? r->event[i].next_sum : i + 1;
}

/* Collects the events that are opened in one group with `lead` at a place, `lead`
 * included. */
static unsigned
gather(struct run *r, const struct perf_place *p, unsigned lead, bool *done,
    struct perf_event **member)
{
	bool limited = r->event[lead].want->together == 0, own = false;
	bool owns = r->event[r->event[lead].first].owns > 0;
	unsigned n = 0, used = 0;

	for (unsigned k = lead; k != NO_EVENT && n < PERF_MEMBERS;
	    k = r->event[k].next) {
		struct perf_event *e = &r->event[k];
		unsigned costs = !e->own || own ? perf_takes(r, e) : 0;

		/* full: only an event with a counter of its own could still join */
		if (limited && used >= p->room && n > 0 && (own || !owns))
			break;
		if (done[k] || (limited && n > 0 && used + costs > p->room) ||
		    !perf_belongs(r, e, p))
			continue;
		used += costs;
		own |= e->own;
		member[n++] = e;
		done[k] = true;
	}
	return n;
}

int
perf_add_groups(struct run *r, struct perf_place *p)
{
	struct perf_event *member[PERF_MEMBERS];
	bool *done = calloc(r->nevent + 1, sizeof(done[0]));
	unsigned part[MAX_SETS] = { 0 };
	int rc = 0;

	if (done == NULL)
		return plan_no_memory(r->plan);
	for (unsigned i = p->first_event; i < r->nevent && rc == 0;
	    i = perf_groups_after(r, p, i)) {
		if (!perf_belongs(r, &r->event[i], p))
			continue;
		r->event[i].placed = true;
		if (!(r->event[i].probed & (perf_other_core(r, p) ? 2 : 1)))
			rc = perf_groups_probe(r, p, &r->event[i]);
	}
	for (unsigned i = p->first_event; i < r->nevent && rc == 0;
	    i = perf_groups_after(r, p, i)) {
		struct perf_event *lead = &r->event[i];
		unsigned set = lead->want->set, n, alone = 0;
		bool named;

		if (done[i] || !perf_belongs(r, lead, p))
			continue;
		n = gather(r, p, i, done, member);
		named = set > 0 && lead->want->together == 0;
		rc = perf_groups_add_group(r, p, member, n, named ?
		    r->plan->build->config->set[set] : lead->name[0] != '\0' ?
		    lead->name : lead->family.name, named ? &part[set] : &alone);
	}
	free(done);
	return rc;
}
