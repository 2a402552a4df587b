/*
 * daemon/node/journal_file.c - the journal as a file: whose it is, and in what
 * state its daemon left it.
 */
#include "daemon/node/journal.h"

#include "config/folder.h"
#include "lib/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* How long the process that writes registers may take to put them back. */
#define RESTORING_MS 10000
#define BOOT_ID "/proc/sys/kernel/random/boot_id"

static const struct { const char *name; uint8_t space; } spaces[] = {
	{ "msr", REG_MSR }, { "pci", REG_PCI }, { "mmio", REG_MMIO },
	{ "sideband", REG_SIDEBAND },
};
#define NSPACES (sizeof(spaces) / sizeof(spaces[0]))

const char *
journal_space_name(uint8_t space)
{
	for (size_t i = 0; i < NSPACES; i++)
		if (spaces[i].space == space)
			return spaces[i].name;
	return "none";
}

uint8_t
journal_space(const char *name)
{
	for (size_t i = 0; i < NSPACES; i++)
		if (strcmp(spaces[i].name, name) == 0)
			return spaces[i].space;
	return REG_NONE;
}

/* The pid of the daemon that holds it; 0: its head is not there yet. */
static long
pid_of(int fd)
{
	struct journal_text t;
	long pid = 0;

	if (journal_read(&t, fd) == 0 && (t.state == JOURNAL_IDLE ||
	    t.state == JOURNAL_CHANGED))
		pid = t.head.pid;
	journal_text_fini(&t);
	return pid;
}

void
journal_boot(struct access *acc, char id[64])
{
	if (access_slurp(acc, BOOT_ID, id, 64) < 0)
		id[0] = '\0';
	id[strcspn(id, " \n")] = '\0';
	if (id[0] == '\0')
		strcpy(id, "-");
}

bool
journal_foreign(const struct journal_text *t, struct access *acc)
{
	char boot[64];

	journal_boot(acc, boot);
	return t->state == JOURNAL_CHANGED && strcmp(t->head.boot, "-") != 0 &&
	    strcmp(boot, "-") != 0 && strcmp(t->head.boot, boot) != 0;
}

int
journal_unknown(const struct journal_text *t, const char *path,
    struct diag *why)
{
	if (t->state == JOURNAL_OLDER)
		return diag_set(why, -EINVAL, "%s is the journal of another "
		    "version of tallyd: run --restore of that version", path);
	return diag_set(why, -EINVAL, "%s is a file of another kind: name "
	    "another with --journal", path);
}

static int
journal_file_held(int fd, struct diag *why)
{
	long pid = pid_of(fd);

	/* kill of pid 0 would reach the process group of whoever follows the advice */
	return pid <= 0 ? diag_set(why, -EBUSY, "another tallyd is starting on "
	    "this node") : diag_set(why, -EBUSY, "another tallyd (pid %ld) is "
	    "sampling this node; stop it with kill -CONT %ld", pid, pid);
}

int
journal_no_place(const char *path, int error, struct diag *why)
{
	return diag_set(why, -error, "journal %s: %s; name another place with "
	    "--journal", path, strerror(error));
}

int
journal_put(int fd, const char *text, size_t n, uint64_t at)
{
	errno = ENOSPC;         /* for a short write */
	return pwrite(fd, text, n, (off_t)at) == (ssize_t)n && fsync(fd) == 0 ?
	    0 : -errno;
}

int
journal_put_idle(int fd, long pid)
{
	struct journal_head h = { .pid = pid, .boot = "-",
	    .bytes = JOURNAL_HEAD };
	char line[JOURNAL_HEAD + 1];
	int rc;

	journal_put_head(line, &h);
	rc = journal_put(fd, line, JOURNAL_HEAD, 0);
	/* the head is true by itself, whatever follows it */
	return rc < 0 ? rc : ftruncate(fd, JOURNAL_HEAD) < 0 ? -errno : 0;
}

int
journal_find(struct journal *j, const char *path, struct diag *why)
{
	int rc;

	snprintf(j->path, sizeof(j->path), "%s", path);
	if ((j->dir = folder_open(path)) < 0)
		return journal_no_place(path, -j->dir, why);
	rc = folder_trusted(j->dir, path, "name another place with --journal",
	    why);
	if (rc < 0)
		close(j->dir);
	return rc;
}

/* Refuses a file that another user can write: --restore would write his values into
 * registers. */
static int
ours_alone(int fd, const char *path, struct diag *why)
{
	struct stat sb;
	struct journal_text other = { .state = JOURNAL_OTHER };

	if (fstat(fd, &sb) < 0 || !S_ISREG(sb.st_mode))
		return journal_unknown(&other, path, why);
	if (sb.st_uid != 0 && sb.st_uid != geteuid())
		return diag_set(why, -EACCES, "journal %s belongs to user %u, "
		    "so it is not used: check the registers that it names, "
		    "then remove it", path, (unsigned)sb.st_uid);
	if ((sb.st_mode & (S_IWGRP | S_IWOTH)) != 0)
		return diag_set(why, -EACCES, "journal %s: others may write it "
		    "(mode %04o), so it is not used: check the registers that "
		    "it names, then remove it", path,
		    (unsigned)sb.st_mode & 07777);
	return 0;
}

/* Is the daemon that wrote it dead?  Then the process that writes registers holds the
 * lock, while it puts them back. */
static bool
restoring(int fd)
{
	long pid = pid_of(fd);

	return pid > 0 && kill((pid_t)pid, 0) < 0 && errno == ESRCH;
}

/* Makes a new journal that has its head as soon as it has a name, so that an empty file
 * is one that somebody emptied; where the file system cannot do that, it is empty at
 * first. */
static int
create(const struct journal *j)
{
	const char *name = folder_name(j->path);
	int fd = openat(j->dir, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	char ours[64];
	bool made;

	snprintf(ours, sizeof(ours), "/proc/self/fd/%d", fd);
	made = fd >= 0 && journal_put_idle(fd, getpid()) == 0 &&
	    (linkat(AT_FDCWD, ours, j->dir, name, AT_SYMLINK_FOLLOW) == 0 ||
	    errno == EEXIST);
	if (fd >= 0)
		close(fd);
	if (made)
		return 0;
	fd = openat(j->dir, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK |
	    O_NOCTTY | O_CLOEXEC, 0600);
	if (fd < 0)
		return -errno;
	close(fd);
	return 0;
}

/* Opens and locks it.  -EINPROGRESS: its registers are being put back; -EBUSY: a living
 * daemon holds it; -EAGAIN: the name has another file now. */
static int
try_locked(struct journal *j, bool make, struct diag *why)
{
	const char *name = folder_name(j->path);
	int rc, fd = openat(j->dir, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK |
	    O_NOCTTY | O_CLOEXEC);

	if (fd < 0 && !make)
		return diag_set(why, -errno, "journal %s: %s%s", j->path,
		    strerror(errno), errno == EACCES ? "; run tallyd as root" :
		    "");
	if (fd < 0) {
		rc = errno == ENOENT ? create(j) : -errno;
		return rc == 0 ? -EAGAIN : journal_no_place(j->path, -rc, why);
	}
	rc = ours_alone(fd, j->path, why);
	if (rc == 0 && flock(fd, LOCK_EX | LOCK_NB) < 0) {
		/* it was removed meanwhile: its registers are back */
		rc = !folder_has(j->dir, name, fd) ? -EAGAIN :
		    restoring(fd) ? -EINPROGRESS : -EBUSY;
		journal_file_held(fd, why);
	} else if (rc == 0 && !folder_has(j->dir, name, fd))
		rc = -EAGAIN;
	if (rc == 0)
		j->fd = fd;
	else
		close(fd);
	return rc;
}

/* Tries again where the daemon has removed the file that was opened: a lock on a removed
 * file keeps nobody away. */
int
journal_lock(struct journal *j, bool make, struct diag *why)
{
	int rc;

	for (unsigned waited = 0;; waited++) {
		rc = try_locked(j, make, why);
		if (rc != -EAGAIN && rc != -EINPROGRESS)
			return rc;
		if (rc == -EINPROGRESS && waited == RESTORING_MS / 10)
			return -EBUSY;
		if (rc == -EINPROGRESS)
			nap(10);
	}
}

int
journal_look(const char *path, struct access *acc, struct diag *why)
{
	struct journal j = { .fd = -1 };
	int rc = journal_find(&j, path, why);

	if (rc < 0)
		return rc == -ENOENT ? 0 : rc;
	j.fd = openat(j.dir, folder_name(path), O_RDONLY | O_NOFOLLOW |
	    O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (j.fd < 0)
		rc = errno == ENOENT ? 0 : journal_no_place(path, errno, why);
	else if ((rc = ours_alone(j.fd, path, why)) == 0)
		rc = flock(j.fd, LOCK_SH | LOCK_NB) < 0 ?
		    journal_file_held(j.fd, why) :
		    journal_acceptable(j.fd, path, acc, why);
	if (j.fd >= 0)
		close(j.fd);
	close(j.dir);
	return rc;
}

int
journal_acceptable(int fd, const char *path, struct access *acc,
    struct diag *why)
{
	struct journal_text t;
	int rc = journal_read(&t, fd);

	if (rc < 0)
		rc = journal_no_place(path, -rc, why);
	else if (t.state == JOURNAL_OTHER || t.state == JOURNAL_OLDER)
		rc = journal_unknown(&t, path, why);
	else if (t.state == JOURNAL_DAMAGED)
		rc = diag_set(why, -EBUSY, "journal %s is damaged: a tallyd "
		    "that died may have left registers changed; `tallyd "
		    "--restore --force` puts back what can be read of it",
		    path);
	else if (t.state == JOURNAL_CHANGED && !journal_foreign(&t, acc))
		rc = diag_set(why, -EBUSY, "a tallyd that died left registers "
		    "changed: `tallyd --restore` puts them back (journal %s)",
		    path);
	journal_text_fini(&t);
	return rc;
}
