/*
 * postproc/html/platform_stacks.c - the I/O stacks of a package and what is on
 * them: two parts each, into the package and out of it.
 *
 * A stack is the sum of its ports, which always count; where a dump has none of
 * these, the reads and writes of its devices.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "postproc/html/platform.h"
#include "postproc/io/io_page.h"

#define MOST_DEVICES 24         /* of a package */

static const char *const ways[2] = { "in", "out" };

/* The metric of one way: of a port, or (devices) of what devices read or write. */
static const char *
platform_stacks_metric_of(const struct view_line *kind, unsigned way,
    bool devices)
{
	for (unsigned i = 0; i < kind->nitem; i++)
		if (kind->item[i].with == devices && way-- == 0)
			return kind->item[i].metric;
	return "";
}

/* One way of a stack, or of one of its ports (-1: of all). */
static void
take_way(struct platform *d, struct node_part *x, const char *name,
    unsigned stack, int port, unsigned way)
{
	const char *of_port = platform_stacks_metric_of(x->kind, way, false);
	char where[64], metric[64];

	for (int p = port < 0 ? 0 : port; p < PART_LINES && (port < 0 ||
	    p == port); p++) {
		snprintf(where, sizeof where, "%u/%s_port%d", x->pkg, name, p);
		x->nnumber += platform_ref(d, of_port, SCOPE_OF_BOX,
		    where, &x->number[x->nnumber]);
	}
	snprintf(where, sizeof where, "%u/%u", x->pkg, stack);
	snprintf(metric, sizeof metric, "%s",
	    platform_stacks_metric_of(x->kind, way, true));
	if (port >= 0)
		snprintf(metric, sizeof metric, "%s_part%d",
		    platform_stacks_metric_of(x->kind, way, true), port);
	if (x->nnumber == 0)
		x->nnumber += platform_ref(d, metric, SCOPE_OF_BOX, where,
		    &x->number[0]);
	if (x->nnumber == 0)
		snprintf(x->missing, sizeof x->missing, "neither %s nor %s is "
		    "counted of it", of_port, metric);
	if (port >= PART_LINES)
		snprintf(x->missing, sizeof x->missing, "the part of the stack "
		    "that it is on is not known");
}

static int
add_ways(struct platform *d, const struct view_line *kind, unsigned pkg,
    unsigned stack, int port, const char *label)
{
	char name[40];

	io_stack_name(&d->page->gather, pkg, stack, name, sizeof name);
	for (unsigned i = 0; i < 2; i++) {
		struct node_part *x = platform_add(d, kind, pkg);

		if (x == NULL)
			return -ENOMEM;
		snprintf(x->label, sizeof x->label, "%s", i == 0 ? label : "");
		snprintf(x->what, sizeof x->what, "%s of package %u, %s%s%s",
		    name, pkg, ways[i], label[0] == ' ' ? ":" : "",
		    label[0] == ' ' ? label : "");
		for (char *c = x->what; (c = strchr(c, '\n')) != NULL;)
			*c = ' ';
		take_way(d, x, name, stack, port, i);
	}
	return 0;
}

static int
platform_stacks_add_device(struct platform *d, const struct view_line *kind,
    const struct io_port *port)
{
	char label[64];

	snprintf(label, sizeof label, " %.*s%s%.49s", (int)strcspn(
	    port->addresses, " "), port->addresses, port->name[0] != '\0' ?
	    " " : "", port->name);
	return add_ways(d, kind, (unsigned)port->pkg, (unsigned)port->stack,
	    port->part >= 0 ? port->part : PART_LINES, label);
}

int
platform_stacks(struct platform *d, const struct view_line *kind, unsigned pkg)
{
	const struct gather *g = &d->page->gather;
	unsigned n = io_stacks(g), nport, ndevice = 0;
	struct io_port *port;
	char name[40];
	int rc = io_ports(g->reader, &port, &nport);

	for (unsigned s = 0; rc == 0 && s < n; s++) {
		const struct head_at at = { .name = { kind->unit },
			.n = { pkg, s } };

		if (s > 0 && head_text(g->reader, HEAD_IO_STACK_NAME, AT(0, 0),
		    NULL) != NULL && head_text(g->reader, HEAD_IO_STACK_NAME,
		    AT(pkg, s), NULL) == NULL)
			continue;
		if (head_constant(g->reader, HEAD_UNIT_ABSENT, at) != NULL)
			continue;
		io_stack_name(g, pkg, s, name, sizeof name);
		rc = add_ways(d, kind, pkg, s, -1, name);
		for (unsigned i = 0; rc == 0 && i < nport; i++) {
			if (port[i].pkg != (int)pkg || port[i].stack != (int)s)
				continue;
			if (ndevice++ < MOST_DEVICES)
				rc = platform_stacks_add_device(d, kind,
				    &port[i]);
			else
				d->undrawn++;
		}
	}
	free(port);
	return rc;
}
