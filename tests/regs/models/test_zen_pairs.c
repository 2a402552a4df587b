/*
 * tests/regs/models/test_zen_pairs.c - events of AMD's cores that need a pair of counters: the
 * event on an even one, the merge event (control 0xf004000ff) on the odd one behind
 * it, which is switched on first and off last (the reference's 2.4).
 * Registers and controls are those of the reference, rates of
 * rome-7742-2s.machine.
 */
#include "tests/lib/rig.h"

#include "config/lang/want.h"
#include "config/lang/events.h"
#include "daemon/read/rotate.h"
#include "regs/sim/sim.h"

#include <string.h>

#define SECOND 1000000000ull
#define BITS48 0xffffffffffffull
#define MERGE 0xf004000ffull
#define CTL(n) (0xc0010200 + 2 * (n))

/* Writes to controls of lproc 0, in front of the machine. */
struct log {
	struct access_ops ops;          /* first: acc->ops is its address */
	const struct access_ops *own;
	struct {
		unsigned msr;
		uint64_t raw;
	} write[64];
	unsigned n;
};

static int
logged_write(struct access *acc, const struct reg_addr *addr, uint64_t raw)
{
	struct log *log = (struct log *)(uintptr_t)acc->ops;

	if (addr->unit == 0 && log->n < 64) {
		log->write[log->n].msr = (unsigned)addr->offset;
		log->write[log->n++].raw = raw;
	}
	return log->own->write(acc, addr, raw);
}

static void
log_start(struct log *log, struct rig *r)
{
	log->own = r->node.acc->ops;
	log->ops = *log->own;
	log->ops.write = logged_write;
	log->n = 0;
	r->node.acc->ops = &log->ops;
}

static void
expect_write(const struct log *log, unsigned i, unsigned msr, uint64_t raw)
{
	if (i >= log->n || log->write[i].msr != msr || log->write[i].raw != raw)
		fail_msg("write %u of %u: 0x%x 0x%llx", i, log->n,
		    log->write[i].msr, (unsigned long long)log->write[i].raw);
}

static uint64_t
msr(struct rig *r, unsigned lproc, unsigned number)
{
	struct reg_addr addr = { REG_MSR, 8, lproc, number };
	uint64_t raw;

	assert_int_equal(access_read(r->node.acc, &addr, &raw), 0);
	return raw;
}

static void
the_merge_event_is_written_first_and_taken_away_last(void **state)
{
	struct rig *r = rig_with("@rome-7742-2s", "",
	    "core[0] flops_all\ncore[0] instr_retired\n");
	struct log log;

	(void)state;
	log_start(&log, r);
	rig_program(r);
	assert_int_equal(log.n, 3);
	expect_write(&log, 0, CTL(1), MERGE);
	expect_write(&log, 1, CTL(0), 0x430f03);
	expect_write(&log, 2, CTL(2), 0x4300c0);
	log.n = 0;
	rig_restore(r);
	assert_int_equal(log.n, 3);
	expect_write(&log, 1, CTL(0), 0);
	expect_write(&log, 2, CTL(1), 0);
	r->node.acc->ops = log.own;
	rig_close(r);
}

static void
three_pairs_count_everything_over_the_end_of_48_bits(void **state)
{
	struct rig *r = rig_with("@rome-7742-2s", "", "core flops_add_sub\n"
	    "core flops_fma\ncore flops_all\n");
	static const struct { const char *column; uint64_t idle, work; } rate[] = {
		{ "core_counts[65][\"flops_add_sub\"]", 1000 + 29 + 3,
		  8000000000 + 29 + 3 },
		{ "core_counts[65][\"flops_fma\"]", 2000 + 31 + 3,
		  40000000000 + 31 + 3 },
		{ "core_counts[65][\"flops_all\"]", 3000 + 37 + 3,
		  48000000000 + 37 + 3 },
	};
	uint64_t before[3], now;
	unsigned wrapped = 0;

	(void)state;
	rig_program(r);
	assert_true(msr(r, 65, CTL(0)) == 0x430103);
	assert_true(msr(r, 65, CTL(1)) == MERGE);
	assert_true(msr(r, 65, CTL(2)) == 0x430803);
	assert_true(msr(r, 65, CTL(3)) == MERGE);
	assert_true(msr(r, 65, CTL(4)) == 0x430f03);
	assert_true(msr(r, 65, CTL(5)) == MERGE);
	rig_sample(r);
	for (unsigned s = 0; s < 12; s++) {
		for (unsigned i = 0; i < 3; i++)
			before[i] = rig_value(r, rate[i].column);
		sim_advance(rig_sim(r), SECOND);
		rig_sample(r);
		for (unsigned i = 0; i < 3; i++) {
			now = rig_value(r, rate[i].column);
			wrapped += now < before[i];
			assert_true(((now - before[i]) & BITS48) ==
			    (s < 10 ? rate[i].idle : rate[i].work));
		}
	}
	assert_int_equal(wrapped, 3);
	rig_restore(r);
	for (unsigned n = 0; n < 6; n++)
		assert_true(msr(r, 65, CTL(n)) == 0);
	rig_close(r);
}

/* Of Zen 5 by type; lproc 129 is core 1 of package 1 of turin-2s. */
static void
operations_of_each_type_are_counted_by_themselves(void **state)
{
	static const struct { const char *column; uint64_t work; } rate[] = {
		{ "core_counts[129][\"flops_all\"]", 131200000000 + 37 + 3 },
		{ "core_counts[129][\"flops_sp_packed\"]",
		  118900000000 + 41 + 3 },
		{ "core_counts[129][\"flops_dp_packed\"]",
		  8200000000 + 43 + 3 },
		{ "core_counts[129][\"flops_sp_scalar\"]",
		  1640000000 + 47 + 3 },
		{ "core_counts[129][\"flops_dp_scalar\"]",
		  2460000000 + 53 + 3 },
	};
	struct rig *r = rig_with("@turin-2s", "", "core flops_sp_packed\n"
	    "core flops_dp_packed\ncore flops_all\n");

	(void)state;
	rig_program(r);
	sim_advance(rig_sim(r), 12 * SECOND);
	rig_sample(r);
	for (unsigned i = 0; i < 3; i++)
		assert_true(rig_second(r, rate[i].column) == rate[i].work);
	rig_close(r);
	r = rig_with("@turin-2s", "", "core flops_sp_scalar\n"
	    "core flops_dp_scalar\n");
	rig_program(r);
	assert_true(msr(r, 129, CTL(0)) == 0x434f03);
	assert_true(msr(r, 129, CTL(2)) == 0x438f03);
	assert_true(msr(r, 129, 0xc0000301) == 0xf);
	sim_advance(rig_sim(r), 12 * SECOND);
	rig_sample(r);
	for (unsigned i = 3; i < 5; i++)
		assert_true(rig_second(r, rate[i].column) == rate[i].work);
	rig_close(r);
}

/* The simulated core would tell: without the merge event it counts less. */
static void
a_counter_of_the_pair_alone_counts_too_little(void **state)
{
	struct rig *r = rig_with("@rome-7742-2s", "", "core flops_all\n");

	(void)state;
	rig_program(r);
	sim_advance(rig_sim(r), 12 * SECOND);
	rig_sample(r);
	rig_fault(r, "lproc 0 msr 0xc0010202 = 0");
	assert_int_equal(rig_second(r, "core_counts[0][\"flops_all\"]"),
	    14400000000);
	assert_int_equal(rig_second(r, "core_counts[1][\"flops_all\"]"),
	    48000000000 + 37);
	rig_close(r);
}

/* The control value of a line; 0: refused, with words in *why. */
static uint64_t
control(const char *model, const char *line, struct diag *why)
{
	struct config cfg;
	uint64_t ctl = 0;

	assert_int_equal(config_init(&cfg, model_named(model)), 0);
	if (config_parse(&cfg, "t.conf", line, strlen(line), why) == 0) {
		ctl = cfg.want[0].ctl;
		assert_false(config_doubt(&cfg, 0, why));
	}
	config_fini(&cfg);
	return ctl;
}

static void
the_names_of_flops_are_events_and_the_merge_event_is_none(void **state)
{
	static const struct { const char *model, *text; uint64_t ctl; } line[] = {
		{ "zen2", "core flops_all", 0x430f03 },
		{ "zen3", "core flops_all", 0x430f03 },
		{ "zen4", "core flops_all", 0x431f03 },
		{ "zen5", "core flops_dp_packed", 0x43af03 },
		{ "zen2", "core F event=0x03,umask=0x08", 0x430803 },
		{ "zen2", "core F event=0x03,umask=0x08,counter=4", 0x430803 },
		/* only the low byte is the same */
		{ "zen5", "core F event=0x103,counter=1", 0x100430003 },
		{ "zen2", "core F event=0xfff", 0 },
		{ "zen4", "core F 0xf004000ff", 0 },
		{ "zen5", "core F event=0xff,xsel=0xf", 0 },
		{ "zen5", "core F event=0xff", 0x4300ff },
	};
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(line) / sizeof(line[0]); i++) {
		if (control(line[i].model, line[i].text, &why) != line[i].ctl)
			fail_msg("%s", line[i].text);
		if (line[i].ctl == 0)
			assert_non_null(strstr(why.text, "counts nothing by "
			    "itself: it goes behind an event that needs a pair "
			    "of counters"));
	}
	assert_int_equal(control("zen2", "core F event=0x03,counter=1", &why), 0);
	assert_string_equal(why.text, "t.conf:1: counter 1 of CORE cannot count "
	    "event 0x03, only 0, 2, 4 can");
}

/* Why a configuration finds no room on the node. */
static void
refused(const char *config, const char *words)
{
	struct rig *r = rig_bare("@rome-7742-2s", "");
	struct diag why = { "" };

	assert_int_equal(config_init(&r->node.config, r->node.topo.model), 0);
	assert_int_equal(config_parse(&r->node.config, "t.conf", config,
	    strlen(config), &why), 0);
	assert_true(node_plan(&r->node, &why) < 0);
	if (strstr(why.text, words) == NULL)
		fail_msg("%s", why.text);
	rig_close(r);
}

static void
a_pair_too_many_is_refused(void **state)
{
	(void)state;
	refused("core flops_all\ncore flops_fma\ncore flops_mul\n"
	    "core flops_add_sub\n", "t.conf:4: flops_add_sub: no pair of "
	    "counters is left for it on CORE 0, which has 6; take an event "
	    "out, or use `set`");
	refused("core flops_all\ncore flops_fma\ncore branches\n"
	    "core instr_retired\ncore cycles_unhalted\n",
	    "t.conf:5: cycles_unhalted: no counter is left for it");
	/* each odd one is taken */
	refused("core branches counter=1\ncore returns counter=3\n"
	    "core instr_retired counter=5\ncore flops_all\n",
	    "t.conf:4: flops_all: no pair of counters is left for it");
	/* one that is always counted, and a pair in each set: no room in b */
	refused("core branches counter=1\nset a\ncore flops_all\nset b\n"
	    "core flops_mul\ncore flops_fma\ncore flops_add_sub\n",
	    "t.conf:7: flops_add_sub: no pair of counters is left");
}

static void
pairs_go_where_other_events_leave_room(void **state)
{
	struct rig *r = rig_with("@rome-7742-2s", "", "core[0] flops_all\n"
	    "core[0] branches counter=1\ncore[0] flops_fma\n"
	    "core[0] instr_retired counter=0\n");

	(void)state;
	rig_program(r);
	assert_true(msr(r, 0, CTL(0)) == 0x4300c0);
	assert_true(msr(r, 0, CTL(1)) == 0x4300c2);
	assert_true(msr(r, 0, CTL(2)) == 0x430f03);
	assert_true(msr(r, 0, CTL(3)) == MERGE);
	assert_true(msr(r, 0, CTL(4)) == 0x430803);
	assert_true(msr(r, 0, CTL(5)) == MERGE);
	rig_close(r);
}

static void
pairs_take_turns_with_events_that_need_one(void **state)
{
	struct rig *r = rig_with("@rome-7742-2s", "",
	    "set a\ncore[0] flops_all\ncore[0] flops_fma\n"
	    "set b\ncore[0] instr_retired\ncore[0] cycles_unhalted\n");
	struct log log;

	(void)state;
	sim_advance(rig_sim(r), 11 * SECOND);
	rig_program(r);
	log_start(&log, r);
	for (unsigned i = 0; i < 9; i++) {
		r->sweep.next = r->sweep.last_tsc != 0 ?
		    rotate_next(&r->node.plan) : 0;
		rig_sample(r);
		if (i < 8)
			sim_advance(rig_sim(r), SECOND);
	}
	/* to b: the event before what helps it; to a: the other way */
	expect_write(&log, 0, CTL(0), 0x4300c0);
	expect_write(&log, 1, CTL(1), 0x430076);
	expect_write(&log, 2, CTL(2), 0);
	expect_write(&log, 3, CTL(3), 0);
	expect_write(&log, 4, CTL(1), MERGE);
	expect_write(&log, 5, CTL(0), 0x430f03);
	expect_write(&log, 6, CTL(3), MERGE);
	expect_write(&log, 7, CTL(2), 0x430803);
	r->node.acc->ops = log.own;
	assert_int_equal(rig_value(r, "core_counts[0][\"flops_all\"]"),
	    4 * 48000000000);
	assert_int_equal(rig_value(r, "core_counts[0][\"flops_fma\"]"),
	    4 * 40000000000);
	assert_int_equal(rig_value(r, "core_counts[0][\"cycles_unhalted\"]"),
	    4 * 3300000000);
	rig_restore(r);
	for (unsigned n = 0; n < 6; n++)
		assert_true(msr(r, 0, CTL(n)) == 0);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    the_merge_event_is_written_first_and_taken_away_last),
		cmocka_unit_test(
		    three_pairs_count_everything_over_the_end_of_48_bits),
		cmocka_unit_test(
		    operations_of_each_type_are_counted_by_themselves),
		cmocka_unit_test(a_counter_of_the_pair_alone_counts_too_little),
		cmocka_unit_test(
		    the_names_of_flops_are_events_and_the_merge_event_is_none),
		cmocka_unit_test(a_pair_too_many_is_refused),
		cmocka_unit_test(pairs_go_where_other_events_leave_room),
		cmocka_unit_test(pairs_take_turns_with_events_that_need_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
