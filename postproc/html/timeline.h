/*
 * postproc/html/timeline.h - every metric of a dump over time: of the node, its
 * packages, dies, NUMA nodes, boxes, cores and lprocs, in so many buckets.
 *
 * Streams: the number of samples need not be known.  A bucket has as many
 * intervals as all others but the last; when there is no room for one more, two
 * neighbours become one.
 */
#ifndef POSTPROC_HTML_TIMELINE_H
#define POSTPROC_HTML_TIMELINE_H

#include "postproc/data/select.h"
#include "postproc/gather/gather.h"
#include "postproc/html/bandwidth.h"
#include "postproc/html/weigh.h"
#include "postproc/metrics/compiled.h"
#include "postproc/metrics/node_view.h"

#include <limits.h>
#include <stdio.h>

#define TIMELINE_BUCKETS 500
#define TIMELINE_EVERY 100000   /* values that are points, at most */
#define NO_BUCKET UINT_MAX

/* How fine lines are. */
struct timeline_ask {
	unsigned buckets;       /* points of a line, at most; 2 or more */
	struct patterns every;  /* metrics of which each value is a point; none:
	                         * n is 0 */
};

/* A bucket of time. */
struct bucket {
	double from, to;        /* s since the dump's first sample */
	double seconds;         /* that were measured of it */
	double in_round;        /* of them, of the present round of event sets */
	uint64_t before, last;  /* from which sample to which */
	unsigned n;             /* intervals */
	bool gap;               /* samples of it are missing */
};

/* What a line has in a bucket. */
struct bucket_value {
	double sum, weight;     /* the mean is sum / weight; 0: none */
	float lo, hi;           /* of single values; NaN: none */
	float square;           /* of estimates, their standard errors x weight,
	                         * squared; NaN: one is not known */
	bool doubt;             /* some value is not there, or lacks deltas */
	bool taken;             /* somebody else had its counters: no stretch
	                         * with it has a figure */
};

struct line {
	unsigned metric;        /* of timeline.metric */
	struct window window;
	char where[40];
	struct bucket_value *in;        /* [buckets] */
	char why[160];          /* the first reason of a doubt; "": none */
	bool any;               /* has a value anywhere */
	struct batch_steps steps;       /* of estimates, by which errors are told */
	double figure;          /* of all samples, as the report has it; NaN: n/a */
	char mark;              /* what stands behind that: ' ', '*', '!' */
	unsigned value, weight; /* of timeline.compiled; weight: of WEIGH_OWN */
	unsigned limit;         /* the same, of a metric that says the most */
};

/* Where among compiled_values a line has its value, what that weighs, and, where it
 * is not COMPILED_NEVER, the most that it can be. */
struct line_at {
	uint32_t value, weight, limit;
	double least, most;     /* that it can be */
};

struct line_metric {
	const struct metric *metric;
	unsigned bound;         /* of the binding, */
	unsigned weight;        /* and what it is divided by, of WEIGH_OWN */
	enum weigh how;
	bool guess;             /* a mean over buckets is near the figure, not it */
	bool rotates;           /* its events take turns: a value is of a round */
};

struct timeline {
	const struct timeline_ask *ask;
	const struct node_view *view;
	struct gather *gather;
	struct compiled *compiled[2];   /* lines of intervals, and of rounds */
	struct line_metric *metric;
	unsigned nmetric;
	struct line *line;
	struct line_at *at;             /* [nline] */
	struct bucket_value *now;       /* [nline] of a bucket that is not full
	                                 * yet: the last one, or, of lines of
	                                 * intervals, */
	unsigned now_of;        /* this one; NO_BUCKET: none */
	unsigned lane_bucket[EXPR_LANES];       /* of intervals that are to be
	                         * evaluated at once, the bucket of each */
	unsigned nline;
	unsigned nnarrow;       /* of them, of boxes, cores and lprocs */
	unsigned unshown[SCOPES];       /* that there was no room for */
	unsigned coarse[SCOPES];        /* a point of a line of the page is of
	                         * 2^coarse buckets */
	unsigned others;        /* so, of metrics not among ask->every */
	struct bucket *bucket;
	unsigned n, room;       /* buckets, and how many there may be */
	unsigned per;           /* intervals that make a bucket full */
	bool sets;              /* some metric rotates */
	unsigned round_from;    /* the bucket in which the present one began */
	uint64_t before;        /* the sample that the next value begins with */
	unsigned ncol;          /* columns so far */
	struct bandwidths *beside;
};

/*
 * timeline_begin - over what a gather reads, from its first interval on, as fine as
 * is asked for, and what stands beside it; the view says what has room first.
 * timeline_next - an interval more, its sums (gather_interval).
 * timeline_round - where event sets take turns (timeline.sets) and a round of them
 * ends with that interval, its sums; gather_afresh then begins the next one.  What
 * always counts has a value an interval; what takes turns one a round, which is that
 * of each interval of the round.
 * timeline_end - after the last.
 *
 * 0 or -errno, words in why (where there are none, memory ran out);
 * timeline_fini accepts either.
 */
int timeline_begin(struct timeline *, struct gather *, const struct node_view *,
    const struct timeline_ask *, struct bandwidths *beside, struct diag *why);
int timeline_next(struct timeline *, const struct sums *);
int timeline_round(struct timeline *, const struct sums *);
void timeline_end(struct timeline *);
void timeline_fini(struct timeline *);

/* timeline_compile - the lines' formulas; once more, when columns have come:
 * timeline_take_kept takes before that the intervals (of a struct timeline) that
 * are to be evaluated at once.
 * timeline_take - a value more of each line: of those of intervals, into the last
 * bucket, when some intervals are there to be evaluated at once; or of those that
 * rotate, into all buckets of their round.
 * timeline_keep - the last bucket is full; all: of lines of intervals, too, whose
 * values may come later.  For timeline_next.  0 or -ENOMEM. */
int timeline_compile(struct timeline *);
void timeline_take_kept(void *);
int timeline_take(struct timeline *, const struct sums *, bool rounds);
void timeline_keep(struct timeline *, bool all);

/* timeline_lines - add them, without values; timeline_fit - with values, so that
 * a page has room beside so many bytes of other data: unshown, coarse.  For
 * timeline_begin.  0 or -ENOMEM. */
int timeline_lines(struct timeline *);
void timeline_fit(struct timeline *, size_t beside);

/* timeline_every - is each value of a metric asked for?
 * timeline_coarse - a point of a line in a page is of 2^that buckets.
 * timeline_points - how many they are, then.  timeline_point - number i of them.
 * timeline_narrow - has a node many units of a scope?  Their lines have no errors.
 * timeline_same - the scope whose units are the same ones, and which has their
 * lines: of NUMA nodes, packages; `s` itself where there is none. */
bool timeline_every(const struct timeline *, unsigned metric);
unsigned timeline_coarse(const struct timeline *, const struct line *);
unsigned timeline_points(const struct timeline *, unsigned coarse);
struct bucket_value timeline_point(const struct timeline *, const struct line *,
    unsigned i, unsigned coarse);
bool timeline_narrow(enum scope s);
/* timeline_error - the standard error of a point; 0: it has none, or nobody knows it.
 * timeline_unsure - is that of some point of a line a hundredth of it or more? */
double timeline_error(const struct bucket_value *);
bool timeline_unsure(const struct timeline *, const struct line *);
enum scope timeline_same(const struct timeline *, enum scope s);

/* timeline_figures - what the report has of each line for all samples, by the
 * sums of them and by a gather that may be another one of the same dump: a
 * legend and a table then say the same.
 * timeline_mean - of a line, of all that there is; NaN: nothing. */
void timeline_figures(struct timeline *, struct gather *, const struct metrics *,
    const struct sums *);
double timeline_mean(const struct timeline *, const struct line *);
/* timeline_find - the line of a metric (by name) and a window; NULL: none. */
const struct line *timeline_find(const struct timeline *, const char *metric,
    enum scope, unsigned n);

/*
 * timeline_json - members of an object, without its braces:
 *
 *	"from", "to", "sec", "n"  of each bucket, as base64 of binary32
 *	"first", "last"           of each bucket, its samples
 *	"gap"                     buckets that samples are missing of
 *	"coarse"                  a point of a line of that scope is of 2^n
 *	                          buckets
 *	"same"                    scopes whose lines are another's
 *	"metrics"                 name, unit, text, note, how, guess; as: the one
 *	                          that says the same; boxes: their family; adds: of several units it is a sum
 *	"lines"                   metric, scope, where, p: package, c: a point is
 *	                          of 2^c buckets, not as "coarse" has it; f: the
 *	                          report's figure of all samples, q: its mark;
 *	                          v: means; k: the one that all of them are;
 *	                          g: weights, where they are not
 *	                          sec or n; lo, hi, a, b: the least and greatest
 *	                          value, as bytes from lo to hi; e, r: standard
 *	                          errors, as bytes from 0 to e; d: first and last
 *	                          buckets of doubt; y: why; z: of those that
 *	                          no stretch with them has a figure of
 *
 * Of boxes, cores and lprocs a number of v and g is the upper three bytes of a
 * binary32.
 *
 * Returns 0, or -ENOMEM.
 */
int timeline_json(const struct timeline *, FILE *);

#endif
