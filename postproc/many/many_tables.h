/*
 * postproc/many/many_tables.h - the tables of `tally merge`, made of a summary.
 */
#ifndef POSTPROC_MANY_MANY_TABLES_H
#define POSTPROC_MANY_MANY_TABLES_H

#include "postproc/data/select.h"
#include "postproc/many/summary.h"
#include "postproc/out/table.h"

/* Nodes in the order in which they are shown. */
struct many_nodes {
	const struct summary *s;
	const struct patterns *names;   /* only metrics that match are shown */
	const struct summed_node **node;       /* [n] in order of host, then file */
	const char **name;      /* [n] the host; the file, where several are of that
				 * host */
	unsigned *peer;         /* [n] indices of nodes, with peers side by side */
	unsigned n;
	uint32_t *metric;       /* [nmetric] metrics of s to show, in the order of the
				 * nodes' lists */
	unsigned nmetric;
	double *value, *scratch;        /* [n] working memory */
	double *far;            /* [n] what many_far found */
	unsigned *nfar;         /* [s->nmetric] how many nodes stand out in it */
	const struct distribution **dist;       /* [s->ndist] working memory */
};

/* many_init - sorts the nodes of a summary.  0 or -ENOMEM; many_fini accepts either. */
int many_init(struct many_nodes *, const struct summary *, const struct patterns *);
void many_fini(struct many_nodes *);

/* many_value - the value that a node has of a metric; NULL: none.  *hint is 0 at first, and
 * then the place where the last node had it, which is looked at first, as most nodes have
 * their values in the same order. */
const struct node_value *many_value(const struct summed_node *,
    uint32_t metric, unsigned *hint);
/* many_far - sets far[] to how far each node stands out among its peers in a metric
 * (spread_score); 0: it does not.  Returns how many do. */
unsigned many_far(const struct many_nodes *, uint32_t metric);

/*
 * many_put_first - a table for people: a row for each node, those that stand out in most
 * metrics first, with the metric in which the node stands out most.
 * many_put_nodes - when each node sampled, and how their clocks compare.
 * Both return 0 or -ENOMEM.
 */
int many_put_first(struct out *, const struct many_nodes *);
/*
 * many_put_metrics - for each metric the least, median and greatest value of the nodes,
 * and which nodes stand out among their peers.
 * many_put_quantiles - for each metric its quantiles over all intervals.
 */
int many_put_nodes(struct out *, const struct many_nodes *);
void many_put_metrics(struct out *, const struct many_nodes *);
void many_put_quantiles(struct out *, const struct many_nodes *);

/* many_traits - lists the nodes' traits, for traits_differ; false: out of memory.
 * traits_free frees the list, and accepts either. */
bool many_traits(struct trait_list *, const struct many_nodes *);
void traits_free(struct trait_list *);

#endif
