/*
 * daemon/journal.c - what the machine's registers were, on disk before the
 * first of them is changed.
 */
#include "daemon/journal.h"

#include "daemon/check.h"
#include "daemon/program.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEAD "tallyd-journal 1\n"
#define BOOT_ID "/proc/sys/kernel/random/boot_id"

static const struct { const char *name; uint8_t space; } spaces[] = {
	{ "msr", REG_MSR }, { "pci", REG_PCI }, { "mmio", REG_MMIO },
	{ "sideband", REG_SIDEBAND },
};
#define NSPACES (sizeof(spaces) / sizeof(spaces[0]))

static const char *
space_name(uint8_t space)
{
	for (size_t i = 0; i < NSPACES; i++)
		if (spaces[i].space == space)
			return spaces[i].name;
	return "none";
}

static long
pid_of(FILE *f)
{
	char line[256];
	long pid = 0;

	rewind(f);
	while (pid == 0 && fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "pid %ld", &pid) != 1)
			pid = 0;
	return pid;
}

/* This boot's id, "" where the kernel tells none. */
static void
boot_of(struct access *acc, char id[64])
{
	if (access_slurp(acc, BOOT_ID, id, 64) < 0)
		id[0] = '\0';
	id[strcspn(id, "\n")] = '\0';
}

/* Was it written before the machine was started again, or on another one? */
static bool
of_another_boot(FILE *f, struct access *acc)
{
	char line[512], boot[64], then[64] = "";

	boot_of(acc, boot);
	rewind(f);
	while (then[0] == '\0' && fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "boot %63s", then) != 1)
			then[0] = '\0';
	return then[0] != '\0' && boot[0] != '\0' && strcmp(then, boot) != 0;
}

/* Is this what the path leads to? */
static bool
is_at(int fd, const char *path)
{
	struct stat ours, there;

	return fstat(fd, &ours) == 0 && lstat(path, &there) == 0 &&
	    ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

/* Never emptied or removed, whatever the command line says. */
static int
no_journal(const char *path, struct diag *why)
{
	return diag_set(why, -EINVAL, "%s is a file of another kind: name "
	    "another with --journal", path);
}

static int
other_daemon(FILE *f, struct diag *why)
{
	long pid = pid_of(f);

	/* a kill of 0 would hit whoever types it */
	return pid <= 0 ? diag_set(why, -EBUSY, "another tallyd is starting on "
	    "this node") : diag_set(why, -EBUSY, "another tallyd (pid %ld) is "
	    "sampling this node; stop it with kill -CONT %ld", pid, pid);
}

static int
no_place(const char *path, int error, struct diag *why)
{
	return diag_set(why, -error, "journal %s: %s; name another place with "
	    "--journal", path, strerror(error));
}

/* Open and lock; -EBUSY when a living daemon holds it. */
static int
try_locked(const char *path, int flags, FILE **f, struct diag *why)
{
	int fd = open(path, flags | O_RDWR | O_NOFOLLOW | O_CLOEXEC, 0600);
	struct stat sb;

	if (fd < 0 && !(flags & O_CREAT))
		return diag_set(why, -errno, "journal %s: %s%s", path,
		    strerror(errno), errno == EACCES ? "; run tallyd as root" :
		    "");
	if (fd < 0)
		return no_place(path, errno, why);
	if (fstat(fd, &sb) < 0 || !S_ISREG(sb.st_mode)) {
		close(fd);
		return no_journal(path, why);
	}
	if ((*f = fdopen(fd, "r+")) == NULL) {
		close(fd);
		return diag_set(why, -ENOMEM, "out of memory");
	}
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		other_daemon(*f, why);
		fclose(*f);
		return -EBUSY;
	}
	if (!is_at(fd, path)) {
		fclose(*f);
		return -EAGAIN;
	}
	return 0;
}

/* The file that was opened may be one that its daemon was about to remove: the
 * lock of that would keep nobody away. */
static int
open_locked(const char *path, int flags, FILE **f, struct diag *why)
{
	int rc;

	do
		rc = try_locked(path, flags, f, why);
	while (rc == -EAGAIN);
	return rc;
}

/* Does the file end with `end N`?  Returns N, or -1 for a journal that does
 * not, -2 for a file that is none. */
static long
ended(FILE *f)
{
	char line[512];
	long n = -1;

	rewind(f);
	if (fgets(line, sizeof(line), f) == NULL)
		return -1;
	if (strcmp(line, HEAD) != 0)    /* or the beginning of it */
		return strncmp(line, HEAD, strlen(line)) == 0 ? -1 : -2;
	while (fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "end %ld\n", &n) != 1)
			n = -1;
	return n;
}

/* May a daemon take it that has the lock? */
static int
acceptable(FILE *f, const char *path, struct access *acc, struct diag *why)
{
	long n = ended(f);

	if (n == -2)
		return no_journal(path, why);
	return n <= 0 || of_another_boot(f, acc) ? 0 : diag_set(why, -EBUSY,
	    "a tallyd that died left registers changed: `tallyd --restore` "
	    "puts them back (journal %s)", path);
}

/* All that it holds from now on: on disk, or -errno. */
static int
replace(const struct journal *j, const char *text, size_t size,
    struct diag *why)
{
	errno = ENOSPC;         /* for a write that ends early */
	return ftruncate(j->fd, 0) == 0 &&
	    pwrite(j->fd, text, size, 0) == (ssize_t)size &&
	    fsync(j->fd) == 0 ? 0 : diag_set(why, -errno, "journal %s: %s",
	    j->path, strerror(errno));
}

int
journal_open(struct journal *j, const char *path, struct access *acc,
    struct diag *why)
{
	char head[64];
	FILE *f;
	int rc, n = snprintf(head, sizeof(head), HEAD "pid %d\n", getpid());

	snprintf(j->path, sizeof(j->path), "%s", path);
	j->written = false;
	if ((rc = open_locked(path, O_CREAT, &f, why)) < 0)
		return rc;
	if ((rc = acceptable(f, path, acc, why)) < 0) {
		fclose(f);
		return rc;
	}
	j->fd = fcntl(fileno(f), F_DUPFD_CLOEXEC, 0);
	if (j->fd < 0)
		rc = diag_set(why, -errno, "journal %s: %s", path,
		    strerror(errno));
	fclose(f);              /* the lock lives as long as any duplicate */
	if (rc == 0 && (rc = replace(j, head, (size_t)n, why)) < 0)
		journal_done(j);
	return rc;
}

int
journal_look(const char *path, struct access *acc, struct diag *why)
{
	int rc, fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
	    O_CLOEXEC);
	struct stat sb;
	FILE *f;

	if (fd < 0)
		return errno == ENOENT ? 0 : no_place(path, errno, why);
	if (fstat(fd, &sb) < 0 || !S_ISREG(sb.st_mode)) {
		close(fd);
		return no_journal(path, why);
	}
	if ((f = fdopen(fd, "r")) == NULL) {
		close(fd);
		return diag_set(why, -ENOMEM, "out of memory");
	}
	rc = flock(fd, LOCK_SH | LOCK_NB) < 0 ? other_daemon(f, why) :
	    acceptable(f, path, acc, why);
	fclose(f);
	return rc;
}

int
journal_write(struct journal *j, const struct node *node, struct diag *why)
{
	const struct plan *plan = &node->plan;
	char text[128], boot[64], *buf = NULL;
	size_t size = 0;
	unsigned n = 0;
	FILE *f;
	int rc = 0;

	if (j->fd < 0)
		return 0;
	if ((f = open_memstream(&buf, &size)) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	boot_of(node->acc, boot);
	fprintf(f, HEAD "pid %d\n", getpid());
	if (boot[0] != '\0')
		fprintf(f, "boot %s\n", boot);
	for (unsigned i = 0; i < plan->nwrite; i++) {
		const struct plan_write *w = &plan->write[i];

		if (w->new == w->old && !w->rotates)
			continue;
		fprintf(f, "%s %u 0x%" PRIx64 " %u 0x%" PRIx64 " 0x%" PRIx64
		    " 0x%" PRIx64 " %d %s\n", space_name(w->addr.space),
		    w->addr.unit, w->addr.offset, w->addr.bytes, w->old,
		    w->new, program_owned(w), w->pkg < 0 ? -1 :
		    node->topo.pkg[w->pkg].id, plan_write_text(w, text,
		    sizeof(text)));
		n++;
	}
	fprintf(f, "end %u\n", n);
	if (fclose(f) != 0)
		rc = -ENOMEM;
	rc = rc < 0 ? diag_set(why, rc, "out of memory") :
	    replace(j, buf, size, why);
	free(buf);
	j->written = rc == 0;
	return rc;
}

void
journal_done(struct journal *j)
{
	if (j->fd < 0)
		return;
	if (is_at(j->fd, j->path))
		unlink(j->path);        /* rights for it may be gone */
	if (ftruncate(j->fd, 0) == 0)
		fsync(j->fd);
	close(j->fd);
	j->fd = -1;
}

static bool
in_space(const struct reg_addr *a, const struct reg_addr *b)
{
	return a->space == b->space && a->unit == b->unit &&
	    a->offset == b->offset;
}

/* Is addr a control register of this unit, and as wide as it is? */
static bool
unit_owns(const struct unit *u, const struct reg_addr *addr,
    const struct topo *topo)
{
	const struct box_type *t = u->type;
	struct { uint32_t reg; unsigned bytes; }
	    regs[MAX_COUNTERS + MAX_FILTERS + 2];
	unsigned n = 0;

	for (unsigned c = 0; c < t->counters; c++, n++) {
		regs[n].reg = t->ctl + c * t->ctl_step;
		regs[n].bytes = t->ctl_step >= 8 ? 8 : 4;
	}
	for (unsigned f = 0; f < MAX_FILTERS && t->filter[f].name; f++, n++) {
		regs[n].reg = t->filter[f].reg;
		regs[n].bytes = 4;
	}
	if (t->fixed_ctl != 0) {
		regs[n].reg = t->fixed_ctl;
		regs[n++].bytes = 4;
	}
	if (t->box_ctl != 0) {
		regs[n].reg = t->box_ctl;
		regs[n++].bytes = 4;
	}
	for (unsigned i = 0; i < n; i++) {
		struct reg_addr own = unit_addr(u, regs[i].reg,
		    addr->space == REG_MSR ? 8 : regs[i].bytes);

		/* an MSR of a package may have been written through another
		 * of its lprocs */
		if (own.space == REG_MSR && addr->space == REG_MSR &&
		    addr->unit < topo->nlproc &&
		    topo->lproc[addr->unit].pkg == u->pkg)
			own.unit = addr->unit;
		if (in_space(&own, addr) && own.bytes == addr->bytes)
			return true;
	}
	return false;
}

/* Only what the tables name may be written, whatever a file says.  absent: the
 * box that it would be, were that there; or NULL. */
static bool
table_names(const struct reg_addr *addr, const struct topo *topo,
    const struct inventory *inv, const struct unit **absent)
{
	const struct model *m = topo->model;

	*absent = NULL;
	for (unsigned i = 0; i < inv->n; i++) {
		if (!unit_owns(&inv->unit[i], addr, topo))
			continue;
		if (inv->unit[i].present)
			return true;
		*absent = &inv->unit[i];
	}
	if (m == NULL || addr->space != REG_MSR || addr->bytes != 8 ||
	    addr->unit >= topo->nlproc)
		return false;
	for (unsigned c = 0; m->core != NULL && c < m->core->counters; c++)
		if (addr->offset == m->core->ctl + c * m->core->ctl_step)
			return true;
	for (unsigned f = 0; m->core != NULL && f < MAX_FILTERS; f++)
		if (m->core->filter[f].name != NULL &&
		    addr->offset == m->core->filter[f].reg)
			return true;
	return addr->offset == MSR_FIXED_CTR_CTRL ||
	    addr->offset == MSR_PERF_GLOBAL_CTRL ||
	    (m->global_ctl != 0 && addr->offset == m->global_ctl);
}

/* A package's register may be asked for through any of its lprocs; one of an
 * lproc that is offline is out of reach. */
static int
find_lproc(struct reg_addr *addr, int pkg_id, const struct topo *topo,
    struct diag *why)
{
	unsigned l = addr->unit;

	if (addr->space != REG_MSR || l >= topo->nlproc ||
	    topo->lproc[l].online)
		return 0;
	for (unsigned p = 0; p < topo->npkg && pkg_id >= 0; p++)
		if (topo->pkg[p].id == pkg_id) {
			addr->unit = topo->pkg[p].first_lproc;
			return 0;
		}
	return diag_set(why, -ENXIO, "lproc %u is offline: `echo 1 > "
	    "/sys/devices/system/cpu/cpu%u/online`, then --restore again", l,
	    l);
}

/* One line of the journal: 1 restored, 0 nothing to do, or -errno.  Of one that
 * has no end: only what holds the value that we write. */
static int
restore_line(const char *line, bool whole, const struct node *node,
    struct diag *why)
{
	struct access *acc = node->acc;
	struct reg_addr addr = { .space = REG_NONE };
	const struct unit *u;
	uint64_t old, new, mask, now;
	unsigned bytes;
	char space[16];
	int rc, pkg_id = -1;

	if (sscanf(line, "%15s %u %" SCNx64 " %u %" SCNx64 " %" SCNx64
	    " %" SCNx64 " %d", space, &addr.unit, &addr.offset, &bytes, &old,
	    &new, &mask, &pkg_id) < 7)
		return diag_set(why, -EINVAL, "a damaged line of the journal: "
		    "%s", line);
	for (size_t i = 0; i < NSPACES; i++)
		if (strcmp(spaces[i].name, space) == 0)
			addr.space = spaces[i].space;
	addr.bytes = bytes == 4 || bytes == 8 ? (uint8_t)bytes : 0;
	if ((rc = find_lproc(&addr, pkg_id, &node->topo, why)) < 0)
		return rc;
	if (!table_names(&addr, &node->topo, &node->inv, &u))
		return diag_set(why, -EPERM, "the journal names a register "
		    "that is none of this node's counters%s%s%s: %s",
		    u != NULL ? " (its box is absent: " : "",
		    u != NULL ? u->reason : "", u != NULL ? ")" : "", line);
	if ((rc = access_read(acc, &addr, &now)) < 0)
		return diag_set(why, rc, "%s: %s", line, strerror(-rc));
	if (((now ^ old) & mask) == 0 || (!whole && ((now ^ new) & mask) != 0))
		return 0;
	if ((rc = access_write(acc, &addr, (now & ~mask) | (old & mask))) < 0)
		return diag_set(why, rc, "%s: %s", line, strerror(-rc));
	/* mask 0: a command, not a value; nothing to verify */
	if ((rc = access_read(acc, &addr, &now)) < 0 || ((now ^ old) & mask))
		return diag_set(why, -EIO, "does not keep its old value: %s",
		    line);
	return 1;
}

/* Can its registers be reached at all?  Better one reason than one a line. */
static int
reachable(FILE *f, const struct node *node, struct diag *why)
{
	char line[512];
	bool msr = false;

	rewind(f);
	while (!msr && fgets(line, sizeof(line), f) != NULL)
		msr = strncmp(line, "msr ", 4) == 0;
	return msr ? check_msr(node, why) : 0;
}

int
journal_restore(const char *path, const struct node *node, bool force,
    struct diag *why)
{
	struct diag first = { "" }, each;
	char line[512];
	int rc, n = 0, failed = 0;
	struct journal j = { .fd = -1 };
	long end, lines = 0;
	FILE *f;

	if ((rc = open_locked(path, 0, &f, why)) < 0)
		return rc == -ENOENT ? diag_set(why, rc, "no journal at %s: "
		    "no tallyd left registers changed", path) : rc;
	if ((end = ended(f)) == -2) {
		fclose(f);
		return no_journal(path, why);
	}
	if (end > 0 && !force && of_another_boot(f, node->acc)) {
		fclose(f);
		return diag_set(why, -ESTALE, "%s was written before the last "
		    "boot, or on another machine: nothing is put back; remove "
		    "it, or insist with --force", path);
	}
	if (reachable(f, node, why) < 0) {
		fclose(f);
		return -EIO;
	}
	rewind(f);
	while (fgets(line, sizeof(line), f) != NULL) {
		if (strchr(line, '\n') == NULL || strcmp(line, HEAD) == 0 ||
		    strncmp(line, "pid ", 4) == 0 ||
		    strncmp(line, "boot ", 5) == 0 ||
		    strncmp(line, "end ", 4) == 0)
			continue;
		line[strcspn(line, "\n")] = '\0';
		lines++;
		rc = restore_line(line, end >= 0, node, &each);
		if (end >= 0 && rc < 0 && failed++ == 0)
			first = each;
		n += rc > 0;
	}
	if (failed > 0) {
		fclose(f);
		return diag_set(why, -EIO, "%d registers are not back: %s",
		    failed, first.text);
	}
	/* synced to disk before the first register was changed, so that
	 * somebody else has cut it */
	if (end < 0 ? n > 0 : lines != end) {
		fclose(f);
		return diag_set(why, -EIO, "lines of %s are missing: %d "
		    "registers are put back, others may still be changed; "
		    "remove it when they are looked after", path, n);
	}
	snprintf(j.path, sizeof(j.path), "%s", path);
	j.fd = fcntl(fileno(f), F_DUPFD_CLOEXEC, 0);
	fclose(f);
	journal_done(&j);
	return n;
}
