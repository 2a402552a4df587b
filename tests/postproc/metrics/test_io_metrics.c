/*
 * tests/postproc/metrics/test_io_metrics.c - the formulas of the I/O analysis, with numbers
 * worked out by hand and each of their inputs missing in turn; and the views.
 * test_io_simulated.c has the same on a simulated node.
 */
#include "tests/lib/tally_command.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/pages/io_page.h"

#define SECOND UINT64_C(1000000000)

/* ---- a dump of two samples, one second apart ---- */

#define STACK(f, e) f "_counts[0][2][\"" e "\"]"

struct count {
	const char *column;
	uint64_t n;
};

static const struct count icx_counts[] = {
	/* 4 bytes each: 2, 1, 0.1 and 0.3 GB/s; 0.2 that the CPU asks for */
	{ STACK("iio", "DATA_REQ_OF_CPU.MEM_READ.PART3"), 500000000 },
	{ STACK("iio", "DATA_REQ_OF_CPU.MEM_WRITE.PART3"), 250000000 },
	{ STACK("iio", "DATA_REQ_OF_CPU.CMPD.PART3"), 25000000 },
	{ STACK("iio", "DATA_REQ_BY_CPU.MEM_READ.PART3"), 50000000 },
	{ STACK("iio", "DATA_REQ_BY_CPU.MEM_WRITE.PART3"), 75000000 },
	/* 0.4e6 of 1.6e6 lines looked up for reads miss, 0.24e6 of 0.6e6 for
	 * writes, 0.23e6 of these not by RFOs; there are 2e6 reads, and 0.5e6
	 * writes of which 0.1e6 had to be done again */
	{ "cha_counts[0][0][\"TOR_INSERTS.IO_MISS_PCIRDCUR\"]", 300000 },
	{ "cha_counts[0][7][\"TOR_INSERTS.IO_MISS_PCIRDCUR\"]", 100000 },
	{ "cha_counts[0][0][\"TOR_INSERTS.IO_PCIRDCUR\"]", 1000000 },
	{ "cha_counts[0][7][\"TOR_INSERTS.IO_PCIRDCUR\"]", 600000 },
	{ "cha_counts[0][7][\"TOR_INSERTS.IO_MISS_ITOM\"]", 200000 },
	{ "cha_counts[0][7][\"TOR_INSERTS.IO_ITOM\"]", 450000 },
	{ "cha_counts[0][7][\"TOR_INSERTS.IO_MISS_ITOMCACHENEAR\"]", 30000 },
	{ "cha_counts[0][7][\"TOR_INSERTS.IO_ITOMCACHENEAR\"]", 100000 },
	{ "cha_counts[0][7][\"TOR_INSERTS.IO_MISS_RFO\"]", 10000 },
	{ "cha_counts[0][7][\"TOR_INSERTS.IO_RFO\"]", 50000 },
	{ STACK("irp", "FAF_INSERTS"), 2000000 },
	{ STACK("irp", "TRANSACTIONS.WR_PREF"), 500000 },
	{ STACK("irp", "MISC1.LOST_FWD"), 100000 },
	/* 300 clocks of 2.5 ns; 16, 100 and 100 - 64 of 2 ns */
	{ STACK("iio", "COMP_BUF_OCCUPANCY.CMPD.ALL_PARTS"), 90000000 },
	{ STACK("iio", "COMP_BUF_INSERTS.CMPD.ALL_PARTS"), 300000 },
	{ STACK("iio", "CLOCKTICKS"), 400000000 },
	{ STACK("irp", "FAF_OCCUPANCY"), 32000000 },
	{ STACK("irp", "CACHE_TOTAL_OCCUPANCY.MEM"), 50000000 },
	{ STACK("irp", "CLOCKTICKS"), 500000000 },
	/* 0.25e6 of 2e6 look up the context cache, for 320 clocks and 3 reads;
	 * 1.6e6 are counted to hit and 0.4e6 to miss: 200 clocks, 2.5 reads */
	{ STACK("iio", "IOMMU0.FIRST_LOOKUPS"), 2000000 },
	{ STACK("iio", "IOMMU0.4K_HITS"), 1000000 },
	{ STACK("iio", "IOMMU0.2M_HITS"), 500000 },
	{ STACK("iio", "IOMMU0.1G_HITS"), 100000 },
	{ STACK("iio", "IOMMU0.MISSES"), 400000 },
	{ STACK("iio", "IOMMU0.CTXT_CACHE_LOOKUPS"), 250000 },
	{ STACK("iio", "TXN_REQ_OF_CPU.MEM_READ.IOMMU0"), 900000 },
	{ STACK("iio", "TXN_REQ_OF_CPU.MEM_READ.IOMMU1"), 750000 },
	{ STACK("iio", "PWT_OCCUPANCY"), 80000000 },
	{ STACK("iio", "IOMMU1.NUM_MEM_ACCESSES"), 1000000 },
	{ "imc_ddr_read_bytes[0][1]", 6400000000 },
	{ "imc_ddr_write_bytes[0][1]", 1600000000 },
	/* 150e6 flits in three slots, in 5/6 of 600e6 active clocks */
	{ "upi_counts[0][0][\"TxL_FLITS.ALL_DATA\"]", 90000000 },
	{ "upi_counts[0][0][\"TxL_FLITS.NON_DATA\"]", 60000000 },
	{ "upi_counts[0][0][\"CLOCKTICKS\"]", 700000000 },
	{ "upi_counts[0][0][\"L1_POWER_CYCLES\"]", 100000000 },
	{ NULL, 0 }
};

static const struct count skx_counts[] = {
	{ STACK("iio", "DATA_REQ_OF_CPU.MEM_READ.PART3"), 500000000 },
	{ STACK("iio", "DATA_REQ_OF_CPU.MEM_WRITE.PART3"), 250000000 },
	{ STACK("iio", "DATA_REQ_BY_CPU.MEM_READ.PART3"), 25000000 },
	{ STACK("iio", "DATA_REQ_BY_CPU.MEM_WRITE.PART3"), 75000000 },
	{ "cha_counts[0][7][\"TOR_INSERTS.IO_MISS_RDCUR\"]", 400000 },
	{ "cha_counts[0][7][\"TOR_INSERTS.IO_RDCUR\"]", 1600000 },
	{ "cha_counts[0][7][\"TOR_INSERTS.IO_MISS_ITOM\"]", 200000 },
	{ "cha_counts[0][7][\"TOR_INSERTS.IO_ITOM\"]", 620000 },
	{ "cha_counts[0][7][\"TOR_INSERTS.IO_MISS_RFO\"]", 40000 },
	{ "cha_counts[0][7][\"TOR_INSERTS.IO_RFO\"]", 100000 },
	{ STACK("irp", "FAF_INSERTS"), 2000000 },
	{ STACK("irp", "TRANSACTIONS.WR_PREF"), 500000 },
	{ STACK("irp", "MISC1.LOST_FWD"), 100000 },
	{ STACK("iio", "COMP_BUF_OCCUPANCY.CMPD.ALL_PARTS"), 90000000 },
	{ STACK("iio", "COMP_BUF_INSERTS.CMPD.ALL_PARTS"), 300000 },
	{ STACK("iio", "CLOCKTICKS"), 400000000 },
	{ STACK("irp", "FAF_OCCUPANCY"), 32000000 },
	{ STACK("irp", "CACHE_TOTAL_OCCUPANCY.MEM"), 50000000 },
	{ STACK("irp", "CLOCKTICKS"), 500000000 },
	{ STACK("iio", "VTD_ACCESS.TLB_MISS"), 400000 },
	{ STACK("iio", "VTD_OCCUPANCY"), 80000000 },
	{ STACK("iio", "TXN_REQ_OF_CPU.MEM_READ.VTD0"), 600000 },
	{ STACK("iio", "TXN_REQ_OF_CPU.MEM_READ.VTD1"), 400000 },
	{ "imc_counts[0][1][\"CAS_COUNT.RD\"]", 100000000 },
	{ "imc_counts[0][1][\"CAS_COUNT.WR\"]", 25000000 },
	{ "upi_counts[0][0][\"TxL_FLITS.ALL_DATA\"]", 90000000 },
	{ "upi_counts[0][0][\"TxL_FLITS.NON_DATA\"]", 60000000 },
	{ "upi_counts[0][0][\"CLOCKTICKS\"]", 700000000 },
	{ "upi_counts[0][0][\"L1_POWER_CYCLES\"]", 100000000 },
	{ NULL, 0 }
};

/* Everything but the columns that have `without` in their name; `more` is
 * put at the head. */
static void
put_dump(const char *dir, const char *model, const struct count *count,
    const char *without, const char *more)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	fprintf(f, "model = \"%s\"\nhost = \"by-hand\"\nTSC_ratio = 10\n"
	    "packages = 1\nnr_cpus = 1\nlproc_package = {}\n"
	    "lproc_package[0] = 0\n"
	    "io_devices = 1\nio_device_address = {}\n"
	    "io_device_address[0] = \"0000:3b:00.0\"\n"
	    "io_device_name[0] = \"Card\"\nio_device_package[0] = 0\n"
	    "io_device_stack[0] = 2\nio_device_part[0] = 3\n"
	    "io_device_max_link_width[0] = 4\n"
	    "io_device_max_link_speed[0] = 8\n"
	    "family_bits = {}\nfamily_bits[\"imc_ddr_read_bytes\"] = 48\n"
	    "family_bits[\"imc_ddr_write_bytes\"] = 48\n%s\n", model, more);
	if (strcmp(without, "dram_max_bandwidth") != 0)
		fprintf(f, "dram_max_bandwidth = 32000000000\n");
	for (unsigned i = 0; i < 2; i++) {
		fprintf(f, "tsc[%u] = %" PRIu64 "\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n", i, i * SECOND, i, 1000 + i, i);
		for (const struct count *c = count; c->column != NULL; c++)
			if (without[0] == '\0' ||
			    strstr(c->column, without) == NULL)
				fprintf(f, "%s[%u] = %" PRIu64 "\n", c->column,
				    i, 1000 + i * c->n);
	}
	assert_int_equal(fclose(f), 0);
	tree_text(dir, "/dump", text);
	free(text);
}

static void
open_dump(struct io_page *p, const char *dir)
{
	char path[128];
	struct gather_ask ask = { .nmetrics = 0 };
	struct diag why = { "" };

	snprintf(path, sizeof(path), "%s/dump", dir);
	if (io_page_open(p, path, &ask, &why) < 0)
		fail_msg("%s", why.text);
}

/* ---- each formula ---- */

static const struct formula {
	int line;
	const char *metric;
	int stack;              /* -1: the package; -2: the node */
	double value;
	const char *inputs[6];  /* as columns spell them */
} icx_formulas[] = {
	{ __LINE__, "pcie_in_read", 2, 2.0,
	  { "DATA_REQ_OF_CPU.MEM_READ" } },
	{ __LINE__, "pcie_in_write", 2, 1.0,
	  { "DATA_REQ_OF_CPU.MEM_WRITE" } },
	{ __LINE__, "pcie_out_read", 2, 0.1,
	  { "DATA_REQ_OF_CPU.CMPD" } },
	{ __LINE__, "pcie_out_read_asked", 2, 0.2,
	  { "DATA_REQ_BY_CPU.MEM_READ" } },
	{ __LINE__, "pcie_out_write", 2, 0.3,
	  { "DATA_REQ_BY_CPU.MEM_WRITE" } },
	{ __LINE__, "pcie_in_read_part3", 2, 2.0,
	  { "DATA_REQ_OF_CPU.MEM_READ" } },
	{ __LINE__, "pcie_out_write_part3", 2, 0.3,
	  { "DATA_REQ_BY_CPU.MEM_WRITE" } },
	{ __LINE__, "pcie_out_read_part3", 2, 0.1,
	  { "DATA_REQ_OF_CPU.CMPD" } },
	{ __LINE__, "pcie_total", 2, 3.4,
	  { "DATA_REQ_OF_CPU.MEM_READ", "DATA_REQ_OF_CPU.MEM_WRITE",
	    "DATA_REQ_OF_CPU.CMPD", "DATA_REQ_BY_CPU.MEM_WRITE" } },
	{ __LINE__, "pcie_total", -1, 3.4, { NULL } },
	{ __LINE__, "pcie_total", -2, 3.4, { NULL } },
	{ __LINE__, "io_l3_read_miss", -1, 20,
	  { "IO_MISS_PCIRDCUR", "FAF_INSERTS" } },
	{ __LINE__, "io_l3_read_hit", -1, 80,
	  { "IO_MISS_PCIRDCUR", "FAF_INSERTS" } },
	{ __LINE__, "io_l3_write_miss", -1, 23.0 / 0.6,
	  { "IO_MISS_ITOM\"", "IO_MISS_ITOMCACHENEAR", "WR_PREF",
	    "LOST_FWD" } },
	{ __LINE__, "io_l3_write_hit", -2, 37.0 / 0.6,
	  { "IO_MISS_ITOM\"", "IO_MISS_ITOMCACHENEAR", "WR_PREF",
	    "LOST_FWD" } },
	{ __LINE__, "io_lookup_read_miss", -1, 25,
	  { "IO_MISS_PCIRDCUR", "IO_PCIRDCUR" } },
	{ __LINE__, "io_lookup_write_miss", -1, 40,
	  { "IO_MISS_ITOM\"", "IO_MISS_ITOMCACHENEAR", "IO_MISS_RFO",
	    "IO_ITOM\"", "IO_ITOMCACHENEAR", "IO_RFO" } },
	{ __LINE__, "io_read_latency", 2, 750,
	  { "COMP_BUF_OCCUPANCY", "COMP_BUF_INSERTS",
	    "iio_counts[0][2][\"CLOCKTICKS" } },
	{ __LINE__, "io_read_queue_latency", 2, 32,
	  { "FAF_OCCUPANCY", "FAF_INSERTS",
	    "irp_counts[0][2][\"CLOCKTICKS" } },
	{ __LINE__, "io_write_latency", 2, 72,
	  { "CACHE_TOTAL_OCCUPANCY", "FAF_OCCUPANCY", "WR_PREF",
	    "irp_counts[0][2][\"CLOCKTICKS" } },
	{ __LINE__, "io_irp_residency", 2, 200,
	  { "CACHE_TOTAL_OCCUPANCY", "WR_PREF",
	    "irp_counts[0][2][\"CLOCKTICKS" } },
	{ __LINE__, "io_conflicts", 2, 20, { "LOST_FWD", "WR_PREF" } },
	{ __LINE__, "vtd_rate", 2, 2, { "FIRST_LOOKUPS" } },
	{ __LINE__, "iotlb_hit", 2, 87.5,
	  { "FIRST_LOOKUPS", "CTXT_CACHE_LOOKUPS" } },
	{ __LINE__, "iotlb_miss", 2, 12.5,
	  { "FIRST_LOOKUPS", "CTXT_CACHE_LOOKUPS" } },
	{ __LINE__, "iotlb_penalty", 2, 800,
	  { "PWT_OCCUPANCY", "CTXT_CACHE_LOOKUPS",
	    "iio_counts[0][2][\"CLOCKTICKS" } },
	{ __LINE__, "iotlb_accesses", 2, 3,
	  { "MEM_READ.IOMMU1", "CTXT_CACHE_LOOKUPS" } },
	{ __LINE__, "iotlb_counted_hit", 2, 80,
	  { "FIRST_LOOKUPS", "4K_HITS", "2M_HITS", "1G_HITS" } },
	{ __LINE__, "iotlb_counted_miss", 2, 20,
	  { "FIRST_LOOKUPS", "MISSES" } },
	{ __LINE__, "iotlb_counted_penalty", 2, 500,
	  { "PWT_OCCUPANCY", "MISSES", "iio_counts[0][2][\"CLOCKTICKS" } },
	{ __LINE__, "iotlb_counted_accesses", 2, 2.5,
	  { "NUM_MEM_ACCESSES", "MISSES" } },
	{ __LINE__, "dram_read", -1, 6.4, { "imc_ddr_read_bytes" } },
	{ __LINE__, "dram_write", -1, 1.6, { "imc_ddr_write_bytes" } },
	{ __LINE__, "dram_bandwidth", -2, 8,
	  { "imc_ddr_read_bytes", "imc_ddr_write_bytes" } },
	{ __LINE__, "dram_utilisation", -2, 25,
	  { "imc_ddr_read_bytes", "imc_ddr_write_bytes",
	    "dram_max_bandwidth" } },
	{ __LINE__, "upi_out", 0, 0.64, { "ALL_DATA" } },
	{ __LINE__, "upi_utilisation", 0, 10,
	  { "ALL_DATA", "NON_DATA", "upi_counts[0][0][\"CLOCKTICKS",
	    "L1_POWER_CYCLES" } },
};

static const struct formula skx_formulas[] = {
	{ __LINE__, "pcie_total", 2, 3.4,
	  { "DATA_REQ_OF_CPU.MEM_READ", "DATA_REQ_OF_CPU.MEM_WRITE",
	    "DATA_REQ_BY_CPU.MEM_READ", "DATA_REQ_BY_CPU.MEM_WRITE" } },
	{ __LINE__, "pcie_in_read_part3", 2, 2.0,
	  { "DATA_REQ_OF_CPU.MEM_READ" } },
	{ __LINE__, "io_l3_read_miss", -1, 20,
	  { "IO_MISS_RDCUR", "FAF_INSERTS" } },
	{ __LINE__, "io_l3_write_miss", -1, 40,
	  { "IO_MISS_ITOM", "IO_MISS_RFO", "WR_PREF", "LOST_FWD" } },
	{ __LINE__, "io_lookup_read_miss", -1, 25,
	  { "IO_MISS_RDCUR", "IO_RDCUR" } },
	{ __LINE__, "io_lookup_write_miss", -1, 100.0 / 3,
	  { "IO_MISS_ITOM", "IO_MISS_RFO", "IO_ITOM", "IO_RFO" } },
	{ __LINE__, "io_read_latency", 2, 750,
	  { "COMP_BUF_OCCUPANCY", "COMP_BUF_INSERTS",
	    "iio_counts[0][2][\"CLOCKTICKS" } },
	{ __LINE__, "io_read_queue_latency", 2, 32,
	  { "FAF_OCCUPANCY", "FAF_INSERTS",
	    "irp_counts[0][2][\"CLOCKTICKS" } },
	{ __LINE__, "io_write_latency", 2, 72,
	  { "CACHE_TOTAL_OCCUPANCY", "FAF_OCCUPANCY", "WR_PREF",
	    "irp_counts[0][2][\"CLOCKTICKS" } },
	{ __LINE__, "io_irp_residency", 2, 200,
	  { "CACHE_TOTAL_OCCUPANCY", "WR_PREF",
	    "irp_counts[0][2][\"CLOCKTICKS" } },
	{ __LINE__, "io_conflicts", 2, 20, { "LOST_FWD", "WR_PREF" } },
	{ __LINE__, "iotlb_penalty", 2, 500,
	  { "VTD_OCCUPANCY", "TLB_MISS",
	    "iio_counts[0][2][\"CLOCKTICKS" } },
	{ __LINE__, "iotlb_accesses", 2, 1, { "VTD1", "TLB_MISS" } },
	{ __LINE__, "iotlb_all_accesses", 2, 2.5,
	  { "VTD0", "VTD1", "TLB_MISS" } },
	{ __LINE__, "dram_utilisation", -2, 25,
	  { "CAS_COUNT.RD", "CAS_COUNT.WR", "dram_max_bandwidth" } },
	{ __LINE__, "upi_utilisation", 0, 10,
	  { "ALL_DATA", "NON_DATA", "upi_counts[0][0][\"CLOCKTICKS" } },
};

static double
figure(struct io_page *p, const struct formula *f)
{
	return io_figure(p, f->metric, f->stack == -2 ? -1 : 0,
	    f->stack < 0 ? -1 : f->stack).value;
}

static void
check_formulas(const char *model, const struct count *count,
    const struct formula *f, size_t n)
{
	char *dir = tree_new();
	struct io_page p;

	put_dump(dir, model, count, "", "");
	open_dump(&p, dir);
	for (size_t i = 0; i < n; i++) {
		double v = figure(&p, &f[i]);

		if (!(fabs(v - f[i].value) < 1e-9 * f[i].value))
			fail_msg("line %d: %s is %.12g", f[i].line,
			    f[i].metric, v);
	}
	io_page_close(&p);
	for (size_t i = 0; i < n; i++)
		for (unsigned k = 0; k < 6 && f[i].inputs[k] != NULL; k++) {
			const char *event = strchr(f[i].inputs[k], '"');
			const char *missing;

			event = event != NULL && event[1] != '\0' ?
			    event + 1 : f[i].inputs[k];
			put_dump(dir, model, count, f[i].inputs[k], "");
			open_dump(&p, dir);
			missing = io_missing(&p, f[i].metric);
			if (!isnan(figure(&p, &f[i])) || missing == NULL)
				fail_msg("line %d: %s without %s is %g",
				    f[i].line, f[i].metric, f[i].inputs[k],
				    figure(&p, &f[i]));
			/* bytes that a controller counts by itself have a
			 * stand-in: then that is what is missing */
			if (strstr(missing, event) == NULL &&
			    strncmp(event, "imc_ddr", 7) != 0)
				fail_msg("line %d: %s lacks %s, not %s",
				    f[i].line, f[i].metric, missing,
				    f[i].inputs[k]);
			/* and the rest is still there */
			assert_true(!isnan(io_figure(&p, k == 0 && i == 0 ?
			    "pcie_in_write" : f[i].metric[0] == 'p' ?
			    "io_conflicts" : "pcie_total", -1, -1).value) ||
			    i == 0);
			io_page_close(&p);
		}
	tree_free(dir);
}

static void
icx_formulas_give_what_they_give_by_hand(void **state)
{
	(void)state;
	check_formulas("icx", icx_counts, icx_formulas,
	    sizeof(icx_formulas) / sizeof(icx_formulas[0]));
}

static void
skx_formulas_give_what_they_give_by_hand(void **state)
{
	(void)state;
	check_formulas("skx", skx_counts, skx_formulas,
	    sizeof(skx_formulas) / sizeof(skx_formulas[0]));
}

static void
dram_bandwidth_is_of_controllers_or_of_channels_never_of_both(void **state)
{
	static const struct count count[] = {
		{ "imc_ddr_read_bytes[0][1]", 6400000000 },
		{ "imc_counts[0][2][\"CAS_COUNT.RD\"]", 50000000 },
		{ "imc_counts[0][2][\"CAS_COUNT.WR\"]", 25000000 },
		{ NULL, 0 }
	};
	char *dir = tree_new();
	struct io_page p;

	(void)state;
	put_dump(dir, "icx", count, "", "");
	open_dump(&p, dir);
	for (int box = -1; box <= 2; box += 3)
		assert_true(fabs(io_figure(&p, "dram_bandwidth", 0,
		    box).value - 4.8) < 1e-9);
	assert_true(isnan(io_figure(&p, "dram_bandwidth", 0, 1).value));
	io_page_close(&p);
	tree_free(dir);
}

static void
a_device_uses_both_ways_of_its_link(void **state)
{
	char *dir = tree_new();
	struct io_page p;
	const struct io_port *x;
	struct io_flow f;

	(void)state;
	put_dump(dir, "icx", icx_counts, "", "");
	open_dump(&p, dir);
	x = io_port_at(&p, 0, 2, 3);
	assert_non_null(x);
	f = io_flow(&p, x, 0, 2, 3);
	assert_true(fabs(f.total.value - 3.4) < 1e-9);
	/* 8 GT/s x 4 is 4 GB/s each way */
	assert_true(fabs(f.link.value - 42.5) < 1e-9);
	/* nobody is on part 4, and it has no column */
	f = io_flow(&p, io_port_at(&p, 0, 2, 4), 0, 2, 4);
	assert_true(isnan(f.total.value) && isnan(f.link.value));
	io_page_close(&p);
	tree_free(dir);
}

/* ---- the views ---- */

/* What a command prints of dir/dump. */
static char *
printed(const char *dir, int (*run)(int, char **), const char *words)
{
	char dump[128];

	snprintf(dump, sizeof(dump), "%s/dump", dir);
	return said_of(EXIT_OK, run, words, dump);
}

static void
a_ratio_that_cannot_be_is_flagged_with_its_inputs(void **state)
{
	static const struct count count[] = {
		{ STACK("irp", "TRANSACTIONS.WR_PREF"), 50000 },
		{ STACK("irp", "MISC1.LOST_FWD"), 100000 },
		{ STACK("iio", "IOMMU0.FIRST_LOOKUPS"), 100 },
		{ STACK("iio", "IOMMU0.CTXT_CACHE_LOOKUPS"), 50 },
		{ STACK("iio", "DATA_REQ_OF_CPU.MEM_READ.PART3"), 500000000 },
		{ STACK("iio", "DATA_REQ_OF_CPU.MEM_WRITE.PART1"), 25000000 },
		{ NULL, 0 }
	};
	char *dir = tree_new(), *text;

	(void)state;
	put_dump(dir, "icx", count, "", "");
	text = printed(dir, cmd_report, "report --io");
	text_has(text, "200.00!");
	text_has(text, "io_conflicts of package 0 stack 2 is 200, which cannot "
	    "be: io_lost 100000 /s, io_writes_owned 50000 /s");
	text_has(text, "50.00?");
	text_has(text, "iotlb_miss of package 0 stack 2 is 50, by too few "
	    "events: vtd_misses 50 /s, vtd_lookups 100 /s");
	/* traffic of a part that nobody is listed on */
	text_has(text, "unattributed: no device is listed there");
	text_has(text, "0/stack 2 part 1");
	text_has(text, "Card (3b:00.0)");
	/* what is missing is named, what is there is there */
	text_has(text, "missing imc");
	free(text);
	text = printed(dir, cmd_report, "report --io -f csv");
	text_has(text, "by-hand,stack,0/stack 2,,io_conflicts,200.0000,%,"
	    "\"io_conflicts of package 0 stack 2 is 200, which cannot be");
	text_has(text, "by-hand,device,0/stack 2 part 1,unattributed,"
	    "pcie_in_write,0.1000,GB/s,");
	free(text);
	tree_free(dir);
}

static void
a_device_has_the_link_it_could_have_and_the_one_it_has_now(void **state)
{
	static const struct count count[] = {
		{ STACK("iio", "DATA_REQ_OF_CPU.MEM_READ.PART3"), 500000000 },
		{ NULL, 0 }
	};
	static const struct {
		const char *head, *link;
	} t[] = {
		{ "", "\n    0/stack 2 part 3                     2.000 "
		    "        -         -         -     2.000*     25.0* "
		    "8 GT/s x4\n" },
		{ "io_device_link_speed[0] = 8\nio_device_link_width[0] = 4\n",
		    "8 GT/s x4\n" },
		{ "io_device_link_speed[0] = 8\nio_device_link_width[0] = 1\n",
		    "8 GT/s x4, now 8 x1\n" },
		{ "io_device_link_speed[0] = 2.5\n"
		    "io_device_link_width[0] = 4\n",
		    "8 GT/s x4, now 2.5 x4\n" },
		{ "io_device_link_speed[0] = 2.5\n", "8 GT/s x4\n" },
		{ "io_device_max_link_width[0] = 1\n", "8 GT/s x1\n" },
		{ "io_device_max_link_width[0] = 0\n", "link unknown\n" },
		{ "io_device_max_link_speed[0] = 0\n", "link unknown\n" },
	};
	char *dir = tree_new(), *text;

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		put_dump(dir, "icx", count, "", t[i].head);
		text = printed(dir, cmd_report, "report --io");
		text_has(text, t[i].link);
		free(text);
	}
	tree_free(dir);
}

static void
dram_utilisation_is_missing_until_the_maximum_is_given(void **state)
{
	char *dir = tree_new(), *text;

	(void)state;
	put_dump(dir, "icx", icx_counts, "dram_max_bandwidth", "");
	text = printed(dir, cmd_report, "report --io");
	text_has(text, "missing dram_max_bandwidth (tallyd "
	    "--measure-dram-bandwidth, or --dram-max)\n");
	free(text);
	text = printed(dir, cmd_report, "report --io --dram-max 16");
	text_has(text, "50.0");
	text_has(text, "  DRAM utilisation                      %"
	    "              50.0       50.0 \n"
	    "    of 16.0 GB/s, by --dram-max\n");
	free(text);
	tree_free(dir);
}

/* By package, of an even share of what the node can do. */
static void
dram_utilisation_is_of_each_package_too(void **state)
{
	char *dir = tree_new(), *text;

	(void)state;
	put_dump(dir, "icx", icx_counts, "", "packages = 2\n");
	text = printed(dir, cmd_metrics, "metrics -f csv -m dram_utilisation");
	text_has(text, ",dram_utilisation,package,0,50.0000,%,");
	text_has(text, ",dram_utilisation,node,,25.0000,%,");
	free(text);
	tree_free(dir);
}

static void
what_vtd_of_skylake_cannot_count_is_said_once(void **state)
{
	char *dir = tree_new(), *text;

	(void)state;
	put_dump(dir, "skx", skx_counts, "", "");
	text = printed(dir, cmd_report, "report --io");
	text_has(text, "\n  VT-d M/s, TLB hit %, TLBmiss %: VT-d of this CPU counts "
	    "misses and what is outstanding, but no lookups\n");
	free(text);
	tree_free(dir);
}

static void
dram_utilisation_is_not_that_of_one_numa_node_of_two(void **state)
{
	char *dir = tree_new(), *text;

	(void)state;
	put_dump(dir, "icx", icx_counts, "", "lproc_node[0] = 0\n"
	    "lproc_node[1] = 1\ndram_max_bandwidth_node[0] = 32000000000\n");
	text = printed(dir, cmd_report, "report --io");
	text_has(text, "missing dram_max_bandwidth: NUMA node 1 was not measured "
	    "(--dram-max)");
	free(text);
	text = printed(dir, cmd_report, "report --io --dram-max 16");
	text_has(text, "50.0");
	free(text);
	put_dump(dir, "icx", icx_counts, "", "lproc_node[0] = 0\n"
	    "lproc_node[1] = 1\ndram_max_bandwidth_node[0] = 16000000000\n"
	    "dram_max_bandwidth_node[1] = 16000000000\n");
	text = printed(dir, cmd_report, "report --io");
	text_has(text, "25.0");
	free(text);
	tree_free(dir);
}

static void
a_histogram_gives_shares_of_time_by_bin(void **state)
{
	static const char text[] =
	    "model = \"icx\"\nTSC_ratio = 10\npackages = 1\n";
	char *dir = tree_new(), *dump = NULL, *out;
	size_t size;
	FILE *f = open_memstream(&dump, &size);
	/* GB/s of the four intervals: 1, 1, 4, 8 */
	static const uint64_t n[] = { 0, 250000000, 500000000, 1500000000,
	    3500000000 };

	(void)state;
	assert_non_null(f);
	fputs(text, f);
	for (unsigned i = 0; i < 5; i++)
		fprintf(f, "tsc[%u] = %" PRIu64 "\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\niio_counts[0][1][\"DATA_REQ_OF_CPU."
		    "MEM_READ\"][%u] = %" PRIu64 "\n", i, i * SECOND, i, i, i,
		    i, n[i]);
	assert_int_equal(fclose(f), 0);
	tree_text(dir, "/dump", dump);
	free(dump);
	out = printed(dir, cmd_histogram,
	    "histogram -m pcie_in_read -n 4 -f csv --low 2 --high 8");
	text_has(out, "0.0000,2.0000,GB/s,2.000,50.00,Low,2.0000,8.0000");
	text_has(out, "2.0000,4.0000,GB/s,0.000,0.00,Medium,");
	text_has(out, "4.0000,6.0000,GB/s,1.000,25.00,Medium,");
	text_has(out, "6.0000,8.0000,GB/s,1.000,25.00,Medium,");
	free(out);
	out = printed(dir, cmd_histogram,
	    "histogram -m pcie_in_read -n 4 --low 2 --high 8");
	text_has(out, "Low 50.00 %; Medium 25.00 %; High 25.00 % (Low below 2, "
	    "High from 8)");
	free(out);
	out = printed(dir, cmd_histogram,
	    "histogram -m pcie_in_read -S box -w 0/1 -n 2 --max 16 -f json");
	text_has(out, "\"from\": 0.0000, \"to\": 8.0000, \"unit\": \"GB/s\", "
	    "\"seconds\": 3.000, \"share\": 75.00, \"level\": \"Low\"");
	free(out);
	tree_free(dir);
}

static void
what_was_idle_is_low_all_of_the_time(void **state)
{
	char *dir = tree_new(), *out;

	(void)state;
	tree_text(dir, "/dump", "model = \"icx\"\nTSC_ratio = 10\n"
	    "packages = 1\ntsc[0] = 0\nwalltime[0][0] = 0\n"
	    "walltime[1][0] = 0\n"
	    "iio_counts[0][1][\"DATA_REQ_OF_CPU.MEM_READ\"][0] = 7\n"
	    "tsc[1] = 1000000000\nwalltime[0][1] = 1\nwalltime[1][1] = 0\n"
	    "iio_counts[0][1][\"DATA_REQ_OF_CPU.MEM_READ\"][1] = 7\n");
	out = printed(dir, cmd_histogram, "histogram -m pcie_in_read");
	text_has(out, "\n           0 to          0 100.00 % Low ");
	text_has(out, "#\n  Low 100.00 %; Medium 0.00 %; High 0.00 %\n");
	free(out);
	out = printed(dir, cmd_histogram,
	    "histogram -m pcie_in_read -n 2 -f csv --max 4");
	text_has(out, "0.0000,2.0000,GB/s,1.000,100.00,Low,1.3333,2.6667");
	free(out);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(icx_formulas_give_what_they_give_by_hand),
		cmocka_unit_test(skx_formulas_give_what_they_give_by_hand),
		cmocka_unit_test(
		    dram_bandwidth_is_of_controllers_or_of_channels_never_of_both),
		cmocka_unit_test(a_device_uses_both_ways_of_its_link),
		cmocka_unit_test(
		    a_device_has_the_link_it_could_have_and_the_one_it_has_now),
		cmocka_unit_test(a_ratio_that_cannot_be_is_flagged_with_its_inputs),
		cmocka_unit_test(dram_utilisation_is_missing_until_the_maximum_is_given),
		cmocka_unit_test(dram_utilisation_is_of_each_package_too),
		cmocka_unit_test(what_vtd_of_skylake_cannot_count_is_said_once),
		cmocka_unit_test(dram_utilisation_is_not_that_of_one_numa_node_of_two),
		cmocka_unit_test(a_histogram_gives_shares_of_time_by_bin),
		cmocka_unit_test(what_was_idle_is_low_all_of_the_time),
	};

	return cmocka_run_group_tests_name("io metrics", tests,
	    test_dir_new, test_dir_free);
}
