/*
 * daemon/run/control_open.c - where the control socket is, and who may use it.
 */
#include "daemon/run/control.h"

#include "config/folder.h"
#include "daemon/log.h"

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
