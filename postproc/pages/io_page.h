/*
 * postproc/pages/io_page.h - a dump read for pages about its I/O: figures by package and
 * stack, which device is on which part of a stack, and what of it the I/O report shows.
 */
#ifndef POSTPROC_PAGES_IO_PAGE_H
#define POSTPROC_PAGES_IO_PAGE_H

#include "postproc/metrics/figure_notes.h"
#include "postproc/metrics/gather.h"
#include "postproc/metrics/node_view.h"
#include "postproc/out/table.h"

#define IO_PARTS 8              /* of a stack, at most */
#define IO_STACKS 16            /* of a package, at most */
#define IO_DEVICES 512
#define IO_WAYS 4               /* metrics of payload through a part, at most */

/* A root port and the devices below it: one link, and one part of a stack. */
struct io_port {
	int pkg, stack;         /* -1: on no stack that is known */
	int part;               /* -1: unknown */
	unsigned ndevice;
	char name[96];          /* of its first device */
	char addresses[64];     /* "17:00.0 17:00.1" */
	const char *driver;
	int node;               /* NUMA node */
	/* the link: GT/s per lane and number of lanes, at most and as negotiated; 0:
	 * unknown */
	double gt_s, width;
	double gt_s_now, width_now;
	const char *missing;    /* what sysfs did not have; "": nothing */
};

struct io_page {
	struct metrics metrics;
	struct gather gather;
	struct sums sums;               /* of the whole range, scaled */
	struct io_port *port;           /* by address */
	unsigned nport;
	struct node_view view;          /* ask.view, or @io */
	/* metrics of the view's table of payload, which each part of a stack has,
	 * in GB/s */
	const struct view_item *way;
	unsigned nway;
};

/*
 * io_page_open - open a dump and read the range that is asked for.  Its metrics are
 * those that are built in for the CPU; some CPUs have those of I/O in a list apart.
 *
 * Returns 0, or -errno with words in why (without words: -ENOMEM).  A range without
 * two samples is an error.  Call io_page_close in any case.
 */
int io_page_open(struct io_page *, const char *path, const struct gather_ask *,
    struct diag *why);
/* io_page_load - as io_page_open, but no sample is read, and no metric is bound. */
int io_page_load(struct io_page *, const char *path, const struct gather_ask *,
    struct diag *why);
void io_page_close(struct io_page *);

/* io_ports - list the ports of the node by address: *port, which the caller frees, has
 * *n of them.  0 or -ENOMEM. */
int io_ports(const struct reader *, struct io_port **port, unsigned *n);

/* io_bind - bind a metric, unless it is bound.  Returns its number in the binding,
 * -ENOENT where there is no such metric. */
int io_bind(struct io_page *, const char *name);

/* io_figure - the value of a metric: of a stack, of a package (stack is -1) or of the
 * node (pkg is -1).  NaN: it is not available. */
struct figure io_figure(struct io_page *, const char *name, int pkg,
    int stack);
/* io_missing - why the dump cannot have a metric: its first input that is missing, or
 * "not a metric of this CPU".  NULL: it can. */
const char *io_missing(struct io_page *, const char *name);

/* io_stack_name - the name of a stack: "PCIe0", or "stack 3" where the dump has none. */
const char *io_stack_name(const struct gather *, unsigned pkg,
    unsigned stack, char *buf, size_t size);
/* io_stack_metric - the name of a stack's metric, given that of a PCIe stack: "pcie_in_read" of
 * PCIe, "stack_in_read" of others (CBDMA, MCP). */
const char *io_stack_metric(const struct io_page *, const char *pcie, int pkg,
    int stack, char *buf, size_t size);
/* io_stacks - how many stacks a package has, by the columns and names in the dump. */
unsigned io_stacks(const struct gather *);
/* io_port_at - the port that is on a part of a stack; NULL: none. */
const struct io_port *io_port_at(const struct io_page *, int pkg, int stack,
    int part);

/* Payload through a part of a stack, GB/s. */
struct io_flow {
	struct figure of[IO_WAYS];      /* [page.nway] of each way */
	struct figure total;    /* the sum over the ways that are known; NaN: none is */
	struct figure link;     /* % of what the link can carry in both directions;
	                         * NaN: that is not known */
};
struct io_flow io_flow(struct io_page *, const struct io_port *, int pkg,
    int stack, int part);

/* ---- an I/O unit: a stack with its IRP ------------------------------------- */

/* What is known of a unit's hits and misses in the L3.  The CHAs, which count them, do
 * not tell units apart. */
struct io_l3 {
	struct figure figure;   /* of the package; NaN also where the unit has no
	                         * such requests, or where it is not known whether
	                         * it has */
	double share;           /* this unit's part of the package's inbound reads
	                         * (or writes), 0 to 1 */
	double lo, hi;          /* %: bounds of the unit's own figure */
};

/* io_l3_metric - is it a metric of the L3 (io_l3_...)?
 * io_unit_l3 - what is known of such a metric for a unit. */
bool io_l3_metric(const char *metric);
struct io_l3 io_unit_l3(struct io_page *, const char *metric, int pkg,
    int stack);

/* io_unit_event - the box of a unit that counts the event of a series: "iio", "irp" or
 * "m2pcie"; *event becomes the event's name.  NULL: units do not count it. */
const char *io_unit_event(const struct series *, const char **event);

/* io_unit_count - the count of a unit, with its standard error, scaled to all of the
 * time where it was counted for a part (figure.ran below 1).  NaN: it is not known, or
 * there is no such unit. */
struct figure io_unit_count(const struct io_page *, const struct series *,
    int pkg, int stack);

/* ---- what the I/O report shows, however it is printed ---------------------- */

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
	const char *unit[2];    /* of what is above and below the line */
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

/* io_report_view - the whole report, as a page or as rows; its argument is a struct
 * io_view. */
extern const struct view io_report_view;

#endif
