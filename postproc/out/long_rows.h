/*
 * postproc/out/long_rows.h - what was counted as rows of one value each, in
 * Parquet.
 */
#ifndef POSTPROC_OUT_LONG_ROWS_H
#define POSTPROC_OUT_LONG_ROWS_H

#include "postproc/out/judged.h"

struct long_rows;

/* long_rows_new - into f; NULL: out of memory.  long_rows_add - an interval more;
 * 0 or -ENOMEM.  long_rows_end - all that is left of them, and the footer with
 * the head of a dump; 0 or -errno with words. */
struct long_rows *long_rows_new(FILE *f);
void long_rows_free(struct long_rows *);        /* NULL accepted */
int long_rows_add(struct long_rows *, struct judged *);
int long_rows_end(struct long_rows *, const struct judged *, struct diag *why);

#endif
