/*
 * postproc/pages/report_parts.h - parts of the report that only some nodes have.
 *
 * NAME_print writes a part as text, and nothing where the node has no such part;
 * NAME_rows adds the same to the report's table.
 */
#ifndef POSTPROC_PAGES_REPORT_PARTS_H
#define POSTPROC_PAGES_REPORT_PARTS_H

#include "postproc/pages/report.h"

/* report_boxes - print the boxes of a metric, below a heading if `heading`; those
 * that are alike share a line, unless page.all.  False: the dump has none, or
 * nothing of them is shown. */
bool report_boxes(struct page *, const struct view_line *, bool heading,
    FILE *);

/* Dies and NUMA nodes that are parts of packages: what their lprocs did.
 * regions_parted - is any of them less than its packages? */
void regions_print(struct page *, FILE *);
void regions_rows(struct page *, struct out *);
bool regions_parted(const struct regions *);

/* lprocs_print - the busiest lprocs and the idlest; one line where all are alike. */
void lprocs_print(struct page *, FILE *);

/* A Grace: what is local and remote, of CPU and GPU.  grace_is - is the dump of one? */
bool grace_is(const struct reader *);
void grace_print(struct page *, FILE *);
void grace_rows(struct page *, struct out *);

/* An Atom C2000: what the SoC counters saw, of the groups that were counted.
 * soc_is - is the dump of a node that has them?
 * soc_lprocs - the lprocs of the n-th module: " lprocs 2 3"; "" where it has none in
 * the dump.  Returns buf. */
bool soc_is(const struct reader *);
const char *soc_lprocs(const struct gather *, unsigned n, char *buf,
    size_t size);
void soc_print(struct page *, FILE *);
void soc_rows(struct page *, struct out *);

#endif
