/*
 * tests/daemon/test_choose_way.c - which way to read is taken where all of them are there, and
 * how long that is allowed to take.
 */
#include "tests/lib/rig.h"
#include "tests/lib/stand_in.h"

#include "daemon/read/measure.h"
#include "daemon/read/sweep.h"
#include "regs/linux/linux.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#define MS 1000000ull

/* The simulated node, where to move to another lproc takes a while. */
struct slow {
	struct access acc;
	struct access_ops ops;
	struct host_ops host;
	struct access *inner;
	uint64_t visit_ns, batch_ns, spent_ns;
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
	s->spent_ns += s->batch_ns;
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

static double
cost(const struct sweep *s, enum read_mode m)
{
	return s->cost[m].wall_us;
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
	/* of visit three trials at most, and seven of moving to two packages */
	assert_true(x.spent_ns <= (3 * 98 + 7 * 2 * 3) * MS);
	assert_true(cost(&s, READ_VISIT) > 90e3 && cost(&s, READ_VISIT) < 100e3);
	assert_true(cost(&s, READ_REMOTE) < 1000);
	assert_true(cost(&s, READ_BATCH) == 0 && cost(&s, READ_PINNED) == 0);
	free(s.changed);
	rig_close(r);
}

static void
where_they_are_short_each_is_tried_several_times(void **state)
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
	x.batch_ns = MS / 5;
	measure_modes(&s, &r->node.plan, &x.acc, true, false, r->row);
	assert_true(x.batches >= 3 && x.batches <= 21);
	assert_true(cost(&s, READ_BATCH) >= 200);
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
		assert_true(cost(&s, m) > 0);
	assert_true(s.cost[READ_PINNED].cpu_us > 0);
	assert_null(strstr(s.why, "not available"));
	assert_non_null(strstr(s.why, " pinned "));
	assert_non_null(strstr(s.why, " interrupts"));
	msr_batch_fini(&s.batch);
	free(s.changed);
	rig_close(r);
}

/* The kernel leaves all lprocs but 0 alone (nohz_full=): the thread of lproc 0, which runs
 * on that CPU, reads package 1 as well. */
static void
trials_leave_each_register_with_its_package(void **state)
{
	struct rig *r = rig_open("@skx-8160-2s", NULL);
	struct plan *p = &r->node.plan;
	struct sweep s = { .home = -1 };
	cpu_set_t before, first;
	unsigned written = 0;

	(void)state;
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	sched_getaffinity(0, sizeof(before), &before);
	if (sched_setaffinity(0, sizeof(first), &first) < 0) {
		print_message("skipped: CPU 0 is not for this process\n");
		skip();
	}
	for (unsigned i = 0; i < p->nblock; i++) {
		p->block[i].visit = true;
		p->block[i].left_alone = p->block[i].lproc != 0;
	}
	s.changed = calloc(p->nwrite + 1, sizeof(s.changed[0]));
	measure_modes(&s, p, r->node.acc, false, true, r->row);
	sched_setaffinity(0, sizeof(before), &before);
	assert_true(cost(&s, READ_PINNED) > 0);
	for (unsigned i = 0; i < p->nblock; i++)
		if (p->block[i].pkg >= 0)
			assert_int_equal(p->lproc.pkg[p->block[i].lproc],
			    p->block[i].pkg);
	for (unsigned i = 0; i < p->nwrite; i++) {
		const struct plan_write *w = &p->write[i];

		if (w->pkg < 0 || w->addr.space != REG_MSR)
			continue;
		assert_int_equal(p->lproc.pkg[w->addr.unit], w->pkg);
		written++;
	}
	assert_true(written > 0);
	free(s.changed);
	rig_close(r);
}

/* A number between 0 and 1 (xorshift), the same ones in each run. */
static double
draw(void)
{
	static uint64_t x = 88172645463325252;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return (double)(x >> 11) / 9007199254740992.0;
}

/* A figure as one trial finds it: up to 1.5 times as much, or as little. */
static double
noisy(double v)
{
	return v * pow(1.5, 2 * draw() - 1);
}

static struct read_cost
some_trials(const struct read_cost *true_cost)
{
	struct read_trials t = { .n = READ_TRIALS };

	for (unsigned i = 0; i < t.n; i++)
		t.of[i] = (struct read_cost){ noisy(true_cost->wall_us),
		    noisy(true_cost->cpu_us), noisy(true_cost->switches),
		    noisy(true_cost->interrupts) };
	return read_cost_median(&t);
}

/* What was measured in an emulated guest of 24 lprocs: wall time, CPU time in us,
 * switches, interrupts. */
static void
the_same_way_is_taken_in_nineteen_of_twenty_starts(void **state)
{
	static const struct {
		int line;
		struct read_cost cost[READ_MODES];
		enum read_mode want;
	} rows[] = {
		/* all that Skylake has, where msr-safe is not, 552 registers */
		{ __LINE__, { [READ_PINNED] = { 3000, 8100, 49, 1 },
		    [READ_VISIT] = { 21200, 21800, 72, 25 },
		    [READ_REMOTE] = { 19600, 19100, 67, 333 } }, READ_PINNED },
		/* its turns of event sets leave no threads */
		{ __LINE__, { [READ_VISIT] = { 11000, 7700, 72, 25 },
		    [READ_REMOTE] = { 20000, 7700, 67, 333 } }, READ_VISIT },
		{ __LINE__, { [READ_VISIT] = { 11000, 7700, 72, 25 },
		    [READ_REMOTE] = { 28000, 7000, 67, 458 } }, READ_VISIT },
		/* the cores' own, idle */
		{ __LINE__, { [READ_PINNED] = { 26000, 3500, 48, 1 },
		    [READ_VISIT] = { 9500, 7000, 72, 25 },
		    [READ_REMOTE] = { 9000, 5000, 48, 120 } }, READ_PINNED },
		/* and with msr-safe */
		{ __LINE__, { [READ_BATCH] = { 1800, 2600, 1, 22 },
		    [READ_PINNED] = { 3000, 8100, 49, 1 },
		    [READ_VISIT] = { 21200, 21800, 72, 25 },
		    [READ_REMOTE] = { 19600, 19100, 67, 286 } }, READ_BATCH },
		/* a busy loop on each: visits wait for their time */
		{ __LINE__, { [READ_PINNED] = { 52000, 10000, 49, 1 },
		    [READ_VISIT] = { 600000, 15000, 72, 25 },
		    [READ_REMOTE] = { 9e6, 90000, 67, 286 } }, READ_PINNED },
		/* one register of each lproc */
		{ __LINE__, { [READ_PINNED] = { 1700, 1900, 48, 1 },
		    [READ_VISIT] = { 20000, 18000, 60, 22 },
		    [READ_REMOTE] = { 1500, 800, 30, 24 } }, READ_PINNED },
		{ __LINE__, { [READ_VISIT] = { 20000, 18000, 60, 22 },
		    [READ_REMOTE] = { 1500, 800, 30, 24 } }, READ_REMOTE },
		/* a register of each of two CPUs */
		{ __LINE__, { [READ_PINNED] = { 90, 60, 5, 1 },
		    [READ_VISIT] = { 170, 40, 6, 2 },
		    [READ_REMOTE] = { 17, 17, 0, 1 } }, READ_REMOTE },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned as_wanted = 0;

		for (unsigned start = 0; start < 2000; start++) {
			struct read_cost found[READ_MODES] = {{ 0 }};

			for (enum read_mode m = READ_BATCH; m < READ_MODES; m++)
				found[m] = some_trials(&rows[i].cost[m]);
			as_wanted += read_cost_choose(found) == rows[i].want;
		}
		if (as_wanted < 1900)
			fail_msg("row at line %d: in %u of 2000 starts",
			    rows[i].line, as_wanted);
	}
}

static void
a_single_trial_that_went_wrong_changes_nothing(void **state)
{
	struct read_trials t = { .n = 5, .of = { { 10, 5, 2, 1 },
	    { 11, 6, 2, 1 }, { 9000, 4000, 900, 900 }, { 9, 5, 3, 0 },
	    { 10, 5, 2, 1 } } };
	struct read_cost c = read_cost_median(&t);

	(void)state;
	assert_true(c.wall_us == 10 && c.cpu_us == 5 && c.switches == 2 &&
	    c.interrupts == 1);
	t.n = 2;
	assert_true(read_cost_median(&t).wall_us == 10.5);
	t.n = 0;
	assert_true(read_cost_median(&t).wall_us == 0);
}

/* Two lprocs; on Arm the labels are others, the words are the same. */
static void
switches_and_interrupts_are_those_that_the_node_counts(void **state)
{
	static const char stat[] = "cpu  1 2 3\ncpu0 1 2 3\nintr 99 0 1\n"
	    "ctxt 123456\nbtime 17\n";
	static const char x86[] = "           CPU0       CPU1\n"
	    "  0:         33          0   IO-APIC   2-edge      timer\n"
	    "LOC:    1111111    2222222   Local timer interrupts\n"
	    "RES:        120         30   Rescheduling interrupts\n"
	    "CAL:          7       1000   Function call interrupts\n"
	    "ERR:          0\n";
	static const char arm[] = "           CPU0       CPU1\n"
	    "IPI0:        12          3       Rescheduling interrupts\n"
	    "IPI1:         7          0       Function call interrupts\n"
	    "Err:          0\n";
	char *dir = tree_new(), buf[4096];
	struct node_events e;
	struct access *acc;
	struct diag why;

	(void)state;
	tree_text(dir, "/proc/stat", stat);
	tree_text(dir, "/proc/interrupts", x86);
	assert_int_equal(linux_open(&acc, dir, &why), 0);
	assert_int_equal(node_events(acc, buf, sizeof(buf), &e), 0);
	assert_int_equal(e.switches, 123456);
	assert_int_equal(e.interrupts, 150 + 1007);
	tree_text(dir, "/proc/interrupts", arm);
	assert_int_equal(node_events(acc, buf, sizeof(buf), &e), 0);
	assert_int_equal(e.interrupts, 22);
	/* that is not all of it */
	assert_int_equal(node_events(acc, buf, sizeof(arm) - 20, &e), -E2BIG);
	tree_text(dir, "/proc/interrupts", "CPU0\n");
	assert_int_equal(node_events(acc, buf, sizeof(buf), &e), -ENODATA);
	tree_text(dir, "/proc/stat", "cpu  1 2 3\n");
	assert_int_equal(node_events(acc, buf, sizeof(buf), &e), -ENODATA);
	access_close(acc);
	tree_free(dir);
}

/* On a node of files, whose counts of switches and interrupts stand still. */
static void
what_was_weighed_is_said_by_check_and_in_the_head(void **state)
{
	static const char *const key[] = { "read_us", "read_cpu_us",
	    "read_switches", "read_interrupts" };
	char *dir = stand_in_new(), path[512], line[64];
	char *dump;

	(void)state;
	tree_text(dir, "/proc/stat", "cpu  1 2 3\nctxt 5\n");
	tree_text(dir, "/proc/interrupts", "CAL: 7 7 Function call interrupts\n");
	assert_int_equal(tallyd_run(dir, NULL, ARGS("--check")), 0);
	assert_true(tallyd_kept_quiet(dir, "\nread "));
	assert_int_equal(tallyd_run(dir, NULL, ARGS("--check", "-v")), 0);
	assert_true(tallyd_said(dir, "\nread     "));
	assert_true(tallyd_said(dir, "; visit "));
	assert_true(tallyd_said(dir, " CPU "));
	assert_true(tallyd_said(dir, " 0 switches, 0 interrupts; remote "));
	assert_int_equal(tallyd_run(dir, NULL, ARGS("-q", "-n", "3", "-i",
	    "0.05")), 0);
	dump = file_text(in_dir(dir, "dump.lua", path), NULL);
	for (size_t i = 0; i < sizeof(key) / sizeof(key[0]); i++) {
		snprintf(line, sizeof(line), "\n%s[\"visit\"] = ", key[i]);
		assert_non_null(strstr(dump, line));
	}
	free(dump);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(where_samples_take_long_few_are_tried),
		cmocka_unit_test(
		    where_they_are_short_each_is_tried_several_times),
		cmocka_unit_test(all_four_ways_are_tried_where_they_are_there),
		cmocka_unit_test(trials_leave_each_register_with_its_package),
		cmocka_unit_test(
		    the_same_way_is_taken_in_nineteen_of_twenty_starts),
		cmocka_unit_test(a_single_trial_that_went_wrong_changes_nothing),
		cmocka_unit_test(
		    what_was_weighed_is_said_by_check_and_in_the_head),
		cmocka_unit_test(
		    switches_and_interrupts_are_those_that_the_node_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
