/*
 * postproc/html/line_rows.h - the numbers that a page's lines are drawn of, as a
 * table: a row a line and bucket.
 */
#ifndef POSTPROC_HTML_LINE_ROWS_H
#define POSTPROC_HTML_LINE_ROWS_H

#include "postproc/html/html_page.h"
#include "postproc/out/table.h"

/* line_rows_put - to an open table's file, of a page that was read. */
void line_rows_put(const struct html_page *, struct out *);

#endif
