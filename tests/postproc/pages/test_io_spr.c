/*
 * tests/postproc/pages/test_io_spr.c - the I/O recipe (reference 12.1) by the events of Sapphire
 * Rapids and Granite Rapids, which Sierra Forest and Clearwater Forest have, too: with
 * event sets taking turns each of its metrics is what the simulated nodes imply; which bus
 * is of which stack (9.2, 10); and what HBM serves as a cache.
 */
#include "tests/lib/rig.h"
#include "tests/lib/tally_command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/pages/io_page.h"
#include "topology/devices.h"

/* A card on `stack` of package 0, a drive on that two behind it of package 1; see
 * the machines' comments.  clock: of its IIO and IRP.  inserts: FAF_INSERTS of
 * package 0, of which the card's IRP has 250e6 and each other one 250,000 + 3 *
 * its number. */
static const struct node_io {
	const char *machine, *config, *samples;
	unsigned n;
	int stack;
	double chas, clock, inserts, out_read;
} nodes[] = {
	{ "spr-9480-2s", "@io-spr", "1:33", 34, 2, 56, 500000006, 252250129,
	  0.004 },
	{ "gnr-6960p-2s", "@io-gnr", "1:23", 24, 3, 72, 500000009, 253500306,
	  0.0052 },
	{ "srf-2s", "@io", "1:23", 24, 3, 72, 500000009, 253500306, 0.0052 },
	{ "cwf-2s", "@io", "1:23", 24, 3, 72, 500000009, 253500306, 0.0052 },
};

static void
is(struct io_page *p, const char *metric, int pkg, int stack, double want)
{
	double v = io_figure(p, metric, pkg, stack).value;

	if (!(fabs(v - want) <= 2e-5 * want))
		fail_msg("%s of %d, %d is %.12g, not %.12g", metric, pkg, stack,
		    v, want);
}

static void
check_node(const struct node_io *n, const char *dir)
{
	struct gather_ask ask = { .nmetrics = 0 };
	struct diag why = { "" };
	struct io_page p;
	char path[128];
	int card = n->stack;

	assert_int_equal(select_parse(&ask.select, n->samples, &why), 0);
	snprintf(path, sizeof(path), "%s/dump", dir);
	if (io_page_open(&p, path, &ask, &why) < 0)
		fail_msg("%s", why.text);
	is(&p, "pcie_in_read", 0, card, 10.24);
	is(&p, "pcie_in_write", 0, card, 10.24);
	is(&p, "pcie_out_read", 0, card, n->out_read);
	is(&p, "pcie_out_write", 0, card, 0.08);
	is(&p, "pcie_in_write_part2", 1, card + 2, 0.4);
	is(&p, "pcie_in_write", -1, -1, 10.64);
	is(&p, "pcie_in_read", -1, -1, 10.44);
	is(&p, "io_l3_read_miss", 0, -1, 100 * n->chas * 50000 / n->inserts);
	/* (225,000 + 25,000) of 158.4e6 + 1.6e6 */
	is(&p, "io_l3_write_miss", 0, -1, 100 * n->chas * 250000 / 160e6);
	is(&p, "io_lookup_read_miss", 0, -1, 1);
	is(&p, "io_lookup_write_miss", 0, -1, 10);
	is(&p, "io_read_latency", 0, card, 24e18 / 160e6 / n->clock);
	is(&p, "io_write_latency", 0, card, 3.8e18 / 158.4e6 / n->clock);
	is(&p, "io_conflicts", 0, card, 160 / 158.4);
	is(&p, "vtd_rate", 0, card, 40);
	is(&p, "iotlb_miss", 0, card, 5);
	is(&p, "iotlb_hit", 0, card, 95);
	is(&p, "iotlb_penalty", 0, card, 75e15 / 2e6 / n->clock);
	is(&p, "iotlb_accesses", 0, card, 1.1);
	/* 10e6 + 28e6 + 1e6 of 40e6, and 1e6 */
	is(&p, "iotlb_counted_hit", 0, card, 97.5);
	is(&p, "iotlb_counted_miss", 0, card, 2.5);
	io_page_close(&p);
}

/* A stack that is not on this part is not said to be without a figure, and traffic of a
 * stack whose device is on a part that nobody knows is not called nobody's. */
static void
its_page_names_what_is_there(const char *dir)
{
	char words[256], *text;

	snprintf(words, sizeof(words), "report --io %s/dump", dir);
	text = said(0, cmd_report, words, NULL);
	assert_null(strstr(text, "no figure: "));
	assert_null(strstr(text, "no device is listed"));
	assert_non_null(strstr(text, ":00.0, whose part of the stack is not "
	    "known"));
	free(text);
}

static void
its_events_in_turns_give_all_metrics_of_the_recipe(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
		char tallyd[512], command[1024], *dir = tree_new();

		snprintf(command, sizeof(command), "%s -q --sim @%s "
		    "--virtual-time -c %s -n %u -o %s/dump", built("tallyd",
		    tallyd), nodes[i].machine, nodes[i].config, nodes[i].n,
		    dir);
		if (system(command) != 0)
			fail_msg("%s", command);
		check_node(&nodes[i], dir);
		/* the ports' own counters have no less than the events */
		snprintf(command, sizeof(command), "check %s/dump", dir);
		free(said(0, cmd_check, command, NULL));
		its_page_names_what_is_there(dir);
		tree_free(dir);
	}
}

/* ---- HBM ---- */

/* A channel of HBM has no channel of DDR that is its own; and of a cache that is
 * none there is neither a line nor an n/a. */
static void
hbm_is_of_packages(const char *path, bool cache)
{
	char line[200], *text;

	snprintf(line, sizeof(line), "metrics -f csv -m hbm_share %s", path);
	text = said(0, cmd_metrics, line, NULL);
	assert_null(strstr(text, ",box,"));
	holds(text, ",hbm_share,package,1,99.8");
	snprintf(line, sizeof(line), "report %s", path);
	text = said(0, cmd_report, line, NULL);
	assert_null(strstr(text, "n/a"));
	assert_true((strstr(text, "reads that HBM served") != NULL) == cache);
	free(text);
}

/* While the STREAM runs, package 0 reads 32 x 300e6 + 3472 times 32 bytes a second
 * of HBM and 8 x 1e6 + 196 times 64 of DDR. */
static void
as_a_cache_hbm_has_a_hit_rate_and_else_none(void **state)
{
	static const char *const modes[] = { "0-3", "0-1" };

	(void)state;
	for (unsigned cache = 0; cache <= 1; cache++) {
		char tallyd[512], command[1024], path[128], *dir = tree_new();
		struct gather_ask ask = { .nmetrics = 0 };
		struct diag why = { "" };
		struct io_page p;
		char *text = NULL;

		assert_true(asprintf(&text, "like @spr-9480-2s\n"
		    "file /sys/devices/system/node/has_memory = %s\n",
		    modes[cache]) > 0);
		tree_text(dir, "/machine", text);
		free(text);
		snprintf(command, sizeof(command), "%s -q --sim %s/machine "
		    "--virtual-time -n 20 -o %s/dump", built("tallyd", tallyd),
		    dir, dir);
		if (system(command) != 0)
			fail_msg("%s", command);
		assert_int_equal(select_parse(&ask.select, "12:18", &why), 0);
		snprintf(path, sizeof(path), "%s/dump", dir);
		if (io_page_open(&p, path, &ask, &why) < 0)
			fail_msg("%s", why.text);
		is(&p, "hbm_read", 0, -1, 32 * 9600003472.0 / 1e9);
		is(&p, "dram_read", 0, -1, 64 * 8000196.0 / 1e9);
		if (cache)
			is(&p, "hbm_cache_hit", 0, -1, 100 * (1 -
			    64 * 8000196.0 / (32 * 9600003472.0)));
		else
			assert_true(isnan(io_figure(&p, "hbm_cache_hit", 0,
			    -1).value));
		io_page_close(&p);
		hbm_is_of_packages(path, cache);
		tree_free(dir);
	}
}

/* ---- buses of stacks ---- */

static int
bus_of(const struct devices *d, unsigned pkg, unsigned stack)
{
	for (unsigned i = 0; i < d->nstack; i++)
		if (d->stack[i].pkg == pkg && d->stack[i].stack == stack)
			return d->stack[i].bus;
	fail_msg("no stack %u", stack);
	return -1;
}

static void
buses_are_of_the_stacks_that_the_reference_maps_them_to(void **state)
{
	/* the list's buses by number: 0 00, 1 15, 2 26, 3 37, 4 48, 5 59, 8 6a,
	 * 9 6f, 10 74, 11 79 */
	static const struct {
		int line;
		const char *machine, *more;
		int bus[12];
	} rows[] = {
		{ __LINE__, "@spr-9480-2s", "", { 0x6a, 0x00, 0x15, 0x6f, 0x26,
		  0x74, 0x37, 0x48, 0x79, 0x59, -1, -1 } },
		/* an MCC die */
		{ __LINE__, "@spr-9480-2s", "pci 7f:1e.3 0x94 = 0x40\n", { 0x00,
		  0x15, 0x26, 0x6a, 0x48, 0x59, -1, -1, -1, -1, 0x37, -1 } },
		/* a die that no source has, and none that says */
		{ __LINE__, "@spr-9480-2s", "pci 7f:1e.3 0x94 = 0x80\n", { -1, -1,
		  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 } },
		{ __LINE__, "@spr-9480-2s", "pci 7f:1e.3 none\n", { -1, -1, -1,
		  -1, -1, -1, -1, -1, -1, -1, -1, -1 } },
		/* an entry that is none, and a list that is not there */
		{ __LINE__, "@spr-9480-2s", "pci 6a:03.0 0x1a0 = 0xc0000f3d\n",
		  { 0x6a, 0x00, -1, 0x6f, 0x26, 0x74, 0x37, 0x48, 0x79, 0x59,
		  -1, -1 } },
		{ __LINE__, "@spr-9480-2s", "pci 6a:03.0 0x1a0 = 0xffffffff\n",
		  { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 } },
		{ __LINE__, "@emr-8592-2s", "", { 0x6a, 0x15, 0x26, 0x37, 0x6f,
		  0x74, 0x59, 0x00, 0x48, 0x79, -1, -1 } },
		/* 0 00, 1 10, 2 20, 3 30, 4 40, 5 50, 8 58, 12 60, 20 70, 29 76 */
		{ __LINE__, "@gnr-6960p-2s", "", { 0x00, 0x58, 0x10, 0x20, 0x30,
		  0x40, 0x60, 0x50, 0x74, 0x70, -1, 0x76 } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rig *r = rig_bare(rows[i].machine, rows[i].more);
		struct devices d;
		struct diag why;

		assert_int_equal(devices_load(&d, &r->node.topo, r->node.acc,
		    &why), 0);
		for (unsigned s = 0; s < 12; s++)
			if (bus_of(&d, 0, s) != rows[i].bus[s])
				fail_msg("line %d: stack %u is on bus %x",
				    rows[i].line, s, bus_of(&d, 0, s));
		devices_free(&d);
		rig_close(r);
	}
}

static void
a_device_is_on_the_stack_of_its_bus(void **state)
{
	struct rig *r = rig_bare("@spr-9480-2s", "");
	struct devices d;
	struct diag why;

	(void)state;
	assert_int_equal(devices_load(&d, &r->node.topo, r->node.acc, &why), 0);
	assert_int_equal(d.ndevice, 2);
	assert_string_equal(d.device[0].address, "0000:16:00.0");
	assert_int_equal(d.device[0].pkg, 0);
	assert_int_equal(d.device[0].stack, 2);
	/* which of its root ports is which part, no source says */
	assert_int_equal(d.device[0].part, -1);
	assert_string_equal(d.device[1].port, "0000:a7:03.0");
	assert_int_equal(d.device[1].pkg, 1);
	assert_int_equal(d.device[1].stack, 4);
	devices_free(&d);
	rig_close(r);
}

/* 205 GB/s read of DDR and 1 of HBM, which could be used; or 307 of HBM as a cache,
 * of which two thirds had to come from DDR. */
static void
why_says_that_hbm_lies_idle_or_misses(void **state)
{
	static const struct {
		const char *modes, *event, *says, *not;
	} of[] = {
		{ "0-3", "event mchbm 0xcf05 all=1000000", "DRAM carries what HBM "
		    "could (hbm_unused)\n   package 0: 99.", "hbm_cache_misses" },
		{ "0-1", "event mchbm 0xcf05 all=300000000", "HBM, as a cache, "
		    "misses often (hbm_cache_misses)\n   package 0: 66.67 %",
		    "hbm_unused" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		char tallyd[512], command[1024], *dir = tree_new(), *text = NULL;

		assert_true(asprintf(&text, "like @spr-9480-2s\n"
		    "file /sys/devices/system/node/has_memory = %s\n%s\n"
		    "event mchbm 0xf005 all=0\n"
		    "event imc 0xcf05 all=400000000\n", of[i].modes,
		    of[i].event) > 0);
		tree_text(dir, "/machine", text);
		free(text);
		snprintf(command, sizeof(command), "%s -q --sim %s/machine "
		    "--virtual-time -n 5 -o %s/dump", built("tallyd", tallyd),
		    dir, dir);
		if (system(command) != 0)
			fail_msg("%s", command);
		snprintf(command, sizeof(command), "why %s/dump", dir);
		text = said(EXIT_FINDINGS, cmd_why, command, NULL);
		assert_null(strstr(text, of[i].not));
		holds(text, of[i].says);
		tree_free(dir);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    its_events_in_turns_give_all_metrics_of_the_recipe),
		cmocka_unit_test(as_a_cache_hbm_has_a_hit_rate_and_else_none),
		cmocka_unit_test(why_says_that_hbm_lies_idle_or_misses),
		cmocka_unit_test(
		    buses_are_of_the_stacks_that_the_reference_maps_them_to),
		cmocka_unit_test(a_device_is_on_the_stack_of_its_bus),
	};

	return cmocka_run_group_tests_name("I/O of SPR", tests, test_dir_new,
	    test_dir_free);
}
