/*
 * tests/test_zen_rates.c - every event of the data fabric that the reference names
 * (amd-zen.md 9.6), on each simulated node of AMD's Zen: in each second of idleness
 * and of work it counts what the machine's text says, over the end of its counter
 * too.
 */
#include "tests/test.h"

#include "regs/sim/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 1000000000ull
#define ALL_BITS(n) (~0ull >> (64 - (n)))

/* Events 0 to count - 1 of one kind: number n of package p counts
 * idle + n * more + p * pkgstep a second, or work and the same. */
struct kind {
	const char *name;               /* %u: the number */
	unsigned count;
	uint64_t idle, work;
	unsigned more, pkgstep;
};

struct column_rate {
	char name[64];
	uint64_t idle, work;
	unsigned pkgstep;
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
		}
	return n;
}

static uint64_t
now_of(const struct rig *r, const char *event, unsigned pkg)
{
	char name[96];

	snprintf(name, sizeof(name), "df_counts[%u][\"%s\"]", pkg, event);
	return rig_value(r, name);
}

/* A second later; returns how many of the counters began anew. */
static unsigned
second(struct rig *r, const struct column_rate *c, unsigned n, bool works)
{
	uint64_t before[2][16];
	unsigned wrapped = 0;

	for (unsigned i = 0; i < 2 * n; i++)
		before[i % 2][i / 2] = now_of(r, c[i / 2].name, i % 2);
	sim_advance(rig_sim(r), SECOND);
	rig_sample(r);
	for (unsigned i = 0; i < 2 * n; i++) {
		const struct column_rate *e = &c[i / 2];
		uint64_t is = now_of(r, e->name, i % 2), was;

		was = before[i % 2][i / 2];
		wrapped += is < was;
		if (((is - was) & ALL_BITS(48)) != (works ? e->work :
		    e->idle) + i % 2 * e->pkgstep)
			fail_msg("%s of package %u counts %llu", e->name,
			    i % 2, (unsigned long long)(is - was));
	}
	return wrapped;
}

/* So many of them as there are counters at a time; returns how many counters of
 * all began anew. */
static unsigned
all_count(const char *machine, const struct kind *kind, unsigned counters,
    unsigned expected)
{
	static struct column_rate c[256];
	unsigned n = list(kind, c), wrapped = 0, some;
	char config[2048];
	size_t len;

	assert_int_equal(n, expected);
	for (unsigned at = 0; at < n; at += some) {
		struct rig *r;

		len = 0;
		for (some = 0; some < counters && at + some < n; some++)
			len += (size_t)snprintf(config + len, sizeof(config) -
			    len, "df %s\n", c[at + some].name);
		r = rig_with(machine, "", config);
		rig_program(r);
		rig_sample(r);
		wrapped += second(r, &c[at], some, false);
		sim_advance(rig_sim(r), 9 * SECOND);
		rig_sample(r);
		for (unsigned s = 0; s < 4; s++)
			wrapped += second(r, &c[at], some, true);
		rig_restore(r);
		rig_close(r);
	}
	return wrapped;
}

static void
on_rome_and_milan(void **state)
{
	static const struct kind rome[] = {
		{ "dram_ch_%u", 8, 150000, 110000000, 1000, 7 },
		{ "xgmi_out_%u", 4, 5000, 25000000, 1000, 3 },
		{ NULL, 0, 0, 0, 0, 0 }
	};
	static const struct kind milan[] = {
		{ "dram_ch_%u", 8, 150000, 160000000, 1000, 7 },
		{ "xgmi_out_%u", 4, 5000, 30000000, 1000, 3 },
		{ NULL, 0, 0, 0, 0, 0 }
	};

	(void)state;
	/* a channel in the first or second of four seconds, a link not yet */
	assert_int_equal(all_count("@rome-7742-2s", rome, 4, 12), 16);
	assert_int_equal(all_count("@milan-7763-2s", milan, 4, 12), 16);
}

static void
on_genoa(void **state)
{
	static const struct kind genoa[] = {
		{ "dram_rd_local_%u", 12, 90000, 200000000, 1000, 3 },
		{ "dram_wr_local_%u", 12, 40000, 90000000, 1000, 5 },
		{ "dram_rd_remote_%u", 12, 9000, 40000000, 1000, 7 },
		{ "dram_wr_remote_%u", 12, 3000, 20000000, 1000, 11 },
		{ "io_rd_local_%u", 4, 7000, 50000000, 1000, 3 },
		{ "io_wr_local_%u", 4, 6000, 30000000, 1000, 5 },
		{ "io_rd_remote_%u", 4, 700, 5000000, 1000, 7 },
		{ "io_wr_remote_%u", 4, 600, 2000000, 1000, 11 },
		{ "ccm_in_local_%u_0", 8, 150000, 300000000, 1000, 3 },
		{ "ccm_out_local_%u_0", 8, 30000, 67000000, 1000, 5 },
		{ "ccm_in_remote_%u_0", 8, 15000, 60000000, 1000, 7 },
		{ "ccm_out_remote_%u_0", 8, 3000, 15000000, 1000, 11 },
		{ "ccm_in_local_%u_1", 8, 250000, 300100000, 1000, 3 },
		{ "ccm_out_local_%u_1", 8, 130000, 67100000, 1000, 5 },
		{ "ccm_in_remote_%u_1", 8, 115000, 60100000, 1000, 7 },
		{ "ccm_out_remote_%u_1", 8, 103000, 15100000, 1000, 11 },
		{ "xgmi_out_%u", 8, 5000, 40000000, 1000, 13 },
		{ NULL, 0, 0, 0, 0, 0 }
	};

	(void)state;
	/* at 34 million a second and more: of each package 12 * 3 channels,
	 * 4 ports of IO, 6 * 8 of cores, 8 links */
	assert_int_equal(all_count("@genoa-9654-2s", genoa, 16, 136), 192);
}

static void
on_turin(void **state)
{
	static const struct kind turin[] = {
		{ "dram_rd_%u", 12, 99000, 260000000, 1000, 10 },
		{ "dram_wr_%u", 12, 43000, 125000000, 2000, 16 },
		{ "dram_wr_local_%u", 12, 40000, 100000000, 1000, 5 },
		{ "dram_wr_remote_%u", 12, 3000, 25000000, 1000, 11 },
		{ "cxl_rd_%u", 4, 0, 0, 0, 0 },
		{ "cxl_wr_%u", 4, 0, 0, 0, 0 },
		{ "io_rd_%u", 8, 7700, 33000000, 2000, 10 },
		{ "io_wr_%u", 8, 6600, 21000000, 2000, 16 },
		{ "io_rd_local_%u", 8, 7000, 30000000, 1000, 3 },
		{ "io_wr_local_%u", 8, 6000, 20000000, 1000, 5 },
		{ "io_rd_remote_%u", 8, 700, 3000000, 1000, 7 },
		{ "io_wr_remote_%u", 8, 600, 1000000, 1000, 11 },
		{ "ccm_in_%u_0", 8, 165000, 370000000, 2000, 10 },
		{ "ccm_out_%u_0", 8, 33000, 91000000, 2000, 16 },
		{ "ccm_in_local_%u_0", 8, 150000, 310000000, 1000, 3 },
		{ "ccm_out_local_%u_0", 8, 30000, 76000000, 1000, 5 },
		{ "ccm_in_remote_%u_0", 8, 15000, 60000000, 1000, 7 },
		{ "ccm_out_remote_%u_0", 8, 3000, 15000000, 1000, 11 },
		{ "ccm_in_%u_1", 8, 365000, 370200000, 2000, 10 },
		{ "ccm_out_%u_1", 8, 233000, 91200000, 2000, 16 },
		{ "ccm_in_local_%u_1", 8, 250000, 310100000, 1000, 3 },
		{ "ccm_out_local_%u_1", 8, 130000, 76100000, 1000, 5 },
		{ "ccm_in_remote_%u_1", 8, 115000, 60100000, 1000, 7 },
		{ "ccm_out_remote_%u_1", 8, 103000, 15100000, 1000, 11 },
		{ "xgmi_out_%u", 6, 5000, 50000000, 1000, 13 },
		{ "xgmi_in_%u", 6, 4000, 45000000, 1000, 17 },
		{ NULL, 0, 0, 0, 0, 0 }
	};

	(void)state;
	/* of each package 12 * 3 channels, 8 ports of cores * 10, 12 links */
	assert_int_equal(all_count("@turin-2s", turin, 16, 212), 256);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(on_rome_and_milan),
		cmocka_unit_test(on_genoa),
		cmocka_unit_test(on_turin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
