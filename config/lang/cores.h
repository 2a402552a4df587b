/*
 * config/lang/cores.h - which lprocs an event is counted on, in the notation of
 * collectd's intel_pmu plugin.
 *
 *   cores = string { string }
 *   string = "[" list "]"          each lproc by itself
 *          | list                  the lprocs of the list, added up
 *   list  = [ range ] { "," [ range ] }
 *   range = NUMBER [ "-" NUMBER ]  either way round; 0x.. and 0.. as in C
 *
 * "0-3" is one group of four, "[4-7]" four groups of one, "" every lproc.
 */
#ifndef CONFIG_LANG_CORES_H
#define CONFIG_LANG_CORES_H

#include "config/arena.h"
#include "config/scan.h"

struct core_group {
	const char *label;              /* "0-3", as written; "4" of [4-7] */
	unsigned n;
	unsigned *lproc;
};

struct cores {
	unsigned n;                     /* 0: every lproc by itself */
	struct core_group *group;
	struct place at;                /* where they were listed */
	const struct cores *before;     /* the previous `cores` statement; or NULL */
};

/* cores_add - add the groups of one string without its quotes.  0, -ENOMEM, or -EINVAL
 * with a message. */
int cores_add(struct cores *, struct arena *, struct word, struct place,
    struct diag *why);

/* cores_missing - how many of the listed lprocs do not exist on a node with nlproc
 * lprocs.  first: out, one of them. */
unsigned cores_missing(const struct cores *, unsigned nlproc, unsigned *first);

/* cores_listed - how many lprocs are listed. */
unsigned cores_listed(const struct cores *);

#endif
