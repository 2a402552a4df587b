/*
 * postproc/many/summary.h - a summary of many dumps: the figures of each node, and the
 * distribution of each metric over all intervals.
 *
 * Summaries can be added.  The sum of the same dumps is the same in whatever order and
 * groups they are added.
 */
#ifndef POSTPROC_MANY_SUMMARY_H
#define POSTPROC_MANY_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/lookup.h"
#include "postproc/data/select.h"
#include "postproc/many/differ.h"

/* ---- quantiles of many values in little memory ------------------------------
 *
 * Values are counted in buckets.  A bucket is as wide as 1/64 of the power of two below
 * its values, so a quantile is wrong by at most 1/128 of itself (0.8 %).  The sum of
 * sketches is the same in whatever order and groups they are added.
 */

struct sketch_bucket {
	int32_t at;             /* number of the bucket, in the order of the values; 0
	                         * is that of the value 0 */
	uint64_t n;
};

/* A zeroed sketch is empty. */
struct sketch {
	struct sketch_bucket *bucket;
	unsigned n, room;
	uint64_t count;
	double least, most;     /* exact */
};

/* sketch_add - adds a value, neither NaN nor infinite.
 * sketch_count - adds n values of one bucket.
 * sketch_merge - adds all of another sketch.
 * 0; -ENOMEM; -ERANGE: there is no such bucket, or its count is too large. */
int sketch_add(struct sketch *, double value);
int sketch_count(struct sketch *, int32_t at, uint64_t n);
int sketch_merge(struct sketch *, const struct sketch *);

/* sketch_quantile - the value that the part q (0 to 1) of all values does not exceed;
 * NaN: there are none. */
double sketch_quantile(const struct sketch *, double q);

/* sketch_clear - forgets all values; sketch_fini - frees the memory, too. */
void sketch_clear(struct sketch *);
void sketch_fini(struct sketch *);

/* ---- a summary -------------------------------------------------------------- */

/* Bits of node_value.marks, in this order: the value is incomplete; an estimate; of events
 * that were not counted at one time; outside its range; not available. */
enum { LACKS = 1, ESTIMATE = 2, APART = 4, WRONG = 8, NONE = 16, MARKS = 5 };

/* Texts are numbers: indices of summary.text. */

#define NO_TEXT UINT32_MAX

struct node_value {
	uint32_t metric;        /* index of summary.metric */
	uint32_t why;           /* text: why it is not available; or NO_TEXT */
	double value;           /* over the whole dump; NaN: not available */
	uint8_t marks;
};

struct summed_node {
	uint32_t host, path, job;       /* texts; path as the user named the dump; job ""
				 * unless all of the dump is of one job */
	uint64_t identity;      /* digest of host and samples: equal for copies */
	double first;           /* first sample, s since 1970; 0: not known */
	double seconds, tsc_hz;
	uint64_t samples, left_out;     /* left_out: deltas */
	struct traits traits;
	struct node_value *value;       /* [nvalue] in the order of its metrics */
	unsigned nvalue, room;
};

struct summary_metric {
	uint32_t name, unit;    /* texts */
};

/* The distribution of a metric over all intervals, nodes of a kind and units of a
 * scope. */
struct distribution {
	uint32_t metric;
	uint32_t cpu, job;      /* texts: the kind of nodes */
	uint8_t scope;          /* enum scope */
	uint64_t unknown;       /* values that were n/a or of fewer units than others */
	struct sketch of;
};

/* A zeroed summary is empty. */
struct summary {
	char **text;            /* [ntext] each text once */
	unsigned ntext, text_room;
	struct summary_metric *metric;
	unsigned nmetric, metric_room;
	struct summed_node *node;
	unsigned nnode, node_room;
	struct distribution *dist;
	unsigned ndist, dist_room;
	struct lookup texts, metrics, nodes, dists;     /* indices of these */
};

void summary_fini(struct summary *);

/* summary_text - the index of a text, which is added if it is new.
 * summary_metric - likewise of a metric.
 * summary_dist - likewise of a distribution with the key's metric, cpu, job and scope.
 * UINT32_MAX: out of memory. */
uint32_t summary_text(struct summary *, const char *);
uint32_t summary_metric(struct summary *, struct summary_metric);
uint32_t summary_dist(struct summary *, const struct distribution *key);

/* summary_node - adds a node, zeroed but for its identity; NULL: out of memory.  The
 * pointer is valid until the next node is added.
 * summary_known - the node with that identity, or NULL. */
struct summed_node *summary_node(struct summary *, uint64_t identity);
const struct summed_node *summary_known(const struct summary *, uint64_t identity);

/* node_value_add - adds a value, zeroed; NULL: out of memory. */
struct node_value *node_value_add(struct summed_node *);

/*
 * summary_add - add another summary.
 *
 * is   out: with -EEXIST, the node whose samples both have
 *
 * Returns 0; -EEXIST: nothing is added; -ENOMEM or -ERANGE: it is added in part, and only
 * summary_fini may be called after.
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

/* summary_is - does that file begin as a summary does?  False if it cannot be read. */
bool summary_is(const char *path);

/* summary_write - writes all of it; the caller checks f for errors. */
void summary_write(const struct summary *, FILE *f);

/* summary_read - reads what summary_write wrote, into a zeroed summary; name: of the
 * file, for messages.  0 or -errno with words in why; summary_fini accepts either. */
int summary_read(struct summary *, FILE *f, const char *name,
    struct diag *why);

/* ---- one summary of many files, dumps and summaries ---------------------- */

struct take_ask {
	const struct gather_ask *in;
	const struct patterns *names;   /* only metrics that match are taken */
	unsigned scopes;        /* a bit for each whose distributions are taken; 0: none */
	bool quiet;             /* the dumps were read before: what is odd about them
				 * has been said */
};

/* Asked before a dump is added: false if other files have the same samples of host and
 * this one is to be left out. */
struct take_claim {
	bool (*claim)(void *ctx, uint64_t identity, const char *host);
	void *ctx;
};

/*
 * summary_take - add a dump: its node, and the distributions of its metrics, for which it
 * is read a second time.
 *
 * claim   asked before the dump is added; NULL: only dumps in the summary are other files
 * none    out: why no metric of the dump matches, or ""; may be NULL
 *
 * Returns 0, or -errno with words in why, and nothing is added: -ENODATA: it has no
 * interval, -EEXIST: another file has the same samples.
 */
int summary_take(struct summary *, const char *path, const struct take_ask *,
    const struct take_claim *claim, struct diag *none, struct diag *why);

struct collect_ask {
	const char *const *path;
	unsigned npath;
	unsigned jobs;          /* processes, each reads a file at a time; 0 as 1 */
	struct take_ask take;
	void (*said)(const char *line);         /* called for each file that is left out, in
				 * the order of path, when all are read */
	void (*progress)(unsigned done, unsigned of);   /* called now and then; may be
	                         * NULL */
};

/* How it went. */
struct collected {
	unsigned left_out;      /* files */
	struct diag none;       /* if no metric of the first dump matches, why */
};

/*
 * collect - add all files to a summary.  Left out, with words to `said`, are files that
 * cannot be read and, of files with the same samples, all but the one named first.  (A
 * dump has precedence over a summary.)
 *
 * Returns 0, or -errno with words in why: nothing could be made of any file.
 */
int collect(struct summary *, const struct collect_ask *, struct collected *,
    struct diag *why);

#endif
