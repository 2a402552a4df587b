/*
 * regs/clock.h - the clocks of this process's machine.
 */
#ifndef REGS_CLOCK_H
#define REGS_CLOCK_H

#include <stdint.h>
#include <time.h>

uint64_t clock_ns(clockid_t);

#endif
