/*
 * tests/regs/models/test_hybrid.c - the kernel programs, tallyd reads: on the simulated
 * Skylake node whose kernel has all PMUs, against the other ways to count.
 */
#include "tests/lib/named.h"
#include "tests/lib/rig.h"
#include "tests/lib/sim_compare.h"

#include "config/sim/machine.h"
#include "config/texts.h"
#include "daemon/node/program.h"
#include "regs/perf.h"
#include "regs/sim/sim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two of four general counters, the three fixed ones; boxes; and what always
 * runs. */
static const char some[] =
    "core A event=0x3c,umask=0x01\n"
    "core B event=0xd1,umask=0x04\n"
    "core fixed\n"
    "imc CAS_COUNT.READS event=0x04,umask=0x03\n"
    "cha TICKS event=0x00\n"
    "read rapl_pkg_energy aperf mperf\n";

static const char a5[] = "core_counts[5][\"A\"]";

/* @skx-locked, whose kernel lets registers be written. */
static struct sim *
open_machine(const char *more)
{
	static const char locked[] = "\nfrom 0 msr writes EPERM\n";
	const struct text *t = text_named("@skx-locked", TEXT_MACHINE);
	char *text = NULL, *at;
	struct sim *sim;
	struct diag why;

	assert_true(asprintf(&text, "%.*s\nfile /sys/kernel/security/lockdown "
	    "= [none] integrity\\n\nread_cost 0\n%s", (int)(t->end - t->data),
	    t->data, more) > 0);
	at = strstr(text, locked);
	assert_non_null(at);
	memset(at + 1, ' ', strlen(locked) - 2);
	if (machine_parse(&sim, "test.machine", text, strlen(text), &why) < 0)
		fail_msg("%s", why.text);
	free(text);
	sim_virtual(sim, true);
	return sim;
}

/* NULL with words in why, where it is refused. */
static struct rig *
node_by(enum access_mode by, bool no_taint, const char *more,
    const char *config, struct diag *why)
{
	struct rig *r = calloc(1, sizeof(*r));

	r->o.node.access = by;
	r->o.node.no_taint = no_taint;
	r->node.acc = sim_access(open_machine(more));
	if (topo_load(&r->node.topo, r->node.acc, why) < 0 ||
	    inventory_load(&r->node.inv, &r->node.topo, r->node.acc, why) < 0)
		fail_msg("%s", why->text);
	assert_int_equal(config_init(&r->node.config, r->node.topo.model), 0);
	if (!rig_choose(r, config, why))
		return NULL;
	rig_program(r);
	rig_sample(r);
	return r;
}

static struct rig *
counted_by(enum access_mode by, const char *config)
{
	struct diag why;
	struct rig *r = node_by(by, false, "", config, &why);

	if (r == NULL)
		fail_msg("%s", why.text);
	return r;
}

static void
second(struct rig *r)
{
	sim_advance(rig_sim(r), 1000000000);
	rig_sample(r);
}

static const struct column *
like(const struct rig *r, const struct column *c, char *name, size_t size)
{
	column_text(&c->id, "", name, size);
	for (unsigned i = 0; i < r->node.plan.ncolumn; i++)
		if (is_named(&r->node.plan.column[i].id, name))
			return &r->node.plan.column[i];
	return NULL;
}

/* What a column has counted between two rows. */
static uint64_t
delta(const struct column *c, const uint64_t *from, const uint64_t *to)
{
	return (to[c->cell] - from[c->cell]) & ~0ull >> (64 - c->bits);
}

/* All columns of the families that both have count the same, but for `slack`;
 * how many do. */
static unsigned
same_counts(struct rig *a, struct rig *b, uint64_t slack)
{
	size_t na = a->node.plan.ncell * sizeof(a->row[0]);
	size_t nb = b->node.plan.ncell * sizeof(b->row[0]);
	uint64_t *wasa = malloc(na), *wasb = malloc(nb);
	char name[MAX_NAME];
	unsigned n = 0;

	second(a);
	second(b);
	memcpy(wasa, a->row, na);
	memcpy(wasb, b->row, nb);
	second(a);
	second(b);
	for (unsigned i = 0; i < a->node.plan.ncolumn; i++) {
		const struct column *c = &a->node.plan.column[i], *d;
		uint64_t one, two;

		if (strstr(c->id.family->name, "_counts") == NULL ||
		    (d = like(b, c, name, sizeof(name))) == NULL)
			continue;
		n++;
		one = delta(c, wasa, a->row);
		two = delta(d, wasb, b->row);
		if (one > two + slack || two > one + slack)
			fail_msg("%s: %" PRIu64 " and %" PRIu64, name, one,
			    two);
	}
	free(wasa);
	free(wasb);
	return n;
}

/* 96 lprocs, 12 channels, 48 CHAs */
static void
all_ways_to_count_give_the_same_figures(void **state)
{
	struct rig *raw = counted_by(ACCESS_RAW, some);
	struct rig *perf = counted_by(ACCESS_PERF, some);
	struct rig *hybrid = counted_by(ACCESS_HYBRID, some);

	(void)state;
	assert_int_equal(same_counts(raw, perf, 0), 96 * 5 + 12 + 48);
	assert_int_equal(same_counts(hybrid, raw, 0), 96 * 5 + 12 + 48);
	assert_int_equal(same_counts(perf, hybrid, 0), 96 * 5 + 12 + 48);
	rig_close(raw);
	rig_close(perf);
	rig_close(hybrid);
}

/* In the registers' own units: the kernel's RAPL has another, and it has no
 * mperf here. */
static void
what_always_runs_is_read_as_registers(void **state)
{
	struct rig *raw = counted_by(ACCESS_RAW, some);
	struct rig *hybrid = counted_by(ACCESS_HYBRID, some);
	static const char *const column[] = { "rapl_pkg_energy[1]",
	    "aperf[7]", "mperf[95]" };

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		assert_true(rig_second(raw, column[i]) ==
		    rig_second(hybrid, column[i]));
	rig_close(raw);
	rig_close(hybrid);
}

static void
neither_hybrid_nor_perf_writes_a_register(void **state)
{
	(void)state;
	for (enum access_mode by = ACCESS_PERF; by <= ACCESS_HYBRID; by++) {
		struct rig *r = counted_by(by, some);

		for (unsigned i = 0; i < 3; i++)
			second(r);
		assert_int_equal(r->node.plan.nwrite, 0);
		rig_restore(r);
		assert_int_equal(sim_writes(rig_sim(r)), 0);
		rig_close(r);
	}
}

/* Whoever moves the counter moves what is read, but never back. */
static void
a_hybrid_count_is_read_from_the_counter(void **state)
{
	struct rig *r = counted_by(ACCESS_HYBRID, some);
	struct reg_addr pmc0 = { REG_MSR, 8, 5, 0xc1 };
	uint64_t raw, before, once;
	char line[96];

	(void)state;
	second(r);
	before = rig_value(r, a5);
	second(r);
	once = rig_value(r, a5) - before;
	assert_int_equal(access_read(r->node.acc, &pmc0, &raw), 0);
	snprintf(line, sizeof(line), "lproc 5 msr 0x4c1 = 0x%" PRIx64, raw + 5);
	rig_fault(r, line);
	second(r);
	assert_true(rig_value(r, a5) == before + 2 * once + 5);
	/* the kernel knows nothing of it, and is asked where it goes back */
	snprintf(line, sizeof(line), "lproc 5 msr 0x4c1 = 0x%" PRIx64,
	    raw - 2 * once);
	rig_fault(r, line);
	second(r);
	assert_true(rig_value(r, a5) == before + 3 * once);
	second(r);
	assert_true(rig_value(r, a5) == before + 4 * once);
	rig_close(r);
}

/* Two general counters and the fixed ones of 96 lprocs; no box has an index. */
static void
it_is_said_how_many_groups_are_read_at_their_counters(void **state)
{
	struct rig *r = counted_by(ACCESS_HYBRID, some);
	struct rig *perf = counted_by(ACCESS_PERF, some);

	(void)state;
	assert_string_equal(access_note(r->node.acc, REG_PERF), "hybrid: 192 of "
	    "252 groups of events are read where their counters are, the "
	    "others by the kernel");
	assert_null(access_note(perf->node.acc, REG_PERF));
	rig_close(r);
	rig_close(perf);
}

static void
events_that_the_kernel_moves_to_other_counters_count_on(void **state)
{
	struct rig *r = counted_by(ACCESS_HYBRID, some);
	uint64_t before, once, i;

	(void)state;
	second(r);
	before = rig_value(r, a5);
	second(r);
	once = rig_value(r, a5) - before;
	for (i = 2; i < 8; i++) {
		if (i % 2 == 0)
			rig_fault(r, "lproc 5 perf moves");
		second(r);
		assert_true(rig_value(r, a5) == before + i * once);
		assert_true(rig_value(r, "core_running[5][\"A\"]") ==
		    rig_value(r, "core_enabled[5][\"A\"]"));
	}
	rig_close(r);
}

/* Seven counters; three fixed and two general are ours. */
static void
a_pinned_event_that_loses_its_counter_is_absent_until_it_has_one(void **state)
{
	struct rig *r = counted_by(ACCESS_HYBRID, some);
	uint64_t before, once;

	(void)state;
	second(r);
	before = rig_value(r, a5);
	second(r);
	once = rig_value(r, a5) - before;
	/* two are left, and ours are as good as theirs */
	rig_fault(r, "lproc 5 perf 2");
	second(r);
	assert_true(rig_value(r, a5) == before + 2 * once);
	rig_fault(r, "to 1000 lproc 5 perf 1");
	second(r);
	/* whichever group has gone, none of its numbers is there */
	assert_true(rig_value(r, a5) == ABSENT ||
	    rig_value(r, "core_fixed_counts[5][\"Inst_Retired.Any\"]") ==
	    ABSENT);
	assert_true(rig_value(r, "core_counts[6][\"A\"]") != ABSENT);
	rig_close(r);
}

/* With all of them gone, what was missed shows in the times. */
static void
what_was_missed_is_time_enabled_and_not_running(void **state)
{
	struct rig *r = counted_by(ACCESS_HYBRID, "core A event=0x3c,umask=1\n"
	    "core B event=0xd1,umask=0x04\n");
	static const char en[] = "core_enabled[5][\"A\"]";
	static const char run[] = "core_running[5][\"A\"]";
	uint64_t before, once, enabled, running;

	(void)state;
	second(r);
	before = rig_value(r, a5);
	second(r);
	once = rig_value(r, a5) - before;
	enabled = rig_value(r, en);
	running = rig_value(r, run);
	rig_fault(r, "to 9999 lproc 5 perf 4");
	rig_fault(r, "lproc 5 perf 2");
	for (unsigned i = 0; i < 3; i++) {
		second(r);
		assert_true(rig_value(r, a5) == ABSENT);
		assert_true(rig_value(r, en) == ABSENT);
	}
	sim_advance(rig_sim(r), 9999000000000);
	rig_sample(r);
	second(r);
	/* from when it was opened anew: nothing of what others had */
	assert_true(rig_value(r, a5) == before + 2 * once);
	assert_true(rig_value(r, run) == running + 1000000000);
	assert_true(rig_value(r, en) - enabled > 9999000000000);
	rig_close(r);
}

/* Eight events, in groups of four, and seven counters. */
static void
more_events_than_counters_take_turns(void **state)
{
	static const char many[] = "core A event=0x3c,umask=1\n"
	    "core B event=0xd1,umask=0x04\ncore C event=0xd1,umask=0x01\n"
	    "core D event=0xd1,umask=0x02\ncore E event=0xd1,umask=0x08\n"
	    "core F event=0xd1,umask=0x10\ncore G event=0xd1,umask=0x20\n"
	    "core H event=0xd1,umask=0x40\n";
	struct rig *perf = counted_by(ACCESS_PERF, many);
	struct rig *hybrid = counted_by(ACCESS_HYBRID, many);

	(void)state;
	assert_true(hybrid->node.config.hybrid);
	assert_false(hybrid->node.config.pinned);
	/* a share of the time is rounded to a count */
	assert_int_equal(same_counts(perf, hybrid, 1), 96 * 8);
	assert_true(rig_value(hybrid, "core_running[5][\"A\"]") <
	    rig_value(hybrid, "core_enabled[5][\"A\"]"));
	rig_close(perf);
	rig_close(hybrid);
}

/* A user of perf comes and goes while ours take turns: the counts never go back,
 * nor beyond what the time allows. */
static void
turns_with_another_user_never_give_a_wrong_number(void **state)
{
	struct rig *r = counted_by(ACCESS_HYBRID, "set a\n"
	    "core A event=0x3c,umask=1\nset b\ncore B event=0xd1,umask=4\n");
	uint64_t before, once, was;

	(void)state;
	assert_false(r->node.config.pinned);
	second(r);
	before = rig_value(r, a5);
	second(r);
	once = rig_value(r, a5) - before;
	for (unsigned i = 0; i < 12; i++) {
		was = rig_value(r, a5);
		if (i % 3 == 0)
			rig_fault(r, "lproc 5 perf 6");
		if (i % 3 == 1)
			rig_fault(r, "lproc 5 perf moves");
		second(r);
		if (rig_value(r, a5) == ABSENT)
			continue;
		assert_true(rig_value(r, a5) >= was);
		assert_true(rig_value(r, a5) - was <= once);
	}
	rig_close(r);
}

static void
an_lproc_that_goes_offline_is_absent_and_comes_back(void **state)
{
	struct rig *r = counted_by(ACCESS_HYBRID, some);
	uint64_t before, once;

	(void)state;
	second(r);
	before = rig_value(r, a5);
	second(r);
	once = rig_value(r, a5) - before;
	rig_fault(r, "to 1000 lproc 5 offline");
	second(r);
	assert_true(rig_value(r, a5) == ABSENT);
	sim_advance(rig_sim(r), 1000000000000);
	rig_sample(r);
	before = rig_value(r, a5);
	second(r);
	assert_true(rig_value(r, a5) == before + once);
	rig_close(r);
}

static void
no_taint_takes_a_way_that_writes_nothing(void **state)
{
	static const struct {
		int line;
		enum access_mode by;
		const char *config;
		const char *how;        /* NULL: it is refused */
	} c[] = {
		{ __LINE__, ACCESS_AUTO, some, "hybrid, since --no-taint has no "
		    "MSR written" },
		{ __LINE__, ACCESS_AUTO, "read aperf\n", "raw: registers" },
		{ __LINE__, ACCESS_RAW, "read aperf\n", "raw, as asked" },
		{ __LINE__, ACCESS_PERF, some, "perf, as asked" },
		{ __LINE__, ACCESS_HYBRID, some, "hybrid, as asked" },
		{ __LINE__, ACCESS_RAW, some, NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct diag why = { "" };
		struct rig *r = node_by(c[i].by, true, "", c[i].config, &why);

		if ((r == NULL) != (c[i].how == NULL))
			fail_msg("line %d: %s", c[i].line, why.text);
		if (r == NULL) {
			assert_string_equal(why.text, "--no-taint: to count by "
			    "registers, MSRs are written, which taints the "
			    "kernel: --access hybrid or --access perf has the "
			    "kernel program them (it needs its PMUs), and "
			    "`read` statements alone write none");
			continue;
		}
		assert_string_equal(r->node.how, c[i].how);
		assert_int_equal(sim_writes(rig_sim(r)), 0);
		rig_close(r);
	}
}

static void
hybrid_says_what_it_lacks(void **state)
{
	struct diag why;

	(void)state;
	assert_null(node_by(ACCESS_HYBRID, false, "from 0 lproc 0 msr 0x10 "
	    "EPERM\n", some, &why));
	assert_non_null(strstr(why.text, "CAP_SYS_RAWIO"));
	assert_null(node_by(ACCESS_HYBRID, false, "", "soc x\n", &why));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_ways_to_count_give_the_same_figures),
		cmocka_unit_test(what_always_runs_is_read_as_registers),
		cmocka_unit_test(neither_hybrid_nor_perf_writes_a_register),
		cmocka_unit_test(a_hybrid_count_is_read_from_the_counter),
		cmocka_unit_test(
		    it_is_said_how_many_groups_are_read_at_their_counters),
		cmocka_unit_test(
		    events_that_the_kernel_moves_to_other_counters_count_on),
		cmocka_unit_test(
		    a_pinned_event_that_loses_its_counter_is_absent_until_it_has_one),
		cmocka_unit_test(
		    what_was_missed_is_time_enabled_and_not_running),
		cmocka_unit_test(more_events_than_counters_take_turns),
		cmocka_unit_test(
		    turns_with_another_user_never_give_a_wrong_number),
		cmocka_unit_test(
		    an_lproc_that_goes_offline_is_absent_and_comes_back),
		cmocka_unit_test(no_taint_takes_a_way_that_writes_nothing),
		cmocka_unit_test(hybrid_says_what_it_lacks),
	};

	return cmocka_run_group_tests_name("hybrid", tests, NULL, NULL);
}
