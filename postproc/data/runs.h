/*
 * postproc/data/runs.h - which files are segments of one run, and in which order.
 */
#ifndef POSTPROC_DATA_RUNS_H
#define POSTPROC_DATA_RUNS_H

#include "config/dump/read.h"

/*
 * A run is the files of one node that continue one another, in the order that their
 * heads say (when the daemon was started, and the number of the segment), whatever they
 * are called.  Where the configuration changes, another run begins.
 */
struct runs {
	struct run_paths {
		const char **path;      /* [n] in order */
		unsigned n;
		double started;         /* when its daemon was started, s since
					 * 1970; 0: the head does not say */
	} *run;
	const char **first;             /* [n] the first file of each run, by which
					 * it is named and opened */
	unsigned n;
};

/*
 * runs_find - finds the runs among n files.  A file that is no segment, or cannot be
 * read, is a run by itself and keeps its place; of a segment that is there twice only
 * the longer file is used.
 *
 * said  is called with each line that the user should know of this
 *
 * Returns 0 or -ENOMEM.
 */
int runs_find(struct runs *, const char *const *path, unsigned n,
    void (*said)(const char *line));
void runs_fini(struct runs *);

/* runs_by_time - sorts them by when their daemons were started. */
void runs_by_time(struct runs *);

/* runs_follow - makes a reader that was opened with the first file of a run read all
 * files of it.  runs NULL: there are no runs, nothing to do.  Returns 0, or -errno with words
 * in why. */
int runs_follow(const struct runs *, struct reader *, struct diag *why);

#endif
