/*
 * postproc/out/long_order.h - in which order the columns of a dump are gone
 * through, so that rows of one value each take little room.
 *
 * Those of one family and event stand side by side, in the order of their
 * indices, of which as a rule one is one more or less than that before: box
 * 0 to 27 of package 0, 27 to 0 of package 1.
 */
#ifndef POSTPROC_OUT_LONG_ORDER_H
#define POSTPROC_OUT_LONG_ORDER_H

#include "config/dump/read.h"

/* One way through those of a family and event, or back. */
struct long_way {
	unsigned *column;       /* [n] the reader's numbers, */
	uint64_t *index[MAX_INDEX];     /* [n] of each, and its indices */
};

struct long_order {
	struct long_way up, down;
	unsigned *same;         /* [n] how many from there on are of one family
	                         * and event */
	unsigned n;
};

/* long_order_load - of the first n columns; cheap where that is as many as before.
 * A zeroed one is empty.  0 or -ENOMEM. */
int long_order_load(struct long_order *, const struct reader *, unsigned n);
void long_order_fini(struct long_order *);

#endif
