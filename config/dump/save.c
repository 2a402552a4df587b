/*
 * config/dump/save.c - write a dump safely to the file that the user named.
 *
 * All files are opened relative to the folder's descriptor, temporary names are
 * random, links are not followed except one that existed at save_open, and only
 * files of this run are replaced, unless `overwrite` is set.
 */

#include "config/dump/dump.h"
#include "config/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *
save_name(const struct save_place *p, char name[256])
{
	const char *dot = strrchr(p->name, '.');
	int stem = dot != NULL && dot != p->name ? (int)(dot - p->name) :
	    (int)strlen(p->name);

	if (p->mine->number > 1)
		snprintf(name, 256, "%.*s.%u%s", stem, p->name,
		    p->mine->number, p->name + stem);
	else
		snprintf(name, 256, "%s", p->name);
	return name;
}

const char *
save_path(const struct save_place *p, char path[4096])
{
	char name[256];

	snprintf(path, 4096, "%.*s%s", (int)(folder_name(p->path) - p->path),
	    p->path, save_name(p, name));
	return path;
}

/* lstat(2) of the file's present name (save_name); false: there is no such file. */
static bool
save_look(const struct save_place *p, struct stat *sb)
{
	char name[256];

	return fstatat(p->dir, save_name(p, name), sb,
	    AT_SYMLINK_NOFOLLOW) == 0;
}

/* Is it the dump that this run wrote last, unchanged since? */
static bool
is_mine(const struct save_place *p, const struct stat *sb)
{
	const struct save_mine *m = p->mine;

	return m->ino != 0 && m->ino == sb->st_ino && m->dev == sb->st_dev &&
	    m->size == sb->st_size &&
	    m->mtime.tv_sec == sb->st_mtim.tv_sec &&
	    m->mtime.tv_nsec == sb->st_mtim.tv_nsec;
}

static void
save_remember(const struct save_place *p, int fd)
{
	struct stat sb;

	if (fstat(fd, &sb) < 0)
		return;
	p->mine->dev = sb.st_dev;
	p->mine->size = sb.st_size;
	p->mine->mtime = sb.st_mtim;
	p->mine->ino = sb.st_ino;
}

bool
save_taken(const struct save_place *p)
{
	char name[256];
	struct stat sb;

	/* in /proc: a descriptor that we inherited, not a file's name */
	return !(p->in_place && p->ino == 0) &&
	    folder_taken(p->dir, save_name(p, name), &sb) && !is_mine(p, &sb);
}

void
save_undo(const struct save_place *p)
{
	char name[256];
	struct stat sb;

	if (save_look(p, &sb) && S_ISREG(sb.st_mode) && is_mine(p, &sb))
		unlinkat(p->dir, save_name(p, name), 0);
}

/* Is it in /proc?  Only the kernel makes links there, and their inode numbers
 * change. */
static bool
in_proc(const struct stat *sb)
{
	struct stat proc;

	return stat("/proc", &proc) == 0 && proc.st_dev == sb->st_dev;
}

/* Allocate p->mine in shared memory, as a child writes dumps, too.  0, or
 * -ENOMEM after closing p. */
static int
share_mine(struct save_place *p)
{
	p->mine = mmap(NULL, sizeof(*p->mine), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (p->mine == MAP_FAILED) {
		close(p->dir);
		p->dir = -1;
		return -ENOMEM;
	}
	p->mine->number = 1;
	return 0;
}

int
save_open(struct save_place *p, const char *path, struct diag *why)
{
	mode_t mask = umask(0);
	struct stat sb;

	umask(mask);
	*p = (struct save_place){ .dir = -1, .uid = -1, .gid = -1,
	    .mode = 0640 & ~mask };
	if (strlen(path) >= sizeof(p->path) ||
	    strlen(folder_name(path)) >= sizeof(p->name) - 24)
		return diag_set(why, -ENAMETOOLONG, "%.80s...: name too long",
		    path);
	strcpy(p->path, path);
	strcpy(p->name, folder_name(path));
	if ((p->dir = folder_open(path)) < 0)
		return diag_set(why, p->dir, "%s: %s", path,
		    strerror(-p->dir));
	if (share_mine(p) < 0)
		return diag_set(why, -ENOMEM, "out of memory");
	if (save_look(p, &sb) && !S_ISREG(sb.st_mode)) {
		p->in_place = true;
		p->dev = sb.st_dev;
		p->ino = in_proc(&sb) ? 0 : sb.st_ino;
		p->owner = sb.st_uid;
	}
	return 0;
}

int
save_beside(struct save_place *p, const struct save_place *other,
    const char *name)
{
	size_t folder = (size_t)(folder_name(other->path) - other->path);

	*p = *other;
	p->dir = -1;
	p->in_place = false;
	if (strlen(name) >= sizeof(p->name) - 24 ||
	    folder + strlen(name) >= sizeof(p->path))
		return -ENAMETOOLONG;
	strcpy(p->name, name);
	strcpy(p->path + folder, name);
	if ((p->dir = fcntl(other->dir, F_DUPFD_CLOEXEC, 3)) < 0)
		return -errno;
	return share_mine(p);
}

void
save_close(struct save_place *p)
{
	if (p->dir < 0)
		return;
	munmap(p->mine, sizeof(*p->mine));
	close(p->dir);
	p->dir = -1;
}

int
save_trusted(const struct save_place *p, struct diag *why)
{
	int rc = folder_trusted(p->dir, p->path, "name another place with -o, "
	    "or a user to become with --user", why);

	/* the owner at save_open: a present lstat proves nothing, as the link
	 * may be removed now and be back, with the same inode, later */
	if (rc == 0 && p->in_place && p->owner != 0 && p->owner != geteuid())
		rc = diag_set(why, -EACCES, "%s: it is user %u's, and no file: "
		    "root does not follow it; name another place with -o",
		    p->path, (unsigned)p->owner);
	return rc;
}

/* Open the device, pipe or link of save_open for writing, without blocking. */
static int
open_in_place(const struct save_place *p)
{
	int flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, fd;
	struct stat sb;

	if (p->ino == 0)
		return (fd = open(p->path, flags)) < 0 ? -errno : fd;
	if (!save_look(p, &sb))
		return -errno;
	if (!S_ISLNK(sb.st_mode))
		flags |= O_NOFOLLOW;
	fd = openat(p->dir, p->name, flags | O_CREAT, 0666);
	return fd < 0 ? -errno : fd;
}

/* For a link to a file that does not exist yet: could we create that file?  It
 * is not created here. */
static int
try_link(const struct save_place *p)
{
	char to[4096];
	ssize_t n = readlinkat(p->dir, p->name, to, sizeof(to) - 1);
	char *slash;

	if (n < 0)
		return -errno;
	to[n] = '\0';
	if ((slash = strrchr(to, '/')) != NULL)
		slash[slash == to] = '\0';
	return faccessat(p->dir, slash != NULL ? to : ".", W_OK | X_OK,
	    AT_EACCESS) < 0 ? -errno : 0;
}

/* Is it another user's file in a sticky folder (/tmp), so that we may not
 * replace it? */
static bool
is_anothers(const struct save_place *p, const struct stat *sb)
{
	struct stat dir;

	return geteuid() != 0 && fstat(p->dir, &dir) == 0 &&
	    (dir.st_mode & S_ISVTX) != 0 && dir.st_uid != geteuid() &&
	    sb->st_uid != geteuid();
}

int
save_try(const struct save_place *p)
{
	bool there;
	char temp[256];
	struct stat sb;
	int fd;

	there = fstatat(p->dir, p->name, &sb, 0) == 0;
	if (p->name[0] == '\0' || (there && S_ISDIR(sb.st_mode)))
		return -EISDIR;
	/* do not open it: the reader of a pipe would notice */
	if (p->in_place && (there || errno != ENOENT))
		return there ? 0 : -errno;
	if (p->in_place)
		return try_link(p);
	if (there && is_anothers(p, &sb))
		return -EPERM;
	if ((fd = folder_temp(p->dir, p->name, temp)) < 0)
		return fd;
	close(fd);
	unlinkat(p->dir, temp, 0);
	return 0;
}

/* Prepare a regular file, reached through a link or standard output.  Our own
 * or an empty file, or any with `overwrite`: truncate it.  Another file:
 * -EEXIST, unless it is our standard output, where the dump is appended. */
static int
save_make_room(const struct save_place *p, int fd)
{
	struct stat sb;

	if (fstat(fd, &sb) < 0 || !S_ISREG(sb.st_mode))
		return 0;
	if (!p->overwrite && sb.st_size > 0 && !is_mine(p, &sb)) {
		if (save_taken(p))
			return -EEXIST;
		return lseek(fd, 0, SEEK_END) < 0 ? -errno : 0;
	}
	return ftruncate(fd, 0) < 0 ? -errno : 0;
}

static int
save_into(const struct store *st, const struct save_place *p, struct diag *why)
{
	int fd = open_in_place(p), rc;

	if (fd < 0)
		return diag_set(why, fd, "%s: %s", p->path, fd == -ENXIO ?
		    "a pipe that nobody reads" : strerror(-fd));
	fcntl(fd, F_SETFL, 0);
	if ((rc = save_make_room(p, fd)) < 0) {
		close(fd);
		return rc;
	}
	rc = dump_write(st, fd, &p->mine->numbers);
	if (rc == 0 && fsync(fd) < 0 && errno != EINVAL && errno != EROFS)
		rc = -errno;
	save_remember(p, fd);
	if (close(fd) < 0 && rc == 0)
		rc = -errno;
	return rc < 0 ? diag_set(why, rc, "%s: %s", p->path, store_error(rc)) :
	    0;
}

/* Is the device, pipe or link of save_open still there? */
static bool
same_place(const struct save_place *p)
{
	struct stat sb;

	return p->in_place && p->mine->number == 1 && (p->ino == 0 ||
	    (save_look(p, &sb) &&
	    !S_ISREG(sb.st_mode) && sb.st_dev == p->dev &&
	    sb.st_ino == p->ino && sb.st_uid == p->owner));
}

/* Rename the temporary file to the name, or to the next free number. */
static int
give_name(const struct save_place *p, const char *temp)
{
	char name[256];
	struct stat sb;
	int rc;

	if (p->overwrite || (save_look(p, &sb) && is_mine(p, &sb)))
		return renameat(p->dir, temp, p->dir, save_name(p, name)) < 0 ?
		    -errno : 0;
	while ((rc = folder_put(p->dir, temp, save_name(p, name))) == -EEXIST &&
	    p->mine->number < SAVE_NUMBERS)
		p->mine->number++;
	return rc;
}

int
save_dump(const struct store *st, const struct save_place *p,
    struct diag *why)
{
	char temp[256];
	int fd, rc;

	diag_set(why, 0, "%s", "");
	if (same_place(p) && (rc = save_into(st, p, why)) != -EEXIST)
		return rc;
	if ((fd = folder_temp(p->dir, p->name, temp)) < 0)
		return diag_set(why, fd, "%s: %s", p->path, strerror(-fd));
	if ((rc = dump_write(st, fd, &p->mine->numbers)) < 0) {
		diag_set(why, rc, "%s: %s", p->path, store_error(rc));
		goto fail;
	}
	/* EPERM: some file systems have no owners or modes */
	if (((p->uid != -1 || p->gid != -1) && fchown(fd, (uid_t)p->uid,
	    (gid_t)p->gid) < 0 && errno != EPERM) ||
	    (fchmod(fd, p->mode) < 0 && errno != EPERM) || fsync(fd) < 0)
		rc = -errno;
	if (rc < 0 || (rc = give_name(p, temp)) < 0) {
		diag_set(why, rc, "%s: %s", p->path, strerror(-rc));
		goto fail;
	}
	save_remember(p, fd);
	if (close(fd) < 0)              /* NFS reports a full disk here */
		return diag_set(why, -errno, "%s: %s", p->path,
		    strerror(errno));
	if ((rc = folder_sync(p->dir)) < 0)
		diag_set(why, rc, "%s: it is written, but its folder cannot be "
		    "synced (%s): a crash of the node may lose it", p->path,
		    strerror(-rc));
	return 0;
fail:
	close(fd);
	unlinkat(p->dir, temp, 0);
	return rc;
}
