/*
 * daemon/plan/plan_saturate.c - the counters that stop at their end: which they are,
 * and where what they have counted goes.
 */
#include "daemon/plan/plan_int.h"

#include <stdlib.h>

static bool
same_register(const struct reg_addr *a, const struct reg_addr *b)
{
	return a->space == b->space && a->unit == b->unit &&
	    a->offset == b->offset;
}

int
plan_add_saturating(struct plan *plan, const struct target *t,
    unsigned counter)
{
	struct reg_addr addr = target_addr(t, t->ctr + counter * t->ctr_step,
	    8);
	struct saturating *s = plan->sat;

	if (!t->type->saturates)
		return 0;
	for (unsigned i = 0; i < plan->nsat; i++)
		if (same_register(&s[i].addr, &addr))
			return 0;       /* event sets share it */
	s = plan_grow(s, plan->nsat, &plan->build->sat_room, sizeof(*s));
	if (s == NULL)
		return plan_no_memory(plan);
	plan->sat = s;
	s[plan->nsat++] = (struct saturating){ .bits = t->type->bits,
	    .enable = t->type->enable, .addr = addr,
	    .control = target_addr(t, t->ctl + counter * t->ctl_step, 8) };
	return 0;
}

/* The write of its control; false: there is none, as nothing is programmed. */
static bool
find_write(const struct plan *plan, struct saturating *s)
{
	for (s->write = 0; s->write < plan->nwrite; s->write++)
		if (same_register(&plan->write[s->write].addr, &s->control))
			return true;
	return false;
}

/* Its cell, where it has one in every row. */
static bool
find_cell(const struct plan *plan, const struct block *b, struct saturating *s)
{
	for (unsigned i = 0; i < b->n; i++)
		if (same_register(&plan->read[b->first + i], &s->addr)) {
			s->cell = b->cell + 1 + i;
			return true;
		}
	return false;
}

/* Whose values it makes, where event sets share it, or it is slow. */
static void
tell_others(struct plan *plan, unsigned at)
{
	for (unsigned i = 0; i < plan->nshared; i++)
		if (same_register(&plan->shared[i].addr, &plan->sat[at].addr))
			plan->shared[i].sat = at + 1;
	for (unsigned i = 0; i < plan->nslow; i++)
		if (same_register(&plan->slow[i].addr, &plan->sat[at].addr))
			plan->slow[i].sat = at + 1;
}

static int
by_cell(const void *a, const void *b)
{
	const struct saturating *x = a, *y = b;

	return (x->cell > y->cell) - (x->cell < y->cell);
}

void
plan_saturating(struct plan *plan)
{
	unsigned n = 0;

	for (unsigned i = 0; i < plan->nsat; i++) {
		struct saturating s = plan->sat[i];

		if (!find_write(plan, &s))
			continue;
		for (unsigned k = 0; k < plan->nblock; k++)
			if (find_cell(plan, &plan->block[k], &s))
				break;
		plan->sat[n++] = s;
	}
	plan->nsat = n;
	/* those of a block side by side; those of none first */
	if (n > 0)
		qsort(plan->sat, n, sizeof(plan->sat[0]), by_cell);
	for (unsigned i = 0; i < n; i++)
		tell_others(plan, i);
	for (unsigned k = 0, i = 0; k < plan->nblock; k++) {
		struct block *b = &plan->block[k];

		while (i < n && plan->sat[i].cell <= b->cell)
			i++;
		b->sat = i;
		while (i < n && plan->sat[i].cell <= b->cell + b->n)
			i++;
		b->nsat = i - b->sat;
	}
}

bool
plan_may_reset(const struct plan *plan, const struct reg_addr *addr)
{
	for (unsigned i = 0; i < plan->nsat; i++) {
		const struct saturating *s = &plan->sat[i];

		if (s->addr.space == addr->space &&
		    s->addr.offset == addr->offset &&
		    addr->unit < plan->nlproc && addr->bytes == 8 &&
		    plan->lproc_pkg[addr->unit] == plan->write[s->write].pkg)
			return true;
	}
	return false;
}
