/*
 * topology/bus_list.c - the root bus of each I/O stack by the list of buses that a
 * function of each package has (struct bus_list).
 */
#include "topology/devices_int.h"

#define ALL_ONES 0xffffffffu

static uint32_t
bus_list_dword(struct access *acc, uint32_t unit, unsigned offset)
{
	struct reg_addr addr = { REG_PCI, 4, unit, offset };
	uint64_t raw;

	return access_read(acc, &addr, &raw) < 0 ? ALL_ONES : (uint32_t)raw;
}

/* The table from stack number to PMON block for this die; NULL where no source has
 * one. */
static const uint8_t *
map_of(const struct bus_list *l, const struct package *pkg, struct access *acc)
{
	uint32_t unit;

	if (l->die_devid == 0)
		return l->pmon[0];
	if (pkg->bus[l->die_bus] < 0)
		return NULL;
	unit = PCI_UNIT(pkg->seg, pkg->bus[l->die_bus], l->die_devfn);
	if (bus_list_dword(acc, unit, 0) != ((uint32_t)l->die_devid << 16 |
	    0x8086))
		return NULL;
	return l->pmon[bus_list_dword(acc, unit, l->die_reg) >> l->die_lo & 3];
}

/* The bus of entry i: byte i % 4 of dword i / 4; dwords 0 to 3 and 4 to 7 begin at
 * list_reg[0] and list_reg[1]. */
static int
entry(const struct bus_list *l, struct access *acc, uint32_t unit, unsigned i)
{
	uint32_t raw = bus_list_dword(acc, unit,
	    l->list_reg[i / 16] + i % 16 / 4 * 4);

	return raw == ALL_ONES ? -1 : (int)(raw >> i % 4 * 8 & 0xff);
}

/* The bus of the first valid entry, or -1. */
static int
first_bus(const struct bus_list *l, struct access *acc, uint32_t unit)
{
	uint32_t valid = bus_list_dword(acc, unit, l->valid_reg);

	if (valid == 0 || valid == ALL_ONES)
		return -1;
	return entry(l, acc, unit, (unsigned)__builtin_ctz(valid));
}

/* The package that has that node id: by the node ids of the UBOXes, else by the ids
 * of the packages. */
static int
package_of_node(const struct topo *topo, int node)
{
	bool said = false;

	for (unsigned p = 0; p < topo->npkg; p++)
		if (topo->pkg[p].nodeid == node)
			return (int)p;
	for (unsigned p = 0; p < topo->npkg; p++)
		said |= topo->pkg[p].nodeid >= 0;
	for (unsigned p = 0; p < topo->npkg && !said; p++)
		if (topo->pkg[p].id == node)
			return (int)p;
	return -1;
}

static bool
bus_list_is_device(struct access *acc, const struct function *f, unsigned id)
{
	unsigned vendor, device;

	return function_number(acc, f, "vendor", &vendor) &&
	    vendor == 0x8086 && function_number(acc, f, "device", &device) &&
	    device == id;
}

int
bus_list_package(const struct topo *topo, struct access *acc,
    const struct functions *functions, const struct function *of)
{
	const struct bus_list *l = topo->model->bus_list;
	int pkg = function_package(topo, acc, of), bus;
	uint32_t unit, node;

	for (unsigned i = 0; pkg < 0 && l != NULL && i < functions->n; i++) {
		const struct function *f = &functions->f[i];

		if (f->seg != of->seg || f->bus != of->bus ||
		    !bus_list_is_device(acc, f, l->devid) ||
		    (bus = first_bus(l, acc,
		    PCI_UNIT(f->seg, f->bus, f->dev << 3 | f->fn))) < 0)
			continue;
		unit = PCI_UNIT(f->seg, bus, 0);
		node = bus_list_dword(acc, unit, l->node_reg);
		if (bus_list_dword(acc, unit,
		    0) == ((uint32_t)l->node_devid << 16 |
		    0x8086) && node != ALL_ONES)
			pkg = package_of_node(topo, (int)(node & 0xf));
	}
	return pkg;
}

void
bus_list_load(struct devices *d, const struct topo *topo, struct access *acc,
    const struct functions *functions)
{
	const struct bus_list *l = topo->model->bus_list;

	for (unsigned i = 0; i < functions->n; i++) {
		const struct function *f = &functions->f[i];
		uint32_t unit = PCI_UNIT(f->seg, f->bus, f->dev << 3 | f->fn);
		const uint8_t *map;
		uint32_t valid;
		int pkg;

		if (!bus_list_is_device(acc, f, l->devid) ||
		    (pkg = bus_list_package(topo, acc, functions, f)) < 0 ||
		    topo->pkg[pkg].seg != f->seg ||
		    (map = map_of(l, &topo->pkg[pkg], acc)) == NULL)
			continue;
		valid = bus_list_dword(acc, unit, l->valid_reg);
		for (unsigned n = 0; n < 32 && valid != ALL_ONES; n++)
			for (unsigned s = 0; s < d->nstack; s++)
				if ((valid >> n & 1) != 0 &&
				    map[n] != NO_STACK &&
				    d->stack[s].pkg == pkg &&
				    d->stack[s].stack == map[n])
					d->stack[s].bus = entry(l, acc, unit,
					    n);
	}
}
