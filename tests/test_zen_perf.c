/*
 * tests/test_zen_perf.c - AMD Zen 2 to Zen 5 through the kernel: what it is asked
 * for, where its counts go, what it silently leaves out.  Expected numbers are
 * those of the register reference (amd-zen.md: 4 to 7, 9 to 11).
 */
#include "tests/test.h"

#include "config/lang/events.h"
#include "daemon/choose.h"
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

/* A simulated node, counted that way; NULL: refused, with words in why. */
static struct rig *
node_by(enum access_mode by, const char *machine, const char *more,
    const char *config, struct diag *why)
{
	struct rig *r = rig_bare(machine, more);

	r->o.access = by;
	assert_int_equal(config_init(&r->node.config, r->node.topo.model), 0);
	if (config_parse(&r->node.config, "test.conf", config, strlen(config),
	    why) < 0 || choose_access(&r->node, &r->o, why) < 0 ||
	    node_plan(&r->node, why) < 0) {
		rig_close(r);
		return NULL;
	}
	r->row = calloc(r->node.plan.ncell, sizeof(r->row[0]));
	assert_int_equal(sweep_init(&r->sweep, &r->node.plan, r->node.acc,
	    READ_REMOTE, -1, why), 0);
	rig_program(r);
	rig_sample(r);
	return r;
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
		{ "core_counts[97][\"l2_miss_ic_dc\"]", 9000 + 23 + 3,
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
	assert_int_equal(r->node.plan.nnote, 1);
	assert_string_equal(r->node.plan.note[0], "rapl_core_energy: the kernel "
	    "has no PMU event power_core/energy-core/");
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
