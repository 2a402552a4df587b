// SPDX-License-Identifier: Dual BSD/GPL
/*
 * tests/vm/live/bank.c - registers that count.
 */
#include "live.h"

#include <asm/tsc.h>
#include <linux/math64.h>
#include <linux/slab.h>

int
live_bank_init(struct live_bank *b, unsigned int room, bool msrs)
{
	raw_spin_lock_init(&b->lock);
	b->n = 0;
	b->room = room;
	b->reg = kvcalloc(room, sizeof(b->reg[0]), GFP_KERNEL);
	b->by_msr = msrs ? kvcalloc(LIVE_MSRS, sizeof(u16), GFP_KERNEL) : NULL;
	return b->reg && (b->by_msr || !msrs) ? 0 : -ENOMEM;
}

void
live_bank_free(struct live_bank *b)
{
	kvfree(b->reg);
	kvfree(b->by_msr);
	b->reg = NULL;
	b->by_msr = NULL;
}

struct live_reg *
live_add(struct live_bank *b, u32 number, u8 bits, u64 value)
{
	struct live_reg *r = &b->reg[b->n];

	BUG_ON(b->n == b->room);
	r->number = number;
	r->bits = bits;
	r->value = value;
	b->n++;
	if (b->by_msr)
		b->by_msr[number] = b->n;
	return r;
}

struct live_reg *
live_find(struct live_bank *b, u32 number)
{
	unsigned int i;

	if (b->by_msr)
		return number < LIVE_MSRS && b->by_msr[number] ?
		    &b->reg[b->by_msr[number] - 1] : NULL;
	for (i = 0; i < b->n; i++)
		if (b->reg[i].number == number)
			return &b->reg[i];
	return NULL;
}

static u64
value_at(const struct live_reg *r, u64 tsc)
{
	u64 value = r->value;

	if (r->bits == 0)
		return value;
	if (r->on)
		value += mul_u64_u64_shr(tsc - r->since, r->rate, 30);
	return value & (~0ull >> (64 - r->bits));
}

static bool
runs(const struct live_reg *r)
{
	if (r->box && r->box->value & BOX_FREEZE)
		return false;
	if (r->global && r->kind == PLANTED_BOX &&
	    r->global->value & GLOBAL_FREEZE)
		return false;
	if (r->global && r->kind != PLANTED_BOX &&
	    !(r->global->value >> (r->is_fixed ? 32 + r->nth : r->nth) & 1))
		return false;
	if (!r->ctl)
		return true;
	if (r->is_fixed && r->kind != PLANTED_BOX)
		return r->ctl->value >> 4 * r->nth & 3;
	return r->ctl->value & CTL_ENABLE;
}

static u64
rate_of(const struct live_reg *r)
{
	if (!r->ctl || (r->is_fixed && r->kind != PLANTED_BOX))
		return planted_rate(r->kind, r->unit, r->number);
	return planted_rate(r->kind, r->unit, r->is_fixed ? PLANTED_FIXED :
	    r->ctl->value & 0xffff);
}

/* Something was written: whoever ran has counted up to now, and counts what it
 * is told to from now on. */
static void
settle(struct live_bank *b)
{
	u64 tsc = rdtsc_ordered();
	unsigned int i;

	for (i = 0; i < b->n; i++) {
		struct live_reg *r = &b->reg[i];

		if (r->bits == 0)
			continue;
		r->value = value_at(r, tsc);
		r->since = tsc;
		r->on = runs(r);
		r->rate = rate_of(r);
	}
}

void
live_start(struct live_bank *b)
{
	settle(b);
}

u64
live_read(struct live_bank *b, const struct live_reg *r)
{
	unsigned long flags;
	u64 value;

	raw_spin_lock_irqsave(&b->lock, flags);
	value = value_at(r, rdtsc_ordered());
	raw_spin_unlock_irqrestore(&b->lock, flags);
	return value;
}

void
live_write(struct live_bank *b, struct live_reg *r, u64 value)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&b->lock, flags);
	settle(b);
	r->value = value;
	settle(b);
	raw_spin_unlock_irqrestore(&b->lock, flags);
}

/* Where a counter stands at first: so that it wraps within seconds. */
static u64
near_its_end(unsigned int unit, u32 number)
{
	return (1ull << 48) - (planted_rate(PLANTED_BOX, unit, number) << 1);
}

void
live_box(struct live_bank *b, const struct live_box *x, unsigned int unit)
{
	struct live_reg *box = NULL, *ctl, *ctr;
	unsigned int i;

	if (x->box_ctl)
		box = live_add(b, x->box_ctl, 0, 0);
	for (i = 0; i < 2; i++)
		if (x->filter[i])
			live_add(b, x->filter[i], 0, 0x11 * (unit + 1));
	for (i = 0; i <= x->n; i++) {
		bool fixed = i == x->n;

		if (fixed && !x->fixed_ctr)
			continue;
		/* an event of somebody's, not enabled: to be put back */
		ctl = live_add(b, fixed ? x->fixed_ctl : x->ctl + i *
		    x->ctl_step, 0, fixed ? 0 : (unit & 0xff) << 8 | (i + 1));
		ctr = live_add(b, fixed ? x->fixed_ctr : x->ctr + i *
		    x->ctr_step, 48, near_its_end(unit, i));
		ctr->ctl = ctl;
		ctr->box = box;
		ctr->global = x->global;
		ctr->is_fixed = fixed;
		ctr->kind = PLANTED_BOX;
		ctr->unit = unit;
	}
}

void
live_show(struct seq_file *m, const char *name, struct live_bank *b)
{
	unsigned int i;

	for (i = 0; i < b->n; i++)
		if (b->reg[i].bits == 0)
			seq_printf(m, "%s 0x%x = 0x%llx\n", name,
			    b->reg[i].number, b->reg[i].value);
}
