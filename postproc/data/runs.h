/*
 * postproc/data/runs.h - which files are segments of one run, and in what order.
 */
#ifndef POSTPROC_DATA_RUNS_H
#define POSTPROC_DATA_RUNS_H

#include "config/dump/read.h"

/*
 * The files of a node that go on from one another, as their heads say: by when
 * the daemon was started and the number of the segment, whatever they are called.
 * They end where another configuration begins.
 */
struct runs {
	struct run_paths {
		const char **path;      /* in order; the first names it */
		unsigned n;
		double started;         /* its daemon, s since 1970; 0: the
					 * head does not say */
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

/* runs_by_time - those whose daemons were started first come first. */
void runs_by_time(struct runs *);

/* runs_follow - what was opened by the name of its first file is read as all of
 * the run; 0 or -errno with words.  NULL: of no run. */
int runs_follow(const struct runs *, struct reader *, struct diag *why);

#endif
