/*
 * postproc/many/summary.h - what many dumps come to: a row of figures a node, and
 * how each metric was distributed over all intervals.
 *
 * Summaries add up: of the same dumps they say the same, in whatever order and
 * groups they were added.
 */
#ifndef POSTPROC_MANY_SUMMARY_H
#define POSTPROC_MANY_SUMMARY_H

#include <stdio.h>

#include "lib/lookup.h"
#include "postproc/many/differ.h"
#include "postproc/many/sketch.h"

/* What has to be known of a value: bits. */
enum { LACKS = 1, ESTIMATE = 2, APART = 4, WRONG = 8, NONE = 16, MARKS = 5 };

#define NO_TEXT UINT32_MAX

struct node_value {
	uint32_t metric;        /* of summary.metric */
	uint32_t why;           /* a text: why there is none; NO_TEXT */
	double value;           /* over all of its time; NaN: not available */
	uint8_t marks;
};

struct summed_node {
	uint32_t host, path, job;       /* texts; path as the dump was named, job ""
				 * where the dump is not of one alone */
	uint64_t identity;      /* a digest: which samples of which node */
	double first;           /* s since 1970; 0: not known */
	double seconds, tsc_hz;
	uint64_t samples, left_out;
	struct traits traits;
	struct node_value *value;       /* [nvalue] in the order of its list */
	unsigned nvalue, room;
};

struct summary_metric {
	uint32_t name, unit;    /* texts */
};

/* How a metric was distributed over the intervals and units of a scope. */
struct distribution {
	uint32_t metric;
	uint32_t cpu, job;      /* texts: of nodes of which kind */
	uint8_t scope;          /* enum scope */
	uint64_t unknown;       /* values that were n/a, or of a part alone */
	struct sketch of;
};

/* A zeroed summary is empty. */
struct summary {
	char **text;            /* [ntext] each once */
	unsigned ntext, text_room;
	struct summary_metric *metric;
	unsigned nmetric, metric_room;
	struct summed_node *node;
	unsigned nnode, node_room;
	struct distribution *dist;
	unsigned ndist, dist_room;
	struct lookup texts, metrics, nodes, dists;
};

void summary_fini(struct summary *);

/* summary_text, summary_metric - the number of a text, of a metric with texts
 * for name and unit, of a distribution with its key; made if need be.
 * UINT32_MAX: out of memory. */
uint32_t summary_text(struct summary *, const char *);
uint32_t summary_metric(struct summary *, struct summary_metric);
uint32_t summary_dist(struct summary *, const struct distribution *key);

/* summary_node - one more, zeroed; NULL: out of memory.  It holds until the next
 * one.  summary_known - a node of that identity, or NULL. */
struct summed_node *summary_node(struct summary *, uint64_t identity);
const struct summed_node *summary_known(const struct summary *, uint64_t identity);

/* node_value_add - one more value, zeroed; NULL: out of memory. */
struct node_value *node_value_add(struct summed_node *);

/*
 * summary_add - all of another one.  0, -ENOMEM or -ERANGE, after which the
 * summary is good for summary_fini alone; or -EEXIST where both have the same
 * samples of a node, and nothing is added: twice *is that node.
 */
int summary_add(struct summary *, const struct summary *,
    const struct summed_node **is);

/*
 * A summary as text: assignments that Lua and Python read, as a dump is.
 *
 *	tally_summary = 1               the version of the format
 *	text[3] = "ipc"                 words, each once
 *	metric[0] = "3 7"               texts of its name and unit
 *	node_host[0] = "n0"             keys of a node
 *	node_values[0] = "METRIC VALUE MARKS WHY METRIC ..."    "-": none
 *	distribution[0] = "METRIC CPU JOB SCOPE UNKNOWN LEAST MOST BUCKET:COUNT ..."
 */

/* summary_is - does that file begin as a summary does?  A file that cannot be
 * read does not. */
bool summary_is(const char *path);

/* summary_write - all of it.  The writer finds out what went wrong with f. */
void summary_write(const struct summary *, FILE *f);

/* summary_read - what summary_write wrote, into zeros; name is for the words.
 * 0, or -errno with words; summary_fini accepts either. */
int summary_read(struct summary *, FILE *f, const char *name,
    struct diag *why);

#endif
