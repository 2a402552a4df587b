/*
 * postproc/metrics/event_metrics.h - events of a dump as metrics, for whoever asks
 * for them by name.
 */
#ifndef POSTPROC_METRICS_EVENT_METRICS_H
#define POSTPROC_METRICS_EVENT_METRICS_H

#include "postproc/data/select.h"
#include "postproc/data/series.h"
#include "postproc/metrics/metrics.h"

/*
 * event_metrics_add - for each name asked for that no metric has, the events that
 * have it: IOMMU0.FIRST_LOOKUPS, in millions a second, of its boxes and what is
 * wider.  One that several families have is called irp/CLOCKTICKS there, by either
 * name.  0, or -errno with words in why.
 */
int event_metrics_add(struct metrics *, const struct seriesset *,
    const struct patterns *asked, struct diag *why);

#endif
