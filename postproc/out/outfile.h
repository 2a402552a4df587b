/*
 * postproc/out/outfile.h - a file that is written whole, or not at all.
 */
#ifndef POSTPROC_OUT_OUTFILE_H
#define POSTPROC_OUT_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "regs/diag.h"

struct outfile {
	FILE *f;                /* to write to; NULL: not open */
	int error;              /* -errno of the writer, if it could not */
	char *path;
	char *target, *temp;    /* temp is renamed to target; NULL: it is not */
};

/* outfile_open - path, or stdout where it is NULL or "-".  What is at path
 * stays as it is until outfile_close; it may be read from.  Returns 0 or -errno
 * with words in why. */
int outfile_open(struct outfile *, const char *path, struct diag *why);
/* outfile_close - finish; the -errno of any write that failed, or of the writer,
 * words in why.  What was there is replaced only if that is done, and went
 * well.  Accepts one that is not open. */
int outfile_close(struct outfile *, bool done, struct diag *why);

#endif
