/*
 * topology/devices.c - which PCIe device is on which I/O stack.
 *
 * The root bus of a stack is found by a register on that bus (struct stack_map) or by
 * a list of the package's buses (struct bus_list).  A root port is a function of the
 * root bus; the buses of the devices below it are the port's secondary to its
 * subordinate bus.  Names of sysfs: Documentation/ABI/testing/sysfs-bus-pci.
 */
#include "topology/devices.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names of PCI devices ----------------------------------------------- */

/* The names of PCI devices, from the list pci.ids that distributions have. */

#define FIRST_IDS (64u << 10)   /* doubled up to MAX_IDS */
#define MAX_IDS (8u << 20)

/* Appends a file to the text and adds to *size; NULL: out of memory. */
static char *
pci_ids_read_ids(struct access *acc, const char *path, char *text, size_t *size)
{
	size_t room = FIRST_IDS;
	ssize_t n;

	while ((n = access_file(acc, path, *size, text + *size,
	    room - *size)) > 0) {
		char *bigger;

		*size += (size_t)n;
		if (*size < room)
			continue;
		if (room == MAX_IDS)
			break;
		room *= 2;
		if ((bigger = realloc(text, room)) == NULL) {
			free(text);
			return NULL;
		}
		text = bigger;
	}
	return text;
}

char *
pci_ids_load(struct access *acc, size_t *size)
{
	static const char *const path[] = {
		"/usr/share/hwdata/pci.ids", "/usr/share/misc/pci.ids",
		"/usr/share/pci.ids", "/var/lib/pciutils/pci.ids",
	};
	char *text = malloc(FIRST_IDS);

	*size = 0;
	for (size_t i = 0; text != NULL && *size == 0 &&
	    i < sizeof(path) / sizeof(path[0]); i++)
		text = pci_ids_read_ids(acc, path[i], text, size);
	return text;
}

/* Copies the name that follows "15b3  " or "101d  " on its line. */
static bool
pci_ids_named(const char *line, const char *end, unsigned id, char *buf,
    size_t room)
{
	char hex[8];
	const char *stop;

	snprintf(hex, sizeof(hex), "%04x  ", id);
	if (end - line < 6 || strncmp(line, hex, 6) != 0)
		return false;
	line += 6;
	stop = memchr(line, '\n', (size_t)(end - line));
	snprintf(buf, room, "%.*s", (int)((stop != NULL ? stop : end) - line),
	    line);
	return true;
}

/* Finds the line of a vendor, which begins with its number; NULL: there is none.
 * There are 2,000 vendors, and Intel is near the end of the list. */
static const char *
vendor_line(const char *ids, size_t size, unsigned vendor)
{
	char hex[8];
	const char *p;

	snprintf(hex, sizeof(hex), "\n%04x  ", vendor);
	if (size >= 6 && memcmp(ids, hex + 1, 6) == 0)
		return ids;
	p = memmem(ids, size, hex, 7);
	return p != NULL ? p + 1 : NULL;
}

void
pci_ids_name(const char *ids, size_t size, unsigned vendor, unsigned device,
    char *buf, size_t room)
{
	const char *p = vendor_line(ids, size, vendor), *end = ids + size;
	char maker[64] = "", name[96];

	buf[0] = '\0';
	if (p == NULL)
		return;
	pci_ids_named(p, end, vendor, maker, sizeof(maker));
	while ((p = memchr(p, '\n', (size_t)(end - p))) != NULL && ++p < end) {
		if (*p == '#' || *p == '\n')
			continue;
		if (*p != '\t')
			break;
		if (p + 1 < end && p[1] != '\t' &&
		    pci_ids_named(p + 1, end, device, name, sizeof(name))) {
			snprintf(buf, room, "%s %s", maker, name);
			return;
		}
	}
	snprintf(buf, room, "%s %04x", maker, device);
}

/* ---- which device is where ---------------------------------------------- */

#define CLASS_BRIDGE 0x0604

/* A function and what sysfs says of it. */
struct known {
	struct function at;
	unsigned class;
	unsigned secondary, subordinate;        /* a bridge's buses */
};

struct pci_scan {
	struct known *f;
	unsigned n;
};

/* ---- sysfs ---- */

/* Reads what a function is; false where it has been removed. */
static bool
devices_identify(struct access *acc, struct known *f)
{
	if (!function_number(acc, &f->at, "class", &f->class))
		return false;
	if (f->class >> 8 == CLASS_BRIDGE &&
	    (!function_number(acc, &f->at, "secondary_bus_number",
	    &f->secondary) || !function_number(acc, &f->at,
	    "subordinate_bus_number", &f->subordinate)))
		f->secondary = f->subordinate = 0;
	return true;
}

/* Reads a device's ids; false where it is a virtual function or has been removed. */
static bool
devices_who(struct access *acc, const struct function *f, struct io_device *d)
{
	unsigned vendor, device;
	char buf[32];

	if (!function_number(acc, f, "vendor", &vendor) ||
	    !function_number(acc, f, "device", &device) ||
	    function_text(acc, f, "physfn/vendor", buf, sizeof(buf)) > 0)
		return false;
	d->vendor = vendor & 0xffff;
	d->device = device & 0xffff;
	return true;
}

static void
lacks(struct io_device *d, const char *name, const char *what)
{
	size_t n = strlen(d->missing);

	snprintf(d->missing + n, sizeof(d->missing) - n, "%s%s: %s",
	    n > 0 ? "; " : "", name, what);
}

/* The number at the beginning of an attribute: lanes, or GT/s of "16.0 GT/s PCIe".
 * Where there is no link the kernel writes 0 or 255 lanes, and "Unknown" or "Unknown
 * speed". */
static double
link_number(struct access *acc, const struct function *f, const char *name,
    struct io_device *d)
{
	char buf[48], *end;
	double v;

	if (function_text(acc, f, name, buf, sizeof(buf)) <= 0) {
		if (d != NULL)
			lacks(d, name, "not in sysfs");
		return 0;
	}
	v = strtod(buf, &end);
	if (end != buf && v > 0 && v < 255)
		return v;
	buf[20] = '\0';
	if (d != NULL)
		lacks(d, name, buf);
	return 0;
}

/* The driver's name, from the line DRIVER=nvme of uevent. */
static void
driver_of(struct access *acc, const struct function *f, char *buf, size_t size)
{
	char text[1024];
	const char *at;

	buf[0] = '\0';
	if (function_text(acc, f, "uevent", text, sizeof(text)) <= 0)
		return;
	at = strncmp(text, "DRIVER=", 7) == 0 ? text :
	    strstr(text, "\nDRIVER=");
	if (at == NULL)
		return;
	at += strcspn(at, "=") + 1;
	snprintf(buf, size, "%.*s", (int)strcspn(at, "\n"), at);
}

/* ---- stacks ---- */

static unsigned
stacks_of(const struct model *m)
{
	const struct box_type *iio = model_box(m, "IIO");

	return iio != NULL ? iio->instances : 0;
}

static struct io_stack *
stack_at(struct devices *d, unsigned pkg, unsigned stack)
{
	for (unsigned i = 0; i < d->nstack; i++)
		if (d->stack[i].pkg == pkg && d->stack[i].stack == stack)
			return &d->stack[i];
	return NULL;
}

static uint32_t
devices_field(uint32_t raw, unsigned lo, unsigned hi)
{
	return raw >> lo & (UINT32_MAX >> (31 - (hi - lo)));
}

static void
stacks_by_register(struct devices *d, const struct topo *topo,
    struct access *acc)
{
	const struct stack_map *map = &topo->model->stacks;

	for (unsigned bus = 0; bus < 256; bus++) {
		struct reg_addr id = { REG_PCI, 4, PCI_UNIT(0, bus, 0), 0 };
		struct reg_addr reg = { REG_PCI, 4, PCI_UNIT(0, bus, 0),
		    map->reg };
		struct io_stack *s;
		uint64_t raw;
		unsigned pmon;
		int nodeid;

		if (access_read(acc, &id, &raw) < 0 || (uint32_t)raw !=
		    ((uint32_t)map->devid << 16 | 0x8086) ||
		    access_read(acc, &reg, &raw) < 0)
			continue;
		pmon = devices_field((uint32_t)raw, map->stack_lo,
		    map->stack_hi);
		pmon = pmon < MAX_STACK ? map->pmon[pmon] : NO_STACK;
		nodeid = (int)devices_field((uint32_t)raw, map->pkg_lo,
		    map->pkg_hi);
		for (unsigned p = 0; p < topo->npkg; p++)
			if (topo->pkg[p].nodeid == nodeid &&
			    (s = stack_at(d, p, pmon)) != NULL)
				s->bus = (int)bus;
	}
}

static int
load_stacks(struct devices *d, const struct topo *topo, struct access *acc,
    const struct functions *functions)
{
	unsigned n = stacks_of(topo->model);

	d->stack = calloc(n * topo->npkg + 1, sizeof(d->stack[0]));
	if (d->stack == NULL)
		return -ENOMEM;
	for (unsigned p = 0; p < topo->npkg; p++)
		for (unsigned s = 0; s < n; s++)
			d->stack[d->nstack++] = (struct io_stack){
			    .pkg = (uint16_t)p, .stack = (uint16_t)s,
			    .bus = topo->model->bus_method == BUS_MSR_300 ?
			    topo->pkg[p].bus[s] : -1 };
	if (topo->model->bus_list != NULL)
		bus_list_load(d, topo, acc, functions);
	else if (topo->model->stacks.devid != 0)
		stacks_by_register(d, topo, acc);
	return 0;
}

/* ---- devices ---- */

/* The stack whose root bus this is, or NULL. */
static const struct io_stack *
root_of(const struct devices *d, const struct topo *topo, unsigned seg,
    unsigned bus)
{
	for (unsigned i = 0; i < d->nstack; i++)
		if (d->stack[i].bus == (int)bus &&
		    topo->pkg[d->stack[i].pkg].seg == seg)
			return &d->stack[i];
	return NULL;
}

/* Where each root port has a PCI domain of its own, the domain number holds package
 * and port. */
static void
place_by_domain(struct io_device *d, const struct topo *topo,
    const struct function *f)
{
	unsigned pkg = f->seg >> 4, port = f->seg & 0xf;

	if (pkg < topo->npkg && port < topo->model->root_ports) {
		d->pkg = (int)pkg;
		d->part = (int)port;
	}
}

/* Finds the stack, the root port and the part of a function. */
static void
devices_place(struct io_device *d, const struct devices *all,
    const struct topo *topo,
    const struct function *f, const struct pci_scan *scan)
{
	const struct stack_map *map = &topo->model->stacks;
	const struct io_stack *s = root_of(all, topo, f->seg, f->bus);
	int part;

	d->pkg = d->stack = d->part = -1;
	if (topo->model->root_ports > 0)
		place_by_domain(d, topo, f);
	for (unsigned i = 0; s == NULL && i < scan->n; i++) {
		const struct known *b = &scan->f[i];
		const struct function *port = &b->at;

		if (b->secondary == 0 || port->seg != f->seg ||
		    f->bus < b->secondary || f->bus > b->subordinate ||
		    (s = root_of(all, topo, port->seg, port->bus)) == NULL)
			continue;
		snprintf(d->port, sizeof(d->port), "%04x:%02x:%02x.%x",
		    port->seg & 0xffff, port->bus, port->dev, port->fn);
		part = (int)port->dev - map->first_port;
		if (part >= 0 && part < map->parts)
			d->part = part;
	}
	if (s != NULL) {
		d->pkg = s->pkg;
		d->stack = s->stack;
	}
}

static void
devices_describe(struct io_device *d, const struct topo *topo,
    struct access *acc, const struct function *f)
{
	unsigned node;

	snprintf(d->address, sizeof(d->address), "%04x:%02x:%02x.%x",
	    f->seg & 0xffff, f->bus, f->dev, f->fn);
	/* -1 in the file (firmware gave no node) is not read as a number */
	d->node = function_number(acc, f, "numa_node", &node) ? (int)node :
	    d->pkg >= 0 ? topo->pkg[d->pkg].node : -1;
	d->max_width = (unsigned)link_number(acc, f, "max_link_width", d);
	d->max_gt_s = link_number(acc, f, "max_link_speed", d);
	d->width = (unsigned)link_number(acc, f, "current_link_width", NULL);
	d->gt_s = link_number(acc, f, "current_link_speed", NULL);
}

/* Is it one of the dozens of functions by which a package is configured?  Those are
 * system peripherals or performance counters, without a driver. */
static bool
own_function(const struct io_device *d)
{
	return d->port[0] == '\0' && d->driver[0] == '\0' &&
	    (d->class >> 16 == 0x08 || d->class >> 16 == 0x11);
}

/* Reads a device into d; false where it is none to be listed.  For the package's many
 * own functions only class and driver are read. */
static bool
is_device(struct io_device *d, const struct devices *all,
    const struct topo *topo, struct access *acc, const struct pci_scan *scan,
    const struct known *k)
{
	if (k->class >> 8 == CLASS_BRIDGE)
		return false;
	d->class = k->class;
	devices_place(d, all, topo, &k->at, scan);
	driver_of(acc, &k->at, d->driver, sizeof(d->driver));
	return !own_function(d) && devices_who(acc, &k->at, d);
}

/* Names the devices by the node's pci.ids; reads that long list only where there are
 * devices. */
static int
name_devices(struct devices *all, struct access *acc)
{
	size_t nids;
	char *ids = all->ndevice > 0 ? pci_ids_load(acc, &nids) : NULL;

	if (all->ndevice > 0 && ids == NULL)
		return -ENOMEM;
	for (unsigned i = 0; i < all->ndevice; i++) {
		struct io_device *d = &all->device[i];

		pci_ids_name(ids, nids, d->vendor, d->device, d->name,
		    sizeof(d->name));
		if (d->name[0] == '\0')
			snprintf(d->name, sizeof(d->name), "%04x:%04x%s%s",
			    d->vendor, d->device, d->driver[0] != '\0' ? " " :
			    "", d->driver);
	}
	free(ids);
	return 0;
}

int
devices_load(struct devices *all, const struct topo *topo, struct access *acc,
    struct diag *why)
{
	struct functions functions = { .n = 0 };
	struct pci_scan scan = { .n = 0 };
	int rc = -ENOMEM;

	memset(all, 0, sizeof(*all));
	if (topo->model == NULL)
		return 0;
	if (functions_load(&functions, acc) < 0 ||
	    load_stacks(all, topo, acc, &functions) < 0 || (scan.f = calloc(
	    functions.n + 1, sizeof(scan.f[0]))) == NULL)
		goto out;
	for (unsigned i = 0; i < functions.n; i++) {
		scan.f[scan.n].at = functions.f[i];
		scan.n += devices_identify(acc, &scan.f[scan.n]);
	}
	all->device = calloc(scan.n + 1, sizeof(all->device[0]));
	if (all->device == NULL)
		goto out;
	for (unsigned i = 0; i < scan.n; i++) {
		struct io_device *d = &all->device[all->ndevice];

		if (is_device(d, all, topo, acc, &scan, &scan.f[i])) {
			devices_describe(d, topo, acc, &scan.f[i].at);
			all->ndevice++;
		} else
			memset(d, 0, sizeof(*d));
	}
	rc = name_devices(all, acc);
out:
	free(scan.f);
	functions_free(&functions);
	return rc < 0 ? diag_set(why, rc, "out of memory") : 0;
}

void
devices_free(struct devices *all)
{
	if (all == NULL)
		return;
	free(all->stack);
	free(all->device);
	memset(all, 0, sizeof(*all));
}
