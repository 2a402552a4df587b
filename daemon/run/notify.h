/*
 * daemon/run/notify.h - tells the service manager our state by systemd's protocol
 * (sd_notify(3)): a datagram of KEY=VALUE to the socket that NOTIFY_SOCKET names.
 * Without that variable all of this does nothing.
 */
#ifndef DAEMON_RUN_NOTIFY_H
#define DAEMON_RUN_NOTIFY_H

#include "regs/access.h"

#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

struct notify {
	int fd;                 /* -1: there is no manager */
	struct sockaddr_un to;
	socklen_t size;         /* 0: fd is connected */
	uint64_t every_ns;      /* of WATCHDOG=1; 0: no watchdog */
	uint64_t next_ns;       /* of access_now */
};

/* notify_open - opens the socket that the environment names, and removes NOTIFY_SOCKET
 * from it, so that programs that we start do not use it.  Warns of a bad address. */
void notify_open(struct notify *);

/* notify_through - sends the words through fd to another process, which passes them on to
 * the manager by notify_words. */
void notify_through(struct notify *, const struct notify *other, int fd);
void notify_words(struct notify *, const char *words);

/* READY=1, once the first sample is in, and after a reload; RELOADING=1 before
 * it; STOPPING=1 before the end. */
void notify_ready(struct notify *);
void notify_reloading(struct notify *);
void notify_stopping(struct notify *);

/* notify_alive - sends WATCHDOG=1 if it is due: twice in the time that the manager allows.
 * Returns when to call again: the deadline at the latest.  NULL accepted. */
uint64_t notify_alive(struct notify *, struct access *, uint64_t deadline);

#endif
