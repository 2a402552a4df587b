/*
 * daemon/run/output.c - the dump's place, and the pid file.
 */
#include "daemon/run/output.h"

#include "daemon/log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is written to, not replaced: where a link leads may not be there. */
static int
try_in_place(const char *path)
{
	char target[PATH_MAX];
	struct stat sb;
	bool there = stat(path, &sb) == 0;
	int fd;

	if (there && !S_ISREG(sb.st_mode))
		return 0;               /* whoever reads a pipe would notice */
	if ((fd = open(path, O_WRONLY | O_CREAT | O_NONBLOCK | O_NOCTTY |
	    O_CLOEXEC, 0666)) < 0)
		return -errno;
	close(fd);
	if (!there && realpath(path, target) != NULL)
		unlink(target);
	return 0;
}

/* Can a dump be put there?  0 or -errno. */
static int
try_output(const char *path)
{
	char temp[4096 + 8];
	struct stat sb;
	int fd;

	if (stat(path, &sb) == 0 && S_ISDIR(sb.st_mode))
		return -EISDIR;
	if (dump_place(path).ino != 0)
		return try_in_place(path);
	snprintf(temp, sizeof(temp), "%s.XXXXXX", path);
	if ((fd = mkostemp(temp, O_CLOEXEC)) < 0)
		return -errno;
	close(fd);
	unlink(temp);
	return 0;
}

/* The same, by whoever writes it in the end. */
static int
try_output_as(const char *path, const struct owner *owner)
{
	int status, rc;
	pid_t pid;

	if (geteuid() != 0 || owner->uid <= 0)
		return try_output(path);
	if ((pid = fork()) == 0) {
		if ((rc = rights_become(owner)) == 0)
			rc = try_output(path);
		_exit(-rc);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		return -errno;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
}

int
output_find(struct output *out, const char *name, const char *host,
    bool as_owner, struct diag *why)
{
	static const struct owner nobody = { -1, -1 };
	char user[32] = "";
	int rc;

	if (name != NULL && (name[0] == '\0' || strlen(name) >=
	    sizeof(out->path) - 8))
		return diag_set(why, -EINVAL, "-o: the name is %s",
		    name[0] == '\0' ? "empty" : "too long");
	if (name != NULL)
		strcpy(out->path, name);
	else
		snprintf(out->path, sizeof(out->path), "%s.perfcounts.lua",
		    host);
	out->place = dump_place(out->path);
	rc = try_output_as(out->path, as_owner ? &out->owner : &nobody);
	if (rc == -EISDIR)
		return diag_set(why, rc, "-o %s: it is a directory; name a "
		    "file in it", out->path);
	if (as_owner && out->owner.uid > 0)
		snprintf(user, sizeof(user), " as user %d", out->owner.uid);
	return rc == 0 ? 0 : diag_set(why, rc, "cannot write the dump %s%s: "
	    "%s; name another place with -o", out->path, user, strerror(-rc));
}

int
output_save(const struct output *out, const struct store *store,
    struct diag *why)
{
	return dump_save(store, out->path, out->place, out->owner.uid,
	    out->owner.gid, why);
}

int
pidfile_write(FILE **file, const char *path, struct diag *why)
{
	struct stat sb;
	int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK |
	    O_NOCTTY | O_CLOEXEC, 0666);

	if (fd < 0 && errno == ELOOP)
		return diag_set(why, -ELOOP, "pidfile %s: it is a link; name "
		    "a file", path);
	if (fd < 0 || fstat(fd, &sb) < 0 ||
	    (S_ISREG(sb.st_mode) && ftruncate(fd, 0) < 0) ||
	    (*file = fdopen(fd, "w+")) == NULL ||
	    fprintf(*file, "%d\n", getpid()) < 0 || fflush(*file) != 0)
		return diag_set(why, -errno, "pidfile %s: %s", path,
		    strerror(errno));
	return 0;
}

void
pidfile_remove(FILE *file, const char *path)
{
	struct stat ours, there;
	long pid = 0;

	if (file == NULL)
		return;
	rewind(file);
	if (fstat(fileno(file), &ours) == 0 && S_ISREG(ours.st_mode) &&
	    lstat(path, &there) == 0 && there.st_ino == ours.st_ino &&
	    there.st_dev == ours.st_dev &&
	    fscanf(file, "%ld", &pid) == 1 && pid == getpid() &&
	    unlink(path) < 0 && ftruncate(fileno(file), 0) < 0)
		log_warn("pidfile %s", path);
	fclose(file);
}
