/*
 * postproc/gather/gather.h - one dump, taken in: its columns, its topology, and what
 * was counted over a range of its samples.
 *
 * Streams: memory does not grow with the number of samples, and a value costs
 * one addition.
 */
#ifndef POSTPROC_GATHER_GATHER_H
#define POSTPROC_GATHER_GATHER_H

#include "postproc/data/intervals.h"
#include "postproc/gather/gather_ask.h"
#include "postproc/metrics/bind.h"

struct gather {
	const char *path;
	char host[256];         /* the node: as the dump says, else by its file */
	struct intervals *intervals;
	struct reader *reader;
	struct seriesset series;
	struct topology topo;
	struct binding binding;
	unsigned ncol;          /* columns taken into series */
	struct interval now;    /* the present interval */
	uint64_t nleft_out;     /* deltas, in all columns, so far */
	uint64_t intervals_hit; /* intervals that had any of them */
	double wall_first, wall_last;   /* seconds since 1970; 0: unknown */
	struct gather_private *p;
};

/*
 * gather_open - open a dump, read up to its first interval, find out its
 * topology: by a rule or a file (topology_rule); NULL: as the dump says, else
 * by block.  Metrics are bound (gather.binding) after this has returned 0.
 * gather_close accepts whatever it left.
 */
int gather_open(struct gather *, const char *path, const struct metrics *,
    const char *topology, const struct select *, struct diag *why);
void gather_close(struct gather *);

/*
 * gather_follow - one that adds up the intervals which another one reads, and has
 * sums and metrics of its own: after each gather_next of that one, gather_next of
 * this one takes the same interval.  The other one has not added up any yet, and
 * is closed later.  0 or -ENOMEM; gather_close accepts either.
 */
int gather_follow(struct gather *, const struct gather *of,
    const struct metrics *);

/* gather_load - gather_open, with the metrics of that dump.  gather_unload
 * frees both, and accepts whatever gather_load left, or zeros.
 * gather_metrics - these metrics once more, of a gather that is open. */
int gather_load(struct gather *, struct metrics *, const char *path,
    const struct gather_ask *, struct diag *why);
int gather_metrics(const struct gather *, struct metrics *,
    const struct gather_ask *, struct diag *why);
void gather_unload(struct gather *, struct metrics *);

/* gather_next - take in the next interval of the range: 1, 0 at the end,
 * -errno.  gather_all - all of them. */
int gather_next(struct gather *, struct diag *why);
int gather_all(struct gather *, struct diag *why);

/* gather_before_columns - calls a function whenever columns have come, before they
 * are bound: for who keeps intervals, whose columns are those from before.  Two of
 * different ctx may ask for it; NULL: no longer. */
void gather_before_columns(struct gather *, void (*)(void *), void *ctx);

/* gather_sums - over all intervals so far; gather_interval - over the present
 * one alone.  Either holds until the next call.
 * gather_afresh - forget what was added up: the sums begin with the next one. */
const struct sums *gather_sums(struct gather *);
const struct sums *gather_interval(struct gather *);
void gather_afresh(struct gather *);
/* gather_sets - how many event sets took turns; one alone always counts.
 * gather_set - the name of one, and the part of the time that it ran. */
unsigned gather_sets(const struct gather *);
const char *gather_set(const struct gather *, unsigned set, double *share);
/* gather_rotates - of how many such sets does a bound metric take events: 0, 1, or
 * 2, which is several.
 * gather_round - how many intervals their round takes; 1 where there is none. */
unsigned gather_rotates(const struct gather *, unsigned bound);
/* gather_every - samples from one reading to the next of a bound metric's counters:
 * the fewest and the most, where these are beyond what *least and *most are. */
void gather_every(const struct gather *, unsigned bound, unsigned *least,
    unsigned *most);
unsigned gather_round(const struct gather *);
/* gather_between - do event sets have turns within each interval? */
bool gather_between(const struct gather *);
/* gather_estimates - are there events that take turns? */
bool gather_estimates(const struct gather *);
/* gather_turns - did the kernel give some groups of events counters for a part
 * of the time? */
bool gather_turns(const struct gather *);

/* gather_topology - gather.topo, of the columns so far; for gather_open. */
int gather_topology(struct gather *, const char *rule, struct diag *why);

#endif
