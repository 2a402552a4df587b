/*
 * tests/postproc/pages/test_zen_report.c - the figures of simulated EPYC nodes at work are those
 * that follow from the rates of their texts, by hand; nothing of them is out of
 * its range.  Steps from box to box make them differ in the fourth digit.
 */
#include "tests/lib/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Run it; what it prints, up to the size. */
static void
run(char *text, size_t size, const char *line)
{
	FILE *f = popen(line, "r");
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, size - 1, f);
	text[n] = '\0';
	if (pclose(f) != 0)
		fail_msg("%s: %s", line, text);
}

/* A dump of 30 s, of which seconds 10 to 30 are work. */
static void
sample(const char *machine, const char *config)
{
	char program[128], line[512], said[4096];

	snprintf(line, sizeof(line), "%s -q --sim %s %s%s --virtual-time -n 31 "
	    "--overwrite -o %s/z.lua 2>&1", built("tallyd", program), machine,
	    config[0] != '\0' ? "-c " : "", config, test_dir);
	run(said, sizeof(said), line);
}

static char *
figures(const char *command, const char *of)
{
	static char text[1 << 20];
	char program[128], line[512];

	snprintf(line, sizeof(line), "%s %s -s 15:25 %s/z.lua 2>&1",
	    built("tally", program), command, test_dir);
	run(text, sizeof(text), line);
	if (text[0] == '\0')
		fail_msg("%s: nothing", of);
	return text;
}

struct expected {
	const char *metric;
	double value;
};

static void
expect(const char *machine, const char *config, const struct expected *e)
{
	char *text, key[64];
	const char *at;

	sample(machine, config);
	text = figures("check", machine);
	if (strstr(text, " columns: sound\n") == NULL)
		fail_msg("%s %s: %s", machine, config, text);
	text = figures("metrics -f csv", machine);
	for (; e->metric != NULL; e++) {
		snprintf(key, sizeof(key), ",%s,node,,", e->metric);
		at = strstr(text, key);
		if (at == NULL)
			fail_msg("%s: no %s", machine, e->metric);
		if (fabs(strtod(at + strlen(key), NULL) / e->value - 1) > 5e-4)
			fail_msg("%s: %.40s, not %g", machine, at + 1,
			    e->value);
	}
}

static void
figures_of_rome_and_milan_follow_from_their_rates(void **state)
{
	static const struct expected rome[] = {
		{ "ipc", 3000 / 3300. },
		{ "package_power", 180 + 181 },
		{ "l3_miss_ratio", 16 },                /* 40 of 250 */
		{ "l3_miss_latency", 16 * 35 },
		{ "dram_bandwidth", 112.64 },           /* 16 * 0.11 * 64 */
		{ "xgmi_out", 6.4 },                    /* 8 * 0.025 * 32 */
		{ NULL, 0 }
	};
	static const struct expected milan[] = {
		{ "ipc", 3600 / 3500. },
		{ "package_power", 280 + 281 },
		{ "l3_miss_ratio", 15 },                /* 60 of 400 */
		{ "l3_miss_latency", 16 * 35 },
		{ "dram_bandwidth", 163.84 },           /* 16 * 0.16 * 64 */
		{ "xgmi_out", 7.68 },                   /* 8 * 0.03 * 32 */
		{ NULL, 0 }
	};

	(void)state;
	expect("@rome-7742-2s", "", rome);
	expect("@milan-7763-2s", "", milan);
	/* NPS4: what a package has is not of four nodes */
	expect(test_put("nps4.machine", "like @milan-7763-2s\nnodes 4\n"), "",
	    milan);
}

/* Memory controllers and the fabric, one or the other. */
static void
figures_of_genoa_follow_from_its_rates(void **state)
{
	static const struct expected work[] = {
		{ "ipc", 4800 / 3700. },
		{ "package_power", 360 + 361 },
		{ "l3_miss_ratio", 100 * 70 / 450. },
		{ "l3_miss_latency", 10 * 65.4 / 1.27 },
		{ "dram_read", 368.64 },                /* 24 * 0.24 * 64 */
		{ "dram_write", 168.96 },               /* 24 * 0.11 * 64 */
		{ "dram_bandwidth", 537.6 },
		{ "dram_busy", 100 * 2.8 / 2 / 2.4 },
		{ "dram_transfers", 4800 },
		{ "xgmi_out", 40.96 },                  /* 16 * 0.04 * 64 */
		{ "dma_read", 28.16 },                  /* 8 * 0.055 * 64 */
		{ "dma_write", 16.384 },                /* 8 * 0.032 * 64 */
		{ NULL, 0 }
	};
	static const struct expected fabric[] = {
		{ "dram_read", 368.64 }, { "dram_write", 168.96 },
		{ "xgmi_out", 40.96 }, { "dma_read", 28.16 }, { NULL, 0 }
	};

	(void)state;
	expect("@genoa-9654-2s", "", work);
	expect("@genoa-9654-2s", "@fabric", fabric);
}

static void
figures_of_turin_follow_from_its_rates(void **state)
{
	static const struct expected work[] = {
		{ "ipc", 6000 / 4100. },
		{ "package_power", 500 + 501 },
		{ "l3_miss_ratio", 16 },                /* 80 of 500 */
		{ "l3_miss_latency", 10 * 78.48 / 1.524 },
		{ "dram_read", 399.36 },                /* 24 * 0.26 * 64 */
		{ "dram_write", 192 },                  /* 24 * 0.125 * 64 */
		{ "dram_busy", 100 * 3.08 / 2 / 3.2 },
		{ "dram_transfers", 6400 },
		{ "xgmi_out", 38.4 },                   /* 12 * 0.05 * 64 */
		{ "xgmi_in", 34.56 },                   /* 12 * 0.045 * 64 */
		{ "dma_read", 33.792 },                 /* 16 * 0.033 * 64 */
		{ "dma_write", 21.504 },                /* 16 * 0.021 * 64 */
		{ NULL, 0 }
	};
	static const struct expected fabric[] = {
		{ "dram_read", 399.36 }, { "dram_write", 192 },
		{ "xgmi_in", 34.56 }, { NULL, 0 }
	};

	(void)state;
	expect("@turin-2s", "", work);
	expect("@turin-2s", "@fabric", fabric);
}

/* @hpc: DRAM beside FLOPs, so that there is FLOP a byte, and all slots of dispatch. */
static void
figures_of_hpc_follow_from_the_rates(void **state)
{
	static const struct expected rome[] = {
		{ "dram_bandwidth", 112.64 },
		{ "l3_miss_ratio", 16 },
		/* 256 * 48 GFLOP/s */
		{ "arithmetic_intensity", 256 * 48 / 112.64 },
		/* 40 + 30 of what misses beside: 6 + 20.25 + 5 */
		{ "l2_hit_ratio", 100 * 70 / 101.25 },
		{ "remote_dram", 10 },                  /* 0.3 of 3 */
		{ NULL, 0 }
	};
	static const struct expected milan[] = {
		{ "dram_bandwidth", 163.84 },
		{ "l3_miss_ratio", 15 },
		{ "arithmetic_intensity", 256 * 56 / 163.84 },
		{ "l1d_fills_dram", 100 * 3.6 / 44 },
		{ "remote_dram", 100 / 6. },            /* 0.4 of 2.4 */
		{ NULL, 0 }
	};
	/* slots: 22.2e9 and 32.8e9 */
	static const struct expected genoa[] = {
		{ "dram_read", 368.64 }, { "dram_write", 168.96 },
		{ "l3_miss_ratio", 100 * 70 / 450. },
		{ "arithmetic_intensity", 384 * 59.2 / 537.6 },
		{ "retiring", 528 / 22.2 }, { "bad_speculation", 27 / 22.2 },
		{ "frontend_bound", 6 }, { "backend_bound", 39 },
		{ "smt_contention", 30 }, { "memory_bound", 26 },
		{ "frontend_latency", 600 * 0.12 / 22.2 },
		{ "vectorization_ratio", 192 / 1.95 },
		{ "remote_dram", 100 / 7. },            /* 0.4 of 2.8 */
		{ NULL, 0 }
	};
	static const struct expected turin[] = {
		{ "dram_read", 399.36 }, { "dram_write", 192 },
		{ "l3_miss_ratio", 16 },
		{ "arithmetic_intensity", 512 * 131.2 / 591.36 },
		{ "retiring", 660 / 32.8 }, { "bad_speculation", 28.8 / 32.8 },
		{ "frontend_bound", 6 }, { "backend_bound", 43 },
		{ "smt_contention", 30 },
		{ "vectorization_ratio", 425 / 6.3 },
		{ "remote_dram", 10 },
		{ NULL, 0 }
	};

	(void)state;
	expect("@rome-7742-2s", "@hpc", rome);
	expect("@milan-7763-2s", "@hpc", milan);
	expect("@genoa-9654-2s", "@hpc", genoa);
	expect("@turin-2s", "@hpc", turin);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_of_rome_and_milan_follow_from_their_rates),
		cmocka_unit_test(figures_of_genoa_follow_from_its_rates),
		cmocka_unit_test(figures_of_turin_follow_from_its_rates),
		cmocka_unit_test(figures_of_hpc_follow_from_the_rates),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
