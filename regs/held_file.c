/*
 * regs/held_file.c - a file of the node that is kept open.
 */
#include "regs/held_file.h"

#include "regs/host.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* O_NONBLOCK, as opening a pipe would otherwise wait for its writer. */
static int
open_here(struct held_file *f, const struct access *acc)
{
	char full[1024];
	struct stat sb;

	host_path(acc, f->path, full, sizeof(full));
	f->fd = open(full, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (f->fd < 0)
		return -errno;
	if (fstat(f->fd, &sb) == 0 && S_ISREG(sb.st_mode))
		return 0;
	held_close(f);
	return -EINVAL;
}

int
held_open(struct held_file *f, struct access *acc, const char *path)
{
	char byte;
	ssize_t n;

	*f = (struct held_file){ .path = path, .fd = -1,
	    .here = acc->ops->host == NULL };
	if (f->here)
		return open_here(f, acc);
	n = access_file(acc, path, 0, &byte, 1);
	return n < 0 ? (int)n : 0;
}

ssize_t
held_read(struct held_file *f, struct access *acc, uint64_t offset, void *buf,
    size_t size)
{
	ssize_t n = -ENOENT;
	int rc;

	if (!f->here)
		return access_file(acc, f->path, offset, buf, size);
	if (f->fd >= 0 && (n = pread(f->fd, buf, size, (off_t)offset)) < 0)
		n = -errno;
	if (n >= 0 || n == -EIO || n == -EAGAIN || n == -EINTR)
		return n;
	held_close(f);
	if ((rc = open_here(f, acc)) < 0)
		return rc;
	n = pread(f->fd, buf, size, (off_t)offset);
	return n < 0 ? -errno : n;
}

void
held_close(struct held_file *f)
{
	if (f != NULL && f->fd >= 0)
		close(f->fd);
	if (f != NULL)
		f->fd = -1;
}
