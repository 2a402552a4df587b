/*
 * postproc/html/nodes.h - many nodes beside each other: of each its figures, its
 * metrics over time, and how far it stands out.
 *
 * A node is compared with those of its own CPU.  Memory: nodes x metrics x
 * buckets, four bytes each; a dump is not kept, nor its columns.
 */
#ifndef POSTPROC_HTML_NODES_H
#define POSTPROC_HTML_NODES_H

#include "postproc/html/html_page.h"
#include "postproc/metrics/statistics.h"
#include "postproc/many/differ.h"

/* A metric that a node has. */
struct node_metric {
	unsigned metric;        /* of nodes.metric */
	double value;           /* of all of the range; of what adds up a second's;
	                         * NaN: n/a */
	double score;           /* spread_score; NaN: none */
	float *at;              /* [buckets], NaN: none */
};

struct nodes_node {
	char *name;             /* its host; of one more dump of that, its path */
	char *file;             /* of its page, in the folder of the index; */
	char *page;             /* or the page, where one file has all of them */
	size_t page_size;
	struct traits traits;
	double wall_first;      /* s since 1970; 0: no wall clock */
	double first, seconds;  /* s on the dump's own time; that were measured */
	uint64_t samples, left_out, findings;
	struct node_metric *metric;
	unsigned nmetric;
	float *from, *to;       /* [buckets] s since `first` */
	unsigned n;             /* buckets */
	unsigned worst;         /* of its metrics, the one that stands out most; */
	double score;           /* how much; NaN: too few nodes of its CPU */
	unsigned nfar;          /* metrics that stand out */
};

struct nodes_metric {
	char *name, *unit, *text;
	struct spread spread;   /* over all nodes that have it, whatever their CPU */
};

struct nodes {
	struct nodes_node *node;      /* in the order of scores, after nodes_judge */
	unsigned n, room;
	unsigned buckets;       /* of a node, at most */
	struct nodes_metric *metric;
	unsigned nmetric, metric_room;
};

/* nodes_init - for so many nodes.  nodes_fini frees all. */
void nodes_init(struct nodes *, unsigned n);
void nodes_fini(struct nodes *);

/* nodes_take - one more, of its page that was read from path; 0 or -ENOMEM. */
int nodes_take(struct nodes *, struct html_page *, const char *path);

/* nodes_judge - when all are there: scores and their order; 0 or -ENOMEM. */
int nodes_judge(struct nodes *);

/* nodes_metric_of - what a node has of a metric; NULL: nothing. */
const struct node_metric *nodes_metric_of(const struct nodes_node *, unsigned metric);

/* nodes_span - the first and the last moment of all that have a wall clock, in
 * seconds since 1970; of nodes without one only: from 0.  nodes_longest - how
 * long the longest of them lasts.  nodes_apart - are they at such different times
 * that little would be seen of each? */
void nodes_span(const struct nodes *, double *from, double *to);
double nodes_longest(const struct nodes *);
bool nodes_apart(const struct nodes *);

/* Nodes against time: config/page/nodes.js says what is made of it. */

/* nodes_heat_metric - the one that is shown first; x->nmetric: there is none. */
unsigned nodes_heat_metric(const struct nodes *);

/* nodes_heat_still - of a metric, nodes from top to bottom in their order. */
void nodes_heat_still(const struct nodes *, unsigned metric, FILE *);

/*
 * nodes_heat_json - members of an object, without its braces:
 *
 *	"begin", "end"  s since 1970, the axis of wall clocks
 *	"align"         "wall": by wall clocks; "start": each since its beginning
 *	"first"         the metric that is shown first
 *	"metrics"       name, unit, text, lo, hi
 *	"nodes"         name, href, begin (s since 1970; null: no wall clock),
 *	                from, to: of its buckets, s since then, base64 of
 *	                binary32; v: by metric, base64 of a byte a bucket: 0:
 *	                none, 1 to 255: lo to hi
 *
 * embedded  pages are in this file (href "#node-N"), else files beside it; none
 *           at all: an href of null
 * Returns 0, or -ENOMEM.
 */
enum node_pages { PAGES_NONE, PAGES_HERE, PAGES_BESIDE };
int nodes_heat_json(const struct nodes *, enum node_pages, FILE *);

/* The page about them. */

/* Dumps that there is nothing of, as words: which, and why. */
struct nodes_lost {
	char **text;
	unsigned n, room;
};

/* nodes_page_put - after nodes_judge; pages in the file are node.page.  0, or
 * -ENOMEM. */
int nodes_page_put(const struct nodes *, enum node_pages,
    const struct nodes_lost *, FILE *);

#endif
