/*
 * tests/regs/models/test_zen_df.c - the data fabric of AMD's Zen: its events as control values,
 * its counters where CPUID announces some, and what a simulated one counts.
 * Expected numbers are those of the register reference (amd-zen.md 1.3, 5, 9.6), of
 * tests/data/zen-df-events.tsv, which was written from it alone, and the rates of
 * the simulated nodes.
 */
#include "tests/lib/encoded.h"
#include "tests/lib/rig.h"

#include "regs/sim/sim.h"

#include <stdio.h>
#include <string.h>

#define SECOND 1000000000ull

static void
every_event_of_the_reference_has_its_control_value(void **state)
{
	static const struct { const char *model; unsigned n; } has[] = {
		{ "zen1", 12 }, { "zen2", 12 }, { "zen3", 12 }, { "zen4", 136 }, { "zen5", 212 },
	};
	unsigned n;

	(void)state;
	assert_int_equal(encoded_table("tests/data/zen-df-events.tsv",
	    "df"), 12 + 12 + 12 + 136 + 212);
	for (size_t i = 0; i < sizeof(has) / sizeof(has[0]); i++) {
		const struct event_name *e =
		    model_box(model_named(has[i].model), "df")->event;

		for (n = 0; e[n].name != NULL; n++)
			;
		assert_int_equal(n, has[i].n);
	}
}

/* Reference 5. */
static void
examples_of_the_reference_are_put_together_and_taken_apart(void **state)
{
	static const struct {
		int line;
		const char *model, *text;
		uint64_t ctl, event, umask;
	} t[] = {
		{ __LINE__, "zen3", "df A event=0x107,umask=0x38",
		  0x100403807, 0x107, 0x38 },
		{ __LINE__, "zen3", "df A event=0x7c7,umask=0x02",
		  0x7004002c7, 0x7c7, 0x02 },
		{ __LINE__, "zen4", "df A event=0x1f,umask=0x7fe",
		  0x0740fe1f, 0x1f, 0x7fe },
		{ __LINE__, "zen4", "df A event=0x11f,umask=0x7ff",
		  0x10740ff1f, 0x11f, 0x7ff },
		{ __LINE__, "zen4", "df A event=0x1f,umask=0xbfe",
		  0x0b40fe1f, 0x1f, 0xbfe },
		{ __LINE__, "zen4", "df A event=0xd1f,umask=0xf3e",
		  0xd0f403e1f, 0xd1f, 0xf3e },
		{ __LINE__, "zen5", "df A event=0x1f,umask=0xffe",
		  0x0f40fe1f, 0x1f, 0xffe },
		{ __LINE__, "zen5", "df A event=0xd5f,umask=0xf3f",
		  0xd0f403f5f, 0xd5f, 0xf3f },
		/* all bits of the event, the two at 60:59 among them */
		{ __LINE__, "zen2", "df A event=0x3fff", 0x1800000f004000ff,
		  0x3fff, 0 },
		{ __LINE__, "zen2", "df A event=0x1000", 0x0800000000400000,
		  0x1000, 0 },
		{ __LINE__, "zen5", "df A event=0x3fff,umask=0xfff",
		  0x3f0f40ffff, 0x3fff, 0xfff },
		{ __LINE__, "zen4", "df A 0xd0f403e1f", 0xd0f403e1f, 0xd1f,
		  0xf3e },
	};
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		const struct field *f =
		    model_box(model_named(t[i].model), "df")->field;
		uint64_t ctl = encoded_control(t[i].model, t[i].text, &why);

		if (ctl != t[i].ctl || field_get(field_named(f, "event"),
		    ctl) != t[i].event || field_get(field_named(f, "umask"),
		    ctl) != t[i].umask)
			fail_msg("line %d: 0x%llx %s", t[i].line,
			    (unsigned long long)ctl, why.text);
	}
}

static void
what_a_control_has_no_bits_for_is_refused(void **state)
{
	static const struct { const char *model, *text, *why; } t[] = {
		{ "zen3", "df A event=0x1f,umask=0x7fe", "umask 0x7fe is too "
		  "large for DF, where it has bits 15:8: 0xff at most" },
		{ "zen3", "df A event=0x4000", "has bits 7:0 35:32 60:59: "
		  "0x3fff at most" },
		{ "zen4", "df A event=0x4000", "has bits 7:0 37:32" },
		{ "zen4", "df A event=1,umask=0x1000", "has bits 15:8 27:24" },
		{ "zen4", "df A 0x4000400007", "sets bit 38" },
		{ "zen2", "df A 0x1000400007", "sets bit 36" },
		{ "zen2", "df A 0x410007", "sets bit 16" },
		{ "zen2", "df A event=1,os=1", "its fields are event umask" },
		{ "zen2", "df dram_rd_0", "DF has no event \"dram_rd_0\"" },
		{ "zen4", "df xgmi_in_0", "did you mean xgmi_out_0?" },
		{ "zen5", "df dram_rd_local_3", "DF has no event" },
	};
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		uint64_t ctl = encoded_control(t[i].model, t[i].text, &why);

		if (ctl != 0 || strstr(why.text, t[i].why) == NULL)
			fail_msg("%s: 0x%llx %s", t[i].text,
			    (unsigned long long)ctl, why.text);
	}
}

#define CHANNELS "df dram_ch_0\ndf dram_ch_3\ndf dram_ch_7\ndf xgmi_out_2\n"

/* 2^27 below their end at first: 110 and 25 million a second wrap them. */
static void
every_counter_counts_its_rate_to_the_count_and_over_its_end(void **state)
{
	static const struct { const char *column; uint64_t idle, work; } rate[] = {
		{ "df_counts[0][\"dram_ch_0\"]", 150000, 110000000 },
		{ "df_counts[1][\"dram_ch_0\"]", 150007, 110000007 },
		{ "df_counts[0][\"dram_ch_3\"]", 153000, 110003000 },
		{ "df_counts[1][\"dram_ch_7\"]", 157007, 110007007 },
		{ "df_counts[0][\"xgmi_out_2\"]", 7000, 25002000 },
		{ "df_counts[1][\"xgmi_out_2\"]", 7003, 25002003 },
	};
	enum { N = sizeof(rate) / sizeof(rate[0]) };
	struct rig *r = rig_with("@rome-7742-2s", "", CHANNELS);
	uint64_t before[N];
	unsigned wrapped = 0;

	(void)state;
	rig_program(r);
	rig_sample(r);
	for (unsigned s = 0; s < 30; s++) {
		for (size_t i = 0; i < N; i++)
			before[i] = rig_value(r, rate[i].column);
		sim_advance(rig_sim(r), SECOND);
		rig_sample(r);
		for (size_t i = 0; i < N; i++) {
			uint64_t now = rig_value(r, rate[i].column);
			uint64_t delta = (now - before[i]) & 0xffffffffffff;

			wrapped += now < before[i];
			if (delta != (s < 10 ? rate[i].idle : rate[i].work))
				fail_msg("%s in second %u: %llu",
				    rate[i].column, s,
				    (unsigned long long)delta);
		}
	}
	assert_int_equal(wrapped, N);
	rig_restore(r);
	rig_close(r);
}

/* One lproc a package, and the controls as they were found. */
static void
a_package_is_programmed_through_its_first_lproc_and_restored(void **state)
{
	struct rig *r = rig_with("@rome-7742-2s", "", CHANNELS);
	struct reg_addr ctl = { REG_MSR, 8, 64, 0xc0010242 };
	uint64_t raw;

	(void)state;
	assert_int_equal(access_write(r->node.acc, &ctl, 0x1234), 0);
	rig_program(r);
	assert_int_equal(access_read(r->node.acc, &ctl, &raw), 0);
	assert_true(raw == 0x4038c7);
	ctl.unit = 0;
	assert_int_equal(access_read(r->node.acc, &ctl, &raw), 0);
	assert_true(raw == 0x4038c7);
	rig_restore(r);
	ctl.unit = 64;
	assert_int_equal(access_read(r->node.acc, &ctl, &raw), 0);
	assert_true(raw == 0x1234);
	rig_close(r);
}

/* Zen 4's by CPUID on registers that are laid alike. */
#define GENOA(counts) \
	"name AMD EPYC 9654 96-Core Processor\n" \
	"cpu vendor=AuthenticAMD family=25 model=0x11 stepping=1\n" \
	"cpuid 0x80000000 0x80000028 0x68747541 0x444d4163 0x69746e65\n" \
	"cpuid 0x80000022 0x00000007 " counts " 0x00000fff 0x00000000\n" \
	"msr 0xc0000301 lproc = 0x20 write=0xfff\n" \
	"box df none\n" \
	"box df counters=16 bits=48 ctl=0xc0010240+2 ctr=0xc0010241+2\n" \
	"box df valid=0x3f0f40ffff ignore=0 reset=0 init=0\n"

static unsigned
counters(const struct rig *r)
{
	return rig_unit(r, "df", 1, 0)->counters;
}

static void
a_package_has_as_many_counters_as_cpuid_says(void **state)
{
	struct rig *r = rig_bare("@rome-7742-2s", "");

	(void)state;
	assert_int_equal(counters(r), 4);
	rig_close(r);
	r = rig_bare("@rome-7742-2s", GENOA("0x00304106"));
	assert_string_equal(r->node.topo.model->name, "zen4");
	assert_int_equal(counters(r), 16);
	rig_close(r);
	/* of a mobile part */
	r = rig_bare("@rome-7742-2s", GENOA("0x00301106"));
	assert_int_equal(counters(r), 4);
	rig_close(r);
	/* more than a package can have */
	r = rig_bare("@rome-7742-2s", GENOA("0x0030fd06"));
	assert_int_equal(counters(r), 16);
	rig_close(r);
}

static void
sixteen_events_find_a_counter_each(void **state)
{
	static const struct { const char *name; uint64_t ctl; } event[] = {
		{ "dram_rd_local_0", 0x700fe1f },
		{ "dram_rd_local_1", 0x700fe5f },
		{ "dram_rd_local_2", 0x700fe9f },
		{ "dram_rd_local_3", 0x700fedf },
		{ "dram_rd_local_4", 0x10700fe1f },
		{ "dram_rd_local_5", 0x10700fe5f },
		{ "dram_rd_local_6", 0x10700fe9f },
		{ "dram_rd_local_7", 0x10700fedf },
		{ "dram_rd_local_8", 0x20700fe1f },
		{ "dram_rd_local_9", 0x20700fe5f },
		{ "dram_rd_local_10", 0x20700fe9f },
		{ "dram_rd_local_11", 0x20700fedf },
		{ "xgmi_out_0", 0xb0f003e5f },
		{ "xgmi_out_1", 0xb0f003e9f },
		{ "xgmi_out_2", 0xb0f003edf },
		{ "xgmi_out_3", 0xc0f003e1f },
	};
	enum { N = sizeof(event) / sizeof(event[0]) };
	char more[4096], config[1024], column[64];
	size_t m = (size_t)snprintf(more, sizeof(more), "%s",
	    GENOA("0x00304106")), n = 0;
	struct rig *r;

	(void)state;
	for (unsigned i = 0; i < N; i++) {
		m += (size_t)snprintf(more + m, sizeof(more) - m, "event df "
		    "0x%llx all=%u\n", (unsigned long long)event[i].ctl,
		    1000 + i);
		n += (size_t)snprintf(config + n, sizeof(config) - n,
		    "df %s\n", event[i].name);
	}
	r = rig_with("@rome-7742-2s", more, config);
	rig_program(r);
	rig_sample(r);
	sim_advance(rig_sim(r), SECOND);
	rig_sample(r);
	for (unsigned i = 0; i < N; i++) {
		snprintf(column, sizeof(column), "df_counts[1][\"%s\"]",
		    event[i].name);
		assert_int_equal(rig_value(r, column), 1000 + i);
	}
	rig_restore(r);
	rig_close(r);
}

static void
firmware_that_hides_the_fabric_leaves_the_rest(void **state)
{
	/* bit 24 of ECX; or it is announced and its registers fault */
	static const struct { const char *more, *why; } t[] = {
		{ "cpuid 0x80000001 0x00830f10 0x40000000 0x74c237ff "
		  "0x2fd3fbff\n", "CPUID announces no counters" },
		{ "box df none\n", "0xc0010240 lproc 0: no such register" },
		{ "box df counters=3\n",
		  "0xc0010247 lproc 0: no such register" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct rig *r = rig_with("@rome-7742-2s", t[i].more, NULL);
		const struct unit *u = rig_unit(r, "df", 0, 0);

		assert_false(u->present);
		assert_non_null(strstr(u->reason, t[i].why));
		assert_false(rig_has(r, "df_counts[0][\"dram_ch_0\"]"));
		/* nothing is left to take turns */
		assert_int_equal(r->node.plan.sets.n, 1);
		rig_program(r);
		rig_sample(r);
		assert_true(rig_has(r, "core_counts[0][\"instr_retired\"]"));
		rig_restore(r);
		rig_close(r);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    every_event_of_the_reference_has_its_control_value),
		cmocka_unit_test(
		    examples_of_the_reference_are_put_together_and_taken_apart),
		cmocka_unit_test(what_a_control_has_no_bits_for_is_refused),
		cmocka_unit_test(
		    every_counter_counts_its_rate_to_the_count_and_over_its_end),
		cmocka_unit_test(
		    a_package_is_programmed_through_its_first_lproc_and_restored),
		cmocka_unit_test(a_package_has_as_many_counters_as_cpuid_says),
		cmocka_unit_test(sixteen_events_find_a_counter_each),
		cmocka_unit_test(firmware_that_hides_the_fabric_leaves_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
