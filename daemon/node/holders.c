/*
 * daemon/node/holders.c - which other processes have counters open.
 *
 * A descriptor of perf_event_open is a link to "anon_inode:[perf_event]"
 * (proc_pid_fd(5)), one of the msr driver's to its device.
 */
#include "daemon/node/holders.h"

#include "lib/printable.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
