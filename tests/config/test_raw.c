/*
 * tests/config/test_raw.c - registers that the user names by their address: from the
 * line of a configuration to totals, and what is said of lines and registers
 * that are none.
 *
 * The machine's own are none of any table: MSRs 0xa00 to 0xa03, and functions
 * 8086:0abc on bus 1 of each package, and one of another vendor between them.
 */
#include "tests/lib/scene.h"
#include "tests/lib/rig.h"

#include "config/lang/events.h"
#include "config/lang/readable.h"
#include "daemon/instead/instead.h"
#include "postproc/data/totals.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define OWN \
	"msr 0xa00 pkg counter bits=64 init=0xabcde000fff00 idle=1000 " \
	"pkgstep=7\n" \
	"msr 0xa01 lproc counter bits=64 init=1 idle=10 threadstep=5\n" \
	"msr 0xa02 pkg counter bits=64 idle=3 pkg=0\n" \
	"msr 0xa03 pkg = 0x77005f0000 write=0xffffffffffff\n" \
	"msr 0xa04 lproc = 0\n" \
	"pci bus1:05.0 0 = 0x0abc8086\n" \
	"pci bus1:05.0 0x80 counter bits=32 init=0xffffff00 idle=500 " \
	"pkgstep=3\n" \
	"pci bus1:05.0 0x88 counter bits=64 init=0x0000fffffffff800 " \
	"idle=5000\n" \
	"pci bus1:06.4 0 = 0x0abc8086\n" \
	"pci bus1:06.4 0x80 counter bits=32 idle=40\n" \
	"pci bus1:05.4 0 = 0x0abc15b3\n" \
	"pci bus1:05.4 0x80 counter bits=32 idle=9\n" \
	"mmio 0xfedc5040 counter bits=32 init=0xffffff00 idle=600\n" \
	"mmio 0xfedc5048 counter bits=64 init=0x0000fffffffffff0 idle=70\n"

/* ---- lines ---- */

static const struct {
	int line;
	const char *text, *family, *statement;
} lines[] = {
	{ __LINE__, "read msr=0x1a2", "raw_lproc_0x1a2",
	    "msr=0x1a2 as 0x1a2 bits 64 per lproc" },
	{ __LINE__, "read msr=418 as TJ", "raw_lproc_TJ",
	    "msr=0x1a2 as TJ bits 64 per lproc" },
	{ __LINE__, "read msr=0xffffffff per package bits 1 as a_1",
	    "raw_pkg_a_1", "msr=0xffffffff as a_1 bits 1 per package" },
	{ __LINE__, "optional read msr=0 gauge per lproc bits 64",
	    "raw_lproc_0x0", "msr=0x0 as 0x0 bits 64 per lproc gauge" },
	{ __LINE__, "read pci=2042:0xa0", "raw_pci_2042_0xa0",
	    "pci=8086:2042:0xa0 as 2042_0xa0 bits 32" },
	{ __LINE__, "read pci=0x2042:160 bits 48 # wide", "raw_pci_2042_0xa0",
	    "pci=8086:2042:0xa0 as 2042_0xa0 bits 48" },
	{ __LINE__, "read pci=15b3:ABC:0xffc", "raw_pci_15b3_0abc_0xffc",
	    "pci=15b3:0abc:0xffc as 15b3_0abc_0xffc bits 32" },
	{ __LINE__, "read pci=1:0xff8 bits 64 as aperf gauge",
	    "raw_pci_aperf", "pci=8086:0001:0xff8 as aperf bits 64 gauge" },
	{ __LINE__, "read mmio=0xfedc5040", "raw_mmio_0xfedc5040",
	    "mmio=0xfedc5040 as 0xfedc5040 bits 32" },
	{ __LINE__, "read mmio=0xffffffffffff8 bits 64 as T gauge every 3",
	    "raw_mmio_T", "mmio=0xffffffffffff8 as T bits 64 gauge every 3" },
	{ __LINE__, "read msr=1 every 60 as S gauge", "raw_lproc_S",
	    "msr=0x1 as S bits 64 per lproc gauge every 60" },
	{ __LINE__, "read msr=1 every 1", "raw_lproc_0x1",
	    "msr=0x1 as 0x1 bits 64 per lproc" },
};

static int
parse(struct config *cfg, const char *text, struct diag *why)
{
	assert_int_equal(config_init(cfg, model_named("skx")), 0);
	return config_parse(cfg, "t.conf", text, strlen(text), why);
}

static void
a_line_names_a_register_and_how_it_counts(void **state)
{
	struct config cfg;
	struct diag why;

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const struct want *w;

		if (parse(&cfg, lines[i].text, &why) < 0)
			fail_msg("line %d: %s", lines[i].line, why.text);
		assert_int_equal(cfg.nwant, 1);
		w = cfg.want;
		assert_int_equal(w->kind, WANT_READ);
		if (strcmp(w->name, lines[i].family) != 0 ||
		    strcmp(w->raw->statement, lines[i].statement) != 0)
			fail_msg("line %d: %s, %s", lines[i].line, w->name,
			    w->raw->statement);
		config_fini(&cfg);
	}
}

/* What the head of a dump says of it is a line again, and the same one. */
static void
the_statement_of_a_register_is_a_line_again(void **state)
{
	struct config cfg;
	struct diag why;
	char text[200];

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		snprintf(text, sizeof(text), "read %s", lines[i].statement);
		assert_int_equal(parse(&cfg, text, &why), 0);
		assert_string_equal(cfg.want[0].raw->statement,
		    lines[i].statement);
		assert_string_equal(cfg.want[0].name, lines[i].family);
		config_fini(&cfg);
	}
}

#define OPTIONS_THERE "as NAME, bits N, per lproc, per package, every N and gauge do; " \
	"each register has a line of its own"

static const struct {
	int line;
	const char *text, *says;
} wrong[] = {
	{ __LINE__, "read msr=", "1: MSR number \"\" is no number: decimal, "
	    "or hexadecimal after 0x" },
	{ __LINE__, "read msr=1a2", "1: MSR number \"1a2\" is no number: "
	    "decimal, or hexadecimal after 0x" },
	{ __LINE__, "\nread msr=0x100000000", "2: MSR number 0x100000000 is "
	    "too large: 0xffffffff at most" },
	{ __LINE__, "read msr=1 as", "1: \"as\" has nothing behind it" },
	{ __LINE__, "read msr=1 as A-B", "1: \"A-B\" cannot be the name of a "
	    "register: letters, digits and _ alone, 40 at most" },
	{ __LINE__, "read msr=1 as "
	    "a1234567890123456789012345678901234567890", "1: "
	    "\"a1234567890123456789012345678901234567890\" cannot be the name "
	    "of a register: letters, digits and _ alone, 40 at most" },
	{ __LINE__, "read msr=1 bits 0", "1: bits 0: a register has 1 to 64" },
	{ __LINE__, "read msr=1 bits 65", "1: bits 65 is too large: 64 at "
	    "most" },
	{ __LINE__, "read msr=1 every 0", "1: every 0: from one sample to the "
	    "next is every 1" },
	{ __LINE__, "read msr=1 bits wide", "1: bits \"wide\" is no number: "
	    "decimal, or hexadecimal after 0x" },
	{ __LINE__, "read msr=1 bits 8 bits 8", "1: \"bits\" is given twice" },
	{ __LINE__, "read msr=1 per core", "1: per core: an MSR is per lproc "
	    "or per package" },
	{ __LINE__, "read msr=1 aperf", "1: \"aperf\" says nothing of a "
	    "register: " OPTIONS_THERE },
	{ __LINE__, "read msr=1 msr=2", "1: \"msr=2\" says nothing of a "
	    "register: " OPTIONS_THERE },
	{ __LINE__, "read aperf msr=2", "1: msr=2: a register of yours has a "
	    "line of its own: read msr=2" },
	{ __LINE__, "read pci=2042", "1: pci=2042 has no offset: "
	    "pci=DEVICE:OFFSET, pci=VENDOR:DEVICE:OFFSET" },
	{ __LINE__, "read pci=", "1: pci= has no offset: pci=DEVICE:OFFSET, "
	    "pci=VENDOR:DEVICE:OFFSET" },
	{ __LINE__, "read pci=:0", "1: \"\" is no PCI id: one to four "
	    "hexadecimal digits, as lspci -n prints them" },
	{ __LINE__, "read pci=0x:0", "1: \"0x\" is no PCI id: one to four "
	    "hexadecimal digits, as lspci -n prints them" },
	{ __LINE__, "read pci=12345:0", "1: \"12345\" is no PCI id: one to "
	    "four hexadecimal digits, as lspci -n prints them" },
	{ __LINE__, "read pci=8086:g:0", "1: \"g\" is no PCI id: one to four "
	    "hexadecimal digits, as lspci -n prints them" },
	{ __LINE__, "read pci=0000:8086:2042:0", "1: PCI offset \"2042:0\" is "
	    "no number: decimal, or hexadecimal after 0x" },
	{ __LINE__, "read pci=2042:0xa2", "1: PCI offset 0xa2 is none of a "
	    "register: they are read four bytes at a time, 0x0, 0x4, 0x8 "
	    "..." },
	{ __LINE__, "read pci=2042:0x1000", "1: PCI offset 0x1000 is too "
	    "large: 4092 at most" },
	{ __LINE__, "read pci=2042:0xffc bits 33", "1: 33 bits at 0xffc are "
	    "beyond the 4096 bytes of a function" },
	{ __LINE__, "read pci=2042:0 per package", "1: per package: a PCI "
	    "function is of its package, and each has its own column" },
	{ __LINE__, "read msr=1 as A\nread msr=2 as A", "2: raw_lproc_A is "
	    "another register already (t.conf:1): msr=0x1 as A bits 64 per "
	    "lproc; give one of them another name (as NAME)" },
	{ __LINE__, "read msr=1 as A\nread msr=1 as A bits 32", "2: "
	    "raw_lproc_A is another register already (t.conf:1): msr=0x1 as A "
	    "bits 64 per lproc; give one of them another name (as NAME)" },
	{ __LINE__, "read mmio=", "1: physical address \"\" is no number: "
	    "decimal, or hexadecimal after 0x" },
	{ __LINE__, "read mmio=0xfedc5042", "1: physical address 0xfedc5042 is "
	    "none of a register: they lie at multiples of 4, and of 8 those "
	    "of more than 32 bits" },
	{ __LINE__, "read mmio=0xfedc5044 bits 33", "1: 33 bits at 0xfedc5044: "
	    "a register of more than 32 bits lies at a multiple of 8" },
	{ __LINE__, "read mmio=0x10000000000000", "1: physical address "
	    "0x10000000000000 is too large: 0xffffffffffff8 at most" },
	{ __LINE__, "read mmio=0xfedc5040 per package", "1: per package: a "
	    "physical address is one of the node" },
	{ __LINE__, "read mmio=8 as A\nread mmio=16 as A", "2: raw_mmio_A is "
	    "another register already (t.conf:1): mmio=0x8 as A bits 32; "
	    "give one of them another name (as NAME)" },
	/* a space that there is not is a name like any other */
	{ __LINE__, "read port=1", "1: nothing called \"port=1\" can be read" },
	{ __LINE__, "read msr", "1: nothing called \"msr\" can be read: "
	    "a register of yours is read msr=0x1b1 as NAME" },
};

static void
a_wrong_line_is_refused_with_its_place(void **state)
{
	struct config cfg;
	struct diag why;
	char says[400];

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		int rc = parse(&cfg, wrong[i].text, &why);

		snprintf(says, sizeof(says), "t.conf:%s", wrong[i].says);
		/* of "nothing called ..." all that there is follows */
		if (strstr(says, "can be read") != NULL)
			why.text[strcspn(why.text, ";")] = '\0';
		if (rc != -EINVAL || strcmp(why.text, says) != 0)
			fail_msg("line %d: %d %s", wrong[i].line, rc, why.text);
		config_fini(&cfg);
	}
}

static void
a_register_that_is_asked_for_twice_is_read_once(void **state)
{
	struct config cfg;
	struct diag why;

	(void)state;
	assert_int_equal(parse(&cfg, "read msr=0x10 as A\nset x\n"
	    "read msr=16 bits 64 as A\nread msr=16 as A per package\n", &why),
	    0);
	assert_int_equal(cfg.nwant, 2);
	config_fini(&cfg);
}

/* ---- from a line to a total ---- */

/* A dump of `samples` seconds' ends, summed. */
struct summed {
	struct intervals *iv;
	struct totals t;
	struct interval step[8];
	uint64_t delta[8][4096];
	uint8_t kind[8][4096];
	unsigned n;
};

static void
run(const char *machine, const char *config, unsigned samples)
{
	char tallyd[512], command[2048], conf[300], sim[300];

	snprintf(conf, sizeof(conf), "%s", test_put("own.conf", config));
	snprintf(sim, sizeof(sim), "%s", test_put("own.machine", machine));
	snprintf(command, sizeof(command), "%s -q --sim %s --virtual-time "
	    "-c %s -n %u --overwrite -o %s/own.lua", built("tallyd", tallyd), sim, conf,
	    samples, test_dir);
	if (system(command) != 0)
		fail_msg("%s", command);
}

static struct summed *
sum_run(const char *machine, const char *config, unsigned samples)
{
	struct summed *s = calloc(1, sizeof(*s));
	struct select select;
	struct diag why;
	char path[300];
	int rc;

	assert_non_null(s);
	run(machine, config, samples);
	snprintf(path, sizeof(path), "%s/own.lua", test_dir);
	assert_int_equal(select_parse(&select, ":", &why), 0);
	if (intervals_open(&s->iv, path, &select, &why) < 0)
		fail_msg("%s", why.text);
	while ((rc = intervals_next(s->iv, &s->step[s->n], &why)) > 0) {
		const struct interval *iv = &s->step[s->n];

		assert_true(iv->ncol <= 4096 && s->n < 7);
		memcpy(s->delta[s->n], iv->delta, iv->ncol *
		    sizeof(iv->delta[0]));
		memcpy(s->kind[s->n], iv->kind, iv->ncol *
		    sizeof(iv->kind[0]));
		assert_int_equal(totals_add(&s->t, iv), 0);
		s->n++;
	}
	assert_int_equal(rc, 0);
	assert_int_equal(s->n, samples - 1);
	return s;
}

static void
sum_free(struct summed *s)
{
	totals_fini(&s->t);
	intervals_close(s->iv);
	free(s);
}

static unsigned
column_of(const struct summed *s, const char *name)
{
	int c = read_find(intervals_reader(s->iv), name);

	if (c < 0)
		fail_msg("no column %s", name);
	return (unsigned)c;
}

/* Total, first delta and how the first came about. */
static void
assert_sum(const struct summed *s, const char *name, uint64_t total,
    uint64_t delta, enum delta_kind kind)
{
	unsigned c = column_of(s, name);

	if (s->t.sum[c] != total || s->delta[0][c] != delta ||
	    s->kind[0][c] != kind)
		fail_msg("%s: total %llu, first delta %llu %s", name,
		    (unsigned long long)s->t.sum[c],
		    (unsigned long long)s->delta[0][c],
		    delta_word(s->kind[0][c]));
}

#define MACHINE "like @skx-8160-2s\n" OWN

static void
a_register_of_a_package_wraps_at_its_bits(void **state)
{
	struct summed *s = sum_run(MACHINE,
	    "read msr=0xa00 as SLICE per package bits 20\n"
	    "read msr=0xa00 as NARROW per package bits 10\n"
	    "read msr=0xa00 as WHOLE per package\n", 4);

	(void)state;
	/* 0xfff00 + 1000 is past 2^20: what is above is no part of it */
	assert_sum(s, "raw_pkg_SLICE[0]", 3000, 1000, DELTA_WRAPPED);
	assert_sum(s, "raw_pkg_SLICE[1]", 3021, 1007, DELTA_WRAPPED);
	/* nearly all the way round is once round */
	assert_sum(s, "raw_pkg_NARROW[0]", 3000, 1000, DELTA_WRAPPED);
	assert_sum(s, "raw_pkg_WHOLE[0]", 3000, 1000, DELTA_GOOD);
	assert_sum(s, "raw_pkg_WHOLE[1]", 3021, 1007, DELTA_GOOD);
	assert_int_equal(totals_left_out(&s->t, column_of(s,
	    "raw_pkg_SLICE[0]")), 0);
	assert_int_equal(s->kind[1][column_of(s, "raw_pkg_SLICE[0]")],
	    DELTA_GOOD);
	sum_free(s);
}

static void
a_register_of_every_lproc_is_a_column_each(void **state)
{
	struct summed *s = sum_run(MACHINE, "read msr=0xa01 as TURNS\n", 3);
	char name[40];

	(void)state;
	for (unsigned l = 0; l < 96; l++) {
		snprintf(name, sizeof(name), "raw_lproc_TURNS[%u]", l);
		/* the second thread of a core counts five more */
		assert_sum(s, name, l < 48 ? 20 : 30, l < 48 ? 10 : 15,
		    DELTA_GOOD);
	}
	assert_int_equal(read_find(intervals_reader(s->iv),
	    "raw_lproc_TURNS[96]"), -1);
	sum_free(s);
}

static void
every_pci_function_of_an_id_is_a_column_of_its_package(void **state)
{
	struct summed *s = sum_run(MACHINE, "read pci=0abc:0x80 as LINK\n"
	    "read pci=8086:0abc:0x88 as WIDE bits 48\n"
	    "read pci=abc:0 as ID gauge\n", 4);
	const struct reader *r = intervals_reader(s->iv);

	(void)state;
	assert_sum(s, "raw_pci_LINK[0][0]", 1500, 500, DELTA_WRAPPED);
	assert_sum(s, "raw_pci_LINK[0][1]", 120, 40, DELTA_GOOD);
	assert_sum(s, "raw_pci_LINK[1][0]", 1509, 503, DELTA_WRAPPED);
	assert_sum(s, "raw_pci_LINK[1][1]", 120, 40, DELTA_GOOD);
	/* two dwords, of which the upper half of the high one is cut off */
	assert_sum(s, "raw_pci_WIDE[0][0]", 15000, 5000, DELTA_WRAPPED);
	assert_sum(s, "raw_pci_ID[1][1]", 0, 0, DELTA_NONE);
	assert_int_equal(read_find(r, "raw_pci_LINK[0][2]"), -1);
	assert_string_equal(head_text(r, HEAD_RAW_FUNCTION,
	    (struct head_at){ .name = { "raw_pci_LINK" }, .n = { 1, 1 } }, ""),
	    "0000:85:06.4");
	assert_string_equal(head_text(r, HEAD_RAW_READ, OF("raw_pci_LINK"),
	    ""), "pci=8086:0abc:0x80 as LINK bits 32");
	sum_free(s);
}

static void
a_physical_address_is_a_column_of_the_node(void **state)
{
	struct summed *s = sum_run(MACHINE, "read mmio=0xfedc5040 as DDR\n"
	    "read mmio=0xfedc5048 as WIDE bits 48\n"
	    "optional read mmio=0xfedd0000 as GONE\n", 4);

	(void)state;
	assert_sum(s, "raw_mmio_DDR", 1800, 600, DELTA_WRAPPED);
	assert_sum(s, "raw_mmio_WIDE", 210, 70, DELTA_WRAPPED);
	assert_string_equal(head_text(intervals_reader(s->iv), HEAD_RAW_READ,
	    OF("raw_mmio_DDR"), ""), "mmio=0xfedc5040 as DDR bits 32");
	sum_free(s);
}

/* Bits above those that count are no part of the value; a gauge has none. */
static void
a_gauge_is_read_and_has_no_deltas(void **state)
{
	struct summed *s = sum_run(MACHINE,
	    "read msr=0xa03 as TARGET per package bits 32 gauge\n", 2);
	unsigned c = column_of(s, "raw_pkg_TARGET[1]");
	const struct column *col = read_column(intervals_reader(s->iv), c);

	(void)state;
	assert_int_equal(s->step[0].value[c], 0x5f0000);
	assert_int_equal(s->kind[0][c], DELTA_NONE);
	assert_int_equal(col->bits, 0);
	assert_string_equal(col->id.family->unit, "raw");
	assert_true(col->id.family->raw);
	sum_free(s);
}

/* A counter of 64 bits that goes back has been reset: it cannot wrap. */
/* Read at samples 0, 2 and 4 of 0 to 5; its turns are 1000 a second of 2^20, with
 * the first past the top. */
static void
a_slow_register_has_deltas_of_all_the_time_between(void **state)
{
	struct summed *s = sum_run(MACHINE,
	    "read msr=0xa00 as SLOW per package bits 20 every 2\n"
	    "read msr=0xa01 as EACH every 5\n"
	    "read pci=0abc:0x80 as LINK every 2\n", 6);
	unsigned c = column_of(s, "raw_pkg_SLOW[1]");

	(void)state;
	assert_sum(s, "raw_pkg_SLOW[0]", 4000, 0, DELTA_NONE);
	assert_sum(s, "raw_pkg_SLOW[1]", 4028, 0, DELTA_NONE);
	assert_int_equal(s->kind[1][c], DELTA_WRAPPED);
	assert_int_equal(s->delta[1][c], 2014);
	assert_int_equal(s->kind[2][c], DELTA_NONE);
	assert_int_equal(s->kind[3][c], DELTA_GOOD);
	assert_int_equal(s->delta[3][c], 2014);
	assert_int_equal(totals_left_out(&s->t, c), 0);
	assert_sum(s, "raw_lproc_EACH[0]", 50, 0, DELTA_NONE);
	assert_sum(s, "raw_pci_LINK[1][0]", 2012, 0, DELTA_NONE);
	/* the time between its readings is its own */
	assert_true(intervals_stamp(s->iv, c) == (int)column_of(s,
	    "read_tsc[\"raw_pkg_SLOW\"]"));
	sum_free(s);
}

static void
a_whole_register_that_goes_back_was_reset(void **state)
{
	struct summed *s = sum_run(MACHINE
	    "from 1.5 pkg 0 msr 0xa03 = 5\n",
	    "read msr=0xa03 as A per package\n", 4);
	unsigned c = column_of(s, "raw_pkg_A[0]");

	(void)state;
	assert_int_equal(s->kind[1][c], DELTA_RESET);
	assert_int_equal(totals_left_out(&s->t, c), 1);
	assert_int_equal(s->t.sum[c], 0);
	sum_free(s);
}

/* ---- the plan ---- */

static bool
noted(char **list, unsigned n, const char *text)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(list[i], text) == 0)
			return true;
	return false;
}

static void
what_cannot_be_read_is_absent_with_its_reason(void **state)
{
	struct rig *r = rig_text(OWN "pci bus1:06.4 0x90 = 0xffffffff\n"
	    "pci bus1:05.0 0x90 = 7\n", "read msr=0xa02 as HALF per package\n"
	    "read msr=0x9999\nread pci=1234:0 as NONE\n"
	    "read pci=abc:0x90 as ONES\n"
	    "read msr=0xa04 as STILL\n");
	struct plan *p = &r->node.plan;

	(void)state;
	assert_true(rig_has(r, "raw_pkg_HALF[0]"));
	assert_false(rig_has(r, "raw_pkg_HALF[1]"));
	assert_true(noted(p->absent.line, p->absent.n,
	    "raw_pkg_HALF[1]: msr 0xa02 lproc 24: no such register"));
	assert_true(noted(p->absent.line, p->absent.n,
	    "raw_lproc_0x9999[0]: msr 0x9999 lproc 0: no such register"));
	assert_true(noted(p->absent.line, p->absent.n,
	    "raw_pci_NONE: this node has no PCI function 8086:1234"));
	assert_true(noted(p->absent.line, p->absent.n,
	    "raw_pci_ONES[0][1]: pci 0000:17:06.4:0x90: reads all ones"));
	assert_false(rig_has(r, "raw_lproc_0x9999[0]"));
	assert_true(rig_has(r, "raw_pci_ONES[1][0]"));
	assert_false(rig_has(r, "raw_pci_ONES[1][1]"));
	/* a counter may stand at 0: it stays, and is doubted */
	assert_true(rig_has(r, "raw_lproc_STILL[0]"));
	assert_true(noted(p->remarks.line, p->remarks.n,
	    "raw_lproc_STILL: reads 0 "
	    "everywhere: a register that is not implemented, or that has not "
	    "counted yet"));
	assert_false(noted(p->remarks.line, p->remarks.n,
	    "raw_pkg_HALF: reads 0 "
	    "everywhere: a register that is not implemented, or that has not "
	    "counted yet"));
	rig_close(r);
}

#define FAR "pci 33:00.0 0 = 0x0abc8086\npci 33:00.0 0x80 = 7\n"

/* Behind a root port, say: on none of the buses that the uncore tells. */
static void
a_function_is_of_the_package_of_its_bus_or_of_its_numa_node(void **state)
{
	static const char line[] = "read pci=abc:0x80 as A gauge\n";
	struct rig *r, *near = rig_text(FAR
	    "file /sys/bus/pci/devices/0000:33:00.0/numa_node = 1\n" OWN,
	    line);

	(void)state;
	rig_sample(near);
	/* before those on bus 0x85 of the same package */
	assert_true(rig_value(near, "raw_pci_A[1][0]") == 7);
	assert_true(rig_has(near, "raw_pci_A[1][2]"));
	assert_false(rig_has(near, "raw_pci_A[0][2]"));
	rig_close(near);
	r = rig_text(FAR OWN, line);
	assert_true(noted(r->node.plan.absent.line, r->node.plan.absent.n,
	    "raw_pci_A: neither its bus nor sysfs (numa_node) tells the package "
	    "of PCI function 0000:33:00.0"));
	assert_false(rig_has(r, "raw_pci_A[1][2]"));
	rig_close(r);
}

static void
nothing_is_written_and_nothing_said_of_how_soon_it_wraps(void **state)
{
	struct rig *r = rig_text(OWN, "read msr=0xa00 as A bits 8\n"
	    "read pci=abc:0x80\n"), *before = rig_text(OWN, "read aperf\n");

	(void)state;
	assert_int_equal(r->node.plan.nwrite, 0);
	rig_program(r);
	rig_sample(r);
	rig_same(r, before);
	for (unsigned i = 0; i < r->node.plan.families.n; i++)
		assert_true(isinf(plan_wrap_seconds(
		    r->node.plan.families.family[i])));
	rig_close(r);
	rig_close(before);
}

/* The low half alone, beside the whole that a table has. */
static void
a_register_of_ours_keeps_its_width_beside_one_of_the_users(void **state)
{
	struct rig *r = rig_text("box imc init=0x123400000000\n",
	    "read pci=2042:0xa0 as LOW\nimc A event=4,umask=3\n");

	(void)state;
	rig_sample(r);
	assert_true(rig_value(r, "imc_counts[0][0][\"A\"]") == 0x123400000000);
	assert_true(rig_value(r, "raw_pci_LOW[0][0]") == 0);
	rig_close(r);
}

static void
an_lproc_that_goes_offline_takes_its_registers_along(void **state)
{
	struct rig *r = rig_text(OWN, "read msr=0xa01 as A\n"
	    "read msr=0xa00 as B per package\n");

	(void)state;
	rig_fault(r, "from 0 lproc 24 offline");
	rig_sample(r);
	assert_true(rig_value(r, "raw_lproc_A[24]") == ABSENT);
	assert_true(rig_value(r, "raw_lproc_A[25]") != ABSENT);
	assert_true(rig_value(r, "raw_pkg_B[1]") != ABSENT);
	rig_close(r);
}

static int
planned_for_perf(struct rig *r, const char *config, struct diag *why)
{
	struct node *n = &r->node;

	assert_int_equal(config_init(&n->config, n->topo.model), 0);
	assert_int_equal(config_parse(&n->config, "t.conf", config,
	    strlen(config), why), 0);
	n->config.perf = true;
	assert_int_equal(inventory_perf(&n->inv, &n->topo, n->acc, why), 0);
	return node_plan(n, why);
}

static void
the_kernels_side_refuses_it_in_one_line(void **state)
{
	struct rig *r = rig_bare("@skx-locked", OWN);
	struct diag why;

	(void)state;
	assert_int_equal(planned_for_perf(r, "imc CAS event=4,umask=3\n"
	    "read msr=0xa00 as A per package\n", &why), -EINVAL);
	assert_string_equal(why.text, "t.conf:2: read msr=0xa00 as A bits 64 "
	    "per package: the kernel's PMUs show no registers by their "
	    "address: --access raw");
	rig_close(r);
	r = rig_bare("@skx-locked", OWN);
	assert_int_equal(planned_for_perf(r, "imc CAS event=4,umask=3\n"
	    "optional read msr=0xa00 as A per package\n", &why), 0);
	assert_true(noted(r->node.plan.absent.line, r->node.plan.absent.n,
	    "raw_pkg_A: needs --access raw"));
	assert_true(rig_has(r, "imc_counts[0][0][\"CAS\"]"));
	assert_false(rig_has(r, "raw_pkg_A[0]"));
	rig_close(r);
}

static void
the_list_of_columns_says_whose_they_are(void **state)
{
	struct rig *r = rig_text(OWN, "read smi_count\n"
	    "read msr=0xa00 as A per package bits 9\n");
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	struct diag why;

	(void)state;
	assert_non_null(f);
	assert_int_equal(list_what(f, "columns", r->node.topo.model, &r->node,
	    &why), 0);
	fclose(f);
	assert_non_null(strstr(text, "\nsmi_count[0]\t32 bits\n"));
	assert_non_null(strstr(text, "\nraw_pkg_A[0]\t9 bits\tthe user's own\n"
	    "raw_pkg_A[1]\t9 bits\tthe user's own\n"));
	free(text);
	rig_close(r);
}

/* ---- elsewhere ---- */

static void
a_recording_of_them_is_replayed(void **state)
{
	struct options o = { .node.root = "/", .node.virtual_time = true };
	struct node node;
	struct diag why;
	char path[300];
	unsigned found = 0;

	(void)state;
	run(MACHINE, "read msr=0xa00 as SLICE per package bits 20\n", 2);
	snprintf(path, sizeof(path), "%s/own.lua", test_dir);
	o.node.replay = path;
	if (node_open(&node, &o, &why) < 0 || node_configure(&node, &o,
	    node.topo.model, &why) < 0 || node_plan(&node, &why) < 0)
		fail_msg("%s", why.text);
	for (unsigned i = 0; i < node.plan.ncolumn; i++)
		found += node.plan.column[i].id.family->raw &&
		    node.plan.column[i].bits == 20;
	assert_int_equal(found, 2);
	node_close(&node);
}

/* What a command says of the last run's dump. */
static char *
tally_says(const char *command)
{
	char tally[512], line[1200], path[300];

	snprintf(path, sizeof(path), "%s/said", test_dir);
	snprintf(line, sizeof(line), "%s %s %s/own.lua >%s",
	    built("tally", tally), command, test_dir, path);
	assert_int_equal(system(line), 0);
	return file_text(path, NULL);
}

static void
the_reports_say_whose_it_is(void **state)
{
	char *text;

	(void)state;
	run(MACHINE, "read msr=0xa00 as A per package\nread smi_count\n", 3);
	text = tally_says("check");
	assert_non_null(strstr(text, "note: raw: raw_pkg_A is a register of "
	    "the user's own: msr=0xa00 as A bits 64 per package\n"));
	assert_null(strstr(text, "smi_count"));
	free(text);
	text = tally_says("report");
	assert_non_null(strstr(text, "\nRegister  raw_pkg_A: the user's own, "
	    "msr=0xa00 as A bits 64 per package\n"));
	free(text);
	text = tally_says("totals -f csv");
	assert_non_null(strstr(text, ",0,2,raw_pkg_A[1],2014,raw,"));
	free(text);
}

/* MSR m of lproc l holds l << 16 | m there, and PCI dwords what is set. */
static void
the_files_of_a_real_node_give_them_too(void **state)
{
	struct scene s = scene_begin();
	char conf[512], dump[512], *text;

	(void)state;
	stand_in_pci(s.dir, "0000:3a:0a.2", 0x12345678);
	tree_text(s.dir, "/sys/bus/pci/devices/0000:3a:0a.2/vendor",
	    "0x8086\n");
	tree_text(s.dir, "/sys/bus/pci/devices/0000:3a:0a.2/device",
	    "0x2042\n");
	free(s.before);
	s.before = stand_in_save(s.dir);
	tree_text(s.dir, "/own.conf", "read msr=0x611 as E bits 24\n"
	    "read msr=0x612 as P per package\nread pci=2042:0x40 as W\n"
	    "read pci=2042:0x40 as W40 bits 40\n");
	assert_int_equal(tallyd_run(s.dir, NULL, ARGS("-n", "1", "-i",
	    "0.001", "-c", in_dir(s.dir, "own.conf", conf))), 0);
	text = file_text(in_dir(s.dir, "dump.lua", dump), NULL);
	assert_non_null(strstr(text, "\nraw_lproc_E[5][0] = 329233\n"));
	assert_non_null(strstr(text, "\nraw_pkg_P[1][0] = 132626\n"));
	assert_non_null(strstr(text, "\nraw_pci_W[0][0][0] = 305419896\n"));
	assert_non_null(strstr(text, "\nraw_pci_W40[0][0][0] = 515701495416"));
	free(text);
	stand_in_same(s.dir, s.before, "registers of the user's own");
	scene_end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_names_a_register_and_how_it_counts),
		cmocka_unit_test(the_statement_of_a_register_is_a_line_again),
		cmocka_unit_test(a_wrong_line_is_refused_with_its_place),
		cmocka_unit_test(
		    a_register_that_is_asked_for_twice_is_read_once),
		cmocka_unit_test(a_register_of_a_package_wraps_at_its_bits),
		cmocka_unit_test(a_register_of_every_lproc_is_a_column_each),
		cmocka_unit_test(
		    every_pci_function_of_an_id_is_a_column_of_its_package),
		cmocka_unit_test(a_physical_address_is_a_column_of_the_node),
		cmocka_unit_test(a_gauge_is_read_and_has_no_deltas),
		cmocka_unit_test(
		    a_slow_register_has_deltas_of_all_the_time_between),
		cmocka_unit_test(a_whole_register_that_goes_back_was_reset),
		cmocka_unit_test(what_cannot_be_read_is_absent_with_its_reason),
		cmocka_unit_test(
		    a_function_is_of_the_package_of_its_bus_or_of_its_numa_node),
		cmocka_unit_test(
		    nothing_is_written_and_nothing_said_of_how_soon_it_wraps),
		cmocka_unit_test(
		    a_register_of_ours_keeps_its_width_beside_one_of_the_users),
		cmocka_unit_test(
		    an_lproc_that_goes_offline_takes_its_registers_along),
		cmocka_unit_test(the_kernels_side_refuses_it_in_one_line),
		cmocka_unit_test(the_list_of_columns_says_whose_they_are),
		cmocka_unit_test(a_recording_of_them_is_replayed),
		cmocka_unit_test(the_reports_say_whose_it_is),
		cmocka_unit_test(the_files_of_a_real_node_give_them_too),
	};

	return cmocka_run_group_tests(tests, test_dir_new, test_dir_free);
}
