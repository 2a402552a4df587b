/*
 * daemon/read/measure.h - what a sample takes in each way to read, and which way
 * is taken.
 */
#ifndef DAEMON_READ_MEASURE_H
#define DAEMON_READ_MEASURE_H

#include "daemon/read/sweep.h"

/* measure_remote - moving to each package for its own registers, and staying
 * put: s->us, and s->stay of the shorter. */
void measure_remote(struct sweep *, struct plan *, struct access *,
    uint64_t *row);

/*
 * measure_modes - every way there is, several times each.
 *
 * batch    may it be read in batches?
 * threads  may there be a thread on each lproc?
 *
 * Takes the one that takes the least of the CPUs, of those whose sample is no
 * more than twice as long as the shortest; within a tenth of that, the one that
 * interrupts less.  That is the CPU time of threads that read at once, and of the
 * others all of the time that a sample takes: one lproc after the other is kept
 * from its work.  s->us, s->cpu_us, s->why; returns the way.
 */
enum read_mode measure_modes(struct sweep *, struct plan *, struct access *,
    bool batch, bool threads, uint64_t *row);

#endif
