/*
 * config/lists/builtin.h - Intel's event lists that are built into the programs
 * (config/lists/perfmon).
 */
#ifndef CONFIG_LISTS_BUILTIN_H
#define CONFIG_LISTS_BUILTIN_H

#include "config/lists/eventlist.h"

/*
 * builtin_lists - the built-in event lists of this CPU, by mapfile.csv.
 *
 * cpu   the node's CPU, which decides if it is known; or NULL: the first CPU of
 *       the model
 * list  out: freed by eventlist_free; NULL if there are none
 *
 * Returns 0 or -ENOMEM.
 */
int builtin_lists(const struct model *, const struct cpu_id *cpu,
    struct eventlist **list);

#endif
