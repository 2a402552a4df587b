/*
 * postproc/io/io_view.h - what the I/O report shows, however it is printed: figures of
 * packages and stacks, devices, and which figures are doubtful.
 */
#ifndef POSTPROC_IO_IO_VIEW_H
#define POSTPROC_IO_IO_VIEW_H

#include "postproc/gather/figure_notes.h"
#include "postproc/io/io_page.h"
#include "postproc/out/table.h"

#define MAX_DOUBTS 72           /* 12 ratios, 2 kinds of doubt, 3 scopes */

/* A column of a table of stacks; the view says which there are. */
struct io_column {
	enum io_table { IO_PAYLOAD, IO_L3, IO_LATENCY, IO_TABLES } table;
	const char *head, *unit, *metric;
	int decimals;
};

/* A line of the table of devices: a port and its traffic, or a part of a stack that
 * has traffic, but no device. */
struct flow_line {
	const struct io_port *port;     /* NULL: the dump lists no device there */
	int pkg, stack, part;
	struct io_flow flow;
};

/* Figures of one ratio that are doubtful for the same reason.  Those of several
 * stacks are one doubt. */
struct io_doubt {
	const struct view_line *ratio;  /* the statement of the view */
	const char *metric;     /* the metric, an item of that statement */
	enum scope scope;       /* box (a stack), package or node */
	bool few;               /* there were too few events; else: it cannot be */
	unsigned n;             /* places: stacks or packages */
	bool left_out;          /* `where` has no room for all places */
	/* least and greatest figure, and events above and below the line */
	double value[2], num[2], den[2];
	char first[64], where[400];     /* "package 0 PCIe1"; "0/PCIe1, ..." */
};

struct io_view {
	struct io_page page;
	struct io_column *column;       /* [ncolumn] */
	unsigned ncolumn;
	bool stacks;            /* the CPU has metrics of stacks */
	double dram_max;        /* bytes/s, by --dram-max; 0: not given */
	bool incomplete;        /* a '*' was printed */
	bool of_package;        /* a '~' was printed */
	struct why_not why_not; /* why figures are n/a ("-") */
	struct flow_line *line;         /* [nline] by traffic */
	unsigned nline;
	struct io_doubt doubt[MAX_DOUBTS];
	unsigned ndoubt;
};

/* The place of a figure: a stack, a package (stack is -1) or the node (both are). */
struct io_at {
	int pkg, stack;
};
#define IO_AT_NODE (struct io_at){ -1, -1 }
#define IO_AT_PACKAGE(k) (struct io_at){ (int)(k), -1 }
#define IO_AT_STACK(k, s) (struct io_at){ (int)(k), (int)(s) }

/* io_view_open - open and read a dump; parameters and errors as of io_page_open.
 * Call io_view_close in any case. */
int io_view_open(struct io_view *, const char *path, const struct gather_ask *,
    struct diag *why);
void io_view_close(struct io_view *);

/* io_view_row - the next row of the view that is shown, behind the one given (NULL: the
 * first).  Returns NULL where none is left.  On a CPU that counts by stacks, rows that the dump
 * lacks are shown, too, except those that the view calls rare. */
const struct view_line *io_view_row(const struct io_view *,
    const struct view_line *);
struct figure io_view_value(struct io_view *, const char *metric,
    struct io_at);

/* io_view_flag - the mark of a figure: ' ' sound, '!' outside its range, '?' computed
 * from too few events, '~' of the package instead of the stack, '*' incomplete.  note:
 * what has to be said of it, or "".
 * io_view_doubt - the same; '!' and '?' become doubts of the view. */
char io_view_flag(struct io_view *, const char *metric, struct figure,
    struct io_at, char *note, size_t size);
char io_view_doubt(struct io_view *, const char *metric, struct figure,
    struct io_at);
/* io_doubt_text - write "io_conflicts of package 0 PCIe1 is 200, which cannot be: ...";
 * of several stacks "io_conflicts of 12 stacks ...". */
void io_doubt_text(const struct io_doubt *, char *buf, size_t size);

/* io_view_place - write the place of a device: "0/PCIe0 part 2". */
void io_view_place(const struct io_view *, const struct flow_line *,
    char *buf, size_t size);

/* Two parts of the page.  io_devices_text - devices and their traffic.
 * io_counts_text - the count of each event, by stack. */
void io_devices_text(struct io_view *, FILE *f);
void io_counts_text(struct io_view *, FILE *f);
/* io_word - write the next word of a list; *col is the column that the line has
 * reached.  A word that would go beyond column 100 stands on the next line. */
void io_word(FILE *f, unsigned *col, const char *comma, const char *word);
/* io_number - write a number with so many decimals; where these would all be 0, with
 * two significant digits. */
void io_number(FILE *f, double v, int width, int decimals);

/* io_view_text - print all of it as a page. */
void io_view_text(struct io_view *, FILE *f);

/* io_report_view - the whole report, as a page or as rows; its argument is a struct
 * io_view. */
extern const struct view io_report_view;

#endif
