/*
 * regs/limits.h - how many of a thing a node can have.
 */
#ifndef REGS_LIMITS_H
#define REGS_LIMITS_H

/* Numbers of lprocs are below this: what Linux can be built for on x86. */
#define MAX_LPROCS 8192

#endif
