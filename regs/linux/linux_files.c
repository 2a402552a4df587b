/*
 * regs/linux/linux_files.c - the node's own files, all of them below the root.
 */
#include "regs/linux/linux_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *
linux_path(const struct linux_access *la, const char *path, char *buf,
    size_t size)
{
	snprintf(buf, size, "%s%s", la->root, path);
	return buf;
}

ssize_t
linux_file(struct access *acc, const char *path, uint64_t offset, void *buf,
    size_t size)
{
	char full[640];
	size_t done = 0;
	ssize_t n = 0;
	int fd;

	linux_path((struct linux_access *)acc, path, full, sizeof(full));
	if ((fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) < 0)
		return -errno;
	/* procfs hands out long files in pieces */
	while (done < size && (n = pread(fd, (char *)buf + done, size - done,
	    (off_t)(offset + done))) > 0)
		done += (size_t)n;
	if (n < 0)
		n = -errno;
	close(fd);
	return n < 0 && done == 0 ? n : (ssize_t)done;
}

int
linux_list(struct access *acc, const char *dir,
    void (*each)(void *, const char *), void *ctx)
{
	char full[640];
	struct dirent *e;
	DIR *d;

	linux_path((struct linux_access *)acc, dir, full, sizeof(full));
	if ((d = opendir(full)) == NULL)
		return -errno;
	while ((e = readdir(d)) != NULL)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			each(ctx, e->d_name);
	closedir(d);
	return 0;
}

int
linux_text(struct access *acc, const char *path)
{
	struct linux_access *la = (struct linux_access *)acc;
	char full[640];
	int fd;

	if (la->ntext == MAX_TEXT)
		return -EMFILE;
	linux_path(la, path, full, sizeof(full));
	if ((fd = open(full, O_RDONLY | O_CLOEXEC)) < 0)
		return -errno;
	la->text_fd[la->ntext] = fd;
	return (int)la->ntext++;
}

int
linux_text_read(struct linux_access *la, const struct reg_addr *addr,
    uint64_t *raw)
{
	char buf[32], *end;
	ssize_t n;

	if (addr->unit >= la->ntext)
		return -EINVAL;
	n = pread(la->text_fd[addr->unit], buf, sizeof(buf) - 1, 0);
	if (n <= 0)
		return n < 0 ? -errno : -EIO;
	buf[n] = '\0';
	*raw = strtoull(buf, &end, 0);
	return end == buf ? -EIO : 0;
}
