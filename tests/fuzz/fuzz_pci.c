/*
 * tests/fuzz/fuzz_pci.c - any bytes as what sysfs and pci.ids say of PCI devices
 * (tests/lib/byte_tree.h), on a node of two Skylake-SP packages: devices with the
 * stacks that they are on.  With libFuzzer; seeds in seeds/pci.
 */
#include "tests/lib/byte_tree.h"

#include "daemon/run/preamble.h"
#include "topology/devices.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(const struct devices *all, const struct topo *topo)
{
	for (unsigned i = 0; i < all->nstack; i++)
		if (all->stack[i].pkg >= topo->npkg ||
		    all->stack[i].bus > 255)
			__builtin_trap();
	for (unsigned i = 0; i < all->ndevice; i++) {
		const struct io_device *d = &all->device[i];

		if (d->pkg >= (int)topo->npkg || (d->stack >= 0 &&
		    d->pkg < 0) || memchr(d->missing, '\0',
		    sizeof(d->missing)) == NULL)
			__builtin_trap();
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct byte_tree tree;
	static struct lproc lprocs[2] = { { .exists = true, .online = true },
		{ .exists = true, .online = true, .pkg = 1 } };
	struct topo topo = { .model = model_named("skx"), .nlproc = 2,
	    .lproc = lprocs, .npkg = 2 };
	struct head h = { .text = NULL };
	struct devices all;
	struct diag why;

	for (int p = 0; p < 2; p++) {
		topo.pkg[p] = (struct package){ .id = p, .nlproc = 1,
		    .first_lproc = (unsigned)p };
		for (int b = 0; b < MAX_BUS; b++)
			topo.pkg[p].bus[b] = 0x80 * p + 0x17 * b;
	}
	byte_tree_init(&tree, data, size);
	if (devices_load(&all, &topo, &tree.acc, &why) == 0) {
		check(&all, &topo);
		preamble_devices(&h, &all, &topo);
		if (h.error != 0)
			__builtin_trap();
		head_fini(&h);
	}
	devices_free(&all);
	return 0;
}
