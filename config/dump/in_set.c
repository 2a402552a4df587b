/*
 * config/dump/in_set.c - maps the family of a counter that always runs to the family
 * of its sums by event set.
 */
#include "config/dump/in_set.h"

#include <string.h>

/* Clocks: TSC stamps of blocks, APERF and MPERF, and the family of their sums by set. */
static const struct { const char *family, *in_set; } clocks[] = {
	{ "lproc_tsc", "lproc_set_tsc" }, { "pkg_tsc", "pkg_set_tsc" },
	{ "pkg_bus_tsc", "pkg_bus_set_tsc" },
	{ "aperf", "set_aperf" }, { "mperf", "set_mperf" },
};

/* Sums of a core's fixed counters, by the class of the event. */
static const char *
of_class(unsigned cls)
{
	return cls == CLASS_INSTR ? "set_instructions" :
	    cls == CLASS_CYCLES ? "set_cycles" :
	    cls == CLASS_REF ? "set_ref_cycles" :
	    cls == CLASS_SLOTS ? "set_slots" : NULL;
}

const char *
in_set_family(const struct column_id *id, unsigned cls)
{
	if (id->nindex != 1 || id->lprocs != NULL || id->odd != NULL)
		return NULL;
	for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
		if (id->event == NULL && strcmp(id->family->name,
		    clocks[i].family) == 0)
			return clocks[i].in_set;
	if (id->event == NULL)
		return NULL;
	if (strcmp(id->family->name, "core_fixed_counts") == 0)
		return of_class(cls);
	/* AMD: two of the general counters count these events */
	if (strcmp(id->family->name, "core_counts") != 0)
		return NULL;
	return strcmp(id->event, "instr_retired") == 0 ? of_class(CLASS_INSTR) :
	    strcmp(id->event, "cycles_unhalted") == 0 ?
	    of_class(CLASS_CYCLES) : NULL;
}
