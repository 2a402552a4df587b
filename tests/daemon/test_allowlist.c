/*
 * tests/daemon/test_allowlist.c - the list for msr-safe has what a run reads, and the
 * bits that it writes, and nothing else.
 */
#include "tests/lib/rig.h"

#include "config/sim/machine.h"
#include "config/version.h"
#include "daemon/instead/instead.h"
#include "daemon/node/choose.h"
#include "daemon/run/preamble.h"
#include "daemon/node/program.h"
#include "daemon/read/rotate.h"
#include "daemon/read/sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* All of these machines are in one of three ranges, of RANGE each. */
#define RANGE 0x2000
#define NUMBERS (3 * RANGE)

/* What was done to the MSRs of a run, by number. */
static struct {
	const struct access_ops *own;
	struct access_ops ops;
	bool read[NUMBERS], written[NUMBERS];
	bool planned[NUMBERS];          /* to be written, if need be */
	uint64_t changed[NUMBERS];
} seen;

/* Its place in `seen`. */
static unsigned
place(uint64_t msr)
{
	static const uint32_t from[] = { 0, 0xc0000000, 0xc0010000 };

	for (unsigned i = 0; i < 3; i++)
		if (msr >= from[i] && msr < from[i] + RANGE)
			return (unsigned)(msr - from[i]) + i * RANGE;
	fail_msg("msr 0x%" PRIx64, msr);
	return 0;
}

static int
seen_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	int rc = seen.own->read(acc, addr, raw);

	if (rc == 0 && addr->space == REG_MSR)
		seen.read[place(addr->offset)] = true;
	return rc;
}

static int
seen_write(struct access *acc, const struct reg_addr *addr, uint64_t raw)
{
	uint64_t old = 0;

	if (addr->space == REG_MSR) {
		assert_int_equal(seen.own->read(acc, addr, &old), 0);
		seen.written[place(addr->offset)] = true;
		seen.changed[place(addr->offset)] |= old ^ raw;
	}
	return seen.own->write(acc, addr, raw);
}

static int
seen_open(struct access **acc, const char *what, struct diag *why)
{
	int rc = machine_open(acc, what, why);

	if (rc < 0)
		return rc;
	seen.own = (*acc)->ops;
	seen.ops = *seen.own;
	seen.ops.read = seen_read;
	seen.ops.write = seen_write;
	(*acc)->ops = &seen.ops;
	return 0;
}

static const struct method observed = { "sim", seen_open };

static void
plan(struct node *node, struct options *o)
{
	struct diag why;

	if (node_open(node, o, &why) < 0 ||
	    node_configure(node, o, node->topo.model, &why) < 0 ||
	    choose_access(node, o, &why) < 0 || node_plan(node, &why) < 0)
		fail_msg("%s: %s", o->node.machine, why.text);
}

/* All that a run does to registers: three turns of every set, and the end. */
static void
observe(struct options *o)
{
	struct sweep sweep = { .home = -1 };
	struct preamble_info info = { .interval = 1, .access = "sim",
	    .schedule = "", .sweep = &sweep, .version = TALLYD_VERSION };
	struct node node;
	struct diag why;
	uint64_t *row;

	memset(&seen, 0, sizeof(seen));
	plan(&node, o);
	info.config = &node.config;
	for (unsigned i = 0; i < node.plan.nwrite; i++)
		if (node.plan.write[i].addr.space == REG_MSR)
			seen.planned[place(
			    node.plan.write[i].addr.offset)] = true;
	/* counters that are set to 0 before they stop */
	for (unsigned i = 0; i < node.plan.stops.n; i++)
		seen.planned[place(node.plan.stops.counter[i].addr.offset)] =
		    true;
	row = calloc(node.plan.ncell, sizeof(*row));
	if (program_save(&node.plan, node.acc, &why) < 0 ||
	    sweep_init(&sweep, &node.plan, node.acc, READ_REMOTE, -1,
	    &why) < 0)
		fail_msg("%s", why.text);
	free(preamble_make(&node.plan, &node.topo, &node.inv, node.acc, &info));
	if (program_write(&node.plan, node.acc, &why) < 0)
		fail_msg("%s", why.text);
	for (unsigned i = 0; i < 3 * node.plan.sets.n; i++) {
		sweep.watching = true;
		sweep.next = node.plan.sets.n > 1 ? rotate_next(&node.plan) : 0;
		row_take(&sweep, &node.plan, node.acc, 0, row);
	}
	assert_int_equal(program_restore(&node.plan, node.acc, &why), 0);
	sweep_fini(&sweep);
	free(row);
	node_close(&node);
}

/* The list of such a machine, which is not written to. */
static char *
list_of(struct options *o)
{
	struct node node;
	struct diag why;
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	memset(&seen, 0, sizeof(seen));
	o->instead.print = ALLOWLIST;
	assert_true(options_print_is(o, ALLOWLIST));
	plan(&node, o);
	if (allowlist_print(f, &node, o, &why) < 0)
		fail_msg("%s: %s", o->node.machine, why.text);
	fclose(f);
	node_close(&node);
	o->instead.print = NULL;
	for (unsigned i = 0; i < NUMBERS; i++)
		assert_false(seen.written[i]);
	return text;
}

static void
compare(struct options *o)
{
	char *text = list_of(o), *line = strtok(text, "\n");
	bool listed[NUMBERS] = { false };
	unsigned last = 0, writes = 0;

	observe(o);
	assert_string_equal(line, "# MSR # Write Mask # Comment");
	while ((line = strtok(NULL, "\n")) != NULL) {
		unsigned msr, n;
		uint64_t mask;
		int end = 0;

		if (sscanf(line, "0x%8X 0x%16" SCNx64 "%n", &msr, &mask,
		    &end) != 2 || end != 29 ||
		    (line[end] != '\0' && strncmp(line + end, " # ", 3) != 0))
			fail_msg("%s: %s", o->node.machine, line);
		if (msr <= last)        /* msr-safe refuses one that is twice */
			fail_msg("%s: %s: not in order", o->node.machine, line);
		last = msr;
		n = place(msr);
		listed[n] = true;
		/* 0x392 is looked at by --check alone */
		if (!seen.read[n] && msr != 0x392)
			fail_msg("%s: %s: is not read", o->node.machine, line);
		/* one that holds its value already, or the freeze of a box
		 * that is not frozen, is not written this time */
		if ((mask != 0) != seen.planned[n] ||
		    (seen.written[n] && mask == 0))
			fail_msg("%s: %s: is %splanned", o->node.machine, line,
			    seen.planned[n] ? "" : "not ");
		if (seen.changed[n] & ~mask)
			fail_msg("%s: %s: changed 0x%" PRIx64, o->node.machine,
			    line, seen.changed[n]);
		writes += seen.written[n];
	}
	for (unsigned i = 0; i < NUMBERS; i++)
		if ((seen.read[i] || seen.written[i] || seen.planned[i]) &&
		    !listed[i])
			fail_msg("%s: 0x%x is not listed", o->node.machine, i);
	assert_true(writes > 0);
	free(text);
}

static void
every_register_is_listed_with_the_bits_that_are_written(void **state)
{
	static const struct {
		const char *machine, *config;
	} t[] = {
		{ "@skx-8160-2s", NULL }, { "@skx-8160-2s", "@io-skx" },
		{ "@icx-8358-2s", NULL }, { "@icx-8358-2s", "@io-icx" },
		{ "@hsx-2699-2s", NULL }, { "@c2758", NULL },
		{ "@milan-7763-2s", NULL }, { "@genoa-9654-2s", NULL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		struct options o = { .node.method = &observed, .node.root = "/",
		    .node.machine = t[i].machine, .node.virtual_time = true,
		    .interval = 1, .node.access = ACCESS_RAW };

		if (t[i].config != NULL)
			o.count.config = (struct files){ { t[i].config }, 1 };
		compare(&o);
	}
}

static void
masks_are_those_of_the_manual(void **state)
{
	struct options o = { .node.method = &observed, .node.root = "/",
	    .node.machine = "@skx-8160-2s", .node.virtual_time = true,
	    .interval = 1 };
	char *text = list_of(&o);

	(void)state;
	/* IA32_PERFEVTSEL0: event, umask, USR, OS, E, ANY, EN, INV, CMASK;
	 * a CHA's control: event, umask, E, TID, EN, INV, threshold; its box's:
	 * the freeze */
	assert_non_null(strstr(text, "\n0x00000010 0x0000000000000000 # MSR_TSC\n"));
	assert_non_null(strstr(text, "\n0x00000186 0x00000003FFE7FFFF # CORE "
	    "ctl0\n"));
	assert_non_null(strstr(text, "\n0x00000E00 0x0000000000000100 # CHA 0 "
	    "boxctl\n"));
	assert_non_null(strstr(text, "\n0x00000E01 0x00000000FFCCFFFF # CHA 0 "
	    "ctl0\n"));
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    every_register_is_listed_with_the_bits_that_are_written),
		cmocka_unit_test(masks_are_those_of_the_manual),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
