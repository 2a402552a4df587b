/*
 * tests/regs/models/test_real_nodes.c - simulated machines against what was read off real
 * ones: registers, and lists of PCI functions with the boxes that they mean.
 */
#include "tests/lib/rig.h"

#include "config/sim/machine.h"
#include "daemon/instead/instead.h"
#include "daemon/run/preamble.h"
#include "regs/sim/sim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t
hex(const char *s)
{
	return strtoull(s, NULL, 16);
}

/* ---- registers ---- */

static void
the_simulated_skylake_has_the_cpuid_leaves_of_a_real_one(void **state)
{
	struct rig *r = rig_bare("@skx-8160-2s", "");
	unsigned rows = 0;
	struct table t;

	(void)state;
	table_open(&t, "tests/data/skx-8160-2s.tsv");
	while (table_next(&t, "cpuid")) {
		uint64_t leaf = hex(t.cell[0]) | hex(t.cell[1]) << 32;
		uint32_t reg[4];

		assert_int_equal(access_file(r->node.acc, "/dev/cpu/0/cpuid",
		    leaf, reg, sizeof(reg)), sizeof(reg));
		for (unsigned i = 0; i < 4; i++)
			if (reg[i] != hex(t.cell[2 + i]))
				fail_msg("leaf 0x%" PRIx64 ": register %u is "
				    "0x%x", leaf, i, reg[i]);
		rows++;
	}
	fclose(t.f);
	assert_int_equal(rows, 22);
	assert_string_equal(r->node.topo.cpu.name,
	    "Intel(R) Xeon(R) Platinum 8160 CPU @ 2.10GHz");
	rig_close(r);
}

static void
the_simulated_skylake_has_the_msrs_of_a_real_one_and_lacks_those(void **state)
{
	struct rig *r = rig_bare("@skx-8160-2s", "");
	unsigned rows = 0, faults = 0;
	struct table t;

	(void)state;
	table_open(&t, "tests/data/skx-8160-2s.tsv");
	while (table_next(&t, "msr")) {
		/* lprocs from 48 on are in the second package there, those
		 * from 24 on here */
		struct reg_addr addr = { REG_MSR, 8, atoi(t.cell[0]) / 2,
		    hex(t.cell[1]) };
		bool fault = strcmp(t.cell[2], "fault") == 0;
		uint64_t raw;
		int rc = access_read(r->node.acc, &addr, &raw);

		if (rc != (fault ? -EIO : 0) ||
		    (!fault && raw != hex(t.cell[2])))
			fail_msg("MSR 0x%s of lproc %s: 0x%" PRIx64 ", %s",
			    t.cell[1], t.cell[0], raw, strerror(-rc));
		rows++;
		faults += fault;
	}
	fclose(t.f);
	assert_int_equal(rows, 79);
	assert_int_equal(faults, 13);
	rig_close(r);
}

static void
its_buses_are_those_and_stacks_without_one_have_none(void **state)
{
	static const int bus[2][6] = {
		{ 0x00, 0x17, 0x3a, 0x5d, -1, -1 },
		{ 0x80, 0x85, 0xae, 0xd7, -1, -1 },
	};
	struct rig *r = rig_bare("@skx-8160-2s", "");

	(void)state;
	for (unsigned p = 0; p < 2; p++)
		for (unsigned i = 0; i < 6; i++)
			assert_int_equal(r->node.topo.pkg[p].bus[i], bus[p][i]);
	rig_close(r);
}

/* A Xeon Silver 4214 (Cascade Lake-SP, one package) reads so. */
static void
a_cascade_lakes_list_of_buses_is_read_like_a_skylakes(void **state)
{
	struct rig *r = rig_bare("@skx-8160-2s", "packages 1\n"
	    "cpu stepping=7\nbus 0 00 16 64 b2\n"
	    "msr 0x300 pkg = 0x80000000b2641600\n"
	    "pci bus0:08.2 0xcc = 0x80000000b2641600 bits=64\n");
	static const int bus[] = { 0x00, 0x16, 0x64, 0xb2, -1, -1 };

	(void)state;
	assert_string_equal(r->node.topo.model->name, "skx");
	for (unsigned i = 0; i < 6; i++)
		assert_int_equal(r->node.topo.pkg[0].bus[i], bus[i]);
	assert_true(rig_unit(r, "IMC", 0, 5)->present);
	assert_true(rig_unit(r, "UPI", 0, 2)->present);
	rig_close(r);
}

/* Ice Lake-SP, Sapphire and Emerald Rapids: leaf 0xA of a real one of each. */
static void
eight_counters_and_four_fixed_ones_are_read_off_leaf_a(void **state)
{
	struct rig *r = rig_bare("@icx-8358-2s", "cpuid 0xa 0x08300805 0 0xf "
	    "0x8604\n");
	const struct cpu_id *cpu = &r->node.topo.cpu;

	(void)state;
	assert_int_equal(cpu->pmu_version, 5);
	assert_int_equal(cpu->gp_counters, 8);
	assert_int_equal(cpu->gp_bits, 48);
	assert_int_equal(cpu->fixed_counters, 4);
	assert_int_equal(cpu->fixed_bits, 48);
	rig_close(r);
}

/* What the head has after the lines of a rig's configuration were planned. */
static void
head_holds(struct rig *r, const char *line)
{
	struct preamble_info info = { .interval = 1, .access = "sim",
	    .schedule = "", .version = "", .sweep = &r->sweep,
	    .config = &r->node.config };
	char *text = preamble_make(&r->node.plan, &r->node.topo, &r->node.inv,
	    r->node.acc, &info);

	assert_non_null(text);
	if (strstr(text, line) == NULL)
		fail_msg("no %s", line);
	free(text);
}

static void
registers_that_fault_there_are_absent_with_the_reason(void **state)
{
	struct rig *r = rig_text("", "read msr=0x640 as pp1 per package\n"
	    "read msr=0x6b0 as gfx per package gauge\n"
	    "read msr=0x6b1 as ring per package gauge\n");

	(void)state;
	assert_false(rig_has(r, "raw_pkg_pp1[0]"));
	assert_false(rig_has(r, "raw_pkg_gfx[1]"));
	assert_true(rig_has(r, "raw_pkg_ring[1]"));
	head_holds(r, "\nnot_sampled = {}\nnot_sampled[0] = \"raw_pkg_pp1[0]: "
	    "msr 0x640 lproc 0: no such register\"\nnot_sampled[1] = "
	    "\"raw_pkg_gfx[0]: msr 0x6b0 lproc 0: no such register\"\n");
	rig_close(r);
}

/* ---- lists of PCI functions ---- */

/* The addresses of a list, each " 5d:15.0 ". */
static char *
functions_of(const char *list)
{
	char path[64], *all = NULL;
	struct table t;
	size_t size;
	FILE *f = open_memstream(&all, &size);

	assert_non_null(f);
	snprintf(path, sizeof(path), "tests/data/pci-%s.tsv", list);
	table_open(&t, path);
	while (table_next(&t, "pci"))
		fprintf(f, " %s ", t.cell[0]);
	fclose(t.f);
	fclose(f);
	return all;
}

static bool
has_function(const char *all, const char *address)
{
	char word[32];

	snprintf(word, sizeof(word), " %s ", address);
	return strstr(all, word) != NULL;
}

struct stripping {
	struct access *acc;
	const char *all;        /* that the node shows */
	FILE *more;             /* lines of its machine file */
	char *there;            /* functions of the machine as it was */
};

/* A function of the machine that the real node does not show goes. */
static void
strip(void *ctx, const char *name)
{
	struct stripping *s = ctx;
	size_t n = strlen(s->there);
	struct reg_addr id = { REG_PCI, 4, 0, 0 };
	unsigned bus, dev, fn;
	uint64_t raw;

	assert_int_equal(sscanf(name, "0000:%x:%x.%x", &bus, &dev, &fn), 3);
	id.unit = PCI_UNIT(0, bus, PCI_DEVFN(dev, fn));
	/* not those that only have files */
	if (access_read(s->acc, &id, &raw) < 0)
		return;
	assert_true(n + 12 < 1 << 16);
	sprintf(s->there + n, " %s ", name + 5);
	if (!has_function(s->all, name + 5))
		fprintf(s->more, "pci %s none\n", name + 5);
}

/* A built-in machine, with the functions of a real node and no others. */
static struct rig *
node_with(const char *machine, const char *list, const char *config)
{
	struct rig *base = rig_bare(machine, ""), *r;
	char *more = NULL, *all = functions_of(list), *rest, *word;
	struct stripping s = { .acc = base->node.acc, .all = all };
	size_t size;

	s.more = open_memstream(&more, &size);
	s.there = calloc(1, 1 << 16);
	assert_non_null(s.more);
	assert_non_null(s.there);
	access_list(base->node.acc, "/sys/bus/pci/devices", strip, &s);
	rest = strdup(all);
	for (char *p = rest; (word = strsep(&p, " ")) != NULL;)
		if (word[0] != '\0' && !has_function(s.there, word))
			fprintf(s.more, "pci %s 0 = 0x00018086\n", word);
	fclose(s.more);
	r = config != NULL ? rig_with(machine, more, config) :
	    rig_bare(machine, more);
	rig_close(base);
	free(s.there);
	free(rest);
	free(more);
	free(all);
	return r;
}

/* Every box on PCI is in the table, as it is by `--list boxes`. */
static void
boxes_are(struct rig *r, const char *list, unsigned expected)
{
	char *text = NULL, line[128];
	unsigned rows = 0, boxes = 0;
	struct diag why;
	struct table t;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	assert_int_equal(list_what(f, "boxes", r->node.topo.model, &r->node,
	    &why), 0);
	fclose(f);
	table_open(&t, "tests/data/pci-boxes.tsv");
	while (table_next(&t, list)) {
		const struct unit *u = rig_unit(r, t.cell[0], (unsigned)
		    atoi(t.cell[1]), (unsigned)atoi(t.cell[2]));
		uint64_t raw;

		snprintf(line, sizeof(line), "%s\t%s\t%s\t%s\t", t.cell[0],
		    t.cell[1], t.cell[2], t.cell[5]);
		if (strstr(text, line) == NULL)
			fail_msg("%s: no \"%s\" in\n%s", list, line, text);
		if (u->type->space == REG_PCI && u->present) {
			struct reg_addr id = { REG_PCI, 4, u->where, 0 };

			assert_int_equal(access_read(r->node.acc, &id, &raw),
			    0);
			assert_int_equal(raw, hex(t.cell[4]) << 16 | 0x8086);
		}
		rows++;
	}
	fclose(t.f);
	/* of those that a table alone lays out a list says nothing */
	for (unsigned i = 0; i < r->node.inv.n; i++)
		boxes += !r->node.inv.unit[i].type->table.laid &&
		    (r->node.inv.unit[i].type->space == REG_PCI ||
		    r->node.inv.unit[i].type->space == REG_MMIO ||
		    r->node.inv.unit[i].type->space == REG_PERF);
	assert_int_equal(rows, expected);
	assert_int_equal(boxes, expected);
	free(text);
}

static void
a_node_that_hides_functions_has_the_boxes_it_shows_and_says_so(void **state)
{
	struct rig *r = node_with("@skx-8160-2s", "skx", NULL);

	(void)state;
	boxes_are(r, "skx", 36);
	assert_string_equal(rig_unit(r, "M2PCIe", 1, 3)->reason,
	    "no PCI function d7:16.5, though d7:16.0 is there: hidden by "
	    "firmware, or not on this part");
	assert_true(rig_unit(r, "CHA", 1, 23)->present);
	rig_close(r);
}

static void
a_node_that_hides_functions_is_sampled_without_them(void **state)
{
	struct rig *r = node_with("@skx-8160-2s", "skx",
	    "optional m2pcie CLOCKTICKS event=0x1\n"
	    "imc CAS_COUNT.READS event=0x04,umask=0x03\n");

	(void)state;
	rig_program(r);
	rig_sample(r);
	assert_true(rig_second(r, "imc_counts[1][5][\"CAS_COUNT.READS\"]") > 0);
	assert_false(rig_has(r, "m2pcie_counts[0][0][\"CLOCKTICKS\"]"));
	head_holds(r, "\nunit_absent[\"M2PCIe\"][0][0] = \"no PCI function "
	    "5d:15.1, though");
	head_holds(r, "\nnot_sampled[0] = \"M2PCIe CLOCKTICKS: no PCI function "
	    "5d:15.1, though");
	rig_restore(r);
	rig_close(r);
}

/* Both discovery devices are found; what they list is the machine's. */
static void
a_xeon_max_shows_all_of_its_boxes_and_its_discovery_devices(void **state)
{
	struct rig *r = node_with("@spr-9480-2s", "spr", NULL);
	const struct discovery *d = &r->node.inv.found;

	(void)state;
	boxes_are(r, "spr", 144);
	assert_int_equal(d->n, 2);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(d->site[i].at.bus, i == 0 ? 0x6a : 0xe7);
		assert_int_equal(d->site[i].at.dev, 3);
		assert_int_equal(d->site[i].at.fn, 1);
		assert_int_equal(d->site[i].pkg, i);
	}
	rig_close(r);
}

static void
an_ice_lake_shows_all_of_its_boxes(void **state)
{
	struct rig *r = node_with("@icx-8358-2s", "icx", NULL);

	(void)state;
	boxes_are(r, "icx", 44);
	rig_close(r);
}

static void
a_grace_has_its_boxes_whatever_is_on_pci(void **state)
{
	char *all = functions_of("grace"), *more = NULL, *word;
	struct diag why;
	struct rig *r;
	size_t size;
	FILE *f = open_memstream(&more, &size);

	(void)state;
	assert_non_null(f);
	for (char *p = all; (word = strsep(&p, " ")) != NULL;)
		if (word[0] != '\0')
			fprintf(f, "file /sys/bus/pci/devices/%s/vendor = "
			    "0x10de\nfile /sys/bus/pci/devices/%s/device = "
			    "0x22b2\nfile /sys/bus/pci/devices/%s/class = "
			    "0x060400\n", word, word, word);
	fclose(f);
	r = rig_bare("@grace-2s", more);
	assert_int_equal(inventory_perf(&r->node.inv, &r->node.topo,
	    r->node.acc, &why), 0);
	boxes_are(r, "grace", 10);
	rig_close(r);
	free(more);
	free(all);
}

/* Who comes after Zen 5 has no tables here, nor has a Xeon of another kind: no box
 * and no counter, whatever its functions are, as these nodes announce none. */
static void
a_cpu_without_tables_has_no_boxes_that_nothing_announces(void **state)
{
	static const struct { const char *list, *cpu; } t[] = {
		{ "spr", "cpu vendor=GenuineIntel family=6 model=0xf0 "
		  "stepping=3\nname Intel(R) Xeon(R) of a later kind\n" },
		{ "milan", "cpu vendor=AuthenticAMD family=0x1a model=0x50 "
		  "stepping=0\nname AMD EPYC of a later kind\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(t) / sizeof(t[0]); i++) {
		char *all = functions_of(t[i].list), *text = NULL, *word;
		struct node node = { .acc = NULL };
		struct diag why;
		struct sim *sim;
		size_t size;
		FILE *f = open_memstream(&text, &size);

		assert_non_null(f);
		fprintf(f, "%spackages 2\ncores 4\nthreads 2\n"
		    "tsc 2000000000\n", t[i].cpu);
		for (char *p = all; (word = strsep(&p, " ")) != NULL;)
			if (word[0] != '\0')
				fprintf(f, "pci %s 0 = 0x00018086\n", word);
		fclose(f);
		if (machine_parse(&sim, "t.machine", text, size, &why) < 0)
			fail_msg("%s", why.text);
		node.acc = sim_access(sim);
		assert_int_equal(topo_load(&node.topo, node.acc, &why), 0);
		assert_int_equal(inventory_load(&node.inv, &node.topo,
		    node.acc, &why), 0);
		assert_string_equal(node.topo.model->name, "any-x86");
		assert_int_equal(node.topo.cpu.gp_counters, 0);
		assert_int_equal(node.inv.n, 0);
		node_close(&node);
		free(text);
		free(all);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    the_simulated_skylake_has_the_cpuid_leaves_of_a_real_one),
		cmocka_unit_test(
		    the_simulated_skylake_has_the_msrs_of_a_real_one_and_lacks_those),
		cmocka_unit_test(
		    its_buses_are_those_and_stacks_without_one_have_none),
		cmocka_unit_test(
		    a_cascade_lakes_list_of_buses_is_read_like_a_skylakes),
		cmocka_unit_test(
		    eight_counters_and_four_fixed_ones_are_read_off_leaf_a),
		cmocka_unit_test(
		    registers_that_fault_there_are_absent_with_the_reason),
		cmocka_unit_test(
		    a_node_that_hides_functions_has_the_boxes_it_shows_and_says_so),
		cmocka_unit_test(
		    a_node_that_hides_functions_is_sampled_without_them),
		cmocka_unit_test(an_ice_lake_shows_all_of_its_boxes),
		cmocka_unit_test(
		    a_xeon_max_shows_all_of_its_boxes_and_its_discovery_devices),
		cmocka_unit_test(a_grace_has_its_boxes_whatever_is_on_pci),
		cmocka_unit_test(
		    a_cpu_without_tables_has_no_boxes_that_nothing_announces),
	};

	return cmocka_run_group_tests_name("real nodes", tests, NULL, NULL);
}
