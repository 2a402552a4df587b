/*
 * postproc/pages/report_parts.h - parts of the report that some nodes alone have:
 * boxes, dies and NUMA nodes that are parts of packages, what PMUs of a Grace saw,
 * what the SoC counters of an Atom C2000 saw.
 */
#ifndef POSTPROC_PAGES_REPORT_PARTS_H
#define POSTPROC_PAGES_REPORT_PARTS_H

#include "postproc/pages/report.h"

/* report_boxes - the lines of a metric's boxes: those that are alike together,
 * with page.all each of them; under the heading of all boxes, if that is asked
 * for.  False: the dump has none, or nothing of them is shown. */
bool report_boxes(struct page *, const struct view_line *, bool heading,
    FILE *);

/* regions_print - what the lprocs of each did; prints nothing where all of them
 * are whole packages, whose figures are on the page.  regions_rows - the same
 * as rows of the report's table. */
void regions_print(struct page *, FILE *);
void regions_rows(struct page *, struct out *);
/* regions_parted - is any of them less than its packages? */
bool regions_parted(const struct regions *);

/* grace_is - is the dump of a Grace? */
bool grace_is(const struct reader *);
/* grace_print - local and remote, CPU and GPU; prints nothing of a node that
 * is no Grace. */
void grace_print(struct page *, FILE *);
/* grace_rows - the same as rows of the report's table. */
void grace_rows(struct page *, struct out *);

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
