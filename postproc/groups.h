/*
 * postproc/groups.h - events that the kernel counted in groups: which columns
 * say for how long a group was enabled, and for how long it ran.
 */
#ifndef POSTPROC_GROUPS_H
#define POSTPROC_GROUPS_H

#include "config/read.h"

struct groups {
	bool any;               /* the dump has groups */
	unsigned ncol, room;
	int32_t *enabled, *running;     /* by column; -1: it is in none */
};

/* A zeroed one is empty.  groups_load - of the columns that there are by now;
 * cheap when none has come since.  0 or -ENOMEM. */
int groups_load(struct groups *, const struct reader *);
void groups_fini(struct groups *);

/* groups_share - the share of the time that a column's group ran, by what its
 * two times grew; 1 for a column of no group, 0 where it never ran. */
double groups_share(const struct groups *, unsigned column,
    const uint64_t *delta, unsigned ncol);

#endif
