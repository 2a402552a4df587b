/*
 * config/dump/store.c - the file that the rows live in: header, notes, columns,
 * names, preamble, rows; host byte order, read on the node that wrote it or one
 * like it (store_open.c).
 */
#include "config/dump/store_int.h"

#include "config/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

static uint64_t
align8(uint64_t n)
{
	return (n + 7) & ~7ull;
}

/* Lay the parts out; the caller has filled shape. */
static void
plan_head(struct file_head *h, const struct store_shape *s)
{
	uint64_t names = 0;

	memset(h, 0, sizeof(*h));
	memcpy(h->magic, MAGIC, sizeof(h->magic));
	h->ncell = s->ncell;
	h->ncolumn = s->ncolumn;
	h->cell_tsc = s->cell_tsc;
	h->cell_real_sec = s->cell_real_sec;
	h->cell_real_usec = s->cell_real_usec;
	h->cell_mono = s->cell_mono;
	h->capacity = s->capacity;
	for (unsigned i = 0; i < s->ncolumn; i++)
		names += strlen(s->column[i].name) + 1;
	h->notes = align8(sizeof(*h));
	h->columns = h->notes + STORE_NOTES;
	h->names = h->columns + s->ncolumn * sizeof(struct file_column);
	h->preamble = h->names + names;
	/* rows on a page of their own: the pages before are written once */
	h->rows = (h->preamble + strlen(s->preamble) + 1 + 4095) & ~4095ull;
	h->size = h->rows + s->capacity * s->ncell * 8;
}

static void
fill(struct store *st, const struct file_head *h, const struct store_shape *s)
{
	struct file_column *fc = (struct file_column *)(st->map + h->columns);
	uint32_t name = 0;

	for (unsigned i = 0; i < s->ncolumn; i++) {
		const struct column *c = &s->column[i];

		fc[i] = (struct file_column){ .name = name, .cell = c->cell,
		    .bits = c->bits, .print = c->print, .mul = c->mul,
		    .base = c->base };
		strcpy((char *)st->map + h->names + name, c->name);
		name += (uint32_t)strlen(c->name) + 1;
	}
	strcpy((char *)st->map + h->preamble, s->preamble);
	memcpy(st->map, h, sizeof(*h));
}

/* A tmpfs is memory: taking more than there is, the kernel kills somebody.  A
 * file on a disk may be larger, where its pages need not stay in memory. */
static int
check_memory(struct store *st, struct diag *why)
{
	struct statfs fs;
	char whose[256];
	uint64_t room = memory_room("", whose, sizeof(whose));

	if (fstatfs(st->fd, &fs) < 0 || st->size <= room)
		return 0;
	if (fs.f_type != TMPFS_MAGIC && fs.f_type != RAMFS_MAGIC) {
		st->on_disk = true;
		return 0;
	}
	return diag_set(why, -ENOMEM, "store %s: %zu MB, and %" PRIu64 " MB of "
	    "memory are available (%s): take fewer samples (-n) or a file on a "
	    "disk (--store)", st->path, st->size >> 20, room >> 20, whose);
}

int
store_create(struct store **out, const char *path, const struct store_shape *s,
    struct diag *why)
{
	struct store *st = calloc(1, sizeof(*st));
	struct file_head h;
	int rc;

	*out = NULL;
	if (st == NULL || (st->path = strdup(path)) == NULL) {
		free(st);
		return diag_set(why, -ENOMEM, "out of memory");
	}
	plan_head(&h, s);
	st->writer = true;
	st->map = MAP_FAILED;
	st->size = h.size;
	st->fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
	    0600);
	if (st->fd < 0) {
		rc = diag_set(why, -errno, "store %s: %s%s", path,
		    strerror(errno), errno == EEXIST ?
		    " (`tally dump` it, then remove it, or name another with "
		    "--store)" : "; name another place with --store");
		store_close(st);
		return rc;
	}
	flock(st->fd, LOCK_EX | LOCK_NB);
	if ((rc = check_memory(st, why)) < 0)
		goto fail;
	/* now, so that a full file system shows here and not as SIGBUS */
	if ((rc = posix_fallocate(st->fd, 0, (off_t)h.size)) != 0) {
		rc = -rc;
		diag_set(why, rc, "store %s: no room for %llu MB (%s): "
		    "take fewer samples (-n) or another place (--store)",
		    path, (unsigned long long)h.size >> 20, strerror(-rc));
		goto fail;
	}
	/* populated: the loop shall not fault */
	st->map = mmap(NULL, h.size, PROT_READ | PROT_WRITE, MAP_SHARED |
	    (st->on_disk ? 0 : MAP_POPULATE), st->fd, 0);
	if (st->map == MAP_FAILED) {
		rc = diag_set(why, -errno, "store %s: %s", path,
		    strerror(errno));
		goto fail;
	}
	st->head = (struct file_head *)st->map;
	fill(st, &h, s);
	if ((rc = store_take_shape(st)) < 0) {
		diag_set(why, rc, "out of memory");
		goto fail;
	}
	*out = st;
	return 0;
fail:
	unlink(path);
	store_close(st);
	return rc;
}

uint64_t *
store_row(struct store *st)
{
	struct file_head *h = st->head;
	uint64_t n = atomic_load_explicit(&h->nrow, memory_order_relaxed);

	if (n >= h->capacity)
		return NULL;
	return (uint64_t *)(st->map + h->rows) + n * h->ncell;
}

void
store_commit(struct store *st)
{
	atomic_fetch_add_explicit(&st->head->nrow, 1, memory_order_release);
}

int
store_mark(struct store *st)
{
	struct file_head *h = st->head;

	if (h->nmark >= STORE_MARKS) {
		atomic_fetch_add_explicit(&h->lost, 1, memory_order_relaxed);
		return -ENOSPC;
	}
	h->mark[h->nmark] = h->nrow;
	atomic_fetch_add_explicit(&h->nmark, 1, memory_order_release);
	return 0;
}

void
store_missed(struct store *st, uint64_t n)
{
	atomic_fetch_add_explicit(&st->head->missed, n, memory_order_relaxed);
}

int
store_note(struct store *st, const char *text)
{
	struct file_head *h = st->head;
	size_t n = strlen(text), used = h->nnote;
	char *note = (char *)st->map + h->notes;

	if (n >= STORE_NOTES - used) {
		atomic_fetch_add_explicit(&h->lost, 1, memory_order_relaxed);
		return -ENOSPC;
	}
	if (n == 0)
		return 0;
	/* its first byte last: until then the notes end there */
	memcpy(note + used + 1, text + 1, n);
	atomic_thread_fence(memory_order_release);
	*(volatile char *)(note + used) = text[0];
	atomic_store_explicit(&h->nnote, used + n, memory_order_release);
	return 0;
}

uint64_t
store_notes_lost(const struct store *st)
{
	return st->head->lost;
}

const char *
store_notes(const struct store *st)
{
	return (const char *)st->map + st->head->notes;
}

uint64_t
store_rows(const struct store *st)
{
	if (!st->writer)
		store_look(st);
	return atomic_load_explicit(&st->head->nrow, memory_order_acquire);
}

uint64_t
store_missed_count(const struct store *st)
{
	return st->head->missed;
}

unsigned
store_marks(const struct store *st, const uint64_t **mark)
{
	*mark = st->head->mark;
	return (unsigned)atomic_load_explicit(&st->head->nmark,
	    memory_order_acquire);
}

const uint64_t *
store_at(const struct store *st, uint64_t row)
{
	return (const uint64_t *)(st->map + st->head->rows) +
	    row * st->head->ncell;
}

int
store_read(const struct store *st, uint64_t row, unsigned first, unsigned n,
    uint64_t *cells)
{
	if (!st->writer)
		return store_fetch(st, row, first, n, cells);
	memcpy(cells, store_at(st, row) + first, n * sizeof(*cells));
	return 0;
}

const struct store_shape *
store_shape(const struct store *st)
{
	return &st->shape;
}

const char *
store_path(const struct store *st)
{
	return st->path;
}

bool
store_live(const struct store *st)
{
	if (st->writer)
		return true;
	if (flock(st->fd, LOCK_SH | LOCK_NB) < 0)
		return errno == EWOULDBLOCK;
	flock(st->fd, LOCK_UN);
	return false;
}

int
store_give(struct store *st, int uid, int gid, bool share)
{
	if (((uid != -1 || gid != -1) &&
	    fchown(st->fd, (uid_t)uid, (gid_t)gid) < 0) ||
	    (share && fchmod(st->fd, 0644) < 0))
		return -errno;
	return 0;
}

void
store_unlock(struct store *st)
{
	if (st->on_disk)
		munlock(st->map, st->size);
}

int
store_unlink(struct store *st)
{
	struct stat ours, there;

	/* removed by somebody, and the name may be another's by now */
	if (fstat(st->fd, &ours) < 0 || lstat(st->path, &there) < 0 ||
	    ours.st_ino != there.st_ino || ours.st_dev != there.st_dev)
		return 0;
	return unlink(st->path) < 0 ? -errno : 0;
}
