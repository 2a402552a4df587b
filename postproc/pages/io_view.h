/*
 * postproc/pages/io_view.h - what the I/O report shows, however it is printed: which
 * figures of packages and stacks, which devices, and which are doubtful.
 */
#ifndef POSTPROC_PAGES_IO_VIEW_H
#define POSTPROC_PAGES_IO_VIEW_H

#include "postproc/out/table.h"
#include "postproc/pages/io_page.h"
#include "postproc/pages/why_not.h"

#define MAX_NOTES 64

/* A line of a package, in order. */
struct io_line {
	const char *title, *metric;
	int decimals;
};

struct io_column {
	const char *head, *unit, *metric;
	int decimals;
};

extern const struct io_line io_lines[];
extern const size_t io_nline;
extern const struct io_column io_columns[];
extern const size_t io_ncolumn;

/* A device, or a part with traffic and no device. */
struct flow_line {
	const struct io_port *port;     /* NULL: nobody is listed there */
	int pkg, stack, part;
	struct io_flow flow;
};

struct io_view {
	struct io_page page;
	double dram_max;        /* bytes/s by hand, 0: none */
	bool incomplete;        /* a '*' was printed */
	struct why_not why_not; /* what is n/a ("-") */
	struct flow_line *line;
	unsigned nline;
	char note[MAX_NOTES][200];
	unsigned nnote;
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

struct figure io_view_value(struct io_view *, const char *metric,
    struct io_at);

/* io_view_flag - ' ' sound, '!' outside its range, '?' by too few events, '*'
 * incomplete; the first two of these leave a note. */
char io_view_flag(struct io_view *, const char *metric, struct figure,
    struct io_at);

/* io_view_place - of a device: "0/PCIe0 part 2". */
void io_view_place(const struct io_view *, const struct flow_line *,
    char *buf, size_t size);

/* io_view_text - print all of it as a page. */
void io_view_text(struct io_view *, FILE *f);

/* io_report_view - all of it, as page or rows; what is put is the io_view. */
extern const struct view io_report_view;

#endif
