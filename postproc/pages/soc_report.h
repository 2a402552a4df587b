/*
 * postproc/pages/soc_report.h - the page of a node whose SoC counters are behind a
 * message bus: memory channels, modules and fabrics.
 */
#ifndef POSTPROC_PAGES_SOC_REPORT_H
#define POSTPROC_PAGES_SOC_REPORT_H

#include "postproc/pages/report.h"

/* soc_is - is the dump of a node that has them? */
bool soc_is(const struct reader *);
/* soc_lprocs - of the n-th module: " lprocs 2 3"; "" where the dump has none in
 * it.  Returns buf. */
const char *soc_lprocs(const struct gather *, unsigned n, char *buf,
    size_t size);
/* soc_print - what the groups that were counted say of each; prints nothing of
 * a node that has no such counters, or did not count any. */
void soc_print(struct page *, FILE *);
/* soc_rows - the same as rows of the report's table. */
void soc_rows(struct page *, struct out *);

#endif
