/*
 * postproc/gather/total_lines.h - the lines of tally totals: of each column, or of
 * columns added up over a core, a package, the node.
 */
#ifndef POSTPROC_GATHER_TOTAL_LINES_H
#define POSTPROC_GATHER_TOTAL_LINES_H

#include "postproc/data/layout.h"
#include "postproc/data/totals.h"

struct total_line {
	struct column_id id;    /* of a sum, with the indices of what it is of */
	const char *scope;      /* of a sum, "_package"; else "" */
	uint64_t total;
	bool some;              /* some interval is in it */
	bool part;              /* some interval is not, or should not be */
	bool doubtful;          /* only the latter */
	uint32_t left_out;      /* intervals; of a sum, of the column that lacks most */
	double seconds;
	double share, estimate; /* share 1: it is of all of the time */
	char why[300];          /* "": nothing to be said */
};

/* total_lines - give each line to `put`.  scopes: bits of enum scope, what to add
 * up to; 0: nothing.  0, -ENOMEM, or what `put` returned. */
struct summing {
	struct reader *reader;
	const struct totals *totals;
	unsigned scopes;
	const char *topology;   /* as topology_of_dump takes it */
	bool assumed;           /* out: by rule, and the dump does not say */
};
int total_lines(struct summing *, int (*put)(void *ctx,
    const struct total_line *), void *ctx, struct diag *why);

#endif
