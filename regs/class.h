/*
 * regs/class.h - what kind of number a column holds: whether it is a counter, and
 * what bounds its rate.  The models' tables give the class of each event and
 * register.
 */
#ifndef REGS_CLASS_H
#define REGS_CLASS_H

#include <stdbool.h>

enum column_class {
	CLASS_UNKNOWN,          /* no table describes its family; kept as it is */
	CLASS_READING,          /* status bits, limits: no counter */
	CLASS_TEMP,             /* degrees Celsius: no counter */
	CLASS_WALL,             /* wall clock, seconds or microseconds */
	CLASS_TSC,              /* the time-stamp counter */
	CLASS_EVENT,            /* programmable core counter */
	CLASS_OCCUPANCY,        /* a queue's length, added up every cycle */
	CLASS_FLOPS,            /* floating-point operations: as many a cycle as
				 * the vector units have lanes */
	CLASS_INSTR,            /* instructions retired */
	CLASS_INSTR_KIND,       /* instructions of one kind, such as branches: no
				 * more than all instructions */
	CLASS_SLOTS,            /* slots of the core's pipeline: a few a cycle */
	CLASS_CYCLES,           /* core clock: at most one a cycle */
	CLASS_REF,              /* ticks of a clock of constant frequency, while
				 * the core runs */
	CLASS_UNCORE,           /* programmable counter outside the cores */
	CLASS_UCLK,             /* uncore clock: at most one a cycle */
	CLASS_TICKS,            /* a box's clock, counted by a programmable counter */
	CLASS_CAS,              /* DRAM column accesses of one channel */
	CLASS_MEMCLK,           /* the memory clock: DCLK */
	CLASS_MEMCMD,           /* at most one a memory clock: ACT, PRE */
	CLASS_ENERGY_PKG,       /* in RAPL_PKG_ENERGY_UNIT */
	CLASS_ENERGY_PART,      /* the same, of a part that may be off: its cores */
	CLASS_ENERGY_DRAM,      /* in RAPL_DRAM_ENERGY_UNIT */
	CLASS_ENERGY_PLATFORM,  /* in joules, of the whole board (psys) */
	CLASS_SECONDS,          /* in RAPL_TIME_UNIT */
	CLASS_BYTES_IO,         /* bytes through a PCIe port */
	CLASS_BYTES_NET,        /* bytes through a network port, or of memory */
	CLASS_RARE,             /* SMIs */
	CLASS_KERNEL,           /* a total that the kernel keeps: bytes, queues, ns */
	CLASS_SOC,              /* a counter behind a SoC's message bus: soc.max_interval
	                         * says how soon it may wrap */
	CLASS_RAW,              /* a register that the user named: its rate has no
	                         * known bound; assumed to wrap at most once
	                         * between two samples */
	CLASSES
};

/* class_is_counter - does a column of this class have deltas? */
bool class_is_counter(enum column_class);

/* class_is_rapl - does MSR_RAPL_POWER_UNIT give the unit of its counts? */
bool class_is_rapl(enum column_class);

/* class_is_clock - does it count all the time that its lproc runs? */
bool class_is_clock(enum column_class);

/* class_is_energy - does it count energy?  class_uses_energy - energy of something
 * that always draws power, so that a counter that stands still is broken? */
bool class_is_energy(enum column_class);
bool class_uses_energy(enum column_class);

/* class_word - the word for it in a dump ("occupancy").  class_named - the class of
 * such a word, or CLASSES where there is none. */
const char *class_word(enum column_class);
enum column_class class_named(const char *word);

#endif
