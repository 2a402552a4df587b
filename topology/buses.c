/*
 * topology/buses.c - which PCI buses a package's uncore is on, from the
 * hardware's own registers and never from constants.
 */
#include "topology/topo.h"

/* SKX: MSR 0x300, bytes 0..5 are BUS0..BUS5 of this package, bit 63 says that
 * they are valid (reference 7.1). */
static void
buses_from_msr_300(struct package *pkg, struct access *acc)
{
	struct reg_addr addr = { REG_MSR, 8, pkg->first_lproc, 0x300 };
	uint64_t raw;

	if (access_read(acc, &addr, &raw) < 0 || raw == ABSENT ||
	    !(raw >> 63))
		return;
	for (int role = 0; role < 6; role++) {
		int bus = raw >> 8 * role & 0xff;

		/* only BUS0 of the first package may be bus 0 */
		if (bus != 0 || role == 0)
			pkg->bus[role] = bus;
	}
}

static uint32_t
buses_dword(struct access *acc, unsigned bus, unsigned devfn, unsigned offset)
{
	struct reg_addr addr = { REG_PCI, 4, PCI_UNIT(0, bus, devfn), offset };
	uint64_t raw;

	return access_read(acc, &addr, &raw) < 0 ? UINT32_MAX : (uint32_t)raw;
}

static bool
has_function(struct access *acc, unsigned bus, unsigned devfn, uint16_t devid)
{
	return buses_dword(acc, bus, devfn, 0) == ((uint32_t)devid << 16 |
	    0x8086);
}

/* The other bus of the package whose UBOX is on `bus`.  A bus without a UBOX
 * belongs to the next higher one that has it (reference 6.1). */
static int
other_bus(const struct ubox_bus *ubox, struct access *acc, unsigned bus)
{
	if (ubox->io_devid == 0)
		return (int)bus + 1;
	while (bus-- > 0 && !has_function(acc, bus, ubox->devfn, ubox->devid))
		if (has_function(acc, bus, ubox->io_devfn, ubox->io_devid))
			return (int)bus;
	return -1;
}

/* By the UBOX's function (reference 6.1, 8.1).  At most eight packages share
 * a node, all in PCI segment 0. */
static void
buses_from_ubox(struct topo *topo, struct access *acc)
{
	const struct ubox_bus *ubox = &topo->model->ubox;

	for (unsigned bus = 0; bus < 256; bus++) {
		uint32_t map;
		int node;

		if (!has_function(acc, bus, ubox->devfn, ubox->devid))
			continue;
		node = buses_dword(acc, bus, ubox->devfn, ubox->node_reg) & 7;
		map = buses_dword(acc, bus, ubox->devfn, ubox->map_reg);
		for (unsigned p = 0; p < topo->npkg; p++) {
			struct package *pkg = &topo->pkg[p];

			if (pkg->id < 0 || pkg->id > 7 || pkg->bus[0] >= 0 ||
			    (int)(map >> 3 * pkg->id & 7) != node)
				continue;
			pkg->nodeid = node;
			pkg->bus[0] = (int)bus;
			pkg->bus[1] = other_bus(ubox, acc, bus);
			break;
		}
	}
}

static bool
share_a_bus(const struct package *a, const struct package *b)
{
	for (int i = 0; i < MAX_BUS; i++)
		for (int k = 0; k < MAX_BUS; k++)
			if (a->bus[i] >= 0 && a->bus[i] == b->bus[k])
				return true;
	return false;
}

/* Each PCI segment has buses 0 to 255 of its own, and MSR 0x300 does not tell the
 * segment.  Where two packages report the same bus, nobody knows which of them a
 * function belongs to. */
static void
drop_shared(struct topo *topo)
{
	for (unsigned p = 0; p < topo->npkg; p++)
		for (unsigned q = 0; q < topo->npkg; q++)
			topo->pkg[p].bus_shared |= q != p &&
			    share_a_bus(&topo->pkg[p], &topo->pkg[q]);
	for (unsigned p = 0; p < topo->npkg; p++)
		for (int role = 0; role < MAX_BUS; role++)
			if (topo->pkg[p].bus_shared)
				topo->pkg[p].bus[role] = -1;
}

void
buses_load(struct topo *topo, struct access *acc)
{
	for (unsigned p = 0; p < topo->npkg; p++) {
		struct package *pkg = &topo->pkg[p];

		for (int role = 0; role < MAX_BUS; role++)
			pkg->bus[role] = -1;
		pkg->nodeid = -1;
		if (topo->model == NULL || pkg->nlproc == 0)
			continue;
		switch (topo->model->bus_method) {
		case BUS_MSR_300:
			buses_from_msr_300(pkg, acc);
			break;
		default:
			break;
		}
	}
	if (topo->model != NULL && topo->model->bus_method == BUS_UBOX)
		buses_from_ubox(topo, acc);
	drop_shared(topo);
}
