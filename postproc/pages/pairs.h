/*
 * postproc/pages/pairs.h - pairs: figures that two independent counters give, which are
 * compared interval by interval.
 */
#ifndef POSTPROC_PAGES_PAIRS_H
#define POSTPROC_PAGES_PAIRS_H

#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>

#include "postproc/data/findings.h"
#include "postproc/formula/compiled.h"
#include "postproc/formula/lex.h"
#include "postproc/metrics/gather.h"

/* ---- which figures two counters give (pair_rows.c) --------------------------- */

/* What kind of pair it is, and what it needs beside its inputs. */
enum pair_needs {
	PAIR_ALL_BOXES = 1,     /* all boxes of the package are counted */
	PAIR_BOTH_RINGS = 2,    /* fixed counter `fixed` counts in all rings,
	                         * for its own thread */
	PAIR_ACROSS = 4,        /* left is of one package, right of the other */
	PAIR_LEFT_MOVES = 8,    /* if left stays at 0, the node does not have it */
	PAIR_AT_ONCE = 16,      /* both are read at the same moment */
	PAIR_RARE = 32,         /* few nodes have it: where it cannot be compared,
	                         * nothing is said */
	PAIR_FOLLOWS = 64,      /* right has to rise when left does */
	PAIR_BOUND = 128,       /* right is the greatest possible value of left:
	                         * nothing is said where it holds; where it does
	                         * not, left alone is doubtful */
	PAIR_PEERS = 256,       /* right is the median of left in the other units
	                         * of the package, and has to be at least `once`;
	                         * only over all of the run */
	PAIR_NOTE = 512         /* a difference is a note: it may be as it should */
};

/*
 * In every interval, as far as both sides were read at the same moment, and over all of
 * the run,
 *
 *   least * right - less - once <= left <= most * right + once
 *
 * Over all of the run this is checked for each unit of a narrower scope, too.  Formulas
 * are of the language of metrics; what differs from model to model (flops_a_cycle) is a
 * hidden metric of the model's list.  A row with parts is a pair for each part, whose
 * number stands behind the name, and for '#' in formulas; nothing is said of parts that
 * cannot be compared.
 */
struct pair_row {
	const char *name, *unit;
	enum scope scope;       /* package or node; of PAIR_PEERS that of the units */
	const char *left_is, *right_is;         /* in words; as formulas: */
	struct expr left, right;                /* right: not of PAIR_PEERS */
	double least, most;     /* 0; INFINITY: no bound on that side */
	struct expr less;       /* 0 where the text has none: */
	bool lessens;           /* it has one */
	double once;            /* in the unit */
	const char *why;        /* the reason for these bounds */
	unsigned short needs;
	unsigned char fixed, parts;
	enum scope narrow;      /* the narrower scope; SCOPES: none */
};

struct pair_rows {
	struct arena *arena;
	struct pair_row *row;
	unsigned n, room;
};

/* pair_rows_load - read a file or a built-in text ("@counters"; config/rules/README has
 * the language).  0, or -errno with "file:line:col: ..." in why (without words:
 * -ENOMEM); call pair_rows_fini in any case; it accepts zeros. */
int pair_rows_load(struct pair_rows *, const char *name, struct diag *why);
void pair_rows_fini(struct pair_rows *);

/* ---- compared ---------------------------------------------------------------- */

/* Does the right side rise when the left does?  The slope of a line through stretches of
 * time, x being the rate of the left side (the part), y that of the right (the whole). */
struct pair_slope {
	double seconds, part, whole;    /* of the stretch that is being filled */
	unsigned n;                     /* stretches that are full, */
	double x, y, xx, xy;            /* and sums over them */
	double least, most;             /* x */
	uint64_t first, last;           /* samples between which these are */
};

/* pair_slope_flat - did the part rise and fall by at least a quarter of itself, and the
 * whole by less than half of that?  *slope: the rise of the whole per 1 of the part. */
bool pair_slope_flat(const struct pair_slope *, double *slope);

/* The formulas of a row.  JOINT: of units that have the inputs of both sides. */
enum pair_side { SIDE_LEFT, SIDE_RIGHT, SIDE_JOINT_LEFT, SIDE_JOINT_RIGHT,
	SIDE_LESS, SIDES };

/* Intervals that are beyond one of the two bounds. */
struct pair_beyond {
	unsigned n;
	double left, right;
	uint64_t first, last;
};

/* An interval that may be beyond a bound: that depends on how far apart the readings of
 * a sample are (skew), which is known after the last sample. */
struct pair_kept {
	double over, a_second;  /* it is beyond if over > a_second * skew */
	double seconds;
	double left, right;
	uint64_t before, sample;
	bool high;              /* beyond the upper bound, else the lower */
};

struct pair_window {
	unsigned n;             /* intervals compared */
	double left, right;
	struct pair_beyond low, high;
	struct pair_kept *kept;
	unsigned nkept, room;
	struct pair_slope slope;        /* of PAIR_FOLLOWS */
};

struct pair_bound {
	unsigned side[SIDES];   /* of binding.bound */
	enum scope scope;
	unsigned nwindow;
	struct pair_window *window;
	unsigned *compiled;     /* [nwindow * SIDES] numbers in pairs.compiled */
	/* some intervals were not compared: values were estimates, or lacked units */
	bool estimated, partial;
	bool apart;             /* none can be: the sides are read at different rates */
	/* none can be, and its other sides are not bound: the dump lacks inputs, and
	 * pairs.silent is set */
	bool lacks;
};

enum pair_says { PAIR_CANNOT, PAIR_AGREES, PAIR_DIFFERS };

/* One pair, and the result. */
struct pair {
	const struct pair_row *row;
	char name[32];
	unsigned part;          /* which one, of a row with parts */
	uint8_t says;           /* enum pair_says */
	bool neither;           /* PAIR_CANNOT: the dump has neither side */
	bool foreign;           /* PAIR_CANNOT: only other CPUs have such counters */
	double left, right;     /* over the intervals that were compared; where it
	                         * differs, over those that do, in one window */
	char where[80];         /* that window: " of package 0" */
	unsigned beyond, of;    /* intervals beyond a bound, of how many */
	unsigned window;        /* number of that window */
	uint64_t first, last;   /* samples of the intervals beyond */
	bool whole;             /* it differs over all of the run, */
	unsigned units;         /* in so many units */
	bool flat;              /* it differs, as right does not rise with left: */
	double slope;           /* so much per 1 of left */
	char why[240];          /* why it cannot be compared */
	struct pair_bound *p;
};

struct pairs {
	bool silent;            /* nobody asks why a pair cannot be compared */
	struct pair_rows rows;
	struct pair *pair;      /* [n] a row, or a part of one */
	unsigned n;
	struct compiled *compiled;
	unsigned ncol;          /* columns when that was compiled */
	const struct gather *gather;
	bool beside;            /* somebody else evaluates formulas (pairs_take_beside) */
	int rc;                 /* of those that were */
	const struct sums *sums;        /* of the present interval; in the end of
	                         * the whole range */
	double skew_s;          /* how far apart the readings of a sample are, as
	                         * far as is known; -1: not known */
	bool *doubtful;         /* [ncol of the gather] is a pair that differs of
	                         * this column?  NULL: none is */
};

/*
 * pairs_bind - bind all pairs, before the dump is read; the metrics have what names
 * in their formulas stand for.
 * pairs_take - compare the interval that gather_next has read; its sums.  Set skew_s
 * before, as it may have grown.
 * pairs_judge - after the last interval.
 * Each returns 0 or -errno; call pairs_fini in any case; it accepts zeros.
 *
 * Of pairs that are `beside`, for the one who evaluates their formulas, whose gather
 * it is: pairs_compile_beside - adds them; 0 or -errno.  pairs_take_beside - takes
 * pairs_take's place, in each interval in turn, before pairs_judge.
 */
int pairs_bind(struct pairs *, struct gather *, const struct metrics *,
    struct diag *why);
int pairs_take(struct pairs *, const struct sums *);
int pairs_compile_beside(void *pairs, struct compiled *);
void pairs_take_beside(void *pairs, struct compiled *, const struct sums *,
    unsigned lane);
int pairs_judge(struct pairs *, struct gather *);
void pairs_fini(struct pairs *);

/* For the files pairs*.c.
 * pair_bound_whole - has the dump all inputs of both sides?
 * pair_figure - the value of one side in window n. */
bool pair_bound_whole(const struct gather *, const struct pair *);
struct figure pair_figure(const struct gather *, const struct pair *,
    enum pair_side, unsigned n, const struct sums *);
/* pairs_settle - judge the intervals that were kept, now that skew_s is known.
 * pair_apart - are the counters of a pair read in different samples?
 * pair_can - can a pair be compared?  If not, pair.why says why.
 * pair_why_not - set why, and `foreign`, of a pair that was compared in no interval. */
void pairs_settle(struct pairs *);
bool pair_apart(const struct gather *, const struct pair *);
bool pair_can(struct pair *, struct gather *);
void pair_why_not(struct pair *, struct gather *);

/* pair_shown - is there something to say of it?
 * pair_words - write the result: "upi: UPI data sent: 1.2 GB; received at the other end:
 * 1.2 GB: agrees: 100 %, right is 98 to 102 %: why".  Returns buf. */
bool pair_shown(const struct pair *);
const char *pair_words(const struct pair *, char *buf, size_t size);
/* pairs_find - add a finding for each pair that differs. */
void pairs_find(const struct pairs *, struct findings *);

/* All pairs compared over the whole run, for a page of figures of the whole run. */
struct held {
	struct metrics metrics; /* the built-in ones, unless somebody has read them */
	struct pairs pairs;
	struct findings findings;       /* those of PAIR_NOTE are notes */
};

/* held_take - compare, with a gather that has read all.  metrics: the built-in ones,
 * NULL: they have not been read.  Returns 0 or -ENOMEM.
 * held_fini - accepts zeros.
 * held_findings - how many findings there are; notes do not count. */
int held_take(struct held *, struct gather *, const struct metrics *);
void held_fini(struct held *);
unsigned held_findings(const struct held *);

#endif
