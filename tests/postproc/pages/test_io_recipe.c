/*
 * tests/postproc/pages/test_io_recipe.c - VTune's I/O recipe (reference 12.1): from a dump that
 * has the recipe's events alone, under the names of Intel's lists, each of its
 * metrics is what icx-8358-2s.machine implies: with all events at once, and with
 * event sets taking turns.
 */
#include "tests/lib/files.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/pages/io_page.h"

#define SECOND UINT64_C(1000000000)

/* The recipe's metrics, near the card and far from it. */
static const struct recipe {
	int line;
	const char *metric;
	int pkg, stack;         /* -1: of the package, of the node */
	double near, far;
} recipe[] = {
	{ __LINE__, "pcie_in_read_part0", 0, 0, 10.24, 10.24 },
	{ __LINE__, "pcie_in_write_part0", 0, 0, 10.24, 10.24 },
	{ __LINE__, "pcie_out_read_part0", 0, 0, 0.004, 0.004 },
	{ __LINE__, "pcie_out_write_part0", 0, 0, 0.08, 0.08 },
	{ __LINE__, "pcie_in_write_part2", 1, 4, 0.4, 0.4 },
	{ __LINE__, "pcie_in_write_part1", 0, 3, 0.01, 0.01 },
	{ __LINE__, "pcie_in_read", 0, -1, 10.24, 10.24 },
	{ __LINE__, "pcie_in_write", 0, -1, 10.25, 10.25 },
	{ __LINE__, "pcie_in_write", -1, -1, 10.65, 10.65 },
	{ __LINE__, "pcie_out_read", -1, -1, 0.004, 0.004 },
	{ __LINE__, "pcie_out_write", -1, -1, 0.081, 0.081 },
	{ __LINE__, "pcie_total", -1, -1, 21.175, 21.175 },
	/* 32 CHAs x 50,000 of 250e6; 32 x (225,000 + 25,000) of 160e6 */
	{ __LINE__, "io_l3_read_miss", 0, -1, 0.64, 25.6 },
	{ __LINE__, "io_l3_read_hit", 0, -1, 99.36, 74.4 },
	{ __LINE__, "io_l3_write_miss", 0, -1, 5, 60 },
	{ __LINE__, "io_l3_write_hit", 0, -1, 95, 40 },
	{ __LINE__, "io_l3_write_miss", -1, -1, 5, 60 },
	/* 24e9 / 160e6 / 0.5 GHz; (19.8e9 - 16e9) / 158.4e6 / 0.625 GHz */
	{ __LINE__, "io_read_latency", 0, 0, 300, 500 },
	{ __LINE__, "io_read_latency", 0, -1, 300, 500 },
	{ __LINE__, "io_write_latency", 0, 0, 3.8e3 / 158.4 / 0.625,
	  7.2e3 / 156.8 / 0.625 },
	{ __LINE__, "io_conflicts", 0, 0, 160 / 158.4, 320 / 156.8 },
	{ __LINE__, "vtd_rate", 0, 0, 40, 40 },
	/* 2e6 of 40e6; 75e6 / 2e6 / 0.5 GHz; 2.2e6 / 2e6 */
	{ __LINE__, "iotlb_miss", 0, 0, 5, 5 },
	{ __LINE__, "iotlb_hit", 0, 0, 95, 95 },
	{ __LINE__, "iotlb_penalty", 0, 0, 75, 800 },
	{ __LINE__, "iotlb_accesses", 0, 0, 1.1, 4.5 },
};

/* Its events, as the machine counts them in a second. */
static const struct rate {
	const char *column;
	uint64_t near, far;
} rates[] = {
	{ "iio_counts[0][0][\"UNC_IIO_CLOCKTICKS\"]", 500000000, 500000000 },
	{ "iio_counts[0][0][\"UNC_IIO_COMP_BUF_INSERTS.CMPD.ALL_PARTS\"]",
	  160000000, 160000000 },
	{ "iio_counts[0][0][\"UNC_IIO_COMP_BUF_OCCUPANCY.CMPD.ALL_PARTS\"]",
	  24000000000, 40000000000 },
	{ "iio_counts[0][0][\"UNC_IIO_IOMMU0.FIRST_LOOKUPS\"]",
	  40000000, 40000000 },
	{ "iio_counts[0][0][\"UNC_IIO_IOMMU0.CTXT_CACHE_LOOKUPS\"]",
	  2000000, 2000000 },
	{ "iio_counts[0][0][\"UNC_IIO_PWT_OCCUPANCY\"]", 75000000, 800000000 },
	{ "iio_counts[0][0][\"UNC_IIO_TXN_REQ_OF_CPU.MEM_READ.IOMMU1\"]",
	  2200000, 9000000 },
	{ "irp_counts[0][0][\"UNC_I_CLOCKTICKS\"]", 625000000, 625000000 },
	{ "irp_counts[0][0][\"UNC_I_FAF_INSERTS\"]", 250000000, 250000000 },
	{ "irp_counts[0][0][\"UNC_I_FAF_OCCUPANCY\"]",
	  16000000000, 32000000000 },
	{ "irp_counts[0][0][\"UNC_I_CACHE_TOTAL_OCCUPANCY.MEM\"]",
	  19800000000, 39200000000 },
	{ "irp_counts[0][0][\"UNC_I_TRANSACTIONS.WR_PREF\"]",
	  158400000, 156800000 },
	{ "irp_counts[0][0][\"UNC_I_MISC1.LOST_FWD\"]", 1600000, 3200000 },
	/* 32 CHAs together */
	{ "cha_counts[0][5][\"UNC_CHA_TOR_INSERTS.IO_MISS_PCIRDCUR\"]",
	  1600000, 64000000 },
	{ "cha_counts[0][5][\"UNC_CHA_TOR_INSERTS.IO_MISS_ITOM\"]",
	  7200000, 89600000 },
	{ "cha_counts[0][5][\"UNC_CHA_TOR_INSERTS.IO_MISS_ITOMCACHENEAR\"]",
	  800000, 6400000 },
};

/* The four bandwidths, by stacks and parts that move anything. */
static const struct traffic {
	unsigned pkg, stack, part;
	uint64_t n[4];
} traffic[] = {
	{ 0, 0, 0, { 2560000000, 2560000000, 1000000, 20000000 } },
	{ 0, 3, 1, { 0, 2500000, 0, 0 } },
	{ 1, 4, 2, { 50000000, 100000000, 0, 250000 } },
};

static const char *const moved[] = { "DATA_REQ_OF_CPU.MEM_READ",
	"DATA_REQ_OF_CPU.MEM_WRITE", "DATA_REQ_OF_CPU.CMPD",
	"DATA_REQ_BY_CPU.MEM_WRITE" };

static uint64_t
bytes_of(unsigned pkg, unsigned stack, unsigned part, unsigned way)
{
	for (size_t i = 0; i < sizeof(traffic) / sizeof(traffic[0]); i++)
		if (traffic[i].pkg == pkg && traffic[i].stack == stack &&
		    traffic[i].part == part)
			return traffic[i].n[way];
	return 0;
}

/* "iio_counts[0][0]["UNC_IIO_COMP_BUF_INSERTS.CMPD.ALL_PARTS"]" with another word
 * for the last. */
static const char *
of_parts(const char *column, const char *parts, char *buf, size_t size)
{
	static const char all[] = ".ALL_PARTS";
	const char *at = strstr(column, all);

	if (at == NULL)
		return column;
	snprintf(buf, size, "%.*s%s%s", (int)(at - column), column, parts,
	    at + sizeof(all) - 1);
	return buf;
}

/* A dump of one second of all of them. */
static void
put_at_once(const char *dir, bool far, const char *parts)
{
	char buf[128];
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	fprintf(f, "model = \"icx\"\nTSC_ratio = 10\npackages = 2\n"
	    "nr_cpus = 2\nlproc_package = {}\nlproc_package[0] = 0\n"
	    "lproc_package[1] = 1\nio_devices = 2\n"
	    "io_device_package[0] = 0\nio_device_stack[0] = 0\n"
	    "io_device_part[0] = 0\nio_device_max_link_width[0] = 16\n"
	    "io_device_max_link_speed[0] = 16\n"
	    "io_device_package[1] = 1\nio_device_stack[1] = 4\n"
	    "io_device_part[1] = 2\nio_device_max_link_width[1] = 4\n"
	    "io_device_max_link_speed[1] = 16\n");
	for (unsigned i = 0; i < 2; i++) {
		fprintf(f, "tsc[%u] = %" PRIu64 "\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n", i, i * SECOND, i, 1000 + i, i);
		for (size_t k = 0; k < sizeof(rates) / sizeof(rates[0]); k++)
			fprintf(f, "%s[%u] = %" PRIu64 "\n", of_parts(
			    rates[k].column, parts, buf, sizeof(buf)), i, 77 +
			    i * (far ? rates[k].far : rates[k].near));
		for (unsigned k = 0; k < 2 * 6 * 8 * 4; k++)
			fprintf(f, "iio_counts[%u][%u][\"UNC_IIO_%s.PART%u\"]"
			    "[%u] = %" PRIu64 "\n", k / 192, k / 32 % 6,
			    moved[k % 4], k / 4 % 8, i, 77 + i * bytes_of(
			    k / 192, k / 32 % 6, k / 4 % 8, k % 4));
	}
	assert_int_equal(fclose(f), 0);
	tree_text(dir, "/dump", text);
	free(text);
}

static double
link_use(struct io_page *p, int pkg, int stack, int part)
{
	const struct io_port *x = io_port_at(p, pkg, stack, part);

	assert_non_null(x);
	return io_flow(p, x, pkg, stack, part).link.value;
}

static void
check(const char *dir, const char *samples, bool far, double within)
{
	struct gather_ask ask = { .nmetrics = 0 };
	struct diag why = { "" };
	struct io_page p;
	char path[128];

	snprintf(path, sizeof(path), "%s/dump", dir);
	assert_int_equal(select_parse(&ask.select, samples, &why), 0);
	if (io_page_open(&p, path, &ask, &why) < 0)
		fail_msg("%s", why.text);
	for (size_t i = 0; i < sizeof(recipe) / sizeof(recipe[0]); i++) {
		const struct recipe *x = &recipe[i];
		double want = far ? x->far : x->near;
		double v = io_figure(&p, x->metric, x->pkg, x->stack).value;

		if (!(fabs(v - want) <= within * want))
			fail_msg("line %d: %s is %.12g, not %.12g (%s), lacks "
			    "%s", x->line, x->metric, v, want, far ? "far" :
			    "near", io_missing(&p, x->metric));
	}
	/* 20564 MB/s of 16 GT/s x 1000 / 8 x 16 x 2; the drive, which writes twice
	 * what it reads, 601 of 16 x 1000 / 8 x 4 x 2 */
	assert_true(fabs(link_use(&p, 0, 0, 0) - 32.13125) < 32 * within);
	assert_true(fabs(link_use(&p, 1, 4, 2) - 3.75625) < 4 * within);
	io_page_close(&p);
}

static void
all_events_of_the_recipe_at_once_give_all_of_its_metrics(void **state)
{
	/* the completion buffer is counted of all parts, or by part */
	static const char *const parts[] = { ".ALL_PARTS", ".ALL", ".PART0",
	    "" };
	char *dir = tree_new();

	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		put_at_once(dir, i % 2, parts[i / 2]);
		check(dir, "", i % 2, 1e-10);
	}
	tree_free(dir);
}

/* A configuration of these events alone, by name. */
static void
put_config(const char *dir)
{
	static const char *const rest[] = {
		"event UNC_IIO_COMP_BUF_OCCUPANCY.CMPD.ALL_PARTS\n"
		"event UNC_IIO_COMP_BUF_INSERTS.CMPD.ALL_PARTS\n"
		"event UNC_IIO_CLOCKTICKS\n"
		"event UNC_I_CACHE_TOTAL_OCCUPANCY.MEM\n"
		"event UNC_I_FAF_OCCUPANCY\n",
		"event UNC_IIO_IOMMU0.FIRST_LOOKUPS\n"
		"event UNC_IIO_IOMMU0.CTXT_CACHE_LOOKUPS\n"
		"event UNC_IIO_PWT_OCCUPANCY\n"
		"event UNC_IIO_TXN_REQ_OF_CPU.MEM_READ.IOMMU1\n"
		"event UNC_I_TRANSACTIONS.WR_PREF\n"
		"event UNC_I_MISC1.LOST_FWD\n",
		"event UNC_I_FAF_INSERTS\nevent UNC_I_CLOCKTICKS\n",
	};
	char *text = NULL, list[2][512];
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	fprintf(f, "event-list %s\nevent-list %s\n",
	    perfmon("ICX/events/icelakex_uncore.json", list[0]),
	    perfmon("ICX/events/icelakex_uncore_experimental.json", list[1]));
	fprintf(f, "event UNC_CHA_TOR_INSERTS.IO_MISS_PCIRDCUR\n"
	    "event UNC_CHA_TOR_INSERTS.IO_MISS_ITOM\n"
	    "event UNC_CHA_TOR_INSERTS.IO_MISS_ITOMCACHENEAR\n");
	for (unsigned i = 0; i < 3; i++)
		fprintf(f, "set rest%u\n%s", i, rest[i]);
	for (unsigned p = 0; p < 8; p++)
		fprintf(f, "set in%u\nevent UNC_IIO_%s.PART%u\n"
		    "event UNC_IIO_%s.PART%u\nevent UNC_IIO_%s.PART%u\n", p,
		    moved[0], p, moved[1], p, moved[3], p);
	for (unsigned p = 0; p < 8; p += 2)
		fprintf(f, "set out%u\nevent UNC_IIO_%s.PART%u\n"
		    "event UNC_IIO_%s.PART%u\n", p, moved[2], p, moved[2],
		    p + 1);
	assert_int_equal(fclose(f), 0);
	tree_text(dir, "/c", text);
	free(text);
}

/* Near from second 10 to 30, far to 50; fifteen sets, which have
 * six turns each in every sample, so that any one will do. */
static void
its_events_in_turns_give_all_of_its_metrics(void **state)
{
	char *dir = tree_new(), tallyd[512], command[1024];

	(void)state;
	put_config(dir);
	snprintf(command, sizeof(command), "%s -q --sim @icx-8358-2s "
	    "--virtual-time -c %s/c -n 56 -o %s/dump", built("tallyd",
	    tallyd), dir, dir);
	if (system(command) != 0)
		fail_msg("%s", command);
	check(dir, "12:27", false, 2e-5);
	check(dir, "33:48", true, 2e-5);
	check(dir, "20:21", false, 2e-4);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    all_events_of_the_recipe_at_once_give_all_of_its_metrics),
		cmocka_unit_test(its_events_in_turns_give_all_of_its_metrics),
	};

	return cmocka_run_group_tests_name("io recipe", tests, NULL, NULL);
}
