/*
 * tests/postproc/pages/test_io_report.c - the pages of the I/O: what stands beside each stack and
 * device, counts by stack, what is folded, and what is called PCIe.
 */
#include "tests/lib/files.h"
#include "tests/lib/tally_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/commands.h"

/* The dump of a simulated node. */
static char *
dump_of(const char *machine, const char *config, unsigned samples)
{
	char *dir = tree_new(), *text, tallyd[512], command[1024], path[128];

	snprintf(command, sizeof(command), "%s -q --sim @%s --virtual-time "
	    "%s %s -n %u -o %s/dump", built("tallyd", tallyd), machine,
	    config[0] ? "-c" : "", config, samples, dir);
	if (system(command) != 0)
		fail_msg("%s", command);
	snprintf(path, sizeof(path), "%s/dump", dir);
	text = file_text(path, NULL);
	tree_free(dir);
	return text;
}

/* icx-8358-2s.machine, far from the card; fourteen sets. */
static void
l3_latency_conflicts_and_vtd_stand_beside_stack_and_device(void **state)
{
	char *dump = dump_of("icx-8358-2s", "@io-icx --rotate 1", 48), *text;

	(void)state;
	text = said(EXIT_OK, cmd_report, "report --io -s 33:47", dump);
	text_has(text, "\nStacks       in rd   in wr  out rd  out wr  rd hit rd miss"
	    "  wr hit wr miss \n");
	text_has(text, "\n  0/PCIe0   10.240  10.240   0.004   0.080   74.40   25.60"
	    "   40.00   60.00 \n");
	text_has(text, "\n  0/PCIe0      500      73    2.04   40.00   95.00    5.00"
	    "     800    4.50 \n");
	text_has(text, "\n      of its unit: L3 rd hit 74.40 %, L3 rd miss 25.60 %, "
	    "L3 wr hit 40.00 %, L3 wr miss 60.00 %,\n        rd lat 500 ns, wr "
	    "lat 73 ns, confl 2.04 %, VT-d 40.00 M/s, TLB hit 95.00 %, TLBmiss "
	    "5.00 %,\n        penalty 800 ns, reads 4.50/miss\n");
	free(text);
	text = said(EXIT_OK, cmd_report, "report --io -f csv -s 33:47", dump);
	text_has(text, "\nicx-8358,stack,0/PCIe0,,io_l3_read_hit,74.4000,%,");
	text_has(text, "\nicx-8358,stack,0/PCIe0,,iotlb_hit,95.0000,%,");
	text_has(text, "\nicx-8358,device,0/PCIe0 part 0,17:00.0 17:00.1,"
	    "io_l3_write_miss,60.0000,%,");
	text_has(text, "\nicx-8358,device,0/PCIe0 part 0,17:00.0 17:00.1,"
	    "iotlb_penalty,800.0000,ns,");
	free(text);
	free(dump);
}

static void
counts_are_given_by_stack_and_event(void **state)
{
	char *dump = dump_of("icx-8358-2s", "@io-icx --rotate 1", 48), *text;

	(void)state;
	/* of 14 seconds each set had one */
	text = said(EXIT_OK, cmd_report, "report --io -s 33:47", dump);
	text_has(text, "\nEvent counts by stack, scaled to all of the time\n"
	    "                                                   0/PCIe0"
	    "       0/PCIe2\n");
	text_has(text, "\n  irp    FAF_INSERTS                            3500000000"
	    "             0\n");
	text_has(text, "\n  iio    DATA_REQ_OF_CPU.MEM_WRITE.PART1                 0"
	    "      35000000\n");
	/* 8 x 4 and 8 and 12 of an IIO, 6 of an IRP: 58 */
	text_has(text, "\n  34 events more: 0 on all of them\n");
	free(text);
	text = said(EXIT_OK, cmd_report, "report --io -f csv -s 33:47", dump);
	text_has(text, "\nicx-8358,stack,0/PCIe0,,\"irp[\"\"FAF_INSERTS\"\"]\","
	    "3500000000.0000,,\"estimate: counted 7.1 % of the time, a burst at "
	    "another time is not in it, and its error is not known\",\r");
	text_has(text, "\nicx-8358,stack,1/MCP,,\"iio[\"\"CLOCKTICKS\"\"]\","
	    "7000000000.0000,,");
	free(text);
	/* a window in which three sets ran */
	text = said(EXIT_OK, cmd_report, "report --io -f csv -s 1:4", dump);
	text_has(text, "\nicx-8358,stack,0/PCIe0,,\"iio[\"\"PWT_OCCUPANCY\"\"]\",,,"
	    "its event set did not run,\r");
	free(text);
	free(dump);
}

/* In each second of 20 all fourteen sets have turns: figures and counts have an
 * error in place of a part of the time; of two seconds it is not known. */
static void
where_sets_have_turns_in_each_sample_errors_are_said(void **state)
{
	char *dump = dump_of("icx-8358-2s", "@io-icx", 20), *text;

	(void)state;
	text = said(EXIT_OK, cmd_report, "report --io", dump);
	text_has(text, "\n14 event sets took turns in each sample; figures of their "
	    "events are estimates\n");
	free(text);
	text = said(EXIT_OK, cmd_report, "report --io -f csv", dump);
	text_has(text, "node,scope,where,device,metric,value,unit,note,error\r\n");
	text_has(text, "\nicx-8358,stack,0/PCIe0,,io_read_latency,300.0000,ns,"
	    "estimate");
	text_has(text, "\nicx-8358,stack,1/MCP,,\"iio[\"\"CLOCKTICKS\"\"]\",95");
	assert_null(strstr(text, "% of the time"));
	free(text);
	text = said(EXIT_OK, cmd_report, "report --io -f csv -s 1:3", dump);
	text_has(text, "% of the time, and its error is not known");
	assert_null(strstr(text, "estimate: +-"));
	free(text);
	free(dump);
}

/* Stack 0 has 3/4 of the reads and 1/10 of the writes of its package, stack 1 the
 * rest; 40 % of all reads miss the L3, and 5 % of all writes.  There are a million
 * of each, divided by `per`. */
static char *
two_stacks(unsigned per)
{
	static const struct {
		const char *column;
		unsigned n;
	} t[] = {
		{ "irp_counts[0][0][\"FAF_INSERTS\"]", 750000 },
		{ "irp_counts[0][1][\"FAF_INSERTS\"]", 250000 },
		{ "irp_counts[0][0][\"TRANSACTIONS.WR_PREF\"]", 80000 },
		{ "irp_counts[0][1][\"TRANSACTIONS.WR_PREF\"]", 900000 },
		{ "irp_counts[0][0][\"MISC1.LOST_FWD\"]", 20000 },
		{ "irp_counts[0][1][\"MISC1.LOST_FWD\"]", 0 },
		{ "cha_counts[0][3][\"TOR_INSERTS.IO_MISS_PCIRDCUR\"]",
		  400000 },
		{ "cha_counts[0][3][\"TOR_INSERTS.IO_MISS_ITOM\"]", 50000 },
		{ "cha_counts[0][3][\"TOR_INSERTS.IO_MISS_ITOMCACHENEAR\"]",
		  0 },
	};
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	fprintf(f, "host = \"n\"\nmodel = \"icx\"\nTSC_ratio = 10\n"
	    "packages = 1\nnr_cpus = 1\n");
	for (unsigned i = 0; i < 2; i++) {
		fprintf(f, "tsc[%u] = %u\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n", i, i * 1000000000, i, 1000 + i,
		    i);
		for (size_t k = 0; k < sizeof(t) / sizeof(t[0]); k++)
			fprintf(f, "%s[%u] = %u\n", t[k].column, i,
			    i * t[k].n / per);
	}
	assert_int_equal(fclose(f), 0);
	return text;
}

/* Stack 0 has 80 and 20 of 1000 writes: too few for what is its own, but not for
 * what is of the package.  Of 100 it is. */
static void
a_share_of_the_package_is_as_doubtful_as_the_package(void **state)
{
	char *text = two_stacks(1000), *page;

	(void)state;
	page = said(EXIT_OK, cmd_report, "report --io", text);
	text_has(page, "  95.00~   5.00~\n");
	assert_null(strstr(page, "\n  io_l3_"));
	free(page);
	free(text);
	text = two_stacks(10000);
	page = said(EXIT_OK, cmd_report, "report --io", text);
	text_has(page, "  95.00?   5.00?\n");
	assert_int_equal(text_times(page, "\n  io_l3_write_miss of "), 2);
	text_has(page, "\n  io_l3_write_miss of package 0 is 5, by too few events: "
	    "io_write_misses 5 /s, io_writes 100 /s\n");
	free(page);
	free(text);
}

static void
what_is_of_the_package_says_between_what_a_stacks_own_is(void **state)
{
	char *text = two_stacks(1), *page;

	(void)state;
	page = said(EXIT_OK, cmd_report, "report --io -f csv", text);
	/* of 0.75e6 reads 0.15e6 to 0.4e6 miss, of 0.25e6 none to all */
	text_has(page, "\nn,stack,0/stack 0,,io_l3_read_miss,40.0000,%,\"of package "
	    "0, of whose requests 75.0 % are of this stack: its own is 20.00 to "
	    "53.33\"");
	text_has(page, "\nn,stack,0/stack 1,,io_l3_read_hit,60.0000,%,\"of package 0, "
	    "of whose requests 25.0 % are of this stack: its own is 0.00 to "
	    "100.00\"");
	/* of 0.1e6 writes none to 0.05e6, of 0.9e6 the same */
	text_has(page, "\nn,stack,0/stack 0,,io_l3_write_miss,5.0000,%,\"of package "
	    "0, of whose requests 10.0 % are of this stack: its own is 0.00 to "
	    "50.00\"");
	text_has(page, "\nn,stack,0/stack 1,,io_l3_write_hit,95.0000,%,\"of package "
	    "0, of whose requests 90.0 % are of this stack: its own is 94.44 to "
	    "100.00\"");
	free(page);
	page = said(EXIT_OK, cmd_report, "report --io", text);
	text_has(page, "   60.00~  40.00~  95.00~   5.00~\n");
	text_has(page, "\n~ of the package: its CHAs do not tell stacks apart");
	assert_null(strstr(page, "Doubtful"));
	free(page);
	free(text);
}

/* skx-8160-2s.machine: 48 parts where next to nothing moves, 12 stacks with too
 * few events. */
static void
parts_without_traffic_and_repeated_doubts_are_folded(void **state)
{
	char *dump = dump_of("skx-8160-2s", "@io-skx --rotate 1", 38), *text;
	const char *at;

	(void)state;
	text = said(EXIT_OK, cmd_report, "report --io -s 24:36", dump);
	assert_int_equal(text_times(text, "unattributed"), 1);
	text_has(text, "\n  unattributed, below 0.0005 GB/s each: 48 parts, 0.0026 "
	    "GB/s together\n    0/CBDMA part 0 1 2 3, 0/PCIe0 part 0 1 2 3,");
	assert_int_equal(text_times(text, "by too few events"), 2);
	text_has(text, "\n  iotlb_accesses of 12 stacks is 2, by too few events: "
	    "vtd_miss_reads 34 to 98 /s, vtd_misses 17 to 49 /s\n"
	    "      0/CBDMA, 0/PCIe0, ");
	/* how many walks are under way is a number, not a rate */
	at = strstr(text, "by too few events: vtd_walking ");
	assert_non_null(at);
	assert_true(strstr(at, ", vtd_misses ") < strstr(at, " /s"));
	/* what is not 0 is not printed as 0.000 */
	text_has(text, "\n  0/CBDMA  7.4e-05 8.1e-05 1.5e-05 3.0e-05 ");
	free(text);
	/* for programs each is on a line of its own */
	text = said(EXIT_OK, cmd_report, "report --io -f csv -s 24:36", dump);
	assert_int_equal(text_times(text, ",unattributed,"), 48 * 6);
	assert_int_equal(text_times(text, "by too few events"), 24);
	free(text);
	free(dump);
}

/* Four packages of sixteen stacks; stack s of package p loses 4 p + s + 1 of 50
 * writes: 2 to 56 %. */
static void
of_many_stacks_the_first_are_named_and_six_counted_side_by_side(void **state)
{
	char *dump = NULL, *text;
	size_t size;
	FILE *f = open_memstream(&dump, &size);

	(void)state;
	assert_non_null(f);
	fprintf(f, "host = \"n\"\nmodel = \"icx\"\nTSC_ratio = 10\n"
	    "packages = 4\nnr_cpus = 4\n");
	for (unsigned l = 0; l < 4; l++)
		fprintf(f, "lproc_package[%u] = %u\n", l, l);
	for (unsigned i = 0; i < 2; i++) {
		fprintf(f, "tsc[%u] = %u\nwalltime[0][%u] = %u\n"
		    "walltime[1][%u] = 0\n", i, i * 1000000000, i, 1000 + i,
		    i);
		for (unsigned k = 0; k < 64; k++)
			fprintf(f, "irp_counts[%u][%u][\"TRANSACTIONS.WR_PREF"
			    "\"][%u] = %u\nirp_counts[%u][%u][\"MISC1."
			    "LOST_FWD\"][%u] = %u\n", k / 16, k % 16, i,
			    i * 50, k / 16, k % 16, i,
			    i * (k / 16 * 4 + k % 16 + 1));
	}
	assert_int_equal(fclose(f), 0);
	text = said(EXIT_OK, cmd_report, "report --io", dump);
	text_has(text, "\n  io_conflicts of 64 stacks is 2 to 56, by too few events: "
	    "io_lost 1 to 28 /s, io_writes_owned 50 /s\n      0/stack 0, "
	    "0/stack 1, ");
	text_has(text, " 2/stack 0, 2/stack 1, ...\n");
	/* six, six and four of each package */
	assert_int_equal(text_times(text, "\n  irp    TRANSACTIONS.WR_PREF "), 12);
	text_has(text, "     3/stack 6     3/stack 7     3/stack 8     3/stack 9    "
	    "3/stack 10    3/stack 11\n");
	text_has(text, "\n  irp    MISC1.LOST_FWD                                 25"
	    "            26            27            28\n");
	free(text);
	free(dump);
}

static void
a_device_that_moves_nothing_has_one_line(void **state)
{
	static const char idle[] =
	    "host = \"n\"\nmodel = \"icx\"\nTSC_ratio = 10\npackages = 1\n"
	    "nr_cpus = 1\nio_devices = 1\n"
	    "io_device_address[0] = \"0000:3b:00.0\"\n"
	    "io_device_name[0] = \"Card\"\nio_device_package[0] = 0\n"
	    "io_device_stack[0] = 2\nio_device_part[0] = 0\n"
	    "tsc[0] = 0\nwalltime[0][0] = 1\nwalltime[1][0] = 0\n"
	    "iio_counts[0][2][\"DATA_REQ_OF_CPU.MEM_READ.PART0\"][0] = 5\n"
	    "tsc[1] = 1000000000\nwalltime[0][1] = 2\nwalltime[1][1] = 0\n"
	    "iio_counts[0][2][\"DATA_REQ_OF_CPU.MEM_READ.PART0\"][1] = 5\n";

	(void)state;
	holds(said(EXIT_OK, cmd_report, "report --io", idle),
	    "%  (at most)\n  no traffic: Card (3b:00.0), 0/stack 2 part 0\n\n");
}

/* Of what was not counted at all there is no table, but the list that counts it. */
static void
what_no_stack_counted_has_no_table(void **state)
{
	static const char dump[] =
	    "host = \"n\"\nmodel = \"icx\"\nTSC_ratio = 10\npackages = 1\n"
	    "nr_cpus = 1\ntsc[0] = 0\nwalltime[0][0] = 1\nwalltime[1][0] = 0\n"
	    "iio_counts[0][1][\"CLOCKTICKS\"][0] = 5\n"
	    "tsc[1] = 1000000000\nwalltime[0][1] = 2\nwalltime[1][1] = 0\n"
	    "iio_counts[0][1][\"CLOCKTICKS\"][1] = 6\n";
	char *text = said(EXIT_OK, cmd_report, "report --io", dump);

	(void)state;
	text_has(text, "\n\nStacks     not counted\n  in rd GB/s: missing iio[");
	assert_null(strstr(text, "no figure"));
	text_has(text, "\nMost of what is missing here is counted with tallyd -c "
	    "@io\n");
	free(text);
}

/* Ice Lake-D's stacks have numbers alone. */
static void
stacks_without_names_are_taken_for_pcie(void **state)
{
	static const char text[] =
	    "host = \"n\"\nmodel = \"icxd\"\nTSC_ratio = 10\npackages = 1\n"
	    "nr_cpus = 1\nio_stack_name[0][0] = \"stack0\"\n"
	    "io_stack_name[0][1] = \"stack1\"\n"
	    "tsc[0] = 0\nwalltime[0][0] = 1\nwalltime[1][0] = 0\n"
	    "iio_MCP_port0_in_bytes[0][0] = 0\n"
	    "iio_counts[0][0][\"DATA_REQ_OF_CPU.MEM_READ\"][0] = 5\n"
	    "iio_counts[0][1][\"DATA_REQ_OF_CPU.MEM_READ\"][0] = 5\n"
	    "tsc[1] = 1000000000\nwalltime[0][1] = 2\nwalltime[1][1] = 0\n"
	    "iio_MCP_port0_in_bytes[0][1] = 5\n"
	    "iio_counts[0][0][\"DATA_REQ_OF_CPU.MEM_READ\"][1] = 250000005\n"
	    "iio_counts[0][1][\"DATA_REQ_OF_CPU.MEM_READ\"][1] = 500000005\n";

	(void)state;
	holds(said(EXIT_OK, cmd_report, "report --io -f csv", text),
	    "\nn,node,,,pcie_in_read,3.0000,GB/s,");
	holds(said(EXIT_OK, cmd_report, "report --io -f csv", text),
	    "\nn,stack,0/stack1,,pcie_in_read,2.0000,GB/s,");
	/* and for nothing else */
	holds(said(EXIT_OK, cmd_metrics, "metrics -m mcp_in,cbdma_in", text),
	    "cbdma_in  iio_*_in_bytes of boxes called CBDMA*: there are none\n");
	holds(said(EXIT_OK, cmd_report, "report --io -f csv", text),
	    "\nn,node,,,cbdma_total,,GB/s,\"missing iio");
}

static void
what_is_called_pcie_is_of_pcie_stacks_alone(void **state)
{
	char *dump = dump_of("skx-8160-2s", "", 30), *text;

	(void)state;
	/* the free-running counters' rates, 18 s idle and 11 s of STREAM; with
	 * CBDMA and MCP it is 1.75 and 1.61 */
	text = said(EXIT_OK, cmd_report, "report --all", dump);
	text_has(text, "\n  PCIe in                     MB/s          0.88     0.74"
	    "     1.62\n");
	text_has(text, "\n  CBDMA and DMI in            MB/s          0.20     0.20"
	    "     0.40\n");
	text_has(text, "\n  MCP (on package) in         MB/s          0.67     0.67"
	    "     1.34\n");
	text_has(text, "\n  PCIe in MB/s    0/PCIe0_port0 0.07 ");
	text_has(text, " 0/PCIe2_port0 0.13 ");
	text_has(text, " 0/CBDMA_port1 0.21 ");
	free(text);
	free(dump);
	dump = dump_of("skx-8160-2s", "@io-skx --rotate 1", 38);
	text = said(EXIT_OK, cmd_report, "report --io -f csv -s 24:36", dump);
	text_has(text, ",package,0,,pcie_total,0.0006358,GB/s,");
	/* rows of other makers' CPUs are not among what it lacks */
	assert_null(strstr(text, "dma_read"));
	assert_null(strstr(text, "xgmi"));
	text_has(text, ",package,0,,cbdma_total,0.0001995,GB/s,");
	text_has(text, ",package,0,,mcp_total,0.0004549,GB/s,");
	text_has(text, ",stack,0/MCP1,,stack_in_read,0.00008216,GB/s,");
	text_has(text, ",device,0/MCP1 part 2,unattributed,stack_total,");
	assert_null(strstr(text, "MCP1,,pcie_"));
	free(text);
	free(dump);
}

static void
a_cpu_without_counters_of_stacks_says_in_a_line_what_it_has(void **state)
{
	char *dump = dump_of("rome-7742-2s", "@hpc", 4);
	char *text = complained(EXIT_UNUSABLE, cmd_report, "report --io", dump);

	(void)state;
	text_has(text, ": no metrics of I/O are known for this CPU; what there is of "
	    "it is in tally report and tally metrics\n");
	assert_int_equal(text_times(text, "\n"), 1);
	free(text);
	free(dump);
}

/* What devices do by package, where nothing is counted by stack: no row of what the
 * CPU does not know, no table of stacks, and which root port a device hangs on. */
static void
a_cpu_that_counts_by_package_shows_that(void **state)
{
	char *dump = dump_of("genoa-9654-2s", "@hpc", 20), *text;

	(void)state;
	text = said(EXIT_OK, cmd_report, "report --io", dump);
	text_has(text, "\n  read by devices (data fabric)         GB/s ");
	text_has(text, "\n  written by devices (data fabric)      GB/s ");
	assert_null(strstr(text, "not a metric of this CPU"));
	assert_null(strstr(text, "\nStacks"));
	free(text);
	free(dump);
	dump = dump_of("grace-2s", "@hpc", 20);
	text = said(EXIT_OK, cmd_report, "report --io -s 15:19", dump);
	text_has(text, "\n  PCIe: read by devices                 GB/s ");
	text_has(text, "\n  PCIe reads, of ten root ports'        %  ");
	text_has(text, "\nDevices\n  15b3:1021 (0008:01:00.0), root port 8 of package "
	    "0, link unknown\n  144d:a80a (0018:01:00.0), root port 8 of "
	    "package 1, link unknown\n");
	free(text);
	text = said(EXIT_OK, cmd_report, "report --io -f csv -s 15:19", dump);
	text_has(text, ",package,0,,pcie_rd_util,0.105");
	assert_null(strstr(text, "pcie_total"));
	free(text);
	free(dump);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_cpu_that_counts_by_package_shows_that),
		cmocka_unit_test(
		    l3_latency_conflicts_and_vtd_stand_beside_stack_and_device),
		cmocka_unit_test(counts_are_given_by_stack_and_event),
		cmocka_unit_test(
		    where_sets_have_turns_in_each_sample_errors_are_said),
		cmocka_unit_test(
		    what_is_of_the_package_says_between_what_a_stacks_own_is),
		cmocka_unit_test(
		    a_share_of_the_package_is_as_doubtful_as_the_package),
		cmocka_unit_test(
		    parts_without_traffic_and_repeated_doubts_are_folded),
		cmocka_unit_test(
		    of_many_stacks_the_first_are_named_and_six_counted_side_by_side),
		cmocka_unit_test(a_device_that_moves_nothing_has_one_line),
		cmocka_unit_test(what_no_stack_counted_has_no_table),
		cmocka_unit_test(stacks_without_names_are_taken_for_pcie),
		cmocka_unit_test(what_is_called_pcie_is_of_pcie_stacks_alone),
		cmocka_unit_test(
		    a_cpu_without_counters_of_stacks_says_in_a_line_what_it_has),
	};

	return cmocka_run_group_tests_name("io report", tests, test_dir_new,
	    test_dir_free);
}
