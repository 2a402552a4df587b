/*
 * postproc/html/roofline.h - FLOP/s against arithmetic intensity, below ceilings that
 * were measured or are computed, of the node and its packages.
 */
#ifndef POSTPROC_HTML_ROOFLINE_H
#define POSTPROC_HTML_ROOFLINE_H

#include "postproc/data/dump_node.h"
#include "postproc/html/timeline.h"
#include "postproc/pages/report.h"

#define ROOF_CEILINGS 8

/* Of DRAM, GB/s; or of the cores, GFLOP/s. */
struct ceiling {
	const char *text, *note;
	double value;
	bool memory;
	enum peak_source source;
};

/* ceiling_seen - somebody has measured it; else it is computed. */
bool ceiling_seen(const struct ceiling *);
/* ceiling_word - "measured", "given", "probed", "table". */
const char *ceiling_word(const struct ceiling *);

/* One window of the node. */
struct roof {
	char name[48];          /* "node", "package 1" */
	const struct line *flops, *intensity;
	double x, y;            /* FLOP/byte and GFLOP/s of all; NaN: none */
	struct ceiling ceiling[ROOF_CEILINGS];
	unsigned n;
	/* those that bound it: the highest of the cores, and of DRAM what was
	 * measured, else the highest; NaN: none is known */
	double compute, memory;
};

/* roof_bound - the most GFLOP/s at an intensity; NaN: not known. */
double roof_bound(const struct roof *, double intensity);

/* roof_svg - a picture, log-log: its points are buckets of time.  Returns how many
 * have none: nothing was computed or moved, or so little that the axes end above. */
unsigned roof_svg(const struct roof *, const struct timeline *, FILE *);

/* roofline_put - writes the section of the page, or a line that says what to count;
 * nothing where the view has no roofline. */
void roofline_put(struct page *, const struct timeline *, FILE *);

#endif
