/*
 * tests/regs/models/test_zen_rates.c - every event of L3s, data fabrics and memory controllers
 * that the reference names (amd-zen.md 9.6), on each simulated node of AMD's Zen, in
 * each box: in seconds of idleness and of work it counts what the machine's text
 * says, over the end of its counter too, and over the half of one that saturates.
 */
#include "tests/lib/rig.h"

#include "regs/sim/sim.h"

#include <stdio.h>
#include <string.h>

#define SECOND 1000000000ull
#define ALL_BITS(n) (~0ull >> (64 - (n)))

/* Boxes of a type: so many a package, each with so many counters. */
struct boxes {
	const char *machine, *type;
	unsigned n, counters, bits;
};

/* Events 0 to count - 1 of one kind: number n in box i of package p counts
 * idle + n * more + i * step + p * pkgstep a second, or work and the same. */
struct kind {
	const char *name;               /* %u: the number */
	unsigned count;
	uint64_t idle, work;
	unsigned more, pkgstep, step;
};

struct column_rate {
	char name[64];
	uint64_t idle, work;
	unsigned pkgstep, step;
};

/* All of the kinds, one after the other; returns how many. */
static unsigned
list(const struct kind *k, struct column_rate *into)
{
	unsigned n = 0;

	for (; k->name != NULL; k++)
		for (unsigned i = 0; i < k->count; i++, n++) {
			struct column_rate *c = &into[n];

			snprintf(c->name, sizeof(c->name), k->name, i);
			c->idle = k->idle + i * k->more;
			c->work = k->work + i * k->more;
			c->pkgstep = k->pkgstep;
			c->step = k->step;
		}
	return n;
}

/* What event e of the boxes has counted; boxes are numbered over the packages. */
static uint64_t
now_of(const struct rig *r, const struct boxes *b, const struct column_rate *e,
    unsigned box)
{
	char name[96], inst[16] = "";

	if (b->n > 1)
		snprintf(inst, sizeof(inst), "[%u]", box % b->n);
	snprintf(name, sizeof(name), "%s_counts[%u]%s[\"%s\"]", b->type,
	    box / b->n, inst, e->name);
	return rig_value(r, name);
}

/* A second later; returns how many of the counters began anew. */
static unsigned
second(struct rig *r, const struct boxes *b, const struct column_rate *c,
    unsigned n, bool works)
{
	uint64_t before[16][32];
	unsigned wrapped = 0;

	for (unsigned i = 0; i < n; i++)
		for (unsigned box = 0; box < 2 * b->n; box++)
			before[i][box] = now_of(r, b, &c[i], box);
	sim_advance(rig_sim(r), SECOND);
	rig_sample(r);
	for (unsigned i = 0; i < n; i++)
		for (unsigned box = 0; box < 2 * b->n; box++) {
			uint64_t is = now_of(r, b, &c[i], box), rate, was;

			was = before[i][box];
			wrapped += is < was;
			rate = works ? c[i].work : c[i].idle;
			if (rate != 0)
				rate += box / b->n * c[i].pkgstep +
				    box % b->n * c[i].step;
			if (((is - was) & ALL_BITS(b->bits)) != rate)
				fail_msg("%s of %s %u counts %llu", c[i].name,
				    b->type, box,
				    (unsigned long long)(is - was));
		}
	return wrapped;
}

/* So many of them as there are counters at a time; returns how many counters of
 * all began anew. */
static unsigned
all_count(const struct boxes *b, const struct kind *kind, unsigned expected)
{
	static struct column_rate c[256];
	unsigned n = list(kind, c), wrapped = 0, some;
	char config[2048];
	size_t len;

	assert_int_equal(n, expected);
	assert_true(b->n <= 16 && b->counters <= 16);
	for (unsigned at = 0; at < n; at += some) {
		struct rig *r;

		len = 0;
		for (some = 0; some < b->counters && at + some < n; some++)
			len += (size_t)snprintf(config + len, sizeof(config) -
			    len, "%s %s\n", b->type, c[at + some].name);
		r = rig_with(b->machine, "", config);
		rig_program(r);
		rig_sample(r);
		wrapped += second(r, b, &c[at], some, false);
		sim_advance(rig_sim(r), 9 * SECOND);
		rig_sample(r);
		for (unsigned s = 0; s < 4; s++)
			wrapped += second(r, b, &c[at], some, true);
		rig_restore(r);
		rig_close(r);
	}
	return wrapped;
}

static void
the_fabrics_of_rome_and_milan_count_their_rates(void **state)
{
	static const struct kind rome[] = {
		{ "dram_ch_%u", 8, 150000, 110000000, 1000, 7, 0 },
		{ "xgmi_out_%u", 4, 5000, 25000000, 1000, 3, 0 },
		{ .name = NULL }
	};
	static const struct kind milan[] = {
		{ "dram_ch_%u", 8, 150000, 160000000, 1000, 7, 0 },
		{ "xgmi_out_%u", 4, 5000, 30000000, 1000, 3, 0 },
		{ .name = NULL }
	};

	(void)state;
	/* a channel in the first or second of four seconds, a link not yet */
	assert_int_equal(all_count(&(struct boxes){ "@rome-7742-2s", "df",
	    1, 4, 48 }, rome, 12), 16);
	assert_int_equal(all_count(&(struct boxes){ "@milan-7763-2s", "df",
	    1, 4, 48 }, milan, 12), 16);
}

static void
the_fabric_of_genoa_counts_its_rates(void **state)
{
	static const struct kind genoa[] = {
		{ "dram_rd_local_%u", 12, 90000, 200000000, 1000, 3, 0 },
		{ "dram_wr_local_%u", 12, 40000, 90000000, 1000, 5, 0 },
		{ "dram_rd_remote_%u", 12, 9000, 40000000, 1000, 7, 0 },
		{ "dram_wr_remote_%u", 12, 3000, 20000000, 1000, 11, 0 },
		{ "io_rd_local_%u", 4, 7000, 50000000, 1000, 3, 0 },
		{ "io_wr_local_%u", 4, 6000, 30000000, 1000, 5, 0 },
		{ "io_rd_remote_%u", 4, 700, 5000000, 1000, 7, 0 },
		{ "io_wr_remote_%u", 4, 600, 2000000, 1000, 11, 0 },
		{ "ccm_in_local_%u_0", 8, 150000, 300000000, 1000, 3, 0 },
		{ "ccm_out_local_%u_0", 8, 30000, 67000000, 1000, 5, 0 },
		{ "ccm_in_remote_%u_0", 8, 15000, 60000000, 1000, 7, 0 },
		{ "ccm_out_remote_%u_0", 8, 3000, 15000000, 1000, 11, 0 },
		{ "ccm_in_local_%u_1", 8, 250000, 300100000, 1000, 3, 0 },
		{ "ccm_out_local_%u_1", 8, 130000, 67100000, 1000, 5, 0 },
		{ "ccm_in_remote_%u_1", 8, 115000, 60100000, 1000, 7, 0 },
		{ "ccm_out_remote_%u_1", 8, 103000, 15100000, 1000, 11, 0 },
		{ "xgmi_out_%u", 8, 5000, 40000000, 1000, 13, 0 },
		{ .name = NULL }
	};

	(void)state;
	/* at 34 million a second and more: of each package 12 * 3 channels,
	 * 4 ports of IO, 6 * 8 of cores, 8 links */
	assert_int_equal(all_count(&(struct boxes){ "@genoa-9654-2s",
	    "df", 1, 16, 48 }, genoa, 136), 192);
}

static void
the_fabric_of_turin_counts_its_rates(void **state)
{
	static const struct kind turin[] = {
		{ "dram_rd_%u", 12, 99000, 260000000, 1000, 10, 0 },
		{ "dram_wr_%u", 12, 43000, 125000000, 2000, 16, 0 },
		{ "dram_wr_local_%u", 12, 40000, 100000000, 1000, 5, 0 },
		{ "dram_wr_remote_%u", 12, 3000, 25000000, 1000, 11, 0 },
		{ "cxl_rd_%u", 4, 0, 0, 0, 0, 0 },
		{ "cxl_wr_%u", 4, 0, 0, 0, 0, 0 },
		{ "io_rd_%u", 8, 7700, 33000000, 2000, 10, 0 },
		{ "io_wr_%u", 8, 6600, 21000000, 2000, 16, 0 },
		{ "io_rd_local_%u", 8, 7000, 30000000, 1000, 3, 0 },
		{ "io_wr_local_%u", 8, 6000, 20000000, 1000, 5, 0 },
		{ "io_rd_remote_%u", 8, 700, 3000000, 1000, 7, 0 },
		{ "io_wr_remote_%u", 8, 600, 1000000, 1000, 11, 0 },
		{ "ccm_in_%u_0", 8, 165000, 370000000, 2000, 10, 0 },
		{ "ccm_out_%u_0", 8, 33000, 91000000, 2000, 16, 0 },
		{ "ccm_in_local_%u_0", 8, 150000, 310000000, 1000, 3, 0 },
		{ "ccm_out_local_%u_0", 8, 30000, 76000000, 1000, 5, 0 },
		{ "ccm_in_remote_%u_0", 8, 15000, 60000000, 1000, 7, 0 },
		{ "ccm_out_remote_%u_0", 8, 3000, 15000000, 1000, 11, 0 },
		{ "ccm_in_%u_1", 8, 365000, 370200000, 2000, 10, 0 },
		{ "ccm_out_%u_1", 8, 233000, 91200000, 2000, 16, 0 },
		{ "ccm_in_local_%u_1", 8, 250000, 310100000, 1000, 3, 0 },
		{ "ccm_out_local_%u_1", 8, 130000, 76100000, 1000, 5, 0 },
		{ "ccm_in_remote_%u_1", 8, 115000, 60100000, 1000, 7, 0 },
		{ "ccm_out_remote_%u_1", 8, 103000, 15100000, 1000, 11, 0 },
		{ "xgmi_out_%u", 6, 5000, 50000000, 1000, 13, 0 },
		{ "xgmi_in_%u", 6, 4000, 45000000, 1000, 17, 0 },
		{ .name = NULL }
	};

	(void)state;
	/* of each package 12 * 3 channels, 8 ports of cores * 10, 12 links */
	assert_int_equal(all_count(&(struct boxes){ "@turin-2s", "df", 1,
	    16, 48 }, turin, 212), 256);
}

/* Lookups are hits and misses, to the count. */
static void
l3s_of_every_node_count_their_rates(void **state)
{
	static const struct kind rome[] = {
		{ "l3_lookups", 1, 50000, 250000000, 0, 5, 29 },
		{ "l3_misses", 1, 9000, 40000000, 0, 2, 7 },
		{ "l3_hits", 1, 41000, 210000000, 0, 3, 22 },
		{ "l3_fill_latency16", 1, 280000, 1155000000, 0, 11, 37 },
		{ "l3_fill_requests", 1, 8000, 33000000, 0, 7, 13 },
		{ .name = NULL }
	};
	static const struct kind milan[] = {
		{ "l3_lookups", 1, 50000, 400000000, 0, 5, 29 },
		{ "l3_misses", 1, 9000, 60000000, 0, 2, 7 },
		{ "l3_hits", 1, 41000, 340000000, 0, 3, 22 },
		{ "l3_fill_latency16", 1, 280000, 1750000000, 0, 11, 37 },
		{ "l3_fill_requests", 1, 8000, 50000000, 0, 7, 13 },
		{ .name = NULL }
	};
	/* near + far + near cache + far cache = all, of latency and of requests */
	static const struct kind genoa[] = {
		{ "l3_lookups", 1, 50000, 450000000, 0, 5, 29 },
		{ "l3_misses", 1, 9000, 70000000, 0, 2, 7 },
		{ "l3_hits", 1, 41000, 380000000, 0, 3, 22 },
		{ "l3_lat10_dram_near", 1, 18000, 45000000, 0, 1, 10 },
		{ "l3_latreq_dram_near", 1, 400, 1000000, 0, 1, 1 },
		{ "l3_lat10_dram_far", 1, 8100, 18000000, 0, 2, 20 },
		{ "l3_latreq_dram_far", 1, 90, 200000, 0, 1, 2 },
		{ "l3_lat10_near_cache", 1, 800, 1000000, 0, 4, 40 },
		{ "l3_latreq_near_cache", 1, 40, 50000, 0, 1, 4 },
		{ "l3_lat10_far_cache", 1, 700, 1400000, 0, 8, 80 },
		{ "l3_latreq_far_cache", 1, 10, 20000, 0, 1, 8 },
		{ "l3_lat10_cxl_near", 1, 0, 0, 0, 0, 0 },
		{ "l3_latreq_cxl_near", 1, 0, 0, 0, 0, 0 },
		{ "l3_lat10_cxl_far", 1, 0, 0, 0, 0, 0 },
		{ "l3_latreq_cxl_far", 1, 0, 0, 0, 0, 0 },
		{ "l3_lat10_all", 1, 27600, 65400000, 0, 15, 150 },
		{ "l3_latreq_all", 1, 540, 1270000, 0, 4, 15 },
		{ .name = NULL }
	};
	static const struct kind turin[] = {
		{ "l3_lookups", 1, 50000, 500000000, 0, 5, 29 },
		{ "l3_misses", 1, 9000, 80000000, 0, 2, 7 },
		{ "l3_hits", 1, 41000, 420000000, 0, 3, 22 },
		{ "l3_lat10_dram_near", 1, 18000, 54000000, 0, 1, 10 },
		{ "l3_latreq_dram_near", 1, 400, 1200000, 0, 1, 1 },
		{ "l3_lat10_all", 1, 27600, 78480000, 0, 15, 150 },
		{ "l3_latreq_all", 1, 540, 1524000, 0, 4, 15 },
		{ .name = NULL }
	};

	(void)state;
	/* what is 34 million a second and more: four events on Rome, five on
	 * the others */
	assert_int_equal(all_count(&(struct boxes){ "@rome-7742-2s", "l3",
	    16, 6, 48 }, rome, 5), 128);
	assert_int_equal(all_count(&(struct boxes){ "@milan-7763-2s", "l3",
	    8, 6, 48 }, milan, 5), 80);
	assert_int_equal(all_count(&(struct boxes){ "@genoa-9654-2s", "l3",
	    12, 6, 48 }, genoa, 17), 120);
	assert_int_equal(all_count(&(struct boxes){ "@turin-2s", "l3", 16, 6,
	    48 }, turin, 7), 160);
}

/* They start below the half of their range, from which on they are set to 0 in
 * time: what they count never goes back. */
static void
memory_controllers_count_their_rates_and_never_go_back(void **state)
{
	static const struct kind genoa[] = {
		{ "umc_clk", 1, 2400000000, 2400000000, 0, 3, 1 },
		{ "umc_act_rd", 1, 9900, 24000000, 0, 1, 200 },
		{ "umc_act_wr", 1, 4300, 11000000, 0, 1, 200 },
		{ "umc_act_all", 1, 14200, 35000000, 0, 2, 400 },
		{ "umc_pchg_rd", 1, 8910, 21600000, 0, 1, 180 },
		{ "umc_pchg_wr", 1, 3870, 9900000, 0, 1, 180 },
		{ "umc_pchg_all", 1, 12780, 31500000, 0, 2, 360 },
		{ "umc_cas_rd", 1, 99000, 240000000, 0, 10, 2000 },
		{ "umc_cas_wr", 1, 43000, 110000000, 0, 16, 2000 },
		{ "umc_cas_all", 1, 142000, 350000000, 0, 26, 4000 },
		{ "umc_slot_clks_rd", 1, 792000, 1920000000, 0, 80, 16000 },
		{ "umc_slot_clks_wr", 1, 344000, 880000000, 0, 128, 16000 },
		{ "umc_slot_clks_all", 1, 1136000, 2800000000, 0, 208, 32000 },
		{ .name = NULL }
	};
	static const struct kind turin[] = {
		{ "umc_clk", 1, 3200000000, 3200000000, 0, 3, 1 },
		{ "umc_cas_rd", 1, 99000, 260000000, 0, 10, 1000 },
		{ "umc_cas_wr", 1, 43000, 125000000, 0, 16, 2000 },
		{ "umc_cas_all", 1, 142000, 385000000, 0, 26, 3000 },
		{ "umc_slot_clks_all", 1, 1136000, 3080000000, 0, 208, 24000 },
		{ .name = NULL }
	};

	(void)state;
	assert_int_equal(all_count(&(struct boxes){ "@genoa-9654-2s", "umc",
	    12, 4, 64 }, genoa, 13), 0);
	assert_int_equal(all_count(&(struct boxes){ "@turin-2s", "umc", 12, 4,
	    64 }, turin, 5), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_fabrics_of_rome_and_milan_count_their_rates),
		cmocka_unit_test(the_fabric_of_genoa_counts_its_rates),
		cmocka_unit_test(the_fabric_of_turin_counts_its_rates),
		cmocka_unit_test(l3s_of_every_node_count_their_rates),
		cmocka_unit_test(memory_controllers_count_their_rates_and_never_go_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
