/*
 * regs/busclock.h - the TSC's frequency, computed from registers (base ratio
 * times bus clock) or measured against the monotonic clock.
 */
#ifndef REGS_BUSCLOCK_H
#define REGS_BUSCLOCK_H

#include "regs/model.h"

/* The bus clock of a model where it is not always 100 MHz: the bits `mask` of a
 * register are the index into the table. */
struct bus_clock {
	uint32_t msr;
	uint8_t mask, n;
	uint16_t mhz_times_6[8];        /* 83.33 MHz is 500 */
};

/* bus_clock_tsc - the TSC's frequency by the registers: base ratio times bus clock.
 * Returns 0; -ENODATA where the registers do not tell; or -errno. */
int bus_clock_tsc(const struct model *, struct access *, unsigned lproc,
    uint64_t *hz);

/* bus_clock_measure - measure the TSC's frequency over a sleep of about ns
 * nanoseconds.  Returns Hz, or 0 when the monotonic clock stood still. */
uint64_t bus_clock_measure(struct access *, uint64_t ns);

/* bus_clock_agree - do two frequencies differ by at most 1 %? */
bool bus_clock_agree(uint64_t a_hz, uint64_t b_hz);

#endif
