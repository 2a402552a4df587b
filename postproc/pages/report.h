/*
 * postproc/pages/report.h - a page about a node: report.c reads a dump and finds the
 * figures, report_text.c prints them.
 */
#ifndef POSTPROC_PAGES_REPORT_H
#define POSTPROC_PAGES_REPORT_H

#include "postproc/metrics/gather.h"
#include "postproc/metrics/figure_notes.h"
#include "postproc/out/table.h"
#include "postproc/pages/pairs.h"
#include "postproc/metrics/node_view.h"

/* A line of the page: a metric, with its figures of packages and node. */
struct report_line {
	const char *title;      /* NULL: it is a heading, whose text is `metric` */
	const char *metric;
	int decimals;           /* or DECIMALS_BY_SIZE */
	bool own;               /* the metric is of a list that the user gave */
	/* as in struct view_line: */
	bool rare, more;
	double above;
	const char *without;
	bool have;              /* the dump has all that the metric needs */
	bool uncounted;         /* it has it, but the node does not count this energy:
				 * have is false */
	bool shown;             /* page_print shows it: it is not folded away */
	unsigned bound;         /* its number in the binding */
};

#define DECIMALS_BY_SIZE (-1)

/* report_lines - list the lines of a view for a CPU with these metrics, whatever the
 * dump has of them.  They point into both.  0 or -ENOMEM; free(*line) in any case. */
int report_lines(const struct metrics *, const struct node_view *,
    struct report_line **line, unsigned *n);

#define PAGE_KEPT 4096

/* A figure of the page, as binding_eval returned it. */
struct kept_figure {
	uint64_t sums;          /* sums.number; 0: none is kept here */
	unsigned bound, n;
	enum scope scope;
	struct figure figure;
};

struct page {
	struct metrics metrics;
	bool as_built_in;       /* the metrics are exactly the built-in ones */
	struct gather gather;
	const struct sums *sums;        /* of the whole range */
	struct node_view view;
	bool all;               /* show everything: fold nothing away */
	unsigned folded;        /* rows and boxes that were folded away so far */
	struct report_line *line;
	unsigned nline;
	struct kept_figure *kept;       /* [PAGE_KEPT] of page_figure; or NULL */
	int rc;                 /* -ENOMEM: something is not on the page */
	/* what the page has to explain: */
	bool wrong;             /* some figure is outside its range, or of doubtful
				 * columns ('!') */
	bool incomplete;        /* some figure lacks units that the node has */
	bool lacking;           /* some figure lacks deltas that are left out */
	const char *note[9];    /* [1] and so on: what misleads in a figure */
	unsigned nnote;
	struct why_not why_not; /* why figures are n/a */
	struct held held;       /* page_hold: which counters contradict others */
	const bool *doubtful;   /* [columns] of such a counter; NULL: none is */
};

/* page_open - read the range that is asked for, with all metrics of the page.  Returns
 * 0, or -errno with words in why; call page_close in any case. */
int page_open(struct page *, const char *path, const struct gather_ask *,
    struct diag *why);
void page_close(struct page *);
/* page_hold - to be called after page_open: finds figures that contradict each other, into
 * page.held.  Returns 0 or -ENOMEM. */
int page_hold(struct page *);
/* page_begin, page_end - what page_open does before and after reading, for a caller
 * that reads the intervals itself (gather_next). */
int page_begin(struct page *, const char *path, const struct gather_ask *,
    struct diag *why);
void page_end(struct page *);
/* page_bind - find the number of a metric in the binding, or bind it; false: the dump
 * lacks inputs of it, or there is no such metric. */
bool page_bind(struct page *, const char *name, unsigned *out);
/* page_eval - the figure of a window; it is `wrong` where its columns are doubtful.
 * page_figure - the figure of the n-th window of a scope. */
struct figure page_eval(struct page *, unsigned bound, const struct window *);
struct figure page_figure(struct page *, unsigned bound, enum scope, unsigned n);
/* page_mark - the mark of a figure, or ' '; notes what the foot of the page has to
 * explain of it. */
char page_mark(struct page *, const struct figure *);
/* figure_shows_error - is the standard error shown beside the figure?  It is where it is
 * a hundredth of it or more, and not 0 when printed with so many decimals.
 * figure_error - writes it: "+- 0.4".  Returns buf. */
bool figure_shows_error(const struct figure *, int decimals);
const char *figure_error(const struct figure *, int decimals, char *buf,
    size_t size);
/* page_put - write a figure in so many columns, then its mark, which is one more.  False
 * where it has none: what stands beside it needs a blank. */
bool page_put(struct page *, FILE *, struct figure, int width, int decimals)
    __attribute__((warn_unused_result));

/* report_view - the page, as text or as rows; its argument is the struct page. */
extern const struct view report_view;
/* report_rows - put rows of a metric into the view's table: its packages, and the node;
 * remark: stands beside each figure; or NULL.
 * report_rows_of - the same for one scope.
 * report_row - put one row. */
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

/* ---- parts that only some nodes have -------------------------------------
 *
 * NAME_print writes a part as text, and nothing where the node has no such part; NAME_rows
 * adds the same to the report's table.
 */

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
