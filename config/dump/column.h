/*
 * config/dump/column.h - what one number of a dump is.  The daemon makes columns,
 * store and dump carry them, tally reads them back.
 */
#ifndef CONFIG_DUMP_COLUMN_H
#define CONFIG_DUMP_COLUMN_H

#include "regs/model.h"

/*
 * A column is printed `name[sample] = value`.  The raw value of its cell is
 * never changed in store; what is printed is
 *   PRINT_DEC   raw * mul
 *   PRINT_HEX   0x%x of raw
 *   PRINT_TEMP  base - bits 22:16 of raw (degrees below TjMax)
 *   PRINT_SCALED  raw * enabled / running, times that stand in the two cells
 *               from cell - base on; nothing where they are equal
 *   PRINT_CORE_TEMP  as PRINT_TEMP, nothing while bit 31 says that the reading
 *               is not valid
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

/* column_raw - what of a row is printed as the column; ABSENT: nothing. */
uint64_t column_raw(const struct column *, const uint64_t *row);

/*
 * column_scaled - what a PRINT_SCALED column shows in a row.
 *
 * ABSENT where its group ran all the time (the raw count is exact then), never
 * ran, was not read, or where the product does not fit 64 bits.
 */
uint64_t column_scaled(const struct column *, const uint64_t *row);

#endif
