/*
 * tests/postproc/pages/test_page_platform.c - the drawing of a node on its page: which parts it
 * has, and that its numbers are those of tally metrics.
 */
#include "tests/lib/tally_command.h"

#include <stdlib.h>
#include <string.h>

#define SECOND(i) "tsc[" #i "] = 1" #i "000000000\n" \
	"walltime[0][" #i "] = 100" #i "\nwalltime[1][" #i "] = 0\n"
#define HEAD(model) "host = \"n\"\nmodel = \"" model "\"\nTSC_ratio = 10\n" \
	"packages = 2\nnr_cpus = 2\nlproc_package[0] = 0\n" \
	"lproc_package[1] = 1\nlproc_core[0] = 0\nlproc_core[1] = 4\n" \
	"lproc_online[0] = 1\nlproc_online[1] = 1\n"
#define STACKS "io_stack_name[0][0] = \"PCIe0\"\n" \
	"io_stack_name[1][0] = \"PCIe0\"\nio_devices = 2\n" \
	"io_device_address[0] = \"0000:17:00.0\"\n" \
	"io_device_package[0] = 0\nio_device_stack[0] = 0\n" \
	"io_device_part[0] = 1\n" \
	"io_device_address[1] = \"0000:18:00.0\"\n" \
	"io_device_name[1] = \"nowhere in particular\"\n" \
	"io_device_package[1] = 0\nio_device_stack[1] = 0\n"
/* 1 and 3 GB/s; of 10^9 cycles 250, 500 and 750 million; 2 and 5 MB/s in */
#define ROW(i, mperf0, mperf1, cas0, cas1, port0, port1) SECOND(i) \
	"mperf[0][" #i "] = " #mperf0 "000000\n" \
	"mperf[1][" #i "] = " #mperf1 "000000\n" \
	"imc_counts[0][0][\"CAS_COUNT.RD\"][" #i "] = " #cas0 "\n" \
	"imc_counts[0][0][\"CAS_COUNT.WR\"][" #i "] = 0\n" \
	"imc_counts[0][1][\"CAS_COUNT.RD\"][" #i "] = " #cas1 "\n" \
	"imc_counts[0][1][\"CAS_COUNT.WR\"][" #i "] = 0\n" \
	"iio_PCIe0_port0_in_bytes[0][" #i "] = " #port0 "000000\n" \
	"iio_PCIe0_port1_in_bytes[0][" #i "] = " #port1 "000000\n"
#define ROWS ROW(0, 0, 0, 0, 0, 0, 0) \
	ROW(1, 250, 500, 15625000, 46875000, 2, 5) \
	ROW(2, 500, 1250, 31250000, 93750000, 4, 10)

static const char plain[] = HEAD("skx") STACKS ROWS;

/* The cell whose title begins so, to its end; the caller frees it. */
static char *
cell(const char *text, const char *what)
{
	char begins[200], *out;
	const char *at;

	snprintf(begins, sizeof begins, "<title>%s\n", what);
	if ((at = strstr(text, begins)) == NULL)
		fail_msg("no cell %s", what);
	while (strncmp(at, "<g class=", 9) != 0)
		at--;
	out = strndup(at, (size_t)(strstr(at, "</g>") - at));
	assert_non_null(out);
	return out;
}

static void
its_numbers_are_those_of_metrics(void **state)
{
	static const struct {
		int line;
		const char *cell, *number, *row;
	} want[] = {
		{ __LINE__, "Core 0/0, lproc 0", ">25.0</text>",
		    "n,utilisation,core,0/0,25.0000,%," },
		/* of 500 and 750 in two seconds */
		{ __LINE__, "Core 1/4, lproc 1", ">62.5</text>",
		    "n,utilisation,core,1/4,62.5000,%," },
		{ __LINE__, "IMC 0 of package 0", ">1.00</text>",
		    "n,dram_bandwidth,box,0/0,1.0000,GB/s," },
		{ __LINE__, "IMC 1 of package 0", ">3.00</text>",
		    "n,dram_bandwidth,box,0/1,3.0000,GB/s," },
		{ __LINE__, "PCIe0 of package 0, in: 17:00.0", ">5.00</text>",
		    "n,io_in,box,0/PCIe0_port1,5.0000,MB/s," },
		{ __LINE__, "Package 0", ">25.0 %</text>",
		    "n,utilisation,package,0,25.0000,%," },
	};
	char *text = said(EXIT_OK, cmd_page, "page", plain);
	char *rows = said(EXIT_OK, cmd_metrics, "metrics -f csv -S all", plain);

	(void)state;
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		char *of = cell(text, want[i].cell);

		if (strstr(of, want[i].number) == NULL)
			fail_msg("line %d: %s", want[i].line, of);
		if (strstr(rows, want[i].row) == NULL)
			fail_msg("line %d: no %s in\n%s", want[i].line,
			    want[i].row, rows);
		free(of);
	}
	/* both ports of the stack, in both packages none out of it */
	holds(cell(text, "PCIe0 of package 0, in"), ">7.00</text>");
	holds(cell(text, "PCIe0 of package 0, in"), "io_in of 2 ports 7 MB/s");
	free(rows);
	free(text);
}

/* 2 GB/s of reads by AMD's, which go over a count of 48 bits. */
static void
channels_are_called_as_their_model_has_them(void **state)
{
	static const char zen[] = HEAD("zen4") "family_bits = {}\n"
	    "family_bits[\"umc_counts\"] = 64\n"
#define UMC(i, rd) SECOND(i) "umc_counts[0][3][\"umc_cas_rd\"][" #i "] = " \
	#rd "\numc_counts[0][3][\"umc_cas_wr\"][" #i "] = 7\n"
	    UMC(0, 281474976710000) UMC(1, 281475007960000)
	    UMC(2, 281475039210000);
	char *text = said(EXIT_OK, cmd_page, "page", zen);

	(void)state;
	holds(cell(text, "UMC 3 of package 0"), ">2.00</text>");
	free(text);
}

static void
a_colour_is_a_share_and_grey_where_what_it_can_do_is_not_known(void **state)
{
	char *text = said(EXIT_OK, cmd_page, "page", plain);

	(void)state;
	/* 62.5 and 25 %; a channel with a third of the other's traffic */
	holds(cell(text, "Core 1/4, lproc 1"), "class=\"cell l6\"");
	holds(cell(text, "Core 0/0, lproc 0"), "class=\"cell l3\"");
	holds(cell(text, "IMC 1 of package 0"), "class=\"cell r10\"");
	holds(cell(text, "IMC 0 of package 0"), "class=\"cell r3\"");
	assert_non_null(strstr(text, "0 to 100 %: Cores "
	    "utilisation. "));
	holds(text, "had in a bucket of the timelines: DRAM 3 GB/s; I/O stacks and devices "
	    "7 MB/s. ");
}

static void
a_channels_colour_is_of_what_was_measured_at_most(void **state)
{
	static const char measured[] = HEAD("skx") "lproc_node[0] = 0\n"
	    "lproc_node[1] = 1\ndram_max_bandwidth_node[0] = 10000000000\n"
	    "dram_max_bandwidth_node[1] = 10000000000\n" ROWS;
	char *text = said(EXIT_OK, cmd_page, "page", measured);

	(void)state;
	/* 1 and 3 of 5 GB/s */
	holds(cell(text, "IMC 0 of package 0"), "class=\"cell l2\"");
	holds(cell(text, "IMC 1 of package 0"), "class=\"cell l6\"");
	holds(text, "0 to 100 %: DRAM of 5 GB/s each (measured at "
	    "start); Cores utilisation. ");
}

/* 2 GB/s read of a channel of HBM, a burst of 32 bytes each, and none of DDR. */
static void
memory_on_the_package_is_drawn(void **state)
{
	static const char max[] = HEAD("spr")
	    "unit_present[\"MCHBM\"][0][5] = 1\n"
#define HBM(i, rd) SECOND(i) \
	"mchbm_counts[0][5][\"CAS_COUNT.RD\"][" #i "] = " #rd "\n" \
	"mchbm_counts[0][5][\"CAS_COUNT.WR\"][" #i "] = 0\n"
	    HBM(0, 0) HBM(1, 62500000) HBM(2, 125000000);
	char *text = said(EXIT_OK, cmd_page, "page", max);

	(void)state;
	holds(cell(text, "MCHBM 5 of package 0"), ">2.00</text>");
	holds(text, ">HBM: "
	    "hbm_bandwidth, GB/s</text>");
}

static void
a_device_without_a_port_has_what_its_part_counted(void **state)
{
	static const char parts[] = HEAD("icx") "io_stack_name[0][0] = "
	    "\"PCIe0\"\nio_devices = 1\n"
	    "io_device_address[0] = \"0000:17:00.0\"\n"
	    "io_device_package[0] = 0\nio_device_stack[0] = 0\n"
	    "io_device_part[0] = 2\n" SECOND(0)
	    "iio_counts[0][0][\"DATA_REQ_OF_CPU.MEM_WRITE.PART2\"][0] = 0\n"
	    SECOND(1)
	    "iio_counts[0][0][\"DATA_REQ_OF_CPU.MEM_WRITE.PART2\"][1] = "
	    "500000000\n";
	char *text = said(EXIT_OK, cmd_page, "page", parts);

	(void)state;
	/* of four bytes each */
	holds(cell(text, "PCIe0 of package 0, in: 17:00.0"),
	    "\npcie_in_write_part2 2 GB/s: ");
	holds(cell(text, "PCIe0 of package 0, out: 17:00.0"), "\nn/a: neither "
	    "io_out nor pcie_in_read_part2 is counted of it");
	free(text);
}

static void
what_was_not_measured_says_so_and_why(void **state)
{
	static const char with_links[] = HEAD("skx")
	    "unit_present[\"UPI\"][0][0] = 1\nunit_present[\"UPI\"][0][1] = 1\n"
	    STACKS ROWS;
	char *text = said(EXIT_OK, cmd_page, "page", with_links), *of;

	(void)state;
	of = cell(text, "UPI 1 of package 0");
	assert_non_null(strstr(of, "class=\"cell none\""));
	assert_non_null(strstr(of, ">n/a</text>"));
	assert_null(strstr(of, "data-line"));
	holds(of, "\nn/a: upi_out: missing upi[&quot;TxL_FLITS.ALL_DATA"
	    "&quot;]</title>");
	/* a cache that no metric of this CPU is of is not drawn */
	assert_null(strstr(text, "<title>Package 0: L3 misses\n"));
	holds(cell(text, "PCIe0 of package 0, out: 18:00.0 nowhere in "
	    "particular"), "the part of the stack that it is on is not known");
	lacks(text, "<title>UPI 0 of package 1");
}

static void
what_lacks_counts_is_marked(void **state)
{
	static const char backwards[] = HEAD("skx")
	    ROW(0, 0, 0, 0, 0, 0, 0) ROW(1, 250, 500, 15625000, 5, 2, 5)
	    ROW(2, 100, 1250, 31250000, 6, 4, 10)
	    ROW(3, 350, 1500, 46875000, 7, 6, 15);
	char *text = said(EXIT_OK, cmd_page, "page", backwards);

	(void)state;
	holds(cell(text, "Core 0/0, lproc 0"), ">25.0*</text>");
	holds(cell(text, "Core 1/4, lproc 1"), ">50.0</text>");
	free(text);
}

static void
names_of_stacks_and_devices_are_text(void **state)
{
	static const char hostile[] = HEAD("skx")
	    "io_stack_name[0][0] = \"</title><script>x()</script>\"\n"
	    "io_devices = 1\nio_device_address[0] = \"\\\"><img src=x>\"\n"
	    "io_device_name[0] = \"</svg><svg onload=alert(1)> and so on, at "
	    "a length that no row of the drawing has room for\"\n"
	    "io_device_package[0] = 0\nio_device_stack[0] = 0\n" ROWS;
	char *text = said(EXIT_OK, cmd_page, "page", hostile);

	(void)state;
	assert_null(strstr(text, "<script>x"));
	assert_null(strstr(text, "<img"));
	assert_null(strstr(text, "<svg onload"));
	assert_non_null(strstr(text, "&lt;/title&gt;&lt;script&gt;x()"));
	holds(text, "...</text>");
}

/* So many packages of so many cores, of which the n-th is n mod 100 % busy. */
static char *
many(unsigned npkg, unsigned ncore)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	fprintf(f, "host = \"n\"\nmodel = \"skx\"\nTSC_ratio = 10\n"
	    "packages = %u\nnr_cpus = %u\n", npkg, npkg * ncore);
	for (unsigned l = 0; l < npkg * ncore; l++)
		fprintf(f, "lproc_package[%u] = %u\nlproc_core[%u] = %u\n"
		    "lproc_online[%u] = 1\n", l, l / ncore, l, l % ncore, l);
	for (unsigned s = 0; s < 3; s++) {
		fprintf(f, "tsc[%u] = %u000000000\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n", s, 1 + s, s, 1000 + s, s);
		for (unsigned l = 0; l < npkg * ncore; l++)
			fprintf(f, "mperf[%u][%u] = %u0000000\n", l, s,
			    s * (l % 100));
	}
	assert_int_equal(fclose(f), 0);
	return text;
}

static unsigned
count(const char *text, const char *what)
{
	unsigned n = 0;

	while ((text = strstr(text, what)) != NULL) {
		n++;
		text += strlen(what);
	}
	return n;
}

static void
eight_packages_of_128_cores_are_all_drawn(void **state)
{
	char *dump = many(8, 128), *text;

	(void)state;
	text = said(EXIT_OK, cmd_page, "page", dump);
	assert_int_equal(count(text, "aria-label=\"Package "), 8);
	assert_int_equal(count(text, "<title>Core "), 1024);
	holds(cell(text, "Core 7/127, lproc 1023"), ">23.0</text>");
	free(text);
	free(dump);
}

static void
cores_that_there_is_no_room_for_are_one_part(void **state)
{
	char *dump = many(2, 1300), *text;

	(void)state;
	text = said(EXIT_OK, cmd_page, "page", dump);
	assert_int_equal(count(text, "<title>Core "), 0);
	/* 13 times 0 to 99 */
	holds(text, "utilisation 49.5 %: Time not halted (C0)</title><rect");
	free(dump);
}

static void
a_node_of_another_kind_has_its_own_parts(void **state)
{
	static const char soc[] = "host = \"n\"\nmodel = \"slm\"\n"
	    "nr_cpus = 2\npackages = 1\nlproc_package[0] = 0\n"
	    "lproc_package[1] = 0\nlproc_core[0] = 0\nlproc_core[1] = 1\n"
	    "lproc_module[0] = 0\nlproc_module[1] = 0\n"
	    SECOND(0) "soc_counts[\"Mod0_Reqs\"][0] = 0\n"
	    SECOND(1) "soc_counts[\"Mod0_Reqs\"][1] = 1000000\n";
	static const char grace[] = HEAD("grace") SECOND(0) SECOND(1);
	char *text = said(EXIT_OK, cmd_page, "page", soc);

	(void)state;
	/* 64 bytes a request */
	holds(cell(text, "Module 0, lprocs 0 1"), ">64.0</text>");
	assert_non_null(strstr(text, "<title>Package 0: high-speed\nn/a: "));
	assert_null(strstr(text, "<title>Module 1"));
	lacks(text, "UPI");
	text = said(EXIT_OK, cmd_page, "page", grace);
	assert_non_null(strstr(text, "<title>Package 1: C2C0 read\nn/a: "));
	assert_non_null(strstr(text, "<title>Package 1: PCIe"));
	lacks(text, "<title>Module");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(its_numbers_are_those_of_metrics),
		cmocka_unit_test(channels_are_called_as_their_model_has_them),
		cmocka_unit_test(
		    a_colour_is_a_share_and_grey_where_what_it_can_do_is_not_known),
		cmocka_unit_test(memory_on_the_package_is_drawn),
		cmocka_unit_test(
		    a_channels_colour_is_of_what_was_measured_at_most),
		cmocka_unit_test(
		    a_device_without_a_port_has_what_its_part_counted),
		cmocka_unit_test(what_was_not_measured_says_so_and_why),
		cmocka_unit_test(what_lacks_counts_is_marked),
		cmocka_unit_test(names_of_stacks_and_devices_are_text),
		cmocka_unit_test(eight_packages_of_128_cores_are_all_drawn),
		cmocka_unit_test(cores_that_there_is_no_room_for_are_one_part),
		cmocka_unit_test(a_node_of_another_kind_has_its_own_parts),
	};

	return cmocka_run_group_tests_name("page platform", tests, test_dir_new,
	    test_dir_free);
}
