/*
 * postproc/data/when.h - when an interval was, and whose jobs ran in it.
 */
#ifndef POSTPROC_DATA_WHEN_H
#define POSTPROC_DATA_WHEN_H

#include "postproc/data/intervals.h"
#include "postproc/data/jobs.h"

/* interval_time - the wall clock at its end, us since 1970; false: the dump does
 * not say. */
bool interval_time(const struct reader *, const struct interval *,
    int64_t *us);

/* The jobs of a dump, by the marks that it has so far. */
struct jobs_then {
	struct jobs jobs;
	unsigned nconstant;     /* of the head, when they were taken; and 1 */
	char ids[1024];
};

/* jobs_then - which ran in an interval: "17", or "17,18"; NULL: none, or out of
 * memory.  A zeroed one is empty. */
const char *jobs_then(struct jobs_then *, const struct reader *,
    const struct interval *);
void jobs_then_fini(struct jobs_then *);

#endif
