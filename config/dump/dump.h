/*
 * config/dump/dump.h - rows to text: the file that users keep.
 *
 * Assignments, one a line, valid in Lua and in Python.  README.md and
 * tallyd-dump(5) specify it.  The reader of the same text is config/dump/read.h.
 */
#ifndef CONFIG_DUMP_DUMP_H
#define CONFIG_DUMP_DUMP_H

#include "config/dump/store.h"

#include <sys/stat.h>

/* dump_write - preamble, declarations, every row counted so far, tail, to fd.
 * Returns 0 or -errno, as store_error has it in words. */
int dump_write(const struct store *, int fd);

/* dump_head - what a dump of its first `rows` rows says between preamble and
 * declarations; free() it.  NULL: out of memory. */
char *dump_head(const struct store *, uint64_t rows);

/* A device, a pipe or a link, which is written to and stays; ino 0: none. */
struct dump_place {
	dev_t dev;
	ino_t ino;
};

/* dump_place - what is at path by now. */
struct dump_place dump_place(const char *path);

/* dump_save - dump_write to a temporary name beside path, fsync, rename; the
 * file is given to uid:gid unless they are -1.  It is written into what is at
 * path only if that is the place that was there when the path was chosen:
 * what somebody puts there later is replaced, and no link of his followed.
 * 0 or -errno, words in why. */
int dump_save(const struct store *, const char *path, struct dump_place,
    int uid, int gid, struct diag *why);

#endif
