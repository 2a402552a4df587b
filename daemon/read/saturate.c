/*
 * daemon/read/saturate.c - counters that stop at their end instead of wrapping.
 */
#include "daemon/read/saturate.h"

/* The counter's address, through the lproc by which its control is written. */
static struct reg_addr
saturate_address(const struct plan *plan, const struct saturating *s)
{
	struct reg_addr addr = s->addr;

	addr.unit = plan->write[s->write].addr.unit;
	return addr;
}

/* Is its control on, and as we programmed it? */
static bool
saturate_is_ours(const struct plan *plan, const struct saturating *s,
    struct access *acc)
{
	const struct plan_write *w = &plan->write[s->write];
	uint64_t now;

	return access_read(acc, &w->addr, &now) == 0 && now == w->new &&
	    (now & s->enable) != 0;
}

/* Sets the counter to 0, if its control is on and ours, and adds its value to what it
 * counted before.  A counter that had stopped has counted at least its value. */
static void
saturate_begin_anew(struct plan *plan, struct saturating *s, struct access *acc)
{
	struct reg_addr addr = saturate_address(plan, s);
	uint64_t before, after;

	if (saturate_is_ours(plan, s, acc) &&
	    access_read(acc, &addr, &before) == 0 &&
	    access_write(acc, &addr, 0) == 0 &&
	    access_read(acc, &addr, &after) == 0 && after < before)
		s->before += before;
}

uint64_t
saturate_value(struct plan *plan, unsigned at, struct access *acc,
    uint64_t raw)
{
	struct saturating *s = &plan->stops.counter[at];
	uint64_t value = raw + s->before, end = UINT64_C(1) << s->bits;

	if (raw < end / 2)
		return value;
	if (raw == ABSENT)
		return raw;
	saturate_begin_anew(plan, s, acc);
	if (raw >= end && !s->stopped) {
		atomic_store(&s->found, true);
		atomic_store(&plan->stops.found, true);
	}
	s->stopped = raw >= end;
	return s->stopped ? ABSENT : value;
}

uint64_t
saturate_zero(const struct plan *plan, unsigned at)
{
	return plan->stops.counter[at].before;
}

void
saturate_block(struct plan *plan, const struct block *b, struct access *acc,
    uint64_t *row)
{
	for (unsigned i = b->sat; i < b->sat + b->nsat; i++) {
		uint64_t *cell = &row[plan->stops.counter[i].cell];

		*cell = saturate_value(plan, i, acc, *cell);
	}
}

const struct plan_write *
saturate_stopped(struct plan *plan)
{
	if (!atomic_exchange(&plan->stops.found, false))
		return NULL;
	for (unsigned i = 0; i < plan->stops.n; i++)
		if (atomic_exchange(&plan->stops.counter[i].found, false)) {
			/* look for more at the next call */
			atomic_store(&plan->stops.found, true);
			return &plan->write[plan->stops.counter[i].write];
		}
	return NULL;
}
