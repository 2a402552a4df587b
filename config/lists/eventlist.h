/*
 * config/lists/eventlist.h - Intel's published event lists, by name: JSON, as
 * in the perfmon repository, or tables that are built in.
 */
#ifndef CONFIG_LISTS_EVENTLIST_H
#define CONFIG_LISTS_EVENTLIST_H

#include "config/arena.h"
#include "config/suggest.h"
#include "config/texts.h"
#include "regs/diag.h"
#include "regs/model.h"
#include "topology/topo.h"

struct listed_event {
	const char *name;               /* "UNC_M_CAS_COUNT.RD" */
	const char *brief;              /* BriefDescription */
	const struct box_type *type;    /* NULL: a unit this model lacks */
	const char *unit;               /* "iMC", "CHA", "cpu core", as listed */
	const char *why_not;            /* why type is NULL */
	/* If type is NULL: PMU and terms by which the kernel counts it
	 * (config/lang/terms.h); or NULL. */
	const char *pmu, *terms;
	uint64_t ctl;                   /* control value, enable bits set */
	unsigned counters;              /* bit n: counter n can count it */
	int fixed;                      /* fixed counter that has it; -1: none */
	unsigned filters;               /* as struct want */
	uint64_t filter[MAX_FILTERS];
	unsigned weak;                  /* as struct want */
	/* The same event by its second code and register (offcore response 1
	 * for 0), for when the first is taken; or NULL. */
	const struct listed_event *other;
	bool deprecated;                /* an old name of another event */
	bool alone;                     /* TakenAlone: no other event beside
					 * it */
	unsigned line;                  /* in its file */
};

struct eventlist;
struct text;

/*
 * eventlist_load - add the events of one JSON file to *list (made on the
 * first call; NULL before).  Returns 0, or -errno with file:line in why: not
 * JSON, no events in it, a value too wide for its field; or a list that the
 * mapfile.csv of its repository gives to other CPUs.  Events of a unit that
 * the model has no box for, and free-running counters, are kept with type
 * NULL.
 *
 * cpu  what the node is: it decides where it is known; or NULL
 */
int eventlist_load(struct eventlist **, const struct model *,
    const struct cpu_id *cpu, const char *file, struct diag *why);
int eventlist_parse(struct eventlist **, const struct model *,
    const char *file, const char *text, size_t size, struct diag *why);
/* eventlist_table - the same of a built-in table, once; its events are read
 * when they are asked for.  0 or -ENOMEM. */
int eventlist_table(struct eventlist **, const struct model *,
    const struct text *);
void eventlist_free(struct eventlist *);

/* eventlist_unsure - a file of the list that no mapfile.csv names, so that it
 * may be another CPU's; or NULL. */
const char *eventlist_unsure(const struct eventlist *);

/* eventlist_used - the files that were loaded, and the tables that an event was
 * found in; NULL: none. */
const struct used *eventlist_used(const struct eventlist *);

/* eventlist_find_in - as eventlist_find, of one box type alone. */
const struct listed_event *eventlist_find_in(const struct eventlist *,
    const struct box_type *, const char *name);
/* eventlist_find - by name, case ignored, with or without "UNC_M_" style
 * prefixes; or NULL. */
const struct listed_event *eventlist_find(const struct eventlist *,
    const char *name);
/* eventlist_at - event n in the lists' order; NULL past the end. */
const struct listed_event *eventlist_at(const struct eventlist *, unsigned n);
/* eventlist_near - look for names like that one: of one box type; NULL: of any. */
void eventlist_near(const struct eventlist *, const struct box_type *,
    struct near *);

#endif
