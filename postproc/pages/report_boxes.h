/*
 * postproc/pages/report_boxes.h - channels, ports and links of a page.
 */
#ifndef POSTPROC_PAGES_REPORT_BOXES_H
#define POSTPROC_PAGES_REPORT_BOXES_H

#include "postproc/pages/report.h"

/* report_boxes - the lines of a metric's boxes: those that are alike together,
 * with page.all each of them; under the heading of all boxes, if that is asked
 * for.  False: the dump has none, or nothing of them is shown. */
bool report_boxes(struct page *, const struct view_line *, bool heading,
    FILE *);

#endif
