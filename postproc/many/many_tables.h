/*
 * postproc/many/many_tables.h - what a summary says, for people and programs.
 */
#ifndef POSTPROC_MANY_MANY_TABLES_H
#define POSTPROC_MANY_MANY_TABLES_H

#include "postproc/data/patterns.h"
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
	const char **far;       /* [n] */
	const struct distribution **dist;       /* [ndist of s] */
};

/* many_init - 0 or -ENOMEM; many_fini accepts either. */
int many_init(struct many_nodes *, const struct summary *, const struct patterns *);
void many_fini(struct many_nodes *);

/* many_put_nodes - when they sampled, and how their clocks compare.
 * many_put_metrics - least, median and greatest node of each metric, and nodes
 * that stand out among their peers: those of the same CPU and job.
 * many_put_quantiles - of each metric, over all intervals. */
void many_put_nodes(struct out *, const struct many_nodes *);
void many_put_metrics(struct out *, const struct many_nodes *);
void many_put_quantiles(struct out *, const struct many_nodes *);

/* many_traits - what nodes are like, for traits_differ; traits_free frees it.
 * False: no memory. */
bool many_traits(struct trait_list *, const struct many_nodes *);
void traits_free(struct trait_list *);

#endif
