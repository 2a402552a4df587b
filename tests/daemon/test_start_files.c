/*
 * tests/daemon/test_start_files.c - how many files a start opens: what is the
 * same for all lprocs is read once, and a long list of names only where a name
 * is needed.
 */
#include "tests/lib/rig.h"

#include "regs/linux/linux.h"
#include "topology/devices.h"

#include <stdio.h>
#include <string.h>

#define CPU "/sys/devices/system/cpu"
#define LPROCS 96

/* A node of files, and how often they are asked for. */
struct counted {
	struct access acc;
	struct access_ops ops;
	struct access *inner;
	unsigned files, lists, nodes, pci_ids;
};

static ssize_t
counted_file(struct access *acc, const char *path, uint64_t offset, void *buf,
    size_t size)
{
	struct counted *c = (struct counted *)acc;

	c->files++;
	c->nodes += strstr(path, "/node/") != NULL;
	c->pci_ids += strstr(path, "pci.ids") != NULL;
	return access_file(c->inner, path, offset, buf, size);
}

static int
counted_list(struct access *acc, const char *dir,
    void (*each)(void *, const char *), void *ctx)
{
	struct counted *c = (struct counted *)acc;

	c->lists++;
	return access_list(c->inner, dir, each, ctx);
}

static int
counted_link(struct access *acc, const char *path, char *buf, size_t size)
{
	return access_link(((struct counted *)acc)->inner, path, buf, size);
}

static int
counted_read(struct access *acc, const struct reg_addr *addr, uint64_t *raw)
{
	return access_read(((struct counted *)acc)->inner, addr, raw);
}

static const struct host_ops counted_host = {
	.file = counted_file, .list = counted_list, .link = counted_link,
};

static void
begin(struct counted *c, const char *dir)
{
	struct diag why;

	*c = (struct counted){ .ops = { .name = "counted",
	    .read = counted_read, .host = &counted_host } };
	c->acc.ops = &c->ops;
	assert_int_equal(linux_open(&c->inner, dir, &why), 0);
}

static void
put(const char *dir, unsigned lproc, const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), CPU "/cpu%u/%s", lproc, file);
	tree_text(dir, path, text);
}

/* Two packages of two dies with 12 cores of two threads each: lprocs 0-47 are the
 * first threads, package by package. */
static void
put_lproc(const char *dir, unsigned l, bool lists)
{
	unsigned core = l % 48, pkg = core / 24, die = core / 12 % 2;
	unsigned first = pkg * 24, half = first + die * 12;
	char text[64];

	snprintf(text, sizeof(text), "%u\n", pkg * 5);
	put(dir, l, "topology/physical_package_id", text);
	snprintf(text, sizeof(text), "%u\n", die);
	put(dir, l, "topology/die_id", text);
	snprintf(text, sizeof(text), "%u\n", core % 24 + 100);
	put(dir, l, "topology/core_id", text);
	snprintf(text, sizeof(text), "%u,%u\n", core, core + 48);
	put(dir, l, "topology/thread_siblings_list", text);
	put(dir, l, "cache/index2/shared_cpu_list", text);
	if (!lists)
		return;
	snprintf(text, sizeof(text), "%u-%u,%u-%u\n", first, first + 23,
	    first + 48, first + 71);
	put(dir, l, "topology/package_cpus_list", text);
	snprintf(text, sizeof(text), "%u-%u,%u-%u\n", half, half + 11,
	    half + 48, half + 59);
	put(dir, l, "topology/die_cpus_list", text);
	/* a package's cores share an L3, as on the part itself */
	snprintf(text, sizeof(text), "%u-%u,%u-%u\n", first, first + 23,
	    first + 48, first + 71);
	put(dir, l, "cache/index3/shared_cpu_list", text);
}

static char *
node_of_96(bool lists)
{
	char *dir = tree_new();

	tree_text(dir, "/proc/cpuinfo", "processor\t: 0\n"
	    "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\n"
	    "model name\t: 96 of them\nstepping\t: 4\nflags\t\t: tsc\n\n");
	tree_text(dir, CPU "/online", "0-95\n");
	tree_text(dir, CPU "/present", "0-95\n");
	tree_text(dir, "/sys/devices/system/node/node0/cpulist",
	    "0-23,48-71\n");
	/* nodes of memory alone have high numbers */
	tree_text(dir, "/sys/devices/system/node/node255/cpulist", "\n");
	tree_text(dir, "/sys/devices/system/node/node1/cpulist",
	    "24-47,72-95\n");
	tree_text(dir, "/sys/devices/system/node/online", "0-1,255\n");
	for (unsigned l = 0; l < LPROCS; l++)
		put_lproc(dir, l, lists);
	return dir;
}

/* Both ways the same is found. */
static void
places_are_right(const struct topo *t, bool lists)
{
	assert_int_equal(t->nlproc, 96);
	assert_int_equal(t->npkg, 2);
	assert_int_equal(t->pkg[1].id, 5);
	assert_int_equal(t->pkg[1].first_lproc, 24);
	assert_int_equal(t->pkg[1].nlproc, 48);
	for (unsigned l = 0; l < LPROCS; l++) {
		const struct lproc *lp = &t->lproc[l];

		assert_true(lp->online);
		assert_int_equal(lp->pkg, l % 48 / 24);
		assert_int_equal(lp->node, l % 48 / 24);
		assert_int_equal(lp->die, l % 48 / 12 % 2);
		assert_int_equal(lp->core, l % 24 + 100);
		assert_int_equal(lp->thread, l / 48);
		assert_int_equal(lp->module, l % 48);
		assert_int_equal(lp->l3, lists ? (int)(l % 48 / 24 * 24) : -1);
	}
}

static void
where_lprocs_are_takes_two_files_of_each_at_most(void **state)
{
	char *dir = node_of_96(true);
	struct counted c;
	struct topo t;
	struct diag why;

	(void)state;
	begin(&c, dir);
	assert_int_equal(topo_load(&t, &c.acc, &why), 0);
	places_are_right(&t, true);
	/* of 48 cores three, of packages, dies and L3s two each, of nodes one */
	assert_true(c.files >= 48 * 3 && c.files <= 2 * LPROCS);
	assert_int_equal(c.nodes, 3);
	topo_free(&t);
	access_close(c.inner);
	tree_free(dir);
}

static void
a_kernel_without_these_lists_is_asked_for_each(void **state)
{
	char *dir = node_of_96(false);
	struct counted c;
	struct topo t;
	struct diag why;

	(void)state;
	begin(&c, dir);
	assert_int_equal(topo_load(&t, &c.acc, &why), 0);
	places_are_right(&t, false);
	/* of 48 cores six: a list of the kernel's is missed but once, an L3 at
	 * each core, since others may have one; what threads share, once */
	assert_true(c.files >= 48 * 6 && c.files <= 48 * 6 + 16);
	topo_free(&t);
	access_close(c.inner);
	tree_free(dir);
}

/* What the kernel says of every lproc, with lines of many lengths. */
static char padding[3001];

static void
put_cpuinfo(const char *dir)
{
	static char text[LPROCS * 4096];
	char *at = text;

	for (unsigned l = 0; l < LPROCS; l++)
		at += sprintf(at, "processor\t: %u\nvendor_id\t: GenuineIntel\n"
		    "cpu family\t: 6\nmodel\t\t: 85\nmodel name\t: 96\n"
		    "physical id\t: %u\nflags\t\t: tsc %.*s\n\n", l,
		    l % 48 / 24 * 5, (int)(l * 37 % 3000) + 1, padding);
	tree_text(dir, "/proc/cpuinfo", text);
}

static void
hide(const char *dir, unsigned lproc)
{
	static const char *const file[] = { "physical_package_id", "die_id",
	    "core_id", "thread_siblings_list", "package_cpus_list",
	    "die_cpus_list", "" };
	char path[512];

	for (size_t i = 0; i < sizeof(file) / sizeof(file[0]); i++) {
		snprintf(path, sizeof(path), "%s" CPU "/cpu%u/topology/%s", dir,
		    lproc, file[i]);
		remove(path);
	}
}

/* As in a container that shows no topology, and as of an lproc that went offline when
 * the list of those that are online had been read. */
static void
an_lproc_whose_files_are_hidden_keeps_its_package(void **state)
{
	static const struct { unsigned from, to; bool lists; } hidden[] = {
		{ 0, 95, true }, { 24, 47, true }, { 24, 24, true },
		{ 24, 24, false }, { 0, 0, false }, { 60, 95, false },
	};
	struct topo t;
	struct diag why;

	(void)state;
	memset(padding, 'x', sizeof(padding) - 1);
	for (size_t i = 0; i < sizeof(hidden) / sizeof(hidden[0]); i++) {
		char *dir = node_of_96(hidden[i].lists);
		struct access *acc;

		put_cpuinfo(dir);
		tree_text(dir, "/sys/devices/system/node/node0/cpulist",
		    "0-95\n");
		tree_text(dir, "/sys/devices/system/node/node1/cpulist",
		    "\n");
		for (unsigned l = hidden[i].from; l <= hidden[i].to; l++)
			hide(dir, l);
		assert_int_equal(linux_open(&acc, dir, &why), 0);
		assert_int_equal(topo_load(&t, acc, &why), 0);
		assert_int_equal(t.npkg, 2);
		for (unsigned l = 0; l < LPROCS; l++) {
			assert_int_equal(t.lproc[l].pkg, l % 48 / 24);
			if (l % 48 < hidden[i].from || (l % 48 > hidden[i].to &&
			    hidden[i].to < 48))
				assert_int_equal(t.lproc[l].thread, l / 48);
		}
		topo_free(&t);
		access_close(acc);
		tree_free(dir);
	}
}

static void
the_list_of_names_is_read_once_and_where_somebody_needs_one(void **state)
{
	static const char *const file[][2] = {
		{ "vendor", "0x15b3\n" }, { "device", "0x101d\n" },
		{ "class", "0x020000\n" },
	};
	char *dir = node_of_96(true), path[96];

	(void)state;
	tree_text(dir, "/usr/share/misc/pci.ids",
	    "15b3  Mellanox Technologies\n\t101d  ConnectX-6 Dx\n");
	for (unsigned n = 0; n < 3; n++) {
		struct counted c;
		struct devices d;
		struct topo t;
		struct diag why;

		for (unsigned i = 0; n > 0 && i < 3; i++) {
			snprintf(path, sizeof(path), "/sys/bus/pci/devices/"
			    "0000:18:00.%u/%s", n, file[i][0]);
			tree_text(dir, path, file[i][1]);
		}
		begin(&c, dir);
		assert_int_equal(topo_load(&t, &c.acc, &why), 0);
		assert_int_equal(devices_load(&d, &t, &c.acc, &why), 0);
		assert_int_equal(d.ndevice, n);
		for (unsigned i = 0; i < n; i++)
			assert_string_equal(d.device[i].name,
			    "Mellanox Technologies ConnectX-6 Dx");
		/* one place it is not in; its text, and that this ends */
		assert_int_equal(c.pci_ids, n == 0 ? 0 : 3);
		devices_free(&d);
		topo_free(&t);
		access_close(c.inner);
	}
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    where_lprocs_are_takes_two_files_of_each_at_most),
		cmocka_unit_test(
		    a_kernel_without_these_lists_is_asked_for_each),
		cmocka_unit_test(an_lproc_whose_files_are_hidden_keeps_its_package),
		cmocka_unit_test(
		    the_list_of_names_is_read_once_and_where_somebody_needs_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
