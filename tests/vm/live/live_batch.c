// SPDX-License-Identifier: Dual BSD/GPL
/*
 * tests/vm/live/live_batch.c - /dev/cpu/msr_batch with the binary interface of
 * msr-safe 1.x, as regs/linux/linux_msr.c has it: one interrupt an lproc,
 * and no allowlist.
 */
#include "live.h"

#include <linux/cpu.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/uaccess.h>
#include <asm/msr.h>

#define MAX_OPS 65536

struct op {
	u16 cpu;
	u16 is_read;
	s32 err;
	u32 msr;
	u64 data;
	u64 write_mask;
};

struct ops {
	u32 n;
	struct op __user *op;
};

struct batch {
	u32 n;
	struct op *op;
};

/* Everything that is this lproc's, on it. */
static void
here(void *info)
{
	const struct batch *b = info;
	unsigned int cpu = smp_processor_id();
	u32 i;

	for (i = 0; i < b->n; i++) {
		struct op *op = &b->op[i];

		if (op->cpu != cpu)
			continue;
		op->err = op->is_read ? 0 : -EROFS;
		if (op->is_read && !live_msr_read(cpu, op->msr, &op->data))
			op->err = rdmsrl_safe(op->msr, &op->data);
	}
}

/* As there: one that cannot be carried out, and none is. */
static int
carry_out(struct batch *b)
{
	cpumask_var_t mask;
	int rc = 0;
	u32 i;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	cpus_read_lock();
	for (i = 0; i < b->n; i++) {
		struct op *op = &b->op[i];

		op->err = op->cpu >= nr_cpu_ids || !cpu_online(op->cpu) ?
		    -ENXIO : 0;
		if (op->err)
			rc = op->err;
		else
			cpumask_set_cpu(op->cpu, mask);
	}
	if (rc == 0)
		on_each_cpu_mask(mask, here, b, true);
	cpus_read_unlock();
	free_cpumask_var(mask);
	return rc;
}

static long
batch_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct ops ops;
	struct batch b;
	size_t size;
	long rc;

	if (cmd != _IOWR('c', 0xA2, struct ops))
		return -ENOTTY;
	if (copy_from_user(&ops, (void __user *)arg, sizeof(ops)))
		return -EFAULT;
	if (ops.n == 0 || ops.n > MAX_OPS)
		return -EINVAL;
	size = ops.n * sizeof(b.op[0]);
	b.n = ops.n;
	b.op = kvmalloc(size, GFP_KERNEL);
	if (!b.op)
		return -ENOMEM;
	rc = copy_from_user(b.op, ops.op, size) ? -EFAULT : carry_out(&b);
	if (rc != -EFAULT && copy_to_user(ops.op, b.op, size))
		rc = -EFAULT;
	kvfree(b.op);
	return rc;
}

static const struct file_operations fops = {
	.owner = THIS_MODULE, .unlocked_ioctl = batch_ioctl,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR, .name = "msr_batch",
	.nodename = "cpu/msr_batch", .mode = 0600, .fops = &fops,
};

int
live_batch_init(void)
{
	return misc_register(&device);
}

void
live_batch_exit(void)
{
	misc_deregister(&device);
}
