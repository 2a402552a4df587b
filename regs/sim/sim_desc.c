/*
 * regs/sim/sim_desc.c - an empty description of a machine.
 */
#include "regs/sim/sim_desc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct sim_desc *
sim_desc_new(const char *file)
{
	struct sim_desc *d = calloc(1, sizeof(*d));

	if (d == NULL)
		return NULL;
	strncpy(d->file, file, sizeof(d->file) - 1);
	strcpy(d->host, "sim");
	strcpy(d->vendor, "GenuineIntel");
	d->family = 6;
	d->packages = d->cores = d->threads = d->dies = d->nodes = 1;
	d->tsc_hz = 1000000000;
	d->global = SIM_NOWHERE;
	for (unsigned p = 0; p < SIM_PKGS; p++)
		for (unsigned b = 0; b < SIM_BUSES; b++)
			d->bus[p][b] = -1;
	return d;
}

void
sim_desc_free(struct sim_desc *d)
{
	if (d == NULL)
		return;
	for (unsigned i = 0; i < d->nfile; i++) {
		free(d->files[i].path);
		free(d->files[i].text);
	}
	free(d->plain);
	free(d->box);
	free(d->event);
	free(d->does);
	free(d->files);
	free(d->lproc);
	free(d->leaf);
	free(d->signal);
	free(d->message);
	free(d->pmu);
	free(d->kcount);
	free(d);
}

int
sim_desc_add(void *array, unsigned *n, const void *element, size_t size)
{
	char *a;

	memcpy(&a, array, sizeof(a));
	/* room for 16, 32, 64 ... */
	if ((*n == 0 || (*n >= 16 && (*n & (*n - 1)) == 0)) &&
	    (a = realloc(a, (*n == 0 ? 16 : 2 * (size_t)*n) * size)) == NULL)
		return -ENOMEM;
	memcpy(a + (*n)++ * size, element, size);
	memcpy(array, &a, sizeof(a));
	return 0;
}
