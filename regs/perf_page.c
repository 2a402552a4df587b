/*
 * regs/perf_page.c - a group of events read where its counters are.
 *
 * Indices are what RDPMC takes, and one more: a general counter by its number, bit 30
 * a fixed one, bit 29 the metrics of the slots counter, which is no plain count
 * (Intel SDM volume 2, RDPMC; Linux arch/x86/events/core.c, x86_pmu_event_idx).
 */
#include "regs/perf_page.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define TRIES 4                 /* a page's change takes less than one read */
#define REFUSALS 3              /* and the pages are left alone */
#define FIXED_INDEX (1u << 30)

uint32_t
perf_page_msr(const struct perf_msrs *msrs, uint32_t index)
{
	uint32_t n = index - 1;

	if (index == 0)
		return 0;
	if (n < msrs->ngeneral)
		return msrs->general + n * msrs->step;
	n -= FIXED_INDEX;
	return n < msrs->nfixed ? msrs->fixed + n : 0;
}

/* Time since the page's own, in ns, by the TSC; the way that the header has. */
static int
page_delta(perf_page page, uint64_t tsc, uint64_t *delta)
{
	unsigned shift = page->time_shift;
	uint64_t mult = page->time_mult, rest;

	if (!page->cap_user_time || shift > 63)
		return -ENOTSUP;
	if (page->cap_user_time_short)
		tsc = page->time_cycles + ((tsc - page->time_cycles) &
		    page->time_mask);
	rest = tsc & ((UINT64_C(1) << shift) - 1);
	*delta = page->time_offset + (tsc >> shift) * mult +
	    (rest * mult >> shift);
	return 0;
}

/* One count: the page's offset, and the counter, whose sign is its top bit. */
static int
page_count(perf_page page, const struct perf_reader *by, uint64_t *count)
{
	unsigned width = page->pmc_width;
	uint32_t index = page->index;
	uint64_t offset = (uint64_t)page->offset, raw;
	int rc;

	if (index == 0)
		return -ENODATA;
	if (width == 0 || width > 64)
		return -ENOTSUP;
	if ((rc = by->counter(by->ctx, index, page->cap_user_rdpmc, &raw)) < 0)
		return rc;
	raw <<= 64 - width;
	*count = offset + (uint64_t)((int64_t)raw >> (64 - width));
	return 0;
}

static int
read_once(const perf_page *page, unsigned n, const struct perf_reader *by,
    uint64_t *now)
{
	uint64_t delta;
	int rc;

	for (unsigned k = 0; k < n; k++)
		if ((rc = page_count(page[k], by, &now[PERF_FIRST + k])) < 0)
			return rc;
	if ((rc = page_delta(page[0], by->tsc(by->ctx), &delta)) < 0)
		return rc;
	now[PERF_ENABLED] = page[0]->time_enabled + delta;
	now[PERF_RUNNING] = page[0]->time_running + delta;
	return 0;
}

int
perf_pages_read(const perf_page *page, unsigned n,
    const struct perf_reader *by, uint64_t *now, uint32_t *lock)
{
	for (unsigned try = 0; try < TRIES; try++) {
		bool same = true;
		int rc;

		for (unsigned k = 0; k < n; k++) {
			lock[k] = page[k]->lock;
			same &= (lock[k] & 1) == 0;     /* odd: it is written */
		}
		if (!same)
			continue;
		atomic_thread_fence(memory_order_seq_cst);
		rc = read_once(page, n, by, now);
		atomic_thread_fence(memory_order_seq_cst);
		for (unsigned k = 0; k < n; k++)
			same &= page[k]->lock == lock[k];
		if (same)
			return rc;
	}
	return -EAGAIN;
}

/* The kernel rounds its times elsewhere than the page's reader does, in ns. */
#define TIME_SLACK 1000

/* Nothing that counts or lasts has gone back. */
static bool
follows(const uint64_t *now, const uint64_t *before, unsigned n)
{
	for (unsigned k = 0; k < PERF_FIRST; k++)
		if (now[k] + TIME_SLACK < before[k])
			return false;
	for (unsigned k = PERF_FIRST; k < PERF_FIRST + n; k++)
		if (now[k] < before[k])
			return false;
	return true;
}

/* The pages between two answers of the kernel; the second is what holds. */
static int
perf_page_compare(struct perf_direct *d, const perf_page *page, unsigned n,
    const struct perf_reader *by, uint64_t *now)
{
	uint64_t before[PERF_CELLS], there[PERF_CELLS];
	int rc, seen;

	if ((rc = by->group(by->ctx, before)) < 0)
		return rc;
	seen = perf_pages_read(page, n, by, there, d->lock);
	if (seen == -ENODATA || seen == -EAGAIN) {
		memcpy(now, before, (PERF_FIRST + n) * sizeof(now[0]));
		return 0;
	}
	if ((rc = by->group(by->ctx, now)) < 0)
		return rc;
	memcpy(d->last, now, (PERF_FIRST + n) * sizeof(now[0]));
	d->trusted = seen == 0 && follows(there, before, n) &&
	    follows(now, there, n);
	d->refused = d->trusted ? 0 : (uint8_t)(d->refused + 1);
	return 0;
}

int
perf_direct_read(struct perf_direct *d, const perf_page *page, unsigned n,
    const struct perf_reader *by, uint64_t *now)
{
	uint32_t lock[PERF_MEMBERS];

	if (d->refused >= REFUSALS)
		return by->group(by->ctx, now);
	if (d->trusted) {
		if (perf_pages_read(page, n, by, now, lock) == 0 &&
		    memcmp(lock, d->lock, n * sizeof(lock[0])) == 0 &&
		    follows(now, d->last, n)) {
			memcpy(d->last, now, (PERF_FIRST + n) * sizeof(now[0]));
			return 0;
		}
		/* it may be on another counter, or on none, in a moment */
		d->trusted = false;
		return by->group(by->ctx, now);
	}
	return perf_page_compare(d, page, n, by, now);
}

const char *
perf_direct_text(unsigned trusted, unsigned n, char *buf, size_t size)
{
	snprintf(buf, size, "hybrid: %u of %u groups of events are read where "
	    "their counters are, the others by the kernel", trusted, n);
	return buf;
}
