/*
 * config/dump/in_set.h - the columns that hold, for each event set, what a counter that
 * always runs counted while that set was active: set_cycles[5]["caches"] sums
 * CPU_CLK_UNHALTED.THREAD of lproc 5 over all turns of the set "caches" so far;
 * lproc_set_tsc[5]["caches"] is the time of these turns, in TSC cycles.
 */
#ifndef CONFIG_DUMP_IN_SET_H
#define CONFIG_DUMP_IN_SET_H

#include "config/dump/column.h"

/* in_set_family - the family of a column's sums by event set; NULL for a column that
 * is not summed by set.  cls: enum column_class, of the column. */
const char *in_set_family(const struct column_id *, unsigned cls);

#endif
