/*
 * tests/topology/test_devices.c - which device hangs on which I/O stack, as the
 * platform's registers and sysfs say, and what they leave out.
 */
#include "tests/lib/rig.h"

#include "daemon/run/preamble.h"
#include "regs/linux/linux.h"
#include "regs/sim/sim.h"
#include "topology/devices.h"

#include <stdlib.h>
#include <string.h>

#define DEV "file /sys/bus/pci/devices/0000:"

struct node_of {
	struct access *acc;
	struct topo topo;
	struct devices d;
};

static void
load(struct node_of *n, const char *machine, const char *more)
{
	struct diag why = { "" };

	n->acc = sim_access(machine_with(machine, more));
	assert_int_equal(topo_load(&n->topo, n->acc, &why), 0);
	assert_int_equal(devices_load(&n->d, &n->topo, n->acc, &why), 0);
}

static void
unload(struct node_of *n)
{
	devices_free(&n->d);
	topo_free(&n->topo);
	access_close(n->acc);
}

static const struct io_device *
at(const struct node_of *n, const char *address)
{
	for (unsigned i = 0; i < n->d.ndevice; i++)
		if (strcmp(n->d.device[i].address, address) == 0)
			return &n->d.device[i];
	return NULL;
}

static void
icx_stacks_are_numbered_by_the_map_of_the_reference(void **state)
{
	/* 8.1: {0:5, 1:0, 2:1, 4:3, 5:4}; nobody has 3, so none has PMON 2 */
	static const int bus[2][6] = {
		{ 0x16, 0x30, -1, 0x4a, 0x64, 0x00 },
		{ 0x97, 0xb0, -1, 0xc9, 0xe2, 0x80 },
	};
	struct node_of n;

	(void)state;
	load(&n, "@icx-8358-2s", "");
	assert_int_equal(n.d.nstack, 12);
	for (unsigned i = 0; i < 12; i++)
		assert_int_equal(n.d.stack[i].bus,
		    bus[n.d.stack[i].pkg][n.d.stack[i].stack]);
	unload(&n);
}

static void
other_bits_of_the_stack_register_are_none_of_its_number(void **state)
{
	struct node_of n;

	(void)state;
	/* 3:0 package 0, 6:4 the address decoder's stack 1 */
	load(&n, "@icx-8358-2s", "pci 16:00.0 0x3f4 = 0xffffff90\n");
	assert_int_equal(n.d.stack[0].bus, 0x16);
	assert_int_equal(n.d.stack[6].bus, 0x97);
	unload(&n);
}

static void
devices_are_in_the_order_of_their_addresses(void **state)
{
	static const char *const order[] = { "0000:00:01.0", "0000:17:00.0",
	    "0000:17:00.1", "0000:e4:00.0", "0001:01:00.0" };
	struct node_of n;

	(void)state;
	load(&n, "@icx-8358-2s",
	    "file /sys/bus/pci/devices/0001:01:00.0/class = 0x020000\n"
	    "file /sys/bus/pci/devices/0001:01:00.0/vendor = 0x8086\n"
	    "file /sys/bus/pci/devices/0001:01:00.0/device = 0x1592\n");
	assert_int_equal(n.d.ndevice, 5);
	for (unsigned i = 0; i < 5; i++)
		assert_string_equal(n.d.device[i].address, order[i]);
	unload(&n);
}

static void
a_device_is_told_by_the_root_port_above_it(void **state)
{
	const struct io_device *d;
	struct node_of n;

	(void)state;
	load(&n, "@icx-8358-2s", "");
	assert_int_equal(n.d.ndevice, 4);
	d = at(&n, "0000:17:00.1");
	assert_non_null(d);
	assert_string_equal(d->port, "0000:16:02.0");
	assert_int_equal(d->pkg, 0);
	assert_int_equal(d->stack, 0);
	assert_int_equal(d->part, 0);           /* port 02 is part 0 */
	assert_int_equal(d->node, 0);
	assert_string_equal(d->name,
	    "Mellanox Technologies MT2892 Family [ConnectX-6 Dx]");
	assert_string_equal(d->driver, "mlx5_core");
	assert_int_equal(d->max_width, 16);
	assert_true(d->max_gt_s == 16.0);
	assert_string_equal(d->missing, "");
	d = at(&n, "0000:e4:00.0");
	assert_non_null(d);
	assert_int_equal(d->pkg, 1);
	assert_int_equal(d->stack, 4);
	assert_int_equal(d->part, 2);           /* port 04 is part 2 */
	assert_true(d->max_gt_s == 16.0 && d->gt_s == 8.0);
	unload(&n);
}

static void
a_device_of_the_package_itself_is_on_a_stack_and_no_part(void **state)
{
	const struct io_device *d;
	struct node_of n;

	(void)state;
	load(&n, "@icx-8358-2s", "");
	d = at(&n, "0000:00:01.0");
	assert_non_null(d);
	assert_string_equal(d->port, "");
	assert_int_equal(d->stack, 5);          /* CBDMA/DMI */
	assert_int_equal(d->part, -1);
	assert_string_equal(d->name, "8086:0b00 ioatdma");
	assert_int_equal(d->max_width, 0);
	assert_string_equal(d->missing,
	    "max_link_width: 255; max_link_speed: Unknown");
	unload(&n);
}

static void
what_sysfs_lacks_is_named(void **state)
{
	const struct io_device *d;
	struct node_of n;

	(void)state;
	load(&n, "@icx-8358-2s",
	    DEV "e4:00.0/max_link_speed none\n"
	    DEV "e4:00.0/max_link_width = 0\n"
	    DEV "e4:00.0/numa_node = -1\n"
	    DEV "e4:00.0/uevent none\n"
	    "file /usr/share/hwdata/pci.ids none\n");
	d = at(&n, "0000:e4:00.0");
	assert_non_null(d);
	assert_string_equal(d->missing,
	    "max_link_width: 0; max_link_speed: not in sysfs");
	assert_string_equal(d->name, "144d:a824");
	/* as firmware does not say: -1, which preamble_devices leaves out */
	assert_int_equal(d->node, -1);
	unload(&n);
}

static void
a_device_that_vanishes_is_left_out(void **state)
{
	struct node_of n;

	(void)state;
	/* its directory is listed, its files are gone */
	load(&n, "@icx-8358-2s", DEV "e4:00.0/class none\n");
	assert_null(at(&n, "0000:e4:00.0"));
	assert_int_equal(n.d.ndevice, 3);
	unload(&n);
}

static void
virtual_functions_and_bridges_are_no_devices(void **state)
{
	struct node_of n;

	(void)state;
	load(&n, "@icx-8358-2s", DEV "17:00.2/class = 0x020000\n"
	    DEV "17:00.2/vendor = 0x15b3\n" DEV "17:00.2/device = 0x101e\n"
	    DEV "17:00.2/physfn/vendor = 0x15b3\n");
	assert_null(at(&n, "0000:17:00.2"));
	assert_null(at(&n, "0000:16:02.0"));
	unload(&n);
}

static void
a_device_behind_a_switch_belongs_to_the_root_port(void **state)
{
	const struct io_device *d;
	struct node_of n;

	(void)state;
	/* 30:02.0 leads to 31; a bridge there leads to 32 */
	load(&n, "@icx-8358-2s",
	    DEV "30:02.0/subordinate_bus_number = 50\n"
	    DEV "31:00.0/class = 0x060400\n" DEV "31:00.0/vendor = 0x10b5\n"
	    DEV "31:00.0/device = 0x8724\n"
	    DEV "31:00.0/secondary_bus_number = 50\n"
	    DEV "31:00.0/subordinate_bus_number = 50\n"
	    DEV "32:00.0/class = 0x010802\n" DEV "32:00.0/vendor = 0x144d\n"
	    DEV "32:00.0/device = 0xa808\n");
	d = at(&n, "0000:32:00.0");
	assert_non_null(d);
	assert_string_equal(d->port, "0000:30:02.0");
	assert_int_equal(d->stack, 1);
	assert_int_equal(d->part, 0);
	assert_string_equal(d->name, "Samsung Electronics Co Ltd a808");
	unload(&n);
}

static void
a_device_on_no_known_bus_is_attributed_to_nobody(void **state)
{
	const struct io_device *d;
	struct node_of n;

	(void)state;
	load(&n, "@icx-8358-2s", "pci 97:00.0 none\n"
	    DEV "98:00.0/class = 0x020000\n" DEV "98:00.0/vendor = 0x8086\n"
	    DEV "98:00.0/device = 0x1592\n");
	d = at(&n, "0000:98:00.0");
	assert_non_null(d);
	assert_int_equal(d->pkg, -1);
	assert_int_equal(d->stack, -1);
	unload(&n);
}

static void
skx_stacks_are_the_bytes_of_msr_0x300(void **state)
{
	const struct io_device *d;
	struct node_of n;

	(void)state;
	load(&n, "@skx-8160-2s", DEV "17:02.0/class = 0x060400\n"
	    DEV "17:02.0/vendor = 0x8086\n" DEV "17:02.0/device = 0x2032\n"
	    DEV "17:02.0/secondary_bus_number = 24\n"
	    DEV "17:02.0/subordinate_bus_number = 24\n"
	    DEV "18:00.0/class = 0x020700\n" DEV "18:00.0/vendor = 0x8086\n"
	    DEV "18:00.0/device = 0x24f0\n");
	d = at(&n, "0000:18:00.0");
	assert_non_null(d);
	assert_int_equal(d->stack, 1);          /* BUS1 is 17 */
	assert_int_equal(d->part, 2);           /* 7.1: part p is port p.0 */
	unload(&n);
}

static void
the_head_of_a_dump_names_them_by_assignments(void **state)
{
	struct head h = { .text = NULL };
	struct node_of n;
	char *text;

	(void)state;
	load(&n, "@icx-8358-2s", "");
	preamble_devices(&h, &n.d, &n.topo);
	assert_non_null(text = head_take(&h));
	assert_non_null(strstr(text, "io_stack_name[1][4] = \"PCIe3\"\n"));
	assert_non_null(strstr(text, "io_stack_bus[1][4] = \"0000:e2\"\n"));
	assert_null(strstr(text, "io_stack_bus[1][2]"));
	assert_non_null(strstr(text, "io_devices = 4\n"));
	assert_non_null(strstr(text,
	    "io_device_address[3] = \"0000:e4:00.0\"\n"));
	assert_non_null(strstr(text, "io_device_part[3] = 2\n"));
	assert_non_null(strstr(text, "io_device_max_link_speed[3] = 16\n"));
	assert_non_null(strstr(text, "io_device_link_speed[3] = 8\n"));
	assert_null(strstr(text, "io_device_max_link_speed[0]"));
	assert_non_null(strstr(text, "io_device_missing[0] = "
	    "\"max_link_width: 255; max_link_speed: Unknown\"\n"));
	free(text);
	unload(&n);
}

static void
names_are_found_in_the_text_of_pci_ids(void **state)
{
	static const char ids[] =
	    "# comment\n\n0001  First\n\t0002  Of the first\n"
	    "8086  Intel Corporation\n\t0001  Wrong\n"
	    "\t1592  Ethernet Controller E810-C\n\t\t1592 0001  Board\n"
	    "C 02  Network controller\n\t1593  No device";
	char buf[96];

	(void)state;
	pci_ids_name(ids, sizeof(ids) - 1, 0x8086, 0x1592, buf, sizeof(buf));
	assert_string_equal(buf, "Intel Corporation Ethernet Controller "
	    "E810-C");
	pci_ids_name(ids, sizeof(ids) - 1, 0x8086, 0x1593, buf, sizeof(buf));
	assert_string_equal(buf, "Intel Corporation 1593");
	pci_ids_name(ids, sizeof(ids) - 1, 0x15b3, 0x1592, buf, sizeof(buf));
	assert_string_equal(buf, "");
	pci_ids_name("", 0, 1, 2, buf, sizeof(buf));
	assert_string_equal(buf, "");
	pci_ids_name("8086  Int", 9, 0x8086, 2, buf, sizeof(buf));
	assert_string_equal(buf, "Int 0002");
}

/* Of 64 KB, then 128: its room is doubled as it is read. */
static void
a_list_of_names_is_read_to_its_end(void **state)
{
	static const size_t before[] = { 0, 65529, 65530, 131065, 200000 };
	char *dir = tree_new(), *text = malloc(300000), *ids, buf[96];
	struct access *acc;
	struct diag why;
	size_t n;

	(void)state;
	assert_int_equal(linux_open(&acc, dir, &why), 0);
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		memset(text, '#', before[i]);
		strcpy(text + before[i], "\n8086  Us\n\t1592  E810\n");
		tree_text(dir, "/usr/share/misc/pci.ids", text);
		ids = pci_ids_load(acc, &n);
		assert_non_null(ids);
		assert_int_equal(n, strlen(text));
		pci_ids_name(ids, n, 0x8086, 0x1592, buf, sizeof(buf));
		assert_string_equal(buf, "Us E810");
		free(ids);
	}
	access_close(acc);
	free(text);
	tree_free(dir);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    icx_stacks_are_numbered_by_the_map_of_the_reference),
		cmocka_unit_test(
		    other_bits_of_the_stack_register_are_none_of_its_number),
		cmocka_unit_test(devices_are_in_the_order_of_their_addresses),
		cmocka_unit_test(a_device_is_told_by_the_root_port_above_it),
		cmocka_unit_test(
		    a_device_of_the_package_itself_is_on_a_stack_and_no_part),
		cmocka_unit_test(what_sysfs_lacks_is_named),
		cmocka_unit_test(a_device_that_vanishes_is_left_out),
		cmocka_unit_test(virtual_functions_and_bridges_are_no_devices),
		cmocka_unit_test(
		    a_device_behind_a_switch_belongs_to_the_root_port),
		cmocka_unit_test(
		    a_device_on_no_known_bus_is_attributed_to_nobody),
		cmocka_unit_test(skx_stacks_are_the_bytes_of_msr_0x300),
		cmocka_unit_test(the_head_of_a_dump_names_them_by_assignments),
		cmocka_unit_test(names_are_found_in_the_text_of_pci_ids),
		cmocka_unit_test(a_list_of_names_is_read_to_its_end),
	};

	return cmocka_run_group_tests_name("devices", tests, NULL, NULL);
}
