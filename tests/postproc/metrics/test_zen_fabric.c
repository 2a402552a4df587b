/*
 * tests/postproc/metrics/test_zen_fabric.c - metrics of the data fabric of AMD's Zen (amd-zen.md
 * 5.2), for each generation that has them, and the configurations that count it.
 * Numbers are worked out by hand from the reference's expressions.
 */
#include "tests/lib/metric_of.h"
#include "tests/lib/rig.h"

#include "config/texts.h"
#include "regs/sim/sim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Instance k of `event` has counted (k + 1) * unit in two seconds. */
struct given {
	const char *event;              /* %u: its instance; none: a core's */
	unsigned n, unit;
};

#define SECOND 1000000000ull
#define L __LINE__

/* Of n instances n * (n + 1) / 2 units: 64 bytes each, or 32. */
static const struct formula {
	int line;
	const char *model, *metric;
	struct given given[4];
	double value;                   /* GB/s */
} formulas[] = {
	/* 36e6 of 64 bytes in 2 s; 10e6 of 32 */
	{ L, "zen2", "dram_bandwidth", { { "dram_ch_%u", 8, 1000000 } }, 1.152 },
	{ L, "zen3", "dram_bandwidth", { { "dram_ch_%u", 8, 1000000 } }, 1.152 },
	{ L, "zen2", "xgmi_out", { { "xgmi_out_%u", 4, 1000000 } }, 0.16 },
	{ L, "zen3", "xgmi_out", { { "xgmi_out_%u", 4, 1000000 } }, 0.16 },
	/* 1152e6 operations, 2304e6 bytes */
	{ L, "zen2", "arithmetic_intensity", { { "dram_ch_%u", 8, 1000000 },
	    { "flops_all", 1, 1152000000 } }, 0.5 },
	/* 78.078e6 of 64 bytes */
	{ L, "zen4", "fabric_dram_read", { { "dram_rd_local_%u", 12, 1000000 },
	    { "dram_rd_remote_%u", 12, 1000 } }, 2.498496 },
	{ L, "zen4", "fabric_dram_write", { { "dram_wr_local_%u", 12, 1000000 },
	    { "dram_wr_remote_%u", 12, 1000 } }, 2.498496 },
	{ L, "zen4", "fabric_dram_far", { { "dram_rd_remote_%u", 12, 1000000 },
	    { "dram_wr_remote_%u", 12, 1000 } }, 2.498496 },
	{ L, "zen5", "fabric_dram_read", { { "dram_rd_%u", 12, 1000000 } },
	  2.496 },
	{ L, "zen5", "fabric_dram_write", { { "dram_wr_%u", 12, 1000000 } },
	  2.496 },
	{ L, "zen5", "cxl_read", { { "cxl_rd_%u", 4, 1000000 } }, 0.32 },
	{ L, "zen5", "cxl_write", { { "cxl_wr_%u", 4, 1000000 } }, 0.32 },
	{ L, "zen4", "xgmi_out", { { "xgmi_out_%u", 8, 1000000 } }, 1.152 },
	{ L, "zen5", "xgmi_out", { { "xgmi_out_%u", 6, 1000000 } }, 0.672 },
	{ L, "zen5", "xgmi_in", { { "xgmi_in_%u", 6, 1000000 } }, 0.672 },
	{ L, "zen4", "dma_read", { { "io_rd_local_%u", 4, 1000000 },
	    { "io_rd_remote_%u", 4, 1000 } }, 0.32032 },
	{ L, "zen4", "dma_write", { { "io_wr_local_%u", 4, 1000000 },
	    { "io_wr_remote_%u", 4, 1000 } }, 0.32032 },
	{ L, "zen5", "dma_read", { { "io_rd_%u", 8, 1000000 } }, 1.152 },
	{ L, "zen5", "dma_write", { { "io_wr_%u", 8, 1000000 } }, 1.152 },
	/* what cores read, in units of 32 bytes: 39.996e6; of 64 what they write */
	{ L, "zen4", "ccm_read", { { "ccm_in_local_%u_0", 8, 1000000 },
	    { "ccm_in_local_%u_1", 8, 100000 },
	    { "ccm_in_remote_%u_0", 8, 10000 },
	    { "ccm_in_remote_%u_1", 8, 1000 } }, 0.639936 },
	{ L, "zen4", "ccm_write", { { "ccm_out_local_%u_0", 8, 1000000 },
	    { "ccm_out_local_%u_1", 8, 100000 },
	    { "ccm_out_remote_%u_0", 8, 10000 },
	    { "ccm_out_remote_%u_1", 8, 1000 } }, 1.279872 },
	{ L, "zen5", "ccm_read", { { "ccm_in_%u_0", 8, 1000000 },
	    { "ccm_in_%u_1", 8, 1000 } }, 0.576576 },
	{ L, "zen5", "ccm_write", { { "ccm_out_%u_0", 8, 1000000 },
	    { "ccm_out_%u_1", 8, 1000 } }, 1.153152 },
	/* one channel is not counted: no figure of the others alone */
	{ L, "zen2", "dram_bandwidth", { { "dram_ch_%u", 7, 1000000 } },
	  INFINITY },
	{ L, "zen4", "fabric_dram_read", { { "dram_rd_local_%u", 12, 1000000 } },
	  INFINITY },
	{ L, "zen5", "dma_read", { { "io_rd_%u", 7, 1000000 } }, INFINITY },
};

static void
put_given(FILE *f, const struct given *g, unsigned sample)
{
	char event[64];
	const char *at = strstr(g->event, "%u");

	if (at == NULL)
		fprintf(f, "core_counts[0][\"%s\"][%u] = %u\n", g->event,
		    sample, 7 + sample * g->unit);
	for (unsigned k = 0; at != NULL && k < g->n; k++) {
		snprintf(event, sizeof(event), "%.*s%u%s",
		    (int)(at - g->event), g->event, k, at + 2);
		fprintf(f, "df_counts[0][\"%s\"][%u] = %u\n", event, sample,
		    7 + sample * (k + 1) * g->unit);
	}
}

/* A dump of one package, with two samples. */
static const char *
dump_of(const struct formula *x)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	const char *path;

	fprintf(f, "model = \"%s\"\nnr_cpus = 1\npackages = 1\n"
	    "lproc_package[0] = 0\nlproc_core[0] = 0\nlproc_thread[0] = 0\n"
	    "family_bits = {}\nfamily_unit = {}\n"
	    "family_bits[\"core_counts\"] = 48\n"
	    "family_unit[\"core_counts\"] = \"count\"\n"
	    "family_bits[\"df_counts\"] = 48\n"
	    "family_unit[\"df_counts\"] = \"count\"\n", x->model);
	for (unsigned s = 0; s < 2; s++) {
		fprintf(f, "tsc[%u] = %llu\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n", s, 1000000 + s * 4000000000ull, s,
		    1000 + 2 * s, s);
		for (unsigned i = 0; i < 4 && x->given[i].event != NULL; i++)
			put_given(f, &x->given[i], s);
	}
	fclose(f);
	path = test_put("fabric.lua", text);
	free(text);
	return path;
}

static void
formulas_are_those_of_the_reference(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(formulas) / sizeof(formulas[0]); i++) {
		const struct formula *x = &formulas[i];
		double v = metric_of_node(dump_of(x), x->model, x->metric,
		    x->line);

		if (isinf(x->value) ? !isinf(v) :
		    !(fabs(v - x->value) <= 1e-9 * x->value))
			fail_msg("line %d: %s on %s: %.12g", x->line,
			    x->metric, x->model, v);
	}
}

static unsigned
columns_of(const struct rig *r, const char *family)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->node.plan.ncolumn; i++)
		n += strcmp(r->node.plan.column[i].id.family->name,
		    family) == 0;
	return n;
}

/* Two packages; sets beside each other take the four or sixteen counters. */
static void
the_default_and_the_whole_fabric_find_their_counters(void **state)
{
	static const struct {
		int line;
		const char *node, *config;
		unsigned sets, columns;
	} t[] = {
		{ L, "@rome-7742-2s", NULL, 3, 2 * 12 },
		{ L, "@milan-7763-2s", NULL, 3, 2 * 12 },
		{ L, "@genoa-9654-2s", NULL, 2, 2 * (16 + 8) },
		{ L, "@turin-2s", NULL, 2, 2 * (16 + 12) },
		{ L, "@rome-7742-2s", "@hpc", 3, 2 * 12 },
		{ L, "@milan-7763-2s", "@hpc", 5, 2 * 12 },
		{ L, "@genoa-9654-2s", "@hpc", 8, 2 * (16 + 8) },
		{ L, "@turin-2s", "@hpc", 10, 2 * (16 + 12) },
		/* 48 of DRAM, 16 of devices, 8 links, 64 of the cores */
		{ L, "@genoa-9654-2s", "@fabric", 9, 2 * 136 },
		/* 24 of DRAM, 8 of CXL, 16 of devices, 12 of links, 32 of cores */
		{ L, "@turin-2s", "@fabric", 7, 2 * 92 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct rig *r = rig_open(t[i].node, t[i].config);

		/* set 0 is what is always counted */
		if (r->node.plan.sets.n != t[i].sets + 1 ||
		    columns_of(r, "df_counts") != t[i].columns)
			fail_msg("line %d: %u sets, %u columns", t[i].line,
			    r->node.plan.sets.n - 1,
			    columns_of(r, "df_counts"));
		rig_close(r);
	}
}

/* EBX 15:10 of leaf 8000_0022: a mobile part's four. */
#define FOUR "cpuid 0x80000022 0x00000007 0x00301106 0x00000fff 0x00000000\n"

static void
what_four_counters_have_no_room_for_is_left_out_where_optional(void **state)
{
	static const char five[] = "optional df io_rd_local_0\n"
	    "optional df io_rd_local_1\noptional df io_rd_local_2\n"
	    "optional df io_rd_local_3\noptional df io_wr_local_0\n";
	struct rig *r = rig_with("@genoa-9654-2s", FOUR, five);

	(void)state;
	assert_true(rig_has(r, "df_counts[0][\"io_rd_local_3\"]"));
	assert_false(rig_has(r, "df_counts[0][\"io_wr_local_0\"]"));
	assert_int_equal(columns_of(r, "df_counts"), 2 * 4);
	rig_close(r);
	/* the default's sixteen and eight */
	r = rig_with("@genoa-9654-2s", FOUR, NULL);
	assert_int_equal(columns_of(r, "df_counts"), 2 * (4 + 4));
	rig_close(r);
}

/* What every generation's node counts, to the count. */
static void
every_generation_counts_its_events(void **state)
{
	static const struct {
		const char *node, *config, *column;
		uint64_t idle;
	} t[] = {
		{ "@milan-7763-2s", "df dram_ch_2\n",
		  "df_counts[1][\"dram_ch_2\"]", 152000 + 7 },
		{ "@genoa-9654-2s", "df dram_rd_local_0\ndf dram_wr_local_0\n"
		  "df dram_rd_remote_0\n",
		  "df_counts[1][\"dram_rd_remote_0\"]", 9000 + 7 },
		{ "@turin-2s", "df dram_rd_0\ndf dram_wr_remote_0\n",
		  "df_counts[1][\"dram_wr_remote_0\"]", 3000 + 11 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct rig *r = rig_with(t[i].node, "", t[i].config);

		rig_program(r);
		assert_int_equal(rig_second(r, t[i].column), t[i].idle);
		rig_restore(r);
		rig_close(r);
	}
}

static const char *const way[] = { "rd_local", "rd_remote", "wr_local",
    "wr_remote" };

/* What channel c of package 1 has counted, each way, by the fabric; then what its
 * controller has read and written. */
static void
read_channel(const struct rig *r, unsigned c, uint64_t count[6])
{
	char name[64];

	for (unsigned i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "df_counts[1][\"dram_%s_%u\"]",
		    way[i], c);
		count[i] = rig_value(r, name);
	}
	for (unsigned i = 4; i < 6; i++) {
		snprintf(name, sizeof(name), "umc_counts[1][%u][\"umc_cas_%s\"]",
		    c, i == 4 ? "rd" : "wr");
		count[i] = rig_value(r, name);
	}
}

static void
the_fabric_and_the_memory_controllers_agree(void **state)
{
	char config[1024] = "umc umc_cas_rd\numc umc_cas_wr\n";
	size_t n = strlen(config);
	uint64_t from[4][6], to[6];
	struct rig *r;

	(void)state;
	for (unsigned i = 0; i < 16; i++)
		n += (size_t)snprintf(config + n, sizeof(config) - n,
		    "df dram_%s_%u\n", way[i % 4], i / 4);
	r = rig_with("@genoa-9654-2s", "", config);
	rig_program(r);
	sim_advance(rig_sim(r), 15 * SECOND);
	rig_sample(r);
	for (unsigned c = 0; c < 4; c++)
		read_channel(r, c, from[c]);
	sim_advance(rig_sim(r), SECOND);
	rig_sample(r);
	for (unsigned c = 0; c < 4; c++) {
		read_channel(r, c, to);
		for (unsigned i = 0; i < 6; i++)
			to[i] = (to[i] - from[c][i]) & 0xffffffffffff;
		/* 200 and 40 million of channel 0, 90 and 20 million written */
		assert_int_equal(to[0] + to[1], 240000010 + 2000 * c);
		assert_int_equal(to[2] + to[3], 110000016 + 2000 * c);
		assert_int_equal(to[4], to[0] + to[1]);
		assert_int_equal(to[5], to[2] + to[3]);
	}
	rig_restore(r);
	rig_close(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formulas_are_those_of_the_reference),
		cmocka_unit_test(
		    the_default_and_the_whole_fabric_find_their_counters),
		cmocka_unit_test(
		    what_four_counters_have_no_room_for_is_left_out_where_optional),
		cmocka_unit_test(every_generation_counts_its_events),
		cmocka_unit_test(the_fabric_and_the_memory_controllers_agree),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
