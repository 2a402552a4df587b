/*
 * postproc/data/doubt.h - counters that are not believed though their own two values
 * look right: somebody else changed their control, has used them since a restart, or
 * stopped them; or other counters of the lproc contradict them.
 */
#ifndef POSTPROC_DOUBT_DOUBT_H
#define POSTPROC_DOUBT_DOUBT_H

#include "postproc/data/delta.h"
#include "postproc/data/slow.h"

/* ---- what the daemon's tamper watch wrote down ---------------------------- */

struct tamper {
	struct column_id column;        /* of the columns that it makes doubtful */
	uint64_t good;          /* the last sample at which the register was
	                         * found right */
	uint64_t seen;          /* the sample at which it was found changed */
	bool reasserted;        /* the daemon wrote its own value back at `seen` */
	uint64_t ours_at;       /* the sample at which a look found the daemon's
	                         * value again; UINT64_MAX: none did */
	const char *where;      /* the register, in words */
	uint64_t ours, found;   /* the value it should have, and that it had */
};

struct tampers {
	struct tamper *tamper;
	unsigned n;
};

/* tampers_init - from a dump's tamper_* constants; 0 or -ENOMEM. */
int tampers_init(struct tampers *, struct reader *);
void tampers_fini(struct tampers *);

/* tamper_in - does it make the interval between two samples doubtful?
 * tamper_of - is this column one of those that it makes doubtful? */
bool tamper_in(const struct tamper *, uint64_t before, uint64_t sample);
bool tamper_of(const struct tamper *, const struct column_id *);

/* ---- counters that are not believed --------------------------------------- */

/* Bits of IA32_PERFEVTSELx.  With edge detect, invert or a threshold a counter counts
 * cycles or edges instead of events; with both the USR and the OS bit it counts in user mode
 * and in the kernel. */
#define CONTROL_COUNTS_CYCLES UINT64_C(0xff840000)
#define CONTROL_RINGS UINT64_C(0x30000)

#define IN_LPROC (UINT64_C(1) << 63)
#define IN_BOX (UINT64_C(1) << 62)

/* The counters of one lproc or box that take no turns, in the order of columns. */
struct counting_unit {
	unsigned first, n;      /* into doubts.counting */
	unsigned nclock;        /* how many at the front are clocks, which cannot
	                         * stand still: see doubts_clock */
	bool lproc;
	bool moved;             /* of a box: any has counted by now */
	long complex;           /* AMD's core complex that an L3 or an lproc
	                         * belongs to; -1: none */
};

/* Two columns of an lproc: the part cannot count more than the whole. */
struct part_of {
	unsigned part, whole;
};

/* The columns of an lproc that count instructions, and its clocks. */
struct retired_by {
	unsigned first, nretired, nclock;       /* into doubts.bounded */
};

struct column_doubt {
	bool foreign;           /* it was restarted from outside, or counted what
	                         * cannot be, and no look at its control has
	                         * shown since that it is ours */
	bool beyond;            /* it counted what cannot be */
	bool moved;             /* of energy: some was counted by now */
	uint64_t at;            /* of a foreign one: the sample at which it was
	                         * restarted, or beyond */
};

struct doubts {
	unsigned ncol, room;
	struct column_doubt *column;    /* [ncol] */
	unsigned nforeign;      /* how many of these are foreign */
	uint64_t *in_unit;      /* [ncol] IN_LPROC, IN_BOX; 0: in no unit */
	/* lists of columns */
	unsigned *counting;     /* those in units, unit by unit */
	uint8_t *role;          /* bounds_role of each of these */
	unsigned *energy, nenergy;      /* those that count energy */
	unsigned *uncounted, nuncounted;        /* of these, those that stand still
				 * in this interval as the node does not have them */
	struct counting_unit *unit;
	unsigned nunit;
	bool all_moved;         /* all boxes have counted by now */
	/* set by bounds_find: */
	struct part_of *part;
	struct retired_by *retired;
	unsigned *bounded;      /* for each of retired[]: columns that count
				 * instructions, then clocks */
	unsigned npart, nretired;
	bool dram_rests;        /* the model's dram_energy_rests */
	bool stamped;           /* all counters of an lproc were read right after
				 * its stamp, so that they can be compared */
	uint64_t watch;         /* the daemon read its control registers back every
				 * so many samples; 0: it did not */
};

/* What the deltas of one interval are judged by. */
struct doubted {
	const struct reader *reader;
	const struct read_row *row;
	const struct tampers *tampers;
	const struct limits *limits;
	const struct slow_columns *slow;
	double seconds, tsc_hz;
	unsigned left_out;      /* deltas that are not good by their own values */
	const uint64_t *delta;
	const uint8_t *spoilt;  /* by column, not 0: a single odd value explains its
	                         * delta, which was no restart; NULL: all are 0 */
	uint8_t *kind;          /* in and out: enum delta_kind, by column */
};

/* doubts_grow - takes in the first ncol columns.  A zeroed struct is empty.  Returns 0 or
 * -ENOMEM. */
int doubts_grow(struct doubts *, const struct reader *, unsigned ncol);
void doubts_fini(struct doubts *);

/* doubts_programmable - is it a counter that is programmed with an event, as opposed
 * to a fixed one? */
bool doubts_programmable(const struct column_id *);

/* doubts_since - the sample since which a counter is foreign: it was restarted there,
 * or counted what cannot be (*beyond). */
uint64_t doubts_since(const struct doubts *, unsigned column, bool *beyond);

/* The n boxes of one type in one package, none of which counted anything in any interval,
 * though all those of package `moved` did. */
struct idle_boxes {
	const char *type;
	unsigned package, n, moved;
};

/*
 * doubts_idle - finds the next idle boxes.  *at is where the search goes on; it is 0 before
 * the first call.  Returns false where there are no more.
 *
 * Four or more boxes of a type (CHAs, IIO stacks) with two or more events each hardly ever
 * count nothing at all while each of them in another package counts something.  Unless all
 * events are of what only one package has (I/O), such boxes are not programmed, or frozen.
 * Boxes with a clock are judged by that instead, and those of core complexes by their
 * lprocs (doubts_judge).
 */
bool doubts_idle(const struct doubts *, const struct reader *, unsigned *at,
    struct idle_boxes *);

/*
 * doubts_judge - judges the deltas that are good by their own two values.  It has to
 * see every interval of a dump in order, also those before the range that was asked
 * for, as a doubt that began there lasts.  Marks
 *   DELTA_FOREIGN  programmable counters that were restarted from outside, or have
 *                  counted what cannot be, and so had another event for a while:
 *                  until a look at the controls shows that they are ours
 *   DELTA_STOPPED  counters that stood still though their lproc ran, their box's
 *                  clock should have gone on, or an lproc of their L3's complex ran
 *   DELTA_BEYOND   as bounds_judge says
 * Returns how many it marked.  An energy counter that has stood still since the dump began
 * is taken for one that this node does not have (doubts.uncounted) if its value is 0, if the
 * model says that it may stand still, or if what it measures always uses energy.
 */
unsigned doubts_judge(struct doubts *, const struct doubted *);

/* ---- bounds.c: what one counter of an lproc says of another --------------- */

/*
 * bounds_judge - marks good deltas as DELTA_BEYOND: a count of instructions of more than 16
 * a cycle of the same lproc; and, where instructions or cycles of one kind (branches, those
 * of the kernel) are more than all instructions or cycles, both counters, as one of them
 * counts something else.  Returns how many it marked.
 */
unsigned bounds_judge(const struct doubts *, const struct doubted *);

/* bounds_find - finds the columns to compare: part, retired and bounded of doubts.
 * bounds_hold - are all bounds kept for sure?  Faster than bounds_judge, but all deltas have
 * to be good. */
void bounds_find(struct doubts *);
bool bounds_hold(const struct doubts *, const struct doubted *);

/* bounds_role - which of these comparisons a counter is part of, for doubts.role. */
uint8_t bounds_role(const struct column *);

#endif
