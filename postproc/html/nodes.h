/*
 * postproc/html/nodes.h - the page of many nodes: the figures of each, its metrics over
 * time, and how far it stands out.
 *
 * A node is compared with nodes of the same CPU model.  Memory: four bytes per node,
 * metric and bucket; neither a dump nor its columns are kept.
 */
#ifndef POSTPROC_HTML_NODES_H
#define POSTPROC_HTML_NODES_H

#include "postproc/html/html_page.h"
#include "postproc/metrics/statistics.h"
#include "postproc/many/differ.h"

/* A metric of one node. */
struct node_metric {
	unsigned metric;        /* number in nodes.metric */
	double value;           /* over the whole range; of a metric that adds up
	                         * (metric_adds) per second; NaN: n/a */
	double score;           /* spread_score; NaN: none */
	float *at;              /* [buckets] its values over time; NaN: none */
};

struct nodes_node {
	char *name;             /* its host; of a second dump of that host the
	                         * dump's path */
	/* the page about this node: its file in the folder of the index, or the
	 * page itself where one file has all of them */
	char *file;
	char *page;
	size_t page_size;
	struct traits traits;
	double wall_first;      /* s since 1970; 0: no wall clock */
	double first;           /* s: when it begins, by the dump's own time */
	double seconds;         /* s that were measured */
	uint64_t samples, left_out, findings;
	struct node_metric *metric;
	unsigned nmetric;
	float *from, *to;       /* [buckets] s since `first` */
	unsigned n;             /* buckets */
	unsigned worst;         /* index of metric[]: the one that stands out most */
	double score;           /* its score; NaN: too few nodes of this CPU */
	unsigned nfar;          /* how many metrics stand out */
};

struct nodes_metric {
	char *name, *unit, *text;
	struct spread spread;   /* over all nodes that have it, whatever their CPU */
};

struct nodes {
	struct nodes_node *node;      /* by score, after nodes_judge */
	unsigned n, room;
	unsigned buckets;       /* at most so many per node */
	struct nodes_metric *metric;
	unsigned nmetric, metric_room;
};

/* nodes_init - begin, for about n nodes: the more there are, the fewer buckets each
 * has.  nodes_fini frees all. */
void nodes_init(struct nodes *, unsigned n);
void nodes_fini(struct nodes *);

/* nodes_take - add the node whose page was read from path; 0 or -ENOMEM. */
int nodes_take(struct nodes *, struct html_page *, const char *path);

/* nodes_judge - after the last node: compute scores, and sort by them.  0 or -ENOMEM. */
int nodes_judge(struct nodes *);

/* nodes_metric_of - a metric of a node; NULL: the node does not have it. */
const struct node_metric *nodes_metric_of(const struct nodes_node *,
    unsigned metric);

/* nodes_span - when the first node begins and the last one ends, in seconds since
 * 1970, of the nodes that have a wall clock; where none has one, *from is 0.
 * nodes_longest - how many seconds the longest run lasts.
 * nodes_apart - were they run at such different times that on one axis each would be
 * too short to be seen? */
void nodes_span(const struct nodes *, double *from, double *to);
double nodes_longest(const struct nodes *);
bool nodes_apart(const struct nodes *);

/* ---- the heat map: nodes against time (config/page/nodes.js draws it, too) ------- */

/* Where the pages of the nodes are. */
enum node_pages { PAGES_NONE, PAGES_HERE, PAGES_BESIDE };

/* ---- the page ---------------------------------------------------------------------- */

/* Dumps that could not be read, in words: which, and why. */
struct nodes_lost {
	char **text;
	unsigned n, room;
};

/* nodes_page_put - write the page, after nodes_judge.  0, or -ENOMEM. */
int nodes_page_put(const struct nodes *, enum node_pages,
    const struct nodes_lost *, FILE *);

#endif
