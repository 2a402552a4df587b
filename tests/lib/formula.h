/*
 * tests/lib/formula.h - formulas of Intel's lists of metrics, read and worked out on
 * their own: nothing of tally's is used.
 */
#ifndef TESTS_FORMULA_H
#define TESTS_FORMULA_H

#include <stdbool.h>

#define FORMULA_EVENTS 96

/* A row of the list: name, unit, levels, base, formula, events, constants. */
struct formula {
	char *cell[7];
	char *event[FORMULA_EVENTS];    /* its name, after letter[i] */
	char *letter[FORMULA_EVENTS];
	unsigned nevent;
	/* what came of it: 0 shows that it is 0, and little else */
	enum { FORMULA_OPEN, FORMULA_ZERO, FORMULA_SAME } state;
	bool turns;             /* its events took turns */
};

/* What the formulas are of: a node for some seconds. */
struct measured {
	double seconds, tsc_hz;
	unsigned packages, lprocs, boxes;       /* boxes: CHAs of a package */
	/* what an event counted in that time, of the node; NAN: not known */
	double (*count)(const struct measured *, const char *event);
	const void *ctx;        /* of count */
};

/* formulas_load - the list of Sapphire Rapids; returns how many. */
unsigned formulas_load(struct formula *, unsigned most);
/* formula_value - NAN where a name is not known or it divides by 0. */
double formula_value(const struct formula *, const struct measured *);

#endif
