/*
 * postproc/live/http_listen.c - the socket that scrapers connect to.
 */
#include "postproc/live/http.h"
#include "postproc/live/socket_address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define BACKLOG 64

/* A socket that nobody listens at any more is in the way. */
static int
clear_path(const struct sockaddr_un *un, struct diag *why)
{
	struct stat sb;
	int fd, rc;

	if (lstat(un->sun_path, &sb) < 0)
		return 0;
	if (!S_ISSOCK(sb.st_mode))
		return diag_set(why, -EEXIST, "%s: there is a file that is no "
		    "socket", un->sun_path);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	rc = fd < 0 ? -1 : connect(fd, (const struct sockaddr *)un,
	    sizeof(*un));
	if (fd >= 0)
		close(fd);
	if (rc == 0 || errno != ECONNREFUSED)
		return diag_set(why, -EADDRINUSE, "%s: somebody listens there",
		    un->sun_path);
	return unlink(un->sun_path) < 0 ? diag_set(why, -errno, "%s: %s",
	    un->sun_path, strerror(errno)) : 0;
}

static int
http_listen_open_at(const char *where, const union address *a, socklen_t size,
    struct diag *why)
{
	int fd = socket(a->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC |
	    SOCK_NONBLOCK, 0), one = 1, err;
	mode_t mask = umask(0117);

	if (fd >= 0 && a->any.sa_family != AF_UNIX)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	err = fd < 0 || bind(fd, &a->any, size) < 0 || listen(fd, BACKLOG) < 0 ?
	    errno : 0;
	umask(mask);
	if (err == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return diag_set(why, -err, "%s: %s", where, strerror(err));
}

int
http_listen(const char *where, bool public, struct diag *why)
{
	union address a;
	socklen_t size = socket_address_parse(where, &a);
	int rc;

	if (size == 0) {
		return diag_set(why, -EINVAL, "--listen %s: expected PORT, "
		    "ADDRESS:PORT, [ADDRESS]:PORT or the /PATH of a socket, "
		    "of %zu bytes at most", where, sizeof(a.un.sun_path) - 1);
	} else if (a.any.sa_family == AF_UNIX) {
		if ((rc = clear_path(&a.un, why)) < 0)
			return rc;
	} else if (!public && !socket_address_is_own(&a)) {
		return diag_set(why, -EPERM, "--listen %s: anybody who reaches "
		    "that address could read the node's figures; --public, if "
		    "that is meant", where);
	}
	return http_listen_open_at(where, &a, size, why);
}

const char *
http_address(int fd, char *buf, size_t size)
{
	union address a;
	socklen_t len = sizeof(a);
	char host[64] = "";

	memset(&a, 0, sizeof(a));
	if (getsockname(fd, &a.any, &len) < 0)
		a.any.sa_family = AF_UNSPEC;
	if (a.any.sa_family == AF_INET) {
		inet_ntop(AF_INET, &a.in.sin_addr, host, sizeof(host));
		snprintf(buf, size, "http://%s:%u/metrics", host,
		    ntohs(a.in.sin_port));
	} else if (a.any.sa_family == AF_INET6) {
		inet_ntop(AF_INET6, &a.in6.sin6_addr, host, sizeof(host));
		snprintf(buf, size, "http://[%s]:%u/metrics", host,
		    ntohs(a.in6.sin6_port));
	} else {
		snprintf(buf, size, "%s", a.any.sa_family == AF_UNIX ?
		    a.un.sun_path : "?");
	}
	return buf;
}
