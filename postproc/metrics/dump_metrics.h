/*
 * postproc/metrics/dump_metrics.h - metrics of what a dump has and no list names.
 */
#ifndef POSTPROC_METRICS_DUMP_METRICS_H
#define POSTPROC_METRICS_DUMP_METRICS_H

#include "config/dump/read.h"
#include "postproc/data/select.h"
#include "postproc/data/series.h"
#include "postproc/metrics/metrics.h"

/*
 * event_metrics_add - for each name asked for that no metric has, add a metric of each
 * event that has it: IOMMU0.FIRST_LOOKUPS, in millions a second, for its boxes and
 * what is wider.  An event that several families have is called irp/CLOCKTICKS there;
 * either name finds it.  0, or -errno with words in why.
 */
int event_metrics_add(struct metrics *, const struct seriesset *,
    const struct patterns *asked, struct diag *why);

/*
 * file_metrics_add - add a metric of the node for each family of files that the dump
 * has: file_NAME_rate of a counter, the sum of all files that a star stands for;
 * file_NAME_value of a gauge, the mean of several.  0, or -errno with words in why.
 */
int file_metrics_add(struct metrics *, const struct reader *, struct diag *why);

#endif
