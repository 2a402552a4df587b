/*
 * tests/daemon/test_guest.c - Intel's core counters in a virtual machine: CPUID announces
 * counters whose MSRs may fault (reference more-cpus, 1.5).  Those that answer are used,
 * and the default configuration leaves out events that have no counter.
 */
#include "tests/lib/rig.h"

#include <stdio.h>
#include <string.h>

#define GUEST "cpu guest=1\n"

/* Columns of the default configuration: of an early event, for which four counters are
 * enough, and of its last one. */
static const char first[] = "core_counts[0][\"CPU_CLK_UNHALTED.KERNEL\"]";
static const char last[] =
    "core_counts[0][\"FP_ARITH_INST_RETIRED.512B_PACKED_SINGLE\"]";

/* A guest whose core counters answer as `more` says. */
static struct rig *
guest(const char *more)
{
	char text[256];

	snprintf(text, sizeof(text), GUEST "%s", more);
	return rig_with("@icx-8358-2s", text, NULL);
}

static bool
noted(const struct rig *r, const char *words)
{
	for (unsigned i = 0; i < r->node.plan.absent.n; i++)
		if (strstr(r->node.plan.absent.line[i], words) != NULL)
			return true;
	return false;
}

static void
as_many_counters_as_answer_are_used(void **state)
{
	struct rig *r = guest("box core counters=4\n");

	(void)state;
	assert_int_equal(r->node.topo.cpu.gp_counters, 4);
	assert_int_equal(r->node.topo.cpu.fixed_counters, 4);
	assert_true(rig_has(r, first));
	assert_false(rig_has(r, last));
	assert_true(noted(r, "no counter is left for it, of the 4 that are here"));
	rig_program(r);
	rig_sample(r);
	rig_restore(r);
	rig_close(r);
}

static void
without_counters_the_rest_is_sampled(void **state)
{
	struct rig *r = guest("box core none\n");

	(void)state;
	assert_int_equal(r->node.topo.cpu.gp_counters, 0);
	assert_non_null(strstr(r->node.topo.cpu.no_counters, "do not answer"));
	assert_false(rig_has(r, first));
	assert_true(rig_has(r, "aperf[0]"));
	rig_close(r);
}

/* KVM does not offer the fourth fixed counter, though CPUID leaf 0xA of its host has it. */
static void
fixed_counters_that_fault_are_none(void **state)
{
	struct rig *r = guest("box core nfixed=3\n");

	(void)state;
	assert_int_equal(r->node.topo.cpu.gp_counters, 8);
	assert_int_equal(r->node.topo.cpu.fixed_counters, 3);
	assert_true(rig_has(r, "core_fixed_counts[0][\"Inst_Retired.Any\"]"));
	assert_false(rig_has(r, "core_fixed_counts[0][\"TOPDOWN.SLOTS\"]"));
	rig_close(r);
}

/* On hardware, counters whose MSRs fault are not left out: CPUID's number stands. */
static void
without_a_hypervisor_what_is_announced_is_believed(void **state)
{
	struct rig *r = rig_bare("@icx-8358-2s", "box core counters=4\n");

	(void)state;
	assert_int_equal(r->node.topo.cpu.gp_counters, 8);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_many_counters_as_answer_are_used),
		cmocka_unit_test(without_counters_the_rest_is_sampled),
		cmocka_unit_test(fixed_counters_that_fault_are_none),
		cmocka_unit_test(
		    without_a_hypervisor_what_is_announced_is_believed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
