/*
 * config/dump/store_find.c - find the store of a running daemon, and the locks
 * that tell that it is running.
 */
#include "config/dump/store.h"

#include "config/dump/store_int.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- locks -------------------------------------------------------------- */

static struct flock
byte_of(enum store_byte byte, short type)
{
	return (struct flock){ .l_type = type, .l_whence = SEEK_SET,
	    .l_start = byte, .l_len = 1 };
}

void
store_lock(int fd, enum store_byte byte, bool on)
{
	struct flock l = byte_of(byte, on ? F_WRLCK : F_UNLCK);

	/* before Linux 3.15 there are only locks that belong to the process */
	if (fcntl(fd, F_OFD_SETLK, &l) < 0 && errno == EINVAL)
		fcntl(fd, F_SETLK, &l);
}

bool
store_locked(int fd, enum store_byte byte)
{
	/* ask for a read lock: read locks of others do not conflict with it */
	struct flock l = byte_of(byte, F_RDLCK);

	return fcntl(fd, F_GETLK, &l) == 0 && l.l_type == F_WRLCK;
}

/* ---- the search --------------------------------------------------------- */

struct live_stores {
	unsigned n;
	char path[2][128];      /* the first two */
};

struct store_search {
	struct live_stores roots, own;
	char unreadable[128];   /* one that we may not read; "": none */
};

/* Open a store without following a link and without blocking, as another user
 * may have put the file there.  -1: unreadable, or not a regular file. */
static int
store_find_open_store(const char *path, struct stat *sb)
{
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
	    O_CLOEXEC);

	if (fd >= 0 && fstat(fd, sb) == 0 && S_ISREG(sb->st_mode))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Is it root, or the user that root's sampler switches to? */
static bool
is_daemons(uid_t uid)
{
	const struct passwd *p;

	return uid == 0 || (uid != geteuid() &&
	    (p = getpwnam(STORE_USER)) != NULL && p->pw_uid == uid);
}

static void
store_find_look_at(struct store_search *s, const char *path)
{
	struct live_stores *of;
	struct stat sb;
	int fd = store_find_open_store(path, &sb);

	if (fd < 0 && errno == EACCES)
		snprintf(s->unreadable, sizeof(s->unreadable), "%s", path);
	if (fd < 0)
		return;
	of = is_daemons(sb.st_uid) ? &s->roots : sb.st_uid == geteuid() ? &s->own :
	    NULL;
	if (of != NULL && store_locked(fd, STORE_SAMPLED) && of->n++ < 2)
		snprintf(of->path[of->n - 1], sizeof(of->path[0]), "%s", path);
	close(fd);
}

static void
look_in(struct store_search *s, const char *folder)
{
	DIR *dir = opendir(folder);
	const struct dirent *e;
	char path[128];

	while (dir != NULL && (e = readdir(dir)) != NULL)
		if (fnmatch(STORE_PATTERN, e->d_name, 0) == 0 &&
		    snprintf(path, sizeof(path), "%s/%s", folder, e->d_name) <
		    (int)sizeof(path))
			store_find_look_at(s, path);
	if (dir != NULL)
		closedir(dir);
}

int
store_unreadable(const char *path, struct diag *why)
{
	const struct group *g;
	struct stat sb;

	if (stat(path, &sb) < 0)
		return diag_set(why, -EACCES, "%s: %s", path, strerror(errno));
	if ((sb.st_mode & S_IRGRP) == 0)
		return diag_set(why, -EACCES, "%s: not readable for you: tallyd "
		    "--share lets everybody read it, and --user NAME the "
		    "group of NAME", path);
	if ((g = getgrgid(sb.st_gid)) == NULL)
		return diag_set(why, -EACCES, "%s: not readable for you, but "
		    "for group %u, which has no name; tallyd --share lets "
		    "everybody read it", path, (unsigned)sb.st_gid);
	return diag_set(why, -EACCES, "%s: not readable for you, but for group "
	    "%s (usermod -aG %s YOU); tallyd --share lets everybody read it",
	    path, g->gr_name, g->gr_name);
}

/* While one store replaces another, a search may find both of them or neither;
 * then search again. */
static const struct live_stores *
store_find_search(struct store_search *s)
{
	const struct timespec a_little = { 0, 20000000 };
	const struct live_stores *of;

	for (unsigned looks = 0;; looks++) {
		*s = (struct store_search){ .unreadable = "" };
		look_in(s, STORES_OURS);
		look_in(s, STORES_ANYBODYS);
		of = s->roots.n > 0 ? &s->roots : &s->own;
		if (of->n == 1 || looks == (of->n == 0 ? 1 : 10))
			return of;
		if (of->n > 1)
			nanosleep(&a_little, NULL);
	}
}

int
store_find(char *path, size_t size, struct diag *why)
{
	struct store_search s;
	const struct live_stores *of = store_find_search(&s);

	if (of->n > 1)
		return diag_set(why, -EEXIST, "%u tallyd sample here: name the "
		    "store of one, %s or %s%s", of->n, of->path[0], of->path[1],
		    of->n > 2 ? ", or another" : "");
	if (of->n == 1) {
		snprintf(path, size, "%s", of->path[0]);
		return 0;
	}
	if (s.unreadable[0] != '\0')
		return store_unreadable(s.unreadable, why);
	return diag_set(why, -ENOENT, "no tallyd samples here: no store in "
	    STORES_OURS " or " STORES_ANYBODYS "; name its file where it has "
	    "another place (tallyd --store)");
}

int
store_glance(const char *path, struct store_glance *g)
{
	struct file_head h;
	struct stat sb;
	int fd = store_find_open_store(path, &sb);
	bool whole;

	if (fd < 0)
		return -1;
	whole = pread(fd, &h, sizeof(h), 0) == sizeof(h);
	*g = (struct store_glance){ .inode = sb.st_ino,
	    .rows = whole ? h.nrow : 0,
	    .sampled = store_locked(fd, STORE_SAMPLED) };
	close(fd);
	return 0;
}

bool
store_alive(const char *path)
{
	struct store_glance g;

	return store_glance(path, &g) == 0 && g.sampled;
}
