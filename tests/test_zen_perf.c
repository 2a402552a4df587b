/*
 * tests/test_zen_perf.c - AMD Zen 2 to Zen 5 through the kernel: what it is asked
 * for, where its counts go, what it silently leaves out.  Expected numbers are
 * those of the register reference (amd-zen.md: 4 to 7, 9 to 11).
 */
#include "tests/test.h"

#include "config/lang/events.h"

#include <stdio.h>
#include <string.h>

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_of_the_kernel_are_what_it_counts_on_amd),
		cmocka_unit_test(terms_of_a_pmu_are_a_control_value),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
