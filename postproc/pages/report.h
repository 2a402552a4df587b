/*
 * postproc/pages/report.h - a page about a node: between report.c, which collects
 * it, and report_text.c, which prints it for people.
 */
#ifndef POSTPROC_PAGES_REPORT_H
#define POSTPROC_PAGES_REPORT_H

#include "postproc/pages/gather.h"
#include "postproc/out/table.h"

/* One line of the page: the figure of a metric, by package and node. */
struct report_line {
	const char *title;      /* NULL: a heading, in `metric` */
	const char *metric;
	int decimals;
};

#define REPORT_MAX_LINES 64

extern const struct report_line report_lines[];
extern const size_t report_nlines;

struct page {
	struct metrics metrics;
	struct gather gather;
	const struct sums *sums;
	char host[256];
	unsigned bound[REPORT_MAX_LINES];
	bool have[REPORT_MAX_LINES];    /* the metric can be had, here */
	bool wrong;             /* some figure was out of its range */
	bool incomplete;        /* some figure lacks units that there are */
};

/* page_bind - another metric of the page; false: it cannot be had. */
bool page_bind(struct page *, const char *name, unsigned *out);
/* page_figure - of the n-th window of a scope. */
struct figure page_figure(struct page *, unsigned bound, enum scope, unsigned n);
/* page_print - all of it, as text. */
void page_print(struct page *, FILE *);

#endif
