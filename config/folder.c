/*
 * config/folder.c - files in a folder that is kept open.
 */
#include "config/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#define TRIES 100

int
folder_open(const char *path)
{
	const char *slash = strrchr(path, '/');
	char dir[4096];
	int fd;

	if (slash != NULL && (size_t)(slash - path) >= sizeof(dir))
		return -ENAMETOOLONG;
	snprintf(dir, sizeof(dir), "%.*s", slash == NULL ? 1 : slash == path ?
	    1 : (int)(slash - path), slash == NULL ? "." : path);
	fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

const char *
folder_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* Does only root control this folder or link?  0, or -EACCES with a message;
 * which: what the message calls it, "its folder". */
static int
folder_is_roots(const struct stat *sb, const char *path, const char *which,
    const char *instead, struct diag *why)
{
	if (sb->st_uid != 0)
		return diag_set(why, -EACCES, "%s: %s is user %u's, who could "
		    "make root overwrite what he likes: %s", path, which,
		    (unsigned)sb->st_uid, instead);
	if (S_ISDIR(sb->st_mode) &&
	    (sb->st_mode & (S_IWGRP | S_IWOTH)) != 0 &&
	    !(sb->st_mode & S_ISVTX))
		return diag_set(why, -EACCES, "%s: others may write %s, and "
		    "could make root overwrite what they like: %s", path,
		    which, instead);
	return 0;
}

int
folder_trusted(int dir, const char *path, const char *instead,
    struct diag *why)
{
	char part[4096];
	struct stat sb;
	int rc;

	if (geteuid() != 0)
		return 0;
	if (fstat(dir, &sb) < 0)
		return diag_set(why, -errno, "%s: %s", path, strerror(errno));
	rc = folder_is_roots(&sb, path, "its folder", instead, why);
	/* each folder on the way there; of a link, also the link itself */
	for (const char *p = strchr(path, '/'); rc == 0 && p != NULL;
	    p = strchr(p + 1, '/')) {
		snprintf(part, sizeof(part), "%.*s", p == path ? 1 :
		    (int)(p - path), path);
		if (lstat(part, &sb) == 0)
			rc = folder_is_roots(&sb, path, part, instead, why);
		if (rc == 0 && S_ISLNK(sb.st_mode) && stat(part, &sb) == 0)
			rc = folder_is_roots(&sb, path, part, instead, why);
	}
	return rc;
}

bool
folder_has(int dir, const char *name, int fd)
{
	struct stat ours, there;

	return fstat(fd, &ours) == 0 &&
	    fstatat(dir, name, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
	    ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

int
folder_temp(int dir, const char *name, char temp[256])
{
	uint64_t random = (uint64_t)getpid();
	int fd = -1;

	for (unsigned i = 0; i < TRIES && fd < 0; i++) {
		if (getrandom(&random, sizeof(random), GRND_NONBLOCK) < 0)
			random = random * 6364136223846793005u + 1;
		snprintf(temp, 256, "%.230s.%016" PRIx64, name, random);
		fd = openat(dir, temp, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW |
		    O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd < 0 ? -errno : fd;
}

bool
folder_taken(int dir, const char *name, struct stat *sb)
{
	struct stat std;

	if (fstatat(dir, name, sb, 0) < 0 || !S_ISREG(sb->st_mode))
		return false;
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (fstat(fd, &std) == 0 && std.st_dev == sb->st_dev &&
		    std.st_ino == sb->st_ino)
			return false;
	return true;
}

int
folder_put(int dir, const char *temp, const char *name)
{
	struct stat sb;

	if (linkat(dir, temp, dir, name, 0) == 0)
		return unlinkat(dir, temp, 0) < 0 ? -errno : 0;
	if (errno == EEXIST)
		return -EEXIST;
	/* this file system has no hard links */
	if (fstatat(dir, name, &sb, AT_SYMLINK_NOFOLLOW) == 0)
		return -EEXIST;
	return renameat(dir, temp, dir, name) < 0 ? -errno : 0;
}

int
folder_sync(int dir)
{
	/* dir is an O_PATH descriptor, which cannot be synced */
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc = 0;

	if (fd < 0)
		return errno == EACCES ? 0 : -errno;
	if (fsync(fd) < 0 && errno != EINVAL && errno != ENOTSUP &&
	    errno != EROFS)
		rc = -errno;
	close(fd);
	return rc;
}

/* ---- input files --------------------------------------------------------- */

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

/* Is it a file of the kernel that waits for what is to come, as /proc/kmsg and trace_pipe
 * do?  To poll(2), what ends can always be read and written. */
static bool
has_no_end(int fd, const struct stat *sb)
{
	struct pollfd p = { .fd = fd, .events = POLLIN | POLLOUT };

	return S_ISREG(sb->st_mode) && sb->st_size == 0 &&
	    poll(&p, 1, 0) >= 0 && !(p.revents & POLLOUT);
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
	if (rc == 0 && has_no_end(fd, sb))
		return -ESPIPE;
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
	case -ESPIPE:
		return "a file without an end, which waits for what is to come";
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
