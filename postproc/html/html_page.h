/*
 * postproc/html/html_page.h - a page about a dump as one HTML file: no request to
 * anywhere, and without scripts still pictures and tables.
 */
#ifndef POSTPROC_HTML_HTML_PAGE_H
#define POSTPROC_HTML_HTML_PAGE_H

#include "postproc/gather/head_fold.h"
#include "postproc/causes/why.h"
#include "postproc/charts/glance.h"
#include "postproc/charts/phases.h"
#include "postproc/pages/checks.h"
#include "postproc/pages/report.h"

struct html_page {
	struct page page;       /* the figures of all of it */
	struct metrics metrics; /* of a second reading, */
	struct gather gather;   /* where event sets take turns */
	struct timeline timeline;
	struct phases phases;
	struct bandwidths bandwidths;
	struct check check;
	struct why why;
	struct glance glance;
	struct fold fold;       /* of one key of the head after the other */
};

/*
 * html_page_read - a file, which may be read twice: no pipe.  What is asked stays
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

#endif
