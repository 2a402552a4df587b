/*
 * daemon/run/output.h - where the samples go in the end, and to whom.
 */
#ifndef DAEMON_RUN_OUTPUT_H
#define DAEMON_RUN_OUTPUT_H

#include "config/dump/save.h"
#include "daemon/run/rights.h"

#include <stdbool.h>
#include <stdio.h>

struct output {
	struct save_place place;        /* as it was at the start */
	struct owner owner;
};

/*
 * output_find - where the dump will go; an error now rather than after the
 * run: a file is made beside it and removed, by the one who writes it then.
 *
 * name      NULL: HOST.perfcounts.lua
 * as_owner  the output's owner writes, not who runs (real machines)
 *
 * 0, or -errno with words.
 */
int output_find(struct output *, const char *name, const char *host,
    bool as_owner, struct diag *why);

/* output_save - write the dump.  0, or -errno with words. */
int output_save(const struct output *, const struct store *,
    struct diag *why);

/* pidfile_write - our pid into a file; a link is refused.  *file stays NULL
 * where there is nothing to remove.  0, or -errno with words. */
int pidfile_write(FILE **file, const char *path, struct diag *why);

/* pidfile_remove - unless it is by now another daemon's, or was never a file of
 * its own.  Where it cannot be removed it is emptied: no pid that means
 * somebody else.  NULL is none. */
void pidfile_remove(FILE *, const char *path);

#endif
