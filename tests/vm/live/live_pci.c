// SPDX-License-Identifier: Dual BSD/GPL
/*
 * tests/vm/live/live_pci.c - the uncore's PCI functions: root buses of our own,
 * beside the machine's, whose config space answers with live counters.
 */
#include "live.h"

#include <linux/pci.h>

#define FUNCTIONS 80
#define FUNCTION_REGS 16
#define BUSES 6
#define CAPID_ID 0x2083

struct function {
	u8 bus, devfn;
	u16 id;
	u32 capid6;
	struct live_bank bank;          /* n 0: it only is there */
};

static struct function function[FUNCTIONS];
static unsigned int nfunction;
static struct pci_bus *root[BUSES];
static struct pci_sysdata sysdata = { .node = NUMA_NO_NODE };
static struct resource numbers[BUSES];

/* Ids and places: tests/data/pci-boxes.tsv. */
static const struct {
	u8 role, dev, fn;
	u16 id;
	u8 unit;
	struct live_box box;
} boxes[] = {
#define SMALL(counters) { .box_ctl = 0xf4, .ctl = 0xd8, .ctl_step = 4, \
	.ctr = 0xa0, .ctr_step = 8, .n = counters }
#define CHANNEL { .box_ctl = 0xf4, .ctl = 0xd8, .ctl_step = 4, .ctr = 0xa0, \
	.ctr_step = 8, .n = 4, .fixed_ctl = 0xf0, .fixed_ctr = 0xd0 }
#define MESH { .box_ctl = 0x258, .ctl = 0x228, .ctl_step = 8, .ctr = 0x200, \
	.ctr_step = 8, .n = 4 }
#define LINK { .box_ctl = 0x378, .ctl = 0x350, .ctl_step = 8, .ctr = 0x318, \
	.ctr_step = 8, .n = 4 }
	{ 2, 0x0a, 2, 0x2042, PLANTED_IMC + 0, CHANNEL },
	{ 2, 0x0a, 6, 0x2046, PLANTED_IMC + 1, CHANNEL },
	{ 2, 0x0b, 2, 0x204a, PLANTED_IMC + 2, CHANNEL },
	{ 2, 0x0c, 2, 0x2042, PLANTED_IMC + 3, CHANNEL },
	{ 2, 0x0c, 6, 0x2046, PLANTED_IMC + 4, CHANNEL },
	{ 2, 0x0d, 2, 0x204a, PLANTED_IMC + 5, CHANNEL },
	{ 2, 0x08, 0, 0x2066, PLANTED_M2M + 0, MESH },
	{ 2, 0x09, 0, 0x2066, PLANTED_M2M + 1, MESH },
	{ 3, 0x0e, 0, 0x2058, PLANTED_UPI + 0, LINK },
	{ 3, 0x0f, 0, 0x2058, PLANTED_UPI + 1, LINK },
	{ 3, 0x10, 0, 0x2058, PLANTED_UPI + 2, LINK },
	{ 3, 0x12, 1, 0x204d, PLANTED_M3UPI + 0, SMALL(3) },
	{ 3, 0x12, 2, 0x204e, PLANTED_M3UPI + 1, SMALL(3) },
	{ 3, 0x12, 5, 0x204d, PLANTED_M3UPI + 2, SMALL(3) },
	{ 3, 0x15, 1, 0x2088, PLANTED_M2PCIE + 0, SMALL(4) },
	{ 3, 0x16, 1, 0x2088, PLANTED_M2PCIE + 1, SMALL(4) },
	{ 3, 0x17, 1, 0x2088, PLANTED_M2PCIE + 2, SMALL(4) },
	{ 3, 0x16, 5, 0x2088, PLANTED_M2PCIE + 3, SMALL(4) },
	{ 1, 0x1e, 3, CAPID_ID, 0, { .n = 0 } },
};

static struct function *
find(unsigned int bus, unsigned int devfn)
{
	unsigned int i;

	for (i = 0; i < nfunction; i++)
		if (function[i].bus == bus && function[i].devfn == devfn)
			return &function[i];
	return NULL;
}

static struct function *
add(unsigned int bus, unsigned int devfn, u16 id)
{
	struct function *f = &function[nfunction++];

	f->bus = bus;
	f->devfn = devfn;
	f->id = id;
	return f;
}

/* What is at an aligned dword: a header of type 0, of a system peripheral with
 * PCI Express, as these have; a register; or half of a counter. */
static u32
dword(struct function *f, int where)
{
	const struct live_reg *r;

	switch (where) {
	case 0x00: return (u32)f->id << 16 | PCI_VENDOR_ID_INTEL;
	case 0x04: return PCI_STATUS_CAP_LIST << 16;
	case 0x08: return PCI_CLASS_SYSTEM_OTHER << 16 | 4;
	case 0x0c: return 0x80 << 16;           /* multifunction */
	case 0x34: return 0x40;
	case 0x40: return (PCI_EXP_TYPE_RC_END << 4 | 2) << 16 | PCI_CAP_ID_EXP;
	case 0x9c:
		if (f->id == CAPID_ID)
			return f->capid6;
	}
	if ((r = live_find(&f->bank, where)))
		return live_read(&f->bank, r);
	if ((r = live_find(&f->bank, where - 4)) && r->bits > 32)
		return live_read(&f->bank, r) >> 32;
	return 0;
}

static int
config_read(struct pci_bus *bus, unsigned int devfn, int where, int size,
    u32 *value)
{
	struct function *f = find(bus->number, devfn);

	if (!f) {
		PCI_SET_ERROR_RESPONSE(value);
		return PCIBIOS_DEVICE_NOT_FOUND;
	}
	*value = dword(f, where & ~3) >> 8 * (where & 3);
	if (size < 4)
		*value &= (1u << 8 * size) - 1;
	return PCIBIOS_SUCCESSFUL;
}

static int
config_write(struct pci_bus *bus, unsigned int devfn, int where, int size,
    u32 value)
{
	struct function *f = find(bus->number, devfn);
	struct live_reg *r = f && size == 4 ? live_find(&f->bank, where) : NULL;

	if (r && r->bits == 0)
		live_write(&f->bank, r, value);
	return f ? PCIBIOS_SUCCESSFUL : PCIBIOS_DEVICE_NOT_FOUND;
}

static struct pci_ops ops = { .read = config_read, .write = config_write };

static int
add_functions(unsigned int pkg)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(boxes); i++) {
		unsigned int bus = live_bus(pkg, boxes[i].role);
		struct function *f;

		/* function 0 is there wherever any other is */
		if (!find(bus, PCI_DEVFN(boxes[i].dev, 0)) && boxes[i].fn != 0)
			add(bus, PCI_DEVFN(boxes[i].dev, 0), 0x2040);
		f = add(bus, PCI_DEVFN(boxes[i].dev, boxes[i].fn), boxes[i].id);
		f->capid6 = pkg == 0 ? 0xfff : 0x1ff;
		if (boxes[i].box.n == 0)
			continue;
		if (live_bank_init(&f->bank, FUNCTION_REGS, false) < 0)
			return -ENOMEM;
		live_box(&f->bank, &boxes[i].box, pkg << 7 | boxes[i].unit);
		live_start(&f->bank);
	}
	return 0;
}

static int
add_bus(unsigned int i, unsigned int bus)
{
	LIST_HEAD(resources);

	numbers[i] = (struct resource){ .name = "live", .start = bus,
	    .end = bus, .flags = IORESOURCE_BUS };
	pci_add_resource(&resources, &numbers[i]);
	root[i] = pci_scan_root_bus(NULL, bus, &ops, &sysdata, &resources);
	if (!root[i]) {
		pci_free_resource_list(&resources);
		return -ENODEV;
	}
	pci_bus_add_devices(root[i]);
	return 0;
}

int
live_pci_init(unsigned int packages)
{
	unsigned int pkg, role, n = 0;
	int rc = 0;

	for (pkg = 0; pkg < packages && rc == 0; pkg++)
		rc = add_functions(pkg);
	pci_lock_rescan_remove();
	for (pkg = 0; pkg < packages; pkg++)
		for (role = 1; role < 4 && rc == 0; role++)
			rc = add_bus(n++, live_bus(pkg, role));
	pci_unlock_rescan_remove();
	return rc;
}

void
live_pci_exit(void)
{
	unsigned int i;

	pci_lock_rescan_remove();
	for (i = 0; i < BUSES; i++)
		if (root[i]) {
			pci_stop_root_bus(root[i]);
			pci_remove_root_bus(root[i]);
		}
	pci_unlock_rescan_remove();
	for (i = 0; i < nfunction; i++)
		live_bank_free(&function[i].bank);
}

void
live_pci_show(struct seq_file *m)
{
	char name[32];
	unsigned int i;

	for (i = 0; i < nfunction; i++) {
		snprintf(name, sizeof(name), "pci %02x:%02x.%x",
		    function[i].bus, PCI_SLOT(function[i].devfn),
		    PCI_FUNC(function[i].devfn));
		live_show(m, name, &function[i].bank);
	}
}
