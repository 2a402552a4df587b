/*
 * daemon/run/provenance.c - the system that a dump is from, for its head.
 *
 * Files of /proc and /sys: proc(5), and the kernel's Documentation/ABI:
 * sysfs-devices-system-cpu (microcode, cpufreq, smt).
 */
#include "daemon/run/preamble.h"

#include "daemon/node/obstacle.h"
#include "daemon/node/program.h"

#include <stdio.h>
#include <string.h>

#define CPU "/sys/devices/system/cpu"
#define LONGEST 4096            /* of a kernel's command line */

/* Files of one line or one number each, and the key that it becomes. */
static const struct { enum head_key key; const char *path; } files[] = {
	{ HEAD_KERNEL, "/proc/sys/kernel/osrelease" },
	{ HEAD_KERNEL_BUILD, "/proc/sys/kernel/version" },
	{ HEAD_KERNEL_COMMAND_LINE, "/proc/cmdline" },
	{ HEAD_SMT, CPU "/smt/control" },
	{ HEAD_NMI_WATCHDOG, "/proc/sys/kernel/nmi_watchdog" },
	{ HEAD_PERF_EVENT_PARANOID, "/proc/sys/kernel/perf_event_paranoid" },
	{ HEAD_MSR_ALLOW_WRITES, "/sys/module/msr/parameters/allow_writes" },
	{ HEAD_KERNEL_TAINTED, "/proc/sys/kernel/tainted" },
	{ HEAD_CLOCK_SOURCE,
	  "/sys/devices/system/clocksource/clocksource0/current_clocksource" },
};

static void
put_files(struct head *h, struct access *acc)
{
	char text[LONGEST];
	int64_t n;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (head_row(files[i].key)->type == HEAD_TEXT) {
			if (access_slurp(acc, files[i].path, text,
			    sizeof(text)) > 0)
				head_put_text(h, files[i].key, ALONE, text);
		} else if (access_number(acc, files[i].path, &n) == 0) {
			head_put_int(h, files[i].key, ALONE, n);
		}
}

/* Reads a file of an lproc.  Returns its length; below 1: there is nothing. */
static int
provenance_of_lproc(struct access *acc, unsigned lproc, const char *name,
    char *buf, size_t size)
{
	char path[96];

	snprintf(path, sizeof(path), CPU "/cpu%u/%s", lproc, name);
	return access_slurp(acc, path, buf, size);
}

static void
put_microcode(struct head *h, const struct topo *topo, struct access *acc)
{
	bool declared = false;
	int64_t revision;
	char path[96];

	for (unsigned p = 0; p < topo->npkg; p++) {
		snprintf(path, sizeof(path), CPU "/cpu%u/microcode/version",
		    topo->pkg[p].first_lproc);
		if (access_number(acc, path, &revision) < 0)
			continue;
		if (!declared)
			head_put_table(h, HEAD_MICROCODE, ALONE, 0);
		declared = true;
		head_put_hex(h, HEAD_MICROCODE, AT(p), (uint64_t)revision);
	}
}

/* Is the word one of a list of words? */
static bool
provenance_has_word(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = list; *p != '\0'; p += *p == ' ') {
		size_t len = strcspn(p, " ");

		if (len == n && memcmp(p, word, n) == 0)
			return true;
		p += len;
	}
	return false;
}

/* The words that lprocs have in a file, each once: "performance powersave". */
static void
put_of_lprocs(struct head *h, enum head_key key, const char *name,
    const struct topo *topo, struct access *acc)
{
	char text[64], all[256] = "";

	for (unsigned l = 0; l < topo->nlproc; l++) {
		size_t used = strlen(all);

		if (!topo->lproc[l].online ||
		    provenance_of_lproc(acc, l, name, text,
		    sizeof(text)) <= 0 || provenance_has_word(all, text))
			continue;
		snprintf(all + used, sizeof(all) - used, "%s%s",
		    used > 0 ? " " : "", text);
	}
	if (all[0] != '\0')
		head_put_text(h, key, ALONE, all);
}

/* The cpufreq driver and governors; without a driver there is no governor. */
static void
put_cpufreq(struct head *h, const struct topo *topo, struct access *acc)
{
	char driver[64];

	if (provenance_of_lproc(acc, topo_first(topo), "cpufreq/scaling_driver",
	    driver, sizeof(driver)) <= 0)
		return;
	head_put_text(h, HEAD_CPUFREQ_DRIVER, ALONE, driver);
	put_of_lprocs(h, HEAD_CPUFREQ_GOVERNOR, "cpufreq/scaling_governor",
	    topo, acc);
}

/* Of "none [integrity] confidentiality" the word in brackets. */
static void
put_lockdown(struct head *h, struct access *acc)
{
	char text[128], *from, *to;

	if (access_slurp(acc, "/sys/kernel/security/lockdown", text,
	    sizeof(text)) <= 0 || (from = strchr(text, '[')) == NULL ||
	    (to = strchr(from, ']')) == NULL)
		return;
	*to = '\0';
	head_put_text(h, HEAD_LOCKDOWN, ALONE, from + 1);
}

/* Which processes have counters open, and which of theirs were taken. */
static void
put_holders(struct head *h, const struct plan *plan, struct access *acc)
{
	struct holders found;
	char first[256];
	unsigned taken = program_in_use(plan, first, sizeof(first));

	holders_find(&found, acc);
	if (found.n > 0)
		for (enum head_key key = HEAD_PMU_HOLDER;
		    key <= HEAD_PMU_HOLDER_OPEN; key++)
			head_put_table(h, key, ALONE, 0);
	for (unsigned i = 0; i < found.n; i++) {
		const struct holder *x = &found.of[i];

		head_put_text(h, HEAD_PMU_HOLDER, AT(i), x->name);
		head_put_int(h, HEAD_PMU_HOLDER_PID, AT(i), x->pid);
		head_put_text(h, HEAD_PMU_HOLDER_OPEN, AT(i), holder_open(x));
	}
	if (taken == 0)
		return;
	head_put_int(h, HEAD_COUNTERS_TAKEN, ALONE, taken);
	head_put_text(h, HEAD_COUNTERS_TAKEN_FIRST, ALONE, first);
}

/* TIME_OK to TIME_ERROR of adjtimex(2) */
static void
provenance_put_time(struct head *h, struct access *acc)
{
	static const char *const state[] = { "synchronised",
		"leap second to be inserted", "leap second to be deleted",
		"leap second in progress", "leap second has occurred",
		NTP_UNSYNCHRONISED };
	struct clock_state kept;

	if (access_clock(acc, &kept) < 0 || kept.state < 0 || kept.state > 5)
		return;
	head_put_text(h, HEAD_NTP_STATE, ALONE, state[kept.state]);
	head_put_real(h, HEAD_NTP_ERROR, ALONE, (double)kept.error_us / 1e6);
	head_put_real(h, HEAD_NTP_MAX_ERROR, ALONE,
	    (double)kept.max_error_us / 1e6);
}

void
provenance_put(struct head *h, const struct plan *plan,
    const struct topo *topo, struct access *acc)
{
	put_files(h, acc);
	put_microcode(h, topo, acc);
	put_cpufreq(h, topo, acc);
	put_lockdown(h, acc);
	put_holders(h, plan, acc);
	provenance_put_time(h, acc);
}
