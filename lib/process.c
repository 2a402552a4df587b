/*
 * lib/process.c - this process: the start of its threads, its memory, its rights.
 */
#include "lib/process.h"

#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

int
thread_start(pthread_t *id, size_t stack, void *(*run)(void *), void *arg)
{
	sigset_t blocked, before;
	pthread_attr_t attr;
	int rc;

	sigfillset(&blocked);
	sigdelset(&blocked, SIGSYS);
	pthread_attr_init(&attr);
	if (stack > 0)
		pthread_attr_setstacksize(&attr, stack);
	pthread_sigmask(SIG_SETMASK, &blocked, &before);
	rc = pthread_create(id, &attr, run, arg);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	return -rc;
}

#define CPUS 8192               /* more than any kernel is built for */

int
thread_bind(unsigned cpu)
{
	cpu_set_t set[CPUS / CPU_SETSIZE];

	if (cpu >= CPUS)
		return -EINVAL;
	CPU_ZERO_S(sizeof(set), set);
	CPU_SET_S(cpu, sizeof(set), set);
	return sched_setaffinity(0, sizeof(set), set) < 0 ? -errno : 0;
}

void
thread_anywhere(int tid)
{
	cpu_set_t any[CPUS / CPU_SETSIZE];

	memset(any, 0xff, sizeof(any));
	sched_setaffinity(tid, sizeof(any), any);
}

void
nap(unsigned ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	nanosleep(&t, NULL);
}

const char *
start_problem(int rc)
{
	return rc == -EAGAIN ? "no more threads or processes may be started: "
	    "raise ulimit -u, pids.max of the control group, or TasksMax= of "
	    "the service" : strerror(-rc);
}

uint64_t
memory_unused(void)
{
	long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}

/* Since Linux 5.18; before that pages that are locked stay. */
#ifndef MADV_DONTNEED_LOCKED
#define MADV_DONTNEED_LOCKED 24
#endif

/* Unmap the pages of one object that are not writable: they can be read from its file
 * again.  From the last segment to the first, which has the headers that tell of them. */
static int
unmap_constants(struct dl_phdr_info *object, size_t size, void *page_size)
{
	uintptr_t page = *(const uintptr_t *)page_size;

	(void)size;
	for (unsigned i = object->dlpi_phnum; i-- > 0;) {
		const ElfW(Phdr) *h = &object->dlpi_phdr[i];
		uintptr_t from = object->dlpi_addr + h->p_vaddr;
		uintptr_t to = (from + h->p_filesz) & ~(page - 1);
		bool first = h->p_type == PT_LOAD && h->p_offset == 0;

		from = (from + page - 1) & ~(page - 1);
		if (h->p_type == PT_LOAD && !(h->p_flags & PF_W) && to > from &&
		    madvise((void *)from, to - from, MADV_DONTNEED_LOCKED) < 0)
			madvise((void *)from, to - from, MADV_DONTNEED);
		if (first)
			break;
	}
	return 0;
}

#define STACK_BELOW (128u << 10)        /* of main's and of our threads' stacks: see stack_release */
/* What this call itself, and that of madvise, may have there. */
#define STACK_OWN 512

/* Never inlined: what its callers have on the stack is above what it has itself. */
__attribute__((noinline)) void
stack_release(void)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t here = (uintptr_t)__builtin_frame_address(0);
	uintptr_t end = (here - STACK_OWN) & ~(page - 1);
	void *from = (void *)(end - STACK_BELOW);

	if (madvise(from, STACK_BELOW, MADV_DONTNEED_LOCKED) < 0 &&
	    errno == EINVAL)
		madvise(from, STACK_BELOW, MADV_DONTNEED);
#endif
}

void
memory_large_apart(int least)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, least);
#else
	(void)least;
#endif
}

void
memory_release(void)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

#ifdef __GLIBC__
	malloc_trim(0);
#endif
	dl_iterate_phdr(unmap_constants, &page);
	stack_release();
}

bool
gained_rights(void)
{
	/* SELinux sets AT_SECURE for root's services, too, but root has nothing
	 * to gain */
	return getauxval(AT_SECURE) != 0 && getuid() != 0;
}
