/*
 * tests/regs/test_perf_page.c - counters read by the kernel's pages of events: a made-up
 * kernel that moves them meanwhile, and lies.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "regs/perf.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#define FIXED (1u << 30)

/* Two events on one CPU, and a kernel. */
struct node {
	struct perf_event_mmap_page page[2];
	uint64_t counter[8], fixed[4], tsc;
	uint64_t kernel[PERF_CELLS];    /* what it says */
	int error, group_error;         /* of a counter; of the kernel */
	unsigned moves;                 /* while a counter is read */
	bool stuck;                     /* a page is never finished */
	bool leaves;                    /* then it is on none any more */
	unsigned calls;                 /* of the kernel */
	uint64_t step;                  /* that all count from call to call */
};

static int
counter(void *ctx, uint32_t index, bool rdpmc, uint64_t *raw)
{
	struct node *n = ctx;
	struct perf_event_mmap_page *p = &n->page[0];

	assert_false(rdpmc);
	if (n->error < 0)
		return n->error;
	*raw = index > FIXED ? n->fixed[index - 1 - FIXED] :
	    n->counter[index - 1];
	if (n->moves == 0)
		return 0;
	/* to counter 5, which has another's count */
	n->moves--;
	p->lock += n->stuck ? 1 : 2;
	p->index = n->leaves ? 0 : 6;
	p->offset = 1000000 - (int64_t)n->counter[5];
	return 0;
}

static uint64_t
tsc(void *ctx)
{
	return ((struct node *)ctx)->tsc;
}

static int
group(void *ctx, uint64_t *now)
{
	struct node *n = ctx;

	n->calls++;
	n->kernel[PERF_FIRST] += n->step;
	n->kernel[PERF_FIRST + 1] += n->step;
	memcpy(now, n->kernel, sizeof(n->kernel));
	return n->group_error;
}

/* Counters of 48 bits that stand at 700000 and 800000 events; 5 us and 4 us of
 * times, and 1 us since. */
static void
start(struct node *n)
{
	*n = (struct node){ .tsc = 3000, .counter = { [2] = 0x800000000000 +
	    700000, [5] = 77 }, .fixed = { [1] = 800000 - 1000 } };
	n->page[0] = (struct perf_event_mmap_page){ .lock = 4, .index = 3,
	    .offset = INT64_C(0x800000000000), .pmc_width = 48,
	    .time_enabled = 5000, .time_running = 4000, .cap_user_time = 1,
	    .time_shift = 1, .time_mult = 1, .time_offset = (uint64_t)-500 };
	n->page[1] = (struct perf_event_mmap_page){ .lock = 8, .index = FIXED +
	    2, .offset = 1000, .pmc_width = 48, .cap_user_time = 1 };
	n->kernel[PERF_ENABLED] = 6000;
	n->kernel[PERF_RUNNING] = 5000;
	n->kernel[PERF_FIRST] = 700000;
	n->kernel[PERF_FIRST + 1] = 800000;
}

static int
pages(struct node *n, uint64_t *now)
{
	const struct perf_reader by = { counter, tsc, group, n };
	const perf_page page[2] = { &n->page[0], &n->page[1] };
	uint32_t lock[2];

	return perf_pages_read(page, 2, &by, now, lock);
}

static int
direct(struct node *n, struct perf_direct *d, uint64_t *now)
{
	const struct perf_reader by = { counter, tsc, group, n };
	const perf_page page[2] = { &n->page[0], &n->page[1] };

	return perf_direct_read(d, page, 2, &by, now);
}

static void
a_count_is_the_offset_and_the_counter_with_its_sign(void **state)
{
	uint64_t now[PERF_CELLS];
	struct node n;

	(void)state;
	start(&n);
	assert_int_equal(pages(&n, now), 0);
	assert_int_equal(now[PERF_FIRST], 700000);
	assert_int_equal(now[PERF_FIRST + 1], 800000);
	/* 3000 * 1 / 2^1 - 500 */
	assert_int_equal(now[PERF_ENABLED], 5000 + 1000);
	assert_int_equal(now[PERF_RUNNING], 4000 + 1000);
	assert_int_equal(n.calls, 0);
	/* over 0 it goes on */
	n.counter[2] = 5;
	assert_int_equal(pages(&n, now), 0);
	assert_true(now[PERF_FIRST] == 0x800000000000 + 5);
}

static void
what_a_page_cannot_say_is_not_read(void **state)
{
	static const struct { int line, rc; uint32_t index; uint16_t width,
	    shift; bool time; int error; } c[] = {
		{ __LINE__, 0, 3, 48, 1, true, 0 },
		{ __LINE__, -ENODATA, 0, 48, 1, true, 0 },
		{ __LINE__, -ENOTSUP, 3, 0, 1, true, 0 },
		{ __LINE__, -ENOTSUP, 3, 65, 1, true, 0 },
		{ __LINE__, 0, 3, 64, 1, true, 0 },
		{ __LINE__, -ENOTSUP, 3, 48, 64, true, 0 },
		{ __LINE__, -ENOTSUP, 3, 48, 1, false, 0 },
		{ __LINE__, -EIO, 3, 48, 1, true, -EIO },
	};
	uint64_t now[PERF_CELLS];
	struct node n;

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		start(&n);
		n.page[0].index = c[i].index;
		n.page[0].pmc_width = c[i].width;
		n.page[0].time_shift = c[i].shift;
		n.page[0].cap_user_time = c[i].time;
		n.error = c[i].error;
		if (pages(&n, now) != c[i].rc)
			fail_msg("line %d: %d", c[i].line, pages(&n, now));
	}
}

static void
an_event_that_is_moved_meanwhile_is_read_where_it_is_then(void **state)
{
	uint64_t now[PERF_CELLS];
	struct node n;

	(void)state;
	start(&n);
	n.moves = 1;
	assert_int_equal(pages(&n, now), 0);
	assert_int_equal(now[PERF_FIRST], 1000000);
	start(&n);
	n.moves = 1;
	n.leaves = true;
	assert_int_equal(pages(&n, now), -ENODATA);
	start(&n);
	n.moves = 1000;
	assert_int_equal(pages(&n, now), -EAGAIN);
	start(&n);
	n.moves = 1;
	n.stuck = true;
	assert_int_equal(pages(&n, now), -EAGAIN);
}

static void
the_msr_of_an_index_is_that_of_the_cores_counter(void **state)
{
	static const struct perf_msrs intel = { .general = 0xc1, .step = 1,
	    .ngeneral = 8, .fixed = 0x309, .nfixed = 4 };
	static const struct perf_msrs amd = { .general = 0xc0010201,
	    .step = 2, .ngeneral = 6 };
	static const struct { uint32_t index, msr; } c[] = {
		{ 0, 0 }, { 1, 0xc1 }, { 4, 0xc4 }, { 8, 0xc8 }, { 9, 0 },
		{ FIXED, 0 }, { FIXED + 1, 0x309 }, { FIXED + 4, 0x30c },
		{ FIXED + 5, 0 }, { (1u << 29) + 1, 0 }, { UINT32_MAX, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++)
		assert_int_equal(perf_page_msr(&intel, c[i].index), c[i].msr);
	assert_int_equal(perf_page_msr(&amd, 0), 0);
	assert_int_equal(perf_page_msr(&amd, 1), 0xc0010201);
	assert_int_equal(perf_page_msr(&amd, 6), 0xc001020b);
	/* seven is a counter of the data fabric to RDPMC */
	assert_int_equal(perf_page_msr(&amd, 7), 0);
	assert_int_equal(perf_page_msr(&amd, FIXED + 1), 0);
}

/* Twice at first, never while nothing changes, and again once something does. */
static void
the_kernel_is_asked_until_both_agree(void **state)
{
	struct perf_direct d = { .trusted = false };
	uint64_t now[PERF_CELLS];
	struct node n;

	(void)state;
	start(&n);
	assert_int_equal(direct(&n, &d, now), 0);
	assert_int_equal(n.calls, 2);
	assert_true(d.trusted);
	n.counter[2] += 11;
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(direct(&n, &d, now), 0);
	assert_int_equal(n.calls, 2);
	assert_int_equal(now[PERF_FIRST], 700011);
	/* it is moved: the kernel's answer holds */
	n.kernel[PERF_FIRST] = 700020;
	n.page[0].lock += 2;
	n.page[0].index = 6;
	n.page[0].offset = 700020 - 77;
	assert_int_equal(direct(&n, &d, now), 0);
	assert_int_equal(n.calls, 3);
	assert_int_equal(now[PERF_FIRST], 700020);
	assert_false(d.trusted);
	/* and then what is there */
	assert_int_equal(direct(&n, &d, now), 0);
	assert_int_equal(n.calls, 5);
	n.counter[5] += 7;
	assert_int_equal(direct(&n, &d, now), 0);
	assert_int_equal(n.calls, 5);
	assert_int_equal(now[PERF_FIRST], 700027);
}

/* Another event's counter, a page of another kernel, a hypervisor's zeros. */
static void
a_counter_that_the_kernel_does_not_confirm_is_left_alone(void **state)
{
	static const struct { int line; uint64_t counter; } c[] = {
		{ __LINE__, 0 }, { __LINE__, 0x800000000000 + 699999 },
		{ __LINE__, 0x800000000000 + 800000 },
		{ __LINE__, UINT64_MAX },
	};
	uint64_t now[PERF_CELLS];
	struct node n;

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct perf_direct d = { .trusted = false };

		start(&n);
		n.step = 10;
		n.counter[2] = c[i].counter;
		for (unsigned k = 0; k < 9; k++) {
			assert_int_equal(direct(&n, &d, now), 0);
			if (d.trusted || now[PERF_FIRST] != n.kernel[PERF_FIRST])
				fail_msg("line %d: %" PRIu64, c[i].line,
				    now[PERF_FIRST]);
		}
		/* three times, and then it alone */
		assert_int_equal(n.calls, 2 * 3 + 6);
	}
}

static void
what_goes_back_is_not_believed(void **state)
{
	struct perf_direct d = { .trusted = false };
	uint64_t now[PERF_CELLS];
	struct node n;

	(void)state;
	start(&n);
	assert_int_equal(direct(&n, &d, now), 0);
	assert_true(d.trusted);
	n.fixed[1]--;
	assert_int_equal(direct(&n, &d, now), 0);
	assert_int_equal(now[PERF_FIRST + 1], 800000);
	assert_false(d.trusted);
}

/* One system call a reading, as without a page. */
static void
an_event_on_no_counter_is_the_kernels_to_read(void **state)
{
	struct perf_direct d = { .trusted = false };
	uint64_t now[PERF_CELLS];
	struct node n;

	(void)state;
	start(&n);
	n.page[1].index = 0;
	for (unsigned i = 0; i < 9; i++) {
		n.kernel[PERF_FIRST] = 700000 + i;
		assert_int_equal(direct(&n, &d, now), 0);
		assert_int_equal(now[PERF_FIRST], 700000 + i);
	}
	assert_int_equal(n.calls, 9);
	/* until it has one again */
	n.page[1].index = FIXED + 2;
	n.kernel[PERF_FIRST] = 700000;
	assert_int_equal(direct(&n, &d, now), 0);
	assert_true(d.trusted);
	/* and where there is none any more, the kernel says so */
	n.page[1].index = 0;
	n.page[1].lock += 2;
	n.group_error = -ENODEV;
	assert_int_equal(direct(&n, &d, now), -ENODEV);
	assert_int_equal(direct(&n, &d, now), -ENODEV);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_count_is_the_offset_and_the_counter_with_its_sign),
		cmocka_unit_test(what_a_page_cannot_say_is_not_read),
		cmocka_unit_test(
		    an_event_that_is_moved_meanwhile_is_read_where_it_is_then),
		cmocka_unit_test(
		    the_msr_of_an_index_is_that_of_the_cores_counter),
		cmocka_unit_test(the_kernel_is_asked_until_both_agree),
		cmocka_unit_test(
		    a_counter_that_the_kernel_does_not_confirm_is_left_alone),
		cmocka_unit_test(what_goes_back_is_not_believed),
		cmocka_unit_test(an_event_on_no_counter_is_the_kernels_to_read),
	};

	return cmocka_run_group_tests_name("perf_page", tests, NULL, NULL);
}
