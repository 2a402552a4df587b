/*
 * regs/perf_page.c - reading a group of perf events directly from its counters.
 *
 * A page's index is the operand of RDPMC plus one: the number of a general counter;
 * with bit 30 a fixed counter; with bit 29 PERF_METRICS, which is no plain count
 * (Intel SDM volume 2, RDPMC; Linux arch/x86/events/core.c, x86_pmu_event_idx).
 */
#include "regs/perf.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define TRIES 4                 /* the kernel changes a page faster than we read */
#define REFUSALS 3              /* after so many, never read directly again */
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

/* The ns from the page's times to now, by the TSC, as linux/perf_event.h says. */
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

/* One count: the page's offset plus the counter, sign-extended from its width. */
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

/* How far (ns) the kernel's times may differ from ours, as it rounds elsewhere. */
#define TIME_SLACK 1000

/* Has no count and no time gone back? */
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

/* Compares the pages with the kernel's answers before and after; returns the second
 * answer. */
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
		/* the kernel may be moving it to another counter, or to none */
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
