/*
 * regs/class.h - what a column's numbers are: whether they grow at all, and what
 * bounds how fast.  The models' tables say it of each event and register.
 */
#ifndef REGS_CLASS_H
#define REGS_CLASS_H

#include <stdbool.h>

enum column_class {
	CLASS_UNKNOWN,          /* of a family that nothing describes: kept */
	CLASS_READING,          /* status bits, limits: no counter */
	CLASS_TEMP,             /* degrees Celsius: no counter */
	CLASS_WALL,             /* wall clock, seconds or microseconds */
	CLASS_TSC,              /* the time-stamp counter */
	CLASS_EVENT,            /* programmable core counter */
	CLASS_OCCUPANCY,        /* a queue's length, added up every cycle */
	CLASS_FLOPS,            /* floating-point operations: lanes a cycle */
	CLASS_INSTR,            /* instructions retired */
	CLASS_INSTR_KIND,       /* those of a kind, branches: at most all of them */
	CLASS_SLOTS,            /* of the core's pipeline: some a cycle */
	CLASS_CYCLES,           /* core clock: at most one a cycle */
	CLASS_REF,              /* of a clock that is always as fast, while the
				 * core runs */
	CLASS_UNCORE,           /* programmable counter outside the cores */
	CLASS_UCLK,             /* uncore clock: at most one a cycle */
	CLASS_TICKS,            /* a box's clock, in a programmable counter */
	CLASS_CAS,              /* DRAM column accesses of one channel */
	CLASS_MEMCLK,           /* the memory clock: DCLK */
	CLASS_MEMCMD,           /* at most one a memory clock: ACT, PRE */
	CLASS_ENERGY_PKG,       /* in RAPL_PKG_ENERGY_UNIT */
	CLASS_ENERGY_PART,      /* the same, of what may be off: its cores */
	CLASS_ENERGY_DRAM,      /* in RAPL_DRAM_ENERGY_UNIT */
	CLASS_ENERGY_PLATFORM,  /* in joules, of all that its board feeds */
	CLASS_SECONDS,          /* in RAPL_TIME_UNIT */
	CLASS_BYTES_IO,         /* bytes through a PCIe port */
	CLASS_BYTES_NET,        /* bytes through a network port, or of memory */
	CLASS_RARE,             /* SMIs */
	CLASS_KERNEL,           /* added up by the kernel: bytes, queues, ns */
	CLASS_SOC,              /* of a SoC's bus: bounded by its interval */
	CLASS_RAW,              /* the user's own: nobody knows how fast; taken
	                         * to wrap at most once between samples */
	CLASSES
};

/* class_is_counter - does a column of this class have deltas? */
bool class_is_counter(enum column_class);

/* class_is_rapl - is it in units that MSR_RAPL_POWER_UNIT gives? */
bool class_is_rapl(enum column_class);

/* class_is_clock - does it count on whenever its lproc runs? */
bool class_is_clock(enum column_class);

/* class_is_energy - does it count joules?  class_uses_energy - of what uses some
 * for as long as it is on? */
bool class_is_energy(enum column_class);
bool class_uses_energy(enum column_class);

/* class_word - as a dump spells it, "occupancy"; class_named - back again,
 * CLASSES where there is no such word. */
const char *class_word(enum column_class);
enum column_class class_named(const char *word);

#endif
