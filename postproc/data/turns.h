/*
 * postproc/data/turns.h - events that took turns on the counters, in sets of tallyd
 * or in groups of the kernel: what part of the time each was counted.
 */
#ifndef POSTPROC_DATA_TURNS_H
#define POSTPROC_DATA_TURNS_H

#include "postproc/data/intervals.h"

enum turn { TURN_NONE, TURN_SET, TURN_GROUP };

/* Columns: how long it was enabled, and how long it ran; -1: there is none. */
struct turn_times {
	int32_t enabled, running;
	int32_t scaled;         /* of a sum: its parts, each scaled; or -1 */
};

struct turn_set {
	const char *name;
	struct turn_times times;
};

/* Two of the same are counted at the same time; they are told apart by family,
 * since a group of the kernel's is of one PMU. */
struct turn_name {
	const char *family, *name;      /* family: "" of a set */
	unsigned set;                   /* of a set: which */
};

struct turns {
	bool looked, any;       /* does any event take turns? */
	struct turn_set *set;
	unsigned nset;
	bool between;           /* does each have turns within an interval? */
	unsigned of, lasts;     /* whose turn it is, 1 + set; for how many */
	unsigned longest;       /* intervals so far, and the longest of all */
	struct turn_name *name; /* of whose */
	unsigned nname, name_room;
	/* by column */
	unsigned ncol, room;
	uint8_t *kind;          /* enum turn */
	uint32_t *whose;        /* 1 + which set or group it is in; 0: none */
	struct turn_times *times;
	uint64_t *lost;         /* running time of intervals that the column
	                         * has no delta of */
};

/*
 * turns_load - of the first ncol columns; cheap where none have come since the
 * last time.  sum: what those of the last time counted so far: a new one had no
 * part in it.  A zeroed one is empty.  0 or -ENOMEM.
 */
int turns_load(struct turns *, const struct reader *, unsigned ncol,
    const uint64_t *sum);
void turns_fini(struct turns *);
/* turns_afresh - sums begin anew: nothing is left out of them. */
void turns_afresh(struct turns *);

/*
 * turns_seen - an interval more: whose turn it was.
 * turns_round - how many intervals a round of all sets takes, by what was seen:
 * a turn each, of one interval or (tallyd --rotate) of several.  1: no sets
 * take turns, or (tallyd --turn) all of them in each interval.
 */
void turns_seen(struct turns *, const struct interval *);
unsigned turns_round(const struct turns *);

/*
 * turns_left_out - take note of an interval that something is left out of, for
 * one column.  True: its delta is good but not its times', so that nobody knows
 * what part of the time it is of: to be left out, too.
 */
bool turns_left_out(struct turns *, unsigned column, const struct interval *);

/*
 * turns_share - the part of the time that a column was counted: what its set
 * or group ran in the intervals that it has deltas of, by the time that this
 * was enabled.  1: it takes no turns; 0: it never had one.  Of a sum over
 * lprocs or boxes, whose parts may have run for different times: what was
 * counted by what the dump says that this is scaled.
 *
 * sum   deltas added up, of ncol columns
 * lost  what turns_left_out found; 0 of a single interval
 */
double turns_share(const struct turns *, unsigned column, const uint64_t *sum,
    unsigned ncol, uint64_t lost);
/* turns_known_by - the column without which no share of another is known: that
 * one itself where it takes no turns. */
unsigned turns_known_by(const struct turns *, unsigned column);
/* turns_part - the part of an interval that a set or group ran in. */
double turns_part(const struct turn_times *, const struct interval *);
/* turns_set_of - the set of a column that is of one (TURN_SET). */
unsigned turns_set_of(const struct turns *, unsigned column);
/* turns_idle - "its group did not run". */
const char *turns_idle(enum turn);
/*
 * turns_missed - why a column's sum is no count, though all of its deltas are
 * good: turns_idle's words, if it did not run while it was enabled; else NULL.
 */
const char *turns_missed(const struct turns *, unsigned column,
    const uint64_t *sum, unsigned ncol, uint64_t lost);
/* turns_in_set - the column that shows what another one, which always counts, did
 * in the turns of a set; -1: there is none. */
int32_t turns_in_set(const struct turns *, const struct reader *,
    unsigned column, unsigned set);
/* turns_set_share - of a whole set. */
double turns_set_share(const struct turns *, unsigned set, const uint64_t *sum,
    unsigned ncol);

/* counted - is a column's delta in one interval a count, be it a doubtful one?
 * counted_word - "good", "wrapped", or why it is none: "reset", "its group did not
 * run".  counted_share - the part of the interval in which it was counted. */
bool counted(const struct turns *, const struct interval *, unsigned column);
const char *counted_word(const struct turns *, const struct interval *,
    unsigned column);
double counted_share(const struct turns *, const struct interval *,
    unsigned column);

#endif
