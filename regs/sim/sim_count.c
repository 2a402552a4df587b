/*
 * regs/sim/sim_count.c - how much a rate has counted by now, in integers only.
 */
#include "regs/sim/sim_int.h"

__extension__ typedef unsigned __int128 u128;

/* Pseudo-random bits of x: the finaliser of SplitMix64. */
static uint64_t
mixed(uint64_t x)
{
	x += UINT64_C(0x9e3779b97f4a7c15);
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

uint64_t
count_wrong(const struct sim_count *c, uint64_t n)
{
	return c->den == 0 ? n : (uint64_t)((u128)n * c->num / c->den);
}

static bool
noisy(const struct sim *s, const struct sim_count *c)
{
	return s->d->noise > 0 && c->rate->noise > 0;
}

/* The rate in a slot of stretch c->at. */
static uint64_t
slot_hz(const struct sim *s, const struct sim_count *c)
{
	uint64_t part = mixed(mixed(mixed(mixed(s->d->noise_seed) ^
	    c->rate->noise) ^ c->add) ^ ((uint64_t)c->at << 40 | c->slot)) >> 44;

	return c->hz - (uint64_t)((u128)c->hz * s->d->noise * part / 100 >> 20);
}

static void
count_add(struct sim_count *c, uint64_t hz, uint64_t ns)
{
	u128 sum = (u128)hz * ns + c->frac;

	c->whole += (uint64_t)(sum / NS);
	c->frac = (uint64_t)(sum % NS);
}

/* Moves T on from where it is known to the noise slot that contains `ns`. */
static void
count_slots(const struct sim *s, struct sim_count *c, uint64_t ns)
{
	for (; c->slot < ns / NOISE_SLOT; c->slot++)
		count_add(c, slot_hz(s, c), NOISE_SLOT);
}

/*
 * Moves count.at to the present stretch, with T at its start: the sum of rate times
 * length over the stretches before it.
 */
static void
count_fill(const struct sim *s, struct sim_count *c)
{
	const struct sim_desc *d = s->d;

	c->whole = c->frac = 0;
	for (c->at = 0;; c->at++) {
		uint64_t ns = d->stretch[c->at].ns;

		c->slot = 0;
		c->hz = c->rate->hz[d->stretch[c->at].phase];
		if (c->hz != 0)
			c->hz = count_wrong(c, c->hz + c->add);
		if (c->at == s->now)
			return;
		if (noisy(s, c)) {
			count_slots(s, c, ns);
			count_add(c, slot_hz(s, c), ns % NOISE_SLOT);
		} else {
			count_add(c, c->hz, ns);
		}
	}
}

/* floor(T) now, modulo 2^64. */
static uint64_t
count_total(const struct sim *s, struct sim_count *c)
{
	uint64_t hz, ns = s->ns, sec = s->sec, whole;

	if (c->at != s->now)
		count_fill(s, c);
	hz = c->hz;
	if (noisy(s, c)) {
		ns += sec * NS;
		sec = 0;
		count_slots(s, c, ns);
		ns -= c->slot * NOISE_SLOT;
		hz = slot_hz(s, c);
	}
	whole = c->whole + hz * sec;
	/* hz * ns + frac fits in 64 bits up to 2^34 counts a second */
	if (hz < UINT64_C(1) << 34)
		return whole + (c->frac + hz * ns) / NS;
	return whole + (uint64_t)((c->frac + (u128)hz * ns) / NS);
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

void
count_scale(struct sim *s, struct sim_count *c, uint64_t num, uint64_t den)
{
	uint64_t value;

	if (c->num == num && c->den == den)
		return;
	value = count_get(s, c);
	c->num = num;
	c->den = den;
	c->at = UINT32_MAX;
	count_set(s, c, value);
}
