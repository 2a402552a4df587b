/*
 * postproc/pages/head_fold.h - constants of a dump's head that have the same value for
 * many units, as one line: lproc_package[0-23,48-71] is 0.
 */
#ifndef POSTPROC_PAGES_HEAD_FOLD_H
#define POSTPROC_PAGES_HEAD_FOLD_H

#include "config/dump/read.h"
#include "regs/access.h"

enum { FOLD_LINES = 64, FOLD_INDICES = 3 };

struct fold_line {
	const struct constant *first;
	unsigned n;             /* constants in this line */
	unsigned nindex;        /* numbers in their names */
	uint64_t set[FOLD_INDICES][MAX_LPROCS / 64];    /* bit n: index n is
				 * there */
};

struct fold {
	unsigned n;
	uint64_t more;          /* constants for which there was no line left */
	struct fold_line line[FOLD_LINES];
};

/* fold_add - adds a constant, which has to have the same key as those before. */
void fold_add(struct fold *, const struct constant *);

/*
 * fold_name - the name of a line's constants, with lists of their indices:
 * "unit_lproc[0-1][0-7]", and behind it "(15 of these)" where not all combinations
 * are there.  Returns buf; what does not fit is cut off.
 */
const char *fold_name(const struct fold_line *, char *buf, size_t size);

#endif
