/*
 * topology/functions.c - the PCI functions of a node, as sysfs lists them.
 */
#include "topology/functions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"

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
