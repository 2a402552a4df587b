/*
 * tests/postproc/pages/test_grace_report.c - which PMU of a Grace saw which traffic, and what
 * kind of chip that is taken for.
 */
#include "tests/lib/tally_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"

#define ALL "scf CMEM_RD_DATA=6\nscf CMEM_WR_TOTAL_BYTES=90\n" \
	"scf SCF_CACHE=9\npcie RD_BYTES_LOC=3\npcie WR_BYTES_LOC=2\n" \
	"pcie RD_BYTES_REM=1\npcie WR_BYTES_REM=0\n"
#define REMOTE(n) "scf REMOTE_SOCKET_RD_DATA=" n "\n" \
	"scf REMOTE_SOCKET_WR_TOTAL_BYTES=" n "\n"
#define GMEM(n) "scf GMEM_RD_DATA=" n "\nscf GMEM_WR_TOTAL_BYTES=" n "\n"
#define LINK(link, n) link " TOTAL_BYTES_LOC=" n "\n" \
	link " TOTAL_BYTES_REM=0\n"
#define IDLE GMEM("0") LINK("c2c1", "0")

/* What a command shows of a node where each event counts so many 10^9 a second
 * in package 0, and nothing in the others.  format NULL: it has one alone. */
static const char *
shown(int (*cmd)(int, char **), const char *name, unsigned npkg,
    const char *events, const char *format)
{
	static char *page;
	char *dump = NULL, words[64];
	size_t size;
	FILE *f = open_memstream(&dump, &size);

	assert_non_null(f);
	fprintf(f, "host = \"g\"\nmodel = \"grace\"\nnr_cpus = %u\n"
	    "packages = %u\n", npkg, npkg);
	for (unsigned p = 0; p < npkg; p++)
		fprintf(f, "lproc_package[%u] = %u\nlproc_core[%u] = 0\n"
		    "lproc_thread[%u] = 0\n", p, p, p, p);
	for (unsigned s = 0; s < 3; s++) {
		fprintf(f, "tsc[%u] = %u\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n", s, s * 1000000000, s, 1000 + s, s);
		for (const char *e = events; *e != '\0';
		    e += strcspn(e, "\n") + 1)
			for (unsigned p = 0; p < npkg; p++)
				fprintf(f, "%.*s_counts[%u][\"%.*s\"][%u] = "
				    "%llu\n", (int)strcspn(e, " "), e, p,
				    (int)(strcspn(e, "=") - strcspn(e, " ") -
				    1), e + strcspn(e, " ") + 1, s, p > 0 ? 0 :
				    s * 1000000000ull * strtoull(e +
				    strcspn(e, "=") + 1, NULL, 10));
	}
	fclose(f);
	snprintf(words, sizeof(words), "%s%s%s", name, format != NULL ?
	    " -f " : "", format != NULL ? format : "");
	free(page);
	page = said(-1, cmd, words, dump);
	free(dump);
	return page;
}

static const char *
report(unsigned npkg, const char *events, const char *format)
{
	return shown(cmd_report, "report", npkg, events, format);
}

static void
the_kind_of_chip_is_what_its_traffic_tells(void **state)
{
	static const struct {
		int line;
		unsigned npkg;
		const char *events, *kind, *remark, *without;
	} t[] = {
		{ __LINE__, 2, ALL REMOTE("5") IDLE LINK("cnvlink", "0")
		    LINK("c2c0", "1"), "Grace CPU Superchip", "Two sockets and "
		    "no GPU's traffic: taken for a CPU Superchip, where C2C1 "
		    "and CNVLink see none", "not known" },
		/* CNVLink counts nothing on a Superchip */
		{ __LINE__, 2, ALL REMOTE("5") IDLE LINK("cnvlink", "7"),
		    "Grace Hopper", "memory here         7.000    0.000    "
		    "7.000 derived", "taken for" },
		{ __LINE__, 2, ALL REMOTE("5") GMEM("1"), "Grace Hopper",
		    "its CPUs read its GPU's memory              32.000",
		    "taken for" },
		/* the other socket is offline, but its memory is not */
		{ __LINE__, 1, ALL REMOTE("5") IDLE LINK("cnvlink", "0"),
		    "Grace CPU Superchip", "Memory of another socket is "
		    "accessed: taken for a CPU Superchip with one socket "
		    "offline", "Hopper" },
		{ __LINE__, 1, ALL REMOTE("0") GMEM("1") LINK("c2c1", "1"),
		    "Grace Hopper", "its CPUs read its GPU's memory",
		    "taken for" },
		{ __LINE__, 1, ALL REMOTE("0") IDLE LINK("cnvlink", "0")
		    LINK("c2c0", "0"), "Grace Hopper", "One socket and no "
		    "GPU's traffic: taken for Grace Hopper, but one Grace "
		    "alone looks the same", "other sockets'" },
		/* what was not counted tells nothing */
		{ __LINE__, 2, ALL REMOTE("5") LINK("c2c0", "1"),
		    "Grace CPU Superchip", "whether there is a GPU is not "
		    "known (not counted: GMEM, C2C1, CNVLink)",
		    "no GPU's traffic" },
		{ __LINE__, 4, ALL REMOTE("5"), "Grace Hopper", "More than two "
		    "sockets: taken for Grace Hopper", "Superchip" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		const char *page = report(t[i].npkg, t[i].events, "text");
		const char *traffic = strstr(page, "Traffic, GB/s: ");

		if (traffic == NULL || strncmp(traffic + 15, t[i].kind,
		    strlen(t[i].kind)) != 0 || strstr(page, t[i].remark) ==
		    NULL || strstr(traffic, t[i].without) != NULL)
			fail_msg("line %d: %s", t[i].line, page);
	}
}

/* The guide: "the PCI domain of the device ... 0008 is socket 0, root port 8; 0018 is
 * socket 1, root port 8", filter 1 << port. */
static void
a_device_is_named_with_the_root_port_that_its_domain_is(void **state)
{
	static const struct { const char *command, *says; } t[] = {
		{ "$TALLYD --sim @grace-2s --check", "port     8 of package 1 has "
		    "144d:a80a (0018:01:00.0): pcie root_port=0x100 counts "
		    "it\n" },
		{ "$TALLYD --sim @grace-2s --list boxes", "PORT\t0\t8\t"
		    "0008:01:00.0\t15b3:1021\n" },
		{ "$TALLYD -q --sim @grace-2s --virtual-time -n 3 -o $D/g.lua && "
		    "$TALLY report $D/g.lua", "  PCIe: root port 8 of package 0 "
		    "has 15b3:1021 (0008:01:00.0)\n" },
		{ "$TALLY platform $D/g.lua", "At root port 8 of package 1: "
		    "144d:a80a (0018:01:00.0)\n" },
		{ "$TALLY report --io $D/g.lua", "\n  144d:a80a (0018:01:00.0), "
		    "root port 8 of package 1, link unknown\n" },
	};
	char tallyd[512], tally[512], shell[600], path[600];

	(void)state;
	setenv("TALLYD", built("tallyd", tallyd), 1);
	setenv("TALLY", built("tally", tally), 1);
	setenv("D", test_dir, 1);
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char *text;

		snprintf(shell, sizeof(shell), "{ %s; } >$D/said",
		    t[i].command);
		assert_int_equal(system(shell), 0);
		snprintf(path, sizeof(path), "%s/said", test_dir);
		text = file_text(path, NULL);
		if (strstr(text, t[i].says) == NULL)
			fail_msg("%s: %s", t[i].command, text);
		free(text);
	}
}

static void
a_remark_is_of_a_line_that_is_there(void **state)
{
	const char *page = report(2, ALL REMOTE("5") IDLE, "text");

	(void)state;
	assert_null(strstr(page, "(1)"));
	assert_non_null(strstr(page, "C2C0    other socket's devices, memory "
	    "here        not counted\n"));
	page = report(2, ALL REMOTE("5") LINK("c2c0", "1"), "text");
	assert_non_null(strstr(page, "memory here (1)      1.000    0.000    "
	    "1.000 derived\n"));
	assert_non_null(strstr(page, "  (1) strongly ordered writes"));
	page = report(2, "sw PAGE=1\n", "text");
	assert_null(strstr(page, "Traffic"));
}

static void
the_fabric_has_as_many_digits_as_its_figures_bear(void **state)
{
	const char *page = report(1, "scf CYCLES=3\n"
	    "scf CMEM_RD_DATA=1\nscf CMEM_RD_ACCESS=1\n"
	    "scf CMEM_WB_ACCESS=0\nscf CMEM_WR_ACCESS=2\n"
	    "scf CMEM_RD_OUTSTANDING=500\n"
	    "scf REMOTE_SOCKET_RD_OUTSTANDING=700\n"
	    "scf REMOTE_SOCKET_RD_ACCESS=1\n"
	    "pcie CYCLES@pcie_requests=3\npcie RD_REQ_LOC=2\n"
	    "pcie RD_REQ_REM=0\npcie WR_REQ_LOC=1\npcie WR_REQ_REM=0\n"
	    "pcie RD_CUM_OUTS_LOC=500\n", "text");

	(void)state;
	if (strstr(page,
	    "\n  fabric clock                GHz          3.000"
	    "\n  memory reads, of peak       %              4.2"
	    "\n  memory writes, of peak      %              8.3"
	    "\n  latency, local memory       ns             167"
	    "\n  read of another socket's    ns             233"
	    "\n  PCIe reads, of peak         %             6.67"
	    "\n  PCIe writes, of peak        %             3.33"
	    "\n  PCIe latency, local memory  ns              83\n") == NULL)
		fail_msg("%s", page);
}

static void
a_figure_of_some_parts_alone_says_which(void **state)
{
	const char *page = report(1, ALL REMOTE("0") "c2c0 total_bytes_loc=4\n"
	    "c2c0 rd_bytes_loc=1\nc2c1 wr_bytes_loc=2\n", "text");

	(void)state;
	assert_non_null(strstr(page, "C2C0    GPU, CPU memory, translated "
	    "(ATS, EGM)       4.000 derived\n"));
	assert_non_null(strstr(page, "C2C1    GPU, CPU or GPU memory, not "
	    "translated       2.000 derived, in part\n"));
	assert_non_null(strstr(page, "  in part: c2c1_bw is without "
	    "c2c1[\"RD_BYTES_LOC\"]"));
	page = report(2, ALL REMOTE("5") LINK("c2c0", "1"), "text");
	assert_null(strstr(page, "in part"));
}

static void
the_rows_of_a_table_have_the_same_view(void **state)
{
	const char *rows = report(2, ALL REMOTE("5") LINK("c2c0", "1"), "csv");

	(void)state;
	assert_non_null(strstr(rows, "g,traffic,,node,,,,0,\"Grace CPU "
	    "Superchip. Two sockets: taken for a CPU Superchip; whether "));
	assert_non_null(strstr(rows, "g,\"SCF: accesses to its last-level "
	    "cache, 10^9/s\",scf_cache_rate,package,0,9.0000,G/s,0,derived"));
	assert_non_null(strstr(rows, "g,SCF: its CPUs read other sockets' "
	    "memory,remote_rd_bw,package,0,160.0000,GB/s,0,"));
	assert_non_null(strstr(rows, "g,\"C2C0: other socket's devices, memory "
	    "here\",c2c0_bw,node,,1.0000,GB/s,0,derived"));
	rows = report(2, ALL REMOTE("5"), "csv");
	assert_non_null(strstr(rows, "c2c0_bw,node,,,,0,not counted"));
}

/* 6 x 32 and 90 GB/s; of peak 1 of 8 requests a cycle.  What is not counted is
 * no "n/a". */
static void
the_platform_has_fabric_pcie_and_links(void **state)
{
	const char *page = shown(cmd_platform, "platform", 2, ALL
	    "scf CYCLES=2\nscf CMEM_RD_ACCESS=2\ncore CPU_CYCLES=3\n"
	    "c2c0 TOTAL_BYTES_LOC=4\nc2c1 WR_BYTES_LOC=7\n"
	    "cnvlink WR_BYTES_LOC=1\n", NULL);
	const char *second = strstr(page, "+-- Package 1");

	(void)state;
	assert_non_null(second);
	assert_non_null(strstr(page, "| Cores    1 of 1 in use, 3.000 GHz on "
	    "average, halted time as 0; tenths of the busiest"));
	assert_non_null(strstr(page, "| SCF      clock   2.000 GHz   last-level "
	    "cache   9.000 G/s "));
	assert_non_null(strstr(page, "| Memory   read  192.000  write   90.000 "
	    "GB/s   of peak [#.........]  12.5 %  "));
	assert_non_null(strstr(page, "|          peak table: requests a cycle of "
	    "the fabric, by NVIDIA's guide"));
	assert_non_null(strstr(page, "| PCIe     read    4.000  write    2.000 "
	    "GB/s  "));
	assert_non_null(strstr(page, "| C2C0     both ways    4.000 GB/s "));
	assert_non_null(strstr(page, "| C2C1     read        -  write    7.000 "
	    "GB/s "));
	assert_non_null(strstr(page, "| CNVLink  read        -  write    1.000 "));
	assert_non_null(strstr(page, "| Remote   not counted "));
	assert_non_null(strstr(page, "Some figures are of the parts that were "
	    "counted"));
	assert_null(strstr(page, "UPI"));
	assert_null(strstr(page, "no stacks"));
	assert_non_null(strstr(second, "| Memory   read    0.000"));
	for (const char *l = strchr(page, '+'); l != NULL && *l != '\0';
	    l += strcspn(l, "\n") + 1)
		if ((*l == '|' || *l == '+') && strcspn(l, "\n") != 100)
			fail_msg("%.*s", (int)strcspn(l, "\n"), l);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_kind_of_chip_is_what_its_traffic_tells),
		cmocka_unit_test(a_device_is_named_with_the_root_port_that_its_domain_is),
		cmocka_unit_test(a_remark_is_of_a_line_that_is_there),
		cmocka_unit_test(
		    the_fabric_has_as_many_digits_as_its_figures_bear),
		cmocka_unit_test(a_figure_of_some_parts_alone_says_which),
		cmocka_unit_test(the_platform_has_fabric_pcie_and_links),
		cmocka_unit_test(the_rows_of_a_table_have_the_same_view),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
