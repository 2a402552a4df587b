/*
 * postproc/pages/plot.h - metrics over time, drawn with characters.  A character shows
 * the least and the greatest of its values, so that no spike is lost.
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
	double *value;          /* [plot.n]; NaN: n/a */
	unsigned room;
	bool any;               /* there is a value */
	double whole;           /* how complete values are: figure_part */
	unsigned lesser;        /* values that were less complete: not drawn */
};

struct plot {
	struct metrics metrics;
	struct gather gather;
	double *at;             /* [n] when a value ends, s after the first sample */
	unsigned n, room;
	double begin;           /* when the range begins, s after the first sample */
	struct plot_line *line;
	unsigned nline, line_room;
	char why[200];          /* the first reason why a value is n/a; or "" */
};

struct plot_ask {
	struct gather_ask in;
	struct patterns names;
	unsigned scopes;        /* 1 << enum scope, of those that are wanted */
	const char *where;      /* the only window that is wanted; NULL: all */
	double every;           /* seconds per value; 0: one per interval, or per
	                         * round of event sets */
	unsigned width, height; /* characters of one drawing */
	bool utf8;              /* draw with braille, else with ASCII */
};

/* plot_read - read all values.  0, -ENOENT where no metric has that name, scope and
 * place, or -errno, with words in why; call plot_free in any case. */
int plot_read(struct plot *, const char *path, const struct plot_ask *,
    struct diag *why);
void plot_free(struct plot *);

/* plot_draw - write a drawing for each line. */
void plot_draw(const struct plot *, const struct plot_ask *, FILE *);

#endif
