/*
 * config/packed.h - read files compressed with gzip, bzip2, xz or zstd through
 * these programs, if they are installed.
 */
#ifndef CONFIG_PACKED_H
#define CONFIG_PACKED_H

#include <sys/types.h>

struct packed {
	const char *program;    /* NULL: the file is not compressed */
	pid_t pid;
};

/*
 * packed_open - if the file's first bytes say that it is compressed, start the
 * program that decompresses it.  The program gets the file as its standard
 * input, without a name and without a shell.
 *
 * fd  a regular file, at its beginning; closed here if it is compressed
 *
 * Returns the descriptor to read from (fd itself if the file is not compressed)
 * or -errno.
 */
int packed_open(struct packed *, int fd);

/*
 * packed_close - wait for the program.  Call it at the end of the data, or
 * after closing the descriptor.
 *
 * Returns 0, -ENOENT: the program is not installed, -EIO: it failed, so the
 * file is damaged.
 */
int packed_close(struct packed *);

#endif
