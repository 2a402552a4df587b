/*
 * daemon/run/control.c - the socket by which a daemon that samples is asked: where it is,
 * who may use it, and what callers say and are told.
 */
#include "daemon/run/control.h"

#include "config/folder.h"
#include "daemon/log.h"
#include "regs/host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define FOLDER "/run/tallyd"
#define MS 1000000ull           /* ns */

/* ---- where the socket is, and who may use it ---------------------------- */

static int
failed(const char *path, int rc, struct diag *why)
{
	return diag_set(why, rc, "socket %s: %s; name another place with "
	    "--socket", path, strerror(-rc));
}

/* A place for simulated nodes that others cannot write to. */
static bool
simulated_place(char *path, size_t size)
{
	const char *own = getenv("XDG_RUNTIME_DIR");

	if (geteuid() == 0)
		own = "/run";
	if (own == NULL || own[0] != '/')
		return false;
	snprintf(path, size, "%s/tallyd-simulated.socket", own);
	return true;
}

bool
control_place(const struct options *o, bool simulated, char *path,
    size_t size)
{
	size_t n;

	if (o->service.socket != NULL) {
		snprintf(path, size, "%s", o->service.socket);
		return true;
	}
	if (simulated)
		return !o->node.virtual_time && simulated_place(path, size);
	n = strlen(o->node.root);
	while (n > 0 && o->node.root[n - 1] == '/')
		n--;
	snprintf(path, size, "%.*s" FOLDER "/tallyd.socket", (int)n,
	    o->node.root);
	return true;
}

/* Makes the folder, if it is not there. */
static void
make_folder(const char *path)
{
	char folder[sizeof(((struct sockaddr_un *)0)->sun_path)];

	snprintf(folder, sizeof(folder), "%.*s", (int)(strrchr(path, '/') -
	    path), path);
	if (mkdir(folder, 0755) < 0 && errno != EEXIST)
		log_debug("%s: %s", folder, strerror(errno));
}

/* Is there a socket at which nobody listens? */
static bool
left(const struct sockaddr_un *at)
{
	struct stat sb;
	int fd, rc;

	if (lstat(at->sun_path, &sb) < 0 || !S_ISSOCK(sb.st_mode) ||
	    (fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
	    0)) < 0)
		return false;
	rc = connect(fd, (const struct sockaddr *)at, sizeof(*at)) < 0 ?
	    errno : 0;
	close(fd);
	return rc == ECONNREFUSED;
}

/* Binds the socket with a mode for our user alone, until its group is set. */
static int
control_open_put(int fd, const struct sockaddr_un *at, int gid)
{
	mode_t mask = umask(0177);
	int rc = bind(fd, (const struct sockaddr *)at, sizeof(*at)) < 0 ?
	    -errno : 0;

	umask(mask);
	if (rc < 0)
		return rc;
	if ((gid != -1 && (fchownat(AT_FDCWD, at->sun_path, (uid_t)-1,
	    (gid_t)gid, AT_SYMLINK_NOFOLLOW) < 0 ||
	    chmod(at->sun_path, 0660) < 0)) || listen(fd, 64) < 0)
		rc = -errno;
	if (rc < 0)
		unlink(at->sun_path);
	return rc;
}

static int
open_at(struct control *c, int gid, struct diag *why)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int dir = folder_open(c->path), rc;

	memcpy(at.sun_path, c->path, strlen(c->path) + 1);
	if (dir < 0)
		return failed(c->path, dir, why);
	rc = folder_trusted(dir, c->path, "name another place with --socket",
	    why);
	close(dir);
	if (rc < 0)
		return rc;
	c->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (c->fd < 0)
		return failed(c->path, -errno, why);
	if ((rc = control_open_put(c->fd, &at, gid)) == -EADDRINUSE &&
	    left(&at)) {
		unlink(at.sun_path);
		rc = control_open_put(c->fd, &at, gid);
	}
	if (rc == 0)
		return 0;
	close(c->fd);
	c->fd = -1;
	return rc != -EADDRINUSE ? failed(c->path, rc, why) : diag_set(why,
	    -EBUSY, "socket %s: another tallyd listens there, or it is none; "
	    "name another with --socket", c->path);
}

static void
listen_at(struct control *c, struct access *acc)
{
	for (unsigned i = 0; i < 1 + CONTROL_CALLERS; i++)
		c->poll[i] = (struct pollfd){ .fd = -1 };
	c->poll[0] = (struct pollfd){ c->fd, POLLIN, 0 };
	acc->wake = c->poll;
	acc->nwake = 1 + CONTROL_CALLERS;
}

void
control_adopt(struct control *c, int fd, const struct options *o,
    struct access *acc)
{
	char path[4096];

	c->fd = fd;
	if (fd < 0 || !control_place(o, acc->ops->simulated, path,
	    sizeof(path)))
		return;
	snprintf(c->path, sizeof(c->path), "%.107s", path);
	listen_at(c, acc);
}

void
control_also(struct control *c, struct access *acc, int fd)
{
	c->poll[1 + CONTROL_CALLERS] = (struct pollfd){ fd, POLLIN, 0 };
	acc->wake = c->fd >= 0 ? c->poll : &c->poll[1 + CONTROL_CALLERS];
	acc->nwake = c->fd >= 0 ? 2 + CONTROL_CALLERS : 1;
}

int
control_open(struct control *c, const struct options *o, struct access *acc,
    int gid, struct diag *why)
{
	char path[4096];
	int rc;

	c->fd = -1;
	if (!control_place(o, acc->ops->simulated, path, sizeof(path)))
		return 0;
	if ((size_t)snprintf(c->path, sizeof(c->path), "%s", path) >=
	    sizeof(c->path))
		rc = failed(path, -ENAMETOOLONG, why);
	else {
		if (o->service.socket == NULL && !acc->ops->simulated)
			make_folder(c->path);
		rc = open_at(c, gid, why);
	}
	if (rc < 0 && o->service.socket == NULL) {
		log_debug("nobody can ask this daemon: %s", why->text);
		return 0;
	}
	if (rc < 0)
		return rc;
	listen_at(c, acc);
	return 0;
}

/* ---- callers -------------------------------------------------------------- */

/* Sends an answer, which fits into the socket's buffer, unless nobody reads it. */
static void
control_say(int fd, const char *text)
{
	size_t n = strlen(text);

	if (n > 0 && send(fd, text, n, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return;         /* the caller is gone */
}

static void
hang_up(struct control *c, unsigned i)
{
	close(c->poll[1 + i].fd);
	c->poll[1 + i] = (struct pollfd){ .fd = -1 };
}

static void
control_refuse(struct control *c, unsigned i, const char *words)
{
	char text[sizeof(struct diag) + 16];

	snprintf(text, sizeof(text), "error: %s\n", words);
	control_say(c->poll[1 + i].fd, text);
	hang_up(c, i);
}

static void
control_answer(struct control *c, unsigned i, const char *line)
{
	char lines[CONTROL_ANSWER] = "";
	struct diag why = { "" };

	int rc;

	c->answers++;
	c->from = c->poll[1 + i].fd;
	rc = c->answer(c->ctx, line, lines, &why);
	if (rc == -EINPROGRESS) {
		hang_up(c, i);
		return;
	}
	if (rc < 0) {
		control_refuse(c, i, why.text);
		return;
	}
	control_say(c->poll[1 + i].fd, lines);
	control_say(c->poll[1 + i].fd, "ok\n");
	hang_up(c, i);
}

/* Reads what has come of a question; answers it once it is whole. */
static void
control_hear(struct control *c, unsigned i)
{
	struct caller *from = &c->caller[i];
	ssize_t n = recv(c->poll[1 + i].fd, from->line + from->n,
	    sizeof(from->line) - from->n, MSG_DONTWAIT);
	char *end;

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		hang_up(c, i);          /* the caller left before the end of the line */
		return;
	}
	from->n += (size_t)n;
	if ((end = memchr(from->line, '\n', from->n)) == NULL) {
		if (from->n == sizeof(from->line))
			control_refuse(c, i, "that is too long");
		return;
	}
	*end = '\0';
	if (strlen(from->line) != (size_t)(end - from->line))
		control_refuse(c, i, "there is a NUL in it");
	else
		control_answer(c, i, from->line);
}

/* A free place, or that of the caller who has been there longest, if long enough; -1:
 * there is none. */
static int
place_for_one(const struct control *c, uint64_t now)
{
	int oldest = 0;

	for (int i = 0; i < CONTROL_CALLERS; i++) {
		if (c->poll[1 + i].fd < 0)
			return i;
		if (c->caller[i].since_ns < c->caller[oldest].since_ns)
			oldest = i;
	}
	return now - c->caller[oldest].since_ns >= CONTROL_LEAST_MS * MS ?
	    oldest : -1;
}

/* Is there an answer left in this tenth of a second?  If not, logs that once. */
static bool
too_many(struct control *c, uint64_t now)
{
	if (now >= c->tenth_ns) {
		c->tenth_ns = now + 100 * MS;
		c->answers = 0;
	}
	if (c->answers < CONTROL_TENTH)
		return false;
	if (!c->told)
		log_warnx("%s: more than %d questions in a tenth of a second: "
		    "the others wait", c->path, CONTROL_TENTH);
	c->told = true;
	return true;
}

/* Accepts connections, as far as there are places. */
static void
let_in(struct control *c, uint64_t now)
{
	int i, fd;

	while ((i = place_for_one(c, now)) >= 0) {
		/* its line may have come since it was last polled */
		if (c->poll[1 + i].fd >= 0)
			control_hear(c, (unsigned)i);
		if (too_many(c, now))
			return;
		fd = accept4(c->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
		if (fd < 0)
			return;
		if (c->poll[1 + i].fd >= 0)
			control_refuse(c, (unsigned)i,
			    "no line has come, and others "
			    "wait");
		c->poll[1 + i] = (struct pollfd){ fd, POLLIN, POLLIN };
		c->caller[i].since_ns = now;
		c->caller[i].n = 0;
	}
}

/* Serves the callers of whom something has come. */
static void
hear_all(struct control *c, uint64_t now)
{
	for (unsigned i = 0; i < CONTROL_CALLERS; i++) {
		struct pollfd *p = &c->poll[1 + i];

		if (p->fd < 0 || p->revents == 0 || too_many(c, now))
			continue;
		p->revents = 0;
		control_hear(c, i);
	}
}

void
control_serve(struct control *c)
{
	uint64_t now;
	bool full = true;

	if (c->fd < 0 || c->resting)
		return;
	now = clock_ns(CLOCK_MONOTONIC);
	c->wake_ns = 0;
	hear_all(c, now);
	if ((c->poll[0].revents != 0 || c->poll[0].events == 0) &&
	    !too_many(c, now)) {
		let_in(c, now);
		hear_all(c, now);
	}
	for (unsigned i = 0; i < CONTROL_CALLERS; i++) {
		const struct pollfd *p = &c->poll[1 + i];

		if (p->fd >= 0 && now - c->caller[i].since_ns >=
		    CONTROL_MS * MS)
			control_refuse(c, i, "no line has come");
		full &= p->fd >= 0;
		if (p->fd >= 0)
			c->wake_ns = now + 100 * MS;
	}
	/* callers without a place do not wake us */
	c->poll[0] = (struct pollfd){ c->fd, full ? 0 : POLLIN, 0 };
	for (unsigned i = 0; i < CONTROL_CALLERS; i++) {
		c->poll[1 + i].events = POLLIN;
		c->poll[1 + i].revents = 0;
	}
	if (!too_many(c, now))
		return;
	c->wake_ns = c->tenth_ns;
	for (unsigned i = 0; i < 1 + CONTROL_CALLERS; i++)
		c->poll[i].events = 0;
}

void
control_rest(struct control *c, bool on)
{
	c->resting = on;
	c->wake_ns = 0;
	for (unsigned i = 0; i < 1 + CONTROL_CALLERS; i++) {
		c->poll[i].events = on ? 0 : POLLIN;
		c->poll[i].revents = 0;
	}
}

uint64_t
control_alive(const struct control *c, struct access *acc, uint64_t deadline)
{
	uint64_t here;

	if (c == NULL || c->fd < 0 || c->wake_ns == 0)
		return deadline;
	/* acc may have a clock of its own */
	here = clock_ns(CLOCK_MONOTONIC);
	here = access_mono(acc) + (c->wake_ns > here ? c->wake_ns - here : 0);
	return here < deadline ? here : deadline;
}

void
control_leave(struct control *c)
{
	if (c->fd < 0)
		return;
	for (unsigned i = 0; i < CONTROL_CALLERS; i++)
		if (c->poll[1 + i].fd >= 0)
			hang_up(c, i);
	close(c->fd);
	c->fd = -1;
}

void
control_close(struct control *c)
{
	if (c == NULL || c->fd < 0)
		return;
	for (unsigned i = 0; i < CONTROL_CALLERS; i++)
		if (c->poll[1 + i].fd >= 0)
			control_refuse(c, i, "the daemon ends");
	unlink(c->path);        /* without the right to remove it, it stays */
	control_leave(c);
}
