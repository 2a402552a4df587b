/*
 * regs/linux/linux_counter.c - counters that the kernel has programmed, read where
 * they are.
 *
 * RDPMC reads the CPU that the thread is on, so it is used by a thread that was
 * moved to the event's CPU and is there before and after.  The kernel lets this
 * process use it for as long as a page that allows it is mapped (Linux
 * arch/x86/events/core.c, x86_pmu_event_mapped).  All others read the MSR: the
 * kernel reads it on that CPU, where nobody changes what is counted meanwhile.
 */
#include "regs/linux/linux_int.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

perf_page
linux_event_page(int fd)
{
	void *p = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ,
	    MAP_SHARED, fd, 0);

	return p != MAP_FAILED ? p : NULL;
}

void
linux_event_unmap(perf_page page)
{
	if (page != NULL)
		munmap((void *)(uintptr_t)page,
		    (size_t)sysconf(_SC_PAGESIZE));
}

#ifdef __x86_64__
static uint64_t
read_pmc(uint32_t n)
{
	uint32_t low, high;

	__asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(n));
	return (uint64_t)high << 32 | low;
}

/* Is this thread on that CPU, and moved there to stay? */
static bool
is_here(struct linux_access *la, unsigned cpu)
{
	return la->visitor[cpu] == (uintptr_t)pthread_self() &&
	    sched_getcpu() == (int)cpu;
}
#endif

int
linux_counter(struct linux_access *la, unsigned cpu, uint32_t index,
    bool rdpmc, uint64_t *raw)
{
	struct reg_addr addr = { REG_MSR, 8, cpu, perf_page_msr(&la->msrs,
	    index) };

	if (addr.offset == 0 || cpu >= MAX_LPROCS)
		return -ENOTSUP;
#ifdef __x86_64__
	if (rdpmc && is_here(la, cpu)) {
		*raw = read_pmc(index - 1);
		if (is_here(la, cpu))
			return 0;
	}
#else
	(void)rdpmc;
#endif
	return linux_msr_read(la, &addr, raw);
}
