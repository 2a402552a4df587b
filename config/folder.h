/*
 * config/folder.h - files in a folder that is kept open, so that renaming or
 * replacing a part of its path cannot lead us to another folder; input files.
 */
#ifndef CONFIG_FOLDER_H
#define CONFIG_FOLDER_H

#include <stdbool.h>
#include <sys/stat.h>

#include "lib/diag.h"

/* folder_open - open the folder that holds a file.  Returns an O_PATH
 * descriptor or -errno. */
int folder_open(const char *path);

/* folder_name - the last component of a path; "" for a path that ends in /. */
const char *folder_name(const char *path);

/*
 * folder_trusted - may root safely create, replace and remove files here?
 *
 * Not if another user owns the folder, or others may write to it (sticky
 * folders such as /tmp excepted): they could swap the file while root writes
 * it.  The same holds for every folder and symbolic link on the way there, as
 * its owner chooses where the path leads.
 *
 * path      of the file
 * instead   what to do, for the message: "name another place with --journal"
 *
 * Returns 0, or -EACCES with a message in why.  Always 0 unless we are root.
 */
int folder_trusted(int dir, const char *path, const char *instead,
    struct diag *why);

/* folder_has - does the name in this folder refer to the file open as fd? */
bool folder_has(int dir, const char *name, int fd);

/*
 * folder_temp - create a temporary file (mode 0600) for `name` in the folder,
 * with a random name, which is stored in temp.  Returns its descriptor or
 * -errno.
 */
int folder_temp(int dir, const char *name, char temp[256]);

/*
 * folder_taken - would writing to this name destroy an existing file?  Links
 * are followed.  Devices and pipes do not count, nor does the file that our
 * standard output or error was redirected to.  dir may be AT_FDCWD.
 */
bool folder_taken(int dir, const char *name, struct stat *);

/* folder_put - rename a temporary file to `name`, which must not exist yet.
 * Returns 0, -EEXIST or another -errno.  dir may be AT_FDCWD. */
int folder_put(int dir, const char *temp, const char *name);

/* folder_sync - to be called after a file got its name, which then survives a crash of the
 * node.  Returns 0, also where the file system does not sync folders or we may not read this
 * one; or -errno. */
int folder_sync(int dir);

/* ---- input files --------------------------------------------------------- */

/*
 * infile_open - open a regular file, a pipe that this process inherited
 * (/dev/stdin, <(command)), /dev/null or a terminal.
 *
 * Other devices, and files of the kernel such as /proc/kmsg, are refused, as reading them
 * may never end and opening them may have side effects; named FIFOs are refused, as opening
 * one blocks.  sb: out, the file's status; may be NULL.  Returns the descriptor, or -errno
 * for infile_error.
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
