/*
 * daemon/run/store_place.c - where the store is while the daemon samples; stores that
 * daemons which died have left.
 */
#include "daemon/run/output.h"

#include "config/dump/store.h"
#include "config/folder.h"
#include "daemon/log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRIES 16
#define TOLD 5                  /* stores that were left, by name */

/* Stores that were left: the newest ones, and how many there are. */
struct left {
	char path[TOLD][512];
	int64_t mtime[TOLD];                    /* ns */
	unsigned n;
};

/* Is root the only user who can create files in this folder? */
static bool
roots_alone(const char *dir)
{
	struct stat sb;

	return geteuid() == 0 && lstat(dir, &sb) == 0 && S_ISDIR(sb.st_mode) &&
	    sb.st_uid == 0 && (sb.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static int
try_in(struct store **st, const char *dir, const struct store_shape *shape,
    struct diag *why)
{
	uint64_t random = 0;
	char path[96];
	int rc = -EEXIST;

	for (unsigned i = 0; rc == -EEXIST && i < TRIES; i++) {
		if (getrandom(&random, sizeof(random), GRND_NONBLOCK) < 0)
			random += (uint64_t)getpid() * 0x9e3779b97f4a7c15;
		snprintf(path, sizeof(path), "%s/tallyd-%d-%016" PRIx64
		    ".store", dir, getpid(), random);
		rc = store_create(st, path, shape, why);
	}
	return rc;
}

int
store_place(struct store **st, const char *path,
    const struct store_shape *shape, struct diag *why)
{
	if (path != NULL)
		return store_create(st, path, shape, why);
	/* /run is small on some nodes */
	if (roots_alone(STORES_OURS) && try_in(st, STORES_OURS, shape, why) == 0)
		return 0;
	return try_in(st, STORES_ANYBODYS, shape, why);
}

bool
store_dead(int dir, const char *name, const struct owner *owner, int *file)
{
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
	    O_NOCTTY | O_CLOEXEC);
	struct stat sb;
	bool dead;

	*file = -1;
	if (fd < 0)
		return false;
	dead = fstat(fd, &sb) == 0 && S_ISREG(sb.st_mode) &&
	    (sb.st_uid == 0 || sb.st_uid == geteuid() ||
	    (int)sb.st_uid == owner->uid) && !store_locked(fd, STORE_HELD);
	if (dead)
		*file = fd;
	else
		close(fd);
	return dead;
}

static bool
dead_store(const char *path, const struct owner *owner)
{
	int fd;

	if (!store_dead(AT_FDCWD, path, owner, &fd))
		return false;
	close(fd);
	return true;
}

/* The samples in a store that is dead, and in *file its descriptor; -1: it is none.  Read
 * through that, as anybody may put another file at its name meanwhile. */
static int64_t
dead_rows(int dir, const char *name, const struct owner *owner, int *file)
{
	struct store *st = NULL;
	char path[64];
	int64_t rows = -1;

	if (!store_dead(dir, name, owner, file))
		return -1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", *file);
	if (store_open(&st, path, NULL) == 0)
		rows = (int64_t)store_rows(st);
	store_close(st);
	if (rows < 0)
		close(*file);
	return rows;
}

/* Is it a dead store without a row? */
static void
remove_empty(int dir, const char *name)
{
	static const struct owner nobody = { -1, -1, 0 };
	int fd;
	int64_t rows = dead_rows(dir, name, &nobody, &fd);

	if (rows == 0 && folder_has(dir, name, fd) &&
	    unlinkat(dir, name, 0) < 0)
		log_warn("store %s", name);
	if (rows >= 0)
		close(fd);
}

static void
forget_in(const char *folder, const char *pattern)
{
	DIR *dir = opendir(folder);
	const struct dirent *e;

	while (dir != NULL && (e = readdir(dir)) != NULL)
		if (fnmatch(pattern, e->d_name, 0) == 0)
			remove_empty(dirfd(dir), e->d_name);
	if (dir != NULL)
		closedir(dir);
}

void
store_forget(pid_t pid, const char *named, uint64_t n)
{
	char name[256];
	int dir;

	snprintf(name, sizeof(name), "tallyd-%d-*.store", (int)pid);
	forget_in(STORES_OURS, name);
	forget_in(STORES_ANYBODYS, name);
	if (named == NULL || (dir = folder_open(named)) < 0)
		return;
	snprintf(name, sizeof(name), "%.200s.%" PRIu64, folder_name(named), n);
	remove_empty(dir, name);
	close(dir);
}

/* The newest of them come first. */
static void
keep_newest(struct left *left, const char *path, int64_t mtime)
{
	unsigned at = left->n < TOLD ? left->n : TOLD;

	while (at > 0 && left->mtime[at - 1] < mtime)
		at--;
	left->n++;
	if (at == TOLD)
		return;
	memmove(&left->path[at + 1], &left->path[at], (TOLD - at - 1) *
	    sizeof(left->path[0]));
	memmove(&left->mtime[at + 1], &left->mtime[at], (TOLD - at - 1) *
	    sizeof(left->mtime[0]));
	snprintf(left->path[at], sizeof(left->path[at]), "%s", path);
	left->mtime[at] = mtime;
}

/* Not glob(3), which in glibc frees memory twice when it runs out of it. */
static void
left_in(const char *folder, const struct owner *owner, struct left *left)
{
	DIR *dir = opendir(folder);
	const struct dirent *e;
	char path[sizeof(left->path[0])];
	struct stat sb;

	while (dir != NULL && (e = readdir(dir)) != NULL) {
		if (fnmatch(STORE_PATTERN, e->d_name, 0) != 0 ||
		    snprintf(path, sizeof(path), "%s/%s", folder, e->d_name) >=
		    (int)sizeof(path))
			continue;
		if (dead_store(path, owner) && lstat(path, &sb) == 0)
			keep_newest(left, path, sb.st_mtim.tv_sec *
			    1000000000ll + sb.st_mtim.tv_nsec);
	}
	if (dir != NULL)
		closedir(dir);
}

/* Adds the stores beside that of --store which are named as its segments are (FILE.2) and
 * have samples. */
static void
left_beside(const char *named, const struct owner *owner, struct left *left)
{
	const char *name = folder_name(named);
	size_t n = strlen(name);
	const struct dirent *e;
	char path[sizeof(left->path[0])];
	int folder = folder_open(named), fd;
	int at = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = at >= 0 ? fdopendir(at) : NULL;

	while (dir != NULL && (e = readdir(dir)) != NULL) {
		int64_t rows;

		if (strncmp(e->d_name, name, n) != 0 || e->d_name[n] != '.' ||
		    strspn(e->d_name + n + 1, "0123456789") !=
		    strlen(e->d_name + n + 1) ||
		    snprintf(path, sizeof(path), "%.*s%s", (int)(name - named),
		    named, e->d_name) >= (int)sizeof(path) ||
		    (rows = dead_rows(at, e->d_name, owner, &fd)) < 0)
			continue;
		if (rows > 0)
			keep_newest(left, path, INT64_MAX);      /* first */
		close(fd);
	}
	if (dir != NULL)
		closedir(dir);
	else if (at >= 0)
		close(at);
	if (folder >= 0)
		close(folder);
}

void
store_left(const struct owner *owner, const char *named)
{
	struct left left = { .n = 0 };
	char names[TOLD * sizeof(left.path[0]) + TOLD + 1], more[32];

	left_in(STORES_OURS, owner, &left);
	left_in(STORES_ANYBODYS, owner, &left);
	if (named != NULL)
		left_beside(named, owner, &left);
	if (left.n == 0)
		return;
	snprintf(more, sizeof(more), left.n == 1 ? " a store" : " %u stores",
	    left.n);
	names[0] = '\0';
	for (unsigned i = 0; i < left.n && i < TOLD; i++) {
		strcat(names, " ");
		strcat(names, left.path[i]);
	}
	log_info("a tallyd that died left its samples in%s; to keep them: for s in%s; do "
	    "tally dump $s >${s##*/}.lua && rm $s; done%s", more, names, left.n > TOLD ? " (and there are "
	    "older ones)" : "");
}
