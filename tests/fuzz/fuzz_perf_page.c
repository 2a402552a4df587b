/*
 * tests/fuzz/fuzz_perf_page.c - a kernel that counts two events, and deals its counters
 * out as bytes say, before and in the midst of a reading: what is read is what
 * they had counted at some time from its beginning to its end.  Behind an 'x',
 * bytes are the page itself.  With libFuzzer; seeds in seeds/perf_page.
 */
#include "regs/perf.h"

#include <linux/perf_event.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define COUNTERS 4

struct kernel {
	const uint8_t *at, *end;        /* what happens */
	struct perf_event_mmap_page page[2];
	uint64_t counter[COUNTERS], count[2], running[2], ns;
	int on[2];                      /* which counter; -1: none */
	bool torn;                      /* a page is being written */
};

/* On a counter of its own, where the last one left something; or on none. */
static void
place(struct kernel *k, unsigned event, unsigned c)
{
	struct perf_event_mmap_page *p = &k->page[event];

	if (c < COUNTERS && k->on[!event] == (int)c)
		return;
	p->lock++;
	if (k->on[event] >= 0)
		k->counter[k->on[event]] ^= 0x123456789abc;
	k->on[event] = c < COUNTERS ? (int)c : -1;
	p->index = c < COUNTERS ? c + 1 : 0;
	if (c < COUNTERS)
		k->counter[c] = 0x800000000001;
	p->offset = (int64_t)(k->count[event] - 0xffff800000000001);
	p->time_enabled = k->ns;
	p->time_running = k->running[event];
	p->time_offset = -k->ns;
	p->lock++;
}

/* The next thing: time passes, or an event is moved. */
static void
happen(struct kernel *k)
{
	unsigned what = k->at < k->end ? *k->at++ : 0;

	if (k->torn)
		k->page[0].lock++;
	k->torn = false;
	if (what < 128) {
		k->ns += what;
		for (unsigned e = 0; e < 2; e++)
			if (k->on[e] >= 0) {
				k->count[e] += what * (e + 1);
				k->running[e] += what;
				k->counter[k->on[e]] += what * (e + 1);
				k->counter[k->on[e]] &= 0xffffffffffff;
			}
	} else if (what < 192)
		place(k, what & 1, what >> 1 & 7);
	else if (what < 200)
		k->counter[what & 3] += k->on[0] == (int)(what & 3) ||
		    k->on[1] == (int)(what & 3) ? 0 : 99999;
}

static int
counter(void *ctx, uint32_t index, bool rdpmc, uint64_t *raw)
{
	struct kernel *k = ctx;

	(void)rdpmc;
	happen(k);
	if (index > COUNTERS)
		return -1;
	*raw = k->counter[index - 1];
	happen(k);
	return 0;
}

static uint64_t
tsc(void *ctx)
{
	struct kernel *k = ctx;

	happen(k);
	return k->ns;
}

static int
group(void *ctx, uint64_t *now)
{
	struct kernel *k = ctx;

	happen(k);
	now[PERF_ENABLED] = k->ns;
	now[PERF_RUNNING] = k->running[0];
	now[PERF_FIRST] = k->count[0];
	now[PERF_FIRST + 1] = k->count[1];
	happen(k);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	bool any = size > sizeof(struct perf_event_mmap_page) &&
	    data[0] == 'x';
	struct kernel k = { .at = data, .end = data + size, .on = { -1, -1 } };
	const struct perf_reader by = { counter, tsc, group, &k };
	const perf_page page[2] = { &k.page[0], &k.page[1] };
	struct perf_direct d = { .trusted = false };
	uint64_t now[PERF_CELLS], from[2];

	for (unsigned e = 0; e < 2; e++) {
		k.page[e].pmc_width = 48;
		k.page[e].cap_user_time = 1;
		k.page[e].time_mult = 1;
		place(&k, e, e);
	}
	if (any) {
		memcpy(&k.page[0], data + 1, sizeof(k.page[0]));
		k.at += 1 + sizeof(k.page[0]);
	}
	while (k.at < k.end) {
		if (*k.at == 255 && !k.torn) {
			k.page[0].lock++;
			k.torn = true;
		}
		memcpy(from, k.count, sizeof(from));
		if (perf_direct_read(&d, page, 2, &by, now) != 0)
			__builtin_trap();
		for (unsigned e = 0; e < 2 && !any; e++)
			if (now[PERF_FIRST + e] < from[e] ||
			    now[PERF_FIRST + e] > k.count[e])
				__builtin_trap();
		happen(&k);
	}
	return 0;
}
