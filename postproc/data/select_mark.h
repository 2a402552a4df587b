/*
 * postproc/data/select_mark.h - the samples of a mark with a name.
 *
 *   name = ( "job:" ID | KEY "=" VALUE | word ) [ "#" n ]
 *
 * A word alone is the value of any key, or a key that stands alone: @solve is
 * the mark "phase=solve step=3", and one that is "solve".  n: the nth that is
 * called so, from 1.
 */
#ifndef POSTPROC_DATA_SELECT_MARK_H
#define POSTPROC_DATA_SELECT_MARK_H

#include "config/dump/read.h"

/* select_name - the length of the name that text begins with; 0: none. */
size_t select_name(const char *text);

/* What a mark begins: its first sample, and its last where it has an end. */
struct marked {
	uint64_t first, last;
	bool open;              /* up to the last sample there is */
};

/*
 * select_marked - the samples from a mark to the next of its kind: one with the
 * same key, or of a word alone the next with one; of a job up to its end.
 *
 * 0, or -EINVAL when the dump has no such mark, or -ENOMEM; with words.
 */
int select_marked(struct marked *, const struct reader *, const char *name,
    size_t n, struct diag *why);

#endif
