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

void
buses_load(struct topo *topo, struct access *acc)
{
	for (unsigned p = 0; p < topo->npkg; p++) {
		struct package *pkg = &topo->pkg[p];

		for (int role = 0; role < MAX_BUS; role++)
			pkg->bus[role] = -1;
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
}
