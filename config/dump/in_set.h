/*
 * config/dump/in_set.h - columns of what always counts, added up while an event set
 * had the counters: set_cycles[5]["caches"] is what CPU_CLK_UNHALTED.THREAD of
 * lproc 5 counted in all turns of that set so far, and lproc_set_tsc[5]["caches"]
 * how long these were.
 */
#ifndef CONFIG_DUMP_IN_SET_H
#define CONFIG_DUMP_IN_SET_H

#include "config/dump/column.h"

/* in_set_family - the family of the columns that show a column's part in each set;
 * NULL: it has none.  cls: enum column_class, of the column. */
const char *in_set_family(const struct column_id *, unsigned cls);

#endif
