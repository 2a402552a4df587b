/*
 * postproc/data/turns.h - events that take turns on the counters, in sets of tallyd or in
 * groups of the kernel: for which part of the time each was counted.
 */
#ifndef POSTPROC_DATA_TURNS_H
#define POSTPROC_DATA_TURNS_H

#include "postproc/data/intervals.h"

enum turn { TURN_NONE, TURN_SET, TURN_GROUP };

/* The columns that say how long a set or group was enabled, and how long of that it ran; -1:
 * there is none. */
struct turn_times {
	int32_t enabled, running;
	int32_t scaled;         /* for a sum over lprocs or boxes: the column with
				 * the sum of their counts, each scaled to all of
				 * the time; -1: none */
};

struct turn_set {
	const char *name;
	struct turn_times times;
};

/* A set or a group.  Events of the same one are counted at the same time.  Groups of
 * one name in two families are two groups, as a group is of one PMU. */
struct turn_name {
	const char *family, *name;      /* family: "" of a set */
	unsigned set;                   /* of a set: its number */
};

struct turns {
	bool looked;            /* the head was searched for sets and groups */
	bool any;               /* it has some */
	struct turn_set *set;
	unsigned nset;
	bool between;           /* every set has turns within each interval */
	unsigned of;            /* 1 + the set that alone ran in the last interval;
				 * 0: none, or several did */
	unsigned lasts;         /* for how many intervals it has done so */
	unsigned longest;       /* the most that lasts has been */
	struct turn_name *name; /* [nname] sets and groups of columns, see whose */
	unsigned nname, name_room;
	/* by column: */
	unsigned ncol, room;
	uint8_t *kind;          /* enum turn */
	uint32_t *whose;        /* 1 + the number in name[] of the set or group
				 * that it is in; 0: none */
	struct turn_times *times;
	uint64_t *lost;         /* for how long its set or group ran in intervals
	                         * that are left out of its sum */
};

/*
 * turns_load - takes in those of the first ncol columns that are new since the last call.
 *
 * sum   the sums so far of the columns that were there then: the time that their sets and
 *       groups ran by these is lost to the new columns, which did not count in it
 *
 * A zeroed struct is empty.  Returns 0 or -ENOMEM.
 */
int turns_load(struct turns *, const struct reader *, unsigned ncol,
    const uint64_t *sum);
void turns_fini(struct turns *);
/* turns_afresh - to be called when sums begin anew: nothing is left out of them yet. */
void turns_afresh(struct turns *);

/*
 * turns_seen - notes which set had its turn in an interval.
 * turns_round - how many intervals it takes until every set has had a turn.  A turn lasts one
 * interval, or several (tallyd --rotate), as turns_seen noted.  1: no sets take turns, or
 * all of them have one in each interval (tallyd --turn).
 */
void turns_seen(struct turns *, const struct interval *);
unsigned turns_round(const struct turns *);

/*
 * turns_left_out - to be called for each column after an interval with deltas that are
 * left out.  Returns true where the column's own delta is good, but not those of its
 * set's or group's times: nobody knows for which part of the time it was counted, so it
 * has to be left out, too.
 */
bool turns_left_out(struct turns *, unsigned column, const struct interval *);

/*
 * turns_share - the part of the time, 0 to 1, in which a column was counted: how long its
 * set or group ran in the intervals that are in the sum, divided by how long it was enabled.
 * 1: it takes no turns; 0: it never had one.  The counters behind a sum over lprocs or boxes
 * may have run for different times; its share is the count divided by the scaled count
 * (turn_times.scaled).
 *
 * sum   [ncol] deltas added up
 * lost  turns.lost of the column; 0 for a single interval
 */
double turns_share(const struct turns *, unsigned column, const uint64_t *sum,
    unsigned ncol, uint64_t lost);
void turns_shares(const struct turns *, const uint64_t *sum, unsigned ncol,
    double *share, unsigned n);
/* turns_shares - turns_share of the first n columns with lost = 0, into share[n].
 * turns_known_by - the column whose sum has to be known for a column's share to be known;
 * the column itself where it takes no turns. */
unsigned turns_known_by(const struct turns *, unsigned column);
/* turns_part - the part of an interval, 0 to 1, in which a set or group ran; 0 also where
 * that is unknown. */
double turns_part(const struct turn_times *, const struct interval *);
/* turns_set_of - the set of a column whose kind is TURN_SET. */
unsigned turns_set_of(const struct turns *, unsigned column);
/* turns_idle - words: "its event set did not run", "its group did not run". */
const char *turns_idle(enum turn);
/*
 * turns_missed - why a column's sum is no count though all of its deltas are good: the
 * words of turns_idle, if it never ran while it was enabled; else NULL.
 */
const char *turns_missed(const struct turns *, unsigned column,
    const uint64_t *sum, unsigned ncol, uint64_t lost);
/* turns_in_set - the column that says what `column`, which always counts, counted in the
 * turns of a set; -1: the dump has none. */
int32_t turns_in_set(const struct turns *, const struct reader *,
    unsigned column, unsigned set);
/* turns_set_share - turns_share of each event of a set, with lost = 0. */
double turns_set_share(const struct turns *, unsigned set, const uint64_t *sum,
    unsigned ncol);

/* counted - is a column's delta in one interval a count, even if a doubtful one?
 * counted_word - "good", "wrapped", or why it is none: "reset", "its group did not
 * run".  counted_share - the part of the interval in which it was counted. */
bool counted(const struct turns *, const struct interval *, unsigned column);
const char *counted_word(const struct turns *, const struct interval *,
    unsigned column);
double counted_share(const struct turns *, const struct interval *,
    unsigned column);

#endif
