/*
 * postproc/charts/overview.h - the figures of the report as a table that the page's
 * script recomputes for a stretch of time.
 */
#ifndef POSTPROC_CHARTS_OVERVIEW_H
#define POSTPROC_CHARTS_OVERVIEW_H

#include "postproc/charts/timeline.h"
#include "postproc/pages/report.h"

/* overview_put - a row a line of the report, a column a package, and the node's. */
void overview_put(struct page *, const struct timeline *, FILE *);

#endif
