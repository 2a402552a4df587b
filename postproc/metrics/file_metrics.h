/*
 * postproc/metrics/file_metrics.h - a metric for each family of files that a dump
 * has, so that they are in reports and exports without a list of one's own.
 */
#ifndef POSTPROC_METRICS_FILE_METRICS_H
#define POSTPROC_METRICS_FILE_METRICS_H

#include "config/dump/read.h"
#include "postproc/metrics/metrics.h"

/*
 * file_metrics_add - of the node: file_NAME_rate of a counter, of all files that a
 * star stands for together; file_NAME_value of a gauge, of several their mean.
 * 0, or -errno with words in why.
 */
int file_metrics_add(struct metrics *, const struct reader *, struct diag *why);

#endif
