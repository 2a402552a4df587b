/*
 * postproc/html/first.h - what a page says first: of which node and when it is, whether
 * its data are sound, and what was found.
 */
#ifndef POSTPROC_HTML_FIRST_H
#define POSTPROC_HTML_FIRST_H

#include "postproc/html/html_page.h"

/* first_header - the node and the time.  first_findings - what tally check and
 * tally why find, the most important of it; a green line where that is nothing.
 * first_limits - all that tally why finds, below.  0, or -ENOMEM. */
void first_header(struct html_page *, FILE *);
int first_findings(const struct html_page *, FILE *);
int first_limits(const struct html_page *, FILE *);

#endif
