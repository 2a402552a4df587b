/*
 * daemon/run/notify.h - telling the service manager that started us how we are:
 * systemd's protocol (sd_notify(3)), a datagram of KEY=VALUE to the socket that
 * NOTIFY_SOCKET names.  Without that variable all of this does nothing.
 */
#ifndef DAEMON_RUN_NOTIFY_H
#define DAEMON_RUN_NOTIFY_H

#include "regs/access.h"

#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

struct notify {
	int fd;                 /* -1: nobody wants to know */
	struct sockaddr_un to;
	socklen_t size;         /* 0: fd is connected */
	uint64_t every_ns;      /* a watchdog wants a sign; 0: none does */
	uint64_t next_ns;       /* of access_now */
};

/* notify_open - as the environment says, from which NOTIFY_SOCKET is removed:
 * what we start is no affair of the manager's.  What it names that is no
 * address is told. */
void notify_open(struct notify *);

/* notify_through - to have another process tell its manager: what is said goes
 * through fd to that one, which passes it on by notify_words. */
void notify_through(struct notify *, const struct notify *other, int fd);
void notify_words(struct notify *, const char *words);

/* READY=1, once the first sample is in, and after a reload; RELOADING=1 before
 * it; STOPPING=1 before the end. */
void notify_ready(struct notify *);
void notify_reloading(struct notify *);
void notify_stopping(struct notify *);

/* notify_alive - WATCHDOG=1 where it is due: twice as often as it is waited
 * for.  NULL: nobody waits.  Returns when to call again: the deadline at the
 * latest. */
uint64_t notify_alive(struct notify *, struct access *, uint64_t deadline);

#endif
