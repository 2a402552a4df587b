/*
 * postproc/many/many_tables.h - what a summary says, for people and programs.
 */
#ifndef POSTPROC_MANY_MANY_TABLES_H
#define POSTPROC_MANY_MANY_TABLES_H

#include "postproc/data/select.h"
#include "postproc/many/summary.h"
#include "postproc/out/table.h"

/* Nodes in the order in which they are shown. */
struct many_nodes {
	const struct summary *s;
	const struct patterns *names;   /* of metrics: those alone */
	const struct summed_node **node;       /* [n] by host, by file */
	const char **name;      /* [n] the host, or the file where there are two
				 * of that host */
	unsigned *peer;         /* [n] numbers of them, peers side by side */
	unsigned n;
	uint32_t *metric;       /* [nmetric] of s, of those names, as the nodes
				 * have them */
	unsigned nmetric;
	double *value, *scratch;        /* [n] */
	double *far;            /* [n] of many_far */
	unsigned *nfar;         /* [metrics of s] how many nodes stand out */
	const struct distribution **dist;       /* [ndist of s] */
};

/* many_init - 0 or -ENOMEM; many_fini accepts either. */
int many_init(struct many_nodes *, const struct summary *, const struct patterns *);
void many_fini(struct many_nodes *);

/* many_value - what a node has of a metric; NULL: nothing.  Nodes have their values
 * in much the same order: where the last one had it, *hint, is looked at first. */
const struct node_value *many_value(const struct summed_node *,
    uint32_t metric, unsigned *hint);
/* many_peers - have two nodes the same CPU and the same job? */
bool many_peers(const struct summed_node *, const struct summed_node *);
/* many_far - of each node in ->far how far it stands out in a metric, as
 * spread_score has it; 0: it does not.  Returns how many do. */
unsigned many_far(const struct many_nodes *, uint32_t metric);

/*
 * many_put_first - for people: a line a node, those first that stand out in most
 * metrics, with the one in which it does most.  0 or -ENOMEM.
 */
int many_put_first(struct out *, const struct many_nodes *);
/* many_put_nodes - when they sampled, and how their clocks compare; 0 or -ENOMEM.
 * many_put_metrics - least, median and greatest node of each metric, and nodes
 * that stand out among their peers: those of the same CPU and job.
 * many_put_quantiles - of each metric, over all intervals. */
int many_put_nodes(struct out *, const struct many_nodes *);
void many_put_metrics(struct out *, const struct many_nodes *);
void many_put_quantiles(struct out *, const struct many_nodes *);

/* many_traits - what nodes are like, for traits_differ; traits_free frees it.
 * False: no memory. */
bool many_traits(struct trait_list *, const struct many_nodes *);
void traits_free(struct trait_list *);

#endif
