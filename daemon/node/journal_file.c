/*
 * daemon/node/journal_file.c - the journal as a file: whose it is, and in what
 * state its daemon left it.
 */
#include "daemon/node/journal_int.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
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

void
journal_boot(struct access *acc, char id[64])
{
	if (access_slurp(acc, BOOT_ID, id, 64) < 0)
		id[0] = '\0';
	id[strcspn(id, "\n")] = '\0';
}

bool
journal_foreign(FILE *f, struct access *acc)
{
	char line[512], boot[64], then[64] = "";

	journal_boot(acc, boot);
	rewind(f);
	while (then[0] == '\0' && fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "boot %63s", then) != 1)
			then[0] = '\0';
	return then[0] != '\0' && boot[0] != '\0' && strcmp(then, boot) != 0;
}

bool
journal_is_at(int fd, const char *path)
{
	struct stat ours, there;

	return fstat(fd, &ours) == 0 && lstat(path, &there) == 0 &&
	    ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
}

int
journal_no_file(const char *path, struct diag *why)
{
	return diag_set(why, -EINVAL, "%s is a file of another kind: name "
	    "another with --journal", path);
}

int
journal_held(FILE *f, struct diag *why)
{
	long pid = pid_of(f);

	/* a kill of 0 would hit whoever types it */
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

/* Is the daemon dead that wrote it?  What holds the lock then is the process
 * that writes registers, and puts them back. */
static bool
restoring(FILE *f)
{
	long pid = pid_of(f);

	return pid > 0 && kill((pid_t)pid, 0) < 0 && errno == ESRCH;
}

/* Open and lock; -EINPROGRESS while its registers are put back, -EBUSY when a living daemon holds it. */
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
		return journal_no_place(path, errno, why);
	if (fstat(fd, &sb) < 0 || !S_ISREG(sb.st_mode)) {
		close(fd);
		return journal_no_file(path, why);
	}
	if ((*f = fdopen(fd, "r+")) == NULL) {
		close(fd);
		return diag_set(why, -ENOMEM, "out of memory");
	}
	if (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		/* removed by now: its registers are back */
		int rc = !journal_is_at(fd, path) ? -EAGAIN :
		    restoring(*f) ? -EINPROGRESS : -EBUSY;

		journal_held(*f, why);
		fclose(*f);
		return rc;
	}
	if (!journal_is_at(fd, path)) {
		fclose(*f);
		return -EAGAIN;
	}
	return 0;
}

/* The file that was opened may be one that its daemon was about to remove: the
 * lock of that would keep nobody away. */
int
journal_lock(const char *path, int flags, FILE **f, struct diag *why)
{
	struct timespec ms = { 0, 10000000 };
	int rc;

	for (unsigned waited = 0;; waited++) {
		rc = try_locked(path, flags, f, why);
		if (rc != -EAGAIN && rc != -EINPROGRESS)
			return rc;
		if (rc == -EINPROGRESS && waited == RESTORING_MS / 10)
			return -EBUSY;
		if (rc == -EINPROGRESS)
			nanosleep(&ms, NULL);
	}
}

long
journal_end(FILE *f)
{
	char line[512];
	long n = -1;

	rewind(f);
	if (fgets(line, sizeof(line), f) == NULL)
		return -1;
	if (strcmp(line, JOURNAL_HEAD) != 0)    /* or the beginning of it */
		return strncmp(line, JOURNAL_HEAD, strlen(line)) == 0 ? -1 : -2;
	while (fgets(line, sizeof(line), f) != NULL)
		if (sscanf(line, "end %ld\n", &n) != 1)
			n = -1;
	return n;
}

int
journal_acceptable(FILE *f, const char *path, struct access *acc,
    struct diag *why)
{
	long n = journal_end(f);

	if (n == -2)
		return journal_no_file(path, why);
	return n <= 0 || journal_foreign(f, acc) ? 0 : diag_set(why, -EBUSY,
	    "a tallyd that died left registers changed: `tallyd --restore` "
	    "puts them back (journal %s)", path);
}
