/*
 * daemon/rights/claim.c - a file that a daemon is going to write.
 *
 * A claim is a socket with an abstract address made of folder and name.  Only one process
 * can have it, it ends with that process, and the kernel tells its pid.
 */
#include "daemon/rights/claim.h"

#include "lib/lookup.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define TRIES 20                /* ms: somebody has bound it, and not listened */

/* The address of a name; returns its length. */
static socklen_t
address_of(struct sockaddr_un *a, const struct stat *dir, const char *name)
{
	int n;

	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	n = snprintf(a->sun_path + 1, sizeof(a->sun_path) - 1, "tallyd-output-%"
	    PRIx64 "-%" PRIx64 "-%016" PRIx64, (uint64_t)dir->st_dev,
	    (uint64_t)dir->st_ino, lookup_text(0, name));
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
	    (size_t)n);
}

/* The pid of the process that listens there; 0: nobody does, or one that is neither root's
 * nor ours; -EAGAIN: it has bound the address and does not listen yet. */
static pid_t
holder_of(const struct sockaddr_un *a, socklen_t size)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	struct ucred who = { 0, 0, 0 };
	socklen_t n = sizeof(who);
	pid_t pid = 0;

	if (fd < 0)
		return 0;
	if (connect(fd, (const struct sockaddr *)a, size) < 0)
		pid = errno == ECONNREFUSED ? -EAGAIN : 0;
	else if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) == 0 &&
	    (who.uid == 0 || who.uid == geteuid()))
		pid = who.pid;
	close(fd);
	return pid;
}

bool
claim_is(int claim, int dir, const char *name)
{
	struct sockaddr_un ours, wanted;
	socklen_t n = sizeof(ours), size;
	struct stat sb;

	if (claim < 0 || fstat(dir, &sb) < 0 ||
	    getsockname(claim, (struct sockaddr *)&ours, &n) < 0)
		return false;
	size = address_of(&wanted, &sb, name);
	/* the kernel names the process that called listen(2) last */
	return n == size && memcmp(&ours, &wanted, n) == 0 &&
	    listen(claim, SOMAXCONN) == 0;
}

int
claim_take(int dir, const char *name, pid_t *holder)
{
	struct timespec ms = { 0, 1000000 };
	struct sockaddr_un a;
	struct stat sb;
	socklen_t size;
	int fd;

	*holder = 0;
	if (fstat(dir, &sb) < 0 ||
	    (fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) < 0)
		return -ENOTSUP;
	size = address_of(&a, &sb, name);
	for (unsigned i = 0; i < TRIES && *holder <= 0; i++) {
		if (bind(fd, (struct sockaddr *)&a, size) == 0 &&
		    listen(fd, SOMAXCONN) == 0)
			return fd;
		if (errno != EADDRINUSE ||
		    (*holder = holder_of(&a, size)) == 0)
			break;
		if (*holder < 0)
			nanosleep(&ms, NULL);
	}
	close(fd);
	return *holder > 0 ? -EBUSY : -ENOTSUP;
}
