/*
 * postproc/metrics/place.h - binding one formula: bind.c has it copied by formula.c,
 * operation by operation, and that one asks place.c what a name stands for.
 */
#ifndef POSTPROC_METRICS_PLACE_H
#define POSTPROC_METRICS_PLACE_H

#include "postproc/metrics/bind.h"
#include "postproc/metrics/would.h"

#define MAX_USES 16             /* metrics inside metrics */

struct bind {
	struct binding *b;
	const struct metric *chain[MAX_USES];
	unsigned depth;
	const char **missing;   /* names not found, each time they stand there */
	unsigned nmissing, missing_room;
	const char **without;   /* what parts() had to do without, the same */
	unsigned nwithout, without_room;
	const char *misleads;   /* an event of it, or a note; or NULL */
	const char *only;       /* boxes that are named so; NULL: all */
	const struct would *would;      /* what this configuration counts is taken
	                         * for there; NULL: nothing is */
	uint32_t floor;         /* operations before it stay as they are: they
	                         * belong to a side, a fold, an alternative */
	struct diag *why;
};

/* place - operations from..to of a metric, bound, behind those so far. */
int place(struct bind *, const struct metric *, uint32_t from, uint32_t to);
/*
 * place_ref - a name that is no metric's: in the order of the specification one that
 * is built in, columns of a family, a constant of the dump's head, an event of any
 * family.  One that the dump lacks goes to `missing`.  0, or -ENOMEM.
 */
int place_ref(struct bind *, const struct expr_ref *, bool one_unit);

/* place_emit - one operation; place_fence - one that nothing is folded across;
 * place_number - a constant. */
int place_emit(struct bind *, struct expr_op);
int place_fence(struct bind *, struct expr_op);
int place_number(struct bind *, double);

#endif
