/*
 * postproc/live/sockets.h - the sockets at which exporters listen, or to which they send
 * lines.  Addresses are numbers: names are not looked up.
 */
#ifndef POSTPROC_LIVE_SOCKETS_H
#define POSTPROC_LIVE_SOCKETS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "lib/diag.h"

union address {
	struct sockaddr any;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
	struct sockaddr_un un;
};

/*
 * http_listen - open a listening socket.
 *
 * where    "9090", "127.0.0.1:9090", "[::1]:9090", or the "/path" of a Unix socket,
 *          which only our user and group may use
 * public   allow addresses that other nodes can reach
 *
 * Returns the socket, or -errno with words in why.
 */
int http_listen(const char *where, bool public, struct diag *why);

/* http_address - the URL of a listening socket, or its path.  Returns buf. */
const char *http_address(int fd, char *buf, size_t size);

/*
 * Lines of text for a daemon that listens: over TCP, UDP or a Unix socket.  While it is
 * away its lines are dropped, and that is said.
 */
struct line_sender {
	const char *where;      /* as the option gave it */
	union address address;
	socklen_t size;         /* of the address */
	int type;               /* SOCK_STREAM or SOCK_DGRAM */
	int fd;                 /* -1: not connected */
	uint64_t dropped;       /* calls of line_sender_send that failed since one
				 * succeeded */
};

/*
 * line_sender_init - where: "[udp:]ADDRESS:PORT", "[udp:]PORT" of this node, or the
 * "/PATH" of a Unix socket.  Does not connect yet.
 *
 * Returns 0, or -EINVAL with words in why.
 */
int line_sender_init(struct line_sender *, const char *where, struct diag *why);

/*
 * line_sender_send - send n bytes of whole lines, connecting first where needed.  Says
 * on stderr when sending begins to fail and when it works again.  Each system call
 * waits at most 5 s.
 *
 * Returns 0, or -errno: the lines are dropped.
 */
int line_sender_send(struct line_sender *, const char *lines, size_t n);
void line_sender_fini(struct line_sender *);

#endif
