/*
 * topology/buses.c - which PCI buses a package's uncore is on, from the
 * hardware's own registers and never from constants.
 */
#include "topology/topo_int.h"

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
dword(struct access *acc, unsigned bus, unsigned offset)
{
	struct reg_addr addr = { REG_PCI, 4, PCI_UNIT(0, bus, 0), offset };
	uint64_t raw;

	return access_read(acc, &addr, &raw) < 0 ? UINT32_MAX : (uint32_t)raw;
}

/* ICX: the UBOX, 8086:3450, is function 00.0 of the bus that most boxes are
 * on; the bus behind it has the PCU's.  Register 0xC0 is the package's node
 * id; field i of 0xD4, three bits each, the node id of package i (8.1).  At
 * most two packages share a node, all in PCI segment 0. */
static void
buses_from_ubox(struct topo *topo, struct access *acc)
{
	for (unsigned bus = 0; bus < 256; bus++) {
		uint32_t map;
		int node;

		if (dword(acc, bus, 0) != 0x34508086)
			continue;
		node = dword(acc, bus, 0xc0) & 7;
		map = dword(acc, bus, 0xd4);
		for (unsigned p = 0; p < topo->npkg; p++) {
			struct package *pkg = &topo->pkg[p];

			if (pkg->id < 0 || pkg->id > 7 || pkg->bus[0] >= 0 ||
			    (int)(map >> 3 * pkg->id & 7) != node)
				continue;
			pkg->nodeid = node;
			pkg->bus[0] = (int)bus;
			pkg->bus[1] = (int)bus + 1;
			break;
		}
	}
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
	if (topo->model != NULL && topo->model->bus_method == BUS_UBOX_3450)
		buses_from_ubox(topo, acc);
}
