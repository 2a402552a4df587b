/*
 * regs/perf.h - counting through the kernel: PMUs as sysfs describes them, the
 * numbers that perf_event_open wants, and words for what it answers.
 *
 * A PERF address: unit is a handle of access_perf_open, offset 0 the time its
 * group was enabled and offset 1 the time it ran, both in ns; offset 2 + k is
 * the count of member k, and 2 + n + k, of n members, what that would be if every
 * group of the handle had run all the time.  Reading offset 0 reads the whole
 * group, the others show what that reading found: read in order, a group is one
 * system call.
 */
#ifndef REGS_PERF_H
#define REGS_PERF_H

#include "regs/access.h"
#include "regs/diag.h"

#define PMU_DIR "/sys/bus/event_source/devices"

/* Types of the kernel's own; a PMU's number is in its directory and changes
 * from boot to boot. */
enum {
	PERF_HARDWARE = 0, PERF_SOFTWARE = 1, PERF_HW_CACHE = 3, PERF_RAW = 4,
};

struct perf_attr {
	uint32_t type;
	uint64_t config[3];             /* config, config1, config2 */
	bool no_user, no_kernel;        /* leave out what runs there */
};

#define PERF_MEMBERS 16
#define PERF_HANDLES 65536      /* that can be open; -EDQUOT beyond */
enum { PERF_ENABLED, PERF_RUNNING, PERF_FIRST };

/* Events that are counted together on one CPU; the first leads. */
struct perf_group {
	unsigned cpu;
	unsigned n;
	struct perf_attr attr[PERF_MEMBERS];
	bool pinned;                    /* counted always, or -EBUSY */
};

#define PERF_CELLS (PERF_FIRST + PERF_MEMBERS)

/* One of the groups of a handle, as of when it was last seen to run. */
struct perf_part {
	uint64_t seen[PERF_CELLS];
	uint64_t scaled[PERF_MEMBERS];
	uint32_t rest[PERF_MEMBERS];    /* of a count, in 2^-32 */
};

/* What a handle shows: its groups added up. */
struct perf_sum {
	unsigned n;                     /* members of each group */
	bool gone;                      /* a group could not be read */
	bool never;                     /* one has never run */
	bool idle;                      /* one did not run since the last time */
	uint64_t value[PERF_FIRST + 2 * PERF_MEMBERS];
};

/*
 * perf_sum_add - a group's times and counts since it was opened into the sum.
 *
 * Parts that ran for different shares of the time are scaled one by one, from
 * one reading to the next (reference perf-event 3.1 and 10.2).
 */
void perf_sum_add(struct perf_sum *, struct perf_part *, const uint64_t *now,
    bool gone);

/* perf_sum_get - what is shown at an offset.  0; -ENODEV, where not all of it
 * is there; -ENODATA, where 0 would be a lie; -EINVAL. */
int perf_sum_get(const struct perf_sum *, uint64_t offset, uint64_t *raw);

/*
 * Names of the kernel's own events: hardware, cache, software.  The first 42
 * are those that collectd's intel_pmu plugin knows.
 */
struct perf_name {
	const char *name, *alias;       /* alias may be NULL */
	uint32_t type;
	uint64_t config;
	/* The same on Intel's cores, where the architecture names one: control
	 * bits 15:0, and 0 where there is none. */
	uint16_t intel;
};

extern const struct perf_name perf_names[];     /* ends with name NULL */
#define PERF_NAMES_COLLECTD 42

/* The fixed counters as configs: those of a core by the events that each has,
 * umask << 8 | event (reference perf-event 8.3); that of a box by an event that
 * is nothing else (UNCORE_FIXED_EVENT of Linux arch/x86/events/intel/uncore.h).
 */
#define PERF_CORE_FIXED 4
extern const uint16_t perf_core_fixed[PERF_CORE_FIXED];
#define PERF_BOX_FIXED 0xff

/* perf_named - by name or alias, case ignored; or NULL. */
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
	/* Where it counts, as lists of CPUs; "" where there is no such file. */
	char cpumask[4096];             /* one CPU for each unit */
	char cpus[4096];                /* a core PMU of some CPUs */
	char associated[4096];          /* the CPUs of a unit's socket */
	char wrong[128];                /* why it cannot be used; or "" */
	const struct box_type *box;     /* whose table has names of events, where
	                                 * sysfs has none; NULL: no table's */
};

/* pmu_load - what sysfs says of a PMU; 0 or -errno (-ENOENT: there is none),
 * with words in its `wrong` where some of it cannot be understood. */
int pmu_load(struct pmu *, struct access *, const char *name);

/*
 * pmu_each - call each() for every PMU of a name, by its number: uncore_cha
 * is uncore_cha_0, uncore_cha_1 ...; an exact name is that one alone, and
 * "cha" finds uncore_cha too.  n is -1 where the name has no number.
 *
 * uncore_iio does not find uncore_iio_free_running_0.  Returns how many.
 */
unsigned pmu_each(struct access *, const char *name,
    void (*each)(void *ctx, const char *pmu, int n), void *ctx);

/* pmu_core - the PMU of the cores: "cpu", "cpu_core" or an Arm one; its name
 * in buf, or NULL: errno says why it could not be looked for; 0: the kernel
 * shows none. */
const char *pmu_core(struct access *, char *buf, size_t size);

/* pmu_is_core - is a PMU of that name one of the cores? */
bool pmu_is_core(const char *name);

/* pmu_format_named - or NULL. */
const struct pmu_format *pmu_format_named(const struct pmu *, const char *name);

/* pmu_put - deposit value in the bits of a format, lowest first; -ERANGE when
 * it does not fit. */
int pmu_put(const struct pmu_format *, uint64_t value, struct perf_attr *);

/* pmu_bits - every bit of a config word that some format has. */
uint64_t pmu_bits(const struct pmu *, unsigned word);

/*
 * perf_explain - the words that an answer of access_perf_open deserves.
 *
 * rc     -errno
 * what   the event or group, for people
 * group  what was asked for, bad: the member that was refused
 * Returns rc.
 */
int perf_explain(struct access *, int rc, const char *what,
    const struct perf_group *group, unsigned bad, struct diag *why);

/* perf_type_name - what a type of events is called, for messages: its PMU, or the
 * kernel's own kind. */
void perf_type_name(struct access *, uint32_t type, char *buf, size_t size);

/* perf_wants_admin - does this kernel ask for CAP_SYS_ADMIN where others ask for
 * CAP_PERFMON: before Linux 5.8, and some distributions' at level 3? */
bool perf_wants_admin(struct access *);

/* perf_check - may this process count system-wide at all?  0, or -errno with
 * what to do in why. */
int perf_check(struct access *, unsigned cpu, struct diag *why);

#endif
