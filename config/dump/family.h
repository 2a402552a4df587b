/*
 * config/dump/family.h - what the numbers of a family of columns are: width, unit,
 * and the class that bounds how fast they can grow.
 *
 * A dump of tallyd says widths itself (family_bits, family_mul, family_unit);
 * this table is for the dumps of the original tool, which do not, and gives
 * the class in either case.
 */
#ifndef CONFIG_DUMP_FAMILY_H
#define CONFIG_DUMP_FAMILY_H

#include "regs/class.h"

#include <stddef.h>
#include <stdint.h>

struct family {
	uint8_t bits;           /* of the raw counter; 0: no counter */
	uint8_t mul;            /* raw * mul is what is printed; at least 1 */
	uint8_t cls;            /* enum column_class */
	const char *unit;       /* "count", "bytes", "rapl_pkg", ... */
};

/*
 * family_known - look a family up by name.
 *
 * family  out: what its numbers are, of CLASS_UNKNOWN when not in the table
 *
 * Returns whether the family is in the table.
 */
bool family_known(const char *name, size_t len, struct family *family);

/* family_refine - the class of one event of a family: CAS_COUNT.READS among
 * imc_counts, say.  event is NULL where the columns have none. */
enum column_class family_refine(const struct family *, const char *event);

/* family_class_of_unit - the class of a family that only its own dump
 * describes ("rapl_pkg", "bytes", ...). */
enum column_class family_class_of_unit(const char *unit);

#endif
