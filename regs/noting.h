/*
 * regs/noting.h - a method of access that notes which MSRs are read through it.
 */
#ifndef REGS_NOTING_H
#define REGS_NOTING_H

#include "regs/access.h"

struct noting {
	struct access_ops ops;          /* first; the method's but for read */
	const struct access_ops *own;
	uint32_t *msr;                  /* those that could be read, ascending */
	unsigned n, room;
	bool lost;                      /* out of memory: some are missing */
};

/* noting_start - put a struct noting in front of the method of `access`; NULL when
 * out of memory.  noting_stop - give `access` its method back and free the struct;
 * NULL is accepted. */
struct noting *noting_start(struct access *);
void noting_stop(struct noting *, struct access *);

#endif
