/*
 * tests/regs/models/test_zen_perf.c - AMD Zen 2 to Zen 5 through the kernel: what it is asked
 * for, where its counts go, what it silently leaves out.  Expected numbers are
 * those of the register reference (amd-zen.md: 4 to 7, 9 to 11).
 */
#include "tests/lib/named.h"
#include "tests/lib/rig.h"
#include "tests/lib/sim_compare.h"

#include "config/lang/events.h"
#include "config/sim/machine.h"
#include "config/texts.h"
#include "regs/sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 1000000000ull

/* The one statement of a text, as `model` has it. */
static void
parse(struct config *cfg, const char *model, const char *text)
{
	struct diag why;

	assert_int_equal(config_init(cfg, model_named(model)), 0);
	if (config_parse(cfg, "t.conf", text, strlen(text), &why) < 0)
		fail_msg("%s: %s", text, why.text);
	assert_int_equal(cfg->nwant, 1);
}

static void
names_of_the_kernel_are_what_it_counts_on_amd(void **state)
{
	static const struct { const char *text; uint64_t ctl; } event[] = {
		{ "event cpu-cycles", 0x430076 },
		{ "event cycles", 0x430076 },
		{ "event instructions", 0x4300c0 },
		{ "event cache-references", 0x43ff60 },
		{ "event cache-misses", 0x430964 },
		{ "event branches", 0x4300c2 },
		{ "event branch-misses", 0x4300c3 },
		{ "event L1-dcache-loads", 0x430040 },
		{ "event L1-dcache-load-misses", 0x43c860 },
		{ "event L1-dcache-prefetches", 0x43ff5a },
		{ "event L1-icache-loads", 0x430080 },
		{ "event L1-icache-load-misses", 0x430081 },
		{ "event dTLB-loads", 0x43ff45 },
		{ "event dTLB-load-misses", 0x43f045 },
		{ "event iTLB-loads", 0x430084 },
		{ "event iTLB-load-misses", 0x43ff85 },
		{ "event branch-loads", 0x4300c2 },
		{ "event branch-load-misses", 0x4300c3 },
	};
	/* one version's is not the other's, or there is none */
	static const char *const kernels[] = {
		"event stalled-cycles-frontend", "event stalled-cycles-backend",
		"event ref-cycles", "event bus-cycles", "event LLC-loads",
		"event L1-dcache-stores", "event node-loads",
	};
	struct config cfg;

	(void)state;
	for (size_t i = 0; i < sizeof(event) / sizeof(event[0]); i++) {
		parse(&cfg, "zen4", event[i].text);
		assert_int_equal(cfg.want[0].kind, WANT_EVENT);
		if (cfg.want[0].ctl != event[i].ctl)
			fail_msg("%s: 0x%llx", event[i].text,
			    (unsigned long long)cfg.want[0].ctl);
		config_fini(&cfg);
	}
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		parse(&cfg, "zen4", kernels[i]);
		assert_int_equal(cfg.want[0].kind, WANT_PERF);
		config_fini(&cfg);
	}
}

static void
terms_of_a_pmu_are_a_control_value(void **state)
{
	static const struct {
		const char *model, *text, *name;
		uint64_t ctl;
	} event[] = {
		{ "zen2", "event cpu/event=0xc0/", "cpu/event=0xc0/", 0x4300c0 },
		{ "zen4", "event cpu/event=0x120,umask=0x01,name=REF/", "REF",
		  0x100430120 },
		{ "zen5", "event cpu/event=0x76,cmask=8,inv/",
		  "cpu/event=0x76,cmask=8,inv/", 0x8c30076 },
		{ "zen4", "event r1000001A0", "r1000001A0", 0x1004301a0 },
		{ "zen4", "event cpu/l2_miss_ic_dc/", "l2_miss_ic_dc",
		  0x430964 },
		{ "zen4", "event cpu/event=slots_backend,name=S/", "S",
		  0x100431ea0 },
		{ "zen4", "event cpu/slots_frontend,cmask=6/",
		  "cpu/slots_frontend,cmask=6/", 0x1064301a0 },
	};
	struct config cfg;

	(void)state;
	for (size_t i = 0; i < sizeof(event) / sizeof(event[0]); i++) {
		parse(&cfg, event[i].model, event[i].text);
		assert_int_equal(cfg.want[0].kind, WANT_EVENT);
		assert_string_equal(cfg.want[0].name, event[i].name);
		if (cfg.want[0].ctl != event[i].ctl)
			fail_msg("%s: 0x%llx", event[i].text,
			    (unsigned long long)cfg.want[0].ctl);
		config_fini(&cfg);
	}
}

/* A simulated node, counted that way; NULL: refused, with words in why.  known
 * false: as if no table had its CPU. */
static struct rig *
plan_by(enum access_mode by, struct rig *r, bool known, const char *config,
    struct diag *why)
{
	r->o.node.access = by;
	if (!known)
		r->node.topo.model = &model_any;
	assert_int_equal(config_init(&r->node.config, r->node.topo.model), 0);
	if (!rig_choose(r, config, why))
		return NULL;
	rig_program(r);
	rig_sample(r);
	return r;
}

static struct rig *
node_by(enum access_mode by, const char *machine, const char *more,
    const char *config, struct diag *why)
{
	return plan_by(by, rig_bare(machine, more), true, config, why);
}

static struct rig *
counted_by(enum access_mode by, const char *machine, const char *config)
{
	struct diag why;
	struct rig *r = node_by(by, machine, "", config, &why);

	if (r == NULL)
		fail_msg("%s", why.text);
	return r;
}

struct rate {
	const char *column;
	uint64_t idle, work;
	unsigned bits;
};

/* From second to second: ten of idleness, twenty of work.  Opening the groups took
 * a part of the first, so that the load changes within the tenth. */
static void
check_rates(struct rig *r, const struct rate *rate, size_t n)
{
	uint64_t before[32];

	assert_true(n <= 32);
	for (unsigned s = 0; s < 30; s++) {
		for (size_t i = 0; i < n; i++)
			before[i] = rig_value(r, rate[i].column);
		sim_advance(rig_sim(r), SECOND);
		rig_sample(r);
		for (size_t i = 0; i < n; i++) {
			uint64_t delta = (rig_value(r, rate[i].column) -
			    before[i]) & ~0ull >> (64 - rate[i].bits);

			if (s != 9 && s != 29 && delta != (s < 9 ?
			    rate[i].idle : rate[i].work))
				fail_msg("%s in second %u: %llu",
				    rate[i].column, s,
				    (unsigned long long)delta);
		}
	}
}

static const char core_lines[] =
    "core instr_retired\n"
    "core A event=0x76\n"
    "event cpu/l2_miss_ic_dc/ branch-misses\n"
    "read aperf mperf rapl_pkg_energy\n"
    "optional read rapl_core_energy\n";

/* Rates of the cores are those of the machine's registers, whoever counts. */
static void
cores_count_the_same_through_the_kernel(void **state)
{
	static const struct rate rate[] = {
		{ "core_counts[0][\"instr_retired\"]", 1000000, 4800000000, 64 },
		{ "core_counts[97][\"instr_retired\"]", 1000000 + 11 + 3,
		  4800000000 + 11 + 3, 64 },
		{ "core_counts[97][\"A\"]", 3700000 + 13 + 3,
		  3700000000 + 13 + 3, 64 },
		{ "core_counts[97][\"l2_miss_ic_dc\"]", 200 + 23 + 3,
		  6000000 + 23 + 3, 64 },
		{ "core_counts[0][\"branch-misses\"]", 2000, 1000000, 64 },
		{ "mperf[97]", 2400000 + 101, 2400000000 + 101, 64 },
		{ "aperf[97]", 3700000 + 103, 3700000000 + 103, 64 },
	};

	(void)state;
	for (enum access_mode by = ACCESS_PERF; by <= ACCESS_HYBRID; by++) {
		struct rig *r = counted_by(by, "@genoa-9654-2s", core_lines);

		check_rates(r, rate, sizeof(rate) / sizeof(rate[0]));
		if (by == ACCESS_HYBRID)
			assert_non_null(strstr(access_note(r->node.acc,
			    REG_PERF), "hybrid: 1152 of 1152 groups"));
		rig_restore(r);
		assert_int_equal(sim_writes(rig_sim(r)), 0);
		rig_close(r);
	}
}

/* 2^-16 J of the registers are 65536 of the kernel's 2^-32 J; the PMU of a core's
 * is Linux 6.15's. */
static void
energy_through_the_kernel_is_in_its_own_unit(void **state)
{
	static const struct rate genoa[] = {
		{ "rapl_pkg_energy[1]", 65536ull * (7864320 + 65536),
		  65536ull * (23592960 + 65536), 64 },
		{ "rapl_core_energy[97]", 65536ull * (16384 + 8),
		  65536ull * (163840 + 8), 64 },
	};
	static const struct rate rome[] = {
		{ "rapl_pkg_energy[0]", 65536ull * 5898240,
		  65536ull * 11796480, 64 },
	};
	struct rig *r = counted_by(ACCESS_PERF, "@genoa-9654-2s", core_lines);

	(void)state;
	check_rates(r, genoa, 2);
	assert_non_null(strstr(r->node.plan.head.text,
	    "rapl_pkg_energy_unit_log2 = 32"));
	rig_close(r);
	r = counted_by(ACCESS_PERF, "@rome-7742-2s", core_lines);
	check_rates(r, rome, 1);
	assert_false(rig_has(r, "rapl_core_energy[0]"));
	assert_int_equal(r->node.plan.absent.n, 1);
	assert_string_equal(r->node.plan.absent.line[0],
	    "rapl_core_energy: the kernel "
	    "has no PMU event power_core/energy-core/");
	rig_close(r);
}

/* HWCR's bit is the kernel's matter then; where it has not set it, its PMU has no
 * such event. */
static void
retired_instructions_of_the_msr_pmu_are_read_where_it_has_them(void **state)
{
	static const struct rate rate[] = {
		{ "irperf[129]", 1000000 + 11 + 3, 6000000000 + 11 + 3, 64 },
	};
	static const char lines[] = "optional read irperf\nread mperf\n";
	struct rig *r = counted_by(ACCESS_PERF, "@turin-2s", lines);

	(void)state;
	check_rates(r, rate, 1);
	rig_close(r);
	r = counted_by(ACCESS_PERF, "@genoa-9654-2s", lines);
	assert_false(rig_has(r, "irperf[0]"));
	assert_int_equal(r->node.plan.absent.n, 1);
	assert_string_equal(r->node.plan.absent.line[0],
	    "irperf: the kernel has no PMU "
	    "event msr/irperf/");
	rig_close(r);
}

/* What the kernel is asked for, for a column; one group, one CPU. */
static const struct perf_attr *
asked(const struct rig *r, const char *column, unsigned *cpu)
{
	for (unsigned i = 0; i < r->node.plan.nopened; i++) {
		const struct plan_opened *o = &r->node.plan.opened[i];

		if (is_named(&o->id, column)) {
			*cpu = o->cpu;
			return &o->attr;
		}
	}
	fail_msg("%s is not counted", column);
	return NULL;
}

/* The kernel adds the second counter of a pair itself: what is to be known of that
 * is that six counters are three such events. */
static void
the_kernel_is_asked_for_half_a_pair(void **state)
{
	static const struct rate rate[] = {
		{ "core_counts[1][\"flops_all\"]", 3000 + 37, 48000000000 + 37,
		  64 },
		{ "core_counts[1][\"instr_retired\"]", 1000000 + 11,
		  3000000000 + 11, 64 },
	};
	static const char two[] = "core flops_all\ncore instr_retired\n";
	struct rig *r;
	struct diag why;
	unsigned cpu;

	(void)state;
	for (enum access_mode by = ACCESS_PERF; by <= ACCESS_HYBRID; by++) {
		r = counted_by(by, "@rome-7742-2s", two);
		check_rates(r, rate, 2);
		if (by == ACCESS_HYBRID)
			assert_string_equal(access_note(r->node.acc, REG_PERF),
			    "hybrid: 256 of 256 groups of events are read where "
			    "their counters are, the others by the kernel");
		rig_close(r);
	}
	r = counted_by(ACCESS_PERF, "@rome-7742-2s", "core flops_all\n"
	    "core flops_fma\ncore flops_mul\ncore instr_retired\n");
	assert_int_equal(asked(r, "core_counts[1][\"flops_all\"]",
	    &cpu)->config[0], 0x0f03);
	assert_int_equal(cpu, 1);
	assert_true(rig_has(r, "core_running[1][\"flops_all\"]"));
	/* three pairs are full, and none was refused */
	assert_true(rig_has(r, "core_running[1][\"instr_retired\"]"));
	assert_int_equal(r->node.plan.remarks.n, 0);
	rig_close(r);
	assert_null(node_by(ACCESS_PERF, "@rome-7742-2s", "",
	    "event cpu/event=0xfff/\n", &why));
	assert_non_null(strstr(why.text, "gets it"));
}

/* Bits 59 and 60 of an event before Zen 4, 36 and 37 from there on. */
static void
the_fabric_counts_the_same_through_the_kernel(void **state)
{
	static const struct rate rome[] = {
		{ "df_counts[0][\"dram_ch_4\"]", 154000, 110004000, 64 },
		{ "df_counts[1][\"dram_ch_4\"]", 154007, 110004007, 64 },
		{ "df_counts[1][\"L\"]", 5003, 25000003, 64 },
		{ "df_counts[0][\"xgmi_out_3\"]", 8000, 25003000, 64 },
	};
	static const struct rate genoa[] = {
		{ "df_counts[0][\"dram_rd_local_0\"]", 90000, 200000000, 64 },
		{ "df_counts[1][\"W\"]", 44005, 90004005, 64 },
		{ "df_counts[1][\"xgmi_out_7\"]", 12013, 40007013, 64 },
	};
	struct rig *r = counted_by(ACCESS_PERF, "@rome-7742-2s",
	    "df dram_ch_4\nevent amd_df/event=0x7c7,umask=0x02,name=L/\n"
	    "event amd_df/xgmi_out_3/\n");
	unsigned cpu;

	(void)state;
	assert_int_equal(asked(r, "df_counts[1][\"dram_ch_4\"]",
	    &cpu)->config[0], 0x100003807);
	assert_int_equal(cpu, 64);
	assert_true(asked(r, "df_counts[0][\"L\"]", &cpu)->config[0] ==
	    0x7000002c7);
	check_rates(r, rome, sizeof(rome) / sizeof(rome[0]));
	rig_close(r);
	r = counted_by(ACCESS_HYBRID, "@genoa-9654-2s",
	    "df dram_rd_local_0\nevent xgmi_out_7\n"
	    "event amd_df/event=0x11f,umask=0x7ff,name=W/\n");
	assert_true(asked(r, "df_counts[1][\"xgmi_out_7\"]",
	    &cpu)->config[0] == 0xd0f003e1f);
	assert_int_equal(cpu, 96);
	check_rates(r, genoa, sizeof(genoa) / sizeof(genoa[0]));
	rig_close(r);
}

/* An L3's PMU has a CPU for each in its mask; there is a PMU for each memory
 * controller, numbered over both packages. */
static void
boxes_of_a_package_have_their_numbers_through_the_kernel(void **state)
{
	static const struct rate rate[] = {
		{ "l3_counts[0][0][\"l3_lookups\"]", 50000, 450000000, 64 },
		{ "l3_counts[1][11][\"l3_lookups\"]", 50000 + 11 * 29 + 5,
		  450000000 + 11 * 29 + 5, 64 },
		{ "l3_counts[1][3][\"LAT\"]", 27600 + 3 * 150 + 15,
		  65400000 + 3 * 150 + 15, 64 },
		{ "umc_counts[0][2][\"umc_cas_rd\"]", 99000 + 2 * 2000,
		  240000000 + 2 * 2000, 64 },
		{ "umc_counts[1][2][\"umc_cas_rd\"]", 99000 + 2 * 2000 + 10,
		  240000000 + 2 * 2000 + 10, 64 },
		{ "umc_counts[1][1][\"C\"]", 2400000000 + 1 + 3,
		  2400000000 + 1 + 3, 64 },
	};
	struct rig *r = counted_by(ACCESS_PERF, "@genoa-9654-2s",
	    "l3 l3_lookups\nevent amd_l3/event=0xac,umask=0x3f,name=LAT/\n"
	    "umc umc_cas_rd\nevent amd_umc_13/event=0x00,name=C/\n");
	unsigned cpu;

	(void)state;
	assert_true(asked(r, "l3_counts[1][3][\"LAT\"]", &cpu)->config[0] ==
	    0x303c00000003fac);
	assert_int_equal(cpu, 96 + 24);
	assert_int_equal(asked(r, "umc_counts[1][1][\"C\"]", &cpu)->type, 25);
	assert_int_equal(cpu, 96);
	assert_false(rig_has(r, "umc_counts[0][1][\"C\"]"));
	assert_false(rig_has(r, "umc_counts[1][0][\"C\"]"));
	check_rates(r, rate, sizeof(rate) / sizeof(rate[0]));
	rig_close(r);
}

/* Where registers are read it is the box that the kernel would give it. */
static void
a_number_over_packages_means_the_same_box_by_registers(void **state)
{
	struct diag why;
	struct rig *r = node_by(ACCESS_RAW, "@genoa-9654-2s", "",
	    "event amd_umc_13/umc_cas_wr/ amd_umc_0/umc_clk/\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	assert_true(rig_has(r, "umc_counts[1][1][\"umc_cas_wr\"]"));
	assert_false(rig_has(r, "umc_counts[0][1][\"umc_cas_wr\"]"));
	assert_true(rig_has(r, "umc_counts[0][0][\"umc_clk\"]"));
	assert_false(rig_has(r, "umc_counts[1][0][\"umc_clk\"]"));
	rig_restore(r);
	rig_close(r);
	for (enum access_mode by = ACCESS_RAW; by <= ACCESS_PERF; by++) {
		assert_null(node_by(by, "@genoa-9654-2s", "",
		    "event amd_umc_24/umc_clk/\n", &why));
		assert_non_null(strstr(why.text, "umc_clk: "));
	}
}

/* Twelve channels a package, of which every second has memory: numbers run over
 * those that are in use, so that amd_umc_6 is the first of package 1 (CPU 96). */
static void
memory_controllers_are_numbered_over_those_in_use(void **state)
{
	static const char half[] = "cpuid 0x80000022 7 0x00184106 0x555 0\n"
	    "pmu amd_umc n=6 type=60 counters=4 checks=0 box=umc cpumask=0 "
	    "format=event:config:0-7 format=rdwrmask:config:8-9\n"
	    "pmu amd_umc n=6 from=6 type=66 counters=4 checks=0 box=umc "
	    "cpumask=96 format=event:config:0-7 format=rdwrmask:config:8-9\n";
	static const struct { const char *column; unsigned step, pkg; } box[] = {
		{ "umc_counts[0][5][\"umc_cas_rd\"]", 5, 0 },
		{ "umc_counts[1][0][\"umc_cas_rd\"]", 0, 1 },
		{ "umc_counts[1][5][\"umc_cas_rd\"]", 5, 1 },
	};

	(void)state;
	for (enum access_mode by = ACCESS_RAW; by <= ACCESS_PERF; by++) {
		char more[2048];
		unsigned n = (unsigned)snprintf(more, sizeof(more), "%s", half);
		struct rate rate[3];
		struct diag why;
		struct rig *r;

		for (unsigned i = 12; i < 24; i++)
			n += (unsigned)snprintf(more + n, sizeof(more) - n, "file "
			    "/sys/bus/event_source/devices/amd_umc_%u/type none\n", i);
		r = node_by(by, "@genoa-9654-2s", more, "umc umc_cas_rd\n"
		    "event amd_umc_6/umc_cas_wr/ amd_umc_5/umc_clk/\n", &why);
		if (r == NULL)
			fail_msg("%s", why.text);
		assert_true(rig_has(r, "umc_counts[1][0][\"umc_cas_wr\"]"));
		assert_false(rig_has(r, "umc_counts[0][6][\"umc_cas_wr\"]"));
		assert_true(rig_has(r, "umc_counts[0][5][\"umc_clk\"]"));
		assert_false(rig_has(r, "umc_counts[0][6][\"umc_cas_rd\"]"));
		assert_false(rig_has(r, "umc_counts[1][6][\"umc_cas_rd\"]"));
		for (unsigned i = 0; i < 3; i++) {
			uint64_t more_hz = 2000 * box[i].step + 10 * box[i].pkg;

			rate[i] = (struct rate){ box[i].column,
			    99000 + more_hz, 240000000 + more_hz,
			    by == ACCESS_PERF ? 64 : 48 };
		}
		check_rates(r, rate, 3);
		rig_restore(r);
		rig_close(r);
	}
}

/* All of a complex but its first CPU; then all of it. */
static void
an_l3_is_counted_on_by_the_next_of_its_cpus(void **state)
{
	static const struct rate rate[] = {
		{ "l3_counts[0][1][\"l3_lookups\"]", 50000 + 29,
		  450000000 + 29, 64 },
	};
	struct diag why;
	struct rig *r = node_by(ACCESS_PERF, "@genoa-9654-2s",
	    "from 0.5 lproc 8 offline\n", "l3 l3_lookups\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	check_rates(r, rate, 1);
	rig_close(r);
}

/* Kernels that took the node of a CPU for its package: one column is right, as
 * the counters of a package are the same for all of its nodes. */
static void
a_mask_with_a_cpu_for_each_node_counts_a_package_once(void **state)
{
	static const struct rate rate[] = {
		{ "df_counts[0][\"dram_ch_4\"]", 154000, 110004000, 64 },
		{ "df_counts[1][\"dram_ch_4\"]", 154007, 110004007, 64 },
	};
	struct diag why;
	struct rig *r = node_by(ACCESS_PERF, "@rome-7742-2s", "file "
	    "/sys/bus/event_source/devices/amd_df/cpumask = "
	    "0,16,32,48,64,80,96,112\\n\n", "df dram_ch_4\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	check_rates(r, rate, 2);
	assert_int_equal(r->node.plan.nopened, 2);
	rig_close(r);
}

/* The kernel has no event for them on AMD: said by name, or left out. */
static void
names_that_the_kernel_has_no_event_for_are_said(void **state)
{
	static const char *const name[] = {
		"LLC-loads", "bus-cycles", "stalled-cycles-backend",
		"node-loads", "L1-dcache-stores", "ref-cycles"
	};
	char line[80], want[120];
	struct diag why;
	struct rig *r;

	(void)state;
	for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
		snprintf(line, sizeof(line), "event %s\n", name[i]);
		assert_null(node_by(ACCESS_PERF, "@milan-7763-2s", "", line,
		    &why));
		snprintf(want, sizeof(want), "test.conf:1: %s: not supported by "
		    "this CPU or PMU (%s)", name[i], strchr(name[i], '-')[1] ==
		    'c' || name[i][0] == 's' ? "hardware" : "cache");
		assert_string_equal(why.text, want);
		snprintf(line, sizeof(line), "optional event %s\nevent "
		    "stalled-cycles-frontend\n", name[i]);
		r = counted_by(ACCESS_PERF, "@milan-7763-2s", line);
		assert_int_equal(r->node.plan.absent.n, 1);
		assert_string_equal(r->node.plan.absent.line[0], want +
		    strlen("test.conf:1: "));
		rig_close(r);
	}
}

/* A generation without tables: what the kernel counts on it, by its names, by
 * its PMUs and their numbers. */
static void
a_generation_without_tables_is_counted_by_the_kernel(void **state)
{
	static const struct rate rate[] = {
		{ "core_counts[129][\"instructions\"]", 1000000 + 11 + 3,
		  6000000000 + 11 + 3, 64 },
		{ "core_counts[129][\"cpu-cycles\"]", 4100000 + 13 + 3,
		  4100000000 + 13 + 3, 64 },
		{ "amd_df_counts[1][\"R\"]", 99000 + 10, 260000000 + 10, 64 },
		{ "rapl_pkg_energy[0]", 65536ull * 9175040,
		  65536ull * 32768000, 64 },
		{ "rapl_core_energy[0]", 65536ull * 16384, 65536ull * 163840,
		  64 },
	};
	struct diag why;
	struct rig *r = plan_by(ACCESS_AUTO, rig_bare("@turin-2s", ""), false,
	    "event instructions,cpu-cycles\n"
	    "event amd_df/event=0x1f,umask=0xffe,name=R/\n"
	    "read rapl_pkg_energy rapl_core_energy\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	assert_string_equal(r->node.how, "perf: tallyd has no tables for this "
	    "CPU");
	check_rates(r, rate, sizeof(rate) / sizeof(rate[0]));
	rig_close(r);
	/* such as Zen 6, whatever it says of its counters */
	assert_null(model_find("AuthenticAMD", 0x1a, 0x50, 0));
}

/* amd_uncore is a module of its own on many kernels. */
static void
a_box_without_its_pmu_says_what_may_be_in_the_way(void **state)
{
	const struct text *t = text_named("@rome-7742-2s", TEXT_MACHINE);
	char *text = strndup(t->data, (size_t)(t->end - t->data));
	struct topo topo;
	struct inventory inv = { .n = 0 };
	struct access *acc;
	struct sim *sim;
	struct diag why;
	unsigned n = 0;

	(void)state;
	*strstr(text, "pmu amd_df") = '#';
	assert_int_equal(machine_parse(&sim, "t", text, strlen(text), &why), 0);
	acc = sim_access(sim);
	assert_int_equal(topo_load(&topo, acc, &why), 0);
	assert_int_equal(inventory_perf(&inv, &topo, acc, &why), 0);
	for (unsigned i = 0; i < inv.n; i++) {
		const struct unit *u = &inv.unit[i];

		assert_true(u->present == (strcmp(u->type->name, "L3") == 0));
		if (u->present)
			continue;
		n++;
		assert_string_equal(u->reason, "the kernel has no PMU amd_df "
		    "for it (load amd_uncore; or firmware hides it, or it is a "
		    "virtual machine)");
	}
	assert_int_equal(n, 2);
	inventory_free(&inv);
	topo_free(&topo);
	access_close(acc);
	free(text);
}

/* Whether each of these runs, and how many groups there are of them. */
static unsigned
groups_that_run(struct rig *r, const char *const *name, unsigned n)
{
	unsigned groups = 0;
	char column[80];

	for (unsigned i = 0; i < n; i++) {
		snprintf(column, sizeof(column), "%s", name[i]);
		assert_true(rig_value(r, column) != ABSENT);
	}
	for (unsigned i = 0; i < r->node.plan.ncolumn; i++) {
		const struct column *c = &r->node.plan.column[i];

		if (strstr(c->id.family->name, "_running") == NULL)
			continue;
		groups++;
		assert_true(r->row[c->cell] > 0 && r->row[c->cell] != ABSENT);
	}
	return groups;
}

/* The driver opens a group that never runs: it is not asked for one. */
static void
a_group_too_large_for_a_box_is_split_though_the_kernel_takes_it(void **state)
{
	static const char *const name[] = { "df_counts[0][\"dram_ch_0\"]",
		"df_counts[0][\"dram_ch_4\"]", "df_counts[1][\"dram_ch_2\"]" };
	struct rig *r = counted_by(ACCESS_PERF, "@rome-7742-2s",
	    "event dram_ch_0,dram_ch_1,dram_ch_2,dram_ch_3,dram_ch_4\n");

	(void)state;
	sim_advance(rig_sim(r), SECOND);
	rig_sample(r);
	/* two and three, of two packages */
	assert_int_equal(groups_that_run(r, name, 3), 4);
	assert_int_equal(r->node.plan.remarks.n, 1);
	assert_string_equal(r->node.plan.remarks.line[0],
	    "dram_ch_0 and 4 more: too "
	    "many for one group, so not all are counted at one time");
	rig_close(r);
}

/* A counter of each core is the watchdog's: six events are opened as a group, and
 * never run. */
static void
all_counters_of_a_core_are_not_one_group_beside_the_watchdog(void **state)
{
	static const char *const name[] = {
		"core_counts[0][\"instr_retired\"]",
		"core_counts[255][\"branches_taken\"]" };
	static const char six[] = "core instr_retired\ncore branches\n"
	    "core cycles_unhalted\ncore ops_retired\ncore returns\n"
	    "core branches_taken\n";
	char more[80] = "";
	struct diag why;

	(void)state;
	for (unsigned held = 0; held < 2; held++) {
		struct rig *r;

		if (held > 0)
			strcpy(more, "hold cpu 1\n");
		r = node_by(ACCESS_PERF, "@milan-7763-2s", more, six, &why);
		if (r == NULL)
			fail_msg("%s", why.text);
		sim_advance(rig_sim(r), SECOND);
		rig_sample(r);
		assert_int_equal(groups_that_run(r, name, 2),
		    256 * (1 + held));
		assert_int_equal(r->node.plan.remarks.n, held);
		rig_close(r);
	}
}

/* Without a table nobody knows the number of counters: six of an L3. */
static void
what_never_runs_is_found_out_where_no_table_says(void **state)
{
	static const char *const name[] = { "amd_l3_counts[0][\"A\"]",
		"amd_l3_counts[0][\"F\"]", "amd_l3_counts[8][\"G\"]" };
	struct diag why;
	struct rig *r = plan_by(ACCESS_PERF, rig_bare("@milan-7763-2s", ""),
	    false, "event amd_l3/config=0x300c0000000ff04,name=A/,"
	    "amd_l3/config=1,name=B/,amd_l3/config=2,name=C/,"
	    "amd_l3/config=3,name=D/,amd_l3/config=4,name=E/,"
	    "amd_l3/config=5,name=F/,amd_l3/config=6,name=G/\n"
	    "event amd_l3/config=7,name=H/,amd_l3/config=8,name=I/,"
	    "amd_l3/config=9,name=J/,amd_l3/config=10,name=K/,"
	    "amd_l3/config=11,name=L/,amd_l3/config=12,name=M/\n", &why);

	(void)state;
	if (r == NULL)
		fail_msg("%s", why.text);
	sim_advance(rig_sim(r), SECOND);
	rig_sample(r);
	/* three and four, and six, of sixteen L3s */
	assert_int_equal(groups_that_run(r, name, 3), 16 * 3);
	assert_int_equal(r->node.plan.remarks.n, 1);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_the_kernel_are_what_it_counts_on_amd),
		cmocka_unit_test(terms_of_a_pmu_are_a_control_value),
		cmocka_unit_test(cores_count_the_same_through_the_kernel),
		cmocka_unit_test(energy_through_the_kernel_is_in_its_own_unit),
		cmocka_unit_test(
	retired_instructions_of_the_msr_pmu_are_read_where_it_has_them),
		cmocka_unit_test(the_kernel_is_asked_for_half_a_pair),
		cmocka_unit_test(the_fabric_counts_the_same_through_the_kernel),
		cmocka_unit_test(
		    boxes_of_a_package_have_their_numbers_through_the_kernel),
		cmocka_unit_test(
		    a_number_over_packages_means_the_same_box_by_registers),
		cmocka_unit_test(
		    memory_controllers_are_numbered_over_those_in_use),
		cmocka_unit_test(an_l3_is_counted_on_by_the_next_of_its_cpus),
		cmocka_unit_test(
		    a_mask_with_a_cpu_for_each_node_counts_a_package_once),
		cmocka_unit_test(
		    a_box_without_its_pmu_says_what_may_be_in_the_way),
		cmocka_unit_test(
		    names_that_the_kernel_has_no_event_for_are_said),
		cmocka_unit_test(
		    a_generation_without_tables_is_counted_by_the_kernel),
		cmocka_unit_test(
	a_group_too_large_for_a_box_is_split_though_the_kernel_takes_it),
		cmocka_unit_test(
	all_counters_of_a_core_are_not_one_group_beside_the_watchdog),
		cmocka_unit_test(
		    what_never_runs_is_found_out_where_no_table_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
