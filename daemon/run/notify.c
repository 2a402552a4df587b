/*
 * daemon/run/notify.c - telling the service manager that started us how we are.
 */
#include "daemon/run/notify.h"

#include "daemon/log.h"
#include "regs/host.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Makes an address of a path, or of a name in the abstract space after '@'; false: it is
 * neither. */
static bool
notify_address(struct notify *n, const char *name)
{
	size_t size = strlen(name);

	if ((*name != '/' && *name != '@') || size < 2 ||
	    size >= sizeof(n->to.sun_path))
		return false;
	n->to.sun_family = AF_UNIX;
	memcpy(n->to.sun_path, name, size + 1);
	n->size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + size +
	    (*name == '/'));
	if (*name == '@')
		n->to.sun_path[0] = '\0';
	return true;
}

/* Half of WATCHDOG_USEC, in ns; 0: it is not set, or is for another process. */
static uint64_t
watchdog_ns(void)
{
	const char *usec = getenv("WATCHDOG_USEC"), *pid = getenv("WATCHDOG_PID");

	if (usec == NULL || (pid != NULL && atol(pid) != getpid()))
		return 0;
	return strtoull(usec, NULL, 10) * 500;
}

static int
notify_say(const struct notify *n, const char *words)
{
	if (n->fd < 0)
		return 0;
	return sendto(n->fd, words, strlen(words), MSG_NOSIGNAL | MSG_DONTWAIT,
	    n->size > 0 ? (const struct sockaddr *)&n->to : NULL,
	    n->size) < 0 ? -errno : 0;
}

void
notify_open(struct notify *n)
{
	const char *name = getenv("NOTIFY_SOCKET");

	*n = (struct notify){ .fd = -1 };
	if (name == NULL)
		return;
	if (!notify_address(n, name))
		log_warnx("NOTIFY_SOCKET=%s is no address of a socket: the "
		    "service manager is told nothing", name);
	else if ((n->fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) < 0)
		log_warn("NOTIFY_SOCKET: the service manager is told nothing");
	else
		n->every_ns = watchdog_ns();
	unsetenv("NOTIFY_SOCKET");
}

void
notify_through(struct notify *n, const struct notify *other, int fd)
{
	*n = (struct notify){ .fd = other->fd < 0 ? -1 : fd,
	    .every_ns = other->every_ns };
}

void
notify_words(struct notify *n, const char *words)
{
	if (strcmp(words, "WATCHDOG=1") == 0 ||
	    strcmp(words, "STOPPING=1") == 0)
		notify_say(n, words);
}

void
notify_ready(struct notify *n)
{
	int rc = notify_say(n, "READY=1");

	if (rc < 0)
		log_warnx("the service manager cannot be told that we sample: "
		    "%s", strerror(-rc));
}

void
notify_reloading(struct notify *n)
{
	char words[80];

	snprintf(words, sizeof(words), "RELOADING=1\nMONOTONIC_USEC=%" PRIu64,
	    clock_ns(CLOCK_MONOTONIC) / 1000);
	notify_say(n, words);
}

void
notify_stopping(struct notify *n)
{
	notify_say(n, "STOPPING=1");
}

uint64_t
notify_alive(struct notify *n, struct access *acc, uint64_t deadline)
{
	uint64_t now;

	if (n == NULL || n->every_ns == 0)
		return deadline;
	if ((now = access_mono(acc)) >= n->next_ns) {
		notify_say(n, "WATCHDOG=1");
		n->next_ns = now + n->every_ns;
	}
	return n->next_ns < deadline ? n->next_ns : deadline;
}
