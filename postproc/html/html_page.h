/*
 * postproc/html/html_page.h - a page about a dump as one HTML file: no request to
 * anywhere, and without scripts still pictures and tables.
 */
#ifndef POSTPROC_HTML_HTML_PAGE_H
#define POSTPROC_HTML_HTML_PAGE_H

#include <stdio.h>

#include "postproc/gather/head_fold.h"
#include "postproc/out/table.h"
#include "postproc/causes/why.h"
#include "postproc/html/still.h"
#include "postproc/pages/checks.h"
#include "postproc/pages/report.h"

struct html_page {
	struct page page;       /* the figures of all of it */
	bool rounds;            /* event sets take turns: */
	struct gather gather;   /* the same intervals, added up by their rounds */
	struct timeline timeline;
	struct phases phases;
	struct bandwidths bandwidths;
	struct check check;
	struct why why;
	struct glance glance;
	struct fold fold;       /* of one key of the head after the other */
};

/*
 * html_page_read - a file, no pipe: its end is looked at first.  What is asked stays
 * the caller's, until html_page_fini.
 *
 * Returns 0 or -errno with words in why (where there are none, memory ran out);
 * -ENODATA without words: there are no two samples.  html_page_fini accepts
 * either.
 */
int html_page_read(struct html_page *, const char *path,
    const struct gather_ask *, const struct timeline_ask *, struct diag *why);
void html_page_fini(struct html_page *);

/* html_page_put - all of it.  0, or -ENOMEM. */
int html_page_put(struct html_page *, FILE *);

/* first_header - the node and the time.  first_findings - what tally check and
 * tally why find, the most important of it; a green line where that is nothing.
 * first_limits - all that tally why finds, below.  0, or -ENOMEM. */
void first_header(struct html_page *, FILE *);
int first_findings(const struct html_page *, FILE *);
int first_limits(const struct html_page *, FILE *);

/* overview_put - the figures of the report as a table: a row each line of the report,
 * a column each package and the node. */
void overview_put(struct page *, const struct timeline *, FILE *);

/* line_rows_put - to an open table's file, of a page that was read. */
void line_rows_put(const struct html_page *, struct out *);

#endif
