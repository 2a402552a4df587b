/*
 * daemon/instead/work.c - the threads that do the work of --prove.
 *
 * A thread waits in one recv(2), answers by one send(2), and asks the kernel for the
 * time.  It executes the same instructions around its work in every run, so that they
 * cancel out where the counts of two runs are subtracted.
 */
#include "daemon/instead/work.h"

#include "lib/process.h"
#include "regs/access.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAX_RINGS 8
#define MPOL_BIND 2             /* linux/mempolicy.h */
#define STACK (256 << 10)       /* bytes, of a thread */
/* How long work_do waits after the last answer.  In this time a thread goes on from its
 * send(2) to its next recv(2), some hundred instructions, which so belong to the run
 * that they follow. */
#define BACK_NS 200000

struct prove_worker {
	pthread_t thread;
	unsigned lproc;
	bool runs;
	int in, wake;           /* a socket pair: the thread waits at `in`, and is
				 * woken by a byte that we send to `wake` */
	int done;               /* the thread's answers go here, as all threads' do */
	struct work_task job;
};

struct work {
	struct prove_worker *worker;    /* [nlproc] */
	unsigned nlproc;
	int done[2];            /* a socket pair: threads send to [1], we receive */
	struct kernel_memory node[MAX_PKG], ring[MAX_RINGS];
	bool tried[MAX_PKG];
	unsigned nring;
};

static uint64_t
time_ns(void)
{
	struct timespec t;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* How often the kernel has given the thread's lproc to another thread. */
static long
preemptions(void)
{
	struct rusage r;

	return syscall(SYS_getrusage, RUSAGE_THREAD, &r) == 0 ? r.ru_nivcsw : 0;
}

static void
do_job(struct prove_worker *w)
{
	struct work_task *j = &w->job;
	unsigned cpu = w->lproc;
	uint64_t begin = time_ns();
	long before = preemptions();

	kernels[j->kernel].run(j->turns, &j->memory);
	j->disturbed = preemptions() != before;
	syscall(SYS_getcpu, &cpu, NULL, NULL);
	j->disturbed |= cpu != w->lproc;
	j->busy_ns = time_ns() - begin;
}

static void *
work_thread(void *arg)
{
	struct prove_worker *w = arg;
	char c = thread_bind(w->lproc) == 0;

	/* Linux sets the priority of this thread alone, not the process's */
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 19);
	do {
		if (send(w->done, &c, 1, MSG_NOSIGNAL) != 1 ||
		    recv(w->in, &c, 1, 0) != 1)
			return NULL;
		do_job(w);
	} while (true);
}

/* Starts a thread; w->runs tells whether it runs on its lproc.  0 or -errno. */
static int
start_worker(struct work *work, struct prove_worker *w)
{
	int fd[2], rc;
	char c = 0;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) < 0)
		return -errno;
	w->in = fd[0];
	w->wake = fd[1];
	w->done = work->done[1];
	if ((rc = thread_start(&w->thread, STACK, work_thread, w)) < 0) {
		close(fd[0]);
		close(fd[1]);
		return rc;
	}
	/* the thread has started, and answers whether it is on its lproc */
	w->runs = recv(work->done[0], &c, 1, 0) == 1 && c != 0;
	if (!w->runs) {
		close(fd[1]);
		pthread_join(w->thread, NULL);
		close(fd[0]);
	}
	return 0;
}

int
work_open(struct work **out, const struct topo *topo, struct diag *why)
{
	struct work *work = calloc(1, sizeof(*work));
	struct rlimit files;
	int rc = 0;

	*out = work;
	if (work == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	work->done[0] = work->done[1] = -1;
	work->worker = calloc(topo->nlproc, sizeof(*work->worker));
	if (work->worker == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	work->nlproc = topo->nlproc;
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, work->done) < 0)
		return diag_set(why, -errno, "a socket for the threads that "
		    "work");
	for (unsigned l = 0; l < topo->nlproc && rc == 0; l++) {
		work->worker[l].lproc = l;
		if (topo->lproc[l].online)
			rc = start_worker(work, &work->worker[l]);
	}
	return rc == 0 ? 0 : diag_set(why, rc, "a thread that works cannot be "
	    "started");
}

bool
work_has(const struct work *work, unsigned lproc)
{
	return lproc < work->nlproc && work->worker[lproc].runs;
}

struct kernel_memory
work_memory(struct work *work, unsigned node)
{
	unsigned long nodes[MAX_PKG / (8 * sizeof(long)) + 1] = { 0 };
	struct kernel_memory m = { NULL, WORK_MEMORY };

	if (node >= MAX_PKG)
		return (struct kernel_memory){ NULL, 0 };
	if (work->tried[node])
		return work->node[node];
	work->tried[node] = true;
	while (m.size > memory_unused() / 4)
		m.size /= 2;
	if (m.size < 16 << 20)
		return work->node[node];
	m.at = mmap(NULL, m.size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (m.at == MAP_FAILED)
		return work->node[node];
	nodes[node / (8 * sizeof(long))] |= 1UL << node % (8 * sizeof(long));
	/* a kernel without NUMA has node 0 alone: there is nothing to bind */
	if (syscall(SYS_mbind, m.at, m.size, MPOL_BIND, nodes,
	    8 * sizeof(nodes), 0) < 0 && node != 0) {
		munmap(m.at, m.size);
		return work->node[node];
	}
	madvise(m.at, m.size, MADV_HUGEPAGE);
	for (size_t i = 0; i < m.size; i += 64)
		*(volatile uint64_t *)((char *)m.at + i) = i;
	return work->node[node] = m;
}

/* Makes each cache line point to the next one of a random ring through all lines.
 * Sattolo's shuffle: a permutation of a single cycle. */
static void
link_ring(struct kernel_memory *m)
{
	size_t n = m->size / 64;
	uint64_t x = 88172645463325252;
	uint64_t *order = malloc(n * sizeof(*order));

	if (order == NULL) {
		munmap(m->at, m->size);
		m->size = 0;
		return;
	}
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	for (size_t i = n - 1; i > 0; i--) {
		size_t k;
		uint64_t t;

		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		k = x % i;
		t = order[i];
		order[i] = order[k];
		order[k] = t;
	}
	for (size_t i = 0; i < n; i++)
		*(void **)((char *)m->at + 64 * order[i]) =
		    (char *)m->at + 64 * order[(i + 1) % n];
	free(order);
}

struct kernel_memory
work_ring(struct work *work, size_t size)
{
	struct kernel_memory *m;

	for (unsigned i = 0; i < work->nring; i++)
		if (work->ring[i].size == size)
			return work->ring[i];
	if (work->nring == MAX_RINGS)
		return (struct kernel_memory){ NULL, 0 };
	m = &work->ring[work->nring];
	m->size = size;
	m->at = mmap(NULL, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (m->at == MAP_FAILED) {
		m->size = 0;
		return *m;
	}
	link_ring(m);
	return work->ring[work->nring++];
}

struct work_task *
work_task(struct work *work, unsigned lproc)
{
	return &work->worker[lproc].job;
}

int
work_do(struct work *work)
{
	const struct timespec back_ns = { 0, BACK_NS };
	char c = 1, back[MAX_LPROCS];
	size_t n = 0;

	for (unsigned l = 0; l < work->nlproc; l++)
		if (work->worker[l].runs && work->worker[l].job.wanted) {
			if (send(work->worker[l].wake, &c, 1,
			    MSG_NOSIGNAL) != 1)
				return -errno;
			n++;
		}
	/* one system call, however many threads answer */
	if (n > 0 && recv(work->done[0], back, n, MSG_WAITALL) != (ssize_t)n)
		return -EIO;
	nanosleep(&back_ns, NULL);
	return 0;
}

void
work_close(struct work *work)
{
	if (work == NULL)
		return;
	for (unsigned l = 0; l < work->nlproc && work->worker != NULL; l++)
		if (work->worker[l].runs) {
			close(work->worker[l].wake);
			pthread_join(work->worker[l].thread, NULL);
			close(work->worker[l].in);
		}
	for (unsigned i = 0; i < MAX_PKG; i++)
		if (work->node[i].size > 0)
			munmap(work->node[i].at, work->node[i].size);
	for (unsigned i = 0; i < work->nring; i++)
		munmap(work->ring[i].at, work->ring[i].size);
	if (work->done[0] >= 0)
		close(work->done[0]);
	if (work->done[1] >= 0)
		close(work->done[1]);
	free(work->worker);
	free(work);
}
