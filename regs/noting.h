/*
 * regs/noting.h - which MSRs are read, noted in front of a method of access.
 */
#ifndef REGS_NOTING_H
#define REGS_NOTING_H

#include "regs/access.h"

struct noting {
	struct access_ops ops;          /* the method's, but for read: first */
	const struct access_ops *own;
	uint32_t *msr;                  /* those that answered, ascending */
	unsigned n, room;
	bool lost;                      /* memory ran out: some are missing */
};

/* noting_start - from now on what `access` is asked goes through a struct
 * noting; NULL when out of memory.  noting_stop - it gets its method back, and
 * the struct is freed; NULL accepted. */
struct noting *noting_start(struct access *);
void noting_stop(struct noting *, struct access *);

#endif
