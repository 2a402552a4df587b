/*
 * config/dump/store_reserve.c - check that a full store fits, and reserve its
 * space a segment at a time while it grows.
 */
#include "config/dump/store_int.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/vfs.h>

/* Bytes reserved at a time: takes 0.3 ms on a tmpfs. */
#define SEGMENT (UINT64_C(1) << 20)

#define LESS "take fewer samples (-n; a longer interval, -i, covers the same " \
    "time) or "

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

int
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
