/*
 * tests/tools/msr_shim.c - preloaded into tallyd, it lets plain files named msr stand
 * in for /dev/cpu/N/msr, so that registers outlive a daemon that is killed.
 *
 * A register number is the driver's file offset, and each register is eight
 * bytes: neighbours would overlap in a plain file.  MSR m is at byte 8 * m.
 *
 *   STAND_IN_REFUSE=N   the Nth write to a register (msr or config file; the
 *                       first is 1) fails with EIO and changes nothing
 *   STAND_IN_DEAF=N     the Nth write succeeds and changes nothing
 *   STAND_IN_DIE=N      a crash right after the Nth write
 *   STAND_IN_TERM=N     SIGTERM at the Nth read by the process that can only
 *                       read, which is in the middle of the first sample
 *   STAND_IN_CONT=N     SIGCONT there, and that read takes 0.1 s
 *   STAND_IN_OFFLINE=1  an lproc with a file dev/cpu/N/offline does not answer
 *   STAND_IN_DENY=MSR   not on the allowlist of msr-safe: a batch with this
 *                       number, or with an lproc that is offline, reads nothing
 *                       and fails; only those operations carry an error
 *   STAND_IN_HOLD=1     a process that tallyd forks to write a dump stops itself
 *                       (SIGSTOP) before it has written anything
 *   stand_in_late       where a test points it at memory that its processes share,
 *                       the write of that value waits until the test lets it go
 *   STAND_IN_BURN=MS    every write(2) and posix_fallocate(3) first takes so
 *                       much CPU time, as a long dump and a large store do
 */
#include "tests/tools/msr_shim.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define MAX_FD 4096

enum { OTHER, MSR, CONFIG, BATCH };

int open(const char *path, int flags, ...);
int open64(const char *path, int flags, ...);
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
ssize_t pread(int fd, void *buf, size_t n, off_t at);
ssize_t pread64(int fd, void *buf, size_t n, off_t at);
ssize_t pwrite(int fd, const void *buf, size_t n, off_t at);
ssize_t pwrite64(int fd, const void *buf, size_t n, off_t at);
ssize_t write(int fd, const void *buf, size_t n);
int posix_fallocate(int fd, off_t at, off_t n);
int ioctl(int fd, unsigned long request, ...);

static unsigned char kind[MAX_FD];
static char *folder[MAX_FD];            /* of an msr or msr_batch file */
static long writes, reads;
static int sealed;                      /* registers are open to read alone */
static pid_t loaded;                    /* who this was preloaded into */
struct late_write *stand_in_late;

__attribute__((constructor)) static void
remember_process(void)
{
	loaded = getpid();
}

static int
ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && strcmp(s + n - m, end) == 0;
}

static int
remember(int fd, const char *path, int flags)
{
	if (fd < 0 || fd >= MAX_FD)
		return fd;
	kind[fd] = ends_with(path, "/msr") ? MSR :
	    ends_with(path, "/config") ? CONFIG :
	    ends_with(path, "/msr_batch") ? BATCH : OTHER;
	sealed |= kind[fd] == MSR && (flags & O_ACCMODE) == O_RDONLY;
	free(folder[fd]);
	folder[fd] = kind[fd] == OTHER ? NULL : strndup(path,
	    (size_t)(strrchr(path, '/') - path));
	return fd;
}

static int
offline(const char *dir)
{
	char path[1100];
	struct stat st;

	snprintf(path, sizeof(path), "%s/offline", dir);
	return getenv("STAND_IN_OFFLINE") != NULL && stat(path, &st) == 0;
}

#define REAL_OPEN(name)							\
	int (*real)(const char *, int, ...) =				\
	    (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name);	\
	mode_t mode = 0;						\
	va_list ap;							\
									\
	va_start(ap, flags);						\
	if (flags & (O_CREAT | O_TMPFILE))				\
		mode = va_arg(ap, mode_t);				\
	va_end(ap)

int
open(const char *path, int flags, ...)
{
	REAL_OPEN("open");
	return remember(real(path, flags, mode), path, flags);
}

int
open64(const char *path, int flags, ...)
{
	REAL_OPEN("open64");
	return remember(real(path, flags, mode), path, flags);
}

/* what fortified code calls where no mode is given */
int
__open_2(const char *path, int flags)
{
	return open(path, flags);
}

int
__open64_2(const char *path, int flags)
{
	return open64(path, flags);
}

static int
is(int fd, int what)
{
	return fd >= 0 && fd < MAX_FD && kind[fd] == what;
}

ssize_t
pread(int fd, void *buf, size_t n, off_t at)
{
	static ssize_t (*real)(int, void *, size_t, off_t);
	static long term = -1, cont = -1;
	long nth;

	if (real == NULL) {
		const char *t = getenv("STAND_IN_TERM");
		const char *c = getenv("STAND_IN_CONT");

		real = (ssize_t (*)(int, void *, size_t, off_t))dlsym(
		    RTLD_NEXT, "pread");
		term = t != NULL ? atol(t) : -1;
		cont = c != NULL ? atol(c) : -1;
	}
	nth = sealed ? __atomic_add_fetch(&reads, 1, __ATOMIC_RELAXED) : 0;
	/* to the first thread: one that reads blocks signals, and kill() is filtered */
	if (nth > 0 && nth == term)
		tgkill(getpid(), getpid(), SIGTERM);
	if (nth > 0 && nth == cont) {
		nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
		tgkill(getpid(), getpid(), SIGCONT);
	}
	if (is(fd, MSR) && offline(folder[fd])) {
		errno = ENXIO;
		return -1;
	}
	return real(fd, buf, n, is(fd, MSR) ? at * 8 : at);
}

ssize_t
pread64(int fd, void *buf, size_t n, off_t at)
{
	return pread(fd, buf, n, at);
}

/* By a system call that the writer's filter has. */
static void
wait_if_late(const void *raw)
{
	struct late_write *l = stand_in_late;

	if (l == NULL || memcmp(raw, &l->value, sizeof(l->value)) != 0)
		return;
	__atomic_store_n(&l->state, LATE_WAITS, __ATOMIC_RELEASE);
	while (__atomic_load_n(&l->state, __ATOMIC_ACQUIRE) == LATE_WAITS)
		syscall(SYS_futex, &l->state, FUTEX_WAIT, LATE_WAITS,
		    &(struct timespec){ 0, 1000000 }, NULL, 0);
}

ssize_t
pwrite(int fd, const void *buf, size_t n, off_t at)
{
	static ssize_t (*real)(int, const void *, size_t, off_t);
	static long refuse = -1, deaf = -1, die = -1;
	ssize_t done;
	long n_th;

	/* by several threads at once, of which each sees the same */
	if (real == NULL) {
		const char *r = getenv("STAND_IN_REFUSE");
		const char *d = getenv("STAND_IN_DIE");
		const char *f = getenv("STAND_IN_DEAF");

		refuse = r != NULL ? atol(r) : -1;
		die = d != NULL ? atol(d) : -1;
		deaf = f != NULL ? atol(f) : -1;
		__atomic_store_n(&real, (ssize_t (*)(int, const void *, size_t,
		    off_t))dlsym(RTLD_NEXT, "pwrite"), __ATOMIC_RELEASE);
	}
	if (is(fd, OTHER))
		return real(fd, buf, n, at);
	if (is(fd, MSR) && offline(folder[fd])) {
		errno = ENXIO;
		return -1;
	}
	n_th = __atomic_add_fetch(&writes, 1, __ATOMIC_RELAXED);
	if (n_th == refuse) {
		errno = EIO;
		return -1;
	}
	if (n_th == deaf)
		return (ssize_t)n;
	if (is(fd, MSR))
		wait_if_late(buf);
	done = real(fd, buf, n, is(fd, MSR) ? at * 8 : at);
	/* no system call that a filter could refuse */
	if (n_th == die)
		__builtin_trap();
	return done;
}

ssize_t
pwrite64(int fd, const void *buf, size_t n, off_t at)
{
	return pwrite(fd, buf, n, at);
}

static void
burn(void)
{
	static clock_t ticks = -1;
	clock_t from = clock();

	if (ticks < 0) {
		const char *ms = getenv("STAND_IN_BURN");

		ticks = ms != NULL ? atol(ms) * (CLOCKS_PER_SEC / 1000) : 0;
	}
	while (clock() < from + ticks)
		continue;
}

/* Is it the dump that is to be written?  Log and journal have other names. */
static void
hold(int fd)
{
	static int held;
	char link[64], path[1024] = "";

	if (held || getpid() == loaded || getenv("STAND_IN_HOLD") == NULL)
		return;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (readlink(link, path, sizeof(path) - 1) < 0 ||
	    strstr(path, "/dump.lua") == NULL)
		return;
	held = 1;
	raise(SIGSTOP);
}

ssize_t
write(int fd, const void *buf, size_t n)
{
	static ssize_t (*real)(int, const void *, size_t);

	if (real == NULL)
		real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT,
		    "write");
	burn();
	hold(fd);
	return real(fd, buf, n);
}

int
posix_fallocate(int fd, off_t at, off_t n)
{
	int (*real)(int, off_t, off_t) = (int (*)(int, off_t, off_t))dlsym(
	    RTLD_NEXT, "posix_fallocate");

	burn();
	return real(fd, at, n);
}

/* msr-safe's batch, as its driver does it (LLNL, msr_batch.c): all operations
 * are looked at first, and where one is refused none is carried out. */
struct op {
	uint16_t cpu, is_read;
	int32_t err;
	uint32_t msr;
	uint64_t data, write_mask;
};

static int
batch(const char *dir, struct op *op, uint32_t n)
{
	const char *d = getenv("STAND_IN_DENY");
	uint32_t denied = d != NULL ? (uint32_t)strtoul(d, NULL, 0) : 0;
	char path[1024];
	int failed = 0;

	for (uint32_t i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%u", dir, op[i].cpu);
		op[i].err = offline(path) ? -ENXIO :
		    d != NULL && op[i].msr == denied ? -EACCES : 0;
		if (op[i].err != 0)
			failed = -op[i].err;
	}
	for (uint32_t i = 0; i < n && failed == 0; i++) {
		FILE *f;

		snprintf(path, sizeof(path), "%s/%u/msr", dir, op[i].cpu);
		f = fopen(path, "r");
		if (f == NULL || fseek(f, (long)op[i].msr * 8, SEEK_SET) != 0 ||
		    fread(&op[i].data, 8, 1, f) != 1)
			op[i].err = -EIO;
		if (f != NULL)
			fclose(f);
	}
	errno = failed;
	return failed != 0 ? -1 : 0;
}

int
ioctl(int fd, unsigned long request, ...)
{
	struct array { uint32_t n; struct op *op; } *a;
	va_list ap;

	va_start(ap, request);
	a = va_arg(ap, struct array *);
	va_end(ap);
	if (is(fd, BATCH))
		return batch(folder[fd], a->op, a->n);
	return ((int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl"))(fd,
	    request, a);
}
