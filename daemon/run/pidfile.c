/*
 * daemon/run/pidfile.c - the file with our pid.
 *
 * The daemon whose pid it has holds a lock on it; a file without a lock was left by a
 * daemon that ended.
 */
#include "daemon/run/pidfile.h"

#include "config/folder.h"
#include "daemon/log.h"
#include "lib/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENDING_MS 10000         /* how long what is left of a daemon may take */

static int
pidfile_say(const struct pidfile *p, int rc, struct diag *why)
{
	return diag_set(why, rc, "pidfile %s: %s", p->path, strerror(-rc));
}

/* The pid in a file; 0: it is empty; -1: it has no number. */
static long
pid_in(int fd)
{
	char text[32], *end;
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);
	long pid;

	if (n < 0)
		return -1;
	text[n] = '\0';
	pid = strtol(text, &end, 10);
	return end[strspn(end, "\n")] == '\0' && pid >= 0 ? pid : -1;
}

static int
put_pid(int fd)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "%d\n", getpid());

	errno = ENOSPC;
	return write(fd, text, (size_t)n) == n ? 0 : -errno;
}

/* Puts a locked file of ours under the name, new or in place of `left`, whose lock we have
 * so that no other daemon replaces it.  -EEXIST: another process was faster. */
static int
put_ours(struct pidfile *p, int left)
{
	const char *name = folder_name(p->path);
	mode_t mask = umask(0);
	char temp[256];
	int rc;

	umask(mask);
	if ((p->fd = folder_temp(p->dir, name, temp)) < 0)
		return p->fd;
	if ((rc = put_pid(p->fd)) == 0 && ((fchmod(p->fd, 0644 & ~mask) < 0 &&
	    errno != EPERM) || flock(p->fd, LOCK_EX | LOCK_NB) < 0))
		rc = -errno;
	if (rc == 0 && left < 0)
		rc = folder_put(p->dir, temp, name);
	else if (rc == 0)
		rc = renameat(p->dir, temp, p->dir, name) < 0 ? -errno : 0;
	if (rc == 0)
		return 0;
	unlinkat(p->dir, temp, 0);
	close(p->fd);
	p->fd = -1;
	return rc;
}

/* Replaces the file that is there, if a daemon has left it.  -EEXIST: look again. */
static int
replace(struct pidfile *p, int fd, struct diag *why)
{
	struct stat sb;
	long pid;
	int rc;

	if (fstat(fd, &sb) < 0)
		return pidfile_say(p, -errno, why);
	if (!S_ISREG(sb.st_mode))
		return (rc = put_pid(fd)) < 0 ? pidfile_say(p, rc, why) : 0;
	pid = pid_in(fd);
	if (flock(fd, LOCK_EX | LOCK_NB) < 0)
		/* a dead daemon's writer, or child that writes a dump, may live */
		return diag_set(why, pid > 0 && kill((pid_t)pid, 0) < 0 &&
		    errno == ESRCH ? -EINPROGRESS : -EBUSY, "pidfile %s: it is "
		    "that of a tallyd that runs (pid %ld); name another with "
		    "--pidfile", p->path, pid);
	if (!folder_has(p->dir, folder_name(p->path), fd))
		return -EEXIST;
	if (pid < 0)
		return diag_set(why, -EINVAL, "pidfile %s: it is a file of "
		    "another kind; name another with --pidfile", p->path);
	return (rc = put_ours(p, fd)) < 0 ? pidfile_say(p, rc, why) : 0;
}

static int
try_take(struct pidfile *p, struct diag *why)
{
	int rc, fd = openat(p->dir, folder_name(p->path), O_RDWR | O_NOFOLLOW |
	    O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0 && errno == ELOOP)
		return diag_set(why, -ELOOP, "pidfile %s: it is a link; name "
		    "a file", p->path);
	if (fd < 0 && errno != ENOENT)
		return pidfile_say(p, -errno, why);
	if (fd < 0)
		return (rc = put_ours(p, -1)) < 0 ? pidfile_say(p, rc, why) : 0;
	rc = replace(p, fd, why);
	close(fd);
	return rc;
}

int
pidfile_take(struct pidfile *p, const char *path, struct diag *why)
{
	int rc;

	*p = (struct pidfile){ .fd = -1, .path = path };
	if ((p->dir = folder_open(path)) < 0)
		return pidfile_say(p, p->dir, why);
	rc = folder_trusted(p->dir, path, "name another place with --pidfile",
	    why);
	for (unsigned waited = 0; rc == 0; waited++) {
		rc = try_take(p, why);
		if (rc == -EINPROGRESS && waited < ENDING_MS / 10)
			nap(10);
		else if (rc != -EEXIST)
			break;
		rc = 0;
	}
	if (p->fd < 0)
		close(p->dir);
	return rc;
}

void
pidfile_leave(struct pidfile *p)
{
	if (p->fd < 0)
		return;
	close(p->fd);
	close(p->dir);
	p->fd = -1;
}

void
pidfile_remove(struct pidfile *p)
{
	const char *name;

	if (p->fd < 0)
		return;
	name = folder_name(p->path);
	if (folder_has(p->dir, name, p->fd) &&
	    unlinkat(p->dir, name, 0) < 0 && ftruncate(p->fd, 0) < 0)
		log_warn("pidfile %s", p->path);
	pidfile_leave(p);
}
