/*
 * config/infile.c - open an input file that a user named.
 */
#include "config/infile.h"

#include "config/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Accepts files, pipes, terminals and /dev/null, by what stat(2) says.  0 or -errno. */
static int
check_kind(const struct stat *sb)
{
	if (S_ISREG(sb->st_mode) || S_ISFIFO(sb->st_mode))
		return 0;
	if (S_ISDIR(sb->st_mode))
		return -EISDIR;
	/* /dev/null and terminals; numbers from linux/major.h */
	if (S_ISCHR(sb->st_mode) && (sb->st_rdev == makedev(1, 3) ||
	    (major(sb->st_rdev) >= 4 && major(sb->st_rdev) <= 5) ||
	    (major(sb->st_rdev) >= 136 && major(sb->st_rdev) <= 143)))
		return 0;
	return -EMEDIUMTYPE;
}

/* Was this pipe inherited, not opened by name?  An anonymous pipe is on pipefs;
 * standard input may also be a named FIFO. */
static bool
is_given(int fd, const struct stat *sb)
{
	struct statfs fs;
	struct stat in;

	return (fstatfs(fd, &fs) == 0 && fs.f_type == PIPEFS_MAGIC) ||
	    (fstat(STDIN_FILENO, &in) == 0 && in.st_ino == sb->st_ino &&
	    in.st_dev == sb->st_dev);
}

int
infile_check(int fd, struct stat *sb)
{
	struct stat own;
	int rc;

	sb = sb != NULL ? sb : &own;
	if (fstat(fd, sb) < 0)
		return -errno;
	/* open(2) refuses sockets, so that this one was inherited; it is read
	 * like a pipe */
	if (S_ISSOCK(sb->st_mode))
		return 0;
	rc = check_kind(sb);
	return rc == 0 && S_ISFIFO(sb->st_mode) && !is_given(fd, sb) ?
	    -EMEDIUMTYPE : rc;
}

/* Open only files that no user but root controls (infile_roots_alone). */
static bool roots_alone;

void
infile_roots_alone(void)
{
	roots_alone = geteuid() == 0;
}

/* Is the file's folder, and every folder and link on the way, root's alone? */
static bool
is_trusted(const char *path)
{
	int dir = folder_open(path);
	struct diag why;
	bool trusted = dir >= 0 && folder_trusted(dir, path, "", &why) == 0;

	if (dir >= 0)
		close(dir);
	return trusted;
}

/* Does only root control this file?  If all folders are root's, no other user
 * can replace it between this check and the open. */
static bool
is_roots(const char *path, const struct stat *sb)
{
	char *real = realpath(path, NULL);
	bool roots = real != NULL && sb->st_uid == 0 &&
	    (sb->st_mode & (S_IWGRP | S_IWOTH)) == 0 && is_trusted(path) &&
	    is_trusted(real);
	struct stat link;

	/* the last component may be a link, which is_trusted does not check */
	if (lstat(path, &link) < 0 || link.st_uid != 0)
		roots = false;
	free(real);
	return roots;
}

int
infile_open(const char *path, struct stat *sb)
{
	struct stat named;
	int fd, rc;

	if (stat(path, &named) < 0)
		return -errno;
	if ((rc = check_kind(&named)) < 0)
		return rc;
	if (roots_alone && !is_roots(path, &named))
		return -EKEYREJECTED;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if ((rc = infile_check(fd, sb)) < 0) {
		close(fd);
		return rc;
	}
	fcntl(fd, F_SETFL, 0);
	return fd;
}

const char *
infile_error(int rc)
{
	switch (rc) {
	case -EMEDIUMTYPE:
		return "neither a file nor a pipe on standard input";
	case -EISDIR:
		return "a directory";
	case -EKEYREJECTED:
		return "others could have chosen what stands there: a reload "
		    "reads files of root's in folders of root's; start tallyd "
		    "anew";
	case -EFBIG:
		return "larger than any such text";
	case -EMFILE:
		return "too many open files: raise the limit (ulimit -n)";
	default:
		return strerror(-rc);
	}
}
