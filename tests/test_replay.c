/*
 * tests/test_replay.c - recordings as the machine, odd ones among them.
 */
#include "tests/named.h"
#include "tests/test.h"

#include "daemon/node/node.h"

#include <string.h>

#define HEAD "model = \"skx\"\npackages = 2\nnr_cpus = 96\n"

/* The machine that a dump makes, planned as --replay plans it. */
static void
replayed(struct node *node, const char *dump)
{
	struct options o = { .root = "/", .virtual_time = true };
	struct diag why;

	o.replay = test_put("dump.lua", dump);
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_column_of_a_sample_that_is_left_out_is_not_replayed),
		cmocka_unit_test(a_clock_of_a_sample_that_is_left_out_is_none),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
