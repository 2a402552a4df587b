/*
 * tests/daemon/test_sweep.c - how a sample is read: which lproc is disturbed how
 * often, what is chosen and why, stamps, and who else writes our controls.
 *
 * The simulated node stands behind a door that counts, and that charges for
 * every visit and every read as a real node does.
 */
#include "tests/lib/named.h"
#include "config/sim/machine.h"
#include "tests/lib/rig.h"

#include "daemon/node/program.h"
#include "regs/sim/sim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LPROCS 96

struct door {
	struct access acc;
	struct access_ops ops;
	struct access *inner;
	int here;
	unsigned visits[LPROCS], refused_visits;
	unsigned local, remote, writes, controls;
	bool forbidden[LPROCS];         /* by a cpuset, say */
	/* what things cost, in ns */
	uint64_t visit_ns, local_ns, remote_ns, batch_ns, spent_ns;
	struct reg_addr batch[8192];
	unsigned nbatch;
	bool batch_broken;
};

static int
door_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	struct door *d = (struct door *)acc;

	if (addr->space == REG_MSR && (int)addr->unit == d->here) {
		d->local++;
		d->spent_ns += d->local_ns;
	} else if (addr->space == REG_MSR) {
		d->remote++;
		d->spent_ns += d->remote_ns;
	}
	if (addr->space == REG_MSR && addr->offset == 0x186)
		d->controls++;
	return d->inner->ops->read(d->inner, addr, raw);
}

static int
door_write(struct access *acc, const struct reg_addr *addr, uint64_t raw)
{
	struct door *d = (struct door *)acc;

	d->writes++;
	return d->inner->ops->write(d->inner, addr, raw);
}

static void
door_now(struct access *acc, struct stamp *st)
{
	struct door *d = (struct door *)acc;

	access_now(d->inner, st);
	st->mono_ns += d->spent_ns;
	st->tsc += d->spent_ns * 2;
}

static int
door_visit(struct access *acc, unsigned lproc)
{
	struct door *d = (struct door *)acc;

	assert_true(lproc < LPROCS);
	if (d->forbidden[lproc]) {
		d->refused_visits++;
		return -EINVAL;
	}
	d->visits[lproc]++;
	d->here = (int)lproc;
	d->spent_ns += d->visit_ns;
	return 0;
}

static int
door_batch_prepare(struct access *acc, const struct reg_addr *addr, unsigned n)
{
	struct door *d = (struct door *)acc;

	assert_true(n <= 8192);
	memcpy(d->batch, addr, n * sizeof(addr[0]));
	d->nbatch = n;
	return 0;
}

static int
door_batch_read(struct access *acc, uint64_t *raw)
{
	struct door *d = (struct door *)acc;

	if (d->batch_broken)
		return -EIO;
	d->spent_ns += d->batch_ns;
	for (unsigned i = 0; i < d->nbatch; i++)
		access_read(d->inner, &d->batch[i], &raw[i]);
	return 0;
}

static const struct batch_ops door_batch = {
	.prepare = door_batch_prepare, .read = door_batch_read,
};

static int
door_sleep(struct access *acc, uint64_t mono_ns, const sigset_t *unblocked)
{
	return access_sleep(((struct door *)acc)->inner, mono_ns, unblocked);
}

static ssize_t
door_file(struct access *acc, const char *path, uint64_t offset, void *buf,
    size_t size)
{
	return access_file(((struct door *)acc)->inner, path, offset, buf, size);
}

static const struct host_ops door_host = {
	.now = door_now, .sleep = door_sleep, .file = door_file,
};

struct scene {
	struct rig *rig;
	struct door *door;
	struct sweep sweep;
	uint64_t *row;
};

static struct scene
begin(void)
{
	struct scene s = { .rig = rig_open("@skx-8160-2s", NULL) };

	s.door = calloc(1, sizeof(*s.door));
	assert_non_null(s.door);
	s.door->inner = s.rig->node.acc;
	s.door->ops = (struct access_ops){ .name = "door", .read = door_read,
	    .write = door_write, .host = &door_host,
	    .visit = door_visit };
	s.door->acc.ops = &s.door->ops;
	s.door->here = -1;
	s.row = calloc(s.rig->node.plan.ncell, sizeof(s.row[0]));
	assert_non_null(s.row);
	rig_program(s.rig);
	return s;
}

static void
end(struct scene *s)
{
	sweep_fini(&s->sweep);
	rig_close(s->rig);
	free(s->door);
	free(s->row);
}

static void
read_as(struct scene *s, enum read_mode mode, int home)
{
	struct diag why;

	if (sweep_init(&s->sweep, &s->rig->node.plan, &s->door->acc, mode,
	    home, &why) < 0)
		fail_msg("%s", why.text);
	memset(s->door->visits, 0, sizeof(s->door->visits));
	s->door->local = s->door->remote = s->door->refused_visits = 0;
	s->door->here = -1;
}

/* Takes one; how many of its reads failed. */
static unsigned
row_of(struct scene *s)
{
	const struct plan *p = &s->rig->node.plan;
	unsigned absent = 0;

	sweep_row(&s->sweep, &s->rig->node.plan, &s->door->acc, s->row);
	for (unsigned i = 0; i < p->nblock; i++)
		for (unsigned k = 0; k < p->block[i].n; k++)
			absent += s->row[p->block[i].cell + 1 + k] == ABSENT;
	return absent;
}

static uint64_t
value(const struct scene *s, const char *name)
{
	const struct plan *p = &s->rig->node.plan;

	for (unsigned i = 0; i < p->ncolumn; i++)
		if (is_named(&p->column[i].id, name))
			return s->row[p->column[i].cell];
	fail_msg("no column %s", name);
	return 0;
}

static void
each_lproc_is_disturbed_once_a_sample(void **state)
{
	struct scene s = begin();

	(void)state;
	read_as(&s, READ_VISIT, -1);
	for (unsigned n = 1; n <= 3; n++) {
		assert_int_equal(row_of(&s), 0);
		for (unsigned l = 0; l < LPROCS; l++)
			if (s.door->visits[l] != n)
				fail_msg("lproc %u was visited %u times in %u "
				    "samples", l, s.door->visits[l], n);
	}
	/* and everything it holds, its package's registers too, is local */
	assert_true(s.door->local > 3 * 1000);
	assert_int_equal(s.door->remote, 0);
	assert_int_equal(s.door->writes, 0);
	end(&s);
}

static void
the_thread_goes_home_after_each_sample(void **state)
{
	struct scene s = begin();

	(void)state;
	read_as(&s, READ_VISIT, 7);
	row_of(&s);
	assert_int_equal(s.door->here, 7);
	assert_int_equal(s.door->visits[7], 2);
	assert_int_equal(s.door->visits[8], 1);
	end(&s);
}

static void
remote_reading_moves_to_each_package_and_to_no_other_lproc(void **state)
{
	struct scene s = begin();
	unsigned moves = 0;

	(void)state;
	read_as(&s, READ_REMOTE, -1);
	/* measured, and a loaded host may find otherwise (test_choose_way) */
	s.sweep.stay = false;
	assert_int_equal(row_of(&s), 0);
	for (unsigned l = 0; l < LPROCS; l++)
		moves += s.door->visits[l];
	/* package 0 is read on lproc 0, package 1 on lproc 24 */
	assert_int_equal(moves, 2);
	assert_int_equal(s.door->visits[0] + s.door->visits[24], 2);
	assert_true(s.door->remote > 800);
	end(&s);
}

static void
an_lproc_that_is_out_of_bounds_is_read_from_elsewhere(void **state)
{
	struct scene s = begin();

	(void)state;
	s.door->forbidden[0] = s.door->forbidden[5] = true;
	read_as(&s, READ_VISIT, -1);
	assert_int_equal(row_of(&s), 0);
	assert_int_equal(s.door->refused_visits, 0);
	assert_int_equal(s.door->visits[0] + s.door->visits[5], 0);
	assert_int_equal(s.door->visits[6], 1);
	assert_true(s.door->remote > 0);
	assert_true(value(&s, "aperf[5]") != ABSENT);
	assert_true(value(&s, "aperf[0]") != ABSENT);
	assert_true(value(&s, "pcu_counts[0][\"FREQ_TRANS_CYCLES\"]") !=
	    ABSENT);
	end(&s);
}

static void
every_mode_reads_the_same(void **state)
{
	static const enum read_mode mode[] = { READ_VISIT, READ_REMOTE,
	    READ_BATCH };
	uint64_t *first = NULL;

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct scene s = begin();
		const struct plan *p = &s.rig->node.plan;

		s.door->ops.batch = &door_batch;
		read_as(&s, mode[i], -1);
		sim_advance((struct sim *)(void *)s.door->inner, 20000000000);
		assert_int_equal(row_of(&s), 0);
		if (first == NULL) {
			first = calloc(p->ncell, sizeof(first[0]));
			memcpy(first, s.row, p->ncell * sizeof(first[0]));
		}
		for (unsigned c = 0; c < p->ncolumn; c++)
			if (plan_cell_addr(p, p->column[c].cell) != NULL &&
			    s.row[p->column[c].cell] !=
			    first[p->column[c].cell])
				fail_msg("%s differs with --read %s",
				    p->column[c].id.family->name,
				    read_mode_name(mode[i]));
		end(&s);
	}
	free(first);
}

static void
the_shortest_sample_wins_and_what_disturbs_less_where_equal(void **state)
{
	static const struct {
		int line;
		uint64_t visit_ns, local_ns, remote_ns, batch_ns;
		enum read_mode want;
	} rows[] = {
		/* as on hardware: a remote read 10 us, a visit 20 us */
		{ __LINE__, 20000, 200, 10000, 0, READ_VISIT },
		/* visits that wait for a time slice */
		{ __LINE__, 4000000, 200, 10000, 0, READ_REMOTE },
		/* about 8 MSRs an lproc: a visit costs just what they do */
		{ __LINE__, 90000, 200, 10000, 0, READ_VISIT },
		/* msr-safe: one call */
		{ __LINE__, 20000, 200, 10000, 900000, READ_BATCH },
		{ __LINE__, 20000, 200, 10000, 9000000, READ_VISIT },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct scene s = begin();
		char name[16];

		s.door->visit_ns = rows[i].visit_ns;
		s.door->local_ns = rows[i].local_ns;
		s.door->remote_ns = rows[i].remote_ns;
		s.door->batch_ns = rows[i].batch_ns;
		if (rows[i].batch_ns > 0) {
			s.door->ops.batch = &door_batch;
		}
		read_as(&s, READ_AUTO, -1);
		if (s.sweep.mode != rows[i].want)
			fail_msg("row at line %d: %s", rows[i].line,
			    s.sweep.why);
		/* it says which, and the figures are kept for the dump */
		snprintf(name, sizeof(name), "%s, ",
		    read_mode_name(rows[i].want));
		assert_memory_equal(s.sweep.why, name, strlen(name));
		assert_true(s.sweep.cost[READ_VISIT].wall_us > 0);
		assert_true(s.sweep.cost[READ_REMOTE].wall_us > 0);
		assert_true((s.sweep.cost[READ_BATCH].wall_us > 0) ==
		    (rows[i].batch_ns > 0));
		end(&s);
	}
}

static void
a_mode_that_is_not_to_be_had_is_refused(void **state)
{
	struct scene s = begin();
	struct plan *p = &s.rig->node.plan;
	struct diag why;

	(void)state;
	assert_true(sweep_init(&s.sweep, p, &s.door->acc, READ_BATCH, -1,
	    &why) < 0);
	assert_non_null(strstr(why.text, "msr-safe"));
	sweep_fini(&s.sweep);
	s.door->ops.visit = NULL;
	assert_true(sweep_init(&s.sweep, p, &s.door->acc, READ_VISIT, -1,
	    &why) < 0);
	assert_non_null(strstr(why.text, "--read visit"));
	sweep_fini(&s.sweep);
	read_as(&s, READ_AUTO, -1);
	assert_int_equal(s.sweep.mode, READ_REMOTE);
	end(&s);
}

static void
a_batch_that_fails_is_read_one_by_one(void **state)
{
	struct scene s = begin();

	(void)state;
	s.door->ops.batch = &door_batch;
	read_as(&s, READ_BATCH, -1);
	s.door->batch_broken = true;
	assert_int_equal(row_of(&s), 0);
	assert_true(value(&s, "aperf[95]") != ABSENT);
	end(&s);
}

static void
every_block_carries_the_time_at_which_it_was_read(void **state)
{
	struct scene s = begin();
	const struct plan *p = &s.rig->node.plan;
	struct stamp before, after;
	struct diag why;
	uint64_t last;

	(void)state;
	s.door->visit_ns = 20000;
	s.door->local_ns = 200;
	read_as(&s, READ_VISIT, -1);
	door_now(&s.door->acc, &before);
	row_of(&s);
	door_now(&s.door->acc, &after);
	last = before.tsc;
	for (unsigned i = 0; i < p->nblock; i++) {
		uint64_t stamp = s.row[p->block[i].cell];

		assert_true(stamp >= last && stamp < after.tsc);
		last = stamp + p->block[i].n;   /* reads take their time */
	}
	/* the skew inside this sample is what the visits cost: 96 of them */
	assert_true(value(&s, "lproc_tsc[95]") - value(&s, "lproc_tsc[0]") >
	    95 * 20000 * 2);
	/* nothing was read at an lproc that is gone */
	assert_int_equal(machine_fault((struct sim *)(void *)s.door->inner,
	    "lproc 33 offline", &why), 0);
	assert_true(row_of(&s) > 5);
	assert_true(value(&s, "lproc_tsc[33]") == ABSENT);
	assert_true(value(&s, "lproc_tsc[34]") != ABSENT);
	end(&s);
}

static void
a_control_that_somebody_changed_is_found_once(void **state)
{
	struct scene s = begin();
	const struct plan *p = &s.rig->node.plan;
	struct sim *sim = (struct sim *)(void *)s.door->inner;
	struct diag why;

	(void)state;
	read_as(&s, READ_VISIT, -1);
	/* no control is read in an ordinary sample */
	s.door->controls = 0;
	row_of(&s);
	assert_int_equal(s.door->controls, 0);
	s.sweep.watching = true;
	row_of(&s);
	assert_int_equal(s.door->controls, LPROCS);
	assert_int_equal(s.sweep.nchanged, 0);
	/* the visit looks: nobody is disturbed once more */
	assert_int_equal(s.door->visits[60], 2);
	assert_int_equal(s.door->remote, 0);
	assert_int_equal(machine_fault(sim, "lproc 60 msr 0x187 = 0x4300c5", &why),
	    0);
	row_of(&s);
	assert_int_equal(s.sweep.nchanged, 1);
	assert_int_equal(p->write[s.sweep.changed[0].write].addr.unit, 60);
	assert_string_equal(p->write[s.sweep.changed[0].write].role, "ctl1");
	assert_true(s.sweep.changed[0].found == 0x4300c5);
	row_of(&s);
	assert_int_equal(s.sweep.nchanged, 0);
	assert_int_equal(s.door->writes, 0);
	end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_lproc_is_disturbed_once_a_sample),
		cmocka_unit_test(the_thread_goes_home_after_each_sample),
		cmocka_unit_test(
		    remote_reading_moves_to_each_package_and_to_no_other_lproc),
		cmocka_unit_test(
		    an_lproc_that_is_out_of_bounds_is_read_from_elsewhere),
		cmocka_unit_test(every_mode_reads_the_same),
		cmocka_unit_test(
		    the_shortest_sample_wins_and_what_disturbs_less_where_equal),
		cmocka_unit_test(a_mode_that_is_not_to_be_had_is_refused),
		cmocka_unit_test(a_batch_that_fails_is_read_one_by_one),
		cmocka_unit_test(
		    every_block_carries_the_time_at_which_it_was_read),
		cmocka_unit_test(a_control_that_somebody_changed_is_found_once),
	};

	return cmocka_run_group_tests_name("sweep", tests, NULL, NULL);
}
