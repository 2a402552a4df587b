/*
 * postproc/pages/report.h - a page about a node: report.c collects it and has its
 * rows, report_head.c and report_text.c print it for people.
 */
#ifndef POSTPROC_PAGES_REPORT_H
#define POSTPROC_PAGES_REPORT_H

#include "postproc/gather/gather.h"
#include "postproc/gather/why_not.h"
#include "postproc/out/table.h"
#include "postproc/pages/pairs.h"
#include "postproc/metrics/node_view.h"

/* One line of the page: the figure of a metric, by package and node. */
struct report_line {
	const char *title;      /* NULL: a heading, in `metric` */
	const char *metric;
	int decimals;           /* DECIMALS_BY_SIZE: it depends */
	bool own;               /* of a list that the user gave */
	bool rare, more;        /* as in struct view_line */
	double above;
	const char *without;
	bool have;              /* the metric can be had, here */
	bool uncounted;         /* but for energy that the node does not count */
	bool shown;             /* page_print: it is not folded */
	unsigned bound;
};

#define DECIMALS_BY_SIZE (-1)

/* report_lines - the lines of a view for a CPU with these metrics; whether they
 * can be had is not said.  They point into both.  0 or -ENOMEM; either way
 * free(*line). */
int report_lines(const struct metrics *, const struct node_view *,
    struct report_line **line, unsigned *n);

struct page {
	struct metrics metrics;
	struct gather gather;
	const struct sums *sums;
	struct node_view view;
	bool all;               /* nothing is folded */
	unsigned folded;        /* rows and boxes that were, so far */
	struct report_line *line;
	unsigned nline;
	int rc;                 /* -ENOMEM: something is not on the page */
	bool wrong;             /* some figure was out of its range */
	bool incomplete;        /* some figure lacks units that there are */
	bool lacking;           /* or deltas, which were no counts */
	const char *note[9];    /* what figures mislead in: [1] and so on */
	unsigned nnote;
	struct why_not why_not; /* figures of the page that are n/a */
	struct held held;       /* of page_hold: what contradicts what */
	const bool *doubtful;   /* columns that are of that; NULL: none */
};

/* page_open - read the range that is asked for, with all metrics of the page.
 * Returns 0 or -errno with words in why; page_close accepts either. */
int page_open(struct page *, const char *path, const struct gather_ask *,
    struct diag *why);
void page_close(struct page *);
/* page_hold - hold its figures against one another, once it has all; 0 or -ENOMEM. */
int page_hold(struct page *);
/* page_begin, page_end - the same, for whoever reads it (gather_next) between the
 * two, for others as well. */
int page_begin(struct page *, const char *path, const struct gather_ask *,
    struct diag *why);
void page_end(struct page *);
/* page_bind - another metric of the page; false: it cannot be had. */
bool page_bind(struct page *, const char *name, unsigned *out);
/* page_eval - of a window; wrong where its columns are in doubt.  page_figure - of the
 * n-th window of a scope. */
struct figure page_eval(struct page *, unsigned bound, const struct window *);
struct figure page_figure(struct page *, unsigned bound, enum scope, unsigned n);
/* page_mark - the mark of a figure, ' ' for none; notes what the foot of the page
 * is to say of it. */
char page_mark(struct page *, const struct figure *);
/* figure_shows_error - is its standard error a hundredth of it or more, and more than 0
 * with so many decimals?  Then it stands beside it. */
bool figure_shows_error(const struct figure *, int decimals);
/* page_put - a figure in so many columns, and its mark. */
void page_put(struct page *, FILE *, struct figure, int width, int decimals);
/* report_head - what stands above the figures.  report_word - one more word of a
 * list that is `col` columns long: behind its title, or a comma; in a new line,
 * indented, where it is too long for this one.  Returns the columns then. */
void report_head(struct page *, FILE *);
unsigned report_word(FILE *, unsigned col, const char *title, unsigned indent,
    const char *word);
/* page_print - all of it, as text. */
void page_print(struct page *, FILE *);

/* report_view - all of it; what is put is the struct page. */
extern const struct view report_view;
/* report_rows - a metric by package and node: rows of the view's table, with a
 * remark beside each figure (NULL: none).  report_rows_of - of one scope.
 * report_row - one. */
struct report_row {
	const char *title, *metric, *where, *unit, *note;
	enum scope scope;
	double value, error;    /* error: 0 or NaN: it has none, or none known */
	uint64_t left_out;
};
void report_rows(struct out *, struct page *, const char *title,
    unsigned bound, const char *remark);
void report_rows_of(struct out *, struct page *, const char *title,
    unsigned bound, enum scope, const char *remark);
void report_row(struct out *, const struct page *, const struct report_row *);

#endif
