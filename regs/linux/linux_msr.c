/*
 * regs/linux/linux_msr.c - model-specific registers through /dev/cpu/N/msr.
 *
 * What the driver really does is in the project's reference "linux-access":
 * the right is checked at open, a refused write is EPERM (lockdown,
 * msr.allow_writes=off), a register that faults is EIO, an offline CPU is
 * ENXIO, and the old descriptor works again when the CPU is back.
 */
#include "regs/linux/linux_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* Opens the device of an lproc, to write as well where that is allowed, and not sealed.
 * Returns 0 or -errno. */
static int
open_device(struct linux_access *la, unsigned lproc)
{
	char path[64], buf[640];
	int fd;

	if (la->msr_fd[lproc] >= 0)
		return 0;               /* by another thread meanwhile */
	snprintf(path, sizeof(path), "/dev/cpu/%u/msr", lproc);
	host_path(&la->acc, path, buf, sizeof(buf));
	/* Read-only is enough to read: a group may have been given that much. */
	fd = open(buf, (la->sealed ? O_RDONLY : O_RDWR) | O_CLOEXEC);
	if (fd < 0 && errno == EACCES)
		fd = open(buf, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	la->msr_fd[lproc] = fd;
	return 0;
}

int
linux_msr_open(struct linux_access *la, unsigned lproc)
{
	int rc;

	if (lproc >= MAX_LPROCS)
		return -EINVAL;
	if (la->msr_fd[lproc] >= 0)
		return 0;
	pthread_mutex_lock(&la->opening);
	rc = open_device(la, lproc);
	pthread_mutex_unlock(&la->opening);
	return rc;
}

int
linux_msr_read(struct linux_access *la, const struct reg_addr *addr,
    uint64_t *raw)
{
	ssize_t n;
	int rc;

	if ((rc = linux_msr_open(la, addr->unit)) < 0)
		return rc;
	n = pread(la->msr_fd[addr->unit], raw, sizeof(*raw),
	    (off_t)addr->offset);
	if (n == sizeof(*raw))
		return 0;
	return n < 0 ? -errno : -EIO;
}

int
linux_msr_write(struct linux_access *la, const struct reg_addr *addr,
    uint64_t raw)
{
	ssize_t n;
	int rc;

	if ((rc = linux_msr_open(la, addr->unit)) < 0)
		return rc;
	n = pwrite(la->msr_fd[addr->unit], &raw, sizeof(raw),
	    (off_t)addr->offset);
	if (n == sizeof(raw))
		return 0;
	/* EBADF: the descriptor is read-only */
	return n < 0 ? (errno == EBADF ? -EACCES : -errno) : -EIO;
}
