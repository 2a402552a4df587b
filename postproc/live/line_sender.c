/*
 * postproc/live/line_sender.c - lines of text, sent to a daemon that listens.
 */
#include "postproc/live/line_sender.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define PATIENCE 5              /* s */
/* Bytes of a datagram that no network takes apart: 1500 of Ethernet less the
 * headers of IPv6 and UDP. */
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

/* Whoever listened there may have gone since: a stream's end says so. */
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

/* As many whole lines as one datagram takes; a longer line has one of its own. */
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

	/* what a connection that broke took is sent again, whole: a point of
	 * the same time is the same point */
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
