/*
 * postproc/html/html_page.h - the page about a dump, in one HTML file that loads nothing
 * from anywhere.  Where scripts do not run it shows pictures and tables.
 */
#ifndef POSTPROC_HTML_HTML_PAGE_H
#define POSTPROC_HTML_HTML_PAGE_H

#include <stdio.h>

#include "postproc/pages/head_fold.h"
#include "postproc/out/table.h"
#include "postproc/pages/why.h"
#include "postproc/html/parts.h"
#include "postproc/pages/checks.h"
#include "postproc/pages/report.h"

struct html_page {
	struct page page;       /* the figures of all samples */
	bool sets;              /* event sets take turns */
	bool rounds;            /* a turn is a whole interval, or several */
	struct gather gather;   /* if rounds: the intervals added up round by round */
	struct timeline timeline;
	struct crew *crew;      /* the threads that evaluate its lines */
	struct phases phases;
	struct bandwidths bandwidths;
	struct check check;
	struct why why;
	struct glance glance;
	struct fold fold;       /* for the table of the head's keys */
};

/*
 * html_page_read - read a file.  Its end is looked at first, so it cannot be a pipe.
 * The two asks have to last until html_page_fini.
 *
 * Returns 0, or -errno with words in why (without words: -ENOMEM); -ENODATA without
 * words: it has fewer than two samples.  Call html_page_fini in any case.
 */
int html_page_read(struct html_page *, const char *path,
    const struct gather_ask *, const struct timeline_ask *, struct diag *why);
void html_page_fini(struct html_page *);

/* html_page_put - write the whole page.  0, or -ENOMEM. */
int html_page_put(struct html_page *, FILE *);

/* Parts of the page.
 * first_header - write the node and the time.
 * first_findings - write the most important findings of tally check and tally why; a green
 * line where there are none.
 * first_limits - write all that tally why finds.
 * Those that return something return 0, or -ENOMEM. */
void first_header(struct html_page *, FILE *);
int first_findings(const struct html_page *, FILE *);
int first_limits(const struct html_page *, FILE *);

/* overview_put - the figures of the report as a table, with a row for each line of the
 * report, a column for each package and one for the node. */
void overview_put(struct page *, const struct timeline *, FILE *);

/* line_rows_put - put the timelines of a page into an open table, as rows. */
void line_rows_put(const struct html_page *, struct out *);

#endif
