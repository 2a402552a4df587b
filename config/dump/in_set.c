/*
 * config/dump/in_set.c - what always counts, added up while an event set had the
 * counters: which column is whose.
 */
#include "config/dump/in_set.h"

#include <string.h>

/* Clocks: the stamp of what is read together, and how long it was a set's. */
static const struct { const char *family, *in_set; } clocks[] = {
	{ "lproc_tsc", "lproc_set_tsc" }, { "pkg_tsc", "pkg_set_tsc" },
	{ "pkg_bus_tsc", "pkg_bus_set_tsc" },
	{ "aperf", "set_aperf" }, { "mperf", "set_mperf" },
};

/* The fixed counters of a core, by what they count. */
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
	/* AMD's: on two of the counters that others could have */
	if (strcmp(id->family->name, "core_counts") != 0)
		return NULL;
	return strcmp(id->event, "instr_retired") == 0 ? of_class(CLASS_INSTR) :
	    strcmp(id->event, "cycles_unhalted") == 0 ?
	    of_class(CLASS_CYCLES) : NULL;
}
