/*
 * daemon/root_ports.c - devices and their root ports, for lists.
 */
#include "daemon/root_ports.h"

#include "topology/devices.h"

static void
each(FILE *out, const struct node *node,
    void (*put)(FILE *, const struct io_device *))
{
	struct devices devices;
	struct diag why;

	if (node->topo.model == NULL || node->topo.model->root_ports == 0)
		return;
	if (devices_load(&devices, &node->topo, node->acc, &why) == 0)
		for (unsigned i = 0; i < devices.ndevice; i++)
			if (devices.device[i].part >= 0)
				put(out, &devices.device[i]);
	devices_free(&devices);
}

static void
root_ports_say_one(FILE *out, const struct io_device *d)
{
	fprintf(out, "port     %d of package %d has %s (%s): pcie "
	    "root_port=0x%x counts it\n", d->part, d->pkg, d->name, d->address,
	    1u << d->part);
}

static void
root_ports_row(FILE *out, const struct io_device *d)
{
	fprintf(out, "PORT\t%d\t%d\t%s\t%s\n", d->pkg, d->part, d->address,
	    d->name);
}

void
root_ports_say(FILE *out, const struct node *node)
{
	each(out, node, root_ports_say_one);
}

void
root_ports_list(FILE *out, const struct node *node)
{
	each(out, node, root_ports_row);
}
