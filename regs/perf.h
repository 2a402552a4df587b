/*
 * regs/perf.h - counting through the kernel: PMUs as sysfs describes them, the
 * numbers that perf_event_open wants, and words for what it answers.
 *
 * A PERF address: its unit is a handle of access_perf_open.  Offset 0 is the time
 * that the group was enabled, offset 1 the time that it ran, both in ns.  For n
 * members, offset 2 + k is the count of member k and offset 2 + n + k an estimate
 * of it as if every group of the handle had run all the time.  A read of offset 0
 * reads the whole group by one system call; reads of other offsets return what
 * that call found.
 */
#ifndef REGS_PERF_H
#define REGS_PERF_H

#include "lib/diag.h"
#include "regs/access.h"

#define PMU_DIR "/sys/bus/event_source/devices"

/* The kernel's own types of events.  The types of PMUs are in sysfs and change from
 * boot to boot. */
enum {
	PERF_HARDWARE = 0, PERF_SOFTWARE = 1, PERF_HW_CACHE = 3, PERF_RAW = 4,
};

struct perf_attr {
	uint32_t type;
	uint64_t config[3];             /* config, config1, config2 */
	bool no_user, no_kernel;        /* do not count in this mode */
};

#define PERF_MEMBERS 16
#define PERF_HANDLES 65536      /* open at a time; -EDQUOT beyond */
enum { PERF_ENABLED, PERF_RUNNING, PERF_FIRST };

/* Events that are counted together on one CPU; the first leads. */
struct perf_group {
	unsigned cpu;
	unsigned n;
	struct perf_attr attr[PERF_MEMBERS];
	bool pinned;                    /* counted always, or -EBUSY */
};

#define PERF_CELLS (PERF_FIRST + PERF_MEMBERS)

/* One group of a handle at the last reading in which it ran. */
struct perf_part {
	uint64_t seen[PERF_CELLS];
	uint64_t scaled[PERF_MEMBERS];
	uint32_t rest[PERF_MEMBERS];    /* of a count, in 2^-32 */
};

/* The sum of a handle's groups. */
struct perf_sum {
	unsigned n;                     /* members of each group */
	bool gone;                      /* a group could not be read */
	bool never;                     /* one has never run */
	bool idle;                      /* one did not run since the last time */
	uint64_t value[PERF_FIRST + 2 * PERF_MEMBERS];
};

/*
 * perf_sum_add - add a group's times and counts since it was opened to the sum.
 *
 * Groups run for different shares of the time, so each is scaled by its own share,
 * from one reading to the next (reference perf-event 3.1 and 10.2).
 */
void perf_sum_add(struct perf_sum *, struct perf_part *, const uint64_t *now,
    bool gone);

/* perf_sum_get - the value at an offset of a PERF address.  0; -ENODEV where a group
 * could not be read; -ENODATA where a group has not run, so that nothing is known;
 * -EINVAL. */
int perf_sum_get(const struct perf_sum *, uint64_t offset, uint64_t *raw);

/*
 * Names of the kernel's generic events: hardware, cache, software.  The first 42
 * are those that collectd's intel_pmu plugin knows.
 */
struct perf_name {
	const char *name, *alias;       /* alias may be NULL */
	uint32_t type;
	uint64_t config;
	/* Control bits 15:0 of the architectural event of Intel's cores that is the
	 * same; 0: there is none. */
	uint16_t intel;
};

extern const struct perf_name perf_names[];     /* ends with name NULL */
#define PERF_NAMES_COLLECTD 42

/* The events by which the kernel puts something on a fixed counter: for a core's,
 * umask << 8 | event (reference perf-event 8.3); for a box's, a number that no event
 * has (UNCORE_FIXED_EVENT of Linux arch/x86/events/intel/uncore.h). */
#define PERF_CORE_FIXED 4
extern const uint16_t perf_core_fixed[PERF_CORE_FIXED];
#define PERF_BOX_FIXED 0xff

/* perf_named - a generic event by name or alias, in any case; or NULL. */
const struct perf_name *perf_named(const char *name);

/* A term of a PMU's format: the bits of one config word, lowest first. */
struct pmu_format {
	char name[32];
	unsigned word;                  /* 0 config, 1 config1, 2 config2 */
	uint64_t bits;
};

#define PMU_FORMATS 48

struct pmu {
	char name[64];
	uint32_t type;
	struct pmu_format format[PMU_FORMATS];
	unsigned nformat;
	/* Lists of CPUs from its files; "" where a file is missing. */
	char cpumask[4096];             /* one CPU for each unit */
	char cpus[4096];                /* a core PMU of some CPUs */
	char associated[4096];          /* the CPUs of a unit's socket */
	char wrong[128];                /* why it cannot be used; or "" */
	const struct box_type *box;     /* the box type whose list names its events,
	                                 * where sysfs does not; or NULL */
};

/* pmu_load - read what sysfs says of a PMU.  0 or -errno (-ENOENT: there is no such
 * PMU); pmu.wrong says what could not be understood. */
int pmu_load(struct pmu *, struct access *, const char *name);

/*
 * pmu_each - call each() for every PMU of a name, in the order of their numbers n:
 * "uncore_cha" and "cha" mean uncore_cha_0, uncore_cha_1 and so on; an exact name
 * means that PMU alone.  n is -1 where the PMU has no number.
 *
 * "uncore_iio" does not find uncore_iio_free_running_0.  Returns how many there are.
 */
unsigned pmu_each(struct access *, const char *name,
    void (*each)(void *ctx, const char *pmu, int n), void *ctx);

/* pmu_core - write the name of the cores' PMU into buf ("cpu", "cpu_core" or one of
 * Arm's) and return buf.  NULL with errno where sysfs could not be read; NULL with
 * errno 0 where the kernel shows no such PMU. */
const char *pmu_core(struct access *, char *buf, size_t size);

/* pmu_is_core - is a PMU of that name one of the cores? */
bool pmu_is_core(const char *name);

/* pmu_format_named - the format of that name, or NULL. */
const struct pmu_format *pmu_format_named(const struct pmu *, const char *name);

/* pmu_put - put value into the bits of a format, lowest first; -ERANGE where it does
 * not fit. */
int pmu_put(const struct pmu_format *, uint64_t value, struct perf_attr *);

/* pmu_bits - the bits of a config word that belong to any format. */
uint64_t pmu_bits(const struct pmu *, unsigned word);

/*
 * perf_explain - say for the user why access_perf_open failed, and what to do.
 *
 * rc     -errno
 * what   the event or group, for people
 * group  what was asked for, bad: the member that was refused
 * Returns rc.
 */
int perf_explain(struct access *, int rc, const char *what,
    const struct perf_group *group, unsigned bad, struct diag *why);

/* perf_type_name - the name of a type of events for messages: its PMU's, or that of
 * the kernel's own type. */
void perf_type_name(struct access *, uint32_t type, char *buf, size_t size);

/* perf_wants_admin - does this kernel require CAP_SYS_ADMIN where newer ones require
 * CAP_PERFMON?  So does Linux before 5.8, and some distributions' kernels with
 * perf_event_paranoid 3. */
bool perf_wants_admin(struct access *);

/* perf_check - may this process count system-wide at all?  0, or -errno with
 * what to do in why. */
int perf_check(struct access *, unsigned cpu, struct diag *why);

/*
 * Reading a group of perf events directly from its counters, without a system call.
 *
 * The page that an event's descriptor maps says which counter the event is on, what
 * to add to its value, and how long the event has been enabled and has run; a
 * sequence number tells whether the page changed meanwhile (the protocol is in Linux
 * include/uapi/linux/perf_event.h, struct perf_event_mmap_page).  Index 0 means that
 * the event is on no counter now.  Only the kernel writes the page.
 *
 * Direct reads are used only after one of them agreed with the kernel's own answer,
 * and until a page changes; then they are compared again.
 */

struct perf_event_mmap_page;
typedef const volatile struct perf_event_mmap_page *perf_page;

/* How the caller reads what a page refers to; each function is called with ctx and
 * returns 0 or -errno. */
struct perf_reader {
	/* The counter of that index, unextended.  rdpmc: the page allows that
	 * instruction on the event's own CPU. */
	int (*counter)(void *ctx, uint32_t index, bool rdpmc, uint64_t *raw);
	/* The TSC now. */
	uint64_t (*tsc)(void *ctx);
	/* Asks the kernel for the whole group: enabled, running, the counts. */
	int (*group)(void *ctx, uint64_t *now);
	void *ctx;
};

/* Whether direct reads of a group are to be trusted; zeroed at first. */
struct perf_direct {
	bool trusted;                   /* the last comparison agreed */
	uint8_t refused;                /* comparisons in a row that did not */
	uint32_t lock[PERF_MEMBERS];    /* sequence numbers at that time */
	uint64_t last[PERF_CELLS];      /* what was read last */
};

/*
 * perf_pages_read - read times and counts of the n events of a group by their pages.
 *
 * now    out: PERF_FIRST + n numbers: the first event's times, the counts of all
 * lock   out: [n] the pages' sequence numbers at that time
 * Returns 0; -ENODATA where an event is on no counter; -EAGAIN where the pages kept
 * changing; -ENOTSUP where a page lacks a field or has one that is not known here;
 * or the error of counter().
 */
int perf_pages_read(const perf_page *page, unsigned n,
    const struct perf_reader *, uint64_t *now, uint32_t *lock);

/* perf_direct_read - the same, but through the kernel where direct reads are not
 * trusted.  0, or -errno of the kernel's answer. */
int perf_direct_read(struct perf_direct *, const perf_page *page, unsigned n,
    const struct perf_reader *, uint64_t *now);

/* perf_direct_text - a line for --check: so many of n groups are read directly. */
const char *perf_direct_text(unsigned trusted, unsigned n, char *buf,
    size_t size);

/* MSRs of a core's counters: counter n is at general + n * step, fixed counter n at
 * fixed + n. */
struct perf_msrs {
	uint32_t general, step, fixed;
	unsigned ngeneral, nfixed;
};

/* perf_page_msr - the MSR of the counter that a page's index means, or 0. */
uint32_t perf_page_msr(const struct perf_msrs *, uint32_t index);

#endif
