/*
 * postproc/html/roofline.h - the roofline model of the node and its packages: FLOP/s
 * against arithmetic intensity, below ceilings that were measured or computed.
 */
#ifndef POSTPROC_HTML_ROOFLINE_H
#define POSTPROC_HTML_ROOFLINE_H

#include "postproc/data/dump_node.h"
#include "postproc/html/timeline.h"
#include "postproc/pages/report.h"

#define ROOF_CEILINGS 8

/* A bound of performance. */
struct ceiling {
	const char *text, *note;
	double value;           /* GB/s of memory, else GFLOP/s of the cores */
	bool memory;
	enum peak_source source;
};

/* ceiling_seen - was it measured?  Else it is computed. */
bool ceiling_seen(const struct ceiling *);
/* ceiling_word - its source: "measured", "given", "probed", "table". */
const char *ceiling_word(const struct ceiling *);

/* The model of the node or of a package. */
struct roof {
	char name[48];          /* "node", "package 1" */
	const struct line *flops, *intensity;   /* over time */
	double x, y;            /* of all samples: FLOP/byte, GFLOP/s; NaN: n/a */
	struct ceiling ceiling[ROOF_CEILINGS];
	unsigned n;
	/* the ceilings that bound it: the highest of the cores, GFLOP/s; of DRAM,
	 * GB/s, the one that was measured, else the highest; NaN: not known */
	double compute, memory;
};

/* roof_bound - the greatest possible GFLOP/s at an intensity; NaN: not known. */
double roof_bound(const struct roof *, double intensity);

/* roof_svg - draw it, with logarithmic axes and a point for each bucket of time.
 * Returns how many buckets have no point: nothing was computed or moved, or so little
 * that the axes do not reach down to it. */
unsigned roof_svg(const struct roof *, const struct timeline *, FILE *);

/* roofline_put - write the section of the page; where its events were not counted, a
 * line that says what to count; where the view has no roofline, nothing. */
void roofline_put(struct page *, const struct timeline *, FILE *);

#endif
