/*
 * postproc/gather/total_lines.h - the lines of tally totals: one for each column, or for
 * columns added up over a core, a package, the node.
 */
#ifndef POSTPROC_GATHER_TOTAL_LINES_H
#define POSTPROC_GATHER_TOTAL_LINES_H

#include "postproc/data/layout.h"
#include "postproc/data/totals.h"

struct total_line {
	struct column_id id;    /* of a sum over units: their package, core, ... */
	const char *scope;      /* "_package" and so on; "" of a single column */
	uint64_t total;
	bool some;              /* at least one interval is in the total */
	bool part;              /* some interval is left out, or is in the total
				 * though its delta is doubtful */
	bool doubtful;          /* no interval is left out, some are doubtful */
	uint32_t left_out;      /* intervals left out; of a sum: of the column
				 * that lacks most */
	double seconds;         /* the time that the total is of */
	double share;           /* the part of that in which it was counted */
	double estimate;        /* total / share; 0 where share is 1 */
	char why[300];          /* why intervals are left out; "": none is */
};

struct summing {
	struct reader *reader;
	const struct totals *totals;
	unsigned scopes;        /* bits of enum scope: sums over which units; 0:
				 * each column by itself */
	const char *topology;   /* as topology_of_dump takes it */
	bool assumed;           /* out: the dump does not say which lproc is
				 * where, so that a rule was used */
};

/* total_lines - calls `put` for each line, until it returns other than 0.  Returns
 * that, 0 or -ENOMEM. */
int total_lines(struct summing *, int (*put)(void *ctx,
    const struct total_line *), void *ctx, struct diag *why);

#endif
