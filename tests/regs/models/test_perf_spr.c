/*
 * tests/regs/models/test_perf_spr.c - Sapphire Rapids through the kernel: its PMUs give the
 * families that registers give, as a recent kernel names them and as an older one
 * does, by the numbers of discovery tables (reference 9.1: uncore_type_N_M).
 * Expected numbers are the rates of spr-9480-2s.machine.
 */
#include "tests/lib/rig.h"

#include "config/lang/events.h"
#include "config/sim/machine.h"
#include "config/texts.h"
#include "daemon/node/choose.h"
#include "regs/sim/sim.h"

#include <stdlib.h>
#include <string.h>

#define SECOND 1000000000ull

/* "pmu uncore_cha " as an older kernel has it. */
static const struct { const char *recent, *old; } names[] = {
	{ "pmu uncore_cha ", "pmu uncore_type_0 " },
	{ "pmu uncore_iio ", "pmu uncore_type_1 " },
	{ "pmu uncore_irp ", "pmu uncore_type_2 " },
	{ "pmu uncore_m2pcie ", "pmu uncore_type_3 " },
	{ "pmu uncore_pcu ", "pmu uncore_type_4 " },
	{ "pmu uncore_imc ", "pmu uncore_type_6 " },
	{ "pmu uncore_m2m ", "pmu uncore_type_7 " },
	{ "pmu uncore_upi ", "pmu uncore_type_8 " },
	{ "pmu uncore_m3upi ", "pmu uncore_type_9 " },
	{ "pmu uncore_mdf ", "pmu uncore_type_11 " },
};

/* The machine's text; the caller's to free. */
static char *
machine_text(bool old)
{
	const struct text *t = text_named("@spr-9480-2s", TEXT_MACHINE);
	char *text = strndup(t->data, (size_t)(t->end - t->data));

	for (size_t i = 0; old && i < sizeof(names) / sizeof(names[0]); i++) {
		char *at = strstr(text, names[i].recent), *more = NULL;

		assert_non_null(at);
		assert_true(asprintf(&more, "%.*s%s%s", (int)(at - text), text,
		    names[i].old, at + strlen(names[i].recent)) > 0);
		free(text);
		text = more;
	}
	return text;
}

static struct rig *
counted(bool old, const char *more)
{
	struct rig *r = calloc(1, sizeof(*r));
	char *text = machine_text(old);
	struct diag why = { "" };
	struct sim *sim;

	if (machine_parse(&sim, "test.machine", text, strlen(text), &why) < 0)
		fail_msg("%s", why.text);
	free(text);
	sim_virtual(sim, true);
	r->o.node.access = ACCESS_PERF;
	r->node.acc = sim_access(sim);
	assert_int_equal(topo_load(&r->node.topo, r->node.acc, &why), 0);
	assert_int_equal(config_init(&r->node.config, r->node.topo.model), 0);
	if (config_load(&r->node.config, "@default-spr", &why) < 0 ||
	    config_parse(&r->node.config, "more", more, strlen(more),
	    &why) < 0 ||
	    choose_access(&r->node, &r->o, &why) < 0 ||
	    node_plan(&r->node, &why) < 0)
		fail_msg("%s", why.text);
	r->row = calloc(r->node.plan.ncell, sizeof(r->row[0]));
	assert_int_equal(sweep_init(&r->sweep, &r->node.plan, r->node.acc,
	    READ_REMOTE, -1, &why), 0);
	rig_sample(r);
	return r;
}

static void
each_box_counts_through_its_pmu_what_it_counts_by_registers(void **state)
{
	static const struct { int line; const char *column; uint64_t rate; }
	rows[] = {
		{ __LINE__, "cha_counts[0][0][\"CLOCKTICKS\"]", 1900000000 },
		{ __LINE__, "cha_counts[1][55][\"CLOCKTICKS\"]",
		  1900000000 + 55 * 3 + 5 },
		{ __LINE__, "cha_counts[0][9][\"TOR_INSERTS.IA_MISS_DRD\"]",
		  900 + 9 * 7 },
		{ __LINE__, "imc_counts[1][7][\"CAS_COUNT.WR\"]",
		  25000 + 7 * 7 + 11 },
		{ __LINE__, "mchbm_counts[1][31][\"CAS_COUNT.WR\"]",
		  10000 + 31 * 7 + 11 },
		{ __LINE__, "mchbm_counts[0][16][\"CLOCKTICKS\"]",
		  1600000000 + 16 * 3 },
		{ __LINE__, "upi_counts[1][3][\"TxL_FLITS.ALL_DATA\"]",
		  10000 + 3 * 3 + 7 },
		{ __LINE__, "iio_counts[0][9][\"DATA_REQ_OF_CPU.MEM_WRITE\"]",
		  2000 + 9 * 3 },
		{ __LINE__, "pcu_counts[1][\"FREQ_TRANS_CYCLES\"]",
		  3100 + 3 },
		{ __LINE__, "core_counts[57][\"LONGEST_LAT_CACHE.MISS\"]",
		  9000 + 7 + 5 },
		{ __LINE__, "core_c6_residency[1]", 400000000 },
	};

	(void)state;
	for (int old = 0; old <= 1; old++) {
		struct rig *r = counted(old, "read core_c6_residency\n");

		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
			uint64_t before, after;

			before = rig_value(r, rows[i].column);
			sim_advance(rig_sim(r), SECOND / 2);
			rig_sample(r);
			after = rig_value(r, rows[i].column);
			/* groups are read one after the other */
			if (after - before < rows[i].rate / 2 - 2 ||
			    after - before > rows[i].rate / 2 +
			    rows[i].rate / 50)
				fail_msg("line %d, %s kernel: %llu",
				    rows[i].line, old ? "older" : "recent",
				    (unsigned long long)(after - before));
		}
		rig_close(r);
	}
}

/* M2M and M2HBM have one number, and their ids are one row: which is which the
 * kernel does not say. */
static void
a_number_of_two_types_is_taken_for_the_first(void **state)
{
	struct rig *r = counted(true, "");
	unsigned m2m = 0, m2hbm = 0;

	(void)state;
	for (unsigned i = 0; i < r->node.inv.n; i++) {
		const struct unit *u = &r->node.inv.unit[i];

		m2m += u->present && strcmp(u->type->name, "M2M") == 0 &&
		    strncmp(u->pmu, "uncore_type_7_", 14) == 0;
		m2hbm += u->present && strcmp(u->type->name, "M2HBM") == 0;
	}
	assert_int_equal(m2m, 8);
	assert_int_equal(m2hbm, 0);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    each_box_counts_through_its_pmu_what_it_counts_by_registers),
		cmocka_unit_test(a_number_of_two_types_is_taken_for_the_first),
	};

	return cmocka_run_group_tests_name("perf of SPR", tests, NULL, NULL);
}
