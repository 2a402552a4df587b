/*
 * postproc/metrics/gather.h - one dump, taken in: its columns, its topology, and what
 * was counted over a range of its samples.
 *
 * It streams: memory does not grow with the number of samples, and a value costs one
 * addition.
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
	uint64_t intervals_hit; /* intervals in which any was */
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

/* gather_sums - over all intervals so far.  gather_interval - over the present one
 * alone.  Each is valid until the next call of either.
 * gather_alone - over the present interval alone as gather_sums would have it, had the
 * sums begun there: where gather_round is 1, those of a round.  Call gather_interval
 * first, whose sums it takes the place of.  NULL: out of memory.
 * gather_afresh - forgets what was added up: sums begin with the next interval. */
const struct sums *gather_sums(struct gather *);
const struct sums *gather_interval(struct gather *);
const struct sums *gather_alone(struct gather *);
void gather_afresh(struct gather *);

/* ---- event sets that take turns ------------------------------------------ */

/* gather_sets - how many there are; 0 where all events are counted all the time.
 * gather_set - the name of one, and the part of the time in which it was counted. */
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
/* gather_every - widens *least to *most by how many samples lie between two readings
 * of the counters that a bound metric takes. */
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
	double every;           /* s; 0: as short as can be */
	double seconds;         /* s from the first sample to the present one, */
	double next;            /* and to where the group is to end */
	uint64_t intervals;     /* of the present group */
};

struct round round_begin(double every, bool sets);
/* round_ends - to be called once after each gather_next: does a group end with this
 * interval?  It ends with the sample nearest to a multiple of `every`, and with
 * whole rounds where these are asked for. */
bool round_ends(struct round *, const struct gather *);
/* round_rest - after the last interval: do those behind the last group make a
 * shorter one?  With event sets only where they are whole rounds, as others would be
 * of other events. */
bool round_rest(const struct round *, const struct gather *);

#endif
