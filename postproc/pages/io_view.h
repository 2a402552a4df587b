/*
 * postproc/pages/io_view.h - what the I/O report shows, however it is printed: which
 * figures of packages and stacks, which devices, and what is to be doubted.
 */
#ifndef POSTPROC_PAGES_IO_VIEW_H
#define POSTPROC_PAGES_IO_VIEW_H

#include "postproc/pages/io_page.h"

#include <stdio.h>

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
	struct flow_line *line;
	unsigned nline;
	char note[MAX_NOTES][200];
	unsigned nnote;
};

/* io_view_value - a figure of a stack (pkg, stack), a package (pkg, -1) or the
 * node (-1, -1). */
struct figure io_view_value(struct io_view *, const char *metric, int pkg,
    int stack);

/* io_view_flag - ' ' sound, '!' outside its range, '?' by too few events, '*'
 * incomplete; the first two of these leave a note. */
char io_view_flag(struct io_view *, const char *metric, struct figure,
    int pkg, int stack);

/* io_view_find - the lines of devices, by traffic.  0, or -1 without memory. */
int io_view_find(struct io_view *);

/* io_view_place - of a device: "0/PCIe0 part 2". */
void io_view_place(const struct io_view *, const struct flow_line *,
    char *buf, size_t size);

/* io_view_text - print all of it as a page. */
void io_view_text(struct io_view *, FILE *f);

#endif
