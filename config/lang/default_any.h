/*
 * config/lang/default_any.h - @default-any: the default configuration for CPUs without
 * one of their own, made of what the node offers.
 */
#ifndef CONFIG_LANG_DEFAULT_ANY_H
#define CONFIG_LANG_DEFAULT_ANY_H

#include "regs/model.h"
#include "topology/topo.h"

#define DEFAULT_ANY "@default-any"

/* What can count on this node. */
enum default_way {
	DEFAULT_COUNTERS,       /* registers, or the kernel's PMU of the cores */
	DEFAULT_SOFTWARE,       /* the kernel by itself, without counters */
	DEFAULT_FILES,          /* nothing can count: read files only */
};

/* default_any - make the text of @default-any, which the caller frees.  If the kernel
 * counts, the text has the events that its PMUs offer.  NULL: out of memory. */
char *default_any(const struct model *, const struct cpu_id *, struct access *,
    enum default_way);

#endif
