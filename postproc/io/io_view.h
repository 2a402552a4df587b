/*
 * postproc/io/io_view.h - what the I/O report shows, however it is printed: which
 * figures of packages and stacks, which devices, and which are doubtful.
 */
#ifndef POSTPROC_IO_IO_VIEW_H
#define POSTPROC_IO_IO_VIEW_H

#include "postproc/gather/why_not.h"
#include "postproc/io/io_unit.h"
#include "postproc/out/table.h"

#define MAX_DOUBTS 72           /* ratios, of two kinds, in three scopes */

/* A figure of a stack: an item of a table of the view. */
struct io_column {
	enum io_table { IO_PAYLOAD, IO_L3, IO_LATENCY, IO_TABLES } table;
	const char *head, *unit, *metric;
	int decimals;
};

/* A device, or a part with traffic and no device. */
struct flow_line {
	const struct io_port *port;     /* NULL: nobody is listed there */
	int pkg, stack, part;
	struct io_flow flow;
};

/* Why figures of one metric are doubtful: of where, and from what to what they
 * and the events behind them are.  Of several stacks it is one doubt. */
struct io_doubt {
	const struct view_line *ratio;
	const char *metric;     /* one of its items */
	enum scope scope;       /* of a stack, a package, the node */
	bool few;               /* by too few events; else it cannot be */
	unsigned n;
	bool left_out;          /* more places than have room in where */
	double value[2], num[2], den[2];
	char first[64], where[400];     /* "package 0 PCIe1"; "0/PCIe1, ..." */
};

struct io_view {
	struct io_page page;
	struct io_column *column;       /* [ncolumn] */
	unsigned ncolumn;
	bool stacks;            /* the CPU's list has a figure of a stack */
	double dram_max;        /* bytes/s by hand, 0: none */
	bool incomplete;        /* a '*' was printed */
	bool of_package;        /* a '~' was printed */
	struct why_not why_not; /* what is n/a ("-") */
	struct flow_line *line;
	unsigned nline;
	struct io_doubt doubt[MAX_DOUBTS];
	unsigned ndoubt;
};

/* Which figure: of a stack, of a package (stack -1) or of the node (both). */
struct io_at {
	int pkg, stack;
};
#define IO_AT_NODE (struct io_at){ -1, -1 }
#define IO_AT_PACKAGE(k) (struct io_at){ (int)(k), -1 }
#define IO_AT_STACK(k, s) (struct io_at){ (int)(k), (int)(s) }

/* io_view_open - a dump, with its lines of devices, by traffic; parameters as
 * of io_page_open.  Returns 0 or -errno with words in why (where there are
 * none, -ENOMEM); io_view_close accepts either. */
int io_view_open(struct io_view *, const char *path, const struct gather_ask *,
    struct diag *why);
void io_view_close(struct io_view *);

/* io_view_row - the row after this one (NULL: the first) that is shown; NULL: none
 * is left.  A CPU that counts by stacks shows also which rows it lacks, but for
 * those that the view calls rare. */
const struct view_line *io_view_row(const struct io_view *,
    const struct view_line *);
struct figure io_view_value(struct io_view *, const char *metric,
    struct io_at);

/* io_view_flag - ' ' sound, '!' outside its range, '?' by too few events, '~' of
 * the package rather than of the stack, '*' incomplete; what is to be said of it,
 * or "", goes into note.  io_view_doubt - the same, and the first two are doubts
 * of the view. */
char io_view_flag(struct io_view *, const char *metric, struct figure,
    struct io_at, char *note, size_t size);
char io_view_doubt(struct io_view *, const char *metric, struct figure,
    struct io_at);
/* io_doubt_text - "io_conflicts of package 0 PCIe1 is 200, which cannot be: ...",
 * or of "12 stacks". */
void io_doubt_text(const struct io_doubt *, char *buf, size_t size);

/* io_view_place - of a device: "0/PCIe0 part 2". */
void io_view_place(const struct io_view *, const struct flow_line *,
    char *buf, size_t size);

/* io_devices_text, io_counts_text - two parts of the page: devices, by traffic;
 * what each stack counted, by event. */
void io_devices_text(struct io_view *, FILE *f);
void io_counts_text(struct io_view *, FILE *f);
/* io_word - one more of a list that stands at *col; where the line would be longer
 * than 100 columns, on the next. */
void io_word(FILE *f, unsigned *col, const char *comma, const char *word);
/* io_number - of so many decimals, or where they would all be 0 of two digits. */
void io_number(FILE *f, double v, int width, int decimals);

/* io_view_text - print all of it as a page. */
void io_view_text(struct io_view *, FILE *f);

/* io_report_view - all of it, as page or rows; what is put is the io_view. */
extern const struct view io_report_view;

#endif
