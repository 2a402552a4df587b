/*
 * tests/config/test_list.c - what `tallyd --list` and `tallyd --dry-run` print, compared
 * to the letter: registers, columns, boxes, events and models.
 */
#include "tests/lib/rig.h"

#include "config/eventlist.h"
#include "config/lang/events.h"
#include "config/lang/site.h"
#include "daemon/node/choose.h"
#include "daemon/instead/instead.h"
#include "daemon/node/program.h"
#include "regs/sideband.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define ONE_LPROC "packages 1\ncores 1\nthreads 1\n"

/* A simulated node with a plan for a configuration, by registers or through the kernel,
 * as choose_access finds. */
static struct rig *
planned(const char *machine, const char *more, const char *config)
{
	struct rig *r = rig_bare(machine, more);
	struct node *n = &r->node;
	struct diag why;

	assert_int_equal(config_init(&n->config, n->topo.model), 0);
	if ((n->topo.model->soc != NULL && site_configure(&n->config, n->acc,
	    NULL, false, &why) < 0) ||
	    config_parse(&n->config, "test.conf", config, strlen(config),
	    &why) < 0 || choose_access(n, &r->o, &why) < 0 ||
	    node_plan(n, &why) < 0)
		fail_msg("%s", why.text);
	return r;
}

/* Prints a dry run, without its first line ("# writes: ", what writing registers does to
 * the kernel), which test_announce.c tests. */
static char *
dry_run(struct rig *r)
{
	struct diag why;
	char *text = NULL, *rest;
	size_t size;
	FILE *f;

	if (program_save(&r->node.plan, r->node.acc, &why) < 0)
		fail_msg("%s", why.text);
	f = open_memstream(&text, &size);
	assert_non_null(f);
	dry_run_print(f, &r->node);
	fclose(f);
	assert_int_equal(strncmp(text, "# writes: ", 10), 0);
	rest = strchr(text, '\n') + 1;
	memmove(text, rest, strlen(rest) + 1);
	return text;
}

/* Prints --list `what`; the caller frees it.  node: NULL for what a model has. */
static char *
list_of(const char *what, const struct model *m, struct node *node)
{
	struct diag why;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	if (list_what(f, what, m, node, &why) < 0)
		fail_msg("%s", why.text);
	fclose(f);
	return text;
}

/* Compares all of a text with `want`, and frees it. */
static void
prints(char *text, const char *want)
{
	assert_string_equal(text, want);
	free(text);
}

/* Compares the start of a text with `want` and its number of lines; frees it. */
static void
prints_first(char *text, const char *want, unsigned lines)
{
	unsigned n = 0;

	for (const char *p = text; *p != '\0'; p++)
		n += *p == '\n';
	assert_int_equal(n, lines);
	text[strlen(want) < strlen(text) ? strlen(want) : strlen(text)] = '\0';
	assert_string_equal(text, want);
	free(text);
}

static void
a_dry_run_names_each_register_with_both_values(void **state)
{
	struct rig *r = planned("@skx-8160-2s", ONE_LPROC,
	    "core   fixed\n"
	    "core   INST.KERNEL event=0xc0,os=1,usr=0\n"
	    "cha[0] SF_EVICTION.M_STATE event=0x3d,umask=0x01\n"
	    "cha[0] filter1=0x3b\n"
	    "imc[1] CAS_COUNT.READS event=0x04,umask=0x03\n");
	struct reg_addr fixed = { REG_MSR, 8, 0, 0x38d };
	struct reg_addr cha = { REG_MSR, 8, 0, 0xe01 };

	(void)state;
	/* before the run, fixedctl has the value that it needs (keep), and the
	 * CHA's ctl0 has another (write) */
	assert_int_equal(access_write(r->node.acc, &fixed, 0x333), 0);
	assert_int_equal(access_write(r->node.acc, &cha, 0x400101), 0);
	prints(dry_run(r),
	    "keep  CHA 0 of package 0 filter0 (msr 0xe05 lproc 0): "
	    "0x0 -> 0x0\n"
	    "write CHA 0 of package 0 filter1 (msr 0xe06 lproc 0): "
	    "0x0 -> 0x3b\n"
	    "write CHA 0 of package 0 ctl0 (msr 0xe01 lproc 0): "
	    "0x400101 -> 0x40013d SF_EVICTION.M_STATE event=0x3d umask=0x1\n"
	    "keep  CHA 0 of package 0 boxctl (msr 0xe00 lproc 0): "
	    "0x0 -> 0x0\n"
	    "write IMC 1 of package 0 ctl0 (pci 0000:3a:0a.6:0xd8): "
	    "0x0 -> 0x400304 CAS_COUNT.READS event=0x4 umask=0x3\n"
	    "keep  IMC 1 of package 0 boxctl (pci 0000:3a:0a.6:0xf4): "
	    "0x0 -> 0x0\n"
	    "write package 0 uncorectl (msr 0x700 lproc 0): "
	    "0x0 -> 0x2000000000000000\n"
	    "write CORE of lproc 0 ctl0 (msr 0x186 lproc 0): "
	    "0x0 -> 0x4200c0 INST.KERNEL event=0xc0 os=0x1\n"
	    "keep  CORE of lproc 0 fixedctl (msr 0x38d lproc 0): "
	    "0x333 -> 0x333\n"
	    "write CORE of lproc 0 globalctl (msr 0x38f lproc 0): "
	    "0x0 -> 0x700000001\n"
	    "read  msr 0x309 lproc 0\n"
	    "read  msr 0x30a lproc 0\n"
	    "read  msr 0x30b lproc 0\n"
	    "read  msr 0xc1 lproc 0\n"
	    "read  msr 0xe08 lproc 0\n"
	    "read  pci 0000:3a:0a.6:0xa0\n");
	rig_close(r);
}

static void
a_dry_run_says_what_each_set_writes_and_counts(void **state)
{
	struct rig *r = planned("@skx-8160-2s", ONE_LPROC,
	    "imc[0] ACT.ALL event=0x01,umask=0x0b\n"
	    "set a\n"
	    "imc[1] CAS_COUNT.READS event=0x04,umask=0x03\n"
	    "pcu FREQ event=0x04\n"
	    "core L3_MISS event=0x2e,umask=0x41\n"
	    "set b\n"
	    "imc[1] CAS_COUNT.WRITES event=0x04,umask=0x0c\n"
	    "core INST.KERNEL event=0xc0,os=1,usr=0\n");
	char *text = dry_run(r), *sets = strstr(text, "set   ");

	(void)state;
	assert_non_null(sets);
	assert_string_equal(sets,
	    "set   a: CORE of lproc 0 ctl0 (msr 0x186 lproc 0): 0x43412e "
	    "[\"L3_MISS\"] event=0x2e umask=0x41 usr=0x1 os=0x1\n"
	    "set   b: CORE of lproc 0 ctl0 (msr 0x186 lproc 0): 0x4200c0 "
	    "[\"INST.KERNEL\"] event=0xc0 os=0x1\n"
	    "set   a: PCU 0 of package 0 ctl0 (msr 0x711 lproc 0): 0x400004 "
	    "[\"FREQ\"] event=0x4\n"
	    "set   b: PCU 0 of package 0 ctl0 (msr 0x711 lproc 0): 0x0 \n"
	    "set   a: IMC 1 of package 0 ctl0 (pci 0000:3a:0a.6:0xd8): "
	    "0x400304 [\"CAS_COUNT.READS\"] event=0x4 umask=0x3\n"
	    "set   b: IMC 1 of package 0 ctl0 (pci 0000:3a:0a.6:0xd8): "
	    "0x400c04 [\"CAS_COUNT.WRITES\"] event=0x4 umask=0xc\n"
	    "read  msr 0xc1 lproc 0\n"
	    "read  msr 0x717 lproc 0\n"
	    "read  pci 0000:3a:0a.6:0xa0\n"
	    "read  pci 0000:3a:0a.2:0xa0\n");
	free(text);
	rig_close(r);
}

static void
a_dry_run_says_what_the_kernel_would_be_asked_for(void **state)
{
	struct rig *r = planned("@skx-locked", "",
	    "cha[0] SF_EVICTION.M_STATE event=0x3d,umask=0x01\n"
	    "cha[0] filter1=0x3b\n"
	    "core   KERNEL event=0xc0,os=1,usr=0\n"
	    "core   USER event=0xc0,os=0,usr=1\n"
	    "event  context-switches\n");
	char *text = dry_run(r);

	(void)state;
	text_has(text, "\ncount cpu 0 group 98: software/config=0x3/ "
	    "software_counts[0][\"context-switches\"]\n");
	/* 2 events of boxes, 3 on each of 96 lprocs; no register is read */
	prints_first(text,
	    "count cpu 0 group 0: uncore_cha_0/config=0x13d,"
	    "config1=0x3b00000000/ "
	    "cha_counts[0][0][\"SF_EVICTION.M_STATE\"]\n"
	    "count cpu 24 group 1: uncore_cha_0/config=0x13d,"
	    "config1=0x3b00000000/ "
	    "cha_counts[1][0][\"SF_EVICTION.M_STATE\"]\n"
	    "count cpu 0 group 2: cpu/config=0xc0/ exclude_user "
	    "core_counts[0][\"KERNEL\"]\n"
	    "count cpu 0 group 2: cpu/config=0xc0/ exclude_kernel "
	    "core_counts[0][\"USER\"]\n"
	    "count cpu 1 group 3: cpu/config=0xc0/ exclude_user "
	    "core_counts[1][\"KERNEL\"]\n", 2 + 96 * 3);
	rig_close(r);
}

static void
a_dry_run_writes_each_pmu_that_counts(void **state)
{
	struct rig *r = planned("@grace-2s", "",
	    "event nvidia_scf_pmu_0/event=0x6/\n"
	    "pcie  RD_BYTES_REM\n");

	(void)state;
	prints(dry_run(r),
	    "count cpu 3 group 0: nvidia_scf_pmu_0/config=0x6/ "
	    "scf_counts[0][\"nvidia_scf_pmu_0/event=0x6/\"]\n"
	    "count cpu 0 group 1: nvidia_pcie_pmu_0/config=0x1,config1=0x3ff/ "
	    "pcie_counts[0][\"RD_BYTES_REM\"]\n"
	    "count cpu 72 group 2: nvidia_pcie_pmu_1/config=0x1,config1=0x3ff/ "
	    "pcie_counts[1][\"RD_BYTES_REM\"]\n");
	rig_close(r);
}

static void
a_dry_run_writes_the_message_bus_step_by_step(void **state)
{
	struct rig *r = planned("@c2758", "cores 1\n",
	    "set bw\nsoc UNC_SOC_Memory_DDR_BW\n");
	char *text = dry_run(r);

	(void)state;
	text_has(text, "\nstart sideband port 0x18 opcode 0x00 register "
	    "0x3e80: 0x51a00001\n");
	text_has(text, "\nstart sideband port 0x17 opcode 0x00 register "
	    "0x98: 0x00110000\n"
	    "latch sideband port 0x17 opcode 0x00 register 0x28: "
	    "0x00020000\n");
	text_has(text, "\nlatch sideband port 0x17 opcode 0x00 register "
	    "0x98: 0x00020000\n"
	    "rest  sideband port 0x17 opcode 0x00 register 0x34: "
	    "0x00000000\n");
	text_has(text, "\nread  sideband port 0x17 opcode 0x00 register "
	    "0xa4\ngroup UNC_SOC_Memory_DDR_BW, set bw\n");
	/* the 8 counters of a set that rotates come first; then the group's
	 * name, 33 start steps, 8 latch steps and 16 rest steps */
	prints_first(text,
	    "read  sideband port 0x17 opcode 0x00 register 0x34\n"
	    "read  sideband port 0x17 opcode 0x00 register 0x44\n",
	    8 + 1 + 33 + 8 + 16);
	rig_close(r);
}

static void
a_group_that_has_no_set_comes_before_its_counters(void **state)
{
	struct rig *r = planned("@c2758", "cores 1\n",
	    "soc UNC_SOC_Memory_DDR_BW\n");
	char *text = dry_run(r);

	(void)state;
	text_has(text, "\nrest  sideband port 0x17 opcode 0x00 register "
	    "0x98: 0x00040000\n"
	    "read  sideband port 0x17 opcode 0x00 register 0x34\n");
	prints_first(text, "group UNC_SOC_Memory_DDR_BW\n"
	    "start sideband port 0x17 opcode 0x00 register 0x34: 0x00000000\n"
	    "start sideband port 0x17 opcode 0x00 register 0x28: 0x00040000\n",
	    1 + 33 + 8 + 16 + 8);
	rig_close(r);
}

static void
the_models_are_listed_with_their_titles(void **state)
{
	(void)state;
	prints(list_of("models", NULL, NULL),
	    "hsx\tHaswell-EP\n"
	    "bdx\tBroadwell-EP\n"
	    "skx\tSkylake-SP / Cascade Lake-SP\n"
	    "icx\tIce Lake-SP\n"
	    "icxd\tIce Lake-D\n"
	    "slm\tSilvermont server (Atom C2000)\n"
	    "grace\tNVIDIA Grace (Neoverse V2)\n"
	    "spr\tSapphire Rapids\n"
	    "emr\tEmerald Rapids\n"
	    "gnr\tGranite Rapids\n"
	    "srf\tSierra Forest\n"
	    "cwf\tClearwater Forest\n"
    "zen1\tAMD Zen 1\n"
    "zen2\tAMD Zen 2\n"
    "zen3\tAMD Zen 3\n"
    "zen4\tAMD Zen 4\n"
    "zen5\tAMD Zen 5\n"
    "any-x86\ta CPU without tables, by what it announces\n"
    "any-arm\tan Arm core without tables\n"
    "any\ta CPU without tables\n");
}

static void
a_models_boxes_are_listed_with_what_a_configuration_may_say(void **state)
{
	(void)state;
	prints(list_of("boxes", model_named("slm"), NULL),
	    "CORE\t1\t2 counters\t40 bits\t"
	    "event umask usr os edge any inv cmask\t"
	    "offcore_rsp_0 offcore_rsp_1\n"
	    "SOC\t1\t8 counters\t32 bits\t\t\n");
	prints_first(list_of("boxes", model_named("hsx"), NULL),
	    "CORE\t1\t8 counters\t48 bits\t"
	    "event umask usr os edge any inv cmask in_tx in_txcp\t"
	    "offcore_rsp_0 offcore_rsp_1 ldlat\n"
	    "UBOX\t1\t2 counters\t48 bits\tevent umask edge inv thresh\tfilter0\n",
	    11);
}

static void
a_nodes_boxes_are_listed_with_why_one_is_absent(void **state)
{
	struct rig *r = rig_bare("@skx-8160-2s", "packages 1\n");
	char *text = list_of("boxes", r->node.topo.model, &r->node);

	(void)state;
	text_has(text, "\nCHA\t0\t23\tpresent\t\n"
	    "CHA\t0\t24\tabsent\tfused off: this part has 24\n");
	prints_first(text, "UBOX\t0\t0\tpresent\t\nPCU\t0\t0\tpresent\t\n"
	    "CHA\t0\t0\tpresent\t\nCHA\t0\t1\tpresent\t\n", 60);
	rig_close(r);
}

static void
a_nodes_columns_are_listed_with_their_widths(void **state)
{
	struct rig *r = planned("@skx-8160-2s", ONE_LPROC,
	    "imc[1] CAS_COUNT.READS event=0x04,umask=0x03\n"
	    "read rapl_pkg_energy\n");

	(void)state;
	prints(list_of("columns", r->node.topo.model, &r->node),
	    "tsc\t64 bits\n"
	    "walltime[0]\t0 bits\n"
	    "walltime[1]\t0 bits\n"
	    "imc_counts[0][1][\"CAS_COUNT.READS\"]\t48 bits\n"
	    "rapl_pkg_energy[0]\t32 bits\n"
	    "pkg_tsc[0]\t64 bits\n"
	    "pkg_bus_tsc[0]\t64 bits\n"
	    "sample_cpu_ns\t64 bits\n"
	    "sample_duration_ns\t0 bits\n"
	    "sample_late_ns\t0 bits\n"
	    "sample_block_tsc\t0 bits\n");
	rig_close(r);
}

/* `read` takes a single port of a stack's free-running counters.  A port that is named
 * twice is one column. */
static void
a_port_is_read_by_the_name_of_its_family(void **state)
{
	struct rig *r = planned("@skx-8160-2s", ONE_LPROC,
	    "read iio_PCIe2_port0_in_bytes iio_CBDMA_port1_out_bytes\n"
	    "read iio_PCIe2_port0_in_bytes\n");
	char *text = list_of("columns", r->node.topo.model, &r->node);

	(void)state;
	assert_non_null(strstr(text, "walltime[1]\t0 bits\n"
	    "iio_PCIe2_port0_in_bytes[0]\t36 bits\n"
	    "iio_CBDMA_port1_out_bytes[0]\t36 bits\n"
	    "pkg_tsc[0]\t64 bits\n"));
	free(text);
	rig_close(r);
}

static void
a_models_registers_are_listed_with_their_addresses(void **state)
{
	(void)state;
	prints_first(list_of("registers", model_named("slm"), NULL),
	    "CORE\t0\tctl0\tmsr\t0x186\n"
	    "CORE\t0\tctl1\tmsr\t0x187\n"
	    "CORE\t0\tctr0\tmsr\t0xc1\n"
	    "CORE\t0\tctr1\tmsr\t0xc2\n"
	    "CORE\t0\toffcore_rsp_0\tmsr\t0x1a6\n", 39);
}

/* A model without events of its own has those of the list: with the control value for the
 * model's box, or in the kernel's terms where it has no such box. */
static void
the_events_of_a_list_are_listed_with_their_control_values(void **state)
{
	static const char json[] = "["
	    "{\"EventName\": \"INST_RETIRED.ANY_P\", \"EventCode\": \"0xC0\","
	    " \"Counter\": \"0,1,2,3\", \"BriefDescription\": \"retired\"},"
	    "{\"EventName\": \"OLD.NAME\", \"EventCode\": \"0xC0\","
	    " \"Deprecated\": \"1\"},"
	    "{\"EventName\": \"INST_RETIRED.ANY\", \"EventCode\": \"0\","
	    " \"UMask\": \"1\", \"Counter\": \"Fixed counter 0\"},"
	    "{\"Unit\": \"CHA\", \"EventName\": \"UNC_CHA_CLOCKTICKS\","
	    " \"EventCode\": \"0\"},"
	    "{\"Unit\": \"ARB\", \"EventName\": \"UNC_ARB_X\","
	    " \"EventCode\": \"0x81\", \"UMask\": \"2\"},"
	    "{\"Unit\": \"IIO\", \"EventName\": \"UNC_IIO_FREE\","
	    " \"EventCode\": \"0\", \"CounterType\": \"FREERUN\"}]";
	struct rig *r = rig_bare("@skx-8160-2s", "");
	const struct model *m = r->node.topo.model;
	struct diag why;

	(void)state;
	assert_int_equal(list_what(stdout, "events", m, &r->node, &why),
	    -ENOENT);
	assert_string_equal(why.text, "--list events: none is built in for "
	    "this CPU; name a list of Intel's with --event-list FILE.json");
	assert_int_equal(eventlist_parse(&r->node.config.list, m, "t.json",
	    json, strlen(json), &why), 0);
	prints(list_of("events", m, &r->node),
	    "CORE\tINST_RETIRED.ANY_P\t0x4300c0\tretired\n"
	    "CORE\tINST_RETIRED.ANY\tfixed\t\n"
	    "CHA\tUNC_CHA_CLOCKTICKS\t0x400000\t\n"
	    "uncore_arb\tUNC_ARB_X\tevent=0x81,umask=0x2\t\n");
	rig_close(r);
}

static void
a_models_own_events_are_listed_and_what_misleads_is_marked(void **state)
{
	struct rig *r = rig_bare("@grace-2s", "");
	char *text = list_of("events", r->node.topo.model, &r->node);

	(void)state;
	text_has(text, "\nSCF\tCYCLES\t0x100000000\t\n");
	text_has(text, "\nCORE\tSTALL_SLOT_BACKEND\t0x3d\tnot offered: "
	    "it misleads on this core (Arm's errata notice SDEN-2332927): ");
	prints_first(text, "CORE\tL1I_CACHE_REFILL\t0x1\t\n"
	    "CORE\tL1I_TLB_REFILL\t0x2\t\n", 255);
	rig_close(r);
}

/* A line of a SOC group has the names of its counters, in the order of the counters. */
static void
the_groups_of_a_message_bus_are_listed_with_what_their_counters_count(
    void **state)
{
	struct rig *r = rig_bare("@c2758", "");
	const struct model *slm = model_named("slm");
	char *text;

	(void)state;
	assert_int_equal(config_init(&r->node.config, slm), 0);
	text = list_of("events", slm, &r->node);
	text_has(text, "\nSOC\tUNC_SOC_DDR_Self_Refresh\t3 counters\t"
	    "DDR_Chan0_Self_Refresh DDR_Chan1_Self_Refresh Clock_Counter\n");
	text_has(text, "\nSOC\tUNC_SOC_HighSpeedPF_BW\t7 counters\t"
	    "HighSpeedPF_ReadPartial ");
	prints_first(text, "SOC\tUNC_SOC_Memory_DDR_BW\t8 counters\t"
	    "DDR_Chan0_Read32B DDR_Chan0_Read64B DDR_Chan0_Write32B "
	    "DDR_Chan0_Write64B DDR_Chan1_Read32B DDR_Chan1_Read64B "
	    "DDR_Chan1_Write32B DDR_Chan1_Write64B\n", 16 + 130);
	rig_close(r);
}

/* The model's own events come first, then those of the list. */
static void
a_list_is_added_to_a_models_own_events(void **state)
{
	static const char json[] = "[{\"Unit\": \"ARB\", \"EventName\": \"X\","
	    " \"EventCode\": \"0x81\"}]";
	struct rig *r = rig_bare("@grace-2s", "");
	const struct model *m = r->node.topo.model;
	struct diag why;
	char *text;

	(void)state;
	assert_int_equal(eventlist_parse(&r->node.config.list, m, "t.json",
	    json, strlen(json), &why), 0);
	text = list_of("events", m, &r->node);
	text_has(text, "\nuncore_arb\tX\tevent=0x81\t\n");
	prints_first(text, "CORE\tL1I_CACHE_REFILL\t0x1\t\n", 256);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    a_dry_run_names_each_register_with_both_values),
		cmocka_unit_test(
		    a_dry_run_says_what_each_set_writes_and_counts),
		cmocka_unit_test(
		    a_dry_run_says_what_the_kernel_would_be_asked_for),
		cmocka_unit_test(a_dry_run_writes_each_pmu_that_counts),
		cmocka_unit_test(a_dry_run_writes_the_message_bus_step_by_step),
		cmocka_unit_test(
		    a_group_that_has_no_set_comes_before_its_counters),
		cmocka_unit_test(the_models_are_listed_with_their_titles),
		cmocka_unit_test(
		    a_models_boxes_are_listed_with_what_a_configuration_may_say),
		cmocka_unit_test(
		    a_nodes_boxes_are_listed_with_why_one_is_absent),
		cmocka_unit_test(a_nodes_columns_are_listed_with_their_widths),
		cmocka_unit_test(a_port_is_read_by_the_name_of_its_family),
		cmocka_unit_test(
		    a_models_registers_are_listed_with_their_addresses),
		cmocka_unit_test(
		    the_events_of_a_list_are_listed_with_their_control_values),
		cmocka_unit_test(
		    a_models_own_events_are_listed_and_what_misleads_is_marked),
		cmocka_unit_test(
		    the_groups_of_a_message_bus_are_listed_with_what_their_counters_count),
		cmocka_unit_test(a_list_is_added_to_a_models_own_events),
	};

	return cmocka_run_group_tests_name("list", tests, NULL, NULL);
}
