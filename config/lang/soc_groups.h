/*
 * config/lang/soc_groups.h - groups of SoC events: the names of a group and of its
 * counters, in order.  The register writes that make the counters count it are in the
 * site's file: config/lang/site.h.
 *
 *   group NAME
 *   alias NAME...         other names of the group
 *   counters EVENT...     of counter 0, 1, ...
 *   clock N               counter N is the clock; left out: none is
 *   note TEXT             what readers of its figures have to know
 */
#ifndef CONFIG_LANG_SOC_GROUPS_H
#define CONFIG_LANG_SOC_GROUPS_H

#include <stdbool.h>

#include "config/lang/want.h"
#include "config/scan.h"

#define SOC_COUNTERS 8
#define SOC_ALIASES 4
#define SOC_NOTES 4

struct soc_group {
	const char *name;
	const char *alias[SOC_ALIASES];
	const char *event[SOC_COUNTERS];
	const char *note[SOC_NOTES];
	unsigned nalias, nevent, nnote;
	int clock;                      /* -1: none */
	unsigned line;
};

struct soc_groups {
	struct soc_group *group;
	unsigned n;
};

/* soc_groups_parse - parse a text with groups.  0, or -EINVAL (-ENOMEM) with "file:line:
 * ..." in why.  Strings are in the arena. */
int soc_groups_parse(struct soc_groups *, struct arena *, const char *file,
    const char *text, size_t size, struct diag *why);

/* soc_group_find - find a group by name or alias; NULL: there is none.  n: length of the
 * name. */
const struct soc_group *soc_group_find(const struct soc_groups *,
    const char *name, size_t n);

/* config_groups - fill cfg->groups from the model's text; 0 or -errno. */
int config_groups(struct config *, struct diag *why);

/* soc_parse - the rest of a statement "soc" GROUP.  like: its kind, set, file and
 * line.  0, or -EINVAL with "file:line: ..." in why; -ENOMEM. */
int soc_parse(struct config *, struct scan *, const struct want *like,
    struct diag *why);

#endif
