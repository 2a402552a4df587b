/*
 * postproc/live/prometheus.h - series as text that Prometheus and all that reads
 * the same understand.
 */
#ifndef POSTPROC_LIVE_PROMETHEUS_H
#define POSTPROC_LIVE_PROMETHEUS_H

#include <stdio.h>

#include "postproc/live/expose.h"

/* OpenMetrics 1.0; or the older text format 0.0.4, as node_exporter's textfile
 * collector has it. */
enum prometheus_format { PROMETHEUS_TEXT, PROMETHEUS_OPENMETRICS };

/* The values of HTTP's Content-Type, by format. */
extern const char *const prometheus_types[];

/* prometheus_put - a page of what there is now. */
void prometheus_put(struct exposed *, enum prometheus_format, FILE *);

#endif
