/*
 * tests/test_auto.c - which way to read is taken where all of them are there, and
 * how long that is allowed to take.
 */
#include "tests/test.h"

#include "daemon/read/measure.h"
#include "daemon/read/sweep.h"

#include <stdlib.h>
#include <string.h>

#define MS 1000000ull

/* The simulated node, where to move to another lproc takes a while. */
struct slow {
	struct access acc;
	struct access_ops ops;
	struct host_ops host;
	struct access *inner;
	uint64_t visit_ns, spent_ns;
	unsigned visits, first_reads;   /* of a register of the first block */
	unsigned batches;
	struct reg_addr first;
};

static int
slow_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	struct slow *s = (struct slow *)acc;

	s->first_reads += addr->space == s->first.space &&
	    addr->unit == s->first.unit && addr->offset == s->first.offset;
	return s->inner->ops->read(s->inner, addr, raw);
}

static int
slow_visit(struct access *acc, unsigned lproc)
{
	struct slow *s = (struct slow *)acc;

	(void)lproc;
	s->visits++;
	s->spent_ns += s->visit_ns;
	return 0;
}

static void
slow_now(struct access *acc, struct stamp *now)
{
	struct slow *s = (struct slow *)acc;

	access_now(s->inner, now);
	now->mono_ns += s->spent_ns;
}

static int
slow_sleep(struct access *acc, uint64_t mono_ns, const sigset_t *unblocked)
{
	struct slow *s = (struct slow *)acc;

	(void)unblocked;
	if (mono_ns > s->spent_ns)
		return access_sleep(s->inner, mono_ns - s->spent_ns, NULL);
	return 0;
}

static int
batch_prepare(struct access *acc, const struct reg_addr *addr, unsigned n)
{
	return access_batch_prepare(((struct slow *)acc)->inner, addr, n);
}

static int
batch_read(struct access *acc, uint64_t *raw)
{
	struct slow *s = (struct slow *)acc;

	s->batches++;
	s->spent_ns += MS;
	return access_batch_read(s->inner, raw);
}

static const struct batch_ops batch = { batch_prepare, batch_read };

static void
wrap(struct slow *s, struct rig *r, uint64_t visit_ns)
{
	memset(s, 0, sizeof(*s));
	s->inner = r->node.acc;
	s->host = *s->inner->ops->host;
	s->host.now = slow_now;
	s->host.sleep = slow_sleep;
	s->host.tsc = NULL;
	s->host.threads = NULL;
	s->ops = *s->inner->ops;
	s->ops.read = slow_read;
	s->ops.visit = slow_visit;
	s->ops.dwords = NULL;
	s->ops.batch = &batch;
	s->ops.host = &s->host;
	s->acc.ops = &s->ops;
	s->visit_ns = visit_ns;
	s->first = r->node.plan.read[r->node.plan.block[0].first];
}

static void
where_samples_take_long_few_are_tried(void **state)
{
	struct rig *r = rig_open("@skx-8160-2s", NULL);
	struct sweep s = { .home = -1 };
	struct slow x;

	(void)state;
	/* 98 visits a sample, 98 ms; 2 where lprocs are read from afar */
	wrap(&x, r, MS);
	for (unsigned i = 0; i < r->node.plan.nblock; i++)
		r->node.plan.block[i].visit = true;
	s.changed = calloc(r->node.plan.nwrite + 1, sizeof(s.changed[0]));
	measure_modes(&s, &r->node.plan, &x.acc, false, false, r->row);
	/* visit: one for caches and three; remote up to 11 of each kind */
	assert_int_equal(x.first_reads, 4 + 12 + 12);
	assert_true(x.spent_ns < 500 * MS);
	assert_true(s.us[READ_VISIT] > 90e3 && s.us[READ_VISIT] < 100e3);
	assert_true(s.us[READ_REMOTE] < 1);
	assert_true(s.us[READ_BATCH] == 0 && s.us[READ_PINNED] == 0);
	free(s.changed);
	rig_close(r);
}

static void
where_they_are_short_each_is_tried_eleven_times(void **state)
{
	struct rig *r = rig_open("@skx-8160-2s", NULL);
	struct sweep s = { .home = -1 };
	struct slow x;

	(void)state;
	wrap(&x, r, 1000);
	for (unsigned i = 0; i < r->node.plan.nblock; i++)
		r->node.plan.block[i].visit = true;
	s.changed = calloc(r->node.plan.nwrite + 1, sizeof(s.changed[0]));
	assert_int_equal(msr_batch_init(&s.batch, &r->node.plan, &x.acc), 0);
	x.batches = 0;
	measure_modes(&s, &r->node.plan, &x.acc, true, false, r->row);
	assert_int_equal(x.first_reads, 3 * 12);
	assert_int_equal(x.batches, 12);
	assert_true(s.us[READ_BATCH] > 999 && s.us[READ_BATCH] < 1001);
	msr_batch_fini(&s.batch);
	free(s.changed);
	rig_close(r);
}

static void
all_four_ways_are_tried_where_they_are_there(void **state)
{
	struct rig *r = rig_open("@skx-8160-2s", NULL);
	struct sweep s = { .home = -1 };

	(void)state;
	s.changed = calloc(r->node.plan.nwrite + 1, sizeof(s.changed[0]));
	assert_int_equal(msr_batch_init(&s.batch, &r->node.plan,
	    r->node.acc), 0);
	measure_modes(&s, &r->node.plan, r->node.acc, true, true, r->row);
	for (enum read_mode m = READ_BATCH; m < READ_MODES; m++)
		assert_true(s.us[m] > 0);
	assert_true(s.cpu_us > 0);
	assert_null(strstr(s.why, "not available"));
	assert_non_null(strstr(s.why, " pinned "));
	assert_non_null(strstr(s.why, " of CPU"));
	msr_batch_fini(&s.batch);
	free(s.changed);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_samples_take_long_few_are_tried),
		cmocka_unit_test(
		    where_they_are_short_each_is_tried_eleven_times),
		cmocka_unit_test(all_four_ways_are_tried_where_they_are_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
