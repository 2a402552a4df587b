/*
 * regs/linux/linux_perf.c - groups of events through perf_event_open.
 *
 * A handle is a group, or several groups of the same events whose counts are
 * added up (the CPUs of a list, the boxes of a kind).  Each is opened disabled
 * and enabled as a whole, and read with one system call.
 *
 * A CPU that goes offline leaves its descriptors readable, with times that
 * stand still, and with members that have left their group.  Then the group is
 * closed, its counts are kept, and each further sample tries to open it again.
 * Reference: perf-event.md.
 */
#include "regs/linux/linux.h"

#include "regs/host.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * Counters that the kernel has programmed, read where they are.
 *
 * RDPMC reads the CPU that the thread is on, so it is used by a thread that was
 * moved to the event's CPU and is there before and after.  The kernel lets this
 * process use it for as long as a page that allows it is mapped (Linux
 * arch/x86/events/core.c, x86_pmu_event_mapped).  All others read the MSR: the
 * kernel reads it on that CPU, where nobody changes what is counted meanwhile.
 */

/* The page of an event's descriptor; NULL: it cannot be mapped. */
static perf_page
linux_event_page(int fd)
{
	void *p = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ,
	    MAP_SHARED, fd, 0);

	return p != MAP_FAILED ? p : NULL;
}

/* page: or NULL */
static void
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

/* The counter of an index on a CPU: by RDPMC where this thread was
 * moved there and the page allows it, else as an MSR.  0 or -errno. */
static int
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

/* One group on one CPU. */
struct one {
	struct perf_group want;
	int fd[PERF_MEMBERS];           /* of each member; -1: not open */
	uint64_t base[PERF_CELLS];      /* times and counts of all descriptors
	                                 * that have been closed */
	uint64_t last[PERF_CELLS];      /* the same of those that are open, when
	                                 * they were read last */
	bool gone;                      /* the last sample could not read it */
	bool lost;                      /* it is pinned, and the kernel gave its
	                                 * counters to another user */
	uint64_t seen_ns;               /* monotonic, when it was read last */
	struct perf_part part;
	struct perf_direct direct;
	perf_page page[PERF_MEMBERS];   /* page[0] NULL: the kernel reads it */
};

struct perf_handle {
	unsigned n;
	struct perf_sum sum;
	struct one one[];
};

/* Opens member k of a group, disabled; leader: the descriptor of its first member, -1 for
 * that itself.  Returns the descriptor, or -errno. */
static int
open_event(const struct perf_group *g, unsigned k, int leader)
{
	const struct perf_attr *a = &g->attr[k];
	struct perf_event_attr attr;
	int fd;

	memset(&attr, 0, sizeof(attr));
	attr.type = a->type;
	/* the second version of the structure: enough, and old enough */
	attr.size = PERF_ATTR_SIZE_VER1;
	attr.config = a->config[0];
	attr.config1 = a->config[1];
	attr.config2 = a->config[2];
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
	    PERF_FORMAT_TOTAL_TIME_RUNNING | PERF_FORMAT_GROUP;
	attr.disabled = leader < 0;
	attr.pinned = leader < 0 && g->pinned;
	attr.exclude_user = a->no_user;
	attr.exclude_kernel = a->no_kernel;
	do
		fd = (int)syscall(SYS_perf_event_open, &attr, -1, (int)g->cpu,
		    leader, PERF_FLAG_FD_CLOEXEC);
	while (fd < 0 && errno == EINTR);
	return fd < 0 ? -errno : fd;
}

/* Are there descriptors left for all else: store, journal, dump? */
#define FILES_LEFT 16

static bool
leaves_room(int fd)
{
	struct rlimit rl;

	return getrlimit(RLIMIT_NOFILE, &rl) < 0 ||
	    rl.rlim_cur > (rlim_t)fd + FILES_LEFT;
}

/* Raises the limit of open files as far as this process may: root up to fs.nr_open. */
static bool
raise_files(struct linux_access *la)
{
	struct rlimit rl;
	int64_t most;

	if (getrlimit(RLIMIT_NOFILE, &rl) < 0)
		return false;
	if (rl.rlim_cur < rl.rlim_max) {
		rl.rlim_cur = rl.rlim_max;
		return setrlimit(RLIMIT_NOFILE, &rl) == 0;
	}
	if (access_number(&la->acc, "/proc/sys/fs/nr_open", &most) < 0 ||
	    (rlim_t)most <= rl.rlim_cur)
		return false;
	rl.rlim_cur = rl.rlim_max = (rlim_t)most;
	return setrlimit(RLIMIT_NOFILE, &rl) == 0;
}

static void
unmap_pages(struct one *o)
{
	for (unsigned k = 0; k < PERF_MEMBERS; k++) {
		linux_event_unmap(o->page[k]);
		o->page[k] = NULL;
	}
}

/* Maps the pages of all members of a group, or of none: then the kernel reads it. */
static void
map_pages(struct one *o)
{
	for (unsigned k = 0; k < o->want.n; k++)
		if ((o->page[k] = linux_event_page(o->fd[k])) == NULL) {
			unmap_pages(o);
			return;
		}
}

static void
close_one(struct one *o)
{
	unmap_pages(o);
	/* members first: a leader's end makes singles of them */
	for (unsigned k = PERF_MEMBERS; k-- > 0;) {
		if (o->fd[k] >= 0)
			close(o->fd[k]);
		o->fd[k] = -1;
	}
}

/* The kernel says at once of a pinned group that there are no counters for it:
 * there is nothing to read. */
static int
linux_perf_check_pinned(struct one *o)
{
	uint64_t buf[1 + PERF_CELLS];

	return o->want.pinned && read(o->fd[0], buf, sizeof(buf)) == 0 ?
	    -EBUSY : 0;
}

/* Opens a group and lets it count.  Returns 0, or -errno, with the member that was refused
 * in *bad. */
static int
open_one(struct linux_access *la, struct one *o, unsigned *bad)
{
	int rc;

	for (unsigned k = 0; k < o->want.n; k++) {
		int fd = open_event(&o->want, k, k > 0 ? o->fd[0] : -1);

		if (fd < 0) {
			*bad = k;
			close_one(o);
			return fd;
		}
		o->fd[k] = fd;
	}
	rc = ioctl(o->fd[0], PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP) < 0 ?
	    -errno : linux_perf_check_pinned(o);
	if (rc < 0) {
		*bad = 0;
		close_one(o);
		return rc;
	}
	if (la->direct)
		map_pages(o);
	return 0;
}

static int
perf_open(struct access *acc, const struct perf_group *group, unsigned n,
    unsigned *bad)
{
	struct linux_access *la = (struct linux_access *)acc;
	struct perf_handle *h, **bigger;
	int rc = 0;

	if (n == 0 || group[0].n == 0 || group[0].n > PERF_MEMBERS)
		return -EINVAL;
	if (la->nperf == PERF_HANDLES)
		return -EDQUOT;
	if (la->nperf % 64 == 0) {
		bigger = realloc(la->perf, (la->nperf + 64) * sizeof(*bigger));
		if (bigger == NULL)
			return -ENOMEM;
		la->perf = bigger;
	}
	if ((h = calloc(1, sizeof(*h) + n * sizeof(h->one[0]))) == NULL)
		return -ENOMEM;
	h->sum.n = group[0].n;
	for (unsigned i = 0; i < n; i++) {
		struct one *o = &h->one[i];

		o->want = group[i];
		memset(o->fd, -1, sizeof(o->fd));
		rc = open_one(la, o, bad);
		if (rc == -EMFILE && raise_files(la))
			rc = open_one(la, o, bad);
		while (rc == 0 && !leaves_room(o->fd[o->want.n - 1]))
			if (!raise_files(la)) {
				close_one(o);
				*bad = 0;
				rc = -EMFILE;
			}
		if (rc < 0)
			break;
		h->n++;
	}
	la->perf[la->nperf] = h;
	if (rc < 0) {
		for (unsigned i = 0; i < h->n; i++)
			close_one(&h->one[i]);
		free(h);
		return rc;
	}
	return (int)la->nperf++;
}

struct one_reader {
	struct linux_access *la;
	struct one *o;
};

static int
by_counter(void *ctx, uint32_t index, bool rdpmc, uint64_t *raw)
{
	const struct one_reader *r = ctx;

	return linux_counter(r->la, r->o->want.cpu, index, rdpmc, raw);
}

static uint64_t
linux_perf_by_tsc(void *ctx)
{
	const struct one_reader *r = ctx;

	return access_tsc(&r->la->acc);
}

/* Reads a group's times and counts with read(2); -ENODEV: it has left its CPU, or a pinned
 * one has lost its counters. */
static int
by_kernel(void *ctx, uint64_t *now)
{
	const struct one_reader *r = ctx;
	struct one *o = r->o;
	uint64_t buf[1 + PERF_CELLS];
	size_t size = (3 + o->want.n) * sizeof(buf[0]);
	ssize_t n = read(o->fd[0], buf, sizeof(buf));

	o->lost = n == 0 && o->want.pinned;
	/* nr, enabled, running, then the members in order of opening */
	if (n != (ssize_t)size || buf[0] != o->want.n)
		return -ENODEV;
	memcpy(now, buf + 1, (PERF_FIRST + o->want.n) * sizeof(buf[0]));
	return 0;
}

/* Reads what a group has counted into last; false: nothing can be read of it. */
static bool
linux_perf_read_one(struct linux_access *la, struct one *o)
{
	struct one_reader ctx = { la, o };
	const struct perf_reader by = { by_counter, linux_perf_by_tsc,
	    by_kernel, &ctx };
	uint64_t now[PERF_CELLS];
	int rc = o->page[0] != NULL ? perf_direct_read(&o->direct, o->page,
	    o->want.n, &by, now) : by_kernel(&ctx, now);

	/* offline, its times stand still */
	if (rc < 0 || (now[PERF_ENABLED] == o->last[PERF_ENABLED] &&
	    now[PERF_ENABLED] != 0))
		return false;
	memcpy(o->last, now, (PERF_FIRST + o->want.n) * sizeof(now[0]));
	o->seen_ns = clock_ns(CLOCK_MONOTONIC);
	return true;
}

/* The CPU may be back, or the counters that a pinned group had lost: it was
 * enabled all that time.  Allocates nothing but descriptors and their pages. */
static bool
reopen(struct linux_access *la, struct one *o)
{
	unsigned bad;

	for (unsigned k = 0; k < PERF_CELLS; k++) {
		o->base[k] += o->last[k];
		o->last[k] = 0;
	}
	close_one(o);
	if (open_one(la, o, &bad) < 0)
		return false;
	memset(&o->direct, 0, sizeof(o->direct));
	if (o->lost)
		o->base[PERF_ENABLED] += clock_ns(CLOCK_MONOTONIC) -
		    o->seen_ns;
	o->lost = false;
	return true;
}

static void
read_handle(struct linux_access *la, struct perf_handle *h)
{
	h->sum = (struct perf_sum){ .n = h->sum.n };
	for (unsigned i = 0; i < h->n; i++) {
		struct one *o = &h->one[i];
		uint64_t now[PERF_CELLS];

		o->gone = !((!o->gone || reopen(la, o)) &&
		    linux_perf_read_one(la, o));
		for (unsigned k = 0; k < PERF_CELLS; k++)
			now[k] = o->base[k] + o->last[k];
		perf_sum_add(&h->sum, &o->part, now, o->gone);
	}
}

int
linux_perf_read(struct linux_access *la, const struct reg_addr *addr,
    uint64_t *raw)
{
	struct perf_handle *h;

	if (addr->unit >= la->nperf)
		return -EINVAL;
	h = la->perf[addr->unit];
	if (addr->offset == PERF_ENABLED)
		read_handle(la, h);
	return perf_sum_get(&h->sum, addr->offset, raw);
}

static void
perf_drop(struct access *acc, unsigned handle)
{
	struct linux_access *la = (struct linux_access *)acc;
	struct perf_handle *h;

	if (handle + 1 != la->nperf)
		return;
	h = la->perf[--la->nperf];
	for (unsigned k = 0; k < h->n; k++)
		close_one(&h->one[k]);
	free(h);
}

const char *
linux_perf_note(struct linux_access *la)
{
	unsigned n = 0, direct = 0;

	for (unsigned i = 0; i < la->nperf; i++)
		for (unsigned k = 0; k < la->perf[i]->n; k++) {
			n++;
			direct += la->perf[i]->one[k].direct.trusted;
		}
	return la->direct ? perf_direct_text(direct, n, la->note,
	    sizeof(la->note)) : NULL;
}

static int
perf_direct(struct access *acc, const struct perf_msrs *msrs)
{
	struct linux_access *la = (struct linux_access *)acc;

	la->direct = true;
	la->msrs = *msrs;
	return 0;
}

const struct perf_ops linux_perf = { .open = perf_open, .drop = perf_drop,
	.direct = perf_direct };

void
linux_perf_close(struct linux_access *la)
{
	for (unsigned i = 0; i < la->nperf; i++) {
		for (unsigned k = 0; k < la->perf[i]->n; k++)
			close_one(&la->perf[i]->one[k]);
		free(la->perf[i]);
	}
	free(la->perf);
}
