/*
 * postproc/pages/pairs.h - redundancy: figures that two independent counters
 * give, compared interval by interval.
 */
#ifndef POSTPROC_PAGES_PAIRS_H
#define POSTPROC_PAGES_PAIRS_H

#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>

#include "postproc/data/findings.h"
#include "postproc/gather/gather.h"
#include "postproc/metrics/compiled.h"
#include "postproc/metrics/lex.h"

/* ---- which figures two counters give (pair_rows.c) --------------------------- */

/* What a pair needs beside its inputs. */
enum pair_needs {
	PAIR_ALL_BOXES = 1,     /* all boxes of the package are counted */
	PAIR_BOTH_RINGS = 2,    /* fixed counter `fixed` counts in all rings,
	                         * for its own thread */
	PAIR_ACROSS = 4,        /* left of a package, right of the other one */
	PAIR_LEFT_MOVES = 8,    /* a left side that stands at 0 is not there */
	PAIR_AT_ONCE = 16,      /* both are read at the same moment */
	PAIR_RARE = 32,         /* few nodes have it: where it cannot be
	                         * compared it is not spoken of */
	PAIR_FOLLOWS = 64,      /* what is right rises when what is left does */
	PAIR_BOUND = 128,       /* right is what there can be: that it holds is
	                         * no news, and where not, left is in doubt */
	PAIR_PEERS = 256,       /* right is the median of left, of the other
	                         * units of the package; `once`: the least of
	                         * it; over all of the run alone */
	PAIR_NOTE = 512         /* it may be so, and is worth knowing */
};

/*
 * In every interval, up to the moments at which the registers were read,
 *
 *   least * right - less - once <= left <= most * right + once
 *
 * and so over all of the run, where also each unit of a narrower scope is looked at.
 * Formulas are of the language of metrics, and worth what was counted; what differs
 * from model to model (flops_a_cycle) is a hidden metric of its list.  With
 * parts, it is a pair for each: its number is behind the name, and stands for '#' in
 * formulas.  Those that cannot be compared are not spoken of.
 */
struct pair_row {
	const char *name, *scope, *unit;        /* scope: package or node; of
	                                         * PAIR_PEERS that of the units */
	const char *left_is, *left;             /* in words; formula */
	const char *right_is, *right;
	double least, most;     /* 0, INFINITY: no bound on that side */
	const char *less;       /* formula, or NULL */
	double once;            /* in the unit */
	const char *why;        /* why the bound is where it is */
	unsigned short needs;
	unsigned char fixed, parts;
	const char *narrow;     /* a narrower scope; or NULL */
};

struct pair_rows {
	struct arena *arena;
	struct pair_row *row;
	unsigned n, room;
};

/* pair_rows_load - a file, or a text that is built in ("@counters"; the language:
 * config/rules/README).  0, or -errno with "file:line:col: ..." in why (where there
 * are no words, memory ran out); pair_rows_fini accepts either, and zeros. */
int pair_rows_load(struct pair_rows *, const char *name, struct diag *why);
void pair_rows_fini(struct pair_rows *);

/* ---- compared ---------------------------------------------------------------- */

struct pair_slope {
	double seconds, part, whole;    /* of the time that is not full yet */
	unsigned n;
	double x, y, xx, xy;            /* sums over n times, a second */
	double least, most;             /* of the part */
	uint64_t first, last;           /* samples that they are between */
};

/* pair_slope_add - an interval, from sample `before` to `sample`. */
void pair_slope_add(struct pair_slope *, double seconds, double part,
    double whole, uint64_t before, uint64_t sample);

/* pair_slope_flat - the part rose and fell by a quarter of itself at least, and
 * the whole by less than half of that.  slope: how much, of 1. */
bool pair_slope_flat(const struct pair_slope *, double *slope);

/* What a formula of a row is called among the metrics. */
enum pair_side { SIDE_LEFT, SIDE_RIGHT, SIDE_JOINT_LEFT, SIDE_JOINT_RIGHT,
	SIDE_LESS, SIDES };

/* Intervals that are beyond the bound to one side. */
struct pair_beyond {
	unsigned n;
	double left, right;
	uint64_t first, last;
};

/* An interval that is beyond, or not, by how far apart the readings of a sample
 * are: which is known in the end. */
struct pair_kept {
	double over, a_second;  /* beyond while over > a_second * skew */
	double seconds;
	double left, right;
	uint64_t before, sample;
	bool high;
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
	unsigned *compiled;     /* [nwindow * SIDES] */
	bool estimated, partial;        /* intervals were not compared, for */
	bool apart;             /* and cannot: its sides have not one rate */
};

enum pair_says { PAIR_CANNOT, PAIR_AGREES, PAIR_DIFFERS };

/* One pair: what it comes to. */
struct pair {
	const struct pair_row *row;
	char name[32];
	unsigned part;
	uint8_t says;           /* enum pair_says */
	bool neither;           /* cannot, for the dump has neither side */
	bool foreign;           /* cannot, for other CPUs alone have such counters */
	double left, right;     /* over the intervals that were compared; where
	                         * it differs, those that do, where that is */
	char where[80];         /* "package 0" */
	unsigned beyond, of;    /* intervals, and how many were compared */
	unsigned window;        /* of the scope: where it differs */
	uint64_t first, last;   /* samples of those beyond */
	bool whole;             /* it differs, over all of the run; */
	unsigned units;         /* so many of its units */
	bool flat;              /* it differs, as the right side does not rise */
	double slope;           /* when the left does: so much of 1 */
	char why[240];          /* it cannot be compared */
	struct pair_bound *p;
};

struct pairs {
	struct pair_rows rows;
	struct pair *pair;      /* [n] a row, or a part of one */
	unsigned n;
	struct compiled *compiled;
	unsigned ncol;          /* it is of so many columns */
	const struct sums *sums;        /* of the present interval; then of all */
	double skew_s;          /* readings of a sample are this far apart, as far
	                         * as is known; -1: nobody knows */
	bool *doubtful;         /* [ncol of the gather] a pair that differs is of
	                         * this column; NULL: none is */
};

/*
 * pairs_bind - to a dump that is not read yet; its metrics have those of the
 * pairs, then.  pairs_take - the interval that gather_next has read, its sums;
 * skew_s may have grown.  pairs_judge - after the last.  0 or -errno; pairs_fini
 * accepts either, and what is all 0.
 */
int pairs_bind(struct pairs *, struct gather *, struct metrics *,
    struct diag *why);
int pairs_take(struct pairs *, const struct gather *, const struct sums *);
int pairs_judge(struct pairs *, struct gather *);
/* pairs_whole - after the last: over all of the run alone; by what is bound to a gather that
 * has read all already.  0 or -ENOMEM. */
int pairs_whole(struct pairs *, struct gather *);
void pairs_fini(struct pairs *);

/* For the other files of pairs.  pair_bound_whole - has the dump both sides?
 * pair_figure - one side in window n. */
bool pair_bound_whole(const struct gather *, const struct pair *);
struct figure pair_figure(const struct gather *, const struct pair *,
    enum pair_side, unsigned n, const struct sums *);
/* pairs_settle - judges the intervals that were kept, now that skew_s is known.
 * pair_apart - are the counters of a pair not read in the same samples?  pair_can - can
 * a pair be judged?  If not, p->why says why.  pair_why_not - sets p->why of a pair
 * that was compared in no interval, and p->foreign where other CPUs alone have its
 * counters. */
void pairs_settle(struct pairs *);
bool pair_apart(const struct gather *, const struct pair *);
bool pair_can(struct pair *, struct gather *);
void pair_why_not(struct pair *, struct gather *);
/* pair_whole - over all of the run.  pair_doubt - what it is of, in a window, is
 * doubtful. */
void pair_whole(struct pairs *, struct pair *, struct gather *);
void pair_doubt(struct pairs *, const struct pair *, const struct gather *,
    const struct window *);

/* pair_shown - is it to be spoken of?  pair_words - "upi: UPI data sent 1.2 GB,
 * received at the other end 1.2 GB: agrees: 100 %, and there can be 98 to 102 %:
 * why".  Returns buf. */
bool pair_shown(const struct pair *);
const char *pair_words(const struct pair *, char *buf, size_t size);
/* pairs_find - a finding for each that differs. */
void pairs_find(const struct pairs *, struct findings *);

/* What several counters of a run say of one thing, held against one another over all
 * of it, for a page of figures of all of it. */
struct held {
	struct metrics metrics; /* those that come with the programs */
	struct pairs pairs;
	struct findings findings;       /* with peers, as notes */
};

/* held_take - of a gather that has read all; 0 or -ENOMEM.  held_fini accepts what is
 * all 0.  held_findings - how many, notes aside. */
int held_take(struct held *, struct gather *);
void held_fini(struct held *);
unsigned held_findings(const struct held *);

#endif
