/*
 * regs/made.h - the model any-x86: made at start of what the CPU itself announces,
 * where no table knows it.
 */
#ifndef REGS_MADE_H
#define REGS_MADE_H

#include "regs/model.h"

/* What CPUID says of the counters of a core. */
struct announced_core {
	bool amd;               /* AMD's registers and events; else those of
	                         * Intel's architecture */
	bool legacy;            /* AMD: the four counters of old, which no bit
	                         * announces */
	bool wide_energy;       /* AMD: PerfMonV2, with which energy has 64
	                         * bits (Zen 4) */
	bool own_clocks;        /* AMD: copies of APERF and MPERF that nobody can
	                         * write */
	unsigned counters, bits, fixed;
	uint32_t events;        /* Intel: bit n, event n of the architecture is
	                         * there (leaf 0xA EBX, leaf 0x23.3) */
};

/* A kind of boxes that discovery tables list. */
struct announced_box {
	uint16_t type;
	uint8_t instances;      /* one more than the highest number */
	uint8_t counters, bits;
};

#define MADE_EVENTS 16
#define MADE_BOXES 64

struct made_model {
	struct model model;
	struct box_type core;
	struct event_name event[MADE_EVENTS + 1];
	const struct scalar *scalar[3];         /* ends with NULL */
	struct box_type box[MADE_BOXES + 1];
	char name[MADE_BOXES][2][32];
	unsigned nbox;
};

/* made_core - a model of these cores, without boxes.  It points into itself: it
 * must not be copied. */
void made_core(struct made_model *, const struct announced_core *);

/* made_box - one more kind of boxes; false: there is no room for it. */
bool made_box(struct made_model *, const struct announced_box *);

#endif
