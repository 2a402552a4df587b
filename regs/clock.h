/*
 * regs/clock.h - reads the kernel's clocks and computes sampling deadlines.
 */
#ifndef REGS_CLOCK_H
#define REGS_CLOCK_H

#include <stdint.h>
#include <time.h>

uint64_t clock_ns(clockid_t);

/* clock_next - the next deadline, in ns of the monotonic clock: the first multiple of
 * the interval on the wall clock (now real_ns) more than a tenth of an interval away. */
uint64_t clock_next(uint64_t mono_ns, uint64_t real_ns, uint64_t interval_ns);

#endif
