/*
 * postproc/pages/plot.h - metrics over time, drawn with characters: of each point
 * in time the least and the most of what is there, so that no spike is lost.
 */
#ifndef POSTPROC_PAGES_PLOT_H
#define POSTPROC_PAGES_PLOT_H

#include <stdio.h>

#include "postproc/data/select.h"
#include "postproc/gather/gather.h"

/* A figure over time. */
struct plot_line {
	uint32_t bound;
	struct window window;
	char where[64];
	double *value;          /* [plot.n]; NaN: n/a then */
	unsigned room;
	bool any;               /* one is not */
	double whole;           /* figure_part of those that are not */
	unsigned lesser;        /* so many were of less, and are not drawn */
};

struct plot {
	struct metrics metrics;
	struct gather gather;
	double *at;             /* [n] s after the first sample, when a value ends */
	unsigned n, room;
	double begin;           /* s after the first sample: of the range */
	struct plot_line *line;
	unsigned nline, line_room;
	char why[200];          /* the first reason of an n/a; or "" */
};

struct plot_ask {
	struct gather_ask in;
	struct patterns names;
	unsigned scopes;        /* a bit each */
	const char *where;      /* of one window alone; NULL: of all */
	double every;           /* s a value; 0: each interval, or whole round */
	unsigned width, height; /* characters of the drawing itself */
	bool utf8;              /* braille, else ASCII */
};

/* plot_read - all values.  0, -ENOENT where no metric has that name, scope and
 * place, or -errno, with words in why; plot_free accepts either. */
int plot_read(struct plot *, const char *path, const struct plot_ask *,
    struct diag *why);
void plot_free(struct plot *);

/* plot_draw - a drawing a line. */
void plot_draw(const struct plot *, const struct plot_ask *, FILE *);

#endif
