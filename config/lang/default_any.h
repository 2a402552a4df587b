/*
 * config/lang/default_any.h - @default-any: a configuration made of what is there,
 * where no model has one of its own.
 */
#ifndef CONFIG_LANG_DEFAULT_ANY_H
#define CONFIG_LANG_DEFAULT_ANY_H

#include "regs/model.h"
#include "topology/topo.h"

#define DEFAULT_ANY "@default-any"

/* Who can count here. */
enum default_way {
	DEFAULT_COUNTERS,       /* registers, or the kernel's PMU of the cores */
	DEFAULT_SOFTWARE,       /* the kernel by itself, without counters */
	DEFAULT_FILES,          /* nothing can count: read files only */
};

/* default_any - make the text of @default-any, which the caller frees; NULL:
 * out of memory.  If the kernel counts, it has the events that its PMUs offer.
 * */
char *default_any(const struct model *, const struct cpu_id *, struct access *,
    enum default_way);

#endif
