/*
 * daemon/rights/output.h - where the samples go in the end, and to whom.
 */
#ifndef DAEMON_RIGHTS_OUTPUT_H
#define DAEMON_RIGHTS_OUTPUT_H

#include "config/dump/save.h"
#include "daemon/rights/rights.h"

#include <stdbool.h>

struct output {
	struct save_place place;        /* as it was at the start; dir -1: none */
	int claim;                      /* others keep away from it; < 0: none */
	int had;                        /* that of the sampler before; -1 */
	struct owner owner;
};

/*
 * output_find - where the dump will go; an error now rather than after the
 * run: a file is made beside it and removed, by the one who writes it then.
 *
 * What is there, or what another daemon is going to write, is not replaced
 * unless it is to be overwritten: a name that was given is refused, and of
 * the default the next number that is free is taken, and said.
 *
 * name       NULL: HOST.perfcounts.lua
 * as_owner   the output's owner writes, not who runs (real machines)
 *
 * 0, or -errno with words.
 */
int output_find(struct output *, const char *name, const char *host,
    bool as_owner, bool overwrite, struct diag *why);

/* output_save - write the dump, and say where that is another place than it
 * was to be.  0, or -errno with words. */
int output_save(const struct output *, const struct store *,
    struct diag *why);

/* output_fini - one that was not found is fine. */
void output_fini(struct output *);

#endif
