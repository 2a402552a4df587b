/*
 * daemon/run/output.c - the dump's place.
 */
#include "daemon/run/output.h"

#include "daemon/log.h"
#include "lib/lookup.h"
#include "lib/process.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * A file that a daemon is going to write.
 *
 * A claim is a socket with an abstract address made of folder and name.  Only one process
 * can have it, it ends with that process, and the kernel tells its pid.
 */

#define TRIES 20                /* ms: somebody has bound it, and not listened */

/* The address of a name; returns its length. */
static socklen_t
address_of(struct sockaddr_un *a, const struct stat *dir, const char *name)
{
	int n;

	*a = (struct sockaddr_un){ .sun_family = AF_UNIX };
	n = snprintf(a->sun_path + 1, sizeof(a->sun_path) - 1, "tallyd-output-%"
	    PRIx64 "-%" PRIx64 "-%016" PRIx64, (uint64_t)dir->st_dev,
	    (uint64_t)dir->st_ino, lookup_text(0, name));
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
	    (size_t)n);
}

/* The pid of the process that listens there; 0: nobody does, or one that is neither root's
 * nor ours; -EAGAIN: it has bound the address and does not listen yet. */
static pid_t
holder_of(const struct sockaddr_un *a, socklen_t size)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	struct ucred who = { 0, 0, 0 };
	socklen_t n = sizeof(who);
	pid_t pid = 0;

	if (fd < 0)
		return 0;
	if (connect(fd, (const struct sockaddr *)a, size) < 0)
		pid = errno == ECONNREFUSED ? -EAGAIN : 0;
	else if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) == 0 &&
	    (who.uid == 0 || who.uid == geteuid()))
		pid = who.pid;
	close(fd);
	return pid;
}

/* Is `claim`, which another process of ours has taken, the claim of this name?  If so,
 * others see this process as its owner from now on. */
static bool
claim_is(int claim, int dir, const char *name)
{
	struct sockaddr_un ours, wanted;
	socklen_t n = sizeof(ours), size;
	struct stat sb;

	if (claim < 0 || fstat(dir, &sb) < 0 ||
	    getsockname(claim, (struct sockaddr *)&ours, &n) < 0)
		return false;
	size = address_of(&wanted, &sb, name);
	/* the kernel names the process that called listen(2) last */
	return n == size && memcmp(&ours, &wanted, n) == 0 &&
	    listen(claim, SOMAXCONN) == 0;
}

/*
 * Claims a name in a folder for this process and its children, as long as they live;
 * nothing is left behind, however they end.  holder: out, the daemon that has it.
 *
 * Returns a descriptor to close; -EBUSY: a daemon of ours or of root's has it;
 * -ENOTSUP: claims cannot be made, or another user's process has the address.  The file is
 * then not claimed, and its writer looks once more whether the name is free.
 */
static int
claim_take(int dir, const char *name, pid_t *holder)
{
	struct sockaddr_un a;
	struct stat sb;
	socklen_t size;
	int fd;

	*holder = 0;
	if (fstat(dir, &sb) < 0 ||
	    (fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) < 0)
		return -ENOTSUP;
	size = address_of(&a, &sb, name);
	for (unsigned i = 0; i < TRIES && *holder <= 0; i++) {
		if (bind(fd, (struct sockaddr *)&a, size) == 0 &&
		    listen(fd, SOMAXCONN) == 0)
			return fd;
		if (errno != EADDRINUSE ||
		    (*holder = holder_of(&a, size)) == 0)
			break;
		if (*holder < 0)
			nap(1);
	}
	close(fd);
	return *holder > 0 ? -EBUSY : -ENOTSUP;
}

/* Can the process that writes the dump in the end write there?  0 or -errno. */
static int
try_as(const struct save_place *place, const struct owner *owner)
{
	int status, rc;
	pid_t pid;

	if (geteuid() != 0 || owner->uid <= 0)
		return save_try(place);
	if ((pid = fork()) == 0) {
		if ((rc = rights_become(owner)) == 0)
			rc = save_try(place);
		_exit(-rc);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -errno;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

/* Claims a name with its number.  0; -EEXIST: the file is there; -EBUSY: another daemon
 * has claimed it. */
static int
output_take_name(struct output *out, pid_t *holder)
{
	const struct save_place *p = &out->place;
	char name[256];

	*holder = 0;
	if (!p->overwrite && save_taken(p))
		return -EEXIST;
	if (claim_is(out->had, p->dir, save_name(p, name))) {
		out->claim = out->had;
		return 0;
	}
	/* several daemons may write into a device or a pipe */
	out->claim = p->in_place ? -ENOTSUP :
	    claim_take(p->dir, save_name(p, name), holder);
	return out->claim == -EBUSY && !p->overwrite ? -EBUSY : 0;
}

/* Finds a name that is neither there nor claimed by another daemon. */
static int
choose_name(struct output *out, bool given, struct diag *why)
{
	struct save_place *p = &out->place;
	char path[4096];
	pid_t holder;
	int rc;

	while ((rc = output_take_name(out, &holder)) < 0 && !given &&
	    p->mine->number < SAVE_NUMBERS)
		p->mine->number++;
	if (rc == -EEXIST)
		return diag_set(why, rc, "-o %s: the file exists: name "
		    "another, or give --overwrite", p->path);
	if (rc == -EBUSY)
		return diag_set(why, rc, "-o %s: another tallyd (pid %d) is "
		    "going to write it: name another, or give --overwrite",
		    p->path, (int)holder);
	if (p->mine->number > 1)
		log_info("the dump will be %s, since what is there is kept",
		    save_path(p, path));
	return 0;
}

int
output_find(struct output *out, const char *name, const char *host,
    bool as_owner, bool overwrite, struct diag *why)
{
	static const struct owner nobody = { -1, -1, 0 };
	char path[4096], user[32] = "";
	int rc;

	if (name != NULL && (name[0] == '\0' || strlen(name) >=
	    sizeof(path) - 8))
		return diag_set(why, -EINVAL, "-o: the name is %s",
		    name[0] == '\0' ? "empty" : "too long");
	snprintf(path, sizeof(path), "%s%s", name != NULL ? name : host,
	    name != NULL ? "" : ".perfcounts.lua");
	if (as_owner && out->owner.uid > 0)
		snprintf(user, sizeof(user), " as user %d", out->owner.uid);
	if ((rc = save_open(&out->place, path, why)) < 0)
		return diag_set(why, rc, "cannot write the dump %s%s: %s; name "
		    "another place with -o", path, user, strerror(-rc));
	out->claim = -1;
	out->place.overwrite = overwrite;
	out->place.uid = out->owner.uid;
	out->place.gid = out->owner.group > 0 ? out->owner.group :
	    out->owner.gid;
	rc = try_as(&out->place, as_owner ? &out->owner : &nobody);
	if (rc == -EISDIR)
		return diag_set(why, rc, "-o %s: it is a directory; name a "
		    "file in it", path);
	if (rc < 0)
		return diag_set(why, rc, "cannot write the dump %s%s: %s; name "
		    "another place with -o", path, user, strerror(-rc));
	if (geteuid() == 0 && !(as_owner && out->owner.uid > 0) &&
	    (rc = save_trusted(&out->place, why)) < 0)
		return rc;
	return choose_name(out, name != NULL, why);
}

int
output_save(const struct output *out, const struct store *store,
    struct diag *why)
{
	unsigned was = out->place.mine->number;
	int rc = save_dump(store, &out->place, why);
	char path[4096];

	if (rc == 0 && out->place.mine->number != was)
		log_warnx("somebody has made %s meanwhile, which is kept: the "
		    "dump is in %s", out->place.path, save_path(&out->place,
		    path));
	if (rc == 0 && why->text[0] != '\0')
		log_warnx("%s", why->text);
	return rc;
}

void
output_fini(struct output *out)
{
	if (out->place.dir < 0)
		return;
	if (out->claim >= 0)
		close(out->claim);
	save_close(&out->place);
}
