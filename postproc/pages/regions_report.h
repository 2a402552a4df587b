/*
 * postproc/pages/regions_report.h - dies and NUMA nodes that are parts of packages,
 * as with sub-NUMA clustering.
 */
#ifndef POSTPROC_PAGES_REGIONS_REPORT_H
#define POSTPROC_PAGES_REGIONS_REPORT_H

#include "postproc/pages/report.h"

/* regions_print - what the lprocs of each did; prints nothing where all of them
 * are whole packages, whose figures are on the page.  regions_rows - the same
 * as rows of the report's table. */
void regions_print(struct page *, FILE *);
void regions_rows(struct page *, struct out *);
/* regions_parted - is any of them less than its packages? */
bool regions_parted(const struct regions *);

#endif
