/*
 * postproc/live/line_sender.h - lines of text for a daemon that listens: over TCP,
 * UDP or a Unix socket.  While it is away lines are dropped, and that is said.
 */
#ifndef POSTPROC_LIVE_LINE_SENDER_H
#define POSTPROC_LIVE_LINE_SENDER_H

#include <stddef.h>
#include <stdint.h>

#include "postproc/live/socket_address.h"
#include "regs/diag.h"

struct line_sender {
	const char *where;      /* as it was given */
	union address address;
	socklen_t size;
	int type;               /* SOCK_STREAM or SOCK_DGRAM */
	int fd;                 /* -1: not connected */
	uint64_t dropped;       /* calls since one was last sent */
};

/*
 * line_sender_init - where: "[udp:]ADDRESS:PORT", "[udp:]PORT" of this node, or
 * "/PATH" of a Unix socket.  Connects to nobody yet.
 *
 * Returns 0, or -EINVAL with words in why.
 */
int line_sender_init(struct line_sender *, const char *where, struct diag *why);

/*
 * line_sender_send - connect where that is needed, and send lines, each with its
 * newline: all of them, or, after words on stderr (the first time), none that
 * count.  Waits 5 s at most for each call of the kernel.
 *
 * Returns 0, or -errno.
 */
int line_sender_send(struct line_sender *, const char *lines, size_t n);
void line_sender_fini(struct line_sender *);

#endif
