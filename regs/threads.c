/*
 * regs/threads.c - threads of the node that runs this: they sleep by futex(2).
 */
#include "regs/threads.h"

#include "regs/host.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS 1000000000ull

static int
here_open(struct access *acc, unsigned n)
{
	(void)acc;
	(void)n;
	return 0;
}

static void
here_enter(struct access *acc, unsigned thread)
{
	(void)acc;
	(void)thread;
}

/* FUTEX_WAIT_BITSET, as of all futex operations it alone takes an absolute,
 * monotonic time. */
static void
here_wait(struct access *acc, unsigned thread, uint64_t mono_ns,
    atomic_uint *word, unsigned seen)
{
	struct timespec until = {
		.tv_sec = (time_t)(mono_ns / NS),
		.tv_nsec = (long)(mono_ns % NS)
	};

	(void)acc;
	(void)thread;
	syscall(SYS_futex, word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, seen,
	    mono_ns == FOR_EVER ? NULL : &until, NULL,
	    FUTEX_BITSET_MATCH_ANY);
}

static void
here_wake(struct access *acc, atomic_uint *word)
{
	(void)acc;
	syscall(SYS_futex, word, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, INT_MAX,
	    NULL, NULL, 0);
}

static void
here_close(struct access *acc, unsigned started)
{
	(void)acc;
	(void)started;
}

const struct thread_ops threads_here = {
	.open = here_open, .enter = here_enter, .leave = here_enter,
	.wait = here_wait, .wake = here_wake, .close = here_close,
};

const struct thread_ops *
access_threads(const struct access *acc)
{
	return acc->ops->host == NULL ? &threads_here : acc->ops->host->threads;
}
