/*
 * daemon/run/drambw.c - the most that DRAM can do, by node: a bounded sweep.
 */
#include "daemon/run/preamble.h"

#include "daemon/log.h"
#include "lib/process.h"
#include "regs/access.h"
#include "regs/host.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LINE 64                         /* bytes */
#define CHUNK (UINT64_C(256) << 10)     /* between looks at the clock */
#define MAX_THREADS 512
#define WORDS (LINE / sizeof(uint64_t))

/* What the threads of a node share. */
struct traffic {
	atomic_uint ready;      /* threads that have touched their memory */
	atomic_bool go, stop;
	uint64_t bytes;         /* of each thread's memory */
};

struct worker {
	struct traffic *traffic;
	pthread_t thread;
	unsigned lproc;
	uint64_t *memory;
	uint64_t moved;         /* bytes */
	uint64_t sum;           /* of all reads, so that the compiler keeps them */
	int error;
};

/*
 * Two lines are read and one is written: a third of the lines are of the
 * written stream, and each of them is read for ownership and written back.
 */
static void
move(struct worker *w, uint64_t from, uint64_t bytes)
{
	uint64_t third = w->traffic->bytes / 3 / LINE * LINE;
	const uint64_t *a = w->memory + from / sizeof(uint64_t);
	const uint64_t *b = a + third / sizeof(uint64_t);
	uint64_t *c = w->memory + (from + 2 * third) / sizeof(uint64_t);
	uint64_t sum = 0;

	for (uint64_t i = 0; i < bytes / sizeof(uint64_t); i += WORDS) {
		for (unsigned k = 0; k < WORDS; k++)
			c[i + k] = a[i + k] + b[i + k];
		sum += c[i];
	}
	w->sum += sum;
	w->moved += 4 * bytes;
}

static int
drambw_settle(struct worker *w)
{
	int rc = thread_bind(w->lproc);

	if (rc < 0)
		return rc;
	w->memory = mmap(NULL, w->traffic->bytes, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (w->memory == MAP_FAILED) {
		w->memory = NULL;
		return -ENOMEM;
	}
	madvise(w->memory, w->traffic->bytes, MADV_HUGEPAGE);
	memset(w->memory, 1, w->traffic->bytes);  /* first touch: the kernel takes it from this node */
	return 0;
}

static void *
drambw_work(void *arg)
{
	struct worker *w = arg;
	uint64_t third = w->traffic->bytes / 3 / LINE * LINE, at = 0;

	w->error = drambw_settle(w);
	atomic_fetch_add(&w->traffic->ready, 1);
	while (!atomic_load(&w->traffic->go))
		sched_yield();
	while (w->error == 0 && !atomic_load(&w->traffic->stop)) {
		uint64_t n = third - at < CHUNK ? third - at : CHUNK;

		move(w, at, n);
		at = at + n == third ? 0 : at + n;
	}
	return NULL;
}

/* May this process run on that lproc? */
static bool
allowed(unsigned lproc)
{
	size_t size = CPU_ALLOC_SIZE(MAX_LPROCS);
	cpu_set_t *set = CPU_ALLOC(MAX_LPROCS);
	bool ok = false;

	if (set != NULL) {
		CPU_ZERO_S(size, set);
		ok = sched_getaffinity(0, size, set) == 0 &&
		    lproc < MAX_LPROCS && CPU_ISSET_S(lproc, size, set);
		CPU_FREE(set);
	}
	return ok;
}

/* The first lproc of each core of a node. */
static unsigned
cores_of(const struct topo *topo, int node, unsigned *lproc)
{
	unsigned n = 0;

	for (unsigned l = 0; l < topo->nlproc && n < MAX_THREADS; l++)
		if (topo->lproc[l].online && topo->lproc[l].node == node &&
		    topo->lproc[l].thread <= 0 && allowed(l))
			lproc[n++] = l;
	return n;
}

/* Waits until each thread has its memory, then starts the clock. */
static double
drambw_run(struct traffic *traffic, struct worker *w, unsigned n)
{
	uint64_t begin, end, moved = 0;

	while (atomic_load(&traffic->ready) < n)
		nap(1);
	begin = clock_ns(CLOCK_MONOTONIC);
	atomic_store(&traffic->go, true);
	do
		nap(1);
	while (clock_ns(CLOCK_MONOTONIC) - begin < DRAMBW_NS);
	atomic_store(&traffic->stop, true);
	for (unsigned i = 0; i < n; i++)
		pthread_join(w[i].thread, NULL);
	end = clock_ns(CLOCK_MONOTONIC);
	for (unsigned i = 0; i < n; i++)
		moved += w[i].moved;
	return (double)moved * 1e9 / (double)(end - begin);
}

static int
measure_node(const struct topo *topo, unsigned node, double *bytes_per_s,
    struct diag *why)
{
	unsigned *lproc = calloc(MAX_THREADS, sizeof(*lproc));
	struct worker *w = calloc(MAX_THREADS, sizeof(*w));
	struct traffic traffic = { .bytes = 0 };
	unsigned n, started = 0, failed = 0;
	uint64_t all = memory_unused() / 2;
	int rc = 0;

	if (lproc == NULL || w == NULL) {
		rc = diag_set(why, -ENOMEM, "out of memory");
		goto out;
	}
	if ((n = cores_of(topo, (int)node, lproc)) == 0) {
		diag_set(why, 0, "NUMA node %u has no core that may be used",
		    node);
		goto out;
	}
	all = all > DRAMBW_BYTES ? DRAMBW_BYTES : all;
	traffic.bytes = all / n > DRAMBW_THREAD_BYTES ? DRAMBW_THREAD_BYTES :
	    all / n / 4096 * 4096;
	if (traffic.bytes < 3 * CHUNK) {
		diag_set(why, 0, "NUMA node %u: too little memory is free to "
		    "measure its bandwidth", node);
		goto out;
	}
	for (; started < n; started++) {
		w[started].traffic = &traffic;
		w[started].lproc = lproc[started];
		if (thread_start(&w[started].thread, 0, drambw_work,
		    &w[started]) < 0)
			break;
	}
	if (started > 0)
		*bytes_per_s = drambw_run(&traffic, w, started);
	for (unsigned i = 0; i < started; i++) {
		failed += w[i].error != 0;
		if (w[i].memory != NULL)
			munmap(w[i].memory, traffic.bytes);
	}
	/* with some of its cores missing the figure would be too low */
	if (started < n || failed > 0) {
		*bytes_per_s = 0;
		diag_set(why, 0, "NUMA node %u: only %u of %u cores could be "
		    "used to measure its bandwidth", node, started - failed,
		    n);
	} else {
		rc = 1;
		log_info("NUMA node %u: %.1f GB/s of DRAM with %u core%s", node,
		    *bytes_per_s / 1e9, n, n == 1 ? "" : "s");
	}
out:
	free(lproc);
	free(w);
	return rc;
}

int
drambw_measure(const struct topo *topo, double *bytes_per_s_by_node,
    unsigned n, struct diag *why)
{
	int rc, measured = 0;

	for (unsigned node = 0; node < n; node++) {
		bool any = false;

		bytes_per_s_by_node[node] = 0;
		for (unsigned l = 0; l < topo->nlproc; l++)
			any |= topo->lproc[l].node == (int)node;
		if (!any)
			continue;
		if ((rc = measure_node(topo, node, &bytes_per_s_by_node[node],
		    why)) < 0)
			return rc;
		if (rc == 0)
			log_warnx("%s", why->text);
		measured += rc;
	}
	return measured;
}

void
drambw_put(struct head *h, const struct topo *topo,
    const double *bytes_per_s_by_node, unsigned n)
{
	double sum = 0;
	bool all = true;

	for (unsigned i = 0; i < n; i++)
		sum += bytes_per_s_by_node[i];
	for (unsigned l = 0; l < topo->nlproc; l++) {
		int node = topo->lproc[l].node;

		all = all && (node < 0 || ((unsigned)node < n &&
		    bytes_per_s_by_node[node] > 0));
	}
	if (!(sum > 0))
		return;
	/* with some of the nodes missing the sum would be too low */
	if (all)
		head_put_int(h, HEAD_DRAM_MAX_BANDWIDTH, ALONE, llrint(sum));
	head_put_table(h, HEAD_DRAM_MAX_BANDWIDTH_NODE, ALONE, 0);
	for (unsigned i = 0; i < n; i++)
		if (bytes_per_s_by_node[i] > 0)
			head_put_int(h, HEAD_DRAM_MAX_BANDWIDTH_NODE, AT(i),
			    llrint(bytes_per_s_by_node[i]));
}
