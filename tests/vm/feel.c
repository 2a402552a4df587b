/*
 * tests/vm/feel.c - what applications feel: a fixed piece of work, over and over,
 * on every lproc, and how long each took.
 *
 *   feel                   how many rounds are about 1 ms of work here
 *   feel SECONDS ROUNDS    do it, and print a line of what was felt
 *
 * lost     us a second that the pieces took beyond what they take undisturbed
 *          (one in twenty is faster): all that comes between, the host of a
 *          guest and the kernel's own timers too
 * waited   us a second that the kernel had the loops wait for another thread on
 *          their lproc: what it counts itself, so no host comes in; interrupts
 *          are not in it
 * 99.9 %   of the pieces took no longer, us
 * put off  times a second that a loop was
 *
 * Each is the mean of the lprocs; give it the same ROUNDS to compare.
 */
#include <err.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define MAX_LPROCS 1024
#define TRIES 200

struct loop {
	pthread_t id;
	unsigned lproc, n, room;
	uint64_t rounds, end_ns;
	float *us;              /* of each piece */
	uint64_t waited_ns;
	long put_off;
};

static uint64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Work that no compiler shortens, of registers alone. */
static void
work(uint64_t rounds)
{
	uint64_t x = rounds;

	for (uint64_t i = 0; i < rounds; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		__asm__ volatile("" : "+r" (x));
	}
}

/* How long this thread has waited for its lproc so far: the second number of
 * schedstat.  0 where the kernel does not say. */
static uint64_t
waited(void)
{
	unsigned long long ran, wait = 0;
	FILE *f = fopen("/proc/thread-self/schedstat", "r");

	if (f == NULL)
		return 0;
	if (fscanf(f, "%llu %llu", &ran, &wait) != 2)
		wait = 0;
	fclose(f);
	return wait;
}

static long
put_off(void)
{
	struct rusage used;

	return getrusage(RUSAGE_THREAD, &used) == 0 ? used.ru_nivcsw : 0;
}

static void *
run(void *arg)
{
	struct loop *l = arg;
	uint64_t before, after, wait;
	cpu_set_t one;
	long off;

	CPU_ZERO(&one);
	CPU_SET(l->lproc, &one);
	if (sched_setaffinity(0, sizeof(one), &one) < 0)
		err(1, "lproc %u", l->lproc);
	work(l->rounds);
	wait = waited();
	off = put_off();
	before = now_ns();
	while (before < l->end_ns && l->n < l->room) {
		work(l->rounds);
		after = now_ns();
		l->us[l->n++] = (float)(after - before) / 1e3f;
		before = after;
	}
	l->waited_ns = waited() - wait;
	l->put_off = put_off() - off;
	return NULL;
}

static int
by_length(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

/* The rounds of 1 ms, where nothing comes between: of the fastest try. */
static void
calibrate(void)
{
	uint64_t best = UINT64_MAX, from;

	for (unsigned i = 0; i < TRIES; i++) {
		from = now_ns();
		work(100000);
		if ((from = now_ns() - from) < best)
			best = from;
	}
	printf("%.0f\n", 1e6 / (double)best * 100000);
}

static void
felt(const struct loop *loop, unsigned n)
{
	double total = 0, base = 0, wait = 0, off = 0;
	unsigned pieces = 0, k = 0;
	float *all;

	for (unsigned i = 0; i < n; i++)
		pieces += loop[i].n;
	if ((all = malloc((pieces + 1) * sizeof(all[0]))) == NULL)
		err(1, NULL);
	for (unsigned i = 0; i < n; i++) {
		memcpy(all + k, loop[i].us, loop[i].n * sizeof(all[0]));
		k += loop[i].n;
		wait += (double)loop[i].waited_ns / 1e3;
		off += (double)loop[i].put_off;
	}
	qsort(all, pieces, sizeof(all[0]), by_length);
	for (unsigned i = 0; i < pieces; i++)
		total += all[i];
	base = all[pieces / 20];
	printf("%8u %8.0f %9.0f %9.1f %9.0f %8.2f\n", pieces, base,
	    (total - base * pieces) / total * 1e6, wait / total * 1e6,
	    all[(unsigned)(pieces * 0.999)], off / total * 1e6);
	free(all);
}

int
main(int argc, char **argv)
{
	static struct loop loop[MAX_LPROCS];
	cpu_set_t mine;
	unsigned n = 0;
	double seconds;

	if (argc == 1) {
		calibrate();
		return 0;
	}
	if (argc != 3 || (seconds = atof(argv[1])) <= 0)
		errx(2, "usage: feel [SECONDS ROUNDS]");
	if (sched_getaffinity(0, sizeof(mine), &mine) < 0)
		err(1, "sched_getaffinity");
	for (unsigned i = 0; i < CPU_SETSIZE && n < MAX_LPROCS; i++) {
		struct loop *l = &loop[n];

		if (!CPU_ISSET(i, &mine))
			continue;
		l->lproc = i;
		l->rounds = strtoull(argv[2], NULL, 10);
		l->end_ns = now_ns() + (uint64_t)(seconds * 1e9);
		l->room = (unsigned)(seconds * 4000) + 1;
		l->us = calloc(l->room, sizeof(l->us[0]));
		if (l->us == NULL)
			err(1, NULL);
		n++;
	}
	for (unsigned i = 0; i < n; i++)
		if (pthread_create(&loop[i].id, NULL, run, &loop[i]) != 0)
			errx(1, "no thread");
	for (unsigned i = 0; i < n; i++)
		pthread_join(loop[i].id, NULL);
	felt(loop, n);
	return 0;
}
