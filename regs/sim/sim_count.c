/*
 * regs/sim/sim_count.c - how much a rate has counted by now.  Integers only.
 */
#include "regs/sim/sim_int.h"

__extension__ typedef unsigned __int128 u128;

/*
 * T of count.at = the present stretch at its start: the sum over the
 * stretches before it of rate times length.
 */
static void
count_fill(const struct sim *s, struct sim_count *c)
{
	const struct sim_desc *d = s->d;
	u128 sum = 0;

	for (unsigned i = 0; i <= s->now; i++) {
		c->hz = c->rate->hz[d->stretch[i].phase];
		if (c->hz != 0)
			c->hz += c->add;
		if (i < s->now)
			sum += (u128)c->hz * d->stretch[i].ns;
	}
	c->whole = (uint64_t)(sum / NS);
	c->frac = (uint64_t)(sum % NS);
	c->at = s->now;
}

/* floor(T) now, modulo 2^64. */
static uint64_t
count_total(const struct sim *s, struct sim_count *c)
{
	uint64_t whole;

	if (c->at != s->now)
		count_fill(s, c);
	whole = c->whole + c->hz * s->sec;
	/* hz * ns + frac fits in 64 bits up to 2^34 counts a second */
	if (c->hz < UINT64_C(1) << 34)
		return whole + (c->frac + c->hz * s->ns) / NS;
	return whole + (uint64_t)((c->frac + (u128)c->hz * s->ns) / NS);
}

uint64_t
count_get(struct sim *s, struct sim_count *c)
{
	return c->rate == NULL ? c->base : c->base + count_total(s, c);
}

void
count_set(struct sim *s, struct sim_count *c, uint64_t value)
{
	c->base = c->rate == NULL ? value : value - count_total(s, c);
}

void
count_by(struct sim *s, struct sim_count *c, const struct sim_rate *rate,
    uint64_t add)
{
	uint64_t value;

	if (c->rate == rate && c->add == add)
		return;
	value = count_get(s, c);
	c->rate = rate;
	c->add = add;
	c->at = UINT32_MAX;
	count_set(s, c, value);
}
