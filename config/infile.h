/*
 * config/infile.h - open an input file that a user named.
 */
#ifndef CONFIG_INFILE_H
#define CONFIG_INFILE_H

#include <sys/stat.h>

/*
 * infile_open - open a regular file, a pipe that this process inherited
 * (/dev/stdin, <(command)), /dev/null or a terminal.
 *
 * Other devices are refused, as reading may never end and opening may have side
 * effects; named FIFOs are refused, as opening one blocks.  sb: out, the file's
 * status; may be NULL.  Returns the descriptor, or -errno for infile_error.
 */
int infile_open(const char *path, struct stat *sb);

/* infile_check - the same check for an open descriptor.  0 or -errno. */
int infile_check(int fd, struct stat *sb);

/* infile_roots_alone - from now on, if we are root, refuse every file that
 * another user controls: one that they own or may write, in a folder that they
 * own or may write, or reached through a link of theirs.  For a process that
 * another user asked for and that shows them its error messages. */
void infile_roots_alone(void);

/* infile_error - the message for an error of infile_open, infile_check or
 * read(2). */
const char *infile_error(int rc);

#endif
