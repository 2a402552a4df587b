/*
 * postproc/many/collect.h - makes one summary of many files, dumps and summaries.
 */
#ifndef POSTPROC_MANY_COLLECT_H
#define POSTPROC_MANY_COLLECT_H

#include "postproc/data/select.h"
#include "postproc/many/summary.h"

struct take_ask {
	const struct gather_ask *in;
	const struct patterns *names;   /* only metrics that match are taken */
	unsigned scopes;        /* a bit for each whose distributions are taken; 0: none */
	bool quiet;             /* the dumps were read before: what is odd about them
				 * has been said */
};

/* Asked before a dump is added: false if other files have the same samples of host and
 * this one is to be left out. */
struct take_claim {
	bool (*claim)(void *ctx, uint64_t identity, const char *host);
	void *ctx;
};

/*
 * summary_take - add a dump: its node, and the distributions of its metrics, for which it
 * is read a second time.
 *
 * claim  NULL: only dumps in the summary count as other files
 * none    out: if no metric of the dump matches, why; may be NULL
 *
 * Returns 0, or -errno with words in why, and nothing is added: -ENODATA: it has no
 * interval, -EEXIST: another file has the same samples.
 */
int summary_take(struct summary *, const char *path, const struct take_ask *,
    const struct take_claim *claim, struct diag *none, struct diag *why);

struct collect_ask {
	const char *const *path;
	unsigned npath;
	unsigned jobs;          /* processes, each reads a file at a time; 0 as 1 */
	struct take_ask take;
	void (*said)(const char *line);         /* called for a file that is left out */
	void (*progress)(unsigned done, unsigned of);   /* called now and then; may be
	                         * NULL */
};

/* How it went. */
struct collected {
	unsigned left_out;      /* files */
	struct diag none;       /* if no metric of the first dump matches, why */
};

/*
 * collect - add all files to a summary.  Left out, with words to `said`, are files that
 * cannot be read and, of files with the same samples, all but the one named first.  (A
 * dump has precedence over a summary.)
 *
 * Returns 0, or -errno with words in why: nothing could be made of any file.
 */
int collect(struct summary *, const struct collect_ask *, struct collected *,
    struct diag *why);

#endif
