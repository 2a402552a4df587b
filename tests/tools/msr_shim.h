/*
 * tests/tools/msr_shim.h - what a test that has msr_shim.c preloaded shares with it.
 */
#ifndef TALLYD_MSR_SHIM_H
#define TALLYD_MSR_SHIM_H

#include <stdint.h>

enum { LATE_NOT_YET, LATE_WAITS, LATE_GOES };

/* The write of this value to a model-specific register waits until state is LATE_GOES. */
struct late_write {
	uint64_t value;
	uint32_t state;
};
extern struct late_write *stand_in_late;        /* found with dlsym() */

#endif
