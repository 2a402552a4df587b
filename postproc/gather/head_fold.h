/*
 * postproc/gather/head_fold.h - constants of a dump that say the same of many
 * units, as one line: lproc_package[0-23,48-71] is 0.
 */
#ifndef POSTPROC_GATHER_HEAD_FOLD_H
#define POSTPROC_GATHER_HEAD_FOLD_H

#include "config/dump/read.h"
#include "regs/access.h"

enum { FOLD_LINES = 64, FOLD_INDICES = 3 };

struct fold_line {
	const struct constant *first;
	unsigned n;             /* how many say so */
	unsigned nindex;
	uint64_t set[FOLD_INDICES][MAX_LPROCS / 64];    /* bit n: index n */
};

struct fold {
	unsigned n;
	uint64_t more;          /* constants that have no line here */
	struct fold_line line[FOLD_LINES];
};

/* fold_add - one more constant, of the same key as those before. */
void fold_add(struct fold *, const struct constant *);

/*
 * fold_name - what a line is of, its indices as lists.
 *
 * Where they are no whole block, "(31 of these)" behind it.  Returns buf; what
 * has no room is cut off.
 */
const char *fold_name(const struct fold_line *, char *buf, size_t size);

#endif
