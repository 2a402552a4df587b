/*
 * regs/linux/linux_text.c - numbers in files of the node, kept open.
 */
#include "regs/linux/linux_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int
linux_text(struct access *acc, const char *path)
{
	struct linux_access *la = (struct linux_access *)acc;
	char full[640];
	int fd;

	if (la->ntext == MAX_TEXT)
		return -EMFILE;
	host_path(acc, path, full, sizeof(full));
	if ((fd = open(full, O_RDONLY | O_NONBLOCK | O_CLOEXEC)) < 0)
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
