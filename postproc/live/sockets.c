/*
 * postproc/live/sockets.c - the sockets that exporters listen at or send lines to.
 */
#include "postproc/live/sockets.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

/* ---- addresses ------------------------------------------------------------- */

static bool
socket_address_parse_port(const char *text, in_port_t *port)
{
	char *end;
	unsigned long n = strtoul(text, &end, 10);

	*port = htons((uint16_t)n);
	return text[0] >= '0' && text[0] <= '9' && *end == '\0' && n < 65536;
}

/* Parses "9090" (of this node), "127.0.0.1:9090", "[::1]:9090", or the "/path" of a Unix
 * socket.  Returns the size of the address, 0 where it is none. */
static socklen_t
socket_address_parse(const char *where, union address *a)
{
	const char *colon = strrchr(where, ':');
	size_t n = colon != NULL ? (size_t)(colon - where) : 0;
	char host[64] = "127.0.0.1";

	memset(a, 0, sizeof(*a));
	if (where[0] == '/') {
		a->un.sun_family = AF_UNIX;
		if (strlen(where) >= sizeof(a->un.sun_path))
			return 0;
		strcpy(a->un.sun_path, where);
		return sizeof(a->un);
	}
	if (n >= sizeof(host))
		return 0;
	if (n > 0) {
		memcpy(host, where, n);
		host[n] = '\0';
	}
	if (host[0] == '[' && n > 2 && host[n - 1] == ']') {
		host[n - 1] = '\0';
		a->in6.sin6_family = AF_INET6;
		return inet_pton(AF_INET6, host + 1, &a->in6.sin6_addr) == 1 &&
		    socket_address_parse_port(colon + 1, &a->in6.sin6_port) ?
		    sizeof(a->in6) : 0;
	}
	a->in.sin_family = AF_INET;
	return inet_pton(AF_INET, strcmp(host, "localhost") == 0 ?
	    "127.0.0.1" : host, &a->in.sin_addr) == 1 &&
	    socket_address_parse_port(colon != NULL ? colon + 1 : where,
	    &a->in.sin_port) ? sizeof(a->in) : 0;
}

/* Can only this node reach it? */
static bool
socket_address_is_own(const union address *a)
{
	if (a->any.sa_family == AF_UNIX)
		return true;
	if (a->any.sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&a->in6.sin6_addr);
	return ntohl(a->in.sin_addr.s_addr) >> 24 == 127;
}

/* ---- to listen ------------------------------------------------------------- */

#define BACKLOG 64

/* Removes a Unix socket that nobody listens at any more. */
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

/* ---- to send --------------------------------------------------------------- */

#define PATIENCE 5              /* s */
/* Bytes of a datagram that is not fragmented: 1500 of Ethernet less the headers of IPv6
 * and UDP. */
#define DATAGRAM 1452

int
line_sender_init(struct line_sender *s, const char *where, struct diag *why)
{
	const char *address = where;

	*s = (struct line_sender){ .where = where, .type = SOCK_STREAM, .fd = -1 };
	if (strncmp(where, "udp:", 4) == 0) {
		s->type = SOCK_DGRAM;
		address += 4;
	}
	s->size = socket_address_parse(address, &s->address);
	return s->size > 0 ? 0 : diag_set(why, -EINVAL, "--to %s: expected "
	    "ADDRESS:PORT, [ADDRESS]:PORT or PORT of a daemon that takes lines "
	    "over TCP, udp: before it of one over UDP, or the /PATH of its "
	    "socket; addresses are numbers, names are not looked up", where);
}

void
line_sender_fini(struct line_sender *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

/* Connects, unless it is connected.  A stream whose other end has been closed is
 * connected anew. */
static int
line_sender_connect(struct line_sender *s)
{
	struct timeval patience = { .tv_sec = PATIENCE };
	char byte;
	int err;

	if (s->fd >= 0 && s->type == SOCK_STREAM &&
	    recv(s->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
		line_sender_fini(s);
	if (s->fd >= 0)
		return 0;
	s->fd = socket(s->address.any.sa_family, s->type | SOCK_CLOEXEC, 0);
	if (s->fd < 0)
		return -errno;
	setsockopt(s->fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (connect(s->fd, &s->address.any, s->size) == 0)
		return 0;
	err = errno;
	line_sender_fini(s);
	return err == EINPROGRESS ? -ETIMEDOUT : -err;
}

/* How many bytes the next datagram takes: as many whole lines as fit; a line that is
 * longer has a datagram of its own. */
static size_t
datagram_of(const char *lines, size_t n)
{
	const char *end;

	if (n <= DATAGRAM)
		return n;
	end = memrchr(lines, '\n', DATAGRAM);
	if (end == NULL)
		end = memchr(lines, '\n', n);
	return end == NULL ? n : (size_t)(end - lines) + 1;
}

static int
send_all(const struct line_sender *s, const char *lines, size_t n)
{
	while (n > 0) {
		size_t part = s->type == SOCK_DGRAM ? datagram_of(lines, n) : n;
		ssize_t sent = send(s->fd, lines, part, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0)
			return errno == EAGAIN ? -ETIMEDOUT : -errno;
		lines += sent;
		n -= (size_t)sent;
	}
	return 0;
}

int
line_sender_send(struct line_sender *s, const char *lines, size_t n)
{
	int rc = -ECONNRESET;

	/* if the connection breaks, all is sent again: InfluxDB takes points of the same
	 * time as the same point */
	for (unsigned turn = 0; turn < 2 && rc < 0; turn++) {
		if ((rc = line_sender_connect(s)) < 0)
			break;
		if ((rc = send_all(s, lines, n)) < 0)
			line_sender_fini(s);
	}
	if (rc < 0 && s->dropped++ == 0)
		fprintf(stderr, "tally: --to %s: %s; its lines are dropped "
		    "until it is there\n", s->where, strerror(-rc));
	if (rc == 0 && s->dropped > 0) {
		fprintf(stderr, "tally: --to %s: is there again; %" PRIu64
		    " samples were not sent\n", s->where, s->dropped);
		s->dropped = 0;
	}
	return rc;
}
