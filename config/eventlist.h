/*
 * config/eventlist.h - Intel's published event lists: JSON files, as in the perfmon
 * repository, or built-in tables.
 */
#ifndef CONFIG_EVENTLIST_H
#define CONFIG_EVENTLIST_H

#include <stddef.h>

#include "config/arena.h"
#include "config/scan.h"
#include "config/suggest.h"
#include "config/texts.h"
#include "lib/diag.h"
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
	unsigned filters;               /* as in struct want */
	uint64_t filter[MAX_FILTERS];
	unsigned weak;                  /* as in struct want */
	/* The same event by its second code and register (offcore response 1 instead
	 * of 0), for use if the first is taken; or NULL. */
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
 * cpu  the node's CPU, by which the mapfile is checked; NULL: by the model's CPUs
 */
int eventlist_load(struct eventlist **, const struct model *,
    const struct cpu_id *cpu, const char *file, struct diag *why);
int eventlist_parse(struct eventlist **, const struct model *,
    const char *file, const char *text, size_t size, struct diag *why);
void eventlist_free(struct eventlist *);

/* eventlist_unsure - a file of the list that no mapfile.csv names, so that it
 * may be another CPU's; or NULL. */
const char *eventlist_unsure(const struct eventlist *);

/* eventlist_used - the files that were loaded, and the tables in which an event was
 * found; NULL: none. */
const struct used *eventlist_used(const struct eventlist *);

/* eventlist_find_in - as eventlist_find, but only events of one box type. */
const struct listed_event *eventlist_find_in(const struct eventlist *,
    const struct box_type *, const char *name);
/* eventlist_find - find an event by name, with or without a prefix like "UNC_M_"; case is
 * ignored.  NULL: there is none. */
const struct listed_event *eventlist_find(const struct eventlist *,
    const char *name);
/* eventlist_at - event n in the lists' order; NULL past the end. */
const struct listed_event *eventlist_at(const struct eventlist *, unsigned n);
/* eventlist_near - offer the names of all events of a box type (NULL: of any) to
 * near_try. */
void eventlist_near(const struct eventlist *, const struct box_type *,
    struct near *);

/* ---- built-in lists ------------------------------------------------------ */

/*
 * builtin_lists - the built-in event lists of this CPU (config/perfmon), by
 * mapfile.csv.
 *
 * cpu   the node's CPU, which decides if it is known; or NULL: the first CPU of
 *       the model
 * list  out: freed by eventlist_free; NULL if there are none
 *
 * Returns 0 or -ENOMEM.
 */
int builtin_lists(const struct model *, const struct cpu_id *cpu,
    struct eventlist **list);

/* ---- mapfile.csv --------------------------------------------------------- */

/* mapfile.csv of Intel's perfmon repository names the event lists of each CPU. */

/*
 * mapfile_check - is this list of events or metrics for this CPU?
 *
 * cpu  the node's CPU; NULL, or its model unknown: any CPU of the model will do
 *
 * Looks it up in the mapfile.csv two folders above the list, where the repository has it.
 * Returns 0; 1 if there is no mapfile or it does not name the list; -EINVAL with a message
 * that lists the CPUs of the list.
 */
int mapfile_check(const struct model *, const struct cpu_id *cpu,
    const char *file, struct diag *why);

/* mapfile_check_named - the same for a model's name ("skx"); returns 1 for an
 * unknown model. */
int mapfile_check_named(const char *model, const char *file, struct diag *why);

/* mapfile_next - find the next row for this CPU in a mapfile's text, *rest.
 * list: out, "/SKX/events/skylakex_core.json".  False at the end. */
bool mapfile_next(const struct model *, const struct cpu_id *cpu,
    struct word *rest, struct word *list);

#endif
