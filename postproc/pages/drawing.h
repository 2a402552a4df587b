/*
 * postproc/pages/drawing.h - a node drawn as text, 100 columns wide: a box for each
 * package, with a line for each kind of its parts.
 */
#ifndef POSTPROC_PAGES_DRAWING_H
#define POSTPROC_PAGES_DRAWING_H

#include "postproc/metrics/figure_notes.h"
#include "postproc/pages/io_page.h"

struct drawing {
	struct io_page io;
	FILE *f;
	double dram_max;        /* bytes/s, by --dram-max; 0: not given */
	/* what the lines below the drawing have to explain: */
	bool marked;            /* a figure lacks units or deltas, or cannot be */
	bool in_part;           /* a sum is of the parts that were counted */
	bool of_channel;        /* a gauge shows a share of a DRAM channel's peak */
	struct why_not why_not; /* why figures are n/a */
};

/* draw_line - write a line inside a box, cut or padded to its width.
 * draw_edge - write its upper or lower edge, with a title or "". */
void draw_line(struct drawing *, const char *, ...)
    __attribute__((format(printf, 2, 3)));
void draw_edge(struct drawing *, const char *title);

/* draw_gauge - format a figure in %: "[####......]  38.2 %".
 * draw_figure - format a figure with three decimals, in eight characters including its
 * mark.
 * Both note what the page has to explain of the figure, and return buf. */
const char *draw_gauge(struct drawing *, char *buf, size_t size, struct figure);
const char *draw_figure(struct drawing *, char *buf, size_t size,
    struct figure);

/* draw_cores - draw the cores of a package, a character each: their utilisation; where
 * that is not counted, their cycles relative to those of the busiest core. */
void draw_cores(struct drawing *, unsigned pkg);

/* draw_lines - draw the lines that the view has for a package. */
void draw_lines(struct drawing *, unsigned pkg);

#endif
