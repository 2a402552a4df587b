/*
 * tests/lib/random_device.h - a node whose device answers as it likes: every register,
 * CPUID leaf and config word is what some bytes say, and what a generator says
 * once they are used up.  The daemon's whole way is taken through it.
 *
 * Two packages of two lprocs of one of the models; what decides how far a start
 * comes (ids of functions, buses) is mostly what it would be.
 */
#ifndef TESTS_RANDOM_DEVICE_H
#define TESTS_RANDOM_DEVICE_H

#include "regs/access.h"
#include "regs/model.h"

struct rdev_end {
	const char *model;
	unsigned writes;        /* that the device was asked for */
	unsigned samples;       /* how far the run came: 0 to 3 */
	unsigned told;          /* registers that it said are not restored */
	char wrong[256];        /* what should never be; "": all is well */
};

/*
 * rdev_run - detect, plan, program, three samples, restore (rdev_run.c).
 *
 * Wrong is: a write to what no table of the model names as a register to write,
 * a register that a device which keeps what it is told has not got back and
 * that nobody told of, a write before the start was past its checks.
 */
void rdev_run(const uint8_t *data, size_t size, struct rdev_end *);

/* The device (random_device.c). */
struct random_device {
	struct access acc;
	const uint8_t *data, *end;
	uint64_t random;
	const struct model *model;      /* whose tables hold; of a CPU that no
	                                 * table knows, model_any_x86 */
	unsigned cpu, stepping;         /* as /proc/cpuinfo has them */
	unsigned counters;              /* the most that CPUID has announced */
	unsigned trouble;       /* one of so many accesses fails; 0: none */
	bool late;              /* once registers are written, no sooner */
	unsigned deaf;          /* one of so many registers takes not all */
	uint8_t rough;          /* so many of 256 are not as after a reset */
	bool fickle;            /* nothing is kept */
	bool programming;       /* writes are due */
	bool sets;              /* that take turns */
	uint64_t mono;
	struct rdev_kept *kept;
	uint32_t bar[8];        /* functions that were asked for a BAR */
	unsigned nbar;
	struct rdev_end *to;
};

/* rdev_init - of no model yet; rdev_fini.
 * rdev_byte - the next one.
 * rdev_look - is a register that was written not as it was found? */
void rdev_init(struct random_device *, const uint8_t *data, size_t size,
    struct rdev_end *);
void rdev_fini(struct random_device *);
uint8_t rdev_byte(struct random_device *);
void rdev_look(struct random_device *);

#endif
