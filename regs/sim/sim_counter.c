/*
 * regs/sim/sim_counter.c - what the simulated kernel does with the counters of a core:
 * it writes their controls itself (sim.writes does not count that), and its page tells
 * which counter an event is on.
 *
 * As in Linux (arch/x86/events/core.c) a counter starts far below 0, for which the
 * page's offset makes up; index 0 is no counter; bit 30 means a fixed one.
 */
#include "regs/sim/sim_int.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#define FIXED_INDEX (1u << 30)
#define OS_USR 0x30000u         /* bits 16 and 17 of a control */
#define TIME_SHIFT 32

unsigned
sim_perf_usable(const struct sim_pmu *pmu)
{
	return pmu->counters > pmu->held ? pmu->counters - pmu->held : 0;
}

unsigned
sim_perf_takes(const struct sim_pmu *pmu, const struct perf_attr *a)
{
	return a->type != PERF_HARDWARE && a->type != PERF_HW_CACHE &&
	    ((a->config[0] >> 24 & 0xf00) |
	    (a->config[0] & 0xff)) == pmu->pair ? 2 : 1;
}

static struct sim_unit *
core_unit(const struct sim *s, const struct sim_pmu *pmu, unsigned lproc)
{
	for (unsigned i = 0; pmu->box >= 0 && i < s->nunits; i++)
		if (s->units[i]->index == (unsigned)pmu->box &&
		    s->units[i]->box->scope == SIM_LPROC &&
		    s->units[i]->box->space == REG_MSR &&
		    s->units[i]->lproc == lproc)
			return s->units[i];
	return NULL;
}

/* The fixed counter that counts only this event, or -1. */
static int
fixed_of(const struct sim_unit *u, const struct perf_attr *a)
{
	for (unsigned i = 0; u->nibbles != NULL && i < PERF_CORE_FIXED &&
	    i < u->box->nfixed; i++)
		if (a->config[0] == perf_core_fixed[i])
			return (int)i;
	return -1;
}

static bool
take_fixed(struct sim_slot *slot, struct sim_unit *u, const struct perf_attr *a,
    unsigned n)
{
	uint64_t nibble = (uint64_t)!a->no_kernel | (uint64_t)!a->no_user << 1;

	if ((u->nibbles->value >> (4 * n) & 0xf) != 0)
		return false;
	u->nibbles->value |= nibble << (4 * n);
	*slot = (struct sim_slot){ u, u->fixed[n], n, true, false,
	    slot->page };
	return true;
}

/* Puts an event that takes two counters on an even one and the one behind it. */
static bool
take_general(struct sim_slot *slot, struct sim_unit *u,
    const struct perf_attr *a, unsigned skip, bool pair)
{
	unsigned counters = u->box->counters;

	for (unsigned i = 0; i < counters; i++) {
		unsigned n = (i + skip) % counters;

		if (u->ctl[n]->value != 0 || (pair && ((n & 1) != 0 ||
		    n + 1 >= counters || u->ctl[n + 1]->value != 0)))
			continue;
		if (pair)
			u->ctl[n + 1]->value = u->box->merge;
		u->ctl[n]->value = a->config[0] | u->box->enable |
		    (OS_USR & (uint64_t)!a->no_user << 16) |
		    (OS_USR & (uint64_t)!a->no_kernel << 17);
		*slot = (struct sim_slot){ u, u->ctr[n], n, false, pair,
		    slot->page };
		return true;
	}
	return false;
}

bool
sim_counter_take(struct sim *s, unsigned lproc, const struct sim_pmu *pmu,
    const struct perf_attr *a, unsigned skip, struct sim_slot *slot)
{
	struct sim_unit *u = a->type == pmu->type && a->config[1] == 0 ?
	    core_unit(s, pmu, lproc) : NULL;
	int fixed = u != NULL ? fixed_of(u, a) : -1;

	if (slot->page == NULL)
		slot->page = calloc(1, sizeof(*slot->page));
	if (u == NULL || slot->page == NULL || !(fixed >= 0 ?
	    take_fixed(slot, u, a, (unsigned)fixed) :
	    take_general(slot, u, a, skip, sim_perf_takes(pmu, a) == 2)))
		return false;
	if (u->enables != NULL)
		u->enables->value |= (slot->pair ? UINT64_C(3) : UINT64_C(1)) <<
		    (slot->n + (slot->fixed ? 32 : 0));
	count_set(s, &slot->counter->count,
	    low_bits(slot->counter->bits) - low_bits(slot->counter->bits - 1));
	unit_update(s, u);
	return true;
}

void
sim_counter_give(struct sim *s, struct sim_slot *slot)
{
	struct sim_unit *u = slot->unit;

	if (u == NULL)
		return;
	if (slot->fixed)
		u->nibbles->value &= ~(UINT64_C(15) << (4 * slot->n));
	else
		u->ctl[slot->n]->value = 0;
	if (slot->pair)
		u->ctl[slot->n + 1]->value = 0;
	if (u->enables != NULL)
		u->enables->value &= ~((slot->pair ? UINT64_C(3) : UINT64_C(1))
		    << (slot->n + (slot->fixed ? 32 : 0)));
	unit_update(s, u);
	slot->unit = NULL;
	slot->page->lock++;
	slot->page->index = 0;
	slot->page->lock++;
}

/* The TSC in ns by multiplier and shift, as on a page; exact enough for hours. */
static uint64_t
tsc_ns(const struct perf_event_mmap_page *p, uint64_t tsc)
{
	return (tsc >> TIME_SHIFT) * p->time_mult +
	    ((tsc & UINT32_MAX) * p->time_mult >> TIME_SHIFT);
}

void
sim_counter_page(struct sim *s, struct sim_slot *slot, const uint64_t *times,
    uint64_t count)
{
	struct perf_event_mmap_page *p = slot->page;
	unsigned bits = slot->counter->bits;
	uint64_t raw = count_get(s, &slot->counter->count) & low_bits(bits);

	p->lock++;
	p->cap_user_time = 1;
	p->time_shift = TIME_SHIFT;
	p->time_mult = (uint32_t)(((uint64_t)NS << TIME_SHIFT) / s->d->tsc_hz);
	p->time_offset = -tsc_ns(p, count_get(s, &s->tsc));
	p->time_enabled = times[PERF_ENABLED];
	p->time_running = times[PERF_RUNNING];
	p->pmc_width = (uint16_t)bits;
	p->index = slot->n + 1 + (slot->fixed ? FIXED_INDEX : 0);
	raw <<= 64 - bits;
	p->offset = (int64_t)count - ((int64_t)raw >> (64 - bits));
	p->lock++;
}

int
sim_counter_read(struct sim *s, unsigned lproc, uint32_t index, uint64_t *raw)
{
	uint32_t number = perf_page_msr(&s->perf->msrs, index);
	const struct reg_addr addr = { REG_MSR, 8, lproc, number };
	struct sim_page *page;
	struct reg *r;
	bool high;

	if (number == 0)
		return -ENOTSUP;
	if ((r = reg_find(s, &addr, &high, &page)) == NULL)
		return -EIO;
	*raw = reg_get(s, r);
	return 0;
}
