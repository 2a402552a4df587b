/*
 * config/lists/intel_event.h - one event of Intel's lists, from JSON to
 * registers.  For config/lists/eventlist.c alone.
 */
#ifndef CONFIG_LISTS_INTEL_EVENT_H
#define CONFIG_LISTS_INTEL_EVENT_H

#include "config/lists/eventlist.h"
#include "config/lists/json.h"

/*
 * intel_event_read - the event that a JSON object describes.
 *
 * arena  keeps its strings, and what it points to
 *
 * Returns 0; -EINVAL with file:line in why for an object that has no name, a
 * number that is none, a value too wide for its field; -ENOMEM.
 */
int intel_event_read(struct arena *, const struct model *, const char *file,
    const struct json *, struct listed_event *, struct diag *why);

#endif
