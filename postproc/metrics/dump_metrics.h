/*
 * postproc/metrics/dump_metrics.h - metrics of what a dump has and no list names.
 */
#ifndef POSTPROC_METRICS_DUMP_METRICS_H
#define POSTPROC_METRICS_DUMP_METRICS_H

#include "config/dump/read.h"
#include "postproc/data/select.h"
#include "postproc/data/series.h"
#include "postproc/metrics/metrics.h"

#endif
