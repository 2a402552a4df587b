/*
 * postproc/pages/grace_report.h - the page of a Grace node: which PMU saw which
 * traffic.
 */
#ifndef POSTPROC_PAGES_GRACE_REPORT_H
#define POSTPROC_PAGES_GRACE_REPORT_H

#include "postproc/pages/report.h"

/* grace_is - is the dump of a Grace? */
bool grace_is(const struct reader *);
/* grace_print - local and remote, CPU and GPU; prints nothing of a node that
 * is no Grace. */
void grace_print(struct page *, FILE *);
/* grace_rows - the same as rows of the report's table. */
void grace_rows(struct page *, struct out *);

#endif
