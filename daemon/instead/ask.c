/*
 * daemon/instead/ask.c - asking a daemon that samples.
 */
#include "daemon/instead/instead.h"

#include "config/dump/head.h"
#include "daemon/log.h"
#include "daemon/node/obstacle.h"
#include "daemon/run/control.h"
#include "lib/printable.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sysexits.h>
#include <unistd.h>

#define PATIENCE_MS 15000       /* a daemon that is taking a long sample */
#define RELOAD_MS 600000        /* one that waits for a disk, and plans */
#define TRIES 3                 /* while one sampler takes over from another */

static int
connected(const char *path, struct diag *why)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	struct timeval patience = { PATIENCE_MS / 1000, 0 };
	int fd, rc;

	if (strlen(path) >= sizeof(at.sun_path))
		return diag_set(why, -ENAMETOOLONG, "socket %s: %s", path,
		    strerror(ENAMETOOLONG));
	memcpy(at.sun_path, path, strlen(path) + 1);
	if ((fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) < 0)
		return diag_set(why, -errno, "socket: %s", strerror(errno));
	/* SO_SNDTIMEO bounds connect(2), too */
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	if (connect(fd, (struct sockaddr *)&at, sizeof(at)) == 0)
		return fd;
	rc = -errno;
	close(fd);
	return diag_set(why, rc, "socket %s: %s", path,
	    rc == -ENOENT ? "there is none: no tallyd samples here, or its "
	    "socket is another (--socket)" :
	    rc == -ECONNREFUSED ? "the tallyd that made it is dead" :
	    rc == -EACCES ? "you may not ask this tallyd: root may, and its "
	    "group" : rc == -EAGAIN ? "too many ask at a time" :
	    strerror(-rc));
}

/* Connects to the daemon: at the socket of --socket, else the node's, else that of a
 * simulated node. */
static int
reached(const struct options *o, char path[4096], struct diag *why)
{
	struct diag other;
	char simulated[4096];
	int fd, sim;

	control_place(o, false, path, 4096);
	fd = connected(path, why);
	if ((fd != -ENOENT && fd != -ECONNREFUSED) ||
	    o->service.socket != NULL || strcmp(o->node.root, "/") != 0 ||
	    !control_place(o, true, simulated, sizeof(simulated)) ||
	    (sim = connected(simulated, &other)) < 0)
		return fd;
	strcpy(path, simulated);
	return sim;
}

/* Reads the whole answer, and ends it with a NUL; 0 or -errno. */
static int
ask_hear(int fd, int patience_ms, char *text, size_t size)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	size_t used = 0;
	ssize_t n = 1;          /* a signal before the first bytes ends nothing */

	do {
		int ready = poll(&p, 1, patience_ms);

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0)
			return ready < 0 ? -errno : -ETIMEDOUT;
		n = recv(fd, text + used, size - 1 - used, 0);
		if (n < 0 && errno != ECONNRESET)
			return -errno;
		n = n < 0 ? 0 : n;
		used += (size_t)n;
	} while (n > 0 && used < size - 1);
	text[used] = '\0';
	return 0;
}

/* Prints the lines of an answer; the last one is the result. */
static int
ask_tell(char *text)
{
	char *line = text, *end;

	for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		*end = '\0';
		printable(line);
		if (end[1] != '\0')
			puts(line);
		else if (strcmp(line, "ok") == 0)
			return 0;
		else if (strncmp(line, "error: ", 7) == 0) {
			log_warnx("%s", line + 7);
			return 1;
		}
	}
	log_warnx("the tallyd that was asked has not answered");
	return 1;
}

/* Sends a line and prints the answer; has logged the reason of an -errno. */
static int
exchange(int fd, const char *path, const char *line, char *text, size_t size)
{
	ssize_t n = send(fd, line, strlen(line), MSG_NOSIGNAL);
	int rc = n < 0 && errno != EPIPE ? -errno : ask_hear(fd,
	    strcmp(line, "reload\n") == 0 ? RELOAD_MS : PATIENCE_MS, text,
	    size);

	if (rc < 0)
		log_warnx("socket %s: %s", path, rc == -ETIMEDOUT ?
		    "no answer in time" : strerror(-rc));
	return rc;
}

/* The request as a line of the protocol. */
static int
question(const struct options *o, char line[CONTROL_LINE], struct diag *why)
{
	int rc = 0;

	if (o->tell.mark != NULL && (rc = mark_words_check(o->tell.mark,
	    why)) == 0)
		snprintf(line, CONTROL_LINE, "mark %s\n", o->tell.mark);
	else if (o->tell.pause)
		snprintf(line, CONTROL_LINE, "pause%s%.100s\n",
		    o->tell.pause_time != NULL ? " " : "", o->tell.pause_time !=
		    NULL ? o->tell.pause_time : "");
	else
		snprintf(line, CONTROL_LINE, "%s\n", o->tell.resume ? "resume" :
		    o->tell.reload ? "reload" : "ask");
	return rc;
}

/* Prints which other processes have counters open, as far as /proc shows it. */
static void
tell_others(const struct options *o)
{
	static const struct access_ops files = { .name = "files" };
	struct access acc = { .ops = &files, .root = o->node.root };
	struct holders found;
	unsigned n = 0;

	holders_find(&found, &acc);
	for (unsigned i = 0; i < found.n; i++) {
		const struct holder *h = &found.of[i];

		if (strncmp(h->name, "tallyd", 6) == 0)
			continue;
		printf("%s (pid %u) has counters open: %s\n", h->name, h->pid,
		    holder_open(h));
		n++;
	}
	if (found.more > 0)
		printf("and %u more\n", found.more);
	if (n + found.more == 0)
		printf("nobody else has counters open%s\n", geteuid() != 0 ?
		    ", as far as can be seen without root" : "");
}

static int
ask_who(const struct options *o)
{
	char path[4096], text[CONTROL_ANSWER + 2048];
	struct diag why;
	int status = 0, fd = reached(o, path, &why);

	if (fd >= 0) {
		status = exchange(fd, path, "ask\n", text, sizeof(text)) < 0 ?
		    1 : ask_tell(text);
		close(fd);
	} else if (fd == -ENOENT || fd == -ECONNREFUSED)
		puts("no tallyd samples here");
	else {
		log_warnx("%s", why.text);
		status = 1;
	}
	tell_others(o);
	return status;
}

int
ask_run(const struct options *o)
{
	char path[4096], line[CONTROL_LINE], text[CONTROL_ANSWER + 2048];
	struct diag why;
	int fd, rc;

	if (o->tell.ask)
		return ask_who(o);
	text[0] = '\0';
	for (unsigned i = 0; text[0] == '\0' && i < TRIES; i++) {
		bool asked = question(o, line, &why) == 0;

		if (!asked || (fd = reached(o, path, &why)) < 0) {
			log_warnx("%s", why.text);
			return asked ? 1 : EX_USAGE;
		}
		rc = exchange(fd, path, line, text, sizeof(text));
		close(fd);
		if (rc < 0)
			return 1;
	}
	return ask_tell(text);
}
