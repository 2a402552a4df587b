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

#include "config/folder.h"

static bool
is_std(const char *path)
{
	return path == NULL || strcmp(path, "-") == 0;
}

int
outname_free(const struct outname *name, struct diag *why)
{
	struct stat sb;

	if (is_std(name->path) || name->overwrite ||
	    !folder_taken(AT_FDCWD, name->path, &sb))
		return 0;
	return diag_set(why, -EEXIST, "-o %s: the file exists: name another, "
	    "or give --overwrite", name->path);
}

/* Opens what cannot be replaced by a new file: a device, a pipe; or a file that stdout or
 * stderr goes to, at its end.  Returns NULL with errno 0 if it is none of these. */
static FILE *
open_to_keep(const char *path)
{
	struct stat sb;

	errno = 0;
	if (stat(path, &sb) < 0)        /* a link to nothing, so far? */
		return lstat(path, &sb) == 0 ? fopen(path, "we") :
		    (errno = 0, NULL);
	if (!S_ISREG(sb.st_mode))
		return fopen(path, "we");
	return folder_taken(AT_FDCWD, path, &sb) ? NULL : fopen(path, "ae");
}

/* Opens a temporary file beside the target, with the target's mode. */
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
outfile_open(struct outfile *o, const struct outname *name, struct diag *why)
{
	const char *path = name->path;
	int rc;

	*o = (struct outfile){ .overwrite = name->overwrite };
	if ((rc = outname_free(name, why)) < 0)
		return rc;
	if ((o->path = strdup(is_std(path) ? "standard output" : path)) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	o->f = is_std(path) ? stdout : open_to_keep(path);
	if (o->f == NULL && errno == 0)
		o->f = open_beside(o);
	if (o->f == NULL) {
		rc = diag_set(why, -errno, "%s: %s", path, strerror(errno));
		outfile_free(o);
		return rc;
	}
	return 0;
}

/* Renames the temporary file to the target. */
static int
put_in_place(struct outfile *o, struct diag *why)
{
	int rc = o->overwrite ? rename(o->temp, o->target) < 0 ? -errno : 0 :
	    folder_put(AT_FDCWD, o->temp, o->target);

	if (rc == -EEXIST)
		return diag_set(why, rc, "-o %s: somebody has made it "
		    "meanwhile: it is kept, and nothing written", o->path);
	if (rc < 0)
		return diag_set(why, rc, "%s: %s", o->path, strerror(-rc));
	free(o->temp);
	o->temp = NULL;
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
	if (rc != 0)
		diag_set(why, rc, "%s: %s", o->path, strerror(-rc));
	else if (o->temp != NULL && done)
		rc = put_in_place(o, why);
	outfile_free(o);
	return rc;
}
