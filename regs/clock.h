/*
 * regs/clock.h - the clocks of this process's machine.
 */
#ifndef REGS_CLOCK_H
#define REGS_CLOCK_H

#include <stdint.h>
#include <time.h>

uint64_t clock_ns(clockid_t);

/* clock_next - the monotonic time of the first multiple of the interval on the
 * wall clock that is more than a tenth of it away; real_ns is that clock, now. */
uint64_t clock_next(uint64_t mono_ns, uint64_t real_ns, uint64_t interval_ns);

#endif
