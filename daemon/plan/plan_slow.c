/*
 * daemon/plan/plan_slow.c - registers that are read every so many samples: in no
 * block, with a stamp for those of one family, or of one event.
 */
#include "daemon/plan/plan_int.h"

#include <errno.h>
#include <string.h>

/* What its stamp is called: read_tsc["aperf"], read_tsc["CAS_COUNT.RD"]. */
static const char *
stamp_of(const struct plan_slow *s)
{
	return s->event != NULL ? s->event : s->family->name;
}

/* An earlier one with the same stamp; those of a unit stand together. */
static const struct plan_slow *
beside(const struct plan *plan, const struct plan_slow *s)
{
	for (unsigned i = plan->nslow; i-- > 0;)
		if (strcmp(stamp_of(&plan->slow[i]), stamp_of(s)) == 0)
			return &plan->slow[i];
	return NULL;
}

static void
tell_event(struct plan *plan, struct head_at at, unsigned every)
{
	struct head *h = &plan->head;

	for (unsigned depth = 0; depth < 2; depth++)
		if (!head_has(h, HEAD_EVENT_EVERY, at, depth))
			head_put_table(h, HEAD_EVENT_EVERY, at, depth);
	if (!head_has(h, HEAD_EVENT_EVERY, at, HEAD_WHOLE))
		head_put_count(h, HEAD_EVENT_EVERY, at, every);
}

/* What the head says, with the first of its family or event. */
static void
tell(struct plan *plan, const struct plan_slow *s)
{
	if (s->event == NULL) {
		plan_tell_apart(plan, s->family->name, s->every);
		return;
	}
	tell_event(plan, OF(s->family->name, s->event), s->every);
	tell_event(plan, OF("read_tsc", s->event), s->every);
}

int
plan_add_slow(struct plan *plan, const struct column *like,
    const struct reg_addr *addr, unsigned every, unsigned lproc, int pkg)
{
	struct plan_slow *list = plan_grow(plan->slow, plan->nslow,
	    &plan->build->slow_room, sizeof(*list)), *s;
	const struct plan_slow *other;

	if (list == NULL || like->id.family == NULL)
		return plan_no_memory(plan);
	plan->slow = list;
	s = &list[plan->nslow];
	*s = (struct plan_slow){ .addr = *addr, .every = every,
	    .family = like->id.family, .event = like->id.event,
	    .lproc = lproc, .pkg = pkg };
	other = beside(plan, s);
	if (other != NULL && other->every != every)
		return diag_set(plan->build->why, -EINVAL, "%s is read every %u "
		    "samples and every %u: one of the two needs another name",
		    stamp_of(s), other->every, every);
	s->statement = other != NULL ? other->statement : plan->nread_apart++;
	if (other == NULL || other->family != s->family)
		tell(plan, s);
	return plan_add_of_slow(plan, like, plan->nslow++);
}

unsigned
plan_every(const struct plan *plan, const struct family *f)
{
	unsigned most = 1;

	for (unsigned i = 0; i < plan->nslow; i++)
		if (plan->slow[i].family == f && plan->slow[i].every > most)
			most = plan->slow[i].every;
	return most;
}
