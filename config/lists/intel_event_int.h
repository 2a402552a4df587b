/*
 * config/lists/intel_event_int.h - what the files that read one event of a list share.
 */
#ifndef CONFIG_LISTS_INTEL_EVENT_INT_H
#define CONFIG_LISTS_INTEL_EVENT_INT_H

#include "config/lists/intel_event.h"
#include "config/scan.h"

#define MAX_CODES 2             /* numbers that a member may list */

/* An event on its way from JSON. */
struct listing {
	struct arena *arena;
	const struct model *model;
	const struct json *json;
	struct place at;
	struct diag *why;
	struct listed_event *ev;
};

/* listing_member - a member's text; NULL when it says nothing. */
const char *listing_member(const struct listing *, const char *name);

/* listing_numbers - "0xB7, 0xBB": how many numbers, none when the member says
 * nothing (v[0] is 0 then); or -EINVAL with words. */
int listing_numbers(const struct listing *, const char *name,
    uint64_t v[MAX_CODES]);

/* listing_fixed - the fixed counter of the core that an event is of, from 0;
 * or -EINVAL. */
int listing_fixed(const struct listing *, const char *counter);

/* listing_filter - FILTER_VALUE, or what the Filter text wants where it has
 * none; *second: it is of filter1.  0 or -EINVAL. */
int listing_filter(const struct listing *, uint64_t *value, bool *second);

/* listing_terms - the event as the kernel's PMU takes it: ev->pmu and
 * ev->terms.  They stay NULL where no terms can say it.  0 or -errno. */
int listing_terms(struct listing *);

#endif
