/*
 * tests/regs/models/test_gnr.c - Granite Rapids from end to end: its boxes on the simulated
 * node, to the count and over wraps; boxes that only a table places; what a table
 * gets wrong; no reserved bit of a control; events in the form of Intel's lists.
 * Expected numbers are the rates of gnr-6960p-2s.machine, and encodings worked out
 * by hand from the fields of the reference (intel-server-pmon.md 5.3, 9 to 11).
 */
#include "tests/lib/rig.h"

#include "config/dump/head.h"
#include "config/eventlist.h"
#include "daemon/instead/instead.h"
#include "daemon/run/preamble.h"
#include "regs/sim/sim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SECOND 1000000000ull

static struct rig *
gnr(const char *more, const char *config)
{
	return rig_with("@gnr-6960p-2s", more, config);
}

/* rate + instance * step + package * pkgstep */
static const struct {
	int line;
	const char *column;
	uint64_t idle, stream;
} rates[] = {
	{ __LINE__, "cha_counts[0][0][\"CLOCKTICKS\"]", 2200000000,
	  2200000000 },
	{ __LINE__, "cha_counts[1][71][\"CLOCKTICKS\"]",
	  2200000000 + 71 * 3 + 5, 2200000000 + 71 * 3 + 5 },
	{ __LINE__, "cha_counts[0][70][\"TOR_INSERTS.IA_MISS_DRD\"]",
	  900 + 70 * 7, 40000000 + 70 * 7 },
	{ __LINE__, "imc_counts[0][0][\"CAS_COUNT_SCH0.RD\"]", 50000,
	  300000000 },
	{ __LINE__, "imc_counts[1][11][\"CAS_COUNT_SCH1.RD\"]",
	  50002 + 11 * 7 + 11, 300000002 + 11 * 7 + 11 },
	{ __LINE__, "imc_counts[1][7][\"CAS_COUNT_SCH0.WR\"]",
	  25000 + 7 * 7 + 11, 100000000 + 7 * 7 + 11 },
	{ __LINE__, "imc_counts[0][3][\"CAS_COUNT_SCH1.WR\"]",
	  25002 + 3 * 7, 100000002 + 3 * 7 },
	{ __LINE__, "imc_counts[1][5][\"DCLK\"]",
	  3200000000 + 5 + 11, 3200000000 + 5 + 11 },
	{ __LINE__, "upi_counts[1][5][\"TxL_FLITS.ALL_DATA\"]",
	  10000 + 5 * 3 + 7, 30000000 + 5 * 3 + 7 },
	{ __LINE__, "iio_counts[0][14][\"DATA_REQ_OF_CPU.MEM_WRITE\"]",
	  2000 + 14 * 3, 400000000 + 14 * 3 },
	{ __LINE__, "iio_counts[1][4][\"DATA_REQ_BY_CPU.MEM_READ\"]",
	  40 + 4 * 3 + 5, 3000 + 4 * 3 + 5 },
	{ __LINE__, "pcu_counts[1][4][\"FREQ_TRANS_CYCLES\"]",
	  3100 + 4 * 3 + 5, 3100 + 4 * 3 + 5 },
	{ __LINE__, "ubox_uclk[1]", 2200000000 + 7, 2200000000 + 7 },
	{ __LINE__, "iio_stack7_clocks[0]", 500000007, 500000007 },
	{ __LINE__, "iio_stack0_port0_in_bytes[0]", 500, 60000000 },
	{ __LINE__, "iio_stack14_port7_out_bytes[1]",
	  214 + 7 * 3 + 5, 40000014 + 7 * 3 + 5 },
	/* lproc 73 is core 1 of package 1 */
	{ __LINE__, "core_fixed_counts[73][\"TOPDOWN.SLOTS\"]",
	  22800000 + 19 + 3, 22800000000 + 19 + 3 },
	{ __LINE__, "core_counts[73][\"LONGEST_LAT_CACHE.MISS\"]",
	  9000 + 7 + 5, 20000000 + 7 + 5 },
};

static void
every_box_counts_its_own_rate_to_the_count(void **state)
{
	size_t n = sizeof(rates) / sizeof(rates[0]);
	struct rig *r = gnr("", NULL);

	(void)state;
	rig_program(r);
	/* one second a row, and the machine is idle for ten */
	for (size_t i = 0; i < n; i++) {
		if (i == 9) {
			rig_close(r);
			r = gnr("", NULL);
			rig_program(r);
		}
		if (rig_second(r, rates[i].column) != rates[i].idle)
			fail_msg("idle rate of row at line %d", rates[i].line);
	}
	sim_advance(rig_sim(r), 2 * SECOND);
	for (size_t i = 0; i < n; i++)
		if (rig_second(r, rates[i].column) != rates[i].stream)
			fail_msg("stream rate of row at line %d",
			    rates[i].line);
	rig_close(r);
}

/* Of PCU, MDF, B2HOT, B2CXL, CXLCM and CXLDP a table alone says how they lie. */
static void
boxes_that_only_a_table_places_count_too(void **state)
{
	struct rig *r = gnr("", "b2cmi R event=0x24,umask=0x04,umask_ext=0x1\n"
	    "b2upi T event=1\nirp F event=0x18\npciex16 T event=1\n"
	    "pciex8 T event=1\nmdf A event=0x15,umask=0x01\n"
	    "b2hot T event=1\nb2cxl T event=1\n"
	    "cxlcm M event=0x41,umask=0x10\ncxldp D event=0x02,umask=0x20\n"
	    "ubox D event=0x42,umask=0x08\npcu C event=0x35\n"
	    "cha V event=0x35,umask=0x01,tid_en=1,filter0=0x3\n");

	(void)state;
	rig_program(r);
	assert_int_equal(rig_second(r, "b2cmi_counts[1][11][\"R\"]"),
	    100000 + 11 * 47 + 53);
	assert_int_equal(rig_second(r, "b2upi_counts[1][5][\"T\"]"),
	    2200000000 + 5 * 67 + 71);
	assert_int_equal(rig_second(r, "irp_counts[0][14][\"F\"]"),
	    250000 + 14 * 3);
	/* ids 1, 2, 3 and 8: the fourth of the machine is box 8 */
	assert_int_equal(rig_second(r, "pciex16_counts[1][8][\"T\"]"),
	    1000000000 + 3 * 3 + 5);
	assert_false(rig_has(r, "pciex16_counts[1][0][\"T\"]"));
	assert_int_equal(rig_second(r, "pciex8_counts[0][0][\"T\"]"),
	    1000000000);
	assert_int_equal(rig_second(r, "mdf_counts[1][39][\"A\"]"),
	    4000 + 39 * 3 + 5);
	assert_int_equal(rig_second(r, "b2hot_counts[0][15][\"T\"]"),
	    2200000000 + 15 * 11);
	assert_int_equal(rig_second(r, "b2cxl_counts[1][3][\"T\"]"),
	    2200000000 + 3 * 17 + 19);
	rig_close(r);
	r = gnr("", "cxlcm M event=0x41,umask=0x10\n"
	    "cxldp D event=0x02,umask=0x20\npcu C event=0x35\n");
	rig_program(r);
	/* its Rx events are on counters 4 to 7; ids 2, 4, 6 and 8 */
	assert_int_equal(rig_second(r, "cxlcm_counts[1][8][\"M\"]"),
	    12 + 3 * 17 + 19);
	assert_int_equal(rig_second(r, "cxldp_counts[0][9][\"D\"]"),
	    13 + 3 * 17);
	assert_int_equal(rig_second(r, "pcu_counts[1][2][\"C\"]"),
	    4000000000 + 2 * 3 + 5);
	sim_advance(rig_sim(r), 10 * SECOND);
	assert_int_equal(rig_second(r, "cxlcm_counts[0][2][\"M\"]"), 7000000);
	rig_close(r);
}

/* ---- the table ---- */

static void
both_tables_of_a_package_say_which_boxes_there_are(void **state)
{
	static const struct { const char *box; unsigned n; } rows[] = {
		{ "UBOX", 1 }, { "PCU", 5 }, { "CHA", 72 }, { "IIO", 15 },
		{ "IRP", 15 }, { "MDF", 40 }, { "IMC", 12 }, { "B2CMI", 12 },
		{ "UPI", 6 }, { "B2UPI", 6 }, { "PCIEX16", 4 },
		{ "PCIEX8", 1 }, { "B2HOT", 16 }, { "B2CXL", 4 },
		{ "CXLCM", 4 }, { "CXLDP", 4 },
	};
	struct rig *r = gnr("", NULL);

	(void)state;
	assert_string_equal(r->node.topo.model->name, "gnr");
	assert_int_equal(r->node.inv.found.n, 4);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (unsigned pkg = 0; pkg < 2; pkg++)
			if (rig_present(r, rows[i].box, pkg) != rows[i].n)
				fail_msg("%s: %u in package %u", rows[i].box,
				    rig_present(r, rows[i].box, pkg), pkg);
	assert_string_equal(rig_unit(r, "CHA", 0, 72)->reason,
	    "not on this part: it has 72 (MSR 0x3fed)");
	assert_string_equal(rig_unit(r, "IIO", 1, 15)->reason,
	    "not in the discovery table");
	/* 0xf1800000 + (0x400 << 12) + 0x24e800 + 11 * 0x4000 */
	assert_true(unit_addr(rig_unit(r, "IMC", 1, 11), 0x24e800, 4).offset ==
	    0xf1e7a800);
	rig_close(r);
}

/* 9.5, 1: CHAs and I/O stacks are where two sources agree; no other box is. */
static void
a_package_whose_tables_are_hidden_has_chas_and_stacks(void **state)
{
	struct rig *r = gnr("pci e7:03.1 0x10 = 0\npci e7:04.1 0x10 = 0\n",
	    "cha T event=1\niio T event=1\nimc T event=1,umask=1\n");

	(void)state;
	assert_int_equal(rig_present(r, "IMC", 0), 12);
	assert_int_equal(rig_present(r, "CHA", 1), 72);
	assert_int_equal(rig_present(r, "IIO", 1), 16);
	assert_string_equal(rig_unit(r, "CHA", 1, 0)->source,
	    "fixed list: no discovery table");
	for (unsigned i = 0; i < r->node.inv.n; i++) {
		const struct unit *u = &r->node.inv.unit[i];

		if (u->pkg == 1 && u->present)
			assert_true(strcmp(u->type->name, "CHA") == 0 ||
			    strcmp(u->type->name, "IIO") == 0);
	}
	assert_string_equal(rig_unit(r, "PCU", 1, 0)->reason,
	    "there is no discovery table, which alone says where it is");
	rig_program(r);
	assert_int_equal(rig_second(r, "cha_counts[1][71][\"T\"]"),
	    2200000000 + 71 * 3 + 5);
	assert_int_equal(rig_second(r, "iio_counts[1][9][\"T\"]"),
	    500000000 + 9 * 3 + 5);
	assert_int_equal(rig_second(r, "imc_counts[0][11][\"T\"]"),
	    3200000000 + 11 * 3);
	rig_close(r);
}

/* Entries of 24 bytes behind the table's own: of package 0 CHA 1 is the second of
 * 0xd0100000, and of 0xd0110000 UPI 0 the 32nd, B2CXL 0 the 60th. */
static void
what_an_entry_gets_wrong_is_told_and_the_rest_counts(void **state)
{
	static const struct {
		int line;
		const char *machine, *box;
		unsigned inst;
		const char *says;
	} rows[] = {
		{ __LINE__, "mmio 0xd0100030 words 0x109300204 0x2010 0x10000",
		  "CHA", 1, "entry 1 of the discovery table has its controls "
		  "at +0x2 and its counters at +0x9; known is +0x2 and +0x8" },
		{ __LINE__, "mmio 0xd0110300 words 0x8000006408303804 "
		  "0x87e09318 0x8", "UPI", 0, "no PCI function 7e:01.1" },
		{ __LINE__, "mmio 0xd0110300 words 0x108303804 0x3fb0 0x8",
		  "UPI", 0, "entry 31 of the discovery table has it in MSRs, "
		  "where no source knows it" },
		{ __LINE__, "mmio 0xd01105a0 words 0x4000000850301003 "
		  "0xd2000000 0x11", "B2CXL", 0, "entry 59 of the discovery "
		  "table has 3 counters of 48 bits; known is 4 of 48" },
		{ __LINE__, "pci 7e:10.1 0 = 0x00011af4", "UPI", 0,
		  "PCI function 7e:10.1 has id 1af4:0001, expected 8086" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rig *r = gnr(rows[i].machine, "cha T event=1\n");
		const struct unit *u = rig_unit(r, rows[i].box, 0,
		    rows[i].inst);

		if (u->present || strcmp(u->reason, rows[i].says) != 0)
			fail_msg("row at line %d: %s", rows[i].line,
			    u->reason);
		rig_program(r);
		assert_int_equal(rig_second(r, "cha_counts[0][2][\"T\"]"),
		    2200000000 + 2 * 3);
		rig_close(r);
	}
}

/* Whether ids are of the package or of a die, no source says: the first holds. */
static void
a_box_that_a_second_table_lists_again_is_listed_as_not_used(void **state)
{
	struct rig *r = gnr("mmio 0xd0110018 words 0x108300204 0x3fc0 0\n"
	    "mmio 0xd0110030 words 0x108300204 0x3fb0 0x600006\n", NULL);
	struct diag why;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	assert_non_null(f);
	assert_int_equal(list_what(f, "boxes", r->node.topo.model, &r->node,
	    &why), 0);
	fclose(f);
	assert_int_equal(unit_addr(rig_unit(r, "CHA", 0, 0), 0x2000, 8).offset,
	    0x2000);
	assert_non_null(strstr(text, "\nTABLE\t0\t1\tnot used\t0000:6a:04.1: "
	    "entry 0: type 0 id 0: an earlier table of this package has one, "
	    "too\n"));
	/* no model has so many channels */
	assert_non_null(strstr(text, "\nTABLE\t0\t1\tnot used\t0000:6a:04.1: "
	    "entry 1: type 6 id 96\n"));
	assert_non_null(strstr(text, "\nTABLE\t0\t1\tnot used\t0000:6a:04.1: "
	    "entry 76: type 19 id 0\n"));
	free(text);
	rig_close(r);
}

static void
registers_that_a_table_places_are_listed_from_it(void **state)
{
	struct rig *r = gnr("", NULL);
	struct diag why;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	assert_int_equal(list_what(f, "registers", r->node.topo.model,
	    &r->node, &why), 0);
	fclose(f);
	assert_non_null(strstr(text, "\nMDF\t39\tctl0\tpackage 0\tmsr 0x2d74 "
	    "lproc 0\n"));
	assert_non_null(strstr(text, "\nCXLCM\t2\tctr7\tpackage 1\tmmio "
	    "0xf2010088\n"));
	free(text);
	f = open_memstream(&text, &size);
	assert_int_equal(list_what(f, "registers", model_named("gnr"), NULL,
	    &why), 0);
	fclose(f);
	assert_non_null(strstr(text, "\nMDF\t0\tboxctl\ttable\tas the discovery "
	    "table of a node says\n"));
	free(text);
	rig_close(r);
}

/* ---- the tables' words ---- */

static void
words_of_tables_are_lines_of_a_machine(void **state)
{
	struct rig *r = gnr("", NULL), *again;
	char *text = NULL, *more = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size), *m;

	(void)state;
	list_table_words(f, &r->node.inv);
	fclose(f);
	m = open_memstream(&more, &size);
	for (unsigned k = 0; k < 147; k++)
		fprintf(m, "mmio 0x%x words 0 0 0\nmmio 0x%x words 0 0 0\n",
		    0xd0100000 + 24 * k, 0xf0100000 + 24 * k);
	for (char *row = strtok(text, "\n"); row != NULL;
	    row = strtok(NULL, "\n"))
		fprintf(m, "%s\n", strstr(row, "mmio "));
	fclose(m);
	again = gnr(more, NULL);
	assert_int_equal(r->node.inv.n, again->node.inv.n);
	for (unsigned i = 0; i < r->node.inv.n; i++) {
		const struct unit *a = &r->node.inv.unit[i];
		const struct unit *b = &again->node.inv.unit[i];

		assert_int_equal(a->present, b->present);
		assert_int_equal(a->where, b->where);
		assert_true(a->base == b->base && a->ctl == b->ctl);
	}
	rig_close(again);
	rig_close(r);
	free(more);
	free(text);
}

static void
the_head_of_a_dump_has_the_tables_as_they_were_read(void **state)
{
	struct rig *r = gnr("pci e7:04.1 0x10 = 0\n", NULL);
	struct head h = { .text = NULL };
	char *text;

	(void)state;
	preamble_tables(&h, &r->node.inv.found);
	text = head_take(&h);
	assert_non_null(strstr(text, "\ndiscovery_function[1] = "
	    "\"0000:6a:04.1\"\n"));
	assert_non_null(strstr(text, "\ndiscovery_package[2] = 1\n"));
	assert_non_null(strstr(text, "\ndiscovery_address[0] = 0xd0100000\n"));
	assert_non_null(strstr(text, "\ndiscovery_address[3] = 0x0\n"));
	assert_non_null(strstr(text, "\ndiscovery_words[0] = \"0 0x0 0x920300 "
	    "0x3ff8000 0x801\"\n"));
	assert_non_null(strstr(text, "\ndiscovery_words[2] = \"0 0x30 "
	    "0x108300204 0x2010 0x10000\"\n"));
	/* 146 entries, a hole; a second table of 78 and its own; the third */
	assert_non_null(strstr(text, "\ndiscovery_words[146] = \"1 0x0 "));
	assert_null(strstr(text, "\"3 0x"));
	free(text);
	rig_close(r);
}

/* ---- what is written ---- */

static void
every_register_is_as_found_after_a_restore(void **state)
{
	static const char config[] = "mdf A event=0x15,umask=1\n"
	    "b2hot T event=1\nb2cxl T event=1\ncxlcm M event=0x41\n"
	    "cxldp D event=2\npciex16 T event=1\nb2upi T event=1\n";
	struct rig *before = gnr("", config), *r = gnr("", config);

	(void)state;
	rig_put_back(r, before, 150);
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
		{ "IRP", 0xff84ffff }, { "MDF", 0xff84ffff },
		{ "IMC", 0xff84ffff }, { "B2CMI", 0xffffffff84ffff },
		{ "UPI", 0xffffffff84ffff }, { "B2UPI", 0xffffffff84ffff },
		{ "PCIEX16", 0xffffffff84ffff },
		{ "PCIEX8", 0xffffffff84ffff }, { "B2HOT", 0xffffffff84ffff },
		{ "B2CXL", 0xff84ffff }, { "CXLCM", 0xff84ffff },
		{ "CXLDP", 0xff84ffff },
	};
	const struct model *m = model_named("gnr");
	size_t n = 0;

	(void)state;
	for (const struct box_type *b = m->box; b->name != NULL; b++, n++) {
		size_t i = 0;

		while (i < 16 && strcmp(rows[i].box, b->name) != 0)
			i++;
		assert_true(i < 16);
		assert_true(box_ctl_valid(b) == rows[i].valid);
		assert_true(b->enable == 0 && b->freeze == 1);
	}
	assert_int_equal(n, 16);
	assert_int_equal(m->global_ctl, 0);
}

static void
no_write_of_the_plan_has_a_reserved_bit(void **state)
{
	static const char config[] = "ubox D event=0x42,umask=0x08\n"
	    "ubox fixed\npcu T event=1\ncha T event=1\niio T event=1\n"
	    "irp T event=1\nmdf T event=1\nimc T event=1,umask=1\nimc fixed\n"
	    "b2cmi T event=1\nupi T event=1\nb2upi T event=1\n"
	    "pciex16 T event=1\npciex8 T event=1\nb2hot T event=1\n"
	    "b2cxl T event=1\ncxlcm M event=0x41\ncxldp D event=2\n";
	struct rig *r = gnr("", config);
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
	assert_int_equal(events, 2 * (1 + 5 + 72 + 15 + 15 + 40 + 12 + 12 + 6 +
	    6 + 4 + 1 + 16 + 4 + 4 + 4));
	assert_int_equal(fixed, 2 * (1 + 12));
	assert_int_equal(boxes, events);
	rig_close(r);
}

/* In PCI space and in memory: what reads ffffffff now and then, and is right the next
 * time. */
static void
a_counter_of_all_ones_is_a_failed_read(void **state)
{
	static const struct { const char *ones, *back, *column, *beside; } box[] = {
		{ "box upi 0 2 ctr0 = 0xffffffff", "box upi 0 2 ctr0 = 0x345",
		  "upi_counts[0][2][\"C\"]", "upi_counts[0][1][\"C\"]" },
		{ "box b2cxl 1 3 ctr0 = 0xffffffff", "box b2cxl 1 3 ctr0 = 0x345",
		  "b2cxl_counts[1][3][\"C\"]", "b2cxl_counts[1][2][\"C\"]" },
	};

	(void)state;
	for (unsigned i = 0; i < 2; i++)
		for (unsigned sets = 0; sets < 2; sets++) {
			struct rig *r = gnr("", sets ? "set a\nupi C event=1,umask=0\n"
			    "b2cxl C event=1,umask=0\n" : "upi C event=1,umask=0\n"
			    "b2cxl C event=1,umask=0\n");

			rig_program(r);
			rig_sample(r);
			assert_true(rig_value(r, box[i].column) != ABSENT);
			rig_fault(r, box[i].ones);
			rig_sample(r);
			assert_true(rig_value(r, box[i].column) == ABSENT);
			assert_true(rig_value(r, box[i].beside) != ABSENT);
			rig_fault(r, box[i].back);
			rig_sample(r);
			/* a set begins anew where it was not read */
			if (sets)
				rig_sample(r);
			assert_true(rig_value(r, box[i].column) != ABSENT);
			rig_restore(r);
			rig_close(r);
		}
}

static void
a_processor_is_known_by_its_model_number(void **state)
{
	(void)state;
	assert_string_equal(model_find("GenuineIntel", 6, 0xad, 1)->name, "gnr");
	assert_string_equal(model_find("GenuineIntel", 6, 0xae, 0)->name, "gnr");
	assert_null(model_find("GenuineIntel", 6, 0xb0, 3));
}

/* ---- events in the form of Intel's lists ---- */

/* As the list for these parts says each: unit, name, code, unit mask, its
 * extension, part and flow masks, counters; and by hand event | umask << 8 |
 * ext << 32, of IIO ch_mask << 36 | fc_mask << 48; of cores EN and both rings. */
static const struct {
	int line;
	const char *unit, *name, *code, *umask, *ext, *port, *fc, *counter;
	uint64_t ctl;
	unsigned counters;
} golden[] = {
	{ __LINE__, "", "INST_RETIRED.ANY_P", "0xC0", "0x00", NULL, NULL, NULL,
	  "0,1,2,3,4,5,6,7", 0x4300c0, 0xff },
	{ __LINE__, "", "TOPDOWN.BAD_SPEC_SLOTS", "0xA4", "0x04", NULL, NULL,
	  NULL, "0", 0x4304a4, 0x1 },
	{ __LINE__, "", "MEM_LOAD_RETIRED.L3_MISS", "0xD1", "0x20", NULL, NULL,
	  NULL, "0,1,2,3", 0x4320d1, 0xf },
	{ __LINE__, "", "L2_LINES_IN.ALL", "0x25", "0x1F", NULL, NULL, NULL,
	  "0,1,2,3", 0x431f25, 0xf },
	/* 11.2: halves of a channel */
	{ __LINE__, "IMC", "UNC_M_CLOCKTICKS", "0x01", "0x01", "0", "0", "0",
	  "0,1,2,3", 0x101, 0xf },
	{ __LINE__, "IMC", "UNC_M_HCLOCKTICKS", "0x01", "0x00", "0", "0", "0",
	  "0,1,2,3", 0x1, 0xf },
	{ __LINE__, "IMC", "UNC_M_CAS_COUNT_SCH0.RD", "0x05", "0xCF", "0", "0",
	  "0", "0,1,2,3", 0xcf05, 0xf },
	{ __LINE__, "IMC", "UNC_M_CAS_COUNT_SCH0.WR", "0x05", "0xF0", "0", "0",
	  "0", "0,1,2,3", 0xf005, 0xf },
	{ __LINE__, "IMC", "UNC_M_CAS_COUNT_SCH1.RD", "0x06", "0xCF", "0", "0",
	  "0", "0,1,2,3", 0xcf06, 0xf },
	{ __LINE__, "IMC", "UNC_M_CAS_COUNT_SCH1.WR", "0x06", "0xF0", "0", "0",
	  "0", "0,1,2,3", 0xf006, 0xf },
	{ __LINE__, "IMC", "UNC_M_ACT_COUNT.ALL", "0x02", "0xF7", "0", "0",
	  "0", "0,1,2,3", 0xf702, 0xf },
	{ __LINE__, "IMC", "UNC_M_PRE_COUNT.PGT", "0x03", "0xF8", "0", "0",
	  "0", "0,1,2,3", 0xf803, 0xf },
	{ __LINE__, "IMC", "UNC_M_RPQ_INSERTS.PCH1", "0x10", "0xA0", "0", "0",
	  "0", "0,1,2,3", 0xa010, 0xf },
	{ __LINE__, "IMC", "UNC_M_WPQ_OCCUPANCY_SCH0_PCH0", "0x84", "0x00", "0",
	  "0", "0", "0,1,2,3", 0x84, 0xf },
	{ __LINE__, "IMC", "UNC_M_POWER_CRITICAL_THROTTLE_CYCLES.SLOT0", "0x89",
	  "0x01", "0", "0", "0", "0,1,2,3", 0x189, 0xf },
	/* 11.3 */
	{ __LINE__, "B2CMI", "UNC_B2CMI_CLOCKTICKS", "0x01", "0x00", "0", "0",
	  "0", "0,1,2,3", 0x1, 0xf },
	{ __LINE__, "B2CMI", "UNC_B2CMI_IMC_READS.ALL", "0x24", "0x04",
	  "0x00000001", "0x00", "0x00", "0,1,2,3", 0x100000424, 0xf },
	{ __LINE__, "B2CMI", "UNC_B2CMI_IMC_WRITES.ALL", "0x25", "0x10",
	  "0x00000001", "0x00", "0x00", "0,1,2,3", 0x100001025, 0xf },
	{ __LINE__, "B2CMI", "UNC_B2CMI_DIRECTORY_UPDATE.ANY", "0x21", "0x01",
	  "0x00000003", "0x00", "0x00", "0,1,2,3", 0x300000121, 0xf },
	{ __LINE__, "B2CMI", "UNC_B2CMI_TAG_HIT.RD_CLEAN", "0x1F", "0x01",
	  "0x00000000", "0x00", "0x00", "0,1,2,3", 0x11f, 0xf },
	{ __LINE__, "CXLCM", "UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_DATA", "0x41",
	  "0x10", "0", "0", "0", "4,5,6,7", 0x1041, 0xf0 },
	{ __LINE__, "CXLDP", "UNC_CXLDP_TxC_AGF_INSERTS.M2S_DATA", "0x02",
	  "0x20", "0", "0", "0", "0,1,2,3", 0x2002, 0xf },
	{ __LINE__, "UBOX", "UNC_U_EVENT_MSG.DOORBELL_RCVD", "0x42", "0x08",
	  "0", "0", "0", "0,1", 0x842, 0x3 },
	/* 11.4, 11.5 */
	{ __LINE__, "UPI", "UNC_UPI_TxL_FLITS.ALL_DATA", "0x02", "0x0F", "0",
	  "0", "0", "0,1,2,3", 0xf02, 0xf },
	{ __LINE__, "UPI", "UNC_UPI_L1_POWER_CYCLES", "0x21", "0x00", "0",
	  "0", "0", "0,1,2,3", 0x21, 0xf },
	{ __LINE__, "PCU", "UNC_P_POWER_STATE_OCCUPANCY_CORES_C6", "0x37",
	  "0x00", "0", "0", "0", "0,1,2,3", 0x37, 0xf },
	{ __LINE__, "PCU", "UNC_P_PROCHOT_INTERNAL_CYCLES", "0x09", "0x00",
	  "0", "0", "0", "0,1,2,3", 0x9, 0xf },
	/* 11.6, 11.7 */
	{ __LINE__, "CHA", "UNC_CHA_LLC_LOOKUP.DATA_READ", "0x34", "0xFF",
	  "0x00001BC1", "0x00", "0x00", "0,1,2,3", 0x1bc10000ff34, 0xf },
	{ __LINE__, "CHA", "UNC_CHA_LLC_LOOKUP.DATA_READ_MISS", "0x34", "0x01",
	  "0x00001FC1", "0x00", "0x00", "0,1,2,3", 0x1fc100000134, 0xf },
	{ __LINE__, "CHA", "UNC_CHA_SF_EVICTION.M_STATE", "0x3D", "0x01",
	  "0x00000000", "0x00", "0x00", "0,1,2,3", 0x13d, 0xf },
	{ __LINE__, "CHA", "UNC_CHA_TOR_INSERTS.IA_MISS_DRD", "0x35", "0x01",
	  "0x00C817FE", "0x00", "0x00", "0,1,2,3", 0xc817fe00000135, 0xf },
	{ __LINE__, "CHA", "UNC_CHA_TOR_INSERTS.IA_MISS_CXL_ACC", "0x35",
	  "0x01", "0x10C00182", "0x00", "0x00", "0,1,2,3",
	  0x10c0018200000135, 0xf },
	/* bit 30 of the extension, 62 of the control: these parts alone (5.3) */
	{ __LINE__, "CHA", "UNC_CHA_TOR_INSERTS.EXT62", "0x35", "0x01",
	  "0x40C00182", "0x00", "0x00", "0,1,2,3", 0x40c0018200000135, 0xf },
	{ __LINE__, "CHA", "UNC_CHA_TOR_OCCUPANCY.IA_MISS_DRD", "0x36", "0x01",
	  "0x00C817FE", "0x00", "0x00", "0", 0xc817fe00000136, 0x1 },
	/* 11.8: the extension repeats the masks */
	{ __LINE__, "IIO", "UNC_IIO_DATA_REQ_OF_CPU.MEM_WRITE.PART0", "0x83",
	  "0x01", "0x00070010", "0x01", "0x07", "0,1", 0x7001000000183, 0x3 },
	{ __LINE__, "IIO", "UNC_IIO_DATA_REQ_BY_CPU.MEM_READ.PART7", "0xC0",
	  "0x04", "0x00070800", "0x80", "0x07", "2,3", 0x70800000004c0, 0xc },
	{ __LINE__, "IIO", "UNC_IIO_TXN_REQ_OF_CPU.MEM_READ.PART0", "0x84",
	  "0x04", "0x00070010", "0x01", "0x07", "0,1", 0x7001000000484, 0x3 },
	{ __LINE__, "IIO", "UNC_IIO_IOMMU0.FIRST_LOOKUPS", "0x40", "0x01",
	  "0x00000000", "0x00", "0x00", "0,1,2,3", 0x140, 0xf },
	{ __LINE__, "IIO", "UNC_IIO_PWT_OCCUPANCY", "0x42", "0x00",
	  "0x00000000", "0x00", "0x00", "0,1,2,3", 0x42, 0xf },
	{ __LINE__, "IIO", "UNC_IIO_COMP_BUF_OCCUPANCY.CMPD.ALL_PARTS", "0xD5",
	  "0xFF", "0x00070FF0", "0xFF", "0x07", "2,3", 0x70ff00000ffd5, 0xc },
	{ __LINE__, "IIO", "UNC_IIO_IOMMU1.NUM_MEM_ACCESSES", "0x41", "0xC0",
	  "0x00000000", "0x00", "0x00", "0,1,2,3", 0xc041, 0xf },
	/* 11.9 */
	{ __LINE__, "IRP", "UNC_I_FAF_OCCUPANCY", "0x19", "0x00", "0", "0",
	  "0", "0,1,2,3", 0x19, 0xf },
	{ __LINE__, "IRP", "UNC_I_MISC1.LOST_FWD", "0x1F", "0x10", "0", "0",
	  "0", "0,1,2,3", 0x101f, 0xf },
	/* units of these parts */
	{ __LINE__, "MDF", "UNC_MDF_CLOCKTICKS", "0x01", "0x00", "0", "0", "0",
	  "0,1,2,3", 0x1, 0xf },
	{ __LINE__, "B2HOT", "UNC_B2HOT_CLOCKTICKS", "0x01", "0x00", "0", "0",
	  "0", "0,1,2,3", 0x1, 0xf },
	{ __LINE__, "B2UPI", "UNC_B2UPI_CLOCKTICKS", "0x01", "0x00", "0", "0",
	  "0", "0,1,2,3", 0x1, 0xf },
	{ __LINE__, "B2CXL", "UNC_B2CXL_CLOCKTICKS", "0x01", "0x00", "0", "0",
	  "0", "0,1,2,3", 0x1, 0xf },
};
#define GOLDEN (sizeof(golden) / sizeof(golden[0]))

static void
member(FILE *f, const char *name, const char *value)
{
	if (value != NULL && *value != '\0')
		fprintf(f, ", \"%s\": \"%s\"", name, value);
}

static void
events_in_the_form_of_the_list_have_the_values_of_the_reference(void **state)
{
	struct eventlist *list = NULL;
	struct diag why = { "" };
	char *text = NULL;
	unsigned wrong = 0;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	fprintf(f, "{ \"Header\": { \"Info\": \"as for Xeon 6\" }, "
	    "\"Events\": [\n");
	for (size_t i = 0; i < GOLDEN; i++) {
		fprintf(f, "%s{ \"EventName\": \"%s\"", i > 0 ? ",\n" : "",
		    golden[i].name);
		member(f, "Unit", golden[i].unit);
		member(f, "EventCode", golden[i].code);
		member(f, "UMask", golden[i].umask);
		member(f, "UMaskExt", golden[i].ext);
		member(f, "PortMask", golden[i].port);
		member(f, "FCMask", golden[i].fc);
		member(f, "Counter", golden[i].counter);
		member(f, "CounterType", golden[i].ext != NULL ? "PGMABLE" :
		    NULL);
		fprintf(f, " }");
	}
	/* 10: no source has the number of this type */
	fprintf(f, ",\n{ \"EventName\": \"UNC_CHACMS_CLOCKTICKS\", \"Unit\": "
	    "\"CHACMS\", \"EventCode\": \"0x01\", \"UMask\": \"0x00\" }]}\n");
	fclose(f);
	if (eventlist_parse(&list, model_named("gnr"), "gnr.json", text, size,
	    &why) < 0)
		fail_msg("%s", why.text);
	for (size_t i = 0; i < GOLDEN; i++) {
		const struct listed_event *e = eventlist_find(list,
		    golden[i].name);

		if (e != NULL && e->type != NULL && e->ctl == golden[i].ctl &&
		    e->counters == golden[i].counters)
			continue;
		print_error("line %d: %s is 0x%" PRIx64 " on 0x%x: %s\n",
		    golden[i].line, golden[i].name, e != NULL ? e->ctl : 0,
		    e != NULL ? e->counters : 0, e != NULL && e->why_not !=
		    NULL ? e->why_not : "");
		wrong++;
	}
	assert_int_equal(wrong, 0);
	assert_string_equal(eventlist_at(list, GOLDEN)->why_not,
	    "this model has no unit CHACMS");
	eventlist_free(list);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_box_counts_its_own_rate_to_the_count),
		cmocka_unit_test(boxes_that_only_a_table_places_count_too),
		cmocka_unit_test(
		    both_tables_of_a_package_say_which_boxes_there_are),
		cmocka_unit_test(
		    a_package_whose_tables_are_hidden_has_chas_and_stacks),
		cmocka_unit_test(
		    what_an_entry_gets_wrong_is_told_and_the_rest_counts),
		cmocka_unit_test(
		    a_box_that_a_second_table_lists_again_is_listed_as_not_used),
		cmocka_unit_test(
		    registers_that_a_table_places_are_listed_from_it),
		cmocka_unit_test(words_of_tables_are_lines_of_a_machine),
		cmocka_unit_test(
		    the_head_of_a_dump_has_the_tables_as_they_were_read),
		cmocka_unit_test(every_register_is_as_found_after_a_restore),
		cmocka_unit_test(
		    no_control_of_the_uncore_can_have_a_reserved_bit),
		cmocka_unit_test(no_write_of_the_plan_has_a_reserved_bit),
		cmocka_unit_test(a_counter_of_all_ones_is_a_failed_read),
		cmocka_unit_test(a_processor_is_known_by_its_model_number),
		cmocka_unit_test(
		    events_in_the_form_of_the_list_have_the_values_of_the_reference),
	};

	return cmocka_run_group_tests_name("gnr", tests, NULL, NULL);
}
