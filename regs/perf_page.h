/*
 * regs/perf_page.h - reading a group of perf events directly from its counters,
 * without a system call.
 *
 * The page that an event's descriptor maps says which counter the event is on, what
 * to add to its value, and how long the event has been enabled and has run; a
 * sequence number tells whether the page changed meanwhile (the protocol is in Linux
 * include/uapi/linux/perf_event.h, struct perf_event_mmap_page).  Index 0 means that
 * the event is on no counter now.  Only the kernel writes the page.
 *
 * Direct reads are used only after one of them agreed with the kernel's own answer,
 * and until a page changes; then they are compared again.
 */
#ifndef REGS_PERF_PAGE_H
#define REGS_PERF_PAGE_H

#include "regs/perf.h"

struct perf_event_mmap_page;
typedef const volatile struct perf_event_mmap_page *perf_page;

/* How the caller reads what a page refers to; each function is called with ctx and
 * returns 0 or -errno. */
struct perf_reader {
	/* The counter of that index, unextended.  rdpmc: the page allows that
	 * instruction on the event's own CPU. */
	int (*counter)(void *ctx, uint32_t index, bool rdpmc, uint64_t *raw);
	/* The TSC now. */
	uint64_t (*tsc)(void *ctx);
	/* Asks the kernel for the whole group: enabled, running, the counts. */
	int (*group)(void *ctx, uint64_t *now);
	void *ctx;
};

/* Whether direct reads of a group are to be trusted; zeroed at first. */
struct perf_direct {
	bool trusted;                   /* the last comparison agreed */
	uint8_t refused;                /* comparisons in a row that did not */
	uint32_t lock[PERF_MEMBERS];    /* sequence numbers at that time */
	uint64_t last[PERF_CELLS];      /* what was read last */
};

/*
 * perf_pages_read - read times and counts of the n events of a group by their pages.
 *
 * now    out: PERF_FIRST + n numbers: the first event's times, the counts of all
 * lock   out: [n] the pages' sequence numbers at that time
 * Returns 0; -ENODATA where an event is on no counter; -EAGAIN where the pages kept
 * changing; -ENOTSUP where a page lacks a field or has one that is not known here;
 * or the error of counter().
 */
int perf_pages_read(const perf_page *page, unsigned n,
    const struct perf_reader *, uint64_t *now, uint32_t *lock);

/* perf_direct_read - the same, but through the kernel where direct reads are not
 * trusted.  0, or -errno of the kernel's answer. */
int perf_direct_read(struct perf_direct *, const perf_page *page, unsigned n,
    const struct perf_reader *, uint64_t *now);

/* perf_direct_text - a line for --check: so many of n groups are read directly. */
const char *perf_direct_text(unsigned trusted, unsigned n, char *buf,
    size_t size);

/* MSRs of a core's counters: counter n is at general + n * step, fixed counter n at
 * fixed + n. */
struct perf_msrs {
	uint32_t general, step, fixed;
	unsigned ngeneral, nfixed;
};

/* perf_page_msr - the MSR of the counter that a page's index means, or 0. */
uint32_t perf_page_msr(const struct perf_msrs *, uint32_t index);

#endif
