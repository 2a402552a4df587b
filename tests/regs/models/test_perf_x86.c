/*
 * tests/regs/models/test_perf_x86.c - x86 through the kernel, simulated: PMUs of a Skylake
 * node and of CPUs without tables, their groups, mistakes.  Numbers are those of
 * the reference perf-event.md, by section.
 */
#include "tests/lib/named.h"
#include "tests/lib/rig.h"

#include "config/eventlist.h"
#include "config/sim/machine.h"
#include "config/texts.h"
#include "regs/sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char skx_pmus[] =
"pmu cpu type=4 counters=4 cpus=0-95 format=event:config:0-7 "
"format=umask:config:8-15 format=edge:config:18 format=any:config:21 "
"format=inv:config:23 format=cmask:config:24-31 "
"format=offcore_rsp:config1:0-63\n"
"pmu uncore_imc_0 type=10 counters=4 cpumask=0,24 "
"format=event:config:0-7 format=umask:config:8-15\n"
"pmu uncore_imc_1 type=11 counters=4 cpumask=0,24 "
"format=event:config:0-7 format=umask:config:8-15\n"
"named uncore_imc_0 cas_count_read event=0x04,umask=0x03\n"
"named uncore_imc_1 cas_count_read event=0x04,umask=0x03\n"
"pmu uncore_cha_0 type=20 counters=4 cpumask=0,24 format=event:config:0-7 "
"format=umask:config:8-15 format=filter_loc:config1:33 "
"format=filter_rem:config1:32\n"
"pmu power type=30 cpumask=0,24 format=event:config:0-7\n"
"named power energy-pkg event=0x02\n"
"named power energy-ram event=0x03\n"
"pmu msr type=31 format=event:config:0-63\n"
"named msr aperf event=0x01\nnamed msr pperf event=0x03\n"
"named msr smi event=0x04\n"
"pmu cstate_core type=32 cpumask=0-47 format=event:config:0-63\n"
"named cstate_core c6-residency event=0x02\n"
"pmu cstate_pkg type=33 cpumask=0,24 format=event:config:0-63\n"
"named cstate_pkg c2-residency event=0x00\n"
"named cstate_pkg c6-residency event=0x02\n"
"pmu uncore_iio_free_running_1 type=34 counters=2 cpumask=0,24 "
"format=event:config:0-7 format=umask:config:8-15\n"
"named uncore_iio_free_running_1 bw_in_port0 event=0xff,umask=0x20\n"
"named uncore_iio_free_running_1 bw_in_port1 event=0xff,umask=0x21\n"
"named uncore_iio_free_running_1 bw_in_port2 event=0xff,umask=0x22\n"
"count cpu 0xc0 all=1000 step=1\ncount cpu 0x3c all=2000\n"
"count uncore_imc_0 0x304 all=100 pkgstep=7\n"
"count uncore_imc_1 0x304 all=200 pkgstep=7\n"
"count uncore_cha_0 0x2135 config1=0x200000000 all=50\n"
"count power 0x2 all=4294967296\ncount power 0x3 all=300\n"
"count msr 0x1 all=5000\ncount msr 0x3 all=6000\ncount msr 0x4 all=70\n"
"count cstate_core 0x2 all=800\ncount cstate_pkg 0x0 all=900\n"
"count cstate_pkg 0x2 all=1100\n"
"count uncore_iio_free_running_1 0x20ff all=40\n"
"count uncore_iio_free_running_1 0x22ff all=60\n";

/*
 * The simulated Skylake node, counted through these PMUs as `model` has it;
 * NULL with words in why when the configuration is refused.
 */
static struct rig *
counted(const char *pmus, const struct model *model, const char *list,
    const char *config, struct diag *why)
{
	struct rig *r = calloc(1, sizeof(*r));
	const struct text *t = text_named("@skx-8160-2s", TEXT_MACHINE);
	char *text = NULL;
	struct sim *sim;

	assert_true(asprintf(&text, "%.*s\n%s", (int)(t->end - t->data),
	    t->data, pmus) > 0);
	if (machine_parse(&sim, "test.machine", text, strlen(text), why) < 0)
		fail_msg("%s", why->text);
	free(text);
	sim_virtual(sim, true);
	r->o.node.access = ACCESS_PERF;
	r->node.acc = sim_access(sim);
	assert_int_equal(topo_load(&r->node.topo, r->node.acc, why), 0);
	if (model != NULL)
		r->node.topo.model = model;
	assert_int_equal(config_init(&r->node.config, r->node.topo.model), 0);
	if (list != NULL && eventlist_parse(&r->node.config.list,
	    r->node.topo.model, "list.json", list, strlen(list), why) < 0)
		fail_msg("%s", why->text);
	if (!rig_choose(r, config, why))
		return NULL;
	sim_advance(sim, 1000000000);
	rig_sample(r);
	return r;
}

static struct rig *
skx(const char *config, struct diag *why)
{
	return counted(skx_pmus, NULL, NULL, config, why);
}

/* Within a thousandth: groups are opened one after the other. */
#define NEAR(value, want) assert_in_range(value, (want), (want) + (want) / 50)

static void
uncore_pmus_give_the_families_of_their_boxes(void **state)
{
	struct diag why;
	struct rig *r = skx("imc CAS_COUNT.READS event=0x04,umask=0x03\n"
	    "cha TOR event=0x35,umask=0x21,filter1=0x2\n"
	    "core INST_RETIRED.ANY_P event=0xc0\ncore fixed\n"
	    "read rapl_pkg_energy\n"
	    "optional upi CLOCKTICKS event=0x01\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "imc_counts[0][0][\"CAS_COUNT.READS\"]"), 100);
	NEAR(rig_value(r, "imc_counts[1][1][\"CAS_COUNT.READS\"]"), 207);
	NEAR(rig_value(r, "cha_counts[1][0][\"TOR\"]"), 50);
	NEAR(rig_value(r, "core_counts[0][\"INST_RETIRED.ANY_P\"]"), 1000);
	/* of users and of the kernel */
	for (unsigned i = 0; i < r->node.plan.nopened; i++)
		assert_false(r->node.plan.opened[i].attr.no_user ||
		    r->node.plan.opened[i].attr.no_kernel);
	NEAR(rig_value(r, "rapl_pkg_energy[1]"), 4294967296);
	assert_false(rig_has(r, "upi_counts[0][0][\"CLOCKTICKS\"]"));
	assert_true(r->node.plan.absent.n > 0);
	assert_non_null(strstr(r->node.plan.head.text,
	    "rapl_pkg_energy_unit_log2 = 32"));
	rig_close(r);
}

static void
a_box_whose_pmu_is_gone_is_not_counted_as_another(void **state)
{
	struct diag why;
	struct rig *r = skx("imc CAS_COUNT.READS event=0x04,umask=0x03\n",
	    &why);
	struct plan *plan = &r->node.plan;

	(void)state;
	assert_non_null(r);
	assert_true(rig_has(r, "imc_counts[1][1][\"CAS_COUNT.READS\"]"));
	for (unsigned i = 0; i < r->node.inv.n; i++)
		if (strcmp(r->node.inv.unit[i].pmu, "uncore_imc_1") == 0)
			strcpy(r->node.inv.unit[i].pmu, "uncore_imc_7");
	plan_free(plan);
	assert_int_equal(plan_make(plan, &r->node.config, &r->node.topo,
	    &r->node.inv, r->node.acc, &why), 0);
	assert_true(rig_has(r, "imc_counts[1][0][\"CAS_COUNT.READS\"]"));
	assert_false(rig_has(r, "imc_counts[1][1][\"CAS_COUNT.READS\"]"));
	assert_int_equal(plan->absent.n, 2);
	assert_string_equal(plan->absent.line[1],
	    "IMC 1 of package 1: its PMU uncore_imc_7 is gone");
	rig_close(r);
}

/* PMUs and list of a Sapphire Rapids node, which no table describes; the
 * encodings are the worked examples of 8.3 and 8.4. */
static const char spr_pmus[] =
"pmu cpu type=4 counters=8 cpus=0-95 format=event:config:0-7 "
"format=umask:config:8-15 format=edge:config:18 format=inv:config:23 "
"format=cmask:config:24-31 format=frontend:config1:0-23\n"
"pmu uncore_cha_0 type=20 counters=4 cpumask=0,24 format=event:config:0-7 "
"format=umask:config:8-15,32-55 format=thresh:config:24-31\n"
"pmu uncore_cha_1 type=21 counters=4 cpumask=0,24 format=event:config:0-7 "
"format=umask:config:8-15,32-55 format=thresh:config:24-31\n"
"pmu uncore_iio_0 type=30 counters=4 cpumask=0,24 format=event:config:0-7 "
"format=umask:config:8-15 format=ch_mask:config:36-47 "
"format=fc_mask:config:48-50\n"
"pmu uncore_pcu type=40 counters=4 cpumask=0,24 format=event:config:0-7 "
"format=occ_sel:config:14-15\n"
"count cpu 0xc0 all=1000\ncount cpu 0x10402ad all=700\n"
"count cpu 0x1c6 config1=0x11 all=30\n"
"count uncore_cha_0 0xc817fe00000135 all=50\n"
"count uncore_cha_1 0xc817fe00000135 all=60 pkgstep=5\n"
"count uncore_iio_0 0x7001000000483 all=9\n"
"count uncore_pcu 0x4080 all=11\n";

static const char spr_list[] = "[\n"
"{\"EventName\":\"INST_RETIRED.ANY\",\"EventCode\":\"0x00\","
" \"UMask\":\"0x01\",\"Counter\":\"Fixed counter 0\"},\n"
"{\"EventName\":\"X.CYCLES\",\"EventCode\":\"0xad\",\"UMask\":\"0x02\","
" \"CounterMask\":\"1\",\"EdgeDetect\":\"1\"},\n"
"{\"EventName\":\"FRONTEND_RETIRED.DSB_MISS\",\"EventCode\":\"0xc6\","
" \"UMask\":\"0x01\",\"MSRIndex\":\"0x3F7\",\"MSRValue\":\"0x11\"},\n"
"{\"EventName\":\"UNC_CHA_TOR_INSERTS.IA_MISS_DRD\",\"Unit\":\"CHA\","
" \"EventCode\":\"0x35\",\"UMask\":\"0x01\",\"UMaskExt\":\"0x00c817fe\"},\n"
"{\"EventName\":\"UNC_IIO_DATA_REQ_OF_CPU.MEM_READ.PART0\",\"Unit\":\"IIO\","
" \"EventCode\":\"0x83\",\"UMask\":\"0x04\",\"PortMask\":\"0x1\","
" \"FCMask\":\"0x7\",\"UMaskExt\":\"0x00070010\"},\n"
"{\"EventName\":\"UNC_P_POWER_STATE_OCCUPANCY.CORES_C0\",\"Unit\":\"PCU\","
" \"EventCode\":\"0x80\",\"UMask\":\"0x40\"},\n"
"{\"EventName\":\"UNC_IIO_BANDWIDTH_IN.PART0_FREERUN\",\"Unit\":\"IIO\","
" \"EventCode\":\"0x00\",\"CounterType\":\"FREERUN\"}\n]\n";

static void
a_cpu_without_tables_counts_by_event_lists(void **state)
{
	struct diag why;
	struct rig *r = counted(spr_pmus, &model_any, spr_list,
	    "event INST_RETIRED.ANY,X.CYCLES,FRONTEND_RETIRED.DSB_MISS "
	    "TOR_INSERTS.IA_MISS_DRD DATA_REQ_OF_CPU.MEM_READ.PART0 "
	    "UNC_P_POWER_STATE_OCCUPANCY.CORES_C0\n"
	    "event cpu/event=0xc0,name=THE_SAME/\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "core_counts[95][\"INST_RETIRED.ANY\"]"), 1000);
	NEAR(rig_value(r, "core_counts[7][\"THE_SAME\"]"), 1000);
	/* no table says what it is: what its family is */
	for (unsigned i = 0; i < r->node.plan.ncolumn; i++)
		if (is_named(&r->node.plan.column[i].id,
		    "core_counts[7][\"THE_SAME\"]"))
			assert_int_equal(r->node.plan.column[i].cls,
			    CLASS_EVENT);
	NEAR(rig_value(r, "core_counts[7][\"X.CYCLES\"]"), 700);
	NEAR(rig_value(r, "core_counts[7][\"FRONTEND_RETIRED.DSB_MISS\"]"),
	    30);
	NEAR(rig_value(r, "cha_counts[1][1][\"TOR_INSERTS.IA_MISS_DRD\"]"),
	    65);
	NEAR(rig_value(r,
	    "iio_counts[1][0][\"DATA_REQ_OF_CPU.MEM_READ.PART0\"]"), 9);
	NEAR(rig_value(r,
	    "pcu_counts[1][\"UNC_P_POWER_STATE_OCCUPANCY.CORES_C0\"]"), 11);
	rig_close(r);

	/* and what the kernel's other PMUs have */
	r = counted(skx_pmus, &model_any, NULL, "read rapl_pkg_energy mperf\n",
	    &why);
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "rapl_pkg_energy[1]"), 4294967296);
	assert_int_equal(r->node.plan.absent.n, 1);
	assert_string_equal(r->node.plan.absent.line[0],
	    "mperf: the kernel has no PMU event msr/mperf/");
	rig_close(r);

	/* lprocs of a list are added up there, too */
	r = counted(spr_pmus, &model_any, spr_list,
	    "cores \"0-3\" \"[4]\"\nevent INST_RETIRED.ANY\n", &why);
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "core_group_counts[\"0-3\"][\"INST_RETIRED.ANY\"]"),
	    4000);
	NEAR(rig_value(r, "core_counts[4][\"INST_RETIRED.ANY\"]"), 1000);
	assert_false(rig_has(r, "core_counts[0][\"INST_RETIRED.ANY\"]"));
	rig_close(r);

	/* what follows the name changes what the list says */
	r = counted(spr_pmus, &model_any, spr_list,
	    "event X.CYCLES:event=0xc0,umask=0,cmask=0,edge=0\n", &why);
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r,
	    "core_counts[0][\"X.CYCLES:event=0xc0,umask=0,cmask=0,edge=0\"]"),
	    1000);
	rig_close(r);

	/* a comma is as good, and a group goes on behind it */
	r = counted(spr_pmus, &model_any, spr_list, "event "
	    "X.CYCLES,event=0xc0,umask=0,cmask=0,edge=0,INST_RETIRED.ANY\n",
	    &why);
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r,
	    "core_counts[0][\"X.CYCLES:event=0xc0,umask=0,cmask=0,edge=0\"]"),
	    1000);
	NEAR(rig_value(r, "core_counts[0][\"INST_RETIRED.ANY\"]"), 1000);
	rig_close(r);

	assert_null(counted(spr_pmus, &model_any, spr_list,
	    "core X event=0xc0\n", &why));
	assert_non_null(strstr(why.text, "\"core\" is no box here"));
	assert_null(counted(spr_pmus, &model_any, spr_list,
	    "event UNC_IIO_BANDWIDTH_IN.PART0_FREERUN\n", &why));
	assert_non_null(strstr(why.text, "it is a free-running counter of "
	    "IIO"));
	assert_null(counted(spr_pmus, &model_any, spr_list,
	    "event X.CYCLES:ubask=1\n", &why));
	assert_non_null(strstr(why.text, "did you mean umask?"));
}

/* Handles: each is one system call a sample. */
static unsigned
calls(const struct rig *r)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->node.plan.nread; i++)
		n += r->node.plan.read[i].space == REG_PERF &&
		    r->node.plan.read[i].offset == PERF_ENABLED;
	return n;
}

/* 96 lprocs, 48 of them the first of their core; 2 packages */
static void
what_always_runs_is_one_system_call_an_lproc_core_and_package(void **state)
{
	struct diag why;
	struct rig *r = skx("read pperf aperf core_c6_residency\n"
	    "read smi_count pkg_c2_residency pkg_c6_residency\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	assert_int_equal(calls(r), 96 + 48 + 2);
	NEAR(rig_value(r, "pperf[0]"), 6000);
	NEAR(rig_value(r, "aperf[95]"), 5000);
	NEAR(rig_value(r, "core_c6_residency[47]"), 800);
	assert_false(rig_has(r, "core_c6_residency[48]"));
	NEAR(rig_value(r, "smi_count[1]"), 70);
	NEAR(rig_value(r, "pkg_c2_residency[0]"), 900);
	NEAR(rig_value(r, "pkg_c6_residency[1]"), 1100);
	rig_close(r);
}

/* msr with the first PMU, every other PMU by itself */
static void
two_pmus_of_a_package_are_two_system_calls(void **state)
{
	struct diag why;
	struct rig *r = skx("read rapl_pkg_energy rapl_dram_energy smi_count "
	    "pkg_c6_residency\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	assert_int_equal(calls(r), 2 * 2);
	NEAR(rig_value(r, "rapl_dram_energy[1]"), 300);
	NEAR(rig_value(r, "smi_count[1]"), 70);
	NEAR(rig_value(r, "pkg_c6_residency[0]"), 1100);
	rig_close(r);
}

static void
read_all_reads_what_the_kernel_has(void **state)
{
	struct diag why;
	struct rig *r = skx("read all\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "aperf[95]"), 5000);
	NEAR(rig_value(r, "rapl_pkg_energy[1]"), 4294967296);
	assert_true(rig_has(r, "iio_PCIe0_port0_in_bytes[1]"));
	assert_true(rig_has(r, "pkg_c2_residency[0]"));
	assert_false(rig_has(r, "mperf[0]"));
	rig_close(r);
}

/* This one takes no group of three: one and two, and the two take turns with
 * the one, so none of the numbers. */
static void
a_group_that_the_kernel_refuses_is_read_in_parts(void **state)
{
	struct diag why;
	struct rig *r = skx("read iio_bytes\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	assert_int_equal(calls(r), 2 * 2);
	assert_true(rig_has(r, "iio_PCIe0_port0_in_bytes[1]"));
	assert_true(rig_has(r, "iio_PCIe0_port1_in_bytes[0]"));
	assert_true(rig_has(r, "iio_PCIe0_port2_in_bytes[0]"));
	rig_close(r);
}

static void
dispatch_off_adds_up_the_boxes_of_a_package(void **state)
{
	struct diag why;
	struct rig *r = skx("dispatch off\nevent uncore_imc/cas_count_read/\n",
	    &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "imc_sum_counts[0][\"cas_count_read\"]"), 300);
	NEAR(rig_value(r, "imc_sum_counts[1][\"cas_count_read\"]"), 314);
	assert_false(rig_has(r, "imc_counts[0][0][\"cas_count_read\"]"));
	rig_close(r);
}

static void
dispatch_off_leaves_a_box_that_is_named_its_own_column(void **state)
{
	static const char pmus[] =
	    "pmu uncore_x_0 type=13 counters=4 cpumask=0,24 "
	    "format=event:config:0-7\n"
	    "pmu uncore_x_1 type=14 counters=4 cpumask=0,24 "
	    "format=event:config:0-7\n"
	    "count uncore_x_0 0x1 all=10\ncount uncore_x_1 0x1 all=12\n";
	char *both;
	struct diag why;
	struct rig *r;

	(void)state;
	assert_true(asprintf(&both, "%s%s", skx_pmus, pmus) > 0);
	r = counted(both, NULL, NULL, "dispatch off\n"
	    "event uncore_imc_1/cas_count_read/\n"
	    "event uncore_imc_0/event=4,umask=3,name=R/\n"
	    "event uncore_x_1/event=1,name=ONE/\n"
	    "event uncore_x/event=1,name=BOTH/\n", &why);
	free(both);
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "imc_counts[1][1][\"cas_count_read\"]"), 207);
	assert_false(rig_has(r, "imc_counts[1][0][\"cas_count_read\"]"));
	assert_false(rig_has(r, "imc_sum_counts[0][\"cas_count_read\"]"));
	NEAR(rig_value(r, "imc_counts[0][0][\"R\"]"), 100);
	assert_false(rig_has(r, "imc_counts[0][1][\"R\"]"));
	NEAR(rig_value(r, "x_counts[1][1][\"ONE\"]"), 12);
	NEAR(rig_value(r, "x_sum_counts[1][\"BOTH\"]"), 22);
	rig_close(r);
}

/* A package of two dies: the masks have a CPU of each. */
static void
boxes_of_a_second_die_are_numbered_on(void **state)
{
	static const char pmus[] =
	    "pmu uncore_imc_0 type=10 counters=4 cpumask=0,5,24,29 "
	    "format=event:config:0-7 format=umask:config:8-15\n"
	    "pmu uncore_imc_1 type=11 counters=4 cpumask=0,5,24,29 "
	    "format=event:config:0-7 format=umask:config:8-15\n"
	    "pmu uncore_pcu type=12 counters=4 cpumask=0,5,24,29 "
	    "format=event:config:0-7\n"
	    "pmu uncore_x_0 type=13 counters=4 cpumask=0,5,24,29 "
	    "format=event:config:0-7\n"
	    "pmu uncore_x_1 type=14 counters=4 cpumask=0,5,24,29 "
	    "format=event:config:0-7\n"
	    "pmu power type=30 cpumask=0,5,24,29 format=event:config:0-7\n"
	    "named power energy-pkg event=0x02\n"
	    "count uncore_imc_0 0x304 all=100\n"
	    "count uncore_imc_1 0x304 all=200 pkgstep=7\n"
	    "count uncore_pcu 0x4 all=11\ncount uncore_x_1 0x1 all=12\n";
	struct diag why;
	struct rig *r = counted(pmus, NULL, NULL, "imc R event=4,umask=3\n"
	    "pcu P event=4\nevent uncore_x/event=1,name=X/\n"
	    "event uncore_x_1/event=1,name=SAME/\n"
	    "read rapl_pkg_energy\n", &why);
	unsigned lost = 0;

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "imc_counts[0][0][\"R\"]"), 100);
	NEAR(rig_value(r, "imc_counts[0][2][\"R\"]"), 100);
	NEAR(rig_value(r, "imc_counts[1][3][\"R\"]"), 207);
	assert_false(rig_has(r, "imc_counts[1][4][\"R\"]"));
	NEAR(rig_value(r, "x_counts[1][3][\"X\"]"), 12);
	NEAR(rig_value(r, "x_counts[1][3][\"SAME\"]"), 12);
	/* a package has one column of its PCU */
	NEAR(rig_value(r, "pcu_counts[1][\"P\"]"), 11);
	for (unsigned i = 0; i < r->node.inv.n; i++)
		lost += strstr(r->node.inv.unit[i].reason, "another die") !=
		    NULL;
	assert_int_equal(lost, 2);
	/* nor of its power, which a note tells */
	assert_int_equal(r->node.plan.remarks.n, 2);
	assert_string_equal(r->node.plan.remarks.line[1],
	    "rapl_pkg_energy[1] is that "
	    "of the first of the package's 2 dies alone");
	rig_close(r);
}

/* The head is a program: what is no number there would stop it. */
static void
a_scale_that_is_no_number_is_not_passed_on(void **state)
{
	static const struct { const char *scale; bool told; } t[] = {
		{ "6.103515625e-5", true }, { "-1", true }, { "64", true },
		{ "--1e-+", false }, { "1e", false }, { "1e999", false },
		{ "+1", false }, { "007", false }, { "e5", false },
		{ "nan", false }, { "1.2.3", false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char pmus[400], line[128];
		struct diag why;
		struct rig *r;

		snprintf(pmus, sizeof(pmus), "pmu uncore_x_0 type=13 "
		    "counters=4 cpumask=0,24 format=event:config:0-7\n"
		    "named uncore_x_0 e event=1\n"
		    "named uncore_x_0 e.scale %s\n", t[i].scale);
		r = counted(pmus, NULL, NULL, "event uncore_x/e/\n", &why);
		if (r == NULL)
			fail_msg("%s", why.text);
		snprintf(line, sizeof(line), "event_scale[\"x_counts\"]"
		    "[\"e\"] = %s\n", t[i].scale);
		if ((strstr(r->node.plan.head.text, line) != NULL) != t[i].told)
			fail_msg("%s", t[i].scale);
		assert_int_equal(strstr(r->node.plan.head.text, "event_scale") !=
		    NULL, t[i].told);
		rig_close(r);
	}
}

static void
a_configuration_that_asks_for_nothing_is_a_plan_without_columns(void **state)
{
	struct diag why;
	struct rig *r = skx("hardware-cache off\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	/* the daemon's own */
	assert_true(rig_has(r, "tsc"));
	rig_close(r);
}

static void
an_lproc_of_a_sum_that_is_offline_is_said_to_be(void **state)
{
	struct diag why;

	(void)state;
	assert_null(counted("from 0 lproc 1 offline\n", NULL, NULL,
	    "cores \"0-1\"\nevent cpu-clock\n", &why));
	assert_string_equal(why.text,
	    "test.conf:2: cores \"0-1\": lproc 1 is offline");
}

/* An empty cpumask is not that of a PMU which every lproc has. */
static void
a_pmu_that_no_cpu_serves_is_not_counted_on_all(void **state)
{
	static const char pmus[] = "pmu uncore_x_0 type=13 "
	    "format=event:config:0-7\n"
	    "file " PMU_DIR "/uncore_x_0/cpumask =\n"
	    "pmu uncore_upi_0 type=14 format=event:config:0-7\n"
	    "file " PMU_DIR "/uncore_upi_0/cpumask =\n";
	struct diag why;

	(void)state;
	assert_null(counted(pmus, NULL, NULL, "event uncore_x/event=1/\n",
	    &why));
	assert_string_equal(why.text, "test.conf:1: uncore_x/event=1/: PMU "
	    "uncore_x_0: its cpumask is empty: no CPU serves this PMU");
	assert_null(counted(pmus, NULL, NULL, "upi X event=1\n", &why));
	assert_string_equal(why.text, "test.conf:1: X: this node has no UPI: "
	    "PMU uncore_upi_0: its cpumask is empty: no CPU serves this PMU");
}

static void
dispatch_type_names_the_pmu_of_each_box(void **state)
{
	struct diag why;
	struct rig *r = skx("dispatch type\n"
	    "event uncore_imc/cas_count_read/ r3c\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "imc_counts[0][0][\"cas_count_read:type=10\"]"),
	    100);
	NEAR(rig_value(r, "imc_counts[1][1][\"cas_count_read:type=11\"]"),
	    207);
	assert_true(rig_has(r, "core_counts[3][\"r3c\"]"));
	assert_non_null(strstr(r->node.plan.head.text, "event_group[\"imc_counts\"]"
	    "[\"cas_count_read:type=11\"] = \"cas_count_read\"\n"));
	rig_close(r);
}

/* The two examples of collectd's documentation (reference perf-event 10.2), in
 * our grammar and with Intel's own list; see doc/access.md. */
static void
collectds_examples_give_the_columns_that_it_promises(void **state)
{
	static const char pmus[] =
	    "pmu cpu type=4 counters=4 cpus=0-95 format=event:config:0-7 "
	    "format=umask:config:8-15\n"
	    "pmu uncore_cha_0 type=20 counters=4 cpumask=0,24 "
	    "format=event:config:0-7 format=umask:config:8-15 "
	    "format=filter_loc:config1:33 format=filter_not_nm:config1:37 "
	    "format=filter_nm:config1:36 format=filter_opc0:config1:41-50\n"
	    "pmu uncore_iio_0 type=30 counters=4 cpumask=0,24 "
	    "format=event:config:0-7 format=umask:config:8-15 "
	    "format=ch_mask:config:36-43 format=fc_mask:config:44-46\n"
	    "count cpu 0xc424 all=10\ncount cpu 0x2424 all=2000\n"
	    "count cpu 0xe424 all=2010\ncount cpu 0x3824 all=77\n"
	    "count uncore_cha_0 0x2135 config1=0x4043200000000 all=50\n"
	    "count uncore_iio_0 0x7010000001c1 all=60\n";
	static const char *const all[] = { "L2_RQSTS.CODE_RD_HIT",
	    "L2_RQSTS.CODE_RD_MISS", "L2_RQSTS.ALL_CODE_RD" };
	static const unsigned counts[] = { 10, 2000, 2010 };
	char core[512], uncore[512], column[160], *config;
	struct diag why;
	struct rig *r;

	(void)state;
	perfmon("SKX/events/skylakex_core.json", core);
	perfmon("SKX/events/skylakex_uncore.json", uncore);
	assert_true(asprintf(&config, "event-list %s\n"
	    "event L2_RQSTS.CODE_RD_HIT,L2_RQSTS.CODE_RD_MISS "
	    "L2_RQSTS.ALL_CODE_RD\ncores \"1\"\nevent L2_RQSTS.PF_MISS\n",
	    core) > 0);
	if ((r = counted(pmus, NULL, NULL, config, &why)) == NULL)
		fail_msg("%s", why.text);
	free(config);
	for (unsigned l = 0; l < 96; l += 19)
		for (unsigned i = 0; i < 3; i++) {
			snprintf(column, sizeof(column), "core_counts[%u]"
			    "[\"%s\"]", l, all[i]);
			NEAR(rig_value(r, column), counts[i]);
		}
	NEAR(rig_value(r, "core_counts[1][\"L2_RQSTS.PF_MISS\"]"), 77);
	assert_false(rig_has(r, "core_counts[0][\"L2_RQSTS.PF_MISS\"]"));
	assert_false(rig_has(r, "core_counts[2][\"L2_RQSTS.PF_MISS\"]"));
	/* the two of one word are a group, with times of its own */
	assert_true(rig_has(r,
	    "core_running[5][\"L2_RQSTS.CODE_RD_HIT\"]"));
	assert_true(rig_has(r,
	    "core_running[5][\"L2_RQSTS.ALL_CODE_RD\"]"));
	assert_false(rig_has(r,
	    "core_running[5][\"L2_RQSTS.CODE_RD_MISS\"]"));
	rig_close(r);

	/* cores of the machine at hand; the second socket has 24 */
	assert_true(asprintf(&config, "event-list %s\ncores \"0\" \"24\"\n"
	    "event UNC_CHA_TOR_INSERTS.IA_MISS:config1=0x4043200000000\n"
	    "event UNC_IIO_TXN_REQ_BY_CPU.MEM_WRITE.PART0\n", uncore) > 0);
	if ((r = counted(pmus, NULL, NULL, config, &why)) == NULL)
		fail_msg("%s", why.text);
	free(config);
	for (unsigned p = 0; p < 2; p++) {
		snprintf(column, sizeof(column), "cha_counts[%u][0][\"UNC_CHA_"
		    "TOR_INSERTS.IA_MISS:config1=0x4043200000000\"]", p);
		NEAR(rig_value(r, column), 50);
		snprintf(column, sizeof(column), "iio_counts[%u][0][\"UNC_IIO_"
		    "TXN_REQ_BY_CPU.MEM_WRITE.PART0\"]", p);
		NEAR(rig_value(r, column), 60);
	}
	rig_close(r);
}

static void
cores_are_added_up_or_kept_apart(void **state)
{
	struct diag why;
	struct rig *r = skx("cores \"0-3\" \"[4-5]\" \"6\"\n"
	    "event r3c,rc0\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "core_group_counts[\"0-3\"][\"r3c\"]"), 8000);
	NEAR(rig_value(r, "core_counts[4][\"r3c\"]"), 2000);
	NEAR(rig_value(r, "core_counts[6][\"r3c\"]"), 2000);
	assert_false(rig_has(r, "core_counts[0][\"r3c\"]"));
	assert_false(rig_has(r, "core_counts[7][\"r3c\"]"));
	rig_close(r);
}

/* 5.4: the type of the core's PMU is in bits 63:32 of the kernel's own events;
 * what is written for one PMU is not counted by another, which is said. */
static void
cores_of_another_pmu_count_what_the_kernel_names(void **state)
{
	static const char pmus[] =
	    "pmu cpu_core type=4 counters=8 cpus=0-63 "
	    "format=event:config:0-7 format=umask:config:8-15\n"
	    "pmu cpu_atom type=10 counters=6 cpus=64-95 "
	    "format=event:config:0-7 format=umask:config:8-15\n"
	    "count hardware 0x1 all=500\ncount hardware 0x1 all=70 lproc=64\n"
	    "count cpu_core 0xc0 all=1000\n";
	struct diag why;
	struct rig *r = counted(pmus, &model_any, NULL,
	    "event instructions,rc0\nevent cpu_atom/event=0/\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "core_counts[63][\"instructions\"]"), 500);
	NEAR(rig_value(r, "core_counts[64][\"instructions\"]"), 70);
	NEAR(rig_value(r, "core_counts[63][\"rc0\"]"), 1000);
	assert_false(rig_has(r, "core_counts[64][\"rc0\"]"));
	assert_true(rig_has(r,
	    "core_cpu_atom_counts[64][\"cpu_atom/event=0/\"]"));
	assert_int_equal(r->node.plan.absent.n, 1);
	assert_string_equal(r->node.plan.absent.line[0],
	    "rc0: lprocs 64-95 are left "
	    "out, whose PMU is cpu_atom");
	for (unsigned i = 0; i < r->node.plan.nopened; i++)
		if (is_named(&r->node.plan.opened[i].id,
		    "core_counts[64][\"instructions\"]"))
			assert_int_equal(r->node.plan.opened[i].attr.config[0],
			    0xa00000001);
	rig_close(r);

	r = counted(pmus, &model_any, NULL, "cores \"[64]\"\n"
	    "event instructions\ncores \"[1]\"\nevent rc0\n", &why);
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "core_counts[64][\"instructions\"]"), 70);
	assert_int_equal(r->node.plan.absent.n, 0);
	rig_close(r);
}

/* Whether every lproc has a PMU is known when it is looked up. */
static void
cores_are_added_up_for_any_pmu_without_a_cpumask(void **state)
{
	struct diag why;
	struct rig *r = skx("cores \"0-3\" \"[4-5]\" \"8,9\"\n"
	    "event msr/aperf/\ncores \"0-3\"\nevent msr/pperf/\n"
	    "event cstate_core/c6-residency/\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "core_msr_group_counts[\"0-3\"][\"aperf\"]"),
	    20000);
	NEAR(rig_value(r, "core_msr_group_counts[\"8,9\"][\"aperf\"]"),
	    10000);
	NEAR(rig_value(r, "core_msr_counts[5][\"aperf\"]"), 5000);
	assert_false(rig_has(r, "core_msr_counts[0][\"aperf\"]"));
	assert_false(rig_has(r, "core_msr_counts[6][\"aperf\"]"));
	NEAR(rig_value(r, "core_msr_group_counts[\"0-3\"][\"pperf\"]"),
	    24000);
	assert_false(rig_has(r, "core_msr_counts[0][\"pperf\"]"));
	/* of a mask's CPUs, cores says which */
	NEAR(rig_value(r, "core_cstate_core_counts[3][\"c6-residency\"]") ,
	    800);
	rig_close(r);
}

/* On lproc 1 a second group wants four of the four counters, so the first has
 * 4 of 5 turns there: 1000 a second of lproc 0, and 9000 of 1, of which 7200
 * are counted. */
static void
a_sum_is_scaled_by_the_times_of_each_of_its_lprocs(void **state)
{
	static const char pmus[] =
	    "pmu cpu type=4 counters=4 cpus=0-95 format=event:config:0-7 "
	    "format=umask:config:8-15\n"
	    "count cpu 0xc0 all=1000 lproc=0\n"
	    "count cpu 0xc0 all=9000 lproc=1\n";
	struct diag why;
	struct rig *r = counted(pmus, NULL, NULL, "cores \"0-1\"\nevent rc0\n"
	    "cores \"[1]\"\nevent r1c2,r2c2,r4c2,r5c2\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	NEAR(rig_value(r, "core_group_counts[\"0-1\"][\"rc0\"]"), 8200);
	NEAR(rig_value(r, "core_group_scaled[\"0-1\"][\"rc0\"]"), 9999);
	NEAR(rig_value(r, "core_group_enabled[\"0-1\"][\"rc0\"]"),
	    2000000000);
	NEAR(rig_value(r, "core_group_running[\"0-1\"][\"rc0\"]"),
	    1800000000);
	rig_close(r);
}

/* ... and what the lproc did not count meanwhile is in no later sum. */
static void
a_sum_without_one_of_its_lprocs_is_absent(void **state)
{
	struct diag why;
	struct rig *r = skx("cores \"0-3\"\nevent r3c\n", &why);
	static const char *const columns[] = {
		"core_group_counts[\"0-3\"][\"r3c\"]",
		"core_group_scaled[\"0-3\"][\"r3c\"]",
		"core_group_running[\"0-3\"][\"r3c\"]",
	};

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	rig_fault(r, "from 2 to 4 lproc 3 offline");
	sim_advance(rig_sim(r), 2000000000);
	rig_sample(r);
	for (unsigned i = 0; i < 3; i++)
		assert_true(rig_value(r, columns[i]) == ABSENT);
	sim_advance(rig_sim(r), 3000000000);
	rig_sample(r);
	/* six seconds of three lprocs at 2000, four of one */
	NEAR(rig_value(r, columns[0]), 3 * 12000 + 8000 - 60);
	NEAR(rig_value(r, columns[1]), 3 * 12000 + 8000 - 60);
	rig_close(r);
}

/* Lproc 24 is in its cpumask, 25 and the others of package 1 are there. */
static void
a_box_is_counted_on_when_the_cpu_of_its_mask_goes_offline(void **state)
{
	struct diag why;
	struct rig *r = skx("imc R event=4,umask=3\nread rapl_pkg_energy\n"
	    "read core_c6_residency\nread aperf\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	rig_fault(r, "from 2 to 4 lproc 24 offline");
	sim_advance(rig_sim(r), 2000000000);
	rig_sample(r);
	NEAR(rig_value(r, "imc_counts[1][0][\"R\"]"), 3 * 107);
	NEAR(rig_value(r, "rapl_pkg_energy[1]"), 3 * 4294967296);
	/* lproc 72 is of the same core, which an event of the msr PMU is not */
	NEAR(rig_value(r, "core_c6_residency[24]"), 3 * 800);
	assert_true(rig_value(r, "aperf[24]") == ABSENT);
	/* nobody is left in the core */
	rig_fault(r, "to 5 lproc 72 offline");
	rig_sample(r);
	assert_true(rig_value(r, "core_c6_residency[24]") == ABSENT);
	NEAR(rig_value(r, "core_c6_residency[25]"), 3 * 800);
	rig_close(r);
}

static void
a_group_that_is_opened_late_is_enabled_since_then(void **state)
{
	struct perf_group g = { .cpu = 0, .n = 1,
	    .attr = { { .type = 4, .config = { 0xc0, 0, 0 } } } };
	struct reg_addr enabled = { REG_PERF, 8, 0, PERF_ENABLED };
	struct reg_addr count = { REG_PERF, 8, 0, PERF_FIRST };
	struct diag why;
	struct rig *r = skx("event r3c\n", &why);
	struct access *acc;
	uint64_t raw;
	unsigned bad;
	int h;

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	acc = r->node.acc;
	h = access_perf_open(acc, &g, 1, &bad);
	assert_true(h >= 0);
	enabled.unit = count.unit = (uint32_t)h;
	sim_advance(rig_sim(r), 3000000000);
	assert_int_equal(access_read(acc, &enabled, &raw), 0);
	NEAR(raw, 3000000000);
	assert_int_equal(access_read(acc, &count, &raw), 0);
	NEAR(raw, 3000);
	rig_close(r);
}

static void
a_group_too_large_is_halved_with_a_note(void **state)
{
	struct diag why;
	struct rig *r = skx("event r3c,rc0,r1c2,r2c2,r4c2,r5c2,r6c2,r7c2,r8c2,r9c2\n",
	    &why);
	bool noted = false;

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	for (unsigned i = 0; i < r->node.plan.remarks.n; i++)
		noted |=
		    strstr(r->node.plan.remarks.line[i], "too many") != NULL;
	assert_true(noted);
	assert_true(rig_has(r, "core_counts[95][\"r4c2\"]"));
	/* its parts have names of their own */
	assert_true(rig_has(r, "core_running[95][\"r3c.3\"]"));
	rig_close(r);
}

static void
names_may_be_told_apart_and_come_from_several_pmus(void **state)
{
	static const char *const column[] = {
		"software_counts[0][\"context-switches\"]",
		"software_counts[0][\"context-switches@2\"]",
		"core_counts[0][\"r00c4@x\"]", "core_counts[1][\"r00c4@x\"]",
		"software_counts[0][\"page-faults@x\"]",
		"software_counts[0][\"page-faults\"]",
		"power_counts[0][\"X\"]", "imc_counts[0][0][\"X\"]",
	};
	struct diag why;
	struct rig *r = skx("event imc/event=4,name=X/ power/event=2,name=X/\n"
	    "cores \"0\"\nevent cs cs@2 software/page-faults/ faults@x\n"
	    "set a\nevent r00c4@x\nset b\ncores \"1\"\nevent r00c4@x\n",
	    &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	for (size_t i = 0; i < sizeof(column) / sizeof(column[0]); i++)
		if (!rig_has(r, column[i]))
			fail_msg("no %s", column[i]);
	rig_close(r);
}

static void
what_cannot_be_counted_is_said(void **state)
{
	static const struct { int line; const char *config, *say; } t[] = {
		{ __LINE__, "event nosuch/event=1/\n",
		    "this node has no PMU nosuch; it has " },
		{ __LINE__, "event nosuch/event=1/\n",
		    "it has cpu uncore_imc uncore_cha power" },
		{ __LINE__, "event uncore_chaa/event=1/\n",
		    "no PMU uncore_chaa; did you mean uncore_cha?" },
		{ __LINE__, "event uncore_cha_7/event=1/\n",
		    "no PMU uncore_cha_7; did you mean uncore_cha?" },
		{ __LINE__, "event imc_9/cas_count_read/\n",
		    "cas_count_read: this node has no PMU imc_9; it has cpu uncore_imc " },
		{ __LINE__, "set A\ncore X event=0xc0\nset B\n"
		    "event cpu/event=0x3c,name=A/\n",
		    "two counters would be the column core_enabled[0][\"A\"]" },
		{ __LINE__, "upi X event=1\n",
		    "has no PMU uncore_upi for it" },
		{ __LINE__, "imc X event=1,inv=1\n",
		    "no term for bits 23 of config" },
		{ __LINE__, "cha X event=0x35,filter1=0x20\n",
		    "no term for bits 37 of config1" },
		{ __LINE__, "event imc/cas_count_raed/\n",
		    "did you mean cas_count_read?" },
		{ __LINE__, "cores 200\nevent cpu-clock\n",
		    "test.conf:1: cores: this node has no lproc 200; write some of 0 to 95" },
		{ __LINE__, "cores 0-200\nevent cpu-clock\n",
		    "lproc 96 is not there" },
		{ __LINE__, "event LLC-loads\n", "not supported" },
		{ __LINE__, "event instructions:umask=1\n", "no terms" },
		{ __LINE__, "event instrctions\n",
		    "did you mean instructions?" },
		{ __LINE__, "event cpu/\n", "no event" },
		{ __LINE__, "event \"instructions\n", "closing" },
		{ __LINE__, "event instructions,\n", "comma" },
		{ __LINE__, "software maybe\n", "software is on or off" },
		{ __LINE__, "dispatch maybe\n",
		    "dispatch is on, off or type" },
		{ __LINE__, "event\n", "event what?" },
		{ __LINE__, "cores\n", "cores which?" },
		{ __LINE__, "cores \"0\"1\nevent cs\n",
		    "test.conf:1: a blank is missing after \"0\"" },
		{ __LINE__, "event uncore_imc/event=4/,instructions\n",
		    "test.conf:1: uncore_imc/event=4/ (IMC) and instructions "
		    "(core) cannot be counted at one time" },
		{ __LINE__, "core A event=1,usr=0,os=0\n",
		    "usr=0 and os=0 leave nothing" },
		{ __LINE__, "event cs\nevent cs\n", "such as @2" },
		{ __LINE__, "event imc/event=4,name=X/ imc/event=5,name=X/\n",
		    "X of IMC is counted already (test.conf:1)" },
		{ __LINE__, "event instructions:u\n", "instructions:usr=1" },
		{ __LINE__, "hardware-cache on\n", "nothing that is asked for "
		    "can be counted here: " },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct diag why = { "" };
		struct rig *r = skx(t[i].config, &why);

		if (r != NULL || strstr(why.text, t[i].say) == NULL)
			fail_msg("line %d: %s", t[i].line, r != NULL ?
			    "accepted" : why.text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(uncore_pmus_give_the_families_of_their_boxes),
		cmocka_unit_test(
		    a_box_whose_pmu_is_gone_is_not_counted_as_another),
		cmocka_unit_test(a_cpu_without_tables_counts_by_event_lists),
		cmocka_unit_test(
		    what_always_runs_is_one_system_call_an_lproc_core_and_package),
		cmocka_unit_test(two_pmus_of_a_package_are_two_system_calls),
		cmocka_unit_test(read_all_reads_what_the_kernel_has),
		cmocka_unit_test(a_group_that_the_kernel_refuses_is_read_in_parts),
		cmocka_unit_test(dispatch_off_adds_up_the_boxes_of_a_package),
		cmocka_unit_test(
		    dispatch_off_leaves_a_box_that_is_named_its_own_column),
		cmocka_unit_test(boxes_of_a_second_die_are_numbered_on),
		cmocka_unit_test(a_pmu_that_no_cpu_serves_is_not_counted_on_all),
		cmocka_unit_test(a_scale_that_is_no_number_is_not_passed_on),
		cmocka_unit_test(
		    a_configuration_that_asks_for_nothing_is_a_plan_without_columns),
		cmocka_unit_test(an_lproc_of_a_sum_that_is_offline_is_said_to_be),
		cmocka_unit_test(dispatch_type_names_the_pmu_of_each_box),
		cmocka_unit_test(collectds_examples_give_the_columns_that_it_promises),
		cmocka_unit_test(cores_are_added_up_or_kept_apart),
		cmocka_unit_test(
		    cores_of_another_pmu_count_what_the_kernel_names),
		cmocka_unit_test(
		    cores_are_added_up_for_any_pmu_without_a_cpumask),
		cmocka_unit_test(
		    a_sum_is_scaled_by_the_times_of_each_of_its_lprocs),
		cmocka_unit_test(a_sum_without_one_of_its_lprocs_is_absent),
		cmocka_unit_test(
		    a_box_is_counted_on_when_the_cpu_of_its_mask_goes_offline),
		cmocka_unit_test(
		    a_group_that_is_opened_late_is_enabled_since_then),
		cmocka_unit_test(a_group_too_large_is_halved_with_a_note),
		cmocka_unit_test(
		    names_may_be_told_apart_and_come_from_several_pmus),
		cmocka_unit_test(what_cannot_be_counted_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
