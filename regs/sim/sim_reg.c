/*
 * regs/sim/sim_reg.c - one register of the simulated machine: what it holds, and what
 * a write to it does.
 */
#include "regs/sim/sim_int.h"

#include <errno.h>

static uint64_t
reading(const struct sim *s, const struct reg *r)
{
	uint64_t value = r->count.rate->hz[s->d->stretch[s->now].phase];

	return value != 0 ? value + r->count.add : 0;
}

/* A counter that saturates stops once its highest bit is set. */
static uint64_t
sim_reg_counted(struct sim *s, struct reg *r)
{
	uint64_t n = count_get(s, &r->count), end = UINT64_C(1) << (r->bits - 1);

	return r->unit->box->saturate != 0 && n > end ? end :
	    n & low_bits(r->bits);
}

uint64_t
reg_get(struct sim *s, struct reg *r)
{
	if (r->shows != NULL)
		r = r->shows;
	switch (r->kind) {
	case R_READING:
		return reading(s, r) & low_bits(r->bits);
	case R_CTR:
		return sim_reg_counted(s, r);
	case R_COUNT:
	case R_FIXED:
		return count_get(s, &r->count) & low_bits(r->bits);
	case R_ALIAS:
		r = r->unit->ctr[r->n];
		return count_get(s, &r->count) & low_bits(r->bits);
	case R_INUSE:
		return unit_inuse(r->unit);
	}
	return r->value;
}

static int
put_global(struct sim *s, struct reg *r, uint64_t value)
{
	const struct sim_desc *d = s->d;
	bool *flag = &s->frozen[r->n];

	if ((value & d->global_freeze) != 0)
		*flag = true;
	else if ((value & d->global_unfreeze) != 0 || value == 0)
		*flag = false;
	r->value = value & ~(d->global_freeze | d->global_unfreeze);
	sim_update_package(s, r->n);
	return 0;
}

int
reg_put(struct sim *s, struct reg *r, uint64_t value, bool strict)
{
	switch (r->kind) {
	case R_NONE:
		return strict ? -EIO : 0;
	case R_RAZ_WI:
		return 0;
	case R_READING:
	case R_COUNT:
		return strict ? -EIO : 0;
	case R_VALUE:
		if (strict && ((value ^ r->value) & ~r->mask) != 0)
			return -EIO;
		r->value = (r->value & ~r->mask) | (value & r->mask);
		return 0;
	case R_GLOBAL:
		return put_global(s, r, value);
	case R_MDR:
		r->value = value;
		return 0;
	case R_MCR:
		r->value = value;
		mailbox_transact(s);
		return 0;
	}
	return unit_put(s, r, value, strict);
}

