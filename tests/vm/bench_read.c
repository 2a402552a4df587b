/*
 * tests/vm/bench_read.c - what a sample costs in each way to read it, on the
 * real msr driver.
 *
 *   bench_read ROOT CONFIG SAMPLES ROUNDS INTERVAL_MS [WAY...]
 *
 * Every way reads the registers of one plan, that of CONFIG, at the same
 * interval; ways take turns, ROUNDS times.  `none` reads nothing: what the
 * guest does by itself.  `original` is the order of the tool that tallyd
 * replaces: the programmable counters of every lproc, then the fixed ones of
 * every lproc, then its free-running ones, all from wherever the thread is.
 * Nothing is written to any register.
 */
#include "daemon/node/node.h"
#include "daemon/read/sweep.h"

#include <err.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { NONE, ORIGINAL, REMOTE, VISIT, BATCH, NWAYS };
static const char *const way_name[NWAYS] = {
	"none", "original", "remote", "visit", "batch"
};

/* Counts of the whole guest since boot. */
struct counts {
	uint64_t idle_us, calls, wakes, switches;
};

struct way {
	struct sweep sweep;
	unsigned n;
	double *us, *skew_us;           /* of each sample */
	double cpu_us;                  /* of this process, all samples */
	double wall_us;
	struct counts spent;
};

struct bench {
	struct node node;
	struct reg_addr *original;      /* the plan's reads in that order */
	uint64_t *row;
	double tsc_per_us;
	struct way way[NWAYS];
};

/* The sum of a line of /proc/interrupts over its CPUs. */
static uint64_t
sum_of(const char *numbers)
{
	uint64_t sum = 0;
	char *end;

	for (;; numbers = end) {
		sum += strtoull(numbers, &end, 10);
		if (end == numbers)
			return sum;
	}
}

static void
take_counts(struct counts *c)
{
	static char line[65536];
	unsigned long long idle, iowait;
	FILE *f;

	memset(c, 0, sizeof(*c));
	if ((f = fopen("/proc/stat", "r")) == NULL)
		err(1, "/proc/stat");
	while (fgets(line, sizeof(line), f) != NULL) {
		if (strncmp(line, "cpu ", 4) == 0 && sscanf(line,
		    "cpu %*u %*u %*u %llu %llu", &idle, &iowait) == 2)
			c->idle_us = (idle + iowait) * 1000000 /
			    (uint64_t)sysconf(_SC_CLK_TCK);
		sscanf(line, "ctxt %" SCNu64, &c->switches);
	}
	fclose(f);
	if ((f = fopen("/proc/interrupts", "r")) == NULL)
		err(1, "/proc/interrupts");
	while (fgets(line, sizeof(line), f) != NULL) {
		char *at = line + strspn(line, " ");

		if (strncmp(at, "CAL:", 4) == 0)
			c->calls = sum_of(at + 4);
		if (strncmp(at, "RES:", 4) == 0)
			c->wakes = sum_of(at + 4);
	}
	fclose(f);
}

static double
clock_us(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return (double)ts.tv_sec * 1e6 + (double)ts.tv_nsec / 1e3;
}

static int
original_class(const struct reg_addr *a)
{
	if (a->offset >= 0xc1 && a->offset <= 0xc8)
		return 0;
	return a->offset >= 0x309 && a->offset <= 0x30b ? 1 : 2;
}

static int
by_original(const void *a, const void *b)
{
	const struct reg_addr *x = a, *y = b;
	int d = original_class(x) - original_class(y);

	if (d == 0)
		d = (int)x->unit - (int)y->unit;
	return d != 0 ? d : (x->offset > y->offset) - (x->offset < y->offset);
}

/* From the first block's stamp to the last one's. */
static double
skew_us(const struct bench *b)
{
	uint64_t first = UINT64_MAX, last = 0;

	for (unsigned i = 0; i < b->node.plan.nblock; i++) {
		uint64_t t = b->row[b->node.plan.block[i].cell];

		if (t < first)
			first = t;
		if (t > last)
			last = t;
	}
	return last > first ? (double)(last - first) / b->tsc_per_us : 0;
}

/* Anywhere, as a thread is that nobody moves. */
static void
anywhere(void)
{
	cpu_set_t all;

	memset(&all, 0xff, sizeof(all));
	sched_setaffinity(0, sizeof(all), &all);
}

static void
take_sample(struct bench *b, int which)
{
	struct way *w = &b->way[which];
	struct plan *plan = &b->node.plan;
	double from = clock_us(CLOCK_MONOTONIC);

	if (which == ORIGINAL)
		for (unsigned i = 0; i < plan->nread; i++)
			access_read(b->node.acc, &b->original[i], &b->row[i]);
	else if (which != NONE)
		sweep_row(&w->sweep, plan, b->node.acc, b->row);
	w->us[w->n] = clock_us(CLOCK_MONOTONIC) - from;
	w->skew_us[w->n++] = which > ORIGINAL ? skew_us(b) : 0;
}

static void
run(struct bench *b, int which, unsigned samples, double interval_us)
{
	struct way *w = &b->way[which];
	struct counts before, after;
	double cpu, from, next;

	anywhere();
	take_sample(b, which);          /* warm, and not counted */
	w->n--;
	take_counts(&before);
	cpu = clock_us(CLOCK_PROCESS_CPUTIME_ID);
	from = next = clock_us(CLOCK_MONOTONIC);
	for (unsigned i = 0; i < samples; i++) {
		struct timespec ts;

		next += interval_us;
		ts.tv_sec = (time_t)(next / 1e6);
		ts.tv_nsec = (long)((next - (double)ts.tv_sec * 1e6) * 1e3);
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
		take_sample(b, which);
	}
	w->wall_us += clock_us(CLOCK_MONOTONIC) - from;
	w->cpu_us += clock_us(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	take_counts(&after);
	w->spent.idle_us += after.idle_us - before.idle_us;
	w->spent.calls += after.calls - before.calls;
	w->spent.wakes += after.wakes - before.wakes;
	w->spent.switches += after.switches - before.switches;
}

static int
by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double
part(double *v, unsigned n, double at)
{
	qsort(v, n, sizeof(v[0]), by_value);
	return v[(unsigned)((n - 1) * at)];
}

static void
print_way(const struct bench *b, int which)
{
	const struct way *w = &b->way[which];
	double n = w->n, lprocs = b->node.topo.nlproc;

	printf("%-9s %8.0f %8.0f", way_name[which], part(w->us, w->n, 0.5),
	    part(w->us, w->n, 0.9));
	if (which > ORIGINAL)
		printf(" %8.0f", part(w->skew_us, w->n, 0.5));
	else
		printf(" %8s", "-");
	printf(" %8.0f %8.0f %8.1f %8.1f %8.1f\n", w->cpu_us / n,
	    (w->wall_us * lprocs - (double)w->spent.idle_us) / n,
	    (double)w->spent.calls / n, (double)w->spent.wakes / n,
	    (double)w->spent.switches / n);
}

static void
open_node(struct bench *b, const char *root, const char *config)
{
	struct options o;
	struct diag why;
	char *args[] = { "bench_read", "--root", (char *)root, "-c",
	    (char *)config, NULL };

	if (options_parse(&o, 5, args, &why) < 0 ||
	    node_open(&b->node, &o, &why) < 0 ||
	    node_configure(&b->node, &o, b->node.topo.model, &why) < 0 ||
	    node_plan(&b->node, &why) < 0)
		errx(1, "%s", why.text);
}

/* Of the ways named; all where none is. */
static bool
is_asked(int n, char **ways, const char *name)
{
	for (int i = 0; i < n; i++)
		if (strcmp(ways[i], name) == 0)
			return true;
	return n == 0;
}

int
main(int argc, char **argv)
{
	static const enum read_mode mode[NWAYS] = { [REMOTE] = READ_REMOTE,
	    [VISIT] = READ_VISIT, [BATCH] = READ_BATCH };
	struct sched_param fifo = { .sched_priority = 1 };
	static struct bench b;
	struct stamp one, two;
	unsigned samples, rounds;
	struct plan *plan = &b.node.plan;
	struct diag why;
	bool has[NWAYS] = { [NONE] = true, [ORIGINAL] = true };

	if (argc < 6)
		errx(2, "usage: bench_read ROOT CONFIG SAMPLES ROUNDS "
		    "INTERVAL_MS [WAY...]");
	samples = (unsigned)atoi(argv[3]);
	rounds = (unsigned)atoi(argv[4]);
	open_node(&b, argv[1], argv[2]);
	b.row = calloc(plan->ncell, sizeof(b.row[0]));
	b.original = calloc(plan->nread, sizeof(b.original[0]));
	if (b.row == NULL || b.original == NULL)
		err(1, NULL);
	memcpy(b.original, plan->read, plan->nread * sizeof(b.original[0]));
	qsort(b.original, plan->nread, sizeof(b.original[0]), by_original);
	access_now(b.node.acc, &one);
	usleep(200000);
	access_now(b.node.acc, &two);
	b.tsc_per_us = (double)(two.tsc - one.tsc) * 1e3 /
	    (double)(two.mono_ns - one.mono_ns);
	if (sched_setscheduler(0, SCHED_FIFO, &fifo) < 0)
		warn("SCHED_FIFO");
	mlockall(MCL_CURRENT | MCL_FUTURE);
	for (int i = 0; i < NWAYS; i++) {
		struct way *w = &b.way[i];

		w->us = calloc(samples * rounds + 1, sizeof(w->us[0]));
		w->skew_us = calloc(samples * rounds + 1, sizeof(w->us[0]));
		if (w->us == NULL || w->skew_us == NULL)
			err(1, NULL);
		if (!is_asked(argc - 6, argv + 6, way_name[i]))
			has[i] = false;
		else if (i > ORIGINAL)
			has[i] = sweep_init(&w->sweep, plan, b.node.acc,
			    mode[i], -1, &why) == 0;
	}
	for (unsigned r = 0; r < rounds; r++)
		for (int i = 0; i < NWAYS; i++)
			if (has[i])
				run(&b, i, samples, atof(argv[5]) * 1e3);
	printf("%u registers of %u lprocs, %u samples a way\n"
	    "%-9s %8s %8s %8s %8s %8s %8s %8s %8s\n", plan->nread,
	    b.node.topo.nlproc, samples * rounds, "way", "wall us", "90 %",
	    "skew us", "cpu us", "busy us", "calls", "wakes", "switches");
	for (int i = 0; i < NWAYS; i++)
		if (has[i])
			print_way(&b, i);
		else if (is_asked(argc - 6, argv + 6, way_name[i]))
			printf("%-9s not available\n", way_name[i]);
	if (argc > 6)
		return 0;
	/* what auto would take, and by what it would be wrong */
	{
		static struct sweep r;

		anywhere();
		if (sweep_init(&r, plan, b.node.acc, READ_AUTO, -1, &why)
		    == 0)
			printf("auto takes %s\n", r.why);
	}
	printf("ratio    visit / original %.2f, remote / original %.2f\n",
	    part(b.way[VISIT].us, b.way[VISIT].n, 0.5) /
	    part(b.way[ORIGINAL].us, b.way[ORIGINAL].n, 0.5),
	    part(b.way[REMOTE].us, b.way[REMOTE].n, 0.5) /
	    part(b.way[ORIGINAL].us, b.way[ORIGINAL].n, 0.5));
	return 0;
}
