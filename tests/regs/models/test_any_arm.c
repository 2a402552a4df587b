/*
 * tests/regs/models/test_any_arm.c - Arm cores without tables: counted by the kernel, by the
 * architecture's events and by what its PMUs offer, in trees of event sources as they
 * are published of Graviton, Ampere and Vera (reference more-cpus, 5).
 */
#include "tests/lib/rig.h"

#include "config/lang/events.h"
#include "config/sim/machine.h"
#include "daemon/node/choose.h"
#include "regs/sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIDR(x) "packages 1\ncores 8\nphase work\n" \
	"file /proc/cpuinfo = x\nfile /sys/devices/system/cpu/cpu0/regs/" \
	"identification/midr_el1 = " x "\n"
#define CORE(name) "pmu " name " type=8 counters=6 own=0x11 cpus=0-7 " \
	"format=event:config:0-15 format=long:config1:0\n" \
	"named " name " cpu_cycles event=0x0011\n" \
	"named " name " inst_retired event=0x0008\n" \
	"named " name " stall_backend event=0x0024\n" \
	"named " name " ll_cache_miss_rd event=0x0037\n" \
	"count " name " 0x11 work=2600000000\n" \
	"count " name " 0x08 work=3900000000\n"

static struct rig *
planned(const char *machine, const char *config)
{
	struct rig *r = calloc(1, sizeof(*r));
	struct node *n = &r->node;
	struct sim *sim;
	struct diag why;

	if (machine_parse(&sim, "t.machine", machine, strlen(machine), &why) < 0)
		fail_msg("%s", why.text);
	sim_virtual(sim, true);
	n->acc = sim_access(sim);
	assert_int_equal(topo_load(&n->topo, n->acc, &why), 0);
	n->topo.model = choose_model(n, &r->o);
	assert_string_equal(n->topo.model->name, "any-arm");
	if (node_configure(n, &r->o, n->topo.model, &why) < 0 || (config !=
	    NULL && config_parse(&n->config, "t.conf", config, strlen(config),
	    &why) < 0) || choose_access(n, &r->o, &why) < 0 ||
	    node_plan(n, &why) < 0)
		fail_msg("%s", why.text);
	return r;
}

/* Is an event of that config asked of the kernel?  Its PMU's type. */
static bool
opened(const struct rig *r, uint32_t type, uint64_t config)
{
	const struct plan *p = &r->node.plan;

	for (unsigned i = 0; i < p->nopened; i++)
		if (p->opened[i].attr.type == type &&
		    p->opened[i].attr.config[0] == config)
			return true;
	return false;
}

static bool
has_line(const struct rig *r, const char *line)
{
	return strstr(r->node.config.made_default, line) != NULL;
}

/* c7g.metal: Neoverse V1 and CMN-650, whose format is the newer one. */
static void
a_graviton_counts_its_core_and_its_mesh(void **state)
{
	struct rig *r = planned(MIDR("0x00000000411fd401") CORE("armv8_pmuv3_0")
	    "pmu arm_cmn_0 type=9 counters=8 cpumask=0 format=type:config:0-15 "
	    "format=eventid:config:16-26 format=occupid:config:27-30 "
	    "format=bynodeid:config:31 format=nodeid:config:32-47\n"
	    "named arm_cmn_0 hnf_mc_reqs type=0x5,eventid=0xd\n"
	    "named arm_cmn_0 dtc_cycles type=0x3\n"
	    "named arm_cmn_0 mxp_n_dat_txflit_valid type=0x6,eventid=0x5\n",
	    "event arm_cmn_0/type=5,eventid=1,bynodeid=1,nodeid=0x68/\n");

	(void)state;
	assert_non_null(strstr(r->node.topo.cpu.name, "Neoverse V1"));
	assert_true(opened(r, 8, 0x11));
	assert_true(opened(r, 8, 0x08));
	/* sysfs has no STALL_FRONTEND here: it is not asked for */
	assert_false(opened(r, 8, 0x23));
	assert_true(opened(r, 9, 0xd0005));
	assert_true(opened(r, 9, 0x3));
	assert_true(opened(r, 9, 0x6880010005));
	rig_close(r);
}

/* Altra: Neoverse N1, by the device tree's name; CMN-600 with the older format, and a
 * DMC-620, whose event is in config2. */
static void
an_ampere_counts_by_the_formats_of_its_own_kernel(void **state)
{
	struct rig *r = planned(MIDR("0x00000000413fd0c1")
	    CORE("armv8_neoverse_n1")
	    "pmu arm_cmn type=9 counters=8 cpumask=0 format=type:config:0-15 "
	    "format=eventid:config:16-23 format=occupid:config:24-27\n"
	    "named arm_cmn hnf_mc_reqs type=0x5,eventid=0xd\n"
	    "pmu arm_dmc620_10008c000 type=10 counters=8 cpumask=0 "
	    "format=event:config2:3-8 format=clkdiv2:config2:9\n"
	    "named arm_dmc620_10008c000 clkdiv2_rdwr event=0x12,clkdiv2=0x1\n",
	    NULL);
	const struct plan *p = &r->node.plan;
	bool dmc = false;

	(void)state;
	assert_true(opened(r, 8, 0x37));
	assert_true(opened(r, 9, 0xd0005));
	for (unsigned i = 0; i < p->nopened; i++)
		dmc |= p->opened[i].attr.type == 10 &&
		    p->opened[i].attr.config[2] == (0x12u << 3 | 1u << 9);
	assert_true(dmc);
	rig_close(r);
}

/* Vera: Olympus cores, and PMUs whose names are not Grace's. */
static void
a_vera_counts_its_fabric_and_its_root_complexes(void **state)
{
	struct rig *r = planned(MIDR("0x000000004e0f0100") CORE("armv8_pmuv3_0")
	    "pmu nvidia_ucf_pmu_0 type=9 counters=8 cpumask=0 "
	    "format=event:config:0-32 format=src_loc_cpu:config1:1\n"
	    "named nvidia_ucf_pmu_0 mem_bytes_rd event=0x123\n"
	    "named nvidia_ucf_pmu_0 mem_bytes_wr event=0x124\n"
	    "count nvidia_ucf_pmu_0 0x123 work=200000000000\n"
	    "count nvidia_ucf_pmu_0 0x124 work=90000000000\n"
	    "pmu nvidia_pcie_pmu_0_rc_5 type=11 counters=8 cpumask=0 "
	    "format=event:config:0-32\n"
	    "named nvidia_pcie_pmu_0_rc_5 rd_bytes event=0x0\n"
	    "named nvidia_pcie_pmu_0_rc_5 wr_bytes event=0x1\n", NULL);

	(void)state;
	assert_string_equal(r->node.topo.cpu.name, "NVIDIA Olympus r0p0");
	assert_true(opened(r, 9, 0x123));
	assert_true(opened(r, 9, 0x124));
	assert_true(opened(r, 11, 0x1));
	assert_true(has_line(r, "event nvidia_pcie_pmu_0_rc_5/rd_bytes/\n"));
	assert_true(has_line(r, "core CPU_CYCLES\n"));
	rig_close(r);
}

/* What one PMU says in words that mean nothing keeps nobody from the rest: an event of
 * no term, one of no end, one that is empty, a format of bits that are none. */
static void
an_event_that_makes_no_sense_is_not_in_the_default(void **state)
{
#define CMN "pmu arm_cmn_0 type=9 counters=8 cpumask=0 format=eventid:config:16-26\n" \
	"named arm_cmn_0 dtc_cycles eventid=0x3\n"
	static const char *const wrong[] = {
		"garbage", "bad=1", "eventid=", "eventid=0x99999",
		"eventid=1,eventid", " "
	};
	char text[4096], ones[701];

	(void)state;
	memset(ones, '1', 700);
	ones[700] = '\0';
	for (size_t i = 0; i <= sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct rig *r;

		snprintf(text, sizeof(text), MIDR("0x00000000410fd4f0")
		    CORE("armv8_pmuv3_0") CMN "named arm_cmn_0 hnf_mc_reqs %s\n",
		    i < sizeof(wrong) / sizeof(wrong[0]) ? wrong[i] : ones);
		r = planned(text, NULL);
		/* a bare term is one of 1: that makes sense */
		if (has_line(r, "arm_cmn_0/hnf_mc_reqs/") != (i == 4))
			fail_msg("%s", text);
		assert_true(has_line(r, "event arm_cmn_0/dtc_cycles/\n"));
		assert_true(opened(r, 8, 0x11));
		rig_close(r);
	}
}

static void
a_pmu_of_unknown_format_is_not_in_the_default(void **state)
{
	struct rig *r = planned(MIDR("0x00000000410fd4f0")
	    CORE("armv8_pmuv3_0") CMN "file /sys/bus/event_source/devices/"
	    "arm_cmn_0/format/eventid = config9:99-70\n", NULL);

	(void)state;
	assert_false(has_line(r, "arm_cmn_0"));
	assert_true(opened(r, 8, 0x08));
	rig_close(r);
}

/* A guest of a hypervisor that gives it no PMU. */
static void
without_a_pmu_there_is_what_the_kernel_and_files_say(void **state)
{
	struct rig *r = planned(MIDR("0x00000000410fd4f0")
	    "file /proc/loadavg = 0.5 0.2 0.1 1/200 4242\n", NULL);

	(void)state;
	assert_true(has_line(r, "software on\n"));
	assert_false(has_line(r, "core "));
	assert_true(r->node.plan.nopened > 0);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_graviton_counts_its_core_and_its_mesh),
		cmocka_unit_test(
		    an_ampere_counts_by_the_formats_of_its_own_kernel),
		cmocka_unit_test(
		    a_vera_counts_its_fabric_and_its_root_complexes),
		cmocka_unit_test(
		    an_event_that_makes_no_sense_is_not_in_the_default),
		cmocka_unit_test(a_pmu_of_unknown_format_is_not_in_the_default),
		cmocka_unit_test(
		    without_a_pmu_there_is_what_the_kernel_and_files_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
