/*
 * topology/functions.c - the PCI functions of a node, as sysfs lists them, and the
 * lists of buses that a function of each package has on some models.
 */
#include "topology/devices.h"

#include "lib/array.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PCI_DIR "/sys/bus/pci/devices"

static void
add_function(void *ctx, const char *name)
{
	struct functions *s = ctx;
	struct function f = { 0 };
	char end;

	if (sscanf(name, "%x:%x:%x.%x%c", &f.seg, &f.bus, &f.dev, &f.fn,
	    &end) != 4 || f.bus > 255 || f.dev > 31 || f.fn > 7)
		return;
	if (!array_room(&s->f, s->n, &s->room, sizeof(*s->f))) {
		s->full = true;
		return;
	}
	s->f[s->n++] = f;
}

static int
by_address(const void *a, const void *b)
{
	const struct function *x = a, *y = b;
	uint64_t p = (uint64_t)x->seg << 16 | x->bus << 8 | x->dev << 3 | x->fn;
	uint64_t q = (uint64_t)y->seg << 16 | y->bus << 8 | y->dev << 3 | y->fn;

	return p < q ? -1 : p > q;
}

int
functions_load(struct functions *s, struct access *acc)
{
	memset(s, 0, sizeof(*s));
	access_list(acc, PCI_DIR, add_function, s);
	if (s->n > 0)
		qsort(s->f, s->n, sizeof(s->f[0]), by_address);
	return s->full ? -ENOMEM : 0;
}

void
functions_free(struct functions *s)
{
	free(s->f);
	memset(s, 0, sizeof(*s));
}

int
function_text(struct access *acc, const struct function *f, const char *name,
    char *buf, size_t size)
{
	char path[96];

	snprintf(path, sizeof(path), PCI_DIR "/%04x:%02x:%02x.%x/%s", f->seg,
	    f->bus, f->dev, f->fn, name);
	return access_slurp(acc, path, buf, size);
}

bool
function_number(struct access *acc, const struct function *f, const char *name,
    unsigned *value)
{
	char buf[32], *end;
	unsigned long v;

	if (function_text(acc, f, name, buf, sizeof(buf)) <= 0)
		return false;
	v = strtoul(buf, &end, 0);
	if (end == buf || *end != '\0')
		return false;
	*value = (unsigned)v;
	return true;
}

int
function_package(const struct topo *topo, struct access *acc,
    const struct function *f)
{
	unsigned node;

	for (unsigned p = 0; p < topo->npkg; p++)
		for (unsigned role = 0; role < MAX_BUS; role++)
			if (topo->pkg[p].bus[role] == (int)f->bus &&
			    topo->pkg[p].seg == f->seg)
				return (int)p;
	/* -1 in the file (firmware gave no node) is not read as a number */
	if (function_number(acc, f, "numa_node", &node))
		for (unsigned l = 0; l < topo->nlproc; l++)
			if (topo->lproc[l].node == (int)node &&
			    topo->lproc[l].node >= 0 && topo->lproc[l].pkg >= 0)
				return topo->lproc[l].pkg;
	return topo->npkg == 1 ? 0 : -1;
}

/* The root bus of each I/O stack by such a list (struct bus_list). */

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
