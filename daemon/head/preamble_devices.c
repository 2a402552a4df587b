/*
 * daemon/head/preamble_devices.c - I/O stacks and the devices on them, at the head of
 * a dump.  What is not known has no line.
 */
#include "daemon/head/preamble.h"

#include <stdio.h>

static void
put_known(struct head *h, enum head_key key, unsigned i, int value)
{
	if (value >= 0)
		head_put_int(h, key, AT(i), value);
}

static void
preamble_devices_put_text(struct head *h, enum head_key key, unsigned i,
    const char *text)
{
	if (text[0] != '\0')
		head_put_text(h, key, AT(i), text);
}

static void
put_link(struct head *h, unsigned i, const struct io_device *d)
{
	if (d->width > 0)
		head_put_int(h, HEAD_IO_DEVICE_LINK_WIDTH, AT(i), d->width);
	if (d->gt_s > 0)
		head_put_real(h, HEAD_IO_DEVICE_LINK_SPEED, AT(i), d->gt_s);
	if (d->max_width > 0)
		head_put_int(h, HEAD_IO_DEVICE_MAX_LINK_WIDTH, AT(i),
		    d->max_width);
	if (d->max_gt_s > 0)
		head_put_real(h, HEAD_IO_DEVICE_MAX_LINK_SPEED, AT(i),
		    d->max_gt_s);
}

static void
preamble_devices_put_device(struct head *h, unsigned i,
    const struct io_device *d)
{
	char id[16];

	snprintf(id, sizeof(id), "%04x:%04x", d->vendor, d->device);
	preamble_devices_put_text(h, HEAD_IO_DEVICE_ADDRESS, i, d->address);
	preamble_devices_put_text(h, HEAD_IO_DEVICE_NAME, i, d->name);
	preamble_devices_put_text(h, HEAD_IO_DEVICE_ID, i, id);
	preamble_devices_put_text(h, HEAD_IO_DEVICE_DRIVER, i, d->driver);
	head_put_int(h, HEAD_IO_DEVICE_CLASS, AT(i), d->class);
	preamble_devices_put_text(h, HEAD_IO_DEVICE_PORT, i, d->port);
	put_known(h, HEAD_IO_DEVICE_PACKAGE, i, d->pkg);
	put_known(h, HEAD_IO_DEVICE_STACK, i, d->stack);
	put_known(h, HEAD_IO_DEVICE_PART, i, d->part);
	put_known(h, HEAD_IO_DEVICE_NODE, i, d->node);
	put_link(h, i, d);
	preamble_devices_put_text(h, HEAD_IO_DEVICE_MISSING, i, d->missing);
}

static void
preamble_devices_put_stacks(struct head *h, const struct devices *all,
    const struct topo *topo)
{
	char bus[16];

	head_put_table(h, HEAD_IO_STACK_NAME, ALONE, 0);
	head_put_table(h, HEAD_IO_STACK_BUS, ALONE, 0);
	for (unsigned p = 0; p < topo->npkg; p++) {
		head_put_table(h, HEAD_IO_STACK_NAME, AT(p), 1);
		head_put_table(h, HEAD_IO_STACK_BUS, AT(p), 1);
	}
	for (unsigned i = 0; i < all->nstack; i++) {
		const struct io_stack *s = &all->stack[i];

		head_put_text(h, HEAD_IO_STACK_NAME, AT(s->pkg, s->stack),
		    topo->model->stack[s->stack]);
		if (s->bus < 0)
			continue;
		snprintf(bus, sizeof(bus), "%04x:%02x", topo->pkg[s->pkg].seg,
		    (unsigned)s->bus);
		head_put_text(h, HEAD_IO_STACK_BUS, AT(s->pkg, s->stack), bus);
	}
}

void
preamble_devices(struct head *h, const struct devices *all,
    const struct topo *topo)
{
	if (all->nstack == 0 && (topo->model == NULL ||
	    topo->model->root_ports == 0 || all->ndevice == 0))
		return;
	if (all->nstack > 0)
		preamble_devices_put_stacks(h, all, topo);
	head_put_int(h, HEAD_IO_DEVICES, ALONE, all->ndevice);
	for (enum head_key key = HEAD_IO_DEVICE_ADDRESS;
	    key <= HEAD_IO_DEVICE_MISSING; key++)
		head_put_table(h, key, ALONE, 0);
	for (unsigned i = 0; i < all->ndevice; i++)
		preamble_devices_put_device(h, i, &all->device[i]);
}
