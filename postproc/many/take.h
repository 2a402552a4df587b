/*
 * postproc/many/take.h - one dump, summed up.
 */
#ifndef POSTPROC_MANY_TAKE_H
#define POSTPROC_MANY_TAKE_H

#include "postproc/data/select.h"
#include "postproc/many/summary.h"

struct take_ask {
	const struct gather_ask *in;
	const struct patterns *names;   /* of metrics */
	unsigned scopes;        /* a bit each: distributions of these; 0: none */
};

/* Is it the first of that identity, among those of all processes? */
struct take_first {
	bool (*is)(void *ctx, uint64_t identity);
	void *ctx;
};

/*
 * summary_take - the node of a dump, and distributions of its metrics, for which
 * it is read twice.
 *
 * first  NULL: those in the summary are all
 * none   why it has no metric of the names asked for, where it has none; or NULL
 *
 * 0, or -errno with words: -ENODATA no interval, -EEXIST its samples are there
 * already; nothing is added then.
 */
int summary_take(struct summary *, const char *path, const struct take_ask *,
    const struct take_first *first, struct diag *none, struct diag *why);

#endif
