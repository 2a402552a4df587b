/*
 * postproc/pages/pair_rows.h - which figures two independent counters give.
 */
#ifndef POSTPROC_PAGES_PAIR_ROWS_H
#define POSTPROC_PAGES_PAIR_ROWS_H

#include <stdbool.h>

#include "postproc/metrics/lex.h"

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

#endif
