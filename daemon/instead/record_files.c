/*
 * daemon/instead/record_files.c - files of the node as lines of a machine file.
 *
 * Only files of the folders below are recorded, and of these only what the simulated
 * machine would not have by itself.
 */
#include "daemon/instead/recorder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Folders (with / at the end) and files that do not identify the node. */
static const char *const told[] = {
	"/sys/devices/system/cpu/", "/sys/devices/system/node/",
	"/sys/bus/event_source/devices/", "/sys/bus/pci/devices/",
	"/sys/kernel/security/lockdown",
	"/sys/module/msr/parameters/allow_writes",
	"/proc/sys/kernel/nmi_watchdog", "/proc/sys/kernel/perf_event_paranoid",
	"/proc/cpuinfo", "/proc/iomem",
};

#define PORTS "/sys/class/infiniband/"

/* Files of which only the lines are recorded that begin with, or contain, a word. */
static const struct { const char *path, *word[6]; } lines[] = {
	{ "/proc/cpuinfo", { "CPU implementer", "CPU architecture",
	  "CPU variant", "CPU part", "CPU revision", "processor" } },
	{ "/proc/iomem", { " : System RAM", " : PCI MMCONFIG",
	  " : PCI ECAM" } },
};

static bool
is_told(const char *path)
{
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		size_t n = strlen(told[i]);

		if (told[i][n - 1] == '/' ? strncmp(path, told[i], n) == 0 :
		    strcmp(path, told[i]) == 0)
			return true;
	}
	return false;
}

/* Cuts out the other lines; returns the new size. */
static size_t
keep_lines(const char *path, char *text, size_t size)
{
	char *to = text, *next, *end = text + size;
	size_t i = 0;

	while (i < 2 && strcmp(lines[i].path, path) != 0)
		i++;
	for (char *p = text; i < 2 && p < end; p = next) {
		char *stop = memchr(p, '\n', (size_t)(end - p));
		bool keep = false;

		next = stop != NULL ? stop + 1 : end;
		for (unsigned k = 0; k < 6 && lines[i].word[k] != NULL; k++)
			keep |= memmem(p, (size_t)(next - p),
			    lines[i].word[k], strlen(lines[i].word[k])) != NULL;
		if (keep) {
			memmove(to, p, (size_t)(next - p));
			to += next - p;
		}
	}
	return i < 2 ? (size_t)(to - text) : size;
}

/* Does the machine of the text so far have the same file? */
static bool
said_already(struct access *so_far, const struct recorded_file *f, char *buf,
    size_t room)
{
	ssize_t n = f->link ? access_link(so_far, f->path, buf, room) :
	    access_file(so_far, f->path, 0, buf, room);

	if (f->error < 0)
		return n < 0;
	return n >= 0 && (size_t)n == f->size &&
	    memcmp(buf, f->text, f->size) == 0;
}

/* Can the text be a line: without control characters but \n and \t? */
static bool
fits_in_a_line(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] == '\\' || text[i] == 0x7f ||
		    ((unsigned char)text[i] < ' ' && text[i] != '\n' &&
		    text[i] != '\t'))
			return false;
	return true;
}

static void
put_file(struct recording *r, const struct recorded_file *f)
{
	size_t n = f->size;

	if (f->error < 0) {
		fprintf(r->out, "file %s none\n", f->path);
		return;
	}
	if (!fits_in_a_line(f->path, strlen(f->path)) ||
	    strpbrk(f->path, " \t\n#") != NULL ||
	    !fits_in_a_line(f->text, n)) {
		r->left_out++;
		return;
	}
	/* the machine ends it with one */
	n -= n > 0 && f->text[n - 1] == '\n';
	fprintf(r->out, "file %s = ", f->path);
	for (size_t i = 0; i < n; i++)
		if (f->text[i] == '\n' || f->text[i] == '\t')
			fputs(f->text[i] == '\n' ? "\\n" : "\\t", r->out);
		else
			fputc(f->text[i], r->out);
	fputc('\n', r->out);
}

/* A number in a file that was sampled: a counter of a network port. */
static void
record_files_put_number(struct recording *r, const struct recorded *e)
{
	const char *path = e->addr.unit < r->kept->ntext ?
	    r->kept->text[e->addr.unit] : NULL;
	char body[1024];

	if (path == NULL || e->error < 0)
		return;
	if (!is_told(path) && strncmp(path, PORTS, strlen(PORTS)) != 0) {
		r->left_out++;
		return;
	}
	record_body(r, e, body, sizeof(body));
	fprintf(r->out, "file %s %s\n", path, body);
}

int
record_files(struct recording *r, struct access *so_far)
{
	struct recorder *k = r->kept;
	struct recorded_file **f = recorder_sorted(k);
	size_t room = 1 << 20;
	char *buf = malloc(room);
	bool arm = r->node->topo.cpu.midr != 0;

	if (f == NULL || buf == NULL) {
		free(f);
		free(buf);
		return -ENOMEM;
	}
	fputs("\n# Files\n", r->out);
	for (unsigned i = 0; i < k->nfile; i++) {
		if (!is_told(f[i]->path)) {
			r->left_out += f[i]->error == 0;
			continue;
		}
		/* what tallyd looks for in it, its own lines give */
		if (strcmp(f[i]->path, "/proc/cpuinfo") == 0 && !arm)
			continue;
		f[i]->size = keep_lines(f[i]->path, f[i]->text, f[i]->size);
		if (!said_already(so_far, f[i], buf, room))
			put_file(r, f[i]);
	}
	for (unsigned i = 0; i < k->nreg; i++)
		if (k->reg[i].addr.space == REG_TEXT)
			record_files_put_number(r, &k->reg[i]);
	free(f);
	free(buf);
	return 0;
}
