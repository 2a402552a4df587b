/*
 * config/lists/intel_member.h - what the members of an event of Intel's lists
 * say, for what makes registers of them and what makes the kernel's terms.
 */
#ifndef CONFIG_LISTS_INTEL_MEMBER_H
#define CONFIG_LISTS_INTEL_MEMBER_H

#include "config/lists/eventlist.h"
#include "config/lists/json.h"
#include "config/scan.h"

#define MAX_CODES 2             /* numbers that a member may list */

/* An event on its way from JSON. */
struct intel_json {
	struct arena *arena;
	const struct model *model;
	const struct json *json;
	struct place at;
	struct diag *why;
	struct listed_event *ev;
};

/* member_text - a member's text; NULL when it says nothing. */
const char *member_text(const struct intel_json *, const char *name);

/* member_numbers - "0xB7, 0xBB": how many numbers, none when the member says
 * nothing (v[0] is 0 then); or -EINVAL with words. */
int member_numbers(const struct intel_json *, const char *name,
    uint64_t v[MAX_CODES]);

/* member_is_fixed - does a fixed counter count it? */
bool member_is_fixed(const struct intel_json *);

/* member_fixed - the fixed counter of the core that an event is of, from 0;
 * or -EINVAL. */
int member_fixed(const struct intel_json *, const char *counter);

/* member_filter - FILTER_VALUE, or what the Filter text wants where it has
 * none; *second: it is of filter1.  0 or -EINVAL. */
int member_filter(const struct intel_json *, uint64_t *value, bool *second);

/* intel_terms (intel_terms.c) - set ev->pmu and ev->terms, the event as the kernel's
 * PMU takes it; both stay NULL where no terms can say it.  0 or -errno. */
int intel_terms(struct intel_json *);

#endif
