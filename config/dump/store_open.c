/*
 * config/dump/store_open.c - stores that another process writes or wrote, or forged:
 * the locks that tell that a daemon is running, the search for its store, and
 * reading, where everything is checked.  The file is not mapped, as touching
 * a mapped page after the file was truncated raises SIGBUS.
 */
#include "config/dump/store_int.h"

#include "config/dump/head.h"
#include "config/dump/store.h"
#include "config/folder.h"
#include "lib/accounts.h"
#include "lib/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Limit for the bytes before the rows; a million columns need half of it. */
#define MAX_HEAD (1u << 28)

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
open_found(const char *path, struct stat *sb)
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
	    (p = account_user(STORE_USER)) != NULL && p->pw_uid == uid);
}

static void
look_at_found(struct store_search *s, const char *path)
{
	struct live_stores *of;
	struct stat sb;
	int fd = open_found(path, &sb);

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
			look_at_found(s, path);
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
	if ((g = account_gid(sb.st_gid)) == NULL)
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
search_stores(struct store_search *s)
{
	const struct live_stores *of;

	for (unsigned looks = 0;; looks++) {
		*s = (struct store_search){ .unreadable = "" };
		look_in(s, STORES_OURS);
		look_in(s, STORES_ANYBODYS);
		of = s->roots.n > 0 ? &s->roots : &s->own;
		if (of->n == 1 || looks == (of->n == 0 ? 1 : 10))
			return of;
		if (of->n > 1)
			nap(20);
	}
}

int
store_find(char *path, size_t size, struct diag *why)
{
	struct store_search s;
	const struct live_stores *of = search_stores(&s);

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
	int fd = open_found(path, &sb);
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

/* ---- reading ------------------------------------------------------------ */

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
