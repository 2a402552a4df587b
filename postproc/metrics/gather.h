/*
 * postproc/metrics/gather.h - one dump, taken in: its columns, its topology, and what
 * was counted over a range of its samples.
 *
 * A gather goes through the samples one by one: its memory does not grow with their number,
 * and a value costs one addition.
 */
#ifndef POSTPROC_METRICS_GATHER_H
#define POSTPROC_METRICS_GATHER_H

#include "postproc/data/intervals.h"
#include "postproc/formula/bind.h"

#define MAX_LISTS 32

/* What a command asks of a dump. */
struct gather_ask {
	struct select select;
	const char *metrics[MAX_LISTS]; /* files with metrics, which add to the
					 * list that is built in for the CPU */
	unsigned nmetrics;
	bool only_lists;        /* these files alone, without the built-in list */
	bool io;                /* with the built-in metrics of I/O analysis */
	const struct patterns *events;  /* names of events, which become metrics
					 * where none is called so; NULL: none */
	const char *view;       /* a file that says what the page shows; NULL:
				 * the page's own */
	const char *topology;   /* as topology_of_dump takes it */
};

struct gather {
	const char *path;
	char host[256];         /* the node, as node_name has it */
	struct intervals *intervals;
	struct reader *reader;
	struct seriesset series;
	struct topology topo;
	struct binding binding;
	unsigned ncol;          /* columns taken into series */
	struct interval now;    /* the present interval */
	uint64_t nleft_out;     /* deltas left out so far, of all columns */
	uint64_t nabsent;       /* how many of these merely lack a value, or are of a
				 * pause: no value is wrong */
	uint64_t intervals_hit; /* intervals in which some delta was left out */
	double wall_first, wall_last;   /* s since 1970; 0: unknown */
	struct gather_private *p;
};

/*
 * gather_open - opens a dump, reads up to its first interval and finds its topology
 * (topology: see topology_of_dump).  Metrics are bound (gather.binding) after this
 * has returned 0.  gather_close accepts whatever it left.
 */
int gather_open(struct gather *, const char *path, const struct metrics *,
    const char *topology, const struct select *, struct diag *why);
void gather_close(struct gather *);

/*
 * gather_follow - a gather with sums and metrics of its own that adds up the intervals
 * which another one, `of`, reads: after each gather_next of that one, gather_next of
 * this one takes the same interval.  `of` must not have added up any yet, and has to
 * be closed later than this one.  0 or -ENOMEM; gather_close accepts whatever it left.
 */
int gather_follow(struct gather *, const struct gather *of,
    const struct metrics *);

/* gather_load - gather_open, with the metrics that are asked for.  gather_unload
 * frees both, and accepts whatever gather_load left, or zeros.
 * gather_metrics - loads these metrics once more, for a gather that is open. */
int gather_load(struct gather *, struct metrics *, const char *path,
    const struct gather_ask *, struct diag *why);
int gather_metrics(const struct gather *, struct metrics *,
    const struct gather_ask *, struct diag *why);
void gather_unload(struct gather *, struct metrics *);

/*
 * gather_narrow - after all metrics are bound and before the first gather_next: takes
 * in only the columns that bound metrics need, and those that these are judged by
 * (all of the same lprocs or type of boxes, clocks and stamps).  What is bound keeps
 * its numbers; figures, notes and errors stay the same.
 *
 * Does nothing where that is not certain (event sets that take turns, columns that
 * are not read in each sample or that come later), where the file cannot be read
 * twice, or where the other columns have fewer than `least` bytes: NARROW_BYTES is
 * where a second look at the file begins to pay.  Returns 0 or -errno.
 */
#define NARROW_BYTES (8u << 20)
int gather_narrow(struct gather *, const struct gather_ask *, uint64_t least,
    struct diag *why);

/* gather_next - takes in the next interval of the range: 1, 0 at the end, -errno.
 * gather_all - takes in all of them. */
int gather_next(struct gather *, struct diag *why);
int gather_all(struct gather *, struct diag *why);

/* gather_before_columns - calls a function each time that the dump has new columns,
 * before these are bound: a caller that holds on to intervals has to be done with
 * those of the old columns by then.  Two callers, told apart by ctx, may ask for it;
 * NULL: calls it no longer. */
void gather_before_columns(struct gather *, void (*)(void *), void *ctx);

/* gather_sums - the sums over all intervals so far.
 * gather_interval - the sums over the present interval alone.
 * Both are valid until the next call of either.
 *
 * gather_alone - what gather_sums would return for the present interval alone, had the sums
 * begun there; where gather_round is 1, these are the sums of a round.  Call gather_interval
 * before it, whose sums are not valid any more then.  NULL: out of memory.
 *
 * gather_afresh - forgets what was added up: sums begin with the next interval. */
const struct sums *gather_sums(struct gather *);
const struct sums *gather_interval(struct gather *);
const struct sums *gather_alone(struct gather *);
void gather_afresh(struct gather *);

/* ---- event sets that take turns ------------------------------------------ */

/* gather_sets - how many event sets there are; 0: all events are counted all the time.
 * gather_set - the name of one, and the part of the time, 0 to 1, in which it was counted. */
unsigned gather_sets(const struct gather *);
const char *gather_set(const struct gather *, unsigned set, double *share);
/* gather_rotates - from how many sets a bound metric takes events: 0, 1, or 2, which
 * means several.
 * gather_round - intervals until each set has had its turn; 1 without sets.
 * gather_between - do the sets take turns within each interval? */
unsigned gather_rotates(const struct gather *, unsigned bound);
unsigned gather_round(const struct gather *);
bool gather_between(const struct gather *);
/* gather_estimates - do any events take turns, in sets of tallyd or in groups of the
 * kernel?
 * gather_turns - did the kernel give some group of events counters for only a part
 * of the time? */
bool gather_estimates(const struct gather *);
bool gather_turns(const struct gather *);
/* gather_every - the counters that a bound metric takes are read once in so many samples:
 * widens the range *least to *most so that it has all of these numbers. */
void gather_every(const struct gather *, unsigned bound, unsigned *least,
    unsigned *most);

/* ---- intervals in groups ------------------------------------------------- */

/*
 * A group is a whole round of event sets, or lasts so many seconds:
 *
 *	while ((rc = gather_next(g, why)) > 0) {
 *		if (!round_ends(&round, g))
 *			continue;
 *		... gather_sums(g) ...
 *		gather_afresh(g);
 *	}
 */
struct round {
	bool sets;              /* whole rounds of all event sets */
	double every;           /* s that a group lasts; 0: as short as can be */
	double seconds;         /* s from the first sample to the present one */
	double next;            /* s from there to where the group is to end */
	uint64_t intervals;     /* how many the present group has so far */
};

struct round round_begin(double every, bool sets);
/* round_ends - to be called once after each gather_next: does a group end with this
 * interval?  A group ends with the sample nearest to a multiple of `every`, and only with a
 * whole round where these are asked for. */
bool round_ends(struct round *, const struct gather *);
/* round_rest - after the last interval: do the intervals behind the last group make a
 * shorter one?  Where event sets take turns, only if they are whole rounds, as else some
 * events would be missing. */
bool round_rest(const struct round *, const struct gather *);

#endif
