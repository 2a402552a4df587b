/*
 * tests/config/test_growth_plan.c - a plan takes time by the length of its
 * configuration, and so does a sample of it.
 */
#include "tests/lib/growth.h"
#include "tests/lib/rig.h"

#include "config/lang/events.h"
#include "daemon/read/sweep.h"

#include <stdlib.h>

/* All that a start does, for what the kernel counts, and a row. */
static int
plan_on(const char *machine, const char *text, size_t size)
{
	struct rig *r = rig_bare(machine, "");
	struct config *cfg = &r->node.config;
	struct diag why;
	int rc;

	assert_int_equal(config_init(cfg, r->node.topo.model), 0);
	cfg->perf = true;
	if ((rc = config_parse(cfg, "test.conf", text, size, &why)) == 0 &&
	    (rc = node_plan(&r->node, &why)) == 0) {
		assert_true(r->node.plan.ncolumn > 500);
		r->row = calloc(r->node.plan.ncell, sizeof(r->row[0]));
		assert_non_null(r->row);
		rc = sweep_init(&r->sweep, &r->node.plan, r->node.acc,
		    READ_REMOTE, -1, &why);
		if (rc == 0)
			rig_sample(r);
	}
	if (rc < 0)
		print_message("%s\n", why.text);
	rig_close(r);
	return rc;
}

static int
plan_atom(const char *text, size_t size)
{
	return plan_on("@c2758", text, size);
}

static int
plan_grace(const char *text, size_t size)
{
	return plan_on("@grace-2s", text, size);
}

static void
a_plan_takes_time_by_the_length_of_its_configuration(void **state)
{
	static const struct growth inputs[] = {
		/* one read and one column a line and lproc */
		{ __LINE__, 1500, "", "event cpu-clock@%u\n", "", plan_atom },
		{ __LINE__, 4000, "cores [0]\n", "event cpu-clock@%u\n", "",
		    plan_atom },
		{ __LINE__, 1500, "event cpu-clock@x", ",cpu-clock@%u", "\n",
		    plan_atom },
		/* groups that take turns, and lines of the head */
		{ __LINE__, 4000, "", "core[0] E%u event=0x11\n", "",
		    plan_grace },
		{ __LINE__, 100, "", "core E%u event=0x11\n", "", plan_grace },
		/* names that no other set may have */
		{ __LINE__, 4000, "cores [0]\nset a\nevent cpu-clock@x\n"
		    "set b\n", "event cpu-clock@%u\n", "", plan_grace },
		/* lists of lprocs */
		{ __LINE__, 150, "", "cores [0-99]\nevent cpu-clock@%u\n", "",
		    plan_grace },
		{ __LINE__, 2000, "", "cores 0-9\nevent cpu-clock@%u\n", "",
		    plan_grace },
	};

	(void)state;
#ifdef __SANITIZE_ADDRESS__
	print_message("the sanitizer's allocator takes time of its own\n");
	skip();
#endif
	growth_check(inputs, sizeof(inputs) / sizeof(inputs[0]));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_plan_takes_time_by_the_length_of_its_configuration),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
