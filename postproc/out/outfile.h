/*
 * postproc/out/outfile.h - a file that is written whole, or not at all.
 */
#ifndef POSTPROC_OUT_OUTFILE_H
#define POSTPROC_OUT_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "regs/diag.h"

/* Where -o says. */
struct outname {
	const char *path;       /* NULL, "-": standard output */
	bool overwrite;         /* --overwrite: a file that is there */
};

struct outfile {
	FILE *f;                /* to write to; NULL: not open */
	int error;              /* -errno of the writer, if it could not */
	char *path;
	char *target, *temp;    /* temp becomes target; NULL: it does not */
	bool overwrite;
};

/* outname_free - is nothing lost by writing there?  0, or -EEXIST with words. */
int outname_free(const struct outname *, struct diag *why);

/* outfile_open - a file that is there is refused, unless it is to be
 * overwritten; it stays as it is until outfile_close, and may be read from.
 * Returns 0 or -errno with words in why. */
int outfile_open(struct outfile *, const struct outname *, struct diag *why);
/* outfile_close - finish; the -errno of any write that failed, or of the writer,
 * words in why.  What was there is replaced only if that is done, and went
 * well; what somebody has made meanwhile is not.  Accepts one that is not open. */
int outfile_close(struct outfile *, bool done, struct diag *why);

#endif
