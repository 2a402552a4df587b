/*
 * regs/made.h - the model of an x86 CPU without a table (any-x86), made at start of
 * what CPUID and the discovery tables announce.
 */
#ifndef REGS_MADE_H
#define REGS_MADE_H

#include "regs/model.h"

/* What CPUID says of the counters of a core. */
struct announced_core {
	bool amd;               /* AMD's registers and events; else those of
	                         * Intel's architecture */
	bool legacy;            /* AMD: only the four legacy counters */
	bool wide_energy;       /* AMD: energy counters have 64 bits, as on all
	                         * CPUs with PerfMonV2 (Zen 4) */
	bool own_clocks;        /* AMD: read-only copies of APERF and MPERF */
	unsigned counters, bits, fixed;
	uint32_t events;        /* Intel: bit n is set where architectural event n
	                         * exists (leaf 0xA EBX, leaf 0x23.3) */
};

/* A type of box that discovery tables list. */
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

/* made_core - make a model of these cores, without boxes.  The struct has pointers
 * into itself and must not be copied. */
void made_core(struct made_model *, const struct announced_core *);

/* made_box - add a type of box; false where there is no room for it. */
bool made_box(struct made_model *, const struct announced_box *);

#endif
