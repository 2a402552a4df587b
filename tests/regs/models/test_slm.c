/*
 * tests/regs/models/test_slm.c - a simulated Atom C2758, from CPUID to counts: the core,
 * the clock, energy, and the SoC counters with all that can be in their way.
 * Rates are those of config/machines/c2758.machine.
 */
#include "tests/lib/rig.h"

#include "config/lang/events.h"
#include "config/lang/site.h"
#include "config/texts.h"
#include "daemon/node/program.h"
#include "daemon/node/soc.h"
#include "daemon/read/rotate.h"
#include "daemon/run/preamble.h"
#include "regs/host.h"
#include "regs/sim/sim.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY "soc UNC_SOC_Memory_DDR_BW\n"

/* The simulated C2758 with lines appended, up to its inventory. */
static struct rig *
c2758(const char *more)
{
	return rig_bare("@c2758", more);
}

/* Configuration and plan; the words of a refusal in why. */
static int
plan(struct rig *r, const char *config, bool preprogrammed, struct diag *why)
{
	int rc;

	assert_int_equal(config_init(&r->node.config, r->node.topo.model), 0);
	if ((rc = site_configure(&r->node.config, r->node.acc, NULL,
	    preprogrammed, why)) < 0 ||
	    (rc = config_parse(&r->node.config, "test.conf", config,
	    strlen(config), why)) < 0)
		return rc;
	soc_test(&r->node, false);
	if ((rc = node_plan(&r->node, why)) < 0)
		return rc;
	r->row = calloc(r->node.plan.ncell, sizeof(r->row[0]));
	assert_non_null(r->row);
	return sweep_init(&r->sweep, &r->node.plan, r->node.acc,
	    READ_REMOTE, -1, why);
}

static struct rig *
planned(const char *more, const char *config)
{
	struct rig *r = c2758(more);
	struct diag why;

	if (plan(r, config, false, &why) < 0)
		fail_msg("%s", why.text);
	return r;
}

static void
sleep_s(struct rig *r, unsigned s)
{
	sim_advance((struct sim *)r->node.acc, s * 1000000000ull);
}

/* The head of its dump. */
static char *
head_of(struct rig *r, bool measure_tsc)
{
	struct preamble_info info = { .interval = 1, .access = "sim",
	    .schedule = "", .version = "", .sweep = &r->sweep,
	    .config = &r->node.config, .measure_tsc = measure_tsc };
	char *text = preamble_make(&r->node.plan, &r->node.topo, &r->node.inv,
	    r->node.acc, &info);

	assert_non_null(text);
	return text;
}

/* ---- the model ---- */

static void
the_model_is_known_by_cpuid(void **state)
{
	struct rig *r = c2758("");

	(void)state;
	assert_string_equal(r->node.topo.model->name, "slm");
	assert_int_equal(r->node.topo.cpu.gp_counters, 2);
	assert_int_equal(r->node.topo.cpu.gp_bits, 40);
	assert_int_equal(r->node.topo.cpu.fixed_counters, 3);
	assert_int_equal(r->node.topo.cpu.fixed_bits, 40);
	assert_int_equal(r->node.topo.npkg, 1);
	assert_null(model_find("GenuineIntel", 6, 0x37, 8));    /* Bay Trail */
	assert_ptr_equal(model_find("GenuineIntel", 6, 0x4d, 0), r->node.topo.model);
	rig_close(r);
}

static void
two_cores_make_a_module(void **state)
{
	struct rig *r = c2758("");

	(void)state;
	for (unsigned l = 0; l < 8; l++)
		assert_int_equal(r->node.topo.lproc[l].module, l / 2 * 2);
	rig_close(r);
}

static void
the_tsc_is_ratio_times_the_bus_clock_of_the_table(void **state)
{
	static const struct {
		unsigned line;
		const char *more;
		int rc;
		uint64_t hz;
	} cases[] = {
		{ __LINE__, "msr 0xcd pkg = 0\n", 0, 2000000000 },
		{ __LINE__, "msr 0xcd pkg = 1\n", 0, 2400000000 },
		{ __LINE__, "msr 0xcd pkg = 2\n", 0, 3200000000 },
		{ __LINE__, "msr 0xcd pkg = 3\n", 0, 2800000000 },
		{ __LINE__, "msr 0xcd pkg = 4\n", 0, 1920000000 },
		{ __LINE__, "msr 0xcd pkg = 5\n", -ENODATA, 0 },
		{ __LINE__, "msr 0xcd none\n", -EIO, 0 },
		{ __LINE__, "msr 0xce pkg = 0\n", -ENODATA, 0 },
		{ __LINE__, "msr 0xcd pkg = 1\nmsr 0xce pkg = 0x100\n", 0,
		    100000000 },
		/* the 2.41 GHz part of the reference: 29 * 83.33 MHz */
		{ __LINE__, "msr 0xcd pkg = 0\nmsr 0xce pkg = 0x1d00\n", 0,
		    2416666667 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rig *r = c2758(cases[i].more);
		uint64_t hz = 0;
		int rc = bus_clock_tsc(r->node.topo.model, r->node.acc, 0, &hz);

		if (rc != cases[i].rc || (rc == 0 && hz != cases[i].hz))
			fail_msg("line %u: %d, %llu", cases[i].line, rc,
			    (unsigned long long)hz);
		rig_close(r);
	}
}

/* A register that lies gives way to the monotonic clock. */
static void
the_measured_tsc_is_preferred_on_a_mismatch(void **state)
{
	struct rig *r = planned("msr 0xcd pkg = 0\n", "read aperf\n");
	char *text = head_of(r, true);

	(void)state;
	assert_non_null(strstr(text, "tsc_hz_measured = 2400000000\n"));
	assert_non_null(strstr(text, "tsc_hz_nominal = 2400000000\n"));
	assert_non_null(strstr(text, "lproc_module[5] = 4\n"));
	assert_true(bus_clock_agree(2400000000, 2400250000));
	assert_false(bus_clock_agree(2400000000, 2416810000 + 10000000));
	free(text);
	rig_close(r);
}

/* 2^-16 J a count, by the normal rule: 15 W is 983040 a second. */
static void
energy_is_in_units_of_one_over_2_to_the_esu(void **state)
{
	struct rig *r = planned("", "read rapl_pkg_energy rapl_pp0_energy\n");
	char *text = head_of(r, false);
	uint64_t pkg, pp0;

	(void)state;
	assert_non_null(strstr(text,
	    "RAPL_PKG_ENERGY_UNIT = 0.0000152587890625\n"));
	assert_non_null(strstr(text, "PACKAGE_TDP = 20.000000\n"));
	assert_int_equal(r->node.topo.model->energy_unit_min, 6);
	rig_sample(r);
	pkg = rig_value(r, "rapl_pkg_energy[0]");
	pp0 = rig_value(r, "rapl_pp0_energy[0]");
	sleep_s(r, 2);
	rig_sample(r);
	assert_int_equal(rig_value(r, "rapl_pkg_energy[0]") - pkg, 1966080);
	assert_int_equal(rig_value(r, "rapl_pp0_energy[0]") - pp0, 1179648);
	free(text);
	rig_close(r);
}

static void
a_filter_of_a_module_has_one_value(void **state)
{
	static const struct {
		unsigned line;
		const char *config;
		int rc;
	} cases[] = {
		{ __LINE__, "core[0] A event=0xb7,umask=1,offcore_rsp_0=0x10001\n"
		    "core[1] B event=0xb7,umask=1,offcore_rsp_0=0x10008\n",
		    -EINVAL },
		{ __LINE__, "core[0] A event=0xb7,umask=1,offcore_rsp_0=0x10001\n"
		    "core[1] B event=0xb7,umask=1,offcore_rsp_0=0x10001\n", 0 },
		{ __LINE__, "core[0] A event=0xb7,umask=1,offcore_rsp_0=0x10001\n"
		    "core[2] B event=0xb7,umask=1,offcore_rsp_0=0x10008\n", 0 },
		{ __LINE__, "core[0] A event=0xb7,umask=1,offcore_rsp_0=0x10001\n"
		    "core[1] B event=0xb7,umask=2,offcore_rsp_1=0x10008\n", 0 },
		{ __LINE__, "set a\n"
		    "core[0] A event=0xb7,umask=1,offcore_rsp_0=0x10001\n"
		    "set b\n"
		    "core[1] B event=0xb7,umask=1,offcore_rsp_0=0x10001\n", 0 },
		/* each register is for its own umask */
		{ __LINE__, "core A event=0xb7,umask=1,offcore_rsp_1=0x10001\n",
		    -EINVAL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rig *r = c2758("");
		struct diag why = { "" };

		if (plan(r, cases[i].config, false, &why) != cases[i].rc)
			fail_msg("line %u: %s", cases[i].line, why.text);
		rig_close(r);
	}
}

/* ---- the SoC counters ---- */

static void
a_group_counts_what_the_machine_does(void **state)
{
	struct rig *r = planned("", MEMORY);

	(void)state;
	rig_program(r);
	rig_sample(r);
	assert_int_equal(rig_value(r, "soc_counts[\"DDR_Chan0_Read64B\"]"), 0);
	sleep_s(r, 1);
	rig_sample(r);
	assert_int_equal(rig_value(r, "soc_counts[\"DDR_Chan0_Read32B\"]"),
	    2400000);
	assert_int_equal(rig_value(r, "soc_counts[\"DDR_Chan0_Read64B\"]"),
	    46000000);
	assert_int_equal(rig_value(r, "soc_counts[\"DDR_Chan1_Write64B\"]"),
	    19400000);
	assert_int_equal(bus_pci(r->node.acc, 0xd8), 0);  /* MCRX */
	rig_close(r);
}

/* 46,000,000 a second wrap after 93.4 s; 1 s apart, no wrap is lost.  In the
 * same run a 40-bit and a RAPL counter wrap. */
static void
wraps_of_32_and_40_bits_and_of_energy_are_all_corrected(void **state)
{
	static const struct {
		const char *column;
		unsigned bits;
		uint64_t expected;
		unsigned wraps;
	} cases[] = {
		{ "soc_counts[\"DDR_Chan0_Read64B\"]", 32, 14720000000, 3 },
		{ "soc_counts[\"DDR_Chan1_Write64B\"]", 32, 6208000000, 1 },
		{ "core_fixed_counts[0][\"Inst_Retired.Any\"]", 40,
		    499200000000, 1 },
		{ "core_fixed_counts[7][\"CPU_CLK_Unhalted.Core\"]", 40,
		    624000000000 + 320 * 721, 1 },
		{ "rapl_pkg_energy[0]", 32, 314572800, 1 },
		{ "rapl_pp0_energy[0]", 32, 188743680, 1 },
	};
	enum { N = sizeof(cases) / sizeof(cases[0]) };
	struct rig *r = planned("", "core fixed\n"
	    "read rapl_pkg_energy rapl_pp0_energy\n" MEMORY);
	uint64_t last[N], total[N] = { 0 };
	unsigned wraps[N] = { 0 };

	(void)state;
	rig_program(r);
	for (unsigned s = 0; s <= 320; s++) {
		rig_sample(r);
		for (unsigned i = 0; i < N; i++) {
			uint64_t now = rig_value(r, cases[i].column);
			uint64_t mask = (1ull << cases[i].bits) - 1;

			assert_true(now <= mask);
			if (s > 0) {
				total[i] += (now - last[i]) & mask;
				wraps[i] += now < last[i];
			}
			last[i] = now;
		}
		sleep_s(r, 1);
	}
	for (unsigned i = 0; i < N; i++)
		if (total[i] != cases[i].expected ||
		    wraps[i] != cases[i].wraps)
			fail_msg("%s: %llu, %u wraps", cases[i].column,
			    (unsigned long long)total[i], wraps[i]);
	for (unsigned i = 0; i < r->node.plan.ncolumn; i++)
		if (strcmp(r->node.plan.column[i].id.family->name,
		    "soc_counts") == 0)
			assert_int_equal(r->node.plan.column[i].bits, 32);
	rig_close(r);
}

static void
counters_are_at_rest_at_the_end_and_what_they_counted_is_gone(void **state)
{
	struct rig *r = planned("", MEMORY);
	struct diag why;

	(void)state;
	rig_program(r);
	assert_int_equal(bus_get(r->node.acc, 0x17, 0x30) & 0x20000000,
	    0x20000000);
	sleep_s(r, 1);
	rig_sample(r);
	assert_int_equal(program_restore(&r->node.plan, r->node.acc, &why), 0);
	for (unsigned n = 0; n < 8; n++) {
		assert_int_equal(bus_get(r->node.acc, 0x17, 0x30 + 0x10 * n) &
		    0x20000000, 0);
		assert_int_equal(bus_get(r->node.acc, 0x17, 0x34 + 0x10 * n), 0);
	}
	/* the muxes cannot be known to read back: left as they are */
	assert_int_equal(bus_get(r->node.acc, 0x18, 0x3e80), 0x51a00001);
	assert_int_equal(bus_pci(r->node.acc, 0xd8), 0);
	rig_close(r);
}

static void
muxes_are_restored_where_the_site_says_they_read_back(void **state)
{
	struct rig *r = c2758("file /etc/tallyd/rangeley.site = simulation\\n"
	    "soc_readback 1\\ngroup UNC_SOC_Memory_DDR_BW\\n"
	    "w 0x18 0x3e80 0x51a00001\\nw 0x17 0x08 0x5132\\nend\n");
	struct diag why;

	(void)state;
	bus_put(r->node.acc, 0x18, 0x3e80, 0x1234);
	bus_put(r->node.acc, 0x17, 0x08, 0x77);
	if (plan(r, MEMORY, false, &why) < 0)
		fail_msg("%s", why.text);
	rig_program(r);
	assert_int_equal(bus_get(r->node.acc, 0x18, 0x3e80), 0x51a00001);
	assert_int_equal(program_restore(&r->node.plan, r->node.acc, &why), 0);
	assert_int_equal(bus_get(r->node.acc, 0x18, 0x3e80), 0x1234);
	assert_int_equal(bus_get(r->node.acc, 0x17, 0x08), 0x77);
	rig_close(r);
}

static void
groups_take_turns_and_each_counts_its_own_time(void **state)
{
	struct rig *r = planned("", "set a\n" MEMORY
	    "set b\nsoc UNC_SOC_Memory_DDR0_BW\nset c\nread aperf\n");

	(void)state;
	rig_program(r);
	rig_sample(r);
	for (unsigned i = 0; i < 6; i++) {
		sleep_s(r, 1);
		/* a 2 turns, b 2, c 2 */
		r->sweep.next = r->node.plan.sets.active % 3 + 1;
		rig_sample(r);
	}
	assert_int_equal(rig_value(r, "soc_counts[\"DDR_Chan0_Read64B\"]"),
	    92000000);
	assert_int_equal(rig_value(r, "soc_counts[\"DDR_Chan1_Read64B\"]"),
	    91000000);
	assert_int_equal(rig_value(r, "soc_counts[\"DDR_Chan0_Read64B@b\"]"),
	    92000000);
	assert_int_equal(rig_value(r, "soc_counts[\"Clock_Counter\"]"),
	    800000000);
	rig_close(r);
}

/* "signal 0x5132 load=2400000     # DDR_Chan0_Read32B" of the machine's text. */
static uint64_t
rate_of(const char *event)
{
	const struct text *t = text_named("@c2758", TEXT_MACHINE);
	char name[80];
	const char *at;

	snprintf(name, sizeof(name), "# %s\n", event);
	at = memmem(t->data, (size_t)(t->end - t->data), name, strlen(name));
	assert_non_null(at);
	while (strncmp(at, "load=", 5) != 0)
		at--;
	return strtoull(at + 5, NULL, 10);
}

static void
every_event_of_the_16_groups_is_counted_at_its_rate(void **state)
{
	const struct text *t = text_named("@all", TEXT_CONFIG);
	char *config = strndup(t->data, (size_t)(t->end - t->data));
	struct rig *r = planned("", config);
	unsigned n = 0;

	(void)state;
	rig_program(r);
	rig_sample(r);
	for (unsigned i = 0; i < 32; i++) {     /* each has two turns of 1 s */
		sleep_s(r, 1);
		r->sweep.next = rotate_next(&r->node.plan);
		rig_sample(r);
	}
	for (unsigned i = 0; i < r->node.plan.ncolumn; i++) {
		const struct column *c = &r->node.plan.column[i];
		char event[64];

		if (strcmp(c->id.family->name, "soc_counts") != 0)
			continue;
		snprintf(event, sizeof(event), "%.*s",
		    (int)strcspn(c->id.event, "@"), c->id.event);
		n++;
		if (r->row[c->cell] != 2 * rate_of(event))
			fail_msg("%s: %llu", c->id.event,
			    (unsigned long long)r->row[c->cell]);
	}
	assert_int_equal(n, 104);       /* 8+5+5+3+7+4*7+8+8+5+5+8+7+7 */
	free(config);
	rig_close(r);
}

static void
refusals_say_what_is_missing(void **state)
{
	static const struct {
		unsigned line;
		const char *more, *config, *words;
	} cases[] = {
		/* no site file, no group in it */
		{ __LINE__, "file /etc/tallyd/rangeley.site none\n", MEMORY,
		    "test.conf:1: UNC_SOC_Memory_DDR_BW: no mux programming is "
		    "supplied" },
		{ __LINE__, "file /etc/tallyd/rangeley.site none\n", MEMORY,
		    "not public, so it is not shipped" },
		{ __LINE__, "file /etc/tallyd/rangeley.site none\n", MEMORY,
		    "/etc/tallyd/rangeley.site or with --site FILE" },
		{ __LINE__, "file /etc/tallyd/rangeley.site none\n", MEMORY,
		    "--soc-preprogrammed" },
		{ __LINE__, "file /etc/tallyd/rangeley.site = simulation\n",
		    MEMORY, "no mux programming" },
		{ __LINE__, "file /etc/tallyd/rangeley.site = group "
		    "UNC_SOC_Memory_DDR_BW\\nw 0x18 0x9000 0\\nend\n", MEMORY,
		    "rangeley.site:2: offset 0x9000" },
		{ __LINE__, "file /etc/tallyd/rangeley.site = group "
		    "UNC_SOC_Memory_DDR_BW\\nw 0x18 0x9900 0 2\\nend\n", MEMORY,
		    "rangeley.site:2: opcode 0x02 reads" },
		/* what is not this SoC, or does not prove itself */
		{ __LINE__, "pci 00:00.0 0 = 0x0f008086\n", MEMORY,
		    "host bridge 0:0.0 is 8086:0f00" },
		{ __LINE__, "message 3 0x10 0x27 = 0xc0000001\n", MEMORY,
		    "does not prove itself" },
		{ __LINE__, "pci 00:00.0 0xd4 = 0xffffffff\n", MEMORY,
		    "reads all ones" },
		{ __LINE__, "mailbox 00:00.0 counters=0x19 lane=8 "
		    "gate=0x1a,0x3e80,1\n", MEMORY, "no counters at port 0x17" },
		{ __LINE__, "message 0x17 0 0x30 = 0\n", MEMORY,
		    "no counters at port 0x17" },
		{ __LINE__, "message 0x17 0 0x30 = 0x20000000\n", MEMORY,
		    "they are running" },
		{ __LINE__, "", MEMORY "soc UNC_SOC_All_Reqs\n", "at once" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rig *r = c2758(cases[i].more);
		struct diag why = { "" };

		if (plan(r, cases[i].config, false, &why) >= 0 ||
		    strstr(why.text, cases[i].words) == NULL)
			fail_msg("line %u: %s", cases[i].line, why.text);
		rig_close(r);
	}
}

/* Whatever is the matter with the SoC counters, the cores are sampled. */
static void
the_core_is_sampled_without_the_soc(void **state)
{
	static const char *const more[] = {
		"file /etc/tallyd/rangeley.site none\n",
		"pci 00:00.0 0 = 0x0f008086\n",
		"message 3 0x10 0x27 = 0\n",
		"pci 00:00.0 0xd4 = 0xffffffff\n",
		"message 0x17 0 0x30 = 0\n",
		"mailbox none\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
		struct rig *r = planned(more[i], "core fixed\n"
		    "optional " MEMORY);

		assert_false(rig_has(r, "soc_counts[\"DDR_Chan0_Read64B\"]"));
		assert_true(rig_has(r,
		    "core_fixed_counts[7][\"Inst_Retired.Any\"]"));
		assert_int_equal(r->node.plan.absent.n, 1);
		rig_program(r);
		rig_sample(r);
		rig_close(r);
	}
}

static void
an_interval_too_long_for_32_bits_is_refused(void **state)
{
	struct rig *r = planned("", MEMORY);
	struct rig *core = planned("", "core fixed\n");
	struct rig *site = planned("file /etc/tallyd/rangeley.site = simulation"
	    "\\nsoc_max_interval 5\\ngroup UNC_SOC_Memory_DDR_BW\\n"
	    "w 0x18 0x3e80 1\\nend\n", MEMORY);
	struct diag why;

	(void)state;
	assert_int_equal(soc_interval(&r->node.plan, 1, &why), 0);
	assert_int_equal(soc_interval(&r->node.plan, 2, &why), 0);
	assert_int_equal(soc_interval(&r->node.plan, 2.5, &why), -ERANGE);
	assert_non_null(strstr(why.text, "2.5 s is too long"));
	assert_int_equal(soc_interval(&core->node.plan, 60, &why), 0);
	assert_int_equal(soc_interval(&site->node.plan, 5, &why), 0);
	assert_int_equal(soc_interval(&site->node.plan, 5.5, &why), -ERANGE);
	rig_close(r);
	rig_close(core);
	rig_close(site);
}

/* Another tool set the muxes and runs the counters: only Sample is written. */
static void
what_another_tool_set_up_is_sampled_and_left_alone(void **state)
{
	struct rig *r = c2758("");
	struct diag why;

	(void)state;
	bus_put(r->node.acc, 0x18, 0x3e80, 0x51a00001);
	bus_put(r->node.acc, 0x17, 0x08, 0x5132);
	bus_put(r->node.acc, 0x17, 0x28, 0x00110000);
	sleep_s(r, 1);
	if (plan(r, MEMORY, true, &why) < 0)
		fail_msg("%s", why.text);
	rig_program(r);
	sleep_s(r, 1);
	rig_sample(r);
	/* DDR_Chan0_Read32B for two seconds; the other counters stand */
	assert_int_equal(rig_value(r, "soc_counts[\"DDR_Chan0_Read32B\"]"),
	    4800000);
	assert_int_equal(rig_value(r, "soc_counts[\"DDR_Chan0_Read64B\"]"), 0);
	assert_int_equal(program_restore(&r->node.plan, r->node.acc, &why), 0);
	assert_int_equal(bus_get(r->node.acc, 0x17, 0x30) & 0x20000000,
	    0x20000000);
	rig_close(r);

	r = c2758("");
	assert_int_equal(plan(r, "set a\n" MEMORY "set b\n"
	    "soc UNC_SOC_All_Reqs\n", true, &why), -EINVAL);
	assert_non_null(strstr(why.text, "no set can have its turn"));
	rig_close(r);
}

static void
without_a_pmu_the_default_samples_what_is_left(void **state)
{
	struct rig *r = c2758("");
	struct diag why;

	(void)state;
	r->node.topo.cpu.gp_counters = 0;
	if (node_configure(&r->node, &r->o, r->node.topo.model, &why) < 0 ||
	    node_plan(&r->node, &why) < 0)
		fail_msg("%s", why.text);
	assert_true(rig_has(r, "core_temperature[0]"));
	assert_false(rig_has(r, "core_fixed_counts[0][\"Inst_Retired.Any\"]"));
	rig_close(r);
}

static void
the_header_says_what_was_programmed_and_on_whose_word(void **state)
{
	struct rig *r = planned("", "constant dram_base_hz 800000000\n"
	    "soc UNC_SOC_DDR_Self_Refresh\n");
	char *text = head_of(r, false);
	static const char *const lines[] = {
		"dram_base_hz = 800000000\n",
		"soc_mux_source = \"simulation\"\n",
		"soc_site_file = \"/etc/tallyd/rangeley.site\"\n",
		"soc_counter_port = 23\n",
		"soc_mux_control[\"UNC_SOC_DDR_Self_Refresh\"][0] = "
		    "\"w 0x18 0x3e80 0x51a00001 0x01\"\n",
		"family_bits[\"soc_counts\"] = 32\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		if (strstr(text, lines[i]) == NULL)
			fail_msg("the header lacks %s", lines[i]);
	free(text);
	rig_close(r);
}

/* As a real one (readings of a C2750). */
static void
its_power_unit_is_a_real_ones_and_what_it_has_not_faults(void **state)
{
	static const uint64_t has_not[] = { 0x613, 0x614, 0x619, 0x1b1 };
	struct rig *r = c2758("");
	struct reg_addr at = { REG_MSR, 8, 0, 0x606 };
	uint64_t raw;

	(void)state;
	assert_int_equal(access_read(r->node.acc, &at, &raw), 0);
	assert_int_equal(raw, 0xa1003);
	for (size_t i = 0; i < sizeof(has_not) / sizeof(has_not[0]); i++) {
		at.offset = has_not[i];
		assert_int_equal(access_read(r->node.acc, &at, &raw), -EIO);
	}
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_model_is_known_by_cpuid),
		cmocka_unit_test(two_cores_make_a_module),
		cmocka_unit_test(the_tsc_is_ratio_times_the_bus_clock_of_the_table),
		cmocka_unit_test(the_measured_tsc_is_preferred_on_a_mismatch),
		cmocka_unit_test(
		    its_power_unit_is_a_real_ones_and_what_it_has_not_faults),
		cmocka_unit_test(energy_is_in_units_of_one_over_2_to_the_esu),
		cmocka_unit_test(a_filter_of_a_module_has_one_value),
		cmocka_unit_test(a_group_counts_what_the_machine_does),
		cmocka_unit_test(wraps_of_32_and_40_bits_and_of_energy_are_all_corrected),
		cmocka_unit_test(counters_are_at_rest_at_the_end_and_what_they_counted_is_gone),
		cmocka_unit_test(muxes_are_restored_where_the_site_says_they_read_back),
		cmocka_unit_test(groups_take_turns_and_each_counts_its_own_time),
		cmocka_unit_test(every_event_of_the_16_groups_is_counted_at_its_rate),
		cmocka_unit_test(refusals_say_what_is_missing),
		cmocka_unit_test(the_core_is_sampled_without_the_soc),
		cmocka_unit_test(an_interval_too_long_for_32_bits_is_refused),
		cmocka_unit_test(what_another_tool_set_up_is_sampled_and_left_alone),
		cmocka_unit_test(without_a_pmu_the_default_samples_what_is_left),
		cmocka_unit_test(the_header_says_what_was_programmed_and_on_whose_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
