/*
 * config/dump/declare.h - declare tables before their first use, as Lua and
 * Python require.
 */
#ifndef CONFIG_DUMP_DECLARE_H
#define CONFIG_DUMP_DECLARE_H

#include "config/dump/column.h"

typedef void declare_put(void *ctx, const char *text, size_t size);

struct declared;

/* declare_new - put: writes a piece of text.  NULL: out of memory. */
struct declared *declare_new(declare_put *put, void *ctx);
/*
 * declare_tables - for a column such as `imc_counts[0][3]["X"]` write
 * `imc_counts = {}`, `imc_counts[0] = {}`, ... each table once, in the order
 * of first use.  whole: the complete name is a table, too, with the samples as
 * its elements.
 * Returns 0 or -ENOMEM.
 */
int declare_tables(struct declared *, const struct column_id *,
    const char *suffix, bool whole);
void declare_free(struct declared *);           /* NULL accepted */

#endif
