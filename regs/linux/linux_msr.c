/*
 * regs/linux/linux_msr.c - model-specific registers through /dev/cpu/N/msr, one or
 * many in a call.
 *
 * What the driver really does is in the project's reference "linux-access":
 * the right is checked at open, a refused write is EPERM (lockdown,
 * msr.allow_writes=off), a register that faults is EIO, an offline CPU is
 * ENXIO, and the old descriptor works again when the CPU is back.
 */
#include "regs/linux/linux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Opens the device of an lproc, to write as well where that is allowed, and not sealed.
 * Returns 0 or -errno. */
static int
open_device(struct linux_access *la, unsigned lproc)
{
	char path[64], buf[640];
	int fd;

	if (la->msr_fd[lproc] != 0)
		return 0;               /* by another thread meanwhile */
	snprintf(path, sizeof(path), "/dev/cpu/%u/msr", lproc);
	host_path(&la->acc, path, buf, sizeof(buf));
	/* Read-only is enough to read: a group may have been given that much. */
	fd = open(buf, (la->sealed ? O_RDONLY : O_RDWR) | O_CLOEXEC);
	if (fd < 0 && errno == EACCES)
		fd = open(buf, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	la->msr_fd[lproc] = fd + 1;
	return 0;
}

int
linux_msr_open(struct linux_access *la, unsigned lproc)
{
	int rc;

	if (lproc >= MAX_LPROCS)
		return -EINVAL;
	if (la->msr_fd[lproc] != 0)
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
	n = pread(la->msr_fd[addr->unit] - 1, raw, sizeof(*raw),
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
	n = pwrite(la->msr_fd[addr->unit] - 1, &raw, sizeof(raw),
	    (off_t)addr->offset);
	if (n == sizeof(raw))
		return 0;
	/* EBADF: the descriptor is read-only */
	return n < 0 ? (errno == EBADF ? -EACCES : -errno) : -EIO;
}

/*
 * Many MSRs of many lprocs in one system call, where the msr-safe driver is loaded:
 * /dev/cpu/msr_batch.  The driver interrupts each lproc once for all its registers.
 *
 * The layout below is msr-safe's interface (LLNL, msr_safe.h, versions 1.x):
 * facts of a binary interface, written down here anew.
 */

/* One register, as the driver has it. */
struct batch_op {
	uint16_t cpu;
	uint16_t is_read;
	int32_t err;            /* out: 0 or -errno of this one */
	uint32_t msr;
	uint64_t data;
	uint64_t write_mask;
};

struct batch_array {
	uint32_t n;
	struct batch_op *op;
};

#define BATCH_IOCTL _IOWR('c', 0xA2, struct batch_array)

struct batch {
	int fd;
	struct batch_array array;
};

static int
linux_batch_prepare(struct access *acc, const struct reg_addr *addr, unsigned n)
{
	struct linux_access *la = (struct linux_access *)acc;
	struct batch *b = calloc(1, sizeof(*b));
	char path[640];

	if (b == NULL || (b->array.op = calloc(n + 1,
	    sizeof(b->array.op[0]))) == NULL) {
		free(b);
		return -ENOMEM;
	}
	b->fd = open(host_path(&la->acc, "/dev/cpu/msr_batch", path, sizeof(path)),
	    O_RDWR | O_CLOEXEC);
	if (b->fd < 0) {
		int rc = -errno;

		free(b->array.op);
		free(b);
		return rc;
	}
	b->array.n = n;
	for (unsigned i = 0; i < n; i++)
		b->array.op[i] = (struct batch_op){
		    .cpu = (uint16_t)addr[i].unit, .is_read = 1,
		    .msr = (uint32_t)addr[i].offset };
	linux_batch_free(la->batch);
	la->batch = b;
	return 0;
}

static int
linux_batch_read(struct access *acc, uint64_t *raw)
{
	struct batch *b = ((struct linux_access *)acc)->batch;
	int rc;

	if (b == NULL)
		return -ENOTSUP;
	/* One operation that is refused (lproc offline, not on the allowlist),
	 * and the driver carries out none: those without an error of their own
	 * come back as they were sent. */
	rc = ioctl(b->fd, BATCH_IOCTL, &b->array);
	if (rc < 0)
		return -errno;
	for (unsigned i = 0; i < b->array.n; i++)
		raw[i] = b->array.op[i].err == 0 ? b->array.op[i].data :
		    ABSENT;
	return 0;
}

const struct batch_ops linux_batch = {
	.prepare = linux_batch_prepare, .read = linux_batch_read,
};

void
linux_batch_free(struct batch *b)
{
	if (b == NULL)
		return;
	close(b->fd);
	free(b->array.op);
	free(b);
}
