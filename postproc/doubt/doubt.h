/*
 * postproc/doubt/doubt.h - what one interval alone does not show: a counter that
 * somebody else has had since its restart, and one that was stopped.
 */
#ifndef POSTPROC_DOUBT_DOUBT_H
#define POSTPROC_DOUBT_DOUBT_H

#include "postproc/doubt/delta.h"
#include "postproc/doubt/slow.h"

/* ---- what the daemon's tamper watch wrote down ---------------------------- */

struct tamper {
	struct column_id column;        /* it, or those in it, are doubtful */
	uint64_t good;          /* the last sample that was found right */
	uint64_t seen;          /* the sample at which it was found wrong */
	bool reasserted;        /* and put right again at `seen` */
	uint64_t ours_at;       /* the sample at which a look found that somebody
	                         * else had; UINT64_MAX: none did */
	const char *where;      /* the register, in words */
	uint64_t ours, found;   /* its value */
};

struct tampers {
	struct tamper *tamper;
	unsigned n;
};

/* tampers_init - from a dump's tamper_* constants; -ENOMEM. */
int tampers_init(struct tampers *, struct reader *);
void tampers_fini(struct tampers *);

/* tamper_in - does it spoil the interval between two samples? */
bool tamper_in(const struct tamper *, uint64_t before, uint64_t sample);
/* tamper_over - is the register ours again by an interval's beginning? */
bool tamper_over(const struct tamper *, uint64_t before);
/* tamper_of - does it spoil this column? */
bool tamper_of(const struct tamper *, const struct column_id *);

/* ---- counters that are not believed --------------------------------------- */

/* Of IA32_PERFEVTSELx: edge detect, invert, and a threshold make cycles or edges
 * of what is counted; user and kernel together are all that runs. */
#define CONTROL_COUNTS_CYCLES UINT64_C(0xff840000)
#define CONTROL_RINGS UINT64_C(0x30000)

#define IN_LPROC (UINT64_C(1) << 63)
#define IN_BOX (UINT64_C(1) << 62)

/* The counters of one lproc or box that are always on, by number. */
struct counting_unit {
	unsigned first, n;      /* into doubts.counting */
	unsigned nclock;        /* those at the front cannot stand still */
	bool lproc;
	bool moved;             /* they have counted before */
	long complex;           /* of an L3 and of an lproc: which core complex
	                         * of AMD's; -1: none */
};

/* A column that counts no more than another one of its lproc. */
struct part_of {
	unsigned part, whole;
};

/* Those of an lproc that count instructions, and its clocks. */
struct retired_by {
	unsigned first, nretired, nclock;       /* into doubts.bounded */
};

struct doubts {
	unsigned ncol, room;
	/* by column */
	bool *foreign;          /* restarted, or beyond what there is, and not
	                         * shown to be ours since */
	bool *beyond;           /* it was that, and not restarted */
	uint64_t *at;           /* the sample at which it was */
	unsigned nforeign;
	uint64_t *in_unit;      /* IN_LPROC, IN_BOX, 0: in none */
	bool *moved;            /* joules were counted */
	/* in any order */
	unsigned *counting;     /* columns, by unit; */
	uint8_t *role;          /* and what bounds_role says of each */
	unsigned *energy, nenergy;      /* columns that count joules; */
	unsigned *uncounted, nuncounted;        /* those that never have */
	struct counting_unit *unit;
	unsigned nunit;
	bool all_moved;         /* all of these have */
	/* as bounds_find says */
	struct part_of *part;
	struct retired_by *retired;
	unsigned *bounded;      /* columns: retired, then clocks, by lproc */
	unsigned npart, nretired;
	bool dram_rests;        /* the model's dram_energy_rests */
	bool stamped;           /* what is of one lproc was read in one go */
	uint64_t watch;         /* samples between two looks at our controls;
	                         * 0: nobody looked */
};

/* What the deltas of one interval are judged by. */
struct doubted {
	const struct reader *reader;
	const struct read_row *row;
	const struct tampers *tampers;
	const struct limits *limits;
	const struct slow_columns *slow;
	double seconds, tsc_hz;
	unsigned left_out;      /* how many are not good by themselves */
	const uint64_t *delta;
	const uint8_t *spoilt;  /* not 0: it is one odd value, and no restart;
	                         * NULL: none is */
	uint8_t *kind;          /* in and out: enum delta_kind, by column */
};

/* doubts_grow - room for ncol columns; -ENOMEM.  A zeroed one is empty. */
int doubts_grow(struct doubts *, const struct reader *, unsigned ncol);
void doubts_fini(struct doubts *);

/* doubts_programmable - is it programmed with an event, in a register of its
 * own? */
bool doubts_programmable(const struct column_id *);

/* doubts_clock - is it never still while there is power: DCLK, UCLK; of an lproc
 * the fixed counters, while another one counts cycles? */
bool doubts_clock(const struct column *);

/* doubts_since - the sample at which a foreign counter was restarted, or (*beyond)
 * counted what cannot be. */
uint64_t doubts_since(const struct doubts *, unsigned column, bool *beyond);

/*
 * doubts_judge - every interval of a dump in order, also those before the range
 * that was asked for: what began there lasts.  Marks, of what is good by its own
 * two values,
 *   DELTA_FOREIGN  programmable counters that were restarted from outside, or were
 *                  beyond what there is, and so had another event for a while:
 *                  until a look at the controls shows that they are ours
 *   DELTA_STOPPED  counters that stood still beside proof that time went on: of an
 *                  L3 that an lproc of its complex ran
 *   DELTA_BEYOND   as bounds_judge says
 * Returns how many.  A counter of energy that has stood still since the dump's
 * begin is none that the node has, and uncounted: at 0, where the model says so, or
 * where a part uses some energy all the time.
 */
unsigned doubts_judge(struct doubts *, const struct doubted *);

/* ---- bounds.c: what one counter of an lproc says of another --------------- */

/*
 * bounds_judge - marks, of what is good so far,
 *   DELTA_BEYOND  instructions above 16 a cycle of the same lproc; instructions
 *                 (branches among them) or cycles of a kind, and all of them,
 *                 where the kind is more: one of the two counts something else
 * Returns how many.
 */
unsigned bounds_judge(const struct doubts *, const struct doubted *);

/* bounds_find - the columns that it compares: parts and the whole, instructions and
 * clocks.  bounds_hold - is none of them beyond, all deltas being
 * good?  False: perhaps one is. */
void bounds_find(struct doubts *);
bool bounds_hold(const struct doubts *, const struct doubted *);

/* bounds_role - what of this a counter has a part in, for doubts.role. */
uint8_t bounds_role(const struct column *);

#endif
