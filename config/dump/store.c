/*
 * config/dump/store.c - write a store: header, notes, columns, families, names,
 * preamble, rows, all in the byte order of this node.
 */
#include "config/dump/store_int.h"

#include "config/dump/store.h"
#include "config/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

/* Bytes reserved at a time: takes 0.3 ms on a tmpfs. */
#define SEGMENT (UINT64_C(1) << 20)

#define LESS "take fewer samples (-n; a longer interval, -i, covers the same " \
    "time) or "

/* Write n bytes at an offset of the file.  0 or -errno. */
static int
store_put(struct store *st, const void *from, size_t n, uint64_t at)
{
	const char *p = from;

	while (n > 0) {
		ssize_t done = pwrite(st->fd, p, n, (off_t)at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return done < 0 ? -errno : -EIO;
		p += done;
		at += (uint64_t)done;
		n -= (size_t)done;
	}
	return 0;
}

/* ---- space -------------------------------------------------------------- */

/* A tmpfs is memory: if the store takes more than is free, the kernel's OOM
 * killer ends some process. */
static int
check_memory(struct store *st, uint64_t size, struct diag *why)
{
	char whose[256];
	uint64_t room;

	memory_find(&st->memory, "");
	room = memory_room(&st->memory, whose, sizeof(whose));
	if (size <= room / 2)
		return 0;
	return diag_set(why, -ENOMEM, "store %s: %.1f MB at the end, more than "
	    "half of the %.1f MB of memory that are available (%s): " LESS
	    "a file on a disk (--store)", st->path, (double)size / 1e6,
	    (double)room / 1e6, whose);
}

/* Is there space for the full store now?  0, or -errno with a message. */
static int
store_room(struct store *st, const struct file_head *h, struct diag *why)
{
	struct rlimit largest;
	struct statfs fs;
	int rc = 0;

	if (fstatfs(st->fd, &fs) < 0)
		return diag_set(why, -errno, "store %s: %s", st->path,
		    strerror(errno));
	st->in_memory = fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC;
	/* a file system that reports 0 blocks has no limit */
	if (fs.f_blocks != 0 && h->size / (uint64_t)fs.f_bsize >= fs.f_bavail)
		rc = -ENOSPC;
	if (getrlimit(RLIMIT_FSIZE, &largest) == 0 &&
	    h->size > largest.rlim_cur)
		rc = -EFBIG;
	if (rc < 0)
		return diag_set(why, rc, "store %s: no room for the %.1f MB "
		    "that it will have at the end (%s): " LESS "another place "
		    "(--store)", st->path, (double)h->size / 1e6,
		    strerror(-rc));
	return st->in_memory ? check_memory(st, h->size, why) : 0;
}

int
store_grow(struct store *st, struct diag *why)
{
	const struct file_head *h = st->head;
	uint64_t row = h->ncell * sizeof(st->row[0]), want, room;
	char whose[256];
	int rc;

	want = h->rows + (h->nrow + 1) * row;
	if (want <= st->reserved || h->nrow >= h->capacity)
		return 0;
	want = want + SEGMENT < h->size ? want + SEGMENT : h->size;
	if (st->in_memory) {
		room = memory_room(&st->memory, whose, sizeof(whose));
		if (want - st->reserved > room / 2)
			return diag_set(why, -ENOMEM, "store %s: no room for "
			    "another sample: %.1f MB of memory are left (%s)",
			    st->path, (double)room / 1e6, whose);
	}
	rc = posix_fallocate(st->fd, (off_t)st->reserved,
	    (off_t)(want - st->reserved));
	if (rc != 0)
		return diag_set(why, -rc, "store %s: no room for another "
		    "sample: %s", st->path, strerror(rc));
	st->reserved = want;
	return 0;
}

uint64_t
store_full_size(const struct store *st)
{
	return st->head->size;
}

/* ---- creation ----------------------------------------------------------- */

/* Allocate our copy of the head, and reserve space for the first rows. */
static int
store_make_room(struct store *st, const struct file_head *h, struct diag *why)
{
	if ((st->map = calloc(1, h->rows)) == NULL ||
	    (st->row = calloc(h->ncell, sizeof(st->row[0]))) == NULL)
		return diag_set(why, -ENOMEM, "out of memory");
	st->head = memcpy(st->map, h, sizeof(*h));
	return store_grow(st, why);
}

/* The message for a name that exists already, or for another error. */
static int
store_refuse(const struct store *st, int rc, struct diag *why)
{
	return diag_set(why, rc, "store %s: %s%s", st->path, strerror(-rc),
	    rc == -EEXIST ? " (`tally dump` it, then remove it, or name "
	    "another with --store)" : "; name another place with --store");
}

/* Create the file in a folder that root may trust.  It has a temporary name
 * until its head is written, so that a killed daemon leaves no incomplete
 * store. */
static int
open_new(struct store *st, char temp[256], struct diag *why)
{
	const char *path = st->path;
	struct stat sb;
	int rc;

	if ((st->dir = folder_open(path)) < 0)
		return diag_set(why, st->dir, "store %s: %s; name another "
		    "place with --store", path, strerror(-st->dir));
	if ((rc = folder_trusted(st->dir, path, "name another place with "
	    "--store", why)) < 0)
		return rc;
	if (fstatat(st->dir, folder_name(path), &sb, AT_SYMLINK_NOFOLLOW) == 0)
		return store_refuse(st, -EEXIST, why);
	st->fd = folder_temp(st->dir, folder_name(path), temp);
	return st->fd < 0 ? store_refuse(st, st->fd, why) : 0;
}

/* renameat2(2) within a folder; not every libc has a wrapper. */
static int
rename_as(int dir, const char *from, const char *to, unsigned how)
{
	return (int)syscall(SYS_renameat2, dir, from, dir, to, how);
}

/* Rename the temporary file, in one step and only if the name is free. */
static int
store_give_name(const struct store *st, const char *temp, struct diag *why)
{
	const char *name = folder_name(st->path);
	int rc;

	if (rename_as(st->dir, temp, name, RENAME_NOREPLACE) == 0)
		return 0;
	rc = errno == EEXIST ? -EEXIST : folder_put(st->dir, temp, name);
	return rc < 0 ? store_refuse(st, rc, why) : 0;
}

int
store_create(struct store **out, const char *path, const struct store_shape *s,
    struct diag *why)
{
	struct store *st = calloc(1, sizeof(*st));
	struct file_head h;
	char temp[256];
	int rc;

	*out = NULL;
	if (st == NULL || (st->path = strdup(path)) == NULL) {
		free(st);
		return diag_set(why, -ENOMEM, "out of memory");
	}
	st->writer = true;
	st->fd = st->dir = -1;
	if ((rc = store_lay_out(&h, s)) < 0) {
		store_close(st);
		return diag_set(why, rc, "out of memory");
	}
	if ((rc = open_new(st, temp, why)) < 0) {
		store_close(st);
		return rc;
	}
	store_lock(st->fd, STORE_HELD, true);
	store_lock(st->fd, STORE_SAMPLED, !s->ahead);
	if ((rc = store_room(st, &h, why)) < 0 ||
	    (rc = store_make_room(st, &h, why)) < 0)
		goto fail;
	if ((rc = store_put_columns(st, &h, s)) < 0 ||
	    (rc = store_take_shape(st)) < 0 ||
	    (rc = store_put(st, st->map, h.rows, 0)) < 0) {
		diag_set(why, rc, "store %s: %s", path, strerror(-rc));
		goto fail;
	}
	if ((rc = store_give_name(st, temp, why)) < 0)
		goto fail;
	*out = st;
	return 0;
fail:
	unlinkat(st->dir, temp, 0);
	store_close(st);
	return rc;
}

/* ---- rows, marks and notes ---------------------------------------------- */

void
store_sampled(struct store *st, bool on)
{
	store_lock(st->fd, STORE_SAMPLED, on);
}

uint64_t *
store_row(struct store *st)
{
	return st->head->nrow < st->head->capacity ? st->row : NULL;
}

/* Write one count of the head to the file. */
static int
publish(struct store *st, const _Atomic uint64_t *count)
{
	return store_put(st, (const void *)count, sizeof(*count),
	    (uint64_t)((const uint8_t *)count - st->map));
}

int
store_commit(struct store *st)
{
	struct file_head *h = st->head;
	int rc = store_put(st, st->row, h->ncell * sizeof(st->row[0]),
	    h->rows + h->nrow * h->ncell * sizeof(st->row[0]));

	if (rc < 0)
		return rc;
	memset(st->row, 0, h->ncell * sizeof(st->row[0]));
	h->nrow++;
	return publish(st, &h->nrow);
}

int
store_mark(struct store *st)
{
	struct file_head *h = st->head;
	uint64_t *mark = &h->mark[h->nmark];

	if (h->nmark >= STORE_MARKS) {
		h->lost++;
		publish(st, &h->lost);
		return -ENOSPC;
	}
	*mark = h->nrow;
	h->nmark++;
	store_put(st, mark, sizeof(*mark),
	    (uint64_t)((uint8_t *)mark - st->map));
	return publish(st, &h->nmark);
}

void
store_missed(struct store *st, uint64_t n)
{
	st->head->missed += n;
	publish(st, &st->head->missed);
}

int
store_note(struct store *st, const char *text)
{
	struct file_head *h = st->head;
	size_t n = strlen(text), used = h->nnote;

	if (n >= STORE_NOTES - used) {
		h->lost++;
		publish(st, &h->lost);
		return -ENOSPC;
	}
	if (n == 0)
		return 0;
	memcpy(st->map + h->notes + used, text, n + 1);
	store_put(st, text, n, h->notes + used);
	/* only now do readers see the note */
	h->nnote = used + n;
	return publish(st, &h->nnote);
}

/* ---- the file ------------------------------------------------------------ */

int
store_give(struct store *st, int gid, bool share)
{
	mode_t mode = share ? 0644 : gid != -1 ? 0640 : 0600;

	if ((gid != -1 && fchown(st->fd, (uid_t)-1, (gid_t)gid) < 0) ||
	    fchmod(st->fd, mode) < 0)
		return -errno;
	return 0;
}

/* Is it the store of a running daemon? */
static bool
is_held(const struct store *st, const char *name)
{
	int fd = openat(st->dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK |
	    O_NOCTTY | O_CLOEXEC);
	bool held = fd >= 0 && store_locked(fd, STORE_HELD);

	if (fd >= 0)
		close(fd);
	return held;
}

static int
rename_to(struct store *st, const char *path, unsigned how)
{
	return rename_as(st->dir, folder_name(st->path), folder_name(path),
	    how) < 0 ? -errno : 0;
}

int
store_replace(struct store *st, const char *path)
{
	char *copy = strdup(path);
	int rc;

	if (copy == NULL)
		return -ENOMEM;
	/* if the other store is gone, just rename; never replace a file that
	 * is no running daemon's */
	rc = rename_to(st, path, is_held(st, folder_name(path)) ?
	    RENAME_EXCHANGE : RENAME_NOREPLACE);
	if (rc < 0) {
		free(copy);
		return rc;
	}
	free(st->path);
	st->path = copy;
	return 0;
}

void
store_moved(struct store *st, const char *path)
{
	char *copy;

	if (!folder_has(st->dir, folder_name(path), st->fd) ||
	    (copy = strdup(path)) == NULL)
		return;
	free(st->path);
	st->path = copy;
}

int
store_unlink(struct store *st)
{
	const char *name = folder_name(st->path);
	struct stat ours, there;

	if (fstat(st->fd, &ours) < 0 ||
	    fstatat(st->dir, name, &there, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : -errno;
	/* our file was removed, and the name now refers to another one */
	if (ours.st_ino != there.st_ino || ours.st_dev != there.st_dev)
		return 0;
	return unlinkat(st->dir, name, 0) < 0 ? -errno : 0;
}
