/*
 * postproc/metrics/would.h - what a dump would have, had tallyd been given another
 * configuration: by the names that stand in its text.
 */
#ifndef POSTPROC_METRICS_WOULD_H
#define POSTPROC_METRICS_WOULD_H

#include "config/texts.h"
#include "postproc/metrics/metrics.h"
#include "regs/model.h"

struct would {
	const struct text *text;
	const struct metrics *metrics;  /* other names of its events */
	const struct model *model;      /* the names of fixed counters; or NULL */
};

/* would_count - does it name what a formula refers to? */
bool would_count(const struct would *, const struct expr_ref *);

#endif
