/*
 * regs/class.c - what the classes of columns have in common, and their names.
 */
#include "regs/class.h"

#include <string.h>

static const char *const words[CLASSES] = {
	[CLASS_UNKNOWN] = "unknown", [CLASS_READING] = "reading",
	[CLASS_TEMP] = "temperature", [CLASS_WALL] = "wall",
	[CLASS_TSC] = "tsc", [CLASS_EVENT] = "event",
	[CLASS_OCCUPANCY] = "occupancy", [CLASS_FLOPS] = "flops",
	[CLASS_INSTR] = "instructions",
	[CLASS_INSTR_KIND] = "instructions_of_a_kind",
	[CLASS_SLOTS] = "slots", [CLASS_CYCLES] = "cycles",
	[CLASS_REF] = "reference_cycles", [CLASS_UNCORE] = "uncore",
	[CLASS_UCLK] = "uclk", [CLASS_TICKS] = "ticks", [CLASS_CAS] = "cas",
	[CLASS_MEMCLK] = "memclk", [CLASS_MEMCMD] = "memcmd",
	[CLASS_ENERGY_PKG] = "energy_pkg", [CLASS_ENERGY_PART] = "energy_part",
	[CLASS_ENERGY_DRAM] = "energy_dram",
	[CLASS_ENERGY_PLATFORM] = "energy_platform",
	[CLASS_SECONDS] = "seconds",
	[CLASS_BYTES_IO] = "bytes_io", [CLASS_BYTES_NET] = "bytes_net",
	[CLASS_RARE] = "rare", [CLASS_KERNEL] = "kernel",
	[CLASS_SOC] = "soc", [CLASS_RAW] = "raw",
};

bool
class_is_counter(enum column_class cls)
{
	return cls > CLASS_WALL;
}

bool
class_is_rapl(enum column_class cls)
{
	return cls == CLASS_SECONDS || (class_is_energy(cls) &&
	    cls != CLASS_ENERGY_PLATFORM);
}

bool
class_is_clock(enum column_class cls)
{
	return cls == CLASS_CYCLES || cls == CLASS_REF;
}

bool
class_is_energy(enum column_class cls)
{
	return cls >= CLASS_ENERGY_PKG && cls <= CLASS_ENERGY_PLATFORM;
}

bool
class_uses_energy(enum column_class cls)
{
	return cls == CLASS_ENERGY_PKG || cls == CLASS_ENERGY_DRAM;
}

const char *
class_word(enum column_class cls)
{
	return words[cls];
}

enum column_class
class_named(const char *word)
{
	enum column_class cls = CLASS_UNKNOWN;

	while (cls < CLASSES && strcmp(words[cls], word) != 0)
		cls++;
	return cls;
}
