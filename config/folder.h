/*
 * config/folder.h - a name in a folder that was opened, so that it is that folder
 * whatever becomes of its path meanwhile.
 */
#ifndef CONFIG_FOLDER_H
#define CONFIG_FOLDER_H

#include "regs/diag.h"

#include <stdbool.h>
#include <sys/stat.h>

/* folder_open - the folder of a file's path.  Its descriptor, or -errno. */
int folder_open(const char *path);

/* folder_name - what the file is called in it; "" for a path that ends in /. */
const char *folder_name(const char *path);

/*
 * folder_trusted - may root make, replace and remove files there?
 *
 * Not in a folder that is somebody else's, nor in one that others may write, but
 * for /tmp and the like: they could swap what is being written.  Nor is a path
 * trusted that goes through such a folder, or through somebody else's link: he
 * would choose where it leads.
 *
 * path      of the file
 * instead   what to do, for words: "name another place with --journal"
 *
 * 0, or -EACCES with words.  Whoever is not root is not asked.
 */
int folder_trusted(int dir, const char *path, const char *instead,
    struct diag *why);

/* folder_has - is that name what fd is? */
bool folder_has(int dir, const char *name, int fd);

/*
 * folder_temp - a file of our own making beside a name, 0600 and under a name
 * that nobody can guess, which temp gets.  Its descriptor, or -errno.
 */
int folder_temp(int dir, const char *name, char temp[256]);

/*
 * folder_taken - is there a file by that name, or at the end of a link, that would
 * be lost?  A device or a pipe is none, nor is what our standard output or error
 * goes to: that was for who started us to say.  dir may be AT_FDCWD.
 */
bool folder_taken(int dir, const char *name, struct stat *);

/* folder_put - give a temporary file its name, unless there is something by that
 * name: 0, -EEXIST, or another -errno.  dir may be AT_FDCWD. */
int folder_put(int dir, const char *temp, const char *name);

#endif
