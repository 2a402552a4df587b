// SPDX-License-Identifier: Dual BSD/GPL
/*
 * tests/vm/live/live_main.c - a module for the guest of check-vm: registers get
 * contents, and /dev/cpu/N/msr, its checks, its interrupts and its errors stay
 * the kernel's own.
 *
 * The functions that the msr and cpuid drivers run on the target CPU are
 * replaced by ours where they begin (a kprobe each); a register that is not
 * live is still read from the CPU.  /proc/live lists what the controls hold.
 */
#include "live.h"

#include <asm/cpuid.h>
#include <asm/msr.h>
#include <linux/completion.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/smp.h>

static bool batch;
module_param(batch, bool, 0444);
MODULE_PARM_DESC(batch, "with /dev/cpu/msr_batch");

static unsigned int fault[16], nfault;
module_param_array(fault, uint, &nfault, 0644);
MODULE_PARM_DESC(fault, "MSRs that fault, as a hypervisor may have them do");

/* Arguments of the replaced functions: arch/x86/lib/msr-smp.c and
 * arch/x86/kernel/cpuid.c of Linux 6.1. */
struct msr_done {
	struct msr_info msr;
	struct completion done;
};

struct cpuid_done {
	u32 eax, ebx, ecx, edx;
	struct completion done;
};

static bool
faults(u32 msr)
{
	unsigned int i;

	for (i = 0; i < nfault; i++)
		if (fault[i] == msr)
			return true;
	return false;
}

static void
our_rdmsr(void *info)
{
	struct msr_done *rv = info;
	u64 value;

	if (faults(rv->msr.msr_no)) {
		rv->msr.err = -EIO;
	} else if (live_msr_read(smp_processor_id(), rv->msr.msr_no, &value)) {
		rv->msr.reg.q = value;
		rv->msr.err = 0;
	} else {
		rv->msr.err = rdmsr_safe(rv->msr.msr_no, &rv->msr.reg.l,
		    &rv->msr.reg.h);
	}
	complete(&rv->done);
}

static void
our_wrmsr(void *info)
{
	struct msr_info *rv = info;

	if (faults(rv->msr_no))
		rv->err = -EIO;
	else if (live_msr_write(smp_processor_id(), rv->msr_no, rv->reg.q))
		rv->err = 0;
	else
		rv->err = wrmsr_safe(rv->msr_no, rv->reg.l, rv->reg.h);
}

/* Leaf 0xA is that of a Skylake-SP with two threads a core: version 4, four
 * counters of 48 bits and three fixed ones of 48 (tests/data/skx-8160-2s.tsv). */
static void
our_cpuid(void *info)
{
	struct cpuid_done *rv = info;

	if (rv->eax == 0xa) {
		rv->eax = 0x07300404;
		rv->ebx = rv->ecx = 0;
		rv->edx = 0x00000603;
	} else {
		cpuid_count(rv->eax, rv->ecx, &rv->eax, &rv->ebx, &rv->ecx,
		    &rv->edx);
	}
	complete(&rv->done);
}

static int go_to_rdmsr(struct kprobe *p, struct pt_regs *regs)
{
	regs->ip = (unsigned long)our_rdmsr;
	return 1;
}

static int go_to_wrmsr(struct kprobe *p, struct pt_regs *regs)
{
	regs->ip = (unsigned long)our_wrmsr;
	return 1;
}

static int go_to_cpuid(struct kprobe *p, struct pt_regs *regs)
{
	regs->ip = (unsigned long)our_cpuid;
	return 1;
}

/* with a handler behind it, too, a probe is never turned into a jump, which
 * could not go elsewhere */
static void
never(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

static struct kprobe probe[] = {
	{ .symbol_name = "__rdmsr_safe_on_cpu", .pre_handler = go_to_rdmsr,
	  .post_handler = never },
	{ .symbol_name = "__wrmsr_safe_on_cpu", .pre_handler = go_to_wrmsr,
	  .post_handler = never },
	{ .symbol_name = "cpuid_smp_cpuid", .pre_handler = go_to_cpuid,
	  .post_handler = never },
};

static struct kprobe *probes[] = { &probe[0], &probe[1], &probe[2] };

static int
show(struct seq_file *m, void *v)
{
	live_msr_show(m);
	return 0;
}

static void __exit live_exit(void)
{
	if (batch)
		live_batch_exit();
	unregister_kprobes(probes, ARRAY_SIZE(probes));
	remove_proc_entry("live", NULL);
	live_msr_exit();
}

static int __init live_init(void)
{
	int rc = live_msr_init();

	if (rc < 0)
		goto registers;
	rc = -ENOMEM;
	if (!proc_create_single("live", 0444, NULL, show))
		goto registers;
	if ((rc = register_kprobes(probes, ARRAY_SIZE(probes))) < 0)
		goto file;
	if (!batch || (rc = live_batch_init()) == 0)
		return 0;
	unregister_kprobes(probes, ARRAY_SIZE(probes));
file:
	remove_proc_entry("live", NULL);
registers:
	live_msr_exit();
	return rc;
}

module_init(live_init);
module_exit(live_exit);
MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("Registers with contents, for the tests of tallyd");
