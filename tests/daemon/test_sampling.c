/*
 * tests/daemon/test_sampling.c - from a configuration to counts: what is programmed,
 * what is read, what the counts are, and that the machine is left as found.
 * Expected numbers are the rates written in skx-8160-2s.machine.
 */
#include "tests/lib/rig.h"
#include "tests/lib/sim_compare.h"

#include "config/lang/events.h"
#include "daemon/node/obstacle.h"
#include "daemon/node/program.h"
#include "daemon/read/rotate.h"
#include "regs/host.h"
#include "regs/sim/sim.h"

#include <errno.h>
#include <string.h>

#define SECOND 1000000000ull
#define BITS48 ((1ull << 48) - 1)

static void
every_box_counts_its_own_rate_to_the_count(void **state)
{
	static const struct {
		int line;
		const char *column;
		uint64_t idle, stream;
	} rows[] = {
		/* rate + instance * step, by package and phase */
		{ __LINE__, "imc_counts[0][0][\"CAS_COUNT.READS\"]",
		  14672, 150818380 },
		{ __LINE__, "imc_counts[0][5][\"CAS_COUNT.READS\"]",
		  14672 + 5 * 7, 150818380 + 5 * 7 },
		{ __LINE__, "imc_counts[1][3][\"CAS_COUNT.WRITES\"]",
		  19358 + 3 * 7, 99279606 + 3 * 7 },
		{ __LINE__, "imc_counts[1][2][\"PRE_COUNT.MISS\"]", 0, 0 },
		{ __LINE__, "cha_counts[0][23][\"SF_EVICTION.E_STATE\"]",
		  2 + 23 * 3, 2486946 + 23 * 3 },
		{ __LINE__, "cha_counts[1][1][\"SF_EVICTION.M_STATE\"]",
		  3 + 3, 3822 + 3 },
		{ __LINE__, "pcu_counts[1][\"FREQ_TRANS_CYCLES\"]",
		  4177164, 2570219 },
		{ __LINE__, "ubox_uclk[0]", 2358192289, 2394294417 },
		/* lproc 25 is core 1 of package 1, 49 the second thread of
		 * core 1 of package 0 */
		{ __LINE__, "core_fixed_counts[25][\"Inst_Retired.Any\"]",
		  91482 + 101, 275989563 + 101 },
		{ __LINE__, "core_fixed_counts[49][\"CPU_CLK_Unhalted.Core\"]",
		  428869 + 103, 1445384 + 103 },
		{ __LINE__, "core_counts[25][\"CPU_CLK_UNHALTED.KERNEL\"]",
		  522097 + 11, 2500000 + 11 },
	};
	struct rig *r = rig_open("@skx-8160-2s", "@original-skx");

	(void)state;
	rig_program(r);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].idle != 0 &&
		    rig_second(r, rows[i].column) != rows[i].idle)
			fail_msg("idle rate of row at line %d", rows[i].line);
	sim_advance(rig_sim(r), 20 * SECOND);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].stream != 0 && i < 9 &&
		    rig_second(r, rows[i].column) != rows[i].stream)
			fail_msg("STREAM rate of row at line %d",
			    rows[i].line);
	rig_close(r);
}

static void
a_lone_event_takes_a_counter_that_can_count_it(void **state)
{
	/* 0xc0 only counts on 2 and 3, 0x83 only on 0 and 1 */
	struct rig *r = rig_text("",
	    "iio A event=0xc0,umask=0x04,ch_mask=1,fc_mask=7\n"
	    "iio B event=0xc0,umask=0x01,ch_mask=1,fc_mask=7\n"
	    "iio C event=0x83,umask=0x01,ch_mask=1,fc_mask=7\n"
	    "iio D event=0x01\n");
	const struct plan *p = &r->node.plan;

	(void)state;
	for (unsigned i = 0; i < p->nwrite; i++) {
		const struct plan_write *w = &p->write[i];

		if (w->name == NULL)
			continue;
		if (strcmp(w->name, "A") == 0)
			assert_string_equal(w->role, "ctl2");
		if (strcmp(w->name, "B") == 0)
			assert_string_equal(w->role, "ctl3");
		if (strcmp(w->name, "C") == 0)
			assert_string_equal(w->role, "ctl0");
		if (strcmp(w->name, "D") == 0)
			assert_string_equal(w->role, "ctl1");
	}
	rig_close(r);
}

static void
an_event_with_a_choice_makes_room_for_one_without(void **state)
{
	unsigned mask[4] = { 0xf, 0xf, 0x1, 0x2 };
	int out[4];

	(void)state;
	assert_int_equal(assign_counters(mask, 4, out), 0);
	assert_int_equal(out[2], 0);
	assert_int_equal(out[3], 1);
	assert_true((out[0] == 2 && out[1] == 3) ||
	    (out[0] == 3 && out[1] == 2));
	mask[1] = 0x1;
	assert_int_equal(assign_counters(mask, 3, out), 3);
}

static void
conflicts_are_refused_before_anything_is_written(void **state)
{
	static const struct {
		int line;
		const char *config, *says;
	} rows[] = {
		{ __LINE__, "imc A event=1,counter=2\nimc B event=4,counter=2\n",
		  "test.conf:2: B: counter 2" },
		{ __LINE__, "cha A event=0x35,filter1=0x40433\n"
		  "cha B event=0x35,umask=1,filter1=0x40233\n",
		  "test.conf:2: filter1 of CHA" },
		{ __LINE__, "cha A event=0x36\ncha B event=0x11\n",
		  "test.conf:2: B: no counter is left" },
		{ __LINE__, "cha[27] A event=1\n", "test.conf:1: A: this node "
		  "has no such CHA: fused off: this part has 24" },
		{ __LINE__, "imc A event=1\nimc A event=2\n",
		  "test.conf:2: A of IMC is counted already" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rig *r = rig_text("", "read aperf\n");
		struct config config;
		struct plan plan;
		struct diag why = { "" };

		assert_int_equal(config_init(&config, r->node.topo.model), 0);
		memset(&plan, 0, sizeof(plan));
		assert_true(config_parse(&config, "test.conf",
		    rows[i].config, strlen(rows[i].config), &why) < 0 ||
		    plan_make(&plan, &config, &r->node.topo, &r->node.inv,
		    r->node.acc, &why) < 0);
		if (strstr(why.text, rows[i].says) == NULL)
			fail_msg("row at line %d says: %s", rows[i].line,
			    why.text);
		assert_int_equal(sim_writes(rig_sim(r)), 0);
		plan_free(&plan);
		config_fini(&config);
		rig_close(r);
	}
}

static void
every_register_is_as_found_after_a_restore(void **state)
{
	struct rig *before = rig_open("@skx-8160-2s", NULL);
	struct rig *r = rig_open("@skx-8160-2s", NULL);
	struct diag why = { "" };

	(void)state;
	rig_program(r);
	assert_true(sim_writes(rig_sim(r)) > 500);
	assert_true(sim_compare(rig_sim(r), rig_sim(before), &why) < 0);
	rig_restore(r);
	rig_same(r, before);
	rig_close(r);
	rig_close(before);
}

/* A start that is refused at its nth write leaves nothing behind. */
static void
a_start_that_fails_half_way_puts_back_what_it_wrote(void **state)
{
	static const char *const faults[] = {
		/* the first box, a later one, a core's, the very last */
		"pkg 0 msr 0x703 EIO", "pkg 1 msr 0xe01 EIO",
		"lproc 60 msr 0x187 EPERM", "lproc 95 msr 0x38f EIO",
	};
	struct rig *before = rig_open("@skx-8160-2s", NULL);

	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		struct rig *r = rig_open("@skx-8160-2s", NULL);
		struct diag why = { "" };

		assert_int_equal(program_save(&r->node.plan, r->node.acc,
		    &why), 0);
		rig_fault(r, faults[i]);
		assert_true(program_write(&r->node.plan, r->node.acc,
		    &why) < 0);
		/* the register that failed was never changed: nothing is left
		 * that would have to wait for --restore */
		if (program_restore(&r->node.plan, r->node.acc, &why) != 0)
			fail_msg("after \"%s\": %s", faults[i], why.text);
		if (sim_compare(rig_sim(r), rig_sim(before), &why) < 0)
			fail_msg("after \"%s\": %s", faults[i], why.text);
		rig_close(r);
	}
	rig_close(before);
}

static void
a_refused_write_says_what_to_do(void **state)
{
	struct rig *r = rig_text("", "imc A event=4\npcu B event=0x74\n");
	struct diag why = { "" };

	(void)state;
	assert_int_equal(program_save(&r->node.plan, r->node.acc, &why), 0);
	rig_fault(r, "msr writes EPERM");
	assert_int_equal(program_write(&r->node.plan, r->node.acc, &why),
	    -EPERM);
	assert_non_null(strstr(why.text, "PCU 0 of package 0"));
	assert_non_null(strstr(why.text, "lockdown"));
	rig_close(r);
}

static void
a_counter_that_somebody_else_uses_is_noticed(void **state)
{
	struct rig *r = rig_text("", "core fixed\ncore A event=0xc0\n");
	char first[256] = "";
	struct diag why = { "" };

	(void)state;
	assert_int_equal(program_save(&r->node.plan, r->node.acc, &why), 0);
	assert_int_equal(program_in_use(&r->node.plan, first, sizeof(first)),
	    0);
	rig_fault(r, "lproc 7 msr 0x186 = 0x4300c5");
	rig_fault(r, "lproc 9 msr 0x38d = 0xb0");
	assert_int_equal(program_save(&r->node.plan, r->node.acc, &why), 0);
	assert_int_equal(program_in_use(&r->node.plan, first, sizeof(first)),
	    2);
	assert_non_null(strstr(first, "CORE of lproc 7 ctl0"));
	rig_close(r);
}

static void
other_agents_enable_bits_are_kept(void **state)
{
	struct rig *r = rig_text("", "core A event=0xc0,counter=1\n");
	struct reg_addr global = { REG_MSR, 8, 3, 0x38f };
	uint64_t raw;

	(void)state;
	rig_fault(r, "lproc 3 msr 0x38f = 0x200000008");
	rig_program(r);
	assert_int_equal(access_read(r->node.acc, &global, &raw), 0);
	assert_true(raw == 0x20000000aull);
	rig_close(r);
}

static void
an_offline_lproc_leaves_its_columns_absent_and_comes_back(void **state)
{
	struct rig *r = rig_open("@skx-8160-2s", NULL);

	(void)state;
	rig_program(r);
	rig_fault(r, "from 1 to 3 lproc 5 offline");
	rig_sample(r);
	assert_true(rig_value(r, "aperf[5]") != ABSENT);
	sim_advance(rig_sim(r), 2 * SECOND);
	rig_sample(r);
	assert_true(rig_value(r, "aperf[5]") == ABSENT);
	assert_true(rig_value(r,
	    "core_counts[5][\"FP_ARITH_INST_RETIRED.SCALAR_DOUBLE\"]")
	    == ABSENT);
	assert_true(rig_value(r, "aperf[6]") != ABSENT);
	assert_true(rig_value(r, "cha_counts[0][5][\"SF_EVICTION.M_STATE\"]")
	    != ABSENT);
	sim_advance(rig_sim(r), 2 * SECOND);
	rig_sample(r);
	assert_true(rig_value(r, "aperf[5]") != ABSENT);
	rig_close(r);
}

static void
a_package_is_read_on_when_its_reader_goes_offline(void **state)
{
	struct rig *before = rig_open("@skx-8160-2s", NULL);
	struct rig *r = rig_open("@skx-8160-2s", NULL);

	(void)state;
	rig_program(r);
	/* lproc 24 is the first of package 1 */
	rig_fault(r, "to 5 lproc 24 offline");
	assert_int_equal(rig_second(r, "pcu_counts[1][\"FREQ_TRANS_CYCLES\"]"),
	    4177164);
	assert_true(rig_value(r, "aperf[24]") == ABSENT);
	assert_true(rig_value(r, "rapl_pkg_energy[1]") != ABSENT);
	sim_advance(rig_sim(r), 6 * SECOND);
	rig_restore(r);
	sim_advance(rig_sim(before), 7 * SECOND);
	rig_same(r, before);
	rig_close(r);
	rig_close(before);
}

static void
a_box_that_reads_all_ones_is_absent_never_zero(void **state)
{
	struct rig *r = rig_open("@skx-8160-2s", NULL);

	(void)state;
	rig_program(r);
	rig_fault(r, "box imc 0 3 absent");
	rig_sample(r);
	assert_true(rig_value(r, "imc_counts[0][3][\"CAS_COUNT.READS\"]") ==
	    ABSENT);
	assert_true(rig_value(r, "imc_counts[0][2][\"CAS_COUNT.READS\"]") !=
	    ABSENT);
	rig_close(r);
}

static void
a_counter_in_config_space_is_never_torn(void **state)
{
	struct rig *r = rig_text("", "imc CAS event=4,umask=3\n");
	uint64_t before;

	(void)state;
	rig_program(r);
	rig_sample(r);
	before = rig_value(r, "imc_counts[1][4][\"CAS\"]");
	rig_fault(r, "box imc 1 4 ctr0 tear");
	rig_sample(r);
	/* the low half wrapped between its halves: less than 2^32 further on,
	 * where a torn value would be 2^32 off */
	assert_true(((rig_value(r, "imc_counts[1][4][\"CAS\"]") - before) &
	    BITS48) < 1ull << 32);
	rig_close(r);
}

static void
a_global_freeze_that_another_program_left_is_lifted(void **state)
{
	struct rig *r = rig_text("global 0x700 frozen=1\n",
	    "imc CAS event=4,umask=3\n");

	(void)state;
	assert_int_equal(rig_second(r, "imc_counts[0][0][\"CAS\"]"), 0);
	rig_program(r);
	assert_int_equal(rig_second(r, "imc_counts[0][0][\"CAS\"]"), 14672);
	rig_close(r);
}

static void
a_global_freeze_that_cannot_be_lifted_is_told(void **state)
{
	struct rig *r = rig_text("", "imc CAS event=4,umask=3\n");
	struct diag why;

	(void)state;
	assert_int_equal(node_save(&r->node, &why), 0);
	assert_int_equal(obstacle_frozen(&r->node, &why), 0);
	rig_fault(r, "pkg 1 msr 0x700 EIO");
	assert_int_equal(node_save(&r->node, &why), 0);
	assert_int_equal(obstacle_frozen(&r->node, &why), 1);
	assert_string_equal(why.text, "package 1 uncorectl (msr 0x700 lproc 24) "
	    "cannot be read, and is not written: if another program has left "
	    "all boxes frozen by it, they count nothing");
	rig_close(r);
}

static void
packages_read_their_own_registers_whatever_the_numbering(void **state)
{
	/* interleaved: lproc 1 is in package 1; sparse package ids */
	struct rig *r = rig_text("packages 2 ids=1,6\nnumbering interleaved\n",
	    "read rapl_pkg_energy\ncore fixed\nubox fixed\n");

	(void)state;
	rig_program(r);
	assert_int_equal(r->node.topo.lproc[1].pkg, 1);
	assert_int_equal(rig_second(r, "rapl_pkg_energy[0]") & UINT32_MAX,
	    912809);
	assert_int_equal(rig_second(r, "rapl_pkg_energy[1]") & UINT32_MAX,
	    823797);
	assert_int_equal(rig_second(r, "ubox_uclk[1]"), 2394293952);
	/* lproc 3 is core 1 of package 1 */
	assert_int_equal(rig_second(r,
	    "core_fixed_counts[3][\"Inst_Retired.Any\"]"), 91482 + 101);
	rig_close(r);
}

/* n rows of one virtual second each, as the loop takes them. */
static void
take_rows(struct rig *r, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		r->sweep.next =
		    r->node.plan.sets.n > 2 && r->sweep.last_tsc != 0 ?
		    rotate_next(&r->node.plan) : 0;
		rig_sample(r);
		sim_advance(rig_sim(r), SECOND);
	}
}

static void
event_sets_take_turns_and_scale_to_the_true_rates(void **state)
{
	struct rig *r = rig_text("", "cha CLK event=0\n"
	    "set a\ncha M event=0x3d,umask=1\ncore K event=0x3c,os=1,usr=0\n"
	    "set b\ncha E event=0x3d,umask=2\n"
	    "set c\nimc CAS event=4,umask=3\n");
	uint64_t before;

	(void)state;
	rig_program(r);
	take_rows(r, 1);
	before = rig_value(r, "cha_counts[1][4][\"CLK\"]");
	take_rows(r, 15);
	/* 15 s idle, 5 of them each set's; rates of skx-8160-2s.machine */
	assert_int_equal(rig_value(r, "cha_counts[1][4][\"M\"]"),
	    5 * (3 + 4 * 3));
	assert_int_equal(rig_value(r, "cha_counts[1][4][\"E\"]"),
	    5 * (1 + 4 * 3));
	assert_int_equal(rig_value(r, "core_counts[25][\"K\"]"),
	    5 * (522097 + 11));
	assert_int_equal(rig_value(r, "imc_counts[0][2][\"CAS\"]"),
	    5 * (14672 + 2 * 7));
	/* what is always counted was never interrupted */
	assert_int_equal((rig_value(r, "cha_counts[1][4][\"CLK\"]") - before) &
	    BITS48, 15 * (2404692000 + 4 * 2 + 3));
	assert_int_equal(rig_value(r, "set_enabled[\"b\"]"),
	    3 * rig_value(r, "set_running[\"b\"]"));
	rig_close(r);
}

static void
after_event_sets_every_register_is_as_found(void **state)
{
	static const char sets[] = "set a\ncha M event=0x3d,umask=1\n"
	    "set b\ncha T event=0x35,umask=0x21,filter1=0x40433\n";
	struct rig *before = rig_text("", sets), *r = rig_text("", sets);

	(void)state;
	rig_program(r);
	take_rows(r, 4);
	rig_restore(r);
	sim_advance(rig_sim(before), 4 * SECOND);
	rig_same(r, before);
	rig_close(r);
	rig_close(before);
}

static void
deadlines_are_multiples_of_the_interval_on_the_wall_clock(void **state)
{
	uint64_t real = 100 * SECOND + 250000000, mono = 7 * SECOND;

	(void)state;
	/* 250 ms past a second: the next one is 750 ms away */
	assert_int_equal(clock_next(mono, real, SECOND), 7 * SECOND + 750000000);
	/* woken 1 us early by a slewed clock: not that deadline again */
	real = 101 * SECOND - 1000;
	assert_int_equal(clock_next(mono, real, SECOND), 8 * SECOND + 1000);
	/* late by 0.7 s: the next deadline is kept */
	real = 101 * SECOND + 700000000;
	assert_int_equal(clock_next(mono, real, SECOND), 7 * SECOND + 300000000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_box_counts_its_own_rate_to_the_count),
		cmocka_unit_test(
		    a_lone_event_takes_a_counter_that_can_count_it),
		cmocka_unit_test(
		    an_event_with_a_choice_makes_room_for_one_without),
		cmocka_unit_test(
		    conflicts_are_refused_before_anything_is_written),
		cmocka_unit_test(every_register_is_as_found_after_a_restore),
		cmocka_unit_test(
		    a_start_that_fails_half_way_puts_back_what_it_wrote),
		cmocka_unit_test(a_refused_write_says_what_to_do),
		cmocka_unit_test(a_counter_that_somebody_else_uses_is_noticed),
		cmocka_unit_test(other_agents_enable_bits_are_kept),
		cmocka_unit_test(
		    an_offline_lproc_leaves_its_columns_absent_and_comes_back),
		cmocka_unit_test(
		    a_package_is_read_on_when_its_reader_goes_offline),
		cmocka_unit_test(
		    a_box_that_reads_all_ones_is_absent_never_zero),
		cmocka_unit_test(a_counter_in_config_space_is_never_torn),
		cmocka_unit_test(
		    a_global_freeze_that_another_program_left_is_lifted),
		cmocka_unit_test(a_global_freeze_that_cannot_be_lifted_is_told),
		cmocka_unit_test(
		    packages_read_their_own_registers_whatever_the_numbering),
		cmocka_unit_test(
		    event_sets_take_turns_and_scale_to_the_true_rates),
		cmocka_unit_test(after_event_sets_every_register_is_as_found),
		cmocka_unit_test(
		    deadlines_are_multiples_of_the_interval_on_the_wall_clock),
	};

	return cmocka_run_group_tests_name("sampling", tests, NULL, NULL);
}
