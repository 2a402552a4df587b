/*
 * config/packed.h - files that gzip, xz or zstd has made, read through these
 * programs where they are installed.
 */
#ifndef CONFIG_PACKED_H
#define CONFIG_PACKED_H

#include <sys/types.h>

struct packed {
	const char *program;    /* NULL: it is as it is */
	pid_t pid;
};

/*
 * packed_open - is it such a file, by what it begins with?  Then the program
 * reads it as its standard input: it sees no name, and there is no shell.
 *
 * fd  a regular file, at its beginning, which is closed then
 *
 * Returns what to read from, fd itself where it is no such file, or -errno.
 */
int packed_open(struct packed *, int fd);

/*
 * packed_close - the program has ended, or nobody reads it any more.
 *
 * 0, -ENOENT: it is not installed, -EIO: it says that the file is damaged.
 */
int packed_close(struct packed *);

#endif
