/*
 * config/dump/store_open.c - read a store that another process writes or wrote,
 * or forged: everything in it is checked.  The file is not mapped, as touching
 * a mapped page after the file was truncated raises SIGBUS.
 */
#include "config/dump/store_int.h"

#include "config/dump/head.h"
#include "config/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Limit for the bytes before the rows; a million columns need half of it. */
#define MAX_HEAD (1u << 28)

/* Read exactly n bytes.  0, -ENODATA if the file ends before, or -errno. */
static int
read_at(int fd, void *buf, size_t n, uint64_t offset)
{
	uint8_t *to = buf;

	while (n > 0) {
		ssize_t got = pread(fd, to, n, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? -errno : -ENODATA;
		to += got;
		n -= (size_t)got;
		offset += (size_t)got;
	}
	return 0;
}

/* Are all offsets of an untrusted header inside its file?  The rows are not
 * checked here: whole_rows counts the complete ones. */
static bool
sound_head(const struct file_head *h, uint64_t size)
{
	return memcmp(h->magic, MAGIC, 8) == 0 &&
	    h->ncell > 0 && h->ncell <= MAX_CELLS &&
	    h->ncolumn <= MAX_CELLS && h->notes >= sizeof(*h) &&
	    h->notes <= h->columns && h->columns - h->notes >= STORE_NOTES &&
	    h->columns <= h->families && h->columns % 8 == 0 &&
	    h->families <= h->names && h->families % 4 == 0 &&
	    h->names <= h->preamble && h->preamble < h->rows &&
	    h->rows <= size && h->rows <= h->size && h->rows % 8 == 0 &&
	    h->rows <= MAX_HEAD &&
	    h->capacity <= (h->size - h->rows) / 8 / h->ncell &&
	    h->size - h->rows == h->capacity * h->ncell * 8 &&
	    h->nrow <= h->capacity &&
	    h->nmark <= STORE_MARKS && h->nnote < STORE_NOTES &&
	    h->ncolumn <= (h->families - h->columns) /
	    sizeof(struct file_column) && h->nfamily <= (h->names -
	    h->families) / sizeof(struct file_family) &&
	    h->cell_tsc < h->ncell && h->cell_real_sec < h->ncell &&
	    h->cell_real_usec < h->ncell && h->cell_mono < h->ncell;
}

/* Check the preamble and print it anew: it may contain anything. */
static int
print_preamble(struct store *st)
{
	struct head h = { .text = NULL };

	st->left_out = head_put_again(&h, st->shape.preamble);
	if ((st->preamble = head_take(&h)) == NULL)
		return -ENOMEM;
	st->shape.preamble = st->preamble;
	return 0;
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How many of n rows are complete in the file, which may be truncated. */
static uint64_t
whole_rows(const struct file_head *h, uint64_t n, const struct stat *sb)
{
	uint64_t size = (uint64_t)sb->st_size;

	return size <= h->rows ? 0 : least(n, (size - h->rows) / 8 / h->ncell);
}

/* Read everything before the rows into our own memory. */
static int
read_parts(struct store *st)
{
	struct file_head h;
	uint64_t counted;
	struct stat sb;
	int rc;

	/* first the header, then the size: the file grows before its rows are
	 * counted */
	if ((rc = read_at(st->fd, &h, sizeof(h), 0)) < 0)
		return rc;
	if (fstat(st->fd, &sb) < 0)
		return -errno;
	if (memcmp(h.magic, MAGIC, MAGIC_ANY) == 0 &&
	    memcmp(h.magic, MAGIC, sizeof(h.magic)) != 0)
		return -EPROTONOSUPPORT;
	if (!sound_head(&h, (uint64_t)sb.st_size))
		return -EINVAL;
	counted = h.nrow;
	h.nrow = whole_rows(&h, counted, &sb);
	st->cut = counted - h.nrow;
	/* zeroed: the unused part of the notes is not read */
	if ((st->map = calloc(1, h.rows)) == NULL)
		return -ENOMEM;
	st->head = memcpy(st->map, &h, sizeof(h));
	if ((rc = read_at(st->fd, st->map + h.notes, h.nnote, h.notes)) < 0 ||
	    (rc = read_at(st->fd, st->map + h.columns, h.rows - h.columns,
	    h.columns)) < 0)
		return rc;
	if (!store_sound_columns(st))
		return -EINVAL;
	rc = store_take_shape(st);
	return rc < 0 ? rc : print_preamble(st);
}

int
store_open(struct store **out, const char *path, struct diag *why)
{
	struct store *st = calloc(1, sizeof(*st));
	struct stat sb;
	int rc;

	*out = NULL;
	if (st == NULL || (st->path = strdup(path)) == NULL) {
		free(st);
		return diag_set(why, -ENOMEM, "out of memory");
	}
	st->dir = -1;
	if ((st->fd = infile_open(path, &sb)) < 0) {
		rc = diag_set(why, st->fd, "%s: %s", path,
		    infile_error(st->fd));
		goto fail;
	}
	if ((rc = read_parts(st)) == -EINVAL || rc == -ENODATA)
		rc = diag_set(why, -EINVAL, "%s: not a store of tallyd, or a "
		    "damaged one; a dump is read as it is", path);
	else if (rc == -EPROTONOSUPPORT)
		diag_set(why, rc, "%s: a store of another version of tallyd: "
		    "the tally of that version reads it", path);
	else if (rc < 0)
		diag_set(why, rc, "%s: %s", path, strerror(-rc));
	if (rc < 0)
		goto fail;
	*out = st;
	return 0;
fail:
	store_close(st);
	return rc;
}

/*
 * Update the counts and the notes from the file.
 *
 * The counts are read twice, as read(2) of eight bytes that are being
 * incremented need not be atomic; the smaller result is never more than there
 * are rows.  If the file cannot be read, the counts stay as they were.
 */
static void
store_look(const struct store *st)
{
	struct file_head *h = st->head, now, then;
	struct stat sb;
	uint64_t n;

	if (read_at(st->fd, &then, sizeof(then), 0) < 0 ||
	    read_at(st->fd, &now, sizeof(now), 0) < 0 ||
	    fstat(st->fd, &sb) < 0)
		return;
	atomic_thread_fence(memory_order_acquire);
	n = whole_rows(h, least(least(then.nrow, now.nrow), h->capacity), &sb);
	if (n > h->nrow)
		h->nrow = n;
	h->missed = now.missed;
	h->lost = now.lost;
	h->nmark = least(least(then.nmark, now.nmark), STORE_MARKS);
	memcpy(h->mark, now.mark, sizeof(h->mark));
	n = least(least(then.nnote, now.nnote), STORE_NOTES - 1);
	if (n > h->nnote && read_at(st->fd, st->map + h->notes + h->nnote,
	    n - h->nnote, h->notes + h->nnote) == 0)
		h->nnote = n;
}

int
store_read(const struct store *st, uint64_t row, unsigned first, unsigned n,
    uint64_t *cells)
{
	const struct file_head *h = st->head;

	return read_at(st->fd, cells, n * sizeof(*cells), h->rows +
	    (row * h->ncell + first) * sizeof(*cells));
}

/* ---- what callers ask ---------------------------------------------------- */

uint64_t
store_rows(const struct store *st)
{
	if (!st->writer)
		store_look(st);
	return st->head->nrow;
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

const char *
store_notes(const struct store *st)
{
	return (const char *)st->map + st->head->notes;
}

uint64_t
store_notes_lost(const struct store *st)
{
	return st->head->lost;
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
	return (unsigned)st->head->nmark;
}

unsigned
store_left_out(const struct store *st)
{
	struct head h = { .text = NULL };
	unsigned n = head_put_again(&h, store_notes(st));

	head_fini(&h);
	return st->left_out + n;
}

uint64_t
store_cut(const struct store *st)
{
	return st->cut;
}

const char *
store_error(int rc)
{
	return rc == -ENODATA ? "the store was cut short while it was read" :
	    strerror(-rc);
}

void
store_close(struct store *st)
{
	if (st == NULL)
		return;
	free(st->map);
	free(st->row);
	if (st->fd >= 0)
		close(st->fd);
	if (st->dir >= 0)
		close(st->dir);
	free(st->column);
	free(st->preamble);
	arena_free(st->families.arena);
	families_fini(&st->families);
	free(st->path);
	free(st);
}
