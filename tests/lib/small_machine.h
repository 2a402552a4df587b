/*
 * tests/lib/small_machine.h - a small simulated machine, asked directly: two packages of
 * two cores of two threads, idle for 10 s, then busy (tests/lib/small_machine.c has its
 * text).
 */
#ifndef TESTS_SMALL_MACHINE_H
#define TESTS_SMALL_MACHINE_H

#include "regs/access.h"
#include "regs/sim/sim.h"

#define S 1000000000u

/* small_of - it, with more lines; its time is virtual. */
struct sim *small_of(const char *more);

/* Set-up and tear-down of a test: its access in *state. */
int small_up(void **state);
int small_down(void **state);

void small_pass(struct access *, unsigned seconds);

/* An MSR: write it, try to read it, read it. */
int small_put(struct access *, unsigned lproc, uint64_t number, uint64_t raw);
int small_rc(struct access *, unsigned lproc, uint64_t number);
uint64_t small_get(struct access *, unsigned lproc, uint64_t number);

/* Configuration space of a function. */
uint64_t small_pci(struct access *, unsigned unit, unsigned offset,
    unsigned bytes);
void small_pci_put(struct access *, unsigned unit, unsigned offset,
    uint64_t raw);

/* A line of faults, which has to be right. */
void small_fault(struct access *, const char *line);

/* A file of the node; "(none)" where there is none. */
const char *small_text(struct access *, const char *path);

#endif
