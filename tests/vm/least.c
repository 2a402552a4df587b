/*
 * tests/vm/least.c - the least that five registers of each lproc take of a node, once a
 * second: a thread on each sleeps to whole seconds on a futex of its own, reads them
 * with pread(2), and does nothing else.  No row is made of them.
 *
 *   least        until it is killed.  Prints a line a second: ns from the moment when
 *                the first thread began to when the last one was done
 */
#include <err.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define NS 1000000000ull
#define MAX_LPROCS 1024

/* the fixed counters, MPERF and APERF */
static const off_t msr[] = { 0x309, 0x30a, 0x30b, 0xe7, 0xe8 };

static atomic_uint_fast64_t began[MAX_LPROCS], ended[MAX_LPROCS];

static uint64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS + (uint64_t)t.tv_nsec;
}

static void
sleep_to(uint64_t ns)
{
	struct timespec until = { (time_t)(ns / NS), (long)(ns % NS) };
	unsigned word = 0;

	syscall(SYS_futex, &word, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 0,
	    &until, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void *
read_one(void *number)
{
	struct sched_param first = { .sched_priority = 1 };
	unsigned lproc = (unsigned)(uintptr_t)number;
	uint64_t raw, due = now_ns() / NS * NS;
	char path[32];
	cpu_set_t set;
	int fd;

	CPU_ZERO(&set);
	CPU_SET(lproc, &set);
	sched_setaffinity(0, sizeof(set), &set);
	sched_setscheduler(0, SCHED_FIFO, &first);
	snprintf(path, sizeof(path), "/dev/cpu/%u/msr", lproc);
	if ((fd = open(path, O_RDONLY)) < 0)
		err(1, "%s", path);
	for (;;) {
		sleep_to(due += NS);
		began[lproc] = now_ns();
		for (unsigned i = 0; i < sizeof(msr) / sizeof(msr[0]); i++)
			if (pread(fd, &raw, sizeof(raw), msr[i]) < 0)
				warn("%s", path);
		ended[lproc] = now_ns();
	}
	return NULL;
}

int
main(void)
{
	unsigned n = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	pthread_t id;

	for (unsigned i = 0; i < n && i < MAX_LPROCS; i++)
		if (pthread_create(&id, NULL, read_one, (void *)(uintptr_t)i) != 0)
			errx(1, "no thread");
	for (;;) {
		uint64_t first = UINT64_MAX, last = 0;

		sleep_to(now_ns() / NS * NS + 3 * NS / 2);
		for (unsigned i = 0; i < n; i++) {
			first = began[i] < first ? began[i] : first;
			last = ended[i] > last ? ended[i] : last;
		}
		printf("%llu\n", (unsigned long long)(last - first));
		fflush(stdout);
	}
}
