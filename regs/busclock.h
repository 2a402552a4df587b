/*
 * regs/busclock.h - the frequency of the TSC, from the bus clock that a
 * register names, and by measuring.
 */
#ifndef REGS_BUSCLOCK_H
#define REGS_BUSCLOCK_H

#include "regs/model.h"

/* A model whose bus clock is not 100 MHz: bits `mask` of a register are an
 * index into the table. */
struct bus_clock {
	uint32_t msr;
	uint8_t mask, n;
	uint16_t mhz_times_6[8];        /* 83.33 MHz is 500 */
};

/* bus_clock_tsc - what the registers say the TSC's frequency is: base ratio
 * times bus clock.  0; -ENODATA when they do not say; -errno. */
int bus_clock_tsc(const struct model *, struct access *, unsigned lproc,
    uint64_t *hz);

/* bus_clock_measure - the TSC against the monotonic clock, for about ns of
 * sleep.  Returns Hz, or 0 when time did not pass. */
uint64_t bus_clock_measure(struct access *, uint64_t ns);

/* bus_clock_agree - are both the same to within a hundredth? */
bool bus_clock_agree(uint64_t a_hz, uint64_t b_hz);

#endif
