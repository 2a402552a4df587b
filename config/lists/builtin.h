/*
 * config/lists/builtin.h - the event lists of Intel's that are built in
 * (config/lists/perfmon).
 */
#ifndef CONFIG_LISTS_BUILTIN_H
#define CONFIG_LISTS_BUILTIN_H

#include "config/lists/eventlist.h"

/*
 * builtin_lists - those of this CPU, as mapfile.csv has them.
 *
 * cpu   what the node is: it decides where it is known; or NULL.  Then they are
 *       those of the model's first CPU
 * list  out: NULL where there are none; eventlist_free
 *
 * Returns 0 or -ENOMEM.
 */
int builtin_lists(const struct model *, const struct cpu_id *cpu,
    struct eventlist **list);

#endif
