/*
 * tests/regs/models/test_zen_guest.c - AMD's counters below a hypervisor, which may refuse what
 * CPUID announces, or read 0 whatever is written (amd-zen.md 12); and CPUs of
 * generations that nobody has described (1.1).
 */
#include "tests/lib/rig.h"
#include "tests/lib/sim_compare.h"

#include "config/lang/events.h"
#include "daemon/node/choose.h"
#include "daemon/node/node.h"
#include "regs/sim/sim.h"

#include <stdlib.h>
#include <string.h>

#define GUEST "cpu guest=1\n"
#define EACH(x) "msr 0xc0010200 lproc " x "\nmsr 0xc0010201 lproc " x \
	"\nmsr 0xc0010202 lproc " x "\nmsr 0xc0010203 lproc " x \
	"\nmsr 0xc0010204 lproc " x "\nmsr 0xc0010205 lproc " x \
	"\nmsr 0xc0010206 lproc " x "\nmsr 0xc0010207 lproc " x \
	"\nmsr 0xc0010208 lproc " x "\nmsr 0xc0010209 lproc " x \
	"\nmsr 0xc001020a lproc " x "\nmsr 0xc001020b lproc " x "\n"
#define DF(x) "msr 0xc0010240 pkg " x "\nmsr 0xc0010241 pkg " x \
	"\nmsr 0xc0010242 pkg " x "\nmsr 0xc0010243 pkg " x \
	"\nmsr 0xc0010244 pkg " x "\nmsr 0xc0010245 pkg " x \
	"\nmsr 0xc0010246 pkg " x "\nmsr 0xc0010247 pkg " x "\n"
#define CONFIG "optional core instr_retired\noptional core cycles_unhalted\n" \
	"read rapl_pkg_energy\n"

/* Rome, changed so, with a plan of that configuration. */
static struct rig *
planned(const char *more, const char *config)
{
	struct rig *r = rig_bare("@rome-7742-2s", more);
	struct diag why;

	assert_int_equal(config_init(&r->node.config, r->node.topo.model), 0);
	if (config_parse(&r->node.config, "t.conf", config, strlen(config),
	    &why) < 0 || node_plan(&r->node, &why) < 0)
		fail_msg("%s", why.text);
	return r;
}

static bool
has_note(const struct rig *r, const char *words)
{
	for (unsigned i = 0; i < r->node.plan.absent.n; i++)
		if (strstr(r->node.plan.absent.line[i], words) != NULL)
			return true;
	return false;
}

static void
counters_that_are_refused_are_absent_and_the_rest_counts(void **state)
{
	struct rig *r = planned(GUEST "box core none\n" EACH("none"), CONFIG);

	(void)state;
	assert_int_equal(r->node.topo.cpu.gp_counters, 0);
	assert_true(has_note(r, "CORE instr_retired: CPUID announces counters, "
	    "and their registers do not answer (a hypervisor without a "
	    "PMU?)"));
	assert_false(rig_has(r, "core_counts[0][\"instr_retired\"]"));
	assert_true(rig_has(r, "rapl_pkg_energy[1]"));
	assert_int_equal(r->node.plan.nwrite, 0);
	rig_close(r);
}

static void
counters_that_forget_what_is_written_are_absent_and_the_rest_counts(void **state)
{
	struct rig *r = planned(GUEST "box core none\n" EACH("raz-wi"), CONFIG);
	struct diag why;

	(void)state;
	assert_true(rig_has(r, "core_counts[0][\"instr_retired\"]"));
	assert_int_equal(node_probe(&r->node, &why), 0);
	assert_false(rig_has(r, "core_counts[0][\"instr_retired\"]"));
	assert_true(rig_has(r, "rapl_pkg_energy[1]"));
	assert_true(has_note(r, "CORE cycles_unhalted: a control reads 0 after "
	    "it was written (a hypervisor that drops writes?)"));
	assert_int_equal(r->node.plan.nwrite, 0);
	rig_close(r);
}

static void
a_line_that_is_not_optional_says_why_there_is_nothing(void **state)
{
	struct rig *r = planned(GUEST "box core none\n" EACH("raz-wi"),
	    "core instr_retired\nread rapl_pkg_energy\n");
	struct diag why;

	(void)state;
	assert_true(node_probe(&r->node, &why) < 0);
	assert_non_null(strstr(why.text, "t.conf:1: instr_retired: this node "
	    "has no such CORE: a control reads 0 after it was written"));
	rig_close(r);
}

static void
a_box_that_forgets_is_absent_by_itself(void **state)
{
	struct rig *r = planned(GUEST "box df none\n" DF("raz-wi"), "optional df A event=0x07,umask=0x38\n"
	    "core instr_retired\n");
	struct diag why;

	(void)state;
	assert_true(rig_has(r, "df_counts[0][\"A\"]"));
	assert_int_equal(node_probe(&r->node, &why), 0);
	assert_false(rig_has(r, "df_counts[0][\"A\"]"));
	assert_false(rig_unit(r, "DF", 1, 0)->present);
	assert_true(has_note(r, "DF A: a control reads 0 after it was "
	    "written"));
	assert_true(rig_has(r, "core_counts[255][\"instr_retired\"]"));
	rig_close(r);
}

/* Each by itself, and the cores keep theirs. */
static void
l3s_that_forget_are_absent(void **state)
{
	struct rig *r = planned(GUEST "box l3 none\nmsr 0xc0010230 ccx raz-wi "
	    "n=12\n", "optional l3 l3_lookups\ncore instr_retired\n");
	struct diag why;

	(void)state;
	assert_true(rig_has(r, "l3_counts[1][15][\"l3_lookups\"]"));
	assert_int_equal(node_probe(&r->node, &why), 0);
	assert_false(rig_has(r, "l3_counts[0][0][\"l3_lookups\"]"));
	assert_false(rig_has(r, "l3_counts[1][15][\"l3_lookups\"]"));
	assert_false(rig_unit(r, "L3", 1, 15)->present);
	assert_true(has_note(r, "L3 l3_lookups: a control reads 0 after it was "
	    "written"));
	assert_true(rig_has(r, "core_counts[255][\"instr_retired\"]"));
	rig_close(r);
}

/* Of memory clocks, which are event 0, the control is the enable bit alone. */
static void
a_controller_that_forgets_is_absent_whatever_it_counts(void **state)
{
	static const char clocks[] = "optional umc umc_clk\n"
	    "core instr_retired\n";
	struct rig *r = rig_bare("@genoa-9654-2s", GUEST "box umc none\n"
	    "msr 0xc0010800 pkg raz-wi n=96\n");
	struct diag why;

	(void)state;
	assert_int_equal(config_init(&r->node.config, r->node.topo.model), 0);
	assert_int_equal(config_parse(&r->node.config, "t.conf", clocks,
	    strlen(clocks), &why), 0);
	assert_int_equal(node_plan(&r->node, &why), 0);
	assert_true(rig_has(r, "umc_counts[0][0][\"umc_clk\"]"));
	assert_int_equal(node_probe(&r->node, &why), 0);
	assert_false(rig_has(r, "umc_counts[0][0][\"umc_clk\"]"));
	assert_false(rig_has(r, "umc_counts[1][11][\"umc_clk\"]"));
	assert_true(has_note(r, "UMC umc_clk: a control reads 0 after it was "
	    "written"));
	assert_true(rig_has(r, "core_counts[383][\"instr_retired\"]"));
	rig_close(r);
}

/* Four counters: three events that need one each leave no pair. */
static void
a_pair_without_room_in_a_small_guest_is_absent(void **state)
{
	static const char three[] = "optional core instr_retired\n"
	    "optional core cycles_unhalted\noptional core l2_miss_ic_dc\n"
	    "optional core flops_all\n";
	struct rig *r = rig_bare("@genoa-9654-2s",
	    "cpuid 0x80000022 0x00000001 0x00000004 0 0\n");
	unsigned notes = 0;
	struct diag why;

	(void)state;
	assert_int_equal(config_init(&r->node.config, r->node.topo.model), 0);
	assert_int_equal(config_parse(&r->node.config, "t.conf", three,
	    strlen(three), &why), 0);
	assert_int_equal(node_plan(&r->node, &why), 0);
	assert_int_equal(r->node.topo.cpu.gp_counters, 4);
	assert_true(rig_has(r, "core_counts[383][\"l2_miss_ic_dc\"]"));
	assert_false(rig_has(r, "core_counts[0][\"flops_all\"]"));
	assert_true(has_note(r, "CORE flops_all: no counter is left for it, of "
	    "the 4 that are here"));
	for (unsigned i = 0; i < r->node.plan.absent.n; i++)
		notes +=
		    strstr(r->node.plan.absent.line[i], "flops_all") != NULL;
	assert_int_equal(notes, 1);
	rig_close(r);
}

/* 24 counters of twelve memory controllers. */
static void
what_has_no_counter_of_a_small_umc_is_absent(void **state)
{
	static const char three[] = "optional umc umc_clk\n"
	    "optional umc umc_cas_rd\noptional umc umc_cas_wr\n";
	struct rig *r = rig_bare("@genoa-9654-2s",
	    "cpuid 0x80000022 0x00000007 0x00184106 0x00000fff 0\n");
	struct diag why;

	(void)state;
	assert_int_equal(config_init(&r->node.config, r->node.topo.model), 0);
	assert_int_equal(config_parse(&r->node.config, "t.conf", three,
	    strlen(three), &why), 0);
	assert_int_equal(node_plan(&r->node, &why), 0);
	assert_true(rig_has(r, "umc_counts[1][11][\"umc_cas_rd\"]"));
	assert_false(rig_has(r, "umc_counts[1][11][\"umc_cas_wr\"]"));
	assert_true(has_note(r, "UMC 11 of package 1: umc_cas_wr: no counter is "
	    "left for it, of the 2 that are here"));
	rig_close(r);
}

/* With an event fewer there is one. */
static void
a_pair_with_room_in_a_small_guest_counts(void **state)
{
	struct rig *r = rig_bare("@genoa-9654-2s",
	    "cpuid 0x80000022 0x00000001 0x00000004 0 0\n");
	static const char two[] = "optional core instr_retired\n"
	    "optional core cycles_unhalted\noptional core flops_all\n";
	struct diag why;

	(void)state;
	assert_int_equal(config_init(&r->node.config, r->node.topo.model), 0);
	assert_int_equal(config_parse(&r->node.config, "t.conf", two,
	    strlen(two), &why), 0);
	assert_int_equal(node_plan(&r->node, &why), 0);
	assert_true(rig_has(r, "core_counts[0][\"flops_all\"]"));
	rig_close(r);
}

/* One control of a core and of each box, and it is 0 again. */
static void
a_guest_whose_counters_count_keeps_them(void **state)
{
	struct rig *r = planned(GUEST, CONFIG);
	struct rig *same = planned(GUEST, CONFIG);
	struct diag why;

	(void)state;
	assert_int_equal(node_probe(&r->node, &why), 0);
	assert_int_equal(sim_writes(rig_sim(r)), 2);
	rig_same(r, same);
	assert_true(rig_has(r, "core_counts[0][\"instr_retired\"]"));
	rig_close(r);
	rig_close(same);
}

static void
on_hardware_nothing_is_tried(void **state)
{
	struct rig *r = planned("", CONFIG);
	struct diag why;

	(void)state;
	assert_int_equal(node_probe(&r->node, &why), 0);
	assert_int_equal(sim_writes(rig_sim(r)), 0);
	rig_close(r);
}

/* What some other agent counts with is left alone. */
static void
a_control_that_holds_something_is_not_tried(void **state)
{
	struct rig *r = planned(GUEST, CONFIG);
	struct diag why;

	(void)state;
	rig_fault(r, "lproc 0 msr 0xc0010200 = 0x430076");
	assert_int_equal(node_probe(&r->node, &why), 0);
	assert_int_equal(sim_writes(rig_sim(r)), 0);
	rig_close(r);
}

static void
an_energy_unit_of_zero_is_no_energy(void **state)
{
	struct rig *r = planned(GUEST "msr 0xc0010299 pkg = 0\n",
	    "core instr_retired\nread rapl_pkg_energy rapl_core_energy\n");

	(void)state;
	assert_false(rig_has(r, "rapl_pkg_energy[0]"));
	assert_false(rig_has(r, "rapl_core_energy[0]"));
	assert_true(has_note(r, "rapl_pkg_energy[0]: msr 0xc0010299 has no "
	    "unit"));
	rig_close(r);
}

/* Family 1Ah, model 50h: PerfMonV2, six core counters, 16 UMCs; its events and
 * registers are nowhere, but for what CPUID announces (tests/regs/models/test_any.c). */
static void
a_generation_that_nobody_has_described_is_the_kernels(void **state)
{
	static const char text[] = "event cpu/event=0xc0/\n";
	struct rig *r = calloc(1, sizeof(*r));
	struct node *node = &r->node;
	struct diag why;

	(void)state;
	node->acc = sim_access(machine_with("@turin-2s", "cpu family=26 "
	    "model=0x50\ncpuid 0x80000022 0x00000007 0x00404106 0x0000ffff "
	    "0x00000000\n"));
	assert_int_equal(topo_load(&node->topo, node->acc, &why), 0);
	assert_string_equal(node->topo.model->name, "any-x86");
	assert_int_equal(node->topo.cpu.gp_counters, 6);
	assert_null(node->topo.model->box->name);

	node->topo.model = &model_any;
	assert_int_equal(config_init(&node->config, &model_any), 0);
	assert_int_equal(config_parse(&node->config, "t.conf", text,
	    strlen(text), &why), 0);
	assert_int_equal(choose_access(node, &r->o, &why), 0);
	assert_string_equal(node->how, "perf: tallyd has no tables for this "
	    "CPU");
	assert_int_equal(node_plan(node, &why), 0);
	assert_int_equal(node->plan.nwrite, 0);
	assert_int_equal(node->plan.nopened, 512);
	assert_int_equal(node->plan.opened[0].attr.config[0], 0xc0);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    counters_that_are_refused_are_absent_and_the_rest_counts),
		cmocka_unit_test(
		    counters_that_forget_what_is_written_are_absent_and_the_rest_counts),
		cmocka_unit_test(
		    a_line_that_is_not_optional_says_why_there_is_nothing),
		cmocka_unit_test(a_box_that_forgets_is_absent_by_itself),
		cmocka_unit_test(l3s_that_forget_are_absent),
		cmocka_unit_test(
		    a_controller_that_forgets_is_absent_whatever_it_counts),
		cmocka_unit_test(a_pair_without_room_in_a_small_guest_is_absent),
		cmocka_unit_test(what_has_no_counter_of_a_small_umc_is_absent),
		cmocka_unit_test(a_pair_with_room_in_a_small_guest_counts),
		cmocka_unit_test(a_guest_whose_counters_count_keeps_them),
		cmocka_unit_test(on_hardware_nothing_is_tried),
		cmocka_unit_test(a_control_that_holds_something_is_not_tried),
		cmocka_unit_test(an_energy_unit_of_zero_is_no_energy),
		cmocka_unit_test(
		    a_generation_that_nobody_has_described_is_the_kernels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
