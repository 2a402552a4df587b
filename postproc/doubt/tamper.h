/*
 * postproc/doubt/tamper.h - what the daemon's tamper watch wrote down: control
 * registers that somebody else changed, and since when.
 */
#ifndef POSTPROC_DOUBT_TAMPER_H
#define POSTPROC_DOUBT_TAMPER_H

#include "config/dump/read.h"

struct tamper {
	struct column_id column;        /* it, or those in it, are doubtful */
	uint64_t good;          /* the last sample that was found right */
	uint64_t seen;          /* the sample at which it was found wrong */
	bool reasserted;        /* and put right again at `seen` */
	uint64_t ours_at;       /* the sample at which a look found that somebody
	                         * else had; UINT64_MAX: none did */
	const char *where;      /* the register, in words */
	uint64_t ours, found;   /* its value */
};

struct tampers {
	struct tamper *tamper;
	unsigned n;
};

/* tampers_init - from a dump's tamper_* constants; -ENOMEM. */
int tampers_init(struct tampers *, struct reader *);
void tampers_fini(struct tampers *);

/* tamper_in - does it spoil the interval between two samples? */
bool tamper_in(const struct tamper *, uint64_t before, uint64_t sample);
/* tamper_over - is the register ours again by an interval's beginning? */
bool tamper_over(const struct tamper *, uint64_t before);
/* tamper_of - does it spoil this column? */
bool tamper_of(const struct tamper *, const struct column_id *);

#endif
