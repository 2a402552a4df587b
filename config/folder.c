/*
 * config/folder.c - files in a folder that is kept open.
 */
#include "config/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
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
