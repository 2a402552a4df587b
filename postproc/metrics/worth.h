/*
 * postproc/metrics/worth.h - what a column is worth in a formula, where events took
 * turns: the one place that says over what time each input is taken.
 *
 * Events of one set, beside columns that always count: these are taken over the
 * intervals in which that set ran, so that all is of one time.
 * Events of several sets, or of one and nothing that always counts but time, or
 * beside a counter of which nobody knows what it did in these intervals' turns: each
 * is extrapolated to all of the time, those of cores by their unhalted cycles.
 */
#ifndef POSTPROC_METRICS_WORTH_H
#define POSTPROC_METRICS_WORTH_H

#include "postproc/metrics/bind.h"

#define WHOSE_SEVERAL UINT32_MAX        /* counted.whose: of several turns */

/* How one evaluation takes its inputs. */
struct worth_view {
	const struct sums *sums;
	const struct topology *topo;
	uint32_t set;           /* 1 + the set of whose time all is; 0: of all */
	bool by_cycles;         /* is an event extrapolated by cycles? */
};

#define MAX_WINDOWS (EXPR_MAX_NEST + 2)

/* One evaluation of a formula: what it has met so far. */
struct eval {
	const struct binding *b;
	const struct sums *sums;
	struct worth_view view;
	uint32_t left_out;
	uint32_t nused;         /* of binding.used */
	bool partial;           /* some input lacks some unit */
	bool common;            /* only units that have all inputs */
	uint8_t no_turn;        /* enum turn: what had none */
	/* of what part of the time columns are known */
	double least_known, most_known;
	/* the window that is asked for, and those that folds narrowed it to */
	unsigned depth;
	struct window window[MAX_WINDOWS];
};

/* view_foreseen - as the inputs of bound m will most probably ask for; view_asked -
 * as those that were used do, all of them together. */
struct worth_view view_foreseen(const struct binding *, unsigned m,
    const struct sums *);
struct worth_view view_asked(const struct binding *, const struct counted *all,
    const struct sums *);

/* worth - of the i-th column of an input, which is of `unit`; NaN: unknown.  What
 * is to be known of when it was counted goes to *when. */
double worth(const struct worth_view *, const struct input *, uint32_t unit,
    uint32_t i, struct counted *when, uint8_t *no_turn);
/* worth_known - what part of its view's time a column is known; worth_left_out -
 * how many deltas it lacks there. */
double worth_known(const struct worth_view *, uint32_t column);
uint32_t worth_left_out(const struct worth_view *, uint32_t column);

/* worth_input - of an input in the innermost window: the sum over its units, of
 * readings their mean; NaN: na.h says why.  Of e->common only units that have all
 * inputs count.
 * worth_has_unit - has a unit all columns that the input asks for? */
double worth_input(struct eval *, const struct input *);
bool worth_has_unit(const struct eval *, const struct input *, uint32_t unit);

/* counted_join - what *all is of, and *one. */
void counted_join(struct counted *all, const struct counted *one);

#endif
