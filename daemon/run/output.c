/*
 * daemon/run/output.c - the dump's place, and the pid file.
 */
#include "daemon/run/output.h"

#include "daemon/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Can a dump be put there by whoever writes it in the end?  0 or -errno. */
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

int
output_find(struct output *out, const char *name, const char *host,
    bool as_owner, struct diag *why)
{
	static const struct owner nobody = { -1, -1 };
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
	out->place.uid = out->owner.uid;
	out->place.gid = out->owner.gid;
	rc = try_as(&out->place, as_owner ? &out->owner : &nobody);
	if (rc == -EISDIR)
		return diag_set(why, rc, "-o %s: it is a directory; name a "
		    "file in it", path);
	if (rc < 0)
		return diag_set(why, rc, "cannot write the dump %s%s: %s; name "
		    "another place with -o", path, user, strerror(-rc));
	return geteuid() == 0 && !(as_owner && out->owner.uid > 0) ?
	    save_trusted(&out->place, why) : 0;
}

int
output_save(const struct output *out, const struct store *store,
    struct diag *why)
{
	return save_dump(store, &out->place, why);
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
