/*
 * daemon/node/obstacle.c - what would keep registers from being read and
 * written here, and who else counts with them.
 */
#include "daemon/node/obstacle.h"

#include "daemon/node/program.h"
#include "lib/printable.h"
#include "regs/host.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Which other processes have counters open.
 *
 * A descriptor of perf_event_open is a link to "anon_inode:[perf_event]"
 * (proc_pid_fd(5)), one of the msr driver's to its device.
 */

struct holder_search {
	struct holders *found;
	struct access *acc;
	unsigned self, parent;  /* this process, and the one that started it; 0:
				 * not known */
	char name[32];          /* of this process */
	struct holder at;       /* whose descriptors are looked at */
};

static bool
is_pid(const char *name)
{
	return name[strspn(name, "0123456789")] == '\0' && strlen(name) < 10;
}

/* /dev/cpu/3/msr, /dev/cpu/3/msr_safe, /dev/cpu/msr_batch */
static bool
is_msr(const char *file)
{
	const char *last = strrchr(file, '/');

	return strncmp(file, "/dev/cpu/", 9) == 0 &&
	    strncmp(last, "/msr", 4) == 0;
}

static void
look_at_descriptor(void *ctx, const char *name)
{
	struct holder_search *s = ctx;
	char path[64], file[64];

	if (!is_pid(name))
		return;
	snprintf(path, sizeof(path), "/proc/%u/fd/%s", s->at.pid, name);
	if (access_link(s->acc, path, file, sizeof(file)) < 0)
		return;
	s->at.perf |= strcmp(file, "anon_inode:[perf_event]") == 0;
	s->at.msr |= is_msr(file);
}

/* Reads the parent from /proc/PID/stat: it follows the name in parentheses, which may
 * hold any character: "4711 (a) b) S 1 ...". */
static unsigned
parent_of(struct access *acc, unsigned pid)
{
	char path[64], text[512];
	const char *end;
	unsigned parent;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	if (access_slurp(acc, path, text, sizeof(text)) <= 0 ||
	    (end = strrchr(text, ')')) == NULL ||
	    sscanf(end + 1, " %*c %u", &parent) != 1)
		return 0;
	return parent;
}

static void
holders_name_of(struct access *acc, unsigned pid, char *buf, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%u/comm", pid);
	if (access_slurp(acc, path, buf, size) <= 0)
		snprintf(buf, size, "unknown");
	printable(buf);
}

/* Is it a child or grandchild of our parent: another sampler of the same service, or
 * its writer? */
static bool
is_service(const struct holder_search *s, const struct holder *h,
    unsigned parent)
{
	return strcmp(s->name, "tallyd-sampler") == 0 && strncmp(h->name,
	    "tallyd-", 7) == 0 && parent != 0 && (parent == s->parent ||
	    parent_of(s->acc, parent) == s->parent);
}

/* Is it one of ours: the writer, or the parent that waits for a daemon in the background
 * and has the same descriptors?  A `perf stat tallyd` is not. */
static bool
holders_is_ours(const struct holder_search *s, const struct holder *h)
{
	unsigned parent = parent_of(s->acc, h->pid);

	return s->self != 0 && (parent == s->self || is_service(s, h, parent) ||
	    (h->pid == s->parent && strcmp(h->name, s->name) == 0));
}

static void
look_at_process(void *ctx, const char *name)
{
	struct holder_search *s = ctx;
	struct holders *found = s->found;
	struct holder *h = &s->at;
	char path[64];

	if (!isdigit((unsigned char)name[0]) || !is_pid(name))
		return;
	*h = (struct holder){ .pid = (unsigned)strtoul(name, NULL, 10) };
	if (h->pid == s->self)
		return;
	snprintf(path, sizeof(path), "/proc/%u/fd", h->pid);
	access_list(s->acc, path, look_at_descriptor, s);
	if (!h->perf && !h->msr)
		return;
	holders_name_of(s->acc, h->pid, h->name, sizeof(h->name));
	if (holders_is_ours(s, h))
		return;
	if (found->n == MAX_HOLDERS)
		found->more++;
	else
		found->of[found->n++] = *h;
}

static int
by_pid(const void *a, const void *b)
{
	const struct holder *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

void
holders_find(struct holders *found, struct access *acc)
{
	struct holder_search s = { .found = found, .acc = acc };
	char self[16];

	*found = (struct holders){ .n = 0 };
	if (access_link(acc, "/proc/self", self, sizeof(self)) > 0) {
		s.self = (unsigned)strtoul(self, NULL, 10);
		s.parent = parent_of(acc, s.self);
		holders_name_of(acc, s.self, s.name, sizeof(s.name));
	}
	access_list(acc, "/proc", look_at_process, &s);
	qsort(found->of, found->n, sizeof(found->of[0]), by_pid);
}

const char *
holder_open(const struct holder *h)
{
	return h->perf && h->msr ? "perf_event, msr" : h->perf ?
	    "perf_event" : "msr";
}

const char *
holders_text(const struct holders *found, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (unsigned i = 0; i < found->n && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used,
		    "%s%s (pid %u: %s)", i > 0 ? ", " : "", found->of[i].name,
		    found->of[i].pid, holder_open(&found->of[i]));
	if (found->more > 0 && used < size)
		snprintf(buf + used, size - used, " and %u more", found->more);
	return buf;
}

/* Whether an lproc's MSRs can be read, as far as opening its device shows: what
 * is no device can be opened, and answers nothing. */
static int
obstacle_reach(const struct node *node, unsigned lproc)
{
	struct reg_addr tsc = { REG_MSR, 8, lproc, MSR_TSC };
	uint64_t raw;
	int rc = access_map(node->acc, &tsc);

	return rc < 0 ? rc : access_read(node->acc, &tsc, &raw);
}

int
obstacle_msr(const struct node *node, struct diag *why)
{
	struct reg_addr tsc = { REG_MSR, 8, topo_first(&node->topo), MSR_TSC };
	const struct access_ops *ops = node->acc->ops;
	uint64_t raw;
	int rc = access_read(node->acc, &tsc, &raw);

	/* Every lproc's device, while there is still the right to open it: any
	 * may have to read for its package when another goes offline. */
	for (unsigned l = 0; rc == 0 && ops->map != NULL &&
	    l < node->topo.nlproc; l++) {
		int met = node->topo.lproc[l].online ? obstacle_reach(node, l) :
		    0;

		node->topo.lproc[l].unreadable = met < 0 ? met : 0;
		if (met != -EMFILE)
			continue;
		tsc.unit = l;
		rc = met;
	}
	switch (rc) {
	case 0:
		return 0;
	case -ENOENT:
		return diag_set(why, rc, "/dev/cpu/%u/msr does not exist: "
		    "load the msr driver with `modprobe msr`", tsc.unit);
	case -ENXIO:
		return diag_set(why, rc, "/dev/cpu/%u/msr: no such device: "
		    "load the msr driver with `modprobe msr`", tsc.unit);
	case -EACCES:
		return diag_set(why, rc, "/dev/cpu/%u/msr: permission denied: "
		    "run tallyd as root", tsc.unit);
	case -EPERM:
		return diag_set(why, rc, "/dev/cpu/%u/msr: the kernel refuses "
		    "it: run tallyd with CAP_SYS_RAWIO (root outside a "
		    "container has it)", tsc.unit);
	case -EMFILE:
		return diag_set(why, rc, "/dev/cpu/%u/msr: too many open files:"
		    " raise the limit (ulimit -n), one is needed for each of "
		    "%u lprocs", tsc.unit, node->topo.nlproc);
	case -EIO:
		if (ops->simulated)
			return diag_set(why, rc, "the machine has no MSR 0x10, "
			    "the TSC of its lprocs: describe it, as in "
			    "`msr 0x10 lproc counter tsc bits=64`");
		/* fall through */
	default:
		return diag_set(why, rc, "/dev/cpu/%u/msr: %s", tsc.unit,
		    strerror(-rc));
	}
}

unsigned
obstacle_unreadable(const struct node *node, struct diag *why)
{
	const struct access_ops *ops = node->acc->ops;
	unsigned n = 0, first = 0;
	int rc, errnum = 0;

	for (unsigned l = 0; ops->map != NULL && l < node->topo.nlproc;
	    l++) {
		if (!node->topo.lproc[l].online)
			continue;
		/* an lproc that did not answer at discovery was left out, even
		 * if it answers by now */
		rc = node->topo.lproc[l].unreadable;
		if (rc == 0 && (rc = obstacle_reach(node, l)) == 0)
			continue;
		if (n++ == 0) {
			first = l;
			errnum = -rc;
		}
	}
	if (n > 0)
		diag_set(why, -errnum, "%u lproc%s online without an msr "
		    "device, and what is read there is absent: "
		    "/dev/cpu/%u/msr: %s", n, n == 1 ? " is" : "s are", first,
		    strerror(errnum));
	return n;
}

unsigned
obstacle_unseen(const struct node *node, struct diag *why)
{
	const struct inventory *inv = &node->inv;
	const struct unit *first = NULL;
	unsigned n = 0;

	for (unsigned i = 0; i < inv->n; i++) {
		const struct unit *u = &inv->unit[i];

		if (u->present || u->error == 0)
			continue;
		if (n++ == 0)
			first = u;
	}
	if (n > 0)
		diag_set(why, first->error, "%u box%s left out that may be "
		    "there and could not be looked at: %s %u of package %d: "
		    "%s (%s)", n, n == 1 ? " is" : "es are", first->type->name,
		    first->inst, node->topo.pkg[first->pkg].id, first->reason,
		    strerror(-first->error));
	return n;
}

unsigned
obstacle_frozen(const struct node *node, struct diag *why)
{
	char text[128];
	unsigned n = 0;

	for (unsigned i = 0; i < node->plan.nwrite; i++) {
		const struct plan_write *w = &node->plan.write[i];

		if (w->type == NULL && w->old == ABSENT && n++ == 0)
			diag_set(why, -EIO, "%s cannot be read, and is not "
			    "written: if another program has left all boxes "
			    "frozen by it, they count nothing",
			    plan_write_text(w, text, sizeof(text)));
	}
	return n;
}

int
obstacle_refusals(const struct node *node, struct diag *why)
{
	char buf[256];

	if (access_slurp(node->acc, "/sys/kernel/security/lockdown", buf,
	    sizeof(buf)) > 0 && strstr(buf, "[none]") == NULL)
		return diag_set(why, -EPERM, "the kernel is locked down (%s), "
		    "so registers cannot be written: switch Secure Boot off, "
		    "or boot without lockdown=", buf);
	if (access_slurp(node->acc, "/sys/module/msr/parameters/allow_writes",
	    buf, sizeof(buf)) > 0 && strcmp(buf, "off") == 0)
		return diag_set(why, -EPERM, "the msr driver refuses writes: "
		    "echo on > /sys/module/msr/parameters/allow_writes (or "
		    "boot with msr.allow_writes=on)");
	return 0;
}

int
obstacle_rights(const struct node *node, struct diag *why)
{
	char file[64], path[4096];
	bool asked[MAX_LPROCS] = { false };     /* an lproc's registers have one file */

	if (node->acc->ops->simulated)
		return 0;
	for (unsigned i = 0; i < node->plan.nwrite; i++) {
		const struct reg_addr *a = &node->plan.write[i].addr;

		if (a->space != REG_MSR || a->unit >= MAX_LPROCS ||
		    asked[a->unit])
			continue;
		asked[a->unit] = true;
		snprintf(file, sizeof(file), "/dev/cpu/%u/msr", a->unit);
		host_path(node->acc, file, path, sizeof(path));
		if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) < 0 &&
		    errno == EACCES)
			return diag_set(why, -EACCES, "/dev/cpu/%u/msr: no "
			    "right to write; run as root", a->unit);
	}
	return 0;
}

bool
obstacle_watchdog(const struct node *node)
{
	int64_t on;

	return access_number(node->acc, "/proc/sys/kernel/nmi_watchdog",
	    &on) == 0 && on != 0;
}

int
obstacle_in_use(const struct node *node, struct diag *why)
{
	char first[256], who[256];
	unsigned n = program_in_use(&node->plan, first, sizeof(first));
	struct holders found;

	if (n == 0)
		return 0;
	holders_find(&found, node->acc);
	holders_text(&found, who, sizeof(who));
	return diag_set(why, -EBUSY, "%u counter%s in use by somebody else: "
	    "%s (%s%s%s); --force takes them and gives them back at the end",
	    n, n == 1 ? " is" : "s are", first, who,
	    who[0] != '\0' && obstacle_watchdog(node) ? "; " : "",
	    obstacle_watchdog(node) ? "the NMI watchdog is on; `sysctl "
	    "kernel.nmi_watchdog=0` frees its counter, =1 afterwards" :
	    who[0] != '\0' ? "" : "perf, another tool, or one that died "
	    "without cleaning up");
}
