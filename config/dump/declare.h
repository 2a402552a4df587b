/*
 * config/dump/declare.h - tables before their first use, for Lua and Python.
 */
#ifndef CONFIG_DUMP_DECLARE_H
#define CONFIG_DUMP_DECLARE_H

#include <stddef.h>

/*
 * declare_tables - for names such as `imc_counts[0][3]["X"]`, write
 * `imc_counts = {}`, `imc_counts[0] = {}`, ... each table once, in the order
 * of first use.  The whole name is a table too: of samples.
 * Returns 0 or -ENOMEM.
 */
int declare_tables(const char *const *name, unsigned n,
    void (*put)(void *ctx, const char *text, size_t size), void *ctx);

#endif
