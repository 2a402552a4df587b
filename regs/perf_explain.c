/*
 * regs/perf_explain.c - explains the errors of perf_event_open.  Reference:
 * perf-event.md section 4.2.
 */
#include "regs/perf.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

static int64_t
paranoid(struct access *acc)
{
	int64_t level;

	return access_number(acc, "/proc/sys/kernel/perf_event_paranoid",
	    &level) < 0 ? 2 : level;
}

bool
perf_wants_admin(struct access *acc)
{
	int64_t last;

	return paranoid(acc) > 2 || (access_number(acc,
	    "/proc/sys/kernel/cap_last_cap", &last) == 0 && last < CAP_PERFMON);
}

struct type_search {
	struct access *acc;
	uint32_t type;
	char name[64];
};

static void
try_type(void *ctx, const char *dir)
{
	struct type_search *s = ctx;
	char path[256];
	int64_t type;

	snprintf(path, sizeof(path), PMU_DIR "/%.100s/type", dir);
	if (access_number(s->acc, path, &type) == 0 && type == s->type)
		snprintf(s->name, sizeof(s->name), "%.63s", dir);
}

void
perf_type_name(struct access *acc, uint32_t type, char *buf, size_t size)
{
	static const char *const kernels[] = { [PERF_HARDWARE] = "hardware",
	    [PERF_SOFTWARE] = "software", [PERF_HW_CACHE] = "cache",
	    [PERF_RAW] = "raw" };
	struct type_search s = { .acc = acc, .type = type };

	access_list(acc, PMU_DIR, try_type, &s);
	if (s.name[0] != '\0')
		snprintf(buf, size, "%s", s.name);
	else if (type < sizeof(kernels) / sizeof(kernels[0]) &&
	    kernels[type] != NULL)
		snprintf(buf, size, "%s", kernels[type]);
	else
		snprintf(buf, size, "type %u", type);
}

static int
explain_rights(struct access *acc, int rc, const char *what, struct diag *why)
{
	switch (rc) {
	case -EACCES:
		return diag_set(why, rc, "%s: not permitted: "
		    "/proc/sys/kernel/perf_event_paranoid is %" PRId64 "; "
		    "counting the whole node needs root, %s), or a level of "
		    "0 or less", what, paranoid(acc),
		    perf_wants_admin(acc) ? "CAP_SYS_ADMIN (setpriv "
		    "--ambient-caps +sys_admin" : "CAP_PERFMON (setpriv "
		    "--ambient-caps +perfmon");
	case -EPERM:
		return diag_set(why, rc, "%s: not permitted by the kernel (a "
		    "container's seccomp profile, or lockdown?)", what);
	default:
		return diag_set(why, rc, "%s: this kernel does not offer "
		    "perf_event_open (built without it, or a container's "
		    "seccomp profile)", what);
	}
}

static int
explain_limit(int rc, const char *what, struct diag *why)
{
	struct rlimit rl = { 0 };

	switch (rc) {
	case -EMFILE:
		getrlimit(RLIMIT_NOFILE, &rl);
		return diag_set(why, rc, "%s: the limit of %llu open files is "
		    "reached; each event needs one on each CPU: raise it with "
		    "ulimit -n, or LimitNOFILE= in a service", what,
		    (unsigned long long)rl.rlim_cur);
	case -ENFILE:
		return diag_set(why, rc, "%s: the system's file table is full: "
		    "raise fs.file-max (sysctl)", what);
	default:
		return diag_set(why, rc, "%s: more than %u groups of events, "
		    "which is all that tallyd has room for: put events into "
		    "groups, or count fewer of them, or on fewer lprocs "
		    "(cores)", what, PERF_HANDLES);
	}
}

/* Explains what a PMU cannot do with member `bad` of a group. */
static int
explain_event(struct access *acc, int rc, const char *what,
    const struct perf_group *g, unsigned bad, struct diag *why)
{
	static const struct perf_attr none = { 0 };
	const struct perf_attr *a = bad < g->n ? &g->attr[bad] : &none;
	char pmu[64], core[64];

	perf_type_name(acc, a->type, pmu, sizeof(pmu));
	switch (rc) {
	case -ENOENT:
		if ((a->type == PERF_HARDWARE || a->type == PERF_HW_CACHE ||
		    a->type == PERF_RAW) &&
		    pmu_core(acc, core, sizeof(core)) == NULL)
			return diag_set(why, rc, "%s: no hardware PMU is "
			    "visible, this is probably a virtual machine; "
			    "software events work (-c @software)", what);
		return diag_set(why, rc, "%s: not supported by this CPU or "
		    "PMU (%s)", what, pmu);
	case -EINVAL:
		return diag_set(why, rc, "%s: PMU %s rejects it (config=0x%"
		    PRIx64 ", config1=0x%" PRIx64 ", cpu %u; event %u of a "
		    "group of %u%s)", what, pmu, a->config[0], a->config[1],
		    g->cpu, bad + 1, g->n, bad > 0 ?
		    ", which may be more than fit its counters" : "");
	case -EBUSY:
		return diag_set(why, rc, "%s: PMU %s is in exclusive use by "
		    "another program", what, pmu);
	default:
		return diag_set(why, rc, "%s: PMU %s can only count, not as "
		    "asked here", what, pmu);
	}
}

int
perf_explain(struct access *acc, int rc, const char *what,
    const struct perf_group *g, unsigned bad, struct diag *why)
{
	switch (rc) {
	case -EACCES:
	case -EPERM:
	case -ENOSYS:
		return explain_rights(acc, rc, what, why);
	case -EMFILE:
	case -ENFILE:
	case -EDQUOT:
		return explain_limit(rc, what, why);
	case -ENOENT:
	case -EINVAL:
	case -EBUSY:
	case -EOPNOTSUPP:
		return explain_event(acc, rc, what, g, bad, why);
	case -ENODEV:
	case -ENXIO:
		return diag_set(why, rc, "%s: CPU %u is offline, or the PMU is "
		    "not available on it", what, g->cpu);
	case -E2BIG:
		return diag_set(why, rc, "%s: this kernel is too old for an "
		    "event with config2", what);
	default:
		return diag_set(why, rc, "%s: perf_event_open: %s", what,
		    strerror(-rc));
	}
}

int
perf_check(struct access *acc, unsigned cpu, struct diag *why)
{
	/* any system-wide event will do: the kernel checks rights first */
	struct perf_group g = { .cpu = cpu, .n = 1,
	    .attr = { { .type = PERF_SOFTWARE, .config = { 9, 0, 0 } } } };
	unsigned bad = 0;
	int rc;

	if (acc->ops->perf == NULL)
		return diag_set(why, -ENOTSUP, "this kind of machine (%s) has "
		    "no perf events", acc->ops->name);
	rc = access_perf_open(acc, &g, 1, &bad);
	/* too many open files is no matter of rights; the plan raises that limit */
	if (rc == -EMFILE)
		return 0;
	if (rc < 0)
		return perf_explain(acc, rc, "perf events", &g, bad, why);
	access_perf_drop(acc, (unsigned)rc);
	return 0;
}
