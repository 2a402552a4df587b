/*
 * postproc/live/carried.h - what totals were when a store was over: those of the
 * next one go on from there.
 */
#ifndef POSTPROC_LIVE_CARRIED_H
#define POSTPROC_LIVE_CARRIED_H

#include "lib/lookup.h"
#include "postproc/live/exposer.h"

struct carried {
	struct carried_total *total;
	unsigned n, room;
	struct lookup by_series;
};

/* carried_find - of a series by its group's name and its labels; NULL: none.
 * carried_set - what it is by now; without memory it begins again. */
const struct exposed_turns *carried_find(const struct carried *,
    const struct exposed_group *, const struct exposed_labels *);
void carried_set(struct carried *, const struct exposed_group *,
    const struct exposed_labels *, const struct exposed_turns *);
void carried_fini(struct carried *);

#endif
