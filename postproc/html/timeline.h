/*
 * postproc/html/timeline.h - every metric of a dump over time, of the node, its packages,
 * dies, NUMA nodes, boxes, cores and lprocs, in a limited number of buckets.
 *
 * The number of samples need not be known before.  All buckets but the last one have the
 * same number of intervals; when no bucket is left, each two neighbours are joined.
 */
#ifndef POSTPROC_HTML_TIMELINE_H
#define POSTPROC_HTML_TIMELINE_H

#include "postproc/data/select.h"
#include "postproc/formula/compiled.h"
#include "postproc/metrics/gather.h"
#include "postproc/metrics/node_view.h"
#include "postproc/pages/tracks.h"

#include <limits.h>
#include <stdio.h>

#define TIMELINE_BUCKETS 500
#define TIMELINE_EVERY 100000   /* points of a line that has one per value, at
                                 * most */
#define NO_BUCKET UINT_MAX

/*
 * How the value of a metric over a stretch of time is computed from its values over parts
 * of that stretch.
 *
 * A quotient is the mean of its parts, weighted by its divisor: by cycles, for
 * instructions per cycle (WEIGH_OWN); by seconds, for a rate (WEIGH_TIME).  A count is the
 * sum of its parts, a reading the mean of its samples.
 */
enum weigh { WEIGH_TIME, WEIGH_OWN, WEIGH_SUM, WEIGH_SAMPLES };

/*
 * weigh_how - which of these bound m is, by its formula.
 *
 * op, nop  out, of WEIGH_OWN: the operations in binding.op that compute its divisor
 * guess    out: the formula is none of these; the mean of its values is near the
 *          figure, but not the same
 */
enum weigh weigh_how(const struct binding *, unsigned m, uint32_t *op,
    uint32_t *nop, bool *guess);

/* weigh_adds - is the figure of several units the sum of theirs?  It is of counts,
 * rates and bandwidths, not of ratios.  how, guess: as weigh_how has them. */
bool weigh_adds(const struct binding *, unsigned m, enum weigh, bool guess);

/* How fine lines are. */
struct timeline_ask {
	unsigned buckets;       /* points of a line, at most; 2 or more */
	struct patterns every;  /* metrics that have a point per value; n is 0:
	                         * none has */
};

/* A bucket of time. */
struct bucket {
	double from, to;        /* s since the dump's first sample */
	double seconds;         /* measured time in it */
	double in_round;        /* that part of it that is of the present round of
	                         * event sets */
	uint64_t before, last;  /* the samples between which it is */
	unsigned n;             /* intervals */
	bool gap;               /* samples of it are missing */
};

/* The values of a line in a cell, which is a bucket or 2^coarse of them, at most 8; in has,
 * doubt, taken and idle, bit i is of its i-th bucket. */
struct bucket_value {
	double sum, weight;     /* the mean is sum / weight; weight 0: no value */
	float lo, hi;           /* least and greatest value; NaN: none */
	float square;           /* of estimates the sum of (standard error x
	                         * weight)^2; NaN: some error is not known */
	union {
		uint32_t bits;          /* the four below, shifted and joined at once */
		struct {
			/* it has a value */
			uint8_t has;
			/* some value is missing, or lacks deltas */
			uint8_t doubt;
			/* somebody else used its counters: a stretch that
			 * includes this bucket has no figure */
			uint8_t taken;
			/* in some interval there was nothing to divide by: it
			 * has no value then, and nothing is wrong */
			uint8_t idle;
		};
	};
};

struct line {
	unsigned metric;        /* number in timeline.metric */
	struct window window;
	char where[40];
	unsigned kept;          /* number in timeline.cells */
	struct bucket_value *in;        /* its cells: of lines of packages and of
	                         * the node one per bucket */
	char why[160];          /* the first reason of a doubt; "": none */
	bool any;               /* it has a value in some bucket */
	uint32_t zero;          /* what NA_BY_ZERO said of its divisor */
	struct batch_steps steps;       /* changes from value to value, by which
	                         * errors of estimates are known */
	double figure;          /* of all samples, as the report has it; NaN: n/a */
	char mark;              /* the mark of that figure: ' ', '*', '!' */
	/* numbers in timeline.compiled: its value; what that weighs, of WEIGH_OWN;
	 * the metric that says the end of its range */
	unsigned value, weight;
	unsigned limit;
};

/* Where among compiled_values the value, the weight and the limit of a line are;
 * COMPILED_NEVER: it has no such limit. */
struct line_at {
	uint32_t value, weight, limit;
	double least, most;     /* its range */
};

struct line_metric {
	const struct metric *metric;
	unsigned bound;         /* number in the binding, */
	unsigned weight;        /* and of its divisor there, of WEIGH_OWN */
	enum weigh how;
	bool guess;             /* the mean over buckets is near the figure, but
	                         * not the same */
	bool rotates;           /* its events take turns: it has a value per round */
};

/* Whose formulas are evaluated in each interval together with the timeline's, as sums of
 * columns are computed and intervals kept once for both.  compile adds them, 0 or
 * -errno; take is called with each interval in turn, and the lane of their values. */
#define TIMELINE_GUESTS 2

struct timeline_guest {
	void *ctx;
	int (*compile)(void *ctx, struct compiled *);
	void (*take)(void *ctx, struct compiled *, const struct sums *,
	    unsigned lane);
};

/* The memory of lines that have cells of the same size: of those of boxes, cores and lprocs
 * by scope; KEPT_ALL: of those that always have a cell per bucket.  The page has no room for
 * all buckets of many lines, and as soon as that is sure cells become coarser. */
#define KEPT_ALL SCOPES
#define MOST_COARSE 3

struct cells {
	struct bucket_value *at;        /* [lines][n] */
	unsigned lines, n;
	unsigned coarse;        /* a cell is 2^coarse buckets; MOST_COARSE at most */
};

struct timeline {
	const struct timeline_ask *ask;
	const struct node_view *view;
	struct gather *gather;
	struct compiled *compiled[2];   /* formulas of lines that have a value per
	                         * interval; per round */
	struct line_metric *metric;
	unsigned nmetric;
	struct line *line;
	struct line_at *at;             /* [nline] */
	struct bucket_value *now;       /* [nline] the values of a bucket that is not
	                         * full yet: of lines of rounds the last one; of
	                         * lines of intervals bucket now_of */
	bool *left;             /* [nline] its values need the caller's thread */
	unsigned now_of;        /* NO_BUCKET: none */
	unsigned lane_bucket[EXPR_LANES];       /* the buckets of the intervals that
	                         * will be evaluated at once */
	unsigned nline;
	unsigned nnarrow;       /* lines of boxes, cores and lprocs */
	unsigned unshown[SCOPES];       /* lines that there was no room for */
	unsigned coarse[SCOPES];        /* on the page, a point of such a line is
	                         * 2^coarse buckets */
	unsigned others;        /* the same for metrics not among ask->every */
	struct bucket *bucket;
	unsigned n, room;       /* buckets, and how many there may be */
	unsigned likely;        /* how many there will be, if the dump is whole */
	struct cells cells[KEPT_ALL + 1];
	unsigned per;           /* intervals of a full bucket */
	bool sets;              /* event sets of some metric take turns */
	unsigned round_from;    /* the bucket in which the present round began */
	uint64_t before;        /* the sample that the next interval begins with */
	unsigned ncol;          /* columns so far */
	struct bandwidths *beside;
	struct timeline_guest guest[TIMELINE_GUESTS];   /* set them after
	                         * timeline_begin; or none */
	struct crew *crew;      /* likewise: who evaluates; NULL: the caller alone */
};

/*
 * timeline_begin - begin, before a gather reads its first interval; `beside` is filled
 * with the same intervals.  The view says which lines have room first.
 * timeline_next - add an interval, of which these are the sums (gather_interval).
 * timeline_round - to be called after timeline_next where event sets take turns
 * (timeline.sets) and a round of them ends with that interval, with the sums of the round;
 * gather_afresh has to follow.
 * timeline_end - to be called after the last interval; 0 or -ENOMEM.
 *
 * A metric that is always counted has a value per interval.  One whose events take turns
 * has a value per round, which stands for each interval of the round.
 *
 * They return 0, or -errno with words in why (without words: -ENOMEM); call
 * timeline_fini in any case.
 */
int timeline_begin(struct timeline *, struct gather *, const struct node_view *,
    const struct timeline_ask *, struct bandwidths *beside, struct diag *why);
int timeline_next(struct timeline *, const struct sums *);
int timeline_round(struct timeline *, const struct sums *);
int timeline_end(struct timeline *);
void timeline_fini(struct timeline *);

/* For timeline_next:
 * timeline_compile - compile the lines' formulas; again, when columns have come.
 * timeline_take_kept - before that, evaluate the intervals that were kept to be
 * evaluated at once; its argument is a struct timeline.
 * timeline_take - take a value of each line.  rounds is false: of lines of intervals,
 * into the last bucket; they may be kept to be evaluated later.  True: of lines of
 * rounds, into all buckets of the round.
 * timeline_keep - store the values of the last bucket, which is full; of lines of
 * intervals only if `all`, as some of their values may come later.
 * Those that return something return 0, or -ENOMEM. */
int timeline_compile(struct timeline *);
void timeline_take_kept(void *);
int timeline_take(struct timeline *, const struct sums *, bool rounds);
void timeline_keep(struct timeline *, bool all);

/*
 * timeline_cells_begin - for timeline_begin: give lines memory for likely buckets, or for
 * the first of them.
 * timeline_full - does some line lack a cell for bucket timeline.n?
 * timeline_grow - make room for it: by more memory, or coarser cells.  All buckets so far have
 * to be stored (timeline_keep).
 * timeline_put - store the values of a bucket; buckets have to come in order.
 * timeline_halve_cells - make the cells those of half as many buckets, each two of which
 * become one.
 * Those that return int return 0, or -ENOMEM.
 */
int timeline_cells_begin(struct timeline *);
bool timeline_full(const struct timeline *);
int timeline_grow(struct timeline *);
void timeline_put(const struct timeline *, struct line *, unsigned bucket,
    const struct bucket_value *);
void timeline_halve_cells(struct timeline *);

/* timeline_too_fine - for timeline_grow: is it sure that the page has no room for a point
 * per cell of the lines of a scope, whatever the intervals to come?  False also where
 * coarser ones are not allowed. */
bool timeline_too_fine(const struct timeline *, enum scope);

/* timeline_lines - for timeline_begin: add all lines, without values.  0 or -ENOMEM.
 * timeline_fit - for timeline_end: drop lines, or make them coarser, so that they fit
 * into a page that has so many bytes of other data. */
int timeline_lines(struct timeline *);
void timeline_fit(struct timeline *, size_t beside);

/* timeline_every - does a metric have a point per value?
 * timeline_coarse - on the page, a point of a line is so many buckets, as a power of 2.
 * timeline_points - how many points a line has on the page.
 * timeline_point - the i-th of them.
 * timeline_cells - how many cells a line has.
 * timeline_narrow - is it a scope that has many units in a node?
 * timeline_same - the scope that has the lines of another one's units, as they are the
 * same: packages for NUMA nodes; `s` itself where they are not. */
bool timeline_every(const struct timeline *, unsigned metric);
unsigned timeline_coarse(const struct timeline *, const struct line *);
unsigned timeline_points(const struct timeline *, unsigned coarse);
unsigned timeline_cells(const struct timeline *, const struct line *);
struct bucket_value timeline_point(const struct timeline *, const struct line *,
    unsigned i, unsigned coarse);
bool timeline_narrow(enum scope s);
/* timeline_error - the standard error of a point; 0: it has none, or it is not known.
 * timeline_unsure - is it a hundredth of the value or more, for some point of a line? */
double timeline_error(const struct bucket_value *);
bool timeline_unsure(const struct timeline *, const struct line *);
enum scope timeline_same(const struct timeline *, enum scope s);

/* timeline_figures - set the figure of each line: the report's, over all samples (`all`
 * are their sums), so that a legend and the report's table say the same.
 * timeline_mean - the value of a line over all its buckets; NaN: none. */
void timeline_figures(struct timeline *, struct gather *, const struct metrics *,
    const struct sums *);
double timeline_mean(const struct timeline *, const struct line *);
/* timeline_find - the n-th line of a metric at a scope; NULL: there is none. */
const struct line *timeline_find(const struct timeline *, const char *metric,
    enum scope, unsigned n);

/*
 * timeline_json - write members of an object, without its braces:
 *
 *	"from", "to", "sec", "n"  of each bucket: when it begins and ends, its measured
 *	                          seconds, its intervals; base64 of binary32
 *	"first", "last"           of each bucket: between which samples it is
 *	"gap"                     the buckets that samples are missing in
 *	"coarse"                  by scope: a point of a line is 2^coarse buckets
 *	"same"                    by scope: the scope that has its lines (timeline_same)
 *	"metrics"                 of each:
 *	    name, unit, text, note
 *	    how, guess            how values are joined (weigh_how)
 *	    adds                  1: of several units it is their sum
 *	    boxes                 the family of its boxes, or ""
 *	    as                    another metric that says the same
 *	"lines"                   of each:
 *	    m, s, w               number of its metric, its scope, its unit
 *	    p                     its package
 *	    c                     a point is 2^c buckets, where "coarse" has not that
 *	    f, q                  the report's figure of all samples, and its mark
 *	    v                     means; or
 *	    k                     the one value that all means have; null: there is none
 *	    g                     weights, where they are not "sec" or "n"
 *	    lo, hi, a, b          least (a) and greatest (b) values, as bytes: 0 is lo,
 *	                          255 hi
 *	    e, r                  standard errors, as bytes: 0 is 0, 255 is e
 *	    d, y                  first and last buckets of doubt; the reason (of a
 *	                          line without any value, also why it has none)
 *	    z                     first and last buckets with which no stretch has a
 *	                          figure
 *
 * In v and g of boxes, cores and lprocs a number is the upper three bytes of a binary32.
 *
 * Returns 0, or -ENOMEM.
 */
int timeline_json(const struct timeline *, FILE *);

/* ---- histograms of bandwidth ---------------------------------------------
 *
 * For how much of the time DRAM, or a link between packages, carried how much.  Scripts
 * let the reader move the thresholds of Low, Medium and High.
 *
 * A histogram has the values of single intervals; where event sets take turns, those of
 * whole rounds.  Means over buckets would hide short peaks.  So every value is kept, and
 * memory grows with the number of samples.
 */

/* The page has at most so many values; of more, neighbours are averaged. */
#define BANDWIDTH_VALUES 180000

/* The values of one metric at one scope. */
struct bandwidth {
	const struct metric *metric;
	enum scope scope;
	struct tracks tracks;
};

/* The sample that each value ends with, and the seconds that it covers. */
struct moments {
	uint64_t *sample;
	double *seconds;
	unsigned n, room, seconds_room;
};

enum { OF_INTERVALS, OF_ROUNDS, MOMENTS };

struct bandwidths {
	struct gather *gather;
	struct bandwidth *of;
	unsigned n, room;
	struct moments moments[MOMENTS];
	int rc;                         /* of all that was taken */
};

/* bandwidths_init - bind the metrics that the view has histograms of (`levels`), before
 * the dump is read.  0, or -errno with words in why (without words: -ENOMEM).  Call
 * bandwidths_fini in any case; it accepts zeros. */
int bandwidths_init(struct bandwidths *, struct gather *,
    const struct node_view *, struct diag *why);
void bandwidths_fini(struct bandwidths *);

/* bandwidths_take - take the present interval, and the values of a round if one ends with it.
 * To be called after each gather_next, before gather_afresh.  0, or -ENOMEM.
 * bandwidths_compile - add the formulas that have a value per interval; 0, or -errno.
 * bandwidths_take_lane - take their values; to be called for each interval in turn.
 * bandwidths_end - to be called after the last interval; 0, or -ENOMEM. */
int bandwidths_take(struct bandwidths *);
int bandwidths_compile(struct bandwidths *, struct compiled *);
void bandwidths_take_lane(struct bandwidths *, const struct compiled *,
    const struct sums *, unsigned lane);
int bandwidths_end(struct bandwidths *);

/* bandwidths_put - write the section of the page: a picture and a table of each, with
 * the thresholds that tally histogram has by default. */
void bandwidths_put(const struct bandwidths *, FILE *);

/*
 * bandwidths_json - write a member of the data for the page's script:
 *
 *	"bandwidth":{"axes": [
 *		"first", "at", "sec"    value i ends with sample first + at[i] and
 *		                        covers sec[i] seconds (binary32)
 *		"per"                   how many values each is the mean of
 *		"round"                 1: of rounds of event sets
 *	], "lines": [
 *		metric, unit, text, scope, where, note, axis
 *		"v"                     values (binary32, rounded so that each stays
 *		                        in its bin); NaN: none
 *		"max"                   the largest of them, exactly
 *		"why"                   why there is none
 *		"most"                  the peak that was measured; null: unknown
 *	]}
 *
 * Returns 0, or -ENOMEM.
 */
int bandwidths_json(const struct bandwidths *, FILE *);
/* bandwidths_size - about how many bytes bandwidths_json writes. */
size_t bandwidths_size(const struct bandwidths *);

#endif
