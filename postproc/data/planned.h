/*
 * postproc/data/planned.h - how long an interval was meant to be: --max-overhead
 * makes them longer, by whole multiples, from some sample on.
 */
#ifndef POSTPROC_DATA_PLANNED_H
#define POSTPROC_DATA_PLANNED_H

#include "config/dump/read.h"

/* Zeroed to begin with. */
struct planned {
	uint64_t sample;        /* the last that was asked for */
	uint64_t multiple;      /* since then; 0: nothing was asked for yet */
};

/* planned_multiple - of the interval that ends with a sample; samples go up from
 * call to call. */
uint64_t planned_multiple(struct planned *, const struct reader *,
    uint64_t sample);

#endif
