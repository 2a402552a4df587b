/*
 * config/lists/mapfile.h - mapfile.csv of Intel's perfmon repository, which names the
 * event lists of each CPU.
 */
#ifndef CONFIG_LISTS_MAPFILE_H
#define CONFIG_LISTS_MAPFILE_H

#include <stddef.h>

#include "config/scan.h"
#include "lib/diag.h"

struct model;
struct cpu_id;

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
