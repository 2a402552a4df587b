/*
 * topology/devices_print.c - stacks and devices at the head of a dump:
 *
 *   io_stack_name[PKG][STACK] = "PCIe0"    io_stack_bus[PKG][STACK] = "0000:16"
 *   io_devices = N, and of device i below N, as far as they are known:
 *   io_device_address[i] = "0000:17:00.0"  io_device_name[i]
 *   io_device_id[i] = "15b3:101d"          io_device_driver[i]
 *   io_device_class[i] = 131072            io_device_port[i] (root port)
 *   io_device_package[i]  io_device_stack[i]  io_device_part[i]
 *   io_device_node[i]                      NUMA
 *   io_device_link_width[i]  io_device_link_speed[i]     now; GT/s of a lane
 *   io_device_max_link_width[i]  io_device_max_link_speed[i]
 *   io_device_missing[i] = "max_link_speed: Unknown"
 *
 * What is not known has no line.
 */
#include "topology/devices.h"

#include <string.h>

static void
put_text(FILE *f, const char *name, unsigned i, const char *text)
{
	if (text[0] == '\0')
		return;
	fprintf(f, "%s[%u] = \"", name, i);
	for (const char *s = text; *s != '\0'; s++)
		putc(*s == '"' || *s == '\\' || (unsigned char)*s < ' ' ?
		    '\'' : *s, f);
	fputs("\"\n", f);
}

static void
put_number(FILE *f, const char *name, unsigned i, double value, bool known)
{
	if (known)
		fprintf(f, "%s[%u] = %.9g\n", name, i, value);
}

static void
print_stacks(FILE *f, const struct devices *all, const struct topo *topo)
{
	fprintf(f, "io_stack_name = {}\nio_stack_bus = {}\n");
	for (unsigned p = 0; p < topo->npkg; p++)
		fprintf(f, "io_stack_name[%u] = {}\nio_stack_bus[%u] = {}\n",
		    p, p);
	for (unsigned i = 0; i < all->nstack; i++) {
		const struct io_stack *s = &all->stack[i];

		fprintf(f, "io_stack_name[%u][%u] = \"%s\"\n", s->pkg,
		    s->stack, topo->model->stack[s->stack]);
		if (s->bus >= 0)
			fprintf(f, "io_stack_bus[%u][%u] = \"%04x:%02x\"\n",
			    s->pkg, s->stack, topo->pkg[s->pkg].seg,
			    (unsigned)s->bus);
	}
}

void
devices_print(FILE *f, const struct devices *all, const struct topo *topo)
{
	static const char *const table[] = {
		"address", "name", "id", "driver", "class", "port", "package",
		"stack", "part", "node", "link_width", "link_speed",
		"max_link_width", "max_link_speed", "missing",
	};

	if (all->nstack == 0)
		return;
	print_stacks(f, all, topo);
	fprintf(f, "io_devices = %u\n", all->ndevice);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		fprintf(f, "io_device_%s = {}\n", table[i]);
	for (unsigned i = 0; i < all->ndevice; i++) {
		const struct io_device *d = &all->device[i];
		char id[16];

		snprintf(id, sizeof(id), "%04x:%04x", d->vendor, d->device);
		put_text(f, "io_device_address", i, d->address);
		put_text(f, "io_device_name", i, d->name);
		put_text(f, "io_device_id", i, id);
		put_text(f, "io_device_driver", i, d->driver);
		put_number(f, "io_device_class", i, d->class, true);
		put_text(f, "io_device_port", i, d->port);
		put_number(f, "io_device_package", i, d->pkg, d->pkg >= 0);
		put_number(f, "io_device_stack", i, d->stack, d->stack >= 0);
		put_number(f, "io_device_part", i, d->part, d->part >= 0);
		put_number(f, "io_device_node", i, d->node, d->node >= 0);
		put_number(f, "io_device_link_width", i, d->width,
		    d->width > 0);
		put_number(f, "io_device_link_speed", i, d->gt_s, d->gt_s > 0);
		put_number(f, "io_device_max_link_width", i, d->max_width,
		    d->max_width > 0);
		put_number(f, "io_device_max_link_speed", i, d->max_gt_s,
		    d->max_gt_s > 0);
		put_text(f, "io_device_missing", i, d->missing);
	}
}
