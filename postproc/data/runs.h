/*
 * postproc/data/runs.h - which files are segments of one run, and in what order.
 */
#ifndef POSTPROC_DATA_RUNS_H
#define POSTPROC_DATA_RUNS_H

#include "regs/diag.h"

/*
 * The files of a node that go on from one another, as their heads say: by when
 * the daemon was started and the number of the segment, whatever they are called.
 * They end where another configuration begins.
 */
struct runs {
	struct run_paths {
		const char **path;      /* in order; the first names it */
		unsigned n;
	} *run;
	const char **first;             /* of each: to be gone through */
	unsigned n;
};

/*
 * runs_find - those of n files.  A file that is no segment, or cannot be read, is
 * a run alone and keeps its place; a segment that is there twice counts once.
 *
 * said  what was made of them, a line at a time, for stderr
 *
 * 0 or -ENOMEM.
 */
int runs_find(struct runs *, const char *const *path, unsigned n,
    void (*said)(const char *line));
void runs_fini(struct runs *);

/* runs_more - the files behind the first one of a run; 0: none, also where runs
 * is NULL. */
unsigned runs_more(const struct runs *, const char *path,
    const char *const **more);

#endif
