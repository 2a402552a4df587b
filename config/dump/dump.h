/*
 * config/dump/dump.h - write the rows of a store as text, the file that users
 * keep.
 *
 * A dump consists of assignments, one a line, valid in Lua and in Python.
 * README.md and tallyd-dump(5) specify it; config/dump/read.h reads it.
 */
#ifndef CONFIG_DUMP_DUMP_H
#define CONFIG_DUMP_DUMP_H

#include "config/dump/store.h"

/* dump_write - write preamble, declarations and all rows counted so far to fd.
 * numbers: out, how many different numbers its rows have (numbers_seen); or
 * NULL.  Returns 0 or -errno for store_error. */
int dump_write(const struct store *, int fd, uint64_t *numbers);

/* dump_head - the text between preamble and declarations of a dump of the first
 * `rows` rows.  The caller frees it.  NULL: out of memory. */
char *dump_head(const struct store *, uint64_t rows);

#endif
