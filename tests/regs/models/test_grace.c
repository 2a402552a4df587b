/*
 * tests/regs/models/test_grace.c - NVIDIA Grace: who is one, its PMUs, its configuration.
 * Counts are the examples of NVIDIA's guide.
 */
#include "tests/lib/named.h"
#include "tests/lib/rig.h"

#include "config/lang/events.h"
#include "config/sim/machine.h"
#include "config/texts.h"
#include "daemon/run/sampler.h"
#include "regs/perf.h"
#include "regs/sim/sim.h"
#include "topology/topo.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define S 1000000000u

/* ---- who is one */

static void
a_core_is_known_by_midr(void **state)
{
	static const struct { int line; const char *midr, *name; uint32_t is; }
	t[] = {
		{ __LINE__, "0x00000000410fd4f0", "Arm Neoverse V2 r0p0",
		    0x410fd4f0 },
		{ __LINE__, "0x00000000411fd4f1", "Arm Neoverse V2 r1p1",
		    0x411fd4f1 },
		{ __LINE__, "0x00000000410fd0c0", "Arm Neoverse N1 r0p0",
		    0x410fd0c0 },
		{ __LINE__, "", "", 0 },
		{ __LINE__, "garbage", "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char text[512];
		struct cpu_id cpu;
		struct sim *sim;
		struct diag why;

		snprintf(text, sizeof(text), "file /proc/cpuinfo = processor"
		    "\\t: 0\\n\nfile /sys/devices/system/cpu/cpu0/regs/"
		    "identification/midr_el1 = %s\n", t[i].midr);
		if (machine_parse(&sim, "t", text, strlen(text), &why) < 0)
			fail_msg("%s", why.text);
		cpu_id_load(&cpu, sim_access(sim), 0);
		if (strcmp(cpu.name, t[i].name) != 0 || cpu.midr != t[i].is)
			fail_msg("line %d: \"%s\" 0x%x", t[i].line, cpu.name,
			    cpu.midr);
		access_close(sim_access(sim));
	}
}

/* 1.1, 1.2: implementer 31:24, variant 23:20, architecture all ones, part 15:4,
 * revision 3:0; spacing before the colon varies. */
#define V2_R1P2 "CPU implementer\\t: 0x41\\nCPU architecture: 8\\n" \
	"CPU variant\\t: 0x1\\nCPU part\\t: 0xd4f\\nCPU revision\\t: 2\\n"

static void
where_sysfs_has_no_midr_it_is_put_together_of_cpuinfo(void **state)
{
	static const struct {
		int line;
		const char *midr, *cpuinfo, *name, *vendor;
		uint32_t is;
	} t[] = {
		{ __LINE__, NULL, V2_R1P2, "Arm Neoverse V2 r1p2", "ARM",
		    0x411fd4f2 },
		{ __LINE__, "0x0", V2_R1P2, "Arm Neoverse V2 r1p2", "ARM",
		    0x411fd4f2 },
		{ __LINE__, "-1", V2_R1P2, "Arm Neoverse V2 r1p2", "ARM",
		    0x411fd4f2 },
		{ __LINE__, "0x1411fd4f2", V2_R1P2, "Arm Neoverse V2 r1p2",
		    "ARM", 0x411fd4f2 },
		{ __LINE__, "0x410fd0c0", V2_R1P2, "Arm Neoverse N1 r0p0",
		    "ARM", 0x410fd0c0 },
		/* the largest that is one: all bits */
		{ __LINE__, "0xffffffff", V2_R1P2,
		    "Arm core, MIDR 0xffffffff", "Arm licensee", 0xffffffff },
		{ __LINE__, NULL, "CPU implementer : 0x48\\nCPU part : 0xd01"
		    "\\nCPU revision : 15\\nCPU variant : 0xf\\n",
		    "HiSilicon TSV110 r15p15", "Arm licensee", 0x48ffd01f },
		/* a part alone missing: no more is claimed than was read */
		{ __LINE__, NULL, "CPU implementer\\t: 0x46\\n",
		    "Arm core, MIDR 0x460f0000", "Arm licensee", 0x460f0000 },
		/* what does not fit its field does not spill into the next */
		{ __LINE__, NULL, "CPU implementer\\t: 0x141\\nCPU variant\\t: "
		    "0x21\\nCPU part\\t: 0x20d4f\\nCPU revision\\t: 258\\n",
		    "Arm Neoverse V2 r1p2", "ARM", 0x411fd4f2 },
		/* the second paragraph is another core's */
		{ __LINE__, NULL, "CPU implementer\\t: 0x41\\nCPU part\\t: "
		    "0xd40\\n\\nprocessor\\t: 1\\nCPU part\\t: 0xd4f\\n"
		    "CPU variant\\t: 0x1\\n", "Arm Neoverse V1 r0p0", "ARM",
		    0x410fd400 },
		{ __LINE__, NULL, "CPU part\\t: 0xd4f\\n", "", "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char text[1024];
		struct cpu_id cpu;
		struct sim *sim;
		struct diag why;
		int n = snprintf(text, sizeof(text), "file /proc/cpuinfo = "
		    "processor\\t: 0\\n%s\n", t[i].cpuinfo);

		if (t[i].midr != NULL)
			snprintf(text + n, sizeof(text) - (size_t)n, "file "
			    "/sys/devices/system/cpu/cpu0/regs/identification/"
			    "midr_el1 = %s\n", t[i].midr);
		if (machine_parse(&sim, "t", text, strlen(text), &why) < 0)
			fail_msg("line %d: %s", t[i].line, why.text);
		cpu_id_load(&cpu, sim_access(sim), 0);
		if (strcmp(cpu.name, t[i].name) != 0 || cpu.midr != t[i].is ||
		    strcmp(cpu.vendor, t[i].vendor) != 0)
			fail_msg("line %d: \"%s\" 0x%x, %s", t[i].line,
			    cpu.name, cpu.midr, cpu.vendor);
		access_close(sim_access(sim));
	}
}

/* With a plan; NULL where the configuration is refused. */
static struct rig *
planned(struct rig *r, struct sim *sim, const char *config, struct diag *why)
{
	int rc;

	sim_virtual(sim, true);
	r->node.acc = sim_access(sim);
	if (topo_load(&r->node.topo, r->node.acc, why) < 0 ||
	    inventory_perf(&r->node.inv, &r->node.topo, r->node.acc, why) < 0)
		fail_msg("%s", why->text);
	if (r->node.topo.model == NULL)
		return r;
	assert_int_equal(config_init(&r->node.config, r->node.topo.model), 0);
	rc = config != NULL ? config_parse(&r->node.config, "test.conf", config,
	    strlen(config), why) : config_load(&r->node.config,
	    r->node.topo.model->default_config, why);
	r->node.config.perf = true;
	if (rc < 0 || node_plan(&r->node, why) < 0) {
		rig_close(r);
		return NULL;
	}
	r->row = calloc(r->node.plan.ncell, sizeof(r->row[0]));
	assert_int_equal(sweep_init(&r->sweep, &r->node.plan, r->node.acc,
	    READ_REMOTE, -1, why), 0);
	return r;
}

static struct rig *
grace(const char *machine, const char *more, const char *config,
    struct diag *why)
{
	struct rig *r = calloc(1, sizeof(*r));
	const struct text *t = text_named(machine, TEXT_MACHINE);
	char *text = NULL;
	struct sim *sim;

	assert_non_null(r);
	assert_non_null(t);
	assert_true(asprintf(&text, "%.*s\n%s", (int)(t->end - t->data),
	    t->data, more) > 0);
	if (machine_parse(&sim, "test.machine", text, strlen(text), why) < 0)
		fail_msg("%s", why->text);
	free(text);
	return planned(r, sim, config, why);
}

static void
a_v2_core_without_the_fabrics_pmu_is_no_grace(void **state)
{
	static const char graviton[] = "cores 4\nfile /proc/cpuinfo = x\n"
	    "file /sys/devices/system/cpu/cpu0/regs/identification/midr_el1 = "
	    "0x00000000410fd4f0\n";
	struct node node = { .acc = NULL };
	struct topo topo;
	struct sim *sim;
	struct diag why;

	(void)state;
	assert_int_equal(machine_parse(&sim, "t", graviton, strlen(graviton),
	    &why), 0);
	assert_int_equal(topo_load(&topo, sim_access(sim), &why), 0);
	assert_null(topo.model);
	assert_string_equal(topo.cpu.name, "Arm Neoverse V2 r0p0");
	/* on a Grace, its driver is what is missing */
	node.topo = topo;
	assert_int_equal(node_plan(&node, &why), -ENOTSUP);
	assert_non_null(strstr(why.text, "Arm Neoverse V2 r0p0 (MIDR "
	    "0x410fd4f0) is the core of NVIDIA Grace (Neoverse V2), but the "
	    "kernel has no PMU nvidia_scf_pmu_*: if it is one, `modprobe "
	    "nvidia_cspmu`, or "));
	node.topo.cpu.midr = 0x410fd0c0;
	assert_int_equal(node_plan(&node, &why), -ENOTSUP);
	assert_non_null(strstr(why.text, "not known to tallyd: Arm Neoverse V2 "
	    "r0p0 (MIDR 0x410fd0c0);"));
	topo_free(&topo);
	access_close(sim_access(sim));
}

/* Of PMUs numbered by NUMA node, 0 and 8 say: the CPUs tell the socket. */
static void
a_pmu_is_of_the_socket_of_its_cpus(void **state)
{
	struct diag why;
	struct rig *r = grace("@grace-2s", "pmu nvidia_scf_pmu_8 "
	    "type=90 counters=6 own=0x100000000 cpumask=100 "
	    "associated=72-143 format=event:config:0-32\n"
	    "file /sys/bus/event_source/devices/nvidia_scf_pmu_1/type none\n",
	    "scf CYCLES\n", &why);
	unsigned n = 0;

	(void)state;
	assert_non_null(r);
	for (unsigned i = 0; i < r->node.inv.n; i++) {
		const struct unit *u = &r->node.inv.unit[i];

		if (strcmp(u->type->name, "SCF") != 0)
			continue;
		assert_true(u->present);
		assert_int_equal(u->inst, 0);
		assert_string_equal(u->pmu, u->pkg == 0 ? "nvidia_scf_pmu_0" :
		    "nvidia_scf_pmu_8");
		assert_int_equal(u->where, u->pkg == 0 ? 3 : 100);
		n++;
	}
	assert_int_equal(n, 2);
	rig_close(r);
}

/* Numbers the other way round, and one NUMA node of GPU memory between. */
static void
numbers_of_pmus_are_no_sockets(void **state)
{
	static const char machine[] = "packages 2\ncores 2\nnumbering block\n"
	    "file /proc/cpuinfo = CPU implementer\\t: 0x41\\n\n"
	    "file /sys/devices/system/cpu/cpu0/regs/identification/midr_el1 = "
	    "0x00000000410fd4f0\n"
	    "file /proc/sys/kernel/perf_event_paranoid = 0\n"
	    "pmu nvidia_scf_pmu_2 type=9 counters=6 own=0x100000000 cpumask=0 "
	    "associated=0-1 format=event:config:0-32\n"
	    "pmu nvidia_scf_pmu_0 type=10 counters=6 own=0x100000000 cpumask=3 "
	    "associated=2-3 format=event:config:0-32\n"
	    "count nvidia_scf_pmu_2 0x1a5 all=1000\n"
	    "count nvidia_scf_pmu_0 0x1a5 all=7\n";
	struct rig *r = calloc(1, sizeof(*r));
	struct sim *sim;
	struct diag why;

	(void)state;
	assert_non_null(r);
	if (machine_parse(&sim, "t", machine, strlen(machine), &why) < 0)
		fail_msg("%s", why.text);
	r = planned(r, sim, "scf CMEM_RD_DATA\n", &why);
	if (r == NULL)
		fail_msg("%s", why.text);
	sim_advance(sim, (uint64_t)S);
	rig_sample(r);
	assert_int_equal(rig_value(r, "scf_counts[0][\"CMEM_RD_DATA\"]"), 1000);
	assert_int_equal(rig_value(r, "scf_counts[1][\"CMEM_RD_DATA\"]"), 7);
	rig_close(r);
}

/* ---- which socket is which: packages are NUMA nodes, whatever their ids */

#define SOCKETS(firmware, more) firmware "numbering block\n" more \
	"file /proc/cpuinfo = CPU implementer\\t: 0x41\\n\n" \
	"file /sys/devices/system/cpu/cpu0/regs/identification/midr_el1 = " \
	"0x00000000410fd4f0\n" \
	"file /sys/devices/system/cpu/cpu2/regs/identification/midr_el1 = " \
	"0x00000000410fd4f0\n" \
	"file /proc/sys/kernel/perf_event_paranoid = 0\n" \
	"pmu nvidia_scf_pmu_0 type=9 counters=6 own=0x100000000 cpumask=0 " \
	"associated=0-1 format=event:config:0-32\n" \
	"pmu nvidia_scf_pmu_1 type=10 counters=6 own=0x100000000 cpumask=2 " \
	"associated=2-3 format=event:config:0-32\n" \
	"count nvidia_scf_pmu_0 0x12d all=9000\n" \
	"count nvidia_scf_pmu_0 0x12e all=100\n" \
	"count nvidia_scf_pmu_1 0x12d all=70\n" \
	"count nvidia_scf_pmu_1 0x12e all=9000\n"
#define NO_ID(cpu) "file /sys/devices/system/cpu/cpu" cpu \
	"/topology/physical_package_id = -1\n"

static struct rig *
sockets(const char *machine, const char *config, int line)
{
	struct rig *r = calloc(1, sizeof(*r));
	struct sim *sim;
	struct diag why;

	assert_non_null(r);
	if (machine_parse(&sim, "t", machine, strlen(machine), &why) < 0 ||
	    (r = planned(r, sim, config, &why)) == NULL)
		fail_msg("line %d: %s", line, why.text);
	sim_advance(sim, (uint64_t)S);
	rig_sample(r);
	return r;
}

static void
sockets_are_numa_nodes_and_none_is_another_one_of_its_own(void **state)
{
	static const char own_0[] = "scf_counts[0][\"SOCKET_0_RD_ACCESS\"]";
	static const char own_1[] = "scf_counts[1][\"SOCKET_1_RD_ACCESS\"]";
	static const char from_0[] = "scf_counts[0][\"SOCKET_1_RD_ACCESS\"]";
	static const char from_1[] = "scf_counts[1][\"SOCKET_0_RD_ACCESS\"]";
	static const char *const machine[] = {
		SOCKETS("packages 2\ncores 2\n", ""),
		SOCKETS("packages 2 ids=9,4\ncores 2\n", ""),
		SOCKETS("packages 2\ncores 2\n", NO_ID("0") NO_ID("1")
		    NO_ID("2") NO_ID("3")),
		SOCKETS("packages 1\ncores 4\nnodes 2\n", ""),
		/* the first is offline: package 0 is node 1 */
		SOCKETS("packages 2\ncores 2\n", "file /sys/devices/system/"
		    "cpu/online = 2-3\n"),
	};

	(void)state;
	for (int i = 0; i < 5; i++) {
		struct rig *r = sockets(machine[i], "optional scf "
		    "SOCKET_0_RD_ACCESS\noptional scf SOCKET_1_RD_ACCESS\n",
		    i);

		if (i == 4) {
			assert_int_equal(rig_value(r, own_0), 70);
			assert_false(rig_has(r, from_0));
		} else {
			assert_int_equal(rig_value(r, from_0), 100);
			assert_int_equal(rig_value(r, from_1), 70);
			assert_false(rig_has(r, own_0) || rig_has(r, own_1));
		}
		rig_close(r);
	}
}

/* One id and no NUMA node: the first is counted, and the other named. */
static void
sockets_that_nothing_tells_apart_can_be_sampled(void **state)
{
	struct rig *r = sockets(SOCKETS("packages 1\ncores 4\n", ""),
	    "scf CYCLES\n", 0);
	unsigned absent = 0;

	(void)state;
	for (unsigned i = 0; i < r->node.inv.n; i++) {
		const struct unit *u = &r->node.inv.unit[i];

		if (strcmp(u->type->name, "SCF") != 0 || u->present)
			continue;
		assert_string_equal(u->reason, "nvidia_scf_pmu_1 is of package "
		    "0, too, and a package has one such column: "
		    "nvidia_scf_pmu_0");
		absent++;
	}
	assert_int_equal(absent, 1);
	assert_true(rig_has(r, "scf_counts[0][\"CYCLES\"]"));
	rig_close(r);
}

static void
the_own_socket_is_counted_where_a_line_says_so(void **state)
{
	struct diag why = { "" };
	struct rig *r = grace("@grace-2s", "",
	    "scf[0/0] SOCKET_0_RD_ACCESS\n"
	    "event nvidia_scf_pmu_1/event=0x12e,name=mine/\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	assert_true(rig_has(r, "scf_counts[0][\"SOCKET_0_RD_ACCESS\"]"));
	assert_true(rig_has(r, "scf_counts[1][\"mine\"]"));
	rig_close(r);
	assert_null(grace("@grace-hopper", "",
	    "scf SOCKET_0_RD_ACCESS\n", &why));
	if (strstr(why.text, "test.conf:1: SOCKET_0_RD_ACCESS: this node has "
	    "no other socket to count it at") == NULL)
		fail_msg("%s", why.text);
}

/* ---- counting */

/* A group that did not fit would have been halved, with a note. */
static struct rig *
fits(const char *config)
{
	struct diag why;
	struct rig *r = grace("@grace-2s", "", config, &why);

	if (r == NULL)
		fail_msg("%s", why.text);
	for (unsigned i = 0; i < r->node.plan.absent.n; i++)
		if (strstr(r->node.plan.absent.line[i], "too many") != NULL)
			fail_msg("%s", r->node.plan.absent.line[i]);
	return r;
}

static void
every_group_of_ours_fits_six_counters_and_cycles(void **state)
{
	const struct text *all = text_named("@hpc-grace", TEXT_CONFIG);
	char *config = strndup(all->data, (size_t)(all->end - all->data));
	struct rig *r = fits(config);

	(void)state;
	free(config);
	assert_true(rig_has(r, "core_running[143][\"front\"]"));
	assert_true(rig_has(r, "scf_counts[1][\"SOCKET_0_RD_ACCESS\"]"));
	assert_false(rig_has(r, "scf_counts[1][\"SOCKET_1_RD_ACCESS\"]"));
	assert_true(rig_has(r, "c2c0_counts[1][\"RD_BYTES_LOC\"]"));
	rig_close(r);
	/* the default: a group a PMU, so that none of them has to wait */
	r = fits(NULL);
	for (unsigned i = 0; i < r->node.plan.ncolumn; i++) {
		const struct column *c = &r->node.plan.column[i];

		if (strcmp(c->id.family->name, "core_running") == 0)
			assert_string_equal(c->id.event, "core");
		if (strcmp(c->id.family->name, "scf_running") == 0)
			assert_string_equal(c->id.event, "scf");
	}
	assert_true(rig_has(r, "core_counts[143][\"CNT_CYCLES\"]"));
	assert_true(rig_has(r, "core_counts[143][\"FP_SCALE_OPS_SPEC\"]"));
	assert_true(rig_has(r, "scf_counts[1][\"CMEM_WR_TOTAL_BYTES\"]"));
	assert_true(r->node.plan.ncolumn < 3200);
	rig_close(r);
}

static void
the_guides_gigabyte_is_1009299148_bytes(void **state)
{
	struct diag why;
	struct rig *r = grace("@grace-2s", "",
	    "scf CMEM_WR_TOTAL_BYTES\nscf CMEM_RD_DATA\n"
	    "scf REMOTE_SOCKET_RD_DATA\nscf REMOTE_SOCKET_WR_TOTAL_BYTES\n",
	    &why);
	struct sim *sim;
	static const struct { const char *column; uint64_t grown; } t[] = {
		{ "scf_counts[0][\"CMEM_WR_TOTAL_BYTES\"]",
		    1009299148u + 993278696u },
		{ "scf_counts[0][\"CMEM_RD_DATA\"]", 33542984 + 35572420 },
		{ "scf_counts[1][\"REMOTE_SOCKET_RD_DATA\"]", 36189087 },
		{ "scf_counts[1][\"REMOTE_SOCKET_WR_TOTAL_BYTES\"]",
		    961728219 },
	};

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	sim = (struct sim *)r->node.acc;
	sim_advance(sim, 14 * (uint64_t)S - 1000000);
	rig_sample(r);
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++)
		if (rig_value(r, t[i].column) != t[i].grown)
			fail_msg("%s: %llu, not %llu", t[i].column,
			    (unsigned long long)rig_value(r, t[i].column),
			    (unsigned long long)t[i].grown);
	rig_close(r);
}

/* What stands behind perf's -e in the guide; sysfs of the machine has cycles and
 * cmem_rd_data alone. */
static void
perfs_command_lines_are_event_lines(void **state)
{
	static const struct {
		int line;
		const char *config, *column;
		uint64_t count;
	} t[] = {
		{ __LINE__, "event duration_time '{nvidia_scf_pmu_0/event="
		    "cycles/,nvidia_scf_pmu_0/cmem_wr_total_bytes/}'\n",
		    "scf_counts[0][\"cmem_wr_total_bytes\"]", 1009299148 },
		{ __LINE__, "event duration_time,'{nvidia_scf_pmu_0/"
		    "cmem_rd_data/,nvidia_scf_pmu_0/CMEM_WR_TOTAL_BYTES/}',"
		    "'{nvidia_scf_pmu_1/cmem_wr_total_bytes/}'\n",
		    "scf_counts[0][\"CMEM_WR_TOTAL_BYTES\"]", 1009299148 },
		{ __LINE__, "event nvidia_scf_pmu_0/event="
		    "cmem_wr_total_bytes/\n", "scf_counts[0]["
		    "\"nvidia_scf_pmu_0/event=cmem_wr_total_bytes/\"]",
		    1009299148 },
		{ __LINE__, "event \"{nvidia_scf_pmu_0/event=0x1db,name=a/,"
		    "nvidia_scf_pmu_0/event=cycles,name=b/}\"\n",
		    "scf_counts[0][\"a\"]", 1009299148 },
		{ __LINE__, "event nvidia_pcie_pmu_0/wr_bytes_loc,"
		    "root_port=0x100/\n", "pcie_counts[0]["
		    "\"nvidia_pcie_pmu_0/wr_bytes_loc,root_port=0x100/\"]",
		    0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct diag why;
		struct rig *r = grace("@grace-2s", "", t[i].config, &why);

		if (r == NULL)
			fail_msg("line %d: %s", t[i].line, why.text);
		sim_advance((struct sim *)r->node.acc, 11 * (uint64_t)S);
		rig_sample(r);
		if (rig_value(r, t[i].column) != t[i].count)
			fail_msg("line %d: %llu", t[i].line,
			    (unsigned long long)rig_value(r, t[i].column));
		rig_close(r);
	}
}

/* What a column grew by between two moments of a machine. */
static uint64_t
grown(const char *machine, const char *config, const char *column, double from,
    double to)
{
	struct diag why;
	struct rig *r = grace(machine, "", config, &why);
	uint64_t before;

	if (r == NULL)
		fail_msg("%s", why.text);
	sim_advance((struct sim *)r->node.acc, (uint64_t)(from * S));
	rig_sample(r);
	before = rig_value(r, column);
	sim_advance((struct sim *)r->node.acc, (uint64_t)((to - from) * S));
	rig_sample(r);
	before = rig_value(r, column) - before;
	rig_close(r);
	return before;
}

#define GPU "event '{nvidia_nvlink_c2c0_pmu_0/rd_bytes_loc/," \
	"nvidia_nvlink_c2c0_pmu_0/wr_bytes_loc/," \
	"nvidia_nvlink_c2c0_pmu_0/total_bytes_loc/}'," \
	"'{nvidia_nvlink_c2c1_pmu_0/rd_bytes_loc/," \
	"nvidia_nvlink_c2c1_pmu_0/wr_bytes_loc/}'\n"
#define DEVICE(event, ports) "event nvidia_pcie_pmu_0/" event ",root_port=" \
	ports ",name=x/\n"

static void
the_machines_hold_what_devices_and_a_gpu_do(void **state)
{
	static const struct {
		int line;
		const char *machine, *config, *column;
		double from, to;
		uint64_t count;
	} t[] = {
		/* a public run of the guide's example, GPU write and read */
#define GREAD 31.95, 32.9
		{ __LINE__, "@grace-hopper", GPU,
		    "c2c0_counts[0][\"wr_bytes_loc\"]", GREAD, 201326592 },
		{ __LINE__, "@grace-hopper", GPU,
		    "c2c0_counts[0][\"rd_bytes_loc\"]", GREAD, 4234723328 },
		{ __LINE__, "@grace-hopper", GPU,
		    "c2c0_counts[0][\"total_bytes_loc\"]", GREAD,
		    4436049920 },
		{ __LINE__, "@grace-hopper", GPU,
		    "c2c1_counts[0][\"rd_bytes_loc\"]", GREAD, 6166528 },
		{ __LINE__, "@grace-hopper", GPU,
		    "c2c1_counts[0][\"wr_bytes_loc\"]", GREAD, 17771520 },
		/* 1 GiB at root port 8, here, and at the other socket */
		{ __LINE__, "@grace-2s", DEVICE("rd_bytes_loc", "0x100"),
		    "pcie_counts[0][\"x\"]", 34.5, 35.5, 536870912 },
		{ __LINE__, "@grace-2s", DEVICE("rd_bytes_loc", "0x3ff"),
		    "pcie_counts[0][\"x\"]", 34.5, 35.5, 536870912 },
		{ __LINE__, "@grace-2s", DEVICE("rd_bytes_loc", "0x2ff"),
		    "pcie_counts[0][\"x\"]", 34.5, 35.5, 0 },
		{ __LINE__, "@grace-2s", DEVICE("rd_bytes_rem", "0x100"),
		    "pcie_counts[0][\"x\"]", 35.5, 37.5, 1073741824 },
		{ __LINE__, "@grace-2s", DEVICE("wr_bytes_rem", "0x100"),
		    "pcie_counts[0][\"x\"]", 35.5, 37.5, 536870912 },
		{ __LINE__, "@grace-2s",
		    "event nvidia_nvlink_c2c0_pmu_1/wr_bytes_loc/\n",
		    "c2c0_counts[1][\"wr_bytes_loc\"]", 35.5, 37.5, 536870912 },
		/* the kernel's own events, of lproc 0 of the second package */
		{ __LINE__, "@grace-2s", "event instructions,cpu-cycles\n",
		    "core_counts[72][\"instructions\"]", 20, 21, 4500000011 },
		{ __LINE__, "@grace-2s", "event LLC-load-misses,branches\n",
		    "core_counts[72][\"LLC-load-misses\"]", 20, 21, 20000011 },
		{ __LINE__, "@grace-hopper", "event branches\n",
		    "core_counts[1][\"branches\"]", 20, 21, 390000007 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		uint64_t n = grown(t[i].machine, t[i].config, t[i].column,
		    t[i].from, t[i].to);

		/* a sample takes some microseconds */
		if (llabs((long long)(n - t[i].count)) > 2 +
		    (long long)(t[i].count / 100000))
			fail_msg("line %d: %llu", t[i].line,
			    (unsigned long long)n);
	}
}

static void
what_arm_has_no_event_for_is_refused(void **state)
{
	static const char *const names[] = { "L1-dcache-stores", "ref-cycles",
		"LLC-prefetches", "node-loads" };
	struct diag why = { "" };
	char line[64];

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(line, sizeof(line), "event %s\n", names[i]);
		assert_null(grace("@grace-2s", "", line, &why));
		assert_non_null(strstr(why.text, "not supported by this CPU"));
	}
}

static void
what_is_wrong_with_a_command_line_is_said(void **state)
{
	static const struct { int line; const char *config, *words; } t[] = {
		{ __LINE__, "event {nvidia_scf_pmu_0/cycles/\n",
		    "the closing } of \"{nvidia_scf_pmu_0/cycles/\" is "
		    "missing" },
		{ __LINE__, "event {a,{b}}\n", "a group inside a group" },
		{ __LINE__, "event {nvidia_scf_pmu_0/cycles/}:u\n", "\":u\" "
		    "after a group: perf's modifiers of one are not taken" },
		{ __LINE__, "event '{}'\n", "a comma with no event" },
		{ __LINE__, "event {nvidia_scf_pmu_0/cycles/},\n",
		    "a comma with no event" },
		{ __LINE__, "event nvidia_scf_pmu_0/cmem_wr_total_byte/\n",
		    "did you mean CMEM_WR_TOTAL_BYTES?" },
		{ __LINE__, "event nvidia_scf_pmu_0/event=cmem_rd_dat/\n",
		    "PMU nvidia_scf_pmu_0 has no term or event \"cmem_rd_dat\"; "
		    "did you mean cmem_rd_data?" },
		{ __LINE__, "event armv8_pmuv3_0/event=stall_slot_backend/\n",
		    "STALL_SLOT_BACKEND is not offered" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct diag why = { "" };

		assert_null(grace("@grace-2s", "", t[i].config, &why));
		if (strstr(why.text, t[i].words) == NULL)
			fail_msg("line %d: %s", t[i].line, why.text);
	}
}

static void
groups_that_share_counters_run_their_share_and_no_more(void **state)
{
	struct diag why;
	struct rig *r = grace("@grace-2s", "", "set a\n"
	    "core CPU_CYCLES\ncore L1D_CACHE\ncore L1I_CACHE\ncore L2D_CACHE\n"
	    "set b\ncore LD_SPEC\ncore ST_SPEC\ncore DP_SPEC\ncore VFP_SPEC\n"
	    "core INST_SPEC\ncore BR_RETIRED\n"
	    "set c\ncore INST_RETIRED\ncore OP_SPEC\ncore OP_RETIRED\n",
	    &why);
	uint64_t enabled, running;
	bool found = false;

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	sim_advance((struct sim *)r->node.acc, 20 * (uint64_t)S);
	rig_sample(r);
	enabled = rig_value(r, "core_enabled[7][\"b\"]");
	running = rig_value(r, "core_running[7][\"b\"]");
	/* 3 + 6 + 3 events on six counters: half of the time each */
	assert_true(enabled > 20 * (uint64_t)S && running == enabled / 2);
	/* and the scaled count beside each is twice what was counted */
	for (unsigned i = 0; i < r->node.plan.ncolumn; i++) {
		const struct column *c = &r->node.plan.column[i];
		uint64_t scaled;

		if (!is_named(&c->id, "core_scaled[7][\"ST_SPEC\"]"))
			continue;
		assert_int_equal(c->print, PRINT_SCALED);
		scaled = column_raw(c, r->row);
		assert_true(r->row[c->cell] > 0);
		assert_in_range(scaled, 2 * r->row[c->cell],
		    2 * r->row[c->cell] + 1);
		found = true;
	}
	assert_true(found);
	rig_close(r);
}

static void
an_lproc_that_is_gone_is_absent_and_comes_back(void **state)
{
	struct diag why;
	struct rig *r = grace("@grace-2s",
	    "from 3 to 5 lproc 7 offline\n", "core CPU_CYCLES\n", &why);
	struct sim *sim;

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	sim = (struct sim *)r->node.acc;
	sim_advance(sim, 4 * (uint64_t)S);
	rig_sample(r);
	assert_true(rig_value(r, "core_counts[7][\"CPU_CYCLES\"]") == ABSENT);
	assert_true(rig_value(r, "core_enabled[7][\"CPU_CYCLES\"]") == ABSENT);
	assert_true(rig_value(r, "core_counts[8][\"CPU_CYCLES\"]") != ABSENT);
	sim_advance(sim, 2 * (uint64_t)S);
	rig_sample(r);
	assert_true(rig_value(r, "core_counts[7][\"CPU_CYCLES\"]") != ABSENT);
	rig_close(r);
}

/* What an event of PCIe counts in the first two seconds of work, where each
 * root port has traffic of its own. */
static uint64_t
of_ports(const char *config, const char *column)
{
	struct diag why;
	struct rig *r = grace("@grace-2s",
	    "count nvidia_pcie_pmu_0 0x0 config1=0x1 work=1\n"
	    "count nvidia_pcie_pmu_0 0x0 config1=0x2 work=10\n"
	    "count nvidia_pcie_pmu_0 0x0 config1=0x200 work=10000\n"
	    "count nvidia_pcie_pmu_1 0x0 config1=0x8 work=1000\n",
	    config, &why);
	uint64_t raw;

	if (r == NULL)
		fail_msg("%s", why.text);
	sim_advance((struct sim *)r->node.acc, 16 * (uint64_t)S);
	rig_sample(r);
	raw = rig_value(r, column);
	rig_close(r);
	return raw / 2;
}

/* The simulated driver, as older ones, counts nothing where no port is chosen
 * (and where several are, the last that has a rate); id 0 is an event. */
static void
root_ports_are_always_said(void **state)
{
	static const char first[] = "pcie_counts[0][\"RD_BYTES_LOC\"]";
	static const char second[] = "pcie_counts[1][\"RD_BYTES_LOC\"]";

	(void)state;
	assert_int_equal(of_ports("pcie RD_BYTES_LOC\n", first), 10000);
	assert_int_equal(of_ports("pcie RD_BYTES_LOC\n", second), 1000);
	/* by the name that sysfs has, and by number */
	assert_int_equal(of_ports("event nvidia_pcie_pmu/rd_bytes_loc,"
	    "name=RD_BYTES_LOC/\n", first), 10000);
	assert_int_equal(of_ports("event nvidia_pcie_pmu/event=0,"
	    "name=RD_BYTES_LOC/\n", first), 10000);
}

static void
root_ports_are_those_that_were_asked_for(void **state)
{
	static const char first[] = "pcie_counts[0][\"RD_BYTES_LOC\"]";
	static const char second[] = "pcie_counts[1][\"RD_BYTES_LOC\"]";
	static const char apart[] = "pcie[0/0] root_port=0x1\n"
	    "pcie[1/0] root_port=0x8\npcie[0/0] RD_BYTES_LOC\n"
	    "pcie[1/0] RD_BYTES_LOC\n";

	(void)state;
	assert_int_equal(of_ports("pcie root_port=0x3\npcie RD_BYTES_LOC\n",
	    first), 10);
	assert_int_equal(of_ports("pcie RD_BYTES_LOC\npcie root_port=0x1\n",
	    first), 1);
	assert_int_equal(of_ports("pcie root_port=0x1\n"
	    "pcie RD_BYTES_LOC root_port=0x2\n", first), 10);
	assert_int_equal(of_ports("pcie root_port=0x1\nevent "
	    "nvidia_pcie_pmu/rd_bytes_loc,name=RD_BYTES_LOC/\n", first), 1);
	assert_int_equal(of_ports("event nvidia_pcie_pmu/rd_bytes_loc,"
	    "root_port=0x2,name=RD_BYTES_LOC/\n", first), 10);
	assert_int_equal(of_ports(apart, first), 1);
	assert_int_equal(of_ports(apart, second), 1000);
}

static void
the_head_says_how_many_root_ports_are_counted(void **state)
{
	static const struct { int line; const char *config, *head; } t[] = {
		{ __LINE__, NULL, "pcie_root_ports = {}\n"
		    "pcie_root_ports[0] = 10\npcie_root_ports[1] = 10\n" },
		{ __LINE__, "pcie root_port=0x103\npcie RD_REQ_LOC\n",
		    "pcie_root_ports[0] = 3\npcie_root_ports[1] = 3\n" },
		/* the clock has none, so what is said of it does not count */
		{ __LINE__, "pcie CYCLES\npcie[0/0] RD_REQ_LOC root_port=0x1\n"
		    "pcie[0/0] RD_REQ_REM root_port=0x1\n"
		    "pcie[1/0] RD_REQ_LOC root_port=0x30\n",
		    "pcie_root_ports[0] = 1\npcie_root_ports[1] = 2\n" },
		/* as many, but others */
		{ __LINE__, "pcie RD_REQ_LOC root_port=0x3\n"
		    "pcie[1/0] RD_REQ_REM root_port=0x30\n",
		    "pcie_root_ports[0] = 2\npcie_root_ports[1] = 0\n" },
		{ __LINE__, "event nvidia_pcie_pmu_1/event=6,root_port=0x7/\n",
		    "pcie_root_ports = {}\npcie_root_ports[1] = 3\n" },
		{ __LINE__, "scf CYCLES\n", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct diag why;
		struct rig *r = grace("@grace-2s", "", t[i].config,
		    &why);
		const char *head, *want = t[i].head;

		if (r == NULL)
			fail_msg("line %d: %s", t[i].line, why.text);
		head = r->node.plan.head.text;
		if (strstr(head, want ? want : "root_ports") == NULL ?
		    want != NULL : want == NULL)
			fail_msg("line %d: %s", t[i].line, head);
		rig_close(r);
	}
}

/* Newer kernels have a term for the two ports of a C2C link; 0 is both. */
static void
ports_of_c2c_are_said_only_when_asked_for(void **state)
{
	static const char *const config[] = { "c2c0 RD_REQ_LOC\n",
	    "c2c0 RD_REQ_LOC port=2\n" };
	struct diag why;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct rig *r = grace("@grace-2s", "file /sys/bus/"
		    "event_source/devices/nvidia_nvlink_c2c0_pmu_0/format/port"
		    " = config1:0-1\n"
		    "count nvidia_nvlink_c2c0_pmu_0 0x6 work=1000\n"
		    "count nvidia_nvlink_c2c0_pmu_0 0x6 config1=0x2 work=400\n"
		    "count nvidia_nvlink_c2c0_pmu_0 0x6 config1=0x1 work=600\n",
		    config[i], &why);

		if (r == NULL)
			fail_msg("%s", why.text);
		sim_advance((struct sim *)r->node.acc, 15 * (uint64_t)S);
		rig_sample(r);
		assert_int_equal(rig_value(r, "c2c0_counts[0][\"RD_REQ_LOC\"]"),
		    i == 0 ? 1000 : 400);
		rig_close(r);
	}
}

/* ---- what is refused */

static void
mistakes_have_their_line_and_what_is_right(void **state)
{
	static const struct { int line; const char *config, *say; } t[] = {
		{ __LINE__, "core STALL_SLOT_BACKEND\n", "test.conf:1: "
		    "STALL_SLOT_BACKEND is not offered: it misleads" },
		{ __LINE__, "\ncore STALL_SLOT_FRONTEND\n", "test.conf:2: "
		    "STALL_SLOT_FRONTEND is not offered" },
		{ __LINE__, "event armv8_pmuv3_0/stall_slot_backend/\n",
		    "STALL_SLOT_BACKEND is not offered: it misleads" },
		{ __LINE__, "event INST_RETIRED,STALL_SLOT_FRONTEND\n",
		    "STALL_SLOT_FRONTEND is not offered: it misleads" },
		{ __LINE__, "core INST_RETIERD\n",
		    "did you mean INST_RETIRED?" },
		{ __LINE__, "event INST_RETIERD\n",
		    "did you mean INST_RETIRED?" },
		{ __LINE__, "event CMEM_RD_DAT\n",
		    "did you mean CMEM_RD_DATA or GMEM_RD_DATA?" },
		{ __LINE__, "scf CMEM_RD_DAT\n",
		    "did you mean CMEM_RD_DATA or GMEM_RD_DATA?" },
		{ __LINE__, "scf X event=0x200000000\n", "is too large" },
		{ __LINE__, "c2c0 RD_REQ_LOC port=1\n",
		    "has no term port on this kernel" },
		{ __LINE__, "pcie RD_REQ_LOC root_port=0x400\n",
		    "root_port 0x400 sets bit 10" },
		{ __LINE__, "pcie root_port=0\npcie RD_REQ_LOC\n",
		    "test.conf:1: root_port 0 is none of them to older "
		    "drivers, and all to newer ones: say 0x3ff for all" },
		{ __LINE__, "pcie RD_REQ_LOC root_port=0\n",
		    "test.conf:1: root_port 0 is none" },
		{ __LINE__, "event nvidia_pcie_pmu/event=6,root_port=0/\n",
		    "test.conf:1: root_port 0 is none" },
		{ __LINE__, "cnvlink RD_REQ_LOC rem_socket=0\n",
		    "rem_socket 0 is none of them to older drivers" },
		{ __LINE__, "pcie[0/0] root_port=0x3\npcie RD_REQ_LOC\n",
		    "test.conf:2: RD_REQ_LOC: root_port is set for only some "
		    "of its boxes (test.conf:1)" },
		{ __LINE__, "pcie root_port=0x3\npcie root_port=0x300\n"
		    "pcie RD_REQ_LOC\n", "test.conf:2: root_port of PCIE is "
		    "0x300 here and 0x3 in test.conf:1" },
		{ __LINE__, "set a\ncore INST_RETIRED\nset b\n"
		    "core INST_RETIRED\n", "such as INST_RETIRED@b" },
		{ __LINE__, "event nvidia_scf_pmu/cmem_rd_dta/\n",
		    "did you mean cmem_rd_data?" },
		{ __LINE__, "event nvidia_scf_pmu_0/event=0x300000000/\n",
		    "too large" },
		{ __LINE__, "read rapl_pkg_energy\n", "nothing called" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct diag why = { "" };
		struct rig *r = grace("@grace-2s", "", t[i].config,
		    &why);

		if (r != NULL || strstr(why.text, t[i].say) == NULL)
			fail_msg("line %d: %s", t[i].line, r != NULL ?
			    "accepted" : why.text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_core_is_known_by_midr),
		cmocka_unit_test(
		    where_sysfs_has_no_midr_it_is_put_together_of_cpuinfo),
		cmocka_unit_test(a_v2_core_without_the_fabrics_pmu_is_no_grace),
		cmocka_unit_test(a_pmu_is_of_the_socket_of_its_cpus),
		cmocka_unit_test(numbers_of_pmus_are_no_sockets),
		cmocka_unit_test(sockets_are_numa_nodes_and_none_is_another_one_of_its_own),
		cmocka_unit_test(sockets_that_nothing_tells_apart_can_be_sampled),
		cmocka_unit_test(the_own_socket_is_counted_where_a_line_says_so),
		cmocka_unit_test(every_group_of_ours_fits_six_counters_and_cycles),
		cmocka_unit_test(the_guides_gigabyte_is_1009299148_bytes),
		cmocka_unit_test(perfs_command_lines_are_event_lines),
		cmocka_unit_test(the_machines_hold_what_devices_and_a_gpu_do),
		cmocka_unit_test(what_arm_has_no_event_for_is_refused),
		cmocka_unit_test(what_is_wrong_with_a_command_line_is_said),
		cmocka_unit_test(groups_that_share_counters_run_their_share_and_no_more),
		cmocka_unit_test(an_lproc_that_is_gone_is_absent_and_comes_back),
		cmocka_unit_test(root_ports_are_always_said),
		cmocka_unit_test(root_ports_are_those_that_were_asked_for),
		cmocka_unit_test(the_head_says_how_many_root_ports_are_counted),
		cmocka_unit_test(ports_of_c2c_are_said_only_when_asked_for),
		cmocka_unit_test(mistakes_have_their_line_and_what_is_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
