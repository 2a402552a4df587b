/*
 * postproc/out/outfile.h - a file that is written whole, or not at all.
 */
#ifndef POSTPROC_OUT_OUTFILE_H
#define POSTPROC_OUT_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/diag.h"

/* The output that the user asks for. */
struct outname {
	const char *path;       /* -o; NULL, "-": standard output */
	bool overwrite;         /* --overwrite: a file of that name may be replaced */
};

struct outfile {
	FILE *f;                /* to write to; NULL: not open */
	int error;              /* set by the writer: the -errno that stopped it */
	char *path;             /* for messages */
	char *target, *temp;    /* temp will be renamed to target; NULL: f is written to
				 * directly, as it is no regular file */
	bool overwrite;
};

/* outname_free - may that output be written?  0; or -EEXIST with words in why: there is
 * such a file. */
int outname_free(const struct outname *, struct diag *why);

/* outfile_open - begins a file.  One that exists is refused unless it is to be
 * overwritten; it stays as it is until outfile_close, so that it can still be read.
 * Returns 0 or -errno with words in why. */
int outfile_open(struct outfile *, const struct outname *, struct diag *why);
/* outfile_close - ends it, and puts the file in place if it is `done` and no write
 * failed. It does not replace a file that somebody else has made meanwhile.  Returns 0;
 * or the -errno of a write or of the writer (`error`), with words in why.  Accepts one
 * that is not open. */
int outfile_close(struct outfile *, bool done, struct diag *why);

#endif
