/*
 * postproc/many/collect.h - many files, dumps and summaries, into one summary.
 */
#ifndef POSTPROC_MANY_COLLECT_H
#define POSTPROC_MANY_COLLECT_H

#include "postproc/many/take.h"

struct collect_ask {
	const char *const *path;
	unsigned npath;
	unsigned jobs;          /* processes, each with a file at a time; 0 as 1 */
	struct take_ask take;
	void (*said)(const char *line);         /* of a file that is left out */
	void (*progress)(unsigned done, unsigned of);   /* now and then; NULL:
	                         * nobody looks */
};

/* How it went. */
struct collected {
	unsigned left_out;      /* files */
	struct diag none;       /* why the first dump has no metric of the names
				 * asked for, where it has none */
};

/*
 * collect - all of them.  A file that cannot be read is left out and said; of two
 * of the same samples one is.
 *
 * 0, or -errno with words: nothing can be made of any.
 */
int collect(struct summary *, const struct collect_ask *, struct collected *,
    struct diag *why);

#endif
