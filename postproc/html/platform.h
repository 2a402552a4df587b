/*
 * postproc/html/platform.h - the node as a drawing: a box a package, with its cores,
 * caches, memory channels, links and I/O, each with its load as a number and as a
 * colour; of a Grace its fabric, of an Atom C2000 its modules and fabrics.
 *
 * The picture is of all samples and needs no script; config/page/platform.js
 * changes numbers and colours to those of a stretch.
 */
#ifndef POSTPROC_HTML_PLATFORM_H
#define POSTPROC_HTML_PLATFORM_H

#include "postproc/html/timeline.h"
#include "postproc/data/dump_node.h"
#include "postproc/pages/report.h"

#define PART_LINES 8            /* most that one number is the sum of: ports */
#define PART_MORE 6

/* Where a part stands in the drawing of its package, in the order of the words of
 * the view (VIEW_PART). */
enum part_place {
	PLACE_TITLE,            /* beside the package's name */
	PLACE_ABOVE,            /* links to others */
	PLACE_BESIDE,           /* memory, on both sides */
	PLACE_CORES, PLACE_MODULES, PLACE_CACHES, PLACE_SLICES,
	PLACE_INSIDE,           /* memory on the package: HBM */
	PLACE_BELOW,
	PLACE_STACKS,           /* rows of two: into it, out of it */
	PLACES
};

/* A metric at one unit: of the report, and its line. */
struct part_ref {
	unsigned bound;
	enum scope scope;
	unsigned n;
	const struct line *line;        /* NULL: no stretch can be asked for */
};

struct node_part {
	const struct view_line *kind;
	enum part_place place;
	unsigned pkg;
	char label[64];
	char what[200];         /* with words: "Core 0/3, lprocs 3 51" */
	struct part_ref number[PART_LINES], load, more[PART_MORE];
	unsigned nnumber, nmore;        /* 0: not measured, */
	bool loaded;            /* there is a load */
	char missing[120];      /* and why */
};

struct platform {
	struct page *page;
	const struct timeline *timeline;
	struct node_part *part;      /* by package, then by place */
	unsigned n, room;
	bool freerun;           /* of platform_find: by counters that always run */
	unsigned undrawn;       /* devices that there is no room for */
	double most[PLACES];    /* that any without a load had in a bucket */
	double dram_full;       /* what a channel of DRAM can do, in the unit of */
	struct peak dram_peak;  /* its number; 0: not known; and whence it is */
};

/* platform_find - all parts.  0 or -ENOMEM; platform_fini accepts either. */
int platform_find(struct platform *, struct page *, const struct timeline *);
void platform_fini(struct platform *);

/* platform_put - the section of the page.  0 or -ENOMEM. */
int platform_put(struct page *, const struct timeline *, FILE *);

/* What a picture is drawn with, and a part of its plane. */
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

/* What the colour of a part is a share of: of what it can do, where that is known;
 * else it is grey, and beside the most that any of its kind had. */
enum part_colour { COLOUR_NONE, COLOUR_OF_PEAK, COLOUR_OF_MOST };

/* part_put - a part, drawn; part_colour - what its colour is, and in *full the
 * value of the last level; part_metric - what a number of it is of. */
void part_put(struct pen *, const struct node_part *, struct area);
enum part_colour part_colour(const struct platform *, const struct node_part *,
    double *full);
const struct metric *part_metric(const struct platform *,
    const struct part_ref *);

/*
 * For platform_find.
 *
 * platform_place   the place that a statement of the view names
 * platform_add     adds a part; NULL: no memory
 * platform_ref     finds a metric at the unit `where`, which may be window out->n;
 *                  false: it has none there
 * platform_why     writes why none of the metrics of a kind can be had
 */
enum part_place platform_place(const struct view_line *);
struct node_part *platform_add(struct platform *, const struct view_line *,
    unsigned pkg);
bool platform_ref(struct platform *, const char *metric, enum scope,
    const char *where, struct part_ref *);
void platform_why(struct platform *, const struct view_line *, char *buf,
    size_t size);

#endif
