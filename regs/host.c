/*
 * regs/host.c - the node that runs this: its files, below a root, its clocks,
 * sampling deadlines, its threads.
 */
#include "regs/host.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>

#define NS 1000000000ull

uint64_t
clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

uint64_t
clock_next(uint64_t mono_ns, uint64_t real_ns, uint64_t interval_ns)
{
	/* NTP may have slewed the wall clock back while we slept: skip up to a tenth. */
	uint64_t k = (real_ns + interval_ns / 10) / interval_ns + 1;

	return mono_ns + (k * interval_ns - real_ns);
}

const char *
host_path(const struct access *acc, const char *path, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s", acc->root != NULL ? acc->root : "", path);
	return buf;
}

static ssize_t
here_file(struct access *acc, const char *path, uint64_t offset, void *buf,
    size_t size)
{
	char full[640];
	size_t done = 0;
	ssize_t n = 0;
	int fd;

	host_path(acc, path, full, sizeof(full));
	if ((fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) < 0)
		return -errno;
	/* one read of a long file in /proc returns only a part of it */
	while (done < size && (n = pread(fd, (char *)buf + done, size - done,
	    (off_t)(offset + done))) > 0)
		done += (size_t)n;
	if (n < 0)
		n = -errno;
	close(fd);
	return n < 0 && done == 0 ? n : (ssize_t)done;
}

static int
here_list(struct access *acc, const char *dir,
    void (*each)(void *, const char *), void *ctx)
{
	char full[640];
	struct dirent *e;
	DIR *d;

	host_path(acc, dir, full, sizeof(full));
	if ((d = opendir(full)) == NULL)
		return -errno;
	while ((e = readdir(d)) != NULL)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			each(ctx, e->d_name);
	closedir(d);
	return 0;
}

static int
here_link(struct access *acc, const char *path, char *buf, size_t size)
{
	char full[640];
	ssize_t n;

	host_path(acc, path, full, sizeof(full));
	if ((n = readlink(full, buf, size - 1)) < 0)
		return -errno;
	buf[n] = '\0';
	return (int)n;
}

static int
here_kept(struct access *acc, struct clock_state *kept)
{
	struct timex t = { .modes = 0 };        /* changes nothing */

	(void)acc;
	if ((kept->state = adjtimex(&t)) < 0)
		return -errno;
	kept->error_us = t.esterror;
	kept->max_error_us = t.maxerror;
	return 0;
}

static uint64_t
read_tsc(void)
{
#if defined(__x86_64__) || defined(__i386__)
	return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t v;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(v));
	return v;
#else
	return clock_ns(CLOCK_MONOTONIC_RAW);
#endif
}

static void
here_now(struct access *acc, struct stamp *st)
{
	(void)acc;
	st->mono_ns = clock_ns(CLOCK_MONOTONIC);
	st->real_ns = clock_ns(CLOCK_REALTIME);
	st->tsc = read_tsc();
}

static uint64_t
here_tsc(struct access *acc)
{
	(void)acc;
	return read_tsc();
}

int
host_wait(struct access *acc, const struct timespec *time,
    const sigset_t *unblocked)
{
	int n = ppoll(acc->wake, acc->nwake, time, unblocked);

	return n < 0 ? -errno : n > 0 ? -EINTR : 0;
}

static int
here_sleep(struct access *acc, uint64_t mono_ns, const sigset_t *unblocked)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	uint64_t left = mono_ns > now ? mono_ns - now : 0;
	struct timespec ts = {
		.tv_sec = (time_t)(left / NS), .tv_nsec = (long)(left % NS)
	};

	return host_wait(acc, &ts, unblocked);
}

const struct host_ops host_here = {
	.file = here_file, .list = here_list, .link = here_link,
	.kept = here_kept, .now = here_now, .sleep = here_sleep,
	.tsc = here_tsc,
};

/* Threads of the node that runs this: they sleep by futex(2). */

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
