/*
 * tests/config/test_replay.c - recordings as the machine, odd ones among them.
 */
#include "tests/lib/named.h"
#include "tests/lib/rig.h"

#include "config/dump/head.h"
#include "daemon/node/node.h"
#include "daemon/node/replay.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define HEAD "model = \"skx\"\npackages = 2\nnr_cpus = 96\n"

/* The machine that a dump makes, planned as --replay plans it. */
static void
replayed(struct node *node, const char *dump)
{
	struct options o = { .node.root = "/", .node.virtual_time = true };
	struct diag why;

	o.node.replay = test_put("dump.lua", dump);
	if (node_open(node, &o, &why) < 0 || node_configure(node, &o,
	    node->topo.model, &why) < 0 || node_plan(node, &why) < 0)
		fail_msg("%s", why.text);
}

static bool
has_column(const struct node *node, const char *name)
{
	for (unsigned i = 0; i < node->plan.ncolumn; i++)
		if (is_named(&node->plan.column[i].id, name))
			return true;
	return false;
}

static void
a_column_of_a_sample_that_is_left_out_is_not_replayed(void **state)
{
	struct node node;

	(void)state;
	replayed(&node, HEAD "tsc[0] = 1000\nsmi_count[0][0] = 5\n"
	    "tsc[1] = 2000\ntsc[0] = 1500\nsmi_count[1][0] = 5\n");
	assert_true(has_column(&node, "smi_count[0]"));
	assert_false(has_column(&node, "smi_count[1]"));
	node_close(&node);
}

/* The clocks, too, may come first in a sample that does not count. */
static void
a_clock_of_a_sample_that_is_left_out_is_none(void **state)
{
	struct node node;

	(void)state;
	replayed(&node, HEAD "smi_count[0][1] = 5\nsmi_count[0][0] = 6\n"
	    "tsc[0] = 1500\nwalltime[0][0] = 1700000000\n"
	    "walltime[1][0] = 1\n");
	assert_true(has_column(&node, "smi_count[0]"));
	assert_false(has_column(&node, "tsc"));
	node_close(&node);
}

/* Ice Lake has a type of boxes without counters to program, and ports that are
 * kinds of free-running counters; a control value is the event's, a recorded
 * column of the kernel's times is nobody's. */
static void
what_is_recorded_is_counted_again_by_what_it_is(void **state)
{
	struct node node;

	(void)state;
	replayed(&node, "model = \"icx\"\npackages = 2\nnr_cpus = 128\n"
	    "imc_counts_control[0][0][\"CAS\"] = 0x00400304\n"
	    "tsc[0] = 1500\nimc_counts[0][0][\"CAS\"][0] = 1\n"
	    "imc_counts[0][0][\"DCLK\"][0] = 1\n"
	    "imc_enabled[0][0][\"CAS\"][0] = 1\n"
	    "imc_ddr_read_bytes[0][0][0] = 64\nubox_uclk[1][0] = 3\n"
	    "iio_PCIe0_port1_in_bytes[0][0] = 4\naperf[5][0] = 7\n"
	    "core_fixed_counts[5][\"Inst_Retired.Any\"][0] = 3\n");
	assert_true(has_column(&node, "imc_counts[0][0][\"CAS\"]"));
	assert_true(has_column(&node, "imc_counts[0][0][\"DCLK\"]"));
	assert_true(has_column(&node, "iio_PCIe0_port1_in_bytes[0]"));
	assert_true(has_column(&node, "ubox_uclk[1]"));
	assert_true(has_column(&node, "aperf[5]"));
	assert_true(has_column(&node,
	    "core_fixed_counts[5][\"Inst_Retired.Any\"]"));
	assert_false(has_column(&node, "imc_enabled[0][0][\"CAS\"]"));
	assert_false(has_column(&node, "aperf[6]"));
	for (unsigned i = 0; i < node.plan.ncolumn; i++)
		if (is_named(&node.plan.column[i].id,
		    "imc_counts[0][0][\"CAS\"]"))
			assert_int_equal(node.plan.column[i].cls, CLASS_CAS);
	node_close(&node);
}

static void
a_recording_of_the_kernels_counts_is_no_machine(void **state)
{
	struct options o = { .node.root = "/", .node.virtual_time = true };
	struct node node;
	struct diag why;

	(void)state;
	o.node.replay = test_put("dump.lua", "model = \"grace\"\npackages = 1\n"
	    "nr_cpus = 2\ntsc[0] = 1\naperf[0][0] = 1\ntsc[1] = 2\n"
	    "aperf[0][1] = 2\n");
	assert_int_equal(node_open(&node, &o, &why), -ENOTSUP);
	assert_non_null(strstr(why.text, ": on this model the kernel counts, "
	    "and there are no registers to replay"));
	node_close(&node);
}

/* The simulated machine that stands behind it has a system of its own. */
static void
the_system_is_that_of_the_recording(void **state)
{
	static const char told[] = "kernel = \"3.10\"\n"
	    "microcode = {}\nmicrocode[1] = 0x43\n"
	    "perf_event_paranoid = -1\npmu_holder = {}\n"
	    "pmu_holder[0] = \"p\\tq\\\"\"\nntp_error = 0.25\n";
	char text[1024];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct node node;
		struct head h = { .text = NULL };

		snprintf(text, sizeof(text), HEAD "%stsc[0] = 1000\n"
		    "smi_count[0][0] = 5\n", i == 0 ? told : "");
		replayed(&node, text);
		replay_system(node.replay, &h);
		assert_string_equal(h.text != NULL ? h.text : "", i == 0 ?
		    told : "");
		head_fini(&h);
		node_close(&node);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_recording_of_the_kernels_counts_is_no_machine),
		cmocka_unit_test(
		    a_column_of_a_sample_that_is_left_out_is_not_replayed),
		cmocka_unit_test(a_clock_of_a_sample_that_is_left_out_is_none),
		cmocka_unit_test(the_system_is_that_of_the_recording),
		cmocka_unit_test(
		    what_is_recorded_is_counted_again_by_what_it_is),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
