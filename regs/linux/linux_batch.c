/*
 * regs/linux/linux_batch.c - many MSRs of many lprocs in one system call, where the
 * msr-safe driver is loaded: /dev/cpu/msr_batch.  The driver interrupts each
 * lproc once for all its registers.
 *
 * The layout below is msr-safe's interface (LLNL, msr_safe.h, versions 1.x):
 * facts of a binary interface, written down here anew.
 */
#include "regs/linux/linux_int.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

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
