/*
 * regs/perf_page.h - a group of events read where its counters are, and not by
 * the kernel.
 *
 * The page that an event's descriptor shows when it is mapped says which counter
 * the event is on, what has to be added to it, and how long the event has been
 * enabled and has run; a sequence number says whether that changed meanwhile
 * (Linux include/uapi/linux/perf_event.h, struct perf_event_mmap_page, has the
 * protocol).  Index 0: it is on no counter now.  Only the kernel writes there.
 *
 * Nothing is believed that the kernel has not confirmed: counters are read in the
 * kernel's place after one comparison with its own answer, and until anything
 * changes on the pages; then they are compared anew.
 */
#ifndef REGS_PERF_PAGE_H
#define REGS_PERF_PAGE_H

#include "regs/perf.h"

struct perf_event_mmap_page;
typedef const volatile struct perf_event_mmap_page *perf_page;

/* Who reads what a page speaks of; all are called with ctx.  0 or -errno. */
struct perf_reader {
	/* The counter of an index, as wide as it is; rdpmc: the page allows
	 * that instruction, on the event's own CPU. */
	int (*counter)(void *ctx, uint32_t index, bool rdpmc, uint64_t *raw);
	/* The TSC now. */
	uint64_t (*tsc)(void *ctx);
	/* The whole group, by the kernel: enabled, running, a count each. */
	int (*group)(void *ctx, uint64_t *now);
	void *ctx;
};

/* How far the pages of a group can be believed; zeroed at first. */
struct perf_direct {
	bool trusted;                   /* they agreed with the kernel */
	uint8_t refused;                /* times in a row that they did not */
	uint32_t lock[PERF_MEMBERS];    /* as of then */
	uint64_t last[PERF_CELLS];      /* what was read last */
};

/*
 * perf_pages_read - times and counts of n events that are counted together.
 *
 * now    out: PERF_FIRST + n numbers: times of the first, counts of all
 * lock   out: the sequence numbers that this holds for
 * Returns 0; -ENODATA where one is on no counter; -EAGAIN where they kept
 * changing; -ENOTSUP where the page does not say enough, or has what is not
 * known here; or what counter() said.
 */
int perf_pages_read(const perf_page *page, unsigned n,
    const struct perf_reader *, uint64_t *now, uint32_t *lock);

/* perf_direct_read - the same, by the kernel wherever the pages are not to be
 * believed.  0, or -errno of the kernel's answer. */
int perf_direct_read(struct perf_direct *, const perf_page *page, unsigned n,
    const struct perf_reader *, uint64_t *now);

/* perf_direct_text - that so many of n groups are read so, in words. */
const char *perf_direct_text(unsigned trusted, unsigned n, char *buf,
    size_t size);

/* The counters of a core, by number: at general + n * step, fixed + n. */
struct perf_msrs {
	uint32_t general, step, fixed;
	unsigned ngeneral, nfixed;
};

/* perf_page_msr - the MSR of the counter of an index; 0: there is none. */
uint32_t perf_page_msr(const struct perf_msrs *, uint32_t index);

#endif
