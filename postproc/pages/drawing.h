/*
 * postproc/pages/drawing.h - a node as a drawing in text, 100 columns wide: a box a
 * package, a line for what is in it.
 */
#ifndef POSTPROC_PAGES_DRAWING_H
#define POSTPROC_PAGES_DRAWING_H

#include "postproc/gather/why_not.h"
#include "postproc/io/io_page.h"

struct drawing {
	struct io_page io;
	FILE *f;
	double dram_max;        /* bytes/s by hand, 0: none */
	bool marked;            /* a figure lacks some, or cannot be */
	bool in_part;           /* one is of the parts that were counted */
	bool of_channel;        /* one is beside what a DRAM channel can do */
	struct why_not why_not;
};

/* draw_line - a line inside a box, cut or filled up to its width; draw_edge -
 * above and below, with a title or "". */
void draw_line(struct drawing *, const char *, ...)
    __attribute__((format(printf, 2, 3)));
void draw_edge(struct drawing *, const char *title);

/* draw_gauge - "[####......]  38.2 %" of a figure in %; draw_figure - eight
 * characters, its mark among them: GB/s with three decimals; draw_decimals -
 * with so many.  All note what the page has to say of it, and return buf. */
const char *draw_gauge(struct drawing *, char *buf, size_t size, struct figure);
const char *draw_figure(struct drawing *, char *buf, size_t size,
    struct figure);
const char *draw_decimals(struct drawing *, char *buf, size_t size,
    struct figure, int decimals);

/* draw_cores - a character each; where there is no utilisation, by their cycles
 * beside those of the busiest. */
void draw_cores(struct drawing *, unsigned pkg);

/* draw_lines - the lines that the view has of a package. */
void draw_lines(struct drawing *, unsigned pkg);

#endif
