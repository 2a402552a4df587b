/*
 * regs/sim/sim_functions.c - the PCI functions of the simulated node in sysfs: every
 * function whose first dword holds an id, with attributes by its registers and without
 * a driver; class 0 is shown as a system peripheral.  Files that the machine's text
 * gives are used instead of these.
 */
#include "regs/sim/sim_int.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PCI_DIR "/sys/bus/pci/devices"

/* Reads vendor and device; false: the function has no id, or does not exist. */
static bool
sim_functions_id_of(struct sim *s, const struct sim_page *p, uint32_t *id)
{
	struct reg *r = p->dword[0];

	if (p->key >> 56 != REG_PCI || p->gone != 0 || r == NULL ||
	    r->kind == R_NONE)
		return false;
	*id = (uint32_t)reg_get(s, r);
	return *id != UINT32_MAX;
}

/* Reads a dword of its header. */
static uint32_t
dword_of(struct sim *s, const struct sim_page *p, unsigned offset)
{
	struct reg *r = p->dword[offset / 4];
	uint64_t raw = r != NULL && r->kind != R_NONE ? reg_get(s, r) : 0;

	return (uint32_t)(p->high[offset / 4] ? raw >> 32 : raw);
}

void
sim_functions(struct sim *s, void (*each)(void *ctx, const char *name),
    void *ctx)
{
	char name[24];
	uint32_t id;

	for (unsigned i = 0; i < PAGE_SLOTS; i++)
		for (const struct sim_page *p = s->page[i]; p != NULL;
		    p = p->next) {
			unsigned unit = (unsigned)p->key;

			if (!sim_functions_id_of(s, p, &id))
				continue;
			snprintf(name, sizeof(name), "%04x:%02x:%02x.%x",
			    unit >> 16, unit >> 8 & 0xff, unit >> 3 & 0x1f,
			    unit & 7);
			each(ctx, name);
		}
}

bool
sim_function_file(struct sim *s, const char *path, FILE *f)
{
	unsigned seg, bus, dev, fn;
	const struct sim_page *p;
	char name[16];
	uint32_t id, class;

	if (sscanf(path, PCI_DIR "/%4x:%2x:%2x.%1x/%15s", &seg, &bus, &dev,
	    &fn, name) != 5 || (p = sim_page_at(s, REG_PCI, PCI_UNIT(seg, bus,
	    PCI_DEVFN(dev, fn)), false)) == NULL ||
	    !sim_functions_id_of(s, p, &id))
		return false;
	if (strcmp(name, "vendor") == 0)
		fprintf(f, "0x%04" PRIx32 "\n", id & 0xffff);
	else if (strcmp(name, "device") == 0)
		fprintf(f, "0x%04" PRIx32 "\n", id >> 16);
	else if (strcmp(name, "class") == 0) {
		class = dword_of(s, p, 8) >> 8;
		fprintf(f, "0x%06" PRIx32 "\n", class != 0 ? class : 0x088000);
	} else
		return false;
	return true;
}
