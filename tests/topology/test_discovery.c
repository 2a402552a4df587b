/*
 * tests/topology/test_discovery.c - discovery tables: the worked one of the reference
 * (intel-server-pmon.md 9.4), each of its faulty variants (9.5), and the way to
 * a table through config space and memory.
 */
#include "tests/lib/rig.h"

#include "topology/discovery.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* Entry i of the table, 0 for the global one, word w. */
#define WORD(i, w) (4 * (i) + (w))
#define STRIDE 4
#define ENTRIES 15
#define SIZE (ENTRIES * STRIDE * 8)
enum { CHA0 = 1, CHA1, IIO0, IIO2, IRP0, HOLE1, PCU0, UBOX0, IMC0, IMC1, M2M0,
	UPI0, MDF3, HOLE2 };

/* 9.4, as it stands there. */
static const uint64_t worked[ENTRIES][3] = {
	{ 0x00000000000e0400, 0x0000000000002ff0, 0x0000000000000802 },
	{ 0x0000000108300204, 0x0000000000002000, 0x0000000100000000 },
	{ 0x0000000108300204, 0x0000000000002010, 0x0000000200010000 },
	{ 0x0000000108300204, 0x0000000000003000, 0x0000000300000001 },
	{ 0x0000000108300204, 0x0000000000003020, 0x0000000400020001 },
	{ 0x0000000108300202, 0x0000000000003400, 0x0000000500000002 },
	{ 0, 0, 0 },
	{ 0x0000000108300204, 0x0000000000002fc0, 0x0000000600000004 },
	{ 0x0000000108300202, 0x0000000000002fd0, 0x0000000700000005 },
	{ 0x4000005c08304004, 0x00000000d1a22800, 0x0000000800000006 },
	{ 0x4000005c08304004, 0x00000000d1a26800, 0x0000000900010006 },
	{ 0x8000007008303004, 0x0000000087e60438, 0x0000000a00000007 },
	{ 0x8000006408303804, 0x0000000087e09318, 0x0000000b00000008 },
	{ 0x0000000108300204, 0x0000000000002830, 0x0000000c0003000b },
	{ 0, 0, 0 },
};

struct image {
	uint64_t word[ENTRIES * STRIDE];
	uint8_t byte[SIZE];
};

static void
image_init(struct image *m)
{
	memset(m, 0, sizeof(*m));
	for (unsigned i = 0; i < ENTRIES; i++)
		memcpy(&m->word[WORD(i, 0)], worked[i], sizeof(worked[i]));
}

static int
image_parse(struct image *m, struct discovery_table *t, size_t size,
    struct diag *why)
{
	for (unsigned i = 0; i < SIZE; i++)
		m->byte[i] = (uint8_t)(m->word[i / 8] >> 8 * (i % 8));
	return discovery_parse(t, m->byte, size, why);
}

static const struct discovered *
unit_of(const struct discovery_table *t, unsigned type, unsigned id)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->unit[i].type == type && t->unit[i].id == id)
			return &t->unit[i];
	return NULL;
}

static void
the_worked_table_lists_its_twelve_units(void **state)
{
	static const struct {
		int line;
		uint16_t type, id;
		uint8_t space, counters;
		uint64_t box;           /* with its first and last registers */
		uint64_t ctl, last_ctl, ctr, last_ctr, status;
		uint32_t unit;
	} rows[] = {
		{ __LINE__, 0, 0, REG_MSR, 4, 0x2000, 0x2002, 0x2005, 0x2008,
		  0x200b, 0x2001, 0 },
		{ __LINE__, 0, 1, REG_MSR, 4, 0x2010, 0x2012, 0x2015, 0x2018,
		  0x201b, 0x2011, 0 },
		{ __LINE__, 1, 0, REG_MSR, 4, 0x3000, 0x3002, 0x3005, 0x3008,
		  0x300b, 0x3001, 0 },
		{ __LINE__, 1, 2, REG_MSR, 4, 0x3020, 0x3022, 0x3025, 0x3028,
		  0x302b, 0x3021, 0 },
		{ __LINE__, 2, 0, REG_MSR, 2, 0x3400, 0x3402, 0x3403, 0x3408,
		  0x3409, 0x3401, 0 },
		{ __LINE__, 4, 0, REG_MSR, 4, 0x2fc0, 0x2fc2, 0x2fc5, 0x2fc8,
		  0x2fcb, 0x2fc1, 0 },
		{ __LINE__, 5, 0, REG_MSR, 2, 0x2fd0, 0x2fd2, 0x2fd3, 0x2fd8,
		  0x2fd9, 0x2fd1, 0 },
		{ __LINE__, 6, 0, REG_MMIO, 4, 0xd1a22800, 0xd1a22840,
		  0xd1a2284c, 0xd1a22808, 0xd1a22820, 0xd1a2285c, 0 },
		{ __LINE__, 6, 1, REG_MMIO, 4, 0xd1a26800, 0xd1a26840,
		  0xd1a2684c, 0xd1a26808, 0xd1a26820, 0xd1a2685c, 0 },
		{ __LINE__, 7, 0, REG_PCI, 4, 0x438, 0x468, 0x480, 0x440,
		  0x458, 0x4a8, PCI_UNIT(0, 0x7e, PCI_DEVFN(0x0c, 0)) },
		{ __LINE__, 8, 0, REG_PCI, 4, 0x318, 0x350, 0x368, 0x320,
		  0x338, 0x37c, PCI_UNIT(0, 0x7e, PCI_DEVFN(0x01, 1)) },
		{ __LINE__, 11, 3, REG_MSR, 4, 0x2830, 0x2832, 0x2835, 0x2838,
		  0x283b, 0x2831, 0 },
	};
	struct discovery_table t;
	struct diag why = { "" };
	struct image m;

	(void)state;
	image_init(&m);
	assert_int_equal(image_parse(&m, &t, SIZE, &why), 0);
	assert_int_equal(t.n, 12);
	assert_int_equal(t.nleft, 0);
	assert_int_equal(t.stride, 4);
	assert_int_equal(t.max_units, 14);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct discovered *u = unit_of(&t, rows[i].type,
		    rows[i].id);
		unsigned last;

		if (u == NULL)
			fail_msg("no unit of line %d", rows[i].line);
		last = u->counters - 1u;
		if (u->space != rows[i].space || u->bits != 48 ||
		    u->counters != rows[i].counters ||
		    u->unit != rows[i].unit || u->box_ctl != rows[i].box ||
		    u->box_ctl + u->ctl != rows[i].ctl ||
		    u->box_ctl + u->ctl + last * u->ctl_step !=
		    rows[i].last_ctl || u->box_ctl + u->ctr != rows[i].ctr ||
		    u->box_ctl + u->ctr + last * u->ctr_step !=
		    rows[i].last_ctr ||
		    u->box_ctl + u->status != rows[i].status)
			fail_msg("unit of line %d", rows[i].line);
	}
	discovery_free(&t);
}

/* 9.5: one word changed, that entry is left out with its reason, and the eleven
 * others are there. */
static void
a_faulty_entry_is_named_and_the_others_are_there(void **state)
{
	static const struct {
		int line;
		unsigned at;            /* word */
		uint64_t value;
		unsigned entry;         /* as the table counts them, from 0 */
		const char *why;
	} rows[] = {
		{ __LINE__, WORD(IRP0, 0), UINT64_MAX, 4, "word 0 is all ones" },
		{ __LINE__, WORD(IRP0, 1), UINT64_MAX, 4, "word 1 is all ones" },
		{ __LINE__, WORD(IRP0, 2), UINT64_MAX, 4, "word 2 is all ones" },
		{ __LINE__, WORD(CHA1, 0), 0, 1, "word 0 is 0" },
		{ __LINE__, WORD(CHA1, 1), 0, 1,
		  "its box control has no address" },
		{ __LINE__, WORD(CHA1, 0), 0x0000000100300204, 1,
		  "its counters are where its box control is" },
		{ __LINE__, WORD(CHA1, 0), 0x0000000108300004, 1,
		  "its controls are where its box control is" },
		{ __LINE__, WORD(CHA1, 1), 0x2000, 1, "its registers overlap "
		  "those of entry 0 (type 0 id 0)" },
		{ __LINE__, WORD(CHA1, 1), 0x2003, 1, "its registers overlap "
		  "those of entry 0 (type 0 id 0)" },
		{ __LINE__, WORD(CHA1, 2), 0, 1,
		  "type 0 id 0 is entry 0 already" },
		{ __LINE__, WORD(IIO2, 0), 0xc000000108300204, 3,
		  "access type 3 is reserved" },
		{ __LINE__, WORD(UPI0, 1), 0x0000000007e09318, 11, "PCI "
		  "address 0x7e09318 has its enable bit (31) clear: firmware "
		  "did not fill it in" },
		{ __LINE__, WORD(UPI0, 1), 0x0000000187e09318, 11,
		  "PCI address 0x187e09318 is none" },
		{ __LINE__, WORD(UPI0, 1), 0x0000000087e09319, 11,
		  "PCI address 0x87e09319 is none" },
		{ __LINE__, WORD(UPI0, 1), 0x0000000087e09fc0, 11, "its "
		  "registers reach beyond the config space of its function" },
		{ __LINE__, WORD(IIO0, 0), 0x0000000108000204, 2,
		  "counters of 0 bits" },
		{ __LINE__, WORD(IIO0, 0), 0x0000000108410204, 2,
		  "counters of 65 bits" },
		{ __LINE__, WORD(IIO0, 0), 0x0000000108300200, 2,
		  "0 counters" },
		{ __LINE__, WORD(IIO0, 0), 0x0000000108300211, 2,
		  "17 counters" },
		{ __LINE__, WORD(IIO0, 0), 0x0000000104300204, 2,
		  "its own registers overlap" },
		{ __LINE__, WORD(MDF3, 1), 0x100002830, 12, "MSR 0x100002830 "
		  "is outside 0x2000-0x3fff, where uncore MSRs are" },
		{ __LINE__, WORD(MDF3, 1), 0x174, 12, "MSR 0x174 is outside "
		  "0x2000-0x3fff, where uncore MSRs are" },
		{ __LINE__, WORD(MDF3, 1), 0x3ff5, 12,
		  "its registers reach beyond MSR 0x3fff" },
		{ __LINE__, WORD(IMC0, 1), 0xff000, 8,
		  "0xff000 is no place for registers in memory" },
		{ __LINE__, WORD(IMC0, 1), 0xd1a22802, 8,
		  "0xd1a22802 is no place for registers in memory" },
		{ __LINE__, WORD(IMC0, 1), 0x10000000000000, 8,
		  "0x10000000000000 is no place for registers in memory" },
		{ __LINE__, WORD(M2M0, 0), 0x8000007008303204, 10,
		  "its controls are not aligned" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct discovery_table t;
		struct diag why = { "" };
		struct image m;

		image_init(&m);
		m.word[rows[i].at] = rows[i].value;
		assert_int_equal(image_parse(&m, &t, SIZE, &why), 0);
		if (t.nleft != 1 || t.left[0].first != rows[i].entry ||
		    t.left[0].last != rows[i].entry ||
		    strcmp(t.left[0].why, rows[i].why) != 0)
			fail_msg("line %d: %u left out, entry %u: %s",
			    rows[i].line, t.nleft, t.nleft > 0 ?
			    t.left[0].first : 0, t.nleft > 0 ? t.left[0].why :
			    "");
		assert_int_equal(t.n, 11);
		for (unsigned k = 0; k < t.n; k++)
			assert_int_not_equal(t.unit[k].entry, rows[i].entry);
		discovery_free(&t);
	}
}

/* 9.5, 7: the second of the same type and id, at another address. */
static void
of_two_entries_of_one_unit_the_first_is_kept(void **state)
{
	struct discovery_table t;
	struct diag why = { "" };
	struct image m;

	(void)state;
	image_init(&m);
	memcpy(&m.word[WORD(HOLE2, 0)], worked[CHA0], sizeof(worked[0]));
	m.word[WORD(HOLE2, 1)] = 0x2040;
	assert_int_equal(image_parse(&m, &t, SIZE, &why), 0);
	assert_int_equal(t.n, 12);
	assert_true(unit_of(&t, 0, 0)->box_ctl == 0x2000);
	assert_int_equal(t.nleft, 1);
	assert_int_equal(t.left[0].first, 13);
	assert_string_equal(t.left[0].why, "type 0 id 0 is entry 0 already");
	discovery_free(&t);
}

/* 9.5, 4 and 9: a hole is no fault, and neither is a type that nobody knows. */
static void
holes_say_nothing_and_unknown_types_are_listed(void **state)
{
	struct discovery_table t;
	struct diag why = { "" };
	struct image m;

	(void)state;
	image_init(&m);
	m.word[WORD(MDF3, 2)] = 0x0000000c000300c8;
	memset(&m.word[WORD(IIO0, 0)], 0, 3 * sizeof(m.word[0]));
	assert_int_equal(image_parse(&m, &t, SIZE, &why), 0);
	assert_int_equal(t.n, 11);
	assert_int_equal(t.nleft, 0);
	assert_null(unit_of(&t, 1, 0));
	assert_non_null(unit_of(&t, 200, 3));
	discovery_free(&t);
}

/* 14.1: nobody knows what real tables have in reserved bits; they are not looked
 * at. */
static void
reserved_bits_change_nothing(void **state)
{
	struct discovery_table t;
	struct diag why = { "" };
	struct image m;

	(void)state;
	image_init(&m);
	for (unsigned i = 1; i < ENTRIES; i++)
		if (m.word[WORD(i, 0)] != 0) {
			m.word[WORD(i, 0)] |= 0x3fffff0000000000;
			m.word[WORD(i, 2)] ^= 0xffffffff00000000;
			m.word[WORD(i, 3)] = UINT64_MAX;
		}
	m.word[0] |= 0x3ffffffffc000000;
	assert_int_equal(image_parse(&m, &t, SIZE, &why), 0);
	assert_int_equal(t.n, 12);
	assert_int_equal(t.nleft, 0);
	assert_int_equal(t.max_units, 14);
	discovery_free(&t);
}

static void
what_is_no_table_says_why(void **state)
{
	static const struct {
		int line;
		uint64_t global[3];
		size_t size;
		const char *why;
	} rows[] = {
		{ __LINE__, { UINT64_MAX, UINT64_MAX, UINT64_MAX }, SIZE,
		  "the discovery table reads all ones (word 0 of its head): its "
		  "memory is not there, or firmware did not set it up" },
		{ __LINE__, { 0xe0400, UINT64_MAX, 0 }, SIZE,
		  "the discovery table reads all ones (word 1 of its head): its "
		  "memory is not there, or firmware did not set it up" },
		{ __LINE__, { 0, 0, 0 }, SIZE,
		  "the discovery table is empty (its head is 0)" },
		{ __LINE__, { 0xe0000, 0x2ff0, 0x802 }, SIZE, "the discovery "
		  "table has a stride of 0 words, and an entry has 3: entries "
		  "would overlap" },
		{ __LINE__, { 0xe0200, 0x2ff0, 0x802 }, SIZE, "the discovery "
		  "table has a stride of 2 words, and an entry has 3: entries "
		  "would overlap" },
		{ __LINE__, { 0xe0400, 0x2ff0, 0x802 }, 23, "the discovery "
		  "table is cut off after 23 bytes: its head alone has 24" },
		{ __LINE__, { 0xe0400, 0x2ff0, 0x802 }, 0, "the discovery "
		  "table is cut off after 0 bytes: its head alone has 24" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct discovery_table t;
		struct diag why = { "" };
		struct image m;

		image_init(&m);
		memcpy(m.word, rows[i].global, sizeof(rows[i].global));
		assert_int_equal(image_parse(&m, &t, rows[i].size, &why),
		    -EINVAL);
		if (strcmp(why.text, rows[i].why) != 0)
			fail_msg("line %d: %s", rows[i].line, why.text);
		discovery_free(&t);
	}
}

/* 9.5, 12: 1023 units of 255 words are 2 MB; the memory has 480 bytes. */
static void
entries_behind_the_end_are_left_out_in_one_line(void **state)
{
	struct discovery_table t;
	struct diag why = { "" };
	struct image m;

	(void)state;
	image_init(&m);
	m.word[0] = 0x00000000001e0400;
	assert_int_equal(image_parse(&m, &t, SIZE, &why), 0);
	assert_int_equal(t.n, 12);
	assert_int_equal(t.nleft, 1);
	assert_int_equal(t.left[0].first, 14);
	assert_int_equal(t.left[0].last, 29);
	assert_string_equal(t.left[0].why, "behind the end of the table's "
	    "memory, which has 480 bytes");
	discovery_free(&t);

	m.word[0] = 0x0000000003ffff00;
	assert_int_equal(image_parse(&m, &t, SIZE, &why), 0);
	assert_int_equal(t.n, 0);
	assert_int_equal(t.nleft, 1);
	assert_int_equal(t.left[0].last, 1022);
	discovery_free(&t);
}

static void
a_table_that_is_cut_anywhere_keeps_what_is_whole(void **state)
{
	struct image m;

	(void)state;
	image_init(&m);
	for (size_t size = DISCOVERY_ENTRY; size <= SIZE; size++) {
		struct discovery_table t;
		struct diag why = { "" };

		assert_int_equal(image_parse(&m, &t, size, &why), 0);
		for (unsigned k = 0; k < t.n; k++)
			assert_true((t.unit[k].entry + 1u) * 32 + 24 <= size);
		assert_int_equal(t.n == 12, size >= 13 * 32 + 24);
		discovery_free(&t);
	}
}

/* ---- the way to a table ---- */

/* 9.4's function at 6a:03.1, with all that lies in front of the capability. */
static const char function[] =
    "file /sys/bus/pci/devices/0000:6a:03.1/vendor = 0x8086\n"
    "file /sys/bus/pci/devices/0000:6a:03.1/device = 0x09a7\n"
    "file /sys/bus/pci/devices/0000:6a:03.1/numa_node = 1\n"
    "file /sys/bus/pci/devices/0000:6a:03.1/resource = "
    "0x00000000d1e00000 0x00000000d1e00fff 0x0000000000040200\\n"
    "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
    "pci 6a:03.1 0 = 0x09a78086\n"
    "pci 6a:03.1 4 = 0x00100006\n"
    "pci 6a:03.1 0x10 = 0xd1e00004\n"
    "pci 6a:03.1 0x14 = 0\n"
    "pci 6a:03.1 0x100 = 0x1401000b\n"
    "pci 6a:03.1 0x140 = 0x18010023\n"
    "pci 6a:03.1 0x144 = 0x01001e98\n"
    "pci 6a:03.1 0x148 = 0x00000003\n"
    "pci 6a:03.1 0x180 = 0x00010023\n"
    "pci 6a:03.1 0x184 = 0x01008086\n"
    "pci 6a:03.1 0x188 = 0x00000001\n"
    "pci 6a:03.1 0x18c = 0x00000000\n";

/* A node with that function, the worked table in its memory, and `more`. */
static struct rig *
node_with(const char *more)
{
	char text[8192];
	size_t n = (size_t)snprintf(text, sizeof(text), "%s", function);

	for (unsigned i = 0; i < ENTRIES; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "mmio 0x%x "
		    "words 0x%" PRIx64 " 0x%" PRIx64 " 0x%" PRIx64 "\n",
		    0xd1e00000 + 32 * i, worked[i][0], worked[i][1],
		    worked[i][2]);
	snprintf(text + n, sizeof(text) - n, "%s", more);
	return rig_bare("@icx-8358-2s", text);
}

/* The one site of the node. */
static struct discovery
discover(struct rig *r)
{
	struct discovery d;
	struct diag why = { "" };

	assert_int_equal(discovery_load(&d, &r->node.topo, r->node.acc, &why),
	    0);
	assert_int_equal(d.n, 1);
	return d;
}

static void
the_table_is_found_behind_other_capabilities(void **state)
{
	struct rig *r = node_with("");
	struct discovery d = discover(r);
	const struct discovery_site *s = &d.site[0];

	(void)state;
	assert_string_equal(s->no_table, "");
	assert_string_equal(s->note, "");
	assert_int_equal(s->at.bus, 0x6a);
	assert_int_equal(s->at.dev, 3);
	assert_int_equal(s->at.fn, 1);
	assert_int_equal(s->pkg, 1);    /* by its NUMA node */
	assert_true(s->address == 0xd1e00000);
	assert_int_equal(s->size, SIZE);
	assert_memory_equal(s->bytes + 32, "\x04\x02\x30\x08\x01\0\0\0"
	    "\0\x20\0\0\0\0\0\0", 16);
	assert_int_equal(s->table.n, 12);
	assert_int_equal(s->table.nleft, 0);
	discovery_unload(&d);
	rig_close(r);
}

static void
a_node_without_such_a_function_has_no_sites(void **state)
{
	struct rig *r = rig_bare("@icx-8358-2s", "");
	struct discovery d;
	struct diag why = { "" };

	(void)state;
	assert_int_equal(discovery_load(&d, &r->node.topo, r->node.acc, &why),
	    0);
	assert_int_equal(d.n, 0);
	discovery_unload(&d);
	rig_close(r);
}

static void
what_is_in_the_way_of_a_table_is_named(void **state)
{
	static const struct {
		int line;
		const char *machine, *why;
	} rows[] = {
		{ __LINE__, "pci 6a:03.1 0x18c = 0x1000\n", "its capability "
		  "names offset 0x1000 of BAR0: only tables at a BAR's start "
		  "are known" },
		{ __LINE__, "pci 6a:03.1 0x18c = 6\n", "its capability names "
		  "BAR6, which no function has" },
		{ __LINE__, "pci 6a:03.1 0x10 = 0xd1e1\n",
		  "BAR0 is 0000d1e1, which is not of memory" },
		{ __LINE__, "pci 6a:03.1 0x10 = 0xd1e00002\n",
		  "BAR0 is d1e00002, which is not of memory" },
		{ __LINE__, "pci 6a:03.1 0x10 = 0\n",
		  "BAR0 is 00000000: firmware did not set it up" },
		{ __LINE__, "pci 6a:03.1 0x10 = 0xffffffff\n",
		  "BAR0 is ffffffff: firmware did not set it up" },
		{ __LINE__, "pci 6a:03.1 0x18c = 5\npci 6a:03.1 0x24 = 0xd1e00004\n",
		  "BAR5 is d1e00004, which is not of memory" },
		{ __LINE__, "pci 6a:03.1 4 = 0x00100004\n", "its memory is "
		  "switched off (bit 1 of its command register)" },
		{ __LINE__, "pci 6a:03.1 0x140 = 0x10010023\n", "it has no "
		  "capability that leads to a discovery table (DVSEC of "
		  "vendor 8086, id 1)" },          /* a loop */
		{ __LINE__, "pci 6a:03.1 0x100 = 0\n", "it has no "
		  "capability that leads to a discovery table (DVSEC of "
		  "vendor 8086, id 1)" },
		{ __LINE__, "pci 6a:03.1 0x100 = 0xffffffff\n", "it has no "
		  "capability that leads to a discovery table (DVSEC of "
		  "vendor 8086, id 1)" },
		{ __LINE__, "pci 6a:03.1 0x184 = 0x01001e98\n", "it has no "
		  "capability that leads to a discovery table (DVSEC of "
		  "vendor 8086, id 1)" },
		{ __LINE__, "pci 6a:03.1 0x188 = 0x2\n", "it has no "
		  "capability that leads to a discovery table (DVSEC of "
		  "vendor 8086, id 1)" },
		{ __LINE__, "mmio 0xd1e00000 words 0 0 0\n",
		  "the discovery table is empty (its head is 0)" },
		/* a BAR behind which nothing answers */
		{ __LINE__, "pci 6a:03.1 0x10 = 0xe2e00004\n", "the discovery "
		  "table reads all ones (word 0 of its head): its memory is "
		  "not there, or firmware did not set it up" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rig *r = node_with(rows[i].machine);
		struct discovery d = discover(r);

		if (strcmp(d.site[0].no_table, rows[i].why) != 0)
			fail_msg("line %d: %s", rows[i].line,
			    d.site[0].no_table);
		assert_int_equal(d.site[0].table.n, 0);
		discovery_unload(&d);
		rig_close(r);
	}
}

/* 9.5, 12: the BAR is smaller than the table says; a cut is no fault of what
 * stands before it. */
static void
a_table_is_read_up_to_the_end_of_its_bar(void **state)
{
	struct rig *r = node_with("mmio 0xd1e00000 words 0x03ff0400 0x2ff0 "
	    "0x802\n");
	struct discovery d = discover(r);

	(void)state;
	assert_string_equal(d.site[0].no_table, "");
	assert_int_equal(d.site[0].size, 4096);
	assert_int_equal(d.site[0].table.n, 12);
	/* entry 127 would begin at (127 + 1) * 32 */
	assert_int_equal(d.site[0].table.left[d.site[0].table.nleft - 1].first,
	    127);
	assert_int_equal(d.site[0].table.left[d.site[0].table.nleft - 1].last,
	    1022);
	discovery_unload(&d);
	rig_close(r);
}

static void
a_revision_that_is_not_known_is_told_and_read(void **state)
{
	struct rig *r = node_with("pci 6a:03.1 0x184 = 0x01038086\n");
	struct discovery d = discover(r);

	(void)state;
	assert_string_equal(d.site[0].note, "its capability has revision 3, "
	    "read as revision 0");
	assert_int_equal(d.site[0].table.n, 12);
	discovery_unload(&d);
	rig_close(r);
}

/* 9.5, 17 */
static void
a_unit_in_ram_is_left_out(void **state)
{
	struct rig *r = node_with("file /proc/iomem = "
	    "00000000-00000fff : Reserved\\n"
	    "d1a26000-d1a26fff : System RAM\\n"
	    "d1a20000-d1afffff : PCI Bus 0000:7e\\n"
	    "  d1a22000-d1a22fff : System ROM\n");
	struct discovery d = discover(r);
	const struct discovery_table *t = &d.site[0].table;

	(void)state;
	assert_int_equal(t->n, 11);
	assert_non_null(unit_of(t, 6, 0));
	assert_null(unit_of(t, 6, 1));
	assert_int_equal(t->nleft, 1);
	assert_int_equal(t->left[0].first, 9);
	assert_string_equal(t->left[0].why, "0xd1a26800 is in RAM");
	discovery_unload(&d);
	rig_close(r);
}

/* A backend in front of the simulated node that refuses what it is told to. */
static struct access *behind;

static int
no_mem_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	(void)acc;
	return addr->space == REG_MMIO ? -EPERM :
	    behind->ops->read(behind, addr, raw);
}

static int
short_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	(void)acc;
	return addr->space == REG_PCI && addr->offset >= 64 ? -EACCES :
	    behind->ops->read(behind, addr, raw);
}

static ssize_t
file_of(struct access *acc, const char *path, uint64_t offset, void *buf,
    size_t size)
{
	(void)acc;
	return behind->ops->host->file(behind, path, offset, buf, size);
}

static int
list_of(struct access *acc, const char *dir,
    void (*each)(void *ctx, const char *name), void *ctx)
{
	(void)acc;
	return behind->ops->host->list(behind, dir, each, ctx);
}

static void
refused_by(int (*read)(struct access *, const struct reg_addr *, uint64_t *),
    const char *why)
{
	struct rig *r = node_with("");
	struct host_ops host = { .file = file_of, .list = list_of };
	struct access_ops ops = { .name = "refuses", .read = read,
	    .host = &host };
	struct access refuses = { .ops = &ops };
	struct diag diag = { "" };
	struct discovery d;

	behind = r->node.acc;
	assert_int_equal(discovery_load(&d, &r->node.topo, &refuses, &diag), 0);
	assert_int_equal(d.n, 1);
	assert_string_equal(d.site[0].no_table, why);
	discovery_unload(&d);
	rig_close(r);
}

static void
a_locked_dev_mem_is_named_with_what_helps(void **state)
{
	(void)state;
	refused_by(no_mem_read, "0xd1e00000: /dev/mem: Operation not permitted "
	    "(lockdown, or boot with iomem=relaxed)");
}

/* 9.5, 21 */
static void
config_space_that_is_cut_asks_for_its_capability(void **state)
{
	(void)state;
	refused_by(short_read, "the kernel shows only the first bytes of its "
	    "config space: run tallyd with CAP_SYS_ADMIN (root outside a "
	    "container has it)");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worked_table_lists_its_twelve_units),
		cmocka_unit_test(
		    a_faulty_entry_is_named_and_the_others_are_there),
		cmocka_unit_test(of_two_entries_of_one_unit_the_first_is_kept),
		cmocka_unit_test(
		    holes_say_nothing_and_unknown_types_are_listed),
		cmocka_unit_test(reserved_bits_change_nothing),
		cmocka_unit_test(what_is_no_table_says_why),
		cmocka_unit_test(
		    entries_behind_the_end_are_left_out_in_one_line),
		cmocka_unit_test(
		    a_table_that_is_cut_anywhere_keeps_what_is_whole),
		cmocka_unit_test(the_table_is_found_behind_other_capabilities),
		cmocka_unit_test(a_node_without_such_a_function_has_no_sites),
		cmocka_unit_test(what_is_in_the_way_of_a_table_is_named),
		cmocka_unit_test(a_table_is_read_up_to_the_end_of_its_bar),
		cmocka_unit_test(a_revision_that_is_not_known_is_told_and_read),
		cmocka_unit_test(a_unit_in_ram_is_left_out),
		cmocka_unit_test(a_locked_dev_mem_is_named_with_what_helps),
		cmocka_unit_test(
		    config_space_that_is_cut_asks_for_its_capability),
	};

	return cmocka_run_group_tests_name("discovery", tests, NULL, NULL);
}
