/*
 * config/column.h - what one number of a dump is.  The daemon makes columns,
 * store and dump carry them, tally reads them back.
 */
#ifndef CONFIG_COLUMN_H
#define CONFIG_COLUMN_H

#include "regs/model.h"

/*
 * A column is printed `name[sample] = value`.  The raw value of its cell is
 * never changed in store; what is printed is
 *   PRINT_DEC   raw * mul
 *   PRINT_HEX   0x%x of raw
 *   PRINT_TEMP  base - bits 22:16 of raw (degrees below TjMax)
 * so a counter of `bits` bits wraps, as printed, at 2^bits * mul.
 */
struct column {
	char *name;             /* imc_counts[0][3]["CAS_COUNT.READS"] */
	uint32_t cell;          /* which u64 of the row */
	uint8_t bits;           /* width of the counter; 0: a reading */
	uint8_t print;          /* enum print */
	uint8_t mul;            /* 0 means 1 */
	int16_t base;
};

#endif
