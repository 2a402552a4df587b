/*
 * daemon/rights/output.h - where the dump goes, and who owns it.
 */
#ifndef DAEMON_RIGHTS_OUTPUT_H
#define DAEMON_RIGHTS_OUTPUT_H

#include "config/dump/dump.h"
#include "daemon/rights/rights.h"

#include <stdbool.h>

struct output {
	struct save_place place;        /* as it was at the start; dir -1: none */
	int claim;                      /* others keep away from it; < 0: none */
	int had;                        /* the claim of the sampler before; -1 */
	struct owner owner;
};

/*
 * output_find - settles where the dump goes.  To fail now rather than after the run, it
 * makes a file beside it and removes it, as the user who will write the dump.
 *
 * A file that is there, or that another daemon is going to write, is not replaced without
 * --overwrite: a name that was given is refused; with the default name the next free
 * number is taken, and said.
 *
 * name       NULL: HOST.perfcounts.lua
 * as_owner   the output's owner writes the dump, not the user who runs (real machines)
 *
 * 0, or -errno with words.
 */
int output_find(struct output *, const char *name, const char *host,
    bool as_owner, bool overwrite, struct diag *why);

/* output_save - writes the dump, and says so if that is at another place than planned.  0, or -errno with words. */
int output_save(const struct output *, const struct store *,
    struct diag *why);

/* output_fini - accepts one that output_find has refused. */
void output_fini(struct output *);

#endif
