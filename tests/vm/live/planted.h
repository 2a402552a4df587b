/* SPDX-License-Identifier: Dual BSD/GPL */
/*
 * tests/vm/live/planted.h - how fast each live register counts: what the guest
 * module makes true, and what planted_check.c expects.  A rate hangs on what is
 * counted and where, never on which counter of a box counts it.
 */
#ifndef TESTS_VM_LIVE_PLANTED_H
#define TESTS_VM_LIVE_PLANTED_H

enum planted_kind {
	PLANTED_CORE,           /* unit: lproc; code: event | umask << 8 */
	PLANTED_BOX,            /* unit: package << 7 | box; code: as above */
	PLANTED_LPROC,          /* unit: lproc; code: MSR */
	PLANTED_PKG,            /* unit: package; code: MSR */
};

/* The code of a fixed counter of a box. */
#define PLANTED_FIXED 0xffff

/* Boxes of a package: the first of each type. */
enum planted_box {
	PLANTED_CHA = 0, PLANTED_IIO = 32, PLANTED_IRP = 40, PLANTED_UBOX = 48,
	PLANTED_PCU = 49, PLANTED_IMC = 50, PLANTED_M2M = 56, PLANTED_UPI = 60,
	PLANTED_M3UPI = 64, PLANTED_M2PCIE = 68,
};

/*
 * planted_rate - counts in 2^30 of the TSC: a number of its own for every
 * argument, from 2^24 to 2^27 + 2^24, which is 33 to 300 MHz where the TSC has
 * 2.1 GHz.  The steps are one to one on 27 bits.
 */
static inline unsigned int
planted_rate(enum planted_kind kind, unsigned int unit, unsigned int code)
{
	unsigned int mask = (1u << 27) - 1;
	unsigned int x = (unsigned int)kind << 25 | (unit & 0x1ff) << 16 |
	    (code & 0xffff);

	x = x * 0x2c9277b5u & mask;
	x ^= x >> 14;
	x = x * 0x5851f42du & mask;
	x ^= x >> 13;
	return (1u << 24) + x;
}

#endif
