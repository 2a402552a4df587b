/*
 * postproc/out/outfile.c - a file that is written whole, or not at all.
 */
#include "postproc/out/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is it a device, a pipe, or the file that stdout or stderr goes to? */
static bool
to_keep(const char *path)
{
	struct stat sb, std;

	if (stat(path, &sb) < 0)
		return lstat(path, &sb) == 0;   /* a link to nothing, so far */
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		if (fstat(fd, &std) == 0 && std.st_dev == sb.st_dev &&
		    std.st_ino == sb.st_ino)
			return true;
	return !S_ISREG(sb.st_mode);
}

/* A file beside the one that is to be there in the end, with its mode. */
static FILE *
open_beside(struct outfile *o)
{
	mode_t mask = umask(0), mode = 0666 & ~mask;
	struct stat sb;
	FILE *f = NULL;
	int fd;

	umask(mask);
	if ((o->target = realpath(o->path, NULL)) == NULL)
		o->target = strdup(o->path);
	else if (stat(o->target, &sb) == 0)
		mode = sb.st_mode & 0777;
	if (o->target == NULL || asprintf(&o->temp, "%s.XXXXXX",
	    o->target) < 0) {
		o->temp = NULL;
		return NULL;
	}
	if ((fd = mkostemp(o->temp, O_CLOEXEC)) < 0) {
		free(o->temp);
		o->temp = NULL;
		return NULL;
	}
	/* some file systems have no modes */
	if ((fchmod(fd, mode) < 0 && errno != EPERM) ||
	    (f = fdopen(fd, "w")) == NULL)
		close(fd);
	return f;
}

static void
outfile_free(struct outfile *o)
{
	if (o->temp != NULL)
		unlink(o->temp);
	free(o->temp);
	free(o->target);
	free(o->path);
	*o = (struct outfile){ .path = NULL };
}

int
outfile_open(struct outfile *o, const char *path, struct diag *why)
{
	bool std = path == NULL || strcmp(path, "-") == 0;

	*o = (struct outfile){ .path = strdup(std ? "standard output" :
	    path) };
	if (o->path == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	o->f = std ? stdout : to_keep(path) ? fopen(path, "we") :
	    open_beside(o);
	if (o->f == NULL) {
		int rc = diag_set(why, -errno, "%s: %s", path,
		    strerror(errno));

		outfile_free(o);
		return rc;
	}
	return 0;
}

int
outfile_close(struct outfile *o, bool done, struct diag *why)
{
	int rc = 0;

	if (o->f == NULL)
		return 0;
	errno = 0;
	if (fflush(o->f) != 0 || ferror(o->f))
		rc = errno != 0 ? -errno : -EIO;
	if (o->temp != NULL && done && rc == 0 && fsync(fileno(o->f)) < 0)
		rc = -errno;
	if (o->f != stdout && fclose(o->f) != 0 && rc == 0)
		rc = -errno;
	if (rc == 0)
		rc = o->error;
	if (o->temp != NULL && done && rc == 0) {
		if (rename(o->temp, o->target) < 0)
			rc = -errno;
		else {
			free(o->temp);
			o->temp = NULL;
		}
	}
	if (rc != 0)
		diag_set(why, rc, "%s: %s", o->path, strerror(-rc));
	outfile_free(o);
	return rc;
}
