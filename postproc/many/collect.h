/*
 * postproc/many/collect.h - many files, dumps and summaries, into one summary.
 */
#ifndef POSTPROC_MANY_COLLECT_H
#define POSTPROC_MANY_COLLECT_H

#include "postproc/data/select.h"
#include "postproc/many/summary.h"

struct take_ask {
	const struct gather_ask *in;
	const struct patterns *names;   /* of metrics */
	unsigned scopes;        /* a bit each: distributions of these; 0: none */
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
 * summary_take - the node of a dump, and distributions of its metrics, for which
 * it is read twice.
 *
 * claim  NULL: only dumps in the summary count as other files
 * none   why it has no metric of the names asked for, where it has none; or NULL
 *
 * 0, or -errno with words: -ENODATA no interval, -EEXIST its samples are there
 * already; nothing is added then.
 */
int summary_take(struct summary *, const char *path, const struct take_ask *,
    const struct take_claim *claim, struct diag *none, struct diag *why);

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
