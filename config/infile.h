/*
 * config/infile.h - opening what a user named as input: a file that ends.
 */
#ifndef CONFIG_INFILE_H
#define CONFIG_INFILE_H

#include <sys/stat.h>

/*
 * infile_open - a regular file; a pipe that this process was given (/dev/stdin,
 * <(command)); /dev/null; a terminal.
 *
 * Nothing else is opened: a device may never end, or do something when it is,
 * and a FIFO would be waited for.  sb: of the file, may be NULL.
 * Returns the descriptor, or -errno for infile_error.
 */
int infile_open(const char *path, struct stat *sb);

/* infile_check - the same of a descriptor that is open: 0 or -errno. */
int infile_check(int fd, struct stat *sb);

/* infile_roots_alone - from now on a process of root's opens no file that others
 * could have chosen: in a folder of theirs or that they may write, by a link of
 * theirs, or one that they own or may write.  For one that others have had begun
 * and are told of its mistakes. */
void infile_roots_alone(void);

/* infile_error - an error of the two, or of reading, in words. */
const char *infile_error(int rc);

#endif
