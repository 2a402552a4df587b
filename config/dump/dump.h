/*
 * config/dump/dump.h - rows to text: the file that users keep.
 *
 * Assignments, one a line, valid in Lua and in Python.  README.md and
 * tallyd-dump(5) specify it.  The reader of the same text is config/dump/read.h.
 */
#ifndef CONFIG_DUMP_DUMP_H
#define CONFIG_DUMP_DUMP_H

#include "config/dump/store.h"

/* dump_write - preamble, declarations, every row counted so far, tail, to fd.
 * numbers: how many different ones its rows have, as numbers_seen knows it; or NULL.
 * Returns 0 or -errno, as store_error has it in words. */
int dump_write(const struct store *, int fd, uint64_t *numbers);

/* dump_head - what a dump of its first `rows` rows says between preamble and
 * declarations; free() it.  NULL: out of memory. */
char *dump_head(const struct store *, uint64_t rows);

#endif
