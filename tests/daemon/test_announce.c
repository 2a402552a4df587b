/*
 * tests/daemon/test_announce.c - what is said of control writes before they are made,
 * and that no more are made.
 */
#include "tests/lib/rig.h"
#include "tests/lib/sim_compare.h"

#include "daemon/node/announce.h"
#include "daemon/node/program.h"
#include "regs/sim/sim.h"

#include <string.h>

/* Of the node of two packages with 48 cores and 96 lprocs. */
static const char one_event[] = "core INST_RETIRED.ANY_P event=0xc0\n";
static const char two_sets[] =
    "set a\ncore A event=0xc0\nset b\ncore B event=0x3c\n";

static struct rig *
saved(const char *more, const char *config)
{
	struct rig *r = rig_text(more, config);
	struct diag why;

	assert_int_equal(program_save(&r->node.plan, r->node.acc, &why), 0);
	return r;
}

/* a control of the event and the global control, of each lproc */
static void
as_many_are_written_as_were_announced(void **state)
{
	static const char *const config[] = { one_event, two_sets };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct rig *r = saved("", config[i]);
		struct control_writes n = announce_count(&r->node.plan);

		assert_int_equal(n.start, 2 * 96);
		assert_int_equal(n.start_msr, 2 * 96);
		assert_int_equal(n.turn, i * 96);
		assert_int_equal(n.turn_msr, i * 96);
		rig_program(r);
		assert_int_equal(sim_writes(rig_sim(r)), 2 * 96);
		if (i == 1) {
			r->sweep.next = 2;
			rig_sample(r);
			assert_int_equal(sim_writes(rig_sim(r)), 3 * 96);
		}
		rig_close(r);
	}
}

static void
a_control_that_holds_its_value_is_not_written(void **state)
{
	struct rig *r;
	uint64_t before;

	(void)state;
	r = saved("", two_sets);
	rig_program(r);
	before = sim_writes(rig_sim(r));
	/* as one that a daemon before it has left */
	assert_int_equal(program_save(&r->node.plan, r->node.acc, NULL), 0);
	assert_int_equal(announce_count(&r->node.plan).start, 0);
	rig_program(r);
	assert_int_equal(sim_writes(rig_sim(r)), before);
	rig_close(r);
}

/* and what a turn has changed since then is put back all the same */
static void
a_control_that_held_the_value_of_the_first_set_is_put_back(void **state)
{
	struct reg_addr ctl = { REG_MSR, 8, 7, 0x186 };
	struct rig *r = saved("", two_sets);
	uint64_t was, is;

	(void)state;
	rig_program(r);
	assert_int_equal(access_read(r->node.acc, &ctl, &was), 0);
	rig_program(r);
	r->sweep.next = 2;
	rig_sample(r);
	assert_int_equal(access_read(r->node.acc, &ctl, &is), 0);
	assert_int_not_equal(is, was);
	rig_restore(r);
	assert_int_equal(access_read(r->node.acc, &ctl, &is), 0);
	assert_int_equal(is, was);
	rig_close(r);
}

static void
the_line_says_what_the_kernel_makes_of_it(void **state)
{
	static const struct {
		int line;
		const char *more, *config, *says;
	} c[] = {
		{ __LINE__, "file /sys/module/msr/parameters/allow_writes = "
		    "default\\n\n", one_event,
		    "192 control registers (192 MSRs) at start; what was "
		    "changed is put back at the end; the kernel logs a line of "
		    "it (allow_writes is default) and sets its taint flag "
		    "CPU_OUT_OF_SPEC (/proc/sys/kernel/tainted is 0)" },
		{ __LINE__, "file /sys/module/msr/parameters/allow_writes = "
		    "on\\n\nfile /proc/sys/kernel/tainted = 4100\\n\n",
		    two_sets,
		    "192 control registers (192 MSRs) at start, up to 96 (96 "
		    "MSRs) each turn of sets; what was changed is put back at "
		    "the end; the kernel logs nothing of it (allow_writes is "
		    "on) and has its taint flag CPU_OUT_OF_SPEC "
		    "(/proc/sys/kernel/tainted is 4100)" },
		/* PCI config space: the kernel makes nothing of it */
		{ __LINE__, "", "imc X event=0x04,umask=0x03\n", NULL },
		{ __LINE__, "", "read aperf\n", "no register" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct rig *r = saved(c[i].more, c[i].config);
		char text[512];

		announce_text(&r->node, text, sizeof(text));
		if (c[i].says != NULL && strcmp(text, c[i].says) != 0)
			fail_msg("line %d: %s", c[i].line, text);
		if (c[i].says == NULL)
			assert_non_null(strstr(text, "(2 MSRs) at start"));
		rig_close(r);
	}
}

static void
the_message_bus_of_a_soc_is_not_passed_over(void **state)
{
	struct rig *r = rig_open("@c2758", "@memory");
	char text[512];
	struct diag why;

	(void)state;
	assert_int_equal(program_save(&r->node.plan, r->node.acc, &why), 0);
	assert_non_null(strstr(announce_text(&r->node, text, sizeof(text)),
	    "those behind the SoC's message bus"));
	rig_close(r);
}

static void
who_writes_an_msr_taints_the_simulated_kernel(void **state)
{
	struct rig *r = rig_text("", one_event);
	int64_t tainted;

	(void)state;
	rig_sample(r);
	assert_true(announce_tainted(r->node.acc, &tainted));
	assert_int_equal(tainted, 0);
	rig_program(r);
	assert_true(announce_tainted(r->node.acc, &tainted));
	assert_int_equal(tainted, 4);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_many_are_written_as_were_announced),
		cmocka_unit_test(a_control_that_holds_its_value_is_not_written),
		cmocka_unit_test(
		    a_control_that_held_the_value_of_the_first_set_is_put_back),
		cmocka_unit_test(the_line_says_what_the_kernel_makes_of_it),
		cmocka_unit_test(the_message_bus_of_a_soc_is_not_passed_over),
		cmocka_unit_test(who_writes_an_msr_taints_the_simulated_kernel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
