/*
 * postproc/html/parts.h - parts of the page about a dump: its phases, pictures over time,
 * roofline, and the node drawn.
 */
#ifndef POSTPROC_HTML_PARTS_H
#define POSTPROC_HTML_PARTS_H

#include <stdio.h>

#include "postproc/data/dump_node.h"
#include "postproc/html/timeline.h"
#include "postproc/pages/report.h"

/* ---- the phases of a run ------------------------------------------------- */

/* A phase of a run: from one mark of the head to the next. */
struct phase {
	unsigned mark;          /* its number: -s @MARK */
	uint64_t first, last;   /* its samples, as far as the timeline has them */
	double from, to;        /* s after the dump's first sample */
};

struct phases {
	struct phase *phase;
	unsigned n;
	double from, to;        /* of the timeline */
};

/* phases_find - find the phases that are in the timeline.  0 or -ENOMEM; call
 * phases_free in any case; it accepts zeros. */
int phases_find(struct phases *, const struct reader *, const struct timeline *);
void phases_free(struct phases *);

/* phases_put - write a strip with their names, which scripts turn into buttons, and a
 * table; nothing where there are no phases. */
void phases_put(const struct phases *, FILE *);
/* phases_bands - draw the phases as bands behind the lines of a picture of that size.
 * phases_names - write their names above the picture. */
void phases_bands(const struct phases *, FILE *, double width, double height);
void phases_names(const struct phases *, FILE *);
/* phases_json - write "phases":[[mark, first, last, from, to], ...]. */
void phases_json(const struct phases *, FILE *);

/* ---- metrics over time ---------------------------------------------------
 *
 * Pictures as inline SVG, which need no script: axes with ticks, a legend with the
 * figures of all samples, and the phases of the run as bands behind the lines.
 */

#define STILL_LINES 8           /* as many as there are colours */

/* A picture: some lines of one unit, and their names in the legend. */
struct still_chart {
	const char *title;
	const struct line *line[STILL_LINES];
	char name[STILL_LINES][60];
	unsigned n;
};

#define GLANCES 12              /* at most */

/* The timelines that are looked at first: busy, floating point or instructions, memory, power,
 * frequency, I/O.  The view has them as questions, each with metrics that may answer it.  There
 * is a still_chart for each question; its n is 0 where the dump has none of the metrics. */
struct glance {
	struct still_chart still[GLANCES];
	unsigned n;
};

/* glance_find - take the first answer to each question that the dump has.
 * glance_put - draw them.
 * glance_put_others - draw other main metrics, unless they are always 0.
 * glance_json - write "glance":[{"title","lines":[[line, name], ...]}, ...], for the
 * script. */
void glance_find(struct glance *, const struct timeline *);
void glance_put(const struct glance *, const struct timeline *,
    const struct phases *, FILE *);
void glance_put_others(const struct glance *, const struct timeline *,
    const struct phases *, FILE *);
void glance_json(const struct glance *, const struct timeline *, FILE *);

/* ---- the roofline model --------------------------------------------------
 *
 * FLOP/s of the node and its packages against arithmetic intensity, below ceilings that
 * were measured or computed.
 */

#define ROOF_CEILINGS 8

/* A bound of performance. */
struct ceiling {
	const char *text, *note;
	double value;           /* GB/s of memory, else GFLOP/s of the cores */
	bool memory;
	enum peak_source source;
};

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

/* roofline_put - write the section of the page; where its events were not counted, a
 * line that says what to count; where the view has no roofline, nothing. */
void roofline_put(struct page *, const struct timeline *, FILE *);

/* ---- the drawing of a node -----------------------------------------------
 *
 * A box for each package, with its cores, caches, memory channels, links and I/O, each
 * with its load as a number and as a colour; of a Grace its fabric, of an Atom C2000 its
 * modules and fabrics.
 *
 * The picture shows figures of all samples and needs no script.  Where a stretch of time
 * is selected, config/page/platform.js puts in the numbers and colours of that.
 */

#define PART_LINES 8            /* a number is the sum of so many metrics at most:
                                 * the ports of a stack */
#define PART_MORE 6             /* further figures of a part, at most */

/* Where a part stands in the drawing of its package; in the order of the words of a
 * `part` of the view. */
enum part_place {
	PLACE_TITLE,            /* beside the package's name */
	PLACE_ABOVE,            /* links to others */
	PLACE_BESIDE,           /* memory, on both sides */
	PLACE_CORES, PLACE_MODULES, PLACE_CACHES, PLACE_SLICES,
	PLACE_INSIDE,           /* memory on the package: HBM */
	PLACE_BELOW,
	PLACE_STACKS,           /* a row each of two parts: into it, out of it */
	PLACES
};

/* A metric at one unit. */
struct part_ref {
	unsigned bound;         /* number in the binding of the page */
	enum scope scope;
	unsigned n;             /* which window of that scope */
	const struct line *line;        /* its values over time; NULL: none, so the
	                         * part has no figure of a stretch */
};

struct node_part {
	const struct view_line *kind;   /* the statement of the view */
	enum part_place place;
	unsigned pkg;
	char label[64];         /* in the drawing */
	char what[200];         /* on hover: "Core 0/3, lprocs 3 51" */
	/* its number is the sum of `number`, its colour the value of `load` */
	struct part_ref number[PART_LINES], load, more[PART_MORE];
	unsigned nnumber, nmore;        /* nnumber is 0: it was not measured */
	bool loaded;            /* it has a `load` */
	char missing[120];      /* why it was not measured */
};

struct platform {
	struct page *page;
	const struct timeline *timeline;
	struct node_part *part;      /* by package, then by place */
	unsigned n, room;
	bool freerun;           /* for platform_find: the present kind is measured
	                         * by free-running counters */
	unsigned undrawn;       /* devices that there is no room for */
	double most[PLACES];    /* the greatest number in any bucket, of the parts
	                         * of a place that have no load */
	double dram_full;       /* what a channel of DRAM can transfer, in the unit
	                         * of its number; 0: not known */
	struct peak dram_peak;  /* the source of that */
};

/* platform_find - find all parts.  0 or -ENOMEM; call platform_fini in any case. */
int platform_find(struct platform *, struct page *, const struct timeline *);
void platform_fini(struct platform *);

/* platform_put - write the section of the page.  0 or -ENOMEM. */
int platform_put(struct page *, const struct timeline *, FILE *);

/* What a picture is drawn with, and a rectangle of it. */
struct pen {
	struct platform *d;
	FILE *f;
	unsigned pkg;
	double y;               /* where the next row begins */
};

struct area {
	double x, y, width, height;
};

#define PART_LEVELS 10          /* classes l0 to l10, and r0 to r10, of page.css */

/* What the colour of a part shows: nothing; its number as a share of what the part can do; or,
 * where that is not known, in grey, its number as a share of the greatest one that any part of
 * that place had. */
enum part_colour { COLOUR_NONE, COLOUR_OF_PEAK, COLOUR_OF_MOST };

/* part_put - draw a part.
 * part_colour - what its colour shows; *full: the number that has the brightest colour.
 * part_metric - the metric of one of its figures. */
void part_put(struct pen *, const struct node_part *, struct area);
enum part_colour part_colour(const struct platform *, const struct node_part *,
    double *full);
const struct metric *part_metric(const struct platform *,
    const struct part_ref *);

/*
 * For platform_find.
 *
 * platform_place   returns the place that a statement of the view names
 * platform_add     adds a part; NULL: no memory
 * platform_ref     finds a metric at the unit called `where`; out->n is a guess of its
 *                  window.  False: the metric has no such unit
 * platform_why     writes why no metric of a statement is available
 */
enum part_place platform_place(const struct view_line *);
struct node_part *platform_add(struct platform *, const struct view_line *,
    unsigned pkg);
bool platform_ref(struct platform *, const char *metric, enum scope,
    const char *where, struct part_ref *);
void platform_why(struct platform *, const struct view_line *, char *buf,
    size_t size);

#endif
