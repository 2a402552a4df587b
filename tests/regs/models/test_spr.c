/*
 * tests/regs/models/test_spr.c - Sapphire Rapids from end to end: its boxes on the simulated
 * node, to the count and over wraps; what its discovery tables can get wrong; no
 * reserved bit of a control.  Expected numbers are the rates of spr-9480-2s.machine,
 * and registers of the reference (intel-server-pmon.md 3.2, 5.3 and 9).
 * test_spr_lists.c has the events of Intel's lists.
 */
#include "tests/lib/rig.h"

#include "daemon/instead/instead.h"
#include "daemon/run/preamble.h"
#include "regs/sim/sim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 1000000000ull

static struct rig *
spr(const char *more, const char *config)
{
	return rig_with("@spr-9480-2s", more, config);
}

static void
every_box_counts_its_own_rate_to_the_count(void **state)
{
	static const struct {
		int line;
		const char *column;
		uint64_t idle, stream;
	} rows[] = {
		/* rate + instance * step + package * pkgstep */
		{ __LINE__, "cha_counts[0][0][\"CLOCKTICKS\"]", 1900000000,
		  1900000000 },
		{ __LINE__, "cha_counts[1][55][\"CLOCKTICKS\"]",
		  1900000000 + 55 * 3 + 5, 0 },
		{ __LINE__, "cha_counts[0][9][\"TOR_INSERTS.IA_MISS_DRD\"]",
		  900 + 9 * 7, 40000000 + 9 * 7 },
		{ __LINE__, "cha_counts[1][31][\"LLC_VICTIMS.TOTAL_M\"]",
		  300 + 31 * 3 + 5, 20000000 + 31 * 3 + 5 },
		{ __LINE__, "imc_counts[0][0][\"CAS_COUNT.RD\"]", 50000,
		  1000000 },
		{ __LINE__, "imc_counts[1][7][\"CAS_COUNT.WR\"]",
		  25000 + 7 * 7 + 11, 500000 + 7 * 7 + 11 },
		{ __LINE__, "imc_counts[1][5][\"DCLK\"]",
		  2400000000 + 5 + 11, 0 },
		{ __LINE__, "mchbm_counts[0][0][\"CAS_COUNT.RD\"]", 20000,
		  300000000 },
		{ __LINE__, "mchbm_counts[1][31][\"CAS_COUNT.WR\"]",
		  10000 + 31 * 7 + 11, 150000000 + 31 * 7 + 11 },
		{ __LINE__, "mchbm_counts[1][16][\"CLOCKTICKS\"]",
		  1600000000 + 16 * 3 + 11, 0 },
		{ __LINE__, "upi_counts[1][3][\"TxL_FLITS.ALL_DATA\"]",
		  10000 + 3 * 3 + 7, 30000000 + 3 * 3 + 7 },
		{ __LINE__, "iio_counts[0][9][\"DATA_REQ_OF_CPU.MEM_WRITE\"]",
		  2000 + 9 * 3, 400000000 + 9 * 3 },
		{ __LINE__, "iio_counts[1][4][\"DATA_REQ_BY_CPU.MEM_READ\"]",
		  40 + 4 * 3 + 5, 3000 + 4 * 3 + 5 },
		{ __LINE__, "pcu_counts[1][\"FREQ_TRANS_CYCLES\"]",
		  3100 + 3, 0 },
		{ __LINE__, "ubox_uclk[1]", 1900000000 + 7, 0 },
		{ __LINE__, "iio_stack7_clocks[0]", 500000007, 0 },
		{ __LINE__, "iio_stack0_port0_in_bytes[0]", 500, 60000000 },
		{ __LINE__, "iio_stack9_port7_out_bytes[1]",
		  209 + 7 * 3 + 5, 40000009 + 7 * 3 + 5 },
		/* lproc 57 is core 1 of package 1 */
		{ __LINE__, "core_fixed_counts[57][\"TOPDOWN.SLOTS\"]",
		  15600000 + 19 + 3, 0 },
		{ __LINE__, "core_counts[57][\"LONGEST_LAT_CACHE.MISS\"]",
		  9000 + 7 + 5, 20000000 + 7 + 5 },
	};
	struct rig *r = spr("", NULL);
	size_t n = sizeof(rows) / sizeof(rows[0]);

	(void)state;
	rig_program(r);
	/* one second a row, so the machine stays idle for these eight */
	for (size_t i = 0; i < n; i++) {
		struct rig *one = i % 8 == 7 ? spr("", NULL) : NULL;

		if (one != NULL) {
			rig_close(r);
			r = one;
			rig_program(r);
		}
		if (rows[i].idle != 0 &&
		    rig_second(r, rows[i].column) != rows[i].idle)
			fail_msg("idle rate of row at line %d", rows[i].line);
	}
	rig_close(r);
	r = spr("", NULL);
	rig_program(r);
	sim_advance(rig_sim(r), 12 * SECOND);
	for (size_t i = 0; i < n && i < 17; i++)
		if (rows[i].stream != 0 &&
		    rig_second(r, rows[i].column) != rows[i].stream)
			fail_msg("stream rate of row at line %d", rows[i].line);
	rig_close(r);
}

static void
boxes_that_the_default_leaves_out_count_too(void **state)
{
	struct rig *r = spr("", "m2m R event=0x24,umask=0x04,umask_ext=0x3\n"
	    "m2hbm R event=0x24,umask=0x04,umask_ext=0x3\n"
	    "m3upi T event=1\nm2pcie T event=1\nirp T event=1\n"
	    "mdf A event=0x15,umask=0x01\nubox D event=0x42,umask=0x08\n"
	    "mchbm fixed\n"
	    "cha V event=0x35,umask=0x01,tid_en=1,filter0=0x3\n"
	    "read imcfree_dclk imcfree_rpq_cycles\n");

	(void)state;
	rig_program(r);
	assert_int_equal(rig_second(r, "m2m_counts[1][3][\"R\"]"),
	    100000 + 3 * 47 + 53);
	assert_int_equal(rig_second(r, "m2hbm_counts[1][15][\"R\"]"),
	    40000 + 15 * 59 + 61);
	assert_int_equal(rig_second(r, "m3upi_counts[0][3][\"T\"]"),
	    1900000000 + 3 * 67);
	assert_int_equal(rig_second(r, "m2pcie_counts[1][9][\"T\"]"),
	    1900000000 + 9 * 3 + 5);
	assert_int_equal(rig_second(r, "irp_counts[0][9][\"T\"]"),
	    500000000 + 9 * 3);
	assert_int_equal(rig_second(r, "mdf_counts[1][11][\"A\"]"),
	    4000 + 11 * 3 + 5);
	assert_int_equal(rig_second(r, "mchbm_counts[1][31][\"DCLK\"]"),
	    1600000000 + 31 * 3 + 11);
	assert_int_equal(rig_second(r, "cha_counts[1][55][\"V\"]"),
	    77 + 55 * 3 + 5);
	assert_int_equal(rig_second(r, "imc_dclk[1][2]"), 2400000002);
	rig_close(r);
}

/* 9.1, 9.3: CXL boxes are in memory, and how they lie the table alone says.  Here
 * instead of CHA 58 and 59, which are none, at 0xd1e00018 + 58 * 24. */
static void
boxes_of_cxl_are_where_the_table_says(void **state)
{
	struct rig *r = spr("box cxlcm space=mmio instances=1 "
	    "pkgbase=0xd1900000,0xf1900000 counters=8 boxctl=0x0 ctl=0x10+8 ctr=0x50+8 "
	    "ctlbits=64 boxvalid=0x301 freeze=0x1 rstctl=0x100 rstctr=0x200 "
	    "enable=0 ignore=0 reset=0 valid=0xff84ffff\n"
	    "event cxlcm 0x1041 all=1234\nevent cxlcm 0x1002 all=777\n"
	    "mmio 0xd1e00588 words 0x4000000850301008 0xd1900000 0x2000c\n"
	    "mmio 0xd1e005a0 words 0x4000000850301003 0xd1901000 0x3000d\n",
	    "cxlcm R event=0x41,umask=0x10\ncxlcm T event=0x02,umask=0x10\n");

	(void)state;
	assert_string_equal(rig_unit(r, "CXLDP", 0, 3)->reason, "entry 59 of "
	    "the discovery table has 3 counters of 48 bits; known is 4 of 48");
	rig_program(r);
	assert_int_equal(rig_second(r, "cxlcm_counts[0][2][\"R\"]"), 1234);
	assert_int_equal(rig_second(r, "cxlcm_counts[0][2][\"T\"]"), 777);
	rig_close(r);
}

/* 4.2: 1 J, not the package's unit; it wraps in the first second. */
static void
the_platform_counts_joules(void **state)
{
	struct rig *r = spr("", NULL);

	(void)state;
	rig_program(r);
	rig_sample(r);
	assert_int_equal(rig_value(r, "rapl_psys_energy[0]"), 4294967000);
	sim_advance(rig_sim(r), SECOND);
	rig_sample(r);
	assert_int_equal(rig_value(r, "rapl_psys_energy[0]"), 4);
	rig_close(r);
}

/* 4.2: 2^-14 J, as of the package; 327680 a second are 20 W, not 5. */
static void
dram_energy_has_the_unit_of_the_package(void **state)
{
	struct rig *r = spr("", NULL);

	(void)state;
	assert_int_equal(r->node.topo.model->dram_unit_log2, 0);
	rig_close(r);
}

/* ---- the table ---- */

static void
the_table_and_the_register_say_which_boxes_there_are(void **state)
{
	struct rig *r = spr("", NULL);

	(void)state;
	assert_int_equal(r->node.inv.found.n, 2);
	assert_int_equal(r->node.inv.found.site[1].pkg, 1);
	assert_int_equal(rig_present(r, "CHA", 0), 56);     /* it lists 60 */
	assert_int_equal(rig_present(r, "IIO", 1), 10);
	assert_int_equal(rig_present(r, "MDF", 1), 12);
	assert_int_equal(rig_present(r, "IMC", 1), 8);
	assert_int_equal(rig_present(r, "MCHBM", 0), 32);
	assert_int_equal(rig_present(r, "M2HBM", 0), 16);
	assert_int_equal(rig_present(r, "UPI", 0), 4);      /* it lists 3 */
	assert_string_equal(rig_unit(r, "CHA", 0, 56)->reason,
	    "not on this part: it has 56 (MSR 0x2ffe)");
	assert_string_equal(rig_unit(r, "IIO", 1, 10)->reason,
	    "not in the discovery table");
	assert_string_equal(rig_unit(r, "IMC", 1, 0)->source,
	    "discovery table");
	/* (0x1e3 << 23) + (0x280 << 12) + 0x22800 + 0x4000 */
	assert_true(unit_addr(rig_unit(r, "IMC", 1, 3), 0x22800, 4).offset ==
	    0xf1aa6800);
	rig_close(r);
}

/* 9.5, 1: nothing but the fixed list, and what only a table says is not there. */
static void
a_package_whose_table_is_hidden_has_the_fixed_list(void **state)
{
	struct rig *r = spr("pci e7:03.1 0x10 = 0\n", NULL);
	const struct discovery_site *s = &r->node.inv.found.site[1];

	(void)state;
	assert_string_equal(s->no_table,
	    "BAR0 is 00000000: firmware did not set it up");
	assert_int_equal(rig_present(r, "MCHBM", 0), 32);
	assert_int_equal(rig_present(r, "CHA", 1), 56);
	assert_int_equal(rig_present(r, "IMC", 1), 8);
	assert_int_equal(rig_present(r, "M2M", 1), 4);
	assert_int_equal(rig_present(r, "MCHBM", 1), 0);
	assert_int_equal(rig_present(r, "MDF", 1), 0);
	assert_string_equal(rig_unit(r, "CHA", 1, 0)->source,
	    "fixed list: no discovery table");
	assert_string_equal(rig_unit(r, "MCHBM", 1, 0)->reason,
	    "there is no discovery table, which alone says where it is");
	rig_program(r);
	assert_int_equal(rig_second(r, "cha_counts[1][55][\"CLOCKTICKS\"]"),
	    1900000000 + 55 * 3 + 5);
	assert_int_equal(rig_second(r, "imc_counts[1][7][\"CAS_COUNT.WR\"]"),
	    25000 + 7 * 7 + 11);
	rig_close(r);
}

/* 9.1, 9.2: firmware without a proximity says -1 of both. */
#define NUMA(at, node) "file /sys/bus/pci/devices/0000:" at "/numa_node = " node "\n"
static void
whose_a_table_is_the_list_of_buses_says_where_numa_does_not(void **state)
{
	static const struct { int line; const char *more; int pkg[2]; } rows[] = {
		{ __LINE__, "", { 0, 1 } },
		{ __LINE__, "pci 80:00.0 0x3f4 = 0xf0\npci 00:00.0 0x3f4 = "
		  "0xf1\n", { 1, 0 } },
		/* a node id that no package has, a list that is none */
		{ __LINE__, "pci 80:00.0 0x3f4 = 5\n", { 0, -1 } },
		{ __LINE__, "pci 6a:03.0 0x1a0 = 0\n", { -1, 1 } },
		{ __LINE__, "pci 6a:03.0 0x1a0 = 0xffffffff\n", { -1, 1 } },
		{ __LINE__, "pci 00:00.0 0 = 0x09a38086\n", { -1, 1 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *more = NULL;
		struct rig *r;

		assert_true(asprintf(&more, NUMA("6a:03.0", "-1")
		    NUMA("6a:03.1", "-1") NUMA("e7:03.0", "-1")
		    NUMA("e7:03.1", "-1") "%s", rows[i].more) > 0);
		r = rig_bare("@spr-9480-2s", more);
		for (unsigned s = 0; s < 2; s++)
			if (r->node.inv.found.site[s].pkg != rows[i].pkg[s])
				fail_msg("line %d: table %u is of package %d",
				    rows[i].line, s,
				    r->node.inv.found.site[s].pkg);
		rig_close(r);
		free(more);
	}
}
#undef NUMA

/* Four NUMA nodes a package, and HBM as four more: boxes are of packages still. */
static void
clusters_of_a_package_share_its_boxes(void **state)
{
	struct rig *r = spr("nodes 4\n"
	    "file /sys/devices/system/node/has_cpu = 0-7\n"
	    "file /sys/devices/system/node/has_memory = 0-15\n"
	    "file /sys/bus/pci/devices/0000:e7:03.1/numa_node = 4\n", NULL);

	(void)state;
	assert_int_equal(r->node.topo.lproc[55].node, 3);
	assert_int_equal(r->node.topo.lproc[56].node, 4);
	assert_int_equal(r->node.inv.found.site[1].pkg, 1);
	assert_int_equal(rig_present(r, "CHA", 1), 56);
	assert_int_equal(rig_present(r, "MCHBM", 1), 32);
	rig_program(r);
	assert_int_equal(rig_second(r, "cha_counts[1][55][\"CLOCKTICKS\"]"),
	    1900000000 + 55 * 3 + 5);
	rig_close(r);
}

static void
modes_of_hbm_are_told_apart(void **state)
{
#define MEMORY "file /sys/devices/system/node/has_memory = "
#define SIZE "file /proc/meminfo = MemTotal: "
	static const struct { int line; const char *machine, *more, *head; }
	rows[] = {
		{ __LINE__, "@spr-9480-2s", "",
		  "hbm_mode = \"flat\"\nhbm_cache = 0\n" },
		{ __LINE__, "@spr-9480-2s", "nodes 4\n"
		  "file /sys/devices/system/node/has_cpu = 0-7\n" MEMORY "0-15\n",
		  "hbm_mode = \"flat\"\nhbm_cache = 0\n" },
		{ __LINE__, "@spr-9480-2s", MEMORY "0-1\n" SIZE
		  "1056456704 kB\n",
		  "hbm_mode = \"cache\"\nhbm_cache = 1\n" },
		/* 2 x 64 GiB, less what the kernel keeps */
		{ __LINE__, "@spr-9480-2s", MEMORY "0-1\n" SIZE
		  "131188960 kB\n",
		  "hbm_mode = \"only\"\nhbm_cache = 0\n" },
		{ __LINE__, "@spr-9480-2s", MEMORY "0-1\nfile /proc/meminfo "
		  "none\n", "hbm_mode = \"unknown\"\n" },
		{ __LINE__, "@spr-9480-2s", "file /sys/devices/system/node/"
		  "has_cpu none\n", "hbm_mode = \"unknown\"\n" },
		{ __LINE__, "@emr-8592-2s", "", "" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rig *r = rig_bare(rows[i].machine, rows[i].more);
		struct head h = { .text = NULL };
		char *text;

		hbm_put(&h, &r->node.topo, &r->node.inv, r->node.acc);
		text = head_take(&h);
		if (strcmp(text != NULL ? text : "", rows[i].head) != 0)
			fail_msg("line %d: %s", rows[i].line, text);
		free(text);
		rig_close(r);
	}
}

/* 14: 0 on some parts; then the table is right. */
static void
a_count_of_zero_leaves_the_chas_to_the_table(void **state)
{
	struct rig *r = spr("msr 0x2ffe pkg = 0\n", NULL);

	(void)state;
	assert_int_equal(rig_present(r, "CHA", 0), 60);
	rig_close(r);
}

/* The table of package 0: entries of 24 bytes, of CHA 0 at 0xd1e00018; its IIO
 * 0 is entry 60, at 0xd1e00018 + 60 * 24. */
static void
what_an_entry_gets_wrong_is_told_and_the_rest_counts(void **state)
{
	static const struct {
		int line;
		const char *machine, *box;
		unsigned inst;
		const char *says;
	} rows[] = {
		{ __LINE__, "mmio 0xd1e00030 words 0x109300204 0x2010 0x10000",
		  "CHA", 1, "entry 1 of the discovery table has its controls "
		  "at +0x2 and its counters at +0x9; known is +0x2 and +0x8" },
		{ __LINE__, "mmio 0xd1e00030 words 0x108300203 0x2010 0x10000",
		  "CHA", 1, "entry 1 of the discovery table has 3 counters of "
		  "48 bits; known is 4 of 48" },
		{ __LINE__, "mmio 0xd1e00030 words 0x108200204 0x2010 0x10000",
		  "CHA", 1, "entry 1 of the discovery table has 4 counters of "
		  "32 bits; known is 4 of 48" },
		{ __LINE__, "mmio 0xd1e00030 words 0x4000000128300804 "
		  "0xd1900000 0x10000", "CHA", 1, "entry 1 of the discovery "
		  "table has it in memory, where no source knows it" },
		{ __LINE__, "mmio 0xd1e00030 words 0x108300204 0x2000 0x10000",
		  "CHA", 1, "not in the discovery table" },
		{ __LINE__, "mmio 0xd1e005b8 words 0x108300204 0x3000 0xc8",
		  "IIO", 0, "not in the discovery table" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rig *r = spr(rows[i].machine, "cha T event=1\n");
		const struct unit *u = rig_unit(r, rows[i].box, 0,
		    rows[i].inst);

		if (u->present || strcmp(u->reason, rows[i].says) != 0)
			fail_msg("row at line %d: %s", rows[i].line,
			    u->reason);
		assert_true(rig_unit(r, "CHA", 1, 1)->present);
		rig_program(r);
		assert_int_equal(rig_second(r, "cha_counts[0][2][\"T\"]"),
		    1900000000 + 2 * 3);
		rig_close(r);
	}
}

static void
tables_are_listed_with_what_is_left_of_them(void **state)
{
	struct rig *r = spr("pci e7:03.1 0x10 = 0\n"
	    "mmio 0xd1e00030 words 0x108300204 0x2000 0x10000\n"
	    "mmio 0xd1e005b8 words 0x108300204 0x3000 0xc8\n", NULL);
	struct diag why;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	assert_non_null(f);
	assert_int_equal(list_what(f, "boxes", r->node.topo.model, &r->node,
	    &why), 0);
	fclose(f);
	assert_non_null(strstr(text, "\nCHA\t0\t2\tpresent\tdiscovery table\n"));
	assert_non_null(strstr(text, "\nCHA\t1\t2\tpresent\tfixed list: no "
	    "discovery table\n"));
	/* 60 + 30 + 2 + 40 + 20 + 6 + 12, one of which is left out */
	assert_non_null(strstr(text, "\nTABLE\t0\t0\tpresent\t0000:6a:03.1: "
	    "169 boxes, at 0xd1e00000\n"
	    "TABLE\t0\t0\tleft out\t0000:6a:03.1: entry 1: its registers "
	    "overlap those of entry 0 (type 0 id 0)\n"
	    "TABLE\t0\t0\tnot used\t0000:6a:03.1: entry 60: type 200 id 0\n"));
	assert_non_null(strstr(text, "\nTABLE\t1\t1\tabsent\t0000:e7:03.1: "
	    "BAR0 is 00000000: firmware did not set it up\n"));
	free(text);
	rig_close(r);
}

/* ---- what is written ---- */

static void
every_register_is_as_found_after_a_restore(void **state)
{
	struct rig *before = spr("", NULL), *r = spr("", NULL);

	(void)state;
	rig_put_back(r, before, 1000);
}

/* 5.3, 5.2: the bits that a control of each box may have set.  Bit 22 is none of
 * them, and 17 and 20 are left 0. */
static void
no_control_of_the_uncore_can_have_a_reserved_bit(void **state)
{
	static const struct {
		const char *box;
		uint64_t valid;
	} rows[] = {
		{ "UBOX", 0xff84ffff }, { "PCU", 0xff84ffff },
		{ "CHA", 0xffffffffff85ffff }, { "IIO", 0x7ffffff84ffff },
		{ "IRP", 0xff84ffff }, { "M2PCIe", 0xff84ffff },
		{ "MDF", 0xff84ffff }, { "IMC", 0xff84ffff },
		{ "MCHBM", 0xff84ffff }, { "M2M", 0xffffffff84ffff },
		{ "M2HBM", 0xffffffff84ffff }, { "UPI", 0xffffffff84ffff },
		{ "M3UPI", 0xff84ffff }, { "CXLCM", 0xff84ffff },
		{ "CXLDP", 0xff84ffff },
	};
	static const char *const named[] = { "spr", "emr" };

	(void)state;
	for (unsigned k = 0; k < 2; k++) {
		const struct model *m = model_named(named[k]);
		unsigned n = 0;

		assert_non_null(m);
		for (const struct box_type *b = m->box; b->name != NULL; b++) {
			size_t i = 0;

			if (b->counters == 0)
				continue;
			while (i < 15 && strcmp(rows[i].box, b->name) != 0)
				i++;
			assert_true(i < 15);
			assert_true(box_ctl_valid(b) == rows[i].valid);
			assert_true((box_ctl_valid(b) & 1 << 22) == 0);
			/* bit 0 alone; 8 and 9 reset */
			assert_true(b->freeze == 1 ||
			    b->box_ctl == 0);
			n++;
		}
		assert_int_equal(n, 15);
	}
}

/* As written: bit 22 is set in fixed controls alone, and no other bit of a box
 * control than 0 is touched. */
static void
no_write_of_the_plan_has_a_reserved_bit(void **state)
{
	static const char config[] = "ubox D event=0x42,umask=0x08\n"
	    "ubox fixed\npcu T event=1\ncha T event=1\niio T event=1\n"
	    "irp T event=1\nm2pcie T event=1\nmdf A event=0x15,umask=1\n"
	    "imc T event=1,umask=1\nmchbm T event=1,umask=1\nm2m T event=1\n"
	    "m2hbm T event=1\nupi T event=1\nm3upi T event=1\nimc fixed\n";
	struct rig *r = spr("", config);
	const struct plan *plan = &r->node.plan;
	unsigned events = 0, fixed = 0, boxes = 0;

	(void)state;
	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];

		if (w->type == NULL)
			continue;
		if (strncmp(w->role, "ctl", 3) == 0) {
			assert_true((w->set & ~box_ctl_valid(w->type)) == 0);
			assert_true((w->set & 1 << 22) == 0);
			events++;
		} else if (strcmp(w->role, "fixedctl") == 0) {
			assert_true(w->set == 1 << 22);
			fixed++;
		} else if (strcmp(w->role, "boxctl") == 0) {
			assert_true(w->set == 0 && w->clear == 1);
			boxes++;
		}
	}
	assert_int_equal(events, 2 * (1 + 1 + 56 + 3 * 10 + 12 + 8 + 32 + 4 +
	    16 + 4 + 4));
	assert_int_equal(fixed, 2 * (1 + 8));
	assert_int_equal(boxes, events);
	rig_close(r);
}

/* 9.2, 14: MSR 0x2ffe is 0 there, and the table is right. */
static void
an_emerald_rapids_counts_on_all_its_chas_and_has_no_hbm(void **state)
{
	struct rig *r = rig_open("@emr-8592-2s", NULL);

	(void)state;
	assert_string_equal(r->node.topo.model->name, "emr");
	assert_int_equal(rig_present(r, "CHA", 1), 64);
	assert_int_equal(rig_present(r, "MCHBM", 0) + rig_present(r, "M2HBM", 0), 0);
	assert_string_equal(rig_unit(r, "MCHBM", 0, 0)->reason,
	    "not in the discovery table");
	rig_program(r);
	assert_int_equal(rig_second(r, "cha_counts[1][63][\"CLOCKTICKS\"]"),
	    1900000000 + 63 * 3 + 5);
	assert_int_equal(rig_second(r, "imc_counts[1][7][\"CAS_COUNT.WR\"]"),
	    50000 + 7 * 7 + 11);
	assert_int_equal(rig_second(r, "iio_counts[0][9][\"DATA_REQ_OF_CPU."
	    "MEM_WRITE\"]"), 2000 + 9 * 3);
	assert_int_equal(rig_second(r, "core_counts[65][\"LONGEST_LAT_CACHE."
	    "MISS\"]"), 9000 + 7 + 5);
	assert_int_equal(rig_second(r, "upi_counts[1][3][\"CLOCKTICKS\"]"),
	    1000000000 + 3 * 5);
	rig_close(r);
}

static void
a_processor_is_known_by_its_model_number(void **state)
{
	(void)state;
	assert_string_equal(model_find("GenuineIntel", 6, 0x8f, 8)->name, "spr");
	assert_string_equal(model_find("GenuineIntel", 6, 0xcf, 2)->name, "emr");
	/* 9.3: 0x2000 + 0x10 * i, parts of 64 cores */
	assert_int_equal(box_ctl_reg(model_box(model_named("emr"), "CHA"), 63),
	    0x23f0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_box_counts_its_own_rate_to_the_count),
		cmocka_unit_test(boxes_that_the_default_leaves_out_count_too),
		cmocka_unit_test(boxes_of_cxl_are_where_the_table_says),
		cmocka_unit_test(the_platform_counts_joules),
		cmocka_unit_test(dram_energy_has_the_unit_of_the_package),
		cmocka_unit_test(the_table_and_the_register_say_which_boxes_there_are),
		cmocka_unit_test(a_package_whose_table_is_hidden_has_the_fixed_list),
		cmocka_unit_test(
		    whose_a_table_is_the_list_of_buses_says_where_numa_does_not),
		cmocka_unit_test(clusters_of_a_package_share_its_boxes),
		cmocka_unit_test(modes_of_hbm_are_told_apart),
		cmocka_unit_test(a_count_of_zero_leaves_the_chas_to_the_table),
		cmocka_unit_test(what_an_entry_gets_wrong_is_told_and_the_rest_counts),
		cmocka_unit_test(tables_are_listed_with_what_is_left_of_them),
		cmocka_unit_test(every_register_is_as_found_after_a_restore),
		cmocka_unit_test(no_control_of_the_uncore_can_have_a_reserved_bit),
		cmocka_unit_test(no_write_of_the_plan_has_a_reserved_bit),
		cmocka_unit_test(
		    an_emerald_rapids_counts_on_all_its_chas_and_has_no_hbm),
		cmocka_unit_test(a_processor_is_known_by_its_model_number),
	};

	return cmocka_run_group_tests_name("spr", tests, NULL, NULL);
}
